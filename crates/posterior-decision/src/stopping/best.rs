//! How probably an arm is the best, and what is lost if it is not.

use posterior_dist::{Beta, Univariate};
use posterior_math::check;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use posterior_math::special::ln_pochhammer;

use crate::Error;

/// Sums for whole parameters are no longer than this.
const LONGEST_SUM: f64 = 1e5;

/// Where the distributions are cut, so that no quadrature overlooks a narrow one.
const CUTS: [f64; 5] = [1e-9, 1e-3, 0.5, 1e-3, 1e-9];

/// What posteriors say of a choice made now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Judgement {
    /// P(arm is the best).
    pub probability_best: Vec<f64>,
    /// E max(0, best of the others - arm): what each play of the arm loses in expectation, if it is chosen
    /// for ever.
    pub expected_loss: Vec<f64>,
    /// The arm with the least expected loss, the first of several.
    pub leader: usize,
}

impl Judgement {
    /// Whether no more than `threshold` per play is lost in expectation by choosing the leader now.
    pub fn settled(&self, threshold: f64) -> bool {
        self.expected_loss[self.leader] <= threshold
    }
}

/// Judges arms by the independent distributions of their means.
///
/// P(k is best) = ∫ Π_{j≠k} F_j(Q_k(u)) du, and the loss is ∫ F_k(x) (1 - Π_{j≠k} F_j(x)) dx: no difference
/// of large numbers. Quadrature to 10⁻¹⁰; 2K integrals of about K · 500 distribution functions.
///
/// # Errors
/// If there is no arm, or a quadrature fails, as it may for distributions without a mean.
pub fn judge<L: Univariate>(distributions: &[L]) -> Result<Judgement, Error> {
    check::at_least_one("judge", "arms", distributions.len())?;
    let arms = 0..distributions.len();
    let probability_best =
        arms.clone().map(|arm| probability_best(distributions, arm)).collect::<Result<Vec<_>, _>>()?;
    let expected_loss = arms.map(|arm| expected_loss(distributions, arm)).collect::<Result<Vec<_>, _>>()?;
    let leader = (1..distributions.len())
        .fold(0, |best, arm| if expected_loss[arm] < expected_loss[best] { arm } else { best });
    Ok(Judgement { probability_best, expected_loss, leader })
}

fn options() -> QuadratureOptions {
    QuadratureOptions { absolute: 1e-12, relative: 1e-11, ..QuadratureOptions::default() }
}

fn found(what: &'static str, value: f64) -> Result<f64, Error> {
    check::require(value.is_finite(), "judge", what, value, "a number: has the distribution a mean?")?;
    Ok(value)
}

/// The ln of the probability that all others are below x.
fn ln_others_below<L: Univariate>(distributions: &[L], arm: usize, x: f64) -> f64 {
    let others = distributions.iter().enumerate().filter(|(other, _)| *other != arm);
    others.map(|(_, distribution)| distribution.ln_cdf(x)).sum()
}

/// Quantiles of a distribution, the first two from below and the last two from above.
fn cuts<L: Univariate>(distribution: &L) -> impl Iterator<Item = f64> {
    let quantile = |(place, &level)| {
        if place < 3 { distribution.quantile(level) } else { distribution.upper_quantile(level) }
    };
    CUTS.iter().enumerate().map(quantile)
}

fn probability_best<L: Univariate>(distributions: &[L], arm: usize) -> Result<f64, Error> {
    if distributions.len() == 1 {
        return Ok(1.0);
    }
    let own = &distributions[arm];
    let others = distributions.iter().enumerate().filter(|(other, _)| *other != arm);
    let mut breaks: Vec<f64> =
        others.flat_map(|(_, distribution)| cuts(distribution)).map(|x| own.cdf(x)).collect();
    breaks.extend([0.0, 1.0]);
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    let integrand = |u: f64| ln_others_below(distributions, arm, own.quantile(u)).exp();
    found("probability", gauss_kronrod_pieces(integrand, &breaks, &options()).value)
        .map(|p| p.clamp(0.0, 1.0))
}

