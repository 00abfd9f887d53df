//! EM on mixtures of Gaussians, by the sufficient statistics of the library.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::{Density, ExponentialFamily, Stats};
use posterior_gaussian::Gaussian;
use posterior_inference::bound;
use posterior_inference::em::{
    Accelerate, Batched, EmOptions, Expected, OnlineOptions, Problem, accelerated_em,
    expectation_maximization, incremental_em, online_em,
};
use posterior_math::ParamError;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_softmax_in_place, softmax_in_place};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::reference::{list, load, number, numbers, rows};

#[derive(Debug, Clone, PartialEq)]
struct Mixture {
    weights: Vec<f64>,
    components: Vec<Gaussian>,
}

struct Points {
    points: Vec<Vec<f64>>,
    batches: usize,
}

impl Points {
    fn ln_joint(model: &Mixture, x: &[f64]) -> Vec<f64> {
        let parts = model.weights.iter().zip(&model.components);
        parts.map(|(weight, component)| weight.ln() + component.ln_pdf(x)).collect()
    }

    fn expect_in(
        &self,
        model: &Mixture,
        from: usize,
        to: usize,
    ) -> Result<Expected<Vec<Stats<Gaussian>>>, ParamError> {
        let dimension = model.components[0].dimension();
        let mut statistics: Vec<Stats<Gaussian>> = vec![Stats::new(dimension); model.weights.len()];
        let mut ln_likelihood = 0.0;
        for x in &self.points[from..to] {
            let mut proportions = Self::ln_joint(model, x);
            ln_likelihood += softmax_in_place(&mut proportions);
            for (component, proportion) in statistics.iter_mut().zip(proportions) {
                component.push_weighted(x, proportion)?;
            }
        }
        Ok(Expected::new(statistics, ln_likelihood))
    }

    fn range(&self, batch: usize) -> (usize, usize) {
        let n = self.points.len();
        (batch * n / self.batches, (batch + 1) * n / self.batches)
    }
}

impl Problem for Points {
    type Model = Mixture;
    type Statistics = Vec<Stats<Gaussian>>;
    type Error = ParamError;

    fn e_step(&self, model: &Mixture) -> Result<Expected<Self::Statistics>, ParamError> {
        self.expect_in(model, 0, self.points.len())
    }

    fn m_step(&self, statistics: &Self::Statistics, _: &Mixture) -> Result<Mixture, ParamError> {
        let total: f64 = statistics.iter().map(Stats::weight).sum();
        Ok(Mixture {
            weights: statistics.iter().map(|component| component.weight() / total).collect(),
            components: statistics.iter().map(Gaussian::maximum_likelihood).collect::<Result<_, _>>()?,
        })
    }
}

impl Batched for Points {
    fn batches(&self) -> usize {
        self.batches
    }

    fn e_step_of_batch(
        &self,
        model: &Mixture,
        batch: usize,
    ) -> Result<Expected<Self::Statistics>, ParamError> {
        let (from, to) = self.range(batch);
        self.expect_in(model, from, to)
    }

    fn proportion(&self, batch: usize) -> f64 {
        let (from, to) = self.range(batch);
        (to - from) as f64 / self.points.len() as f64
    }
}

/// Of mixtures on the line: logarithms of weights (up to a constant), means, logarithms of variances.
impl Accelerate for Points {
    fn coordinates(&self, model: &Mixture) -> Vec<f64> {
        let weights = model.weights.iter().map(|weight| weight.ln());
        let distributions = model.components.iter().flat_map(|c| [c.mean()[0], c.covariance()[(0, 0)].ln()]);
        weights.chain(distributions).collect()
    }

    fn at_coordinates(&self, x: &[f64], like: &Mixture) -> Option<Mixture> {
        let (weights, distributions) = x.split_at(like.weights.len());
        let mut weights = weights.to_vec();
        ln_softmax_in_place(&mut weights);
        let distribution = |x: &[f64]| Gaussian::independent(&x[..1], &[x[1].exp()]).ok();
        Some(Mixture {
            weights: weights.iter().map(|weight| weight.exp()).collect(),
            components: distributions.chunks(2).map(distribution).collect::<Option<_>>()?,
        })
    }
}

