//! Rejection: exact draws, envelopes that are watched, and envelopes that are found.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::f64::consts::LN_2;

use posterior_dist::stream::stream;
use posterior_dist::{
    Beta, Density, Exponential, Gamma, Gumbel, Laplace, Logistic, Normal, PointGradient, Univariate, Weibull,
};
use posterior_sampling::Error;
use posterior_sampling::rejection::{
    AdaptiveRejection, AdaptiveRejectionOptions, RejectionOptions, rejection,
};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::distr::{Distribution, StandardUniform};
use rand_distr::StandardNormal;

const DRAWS: usize = 20_000;
const RUNS: usize = 40_000;

/// ln √(2π).
const LN_ROOT_TAU: f64 = 0.918_938_533_204_672_7;

#[test]
fn a_wider_normal_distribution_in_many_dimensions_costs_the_power_of_the_ratio() {
    // ln c = D ln(σ_q / σ_p).
    let ln_bound = 100.0 * 1.1_f64.ln();
    assert!((ln_bound.exp() - 13780.61233982238).abs() < 1e-8);
    assert!(((-ln_bound).exp() - 7.256571590148141e-5).abs() < 1e-17);
    for (dim, draws) in [(5, 20_000), (30, 5000)] {
        let ln_bound = f64::from(dim) * 1.1_f64.ln();
        let point = Points { dim: dim as usize, scale: 1.1 };
        let ln_ratio = |x: &Vec<f64>| {
            let squares: f64 = x.iter().map(|x| x * x).sum();
            ln_bound - 0.5 * squares * (1.0 - 1.0 / 1.21)
        };
        let options = RejectionOptions { ln_bound, ..RejectionOptions::default() };
        let accepted = rejection(&point, ln_ratio, draws, &options, &mut stream(11, &[dim as u64])).unwrap();
        let exact = (-ln_bound).exp();
        let z = (accepted.acceptance.value - exact) / accepted.acceptance.standard_error;
        assert!(z.abs() < 4.9, "{dim}: {:?}", accepted.acceptance);
        assert!(accepted.ln_z.ln_value.abs() < 4.9 * accepted.ln_z.standard_error, "{:?}", accepted.ln_z);
        // The ratios know more than the decisions.
        assert!(
            accepted.ln_z.standard_error < accepted.acceptance.standard_error / accepted.acceptance.value
        );
        assert_eq!((accepted.draws.len(), accepted.acceptance.draws + 1), (draws, accepted.attempts));
        let coordinates: Vec<f64> = accepted.draws.iter().flatten().copied().take(DRAWS).collect();
        let distribution = Normal::mean_sd(0.0, 1.0).unwrap();
        assert!(kolmogorov_smirnov_p_value(&coordinates, |x| distribution.cdf(x)) > LEVEL);
    }
}

struct Points {
    dim: usize,
    scale: f64,
}

impl Distribution<Vec<f64>> for Points {
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        (0..self.dim)
            .map(|_| {
                let z: f64 = StandardNormal.sample(rng);
                self.scale * z
            })
            .collect()
    }
}

#[test]
fn the_acceptance_rate_and_z_have_no_bias_and_their_errors_are_right() {
    // p̃ = 2x under the uniform distribution, bound 3: accepted one in three, Z = 1.
    let options = RejectionOptions { ln_bound: 3.0_f64.ln(), ..RejectionOptions::default() };
    let (mut rate, mut z) = ([0.0; 3], [0.0; 3]);
    for run in 0..RUNS {
        let mut rng = stream(2, &[run as u64]);
        let ln_ratio = |x: &f64| (2.0 * x).ln();
        let accepted = rejection(&StandardUniform, ln_ratio, 5, &options, &mut rng).unwrap();
        for (sums, value) in [(&mut rate, accepted.acceptance.value), (&mut z, accepted.ln_z.ln_value.exp())]
        {
            sums[0] += value;
            sums[1] += value * value;
        }
    }
    for ([sum, squares, _], exact) in [(rate, 1.0 / 3.0), (z, 1.0)] {
        let mean = sum / RUNS as f64;
        let error = ((squares / RUNS as f64 - mean * mean) / RUNS as f64).sqrt();
        assert!((mean - exact).abs() < 4.9 * error, "{mean} ± {error}, not {exact}");
    }
}

