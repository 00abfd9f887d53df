//! The form of a function that a call means: the one with the fewest promotions.

use std::collections::BTreeSet;

use super::ExprType;
use crate::signatures::Signature;
use crate::types::{Type, list};

/// A form of a function.
#[derive(Clone, Copy)]
pub(super) enum Form<'f> {
    /// Of each argument whether it accepts data only, and its type.
    User(&'f [(bool, Type)]),
    /// Of the library.
    Library(&'f Signature),
}

impl<'f> Form<'f> {
    const fn len(self) -> usize {
        match self {
            Self::User(args) => args.len(),
            Self::Library(form) => form.args.len(),
        }
    }

    /// Whether an argument accepts data only, and its type.
    fn arg(self, at: usize) -> (bool, &'f Type) {
        match self {
            Self::User(args) => (args[at].0, &args[at].1),
            Self::Library(form) => (form.data_only.contains(&at), &form.args[at]),
        }
    }

    fn args(self) -> impl Iterator<Item = (bool, &'f Type)> {
        (0..self.len()).map(move |at| self.arg(at))
    }
}

/// Why no form was chosen.
pub(super) enum Refusal {
    /// None fits; with what would.
    None(Vec<String>),
    /// Several fit equally well.
    Several(Vec<String>),
}

/// The index of the form that fits with the fewest promotions.
pub(super) fn choose(forms: &[Form<'_>], given: &[ExprType]) -> Result<usize, Refusal> {
    let cost = |form: &Form<'_>| -> Option<u32> {
        if form.len() != given.len() {
            return None;
        }
        form.args().zip(given).map(|(wanted, given)| fits(wanted, given)).sum()
    };
    let costs: Vec<(u32, usize)> =
        forms.iter().enumerate().filter_map(|(at, form)| cost(form).map(|cost| (cost, at))).collect();
    let Some(&(least, first)) = costs.iter().min() else {
        return Err(Refusal::None(explain(forms, given)));
    };
    let best: Vec<_> = costs.iter().filter(|(cost, _)| *cost == least).collect();
    let unclear = given.iter().any(|one| one.of == Type::Unknown || one.of.element().0 == &Type::Unknown);
    if best.len() > 1 && !unclear {
        return Err(Refusal::Several(best.iter().take(4).map(|(_, at)| show(forms[*at])).collect()));
    }
    Ok(first)
}

/// The promotions of one argument; nothing if it does not fit.
pub(super) fn fits((data, wanted): (bool, &Type), given: &ExprType) -> Option<u32> {
    let cost = given.of.promotion(wanted)?;
    (!data || given.data).then_some(cost)
}

fn show(form: Form<'_>) -> String {
    let args = form.args().map(|(data, of)| if data { format!("data {of}") } else { of.to_string() });
    format!("({})", list(args))
}

/// Lines that say which argument is wrong, or which forms there are.
fn explain(forms: &[Form<'_>], given: &[ExprType]) -> Vec<String> {
    let mut lines = Vec::new();
    let counts: BTreeSet<usize> = forms.iter().map(|form| form.len()).collect();
    if !counts.contains(&given.len()) {
        let counts = counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        lines.push(format!("it takes {counts} arguments; here are {}", given.len()));
        lines.extend(few(forms));
        return lines;
    }
    for (at, one) in given.iter().enumerate() {
        let others_fit = |form: &&Form<'_>| {
            form.len() == given.len()
                && form
                    .args()
                    .zip(given)
                    .enumerate()
                    .all(|(k, (wanted, given))| k == at || fits(wanted, given).is_some())
        };
        let wanted: BTreeSet<(bool, &Type)> =
            forms.iter().filter(others_fit).map(|form| form.arg(at)).collect();
        if wanted.is_empty() {
            continue;
        }
        if let Some((_, of)) = wanted.iter().find(|(data, of)| *data && one.of.promotion(of).is_some()) {
            lines.push(format!(
                "argument {} must be data: it takes a `data {of}`, this depends on parameters",
                at + 1
            ));
            continue;
        }
        let wanted: Vec<String> = wanted.iter().take(6).map(|(_, of)| format!("`{of}`")).collect();
        lines.push(format!("argument {} is {}; it wants {}", at + 1, describe(&one.of), wanted.join(" or ")));
    }
    if lines.is_empty() {
        lines.extend(few(forms));
    }
    lines
}

/// The forms, if they are few enough to be read.
fn few(forms: &[Form<'_>]) -> impl Iterator<Item = String> {
    let shown: Vec<String> = forms.iter().take(5).map(|form| format!("form: {}", show(*form))).collect();
    let more = (forms.len() > 5).then(|| format!("and {} more forms", forms.len() - 5));
    shown.into_iter().chain(more)
}

/// A type in words, with the dimensions of an array.
pub(super) fn describe(of: &Type) -> String {
    match of.element() {
        (_, 0) => format!("`{of}`"),
        (_, 1) => format!("`{of}`, an array of 1 dimension"),
        (_, dims) => format!("`{of}`, an array of {dims} dimensions"),
    }
}
