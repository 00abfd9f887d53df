//! The statistics of ranks, against enumeration and closed forms.

use posterior_dist::stream::stream;
use posterior_dist::{Binomial, Univariate};
use posterior_math::special::normal_sf;
use posterior_sampling::calibration::{
    Calibration, Coverage, EcdfBand, JointDistribution, Ranks, SimulationModel, nearly_independent,
};
use posterior_sampling::{Draws, Error};
use posterior_testkit::significance::LEVEL;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use super::draws_of;

/// All rank vectors of n simulations among L draws: under a right sampler each has the same probability.
fn all_ranks(n: u32, draws: usize) -> Vec<Vec<usize>> {
    let cells = draws + 1;
    (0..cells.pow(n)).map(|code| (0..n).map(|i| code / cells.pow(i) % cells).collect()).collect()
}

#[test]
fn the_p_value_of_the_distribution_function_is_the_proportion_of_worse_outcomes() {
    for (n, draws) in [(1, 4), (4, 3), (5, 2), (6, 1), (3, 8)] {
        let outcomes = all_ranks(n, draws);
        let p_values: Vec<f64> =
            outcomes.iter().map(|all| Ranks::new("x", all.clone(), draws).unwrap().ecdf_p_value()).collect();
        let mut attained = p_values.clone();
        attained.sort_by(f64::total_cmp);
        for &p in &attained {
            let proportion =
                p_values.iter().filter(|&&other| other <= p + 1e-9).count() as f64 / p_values.len() as f64;
            assert!((proportion - p).abs() < 1e-9, "n = {n}, L = {draws}: {proportion} for {p}");
        }
        // There are several, or else the test shows nothing.
        assert!(
            n == 1 || attained[0] < 0.1 && attained.iter().any(|&p| (0.2..0.9).contains(&p)),
            "{attained:?}"
        );
    }
}

#[test]
fn the_band_holds_with_the_probability_it_says() {
    for (n, draws) in [(4, 3), (5, 2), (3, 8)] {
        let outcomes = all_ranks(n, draws);
        for probability in [0.5, 0.9] {
            let band = EcdfBand::new(n as usize, draws, probability).unwrap();
            let stays = |all: &&Vec<usize>| {
                let ranks = Ranks::new("x", (*all).clone(), draws).unwrap();
                band.first_outside(&ranks.ecdf_difference()).is_none()
            };
            let proportion = outcomes.iter().filter(stays).count() as f64 / outcomes.len() as f64;
            assert!((proportion - band.probability).abs() < 1e-12, "{proportion} for {}", band.probability);
            assert!(proportion >= probability);
        }
    }
    let band = EcdfBand::new(1000, 99, 0.95).unwrap();
    // Mirrored; as wide as binomial counts allow; nearly of the probability that was asked for, since there
    // are many counts.
    for r in 0..99 {
        assert!((band.lower[r] + band.upper[98 - r]).abs() < 1e-12);
        let distribution = Binomial::new(1000, band.points[r]).unwrap();
        let (low, high) = (band.lower[r] + band.points[r], band.upper[r] + band.points[r]);
        assert!(distribution.cdf((1000.0 * low).round() - 1.0) <= 0.5 * band.pointwise * (1.0 + 1e-6));
        assert!(distribution.sf((1000.0 * high).round()) <= 0.5 * band.pointwise * (1.0 + 1e-6));
    }
    assert!((0.95..0.952).contains(&band.probability), "{}", band.probability);
    // Between one rank alone and all ranks independent.
    assert!(band.pointwise < 0.05 && band.pointwise > 0.05 / 99.0);
    assert!(EcdfBand::new(0, 9, 0.9).is_err() && EcdfBand::new(9, 0, 0.9).is_err());
    assert!(EcdfBand::new(9, 9, 1.0).is_err() && EcdfBand::new(9, 9, f64::NAN).is_err());
}

#[test]
fn uniform_ranks_fail_as_often_as_the_level_says() {
    let (sets, n, draws) = (1000, 100, 19);
    let level = 0.1;
    let mut failed = [0_u64; 2];
    for set in 0..sets {
        let mut rng = stream(11, &[set]);
        let all = (0..n).map(|_| rng.random_range(0..=draws)).collect();
        let ranks = Ranks::new("x", all, draws).unwrap();
        failed[0] += u64::from(ranks.ecdf_p_value() <= level);
        failed[1] += u64::from(ranks.chi_square_p_value() <= level);
    }
    for failed in failed {
        // The p-values are discrete, so they are a bit conservative.
        let distribution = Binomial::new(sets, level).unwrap();
        assert!(
            distribution.sf(failed as f64 - 1.0) > LEVEL && distribution.cdf(failed as f64) > 1e-4,
            "{failed} of {sets}"
        );
    }
}

