//! Bad corpora: one clear line each, exit code 1, and nothing written.

use std::fs;

use crate::program::{Place, Ran};

/// Runs a fit that must fail with exit code 1 and this line.
fn refused(place: &Place, corpus: &str, more: &[&str], message: &str) {
    let ran = place.run(&[&["topics", "fit", corpus, "--out", "out"], more].concat());
    output(&ran, message);
    assert!(!place.path("out").exists(), "{corpus}: nothing should be written");
}

fn output(ran: &Ran, message: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], format!("error: {message}"), "{ran:?}");
    assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("hint: ")), "{ran:?}");
}

#[test]
fn folders_without_texts() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    refused(&place, "empty", &[], "empty: empty folder: expected .txt files, one for each document");
    place.write("images/a.png", "x");
    refused(&place, "images", &[], "images: no .txt files in the folder; it holds 1 others, first \"a.png\"");
}

#[test]
fn texts_without_words() {
    let place = Place::new();
    place.write("stop/a.txt", "and the of");
    place.write("stop/b.txt", "of the and");
    refused(&place, "stop", &[], "stop: no words are left of 3 distinct ones: 1 too short, 2 stop words");
    place.write("rare/a.txt", "river");
    refused(&place, "rare", &[], "rare: no words are left of 1 distinct ones: 1 in too few documents");
}

#[test]
fn counts_that_are_none() {
    let place = Place::new();
    place.write("vocab.txt", "one\ntwo\n");
    let docword = |name: &str, rows: &str| place.write(name, format!("2\n2\n2\n{rows}"));
    docword("range.txt", "1 1 1\n2 3 1\n");
    refused(&place, "range.txt", &[], "range.txt:5: word 3, but the header announces 2");
    docword("zero.txt", "0 1 1\n2 2 1\n");
    refused(&place, "zero.txt", &[], "zero.txt:4: document 0: numbers start at 1");
    docword("negative.txt", "1 1 -4\n2 2 1\n");
    refused(
        &place,
        "negative.txt",
        &[],
        "negative.txt:4: the count -4 is negative: expected a whole number from 0 up",
    );
    docword("overflow.txt", "1 1 99999999999\n2 2 1\n");
    refused(
        &place,
        "overflow.txt",
        &[],
        "overflow.txt:4: the count 99999999999 is above 4294967295, the largest that is read",
    );
    docword("short.txt", "1 1 1\n");
    refused(&place, "short.txt", &[], "short.txt:4: the file ends after 1 of the 2 entries announced");
}

#[test]
fn files_that_are_damaged() {
    let place = Place::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, "river stone bridge\n".repeat(500).as_bytes()).unwrap();
    let mut bytes = gzip.finish().unwrap();
    bytes.truncate(bytes.len() / 2);
    place.write("cut/a.txt.gz", &bytes);
    refused(&place, "cut", &[], "cut/a.txt.gz: the gzip data end early: the file is cut off");
    place.write("latin/a.txt", b"caf\xe9 au lait");
    refused(&place, "latin", &[], "latin/a.txt:1: not UTF-8 text: byte 0xe9 at offset 3");
    place.write("broken.jsonl", "{\"text\": \"a\"}\n{\"text\": \n");
    refused(
        &place,
        "broken.jsonl",
        &[],
        "broken.jsonl:2: expected a JSON object, column 9: EOF while parsing a value",
    );
    place.write("empty.csv", "");
    refused(&place, "empty.csv", &[], "empty.csv: empty file: expected a CSV table");
}

#[test]
fn columns_and_documents_that_are_not_there() {
    let place = Place::new();
    let corpus = place.themes();
    refused(
        &place,
        corpus,
        &["--meta", "meta.csv", "--time", "century"],
        "meta.csv:1: no column \"century\"; there are: document, year, place",
    );
    refused(
        &place,
        corpus,
        &["--time", "year"],
        "--time names a column, and there is no table of the documents",
    );
    refused(
        &place,
        corpus,
        &["--meta", "meta.csv", "--time", "place"],
        "meta.csv:2: column \"place\": expected a number, found \"hall 0\"",
    );
    refused(&place, corpus, &["--nearest", "nobody"], "no document is named \"nobody\"");
    refused(&place, "missing.jsonl", &[], "missing.jsonl: No such file or directory (os error 2)");
    output(&place.run(&["data", "export", "nothing"]), "no embedded data set is named \"nothing\"");
    place.write("model.json", "{}");
    output(
        &place.run(&["topics", "infer", "model.json", corpus]),
        "model.json: no model of `posterior topics fit`: missing field `format` at line 1 column 2",
    );
}

