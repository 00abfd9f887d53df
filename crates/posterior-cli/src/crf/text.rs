//! The answers as text.

use super::fit::Answer;
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

/// How good labels are: in all, by type of chunk or by label, and what is taken for what.
pub(super) fn of_scores(scores: &Scores) -> String {
    let share = |value: f64| percent(value);
    let mut facts = vec![
        ("tokens".to_owned(), grouped(scores.tokens)),
        ("accuracy".to_owned(), share(scores.accuracy)),
        ("sequences without a mistake".to_owned(), share(scores.sequence_accuracy)),
    ];
    if let (Some(known), Some(unknown)) = (scores.known_accuracy, scores.unknown_accuracy) {
        facts.push(("known words".to_owned(), share(known)));
        let words = grouped(scores.unknown_words);
        facts.push(("unknown words".to_owned(), format!("{} of {words}", share(unknown))));
    }
    facts.extend(scores.f1.map(|f1| (format!("F1 of {}", scores.f1_of), share(f1))));
    facts.extend(scores.ln_loss_fact());
    let mut text = text_table::pairs(&facts) + "\n";
    let maybe = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), percent);
    text += &if scores.chunks.is_empty() {
        let rows = scores.labels.iter().map(|own| {
            vec![
                own.label.clone(),
                maybe(own.precision),
                maybe(own.recall),
                maybe(own.f1),
                grouped(own.support),
            ]
        });
        text_table::aligned(&["label", "precision", "recall", "F1", "tokens"], rows.collect())
    } else {
        let rows = scores.chunks.iter().map(|own| {
            vec![
                own.kind.clone(),
                percent(own.precision),
                percent(own.recall),
                percent(own.f1),
                grouped(own.truth),
            ]
        });
        text_table::aligned(&["chunk", "precision", "recall", "F1", "chunks"], rows.collect())
    };
    let mistakes = mistakes(scores);
    if !mistakes.is_empty() {
        text.push('\n');
        text += &text_table::aligned(&["truth", "taken for", "tokens"], mistakes);
    }
    text
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
