//! The answers as text.

use super::answer::Answer;
use super::scores::Scores;
use crate::output::{grouped, percent, significant};
use crate::text_table;

/// Mistakes that are listed.
const MISTAKES: usize = 8;

/// A fit, and how good it is.
pub(super) fn of_fit(answer: &Answer) -> String {
    let penalty = match (answer.l1 > 0.0, answer.l2) {
        (_, None) => String::new(),
        (false, Some(l2)) => format!(", l2 {}", significant(l2)),
        (true, Some(l2)) => format!(", l1 {}, l2 {}", significant(answer.l1), significant(l2)),
    };
    let last = answer.objective_trace.last().copied().unwrap_or(f64::NAN);
    let facts = [
        ("algorithm", format!("{}{penalty}", answer.algorithm)),
        (
            "data",
            format!(
                "{} sequences, {} tokens",
                grouped(answer.training_sequences as u64),
                grouped(answer.training_tokens as u64)
            ),
        ),
        (
            "weights",
            format!("{}, {} not 0", grouped(answer.weights as u64), grouped(answer.nonzero_weights as u64)),
        ),
        ("objective", format!("{} after {} steps", significant(last), answer.iterations)),
        ("counted in", answer.evaluated_on.clone()),
    ];
    let facts: Vec<(String, String)> =
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    text_table::pairs(&facts) + "\n" + &of_scores(&answer.scores)
}

/// Scores of the labels: overall, by type of chunk or by label, and the most frequent mistakes.
pub(super) fn of_scores(scores: &Scores) -> String {
    let mut facts = vec![
        ("tokens".to_owned(), grouped(scores.tokens)),
        ("accuracy".to_owned(), percent(scores.accuracy)),
        ("sequences without a mistake".to_owned(), percent(scores.sequence_accuracy)),
    ];
    if let (Some(known), Some(unknown)) = (scores.known_accuracy, scores.unknown_accuracy) {
        facts.push(("known words".to_owned(), percent(known)));
        let words = grouped(scores.unknown_words);
        facts.push(("unknown words".to_owned(), format!("{} of {words}", percent(unknown))));
    }
    facts.extend(scores.f1.map(|f1| (format!("F1 of {}", scores.f1_of), percent(f1))));
    facts.extend(scores.ln_loss_fact());
    let mut text = text_table::pairs(&facts) + "\n";
    let (first, last) = if scores.chunks.is_empty() { ("label", "tokens") } else { ("chunk", "chunks") };
    text += &text_table::aligned(&[first, "precision", "recall", "F1", last], rows_by_kind(scores));
    let mistakes = mistakes(scores);
    if !mistakes.is_empty() {
        text.push('\n');
        text += &text_table::aligned(&["true label", "predicted", "tokens"], mistakes);
    }
    text
}

/// A row for each type of chunk, or for each label where there are no chunks.
pub(super) fn rows_by_kind(scores: &Scores) -> Vec<Vec<String>> {
    let maybe = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), percent);
    let chunks = scores.chunks.iter();
    let chunks = chunks.map(|own| (&own.kind, [own.precision, own.recall, own.f1].map(Some), own.truth));
    let labels = scores.labels.iter().filter(|_| scores.chunks.is_empty());
    let labels = labels.map(|own| (&own.label, [own.precision, own.recall, own.f1], own.support));
    let row = |(name, values, count): (&String, [Option<f64>; 3], u64)| {
        std::iter::once(name.clone()).chain(values.map(maybe)).chain([grouped(count)]).collect()
    };
    chunks.chain(labels).map(row).collect()
}

/// The most frequent mistakes.
pub(super) fn mistakes(scores: &Scores) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (truth, row) in scores.confusion.iter().enumerate() {
        for (output, &count) in
            row.iter().enumerate().filter(|(output, count)| *output != truth && **count > 0)
        {
            found.push((count, truth, output));
        }
    }
    found.sort_by_key(|&(count, truth, output)| (std::cmp::Reverse(count), truth, output));
    let name = |label: usize| scores.labels[label].label.clone();
    let rows = found.into_iter().take(MISTAKES);
    rows.map(|(count, truth, output)| vec![name(truth), name(output), grouped(count)]).collect()
}