fn expected_loss<L: Univariate>(distributions: &[L], arm: usize) -> Result<f64, Error> {
    if distributions.len() == 1 {
        return Ok(0.0);
    }
    let own = &distributions[arm];
    let ends = distributions
        .iter()
        .flat_map(|distribution| [distribution.quantile(0.0), distribution.upper_quantile(0.0)]);
    let mut breaks: Vec<f64> = distributions.iter().flat_map(cuts).chain(ends).collect();
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    let integrand = |x: f64| own.cdf(x) * -ln_others_below(distributions, arm, x).exp_m1();
    found("expected loss", gauss_kronrod_pieces(integrand, &breaks, &options()).value)
        .map(|loss| loss.max(0.0))
}

/// P(X > Y) of independent Beta distributions.
///
/// If a parameter is a whole number up to 10⁵ it is a sum of so many positive terms, with an error below
/// 10⁻¹³; else quadrature.
///
/// ```
/// use posterior_decision::stopping::probability_greater;
/// use posterior_dist::Beta;
///
/// let p = probability_greater(&Beta::new(7.0, 5.0)?, &Beta::new(4.0, 8.0)?)?;
/// assert!((p - 445.0 / 494.0).abs() < 1e-14);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If the quadrature fails.
pub fn probability_greater(x: &Beta, y: &Beta) -> Result<f64, Error> {
    // X > Y iff 1 - Y > 1 - X: the four parameters take turns.
    if whole(x.alpha()) {
        Ok(sum([x.alpha(), x.beta()], [y.alpha(), y.beta()]))
    } else if whole(y.beta()) {
        Ok(sum([y.beta(), y.alpha()], [x.beta(), x.alpha()]))
    } else if whole(y.alpha()) {
        Ok(1.0 - sum([y.alpha(), y.beta()], [x.alpha(), x.beta()]))
    } else if whole(x.beta()) {
        Ok(1.0 - sum([x.beta(), x.alpha()], [y.beta(), y.alpha()]))
    } else {
        probability_best(&[*x, *y], 0)
    }
}

/// What numbers below the range of `f64` are counted in.
const UNIT: f64 = 1e-250;

/// P(X > Y) for X ~ Beta(a, b) with a whole: Σ_{i<a} B(c + i, b + d)/((b + i) B(1 + i, b) B(c, d)).
fn sum([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    // The others follow from the first by their ratios: B(c + i, b + d) gains (c + i)/(b + c + d + i), (b +
    // i) B(1 + i, b) gains (1 + i)/(b + i).
    let (mut term, mut units) = first_term([b, c], d);
    let mut total = 0.0;
    let mut i = 0.0;
    while i < a {
        total += term;
        term *= (c + i) / (b + c + d + i) * ((b + i) / (1.0 + i));
        i += 1.0;
        if total > UNIT.recip() {
            (term, total) = (term * UNIT, total * UNIT);
            units -= 1;
        }
    }
    (0..units).fold(total, |total, _| total * UNIT).min(1.0)
}

/// (d)_b/(c + d)_b = (d)_c/(b + d)_c in rising factorials: a number, and how many units it is to be
/// multiplied with.
///
/// A product where b or c is whole: the difference of two large logarithms would lose digits.
fn first_term([b, c]: [f64; 2], d: f64) -> (f64, i64) {
    let (few, many) = if whole(b) && (b < c || !whole(c)) { (b, c) } else { (c, b) };
    if whole(few) {
        let (mut product, mut units) = (1.0, 0);
        for i in 0..few as u64 {
            let own = d + i as f64;
            product *= own / (many + own);
            if product < UNIT {
                (product, units) = (product / UNIT, units + 1);
            }
        }
        return (product, units);
    }
    let (few, many) = if few < many { (few, many) } else { (many, few) };
    let ln_value = ln_pochhammer(d, few) - ln_pochhammer(many + d, few);
    let units = (ln_value / UNIT.ln()).floor();
    ((ln_value - units * UNIT.ln()).exp(), units as i64)
}

/// Whether a sum of so many terms is made.
fn whole(parameter: f64) -> bool {
    parameter <= LONGEST_SUM && parameter.fract() == 0.0
}
