//! EM and its variants on two coins that are drawn in secret.

mod variants;

use std::convert::Infallible;
use std::ops::ControlFlow;

use posterior_inference::bound;
use posterior_inference::em::{
    Accelerate, Batched, Classify, EmOptions, Expected, Hard, Impute, Problem, accelerated_em,
    expectation_maximization,
};
use posterior_math::ParamError;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::log_space::{logistic, logit, softmax_in_place, x_ln_y};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;
use rand::{Rng, RngExt};

/// The probability λ of drawing the first coin, and the probabilities of heads.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Coins {
    first: f64,
    heads: [f64; 2],
}

const fn coins(first: f64, a: f64, b: f64) -> Coins {
    Coins { first, heads: [a, b] }
}

/// Weight and heads of each coin.
type Sums = [(f64, f64); 2];

/// Heads among three tosses of a coin drawn in secret, with a Beta(prior, prior) distribution of all three
/// parameters.
struct Tosses {
    heads: Vec<f64>,
    prior: f64,
}

/// (HHH), (TTH), (HTT), (HHT), (HTT).
fn tosses() -> Tosses {
    Tosses { heads: vec![3.0, 1.0, 1.0, 2.0, 1.0], prior: 1.0 }
}

impl Tosses {
    fn ln_joint(heads: f64, model: &Coins) -> [f64; 2] {
        let toss = |p: f64| x_ln_y(heads, p) + x_ln_y(3.0 - heads, 1.0 - p);
        [model.first.ln() + toss(model.heads[0]), (1.0 - model.first).ln() + toss(model.heads[1])]
    }

    /// The statistics and the log-likelihood, with each draw completed by `complete`, which turns ln p(x, z)
    /// into proportions.
    fn sums(&self, model: &Coins, mut complete: impl FnMut(&mut [f64; 2]) -> f64) -> Expected<Sums> {
        let (mut sums, mut ln_likelihood) = ([(0.0, 0.0); 2], 0.0);
        for &heads in &self.heads {
            let mut proportions = Self::ln_joint(heads, model);
            ln_likelihood += complete(&mut proportions);
            for (sum, proportion) in sums.iter_mut().zip(proportions) {
                *sum = (sum.0 + proportion, sum.1 + proportion * heads);
            }
        }
        Expected::new(sums, ln_likelihood)
    }
}

impl Problem for Tosses {
    type Model = Coins;
    type Statistics = Sums;
    type Error = ParamError;

    fn e_step(&self, model: &Coins) -> Result<Expected<Sums>, ParamError> {
        Ok(self.sums(model, |proportions| softmax_in_place(proportions)))
    }

    fn m_step(&self, &[a, b]: &Sums, _: &Coins) -> Result<Coins, ParamError> {
        let more = self.prior - 1.0;
        let ratio = |part: f64, whole: f64| (part + more) / (whole + 2.0 * more);
        Ok(coins(ratio(a.0, a.0 + b.0), ratio(a.1, 3.0 * a.0), ratio(b.1, 3.0 * b.0)))
    }

    fn ln_prior(&self, model: &Coins) -> f64 {
        let more = self.prior - 1.0;
        [model.first, model.heads[0], model.heads[1]]
            .iter()
            .map(|&p| x_ln_y(more, p) + x_ln_y(more, 1.0 - p))
            .sum()
    }
}

impl Classify for Tosses {
    fn classify(&self, model: &Coins) -> Result<Expected<Sums>, ParamError> {
        Ok(self.sums(model, |proportions| {
            let best = proportions[0].max(proportions[1]);
            *proportions = if proportions[0] >= proportions[1] { [1.0, 0.0] } else { [0.0, 1.0] };
            best
        }))
    }
}

impl Impute for Tosses {
    fn impute<R: Rng + ?Sized>(&self, model: &Coins, rng: &mut R) -> Result<Expected<Sums>, ParamError> {
        Ok(self.sums(model, |proportions| {
            let ln_likelihood = softmax_in_place(proportions);
            *proportions = if rng.random::<f64>() < proportions[0] { [1.0, 0.0] } else { [0.0, 1.0] };
            ln_likelihood
        }))
    }
}