#[test]
fn far_from_uniform_the_p_value_is_small_and_not_zero_or_noise() {
    // All 400 ranks in the lower half: P = 2⁻⁴⁰⁰ times a few.
    let low = Ranks::new("x", (0..400).map(|i| i % 10).collect(), 19).unwrap();
    let exact = 0.5_f64.powi(400);
    assert!(low.ecdf_p_value() >= exact && low.ecdf_p_value() < 100.0 * exact, "{:e}", low.ecdf_p_value());
    let perfect = Ranks::new("x", (0..400).map(|i| i % 20).collect(), 19).unwrap();
    assert!(perfect.ecdf_p_value() > 0.999_999 && perfect.chi_square_p_value() == 1.0);
    assert_eq!(perfect.p_value(), 1.0);
}

#[test]
fn histogram_and_chi_square_are_those_of_the_book() {
    // Ranks 0 to 5 in three bins of two: counts 83, 117, 100, χ² = 2 · 17² / 100, and with two degrees of
    // freedom P = exp(-χ²/2).
    let all = [(0, 40), (1, 43), (2, 60), (3, 57), (4, 50), (5, 50)];
    let ranks: Vec<usize> = all.iter().flat_map(|&(rank, times)| vec![rank; times]).collect();
    let ranks = Ranks::new("x", ranks, 5).unwrap();
    assert_eq!(ranks.histogram(3).unwrap(), [83, 117, 100]);
    assert_eq!(ranks.histogram(6).unwrap(), [40, 43, 60, 57, 50, 50]);
    assert_eq!(ranks.expected_histogram(4).unwrap(), [100.0, 50.0, 100.0, 50.0]);
    assert_eq!(ranks.cumulative_counts(), [40, 83, 143, 200, 250]);
    assert!((ranks.ecdf_difference()[1] - (83.0 / 300.0 - 2.0 / 6.0)).abs() < 1e-15);
    assert!(ranks.histogram(0).is_err() && ranks.histogram(7).is_err());
    let three = [(0, 83), (1, 117), (2, 100)];
    let ranks: Vec<usize> = three.iter().flat_map(|&(rank, times)| vec![rank; times]).collect();
    let p = Ranks::new("x", ranks, 2).unwrap().chi_square_p_value();
    assert!((p - (-2.89_f64).exp()).abs() < 1e-14, "{p}");
    assert_eq!(Ranks::new("x", vec![0; 19], 2).unwrap().chi_square_p_value(), 1.0, "too few for two bins");
    assert!(Ranks::new("x", vec![], 2).is_err() && Ranks::new("x", vec![0], 0).is_err());
    let refused = Ranks::new("x", vec![0, 3], 2).unwrap_err().to_string();
    assert_eq!(refused, "Ranks: rank[1] = 3 must be no more than the number of draws");
}

#[test]
fn coverage_counts_the_ranks_in_the_middle() {
    // Of 9 draws, ranks 1 to 8 are between the least and the largest one: level 8/10.
    let ranks = Ranks::new("x", vec![0, 1, 2, 5, 8, 9, 9, 4], 9).unwrap();
    let coverage = ranks.coverage(0.8).unwrap();
    assert_eq!((coverage.nominal, coverage.covered, coverage.simulations), (0.8, 5, 8));
    assert_eq!(ranks.coverage(0.999).unwrap(), coverage, "there is no wider interval");
    assert_eq!(ranks.coverage(0.39).unwrap().nominal, 0.4);
    assert_eq!(ranks.coverage(1e-3).unwrap().nominal, 0.2, "and no narrower one");
    assert!(ranks.coverage(1.0).is_err() && ranks.coverage(f64::NAN).is_err());
    assert!(Ranks::new("x", vec![0], 1).unwrap().coverage(0.5).is_err());
    // Three of three where one in two is right: 2 · (1/2)³; the band of half the probability is 1 to 2 of 3.
    let all = Coverage::new(0.5, 3, 3).unwrap();
    assert!((all.p_value() - 0.25).abs() < 1e-15);
    assert_eq!(all.band(0.5).unwrap(), (1.0 / 3.0, 2.0 / 3.0));
    assert_eq!(Coverage::new(0.5, 0, 3).unwrap().p_value(), all.p_value());
    assert!(
        Coverage::new(0.5, 4, 3).is_err()
            && Coverage::new(1.5, 0, 3).is_err()
            && Coverage::new(0.5, 0, 0).is_err()
    );
}

/// A coin whose probability is one of two: draws and truth are often equal.
struct TwoCoins;

impl SimulationModel for TwoCoins {
    type Data = bool;

