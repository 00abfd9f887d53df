//! What an observation says on average over a normal distribution of its latent value.

use std::f64::consts::TAU;

use super::Likelihood;

/// The expectations of ln p(y | f) and of its first two derivatives in f, under f ~ N(mean, variance).
///
/// The second is the derivative of the first by the mean, and half of the third that by the variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedLikelihood {
    /// E ln p(y | f).
    pub value: f64,
    /// E ∂ ln p(y | f) / ∂f.
    pub slope: f64,
    /// E ∂² ln p(y | f) / ∂f².
    pub curvature: f64,
}

/// The trapezoidal rule of a function that is analytic in a strip of half width a has the error e^(-2π a /
/// step): this is 2π over the logarithm of the precision.
const STEP: f64 = TAU / 37.0;

/// Of the normal density itself.
const WIDEST_STEP: f64 = 0.5;

/// As many deviations to each side; densities that grow like e^(2f) have their peak at twice the deviation.
const REACH: f64 = 9.0;

/// More evaluations to a side are not made: of deviations above 40 times the width of the strip.
const MOST_STEPS: f64 = 10_000.0;

impl ExpectedLikelihood {
    /// By the trapezoidal rule, to about 13 digits of the largest value, in 40 evaluations for a deviation
    /// below 1, and as the square of larger ones.
    ///
    /// Without a variance, the values at the mean. NaN for a negative variance.
    pub fn by_trapezoid<L: Likelihood>(likelihood: &L, output: L::Output, mean: f64, variance: f64) -> Self {
        if variance == 0.0 {
            let [slope, curvature, _] = likelihood.derivatives(output, mean);
            return Self { value: likelihood.ln_density(output, mean), slope, curvature };
        }
        let mut sums = [0.0; 3];
        for_each_node(likelihood.analytic_strip(), mean, variance, |f, weight| {
            let [slope, curvature, _] = likelihood.derivatives(output, f);
            for (sum, term) in sums.iter_mut().zip([likelihood.ln_density(output, f), slope, curvature]) {
                *sum += weight * term;
            }
        });
        let [value, slope, curvature] = sums;
        Self { value, slope, curvature }
    }
}

/// The expectation of a function of f under N(mean, variance), which is analytic about the real line as far
/// as the likelihood is.
pub(crate) fn expectation<L: Likelihood>(
    likelihood: &L,
    mean: f64,
    variance: f64,
    of: impl Fn(f64) -> f64,
) -> f64 {
    let mut sum = 0.0;
    for_each_node(likelihood.analytic_strip(), mean, variance, |f, weight| sum += weight * of(f));
    sum
}

fn for_each_node(strip: f64, mean: f64, variance: f64, mut take: impl FnMut(f64, f64)) {
    let sd = variance.sqrt();
    let reach = REACH + 2.0 * sd;
    let step = (STEP * strip / sd).min(WIDEST_STEP).max(reach / MOST_STEPS);
    let count = (reach / step).ceil();
    let mut t = -count;
    while t <= count {
        let z = t * step;
        let weight = step * (-0.5 * z * z).exp() / TAU.sqrt();
        if weight > 0.0 {
            take(mean + sd * z, weight);
        }
        t += 1.0;
    }
    if sd.is_nan() {
        take(f64::NAN, f64::NAN);
    }
}
