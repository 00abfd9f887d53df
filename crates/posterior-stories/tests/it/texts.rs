//! Stories of texts, on texts that may be shipped: pages of the book of this library, a made-up language, and
//! the messages that the story of spam brings.

use std::fmt::Write as _;
use std::path::Path;

use posterior_stories::Sources;

use crate::numbers::{has, number, output, output_from};

/// The prose of the book.
const BOOK: [&str; 4] = [
    include_str!("../../../../docs/book/time.md"),
    include_str!("../../../../docs/book/gaussian-processes.md"),
    include_str!("../../../../docs/book/monte-carlo.md"),
    include_str!("../../../../docs/book/topics.md"),
];

/// The lines of a page that are prose: no code, no table, no heading.
fn prose(page: &str) -> String {
    let outside = page.split("```").step_by(2).collect::<String>();
    let kept = outside.lines().filter(|line| !line.starts_with(['|', '#', '<']));
    kept.collect::<Vec<_>>().join("\n").replace(['`', '*'], "")
}

/// Writes the four texts of the stories that read messages.
fn messages(folder: &Path, texts: [String; 4]) {
    std::fs::create_dir_all(folder.join("sotu/raw")).unwrap();
    for (year, text) in (1861..).zip(texts) {
        std::fs::write(folder.join(format!("sotu/raw/{year}_Abraham-Lincoln.txt")), text).unwrap();
    }
}

#[test]
fn vowels_are_found_and_long_ciphers_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let prose = BOOK.map(prose);
    // The story takes pieces from 26,000 letters.
    let all = prose.concat().repeat(2);
    messages(folder.path(), [all, String::new(), String::new(), String::new()]);
    let findings = output_from("letters", &Sources::folder(folder.path()).shortened());
    let vowels = findings.lines().find_map(|line| line.trim().strip_prefix("vowels: ")).unwrap();
    for vowel in ["space", "a", "e", "i", "o"] {
        assert!(vowels.split(' ').any(|own| own == vowel), "{vowels}");
    }
    for consonant in ["t", "n", "s", "r", "l", "d", "m", "c", "p", "b"] {
        assert!(!vowels.split(' ').any(|own| own == consonant), "{vowels}");
    }
    // Of 640 letters nearly all come out right, of 40 few.
    let right = |length| number(&findings, length, 0);
    assert!(right("     640") > 90.0 && right("      40") <= right("     640"), "{findings}");
}

#[test]
fn unseen_contexts_are_predicted_by_shorter_ones() {
    let folder = tempfile::tempdir().unwrap();
    messages(folder.path(), BOOK.map(|page| prose(page).chars().take(9000).collect()));
    let findings = output_from("punctuation", &Sources::folder(folder.path()).shortened());
    // n, numbers, contexts, unseen; then loss, accuracy and F1 of five rules.
    let row = |n: &str| {
        let line = findings.lines().find(|line| line.starts_with(n)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let (shortest, longest) = (row(" 0 "), row(" 6 "));
    let value = |row: &[String], place: usize| row[place].trim_end_matches('%').parse::<f64>().unwrap();
    assert!(value(&longest, 3) > 20.0 && value(&shortest, 3) < 1.0, "{findings}");
    // Relative frequencies hold something of the text for impossible; smoothed ones do not.
    assert_eq!(longest[4], "\u{221e}", "{findings}");
    let losses = [10, 13, 16].map(|place| value(&longest, place));
    assert!(losses.iter().all(|loss| *loss > 0.0 && *loss < 0.5), "{findings}");
    has(&findings, &["without marks  ", "restored       ", "as it was      "]);
    // Log loss, percent right and macro-F1 of classifiers: logistic regression is better than naive Bayes,
    // and the bare text after the place says more than the text before it.
    let losses = |seen: &str, model: &str| -> f64 {
        let mut lines = findings.lines().filter(|line| line.starts_with(seen) && line.contains(model));
        lines.next_back().unwrap().split_whitespace().rev().nth(2).unwrap().parse().unwrap()
    };
    assert!(losses("before", "logistic") < losses("before", "naive Bayes"), "{findings}");
    assert!(losses("bare text", "logistic") < losses("bare text", "naive Bayes"), "{findings}");
    assert!(losses("bare text", "random field") < losses("before", "logistic"), "{findings}");
    // Five lines: 1/35, 1/10, 1/24, 1.
    has(&findings, &["0.0286", "0.1000", "0.0417", "1.0000"]);
}

/// Sentences whose chunks follow from their tags.
fn chunked(from: usize, count: usize) -> String {
    let mut text = String::new();
    for i in from..from + count {
        let noun = ["dog", "cat", "bird", "child", "mill", "shop"][i % 6];
        let verb = ["barks", "sleeps", "sings", "reads", "turns"][i % 5];
        let article = ["the", "a"][i % 2];
        writeln!(text, "{article} DT B-NP").unwrap();
        if i % 3 == 0 {
            writeln!(text, "old JJ I-NP").unwrap();
        }
        writeln!(text, "{noun} NN I-NP\n{verb} VBZ B-VP").unwrap();
        if i % 4 == 0 {
            writeln!(text, "because IN B-SBAR\nit PRP B-NP\nrains VBZ B-VP").unwrap();
        }
        writeln!(text, ". . O\n").unwrap();
    }
    text
}

#[test]
fn chunks_of_a_small_language_are_all_right() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sequence")).unwrap();
    std::fs::write(folder.path().join("sequence/conll2000_train.txt"), chunked(0, 64)).unwrap();
    std::fs::write(folder.path().join("sequence/conll2000_test.txt"), chunked(64, 20)).unwrap();
    let findings = output_from("chunking", &Sources::folder(folder.path()).shortened());
    for way in ["L-BFGS, l2 1", "OWL-QN, l1 0.5, l2 0.1", "stochastic, l2 1", "perceptron"] {
        assert_eq!([0, 1].map(|place| number(&findings, way, place)), [100.0, 100.0], "{findings}");
    }
    // OWL-QN leaves weights at zero; more sentences make no more mistakes.
    let weights = |way| number(&findings, way, 2);
    assert!(weights("OWL-QN, l1 0.5, l2 0.1") < weights("L-BFGS, l2 1"), "{findings}");
    assert_eq!(number(&findings, "       64", 0), 100.0, "{findings}");
}

#[test]
fn spam_is_found_among_the_messages_that_are_shipped() {
    let findings = output("spam");
    has(&findings, &["60 messages, 30 of them spam"]);
    for model in ["Bernoulli ", "multinomial", "logistic*"] {
        assert!(number(&findings, model, 0) > 0.75, "{findings}");
    }
    // The sum of what the words say is the logarithm of the odds.
    let line = findings.lines().find(|line| line.trim_start().starts_with("sum ")).unwrap();
    let (sum, odds) = (line.split_whitespace().nth(1).unwrap(), line.rsplit(' ').next().unwrap());
    assert_eq!(sum, odds);
}
