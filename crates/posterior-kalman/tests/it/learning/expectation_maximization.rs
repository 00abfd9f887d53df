//! EM against the textbook's sums from the dense posterior, and against the maximum of the likelihood.

use posterior_datasets::series::NILE;
use posterior_dist::stream::stream;
use posterior_gaussian::MomentGaussian;
use posterior_inference::em::EmOptions;
use posterior_kalman::learning::{CovarianceShape, Learn, Part, expectation_maximization, score};
use posterior_kalman::{Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use rand::RngExt;

use crate::oracle;

/// Two states and two components, the same at all times, with offsets.
fn model() -> StateSpace {
    let column = |entries: &[f64]| Matrices::constant(&DMatrix::from_column_slice(2, 1, entries));
    let transition = TransitionEquation::constant(
        &DMatrix::from_row_slice(2, 2, &[0.8, 0.3, -0.2, 0.5]),
        &DMatrix::from_row_slice(2, 2, &[0.5, 0.1, 0.1, 0.3]),
    );
    let observation = ObservationEquation::constant(
        &DMatrix::from_row_slice(2, 2, &[1.0, 0.4, 0.0, 0.9]),
        &DMatrix::from_row_slice(2, 2, &[0.4, -0.1, -0.1, 0.6]),
    );
    let start = Initial::known(&[0.5, -0.5], &DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 0.7]));
    StateSpace::new(
        transition.unwrap().with_offset(column(&[0.1, -0.2])).unwrap(),
        observation.unwrap().with_offset(column(&[1.0, 0.3])).unwrap(),
        start.unwrap(),
    )
    .unwrap()
}

fn series(seed: u64, length: usize, missing: f64) -> Series {
    let mut rng = stream(seed, &[]);
    let values = DMatrix::from_fn(length, 2, |_, _| {
        let value = rng.random_range(-2.0..2.0);
        if rng.random::<f64>() < missing { f64::NAN } else { value }
    });
    Series::with_missing(&values).unwrap()
}

fn everything() -> Learn {
    Learn {
        transition_matrix: Part::Learned,
        transition_offset: Part::Learned,
        observation_matrix: Part::Learned,
        observation_offset: Part::Learned,
        initial_mean: Part::Learned,
        initial_covariance: CovarianceShape::Full,
        ..Learn::default()
    }
}

fn close(ours: &DMatrix<f64>, theirs: &DMatrix<f64>, tolerance: f64) {
    assert!((ours - theirs).amax() < tolerance * theirs.amax().max(1.0), "{ours} {theirs}");
}

/// W and the covariance of the noise of a regression by its sums.
fn regression(
    count: f64,
    outputs: &DMatrix<f64>,
    cross: &DMatrix<f64>,
    inputs: &DMatrix<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let weights = Cholesky::new(inputs).unwrap().solve(&cross.transpose()).transpose();
    let noise = (outputs - &weights * cross.transpose()) / count;
    (weights, noise)
}

/// E[a aᵀ] for the first rows and columns of these places, with a 1 below.
fn second_moment(posterior: &MomentGaussian, rows: &[usize], columns: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns.len() + 1, |i, j| match columns.get(j) {
        Some(&column) => {
            posterior.covariance()[(rows[i], column)] + posterior.mean()[rows[i]] * posterior.mean()[column]
        }
        None => posterior.mean()[rows[i]],
    })
}

