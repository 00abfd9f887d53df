//! `posterior gallery`.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::program::{Place, read};

#[test]
fn the_list_has_all_stories() {
    let place = Place::new();
    assert_snapshot!("gallery list", place.succeed(&["gallery", "--list"]).stdout);
    let listed: Value =
        serde_json::from_str(&place.succeed(&["gallery", "--list", "--format", "json"]).stdout).unwrap();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 18);
    assert_eq!((&listed[0]["name"], &listed[0]["id"]), (&"topics_of_history".into(), &"STORY-01".into()));
    // Nothing was made.
    assert!(!place.path("posterior-gallery").exists());
}

#[test]
fn help_says_what_is_written_and_what_is_skipped() {
    assert_snapshot!("gallery help", Place::new().succeed(&["gallery", "--help"]).stdout);
}

#[test]
fn one_story_has_its_card_its_page_and_its_findings() {
    let place = Place::new();
    let arguments = ["gallery", "--only", "people_with_glasses", "--out", "out", "--format", "json"];
    let ran = place.succeed(&arguments);
    assert!(ran.stderr.contains("1 of 1  people_with_glasses"), "{}", ran.stderr);
    let output: Value = serde_json::from_str(&ran.stdout).unwrap();
    let story = &output["stories"][0];
    assert_eq!(story["ending"], "completed");
    assert_eq!(story["facts"][0]["value"], "0.7256");
    assert!(story["seconds"].as_f64().unwrap() >= 0.0 && output["seconds"].as_f64().unwrap() >= 0.0);
    let text = |name: &str| String::from_utf8(read(place.path("out").join(name))).unwrap();
    let index = text("index.html");
    assert_eq!(index.matches("<li class=\"story\"").count(), 1);
    assert_eq!(index.matches("<svg").count(), 1);
    assert!(index.contains("href=\"people_with_glasses/report.html\"") && index.contains("0.7256"));
    assert!(!index.contains("<script") && !index.contains("src="));
    assert!(text("people_with_glasses/report.html").starts_with("<!doctype html>"));
    assert!(text("people_with_glasses/picture.svg").contains("<style>"));
    assert!(text("people_with_glasses/findings.txt").contains("0.583333"));
    let left: Vec<_> =
        fs::read_dir(place.path("out")).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");

    // Again over what is there, as text.
    let ran = place.succeed(&["gallery", "--only", "people_with_glasses", "--out", "out", "--quiet"]);
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.contains("P(more than half), 6 of 10: 0.7256"), "{}", ran.stdout);
}

#[test]
fn a_skipped_story_says_why_and_is_no_failure() {
    let place = Place::new();
    let ran = place.succeed(&["gallery", "--only", "chunking", "--out", "out", "--quiet"]);
    assert!(ran.stdout.contains("skipped: it needs sequence/conll2000_train.txt"), "{}", ran.stdout);
    let index = String::from_utf8(read(place.path("out/index.html"))).unwrap();
    assert!(index.contains("Skipped: it needs sequence/conll2000_train.txt"));
    assert!(!place.path("out/chunking").exists());
}

#[test]
fn a_story_that_fails_is_named_after_the_others_were_reported() {
    let place = Place::new();
    place.write("texts/spam/sms_spam.tsv", "spam without a tab\n");
    let stories = ["--only", "spam", "--only", "people_with_glasses"];
    let ran = place.run(&[&["gallery", "--data", "texts", "--out", "out", "--quiet"][..], &stories].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.starts_with("error: story spam: "), "{}", ran.stderr);
    assert!(place.path("out/people_with_glasses/report.html").is_file());
    let index = String::from_utf8(read(place.path("out/index.html"))).unwrap();
    assert!(index.contains("Failed: story spam: "));
}

#[test]
fn what_is_not_there_is_said_before_anything_is_reported() {
    let place = Place::new();
    let ran = place.run(&["gallery", "--only", "traking"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stderr, "error: no story is named \"traking\"\nhint: is it tracking?\n");
    let ran = place.run(&["gallery", "--only", "weather"]);
    assert!(ran.stderr.contains("hint: there are: topics_of_history, mauna_loa, spam"), "{}", ran.stderr);
    place.write("file", "no folder");
    let ran = place.run(&["gallery", "--only", "tracking", "--out", "file"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("error: file: "), "{}", ran.stderr);
    let ran = place.run(&["gallery", "--data", "nowhere"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(ran.stderr, "error: nowhere: expected a folder of texts\n");
    assert!(!place.path("posterior-gallery").exists());
    assert_eq!(place.run(&["gallery", "--threads", "0"]).code, Some(2));
}
