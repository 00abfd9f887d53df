//! The confusion matrix of the tags.

use std::collections::BTreeMap;
use std::io::Write;

use posterior::report::{Figure, Page, PageTable, TableColumn, heat_map};
use posterior::sequence::tagger::{TaggedSentence, Tagger};

use super::scores::Compared;
use super::words;
use crate::Outcome;
use crate::story::tell_table;

/// Mistakes that are listed, and words with each.
const LISTED: usize = 10;
const WORDS: usize = 4;

pub(super) fn mistakes(
    out: &mut dyn Write,
    compared: &Compared,
    dev: &[TaggedSentence],
    page: &mut Page,
) -> Outcome<()> {
    let order = by_frequency(compared);
    picture(compared, &order, page);
    most_frequent(out, compared, dev, page)?;
    tags(out, compared, &order, page)
}

/// The tags that come, the most frequent first.
fn by_frequency(compared: &Compared) -> Vec<usize> {
    let confusion = &compared.scores.confusion;
    let mut order: Vec<usize> = (0..confusion.labels())
        .filter(|&tag| confusion.support(tag) + confusion.predicted(tag) > 0)
        .collect();
    order.sort_by_key(|&tag| std::cmp::Reverse(confusion.support(tag)));
    order
}

/// The name of a tag; there may be some that were never counted.
fn name(tagger: &Tagger, tag: usize) -> String {
    tagger.tags().name(tag).unwrap_or("other").to_owned()
}

fn picture(compared: &Compared, order: &[usize], page: &mut Page) {
    let confusion = &compared.scores.confusion;
    let names: Vec<String> = order.iter().map(|&tag| name(&compared.tagger, tag)).collect();
    let proportion = |truth: usize, taken: usize| {
        if truth == taken {
            f64::NAN
        } else {
            confusion.count(truth, taken) as f64 / confusion.support(truth) as f64
        }
    };
    let proportions: Vec<f64> =
        order.iter().flat_map(|&truth| order.iter().map(move |&taken| proportion(truth, taken))).collect();
    page.lead = Some(Figure::new(
        heat_map("Confusion matrix", ("true tag", "predicted tag"), &names, &names, &proportions),
        "Mistakes of the hidden Markov model, as proportions of the words with each tag, the most frequent tags first: the darker, the more of a row is given the tag of \
         the column. What is right is left out.",
    ));
}

/// The most frequent mistakes, and the words with which they are made.
fn most_frequent(
    out: &mut dyn Write,
    compared: &Compared,
    dev: &[TaggedSentence],
    page: &mut Page,
) -> Outcome<()> {
    let (tagger, confusion) = (&compared.tagger, &compared.scores.confusion);
    let mut examples: BTreeMap<(usize, usize), BTreeMap<&str, usize>> = BTreeMap::new();
    for sentence in dev {
        for ((word, tag), found) in sentence.iter().zip(tagger.tag(&words(sentence))) {
            let truth = tagger.tags().get(tag).unwrap_or(tagger.tags().len());
            if truth != found {
                *examples.entry((truth, found)).or_default().entry(word).or_default() += 1;
            }
        }
    }
    let mut table =
        PageTable::with_columns(&["tag, and taken for", "times", "most frequent tag", "above all of"]);
    table.columns[3] = TableColumn::Text("above all of".to_owned());
    for (truth, taken, count) in confusion.mistakes().into_iter().take(LISTED) {
        let mut words: Vec<(&str, usize)> = examples
            .get(&(truth, taken))
            .into_iter()
            .flatten()
            .map(|(&word, &times)| (word, times))
            .collect();
        words.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
        let words: Vec<&str> = words.iter().take(WORDS).map(|(word, _)| *word).collect();
        let (words, before) = (words.join(", "), compared.baseline.count(truth, taken));
        let (truth, taken) = (name(tagger, truth), name(tagger, taken));
        table.rows.push(vec![format!("{truth} for {taken}"), count.to_string(), before.to_string(), words]);
    }
    let text = "The most frequent mistakes, how often the most frequent tag of each word makes the same, and the words with which they are made most often.";
    tell_table(out, page, "The most frequent mistakes", text, table)
}

/// Precision, recall and F1 of each tag.
fn tags(out: &mut dyn Write, compared: &Compared, order: &[usize], page: &mut Page) -> Outcome<()> {
    let (confusion, baseline) = (&compared.scores.confusion, &compared.baseline);
    let mut table = PageTable::with_columns(&[
        "tag",
        "words",
        "precision %",
        "recall %",
        "F1 %",
        "F1 %, most frequent tag",
    ]);
    for &tag in order {
        let proportions =
            [confusion.precision(tag), confusion.recall(tag), confusion.f1(tag), baseline.f1(tag)];
        let [precision, recall, f1, before] = proportions.map(|proportion| {
            proportion.map_or_else(|| "none".to_owned(), |proportion| format!("{:.2}", 100.0 * proportion))
        });
        let (name, words) = (name(&compared.tagger, tag), confusion.support(tag));
        table.rows.push(vec![name, words.to_string(), precision, recall, f1, before]);
    }
    let mean = [confusion, baseline].map(|own| 100.0 * own.macro_f1().unwrap_or(f64::NAN));
    let text = format!(
        "The mean of F1 over the tags, each counted alike, is {:.2} %; by the most frequent tag of each word {:.2} %.",
        mean[0], mean[1]
    );
    writeln!(out, "\n{text}")?;
    tell_table(out, page, "Tag by tag", text, table)
}