#[test]
fn a_step_is_that_of_shumway_and_stoffer() {
    let (before, all) = (model(), [series(1, 5, 0.0), series(2, 7, 0.0)]);
    let [mut xx, mut zz] = [DMatrix::zeros(3, 3), DMatrix::zeros(3, 3)];
    let [mut nx, mut yx] = [DMatrix::zeros(2, 3), DMatrix::zeros(2, 3)];
    let [mut nn, mut yy] = [DMatrix::zeros(2, 2), DMatrix::zeros(2, 2)];
    let (mut steps, mut times) = (0.0, 0.0);
    let (mut first, mut first_squares) = (DMatrix::zeros(2, 1), DMatrix::zeros(2, 2));
    for series in &all {
        let (posterior, _) = oracle::condition_everything(&before, series);
        for t in 0..series.len() {
            let here = [2 * t, 2 * t + 1];
            let mut block = DMatrix::identity(3, 3);
            let moments = second_moment(&posterior, &here, &here);
            block.view_mut((0, 0), (2, 3)).copy_from(&moments);
            block.view_mut((2, 0), (1, 2)).copy_from(&moments.column(2).transpose());
            zz += &block;
            let y = DMatrix::from_column_slice(2, 1, series.at(t));
            yy += &y * y.transpose();
            yx += &y * block.row(2);
            times += 1.0;
            if t == 0 {
                first += moments.column(2);
                first_squares += moments.columns(0, 2);
            }
            if t + 1 < series.len() {
                let next = [2 * t + 2, 2 * t + 3];
                xx += &block;
                nx += second_moment(&posterior, &next, &here);
                nn += second_moment(&posterior, &next, &next).columns(0, 2);
                steps += 1.0;
            }
        }
    }
    let (a, q) = regression(steps, &nn, &nx, &xx);
    let (h, r) = regression(times, &yy, &yx, &zz);
    let mean = &first / 2.0;
    let covariance = &first_squares / 2.0 - &mean * mean.transpose();
    let options = EmOptions { max_iterations: 1, ..EmOptions::default() };
    let after = expectation_maximization(before, &all, &everything(), &options, &mut Silent).unwrap().model;
    close(&after.transition().matrix().matrix(0), &a.columns(0, 2).into_owned(), 1e-11);
    close(&after.transition().offset().matrix(0), &a.columns(2, 1).into_owned(), 1e-11);
    close(&after.transition().noise().matrix(0), &q, 1e-11);
    close(&after.observation().matrix().matrix(0), &h.columns(0, 2).into_owned(), 1e-11);
    close(&after.observation().offset().matrix(0), &h.columns(2, 1).into_owned(), 1e-11);
    close(&after.observation().noise().matrix(0), &r, 1e-11);
    assert!((after.initial().distribution().mean() - mean.column(0)).amax() < 1e-12);
    close(after.initial().distribution().covariance(), &covariance, 1e-11);
}

#[test]
fn the_likelihood_never_falls_and_its_score_ends_at_zero() {
    let all = [series(3, 30, 0.3), series(4, 20, 0.3)];
    let learn =
        Learn { transition_matrix: Part::Learned, observation_offset: Part::Learned, ..Learn::default() };
    let options = EmOptions { tolerance: 1e-12, max_iterations: 5_000, ..EmOptions::default() };
    let fitted = expectation_maximization(model(), &all, &learn, &options, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    assert!(fitted.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-10));
    let scores = all.each_ref().map(|series| score(&fitted.model, series).unwrap());
    let total = |part: &dyn Fn(&posterior_kalman::learning::LikelihoodScore) -> DMatrix<f64>| {
        part(&scores[0]) + part(&scores[1])
    };
    // At a singular covariance the score itself need not vanish, but its product with the covariance does.
    let of_matrix = total(&|score| score.transition.matrix.of(0));
    let of_offset = total(&|score| score.observation.offset.of(0));
    let q = fitted.model.transition().noise().matrix(0);
    let r = fitted.model.observation().noise().matrix(0);
    assert!((&q * of_matrix).amax() < 1e-3);
    assert!((&r * of_offset).amax() < 1e-3);
    assert!((&q * total(&|score| score.transition.noise.of(0)) * &q).amax() < 1e-3);
    assert!((&r * total(&|score| score.observation.noise.of(0)) * &r).amax() < 1e-3);
}

#[test]
fn the_nile_has_the_variances_of_the_maximum() {
    let scalar = |value| DMatrix::from_element(1, 1, value);
    let start = StateSpace::new(
        TransitionEquation::constant(&scalar(1.0), &scalar(5000.0)).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(5000.0)).unwrap(),
        Initial::diffuse(1).unwrap(),
    )
    .unwrap();
    let series = [Series::univariate(NILE.values).unwrap()];
    let options = EmOptions { tolerance: 1e-14, max_iterations: 10_000, ..EmOptions::default() };
    let fitted = expectation_maximization(start, &series, &Learn::default(), &options, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    let level = fitted.model.transition().noise().at(0)[0];
    let noise = fitted.model.observation().noise().at(0)[0];
    assert!((noise - 15098.5).abs() < 5.0 && (level - 1469.2).abs() < 2.0, "{noise} {level}");
}

