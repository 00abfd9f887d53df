//! Distributions whose tables are texts: figures of 30 digits in the centre and in far tails, identities at
//! more parameters, quantiles of tiny probabilities.

use posterior_dist::stream::stream;
use posterior_dist::text::AnyUnivariate;
use posterior_dist::{
    AsymmetricLaplace, Density, Entropy, Exponential, GeneralizedExtremeValue, GeneralizedGamma,
    GeneralizedPareto, HalfCauchy, HalfNormal, HalfStudentT, Kumaraswamy, Laplace, LogitNormal, Lomax,
    Moments, ParameterGradient, Parametric, Poisson, PoissonBinomial, Shape, Skellam, SkewNormal, Uniform,
    Univariate, Weibull, Zeta, Zipf,
};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency::{self, Continuous};
use posterior_testkit::distribution_table;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::distr::Distribution;

fn make<D: Parametric>(parameters: &[f64]) -> D {
    D::from_parameters(parameters).expect("valid parameters")
}

/// The largest errors allowed of ln p(x), of tails and of summaries.
#[track_caller]
fn meets(table: &str, ln_pdf: f64, tails: f64, summaries: f64) {
    let measured = distribution_table::named(table);
    measured.ln_pdf.assert_at_most(ln_pdf);
    measured.tails.assert_at_most(tails);
    if summaries > 0.0 {
        measured.summaries.assert_at_most(summaries);
    }
}

/// Quantiles all over a distribution, where f64 can hold them apart.
fn spread(distribution: &impl Univariate) -> Vec<f64> {
    let mut points: Vec<f64> = [1e-3, 0.1, 0.4]
        .iter()
        .flat_map(|&p| [distribution.quantile(p), distribution.upper_quantile(p)])
        .collect();
    points.sort_by(f64::total_cmp);
    points
}

fn obeys<D: Continuous>(parameters: &[f64]) -> D {
    let distribution: D = make(parameters);
    consistency::univariate(&distribution, &spread(&distribution));
    consistency::continuous(&distribution, &spread(&distribution), 11);
    far_quantiles(&distribution);
    distribution
}

/// Both quantiles of tiny probabilities invert the logarithms of the tails, up to the rounding of x.
fn far_quantiles(distribution: &impl Univariate) {
    for p in [1e-300_f64, 1e-100, 1e-20, 1e-5, 0.3] {
        let around = |x: f64, f: &dyn Fn(f64) -> f64| {
            let (low, high) = (x - 4e-15 * x.abs(), x + 4e-15 * x.abs());
            [f(low), f(x), f(high)]
        };
        let slack = 2e-12 + 1e-14 * p.ln().abs();
        let (low, high) = (distribution.quantile(p), distribution.upper_quantile(p));
        // A point beyond f64 has no tail to compare.
        if low.is_subnormal() || low == 0.0 || high.is_infinite() {
            continue;
        }
        let [a, _, b] = around(low, &|x| distribution.ln_cdf(x));
        assert!(a - slack <= p.ln() && p.ln() <= b + slack, "quantile at {p:e}: {a} {b} {}", p.ln());
        let [a, _, b] = around(high, &|x| distribution.ln_sf(x));
        assert!(b - slack <= p.ln() && p.ln() <= a + slack, "upper quantile at {p:e}: {a} {b} {}", p.ln());
    }
}

#[test]
fn skew_normal() {
    meets("skew_normal", 1e-14, 1e-12, 1e-13);
    for parameters in [[0.5, 2.0, 3.0], [0.0, 1.0, -0.7], [-2.0, 0.1, 40.0], [0.0, 1.0, 0.0]] {
        let distribution = obeys::<SkewNormal>(&parameters);
        let mode = posterior_dist::Mode::mode(&distribution).expect("one");
        assert!(
            posterior_dist::PointGradient::point_gradient(&distribution, &mode).abs() < 1e-13 / parameters[1]
        );
    }
    // With α = 1 it is the larger one of two normal variables.
    let larger: SkewNormal = make(&[0.0, 1.0, 1.0]);
    for z in [-30.0, -7.0, -1.0, 0.3, 2.5] {
        let one = posterior_dist::Normal::STANDARD;
        assert_close(larger.cdf(z), one.cdf(z).powi(2), 1e-13);
        assert_close(larger.sf(z), one.sf(z) * (1.0 + one.cdf(z)), 1e-14);
    }
    assert_close(larger.ln_cdf(-100.0), 2.0 * posterior_dist::Normal::STANDARD.ln_cdf(-100.0), 1e-15);
    assert!(SkewNormal::new(0.0, 1.0, f64::INFINITY).is_err() && SkewNormal::new(0.0, 0.0, 1.0).is_err());
}

