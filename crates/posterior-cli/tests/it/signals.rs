//! Signals end any stage of any run, soon, and leave the files of the folder whole.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Place, Ran};

/// More than ten times what a run takes to end, for machines that are busy.
const SOON: Duration = Duration::from_secs(8);
/// With a checkpoint that is to be finished first, and reaches the disk.
const WRITTEN: Duration = Duration::from_secs(40);

fn start(place: &Place, arguments: &[&str]) -> Child {
    let mut command = place.command_with_signals(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("sh").arg("-c").arg(format!("kill -{signal} {}", child.id())).status();
    assert!(status.unwrap().success());
}

/// How the run ended, which a signal is sent to after this time.
fn ended_by(place: &Place, arguments: &[&str], signal: &str, [after, soon]: [Duration; 2]) -> Ran {
    let mut child = start(place, arguments);
    std::thread::sleep(after);
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} was over");
    let sent = Instant::now();
    send(signal, &child);
    while child.try_wait().unwrap().is_none() && sent.elapsed() < soon {
        std::thread::sleep(Duration::from_millis(5));
    }
    let still = child.try_wait().unwrap().is_none();
    if still {
        child.kill().unwrap();
    }
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(!still, "{arguments:?} goes on: {ran:?}");
    ran
}

fn contents(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(place.path(folder)).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn any_stage_of_any_run_ends_with_the_status_of_the_signal() {
    let place = Place::new();
    let rows: Vec<String> = (0..400).map(|i| format!("{},{}", i * 37 % 101, i * 53 % 97)).collect();
    place.write("rows.csv", format!("x,y\n{}\n", rows.join("\n")));
    place.succeed(&["cluster", "fit", "--k", "2", "--out", "out"]);
    let before = contents(&place, "out");
    // Sweeps, a summary that takes long after two of them, chains, starts; and one that waits for its input.
    let runs: [&[&str]; 6] = [
        &["topics", "fit", "--iterations", "1000000", "--out", "out"],
        &["topics", "fit", "--topics", "5000", "--iterations", "1", "--out", "out"],
        &["cluster", "fit", "--method", "dp", "--iterations", "100000000", "--out", "out"],
        &["hmm", "fit", "rows.csv", "--y", "x", "--states", "20", "--restarts", "60000", "--out", "out"],
        &[
            "bandit",
            "simulate",
            "--arms",
            "0.9,0.5",
            "--horizon",
            "10000000",
            "--runs",
            "1000000",
            "--out",
            "out",
        ],
        &["regress", "fit", "-", "--out", "out"],
    ];
    for run in runs {
        for (signal, status, after) in [("TERM", 143, 200), ("INT", 130, 1500), ("HUP", 129, 700)] {
            let ran = ended_by(&place, run, signal, [Duration::from_millis(after), SOON]);
            assert_eq!(ran.code, Some(status), "{run:?} {ran:?}");
            assert_eq!(contents(&place, "out"), before, "{run:?}");
        }
    }
    // Nothing of it is in the way.
    place.succeed(&["cluster", "fit", "--k", "3", "--out", "out"]);
    assert!(!place.path("out/.posterior").exists());
}

#[test]
fn a_fit_that_is_ended_writes_its_checkpoint_first() {
    let place = Place::new();
    // Its sweeps are short beside the time that it has.
    let corpus = place.themes();
    for (signal, status) in [("TERM", 143), ("INT", 130)] {
        let fit = [
            "topics",
            "fit",
            corpus,
            "--iterations",
            "100000000",
            "--out",
            "out",
            "--checkpoint",
            "fit.ckpt",
        ];
        let ran = ended_by(
            &place,
            &[&fit[..], &["--checkpoint-every", "1000"]].concat(),
            signal,
            [Duration::from_secs(3), WRITTEN],
        );
        assert_eq!(ran.code, Some(status), "{ran:?}");
        assert!(ran.stderr.contains("--resume fit.ckpt goes on from there"), "{ran:?}");
        fs::remove_file(place.path("fit.ckpt")).unwrap();
    }
}

/// As `nohup` and shells have it.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_to_be_ignored_is_ignored() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_posterior");
    let line = format!("trap '' HUP; exec {program} cluster fit --method dp --iterations 100000000");
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(line)
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    send("HUP", &child);
    std::thread::sleep(Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none());
    send("TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
