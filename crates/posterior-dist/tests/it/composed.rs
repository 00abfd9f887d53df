//! Order statistics, atoms, functions of several preimages, sums, and intervals: against closed forms.

use posterior_dist::stream::stream;
use posterior_dist::{
    Beta, Binomial, Branch, Cauchy, ChiSquared, CountSum, Density, Entropy, Exponential, Gamma, HalfNormal,
    ManyToOne, Mixture, Moments, Normal, OrderStatistic, Poisson, SampleRange, Shape, Sum, Truncated,
    Uniform, Univariate, WithAtoms, highest_density, interval,
};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;
use rand::distr::Distribution;

fn standard() -> Normal {
    Normal::mean_sd(0.0, 1.0).expect("positive")
}

#[test]
fn order_statistics_of_uniform_numbers_are_beta() {
    let uniform = Uniform::new(0.0, 1.0).expect("an interval");
    for (k, n) in [(1, 1), (1, 7), (4, 7), (7, 7)] {
        let own = OrderStatistic::new(uniform, k, n).expect("a rank");
        let beta = Beta::new(k as f64, (n - k + 1) as f64).expect("positive");
        for x in [1e-12, 0.01, 0.3, 0.5, 0.77, 0.999_9] {
            assert_close(own.cdf(x), beta.cdf(x), 1e-13);
            assert_close(own.sf(x), beta.sf(x), 1e-13);
            assert_close(own.ln_pdf(&x), beta.ln_pdf(&x), 1e-12);
            assert_close(own.quantile(x), beta.quantile(x), 1e-13);
        }
        consistency::univariate(&own, &[-0.5, 0.0, 0.2, 0.6, 0.9, 1.0, 2.0]);
        consistency::line(&own, &[0.2, 0.6, 0.9], 3);
    }
    // The maximum of normal numbers, in both far tails.
    let largest = OrderStatistic::new(standard(), 5, 5).expect("a rank");
    assert_close(largest.ln_cdf(-40.0), 5.0 * standard().ln_cdf(-40.0), 1e-14);
    assert_close(largest.sf(20.0), 5.0 * standard().sf(20.0), 1e-13);
    assert_close(largest.ln_sf(50.0), 5_f64.ln() + standard().ln_sf(50.0), 1e-14);
    assert_close(largest.quantile(1e-60), standard().quantile(1e-12), 1e-13);
    assert!(OrderStatistic::new(standard(), 0, 5).is_err() && OrderStatistic::new(standard(), 6, 5).is_err());
}

/// Against all ways to draw three counts.
#[test]
fn order_statistics_of_counts_are_those_of_all_ways_to_draw() {
    let binomial = Binomial::new(4, 0.3).expect("a probability");
    for k in 1..=3_usize {
        let own = OrderStatistic::new(binomial, k as u64, 3).expect("a rank");
        let mut masses = [0.0; 5];
        for way in 0..125_u64 {
            let mut draw = [way % 5, way / 5 % 5, way / 25];
            let p: f64 = draw.iter().map(|x| binomial.ln_pdf(x).exp()).product();
            draw.sort_unstable();
            masses[draw[k - 1] as usize] += p;
        }
        for (x, mass) in masses.iter().enumerate() {
            assert_close(own.ln_pdf(&(x as u64)).exp(), *mass, 1e-13);
        }
        consistency::univariate(&own, &[-1.0, 0.0, 1.0, 1.5, 3.0, 4.0]);
    }
    // A mass that is a small part of what is below it, and far into the tail.
    let poisson = Poisson::new(2.0).expect("positive");
    let least = OrderStatistic::new(poisson, 1, 9).expect("a rank");
    let p = |k: u64| poisson.sf(k as f64 - 1.0).powi(9) - poisson.sf(k as f64).powi(9);
    assert_close(least.ln_pdf(&12).exp(), p(12), 1e-11);
    let largest = OrderStatistic::new(poisson, 9, 9).expect("a rank");
    assert_close(largest.ln_pdf(&60).exp(), 9.0 * poisson.ln_pdf(&60).exp(), 1e-12);
}

