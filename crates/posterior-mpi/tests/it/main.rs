//! `posterior-mpi` under `mpirun`: the bits of the fit in memory on any number of processes, kills, faults.

#![expect(clippy::panic, reason = "a run that hangs fails its test")]

mod bits;
mod faults;
mod kills;
mod plans;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use posterior_topics::Corpus;
use posterior_topics::corpus::StoredCorpus;

const PROGRAM: &str = env!("CARGO_BIN_EXE_posterior-mpi");

/// The fit that most tests run.
const FIT: &str =
    "topics fit c.corpus --topics 6 --groups 8 --iterations 40 --trace-every 7 --seed 5 --quiet";

/// What a fit leaves.
const FILES: [&str; 4] = ["model.json", "topic_word.npy", "doc_topic.npy", "vocab.txt"];

/// A corpus of themes in so many documents.
fn corpus(documents: u32) -> Corpus {
    let row = |d: u32| (0..12).map(|i| ((i * i + 11 * (d % 4)) % 60, 1 + (d + i) % 3)).collect();
    let vocabulary = (0..60).map(|word| format!("word{word}")).collect();
    let names = (0..documents).map(|d| d.to_string()).collect();
    Corpus::from_rows(vocabulary, names, (0..documents).map(row).collect()).unwrap()
}

/// A folder with a corpus of 120 documents, `c.corpus`.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    StoredCorpus::write(&corpus(120), folder.path().join("c.corpus")).unwrap();
    folder
}

/// `mpirun` with so many processes, in a folder where it leaves what it prints.
fn mpirun(folder: &Path, ranks: usize, words: &str) -> Command {
    let print = |name: &str| fs::File::create(folder.join(name)).unwrap();
    let mut command = Command::new("mpirun");
    command
        .args(["--oversubscribe", "-n", &ranks.to_string(), PROGRAM])
        .args(words.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(print("stdout"))
        .stderr(print("stderr"))
        .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    command
}

fn printed(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()).into_owned()
}

/// How a run ends, which it does before so many seconds are over.
fn ended(run: &mut Child, seconds: u64) -> ExitStatus {
    let until = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < until {
        if let Some(status) = run.try_wait().unwrap() {
            return status;
        }
        thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    panic!("a run hangs");
}

/// The answer of a run that succeeds.
fn succeed(folder: &Path, ranks: usize, words: &str) -> serde_json::Value {
    let status = ended(&mut mpirun(folder, ranks, words).spawn().unwrap(), 120);
    assert!(status.success(), "{ranks} processes, {words}: {}", printed(folder, "stderr"));
    serde_json::from_str(&printed(folder, "stdout")).unwrap()
}

/// Seconds in which all processes of a run have ended after the first one failed: ten, and some more for
/// what else a machine does.
const TO_END: u64 = 10;

/// What a run says that fails.
fn fail(folder: &Path, ranks: usize, words: &str) -> String {
    fail_with(&mut mpirun(folder, ranks, words), folder)
}

fn fail_with(command: &mut Command, folder: &Path) -> String {
    let status = ended(&mut command.spawn().unwrap(), TO_END);
    let error = printed(folder, "stderr");
    assert!(!status.success(), "{error}");
    error
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect()
}
