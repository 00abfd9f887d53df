//! Tests of goodness of fit: exact distributions, and p-values that are uniform where the distribution is
//! right.

use posterior_dist::fit::{EstimableFamily, FitOptions, Observation, Sample};
use posterior_dist::goodness::{
    FitStatistic, GoodnessOfFit, NotTested, PValueMethod, ParametricBootstrap, anderson_darling,
    anderson_darling_limit_sf, chi_squared, chi_squared_of_counts, cramer_von_mises,
    cramer_von_mises_limit_sf, kolmogorov_cdf, kolmogorov_limit_sf, kolmogorov_sf, kolmogorov_smirnov,
    two_samples,
};
use posterior_dist::math::ParamError;
use posterior_dist::stream::stream;
use posterior_dist::{Gamma, Normal, Poisson, Truncated, Univariate};
use posterior_testkit::accuracy::assert_close;
use rand::Rng;
use rand::distr::Distribution;

/// n, d, P(D < d) and P(D ≥ d), by Durbin's matrix in exact fractions (Python's `fractions`).
const KOLMOGOROV: &[(usize, f64, f64, f64)] = &[
    (1, 0.7, 0.399_999_999_999_999_911_182_158, 0.600_000_000_000_000_088_817_842),
    (5, 0.125, 0.0000375, 0.9999625),
    (5, 0.45, 0.806_006_249_999_999_978, 0.193_993_749_999_999_978),
    (10, 0.06, 3.715_891_199_999_991_75e-11, 0.999_999_999_962_841_088),
    (10, 0.274, 0.628_479_615_456_504_367_3, 0.371_520_384_543_495_632_7),
    (10, 0.7, 0.999_980_455_199_999_999_97, 0.000_019_544_800_000_000_033_3),
    (10, 0.9, 0.999_999_999_8, 1.999_999_999_999_995_56e-10),
    (30, 0.1, 0.103_921_731_994_910_309_36, 0.896_078_268_005_089_690_64),
    (30, 0.25, 0.961_275_843_298_895_486_2, 0.038_724_156_701_104_513_77),
    (30, 0.5, 0.999_999_815_326_899_703_96, 0.000_000_184_673_100_296_041_93),
    (100, 0.05, 0.046_784_028_936_427_518_52, 0.953_215_971_063_572_481_5),
    (100, 0.12, 0.896_696_250_981_797_431_4, 0.103_303_749_018_202_568_6),
    (100, 0.22, 0.999_900_997_340_726_785, 0.000_099_002_659_273_214_967_9),
];

const MANY: &[(usize, f64, f64, f64)] = &[
    (600, 0.014_288_690_166_235_204, 0.000_427_661_290_673_731_66, 0.999_572_338_709_326_268),
    (600, 0.024_494_897_427_831_782, 0.144_618_833_721_846_252, 0.855_381_166_278_153_748),
    (600, 0.036_742_346_141_747_67, 0.616_505_436_621_350_062, 0.383_494_563_378_649_938),
    (600, 0.053_072_277_760_302_2, 0.934_332_978_205_448_977, 0.065_667_021_794_551_023_4),
    (600, 0.073_484_692_283_495_34, 0.997_094_960_329_189_909, 0.002_905_039_670_810_090_16),
];

#[test]
fn the_distribution_of_the_largest_distance_is_exact_for_few_values() {
    for &(n, d, below, above) in KOLMOGOROV {
        assert_close(kolmogorov_cdf(n, d), below, 2e-13);
        let bound = if above < 1e-3 { 5e-11 } else { 2e-13 / above };
        assert_close(kolmogorov_sf(n, d), above, bound);
    }
    assert_eq!((kolmogorov_cdf(10, 0.05), kolmogorov_sf(10, 0.05)), (0.0, 1.0));
    assert_eq!((kolmogorov_cdf(10, 1.0), kolmogorov_sf(10, 1.0)), (1.0, 0.0));
    assert!(kolmogorov_cdf(0, 0.5).is_nan() && kolmogorov_sf(3, f64::NAN).is_nan());
}

/// By the power of the matrix in 40 digits (mpmath).
#[test]
fn of_many_values_it_is_within_what_is_said() {
    for &(n, d, below, above) in MANY {
        assert!((kolmogorov_cdf(n, d) - below).abs() < 3e-7, "{n} {d}: {}", kolmogorov_cdf(n, d));
        assert_close(kolmogorov_sf(n, d), above, 1e-5);
    }
    // The routes agree where they meet, and with the limit.
    for z in [0.4, 0.8, 1.2, 1.57, 1.59, 1.99, 2.01, 3.0] {
        let [few, many] = [500_usize, 501].map(|n| kolmogorov_sf(n, z / (n as f64).sqrt()));
        assert!((few / many - 1.0).abs() < 5e-4, "{z}: {few} {many}");
        let far = kolmogorov_sf(10_000_000, z / 1e7_f64.sqrt());
        assert!((far / kolmogorov_limit_sf(z) - 1.0).abs() < 2e-3, "{z}: {far}");
    }
}

