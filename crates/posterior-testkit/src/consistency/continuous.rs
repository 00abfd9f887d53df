//! Checks of densities on the real line: what integrals, differences and draws must say of them.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Moments, ParameterGradient, Parametric, PointGradient, Univariate};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use rand::distr::Distribution;

use super::assert_agree;
use crate::significance::{LEVEL, kolmogorov_smirnov_p_value};

/// Draws of the test of Kolmogorov and Smirnov.
const DRAWS: usize = 20_000;

/// The probabilities, of each tail, at whose quantiles the real line is cut before it is integrated over.
const TAILS: [f64; 19] = [
    0.5, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-8, 1e-11, 1e-16, 1e-24, 1e-32, 1e-48, 1e-70, 1e-100,
    1e-150, 1e-220, 1e-300,
];

/// Of a mass or a moment.
const INTEGRAL_TOLERANCE: f64 = 1e-9;

/// Of a derivative, in units of the derivative or of one over the scale, whichever is larger.
const SLOPE_TOLERANCE: f64 = 1e-6;

/// What a univariate distribution with a smooth density can say: all that [`continuous`] compares.
pub trait Continuous:
    Univariate
    + Density<Point = f64>
    + PointGradient<Point = f64>
    + ParameterGradient
    + Parametric
    + Moments
    + Distribution<f64>
{
}

impl<D> Continuous for D where
    D: Univariate
        + Density<Point = f64>
        + PointGradient<Point = f64>
        + ParameterGradient
        + Parametric
        + Moments
        + Distribution<f64>
{
}

/// The density integrates to differences of the distribution function, far into both tails; mean and variance
/// are its integrals; both gradients are its slopes, and NaN outside the support; the parameters make the
/// distribution again; draws lie in the support and follow the distribution function (a test of Kolmogorov
/// and Smirnov, which a correct sampler fails for one seed in a million).
///
/// `points` are tried for the gradients, which must exist at one of them, and cut the integrals: name the
/// kinks.
///
/// # Panics
/// If one of these fails.
#[track_caller]
pub fn continuous<D: Continuous>(distribution: &D, points: &[f64], seed: u64) {
    let cuts = cuts(distribution, points);
    masses(distribution, &cuts);
    moments(distribution, &cuts);
    gradients(distribution, points);
    draws(distribution, seed);
}

/// As [`continuous`] for distributions without a list of parameters, such as those made of other
/// distributions: all but what parameters and moments say.
///
/// # Panics
/// If the density, its derivative, the distribution function and the draws contradict each other.
#[track_caller]
pub fn line<D>(distribution: &D, points: &[f64], seed: u64)
where
    D: Univariate + PointGradient<Point = f64> + Distribution<f64>,
{
    masses(distribution, &cuts(distribution, points));
    let mut compared = 0;
    for &x in points {
        compared += usize::from(point_gradient(distribution, x));
    }
    assert!(compared > 0, "the density has a slope at one of the points");
    draws(distribution, seed);
}

/// Mean and variance, where finite, are integrals of the density; part of [`continuous`].
///
/// # Panics
/// If they are not.
#[track_caller]
pub fn mean_and_variance<D>(distribution: &D, points: &[f64])
where
    D: Univariate + Density<Point = f64> + Moments,
{
    moments(distribution, &cuts(distribution, points));
}

/// Quantiles and points, increasing, with gaps that f64 can resolve, none at an end of the support.
fn cuts<D: Univariate>(distribution: &D, points: &[f64]) -> Vec<f64> {
    let (low, high) = (distribution.quantile(0.0), distribution.quantile(1.0));
    let mut all: Vec<f64> = TAILS
        .iter()
        .flat_map(|&p| [distribution.quantile(p), distribution.upper_quantile(p)])
        .chain(points.iter().copied())
        .collect();
    all.retain(|&x| x > low && x < high);
    all.sort_by(f64::total_cmp);
    all.dedup_by(|b, a| *b - *a <= 1e-6 * a.abs().max(b.abs()));
    all
}