#[test]
fn a_violated_envelope_is_named_with_its_point() {
    // Largest ratio at 0: exp(0.5) above the bound.
    let laplace = Laplace::new(0.0, 1.0).unwrap();
    let normal = Normal::mean_sd(0.0, 1.0).unwrap();
    let ln_ratio = |x: &f64| normal.ln_pdf(x) - laplace.ln_pdf(x);
    let options = RejectionOptions { ln_bound: ln_ratio(&1.0) - 0.1, ..RejectionOptions::default() };
    let error = rejection(&laplace, ln_ratio, 1000, &options, &mut stream(1, &[])).unwrap_err();
    let Error::Envelope { at, excess } = &error else { panic!("{error}") };
    let at: f64 = at.parse().unwrap();
    assert!((ln_ratio(&at) - options.ln_bound - excess).abs() < 1e-12 && *excess > 0.0 && *excess <= 0.1);
    assert!(error.to_string().starts_with(&format!("at {at} the density is above its envelope, by exp(0.0")));
    // An exact bound is none that is violated, not even by rounding.
    let exact = RejectionOptions { ln_bound: 1e5 + 1.0, ..RejectionOptions::default() };
    rejection(&StandardUniform, |_: &f64| (1e5 + 1.0) * (1.0 + 1e-15), 10, &exact, &mut stream(1, &[]))
        .unwrap();
}

#[test]
fn what_no_envelope_has_is_refused() {
    let mut rng = stream(1, &[]);
    let options = RejectionOptions { max_attempts: 100, ..RejectionOptions::default() };
    let never = rejection(&StandardUniform, |_: &f64| f64::NEG_INFINITY, 10, &options, &mut rng).unwrap_err();
    assert!(matches!(never, Error::Attempts { attempts: 100, accepted: 0, .. }), "{never}");
    let none = rejection(&StandardUniform, |_: &f64| f64::NAN, 10, &options, &mut rng).unwrap_err();
    assert!(none.to_string().starts_with("the ratio of densities is NaN at 0."), "{none}");
    let unbounded = RejectionOptions { ln_bound: f64::INFINITY, ..options };
    assert!(matches!(
        rejection(&StandardUniform, |_: &f64| 0.0, 10, &unbounded, &mut rng),
        Err(Error::Parameter(_))
    ));
    assert!(matches!(
        rejection(&StandardUniform, |_: &f64| 0.0, 1, &options, &mut rng),
        Err(Error::Parameter(_))
    ));
    let infinite = rejection(&StandardUniform, |_: &f64| f64::INFINITY, 10, &options, &mut rng).unwrap_err();
    assert!(matches!(infinite, Error::Envelope { excess: f64::INFINITY, .. }));
}