    fn names(&self) -> Vec<String> {
        vec!["which".to_owned()]
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        Ok(vec![f64::from(u8::from(rng.random_bool(0.3)))])
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<bool, Error> {
        Ok(rng.random_bool(0.2 + 0.6 * parameters[0]))
    }
}

/// P(which = 1 | heads or tails).
fn second_coin(heads: bool) -> f64 {
    if heads { 0.3 * 0.8 / (0.3 * 0.8 + 0.7 * 0.2) } else { 0.3 * 0.2 / (0.3 * 0.2 + 0.7 * 0.8) }
}

#[test]
fn ties_are_broken_at_random() {
    let calibration = Calibration { simulations: 2000, draws: 9, seed: 4, ..Calibration::default() };
    let exact = calibration.run(&TwoCoins, |&heads, rng| {
        let draw = |_| vec![f64::from(u8::from(rng.random_bool(second_coin(heads))))];
        draws_of(&["which"], (0..9).map(draw))
    });
    let exact = exact.unwrap();
    assert!(exact.p_value() > 1e-3, "{exact}");
    let wrong = calibration.run(&TwoCoins, |&heads, rng| {
        let draw = |_| vec![f64::from(u8::from(rng.random_bool(second_coin(!heads))))];
        draws_of(&["which"], (0..9).map(draw))
    });
    assert!(wrong.unwrap().p_value() < 1e-30);
}

#[test]
fn what_goes_wrong_says_in_which_simulation() {
    let calibration = Calibration { simulations: 3, draws: 4, ..Calibration::default() };
    let refused = |rows: fn() -> Vec<Vec<f64>>, names: &'static [&str]| {
        calibration.run(&TwoCoins, move |_, _| draws_of(names, rows())).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|| vec![vec![0.0]; 3], &["which"]),
        "simulation 0: draws of a posterior: expected 4, found 3"
    );
    assert_eq!(
        refused(|| vec![vec![0.0, 1.0]; 4], &["which", "other"]),
        "simulation 0: parameters of the draws: expected 1, found 2"
    );
    assert_eq!(refused(|| vec![vec![f64::NAN]; 4], &["which"]), "simulation 0: which is NaN");
    let none = Calibration { simulations: 0, ..Calibration::default() }
        .run(&TwoCoins, |_, _| draws_of(&["which"], []));
    assert_eq!(none.unwrap_err().to_string(), "Calibration: simulations = 0 must be positive");
    assert!(
        Calibration { draws: 0, ..Calibration::default() }
            .run(&TwoCoins, |_, _| draws_of(&["which"], []))
            .is_err()
    );
    let kernel = |parameters: &mut Vec<f64>, _: &bool, _: &mut _| {
        parameters[0] = f64::NAN;
        Ok(())
    };
    let joint = JointDistribution { draws: 10, runs: 2, steps: 1, ..JointDistribution::default() };
    assert_eq!(joint.run(&TwoCoins, kernel).unwrap_err().to_string(), "simulation 0: which is NaN");
    let stay = |_: &mut Vec<f64>, _: &bool, _: &mut _| Ok(());
    assert!(JointDistribution { runs: 1, ..joint.clone() }.run(&TwoCoins, stay).is_err());
    assert!(JointDistribution { steps: 0, ..joint.clone() }.run(&TwoCoins, stay).is_err());
    assert!(JointDistribution { draws: 1, ..joint }.run(&TwoCoins, stay).is_err());
}

#[test]
fn longer_chains_are_thinned_evenly() {
    // The sampler gives 0, 1, …, 99 in two chains; the four middles of four quarters are 12, 37, 62 and 87.
    struct Numbers;
    impl SimulationModel for Numbers {
        type Data = ();
        fn names(&self) -> Vec<String> {
            vec!["x".to_owned()]
        }
        fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
            Ok(vec![rng.random_range(0.0..100.0)])
        }
        fn simulate<R: Rng + ?Sized>(&self, _: &[f64], _: &mut R) -> Result<(), Error> {
            Ok(())
        }
    }
    let calibration = Calibration { simulations: 500, draws: 4, ..Calibration::default() };
    let chains = || vec![(0..50).map(f64::from).collect(), (50..100).map(f64::from).collect()];
    let report = calibration.run(&Numbers, |(), _| Draws::new(vec!["x".to_owned()], chains())).unwrap();
    let expected = |truth: f64| [12.0, 37.0, 62.0, 87.0].iter().filter(|&&draw| draw < truth).count();
    for (simulation, &rank) in report.named("x").unwrap().ranks().iter().enumerate() {
        let truth = Numbers.prior(&mut stream(0, &[simulation as u64])).unwrap()[0];
        assert_eq!(rank, expected(truth));
    }
    assert!(report.named("y").is_none());
}

