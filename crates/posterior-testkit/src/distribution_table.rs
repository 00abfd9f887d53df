//! A univariate distribution against its reference table: densities, both tails and their logarithms,
//! quantiles, summaries.

use posterior_dist::{Density, Entropy, Mode, Moments, Parametric, Shape, Univariate};
use serde_json::Value;

use crate::accuracy::Worst;
use crate::reference::{distribution_cases, list, number, numbers, optional_number};

/// The largest errors of a distribution over its table, relative to the value; that of ln p(x) to 1 + |ln
/// p(x)|, which is the relative error of p(x).
#[derive(Debug)]
pub struct Measured {
    /// ln p(x).
    pub ln_pdf: Worst,
    /// P(X ≤ x), P(X > x) and their logarithms.
    pub tails: Worst,
    /// Quantiles.
    pub quantiles: Worst,
    /// Mean, variance, skewness, excess kurtosis, entropy, mode.
    pub summaries: Worst,
}

/// What a table asks of a distribution: it is all that the univariate distributions have in common.
pub trait Tabulated: Univariate + Shape + Entropy + Parametric + Moments {}

impl<D> Tabulated for D where D: Univariate + Shape + Entropy + Parametric + Moments {}

/// A distribution with a density against the table of its name.
pub fn continuous<D: Tabulated + Density<Point = f64> + Mode>(table: &str) -> Measured {
    measure::<D>(table, "x", "logpdf", |distribution, x| distribution.ln_pdf(&x), Mode::mode)
}

/// A distribution of counts against the table of its name.
pub fn counted<D: Tabulated + Density<Point = u64> + Mode>(table: &str) -> Measured {
    measure::<D>(
        table,
        "k",
        "logpmf",
        |distribution, k| distribution.ln_pdf(&(k as u64)),
        |distribution| distribution.mode().map(|k| k as f64),
    )
}

fn measure<D: Tabulated>(
    table: &str,
    argument: &str,
    ln_density: &str,
    ln_pdf: impl Fn(&D, f64) -> f64,
    mode: impl Fn(&D) -> Option<f64>,
) -> Measured {
    let named = |what: &str| Worst::of(&format!("{table}, {what}"));
    let mut measured = Measured {
        ln_pdf: named("ln_pdf"),
        tails: named("tails"),
        quantiles: named("quantiles"),
        summaries: named("summaries"),
    };
    for case in distribution_cases(table) {
        let parameters = numbers(&case["params"]);
        let distribution = construct::<D>(&parameters);
        summaries(&distribution, mode(&distribution), &case, &parameters, &mut measured.summaries);
        for point in list(&case["points"]) {
            let x = number(&point[argument]);
            let input = |what: &'static str| (what, parameters.clone(), x);
            measured.ln_pdf.see_conditioned(
                ln_pdf(&distribution, x),
                number(&point[ln_density]),
                1.0,
                &input("ln_pdf"),
            );
            let tails = [
                ("cdf", distribution.cdf(x)),
                ("sf", distribution.sf(x)),
                ("logcdf", distribution.ln_cdf(x)),
                ("logsf", distribution.ln_sf(x)),
            ];
            for (name, value) in tails {
                measured.tails.see(value, number(&point[name]), &input(name));
            }
        }
        for quantile in list(&case["quantiles"]) {
            let p = number(&quantile["p"]);
            let input = ("quantile", parameters.clone(), p);
            measured.quantiles.see(distribution.quantile(p), number(&quantile[argument]), &input);
        }
    }
    measured
}

#[expect(clippy::panic, reason = "a distribution that refuses the parameters of its table fails the test")]
fn construct<D: Parametric>(parameters: &[f64]) -> D {
    D::from_parameters(parameters).unwrap_or_else(|error| panic!("{}{parameters:?}: {error}", D::NAME))
}

fn summaries<D: Tabulated>(
    distribution: &D,
    mode: Option<f64>,
    case: &Value,
    parameters: &[f64],
    worst: &mut Worst,
) {
    let computed = [
        ("mean", distribution.mean()),
        ("variance", distribution.variance()),
        ("skewness", distribution.skewness()),
        ("excess_kurtosis", distribution.excess_kurtosis()),
        ("entropy", Some(distribution.entropy())),
        ("mode", mode),
    ];
    for (name, value) in computed {
        if let Some(expected) = case.get(name).and_then(optional_number) {
            // What the program that made the table left of a moment that is zero.
            let expected = if expected.abs() < 1e-40 { 0.0 } else { expected };
            worst.see(value.unwrap_or(f64::NAN), expected, &(name, parameters));
        }
    }
}

impl Measured {
    /// Fails if a log-density is off by more than 1e-13, a tail or a quantile by more than 1e-12, or a
    /// summary by more than `summaries`.
    ///
    /// # Panics
    /// With the worst row.
    #[track_caller]
    pub fn assert(&self, summaries: f64) {
        self.ln_pdf.assert_at_most(1e-13);
        self.tails.assert_at_most(1e-12);
        self.quantiles.assert_at_most(1e-12);
        self.summaries.assert_at_most(summaries);
    }
}