/// Mean, variance and probabilities of a censored normal distribution (mpmath, 30 digits).
#[test]
fn atoms_are_right_in_every_trait() {
    let shown = WithAtoms::censored(standard(), -1.0, 2.0).expect("an interval");
    let (mean, variance) = shown.mean_and_variance_by_quadrature().expect("finite");
    assert_close(mean, 0.074_824_767_970_856_660_8, 1e-9);
    assert_close(variance, 0.712_698_992_397_125_631, 1e-9);
    assert_eq!((shown.cdf(-1.0), shown.cdf(-1.000_001)), (standard().cdf(-1.0), 0.0));
    assert_eq!((shown.sf(2.0), shown.cdf(2.0)), (0.0, 1.0));
    assert_close(shown.sf(1.9), standard().sf(1.9), 1e-14);
    assert_close(shown.cdf(0.4), standard().cdf(0.4), 1e-14);
    assert_close(shown.ln_pdf(&0.4), standard().ln_pdf(&0.4), 1e-13);
    consistency::univariate(&shown, &[-2.0, -1.0, -0.999, 0.0, 0.5, 1.99, 2.0, 3.0]);
    for (p, x) in [(0.1, -1.0), (0.158, -1.0), (0.5, 0.0), (0.98, 2.0), (1.0, 2.0), (0.0, -1.0)] {
        assert_within(shown.quantile(p), x, 1e-12);
        assert_within(shown.upper_quantile(1.0 - p), x, 1e-12);
    }
    // Limits far into a tail: nearly all of it is one atom.
    let far = WithAtoms::censored(standard(), 30.0, f64::INFINITY).expect("an interval");
    assert_close(far.sf(30.0), standard().sf(30.0), 1e-13);
    assert_close(far.ln_sf(31.0), standard().ln_sf(31.0), 1e-13);
    assert_eq!((far.quantile(0.999), far.cdf(29.0)), (30.0, 0.0));
}

#[test]
fn hurdles_have_the_moments_and_entropy_of_the_mixed_measure() {
    let (zero, rate) = (0.6, 0.2);
    let exponential = Exponential::new(rate).expect("positive");
    let own = WithAtoms::hurdle(zero, exponential).expect("a probability");
    assert_close(own.mean().expect("finite"), 0.4 * 5.0, 1e-15);
    assert_close(own.variance().expect("finite"), 0.4 * 50.0 - 4.0, 1e-14);
    let entropy = -0.6 * 0.6_f64.ln() - 0.4 * 0.4_f64.ln() + 0.4 * (1.0 - rate.ln());
    assert_close(own.entropy(), entropy, 1e-14);
    consistency::univariate(&own, &[-1.0, 0.0, 1e-9, 1.0, 40.0]);
    assert_close(own.sf(900.0), 0.4 * (-180.0_f64).exp(), 1e-13);
    assert_close(own.ln_sf(1e5), 0.4_f64.ln() - 2e4, 1e-14);
    let mut rng = stream(17, &[]);
    let draws: Vec<f64> = (0..40_000).map(|_| own.sample(&mut rng)).collect();
    let zeros = draws.iter().filter(|x| **x == 0.0).count() as f64 / 4e4;
    assert_within(zeros, 0.6, 4.9 * (0.24_f64 / 4e4).sqrt());
    let entropy_of_draws = -draws.iter().map(|x| own.ln_pdf(x)).sum::<f64>() / 4e4;
    assert_within(entropy_of_draws, entropy, 0.03);
    // Atoms inside, beside and beyond the density; nothing but atoms.
    let uniform = Uniform::new(1.0, 3.0).expect("an interval");
    let several = WithAtoms::new(&[(5.0, 0.125), (2.0, 0.25), (0.0, 0.125)], uniform).expect("probabilities");
    consistency::univariate(&several, &[-1.0, 0.0, 0.5, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0]);
    let quantiles =
        [(0.1, 0.0), (0.125, 0.0), (0.25, 1.5), (0.375, 2.0), (0.5, 2.0), (0.625, 2.0), (0.75, 2.5)];
    for (p, x) in quantiles {
        assert_eq!((several.quantile(p), several.upper_quantile(1.0 - p)), (x, x), "{p}");
    }
    assert_eq!((several.quantile(0.9), several.ln_pdf(&2.0)), (5.0, 0.25_f64.ln()));
    let atoms = WithAtoms::new(&[(1.0, 0.5), (2.0, 0.5)], uniform).expect("probabilities");
    consistency::univariate(&atoms, &[0.0, 1.0, 1.5, 2.0]);
    assert_eq!((atoms.mean(), atoms.variance(), atoms.rest()), (Some(1.5), Some(0.25), 0.0));
    assert_close(atoms.entropy(), 2_f64.ln(), 1e-15);
    for atoms in
        [&[(0.0, 1.5)][..], &[(0.0, 0.6), (1.0, 0.6)], &[(0.0, 0.1), (-0.0, 0.1)], &[(f64::NAN, 0.1)]]
    {
        assert!(WithAtoms::new(atoms, uniform).is_err(), "{atoms:?}");
    }
    assert!(WithAtoms::censored(standard(), 1.0, 1.0).is_err());
}

