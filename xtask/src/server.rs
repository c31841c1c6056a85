//! The Worker in `wrangler dev`, on this machine only.

use std::{
    fs::File,
    io::{self, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::Command,
    thread,
    time::Duration,
};

use crate::{
    build::Profile,
    failure::Failure,
    process::{Running, interrupt},
    progress::Watch,
    setup::Node,
    workspace::Workspace,
};

/// How long wrangler may take from its start to the first answer, the build being done.
const START: Duration = Duration::from_secs(90);

/// How long one answer may take: wrangler holds requests until the Worker is up.
const ANSWER: Duration = Duration::from_secs(60);

/// How often a server that isn't up is asked.
const LOOK: Duration = Duration::from_millis(100);

/// How to run the Worker.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// How the Worker is compiled when wrangler builds it again.
    pub(crate) profile: Profile,
    /// The port; any free one without it.
    pub(crate) port: Option<u16>,
    /// The file for wrangler's output; the terminal without it.
    pub(crate) log: Option<PathBuf>,
    /// The folder for what the Worker stores.
    pub(crate) state: PathBuf,
}

/// A Worker that answers. Ended on drop, with all that wrangler started.
#[derive(Debug)]
pub(crate) struct Server {
    running: Running,
    port: u16,
}

impl Server {
    /// Starts wrangler and returns when the Worker answers.
    pub(crate) fn start(
        workspace: &Workspace,
        node: &Node,
        options: &Options,
    ) -> Result<Self, Failure> {
        let port = free_port(options.port)?;
        let mut command = wrangler(workspace, node, options, port);
        if let Some(path) = &options.log {
            let open = || File::create(path).and_then(|file| Ok((file.try_clone()?, file)));
            let (out, err) = open().map_err(|error| Failure::file(path, &error))?;
            command.stdout(out).stderr(err);
        } else {
            command.stdout(io::stderr());
        }
        let mut server = Self { running: Running::start(&mut command)?, port };
        server.answers()?;
        Ok(server)
    }

    /// Where MCP clients connect.
    pub(crate) fn mcp(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    /// Waits until wrangler ends.
    pub(crate) fn wait(self) -> Result<(), Failure> {
        let status = self.running.wait()?;
        Err(Failure::step("keep wrangler running", &status))
    }

    fn answers(&mut self) -> Result<(), Failure> {
        let watch = Watch::start();
        while watch.elapsed() < START {
            interrupt::check()?;
            if let Some(status) = self.running.ended() {
                return Err(Failure::step("start wrangler dev", &status));
            }
            if answer(self.port).is_ok() {
                return Ok(());
            }
            thread::sleep(LOOK);
        }
        Err(Failure::step("reach the Worker", &format!("no answer in {} s", START.as_secs())))
    }
}

fn wrangler(workspace: &Workspace, node: &Node, options: &Options, port: u16) -> Command {
    let mut command = node.command(workspace.node_program("wrangler"));
    command
        .args(["dev", "--ip", "127.0.0.1", "--show-interactive-dev-session=false"])
        .args(["--port", &port.to_string()])
        .arg("--persist-to")
        .arg(&options.state)
        .current_dir(workspace.root())
        .env(Profile::VARIABLE, options.profile.name());
    quiet(&mut command);
    command
}

/// Keeps wrangler from asking anything of the network or of the reader.
pub(crate) fn quiet(wrangler: &mut Command) {
    wrangler
        .env("WRANGLER_SEND_METRICS", "false")
        .env("CLOUDFLARE_CF_FETCH_ENABLED", "false")
        .env("CI", "1");
}

/// The wanted port if it is free, or any.
pub(crate) fn free_port(wanted: Option<u16>) -> Result<u16, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, wanted.unwrap_or(0)))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| match wanted {
            Some(port) => Failure::step(
                &format!("listen on port {port}"),
                &format!("{error}; set PORT=… to another"),
            ),
            None => Failure::step("find a free port", &error),
        })
}

/// Asks for anything: that there is an answer is what counts.
fn answer(port: u16) -> io::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, LOOK)?;
    stream.set_read_timeout(Some(ANSWER))?;
    write!(stream, "GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n")?;
    let mut start = [0; 5];
    stream.read_exact(&mut start)?;
    if &start == b"HTTP/" { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}
