//! Differences and ratios: figures of SciPy's quadrature, and coverage by enumeration and simulation.

use posterior_decision::stopping::{
    Contrast, Experiment, Outcomes, mean_posterior, plays_per_arm, proportion_interval, proportion_posterior,
};
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Binomial, Density};
use posterior_math::streaming::MeanVariance;
use rand_distr::{Distribution, Exp1, StandardNormal};

fn moments(numbers: &[f64]) -> MeanVariance {
    numbers.iter().copied().collect()
}

#[track_caller]
fn close(found: [f64; 2], expected: [f64; 2], relative: f64) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < relative * expected.abs(), "{found} {expected}");
    }
}

/// scipy.integrate.quad over quantiles, ends by brentq.
#[test]
fn intervals_are_those_of_an_adaptive_quadrature() {
    type Row = ([u64; 4], [f64; 2], [f64; 2], f64);
    let rows: [Row; 3] = [
        (
            [10, 100, 18, 100],
            [-0.015_876_826_646_356_87, 0.175_990_318_364_003_47],
            [0.893_358_783_347_265_7, 3.798_688_144_262_965],
            0.949_103_928_488_921_9,
        ),
        (
            [0, 40, 3, 50],
            [-0.012_120_257_752_325_026, 0.142_934_667_790_689_36],
            [0.721_565_648_552_738, 5_264.345_897_776_478],
            0.952_843_852_462_688_1,
        ),
        (
            [1, 2000, 4, 1000],
            [0.000_275_961_974_015_509_17, 0.008_832_796_544_259_228],
            [1.183_259_903_428_544_7, 86.728_002_466_085_84],
            0.984_357_788_283_107_5,
        ),
    ];
    for ([s, n, t, m], difference, ratio, greater) in rows {
        let (base, other) = (proportion_posterior(s, n).unwrap(), proportion_posterior(t, m).unwrap());
        let contrast = Contrast::new(base, other).unwrap();
        close(contrast.difference_interval(0.95).unwrap(), difference, 1e-6);
        close(contrast.ratio_interval(0.95).unwrap().unwrap(), ratio, 1e-5);
        assert!((contrast.probability_greater() - greater).abs() < 1e-8);
        assert!((contrast.ratio_cdf(1.0) - (1.0 - greater)).abs() < 1e-8);
        let mirrored = Contrast::new(other, base).unwrap();
        assert!((mirrored.probability_greater() + greater - 1.0).abs() < 1e-8);
    }
    let base = mean_posterior(&moments(&[12.1, 9.8, 11.2, 10.5, 13.0])).unwrap();
    let other = mean_posterior(&moments(&[14.9, 11.7, 18.2, 13.3, 15.0, 16.1, 12.2])).unwrap();
    let contrast = Contrast::new(base, other).unwrap();
    close(
        contrast.difference_interval(0.95).unwrap(),
        [0.534_710_210_368_328_2, 5.796_718_361_059_423],
        1e-6,
    );
    close(
        contrast.ratio_interval(0.95).unwrap().unwrap(),
        [1.043_589_667_979_234_5, 1.565_372_790_633_975_8],
        1e-6,
    );
    // Next to 0 a ratio has no interval.
    let none = mean_posterior(&moments(&[-1.0, 0.2, 1.1])).unwrap();
    assert_eq!(Contrast::new(none, other).unwrap().ratio_interval(0.95).unwrap(), None);
}

fn binomial(n: u64, p: f64) -> Vec<f64> {
    let distribution = Binomial::new(n, p).unwrap();
    (0..=n).map(|k| distribution.ln_pdf(&k).exp()).collect()
}

/// The exact coverage of 95 % for small arms and rare events: never below 0.88, 0.945 to 0.975 on average, of
/// all pairs of counts but those that happen once in a million times.
#[test]
fn proportions_are_covered_by_enumeration() {
    let mut averages = Vec::new();
    for (n, m, rates) in
        [(10, 10, [0.1, 0.3, 0.5]), (20, 50, [0.05, 0.2, 0.6]), (200, 100, [0.005, 0.02, 0.05])]
    {
        for p in rates {
            for q in rates {
                let (weights, others) = (binomial(n, p), binomial(m, q));
                let (mut covered, mut seen) = ([0.0; 3], 0.0);
                for s in 0..=n {
                    let base = proportion_posterior(s, n).unwrap();
                    let [low, high] = proportion_interval(s, n, 0.95).unwrap();
                    covered[0] += weights[s as usize] * f64::from(u8::from((low..=high).contains(&p)));
                    for t in 0..=m {
                        let weight = weights[s as usize] * others[t as usize];
                        if weight < 1e-6 {
                            continue;
                        }
                        seen += weight;
                        let contrast = Contrast::new(base, proportion_posterior(t, m).unwrap()).unwrap();
                        let inside = |below: f64| f64::from(u8::from((0.025..=0.975).contains(&below)));
                        covered[1] += weight * inside(contrast.difference_cdf(q - p));
                        covered[2] += weight * inside(contrast.ratio_cdf(q / p));
                    }
                }
                covered[1] /= seen;
                covered[2] /= seen;
                assert!(covered.iter().all(|own| *own > 0.88), "{n} {m} {p} {q}: {covered:?}");
                averages.push(covered);
            }
        }
    }
    for kind in 0..3 {
        let mean = averages.iter().map(|own| own[kind]).sum::<f64>() / averages.len() as f64;
        assert!((0.945..0.975).contains(&mean), "{kind}: {mean}");
    }
}

