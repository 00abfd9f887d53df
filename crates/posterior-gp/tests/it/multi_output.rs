//! Several outputs against one output over stacked inputs.

use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, Regression, fit};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::multi_output::{Mixing, at_output, coregionalized, stack};
use posterior_gp::{Error, GaussianProcess, Kernel, Noise};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

const NAN: f64 = f64::NAN;

fn inputs() -> DMatrix<f64> {
    DMatrix::from_row_slice(5, 2, &[0.0, 0.1, 0.7, -0.3, 1.1, 0.4, 1.9, 0.0, 2.6, 1.0])
}

/// Three outputs at five places; four are missing.
fn table() -> DMatrix<f64> {
    let rows = [0.3, 1.0, NAN, 0.8, NAN, 0.2, 1.1, 1.9, 0.4, NAN, 0.1, -0.2, -0.7, -1.0, NAN];
    DMatrix::from_row_slice(5, 3, &rows)
}

fn first() -> Mixing {
    Mixing::new(&DMatrix::from_row_slice(3, 2, &[1.0, 0.2, 0.5, -0.7, -0.3, 0.4]), &[0.1, 0.2, 0.3]).unwrap()
}

fn second() -> Mixing {
    Mixing::new(&DMatrix::from_row_slice(3, 1, &[0.4, 0.6, 0.9]), &[]).unwrap()
}

fn prior() -> GaussianProcess {
    let parts = [(Kernel::rbf(0.9).unwrap(), first()), (Kernel::matern32(2.0).unwrap(), second())];
    GaussianProcess::new(coregionalized(&parts, 2).unwrap())
}

/// The covariance of output p at x with output q at x', by its definition.
fn covariance(x: &[f64], p: usize, y: &[f64], q: usize) -> f64 {
    let of = |mixing: &[&[f64]], own: f64| {
        let shared: f64 = mixing[p].iter().zip(mixing[q]).map(|(a, b)| a * b).sum();
        shared + if p == q { own } else { 0.0 }
    };
    let own = [0.1, 0.2, 0.3][p];
    of(&[&[1.0, 0.2], &[0.5, -0.7], &[-0.3, 0.4]], own) * Kernel::rbf(0.9).unwrap().value(x, y)
        + of(&[&[0.4], &[0.6], &[0.9]], 0.0) * Kernel::matern32(2.0).unwrap().value(x, y)
}

#[test]
fn missing_outputs_are_left_out() {
    let data = stack(&inputs(), &table()).unwrap();
    assert_eq!(data.outputs.len(), 11);
    assert_eq!(data.cells[..3], [(0, 0), (1, 0), (2, 0)]);
    for (i, &(row, column)) in data.cells.iter().enumerate() {
        assert_eq!(data.outputs[i], table()[(row, column)]);
        assert_eq!(data.inputs.row(i).columns(0, 2), inputs().row(row));
        assert_eq!(data.inputs[(i, 2)], column as f64);
    }
    assert!(matches!(stack(&inputs(), &DMatrix::zeros(4, 1)), Err(Error::Dimension { .. })));
}

#[test]
fn it_is_one_gaussian_over_all_numbers() {
    let data = stack(&inputs(), &table()).unwrap();
    let posterior = prior().condition(&data.inputs, &data.outputs, &Noise::known(0.05).unwrap()).unwrap();
    let x = |row: usize| inputs().row(row).iter().copied().collect::<Vec<f64>>();
    let n = data.cells.len();
    let gram = DMatrix::from_fn(n, n, |i, j| {
        let ((a, p), (b, q)) = (data.cells[i], data.cells[j]);
        covariance(&x(a), p, &x(b), q) + if i == j { 0.05 } else { 0.0 }
    });
    let factor = Cholesky::new(&gram).unwrap();
    let y = DVector::from_vec(data.outputs.clone());
    let ln_evidence =
        -0.5 * (factor.quadratic_form(&y) + factor.ln_determinant() + n as f64 * std::f64::consts::TAU.ln());
    assert!((posterior.ln_evidence() - ln_evidence).abs() < 1e-12);
    for output in 0..3 {
        let at = [1.4, 0.2];
        let cross = DVector::from_fn(n, |i, _| covariance(&x(data.cells[i].0), data.cells[i].1, &at, output));
        let prediction = posterior.latent(&at_output(&DMatrix::from_row_slice(1, 2, &at), output)).unwrap();
        assert!((prediction.mean[0] - cross.dot(&factor.solve_vector(&y))).abs() < 1e-13);
        let variance = covariance(&at, output, &at, output) - factor.quadratic_form(&cross);
        assert!((prediction.variance[0] - variance).abs() < 1e-13);
    }
}

