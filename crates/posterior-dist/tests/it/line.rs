//! Univariate distributions, and folded at zero: tables, identities of the traits, golden numbers, misuse.

mod all_numbers;
mod conjugacy;

use posterior_dist::{
    Cauchy, Conjugate, Density, Entropy, ExponentialFamily, Frechet, Gumbel, HalfCauchy, HalfNormal,
    KlDivergence, Laplace, LogLogistic, LogNormal, Logistic, Moments, Normal, NormalKnownMean,
    NormalKnownVariance, Rayleigh, Shape, Stats, StudentT, Triangular, Uniform, Univariate,
};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::{consistency, distribution_table};

/// Points of the real line, about a centre.
fn around(center: f64, scale: f64) -> Vec<f64> {
    [-30.0, -4.0, -1.3, -0.4, 0.0, 0.01, 0.7, 2.5, 9.0, 40.0].iter().map(|z| center + scale * z).collect()
}

const POSITIVE: [f64; 8] = [-1.0, 0.0, 1e-9, 0.2, 0.9, 2.3, 7.0, 60.0];

/// KL(p ‖ q) against its integral, to 1e-9 of itself or one.
#[track_caller]
fn divergence_is_its_integral<D: Univariate + Density<Point = f64> + KlDivergence>(p: &D, q: &D, kink: f64) {
    consistency::kl_divergence::<D, f64>(p, q, None);
    let tails = [0.5, 0.2, 0.05, 1e-2, 1e-3, 1e-5, 1e-8, 1e-12, 1e-16];
    let mut cuts: Vec<f64> = tails.iter().flat_map(|&t| [p.quantile(t), p.upper_quantile(t)]).collect();
    cuts.push(kink);
    cuts.retain(|x| *x > p.quantile(0.0) && *x < p.quantile(1.0));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let term = |x: f64| p.ln_pdf(&x).exp() * (p.ln_pdf(&x) - q.ln_pdf(&x));
    let integral = gauss_kronrod_pieces(term, &cuts, &QuadratureOptions::default()).value;
    assert_within(p.kl_divergence(q), integral, 1e-9 * integral.max(1.0));
}

#[test]
fn normal() {
    distribution_table::continuous::<Normal>("normal").assert(1e-15);
    let (p, q) = (Normal::mean_sd(0.4, 0.7).expect("valid"), Normal::mean_sd(-1.0, 0.9).expect("valid"));
    let points = around(0.4, 0.7);
    consistency::univariate(&p, &points);
    consistency::continuous(&p, &points, 2);
    consistency::exponential_family(&p, &points, 1e-12);
    consistency::stats::<Normal, f64>(&(), &points);
    divergence_is_its_integral(&p, &q, 0.0);
    consistency::bregman(&p, &q, 1e-12);
    assert!(Stats::<Normal>::of((), &[1.0, f64::INFINITY]).is_err());
}

#[test]
fn constructors_of_the_normal_agree() {
    let distribution = Normal::mean_sd(3.0, 0.5).expect("valid");
    assert_eq!(Normal::mean_variance(3.0, 0.25), Ok(distribution));
    assert_eq!(Normal::mean_precision(3.0, 4.0), Ok(distribution));
    assert_eq!(Normal::mean_sd(0.0, 1.0), Ok(Normal::STANDARD));
    assert_eq!(
        (distribution.sd(), distribution.precision(), distribution.variance()),
        (0.5, 4.0, Some(0.25))
    );
}

#[test]
fn data_far_from_zero_keep_their_digits() {
    let data: Vec<f64> = (0..1000).map(|i| 1e8 + f64::from(i % 3) - 1.0).collect();
    let fitted = Normal::maximum_likelihood(&Stats::of((), &data).expect("finite")).expect("spread");
    // 334 at -1, 333 at 0 and at 1.
    let variance = 0.667 - 1e-6;
    assert_close(fitted.variance().expect("exists"), variance, 1e-12);
    assert!(Normal::maximum_likelihood(&Stats::new(())).is_err());
    assert!(Normal::maximum_likelihood(&Stats::of((), &[2.0]).expect("finite")).is_err(), "one point");
    // Neighbours among numbers: their spread is as large as the rounding of their mean.
    let rounding = Stats::of((), &[2.0, 2.0 + 4.0 * f64::EPSILON]).expect("finite");
    assert_eq!(Normal::maximum_likelihood(&rounding).expect_err("rounding").parameter(), "sd");
    assert!(Normal::maximum_likelihood(&Stats::of((), &[2.0, 2.0 + 1e-12]).expect("finite")).is_ok());

    // The evidence too: nothing but the distance from the prior's mean may matter.
    let of = |center: f64| {
        let prior = Normal::mean_sd(center, 3.0).expect("valid");
        let data: Vec<f64> = [0.5, -1.25, 2.0, 0.75].iter().map(|x| center + x).collect();
        let stats = Stats::<NormalKnownVariance>::of(2.0, &data).expect("finite");
        NormalKnownVariance::ln_evidence(&prior, &stats).expect("valid")
    };
    assert_close(of(1e8), of(0.0), 1e-14);
}

