//! Checks of counts: masses, both tails, summaries and draws of one distribution, held against each
//! other.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Entropy, Mode, Moments, ParameterGradient, Parametric, Shape, Univariate};
use posterior_math::log_space::ln_sum_exp;
use posterior_math::streaming::NeumaierSum;
use rand::distr::Distribution;

use crate::accuracy::{conditioned_error, relative_error};
use crate::significance::{LEVEL, chi_square_p_value};

/// What is beyond this tail is left out of sums.
const NEGLIGIBLE: f64 = 1e-40;
/// The most terms that a sum may have.
const MOST_TERMS: f64 = 4e6;
/// Rounding that sums over many masses may have.
const ROUNDING: f64 = 1e-11;
/// Draws of the chi-square test.
const DRAWS: u64 = 20_000;

/// All that a distribution of counts has in common, gradients excepted.
pub trait Counted:
    Univariate + Density<Point = u64> + Moments + Shape + Entropy + Mode + Distribution<u64>
{
}

impl<D> Counted for D where
    D: Univariate + Density<Point = u64> + Moments + Shape + Entropy + Mode + Distribution<u64>
{
}

/// A distribution of counts against its own masses: [`counted_masses`], [`counted_draws`] and
/// [`parameter_gradient`].
///
/// # Panics
/// If one of these fails.
#[track_caller]
pub fn counted<D: Counted + Parametric + ParameterGradient>(distribution: &D, seed: u64) {
    counted_masses(distribution);
    counted_draws(distribution, seed);
    let points: Vec<u64> =
        [0.0, 1e-6, 0.1, 0.5, 0.9, 1.0 - 1e-6].iter().map(|&p| distribution.quantile(p) as u64).collect();
    parameter_gradient(distribution, &points);
}

/// The masses sum to both tails with full relative precision, their weighted sums are mean, variance,
/// skewness, excess kurtosis and entropy, and the mode is the largest of them (to 1e-11; an infinite or
/// missing moment is not compared).
///
/// # Panics
/// If one of these fails, or if more than four million masses would have to be summed.
#[track_caller]
pub fn counted_masses<D: Counted>(distribution: &D) {
    let (low, high) = (distribution.quantile(NEGLIGIBLE), distribution.upper_quantile(NEGLIGIBLE));
    assert!(high - low <= MOST_TERMS, "{low} to {high} are too many counts to sum over");
    let ln_masses: Vec<f64> = (low as u64..=high as u64).map(|k| distribution.ln_pdf(&k)).collect();
    tails(distribution, low, &ln_masses);
    summaries(distribution, low, &ln_masses);
    let (largest, _) =
        ln_masses.iter().enumerate().fold((0, f64::NEG_INFINITY), |best, (index, &ln_mass)| {
            if ln_mass > best.1 { (index, ln_mass) } else { best }
        });
    if let Some(mode) = distribution.mode() {
        let error = conditioned_error(distribution.ln_pdf(&mode), ln_masses[largest], 1.0);
        assert!(error <= 1e-14, "mode {mode}, but {} is more probable", low as u64 + largest as u64);
    }
}

/// Both tails at some hundred counts, and the quantiles there.
#[track_caller]
fn tails<D: Counted>(distribution: &D, low: f64, ln_masses: &[f64]) {
    let stride = (ln_masses.len() / 100).max(1);
    for index in (0..ln_masses.len()).step_by(stride) {
        let k = low + index as f64;
        let (below, above) = ln_masses.split_at(index + 1);
        tail("cdf", k, [distribution.cdf(k), distribution.ln_cdf(k)], below);
        tail("sf", k, [distribution.sf(k), distribution.ln_sf(k)], above);
        for (p, back) in [
            (distribution.cdf(k), distribution.quantile(distribution.cdf(k))),
            (distribution.sf(k), distribution.upper_quantile(distribution.sf(k))),
        ] {
            // Where a tail is next to one, several counts share it.
            let first =
                back == k || (back < k && distribution.cdf(back) == distribution.cdf(k)) || p > 1.0 - 1e-9;
            assert!(first, "the quantile at the probability {p:e} of {k} is {back}");
        }
    }
}

/// A tail is the sum of these masses, unless what was left out of them matters.
#[track_caller]
fn tail(name: &str, k: f64, [tail, ln_tail]: [f64; 2], ln_masses: &[f64]) {
    let ln_sum = ln_sum_exp(ln_masses);
    if ln_sum < NEGLIGIBLE.ln() + 30.0 {
        return;
    }
    let sum = ln_sum.exp();
    let error = relative_error(tail, sum);
    assert!(error <= ROUNDING, "{name}({k}) = {tail:e} should be {sum:e}, the sum of the masses");
    let error = conditioned_error(ln_tail, ln_sum, 1.0);
    assert!(error <= ROUNDING, "ln_{name}({k}) = {ln_tail:e} should be {ln_sum:e}");
}

