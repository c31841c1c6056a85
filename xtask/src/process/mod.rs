//! Runs other programs, each in a process group of its own, and ends what it started.
//!
//! A terminal's Ctrl-C reaches this program only; [`interrupt`] passes it on to
//! every group that is alive, and whoever waits for one gets
//! [`Failure::interrupted`].

mod group;
pub(crate) mod interrupt;

use std::{
    env,
    ffi::OsString,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use group::Group;

use crate::{failure::Failure, progress::Watch};

/// How long a program may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// How often a program that should end is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The cargo that runs this program.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs `command` to its end, its output shown on stderr.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    command.stdout(io::stderr());
    let status = Running::start(command)?.wait()?;
    succeeded(command, status)
}

/// What `command` prints on stdout, if it is there and succeeds.
pub(crate) fn probe(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    Err(Failure::step(&format!("run {program}"), &format!("{status}; see the output above")))
}

/// A program that was started, and all that it starts: ended at the latest on drop.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    group: Group,
}

impl Running {
    /// Starts `command` without an input.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Failure> {
        command.stdin(Stdio::null());
        let (child, group) = Group::spawn(command)?;
        Ok(Self { child, group })
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Result<ExitStatus, Failure> {
        let status = self.child.wait();
        interrupt::check()?;
        status.map_err(|error| Failure::step("wait for a program", &error))
    }

    /// Waits for its end, handing each line that it prints on a piped stdout to `take`.
    pub(crate) fn lines(mut self, mut take: impl FnMut(&str)) -> Result<ExitStatus, Failure> {
        if let Some(stdout) = self.child.stdout.take() {
            let mut lines = BufReader::new(stdout).split(b'\n');
            while let Some(Ok(line)) = lines.next() {
                take(&String::from_utf8_lossy(&line));
            }
        }
        self.wait()
    }

    /// Waits for its end and returns what it printed on a piped stdout.
    pub(crate) fn read(mut self) -> Result<(ExitStatus, String), Failure> {
        let mut bytes = Vec::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::step("read a program's output", &error))?;
        }
        Ok((self.wait()?, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Its exit status, if it ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}

impl Drop for Running {
    /// Asks first, so that programs with others under them can end those.
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.group.signal("TERM");
            let watch = Watch::start();
            while self.ended().is_none() && watch.elapsed() < GRACE {
                thread::sleep(LOOK);
            }
        }
        self.group.signal("KILL");
        drop(self.child.wait());
    }
}