impl Accelerate for Tosses {
    fn coordinates(&self, model: &Coins) -> Vec<f64> {
        [model.first, model.heads[0], model.heads[1]].map(logit).to_vec()
    }

    fn at_coordinates(&self, x: &[f64], _: &Coins) -> Option<Coins> {
        Some(coins(logistic(x[0]), logistic(x[1]), logistic(x[2])))
    }
}

/// One draw of a coin at a time.
impl Batched for Tosses {
    fn batches(&self) -> usize {
        self.heads.len()
    }

    fn e_step_of_batch(&self, model: &Coins, batch: usize) -> Result<Expected<Sums>, ParamError> {
        Self { heads: vec![self.heads[batch]], prior: self.prior }.e_step(model)
    }
}

/// All data as one batch.
struct Whole(Tosses);

impl Problem for Whole {
    type Model = Coins;
    type Statistics = Sums;
    type Error = ParamError;

    fn e_step(&self, model: &Coins) -> Result<Expected<Sums>, ParamError> {
        self.0.e_step(model)
    }

    fn m_step(&self, sums: &Sums, previous: &Coins) -> Result<Coins, ParamError> {
        self.0.m_step(sums, previous)
    }
}

impl Batched for Whole {
    fn batches(&self) -> usize {
        1
    }

    fn e_step_of_batch(&self, model: &Coins, _: usize) -> Result<Expected<Sums>, ParamError> {
        self.e_step(model)
    }
}

fn steps(n: usize) -> EmOptions {
    EmOptions { max_iterations: n, tolerance: 0.0, ..EmOptions::default() }
}

#[track_caller]
fn assert_coins(actual: &Coins, expected: &Coins, tolerance: f64) {
    assert_within(actual.first, expected.first, tolerance);
    assert_within(actual.heads[0], expected.heads[0], tolerance);
    assert_within(actual.heads[1], expected.heads[1], tolerance);
}

#[track_caller]
fn assert_rises(trace: &[f64]) {
    for pair in trace.windows(2) {
        assert!(pair[1] >= pair[0] - 1e-12, "{} falls to {}", pair[0], pair[1]);
    }
}

const START: Coins = coins(0.5, 0.6, 0.4);
const SADDLE: f64 = -10.36384963970727;
const HIGHEST: f64 = -10.28048338168;

#[test]
fn the_first_e_step_gives_each_draw_its_odds() {
    for (heads, proportion) in [(3.0, 27.0 / 35.0), (2.0, 0.6), (1.0, 0.4)] {
        let mut proportions = Tosses::ln_joint(heads, &START);
        softmax_in_place(&mut proportions);
        assert_close(proportions[0], proportion, 1e-15);
    }
}

#[test]
fn the_first_steps_are_those_of_the_textbook() {
    let table = [
        (coins(0.514285714286, 0.611111111111, 0.450980392157), -10.395503111340),
        (coins(0.511978098798, 0.597545272084, 0.465969335445), -10.384349207334),
        (coins(0.510664327019, 0.586943533026, 0.477386428051), -10.377679375679),
    ];
    let mut seen = Vec::new();
    let mut watch = |step: &Step| {
        seen.push((step.iteration, step.objective));
        ControlFlow::Continue(())
    };
    let fitted = expectation_maximization(&tosses(), START, &steps(3), &mut watch).unwrap();
    assert_within(fitted.report.trace[0], -10.447167001173, 1e-12);
    assert_eq!(fitted.report.stop, Stop::MaxIterations);
    for (k, (model, objective)) in table.iter().enumerate() {
        let after = expectation_maximization(&tosses(), START, &steps(k + 1), &mut Silent).unwrap();
        assert_coins(&after.model, model, 1e-12);
        assert_within(fitted.report.trace[k + 1], *objective, 1e-12);
        assert_eq!(seen[k], (k + 1, fitted.report.trace[k + 1]));
    }
    assert_coins(&fitted.model, &table[2].0, 1e-12);
}