/// By Anderson and Darling's series of 1952, which is another formula than that of the code, and Smirnov's in
/// 30 digits (mpmath).
#[test]
fn the_limits_have_their_digits_in_the_far_tail() {
    let of_darling = [
        (0.2, 0.990_412_547_249_794_117),
        (0.7, 0.558_823_203_853_259_245),
        (2.492, 0.050_022_186_359_607_865_7),
        (6.0, 0.000_967_451_941_520_922_922),
        (20.0, 4.465_071_538_311_821e-10),
        (100.0, 3.628_383_098_211_147e-45),
    ];
    for (z, above) in of_darling {
        assert_close(anderson_darling_limit_sf(z), above, 2e-11);
    }
    let of_mises = [
        (0.03, 0.976_168_450_558_292),
        (0.1, 0.584_873_438_406_794_9),
        (0.461_36, 0.050_000_383_132_651_276),
        (1.167_86, 0.000_999_990_914_876_554_6),
        (3.0, 7.567_743_459_316_02e-8),
        (20.0, 1.097_209_316_565_386_6e-44),
    ];
    for (z, above) in of_mises {
        assert_close(cramer_von_mises_limit_sf(z), above, 2e-11);
    }
}

/// Whether p-values are uniform: that of `count` of them, those up to a level are as many as they should be,
/// to 4.9 standard errors (one false alarm in a million) and `bias` times the level.
#[track_caller]
fn assert_uniform(p_values: &[f64], levels: &[f64], bias: f64) {
    let count = p_values.len() as f64;
    for &level in levels {
        let seen = p_values.iter().filter(|p| **p <= level).count() as f64 / count;
        let bound = 4.9 * (level * (1.0 - level) / count).sqrt() + bias * level;
        assert!((seen - level).abs() < bound, "{seen} of the p-values are below {level}");
    }
}

fn simulated(
    simulations: u64,
    n: usize,
    distribution: &(impl Univariate + Distribution<f64>),
    test: impl Fn(&[f64]) -> Result<GoodnessOfFit, ParamError>,
) -> Vec<f64> {
    let mut rng = stream(11, &[n as u64]);
    let mut one = || -> Vec<f64> { (0..n).map(|_| distribution.sample(&mut rng)).collect() };
    (0..simulations).map(|_| test(&one()).expect("values of the distribution").p_value).collect()
}

#[test]
fn p_values_are_uniform_for_few_values() {
    let gamma = Gamma::shape_rate(0.7, 2.0).expect("positive");
    let levels = [0.002, 0.01, 0.05, 0.2, 0.5, 0.9];
    for n in [1, 2, 7] {
        assert_uniform(&simulated(10_000, n, &gamma, |own| kolmogorov_smirnov(own, &gamma)), &levels, 0.0);
    }
    for n in [1, 5, 12] {
        assert_uniform(&simulated(3000, n, &gamma, |own| anderson_darling(own, &gamma)), &levels, 0.01);
    }
    for n in [1, 5, 12] {
        assert_uniform(&simulated(1500, n, &gamma, |own| cramer_von_mises(own, &gamma)), &levels, 0.02);
    }
    // Cells that expect 5: the chi-squared distribution itself is off by some percent.
    let p_values = simulated(5000, 100, &gamma, |own| chi_squared(own, &gamma));
    assert_uniform(&p_values, &[0.05, 0.2, 0.5, 0.9], 0.05);
}