/// ∫ f from a to b, where `f(x, s)` is f(x) eˢ: in ln |x| where the interval spans decades.
fn integral(f: impl Fn(f64, f64) -> f64, a: f64, b: f64) -> f64 {
    let options = QuadratureOptions { relative: 1e-12, ..QuadratureOptions::default() };
    let sign = if b < 0.0 { -1.0 } else { 1.0 };
    let (near, far) = if b < 0.0 { (-b, -a) } else { (a, b) };
    if near > 0.0 && far > 4.0 * near {
        gauss_kronrod(|t| f(sign * t.exp(), t), near.ln(), far.ln(), &options).value
    } else {
        gauss_kronrod(|x| f(x, 0.0), a, b, &options).value
    }
}

#[track_caller]
fn masses<D: Univariate + Density<Point = f64>>(distribution: &D, cuts: &[f64]) {
    for pair in cuts.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let mass = integral(|x, shift| (distribution.ln_pdf(&x) + shift).exp(), a, b);
        let (lower, upper) = (distribution.cdf(b), distribution.sf(a));
        let (tail, whole) = if lower < 0.5 {
            (lower - distribution.cdf(a), lower)
        } else {
            (upper - distribution.sf(b), upper)
        };
        let what = format!("the density from {a:e} to {b:e} integrates to the difference of the tails");
        if whole > 0.0 {
            assert_agree(&what, mass / whole, tail / whole, INTEGRAL_TOLERANCE);
        }
    }
}

/// E (X - c)ᵏ, with what lies beyond the cuts counted at the outermost of them.
fn moment<D: Univariate + Density<Point = f64>>(
    distribution: &D,
    cuts: &[f64],
    center: f64,
    power: i32,
) -> f64 {
    let [Some(&first), Some(&last)] = [cuts.first(), cuts.last()] else { return f64::NAN };
    let term = |x: f64, shift: f64| {
        let distance = x - center;
        let size = (distribution.ln_pdf(&x) + f64::from(power) * distance.abs().ln() + shift).exp();
        if power % 2 == 1 { size.copysign(distance) } else { size }
    };
    let inner: f64 = cuts.windows(2).map(|pair| integral(term, pair[0], pair[1])).sum();
    inner
        + distribution.cdf(first) * (first - center).powi(power)
        + distribution.sf(last) * (last - center).powi(power)
}

#[track_caller]
fn moments<D>(distribution: &D, cuts: &[f64])
where
    D: Univariate + Density<Point = f64> + Moments,
{
    let [Some(mean), Some(variance)] =
        [distribution.mean(), distribution.variance()].map(|moment| moment.filter(|m| m.is_finite()))
    else {
        return;
    };
    let sd = variance.sqrt();
    let median = distribution.quantile(0.5);
    let first = moment(distribution, cuts, median, 1);
    assert_agree("the mean is its integral", (mean - median) / sd, first / sd, INTEGRAL_TOLERANCE);
    let second = moment(distribution, cuts, mean, 2);
    assert_agree("the variance is its integral", second / variance, 1.0, INTEGRAL_TOLERANCE);
}

/// The derivative of `f` at `x` by central differences of the fourth order with steps from `step` down, and
/// an estimate of its error; NaN where `f` is defined on one side only.
fn slope(f: impl Fn(f64) -> f64, x: f64, step: f64) -> (f64, f64) {
    let central = |h: f64| (f(x + h) - f(x - h)) / ((x + h) - (x - h));
    let fourth = |h: f64| (4.0 * central(0.5 * h) - central(h)) / 3.0;
    let mut best = (f64::NAN, f64::INFINITY);
    let (mut h, mut previous) = (step, fourth(step));
    for _ in 0..28 {
        h *= 0.5;
        let next = fourth(h);
        let change = (next - previous).abs();
        if change < best.1 {
            best = (next, change);
        }
        previous = next;
    }
    best
}