#[test]
fn em_creeps_into_the_saddle_and_another_start_does_not() {
    let fitted = expectation_maximization(&tosses(), START, &steps(100_000), &mut Silent).unwrap();
    assert_within(fitted.report.trace[fitted.report.iterations()], SADDLE, 1e-12);
    assert_within(fitted.model.heads[0], 8.0 / 15.0, 1e-5);
    assert_within(fitted.model.heads[1], 8.0 / 15.0, 1e-5);
    assert_rises(&fitted.report.trace);
    assert!(fitted.report.falls.is_empty());

    let other =
        expectation_maximization(&tosses(), coins(0.3, 0.8, 0.5), &steps(100_000), &mut Silent).unwrap();
    assert!(other.report.converged(), "{:?} after {}", other.report.stop, other.report.iterations());
    assert_within(other.report.trace[other.report.iterations()], HIGHEST, 1e-11);
    assert_coins(&other.model, &coins(0.09913300150, 1.0, 0.48198050606), 1e-6);
    assert_rises(&other.report.trace);
}

#[test]
fn equal_coins_stay_equal_to_the_last_bit() {
    let fitted = expectation_maximization(&tosses(), coins(0.5, 0.4, 0.4), &steps(50), &mut Silent).unwrap();
    assert_eq!(fitted.model.heads[0], fitted.model.heads[1]);
    assert_close(fitted.model.heads[0], 8.0 / 15.0, 1e-15);
    assert_close(fitted.model.first, 0.5, 1e-15);
    assert!(fitted.report.converged());
}

#[test]
fn after_the_e_step_the_bound_is_the_likelihood() {
    let model = coins(0.37, 0.71, 0.28);
    let mut total = 0.0;
    for &heads in &tosses().heads {
        let ln_joint = Tosses::ln_joint(heads, &model);
        let mut q = ln_joint;
        softmax_in_place(&mut q);
        total += bound::elbo(&q, &ln_joint);
        assert_within(bound::divergence(&q, &ln_joint), 0.0, 1e-15);
        for other in [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.9, 0.1]] {
            let sum = bound::elbo(&other, &ln_joint) + bound::divergence(&other, &ln_joint);
            assert_close(sum, bound::elbo(&q, &ln_joint), 1e-14);
            assert!(bound::divergence(&other, &ln_joint) > 0.0);
        }
    }
    assert_close(total, tosses().e_step(&model).unwrap().ln_likelihood, 1e-14);
}

