//! A univariate distribution against its reference table: densities, both tails and their logarithms,
//! quantiles, summaries.

use std::fmt::Debug;

use posterior_dist::text::AnyUnivariate;
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
    let mut measured = Measured::of(table);
    for case in distribution_cases(table) {
        let parameters = numbers(&case["params"]);
        let distribution = construct::<D>(&parameters);
        let summaries = [
            ("mean", distribution.mean()),
            ("variance", distribution.variance()),
            ("skewness", distribution.skewness()),
            ("excess_kurtosis", distribution.excess_kurtosis()),
            ("entropy", Some(distribution.entropy())),
            ("mode", mode(&distribution)),
        ];
        measured.see_summaries(&summaries, &case, &parameters);
        for point in list(&case["points"]) {
            let x = number(&point[argument]);
            let expected = number(&point[ln_density]);
            measured.see_ln_pdf(ln_pdf(&distribution, x), expected, x, &parameters);
            measured.see_tails(&distribution, x, point, &parameters);
        }
        for quantile in list(&case["quantiles"]) {
            let p = number(&quantile["p"]);
            let input = ("quantile", parameters.clone(), p);
            measured.quantiles.see(distribution.quantile(p), number(&quantile[argument]), &input);
        }
    }
    measured
}

/// Distributions of any kind against the table of their name, of which each case is a text.
///
/// # Panics
/// If a text is refused.
#[track_caller]
#[expect(clippy::panic, reason = "a text of the table that is refused fails the test")]
pub fn named(table: &str) -> Measured {
    let mut measured = Measured::of(table);
    for case in distribution_cases(table) {
        let written = case["text"].as_str().unwrap_or_default();
        let distribution: AnyUnivariate =
            written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
        let [mode, entropy] = [distribution.mode(), distribution.entropy()];
        let summaries = [
            ("mean", distribution.mean()),
            ("variance", distribution.variance()),
            ("skewness", distribution.skewness()),
            ("excess_kurtosis", distribution.excess_kurtosis()),
            ("entropy", entropy),
            ("mode", mode),
        ];
        measured.see_summaries(&summaries, &case, &written);
        for point in list(&case["points"]) {
            let x = number(&point["x"]);
            measured.see_ln_pdf(distribution.ln_pdf(&x), number(&point["logpdf"]), x, &written);
            measured.see_tails(&*distribution, x, point, &written);
        }
    }
    measured
}

#[expect(clippy::panic, reason = "a distribution that refuses the parameters of its table fails the test")]
fn construct<D: Parametric>(parameters: &[f64]) -> D {
    D::from_parameters(parameters).unwrap_or_else(|error| panic!("{}{parameters:?}: {error}", D::NAME))
}

impl Measured {
    fn of(table: &str) -> Self {
        let [ln_pdf, tails, quantiles, summaries] =
            ["ln_pdf", "tails", "quantiles", "summaries"].map(|what| Worst::of(&format!("{table}, {what}")));
        Self { ln_pdf, tails, quantiles, summaries }
    }

    fn see_summaries(&mut self, computed: &[(&str, Option<f64>)], case: &Value, parameters: &dyn Debug) {
        for &(name, value) in computed {
            if let Some(expected) = case.get(name).and_then(optional_number) {
                // What the program that made the table left of a moment that is zero.
                let expected = if expected.abs() < 1e-40 { 0.0 } else { expected };
                self.summaries.see(value.unwrap_or(f64::NAN), expected, &(name, parameters));
            }
        }
    }

    fn see_ln_pdf(&mut self, computed: f64, expected: f64, x: f64, parameters: &dyn Debug) {
        self.ln_pdf.see_conditioned(computed, expected, 1.0, &("ln_pdf", parameters, x));
    }

    fn see_tails(&mut self, distribution: &dyn Univariate, x: f64, point: &Value, parameters: &dyn Debug) {
        let tails = [
            ("cdf", distribution.cdf(x)),
            ("sf", distribution.sf(x)),
            ("logcdf", distribution.ln_cdf(x)),
            ("logsf", distribution.ln_sf(x)),
        ];
        for (name, value) in tails {
            self.tails.see(value, number(&point[name]), &(name, parameters, x));
        }
    }

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
