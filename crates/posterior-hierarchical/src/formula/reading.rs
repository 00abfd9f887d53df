//! What terms say: their names, their options, the groups of rows.

use posterior_dist::text::TextError;
use posterior_regression::Error as RegressionError;
use posterior_regression::formula::{EffectKind, EffectTerm, FormulaData};

use super::{AreaMap, FormulaSettings};
use crate::Error;

/// How many knots there are along some points: so many, or one for each different one.
pub(super) fn knots_of(term: &EffectTerm, knots: f64, most: f64, x: &[f64]) -> Result<usize, Error> {
    if !(knots.fract() == 0.0 && (3.0..=most).contains(&knots)) {
        let message = format!("`{term}`: k must be a whole number from 3 to {most}");
        return Err(TextError::new(term.place(), message).into());
    }
    let mut different = x.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup();
    Ok(different.len().min(knots as usize))
}

/// The name of a function with its columns, without its options.
pub(super) fn plain(term: &EffectTerm) -> String {
    match term.kind() {
        EffectKind::Function { name, .. } => format!("{name}({})", term.subject()),
        EffectKind::Groups { .. } => term.subject(),
    }
}

/// The numbers of these options; others are refused.
pub(super) fn given<const N: usize>(
    term: &EffectTerm,
    options: &[(String, f64)],
    names: [&str; N],
) -> Result<[Option<f64>; N], Error> {
    if let Some((name, _)) = options.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        let message = format!("`{term}` has no option {name:?}");
        return Err(TextError::unknown(term.place(), message, name, &names).into());
    }
    let positive = |(name, value): &(String, f64)| {
        (!(*value > 0.0)).then(|| TextError::new(term.place(), format!("`{term}`: {name} must be positive")))
    };
    match options.iter().find_map(positive) {
        Some(error) => Err(error.into()),
        None => Ok(names.map(|name| options.iter().find(|(own, _)| own == name).map(|(_, value)| *value))),
    }
}

pub(super) fn map<'s>(term: &EffectTerm, settings: &'s FormulaSettings) -> Result<&'s AreaMap, Error> {
    let missing = || TextError::new(term.place(), format!("`{term}` needs a map: who is whose neighbour"));
    Ok(settings.areas.as_ref().ok_or_else(missing)?)
}

/// The place of each row's group among those that were learned.
pub(super) fn places(term: &EffectTerm, levels: &[String], data: &FormulaData) -> Result<Vec<usize>, Error> {
    let (own, of_row) = term.groups(data)?;
    let known: std::collections::BTreeMap<&str, usize> =
        levels.iter().enumerate().map(|(place, level)| (level.as_str(), place)).collect();
    let place = |(row, level): (usize, &usize)| {
        known.get(own[*level].as_str()).copied().ok_or_else(|| RegressionError::Term {
            column: term.place(),
            term: term.subject(),
            row,
            found: format!("{:?}", own[*level]),
            expected: "one of those that were learned, or on the map".to_owned(),
        })
    };
    Ok(of_row.iter().enumerate().map(place).collect::<Result<_, _>>()?)
}
