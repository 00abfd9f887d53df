//! Fitted distributions, as the answer and the page of `posterior dist fit` have them.

use posterior::dist::fit::FamilyFit;
use serde::Serialize;

use crate::level::Level;

/// What a run finds, the best first.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) fits: Vec<Fit>,
    /// What was not fitted, with the reason.
    pub(super) refused: Vec<Refused>,
    pub(super) level: Level,
}

/// The fit of a family.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) family: &'static str,
    pub(super) own: FamilyFit,
    /// How much higher Akaike's criterion is than that of the best.
    pub(super) behind: f64,
}

/// A family that was not fitted.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) family: &'static str,
    pub(super) reason: String,
}

/// A row of cells for each parameter whose interval is known: its family, its name after that of the
/// distribution, and numbers.
pub(super) fn parameters(found: &Found, number: impl Fn(f64) -> String) -> Vec<Vec<String>> {
    let known = found.fits.iter().filter(|own| own.own.parameters.iter().any(|p| p.interval.is_some()));
    known
        .flat_map(|fit| {
            fit.own
                .parameters
                .iter()
                .map(|own| {
                    let there = |value: Option<f64>| value.map_or_else(String::new, &number);
                    let name = format!("{} {}", fit.family, own.name);
                    let (low, high) = (own.interval.map(|own| own.0), own.interval.map(|own| own.1));
                    vec![
                        fit.family.to_owned(),
                        name,
                        number(own.value),
                        there(own.standard_error),
                        there(low),
                        there(high),
                    ]
                })
                .collect::<Vec<_>>()
        })
        .collect()
}