/// Both forms of adaptive rejection on a density: draws must follow the distribution function, and the
/// integral of the density must be between the areas.
fn check_distribution(
    name: &str,
    ln_density: impl Fn(f64) -> f64,
    slope: impl Fn(f64) -> f64,
    support: (f64, f64),
    starts: &[f64],
    (ln_z, cdf): (f64, impl Fn(f64) -> f64),
) {
    for (i, &start) in starts.iter().enumerate() {
        for form in ["tangents", "chords"] {
            let calls = Cell::new(0);
            let mut distribution = if form == "tangents" {
                let both = |x| {
                    calls.set(calls.get() + 1);
                    (ln_density(x), slope(x))
                };
                AdaptiveRejection::with_derivative(both, support, start)
            } else {
                let value = |x| {
                    calls.set(calls.get() + 1);
                    ln_density(x)
                };
                AdaptiveRejection::new(value, support, start)
            }
            .unwrap_or_else(|error| panic!("{name}, {form}, from {start}: {error}"));
            let mut rng = stream(7, &[i as u64, u64::from(form == "chords")]);
            let draws = distribution
                .draws(DRAWS, &mut rng)
                .unwrap_or_else(|error| panic!("{name}, {form}, {start}: {error}"));
            let p = kolmogorov_smirnov_p_value(&draws, &cdf);
            assert!(p > LEVEL, "{name}, {form}, from {start}: p = {p}");
            assert_eq!(distribution.evaluations(), calls.get());
            assert!(
                distribution.evaluations() < 600,
                "{name}, {form}, {start}: {} evaluations",
                distribution.evaluations()
            );
            assert!(
                distribution.attempts().0 < DRAWS + 1500,
                "{name}, {form}, {start}: {:?}",
                distribution.attempts()
            );
            let (below, above) = distribution.ln_z_bounds();
            let rounding = 1e-9 + 8.0 * f64::EPSILON * ln_density(start).abs();
            assert!(
                below < ln_z + rounding && ln_z < above + rounding && above - below < 0.1,
                "{name}, {form}, {start}: {below} {ln_z} {above}"
            );
        }
    }
}

#[test]
fn a_normal_distribution_is_drawn_from_any_start_scale_and_height() {
    for (mean, sd, height) in [
        (0.0, 1.0, 0.0),
        (3.0, 0.1, -1e8),
        (-5.0, 20.0, 1e6),
        (0.0, 1e-150, 0.0),
        (0.0, 1e150, 5.0),
        (1e6, 1e-3, 0.0),
    ] {
        let distribution = Normal::mean_sd(mean, sd).unwrap();
        let ln_density = |x: f64| height - 0.5 * ((x - mean) / sd).powi(2);
        let slope = |x: f64| -((x - mean) / sd) / sd;
        let starts = [mean, mean + 0.3 * sd, mean - 4.0 * sd, mean + 1e3 * sd];
        let ends = (f64::NEG_INFINITY, f64::INFINITY);
        check_distribution(
            &format!("N({mean}, {sd})"),
            ln_density,
            slope,
            ends,
            &starts,
            (height + sd.ln() + LN_ROOT_TAU, |x| distribution.cdf(x)),
        );
    }
}

#[test]
fn scales_from_1e_minus_300_to_1e300_are_drawn() {
    for rate in [1e-300, 1e-150, 1e-9, 1.0, 1e12, 1e300] {
        let distribution = Exponential::new(rate).unwrap();
        let starts = [1e-3 / rate, 1.0 / rate, 30.0 / rate];
        let name = format!("exponential of rate {rate:e}");
        check_distribution(
            &name,
            |x| -rate * x,
            |_| -rate,
            (0.0, f64::INFINITY),
            &starts,
            (-rate.ln(), |x| distribution.cdf(x)),
        );
    }
}

