//! Distributions of counts: their tables and identities, one test each.

use posterior_dist::{
    Beta, BetaBinomial, BetaNegativeBinomial, Binomial, Conjugate, Density, Dirichlet, DiscreteUniform,
    Entropy, ExponentialFamily, Gamma, Geometric, Hypergeometric, KlDivergence, Mode, Moments, Multinomial,
    MultinomialSize, Natural, NegativeBinomial, Parametric, Poisson, Shape, Stats, Univariate, ZeroInflated,
    stream::stream,
};
use posterior_math::special::beta_p;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::{consistency, distribution_table};
use proptest::prelude::*;
use rand::distr::Distribution;

const POINTS: [u64; 6] = [0, 1, 2, 5, 20, 1000];
const NUMBERS: [f64; 9] = [-1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 5.5, 20.0, 100.0];

fn distribution<D: Parametric>(parameters: &[f64]) -> D {
    D::from_parameters(parameters).expect("valid parameters")
}

#[test]
fn poisson() {
    distribution_table::counted::<Poisson>("poisson").assert(1e-14);
    for rate in [1e-3, 0.7, 3.5, 11.99, 12.0, 90.0, 1e4] {
        consistency::counted(&distribution::<Poisson>(&[rate]), 1);
    }
    let (p, q) = (distribution::<Poisson>(&[3.5]), distribution::<Poisson>(&[0.8]));
    assert_close(p.ln_pdf(&2), -1.6876212435692093, 1e-15);
    consistency::univariate(&p, &NUMBERS);
    consistency::exponential_family(&p, &POINTS, 1e-12);
    consistency::stats::<Poisson, u64>(&(), &POINTS);
    consistency::kl_divergence::<_, u64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);
    // ½ ln 2πeλ - 1/(12 λ) - 1/(24 λ²) - 19/(360 λ³)
    for rate in [1e4, 3e6, 1e12, 1e18] {
        let series = 0.5 * (std::f64::consts::TAU * std::f64::consts::E * rate).ln()
            - (12.0_f64 * rate).recip()
            - (24.0 * rate * rate).recip()
            - 19.0 / (360.0 * rate * rate * rate);
        assert_close(distribution::<Poisson>(&[rate]).entropy(), series, 1e-13);
    }
    let nothing = distribution::<Poisson>(&[0.0]);
    consistency::univariate(&nothing, &NUMBERS);
    assert_eq!((nothing.ln_pdf(&0), nothing.ln_pdf(&1)), (0.0, f64::NEG_INFINITY));
    assert_eq!((nothing.sample(&mut stream(1, &[])), nothing.entropy(), nothing.mode()), (0, 0.0, Some(0)));
    for rate in [-1.0, f64::NAN, f64::INFINITY, 1.9e19] {
        let error = Poisson::new(rate).expect_err("no rate");
        assert_eq!(error.value().to_bits(), rate.to_bits());
    }
}

#[test]
fn geometric() {
    distribution_table::counted::<Geometric>("geometric").assert(1e-14);
    for success in [1e-3, 0.3, 0.85, 1.0 - 1e-9] {
        consistency::counted(&distribution::<Geometric>(&[success]), 2);
    }
    let (p, q) = (distribution::<Geometric>(&[0.3]), distribution::<Geometric>(&[0.6]));
    consistency::univariate(&p, &NUMBERS);
    consistency::univariate(&distribution::<Geometric>(&[1.0]), &NUMBERS);
    consistency::exponential_family(&p, &POINTS, 1e-12);
    consistency::stats::<Geometric, u64>(&(), &POINTS);
    consistency::kl_divergence::<_, u64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);
    for success in [-1.0, f64::NAN, 0.0, f64::INFINITY, 1.5] {
        assert!(Geometric::new(success).is_err());
    }
}

