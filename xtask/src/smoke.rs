//! `cargo xtask smoke`: the command line does what it promises on a small corpus.
//!
//! What is checked is the contract with users: exit codes, names of JSON fields, names of artefacts, and that
//! neither the number of threads nor anything else but the seed decides a number.

mod fit;
mod npy;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{Outcome, cargo, no_arguments};

/// Documents of two themes that share no word, so that two topics must find them.
const THEMES: [&str; 2] =
    ["river water bridge fish stone valley", "violin music concert rhythm singer orchestra"];

/// Documents of each theme.
const DOCUMENTS: usize = 6;

/// Runs the binary that `cargo build --release -p posterior-cli` makes.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("smoke", arguments)?;
    check(release_binary()?)
}

/// Runs the binary that the tests of the command line have left: another build would cost `ci` ten minutes.
pub(crate) fn run_tested() -> Outcome {
    check(built("debug", "cargo test --workspace")?)
}

fn check(binary: PathBuf) -> Outcome {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let smoke = Smoke { binary, folder: folder.path().to_path_buf() };
    smoke.help()?;
    smoke.data()?;
    smoke.dist()?;
    smoke.topics()?;
    smoke.mistakes()?;
    println!(
        "smoke: help, data, a distribution, a topic model on one and on two threads, and mistakes behave as promised"
    );
    Ok(())
}

/// Builds the command line for release, so that it is never an old one, and says where it is.
pub(crate) fn release_binary() -> Result<PathBuf, String> {
    cargo::run(&["build", "--release", "-p", "posterior-cli"])?;
    built("release", "cargo build --release -p posterior-cli")
}

/// Where the command line of a profile is, and which command makes it.
fn built(profile: &str, command: &str) -> Result<PathBuf, String> {
    let name = format!("posterior{}", std::env::consts::EXE_SUFFIX);
    let binary = cargo::target_folder()?.join(profile).join(name);
    if binary.is_file() {
        return Ok(binary);
    }
    Err(format!("{} is missing; run `{command}` first", binary.display()))
}

/// The binary under test, and a folder for its input and output.
struct Smoke {
    binary: PathBuf,
    folder: PathBuf,
}

impl Smoke {
    fn help(&self) -> Outcome {
        let text = self.succeed(["--help"])?;
        if text.contains("Usage") { Ok(()) } else { Err("`posterior --help` shows no usage".to_owned()) }
    }

    fn data(&self) -> Outcome {
        let text = self.succeed(["data", "list"])?;
        if text.trim().is_empty() {
            return Err("`posterior data list` lists nothing".to_owned());
        }
        json(&self.succeed(["data", "list", "--format", "json"])?).map(|_| ())
    }

    /// Updates a prior by data.
    fn dist(&self) -> Outcome {
        let text = self.succeed(["dist", "show", "beta(1, 1)", "--observe", "1,1,0", "--format", "json"])?;
        let posterior = &json(&text)?["posterior"]["distribution"];
        if posterior == "beta(3, 2)" {
            Ok(())
        } else {
            Err(format!("the posterior of a coin is {posterior}"))
        }
    }

    /// Fits the same model on one and on two threads.
    fn topics(&self) -> Outcome {
        let corpus = self.folder.join("corpus");
        write_corpus(&corpus)?;
        let outputs = ["one", "two"].map(|name| self.folder.join(name));
        for (output, threads) in outputs.iter().zip(["1", "2"]) {
            let text = self.succeed([
                OsStr::new("topics"),
                OsStr::new("fit"),
                corpus.as_os_str(),
                OsStr::new("--topics=2"),
                OsStr::new("--iterations=50"),
                OsStr::new("--seed=7"),
                OsStr::new("--format=json"),
                OsStr::new("--threads"),
                OsStr::new(threads),
                OsStr::new("--out"),
                output.as_os_str(),
            ])?;
            fit::check_report(&json(&text)?, THEMES.len() * DOCUMENTS)?;
            fit::check_artefacts(output, THEMES.len(), THEMES.len() * DOCUMENTS)?;
        }
        fit::check_equal(&outputs[0], &outputs[1])
    }

    /// Data that are wrong end with 1 and a line that says so, wrong usage with 2.
    fn mistakes(&self) -> Outcome {
        let missing = self.folder.join("missing");
        let arguments = [OsStr::new("topics"), OsStr::new("fit"), missing.as_os_str()];
        let output = self.start(arguments)?;
        let text = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(1) || !text.lines().any(|line| line.starts_with("error: ")) {
            return Err(format!("a missing corpus ends with {} and says:\n{text}", output.status));
        }
        let output = self.start(["topics", "fit", "--no-such-option"])?;
        if output.status.code() != Some(2) {
            return Err(format!("an unknown option ends with {}, expected 2", output.status));
        }
        Ok(())
    }

    /// What the binary prints, if it succeeds.
    fn succeed<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<String, String> {
        let arguments: Vec<S> = arguments.into_iter().collect();
        let words: Vec<String> =
            arguments.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect();
        let shown = format!("posterior {}", words.join(" "));
        println!("{shown}");
        let output = self.start(arguments)?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{shown}` failed ({}):\n{errors}", output.status));
        }
        String::from_utf8(output.stdout).map_err(|_| format!("`{shown}` does not print Unicode"))
    }

    fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Output, String> {
        let output = Command::new(&self.binary).args(arguments).current_dir(&self.folder).output();
        output.map_err(|error| format!("{} did not start: {error}", self.binary.display()))
    }
}

fn write_corpus(folder: &Path) -> Outcome {
    let context = |error| format!("{}: {error}", folder.display());
    fs::create_dir(folder).map_err(context)?;
    for (theme, words) in THEMES.iter().enumerate() {
        for document in 0..DOCUMENTS {
            let text = format!("{words}\n").repeat(3 + document);
            fs::write(folder.join(format!("{theme}-{document}.txt")), text).map_err(context)?;
        }
    }
    Ok(())
}

fn json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| format!("the output is not JSON: {error}\n{text}"))
}