#[test]
fn lognormal() {
    distribution_table::continuous::<LogNormal>("lognormal").assert(1e-14);
    let (p, q) = (LogNormal::new(0.4, 0.7).expect("valid"), LogNormal::new(-0.5, 0.9).expect("valid"));
    consistency::univariate(&p, &POSITIVE);
    consistency::continuous(&p, &POSITIVE, 3);
    consistency::exponential_family(&p, &POSITIVE[2..], 1e-12);
    consistency::stats::<LogNormal, f64>(&(), &POSITIVE[2..]);
    divergence_is_its_integral(&p, &q, 1.0);
    consistency::bregman(&p, &q, 1e-12);
    assert_eq!(LogNormal::from(p.logarithm()), p);
    assert!(Stats::<LogNormal>::of((), &[1.0, 0.0]).is_err());
}

#[test]
fn half_normal() {
    distribution_table::continuous::<HalfNormal>("half_normal").assert(1e-15);
    let (p, q) = (HalfNormal::new(0.7).expect("positive"), HalfNormal::new(0.9).expect("positive"));
    consistency::univariate(&p, &POSITIVE);
    consistency::continuous(&p, &POSITIVE, 4);
    consistency::exponential_family(&p, &POSITIVE[1..6], 1e-12);
    consistency::stats::<HalfNormal, f64>(&(), &POSITIVE[1..]);
    divergence_is_its_integral(&p, &q, 1.0);
    consistency::bregman(&p, &q, 1e-12);
}

#[test]
fn student_t() {
    distribution_table::continuous::<StudentT>("student_t").assert(1e-13);
    for (index, degrees_of_freedom) in [2.8, 5.0, 30.0, 1e4].into_iter().enumerate() {
        let distribution = StudentT::new(degrees_of_freedom, 0.4, 0.7).expect("valid");
        consistency::univariate(&distribution, &around(0.4, 0.7));
        consistency::continuous(&distribution, &around(0.4, 0.7), 5 + index as u64);
    }
    for degrees_of_freedom in [0.3, 1.0, 1.7] {
        let distribution = StudentT::new(degrees_of_freedom, 0.4, 0.7).expect("valid");
        consistency::univariate(&distribution, &around(0.4, 0.7));
        consistency::continuous(&distribution, &around(0.4, 0.7), 15);
    }
    // DIST-12.
    assert_close(StudentT::standard(5.0).expect("positive").ln_pdf(&1.0), -1.5155842594365883, 1e-15);
}

#[test]
fn student_t_is_cauchy_and_normal_at_the_ends() {
    let (t, cauchy) = (StudentT::standard(1.0).expect("positive"), Cauchy::new(0.0, 1.0).expect("positive"));
    for x in [-1e200, -1e30, -1e9, -3.0, -0.2, 0.0, 1e-5, 1.0, 7.0, 1e22, 1e250] {
        assert_close(t.cdf(x), cauchy.cdf(x), 2e-13);
        assert_close(t.ln_sf(x), cauchy.ln_sf(x), 2e-13);
        assert_close(t.ln_pdf(&x), cauchy.ln_pdf(&x), 1e-14);
    }
    for p in [1e-300, 1e-60, 1e-12, 0.01, 0.3, 0.499, 0.7, 0.999] {
        assert_close(t.quantile(p), cauchy.quantile(p), 1e-12);
    }
    for degrees_of_freedom in [1e15, 1e16, 1e40, 1e300] {
        let t = StudentT::standard(degrees_of_freedom).expect("positive");
        for x in [-37.0, -8.0, -1.0, 0.0, 0.3, 5.0] {
            assert_close(t.cdf(x), Normal::STANDARD.cdf(x), 1e-9);
            assert_close(t.ln_pdf(&x), Normal::STANDARD.ln_pdf(&x), 1e-12);
        }
        assert_close(t.quantile(1e-20), Normal::STANDARD.quantile(1e-20), 1e-12);
        assert_close(t.entropy(), Normal::STANDARD.entropy(), 1e-14);
    }
    // Tails of powers, where f64 cannot hold the proportion ν/(ν + t²).
    let t = StudentT::standard(0.05).expect("positive");
    for p in [1e-3, 1e-6, 1e-9, 1e-14] {
        let x = t.quantile(p);
        assert_close(t.cdf(x), p, 1e-12);
        assert_close(t.upper_quantile(p), -x, 1e-15);
    }
}

