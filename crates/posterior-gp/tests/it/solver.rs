//! Routes: which is taken and why, and that all lead to one posterior.

use posterior_gp::hyperparameters::{HyperparameterOptions, fit};
use posterior_gp::iterative::IterativeOptions;
use posterior_gp::markov::{MarkovOptions, MarkovProcessPosterior};
use posterior_gp::solver::{AnyPosterior, LARGEST_DENSE, Solver, SolverRegression};
use posterior_gp::sparse::SparseApproximation;
use posterior_gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LinearOptions;

fn data(n: usize) -> (DMatrix<f64>, Vec<f64>) {
    let inputs = DMatrix::from_fn(n, 1, |i, _| 0.1 * (i as f64 + (7.0 * i as f64).sin()));
    let outputs = inputs.iter().map(|t| t.sin() + 0.3 * (23.0 * t).cos() + 0.5).collect();
    (inputs, outputs)
}

fn prior() -> GaussianProcess {
    let kernel = 0.7 * Kernel::matern32(1.2).unwrap() + Kernel::matern52(5.0).unwrap();
    GaussianProcess::new(kernel).with_mean(Mean::constant(0.4).unwrap())
}

/// All routes, as exact as they can be for 80 observations.
fn routes() -> Vec<Solver> {
    let linear = LinearOptions { relative: 1e-12, ..LinearOptions::default() };
    vec![
        Solver::Dense,
        Solver::DenseOfAnySize,
        Solver::Markov(MarkovOptions::default()),
        Solver::Sparse { inducing: 80, approximation: SparseApproximation::Variational },
        Solver::Sparse { inducing: 80, approximation: SparseApproximation::Fitc },
        Solver::Iterative(IterativeOptions { rank: 80, linear, ..IterativeOptions::default() }),
    ]
}

#[test]
fn all_routes_lead_to_one_posterior() {
    let (inputs, outputs) = data(80);
    let noise = Noise::variance(0.1).unwrap();
    let dense = prior().condition(&inputs, &outputs, &noise).unwrap();
    let places = DMatrix::from_column_slice(4, 1, &[-0.5, 2.03, 5.0, 9.0]);
    let expected = dense.latent(&places).unwrap();
    for solver in routes() {
        let problem = SolverRegression::new(prior(), noise.clone(), (&inputs, &outputs), &solver).unwrap();
        let posterior = problem.condition().unwrap();
        let name = problem.route().name();
        let evidence = posterior.ln_evidence() - dense.ln_evidence();
        // Rank 80 leaves nothing to the probes but the tolerance of the preconditioner.
        assert!(evidence.abs() < if name == "iterative" { 1e-2 } else { 1e-8 }, "{name}: {evidence}");
        let found = posterior.latent(&places).unwrap();
        assert!((&found.mean - &expected.mean).amax() < 1e-8, "{name}");
        assert!((&found.variance - &expected.variance).amax() < 1e-8, "{name}");
        assert_eq!(posterior.parameters(), dense.parameters());
        let gradient = posterior.gradient().unwrap();
        for (found, expected) in gradient.iter().zip(dense.gradient()) {
            let tolerance = if name == "iterative" { 0.1 } else { 1e-6 };
            assert!((found - expected).abs() < tolerance * (1.0 + expected.abs()), "{name}");
        }
        let parts = posterior.latent_components(&places).unwrap();
        for (part, component) in parts.iter().zip(dense.components()) {
            let expected = component.latent(&places).unwrap();
            assert!((&part.mean - &expected.mean).amax() < 1e-8, "{name}");
            assert!((&part.variance - &expected.variance).amax() < 1e-8, "{name}");
        }
        assert_eq!((posterior.prior(), posterior.noise()), (&prior(), &noise));
    }
}

#[test]
fn fits_take_any_route() {
    let (inputs, outputs) = data(60);
    let prior = GaussianProcess::new(1.0 * Kernel::matern32(1.0).unwrap());
    let best = |solver: Solver| {
        let noise = Noise::variance(0.1).unwrap();
        let problem = SolverRegression::new(prior.clone(), noise, (&inputs, &outputs), &solver).unwrap();
        let fitted = fit(
            &problem,
            &HyperparameterOptions { restarts: 0, ..HyperparameterOptions::default() },
            &mut Silent,
        )
        .unwrap();
        assert!(fitted.report.search.converged());
        (fitted.model.ln_evidence(), fitted.model)
    };
    let (dense, _) = best(Solver::Dense);
    let (markov, model) = best(Solver::Markov(MarkovOptions::default()));
    assert!((dense - markov).abs() < 1e-6 * dense.abs(), "{dense} {markov}");
    assert!(matches!(model, AnyPosterior::Markov(_)));
    let (sparse, _) = best(Solver::Sparse { inducing: 60, approximation: SparseApproximation::Variational });
    assert!((dense - sparse).abs() < 1e-6 * dense.abs(), "{dense} {sparse}");
    let (bound, _) = best(Solver::Sparse { inducing: 25, approximation: SparseApproximation::Variational });
    assert!(bound < dense);
}

