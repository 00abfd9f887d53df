//! Corpora in files: matrices, MALLET's files, stored corpora and fits that read them block by block.

use serde_json::Value;

use super::{fitted, json, table, texts};
use crate::program::{Place, read};

#[test]
fn coordinates_of_a_matrix_are_a_corpus() {
    let place = Place::new();
    place.write("vocab.txt", "river\nviolin\n");
    let banner = "%%MatrixMarket matrix coordinate integer general\n";
    place.write("counts.mtx", format!("{banner}3 2 3\n1 1 4\n2 2 5\n3 1 2\n"));
    for format in ["", "--input mtx"] {
        let mut words = vec!["topics", "fit", "counts.mtx", "--topics", "2", "--format", "json"];
        words.extend(format.split_whitespace());
        let result = json(&place.succeed(&words));
        assert_eq!((&result["documents"], &result["tokens"]), (&3.into(), &11.into()));
    }
}

#[test]
fn files_of_mallet_are_read() {
    let place = Place::new();
    let state = "#doc source pos typeindex type topic\n#alpha : 0.1 0.1\n#beta : 0.01\n0 a 0 0 river 1\n0 a 1 1 violin 0\n";
    place.write("state.txt", state);
    let fit = |words: &[&str]| -> Value {
        let common = ["--topics", "2", "--iterations", "20", "--format", "json"];
        json(&place.succeed(&[&["topics", "fit"], words, &common].concat()))
    };
    let result = fit(&["state.txt"]);
    assert_eq!(
        (&result["documents"], &result["vocabulary"], &result["tokens"]),
        (&1.into(), &2.into(), &2.into())
    );
    place.write("lines.txt", "a news river stone\nb novel violin stone river\n");
    let lines = ["lines.txt", "--input", "mallet", "--min-df", "1", "--max-df", "1"];
    let result = fit(&lines);
    assert_eq!(
        (&result["documents"], &result["vocabulary"], &result["tokens"]),
        (&2.into(), &3.into(), &5.into())
    );
    // The label is a column of the documents, and the order of the words is known.
    fit(&[&lines[..], &["--model", "dmr", "--features", "label"]].concat());
    fit(&[&lines[..], &["--model", "bigram"]].concat());
}

