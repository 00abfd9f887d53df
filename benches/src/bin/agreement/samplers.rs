//! Samplers against exact moments, and engines that draw against an exact one.

use std::error::Error;
use std::f64::consts::PI;

use posterior::dist::stream::stream;
use posterior::dist::target::{EvalError, FromFn, GradTarget, Target, Unconstrained};
use posterior::gaussian::Gaussian;
use posterior::inference::{Engine, JunctionTree, Targets};
use posterior::math::bijection::{Elementwise, Identity};
use posterior::math::linalg::DMatrix;
use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, Table, VarId, Variables};
use posterior::sampling::diagnostics::{mcse_mean, mean};
use posterior::sampling::estimate::Estimate;
use posterior::sampling::hamiltonian::{Hmc, Nuts};
use posterior::sampling::importance::importance_sampling;
use posterior::sampling::metropolis::{AdaptiveLangevin, AdaptiveWalk, RandomWalk};
use posterior::sampling::network::{ForwardSampling, NetworkGibbs};
use posterior::sampling::slice::{AdaptiveHyperrectangle, AdaptiveSlice};
use posterior::sampling::tempering::{Flat, ParallelTempering, SequentialMonteCarlo, Tempered};
use posterior::sampling::{Draws, Run, Start};
use rand::RngExt;

use crate::row::{Measure, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// x₀ of Gumbel's distribution and x₁ - x₀/2 of the logistic distribution: skewed, dependent, with known
/// moments.
struct Skewed;

impl Target for Skewed {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let u = x[1] - 0.5 * x[0];
        Ok(-x[0] - (-x[0]).exp() - u.abs() - 2.0 * (-u.abs()).exp().ln_1p())
    }
}

impl GradTarget for Skewed {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let slope = -(0.5 * (x[1] - 0.5 * x[0])).tanh();
        gradient.copy_from_slice(&[(-x[0]).exp_m1() - 0.5 * slope, slope]);
        self.ln_density(x)
    }
}