/// Means with unequal variances and sizes: at least 95 % for normal outcomes, not far below for skewed ones;
/// 2000 simulations have a standard error of 0.005.
#[test]
fn means_are_covered_by_simulation() {
    let covered = |sizes: [usize; 2], sds: [f64; 2], skewed: bool| {
        let mut hits = 0;
        for run in 0..2000 {
            let mut rng = stream(11, &[run]);
            let mut arm = |size: usize, sd: f64| -> MeanVariance {
                (0..size)
                    .map(|_| {
                        let own: f64 =
                            if skewed { Exp1.sample(&mut rng) } else { StandardNormal.sample(&mut rng) };
                        sd * own
                    })
                    .collect()
            };
            let (base, other) = (arm(sizes[0], sds[0]), arm(sizes[1], sds[1]));
            let contrast =
                Contrast::new(mean_posterior(&base).unwrap(), mean_posterior(&other).unwrap()).unwrap();
            let truth = if skewed { sds[1] - sds[0] } else { 0.0 };
            hits += usize::from((0.025..=0.975).contains(&contrast.difference_cdf(truth)));
        }
        hits as f64 / 2000.0
    };
    for (sizes, sds) in
        [([4, 4], [1.0, 1.0]), ([5, 30], [3.0, 1.0]), ([10, 6], [1.0, 5.0]), ([50, 50], [1.0, 2.0])]
    {
        let normal = covered(sizes, sds, false);
        println!("{sizes:?} {sds:?}: {normal}");
        assert!((0.94..=0.99).contains(&normal), "{sizes:?} {sds:?}: {normal}");
    }
    let skewed = covered([60, 60], [1.0, 2.0], true);
    assert!((0.92..=0.97).contains(&skewed), "{skewed}");
}

/// The normal formula of sample sizes, within its own error; without a difference the level.
#[test]
fn simulated_power_is_that_of_the_formula() {
    let units = plays_per_arm(0.1, 0.16, 0.05, 0.8).unwrap();
    let found = Experiment::new(Outcomes::Proportions([0.1, 0.16]), units).simulate().unwrap();
    assert!((found.at_end - 0.8).abs() < 0.04 && (found.coverage - 0.95).abs() < 0.02, "{found:?}");
    // Two means a standard deviation apart with 17 of each: power 0.807 by the noncentral t.
    let outcomes = Outcomes::Numbers { means: [0.0, 1.0], sds: [1.0, 1.0] };
    let found = Experiment::new(outcomes, 17).simulate().unwrap();
    assert!((found.at_end - 0.807).abs() < 0.04 && found.at_any_time.is_nan(), "{found:?}");
}

/// Ten looks at 5 % find nothing's difference in about 19 % (Armitage, McPherson and Rowe, 1969); intervals
/// that hold at all times do not.
#[test]
fn looking_on_the_way_finds_too_much() {
    let mut experiment = Experiment::new(Outcomes::Proportions([0.3, 0.3]), 2000);
    experiment.looks = 10;
    let found = experiment.simulate().unwrap();
    assert!((found.at_end - 0.05).abs() < 0.02, "{found:?}");
    assert!((found.at_any_look - 0.193).abs() < 0.03, "{found:?}");
    assert!(found.at_any_time < 0.05, "{found:?}");
    for wrong in [
        Experiment { looks: 0, ..experiment },
        Experiment { units: 20, ..experiment },
        Experiment { level: 1.0, ..experiment },
        Experiment { outcomes: Outcomes::Proportions([0.3, 1.3]), ..experiment },
        Experiment { outcomes: Outcomes::Numbers { means: [0.0; 2], sds: [1.0, 0.0] }, ..experiment },
    ] {
        wrong.simulate().unwrap_err();
    }
}

#[test]
fn what_cannot_be_is_refused() {
    proportion_posterior(3, 2).unwrap_err();
    proportion_interval(1, 2, 0.0).unwrap_err();
    mean_posterior(&moments(&[1.0, 2.0])).unwrap_err();
    assert_eq!(proportion_interval(0, 8, 0.9).unwrap()[0], 0.0);
    assert_eq!(proportion_interval(8, 8, 0.9).unwrap()[1], 1.0);
    let beta = Beta::new(2.0, 3.0).unwrap();
    Contrast::new(beta, beta).unwrap().difference_interval(1.0).unwrap_err();
    // The same outcome always: a mean without a width.
    let same = mean_posterior(&moments(&[2.0; 5])).unwrap();
    let other = mean_posterior(&moments(&[1.0, 2.5, 3.0])).unwrap();
    let [low, high] = Contrast::new(same, other).unwrap().difference_interval(0.95).unwrap();
    assert!(low < 0.0 && high > 0.0 && high < 6.0, "{low} {high}");
}
