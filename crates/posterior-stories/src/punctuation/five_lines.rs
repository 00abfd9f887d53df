//! A text so short that every number can be checked by hand.

use std::io::Write;

use posterior::report::{Page, PageTable};
use posterior::text::punctuation::{ContextSmoothing, PunctuationModel, Symbol};

use crate::Outcome;
use crate::story::tell_table;

/// Without sense, made for the counts of a worked example: 287 characters, 41 of them distinct.
const LINES: [&str; 5] = [
    "never Mary Tom winter sheep late, keep rose after",
    "John far Will his kept York ship, number Rex we Rex Gus it upper over box to slope",
    "Kim held in saw four 7 after rose number river..",
    "Rex winter grew York 12 letter corner stone Rome",
    "of never Anna Ida stood 7 7 water people help Don Paris Will",
];

/// What the last character says of the next one in the five lines, by relative frequencies.
pub(super) fn five_lines(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let model = PunctuationModel::fit(&LINES, 0, &ContextSmoothing::MaximumLikelihood)?;
    let mut table = PageTable::with_columns(&["after", "followed by", "probability", "so many of", "times"]);
    for (context, next) in
        [("e", Symbol::Comma), ("p", Symbol::Comma), ("r", Symbol::FullStop), (".", Symbol::FullStop)]
    {
        let counts = model.counts(context);
        let (count, all) = (counts[next as usize], counts.iter().sum::<u32>());
        let probability = f64::from(count) / f64::from(all);
        let cells = [
            context.to_owned(),
            next.to_string(),
            format!("{probability:.4}"),
            count.to_string(),
            all.to_string(),
        ];
        table.rows.push(cells.into());
    }
    let [comma, stop, other] =
        [Symbol::Comma, Symbol::FullStop, Symbol::Other].map(|own| model.counts("")[own as usize]);
    let text = format!(
        "Five lines of {} characters, {} of them distinct: of {} characters that another one follows, {comma} are followed by a comma, {stop} by a full stop, {other} by neither. \
         For each of the {} contexts of one character there are six free numbers; with four characters of a hundred kinds there are {:.0e}.",
        LINES.iter().map(|line| line.chars().count()).sum::<usize>(),
        model.characters(),
        comma + stop + other,
        model.characters(),
        6.0 * 100_f64.powi(4)
    );
    tell_table(out, page, "Five lines by hand", text, table)
}
