//! How a run ends when it does not end well.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use crate::interrupt;

/// Why a run did not finish.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The data, a file or the model is wrong: what, and what may help.
    Data { message: String, hint: Option<String> },
    /// The same, where the run takes more memory than it may.
    Memory { message: String, hint: Option<String> },
    /// The options contradict each other.
    Usage(String),
    /// Ctrl-C or a termination signal; what was saved.
    Interrupted(String),
    /// Whoever read the output is gone.
    OutputClosed,
}

impl From<posterior::text::Error> for Failure {
    fn from(error: posterior::text::Error) -> Self {
        if error.is_parameter() {
            return Self::Usage(error.to_string());
        }
        let hint = error.hint().map(str::to_owned);
        Self::Data { message: error.to_string(), hint }
    }
}

impl From<posterior::table::Error> for Failure {
    fn from(error: posterior::table::Error) -> Self {
        Self::Data { message: error.to_string(), hint: error.hint().map(as_flags) }
    }
}

/// The library's options, which are single words in backticks, as those of the command line: "`memory`" is
/// `--memory`.
pub(crate) fn as_flags(hint: &str) -> String {
    let part = |(place, part): (usize, &str)| match place % 2 {
        0 => part.to_owned(),
        _ if part.contains(' ') => format!("`{part}`"),
        _ => format!("--{}", part.replace('_', "-")),
    };
    hint.split('`').enumerate().map(part).collect()
}

impl From<posterior::decision::Error> for Failure {
    fn from(error: posterior::decision::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// What a library refused, in its own words.
pub(crate) fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::data(error.to_string())
}

impl Failure {
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self::Data { message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Data { message, hint: None } => Self::Data { message, hint: Some(hint.into()) },
            other => other,
        }
    }

    /// The same, for want of memory.
    pub(crate) fn for_memory(self) -> Self {
        match self {
            Self::Data { message, hint } => Self::Memory { message, hint },
            other => other,
        }
    }

    /// The same with more advice behind what there is.
    pub(crate) fn or(self, instead: &str) -> Self {
        match self {
            Self::Data { message, hint: Some(hint) } => {
                Self::Data { message, hint: Some(format!("{hint}; {instead}")) }
            }
            other => other.with_hint(instead),
        }
    }

    /// A file that could not be read or written.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::data(format!("{}: {error}", path.display()))
    }

    /// Says what happened on stderr: one line, and a hint where there is one.
    pub(crate) fn tell(&self) {
        let text = match self {
            Self::Data { message, hint } | Self::Memory { message, hint } => {
                let hint = hint.as_ref().map_or_else(String::new, |hint| format!("hint: {hint}\n"));
                format!("error: {message}\n{hint}")
            }
            Self::Usage(message) => {
                format!("error: {message}\n\nFor more information, try '--help'.\n")
            }
            Self::Interrupted(message) => format!("interrupted: {message}\n"),
            Self::OutputClosed => String::new(),
        };
        // There is nobody left to tell when stderr is closed.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Data { .. } | Self::Memory { .. } => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::Interrupted(_) => ExitCode::from(interrupt::status()),
            Self::OutputClosed => ExitCode::SUCCESS,
        }
    }
}