/// A stored corpus is the corpus: a fit of it has the same numbers as one of its texts.
#[test]
fn a_stored_corpus_has_the_numbers_of_its_texts() {
    let place = Place::new();
    let corpus = texts(&place);
    let store =
        ["topics", "store", corpus, "all.corpus", "--name", "title", "--min-df", "1", "--max-df", "1"];
    let sizes = json(&place.succeed(&[&store[..], &["--format", "json"]].concat()));
    assert_eq!(
        (&sizes["documents"], &sizes["vocabulary"], &sizes["tokens"]),
        (&12.into(), &7.into(), &156.into())
    );
    let of_texts = fitted(&place, "--topics 2 --iterations 30");
    let words = ["topics", "fit", "all.corpus", "--topics", "2", "--iterations", "30", "--format", "json"];
    let of_store = json(&place.succeed(&words));
    for field in ["topics", "ln_likelihood_per_token", "alpha"] {
        assert_eq!(of_store[field], of_texts[field], "{field}");
    }
    place.themes();
    let counts = ["topics", "store", "docword.txt", "counts.corpus", "--vocab", "vocab.txt"];
    assert!(place.succeed(&counts).stdout.contains("12 documents, 168 words in all, a vocabulary of 7"));
    let ran = place.run(&["topics", "store", "docword.txt", "docword.txt"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("is read by this run"), "{ran:?}");
    let ran = place.run(&["topics", "store", "docword.txt", "x.corpus", "--min-df", "3"]);
    assert!(ran.stderr.contains("has no use for it"), "{ran:?}");
}

#[test]
fn a_stored_corpus_is_fitted_block_by_block() {
    let place = Place::new();
    let corpus = texts(&place);
    place.succeed(&[
        "topics",
        "store",
        corpus,
        "all.corpus",
        "--name",
        "title",
        "--min-df",
        "1",
        "--max-df",
        "1",
    ]);
    let fit = [
        "topics",
        "fit",
        "all.corpus",
        "--engine",
        "online-vb",
        "--topics",
        "2",
        "--alpha",
        "0.1",
        "--out",
        "out",
    ];
    let words = [&fit[..], &["--iterations", "60", "--format", "json"]].concat();
    let result = json(&place.succeed(&words));
    assert_eq!((&result["documents"], result["topics"].as_array().unwrap().len()), (&12.into(), 2));
    let rows = table(&place, "out/documents.csv");
    assert_eq!(rows[0], ["document", "tokens", "topic", "proportion"]);
    let leading = |d: usize| rows[d + 1][2].as_str();
    assert!((0..12).all(|d| leading(d) == leading(d % 2)) && leading(0) != leading(1), "{rows:?}");
    assert_eq!(rows[1][0], "doc 0");
    assert_eq!(table(&place, "out/topics.csv")[0], ["topic", "weight", "rank", "word", "p"]);
    place.succeed(&["topics", "infer", "out", "all.corpus", "--out", "new"]);
    assert_eq!(table(&place, "new/doc_topic.csv").len(), 13);
    // What needs all documents at once is refused.
    let ran = place.run(&[&fit[..], &["--held-out", "0.2"]].concat());
    assert!(ran.code == Some(2) && ran.stderr.contains("the whole corpus in memory"), "{ran:?}");
    let ran = place.run(&["topics", "fit", "all.corpus", "--engine", "online-vb", "--topics", "2:4"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("block by block"), "{ran:?}");
}

/// What a fit leaves, out of core and in memory, on one thread and on two, and after an interruption.
#[test]
fn a_corpus_that_stays_in_files_has_the_bits_of_memory() {
    let place = Place::new();
    let corpus = texts(&place);
    let pack = ["data", "pack", corpus, "all.corpus", "--name", "title", "--min-df", "1", "--max-df", "1"];
    assert!(place.succeed(&pack).stdout.contains("12 documents, 156 words in all, a vocabulary of 7"));
    let fit = ["topics", "fit", "all.corpus", "--topics", "2", "--iterations", "30", "--groups", "2"];
    let ran = |more: &[&str], out: &str| {
        let ran = place.succeed(&[&fit[..], more, &["--format", "json", "--out", out]].concat());
        let files = ["topic_word.npy", "doc_topic.npy", "model.json", "vocab.txt", "topics.csv"];
        (files.map(|name| read(place.path(&format!("{out}/{name}")))), ran.stderr)
    };
    let (whole, _) = ran(&[], "whole");
    for threads in ["1", "2"] {
        let (parts, notes) = ran(&["--parts", "scratch", "--threads", threads], "parts");
        assert!(parts == whole, "{threads} threads");
        assert!(notes.contains("out of core"), "{notes}");
        assert!(!place.path("scratch").exists());
    }
    let saved = ["--parts", "scratch", "--checkpoint", "saved", "--checkpoint-every", "0"];
    assert!(ran(&saved, "parts").0 == whole);
    assert!(ran(&["--parts", "scratch", "--resume", "saved"], "parts").0 == whole);
    // What needs all documents at once is refused, and so is the state of a fit in memory.
    place.write("fit.ckpt", "{}");
    for (more, expected) in [
        (["--held-out", "0.2"], "the whole corpus in memory"),
        (["--topics", "2:4"], "a range needs the whole corpus in memory"),
        (["--checkpoint", "fit.ckpt"], "out of core a checkpoint is a folder"),
        (["--resume", "fit.ckpt"], "out of core a checkpoint is a folder"),
        (["--resume", "none"], "commit.json"),
        (["--sampler", "warp"], "not in memory"),
    ] {
        let fit = ["topics", "fit", "all.corpus", "--iterations", "3", "--parts", "scratch", "--out", "none"];
        let refused = place.run(&[&fit[..], &more].concat());
        assert!(refused.code != Some(0) && refused.stderr.contains(expected), "{more:?}: {refused:?}");
        assert!(!place.path("scratch").exists(), "{more:?}");
    }
    // Texts are packed first, with the words that the options leave.
    let words =
        ["topics", "fit", corpus, "--topics", "2", "--iterations", "30", "--groups", "2", "--name", "title"];
    let words =
        [&words[..], &["--min-df", "1", "--max-df", "1", "--parts", "scratch", "--out", "texts"]].concat();
    place.succeed(&words);
    assert!(read(place.path("texts/doc_topic.npy")) == whole[1]);
}

/// Topics and proportions of many short documents take more memory than their parts.
#[test]
fn a_corpus_that_does_not_fit_stays_in_files_by_itself() {
    let place = Place::new();
    let lines = (0..8000)
        .map(|d| format!("{{\"text\": \"{}\"}}\n", ["river stone river", "violin song song"][d % 2]));
    place.write("many.jsonl", lines.collect::<String>());
    let fit = ["topics", "fit", "many.jsonl", "--topics", "300", "--iterations", "2", "--max-df", "1"];
    let ran = place.succeed(&[&fit[..], &["--sampler", "sparse", "--memory", "40MiB"]].concat());
    assert!(ran.stderr.contains("40.0 MiB may be taken: it stays in files (out of core)"), "{}", ran.stderr);
    let files = read(place.path("posterior-out/doc_topic.npy"));
    place.succeed(&[&fit[..], &["--sampler", "sparse", "--memory", "1GiB"]].concat());
    assert!(read(place.path("posterior-out/doc_topic.npy")) == files);
    let refused = place.run(&[&fit[..], &["--memory", "10MiB"]].concat());
    assert!(refused.code == Some(1) && refused.stderr.contains("out of core"), "{refused:?}");
}

#[test]
fn stop_words_of_a_language() {
    let place = Place::new();
    place.write("texts.csv", "text,title\nder Fluss und die Steine,a\ndas Konzert und die Melodie,b\n");
    let words = |list: &str| {
        let result = fitted(&place, &format!("--topics 2 --iterations 5 --stop-words {list}"));
        result["vocabulary"].as_u64().unwrap()
    };
    assert_eq!((words("de"), words("none")), (4, 8));
    let refused = super::refused(&place, "--stop-words xx").1;
    assert!(refused.contains("no stop words for the language \"xx\""), "{refused}");
}