#[test]
fn negative_binomial() {
    distribution_table::counted::<NegativeBinomial>("negative_binomial").assert(1e-14);
    for [r, p] in [[1.0, 0.5], [0.2, 0.05], [3.5, 0.3], [100.0, 0.8], [0.01, 0.01], [1e5, 0.5]] {
        consistency::counted(&distribution::<NegativeBinomial>(&[r, p]), 3);
    }
    let (p, q) =
        (distribution::<NegativeBinomial>(&[3.5, 0.3]), distribution::<NegativeBinomial>(&[3.5, 0.6]));
    consistency::univariate(&p, &NUMBERS);
    consistency::univariate(&distribution::<NegativeBinomial>(&[2.0, 1.0]), &NUMBERS);
    consistency::exponential_family(&p, &POINTS, 1e-12);
    consistency::stats::<NegativeBinomial, u64>(&3.5, &POINTS);
    consistency::kl_divergence::<_, u64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);
    // Two that differ in r, against a plain sum.
    let other = distribution::<NegativeBinomial>(&[1.25, 0.2]);
    let term = |k: u64| p.ln_pdf(&k).exp() * (p.ln_pdf(&k) - other.ln_pdf(&k));
    assert_close(p.kl_divergence(&other), (0..400).map(term).sum(), 1e-12);
    // For one success it is the geometric distribution.
    let (one, geometric) = (distribution::<NegativeBinomial>(&[1.0, 0.3]), distribution::<Geometric>(&[0.3]));
    assert_close(one.sf(7.0), geometric.sf(7.0), 1e-14);
    for [r, p] in [[0.0, 0.5], [-1.0, 0.5], [f64::NAN, 0.5], [1.0, 0.0], [1.0, 1.5], [1.0, f64::NAN]] {
        assert!(NegativeBinomial::new(r, p).is_err());
    }
    assert!(NegativeBinomial::mean_dispersion(-1.0, 1.0).is_err());
}

#[test]
fn binomial() {
    distribution_table::counted::<Binomial>("binomial").assert(1e-14);
    for (n, p) in [(1, 0.3), (10, 0.5), (50, 0.02), (1000, 0.8), (200, 0.98), (100_000, 0.3)] {
        consistency::counted(&Binomial::new(n, p).expect("a probability"), 4);
    }
    let (p, q) = (distribution::<Binomial>(&[10.0, 0.3]), distribution::<Binomial>(&[10.0, 0.6]));
    let support: Vec<u64> = (0..=10).collect();
    consistency::univariate(&p, &NUMBERS);
    consistency::kl_divergence(&p, &q, Some(&support));
    consistency::kl_divergence(&p, &distribution::<Binomial>(&[14.0, 0.6]), Some(&support));
    consistency::bregman(&p, &q, 1e-12);
    assert_eq!(q.kl_divergence(&distribution::<Binomial>(&[9.0, 0.6])), f64::INFINITY);
    // P(X ≥ k) = I_p(k, n - k + 1).
    assert_close(p.sf(3.0), beta_p(4.0, 7.0, 0.3), 1e-15);
    for (n, p) in [(0, 0.3), (5, 0.0), (5, 1.0)] {
        consistency::univariate(&Binomial::new(n, p).expect("a probability"), &NUMBERS);
    }
}

#[test]
fn a_binomial_from_its_logit_keeps_the_rarer_outcome() {
    for w in [40.0, -40.0, 800.0, -800.0] {
        let natural = Natural::<Binomial>::new(7, vec![w]).expect("one number");
        let distribution = Binomial::from_natural(&natural).expect("any logit");
        assert_close(distribution.natural().as_slice()[0], w, 1e-15);
        let rarest = if w > 0.0 { 0 } else { 7 };
        assert_close(distribution.ln_pdf(&rarest), -7.0 * w.abs(), 1e-15);
        // One of the common outcome among seven of them: ln 7 - 6 |w|.
        assert_close(distribution.ln_pdf(&if w > 0.0 { 1 } else { 6 }), 7_f64.ln() - 6.0 * w.abs(), 1e-15);
    }
    assert!(Binomial::from_logit(3, f64::NAN).is_err());
}

#[test]
fn rare_successes_among_huge_numbers_of_trials_are_drawn_right() {
    // n is so large that 1 - p has lost most digits of p: the distribution is that of Poisson(n p) up to
    // 1e-12.
    for (n, p) in [(10_u64.pow(15), 3e-15), (10_u64.pow(16), 4e-16), (u64::MAX, 2e-19)] {
        let binomial = Binomial::new(n, p).expect("a probability");
        consistency::counted_draws(&binomial, 5);
        let poisson = Poisson::new(n as f64 * p).expect("positive");
        for k in [0, 1, 5] {
            assert_close(binomial.ln_pdf(&k), poisson.ln_pdf(&k), 1e-12);
        }
    }
    for n in [1 << 40, 1 << 53, 1 << 60, u64::MAX] {
        consistency::counted_draws(&Binomial::new(n, 0.3).expect("a probability"), 6);
        consistency::counted_draws(&Binomial::new(n, 1.0 - 1e-6).expect("a probability"), 7);
    }
}