#[test]
fn a_prior_keeps_the_coins_from_the_edge_and_its_fixed_point_has_no_slope() {
    let problem = Tosses { prior: 2.0, ..tosses() };
    let fitted =
        expectation_maximization(&problem, coins(0.3, 0.8, 0.5), &steps(100_000), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    assert_rises(&fitted.report.trace);
    let objective = |x: &[f64]| {
        let model = problem.at_coordinates(x, &START).unwrap();
        problem.e_step(&model).unwrap().ln_likelihood + problem.ln_prior(&model)
    };
    let x = problem.coordinates(&fitted.model);
    for i in 0..3 {
        let at = |h: f64| {
            let mut moved = x.clone();
            moved[i] += h;
            objective(&moved)
        };
        assert_within((at(1e-4) - at(-1e-4)) / 2e-4, 0.0, 1e-7);
        assert!(at(0.0) > at(0.1) && at(0.0) > at(-0.1), "coordinate {i} is at a maximum");
    }
}

/// An M step that is wrong every tenth time, and a likelihood that ends.
struct Broken {
    end: f64,
}

impl Problem for Broken {
    type Model = f64;
    type Statistics = ();
    type Error = Infallible;

    fn e_step(&self, &x: &f64) -> Result<Expected<()>, Infallible> {
        Ok(Expected::new((), if x == self.end { f64::INFINITY } else { -1.0 / (1.0 + x) }))
    }

    fn m_step(&self, (): &(), &x: &f64) -> Result<f64, Infallible> {
        Ok(if x == 5.0 { 2.5 } else { x + 1.0 })
    }
}

#[test]
fn a_fall_is_reported_and_a_likelihood_without_bound_ends_the_run() {
    let fitted = expectation_maximization(&Broken { end: -1.0 }, 0.0, &steps(8), &mut Silent).unwrap();
    assert_eq!(fitted.report.falls.len(), 1);
    let fall = &fitted.report.falls[0];
    assert_eq!((fall.iteration, fall.part.as_deref()), (6, None));
    assert_close(fall.drop, 1.0 / 3.5 - 1.0 / 6.0, 1e-14);
    assert_eq!(fitted.report.trace[6], -1.0 / 3.5);

    let fitted = expectation_maximization(&Broken { end: 3.0 }, 0.0, &steps(8), &mut Silent).unwrap();
    assert_eq!((fitted.report.stop, fitted.model), (Stop::Stalled, 2.0));
    let fitted = expectation_maximization(&Broken { end: 0.0 }, 0.0, &steps(8), &mut Silent).unwrap();
    assert_eq!((fitted.report.stop, fitted.model, fitted.report.iterations()), (Stop::Stalled, 0.0, 0));
}

#[test]
fn an_observer_stops_the_run_with_the_model_of_that_step() {
    let mut halt =
        |step: &Step| if step.iteration == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let fitted = expectation_maximization(&tosses(), START, &steps(9), &mut halt).unwrap();
    assert_eq!((fitted.report.stop, fitted.report.iterations()), (Stop::Observer, 2));
    assert_coins(&fitted.model, &coins(0.511978098798, 0.597545272084, 0.465969335445), 1e-12);
    let none = expectation_maximization(&tosses(), START, &steps(0), &mut Silent).unwrap();
    assert_eq!((none.report.stop, none.model), (Stop::MaxIterations, START));
}

/// An M step that goes half of the way: generalised EM.
struct HalfWay(Tosses);

impl Problem for HalfWay {
    type Model = Coins;
    type Statistics = Sums;
    type Error = ParamError;

    fn e_step(&self, model: &Coins) -> Result<Expected<Sums>, ParamError> {
        self.0.e_step(model)
    }

    fn m_step(&self, sums: &Sums, old: &Coins) -> Result<Coins, ParamError> {
        let best = self.0.m_step(sums, old)?;
        let half = |a: f64, b: f64| a.midpoint(b);
        Ok(coins(
            half(old.first, best.first),
            half(old.heads[0], best.heads[0]),
            half(old.heads[1], best.heads[1]),
        ))
    }

    fn ln_prior(&self, model: &Coins) -> f64 {
        self.0.ln_prior(model)
    }
}

#[test]
fn generalised_em_rises_to_the_same_maximum_more_slowly() {
    let problem = Tosses { prior: 1.5, ..tosses() };
    let options = EmOptions { tolerance: 1e-15, ..steps(100_000) };
    let start = coins(0.3, 0.8, 0.5);
    let plain = expectation_maximization(&problem, start, &options, &mut Silent).unwrap();
    let half = expectation_maximization(&HalfWay(problem), start, &options, &mut Silent).unwrap();
    assert_rises(&half.report.trace);
    assert_coins(&half.model, &plain.model, 1e-5);
    assert!(half.report.iterations() > plain.report.iterations());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_variant_that_climbs_ever_falls(
        heads in prop::collection::vec(0_u8..=3, 1..12),
        start in (0.01..0.99, 0.01..0.99, 0.01..0.99),
        prior in 1.01..4.0,
    ) {
        let heads = heads.into_iter().map(f64::from).collect();
        let problem = Tosses { heads, prior };
        let start = coins(start.0, start.1, start.2);
        let plain = expectation_maximization(&problem, start, &steps(60), &mut Silent).unwrap();
        let fast = accelerated_em(&problem, start, &steps(60), &mut Silent).unwrap();
        for report in [&plain.report, &fast.report] {
            prop_assert!(report.falls.is_empty(), "{:?}", report);
            for pair in report.trace.windows(2) {
                prop_assert!(pair[1] >= pair[0] - 1e-12 * pair[0].abs().max(1.0));
            }
        }
        // The objective at the end of the trace is that of the model.
        for fitted in [&plain, &fast] {
            let objective = problem.e_step(&fitted.model).unwrap().ln_likelihood + problem.ln_prior(&fitted.model);
            prop_assert_eq!(objective, fitted.report.trace[fitted.report.iterations()]);
        }
        let hard = expectation_maximization(&Hard(problem), start, &steps(60), &mut Silent).unwrap();
        prop_assert!(hard.report.falls.is_empty() && hard.report.converged());
    }
}