#[test]
fn searches_of_some_rows_begin_near_the_best_of_all() {
    let (inputs, outputs) = data(300);
    let noise = Noise::variance(0.5).unwrap();
    let prior = GaussianProcess::new(9.0 * Kernel::matern32(7.0).unwrap());
    let problem = SolverRegression::new(prior, noise, (&inputs, &outputs), &Solver::Dense).unwrap();
    let options = HyperparameterOptions { restarts: 3, ..HyperparameterOptions::default() };
    let (begun, report) = problem.begun_with_few(100, &options).unwrap();
    assert_eq!((report.starts.len(), report.observations), (4, 100));
    let ln_p = |problem: &SolverRegression| problem.condition().unwrap().ln_evidence();
    let best = fit(&problem, &options, &mut Silent).unwrap().report.ln_evidence;
    assert!(ln_p(&begun) > ln_p(&problem) && best - ln_p(&begun) < 0.1 * (best - ln_p(&problem)));
    let few = HyperparameterOptions { restarts: 0, ..options };
    let found = fit(&begun, &few, &mut Silent).unwrap().report.ln_evidence;
    assert!((found - best).abs() < 1e-4 * best.abs(), "{found} {best}");
    assert!(problem.begun_with_few(301, &few).is_err());
}

#[test]
fn the_choice_suits_the_problem_and_has_a_reason() {
    let noise = Noise::variance(0.1).unwrap();
    let route = |kernel: Kernel, rows: usize, columns: usize, noise: &Noise| {
        let inputs = DMatrix::zeros(rows, columns);
        Solver::Auto.route(&GaussianProcess::new(kernel), &inputs, noise)
    };
    let matern = || Kernel::matern32(1.0).unwrap();
    let rbf = || Kernel::rbf(1.0).unwrap();
    let chosen = route(matern(), 100, 1, &noise).unwrap();
    assert_eq!((chosen.name(), chosen.solver()), ("dense", &Solver::Dense));
    assert_eq!(chosen.reason(), "100 observations are few enough for an exact dense factor");
    let chosen = route(matern(), 5000, 1, &noise).unwrap();
    assert_eq!(chosen.name(), "markov");
    assert!(chosen.reason().contains("Markov process with 2 states"));
    let chosen = route(rbf(), 5000, 1, &noise).unwrap();
    assert!(chosen.name() == "dense" && chosen.reason().contains("rbf(1) is not Markov"));
    let chosen = route(matern(), 5000, 2, &noise).unwrap();
    assert!(chosen.name() == "dense" && chosen.reason().contains("more than one input"));
    let chosen = route(rbf(), 20_000, 1, &noise).unwrap();
    assert!(chosen.name() == "sparse" && chosen.reason().contains("lower bound"));
    // Without noise no approximation is left.
    assert!(route(rbf(), 20_000, 1, &Noise::none()).is_err());
    assert_eq!(route(matern(), 20_000, 1, &Noise::none()).unwrap().name(), "markov");
}

#[test]
fn what_is_too_large_is_refused_with_the_estimate() {
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    let noise = Noise::variance(0.1).unwrap();
    // The states of products multiply: 125³ of them.
    let beats = (0..3).map(|_| Kernel::periodic(0.1, 3.0).unwrap()).reduce(|a, b| a * b).unwrap();
    let beats = GaussianProcess::new(beats);
    let some = DMatrix::zeros(1001, 1);
    let chosen = Solver::Auto.route(&beats, &some, &noise).unwrap();
    assert!(chosen.name() == "dense" && chosen.reason().contains("1953125 states"), "{}", chosen.reason());
    let options = MarkovOptions::default();
    let refused = MarkovProcessPosterior::new(&beats, (&some, &[0.0; 1001]), &noise, &options).unwrap_err();
    assert!(refused.to_string().contains("more than 2000"), "{refused}");
    let most = DMatrix::zeros(LARGEST_DENSE, 1);
    assert_eq!(Solver::Dense.route(&prior, &most, &noise).unwrap().name(), "dense");
    let large = DMatrix::zeros(20_000, 1);
    let refusal = Solver::Dense.route(&prior, &large, &noise).unwrap_err().to_string();
    assert!(refusal.starts_with("a dense matrix of 20000 observations needs 9.6 GB"), "{refusal}");
    assert!(refusal.contains("take inducing inputs"));
    assert_eq!(Solver::DenseOfAnySize.route(&prior, &large, &noise).unwrap().name(), "dense");
    let markov = Solver::Markov(MarkovOptions::default());
    assert!(markov.route(&prior, &large, &noise).unwrap_err().to_string().contains("is not Markov"));
}