fn line() -> Points {
    let points = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5].iter().map(|&x| vec![x]).collect();
    Points { points, batches: 7 }
}

fn start() -> Mixture {
    let component = |mean: f64| Gaussian::independent(&[mean], &[1.0]).unwrap();
    Mixture { weights: vec![0.5, 0.5], components: vec![component(-1.0), component(1.0)] }
}

fn matrix(value: &serde_json::Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows.len(), |i, j| rows[i][j])
}

fn options(steps: usize) -> EmOptions {
    EmOptions { tolerance: 0.0, max_iterations: steps, ..EmOptions::default() }
}

#[test]
fn one_step_is_that_of_the_reference_table() {
    let table = load("gmm_em");
    for case in list(&table["cases"]) {
        let points = rows(&case["x"]);
        let distributions = rows(&case["means"]).into_iter().zip(list(&case["covariances"]));
        let model = Mixture {
            weights: numbers(&case["weights"]),
            components: distributions.map(|(mean, c)| Gaussian::new(&mean, &matrix(c)).unwrap()).collect(),
        };
        let problem = Points { points, batches: 1 };
        let mut bounds = 0.0;
        for (x, expected) in problem.points.iter().zip(rows(&case["responsibilities"])) {
            let ln_joint = Points::ln_joint(&model, x);
            let mut proportions = ln_joint.clone();
            softmax_in_place(&mut proportions);
            assert_all_close(&proportions, &expected, 2e-13);
            bounds += bound::elbo(&proportions, &ln_joint);
        }
        let fitted = expectation_maximization(&problem, model, &options(1), &mut Silent).unwrap();
        assert_close(fitted.report.trace[0], number(&case["log_likelihood"]), 1e-14);
        assert_close(bounds, number(&case["log_likelihood"]), 1e-14);
        assert_close(fitted.report.trace[1], number(&case["new_log_likelihood"]), 1e-13);
        assert_all_close(&fitted.model.weights, &numbers(&case["new_weights"]), 1e-13);
        for (k, component) in fitted.model.components.iter().enumerate() {
            let mean = numbers(&case["new_means"][k]);
            let covariance = matrix(&case["new_covariances"][k]);
            for (actual, expected) in component.mean().iter().zip(&mean) {
                assert_within(*actual, *expected, 1e-13 * covariance.amax().sqrt().max(1.0));
            }
            assert!((component.covariance() - &covariance).amax() <= 1e-13 * covariance.amax());
        }
    }
}