#[test]
fn gradients_by_the_mixing_are_differences() {
    let data = stack(&inputs(), &table()).unwrap();
    let problem =
        Regression::new(prior(), Noise::variance(0.05).unwrap(), &data.inputs, &data.outputs).unwrap();
    let parameters = problem.parameters();
    // Two lengths, 3 × 2 and 3 × 1 loadings, three variances, the noise.
    assert_eq!(parameters.len(), 2 + 6 + 3 + 3 + 1);
    let free: Vec<f64> = parameters.iter().map(KernelParameter::free).collect();
    let mut gradient = vec![0.0; free.len()];
    problem.ln_evidence(&free, &mut gradient).unwrap();
    for j in 0..free.len() {
        let at = |step: f64| {
            let mut moved = free.clone();
            moved[j] += step;
            problem.model(&moved).unwrap().1
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!(
            (gradient[j] - difference).abs() < 1e-8 * gradient[j].abs().max(1.0),
            "{}",
            parameters[j].name
        );
    }
}

#[test]
fn independent_outputs_are_separate_processes() {
    let diagonal = Mixing::new(&DMatrix::zeros(2, 1), &[1.0, 3.0]).unwrap();
    let prior = GaussianProcess::new(coregionalized(&[(Kernel::rbf(1.0).unwrap(), diagonal)], 2).unwrap());
    let noise = Noise::known(0.1).unwrap();
    let y = table().columns(0, 2).into_owned();
    let data = stack(&inputs(), &y).unwrap();
    let together = prior.condition(&data.inputs, &data.outputs, &noise).unwrap();
    let mut ln_evidence = 0.0;
    for (output, variance) in [1.0, 3.0].into_iter().enumerate() {
        let rows: Vec<usize> = (0..5).filter(|&row| !y[(row, output)].is_nan()).collect();
        let values: Vec<f64> = rows.iter().map(|&row| y[(row, output)]).collect();
        let alone = GaussianProcess::new(variance * Kernel::rbf(1.0).unwrap());
        let alone = alone.condition(&inputs().select_rows(&rows), &values, &noise).unwrap();
        ln_evidence += alone.ln_evidence();
        let at = at_output(&inputs(), output);
        let difference = together.mean(&at).unwrap() - alone.mean(&inputs()).unwrap();
        assert!(difference.amax() < 1e-13);
    }
    assert!((together.ln_evidence() - ln_evidence).abs() < 1e-12);
}

#[test]
fn a_fit_finds_that_outputs_go_together() {
    let x = DMatrix::from_fn(25, 1, |i, _| 0.3 * i as f64);
    let y = DMatrix::from_fn(25, 2, |i, j| {
        let f = (0.3 * i as f64).sin();
        [2.0, -1.0][j] * f + 0.05 * ((i * (3 + j)) as f64).sin()
    });
    let data = stack(&x, &y).unwrap();
    let mixing = Mixing::new(&DMatrix::from_column_slice(2, 1, &[1.0, 0.1]), &[0.1, 0.1]).unwrap();
    let prior = GaussianProcess::new(coregionalized(&[(Kernel::rbf(1.0).unwrap(), mixing)], 1).unwrap());
    let problem = Regression::new(prior, Noise::variance(0.1).unwrap(), &data.inputs, &data.outputs).unwrap();
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let loading = |place: &str| {
        let found = fitted.report.parameters.iter().find(|parameter| parameter.name.ends_with(place));
        found.unwrap().value
    };
    assert!((loading("loading[0, 0]") / loading("loading[1, 0]") + 2.0).abs() < 0.1);
}

#[test]
fn what_is_no_output_is_refused() {
    let prior = prior();
    for output in [3.0, -1.0, 0.5] {
        let x = DMatrix::from_row_slice(1, 3, &[0.0, 0.0, output]);
        let refused = prior.condition(&x, &[1.0], &Noise::known(0.1).unwrap());
        assert!(matches!(refused, Err(Error::Domain { row: 0, .. })), "{output}");
    }
    assert!(coregionalized(&[], 1).is_err());
    assert!(Mixing::new(&DMatrix::zeros(2, 1), &[1.0]).is_err());
    assert!(Mixing::new(&DMatrix::zeros(2, 1), &[1.0, 0.0]).is_err());
    assert!(Mixing::new(&DMatrix::from_element(2, 1, NAN), &[]).is_err());
    let two = Mixing::new(&DMatrix::zeros(2, 1), &[1.0, 1.0]).unwrap();
    let parts = [(Kernel::rbf(1.0).unwrap(), two), (Kernel::rbf(1.0).unwrap(), second())];
    assert!(coregionalized(&parts, 1).is_err());
}
