//! Running the binary, and small corpora to run it on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder of its own for a test, with the binary's output inside.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }

    /// A command that runs in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posterior"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    /// The same with signals as a terminal has them: `nohup` and shells in the background have some of them
    /// ignored, and that is inherited.
    pub(crate) fn command_with_signals(&self, arguments: &[&str]) -> Command {
        if !cfg!(target_os = "linux") {
            return self.command(arguments);
        }
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(env!("CARGO_BIN_EXE_posterior"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Runs and expects success.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    /// A corpus of two themes with a word in common, in UCI form, and its table.
    pub(crate) fn themes(&self) -> &'static str {
        let mut rows = Vec::new();
        for document in 1..=12 {
            let first = if document % 2 == 0 { 1 } else { 4 };
            for word in first..first + 3 {
                rows.push(format!("{document} {word} {}", 3 + document % 3));
            }
            rows.push(format!("{document} 7 2"));
        }
        self.write("docword.txt", format!("12\n7\n{}\n{}\n", rows.len(), rows.join("\n")));
        self.write("vocab.txt", "river\nstone\nbridge\nviolin\nconcert\nmelody\nevening\n");
        let rows: Vec<String> = (1..=12).map(|d| format!("{d},{},hall {}", 1990 + d, d / 4)).collect();
        self.write("meta.csv", format!("document,year,place\n{}\n", rows.join("\n")));
        "docword.txt"
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn read(path: impl AsRef<Path>) -> Vec<u8> {
    fs::read(path.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}