#[test]
fn generalized_extreme_value() {
    meets("generalized_extreme_value", 1e-13, 1e-12, 1e-12);
    for parameters in [[0.0, 1.0, 0.0], [3.0, 2.0, 0.2], [-1.0, 0.5, -0.4], [0.0, 1.0, 1e-7], [5.0, 1.0, 0.9]]
    {
        obeys::<GeneralizedExtremeValue>(&parameters);
    }
    assert!(GeneralizedExtremeValue::new(0.0, -1.0, 0.0).is_err());
}

#[test]
fn generalized_pareto() {
    meets("generalized_pareto", 1e-14, 1e-13, 1e-13);
    for parameters in [[0.0, 1.0, 0.0], [3.0, 2.0, 0.2], [-1.0, 0.5, -0.4], [0.0, 1.0, 1e-7], [0.0, 1.0, 0.7]]
    {
        obeys::<GeneralizedPareto>(&parameters);
    }
    // Lomax, exponential and uniform distributions are of the kind.
    let (heavy, lomax): (GeneralizedPareto, Lomax) = (make(&[0.0, 2.0, 0.25]), make(&[4.0, 8.0]));
    let (light, exponential): (GeneralizedPareto, Exponential) = (make(&[0.0, 2.0, 0.0]), make(&[0.5]));
    let (flat, uniform): (GeneralizedPareto, Uniform) = (make(&[1.0, 2.0, -1.0]), make(&[1.0, 3.0]));
    for x in [1.1, 1.7, 2.9] {
        assert_within(heavy.ln_pdf(&x), lomax.ln_pdf(&x), 1e-14);
        assert_close(light.sf(x), exponential.sf(x), 1e-15);
        assert_close(flat.cdf(x), uniform.cdf(x), 1e-14);
    }
    assert_eq!(heavy.excess_kurtosis(), None);
    assert_close(flat.excess_kurtosis().unwrap_or(0.0), uniform.excess_kurtosis().unwrap_or(1.0), 1e-14);
}

/// By Zhang and Stephens.
#[test]
fn excesses_are_estimated() {
    let mut rng = stream(4, &[]);
    for shape in [-0.3, 0.0, 0.4, 1.1] {
        let distribution = GeneralizedPareto::new(0.0, 2.5, shape).expect("valid");
        let mut draws: Vec<f64> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
        draws.sort_by(f64::total_cmp);
        let fitted = GeneralizedPareto::of_excesses(&draws[draws.partition_point(|x| *x == 0.0)..]).unwrap();
        // The standard deviation of the estimate is (1 + ξ) / √n.
        let off = (fitted.shape() - shape).abs();
        assert!(off < 5.0 * (1.0 + shape) / 20_000_f64.sqrt(), "{shape}: {fitted:?}");
        assert!((fitted.scale() / 2.5 - 1.0).abs() < 0.06, "{shape}: {fitted:?}");
    }
    assert_eq!(GeneralizedPareto::of_excesses(&[1.0, 2.0, 3.0, 4.0]), None);
    assert_eq!(GeneralizedPareto::of_excesses(&[0.0, 1.0, 2.0, 3.0, 4.0]), None);
    assert_eq!(GeneralizedPareto::of_excesses(&[]), None);
}

#[test]
fn asymmetric_laplace() {
    meets("asymmetric_laplace", 1e-14, 1e-12, 1e-12);
    for parameters in [[0.0, 1.0, 0.5], [3.0, 2.0, 0.9], [-1.0, 0.1, 0.03]] {
        let distribution: AsymmetricLaplace = make(&parameters);
        let mut points = spread(&distribution);
        points.retain(|x| (x - parameters[0]).abs() > 1e-9);
        points.push(parameters[0]);
        points.sort_by(f64::total_cmp);
        consistency::univariate(&distribution, &points);
        consistency::continuous(&distribution, &points, 11);
        far_quantiles(&distribution);
    }
    let (half, laplace): (AsymmetricLaplace, Laplace) = (make(&[1.0, 2.0, 0.5]), make(&[1.0, 2.0]));
    for x in [-9.0, 0.9, 1.0, 30.0] {
        assert_within(half.ln_pdf(&x), laplace.ln_pdf(&x), 1e-14);
        assert_close(half.sf(x), laplace.sf(x), 1e-14);
    }
    for wrong in [0.0, 1.0, f64::NAN] {
        assert!(AsymmetricLaplace::new(0.0, 1.0, wrong).is_err());
    }
}

