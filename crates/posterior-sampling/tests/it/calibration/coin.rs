//! A beta-binomial model: exact draws, a random walk, and six ways to be wrong.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::FromFn;
use posterior_dist::{Beta, Binomial, Density};
use posterior_math::log_space::{ln_logistic, logistic, logit};
use posterior_sampling::calibration::{
    Calibration, CalibrationReport, JointDistribution, JointDistributionReport, SimulationModel,
};
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::{Error, State, Transition};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use super::draws_of;

const ALPHA: f64 = 2.0;
const BETA: f64 = 3.0;
const THROWS: u64 = 6;
const DRAWS: usize = 99;
/// The steps of walks on logit p.
const SCALE: f64 = 1.2;

/// p ~ Beta(2, 3), and six throws: few, so that the prior and the Jacobian matter.
struct Coin;

impl SimulationModel for Coin {
    type Data = u64;

    fn names(&self) -> Vec<String> {
        vec!["p".to_owned()]
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        Ok(vec![Beta::new(ALPHA, BETA)?.sample(rng)])
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<u64, Error> {
        Ok(Binomial::new(THROWS, parameters[0])?.sample(rng))
    }

    fn quantity_names(&self) -> Vec<String> {
        vec!["ln likelihood".to_owned()]
    }

    fn quantities(&self, parameters: &[f64], heads: &u64) -> Vec<f64> {
        vec![Binomial::new(THROWS, parameters[0]).map_or(f64::NAN, |distribution| distribution.ln_pdf(heads))]
    }
}

/// What is wrong with a sampler.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// Half as wide about its mean.
    Narrow,
    /// The likelihood alone.
    ForgetsPrior,
    /// The prior alone.
    ForgetsData,
    /// One head too many.
    OffByOne,
}

fn distribution(mistake: Mistake, heads: u64) -> Result<Beta, Error> {
    let (heads, tails) = (heads as f64, (THROWS - heads) as f64);
    let [a, b] = match mistake {
        Mistake::None => [ALPHA + heads, BETA + tails],
        Mistake::Narrow => [4.0 * (ALPHA + heads), 4.0 * (BETA + tails)],
        Mistake::ForgetsPrior => [1.0 + heads, 1.0 + tails],
        Mistake::ForgetsData => [ALPHA, BETA],
        Mistake::OffByOne => [ALPHA + heads + 1.0, BETA + tails],
    };
    Ok(Beta::new(a, b)?)
}

fn calibration() -> Calibration {
    Calibration { simulations: 3000, draws: DRAWS, seed: 21, ..Calibration::default() }
}

fn by_exact_draws(mistake: Mistake) -> CalibrationReport {
    let sampler = |&heads: &u64, rng: &mut Pcg64| {
        let distribution = distribution(mistake, heads)?;
        draws_of(&["p"], (0..DRAWS).map(|_| vec![distribution.sample(rng)]))
    };
    calibration().run(&Coin, sampler).unwrap()
}

fn joint_distribution(mistake: Mistake) -> JointDistributionReport {
    let kernel = |p: &mut Vec<f64>, &heads: &u64, rng: &mut Pcg64| {
        p[0] = distribution(mistake, heads)?.sample(rng);
        Ok(())
    };
    (JointDistribution { draws: 50_000, seed: 1, ..JointDistribution::default() }).run(&Coin, kernel).unwrap()
}

#[test]
fn exact_draws_pass() {
    let report = by_exact_draws(Mistake::None);
    assert!(report.passes(1e-3), "{report}");
    for ranks in &report.quantities {
        for level in [0.5, 0.8, 0.9, 0.95] {
            let coverage = ranks.coverage(level).unwrap();
            let (low, high) = coverage.band(1.0 - 1e-6).unwrap();
            assert!((low..=high).contains(&coverage.rate()) && coverage.p_value() > 1e-6, "{coverage:?}");
        }
    }
    let joint = joint_distribution(Mistake::None);
    assert!(joint.passes(1e-3), "{joint}");
}

#[test]
fn each_mistake_fails() {
    for (mistake, calibration_below, joint_below) in [
        (Mistake::Narrow, 1e-60, 1e-6),
        (Mistake::ForgetsPrior, 1e-8, 1e-30),
        (Mistake::ForgetsData, 1e-30, 1e-30),
        (Mistake::OffByOne, 1e-30, 1e-30),
    ] {
        let (report, joint) = (by_exact_draws(mistake), joint_distribution(mistake));
        println!("{report}{joint}");
        assert!(report.p_value() < calibration_below, "{report}");
        assert!(joint.p_value() < joint_below, "{joint}");
    }
}

#[test]
fn intervals_that_are_too_narrow_do_not_cover() {
    let report = by_exact_draws(Mistake::Narrow);
    let coverage = report.named("p").unwrap().coverage(0.9).unwrap();
    // Half as wide: a normal distribution has 59 % within 1.645/2 standard deviations.
    assert!((coverage.rate() - 0.59).abs() < 0.06, "{coverage:?}");
    assert!(coverage.p_value() < 1e-60);
    let (low, high) = coverage.band(0.99).unwrap();
    assert!(low > 0.85 && high < 0.95);
}

