//! The folder of real data that is too large for the repository.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder that `POSTERIOR_SHARED` names, or else the folder `shared` beside the checkout; `None` if there
/// is none.
#[expect(clippy::disallowed_methods, reason = "where data lie is for the person who runs the tests to say")]
pub fn shared_dir() -> Option<PathBuf> {
    let folder = match std::env::var_os("POSTERIOR_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?.join("shared"),
    };
    folder.is_dir().then_some(folder)
}

/// The file or folder `path` in [`shared_dir`]. Where it is missing, says on standard error that `test` was
/// skipped, and adds a line to the file that `POSTERIOR_SKIPPED` names, if it names one: `test`, `path`, and
/// the name of the thread, which the harness calls as the function, with tabs between them.
///
/// # Panics
/// If that file cannot be written.
///
/// ```no_run
/// let Some(_path) = posterior_testkit::shared::shared_file("example", "no/such/file") else {
///     return; // prints: skipped: example needs no/such/file, which is not in the shared folder
/// };
/// ```
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
pub fn shared_file(test: &str, path: &str) -> Option<PathBuf> {
    let found = shared_dir().map(|folder| folder.join(path)).filter(|file| file.exists());
    if found.is_none() {
        eprintln!("skipped: {test} needs {path}, which is not in the shared folder");
        note(test, path);
    }
    found
}

/// The harness shows the output of failed tests only; `cargo xtask ci` counts these lines.
#[expect(clippy::disallowed_methods, reason = "the file is for the program that runs the tests")]
fn note(test: &str, path: &str) {
    let Some(file) = std::env::var_os("POSTERIOR_SKIPPED") else { return };
    let file = OpenOptions::new().create(true).append(true).open(file);
    let thread = std::thread::current();
    let line = format!("{test}\t{path}\t{}\n", thread.name().unwrap_or_default());
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the file that POSTERIOR_SKIPPED names takes a line");
}