#[test]
fn hypergeometric() {
    distribution_table::counted::<Hypergeometric>("hypergeometric").assert(1e-14);
    let cases = [(20, 7, 12), (50, 5, 10), (1000, 300, 100), (30, 29, 15), (10_000, 5000, 4000), (9, 9, 4)];
    for (population, marked, drawn) in cases {
        let distribution = Hypergeometric::new(population, marked, drawn).expect("not too many");
        consistency::counted_masses(&distribution);
        consistency::counted_draws(&distribution, 8);
        consistency::univariate(&distribution, &NUMBERS);
    }
    for (population, marked, drawn) in [(0, 0, 0), (1, 1, 1), (1, 0, 1), (2, 1, 1)] {
        let distribution = Hypergeometric::new(population, marked, drawn).expect("not too many");
        consistency::univariate(&distribution, &NUMBERS);
        assert!(distribution.sample(&mut stream(1, &[])) <= 1);
    }
    let huge = Hypergeometric::new(u64::MAX, 1 << 62, 1 << 61).expect("not too many");
    consistency::counted_draws(&huge, 9);
    assert!(Hypergeometric::new(5, 6, 1).is_err() && Hypergeometric::new(5, 1, 6).is_err());
}

#[test]
fn beta_binomial() {
    distribution_table::counted::<BetaBinomial>("beta_binomial").assert(1e-13);
    let cases = [
        [10.0, 1.5, 1.0],
        [20.0, 0.5, 0.3],
        [100.0, 30.0, 70.0],
        [7.0, 0.001, 5.0],
        [500.0, 2.0, 1000.0],
        [3000.0, 0.4, 0.7],
        [5000.0, 0.5, 3.0],
        [5000.0, 50.0, 40.0],
        [6.0, 1.0, 1.0],
    ];
    for parameters in cases {
        let distribution = distribution::<BetaBinomial>(&parameters);
        consistency::counted(&distribution, 10);
        consistency::univariate(&distribution, &NUMBERS);
    }
    consistency::univariate(&distribution::<BetaBinomial>(&[0.0, 1.0, 2.0]), &NUMBERS);
    for [n, alpha, beta] in [[1.5, 1.0, 1.0], [2.0, 0.0, 1.0], [2.0, 1.0, f64::NAN], [2.0, 1e308, 1e308]] {
        assert!(BetaBinomial::from_parameters(&[n, alpha, beta]).is_err());
    }
}

#[test]
fn a_beta_binomial_of_huge_size_is_its_beta_distribution() {
    for (alpha, beta) in [(2.0, 3.0), (0.5, 4.0), (0.3, 0.6)] {
        let (distribution, limit) =
            (distribution::<BetaBinomial>(&[1e15, alpha, beta]), Beta::new(alpha, beta).expect("positive"));
        for proportion in [1e-3, 0.2, 0.5, 0.9] {
            assert_close(distribution.cdf(1e15 * proportion), limit.cdf(proportion), 1e-11);
            assert_close(distribution.sf(1e15 * proportion), limit.sf(proportion), 1e-11);
        }
        assert_within(distribution.entropy(), 1e15_f64.ln() + limit.entropy(), 1e-4);
        consistency::counted_draws(&distribution, 11);
    }
}

#[test]
fn beta_negative_binomial() {
    let distribution = distribution::<BetaNegativeBinomial>(&[2.5, 12.0, 3.0]);
    let masses: Vec<f64> = (0..20_000_u64).map(|k| distribution.ln_pdf(&k).exp()).collect();
    let moment =
        |f: &dyn Fn(f64) -> f64| masses.iter().enumerate().map(|(k, p)| p * f(k as f64)).sum::<f64>();
    assert_close(moment(&|_| 1.0), 1.0, 1e-13);
    let mean = distribution.mean().expect("exists");
    assert_close(moment(&|k| k), mean, 1e-12);
    assert_close(moment(&|k| (k - mean).powi(2)), distribution.variance().expect("exists"), 1e-12);
    consistency::parameter_gradient(&distribution, &POINTS);
    let mut rng = stream(12, &[]);
    let mut counts = [0_u64; 11];
    for _ in 0..20_000 {
        counts[distribution.sample(&mut rng).min(10) as usize] += 1;
    }
    let mut expected: Vec<f64> = masses[..10].iter().map(|p| 20_000.0 * p).collect();
    expected.push(20_000.0 - expected.iter().sum::<f64>());
    assert!(posterior_testkit::significance::chi_square_p_value(&counts, &expected) > 1e-6);
    assert_eq!(self::distribution::<BetaNegativeBinomial>(&[1.0, 0.5, 1.0]).mean(), Some(f64::INFINITY));
    assert!(BetaNegativeBinomial::new(0.0, 1.0, 1.0).is_err());
}

