//! Inducing points: bounds, and the exact case.

use posterior_dist::stream::stream;
use posterior_gp::sparse::{
    GreedyFactor, SparseApproximation, SparsePosterior, fit_inducing, inducing_by_distance,
    inducing_by_variance,
};
use posterior_gp::{Error, GaussianProcess, Kernel, Mean, Noise};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, PivotedCholesky};
use posterior_math::optimize::LbfgsOptions;
use rand::RngExt;

/// The dense posterior, by its formulas.
struct Dense {
    ln_evidence: f64,
    factor: Cholesky,
    alpha: DVector<f64>,
}

impl Dense {
    fn new(gram: &DMatrix<f64>, outputs: &DVector<f64>, noise: &DVector<f64>) -> Self {
        let factor = Cholesky::new(&(gram + DMatrix::from_diagonal(noise))).unwrap();
        let alpha = factor.solve_vector(outputs);
        let n = outputs.len() as f64;
        let ln_evidence =
            -0.5 * (outputs.dot(&alpha) + factor.ln_determinant() + n * std::f64::consts::TAU.ln());
        Self { ln_evidence, factor, alpha }
    }
}

/// Inputs, outputs, noise variances.
type Data = (DMatrix<f64>, DVector<f64>, DVector<f64>);

fn kernel() -> Kernel {
    1.5 * Kernel::rbf_ard(&[0.8, 1.4]).unwrap() + 0.2 * Kernel::rbf(3.0).unwrap()
}