#[test]
fn half_student_t() {
    meets("half_student_t", 1e-13, 1e-12, 1e-12);
    for parameters in [[3.5, 1.0], [0.8, 2.0], [30.0, 1e-3], [1e17, 1.0]] {
        obeys::<HalfStudentT>(&parameters);
    }
    let (one, cauchy): (HalfStudentT, HalfCauchy) = (make(&[1.0, 2.0]), make(&[2.0]));
    let (many, normal): (HalfStudentT, HalfNormal) = (make(&[1e18, 2.0]), make(&[2.0]));
    for x in [1e-200, 1e-3, 1.0, 5.0, 20.0] {
        assert_close(one.cdf(x), cauchy.cdf(x), 1e-14);
        assert_close(one.sf(x), cauchy.sf(x), 1e-14);
        assert_close(many.cdf(x), normal.cdf(x), 1e-14);
        assert_close(many.sf(x), normal.sf(x), 1e-13);
    }
}

#[test]
fn kumaraswamy() {
    meets("kumaraswamy", 1e-13, 1e-12, 1e-10);
    for parameters in [[2.0, 5.0], [0.7, 1.5], [1.0, 1.0], [30.0, 1.6]] {
        let distribution: Kumaraswamy = make(&parameters);
        consistency::univariate(&distribution, &spread(&distribution));
        consistency::continuous(&distribution, &spread(&distribution), 11);
    }
}

#[test]
fn logit_normal() {
    meets("logit_normal", 1e-13, 1e-12, 0.0);
    for parameters in [[0.0, 1.0], [-3.0, 0.5], [1.0, 4.0]] {
        let distribution: LogitNormal = make(&parameters);
        consistency::univariate(&distribution, &spread(&distribution));
        consistency::line(&distribution, &spread(&distribution), 11);
    }
    // By differences of the parameters.
    let distribution: LogitNormal = make(&[0.5, 1.5]);
    let step = 1e-5;
    for (index, slope) in distribution.parameter_gradient(&0.3).into_iter().enumerate() {
        let at = |step: f64| {
            let mut moved = [0.5, 1.5];
            moved[index] += step;
            make::<LogitNormal>(&moved).ln_pdf(&0.3)
        };
        assert_within(slope, (at(step) - at(-step)) / (2.0 * step), 1e-8);
    }
}

#[test]
fn generalized_gamma() {
    meets("generalized_gamma", 1e-13, 1e-11, 1e-9);
    for parameters in [[1.0, 2.0, 3.0], [0.4, 1.5, 1.0], [12.0, 0.3, 2.0], [3.0, 20.0, 1e-3]] {
        obeys::<GeneralizedGamma>(&parameters);
    }
    let (one, weibull): (GeneralizedGamma, Weibull) = (make(&[1.0, 0.6, 3.0]), make(&[0.6, 3.0]));
    assert_close(one.entropy(), weibull.entropy(), 1e-14);
    assert_close(one.variance().unwrap_or(0.0), weibull.variance().unwrap_or(1.0), 1e-13);
    assert_close(one.ln_sf(40.0), weibull.ln_sf(40.0), 1e-14);
}

/// Draws against the probabilities of the eight parts of the line between quantiles.
#[track_caller]
fn draws_follow(text: &str) {
    let distribution: AnyUnivariate = text.parse().expect("a distribution");
    let mut cuts: Vec<f64> = (1..8).map(|k| distribution.quantile(f64::from(k) / 8.0)).collect();
    cuts.dedup();
    let mut counts = vec![0_u64; cuts.len() + 1];
    let mut rng = stream(3, &[]);
    for _ in 0..20_000 {
        let draw: f64 = distribution.sample(&mut rng);
        counts[cuts.partition_point(|&cut| cut < draw)] += 1;
    }
    let mut expected = Vec::new();
    let mut below = 0.0;
    for cut in cuts.iter().map(|&cut| distribution.cdf(cut)).chain([1.0]) {
        expected.push(20_000.0 * (cut - below));
        below = cut;
    }
    let (counts, expected): (Vec<u64>, Vec<f64>) =
        counts.into_iter().zip(expected).filter(|own| own.1 > 5.0).unzip();
    let p = chi_square_p_value(&counts, &expected);
    assert!(p >= LEVEL, "{text}: {counts:?} {expected:?} p = {p:e}");
}