#[test]
fn squares_and_sizes_are_known_distributions() {
    let (square, size) = (ManyToOne::square(standard()), ManyToOne::absolute(standard()));
    let chi = ChiSquared::new(1.0).expect("positive");
    let half = HalfNormal::new(1.0).expect("positive");
    for x in [1e-8, 0.1, 1.0, 7.0, 300.0] {
        assert_close(square.cdf(x), chi.cdf(x), 1e-13);
        assert_close(square.sf(x), chi.sf(x), 1e-13);
        assert_close(square.ln_pdf(&x), chi.ln_pdf(&x), 1e-13);
    }
    for x in [1e-8, 0.3, 2.0, 25.0] {
        assert_close(size.cdf(x), half.cdf(x), 1e-13);
        assert_close(size.sf(x), half.sf(x), 1e-13);
        assert_close(size.ln_pdf(&x), half.ln_pdf(&x), 1e-13);
        assert_close(size.quantile(half.cdf(x).min(0.99)), half.quantile(half.cdf(x).min(0.99)), 1e-12);
    }
    consistency::univariate(&square, &[-1.0, 0.0, 0.5, 3.0, 20.0]);
    assert_eq!((size.quantile(0.0), size.cdf(-1.0), size.ln_pdf(&-1.0)), (0.0, 0.0, f64::NEG_INFINITY));
    // A support that does not reach the fold, or not to both sides as far.
    let uniform = |low, high| Uniform::new(low, high).expect("an interval");
    let shifted = ManyToOne::square(uniform(2.0, 3.0));
    assert_eq!((shifted.quantile(0.0), shifted.quantile(1.0)), (4.0, 9.0));
    assert_close(shifted.cdf(6.25), 0.5, 1e-15);
    let lopsided = ManyToOne::absolute(uniform(-1.0, 3.0));
    assert_eq!((lopsided.quantile(0.0), lopsided.quantile(1.0)), (0.0, 3.0));
    assert_close(lopsided.cdf(0.5), 0.25, 1e-15);
    assert_close(lopsided.sf(2.0), 0.25, 1e-15);
    let mut rng = stream(4, &[]);
    let above = (0..20_000).filter(|_| lopsided.sample(&mut rng) > 1.0).count();
    assert_within(above as f64 / 2e4, 0.5, 0.02);
    let branch = Branch { low: 0.0, high: 1.0, ends: [0.0, 1.0], inverse: |y| y, ln_slope: |_| 0.0 };
    assert!(ManyToOne::new(uniform(0.0, 2.0), |x| x, vec![branch]).is_err());
    assert!(ManyToOne::new(uniform(0.0, 1.0), |x| x, vec![]).is_err());
    assert!(ManyToOne::new(uniform(0.0, 1.0), |x| x, vec![branch, branch]).is_err());
}

