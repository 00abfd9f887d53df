//! Gaussian responses: everything equals the formulas of dense matrices, for every effect.

use posterior_gaussian::{FiniteElements, GaussianMarkovField, MaternSpde};
use posterior_hierarchical::{
    Autoregression, Bym2, CorrelatedGroups, EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel,
    HierarchicalOptions, HyperEstimate, LatentMarginal, LeftOut, MaternField, NewRows, PlaceEffect as _,
    PlacedEffect,
};
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};

use crate::gradients::map;

const ROWS: usize = 40;

/// An effect, with the covariance of what rows see of its values at given hyperparameters.
struct Case {
    name: &'static str,
    effect: PlacedEffect,
    hyper: Vec<f64>,
    covariance: DMatrix<f64>,
    /// Which values a row sees, with factors.
    rows: DMatrix<f64>,
}

fn indices(count: usize) -> Vec<usize> {
    (0..ROWS).map(|row| (7 * row + row / 9) % count).collect()
}

fn incidence(count: usize) -> DMatrix<f64> {
    let places = indices(count);
    DMatrix::from_fn(ROWS, count, |row, column| f64::from(u8::from(places[row] == column)))
}

/// The inverse beside the eigenvalues 0.
fn pseudo_inverse(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let eigen = SymmetricEigen::new(matrix).unwrap();
    let largest = eigen.values().amax();
    let mut inverse = DMatrix::zeros(matrix.nrows(), matrix.ncols());
    for (k, value) in eigen.values().iter().enumerate().filter(|(_, value)| **value > 1e-9 * largest) {
        let vector = eigen.vectors().column(k);
        inverse += vector * vector.transpose() / *value;
    }
    inverse
}

fn walk(n: usize, order: usize) -> DMatrix<f64> {
    let pattern: &[f64] = if order == 1 { &[-1.0, 1.0] } else { &[1.0, -2.0, 1.0] };
    let differences =
        DMatrix::from_fn(
            n - order,
            n,
            |i, j| {
                if j >= i && j - i < pattern.len() { pattern[j - i] } else { 0.0 }
            },
        );
    pseudo_inverse(&(differences.transpose() * differences))
}

/// The covariance of Besag's field with geometric mean 1 of the variances in each part of the map.
fn besag() -> DMatrix<f64> {
    let map = map();
    let laplacian = DMatrix::from_fn(10, 10, |i, j| {
        if i == j {
            map[i].len() as f64
        } else if map[i].contains(&j) {
            -1.0
        } else {
            0.0
        }
    });
    let mut covariance = pseudo_inverse(&laplacian);
    for part in [0..8, 8..10] {
        let count = part.len() as f64;
        let ln_mean = part.clone().map(|i| covariance[(i, i)].ln()).sum::<f64>() / count;
        for i in part.clone() {
            for j in part.clone() {
                covariance[(i, j)] /= ln_mean.exp();
            }
        }
    }
    covariance
}

fn cases() -> Vec<Case> {
    let x: Vec<f64> = (0..ROWS).map(|row| (row as f64 * 0.7).sin()).collect();
    let triple = CorrelatedGroups::new("u", 5, ["a", "b", "c"]).unwrap();
    let square: Vec<f64> = x.iter().map(|x| x * x).collect();
    // Partial correlations 0.3; -0.5, 0.4 as correlations.
    let r32 = -0.5 * 0.3 + 0.4 * (1.0 - 0.25_f64).sqrt() * (1.0 - 0.09_f64).sqrt();
    let correlation = DMatrix::from_row_slice(3, 3, &[1.0, 0.3, -0.5, 0.3, 1.0, r32, -0.5, r32, 1.0]);
    let sd = [1.2, 0.7, 0.4];
    let block = DMatrix::from_fn(3, 3, |i, j| sd[i] * sd[j] * correlation[(i, j)]);
    let groups = indices(5);
    let elements = FiniteElements::on_grid(&[5, 4], 0.5).unwrap();
    let equation = MaternSpde::with_range(1.4, 0.8, 2, 2).unwrap();
    let matern = GaussianMarkovField::matern_on_grid(&[5, 4], 0.5, &equation).unwrap();
    let phi = 0.35;
    let identity = DMatrix::identity(10, 10);
    vec![
        Case {
            name: "groups",
            effect: FieldEffect::groups("u", 9).unwrap().at(&indices(9)).unwrap(),
            hyper: vec![0.6],
            covariance: DMatrix::identity(9, 9) * 0.36,
            rows: incidence(9),
        },
        Case {
            name: "walk",
            effect: FieldEffect::random_walk("u", 12).unwrap().at(&indices(12)).unwrap(),
            hyper: vec![0.5],
            covariance: walk(12, 1) * 0.25,
            rows: incidence(12),
        },
        Case {
            name: "second walk",
            effect: FieldEffect::second_order_random_walk("u", 30).unwrap().at(&indices(30)).unwrap(),
            hyper: vec![0.05],
            covariance: walk(30, 2) * 0.0025,
            rows: incidence(30),
        },
        Case {
            name: "besag",
            effect: FieldEffect::besag("u", &map()).unwrap().at(&indices(10)).unwrap(),
            hyper: vec![0.8],
            covariance: besag() * 0.64,
            rows: incidence(10),
        },
        Case {
            name: "autoregression",
            effect: Autoregression::new("u", 12).unwrap().at(&indices(12)).unwrap(),
            hyper: vec![0.9, 0.7],
            covariance: DMatrix::from_fn(12, 12, |i, j| 0.81 * 0.7_f64.powf(i.abs_diff(j) as f64)),
            rows: incidence(12),
        },
        Case {
            name: "bym2",
            effect: {
                let entries = indices(10).into_iter().enumerate().map(|(row, place)| (row, place, 1.0));
                let rows = posterior_math::sparse::SparseMatrix::from_triplets(ROWS, 20, entries).unwrap();
                Bym2::new("u", &map()).unwrap().through(rows).unwrap()
            },
            hyper: vec![0.7, phi],
            covariance: (identity * (1.0 - phi) + besag() * phi) * 0.49,
            rows: incidence(10),
        },
        Case {
            name: "correlated groups",
            effect: triple.with_columns(&groups, &[&[1.0; ROWS], &x, &square]).unwrap(),
            hyper: vec![1.2, 0.7, 0.4, 0.3, -0.5, 0.4],
            covariance: DMatrix::from_fn(
                15,
                15,
                |i, j| if i / 3 == j / 3 { block[(i % 3, j % 3)] } else { 0.0 },
            ),
            rows: DMatrix::from_fn(ROWS, 15, |row, j| {
                if groups[row] == j / 3 { [1.0, x[row], square[row]][j % 3] } else { 0.0 }
            }),
        },
        Case {
            name: "matern",
            effect: MaternField::new("u", &elements).unwrap().at(&indices(20)).unwrap(),
            hyper: vec![0.8, 1.4],
            covariance: matern.precision().to_dense().try_inverse().unwrap(),
            rows: incidence(20),
        },
    ]
}