#[test]
fn discrete_uniform() {
    for (low, high) in [(0, 0), (1, 6), (10, 999)] {
        let distribution = DiscreteUniform::new(low, high).expect("ordered");
        consistency::counted_masses(&distribution);
        consistency::counted_draws(&distribution, 13);
        consistency::univariate(&distribution, &NUMBERS);
    }
    let (die, more) =
        (distribution::<DiscreteUniform>(&[1.0, 6.0]), distribution::<DiscreteUniform>(&[0.0, 9.0]));
    consistency::kl_divergence(&die, &more, Some(&[1, 2, 3, 4, 5, 6_u64]));
    assert_eq!(more.kl_divergence(&die), f64::INFINITY);
    consistency::univariate(&DiscreteUniform::new(0, u64::MAX).expect("ordered"), &NUMBERS);
    assert!(DiscreteUniform::new(2, 1).is_err());
}

#[test]
fn zero_inflated() {
    for excess in [0.0, 0.25, 0.999] {
        let distribution = ZeroInflated::new(excess, distribution::<Poisson>(&[3.0])).expect("a probability");
        assert_moments(&distribution);
        consistency::counted_draws(&distribution, 14);
        consistency::univariate(&distribution, &NUMBERS);
        let distribution = ZeroInflated::new(excess, self::distribution::<NegativeBinomial>(&[0.5, 0.1]))
            .expect("a probability");
        assert_moments(&distribution);
        consistency::univariate(&distribution, &NUMBERS);
    }
    consistency::univariate(
        &ZeroInflated::new(1.0, distribution::<Poisson>(&[3.0])).expect("a probability"),
        &NUMBERS,
    );
    for excess in [-0.1, 1.1, f64::NAN] {
        assert!(ZeroInflated::new(excess, ()).is_err());
    }
}

/// What `consistency::counted_masses` says, of a distribution without a mode of its own.
#[track_caller]
fn assert_moments<D>(distribution: &D)
where
    D: Density<Point = u64> + Moments + Shape + Entropy,
{
    let masses: Vec<(f64, f64)> = (0..2000).map(|k| (k as f64, distribution.ln_pdf(&k))).collect();
    let sum = |f: &dyn Fn(f64, f64) -> f64| masses.iter().map(|&(k, p)| p.exp() * f(k, p)).sum::<f64>();
    let mean = sum(&|k, _| k);
    let sd = sum(&|k, _| (k - mean).powi(2)).sqrt();
    assert_close(distribution.mean().expect("exists"), mean, 1e-11);
    assert_close(distribution.variance().expect("exists"), sd * sd, 1e-11);
    assert_close(distribution.skewness().expect("exists"), sum(&|k, _| ((k - mean) / sd).powi(3)), 1e-11);
    assert_close(
        distribution.excess_kurtosis().expect("exists"),
        sum(&|k, _| ((k - mean) / sd).powi(4)) - 3.0,
        1e-10,
    );
    assert_close(distribution.entropy(), sum(&|_, p| -p), 1e-11);
}

