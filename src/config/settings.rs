//! The settings there are.

use std::collections::BTreeMap;

use super::{
    ConfigError,
    auth::Auth,
    connections::Connection,
    error::Errors,
    form::{Form, Text, Whole, section},
    grants::{self, GrantRules, Rules},
    host::{Admission, Limits, Log, Origins},
    node::{Node, Place, Value},
    rule::IsName,
    variables::VARIABLES,
};
use crate::{
    auth::{ApiKeys, JwtRules, ResourceMetadata},
    mcp,
    runtime::{Disclosure, UnenforcedLimit, admission::AdmissionOptions},
    sandbox,
};

/// A deployment's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the `dev` principal is let in on loopback.
    pub dev: bool,
    /// The keys that are taken as credentials.
    pub keys: ApiKeys,
    /// The tokens that are.
    pub jwt: Option<JwtRules>,
    /// Where a client can get a token.
    pub metadata: ResourceMetadata,
    /// The pages that are served beside the Worker's own.
    pub origins: mcp::Origins,
    /// How many connections of a principal may work at once.
    pub max_connections: Option<u64>,
    /// How long a person has to answer.
    pub approval_ms: Option<u64>,
    /// The bounds of each execution.
    pub limits: sandbox::Limits,
    /// How many programs one connection runs at once, and how long others wait.
    pub admission: AdmissionOptions,
    /// The limits that this host doesn't enforce.
    pub unenforced: Vec<UnenforcedLimit>,
    /// What the line of an execution shows of code and inputs.
    pub disclosure: Disclosure,
    /// Who may use what.
    pub grants: GrantRules,
    /// The providers that are connected, by the names that code says.
    pub connections: BTreeMap<String, Connection>,
}

section! {
    /// All that `mycelium.toml` may say.
    pub(super) struct Written {
        auth: Auth, "", "Who is let in.";
        origins: Origins, "", "Pages of other sites.";
        limits: Limits, "", "The bounds of each execution, and of each principal.";
        admission: Admission, "", "How many programs run at once.";
        log: Log, "", "What the log has beside facts.";
        grants: Rules, "", "Who may use what.";
        connections: BTreeMap<String, Connection>, "none", "The providers that are connected.";
    }
}

/// What settings are decoded from.
pub struct Given<'a> {
    /// The text of `mycelium.toml`.
    pub toml: &'a str,
    /// A variable's or a secret's text by its name.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The names of the tables in the bundle; unknown when absent, and then not looked at.
    pub tables: Option<&'a [&'a str]>,
    /// The ids of the modules that are built in; unknown when absent, and then grants may
    /// name any module.
    pub modules: Option<&'a [&'a str]>,
}

impl Settings {
    /// Decodes the settings.
    ///
    /// # Errors
    ///
    /// Every wrong key, not the first only.
    ///
    /// ```
    /// use mycelium::config::{Given, Settings};
    ///
    /// let given = |toml| Given { toml, variable: &|_| None, tables: None, modules: Some(&["demo"]) };
    /// let toml = "[grants.everyone]\ndemo = 'read'\n[limits]\ntimeout_ms = 5_000";
    /// assert_eq!(Settings::decode(&given(toml)).unwrap().limits.timeout_ms, 5_000);
    ///
    /// let errors = Settings::decode(&given("[limit]\ntimeout_ms = 0")).unwrap_err();
    /// assert!(errors[0].to_string().ends_with("the nearest is limits"));
    /// ```
    pub fn decode(given: &Given<'_>) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Errors::default();
        let mut root = Node::read(given.toml, &mut errors);
        for (variable, path) in VARIABLES {
            if let Some(text) = (given.variable)(variable) {
                root.lay(path, variable, text);
            }
        }
        let written = Written::read(&root, &Place::ROOT, &mut errors);
        check_names(&root, given, &mut errors);
        let settings = written.map(|written| Self::of(written, given, &mut errors));
        let errors = errors.all();
        match settings {
            Some(settings) if errors.is_empty() => Ok(settings),
            _ => Err(errors),
        }
    }

    /// The settings that variables alone say.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode).
    ///
    /// ```
    /// use mycelium::config::Settings;
    /// let settings = Settings::read(|key| (key == "MYCELIUM_AUTH_DEV").then(|| "true".into()));
    /// assert!(settings.unwrap().dev);
    /// assert!(Settings::read(|_| Some("?".into())).is_err());
    /// ```
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<ConfigError>> {
        Self::decode(&Given { toml: "", variable: &variable, tables: None, modules: None })
    }

    fn of(written: Written, given: &Given<'_>, errors: &mut Errors) -> Self {
        let Written { auth, origins, limits, admission, log, grants, connections } = written;
        let dev = auth.dev.unwrap_or(false);
        check_tables(&connections, given, errors);
        check_apps(&connections, errors);
        Self {
            dev,
            keys: auth.api_keys(given.variable, errors),
            jwt: auth.rules(),
            metadata: auth.metadata(),
            origins: origins.origins(),
            max_connections: limits.max_connections.map(|Whole(most)| most),
            approval_ms: limits.approval_ms.map(|Whole(ms)| ms),
            limits: checked(limits.of_execution(), errors),
            admission: admission.options(),
            unenforced: limits.local_dev_unenforced.0,
            disclosure: log.disclosure(),
            grants: GrantRules::new(grants, dev),
            connections,
        }
    }
}