#[track_caller]
fn assert_slope(what: &str, derivative: f64, (slope, error): (f64, f64), scale: f64) {
    let unit = derivative.abs().max(scale.recip());
    assert!(
        error <= SLOPE_TOLERANCE * unit,
        "{what}: the differences do not settle, {slope:e} ± {error:.1e}"
    );
    let off = (derivative - slope).abs();
    assert!(off <= SLOPE_TOLERANCE * unit, "{what} is {derivative:e}, and the slope {slope:e}");
}

/// Whether there is a derivative at x, which is then the slope of the density; where the density is zero
/// there is none.
#[track_caller]
fn point_gradient<D>(distribution: &D, x: f64) -> bool
where
    D: Univariate + PointGradient<Point = f64>,
{
    let derivative = distribution.point_gradient(&x);
    if distribution.ln_pdf(&x) == f64::NEG_INFINITY {
        assert!(derivative.is_nan(), "there is a derivative at {x}, where the density is zero");
        return false;
    }
    let (low, high) = (distribution.quantile(0.0), distribution.quantile(1.0));
    let spread = distribution.quantile(0.75) - distribution.quantile(0.25);
    let scale = spread.max(x.abs()).min((x - low).abs()).min((high - x).abs());
    let compared = !derivative.is_nan() && scale > 0.0;
    if compared {
        let expected = slope(|x| distribution.ln_pdf(&x), x, 0.1 * scale);
        assert_slope(&format!("the derivative at {x}"), derivative, expected, scale);
    }
    compared
}

#[track_caller]
fn gradients<D: Continuous>(distribution: &D, points: &[f64]) {
    let parameters = distribution.parameters();
    assert_eq!(parameters.len(), D::PARAMETERS.len(), "each parameter has a name");
    let spread = distribution.quantile(0.75) - distribution.quantile(0.25);
    let mut compared = 0;
    for &x in points {
        compared += usize::from(point_gradient(distribution, x));
        let by_parameters = distribution.parameter_gradient(&x);
        let by_parameters = by_parameters.as_ref();
        assert_eq!(by_parameters.len(), parameters.len(), "each parameter has a derivative");
        if distribution.ln_pdf(&x) == f64::NEG_INFINITY {
            let none = by_parameters.iter().all(|slope| slope.is_nan());
            assert!(none, "there are derivatives at {x}, where the density is zero");
            continue;
        }
        for (index, &derivative) in by_parameters.iter().enumerate().filter(|(_, slope)| !slope.is_nan()) {
            let scale = if parameters[index] == 0.0 { spread } else { parameters[index].abs() };
            let at = |value: f64| {
                let mut moved = parameters.clone();
                moved[index] = value;
                D::from_parameters(&moved).map_or(f64::NAN, |distribution| distribution.ln_pdf(&x))
            };
            let what = format!("the derivative by {} at {x}", D::PARAMETERS[index]);
            assert_slope(&what, derivative, slope(at, parameters[index], 0.1 * scale), scale);
        }
    }
    assert!(compared > 0, "the density has a slope at one of the points");
}

#[track_caller]
fn draws<D: Univariate + Distribution<f64>>(distribution: &D, seed: u64) {
    let mut rng = stream(seed, &[]);
    let draws: Vec<f64> = (0..DRAWS).map(|_| distribution.sample(&mut rng)).collect();
    let (low, high) = (distribution.quantile(0.0), distribution.quantile(1.0));
    let outside = draws.iter().find(|draw| !(low..=high).contains(*draw));
    assert_eq!(outside, None, "a draw outside of the support");
    let p_value = kolmogorov_smirnov_p_value(&draws, |x| distribution.cdf(x));
    assert!(p_value >= LEVEL, "draws against the distribution function: p = {p_value:.1e}");
}
