//! Test programs without optimisation: `ci` compiles them in a fifth of the time, and they run little longer,
//! because what they call is optimised as ever: the libraries and the program.
//!
//! A profile of cargo holds for a whole package, its tests included. So `ci` names this program as the
//! wrapper of rustc for the packages of the workspace, and cargo then calls it with the arguments of rustc.

use std::path::Path;
use std::process::{Command, ExitCode};

/// The wrapper of rustc, for packages of the workspace only.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// The variable of cargo that makes this program the wrapper, and its value.
pub(crate) fn variable() -> Result<(&'static str, String), String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
    let own = own.to_str().ok_or("the path of this program is not Unicode")?;
    Ok((WRAPPER, own.to_owned()))
}

/// Runs rustc and returns how it ended, if these are the arguments that cargo gives to a wrapper: the path of
/// rustc, and what it is to do.
pub(crate) fn wrapped(arguments: &[String]) -> Option<ExitCode> {
    let (rustc, rest) = arguments.split_first()?;
    if Path::new(rustc).file_stem().is_none_or(|stem| stem != "rustc") {
        return None;
    }
    let status = Command::new(rustc).args(lighter(rest)).status();
    Some(match status.map(|status| status.code()) {
        Ok(Some(0)) => ExitCode::SUCCESS,
        Ok(code) => ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: {rustc}: {error}");
            ExitCode::FAILURE
        }
    })
}

/// The arguments, those of a test program without optimisation.
fn lighter(arguments: &[String]) -> Vec<String> {
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let lighter = |argument: &String| match argument.as_str() {
        "opt-level=1" | "opt-level=2" if is_test => "opt-level=0".to_owned(),
        _ => argument.clone(),
    };
    arguments.iter().map(lighter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_alone_lose_their_optimisation() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let library = words("--crate-name posterior_graph src/lib.rs -C opt-level=2");
        assert_eq!(lighter(&library), library);
        let tests = words("--crate-name it tests/it/main.rs -C opt-level=2 --test");
        assert_eq!(lighter(&tests), words("--crate-name it tests/it/main.rs -C opt-level=0 --test"));
        assert!(wrapped(&words("ci --slow")).is_none() && wrapped(&[]).is_none());
    }
}
