//! Taggers: figures of another program for the baseline, exact answers by enumeration, accuracy on real
//! sentences.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use posterior_evaluation::Tally;
use posterior_sequence::tagger::{MostFrequentTag, TagContext, TaggedSentence, Tagger, TaggerOptions, score};
use posterior_testkit::shared::shared_file;

/// Sentences of a file with a word a line and tags behind it.
fn read(file: &Path, column: usize) -> Vec<TaggedSentence> {
    let text = std::fs::read_to_string(file).unwrap();
    let sentence = |block: &str| -> TaggedSentence {
        let cells = block.lines().map(|line| line.split(['\t', ' ']).collect::<Vec<_>>());
        cells.map(|cells| (cells[0].to_owned(), cells[column].to_owned())).collect()
    };
    text.split("\n\n").filter(|block| !block.trim().is_empty()).map(sentence).collect()
}

fn words(sentence: &TaggedSentence) -> Vec<&str> {
    sentence.iter().map(|(word, _)| word.as_str()).collect()
}

#[test]
fn real_sentences() {
    let Some(folder) = shared_file("taggers of real sentences", "data/sequence") else { return };
    // Accuracies of the baseline by another program (`baselines.json` beside the data), and what the model
    // reaches with one and two tags before: a conditional random field has 0.9304 on the first.
    let tasks = [
        ("ewt_train.tsv", "ewt_dev.tsv", 0.861_295_581_977_969_5, [0.922, 0.928]),
        ("conll2000_train.txt", "conll2000_test.txt", 0.906_431_390_759_229_2, [0.970, 0.974]),
    ];
    for (train, test, expected, least) in tasks {
        let (train, test) = (read(&folder.join(train), 1), read(&folder.join(test), 1));
        let baseline = MostFrequentTag::fit(&train).unwrap();
        let mut tally = Tally::default();
        for sentence in &test {
            for ((_, tag), found) in sentence.iter().zip(baseline.tag(&words(sentence))) {
                tally.push(&Some(tag.as_str()), &baseline.tags().name(found));
            }
        }
        assert!((tally.rate().unwrap() - expected).abs() < 1e-12, "{:?}", tally.rate());
        for (context, least) in [TagContext::One, TagContext::Two].into_iter().zip(least) {
            let tagger = Tagger::fit(&train, &TaggerOptions { context, ..TaggerOptions::default() }).unwrap();
            let scores = score(&tagger, &test).unwrap();
            println!(
                "{context:?}: {:?} known {:?} unknown {:?}",
                scores.all.rate(),
                scores.known.rate(),
                scores.unknown.rate()
            );
            assert!(scores.all.rate().unwrap() > least);
            assert!(scores.known.rate() > scores.unknown.rate() && scores.unknown.rate().unwrap() > 0.7);
            assert_eq!(scores.known.total + scores.unknown.total, scores.all.total);
            assert_eq!(scores.confusion.tally().total, scores.all.total);
        }
    }
}

#[test]
fn a_narrow_beam_loses_little() {
    let Some(file) = shared_file("the beam of taggers", "data/sequence/ewt_dev.tsv") else { return };
    let sentences = read(&file, 1);
    let (train, test) = sentences.split_at(1500);
    let tags = |beam: f64| -> Vec<Vec<usize>> {
        let tagger = Tagger::fit(train, &TaggerOptions { beam, ..TaggerOptions::default() }).unwrap();
        test.iter().map(|sentence| tagger.tag(&words(sentence))).collect()
    };
    let (all, default) = (tags(0.0), tags(TaggerOptions::default().beam));
    let differ = all.iter().flatten().zip(default.iter().flatten()).filter(|(a, b)| a != b).count();
    assert!(differ <= 3, "{differ}");
}
