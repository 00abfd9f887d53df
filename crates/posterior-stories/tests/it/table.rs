//! The table of stories, and what each ending holds.

use std::collections::BTreeSet;

use posterior_stories::{Ending, STORIES, Sources, story};

#[test]
fn names_are_reported_once_and_numbers_in_order() {
    let names: BTreeSet<&str> = STORIES.iter().map(|own| own.name).collect();
    assert_eq!(names.len(), STORIES.len());
    // Of some numbers there are several stories, one after the other.
    let mut ids: Vec<&str> = STORIES.iter().map(|own| own.id).collect();
    ids.dedup();
    assert_eq!(ids, (1..=16).map(|number| format!("STORY-{number:02}")).collect::<Vec<_>>());
    assert!(STORIES.iter().all(|own| own.sentence.ends_with('.') && !own.title.ends_with('.')));
    assert_eq!(story("spam").unwrap().id, "STORY-03");
    assert!(story("").is_none());
}

#[test]
fn every_story_has_an_example() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let examples: BTreeSet<String> = files.collect();
    assert_eq!(examples, STORIES.iter().map(|own| format!("{}.rs", own.name)).collect());
}

#[test]
fn a_story_without_its_data_says_which_files_it_lacks() {
    let needed = [
        ("chunking", "sequence/conll2000_train.txt"),
        ("letters", "sotu/raw/1861_Abraham-Lincoln.txt"),
        ("punctuation", "sotu/raw/1861_Abraham-Lincoln.txt"),
        ("tagging", "sequence/ewt_train.tsv"),
    ];
    for (name, file) in needed {
        let mut findings = Vec::new();
        let ending = story(name).unwrap().tell(&mut findings, &Sources::embedded()).unwrap();
        let Ending::Skipped(why) = ending else { panic!("completed without data: {ending:?}") };
        assert!(why.contains(file), "{why}");
        assert!(findings.is_empty());
    }
}

#[test]
fn data_that_cannot_be_read_are_an_error_with_story_and_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("spam")).unwrap();
    std::fs::write(folder.path().join("spam/sms_spam.tsv"), [0xff, 0xfe, b'\n']).unwrap();
    let ending = story("spam").unwrap().tell(&mut Vec::new(), &Sources::folder(folder.path()));
    let message = ending.unwrap_err().to_string();
    assert!(message.starts_with("story spam: ") && message.contains("sms_spam.tsv"), "{message}");
}