#[track_caller]
fn summaries<D: Counted>(distribution: &D, low: f64, ln_masses: &[f64]) {
    let expectation = |value: &dyn Fn(f64, f64) -> f64| {
        let mut sum = NeumaierSum::new();
        for (index, &ln_mass) in ln_masses.iter().enumerate() {
            if ln_mass > f64::NEG_INFINITY {
                sum.push(ln_mass.exp() * value(low + index as f64, ln_mass));
            }
        }
        sum.value()
    };
    let mean = expectation(&|k, _| k);
    let variance = expectation(&|k, _| (k - mean) * (k - mean));
    let moment = |order: i32| expectation(&|k, _| ((k - mean) / variance.sqrt()).powi(order));
    let compare = |name: &str, actual: Option<f64>, expected: f64| {
        if let Some(actual) = actual.filter(|actual| actual.is_finite()) {
            let error = conditioned_error(actual, expected, if actual.abs() < 1e-3 { 1.0 } else { 0.0 });
            assert!(error <= ROUNDING, "{name} {actual:e} should be {expected:e}, from the masses");
        }
    };
    compare("mean", distribution.mean(), mean);
    compare("variance", distribution.variance(), variance);
    if variance > 0.0 {
        compare("skewness", distribution.skewness(), moment(3));
        compare("excess kurtosis", distribution.excess_kurtosis(), moment(4) - 3.0);
    }
    compare("entropy", Some(distribution.entropy()), expectation(&|_, ln_mass| -ln_mass));
}

/// Twenty thousand draws follow the distribution: a chi-square test over about forty cells, cut by the
/// distribution function, at [`LEVEL`], that is, one false alarm in a million seeds.
///
/// # Panics
/// If the p-value is below the level.
#[track_caller]
pub fn counted_draws<D: Univariate + Distribution<u64>>(distribution: &D, seed: u64) {
    let mut ends: Vec<f64> = (1..40).map(|i| distribution.quantile(f64::from(i) / 40.0)).collect();
    ends.dedup();
    let mut observed = vec![0_u64; ends.len() + 1];
    let mut rng = stream(seed, &[]);
    for _ in 0..DRAWS {
        let draw = distribution.sample(&mut rng) as f64;
        observed[ends.partition_point(|&end| end < draw)] += 1;
    }
    let mut below = 0.0;
    let mut expected = Vec::new();
    for &end in &ends {
        expected.push(DRAWS as f64 * (distribution.cdf(end) - below));
        below = distribution.cdf(end);
    }
    expected.push(DRAWS as f64 * ends.last().map_or(1.0, |&end| distribution.sf(end)));
    let p_value = chi_square_p_value(&observed, &expected);
    assert!(p_value >= LEVEL, "draws {observed:?} against {expected:.1?}: p = {p_value:.1e}");
}

/// The score is the central difference of the log-density in each parameter, to 1e-6 of its size (or of the
/// size of the terms that make it up, where they cancel). Parameters without a derivative, NaN, are left out.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn parameter_gradient<D: Parametric + ParameterGradient>(distribution: &D, points: &[D::Point])
where
    D::Point: Sized,
{
    let parameters = distribution.parameters();
    for (index, &center) in parameters.iter().enumerate() {
        // Also small beside the distance from one, where probabilities end.
        let room = if center < 1.0 { center.abs().min(1.0 - center) } else { center.abs() };
        let step = 1e-5 * if room > 0.0 { room } else { 1.0 };
        let at = |offset: f64| {
            let mut moved = parameters.clone();
            moved[index] = center + offset;
            D::from_parameters(&moved)
        };
        let (Ok(before), Ok(after)) = (at(-step), at(step)) else { continue };
        for x in points {
            let slope = distribution.parameter_gradient(x).as_ref()[index];
            if slope.is_nan() {
                continue;
            }
            let difference = (after.ln_pdf(x) - before.ln_pdf(x)) / (2.0 * step);
            let size = (1.0 + distribution.ln_pdf(x).abs()) / room.max(f64::MIN_POSITIVE);
            let error = conditioned_error(slope, difference, size);
            let name = D::PARAMETERS[index];
            assert!(error <= 1e-6, "the score in {name} is {slope:e}, by differences {difference:e}");
        }
    }
}