/// An answer goes through one frame.
fn checked(limits: sandbox::Limits, errors: &mut Errors) -> sandbox::Limits {
    if limits.result_bytes > limits.frame_bytes {
        let (found, frame) = (limits.result_bytes.to_string(), limits.frame_bytes);
        let accepted = format!("at most limits.frame_bytes, {frame},");
        errors.push(ConfigError::variable("limits.result_bytes", &found, &accepted));
    }
    limits
}

/// Connections have names that code can say and nobody has; grants name modules there are.
fn check_names(root: &Node, given: &Given<'_>, errors: &mut Errors) {
    let Value::Table(sections) = &root.value else { return };
    let place = Place::ROOT.of("connections");
    let mut known: Vec<&str> = given.modules.unwrap_or_default().to_vec();
    if let Some(Value::Table(connections)) = sections.get("connections").map(|node| &node.value) {
        for (name, node) in connections {
            if !<IsName as super::form::Rule>::holds(name) {
                let accepted = Text::<IsName>::accepted();
                errors.wrong(&place.of(name), &node.named(name), &accepted);
            } else if known.contains(&name.as_str()) {
                let accepted = "a name that no module has which is built in";
                errors.wrong(&place.of(name), &node.named(name), accepted);
            }
        }
        known.extend(connections.keys().map(String::as_str));
    }
    if let Some(node) = sections.get("grants").filter(|_| given.modules.is_some()) {
        known.sort_unstable();
        grants::check(node, &Place::ROOT.of("grants"), &known, errors);
    }
}

/// A table that isn't in the bundle shows here, and not in the middle of a request.
fn check_tables(
    connections: &BTreeMap<String, Connection>,
    given: &Given<'_>,
    errors: &mut Errors,
) {
    let Some(tables) = given.tables else { return };
    for (name, connection) in connections {
        let Connection::OpenApi(openapi) = connection else { continue };
        if !tables.contains(&openapi.table.as_str()) {
            let key = format!("connections.{name}.table");
            let accepted = match tables {
                [] => "a table in the folder tables, which is empty: make one with make openapi,"
                    .to_owned(),
                tables => format!("one of the tables {}", tables.join(", ")),
            };
            errors.push(ConfigError::variable(&key, &openapi.table, &accepted));
        }
    }
}

/// A page says which session it is of, and not which connection.
fn check_apps(connections: &BTreeMap<String, Connection>, errors: &mut Errors) {
    let apps = connections.iter().filter(|(_, one)| matches!(one, Connection::Ui(_)));
    for (name, _) in apps.skip(1) {
        let key = format!("connections.{name}.type");
        errors.push(ConfigError::variable(&key, "ui", "one connection of type ui"));
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use crate::runtime::{UnenforcedLimit, admission::normalize_sandbox_admission_policy};

    const DEV: &str = "MYCELIUM_AUTH_DEV";
    const TIMEOUT: &str = "MYCELIUM_TIMEOUT_MS";
    const CAPACITY: &str = "MYCELIUM_SANDBOX_CAPACITY";
    const WAIT: &str = "MYCELIUM_ADMISSION_WAIT_MS";
    const UNENFORCED: &str = "MYCELIUM_LOCAL_DEV_UNENFORCED_LIMITS";

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
        let find = |key: &str| {
            pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned())
        };
        Settings::read(find).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn nothing_configured_lets_nobody_in() {
        assert_eq!(read(&[]), Ok(Settings::default()));
        assert!(!Settings::default().dev);
    }

    #[test]
    fn unenforced_limits_are_known_and_not_repeated() {
        let limits = read(&[(UNENFORCED, "cpu, memory")]).unwrap().unenforced;
        assert_eq!(limits, [UnenforcedLimit::Cpu, UnenforcedLimit::Memory]);
        for wrong in ["disk", "cpu,cpu", "CPU"] {
            assert!(read(&[(UNENFORCED, wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn admission_is_whole_numbers_in_the_bounds_of_the_policy() {
        let bounds = [("1", "1"), ("9007199254740991", "900000")];
        for (capacity, wait) in bounds {
            let admission = read(&[(CAPACITY, capacity), (WAIT, wait)]).unwrap().admission;
            assert_eq!(admission.sandbox_capacity.unwrap().to_string(), capacity);
            assert_eq!(admission.admission_wait_ms.unwrap().to_string(), wait);
            assert!(normalize_sandbox_admission_policy(&admission, None).is_ok());
        }
        for wrong in ["0", "", " 1", "+1", "-1", "1.5", "1e3", "9007199254740992", "none"] {
            let errors = read(&[(CAPACITY, wrong), (WAIT, wrong), (TIMEOUT, wrong)]).unwrap_err();
            assert_eq!(errors.len(), 3, "{wrong}");
        }
    }

    #[test]
    fn every_wrong_key_is_named_with_what_is_accepted() {
        let errors = [(DEV, "yes"), (TIMEOUT, "0"), (WAIT, "0"), (UNENFORCED, "x")];
        let errors = read(&errors).unwrap_err();
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors[0].contains("MYCELIUM_AUTH_DEV is \"yes\": true or false is accepted"));
    }
}