#[test]
fn distributions_on_half_lines_and_intervals_are_drawn() {
    for shape in [1.0, 1.3, 4.0, 1000.0] {
        let distribution = Gamma::shape_rate(shape, 2.0).unwrap();
        let starts = [1e-2, shape / 2.0, 3.0 * shape + 20.0];
        let ln_density = |x: f64| distribution.ln_pdf(&x);
        let slope = |x: f64| (shape - 1.0) / x - 2.0;
        let ends = (0.0, f64::INFINITY);
        check_distribution(
            &format!("gamma {shape}"),
            ln_density,
            slope,
            ends,
            &starts,
            (0.0, |x| distribution.cdf(x)),
        );
    }
    for (a, b) in [(1.0, 1.0), (1.0, 4.0), (2.5, 1.0), (2.0, 3.0), (80.0, 2.0), (1.01, 1.02), (300.0, 500.0)]
    {
        let distribution = Beta::new(a, b).unwrap();
        let slope = |x: f64| (a - 1.0) / x - (b - 1.0) / (1.0 - x);
        let starts = [0.5, 0.01, 0.999];
        check_distribution(
            &format!("beta {a} {b}"),
            |x| distribution.ln_pdf(&x),
            slope,
            (0.0, 1.0),
            &starts,
            (0.0, |x| distribution.cdf(x)),
        );
    }
    let distribution = Logistic::new(1.0, 2.0).unwrap();
    let slope = |x: f64| -((x - 1.0) / 4.0).tanh() / 2.0;
    let line = (f64::NEG_INFINITY, f64::INFINITY);
    check_distribution(
        "logistic",
        |x| distribution.ln_pdf(&x),
        slope,
        line,
        &[0.0, 1.0, -300.0],
        (0.0, |x| distribution.cdf(x)),
    );
    let distribution = Laplace::new(-1.0, 0.5).unwrap();
    let slope = |x: f64| -2.0 * (x + 1.0).signum();
    check_distribution(
        "Laplace",
        |x| distribution.ln_pdf(&x),
        slope,
        line,
        &[0.0, -1.5, 40.0],
        (0.0, |x| distribution.cdf(x)),
    );
}

#[test]
fn tails_of_a_normal_distribution_are_drawn_where_they_begin_and_end() {
    let normal = Normal::mean_sd(0.0, 1.0).unwrap();
    for (low, high) in [(3.0, f64::INFINITY), (30.0, f64::INFINITY), (2.0, 2.5), (-1.0, 5.0)] {
        // Upper tails, for a distribution function with digits.
        let (all, above) = (normal.sf(low) - normal.sf(high), normal.sf(low));
        let cdf = |x: f64| (above - normal.sf(x)) / all;
        let middle = if high.is_finite() { 0.5 * (low + high) } else { low + 1.0 };
        let starts = [low + 1e-3, middle];
        check_distribution(
            "tail",
            |x| -0.5 * x * x,
            |x| -x,
            (low, high),
            &starts,
            (all.ln() + LN_ROOT_TAU, cdf),
        );
    }
}

#[test]
fn a_support_that_is_smaller_than_was_said_is_found() {
    // Uniform on [2, 5] and a triangle on [0, 1], zero elsewhere on the line.
    let line = (f64::NEG_INFINITY, f64::INFINITY);
    let flat = |x: f64| if (2.0..=5.0).contains(&x) { 0.0 } else { f64::NEG_INFINITY };
    check_distribution(
        "uniform",
        flat,
        |_| 0.0,
        line,
        &[2.5, 4.9],
        (3.0_f64.ln(), |x| ((x - 2.0) / 3.0).clamp(0.0, 1.0)),
    );
    let triangle = |x: f64| if x > 0.0 && x < 1.0 { x.ln() } else { f64::NEG_INFINITY };
    check_distribution(
        "triangle",
        triangle,
        |x| 1.0 / x,
        line,
        &[0.2, 0.7],
        (-LN_2, |x| x.clamp(0.0, 1.0).powi(2)),
    );
}

#[test]
#[ignore = "slow"]
fn distributions_of_many_shapes_and_scales_are_drawn_from_poor_starts() {
    for case in 0..60 {
        let mut rng = stream(77, &[case]);
        let mut number = || -> f64 { StandardNormal.sample(&mut rng) };
        let (scale, location) = (10_f64.powf(30.0 * number()), 100.0 * number());
        let shape = 1.0 + (2.0 * number()).exp();
        let (tail, other) = (10_f64.powf(-4.0 * number().abs()), 1.0 + (2.0 * number()).exp());
        let half_line = (0.0, f64::INFINITY);
        let line = (f64::NEG_INFINITY, f64::INFINITY);
        match case % 6 {
            0 => poor_starts(&Normal::mean_sd(location * scale, scale).unwrap(), line, tail),
            1 => poor_starts(&Gamma::shape_scale(shape, scale).unwrap(), half_line, tail),
            2 => poor_starts(&Logistic::new(location * scale, scale).unwrap(), line, tail),
            3 => poor_starts(&Gumbel::new(location * scale, scale).unwrap(), line, tail),
            4 => poor_starts(&Weibull::new(shape, scale).unwrap(), half_line, tail),
            _ => poor_starts(&Beta::new(shape, other).unwrap(), (0.0, 1.0), tail),
        }
    }
}

