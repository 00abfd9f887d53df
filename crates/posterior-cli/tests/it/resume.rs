//! Fits that are killed or interrupted, and go on.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Place, Ran, read};

const FIT: [&str; 7] = ["topics", "fit", "--iterations", "45", "--optimize-hyper", "--topics", "8"];

fn start(place: &Place, more: &[&str]) -> Child {
    let mut command = place.command(&FIT);
    command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the file is there and the time has passed, or the program has ended.
fn wait(child: &mut Child, place: &Place, file: &str, time: Duration) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && !(place.path(file).exists() && start.elapsed() > time) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
#[ignore = "slow"]
fn killed_at_any_moment_and_resumed_the_model_is_the_same() {
    let place = Place::new();
    place.succeed(&[&FIT[..], &["--out", "whole", "--quiet"]].concat());
    let saving = ["--out", "parts", "--checkpoint", "fit.ckpt", "--checkpoint-every", "0", "--threads", "1"];
    let resuming = [&saving[..], &["--resume", "fit.ckpt"]].concat();
    // A checkpoint after each sweep: at any of these moments a sweep or a file may be half done.
    let mut kills = 0;
    for (i, milliseconds) in [90, 170, 230, 310, 120].into_iter().enumerate() {
        let mut child = start(&place, if i == 0 { &saving } else { &resuming });
        wait(&mut child, &place, "fit.ckpt", Duration::from_millis(milliseconds));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "the fit was over before it was killed");
    assert!(!place.path("parts/model.json").exists(), "the fit was over before the last kill");
    place.succeed(&[&FIT[..], &resuming].concat());
    for name in ["model.json", "doc_topic.npy", "topic_word.npy", "topics.csv"] {
        assert_eq!(read(place.path("parts").join(name)), read(place.path("whole").join(name)), "{name}");
    }
}

/// From the checkpoint of its last sweep; `cargo xtask soak` kills such fits at any moment.
#[test]
fn a_hierarchical_process_goes_on_from_its_checkpoint() {
    let place = Place::new();
    let corpus = place.themes();
    let fit = ["topics", "fit", corpus, "--model", "hdp", "--iterations", "60", "--out"];
    place.succeed(&[&fit[..], &["whole", "--checkpoint", "fit.ckpt", "--checkpoint-every", "0"]].concat());
    place.succeed(&[&fit[..], &["parts", "--resume", "fit.ckpt"]].concat());
    for name in ["model.json", "doc_topic.npy", "topic_word.npy", "topics.csv"] {
        assert_eq!(read(place.path("parts").join(name)), read(place.path("whole").join(name)), "{name}");
    }
    let other = place.run(&[&fit[..], &["other", "--resume", "fit.ckpt", "--seed", "7"]].concat());
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.stderr.contains("was made with other options: seed 0, now 7"), "{other:?}");
}

#[test]
fn an_interrupted_fit_saves_its_state_and_exits_with_130() {
    let place = Place::new();
    let arguments = [place.themes(), "--out", "out", "--checkpoint", "fit.ckpt", "--iterations", "100000000"];
    let mut child = place.command_with_signals(&["topics", "fit"]);
    let mut child = child.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The folder is made just before the fit starts.
    wait(&mut child, &place, "out", Duration::from_secs(3));
    let signal = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
    assert!(signal.unwrap().success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stderr.contains("--resume fit.ckpt goes on from there"), "{ran:?}");
    assert!(place.path("fit.ckpt").exists());
    assert!(!place.path("out/report.html").exists());
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let place = Place::new();
    let corpus = place.themes();
    let fit = ["topics", "fit", corpus, "--iterations", "5", "--checkpoint", "c", "--checkpoint-every", "0"];
    place.succeed(&[&fit[..], &["--topics", "2"]].concat());
    let refused = |more: &[&str]| {
        let ran = place.run(&[&["topics", "fit", corpus, "--iterations", "5"], more].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap().to_owned()
    };
    let other = refused(&["--topics", "3", "--resume", "c"]);
    assert_eq!(other, "error: c: the checkpoint was made with other options: topics 2, now 3");
    place.write("nonsense", "not a checkpoint");
    let nonsense = refused(&["--topics", "2", "--resume", "nonsense"]);
    assert!(nonsense.starts_with("error: nonsense: not a checkpoint: "), "{nonsense}");
    let missing = refused(&["--topics", "2", "--resume", "missing"]);
    assert!(missing.starts_with("error: missing: "), "{missing}");
    // A finished fit resumes to the same end.
    place.succeed(&[&fit[..], &["--topics", "2", "--resume", "c"]].concat());
}