#[test]
fn two_samples_are_shared_out_as_by_hand() {
    // Every way to give four of the nine values, ties among them, to the first sample.
    let pooled = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 5.0, 6.0, 6.0];
    let parted = |mask: u32| -> (Vec<f64>, Vec<f64>) {
        let part = |is_first: bool| {
            let all = pooled.iter().enumerate();
            all.filter(|(i, _)| (mask >> i & 1 == 1) == is_first).map(|(_, x)| *x).collect()
        };
        (part(true), part(false))
    };
    let all: Vec<f64> = (0..512_u32)
        .filter(|mask| mask.count_ones() == 4)
        .map(|mask| {
            let (a, b) = parted(mask);
            two_samples(&a, &b).expect("values").statistic
        })
        .collect();
    assert_eq!(all.len(), 126);
    for mask in (0..512_u32).filter(|mask| mask.count_ones() == 4) {
        let (a, b) = parted(mask);
        let answer = two_samples(&a, &b).expect("values");
        let as_large = all.iter().filter(|own| **own >= answer.statistic - 1e-12).count();
        assert_close(answer.p_value, as_large as f64 / 126.0, 1e-14);
    }
    // Far in the tail: 2 of the C(60, 30) ways.
    let far =
        two_samples(&(0..30).map(f64::from).collect::<Vec<_>>(), &[50.0; 30].map(|x| x)).expect("values");
    assert_close(far.p_value, 2.0 / 1.182_645_815_648_614_24e17, 1e-13);
    // The limit beyond.
    let ramp = |n: u32| (0..n).map(|i| f64::from(i) / f64::from(n)).collect::<Vec<_>>();
    let shifted: Vec<f64> = ramp(4000).iter().map(|x| x + 0.02).collect();
    let answer = two_samples(&ramp(4000), &shifted).expect("values");
    assert_eq!(answer.method, PValueMethod::Limit);
    assert!((answer.p_value - kolmogorov_limit_sf(0.02 * 2000_f64.sqrt())).abs() < 0.02);
    assert!(two_samples(&[], &[1.0]).is_err() && two_samples(&[f64::NAN], &[1.0]).is_err());
}

#[test]
fn counts_in_cells_are_pooled_before_the_values_are_seen() {
    // Expected 2 + 3, 10 and 1: 5 and 10 + 1.
    let answer = chi_squared_of_counts(&[3.0, 3.0, 9.0, 1.0], &[2.0, 3.0, 10.0, 1.0]).expect("counts");
    assert_close(answer.statistic, 16.0 / 55.0, 1e-14);
    assert_close(answer.p_value, 0.589_638_551_627, 1e-11);
    let impossible = chi_squared_of_counts(&[1.0, 9.0, 10.0], &[0.0, 10.0, 10.0]).expect("counts");
    assert_eq!(impossible.p_value, 0.0);
    for (observed, expected) in [
        (&[9.0, 1.0][..], &[4.9, 5.1][..]),
        (&[10.0], &[10.0]),
        (&[10.0, 10.0], &[10.0]),
        (&[10.0, 10.0], &[10.0, 11.0]),
        (&[-1.0, 21.0], &[10.0, 10.0]),
        (&[f64::NAN, 10.0], &[10.0, 10.0]),
    ] {
        assert!(chi_squared_of_counts(observed, expected).is_err(), "{observed:?}");
    }
    let poisson = Poisson::new(0.8).expect("positive");
    let mut rng = stream(5, &[]);
    let mut p_values = Vec::new();
    for _ in 0..4000 {
        let counts: Vec<f64> =
            (0..80).map(|_| Distribution::<u64>::sample(&poisson, &mut rng) as f64).collect();
        p_values.push(chi_squared(&counts, &poisson).expect("counts").p_value);
    }
    assert_uniform(&p_values, &[0.05, 0.2, 0.5], 0.06);
}

#[test]
fn what_no_test_is_for_is_refused() {
    let normal = Normal::mean_sd(0.0, 1.0).expect("positive");
    assert!(kolmogorov_smirnov(&[], &normal).is_err());
    assert_eq!(anderson_darling(&[0.0, f64::NAN], &normal).map_err(|own| own.index()), Err(Some(1)));
    let poisson = Poisson::new(3.0).expect("positive");
    assert!(kolmogorov_smirnov(&[2.0], &poisson).is_err() && cramer_von_mises(&[2.0], &poisson).is_err());
    assert!(chi_squared(&[2.0; 5], &poisson).is_err());
    // A value that the distribution cannot have is as far away as can be.
    let positive = Truncated::new(normal, 0.0, f64::INFINITY).expect("a half");
    let answer = anderson_darling(&[-1.0, 1.0], &positive).expect("values");
    assert_eq!((answer.statistic, answer.p_value), (f64::INFINITY, 0.0));
}

/// p-values of a bootstrap where the family is right.
fn bootstrapped(
    family: &str,
    statistic: FitStatistic,
    repetitions: u64,
    mut draw: impl FnMut(&mut dyn Rng) -> Sample,
) -> Vec<f64> {
    let family = EstimableFamily::named(family).expect("a family");
    let one = |index: u64| {
        let sample = draw(&mut stream(23, &[index]));
        let test = ParametricBootstrap::new(family, &sample, &FitOptions::default(), statistic).ok()?;
        test.run(index, 39).ok().map(|own| own.p_value)
    };
    (0..repetitions).filter_map(one).collect()
}