/// Relative errors, far into both tails.
#[test]
fn sums_have_their_closed_forms() {
    let normal = Sum::new(Normal::mean_sd(1.0, 3.0).expect("sd"), Normal::mean_sd(-2.0, 4.0).expect("sd"));
    let whole = Normal::mean_sd(-1.0, 5.0).expect("sd");
    for z in [-180.0, -60.0, -8.0, -1.0, 0.5, 12.0, 70.0, 180.0] {
        assert_close(normal.cdf(z), whole.cdf(z), 1e-9);
        assert_close(normal.sf(z), whole.sf(z), 1e-9);
        assert_within(normal.ln_pdf(&z), whole.ln_pdf(&z), 1e-9);
    }
    assert_close(normal.quantile(0.01), whole.quantile(0.01), 1e-9);
    assert_close(normal.upper_quantile(1e-30), whole.upper_quantile(1e-30), 1e-9);
    assert_close(normal.mean().expect("finite"), -1.0, 1e-14);
    assert_close(normal.variance().expect("finite"), 25.0, 1e-14);
    let rate = |rate| Exponential::new(rate).expect("positive");
    let gamma = Gamma::shape_rate(2.0, 3.0).expect("positive");
    let times = Sum::new(rate(3.0), rate(3.0));
    for z in [1e-6, 0.1, 1.0, 9.0, 90.0] {
        assert_close(times.cdf(z), gamma.cdf(z), 1e-9);
        assert_close(times.sf(z), gamma.sf(z), 1e-9);
        assert_within(times.ln_pdf(&z), gamma.ln_pdf(&z), 1e-9);
    }
    assert_close(times.skewness().expect("finite"), gamma.skewness().expect("finite"), 1e-14);
    assert_close(times.excess_kurtosis().expect("finite"), gamma.excess_kurtosis().expect("finite"), 1e-14);
    // A density with a pole at its end, and one of heavy tails at scales far apart.
    let third = |shape| Gamma::shape_rate(shape, 1.0).expect("positive");
    let poles = Sum::new(third(0.3), third(0.9));
    for z in [0.5, 50.0] {
        assert_close(poles.sf(z), third(1.2).sf(z), 1e-7);
    }
    let cauchy = |scale| Cauchy::new(0.0, scale).expect("positive");
    let heavy = Sum::new(cauchy(1e-3), cauchy(2.0));
    for z in [-1e12, -3.0, 0.1, 1e4, 1e12] {
        assert_close(heavy.cdf(z), cauchy(2.001).cdf(z), 1e-8);
    }
    // Normal and exponential, in closed form with 150 digits (mpmath).
    let mixed = Sum::new(standard(), rate(1.0));
    assert_close(mixed.ln_pdf(&2.0).exp(), 0.187_729_387_930_314_016, 1e-10);
    assert_close(mixed.ln_pdf(&-20.0).exp(), 2.623_101_627_928_892_6e-89, 1e-9);
    assert_close(mixed.cdf(-20.0), 1.305_224_906_773_411e-90, 1e-9);
    assert_close(mixed.sf(40.0), 7.004_352_026_168_645e-18, 1e-9);
    let ends = Sum::new(Uniform::new(0.0, 1.0).expect("ends"), Uniform::new(2.0, 4.0).expect("ends"));
    assert_eq!((ends.quantile(0.0), ends.quantile(1.0), ends.cdf(2.0), ends.sf(5.0)), (2.0, 5.0, 0.0, 0.0));
    assert_close(ends.cdf(2.5), 0.0625, 1e-11);
    let (value, error) = ends.density_with_error(3.5);
    assert!((value - 0.5).abs() <= error.max(1e-12), "{value} {error}");
    let [lower, upper] = ends.tails_with_error(3.0);
    assert!((lower.0 + upper.0 - 1.0).abs() < 1e-11 && lower.1 < 1e-9);
}

/// The ends for a gamma density by two equations (mpmath, 30 digits).
#[test]
fn regions_of_highest_density_are_the_smallest() {
    let gamma = Gamma::shape_rate(3.0, 1.0).expect("positive");
    let found = highest_density(&gamma, 0.9).expect("a proportion");
    assert_eq!(found.len(), 1);
    assert_within(found[0][0], 0.441_326_895_366_072_836_7, 1e-9);
    assert_within(found[0][1], 5.479_174_712_316_368_876, 1e-9);
    // As far apart as in units of another size, and of another place.
    for (mean, sd) in [(0.0, 1.0), (1e9, 1e-3), (-5e-12, 1e-13)] {
        let normal = Normal::mean_sd(mean, sd).expect("positive");
        let [low, high] = highest_density(&normal, 0.95).expect("a proportion")[0];
        let around = interval(&normal, 0.95).expect("a proportion");
        let rounding = 1e-8 * sd + 8.0 * f64::EPSILON * mean.abs();
        assert_within(low, around[0], rounding);
        assert_within(high, around[1], rounding);
    }
    let hills = Mixture::from_weights(&[3.0, 1.0], vec![standard(), Normal::mean_sd(9.0, 0.5).expect("sd")]);
    let hills = hills.expect("weights");
    let regions = highest_density(&hills, 0.9).expect("a proportion");
    assert_eq!(regions.len(), 2);
    let mass: f64 = regions.iter().map(|own| hills.cdf(own[1]) - hills.cdf(own[0])).sum();
    assert_within(mass, 0.9, 1e-9);
    let heights: Vec<f64> = regions.iter().flatten().map(|x| hills.ln_pdf(x)).collect();
    for height in &heights {
        assert_within(*height, heights[0], 1e-7);
    }
    let uniform = Uniform::new(2.0, 4.0).expect("ends");
    assert_eq!(highest_density(&uniform, 0.5).map(|own| own.len()), Ok(1));
    let half = Truncated::new(standard(), 0.0, f64::INFINITY).expect("a half");
    let [low, high] = highest_density(&half, 0.8).expect("a proportion")[0];
    assert_eq!(low, 0.0);
    assert_within(high, standard().quantile(0.9), 1e-9);
    // Counts: 3 and 4 are the same, two others do not reach.
    let counts = Binomial::new(7, 0.5).expect("a probability");
    assert_eq!(highest_density(&counts, 0.5), Ok(vec![[3.0, 4.0]]));
    assert_eq!(highest_density(&counts, 0.6), Ok(vec![[2.0, 5.0]]));
    assert_eq!(interval(&counts, 0.5), Ok([3.0, 4.0]));
    for proportion in [0.0, 1.0, f64::NAN] {
        assert!(highest_density(&gamma, proportion).is_err());
    }
    assert!(
        interval(&gamma, 1.1).is_err() && highest_density(&Poisson::new(1e14).expect("rate"), 0.9).is_err()
    );
}