/// Every method once: nothing panics, nothing hangs, the distribution function is one.
fn survives<D>(distribution: &D, numbers: &[f64])
where
    D: Univariate + Density<Point = u64> + Moments + Shape + Entropy + Distribution<u64> + std::fmt::Debug,
{
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let mut previous = 0.0;
    for &x in &sorted {
        let cdf = distribution.cdf(x);
        assert!(
            (0.0..=1.0).contains(&cdf) && cdf >= previous * (1.0 - 1e-9),
            "cdf {previous:e}, then {cdf:e} at {x:e} of {distribution:?}"
        );
        assert!((0.0..=1.0 + 1e-12).contains(&distribution.sf(x)), "sf at {x:e} of {distribution:?}");
        assert!(distribution.ln_cdf(x) <= 1e-12 && distribution.ln_sf(x) <= 1e-12);
        previous = cdf;
    }
    for p in [1e-300, 1e-9, 0.5, 1.0 - 1e-9] {
        assert!(
            distribution.quantile(p) >= 0.0 && distribution.upper_quantile(p) >= 0.0,
            "quantile at {p:e}"
        );
    }
    for k in [0, 1, 1 << 40, u64::MAX] {
        assert!(!distribution.ln_pdf(&k).is_nan(), "ln_pdf at {k}");
    }
    let _ = (
        distribution.mean(),
        distribution.variance(),
        distribution.skewness(),
        distribution.excess_kurtosis(),
    );
    assert!(!distribution.entropy().is_nan(), "entropy of {distribution:?}");
    distribution.sample(&mut stream(1, &[]));
}

/// ln p is about -5e18, and rounded to 512: ratios of neighbouring masses overflow.
#[test]
fn tails_of_populations_beyond_all_digits_are_zero() {
    let distribution =
        Hypergeometric::new(16718769134217970689, 7817896904752175617, 4966499837111330818).unwrap();
    assert_eq!((distribution.cdf(1.0), distribution.sf(1.0)), (0.0, 1.0));
    assert!(distribution.ln_cdf(1.0) < -1e18 && distribution.ln_cdf(1.0) > f64::NEG_INFINITY);
    survives(&distribution, &[0.0, 1.0, 1e6, 1e18]);
}

proptest! {
    #[test]
    fn any_bits_make_a_distribution_that_survives_or_are_refused(
        bits in prop::array::uniform3(any::<u64>()),
        exponents in prop::array::uniform3(-320.0..308.0),
        numbers in prop::collection::vec(any::<u64>().prop_map(f64::from_bits), 4),
    ) {
        let numbers = [&numbers[..], &[-1.0, 0.0, 1.0, 1e6, 1e300]].concat();
        let wild = bits.map(f64::from_bits);
        let sized = exponents.map(|exponent: f64| 10_f64.powf(exponent));
        for [a, b, c] in [wild, sized] {
            let whole = (bits[0] >> 11) as f64;
            let proportion = b.abs().min(1.0);
            if let Ok(distribution) = Poisson::new(a) { survives(&distribution, &numbers); }
            if let Ok(distribution) = Geometric::new(a) { survives(&distribution, &numbers); }
            // Beyond, the incomplete beta function has no value yet.
            if let Ok(distribution) = NegativeBinomial::new(a.min(1e100), proportion) { survives(&distribution, &numbers); }
            if let Ok(distribution) = Binomial::new(bits[0], proportion) { survives(&distribution, &numbers); }
            if let Ok(distribution) = BetaBinomial::from_parameters(&[whole, b, c]) { survives(&distribution, &numbers); }
            if let Ok(distribution) = BetaNegativeBinomial::new(a, b, c) {
                distribution.sample(&mut stream(1, &[]));
                let _ = (distribution.mean(), distribution.variance());
            }
            if let Ok(distribution) = Poisson::new(a).and_then(|distribution| ZeroInflated::new(proportion, distribution)) {
                survives(&distribution, &numbers);
            }
        }
        if let Ok(distribution) = Hypergeometric::new(bits[0], bits[1] % (bits[0] | 1), bits[2] % (bits[0] | 1)) {
            survives(&distribution, &numbers);
        }
        if let Ok(distribution) = DiscreteUniform::new(bits[0].min(bits[1]), bits[0].max(bits[1])) {
            survives(&distribution, &numbers);
        }
    }
}