#[test]
fn only_the_likelihood_sees_that_the_data_were_forgotten() {
    // The prior is calibrated: as a posterior of no data.
    let report = by_exact_draws(Mistake::ForgetsData);
    assert!(report.named("p").unwrap().p_value() > 1e-3, "{report}");
    assert!(report.named("ln likelihood").unwrap().p_value() < 1e-30, "{report}");
}

/// How a walk on the logit of p accepts.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// By the crate.
    Crate,
    /// By hand, with the ratio of the densities to this power: one is right.
    Power(f64),
    /// By hand, as if the step were in p: without the derivative of the map.
    NoJacobian,
}

/// ln of the density of logit p, given the data.
fn ln_density(x: f64, heads: u64, jacobian: f64) -> f64 {
    let (a, b) = (ALPHA + heads as f64 - 1.0, BETA + (THROWS - heads) as f64 - 1.0);
    (a + jacobian) * ln_logistic(x) + (b + jacobian) * ln_logistic(-x)
}

fn walk(rule: Rule, (scale, steps): (f64, usize), p: f64, heads: u64, rng: &mut Pcg64) -> Result<f64, Error> {
    let (power, jacobian) = match rule {
        Rule::Crate => {
            let target = FromFn::new(1, |x: &[f64]| ln_density(x[0], heads, 1.0));
            let walk = RandomWalk::new(scale)?;
            let mut state = walk.init(&target, &[logit(p)])?;
            for _ in 0..steps {
                walk.step(&target, &mut state, rng)?;
            }
            return Ok(logistic(state.position()[0]));
        }
        Rule::Power(power) => (power, 1.0),
        Rule::NoJacobian => (1.0, 0.0),
    };
    let mut x = logit(p);
    for _ in 0..steps {
        let step: f64 = StandardNormal.sample(rng);
        let proposal = x + scale * step;
        let ln_ratio = ln_density(proposal, heads, jacobian) - ln_density(x, heads, jacobian);
        if rng.random::<f64>() < (power * ln_ratio).exp() {
            x = proposal;
        }
    }
    Ok(logistic(x))
}

fn walk_verdicts(rule: Rule) -> (CalibrationReport, JointDistributionReport) {
    let sampler = |&heads: &u64, rng: &mut Pcg64| {
        let mut p = walk(rule, (SCALE, 50), 0.4, heads, rng)?;
        let mut rows = Vec::with_capacity(DRAWS);
        for _ in 0..DRAWS {
            p = walk(rule, (SCALE, 12), p, heads, rng)?;
            rows.push(vec![p]);
        }
        draws_of(&["p"], rows)
    };
    let kernel = |p: &mut Vec<f64>, &heads: &u64, rng: &mut Pcg64| {
        p[0] = walk(rule, (SCALE, 2), p[0], heads, rng)?;
        Ok(())
    };
    let joint = JointDistribution { draws: 50_000, seed: 2, ..JointDistribution::default() }
        .run(&Coin, kernel)
        .unwrap();
    (calibration().run(&Coin, sampler).unwrap(), joint)
}

#[test]
fn a_random_walk_passes() {
    for rule in [Rule::Crate, Rule::Power(1.0)] {
        let (report, joint) = walk_verdicts(rule);
        assert!(report.passes(1e-3), "{report}");
        assert!(joint.passes(1e-3), "{joint}");
    }
}

#[test]
fn a_wrong_acceptance_ratio_fails() {
    for (rule, calibration_below, joint_below) in
        [(Rule::Power(0.5), 1e-20, 1e-30), (Rule::Power(2.0), 1e-20, 1e-6), (Rule::NoJacobian, 1e-6, 1e-20)]
    {
        let (report, joint) = walk_verdicts(rule);
        println!("{report}{joint}");
        assert!(report.p_value() < calibration_below, "{report}");
        assert!(joint.p_value() < joint_below, "{joint}");
    }
}

#[test]
fn draws_that_depend_too_much_fail() {
    // A right kernel whose steps are so small that 99 draws are worth a few: ranks pile up at the ends.
    let sampler = |&heads: &u64, rng: &mut Pcg64| {
        let mut p = walk(Rule::Crate, (0.1, 1000), 0.4, heads, rng)?;
        let mut rows = Vec::with_capacity(DRAWS);
        for _ in 0..DRAWS {
            p = walk(Rule::Crate, (0.1, 1), p, heads, rng)?;
            rows.push(vec![p]);
        }
        draws_of(&["p"], rows)
    };
    let report = calibration().run(&Coin, sampler).unwrap();
    let counts = report.named("p").unwrap().histogram(10).unwrap();
    assert!(counts[0] + counts[9] > 1000, "{counts:?}");
    assert!(!report.passes(1e-6), "{report}");
}

#[test]
fn the_tables_have_a_row_for_each_quantity() {
    let text = by_exact_draws(Mistake::None).to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("quantity       mean rank  cover 0.50  cover 0.90  p histogram"));
    assert!(lines[2].starts_with("ln likelihood  "));
    assert!(lines.iter().all(|line| line.chars().count() == lines[0].chars().count()), "{text}");
    let text = joint_distribution(Mistake::None).to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[2].starts_with("p² ") && lines[4].starts_with("ln likelihood² "));
    assert!(lines.iter().all(|line| line.chars().count() == lines[0].chars().count()), "{text}");
}