#[test]
fn ranges_have_their_closed_forms() {
    let uniform = Uniform::new(2.0, 3.0).expect("ends");
    let rate = Exponential::new(2.0).expect("positive");
    for n in [2, 5, 40_u64] {
        let count = n as f64;
        // Of uniform numbers the beta distribution with n - 1 and 2; of times (1 - e^(-λw))^(n - 1).
        let own = SampleRange::new(uniform, n).expect("draws");
        let beta = Beta::new(count - 1.0, 2.0).expect("positive");
        let times = SampleRange::new(rate, n).expect("draws");
        for w in [0.05, 0.3, 0.8, 0.99] {
            assert_close(own.cdf(w), beta.cdf(w), 1e-9);
            assert_close(own.sf(w), beta.sf(w), 1e-9);
            assert_within(own.ln_pdf(&w), beta.ln_pdf(&w), 1e-8);
            assert_close(times.cdf(w), (-(-2.0 * w).exp_m1()).powf(count - 1.0), 1e-9);
        }
        for w in [5.0, 100.0] {
            assert_close(times.sf(w), -((count - 1.0) * (-(-2.0 * w).exp()).ln_1p()).exp_m1(), 1e-9);
        }
        assert_eq!((own.cdf(0.0), own.sf(1.0), own.quantile(1.0)), (0.0, 0.0, 1.0));
    }
    // Of two normal numbers the size of a difference, far into the tail.
    let two = SampleRange::new(standard(), 2).expect("draws");
    let half = HalfNormal::new(2_f64.sqrt()).expect("positive");
    for w in [0.1, 1.0, 6.0, 30.0] {
        assert_close(two.sf(w), half.sf(w), 1e-8);
        assert_within(two.ln_pdf(&w), half.ln_pdf(&w), 1e-8);
    }
    assert_close(two.quantile(0.3), half.quantile(0.3), 1e-8);
    assert!(SampleRange::new(uniform, 1).is_err());
}

#[test]
fn sums_of_counts_have_their_closed_forms() {
    let poisson = |rate| Poisson::new(rate).expect("positive");
    let (own, whole) = (CountSum::new(poisson(1.5), poisson(4.0)), poisson(5.5));
    for z in [0_u64, 1, 5, 17, 90] {
        assert_close(own.ln_pdf(&z).exp(), whole.ln_pdf(&z).exp(), 1e-12);
        assert_close(own.cdf(z as f64 + 0.5), whole.cdf(z as f64), 1e-12);
        assert_close(own.sf(z as f64), whole.sf(z as f64), 1e-12);
    }
    for p in [1e-4, 0.2, 0.5, 0.99] {
        assert_eq!(own.quantile(p), whole.quantile(p));
        assert_eq!(own.upper_quantile(p), whole.upper_quantile(p));
    }
    consistency::univariate(&own, &[-1.0, 0.0, 1.0, 3.5, 8.0, 30.0]);
    let binomial = |n| Binomial::new(n, 0.3).expect("a probability");
    let (own, whole) = (CountSum::new(binomial(3), binomial(5)), binomial(8));
    for z in 0..=8_u64 {
        assert_close(own.ln_pdf(&z), whole.ln_pdf(&z), 1e-12);
        assert_close(own.cdf(z as f64), whole.cdf(z as f64), 1e-12);
        assert_close(own.sf(z as f64), whole.sf(z as f64), 1e-12);
    }
    assert_eq!((own.ln_pdf(&9), own.quantile(1.0), own.sf(8.0)), (f64::NEG_INFINITY, 8.0, 0.0));
    assert_close(own.variance().expect("finite"), 8.0 * 0.21, 1e-14);
}