fn poor_starts<L>(distribution: &L, support: (f64, f64), tail: f64)
where
    L: Univariate + PointGradient<Point = f64> + std::fmt::Debug,
{
    let starts = [distribution.quantile(tail), distribution.upper_quantile(tail)];
    let inside: Vec<f64> = starts.into_iter().filter(|&x| support.0 < x && x < support.1).collect();
    assert!(!inside.is_empty());
    let (ln_density, slope) = (|x: f64| distribution.ln_pdf(&x), |x: f64| distribution.point_gradient(&x));
    check_distribution(
        &format!("{distribution:?}"),
        ln_density,
        slope,
        support,
        &inside,
        (0.0, |x| distribution.cdf(x)),
    );
}

#[test]
fn the_first_draw_is_as_exact_as_the_last() {
    // Each draw from an envelope of its own, which has just begun to learn.
    let distribution = Gamma::shape_rate(2.5, 1.0).unwrap();
    let ends = (0.0, f64::INFINITY);
    let first = |i: u64| {
        let mut rng = stream(31, &[i]);
        if i.is_multiple_of(2) {
            AdaptiveRejection::new(|x| distribution.ln_pdf(&x), ends, 9.0)?.sample(&mut rng)
        } else {
            let both = |x: f64| (distribution.ln_pdf(&x), distribution.point_gradient(&x));
            AdaptiveRejection::with_derivative(both, ends, 0.01)?.sample(&mut rng)
        }
    };
    let draws: Vec<f64> = (0..20_000).map(|i| first(i).unwrap()).collect();
    assert!(kolmogorov_smirnov_p_value(&draws, |x| distribution.cdf(x)) > LEVEL);
}

#[test]
fn a_density_that_is_not_log_concave_is_refused_with_the_place() {
    // Two humps, and Cauchy's tails.
    let humps = |x: f64| (-0.5 * (x - 4.0) * (x - 4.0)).exp().ln_1p() - 0.02 * x * x;
    let cauchy = |x: f64| -(x * x).ln_1p();
    for (name, ln_density) in [("humps", &humps as &dyn Fn(f64) -> f64), ("Cauchy", &cauchy)] {
        let slope = |x: f64| (ln_density(x + 1e-6) - ln_density(x - 1e-6)) / 2e-6;
        let both = |x: f64| (ln_density(x), slope(x));
        let line = (f64::NEG_INFINITY, f64::INFINITY);
        let chords = AdaptiveRejection::new(ln_density, line, 0.1);
        let tangents = AdaptiveRejection::with_derivative(both, line, 0.1);
        for distribution in [chords, tangents] {
            let refused =
                distribution.and_then(|mut distribution| distribution.draws(DRAWS, &mut stream(3, &[])));
            let Err(Error::NotLogConcave { at, by }) = refused else { panic!("{name}: {refused:?}") };
            assert!(by > 0.0 && at.is_finite(), "{name}: {by} at {at}");
        }
    }
    // A wrong derivative.
    let wrong = |x: f64| (-0.5 * x * x, -0.5 * x);
    let refused = AdaptiveRejection::with_derivative(wrong, (f64::NEG_INFINITY, f64::INFINITY), 1.0)
        .and_then(|mut distribution| distribution.draws(100, &mut stream(3, &[])));
    assert!(matches!(refused, Err(Error::NotLogConcave { .. })), "{refused:?}");
}