#[test]
fn what_is_fixed_stays_and_what_is_diagonal_stays_diagonal() {
    let learn = Learn { observation_noise: CovarianceShape::Diagonal, ..Learn::nothing() };
    let all = [series(5, 12, 0.2)];
    let options = EmOptions::default();
    let fitted = expectation_maximization(model(), &all, &learn, &options, &mut Silent).unwrap();
    assert_eq!(fitted.model.transition(), model().transition());
    assert_eq!(fitted.model.initial(), model().initial());
    assert_eq!(fitted.model.observation().matrix(), model().observation().matrix());
    let noise = fitted.model.observation().noise().matrix(0);
    assert_eq!((noise[(0, 1)], noise[(1, 0)]), (0.0, 0.0));
    assert!(noise[(0, 0)] > 0.0 && noise[(1, 1)] > 0.0);
}

#[test]
fn states_without_noise_keep_none() {
    let q = DMatrix::from_row_slice(2, 2, &[0.5, 0.0, 0.0, 0.0]);
    let before = model();
    let transition = TransitionEquation::constant(&before.transition().matrix().matrix(0), &q).unwrap();
    let before = StateSpace::new(transition, before.observation().clone(), before.initial().clone()).unwrap();
    let learn = Learn { transition_matrix: Part::Learned, ..Learn::default() };
    let options = EmOptions { max_iterations: 20, ..EmOptions::default() };
    let fitted =
        expectation_maximization(before.clone(), &[series(6, 15, 0.1)], &learn, &options, &mut Silent)
            .unwrap();
    let (old, new) = (before.transition().matrix().matrix(0), fitted.model.transition().matrix().matrix(0));
    assert_eq!(old.row(1), new.row(1));
    assert_ne!(old.row(0), new.row(0));
    assert_eq!(fitted.model.transition().noise().matrix(0)[(1, 1)], 0.0);
}

#[test]
fn what_changes_over_time_cannot_be_learned() {
    let one = DMatrix::from_element(1, 1, 1.0);
    let noises = Matrices::each(&[one.clone(), &one * 2.0]).unwrap();
    let build = |initial| {
        let transition = TransitionEquation::varying(Matrices::constant(&one), noises.clone()).unwrap();
        let observation = ObservationEquation::constant(&one, &one).unwrap();
        StateSpace::new(transition, observation, initial).unwrap()
    };
    let series = [Series::univariate(&[0.5, 1.2, 0.3]).unwrap()];
    let fit = |model, learn: &Learn| {
        expectation_maximization(model, &series, learn, &EmOptions::default(), &mut Silent)
    };
    let known = || build(Initial::known(&[0.0], &one).unwrap());
    assert!(fit(known(), &Learn::default()).is_err());
    let matrix = Learn { transition_matrix: Part::Learned, ..Learn::nothing() };
    assert!(fit(known(), &matrix).is_err());
    let only_r = Learn { observation_noise: CovarianceShape::Full, ..Learn::nothing() };
    assert!(fit(known(), &only_r).is_ok());
    let start = Learn { initial_mean: Part::Learned, ..Learn::nothing() };
    assert!(fit(known(), &start).is_ok());
    assert!(fit(build(Initial::diffuse(1).unwrap()), &start).is_err());
}

#[test]
fn a_model_of_a_single_time_is_learned_from_it() {
    let one = DMatrix::from_element(1, 1, 1.0);
    let never = || Matrices::indexed(std::slice::from_ref(&one), Vec::new()).unwrap();
    let model = StateSpace::new(
        TransitionEquation::varying(never(), never()).unwrap(),
        ObservationEquation::constant(&one, &one).unwrap(),
        Initial::known(&[0.0], &(&one * 1e-12)).unwrap(),
    );
    let series = [Series::univariate(&[3.0]).unwrap()];
    let options = EmOptions::default();
    let fitted =
        expectation_maximization(model.unwrap(), &series, &Learn::default(), &options, &mut Silent).unwrap();
    assert!((fitted.model.observation().noise().at(0)[0] - 9.0).abs() < 1e-9);
}