/// A function of a point, and how it is called.
type Named = (&'static str, fn(&[f64]) -> f64);

/// What is compared: both means, both second moments, the mixed one.
const FUNCTIONS: [Named; 5] = [
    ("x", |x| x[0]),
    ("y", |x| x[1]),
    ("xx", |x| x[0] * x[0]),
    ("yy", |x| x[1] * x[1]),
    ("xy", |x| x[0] * x[1]),
];

fn truth() -> [f64; 5] {
    let (gamma, variance) = (0.577_215_664_901_532_9, PI * PI / 6.0);
    let square = variance + gamma * gamma;
    [gamma, 0.5 * gamma, square, 0.25 * square + PI * PI / 3.0, 0.5 * square]
}

/// The largest distance from the truth in standard errors.
fn off(draws: &Draws) -> Outcome<f64> {
    let names = FUNCTIONS.map(|(name, _)| name);
    let values = draws.map(names, |x, out| {
        for (out, (_, function)) in out.iter_mut().zip(FUNCTIONS) {
            *out = function(x);
        }
    })?;
    let mut worst = 0.0_f64;
    for (k, truth) in truth().into_iter().enumerate() {
        let chains = values.parameter(k);
        worst = worst.max(((mean(&chains)? - truth) / mcse_mean(&chains)?).abs());
    }
    Ok(worst)
}

fn off_estimates(mut estimate: impl FnMut(fn(&[f64]) -> f64) -> Outcome<Estimate>) -> Outcome<f64> {
    let mut worst = 0.0_f64;
    for ((_, function), truth) in FUNCTIONS.into_iter().zip(truth()) {
        let found = estimate(function)?;
        worst = worst.max(((found.value - truth) / found.standard_error).abs());
    }
    Ok(worst)
}

pub(crate) fn rows() -> Rows {
    let run = Run { seed: 11, draws: 5000, ..Run::default() };
    let start = Start::default();
    let tempered = Tempered::new(Flat::new(2), &Skewed, 1.0)?;
    let ladder = ParallelTempering::geometric(AdaptiveWalk::default(), 3, 0.3)?;
    let chains = [
        ("No-U-Turn", run.sample(&Skewed, &Nuts::default(), &start)?.draws),
        ("Hamiltonian Monte Carlo", run.sample(&Skewed, &Hmc::default(), &start)?.draws),
        ("adaptive random walk", run.sample(&Skewed, &AdaptiveWalk::default(), &start)?.draws),
        ("Langevin steps", run.sample(&Skewed, &AdaptiveLangevin::default(), &start)?.draws),
        ("slices along coordinates", run.sample(&Skewed, &AdaptiveSlice::default(), &start)?.draws),
        ("slices in boxes", run.sample(&Skewed, &AdaptiveHyperrectangle, &start)?.draws),
        ("parallel tempering", run.sample(&tempered, &ladder, &start)?.draws),
    ];
    let mut rows = Vec::new();
    let on = "a distribution of two numbers, skewed and dependent; 5 moments, 4 chains of 5,000 draws";
    let row = |name, on: &str, off| {
        Row::new(
            "moments",
            [name, "closed form"],
            on,
            Measure::StandardErrors(off),
            "5 s.e. of tests of invariance (`posterior-sampling/invariance.rs`)",
        )
        .of(5)
    };
    for (name, draws) in &chains {
        rows.push(row(name, on, off(draws)?));
    }
    let wide = Gaussian::new(&[0.6, 0.3], &(DMatrix::identity(2, 2) * 9.0))?;
    let wide = Unconstrained::new(wide, Elementwise::new(Identity, 2), 2)?;
    let ln_density = |target: &dyn Target, x: &[f64]| target.ln_density(x).unwrap_or(f64::NEG_INFINITY);
    let likelihood = FromFn::new(2, |x: &[f64]| ln_density(&Skewed, x) - ln_density(&wide, x));
    let populations = SequentialMonteCarlo { seed: 5, ..SequentialMonteCarlo::default() }.run(
        &wide,
        &likelihood,
        |stage| Ok(RandomWalk::new(stage.step_size())?),
    )?;
    rows.push(row(
        "sequential Monte Carlo",
        "the same distribution; 8 populations of 500",
        off_estimates(|f| Ok(populations.expectation(f)?))?,
    ));
    let sample = importance_sampling(&Skewed, &wide, 100_000, &mut stream(3, &[]))?;
    rows.push(row(
        "importance sampling",
        "the same distribution; 100,000 draws of a normal distribution",
        off_estimates(|f| Ok(sample.expectation(f)?))?,
    ));
    rows.extend(networks()?);
    Ok(rows)
}

/// Ten binary variables with up to three parents among those before.
fn network() -> Outcome<BayesianNetwork> {
    let mut rng = stream(7, &[]);
    let mut tables = Vec::new();
    for child in 0..10_usize {
        let scope: Vec<VarId> = (child.saturating_sub(3)..=child).map(VarId::new).collect();
        let rows = 1 << (scope.len() - 1);
        let values = (0..rows).flat_map(|_| {
            let p = rng.random_range(0.1..0.9);
            [p, 1.0 - p]
        });
        tables.push(Table::new(scope.clone(), vec![2; scope.len()], values.collect())?);
    }
    Ok(BayesianNetwork::new(Variables::numbered(&[2; 10])?, tables)?)
}

fn networks() -> Outcome<Vec<Row>> {
    let model = network()?;
    let evidence = Evidence::of([(VarId::new(9), 1), (VarId::new(4), 0)]);
    let exact = JunctionTree::default().query(&model, &Targets::All, &evidence)?;
    let mut rows = Vec::new();
    let drawn = [
        ("likelihood weighting", ForwardSampling::default().query(&model, &Targets::All, &evidence)?),
        ("logic sampling", ForwardSampling::logic_sampling().query(&model, &Targets::All, &evidence)?),
        ("Gibbs sampling", NetworkGibbs::default().query(&model, &Targets::All, &evidence)?),
    ];
    for (name, beliefs) in &drawn {
        let mut worst = 0.0_f64;
        for v in model.variables().ids().filter(|v| ![4, 9].contains(&v.index())) {
            let (own, known) =
                (beliefs.marginal(v).unwrap_or_default(), exact.marginal(v).unwrap_or_default());
            let errors = beliefs.standard_errors(v).unwrap_or_default();
            worst = worst.max(((own[1] - known[1]) / errors[1]).abs());
        }
        let on = "a network of ten binary variables, two of them seen";
        rows.push(
            Row::new(
                "marginals",
                [name, "junction tree"],
                on,
                Measure::StandardErrors(worst),
                "4 to 5 s.e. (`posterior-sampling/network`)",
            )
            .of(8),
        );
    }
    Ok(rows)
}