#[test]
fn chains_that_depend_too_much_are_refused() {
    let mut rng = stream(2, &[]);
    let mut x: f64 = 0.0;
    let ar: Vec<f64> = (0..4000)
        .map(|_| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            x = 0.9 * x + noise;
            x
        })
        .collect();
    let other: Vec<f64> = (0..4000).map(|_| StandardNormal.sample(&mut rng)).collect();
    let rows = ar.iter().zip(&other).flat_map(|(a, b)| [*a, *b]).collect();
    let draws = Draws::new(vec!["ar".to_owned(), "iid".to_owned()], vec![rows]).unwrap();
    // 4,000 draws with ρ = 0.9 are worth 4,000 · 0.1 / 1.9 = 210.
    let few = nearly_independent(&draws, 100).unwrap();
    assert_eq!((few.chains(), few.len(), few.names()), (1, 100, draws.names()));
    assert_eq!(few.draw(0, 0), draws.draw(0, 20));
    let refused = nearly_independent(&draws, 500).unwrap_err();
    assert!(
        matches!(&refused, Error::TooDependent { parameter, effective: Some(ess), needed: 500 }
        if parameter == "ar" && (150.0..290.0).contains(ess)),
        "{refused}"
    );
    let constant = Draws::new(vec!["c".to_owned()], vec![vec![1.0; 100]]).unwrap();
    let refused = nearly_independent(&constant, 10).unwrap_err().to_string();
    assert_eq!(refused, "the draws of c are worth nobody knows how many independent ones, and 10 are needed");
}

/// x ~ N(0, 1), and data that say nothing.
struct Standard;

impl SimulationModel for Standard {
    type Data = ();

    fn names(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        Ok(vec![StandardNormal.sample(rng)])
    }

    fn simulate<R: Rng + ?Sized>(&self, _: &[f64], _: &mut R) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn the_joint_test_knows_the_worth_of_its_runs_and_its_p_value() {
    // An AR(1) kernel that leaves N(0, 1) alone: effective draws are n (1 - ρ)/(1 + ρ), for the square n (1 -
    // ρ²)/(1 + ρ²).
    let rho: f64 = 0.8;
    let kernel = |shift: f64| {
        move |x: &mut Vec<f64>, (): &(), rng: &mut rand_pcg::Pcg64| {
            let noise: f64 = StandardNormal.sample(rng);
            x[0] = rho * x[0] + (1.0 - rho * rho).sqrt() * noise + shift;
            Ok(())
        }
    };
    let joint =
        JointDistribution { runs: 400, steps: 300, draws: 50_000, seed: 9, ..JointDistribution::default() };
    let right = joint.run(&Standard, kernel(0.0)).unwrap();
    assert!(right.p_value() > 1e-3, "{right}");
    let n = 400.0 * 300.0;
    for (name, rho) in [("x", rho), ("x²", rho * rho)] {
        let found = right.named(name).unwrap().effective_draws / (n * (1.0 - rho) / (1.0 + rho));
        // A variance of 400 runs is known to 7 %.
        assert!((0.7..1.4).contains(&found), "{name}: {found}");
    }
    // With hundreds of degrees of freedom Student's t distribution is nearly the normal one.
    for comparison in &right.comparisons {
        let normal = 2.0 * normal_sf(comparison.z.abs());
        assert!((comparison.p_value / normal - 1.0).abs() < 0.05, "{comparison:?}");
    }
    // A drift that moves the mean by shift/(1 - ρ) = 0.05 standard deviations.
    let wrong = joint.run(&Standard, kernel(0.01)).unwrap();
    let drifted = wrong.named("x").unwrap();
    assert!((drifted.successive.0 - drifted.marginal.0 - 0.05).abs() < 6.0 * 0.0105, "{wrong}");
    let wrong = joint.run(&Standard, kernel(0.04)).unwrap();
    assert!(!wrong.passes(1e-6), "{wrong}");
}

#[cfg(feature = "rayon")]
#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let calibration = Calibration { simulations: 50, draws: 9, ..Calibration::default() };
            let ranks = calibration
                .run(&Standard, |(), rng| draws_of(&["x"], (0..9).map(|_| vec![StandardNormal.sample(rng)])));
            let joint = JointDistribution { runs: 8, steps: 10, draws: 100, ..JointDistribution::default() };
            let kernel = |x: &mut Vec<f64>, (): &(), rng: &mut rand_pcg::Pcg64| {
                x[0] = StandardNormal.sample(rng);
                Ok(())
            };
            (ranks.unwrap(), joint.run(&Standard, kernel).unwrap())
        })
    };
    assert_eq!(on(1), on(3));
}