#[test]
fn cauchy() {
    distribution_table::continuous::<Cauchy>("cauchy").assert(1e-15);
    let (p, q) = (Cauchy::new(0.4, 0.7).expect("positive"), Cauchy::new(-1.0, 2.0).expect("positive"));
    consistency::univariate(&p, &around(0.4, 0.7));
    consistency::continuous(&p, &around(0.4, 0.7), 20);
    divergence_is_its_integral(&p, &q, 0.0);
}

#[test]
fn half_cauchy() {
    distribution_table::continuous::<HalfCauchy>("half_cauchy").assert(1e-15);
    let (p, q) = (HalfCauchy::new(0.7).expect("positive"), HalfCauchy::new(2.0).expect("positive"));
    consistency::univariate(&p, &POSITIVE);
    consistency::continuous(&p, &POSITIVE, 21);
    divergence_is_its_integral(&p, &q, 1.0);
}

#[test]
fn laplace() {
    distribution_table::continuous::<Laplace>("laplace").assert(1e-15);
    let (p, q) = (Laplace::new(0.4, 0.7).expect("positive"), Laplace::new(-1.0, 2.0).expect("positive"));
    consistency::univariate(&p, &around(0.4, 0.7));
    consistency::continuous(&p, &around(0.4, 0.7), 22);
    divergence_is_its_integral(&p, &q, -1.0);
    divergence_is_its_integral(&q, &p, 0.4);
}

#[test]
fn logistic() {
    distribution_table::continuous::<Logistic>("logistic").assert(1e-15);
    let distribution = Logistic::new(0.4, 0.7).expect("positive");
    consistency::univariate(&distribution, &around(0.4, 0.7));
    consistency::continuous(&distribution, &around(0.4, 0.7), 23);
}

#[test]
fn gumbel() {
    distribution_table::continuous::<Gumbel>("gumbel").assert(1e-15);
    let (p, q) = (Gumbel::new(0.4, 0.7).expect("positive"), Gumbel::new(-1.0, 2.0).expect("positive"));
    consistency::univariate(&p, &around(0.4, 0.7));
    consistency::continuous(&p, &around(0.4, 0.7)[1..], 24);
    divergence_is_its_integral(&p, &q, 0.0);
    divergence_is_its_integral(&q, &p, 0.0);
}

#[test]
fn uniform() {
    distribution_table::continuous::<Uniform>("uniform").assert(1e-15);
    let (p, q) = (Uniform::new(-1.0, 2.5).expect("ordered"), Uniform::new(-1.0, 4.0).expect("ordered"));
    let points = [-2.0, -1.0, -0.3, 0.0, 1.7, 2.5, 3.0];
    consistency::univariate(&p, &points);
    consistency::continuous(&p, &points, 25);
    divergence_is_its_integral(&p, &q, 0.0);
    assert_eq!(q.kl_divergence(&p), f64::INFINITY);
}

#[test]
fn rayleigh() {
    let (p, q) = (Rayleigh::new(0.7).expect("positive"), Rayleigh::new(0.9).expect("positive"));
    consistency::univariate(&p, &POSITIVE);
    consistency::continuous(&p, &POSITIVE, 26);
    consistency::exponential_family(&p, &POSITIVE[2..6], 1e-12);
    consistency::stats::<Rayleigh, f64>(&(), &POSITIVE[2..]);
    divergence_is_its_integral(&p, &q, 1.0);
    consistency::bregman(&p, &q, 1e-12);
    shape_is_its_integral(&p, 1.0);
}

#[test]
fn frechet() {
    let (p, q) = (Frechet::new(6.5, 0.7).expect("positive"), Frechet::new(4.5, 0.9).expect("positive"));
    let points = [-1.0, 0.0, 0.5, 0.6, 0.9, 2.3, 7.0, 60.0];
    consistency::univariate(&p, &points);
    consistency::continuous(&p, &points, 27);
    consistency::continuous(&Frechet::new(0.5, 3.0).expect("positive"), &points, 28);
    divergence_is_its_integral(&p, &q, 1.0);
    shape_is_its_integral(&p, 1.0);
}

#[test]
fn log_logistic() {
    let p = LogLogistic::new(6.5, 0.7).expect("positive");
    consistency::univariate(&p, &POSITIVE);
    consistency::continuous(&p, &POSITIVE, 29);
    for shape in [0.8, 2.5, 40.0] {
        consistency::continuous(&LogLogistic::new(shape, 3.0).expect("positive"), &POSITIVE[3..], 30);
    }
    shape_is_its_integral(&p, 1.0);
    // (β/π)² α⁻² Var → ⅓ as the distribution becomes normal in ln x: no digits are lost to cancellation.
    let narrow = LogLogistic::new(1e6, 1.0).expect("positive").variance().expect("finite");
    assert_close(narrow * 1e12, std::f64::consts::PI.powi(2) / 3.0, 1e-10);
}

