//! Corpora in files: matrices, MALLET's files, stored corpora and fits that read them block by block.

use serde_json::Value;

use super::{fitted, json, table, texts};
use crate::program::Place;

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