#[test]
fn a_checkpoint_has_a_place_before_the_fit_begins() {
    let place = Place::new();
    let corpus = place.themes();
    let message = "nowhere/fit.ckpt: not writable: No such file or directory (os error 2)";
    refused(&place, corpus, &["--checkpoint", "nowhere/fit.ckpt"], message);
}

/// Renaming a file onto it would take the device, the pipe or the socket from every other program.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    use std::os::unix::net::UnixListener;

    let place = Place::new();
    let corpus = place.themes();
    let _listener = UnixListener::bind(place.path("socket")).unwrap();
    std::os::unix::fs::symlink("socket", place.path("link")).unwrap();
    for target in ["socket", "link"] {
        let message = format!("{target}: is no regular file, expected one or a new name");
        refused(&place, corpus, &["--checkpoint", target], &message);
    }
    assert!(fs::symlink_metadata(place.path("socket")).unwrap().file_type().is_socket());
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());

    // An artefact, too.
    fs::create_dir(place.path("page")).unwrap();
    let _listener = UnixListener::bind(place.path("page/model.json")).unwrap();
    let ran = place.run(&["topics", "fit", corpus, "--out", "page", "--iterations", "2"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("page/model.json: is no regular file"), "{ran:?}");
    assert!(fs::symlink_metadata(place.path("page/model.json")).unwrap().file_type().is_socket());
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_the_file_behind_it_is_replaced() {
    let place = Place::new();
    let corpus = place.themes();
    place.write("kept/fit.ckpt", "old");
    std::os::unix::fs::symlink("kept/fit.ckpt", place.path("link")).unwrap();
    place.succeed(&[
        "topics",
        "fit",
        corpus,
        "--out",
        "out",
        "--iterations",
        "2",
        "--checkpoint",
        "link",
        "--checkpoint-every",
        "0",
    ]);
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    assert_ne!(fs::read(place.path("kept/fit.ckpt")).unwrap(), b"old");
}

#[test]
fn the_output_cannot_be_a_file() {
    let place = Place::new();
    let corpus = place.themes();
    place.write("taken", "");
    output(&place.run(&["topics", "fit", corpus, "--out", "taken"]), "taken: File exists (os error 17)");
}

/// Permissions bind neither root nor a file's owner-by-inheritance, so these run as a user without any
/// rights.
#[cfg(unix)]
mod permissions {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    use super::output;
    use crate::program::{Place, Ran};

    const NOBODY: u32 = 65_534;

    fn allow(place: &Place, name: &str, mode: u32) {
        fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
    }

    /// Runs the binary as a user that permissions bind: this one, or nobody where this one is root.
    fn run_bound(place: &Place, arguments: &[&str]) -> Ran {
        allow(place, "", 0o755);
        let binary = place.path("posterior");
        // By another process: a program that this one holds open for writing, or a fork of it, cannot be run.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_posterior")).arg(&binary).status().unwrap();
        assert!(copied.success());
        let mut command = Command::new(&binary);
        command.current_dir(place.path("")).args(arguments);
        // Only root may read this file once nobody is allowed to.
        place.write("probe", "");
        allow(place, "probe", 0o000);
        if fs::read(place.path("probe")).is_ok() {
            command.uid(NOBODY).gid(NOBODY);
        }
        Ran::from(command.output().unwrap())
    }

    #[test]
    fn a_corpus_that_may_not_be_read() {
        let place = Place::new();
        place.write("secret.jsonl", "{\"text\": \"river\"}\n");
        allow(&place, "secret.jsonl", 0o000);
        output(
            &run_bound(&place, &["topics", "fit", "secret.jsonl"]),
            "secret.jsonl: Permission denied (os error 13)",
        );
        place.write("texts/a.txt", "river");
        allow(&place, "texts/a.txt", 0o000);
        output(
            &run_bound(&place, &["topics", "fit", "texts"]),
            "texts/a.txt: Permission denied (os error 13)",
        );
    }

    #[test]
    fn a_folder_that_may_not_be_written() {
        let place = Place::new();
        let corpus = place.themes();
        fs::create_dir(place.path("locked")).unwrap();
        allow(&place, "locked", 0o555);
        output(
            &run_bound(&place, &["topics", "fit", corpus, "--out", "locked"]),
            "locked: not writable: Permission denied (os error 13)",
        );
        output(
            &run_bound(&place, &["topics", "fit", corpus, "--out", "locked/inside"]),
            "locked/inside: Permission denied (os error 13)",
        );
        assert_eq!(fs::read_dir(place.path("locked")).unwrap().count(), 0);
    }
}

#[test]
fn lines_of_very_many_fields() {
    let place = Place::new();
    place.write("wide.csv", ",".repeat(1 << 20));
    let ran = place.run(&["cluster", "fit", "wide.csv", "--k", "2"]);
    output(&ran, "wide.csv: line 1: more than 1048576 fields");
}