#[test]
fn skellam() {
    meets("skellam", 1e-12, 1e-11, 1e-13);
    for (plus, minus) in [(1.6, 1.1), (0.2, 9.0), (300.0, 280.0)] {
        let distribution = Skellam::new(plus, minus).expect("positive");
        let points: Vec<f64> = spread(&distribution);
        consistency::univariate(&distribution, &points);
        for k in [-3, 0, 2] {
            let [by_plus, by_minus] = distribution.parameter_gradient(&k);
            let at = |a: f64, b: f64| Skellam::new(plus + a, minus + b).expect("positive").ln_pdf(&k);
            let step = 1e-5;
            assert_within(by_plus, (at(step, 0.0) - at(-step, 0.0)) / (2.0 * step), 1e-7);
            assert_within(by_minus, (at(0.0, step) - at(0.0, -step)) / (2.0 * step), 1e-7);
        }
        // The mirror image.
        let other = Skellam::new(minus, plus).expect("positive");
        for k in [-40.0, -2.0, 0.0, 5.0] {
            assert_close(distribution.sf(k), other.cdf(-k - 1.0), 1e-13);
        }
    }
    // A count down that never comes, and masses where both expansions meet.
    let (alone, poisson) =
        (Skellam::new(3.0, 1e-300).expect("positive"), Poisson::new(3.0).expect("positive"));
    assert_close(alone.cdf(2.0), poisson.cdf(2.0), 1e-14);
    for text in ["skellam(1.6, 1.1)", "skellam(500, 0.5)", "skellam(1e6, 1e6)"] {
        draws_follow(text);
    }
}

#[test]
fn poisson_binomial() {
    meets("poisson_binomial", 1e-13, 1e-12, 1e-10);
    let probabilities: Vec<f64> = (1..60).map(|k| f64::from(k) / 77.0).collect();
    let distribution = PoissonBinomial::new(&probabilities).expect("probabilities");
    consistency::counted_masses(&distribution);
    consistency::counted_draws(&distribution, 5);
    consistency::univariate(&distribution, &[-1.0, 0.0, 3.0, 20.5, 40.0, 59.0]);
    let sure = PoissonBinomial::new(&[0.0, 1.0, 0.5]).expect("probabilities");
    assert_eq!((sure.quantile(0.0), sure.quantile(1.0)), (1.0, 2.0));
    // Masses below the range of f64 keep their logarithm: 1/4 in each of 1200 trials.
    let many = PoissonBinomial::new(&[0.25; 1200]).expect("probabilities");
    assert_close(many.ln_pdf(&1200), 1200.0 * 0.25_f64.ln(), 1e-14);
    assert_close(many.ln_sf(1199.0), 1200.0 * 0.25_f64.ln(), 1e-14);
    assert!(PoissonBinomial::new(&[]).is_err() && PoissonBinomial::new(&[1.5]).is_err());
}

#[test]
fn zeta() {
    meets("zeta", 1e-13, 1e-12, 4e-12);
    for exponent in [1.7, 4.0, 12.0] {
        let distribution = Zeta::new(exponent).expect("above 1");
        consistency::univariate(&distribution, &[0.0, 1.0, 2.0, 10.0, 1000.0, 1e7]);
        consistency::parameter_gradient(&distribution, &[1, 2, 50]);
    }
    for text in ["zeta(2)", "zeta(1.2)", "zeta(6)"] {
        draws_follow(text);
    }
    for wrong in [1.0, 0.5, f64::NAN, f64::INFINITY] {
        assert!(Zeta::new(wrong).is_err());
    }
}

#[test]
fn zipf() {
    meets("zipf", 1e-13, 1e-12, 1e-11);
    for (exponent, elements) in [(1.0, 30), (0.4, 2000), (3.0, 7)] {
        let distribution = Zipf::new(exponent, elements).expect("valid");
        consistency::counted_masses(&distribution);
        consistency::counted_draws(&distribution, 6);
        consistency::univariate(&distribution, &[0.0, 1.0, 2.0, 5.5, 29.0]);
    }
    draws_follow("zipf(1.1, 1000000)");
    assert!(Zipf::new(-1.0, 3).is_err() && Zipf::new(1.0, 0).is_err());
}