#[test]
fn seven_points_on_the_line_go_where_they_should() {
    let few = expectation_maximization(&line(), start(), &options(3), &mut Silent).unwrap();
    let trace = [-13.26555406679416, -11.15905289624651, -9.7243044731451, -9.698974117885653];
    assert_all_close(&few.report.trace, &trace, 1e-14);
    let fitted = expectation_maximization(&line(), start(), &options(1000), &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    assert_close(fitted.report.trace[fitted.report.iterations()], -9.698974113636174, 1e-14);
    assert_within(fitted.model.weights[0], 0.428569786174, 1e-9);
    let [left, right] = &fitted.model.components[..] else { unreachable!("two components") };
    assert_within(left.mean()[0], -1.500001896472, 1e-9);
    assert_within(right.mean()[0], 1.749992081234, 1e-9);
    assert_within(left.covariance()[(0, 0)], 0.16666638737, 1e-9);
    assert_within(right.covariance()[(0, 0)], 0.312520903622, 1e-9);
}

#[test]
fn names_of_components_do_not_matter_and_one_component_is_maximum_likelihood() {
    let fitted = expectation_maximization(&line(), start(), &options(30), &mut Silent).unwrap();
    let mut swapped = start();
    swapped.components.reverse();
    let other = expectation_maximization(&line(), swapped, &options(30), &mut Silent).unwrap();
    assert_all_close(&other.report.trace, &fitted.report.trace, 1e-14);
    assert_close(other.model.weights[0], fitted.model.weights[1], 1e-12);

    let alone = Mixture { weights: vec![1.0], components: start().components[..1].to_vec() };
    let fitted = expectation_maximization(&line(), alone, &options(10), &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.iterations() == 2);
    let stats = Stats::of(1, line().points.iter().map(Vec::as_slice)).unwrap();
    assert_eq!(fitted.model.components[0], Gaussian::maximum_likelihood(&stats).unwrap());
}

/// Two broad components that overlap: where EM creeps.
fn overlapping() -> Points {
    let at = |i: usize| ((i as f64 + 0.5) / 100.0 - 0.5) * 5.0;
    let points =
        (0..100).map(|i| i * 37 % 100).map(|i| vec![at(i) + if i % 3 == 0 { 0.8 } else { -0.4 }]).collect();
    Points { points, batches: 10 }
}

#[test]
fn acceleration_reaches_the_same_maximum_in_fewer_steps() {
    let options = EmOptions { tolerance: 1e-13, max_iterations: 100_000, ..EmOptions::default() };
    let plain = expectation_maximization(&overlapping(), start(), &options, &mut Silent).unwrap();
    let fast = accelerated_em(&overlapping(), start(), &options, &mut Silent).unwrap();
    assert!(plain.report.converged() && fast.report.converged());
    assert!(fast.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-10));
    let (slow, quick) = (plain.report.iterations(), fast.report.iterations());
    assert!(4 * quick < slow, "{quick} steps against {slow}");
    let last = |trace: &[f64]| trace[trace.len() - 1];
    assert_close(last(&fast.report.trace), last(&plain.report.trace), 1e-10);
}

#[test]
fn statistics_of_batches_add_up_and_lead_to_the_same_fit() {
    let problem = overlapping();
    let full = problem.e_step(&start()).unwrap();
    let mut sum = problem.e_step_of_batch(&start(), 0).unwrap();
    for batch in 1..10 {
        let part = problem.e_step_of_batch(&start(), batch).unwrap();
        posterior_inference::Additive::merge(&mut sum.statistics, &part.statistics).unwrap();
        sum.ln_likelihood += part.ln_likelihood;
    }
    assert_close(sum.ln_likelihood, full.ln_likelihood, 1e-13);
    for (a, b) in sum.statistics.iter().zip(&full.statistics) {
        assert_close(a.weight(), b.weight(), 1e-13);
        assert_all_close(&a.total(), &b.total(), 1e-12);
    }

    let tight = EmOptions { tolerance: 1e-13, max_iterations: 100_000, ..EmOptions::default() };
    let plain = expectation_maximization(&problem, start(), &tight, &mut Silent).unwrap();
    let parts = incremental_em(&problem, start(), &tight, &mut Silent).unwrap();
    assert!(parts.report.converged());
    assert!((1..10).all(|k| parts.report.trace[k] > plain.report.trace[k]), "ahead in the first passes");
    let last = |trace: &[f64]| trace[trace.len() - 1];
    assert_close(last(&parts.report.trace), last(&plain.report.trace), 1e-9);
    assert_within(parts.model.components[0].mean()[0], plain.model.components[0].mean()[0], 1e-3);

    let online =
        online_em(&problem, start(), &OnlineOptions { warm_up: 3, ..OnlineOptions::default() }, &mut Silent)
            .unwrap();
    let reached = problem.e_step(&online.model).unwrap().ln_likelihood;
    assert!(reached > full.ln_likelihood && reached <= last(&plain.report.trace) + 1e-9);
    assert_within(reached, last(&plain.report.trace), 0.5);
}

#[test]
fn an_impossible_m_step_is_the_error_of_the_problem() {
    // A component on one point has no covariance.
    let problem = Points { points: vec![vec![0.0], vec![0.0]], batches: 1 };
    assert!(expectation_maximization(&problem, start(), &options(9), &mut Silent).is_err());
}
