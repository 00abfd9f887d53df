//! The vocabulary explorer: for each word its topics, a letter at a time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use posterior::topics::{Corpus, Topics};
use posterior_report::escape;

use crate::output::grouped;

/// Words that are listed, the most frequent ones.
const WORDS: usize = 3_000;
/// Topics of a word that are named, and the proportion from which on they are.
const TOPICS: usize = 3;
const LEAST: f64 = 0.1;

/// A section of markup; topics are called by their first words, and those without a name are not shown.
pub(super) fn explorer(corpus: &Corpus, topics: &Topics, names: &[String]) -> String {
    let size = corpus.vocabulary().len();
    let mut counts = vec![0_u64; size];
    for document in corpus.iter() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            counts[word as usize] += u64::from(count);
        }
    }
    let mut words: Vec<usize> = (0..size).filter(|&word| counts[word] > 0).collect();
    words.sort_by_key(|&word| std::cmp::Reverse(counts[word]));
    words.truncate(WORDS);
    let mut letters: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for word in words {
        letters.entry(initial(&corpus.vocabulary()[word])).or_default().push(word);
    }
    let shown = letters.values().map(Vec::len).sum::<usize>();
    let which = if shown < size {
        format!("The {} most frequent words", grouped(shown as u64))
    } else {
        "All words".to_owned()
    };
    let mut html = format!(
        "<section aria-labelledby=\"words\"><h2 id=\"words\">The words</h2>\n<p>{which} by their first letter, with how often they occur and \
         the topics that are behind them there: proportions of the word's occurrences, from {:.0} % on. Open a letter, or search the page.</p>\n\
         <div class=\"letters\">\n",
        100.0 * LEAST
    );
    for (letter, words) in &letters {
        write_letter(&mut html, letter, words, &counts, (corpus, topics, names));
    }
    html.push_str("</div>\n</section>\n");
    html
}

fn initial(word: &str) -> String {
    match word.chars().next() {
        Some(letter) if letter.is_alphabetic() => letter.to_uppercase().collect(),
        _ => "#".to_owned(),
    }
}

fn write_letter(
    html: &mut String,
    letter: &str,
    words: &[usize],
    counts: &[u64],
    (corpus, topics, names): (&Corpus, &Topics, &[String]),
) {
    let mut words = words.to_vec();
    words.sort_by(|&a, &b| corpus.vocabulary()[a].cmp(&corpus.vocabulary()[b]));
    // Writing to a string cannot fail.
    let _ = writeln!(
        html,
        "<details><summary>{} <span>{} words</span></summary>\n<table><thead><tr><th scope=\"col\">Word</th>\
         <th scope=\"col\" class=\"n\">Times</th><th scope=\"col\">Topics</th></tr></thead><tbody>",
        escape(letter),
        words.len()
    );
    for word in words {
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td>",
            escape(&corpus.vocabulary()[word]),
            grouped(counts[word])
        );
        for (i, (k, proportion)) in leading(topics, word, names.len()).into_iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(
                html,
                "{comma}<a href=\"#topic-{k}\">{}</a> {:.0} %",
                escape(&names[k]),
                100.0 * proportion
            );
        }
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody></table></details>\n");
}

/// The topics of most of a word's occurrences: `p(k | w)`, in proportion to a topic's proportion of the
/// corpus and the word's of the topic.
fn leading(topics: &Topics, word: usize, shown: usize) -> Vec<(usize, f64)> {
    let column = topics.topic_word().column(word);
    let joint = column.iter().zip(topics.weights()).map(|(p, weight)| p * weight);
    let total: f64 = joint.clone().sum();
    let mut proportions: Vec<(usize, f64)> = joint.map(|joint| joint / total).enumerate().collect();
    proportions.retain(|&(k, proportion)| proportion >= LEAST && k < shown);
    proportions.sort_by(|a, b| b.1.total_cmp(&a.1));
    proportions.truncate(TOPICS);
    proportions
}
