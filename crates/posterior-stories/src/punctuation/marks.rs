//! Which mark is taken for which, and marks put back.

use std::io::Write;

use posterior::report::{Figure, Page, heat_map};
use posterior::text::punctuation::{ContextSmoothing, PunctuationModel, Symbol, score};

use super::{N, five};
use crate::Outcome;

pub(super) fn confusion(out: &mut dyn Write, known: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let names: Vec<String> = Symbol::ALL.iter().map(ToString::to_string).collect();
    let mut figures = Vec::new();
    for (rule, smoothing) in &five()[3..] {
        let model = PunctuationModel::fit(known, N, smoothing)?;
        let confusion = score(&model, &[test])?.confusion;
        write!(out, "\n{rule}, n = {N}: rows are the truth, columns what is predicted\n\n{:>6}", "")?;
        for name in &names {
            write!(out, "{name:>7}")?;
        }
        writeln!(out)?;
        let mut proportions = Vec::new();
        for (truth, name) in names.iter().enumerate() {
            write!(out, "{name:>6}")?;
            for predicted in 0..names.len() {
                let count = confusion.count(truth, predicted);
                write!(out, "{count:>7}")?;
                proportions.push(count as f64 / confusion.support(truth).max(1) as f64);
            }
            writeln!(out)?;
        }
        let picture = heat_map("Confusion", ("truth", "predicted"), &names, &names, &proportions);
        figures.push(Figure::new(picture, format!("{rule}, n = {N}.")));
    }
    let text = "Of each true class the proportions of what is predicted. Most marks are missed: before most of them, something else was more probable.";
    page.section("Confusion matrix", text, figures);
    Ok(())
}

pub(super) fn restored(out: &mut dyn Write, before: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let model = PunctuationModel::fit(before, N, &ContextSmoothing::KneserNey)?;
    let middle: String = test.chars().skip(6000).collect();
    // From the end of a sentence, so that the first word has what is before it.
    let from = middle.find(". ").map_or(0, |place| place + 2);
    let truth: String = middle[from..].chars().take(420).collect();
    let bare: String = truth.chars().filter(|&c| Symbol::of(c) == Symbol::Other).collect();
    let output = model.restore(&bare, 200);
    writeln!(out, "\nwithout marks  {bare}\n\nrestored       {output}\n\nas it was      {truth}")?;
    let text = "A piece without its marks, with the most probable ones, and as it was. The model looks back only, and not at the capital letter that \
               follows: it seldom holds a mark for more probable than none.";
    page.section(
        "Marks put back",
        text,
        vec![format!("Without: {bare}"), format!("Restored: {output}"), format!("As it was: {truth}")],
    );
    Ok(())
}
