//! What people read on the terminal, as snapshots.

use insta::assert_snapshot;

use crate::program::Place;

#[test]
fn help_without_arguments() {
    let ran = Place::new().succeed(&[]);
    assert_snapshot!("help", ran.stdout);
}

#[test]
fn a_fit_in_text() {
    let place = Place::new();
    let corpus = place.themes();
    let ran =
        place.succeed(&["topics", "fit", corpus, "--topics", "2", "--iterations", "50", "--held-out", "0.2"]);
    let output: Vec<&str> = ran.stdout.lines().filter(|line| !line.starts_with("speed")).collect();
    assert_snapshot!("fit", output.join("\n"));
    assert_snapshot!("fit notes", ran.stderr);
}

#[test]
fn inferred_topics_in_text() {
    let place = Place::new();
    let corpus = place.themes();
    place.succeed(&[
        "topics",
        "fit",
        corpus,
        "--topics",
        "2",
        "--iterations",
        "50",
        "--out",
        "out",
        "--quiet",
    ]);
    place.write("new.jsonl", "{\"text\": \"river river concert\"}\n{\"text\": \"melody\"}\n");
    let ran = place.succeed(&["topics", "infer", "out/model.json", "new.jsonl"]);
    assert_snapshot!("infer", ran.stdout);
}