#[test]
fn triangular() {
    let points = [-1.5, 0.1, 0.2, 0.7, 1.3, 1.9, 2.7, 4.0];
    for (low, mode, high) in
        [(-1.0, 0.2, 3.0), (0.0, 0.1, 2.0), (0.5, 1.9, 2.0), (0.0, 0.0, 2.0), (0.5, 2.0, 2.0)]
    {
        let distribution = Triangular::new(low, mode, high).expect("ascending");
        consistency::univariate(&distribution, &points);
        shape_is_its_integral(&distribution, mode);
        // With the mode at an end a parameter can move to one side only.
        if low < mode && mode < high {
            consistency::continuous(&distribution, &points, 31);
        }
    }
    assert!(Triangular::new(0.0, 2.0, 1.0).is_err() && Triangular::new(1.0, 1.0, 1.0).is_err());
    assert!(Triangular::new(0.0, f64::NAN, 1.0).is_err());
}

/// Skewness, excess kurtosis and entropy of a distribution against their integrals, to 1e-8.
#[track_caller]
fn shape_is_its_integral<D>(distribution: &D, kink: f64)
where
    D: Univariate + Density<Point = f64> + Moments + Shape + Entropy,
{
    let tails = [0.5, 0.2, 0.05, 1e-2, 1e-3, 1e-5, 1e-8, 1e-12, 1e-16, 1e-24, 1e-32, 1e-48, 1e-64];
    let mut cuts: Vec<f64> =
        tails.iter().flat_map(|&t| [distribution.quantile(t), distribution.upper_quantile(t)]).collect();
    cuts.push(kink);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mean = |g: &dyn Fn(f64) -> f64| {
        let term = |x: f64| distribution.ln_pdf(&x).exp() * g(x);
        gauss_kronrod_pieces(term, &cuts, &QuadratureOptions::default()).value
    };
    let (center, variance) = (distribution.mean().expect("exists"), distribution.variance().expect("exists"));
    let standard = |x: f64| (x - center) / variance.sqrt();
    assert_within(distribution.entropy(), mean(&|x| -distribution.ln_pdf(&x).max(-1e3)), 1e-8);
    let skewness = distribution.skewness().expect("exists");
    assert_within(skewness, mean(&|x| standard(x).powi(3)), 1e-8 * skewness.abs().max(1.0));
    let kurtosis = distribution.excess_kurtosis().expect("exists");
    assert_within(kurtosis, mean(&|x| standard(x).powi(4)) - 3.0, 1e-8 * kurtosis.abs().max(1.0));
}

#[test]
fn parameters_that_no_distribution_has_are_refused_with_their_value() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = [
            Normal::mean_sd(bad, 1.0).err(),
            LogNormal::new(bad, 1.0).err(),
            StudentT::new(1.0, bad, 1.0).err(),
            Cauchy::new(bad, 1.0).err(),
            Laplace::new(bad, 1.0).err(),
            Logistic::new(bad, 1.0).err(),
            Gumbel::new(bad, 1.0).err(),
            Uniform::new(bad, 1.0).err(),
            Uniform::new(0.0, bad).err(),
            NormalKnownVariance::new(bad, 1.0).err(),
            NormalKnownMean::new(bad, 1.0).err(),
        ];
        for error in refused {
            assert_eq!(error.expect("refused").value().to_bits(), bad.to_bits(), "{error:?}");
        }
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = [
            Normal::mean_sd(0.0, bad).err(),
            Normal::mean_variance(0.0, bad).err(),
            Normal::mean_precision(0.0, bad).err(),
            LogNormal::new(0.0, bad).err(),
            HalfNormal::new(bad).err(),
            StudentT::new(bad, 0.0, 1.0).err(),
            StudentT::new(1.0, 0.0, bad).err(),
            Cauchy::new(0.0, bad).err(),
            HalfCauchy::new(bad).err(),
            Rayleigh::new(bad).err(),
            Frechet::new(bad, 1.0).err(),
            Frechet::new(1.0, bad).err(),
            LogLogistic::new(bad, 1.0).err(),
            LogLogistic::new(1.0, bad).err(),
            Laplace::new(0.0, bad).err(),
            Logistic::new(0.0, bad).err(),
            Gumbel::new(0.0, bad).err(),
            NormalKnownVariance::new(0.0, bad).err(),
            NormalKnownMean::new(0.0, bad).err(),
        ];
        for error in refused {
            assert_eq!(error.expect("refused").value().to_bits(), bad.to_bits(), "{error:?}");
        }
    }
    assert!(Uniform::new(1.0, 1.0).is_err() && Uniform::new(-1e308, 1e308).is_err());
}