#[test]
fn the_gamma_is_conjugate_to_the_poisson() {
    let prior = Gamma::shape_rate(2.0, 1.0).expect("positive");
    let stats = Stats::<Poisson>::of((), &[3, 4, 2]).expect("counts");
    let posterior = Poisson::posterior(&prior, &stats).expect("fits");
    assert_eq!((posterior.shape(), posterior.rate()), (11.0, 4.0));
    assert_close(Poisson::ln_evidence(&prior, &stats).expect("fits"), -5.807785879379227, 1e-15);
    for [shape, rate] in [[2.0, 1.0], [0.01, 1e-3], [1e6, 3e5]] {
        let prior = Gamma::shape_rate(shape, rate).expect("positive");
        consistency::conjugate::<Poisson, _, u64>(&(), &prior, &POINTS);
    }
    let map = Poisson::most_probable(&posterior, &()).expect("no error").expect("a mode");
    assert_close(map.rate(), 2.5, 1e-15);
    // E ln p(x | λ) of three points, by its sum.
    let expected = Poisson::expected_density(&posterior, &()).expect("fits");
    assert_close(expected.ln_pdf(&3), 3.0 * posterior.expected_ln() - 2.75 - 6_f64.ln(), 1e-14);
    assert!(Poisson::draw(&posterior, &(), &mut stream(1, &[])).expect("finite").rate() > 0.0);
}

#[test]
fn the_beta_is_conjugate_to_waiting_counts() {
    for [alpha, beta] in [[1.0, 1.0], [0.3, 4.0], [1e5, 2e6]] {
        let prior = Beta::new(alpha, beta).expect("positive");
        consistency::conjugate::<Geometric, _, u64>(&(), &prior, &POINTS);
        consistency::conjugate::<NegativeBinomial, _, u64>(&2.5, &prior, &POINTS);
        consistency::conjugate::<NegativeBinomial, _, u64>(&1.0, &prior, &POINTS);
    }
    let prior = Beta::new(2.0, 3.0).expect("positive");
    let map = Geometric::most_probable(&prior, &()).expect("no error").expect("a mode");
    assert_close(map.probability(), 1.0 / 3.0, 1e-15);
    let expected = NegativeBinomial::expected_density(&prior, &2.5).expect("fits");
    let by_hand = 2.5 * prior.expected_ln() + 4.0 * prior.expected_ln_complement();
    let ways = distribution::<NegativeBinomial>(&[2.5, 0.5]).ln_pdf(&4) - 6.5 * 0.5_f64.ln();
    assert_close(expected.ln_pdf(&4), by_hand + ways, 1e-14);
    let mut rng = stream(2, &[]);
    assert!(Geometric::draw(&prior, &(), &mut rng).expect("finite").probability() > 0.0);
    assert!(NegativeBinomial::draw(&prior, &2.5, &mut rng).expect("finite").probability() > 0.0);
}

#[test]
fn the_dirichlet_is_conjugate_to_the_multinomial() {
    let size = MultinomialSize { trials: 3, categories: 3 };
    let points = [vec![2, 0, 1], vec![0, 0, 3], vec![1, 1, 1]];
    for alpha in [[1.0, 2.0, 3.0], [0.01, 0.2, 1e-4], [1e6, 2e6, 3e6]] {
        let prior = Dirichlet::new(&alpha).expect("positive");
        consistency::conjugate::<Multinomial, _, Vec<u64>>(&size, &prior, &points);
    }
    let prior = Dirichlet::new(&[1.0, 2.0, 3.0]).expect("positive");
    let stats = Stats::<Multinomial>::of(size, [&[2, 0, 1][..]]).expect("counts");
    // As counts 3/56, three times the sequence's 1/56.
    let ln_evidence = Multinomial::ln_evidence(&prior, &stats).expect("fits");
    assert_close(ln_evidence, (3.0_f64 / 56.0).ln(), 1e-14);
    assert_eq!(Multinomial::predictive(&prior, &size).expect("fits").trials(), 3);
    let map = Multinomial::most_probable(&Dirichlet::new(&[2.0, 3.0, 4.0]).expect("positive"), &size);
    assert_close(map.expect("fits").expect("a mode").categories().probabilities()[2], 0.5, 1e-15);
    assert_eq!(Multinomial::draw(&prior, &size, &mut stream(3, &[])).expect("fits").trials(), 3);
    let other = MultinomialSize { trials: 3, categories: 4 };
    assert!(Multinomial::predictive(&prior, &other).is_err());
    assert!(Multinomial::expected_density(&prior, &other).is_err());
    // Statistics of other numbers of trials do not mix.
    let mut stats = stats;
    assert!(stats.merge(&Stats::new(MultinomialSize { trials: 4, categories: 3 })).is_err());
    assert!(stats.push(&[1, 1, 2]).is_err());
}
