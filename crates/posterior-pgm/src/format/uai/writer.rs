//! Writing models.

use crate::GraphicalModel;
use crate::format::number;

/// The model as a file: `BAYES` if it has a directed graph, else `MARKOV`. Names are lost; numbers read back
/// as the same. O(numbers).
pub fn write(model: &impl GraphicalModel) -> String {
    let variables = model.variables();
    let header = if model.dag().is_some() { "BAYES" } else { "MARKOV" };
    let mut out = format!("{header}\n{}\n", variables.len());
    push_line(&mut out, variables.cards().iter().copied());
    push_line(&mut out, std::iter::once(model.factors().len()));
    for table in model.factors() {
        let scope = table.scope();
        push_line(&mut out, std::iter::once(scope.len()).chain(scope.iter().map(|v| v.index())));
    }
    for table in model.factors() {
        out.push('\n');
        push_line(&mut out, std::iter::once(table.values().len()));
        for row in table.values().chunks(table.cards().last().copied().unwrap_or(1)) {
            for &value in row {
                out.push(' ');
                number::push(&mut out, value);
            }
            out.push('\n');
        }
    }
    out
}

/// Whole numbers on a line.
pub(super) fn push_line(out: &mut String, numbers: impl Iterator<Item = usize>) {
    for (i, number) in numbers.enumerate() {
        out.push_str(if i == 0 { "" } else { " " });
        out.push_str(&number.to_string());
    }
    out.push('\n');
}