#[test]
fn p_values_of_fitted_families_are_uniform() {
    let values = |n: usize, mut one: Box<dyn FnMut() -> f64 + '_>| {
        Sample::of(&(0..n).map(|_| one()).collect::<Vec<_>>()).expect("finite")
    };
    let levels = [0.025, 0.1, 0.25, 0.5, 0.75];
    let normal = Normal::mean_sd(3.0, 2.0).expect("positive");
    for statistic in [FitStatistic::AndersonDarling, FitStatistic::KolmogorovSmirnov] {
        let p_values =
            bootstrapped("normal", statistic, 300, |mut rng| values(8, Box::new(|| normal.sample(&mut rng))));
        assert_eq!(p_values.len(), 300);
        assert_uniform(&p_values, &levels, 0.0);
    }
    // The same with the fitted distribution as if it were known: hardly any is small.
    let mut rng = stream(3, &[]);
    let naive = (0..500).filter(|_| {
        let drawn: Vec<f64> = (0..8).map(|_| normal.sample(&mut rng)).collect();
        let (mean, sd) = mean_and_sd(&drawn);
        let fitted = Normal::mean_sd(mean, sd).expect("positive");
        kolmogorov_smirnov(&drawn, &fitted).expect("values").p_value < 0.25
    });
    assert!(naive.count() < 25);
    let poisson = Poisson::new(2.5).expect("positive");
    let p_values = bootstrapped("poisson", FitStatistic::AndersonDarling, 300, |mut rng| {
        values(12, Box::new(|| Distribution::<u64>::sample(&poisson, &mut rng) as f64))
    });
    assert_uniform(&p_values, &levels, 0.05);
    // Counts from one on, and times up to two alone.
    let p_values = bootstrapped("poisson", FitStatistic::CramerVonMises, 200, |mut rng| {
        let from_one = || loop {
            let count = Distribution::<u64>::sample(&poisson, &mut rng);
            if count > 0 {
                return count as f64;
            }
        };
        values(12, Box::new(from_one)).seen_within(1.0, f64::INFINITY).expect("from one on")
    });
    assert_uniform(&p_values, &levels, 0.05);
}

fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (mean, (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt())
}

#[test]
fn a_wrong_family_is_found_and_what_cannot_be_tested_is_named() {
    let options = FitOptions::default();
    let normal = EstimableFamily::named("normal").expect("a family");
    let values: Vec<f64> = (1..=60).map(|i| (f64::from(i) / 61.0).recip()).collect();
    let sample = Sample::of(&values).expect("finite");
    for statistic in [
        FitStatistic::AndersonDarling,
        FitStatistic::KolmogorovSmirnov,
        FitStatistic::CramerVonMises,
        FitStatistic::ChiSquared,
    ] {
        let test = ParametricBootstrap::new(normal, &sample, &options, statistic).expect("can be tested");
        let answer = test.run(1, 99).expect("can be fitted");
        assert_eq!(answer.p_value, 0.01, "{statistic}");
        assert_eq!(answer.method, PValueMethod::Simulated { simulations: 99, not_fitted: 0 });
        assert_eq!(test.run(1, 0), Err(NotTested::Simulations { fitted: 0, not_fitted: 0 }));
        let half: Vec<_> = (0..9).map(|i| (i % 3 == 0).then_some(0.0)).collect();
        assert_eq!(test.answer(&half), Err(NotTested::Simulations { fitted: 3, not_fitted: 6 }));
    }
    // The sample with whole weights is the sample.
    let twice = Sample::of(&values).expect("finite").with_weights(&[2.0; 60]).expect("as many");
    let written = Sample::of(&[&values[..], &values].concat()).expect("finite");
    let [one, other] = [&twice, &written].map(|own| {
        let test = ParametricBootstrap::new(normal, own, &options, FitStatistic::default());
        test.expect("can be tested").observed()
    });
    assert_close(one, other, 1e-9);
    let refused = |sample: &Sample| {
        ParametricBootstrap::new(normal, sample, &options, FitStatistic::default()).map(drop)
    };
    let halves = Sample::of(&values).expect("finite").with_weights(&[0.5; 60]).expect("as many");
    assert_eq!(refused(&halves), Err(NotTested::Weights));
    let censored = Sample::new(vec![Observation::At(1.0), Observation::At(2.0), Observation::Above(3.0)]);
    assert_eq!(refused(&censored.expect("limits")), Err(NotTested::Limits));
    let few = Sample::of(&values[..6]).expect("finite");
    let test = ParametricBootstrap::new(normal, &few, &options, FitStatistic::ChiSquared);
    assert_eq!(test.map(drop), Err(NotTested::TooFew));
    assert!(NotTested::Limits.to_string().contains("limits alone"));
}
