//! The answer as text.

use std::fmt::Write as _;

use super::answer::Answer;
use super::report::facts;
use super::scores::{CLASS_COLUMNS, TopWord, class_rows};
use crate::output::{grouped, significant};
use crate::text_table;

/// Scores, confusion and telling words.
pub(super) fn of(answer: &Answer) -> String {
    let facts: Vec<(String, String)> =
        facts(answer).into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
    let mut text = text_table::pairs(&facts);
    let scores = &answer.scores;
    text += "\n";
    text += &text_table::aligned(&CLASS_COLUMNS, class_rows(scores));
    text += "\ntaken for what\n";
    let names: Vec<&str> = scores.classes.iter().map(|own| own.class.as_str()).collect();
    let header: Vec<&str> = std::iter::once("truth").chain(names.iter().copied()).collect();
    let row = |(name, row): (&&str, &Vec<u64>)| {
        std::iter::once((*name).to_owned()).chain(row.iter().map(|&count| grouped(count))).collect()
    };
    text += &text_table::aligned(&header, names.iter().zip(&scores.confusion).map(row).collect());
    for class in &answer.top_words {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nwords that tell {}", class.class);
        let row = |own: &TopWord| {
            vec![own.word.clone(), significant(own.ln_odds), significant(own.q05), significant(own.q95)]
        };
        let rows = class.words.iter().map(row).collect();
        text += &text_table::aligned(&["word", "ln odds", "5 %", "95 %"], rows);
    }
    text
}