#[test]
fn what_can_not_be_drawn_from_is_refused() {
    let line = (f64::NEG_INFINITY, f64::INFINITY);
    let refused = |distribution: Result<AdaptiveRejection<'_>, Error>| distribution.unwrap_err();
    let flat = refused(AdaptiveRejection::new(|_| 0.0, line, 0.0));
    assert!(matches!(flat, Error::NotIntegrable { towards: f64::INFINITY, .. }), "{flat}");
    let rising = refused(AdaptiveRejection::with_derivative(|x| (x, 1.0), (0.0, f64::INFINITY), 1.0));
    assert!(matches!(rising, Error::NotIntegrable { .. }), "{rising}");
    let nan = refused(AdaptiveRejection::new(|x| if x > 0.5 { f64::NAN } else { -x * x }, line, 0.0));
    assert_eq!(nan.to_string(), "the log-density is NaN at 1");
    let steep = refused(AdaptiveRejection::with_derivative(|x| (-x * x, f64::NAN), line, 0.0));
    assert!(steep.to_string().starts_with("the derivative of the log-density is NaN at 0"), "{steep}");
    assert!(refused(AdaptiveRejection::new(|_| f64::NEG_INFINITY, line, 0.0)).is_start());
    let spike =
        refused(AdaptiveRejection::new(|x| if x == 1.0 { 0.0 } else { f64::NEG_INFINITY }, line, 1.0));
    assert!(spike.is_start(), "{spike}");
    for (support, start) in [
        ((1.0, 0.0), 0.5),
        ((0.0, 1.0), 1.0),
        ((f64::NAN, 1.0), 0.5),
        ((0.0, 1.0), f64::NAN),
        ((0.0, f64::NAN), 1.0),
    ] {
        assert!(matches!(AdaptiveRejection::new(|x| -x * x, support, start), Err(Error::Parameter(_))));
    }
    let mut distribution = AdaptiveRejection::new(|x| -x * x, line, 0.0)
        .unwrap()
        .with_options(AdaptiveRejectionOptions { max_attempts: 0, ..AdaptiveRejectionOptions::default() });
    assert!(matches!(distribution.sample(&mut stream(1, &[])), Err(Error::Attempts { .. })));
}

#[test]
fn the_squeeze_spares_evaluations() {
    let mut distribution =
        AdaptiveRejection::with_derivative(|x| (-0.5 * x * x, -x), (f64::NEG_INFINITY, f64::INFINITY), 0.3)
            .unwrap();
    let mut rng = stream(9, &[]);
    distribution.draws(1000, &mut rng).unwrap();
    let early = distribution.evaluations();
    distribution.draws(100_000, &mut rng).unwrap();
    assert!(early < 60 && distribution.evaluations() < 160, "{early}, then {}", distribution.evaluations());
    let exact = 0.5 * (2.0 * std::f64::consts::PI).ln();
    let (below, above) = distribution.ln_z_bounds();
    assert!(below < exact && exact < above && above - below < 0.01, "{below} {exact} {above}");
    // Few knots are enough, at the price of more proposals.
    let mut coarse = AdaptiveRejection::new(|x| -0.5 * x * x, (f64::NEG_INFINITY, f64::INFINITY), 0.3)
        .unwrap()
        .with_options(AdaptiveRejectionOptions { max_knots: 3, ..AdaptiveRejectionOptions::default() });
    let knots = coarse.knots().count();
    let draws = coarse.draws(DRAWS, &mut rng).unwrap();
    let normal = Normal::mean_sd(0.0, 1.0).unwrap();
    assert!(kolmogorov_smirnov_p_value(&draws, |x| normal.cdf(x)) > LEVEL);
    assert_eq!(coarse.knots().count(), knots);
}