fn y() -> Vec<f64> {
    (0..ROWS).map(|row| 2.0 + (row as f64 * 0.37).sin() + 0.3 * (row as f64 * 2.9).cos()).collect()
}

fn weights() -> Vec<f64> {
    (0..ROWS).map(|row| 1.0 + f64::from(u8::from(row % 3 == 0))).collect()
}

fn slope() -> Vec<f64> {
    (0..ROWS).map(|row| (row as f64 * 0.11).cos()).collect()
}

fn model(effect: PlacedEffect) -> HierarchicalModel {
    HierarchicalModel::new(FamilyResponse::gaussian(0.5).unwrap(), &y())
        .unwrap()
        .weights(&weights())
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &slope())
        .unwrap()
        .effect(effect)
        .unwrap()
}

/// Dense answers with flat fixed effects.
struct Dense {
    ln_likelihood: f64,
    fixed: DVector<f64>,
    fixed_covariance: DMatrix<f64>,
    values: DVector<f64>,
    values_covariance: DMatrix<f64>,
    /// V⁻¹ without what flat fixed effects take, and its product with the responses.
    projection: DMatrix<f64>,
    solved: DVector<f64>,
}

impl Dense {
    /// Mean and covariance of some responses given the others: P_II⁻¹ is the covariance, y - P_II⁻¹ (P y)_I
    /// the mean.
    fn left_out(&self, rows: &[usize]) -> (DVector<f64>, DMatrix<f64>) {
        let covariance = self.projection.select_rows(rows).select_columns(rows).try_inverse().unwrap();
        let mean = DVector::from_vec(y()).select_rows(rows) - &covariance * self.solved.select_rows(rows);
        (mean, covariance)
    }
}

fn dense(case_rows: &DMatrix<f64>, covariance: &DMatrix<f64>, sd: f64) -> Dense {
    let (y, slope) = (DVector::from_vec(y()), slope());
    let noise = DMatrix::from_diagonal(&DVector::from_vec(weights()).map(|weight| sd * sd / weight));
    let v = noise + case_rows * covariance * case_rows.transpose();
    let x = DMatrix::from_fn(ROWS, 2, |i, j| if j == 0 { 1.0 } else { slope[i] });
    let (inverse, ln_v) = (v.clone().try_inverse().unwrap(), v.clone().cholesky().unwrap().ln_determinant());
    let information = x.transpose() * &inverse * &x;
    let fixed_covariance = information.clone().try_inverse().unwrap();
    let fixed = &fixed_covariance * x.transpose() * &inverse * &y;
    let rest = &y - &x * &fixed;
    let square = (rest.transpose() * &inverse * &rest)[0];
    let ln_2pi = std::f64::consts::TAU.ln();
    let ln_information = information.cholesky().unwrap().ln_determinant();
    let ln_likelihood = -0.5 * ((ROWS as f64 - 2.0) * ln_2pi + ln_v + ln_information + square);
    let projection = &inverse - &inverse * &x * &fixed_covariance * x.transpose() * &inverse;
    let across = covariance * case_rows.transpose();
    let solved = &projection * &y;
    Dense {
        ln_likelihood,
        fixed,
        fixed_covariance,
        values: &across * inverse * rest,
        values_covariance: covariance - &across * &projection * across.transpose(),
        projection,
        solved,
    }
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < tolerance, "{what}: {found} is not {expected}, error {error:e}");
}