/// Inputs, outputs and noise variances, different for each observation.
fn data(n: usize) -> Data {
    let mut rng = stream(6, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 2, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let outputs =
        DVector::from_fn(n, |i, _| (2.0 * inputs[(i, 0)]).sin() + inputs[(i, 1)] + 0.3 * rng.random::<f64>());
    let noise = DVector::from_fn(n, |_, _| 0.05 + 0.1 * rng.random::<f64>());
    (inputs, outputs, noise)
}

/// The posterior of a process with mean zero, with these noise variances.
fn sparse(
    kernel: &Kernel,
    (inputs, outputs, noise): &Data,
    inducing: &DMatrix<f64>,
    approximation: SparseApproximation,
) -> Result<SparsePosterior, Error> {
    let noise = Noise::known_each(noise.as_slice())?;
    let prior = GaussianProcess::new(kernel.clone());
    SparsePosterior::new(&prior, (inputs, outputs.as_slice()), &noise, inducing, approximation)
}

const ALL: [SparseApproximation; 3] =
    [SparseApproximation::Variational, SparseApproximation::Fitc, SparseApproximation::SubsetOfRegressors];

#[test]
fn all_inputs_as_inducing_inputs_are_exact() {
    let data = data(40);
    let (inputs, outputs, noise) = &data;
    let kernel = kernel();
    let dense = Dense::new(&kernel.gram(inputs), outputs, noise);
    let places = self::data(7).0;
    let cross = kernel.cross(inputs, &places);
    let mean = cross.tr_mul(&dense.alpha);
    let covariance = kernel.gram(&places) - cross.tr_mul(&dense.factor.solve(&cross));
    for approximation in ALL {
        let sparse = sparse(&kernel, &data, inputs, approximation).unwrap();
        assert_eq!(sparse.jitter(), 0.0);
        assert!((sparse.ln_evidence() - dense.ln_evidence).abs() < 1e-9);
        let prediction = sparse.latent(&places).unwrap();
        assert!((prediction.mean - &mean).amax() < 1e-9);
        assert!(sparse.slack() < 1e-9);
        // A weighted sum of kernels knows nothing else between its inputs.
        let nothing = DMatrix::zeros(7, 7);
        let forgotten = match approximation {
            SparseApproximation::SubsetOfRegressors => {
                kernel.gram(&places)
                    - cross.tr_mul(&Cholesky::new(&kernel.gram(inputs)).unwrap().solve(&cross))
            }
            _ => nothing,
        };
        let covariance = &covariance - forgotten;
        assert!((prediction.variance - covariance.diagonal()).amax() < 1e-8);
        assert!((sparse.covariance(&places).unwrap() - &covariance).amax() < 1e-8);
    }
}

#[test]
fn the_evidence_is_that_of_the_approximate_covariance() {
    let data = data(50);
    let (inputs, outputs, noise) = &data;
    let kernel = kernel();
    let inducing = self::data(9).0;
    let cross = kernel.cross(&inducing, inputs);
    let explained = cross.tr_mul(&Cholesky::new(&kernel.gram(&inducing)).unwrap().solve(&cross));
    let unexplained = kernel.diagonal(inputs) - explained.diagonal();
    for approximation in ALL {
        let (totals, price) = match approximation {
            SparseApproximation::Variational => (noise.clone(), 0.5 * unexplained.component_div(noise).sum()),
            SparseApproximation::Fitc => (noise + &unexplained, 0.0),
            _ => (noise.clone(), 0.0),
        };
        let dense = Dense::new(&explained, outputs, &totals);
        let sparse = sparse(&kernel, &data, &inducing, approximation).unwrap();
        let expected = dense.ln_evidence - price;
        assert!((sparse.ln_evidence() - expected).abs() < 1e-10 * expected.abs());
        // At the inducing inputs: q(z, X) (Q + Λ)⁻¹ y.
        let (mean, covariance) = sparse.inducing_distribution();
        assert!((&cross * &dense.alpha - &mean).amax() < 1e-9);
        assert!((sparse.latent(&inducing).unwrap().mean - &mean).amax() < 1e-9);
        assert!((sparse.covariance(&inducing).unwrap() - &covariance).amax() < 1e-9);
    }
}

#[test]
fn the_bound_is_below_the_evidence_and_rises_with_nested_inducing_inputs() {
    let data = data(60);
    let kernel = kernel();
    let exact = Dense::new(&kernel.gram(&data.0), &data.1, &data.2).ln_evidence;
    let mut last = f64::NEG_INFINITY;
    for count in [0, 1, 2, 5, 10, 20, 40, 60] {
        let inducing = inducing_by_variance(&kernel, &data.0, count);
        let sparse = sparse(&kernel, &data, &inducing, SparseApproximation::Variational).unwrap();
        let bound = sparse.ln_evidence();
        assert!(bound >= last - 1e-9, "{count}: {bound} after {last}");
        assert!(bound <= exact + 1e-9 && bound + sparse.slack() >= exact - 1e-9, "{count}");
        last = bound;
    }
    assert!((last - exact).abs() < 1e-8);
}

/// m weights of kernels, w ~ N(0, K_zz⁻¹), by the normal equations of a linear model.
#[test]
fn a_subset_of_regressors_is_a_linear_model_of_kernels() {
    let data = data(50);
    let (inputs, outputs, noise) = &data;
    let (kernel, inducing) = (kernel(), self::data(5).0);
    let sparse = sparse(&kernel, &data, &inducing, SparseApproximation::SubsetOfRegressors).unwrap();
    let features = kernel.cross(&inducing, inputs);
    let mut weighted = features.clone();
    for (mut column, variance) in weighted.column_iter_mut().zip(noise) {
        column /= *variance;
    }
    let precision = Cholesky::new(&(&weighted * features.transpose() + kernel.gram(&inducing))).unwrap();
    let weights = precision.solve_vector(&(&weighted * outputs));
    let places = DMatrix::from_row_slice(2, 2, &[0.3, -0.4, 40.0, 0.0]);
    let there = kernel.cross(&inducing, &places);
    let prediction = sparse.latent(&places).unwrap();
    assert!((prediction.mean - there.tr_mul(&weights)).amax() < 1e-9);
    let covariance = there.tr_mul(&precision.solve(&there));
    assert!((&prediction.variance - covariance.diagonal()).amax() < 1e-9);
    // It is sure of what it has never seen.
    assert!(prediction.variance[1] < 1e-12);
}

#[test]
fn gradients_are_those_of_differences() {
    let (inputs, outputs, noise) = data(45);
    let inducing = data(8).0;
    let prior = GaussianProcess::new(kernel()).with_mean(Mean::linear(0.3, &[0.5, -0.2]).unwrap());
    let noise = Noise::known_each(noise.as_slice()).unwrap().plus_variance(0.04).unwrap();
    for approximation in ALL {
        let posterior = |prior: &GaussianProcess, noise: &Noise| {
            let data = (&inputs, outputs.as_slice());
            SparsePosterior::new(prior, data, noise, &inducing, approximation).unwrap()
        };
        let (kernel, mean) = (prior.kernel().free_parameters(), [0.3, 0.5, -0.2]);
        let moved = |free: &[f64]| {
            let (kernel, rest) = free.split_at(kernel.len());
            let kernel = prior.kernel().with_free_parameters(kernel).unwrap();
            let mean = prior.mean().with_parameters(&rest[..3]).unwrap();
            let noise = noise.with_parameters(&[rest[3].exp()]).unwrap();
            posterior(&GaussianProcess::new(kernel).with_mean(mean), &noise).ln_evidence()
        };
        let start = [&kernel[..], &mean, &[0.04_f64.ln()]].concat();
        let found = posterior(&prior, &noise);
        let gradient = found.gradient();
        assert_eq!((gradient.len(), found.parameters().len()), (start.len(), start.len()));
        for (i, &analytic) in gradient.iter().enumerate() {
            let at = |step: f64| {
                let mut free = start.clone();
                free[i] += step;
                moved(&free)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!(
                (analytic - difference).abs() < 1e-6 * (1.0 + analytic.abs()),
                "{approximation:?} {}: {analytic} {difference}",
                found.parameters()[i].name
            );
        }
    }
}

#[test]
fn a_mean_function_moves_the_outputs() {
    let data = data(25);
    let (inputs, outputs, noise) = &data;
    let mean = Mean::linear(3.0, &[1.0, -2.0]).unwrap();
    let shifted = outputs + mean.values(inputs);
    let inducing = self::data(6).0;
    let prior = GaussianProcess::new(kernel()).with_mean(mean.clone());
    let noise = Noise::known_each(noise.as_slice()).unwrap();
    let with = SparsePosterior::new(
        &prior,
        (inputs, shifted.as_slice()),
        &noise,
        &inducing,
        SparseApproximation::Variational,
    )
    .unwrap();
    let without = sparse(&kernel(), &data, &inducing, SparseApproximation::Variational).unwrap();
    assert!((with.ln_evidence() - without.ln_evidence()).abs() < 1e-10);
    let places = self::data(4).0;
    let (with, without) = (with.latent(&places).unwrap(), without.latent(&places).unwrap());
    assert!((with.mean - without.mean - mean.values(&places)).amax() < 1e-12);
    assert!((with.variance - without.variance).amax() < 1e-15);
}

#[test]
fn repeated_inducing_inputs_are_jittered_and_keep_the_bound() {
    let data = data(30);
    let kernel = kernel();
    let once = inducing_by_variance(&kernel, &data.0, 6);
    let twice = DMatrix::from_fn(12, 2, |i, j| once[(i % 6, j)]);
    let bound =
        |inducing: &DMatrix<f64>| sparse(&kernel, &data, inducing, SparseApproximation::Variational).unwrap();
    let (single, double) = (bound(&once), bound(&twice));
    assert!(double.jitter() > 0.0 && double.jitter() < 1e-10);
    assert!((single.ln_evidence() - double.ln_evidence()).abs() < 1e-6);
}

#[test]
fn bad_data_are_refused_by_name() {
    let good = data(5);
    let refusal = |change: &dyn Fn(&mut Data)| {
        let mut data = good.clone();
        change(&mut data);
        sparse(&kernel(), &data, &self::data(3).0, SparseApproximation::Fitc).unwrap_err().to_string()
    };
    let message = refusal(&|data| data.1[3] = f64::NAN);
    assert_eq!(message, "output of row 3 is NaN: it must be finite");
    let message = refusal(&|data| data.0[(2, 1)] = f64::INFINITY);
    assert_eq!(message, "input of row 2 is inf: it must be finite");
    assert!(refusal(&|data| data.2[4] = 0.0).contains("positive"));
    assert!(refusal(&|data| data.2 = DVector::from_element(4, 1.0)).contains("expected 5, found 4"));
    let posterior = sparse(&kernel(), &good, &good.0, SparseApproximation::Fitc).unwrap();
    assert!(posterior.latent(&DMatrix::zeros(2, 3)).is_err());
    assert!(posterior.latent(&DMatrix::from_element(2, 2, f64::NAN)).is_err());
}

#[test]
fn greedy_factor_is_the_pivoted_factor() {
    let inputs = data(30).0;
    let kernel = kernel();
    let greedy = GreedyFactor::new(&kernel, &inputs, 30, 1e-3);
    let dense = PivotedCholesky::with_tolerance(&kernel.gram(&inputs), 1e-3 * 1.7).unwrap();
    assert_eq!(greedy.pivots(), dense.pivots());
    assert!((greedy.factor() - dense.factor()).amax() < 1e-10);
    assert!((greedy.remainder() - dense.remainder()).abs() < 1e-10);
}

#[test]
fn greedy_choices_end_where_nothing_is_left() {
    let inputs = DMatrix::from_element(9, 2, 0.3);
    assert_eq!(inducing_by_variance(&kernel(), &inputs, 5).nrows(), 1);
    assert_eq!(inducing_by_distance(&inputs, 5, &mut stream(1, &[])).nrows(), 1);
    let inputs = data(50).0;
    let chosen = inducing_by_distance(&inputs, 50, &mut stream(1, &[]));
    assert_eq!(chosen.nrows(), 50);
    assert_eq!(inducing_by_distance(&inputs.rows(0, 0).into_owned(), 3, &mut stream(1, &[])).nrows(), 0);
}

/// The derivative of a function at 0 by central differences of four widths, extrapolated: its error goes with
/// the eighth power of the width.
fn extrapolated(at: impl Fn(f64) -> f64, width: f64) -> f64 {
    let widths = (0..4).map(|k| width / f64::from(1 << k));
    let mut table: Vec<f64> = widths.map(|h| (at(h) - at(-h)) / (2.0 * h)).collect();
    for order in 1..4 {
        let power = 4_f64.powi(order);
        table = table.windows(2).map(|two| (power * two[1] - two[0]) / (power - 1.0)).collect();
    }
    table[0]
}

#[test]
fn slopes_of_kernels_in_their_inputs_are_those_of_differences() {
    let kernels = [
        "1.5*rbf([0.8, 1.4])",
        "matern12(0.7)",
        "matern32(0.7)",
        "matern52([0.7, 2])",
        "matern(3.5, 1.2)",
        "rational_quadratic(1.2, 0.8)",
        "0.5*linear() + constant(2)",
        "linear([0.5, 2])",
        "periodic(1.3, 0.9)",
        "rbf(2)*periodic(1.1, 3)*fix(2*matern52(1)) + 0.2*rbf(0.3)",
    ];
    let (x, y) = ([0.3, -0.8], [1.1, 0.4]);
    for text in kernels {
        let kernel: Kernel = text.parse().unwrap();
        let slope = kernel.input_slope(&x, &y).unwrap();
        for (coordinate, slope) in slope.into_iter().enumerate() {
            let at = |step: f64| {
                let mut moved = x;
                moved[coordinate] += step;
                kernel.value(&moved, &y)
            };
            let expected = extrapolated(at, 0.02);
            assert!((slope - expected).abs() < 1e-10 * (1.0 + expected.abs()), "{text}: {slope} {expected}");
        }
        // At the same place a smooth stationary kernel is level.
        assert!(kernel.input_slope(&x, &x).unwrap().iter().all(|slope| slope.is_finite()), "{text}");
    }
    assert_eq!(Kernel::rbf(1.0).unwrap().input_slope(&x, &x), Some(vec![0.0; 2]));
    assert_eq!((Kernel::rbf(1.0).unwrap() + Kernel::wiener()).input_slope(&[1.0], &[2.0]), None);
}

#[test]
fn gradients_of_inducing_inputs_are_those_of_differences() {
    let data = data(45);
    let inducing = self::data(6).0;
    let kernel = kernel() + 0.3 * (Kernel::matern52(1.0).unwrap() * Kernel::periodic(1.5, 2.0).unwrap());
    for approximation in ALL {
        let gradient = sparse(&kernel, &data, &inducing, approximation).unwrap().inducing_gradient().unwrap();
        for place in 0..inducing.len() {
            let at = |step: f64| {
                let mut moved = inducing.clone();
                moved[place] += step;
                sparse(&kernel, &data, &moved, approximation).unwrap().ln_evidence()
            };
            let expected = extrapolated(at, 0.02);
            let found = gradient[place];
            assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{place}: {found} {expected}");
        }
    }
}

#[test]
fn fitted_inducing_inputs_raise_the_bound_and_keep_below_the_evidence() {
    let (inputs, outputs, noise) = &data(60);
    let exact = Dense::new(&kernel().gram(inputs), outputs, noise).ln_evidence;
    let (prior, known) = (GaussianProcess::new(kernel()), Noise::known_each(noise.as_slice()).unwrap());
    let kind = SparseApproximation::Variational;
    let fit = |prior: &GaussianProcess, start: &DMatrix<f64>, data: (&DMatrix<f64>, &[f64])| {
        fit_inducing(prior, data, &known, start, kind, &LbfgsOptions::default(), &mut Silent)
    };
    for count in [3, 8, 15] {
        let start = inducing_by_variance(prior.kernel(), inputs, count);
        let own = (inputs, outputs.as_slice());
        let before = SparsePosterior::new(&prior, own, &known, &start, kind).unwrap().ln_evidence();
        let fitted = fit(&prior, &start, own).unwrap();
        let after = fitted.model.ln_evidence();
        assert!(after > before + 0.5 && after < exact, "{count}: {before} {after} {exact}");
        assert!(fitted.report.falls.is_empty());
        let slope = fitted.model.inducing_gradient().unwrap().amax();
        assert!(!fitted.report.converged() || slope < 0.1, "{count}: {slope}");
    }
    // Kernels that do not know their slope, and inputs of another width, are refused by name.
    let times = DMatrix::from_fn(60, 1, |i, _| 0.1 * i as f64);
    let wiener = GaussianProcess::new(Kernel::wiener());
    let refused = fit(&wiener, &times.rows(1, 3).into_owned(), (&times, outputs.as_slice())).unwrap_err();
    assert!(refused.to_string().contains("wiener() in its inputs is not known"), "{refused}");
    let narrow = fit(&prior, &times, (inputs, outputs.as_slice())).unwrap_err();
    assert!(narrow.to_string().contains("coordinates of inducing inputs"), "{narrow}");
}