#[test]
fn likelihoods_at_given_hyperparameters() {
    for case in cases() {
        let model = model(case.effect);
        let target = EmbeddedLaplace::new(&model).unwrap();
        let natural: Vec<f64> = [0.45].into_iter().chain(case.hyper.iter().copied()).collect();
        let expected = dense(&case.rows, &case.covariance, 0.45).ln_likelihood;
        close(case.name, target.ln_likelihood(&natural).unwrap(), expected, 1e-10);
    }
}

/// At the mode of the hyperparameters; correlations of groups need the covariance there, and are left out.
#[test]
fn moments_predictions_and_leave_one_out_at_the_mode() {
    let options =
        HierarchicalOptions { estimate: HyperEstimate::PosteriorMode, ..HierarchicalOptions::default() };
    for case in
        cases().into_iter().filter(|case| ["groups", "walk", "second walk", "besag"].contains(&case.name))
    {
        let model = model(case.effect);
        let fit = model.fit(&options).unwrap();
        let mode: Vec<f64> = fit.mode().iter().map(|(_, value)| *value).collect();
        let covariance = case.covariance * (mode[1] / case.hyper[0]).powi(2);
        let dense = dense(&case.rows, &covariance, mode[0]);
        let name = case.name;
        close(name, fit.ln_marginal_likelihood(), dense.ln_likelihood, 1e-10);
        for (k, column) in ["intercept", "x"].into_iter().enumerate() {
            let own = fit.fixed(column).unwrap();
            close(name, own.mean(), dense.fixed[k], 1e-9);
            close(name, own.sd(), dense.fixed_covariance[(k, k)].sqrt(), 1e-9);
        }
        let values = fit.effect("u").unwrap();
        for (k, own) in values.iter().enumerate() {
            close(name, own.mean(), dense.values[k], 1e-9);
            close(name, own.sd(), dense.values_covariance[(k, k)].sqrt(), 1e-8);
        }
        if name != "groups" {
            // The parts of the map add up to zero each, and the walks as a whole.
            let sum: f64 =
                values.iter().take(if name == "besag" { 8 } else { 30 }).map(LatentMarginal::mean).sum();
            assert!(sum.abs() < 1e-10, "{name}: {sum}");
        }
        let contrast = NewRows::new(1).through("u", &[(0, 0, 1.0), (0, 3, -1.0)]);
        let difference = &fit.predict(&contrast).unwrap()[0];
        let c = &dense.values_covariance;
        close(name, difference.mean(), dense.values[0] - dense.values[3], 1e-9);
        close(name, difference.sd(), (c[(0, 0)] + c[(3, 3)] - 2.0 * c[(0, 3)]).sqrt(), 1e-8);
        let criteria = fit.criteria().unwrap();
        for (row, left) in criteria.rows.iter().enumerate() {
            check_row(name, left.unwrap(), row, &dense.left_out(&[row]), 0);
        }
        let mut groups = vec![(0..10).collect(), (10..13).collect(), vec![13], vec![39, 17, 25, 2]];
        if name == "groups" {
            groups.extend(fit.groups_by("u").unwrap());
        }
        for left in fit.leave_out(&groups).unwrap() {
            let expected = dense.left_out(&left.rows);
            let off =
                DVector::from_iterator(left.rows.len(), left.rows.iter().map(|&row| y()[row])) - &expected.0;
            let factor = expected.1.clone().cholesky().unwrap();
            let ln_2pi = left.rows.len() as f64 * std::f64::consts::TAU.ln();
            let square = off.dot(&factor.solve(&off));
            close(name, left.ln_density, -0.5 * (ln_2pi + factor.ln_determinant() + square), 1e-8);
            assert_eq!(left.overlap, 1.0);
            for (place, &row) in left.rows.iter().enumerate() {
                check_row(name, left.each[place].unwrap(), row, &expected, place);
                let predictor = &left.predictors[place];
                close(name, predictor.mean(), expected.0[place], 1e-8);
                let noise = mode[0] * mode[0] / weights()[row];
                close(name, predictor.sd(), (expected.1[(place, place)] - noise).sqrt(), 1e-8);
            }
        }
    }
}

/// A row of a group against the normal distribution of the group without itself.
#[track_caller]
fn check_row(name: &str, left: LeftOut, row: usize, expected: &(DVector<f64>, DMatrix<f64>), place: usize) {
    let variance = expected.1[(place, place)];
    let z = (y()[row] - expected.0[place]) / variance.sqrt();
    let ln_density = -0.5 * (std::f64::consts::TAU.ln() + variance.ln() + z * z);
    close(name, left.ln_density, ln_density, 1e-8);
    close(name, left.probability[1], posterior_math::special::normal_cdf(z), 1e-8);
}
