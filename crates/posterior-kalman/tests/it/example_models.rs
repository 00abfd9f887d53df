//! Models that several tests use.

use posterior_dist::stream::stream;
use posterior_kalman::{Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior_math::linalg::{DMatrix, DVector};
use rand::RngExt;

/// The Wiener process at times 1, 2 and 4, seen with noise of variance 1/4.
pub(crate) fn wiener() -> (StateSpace, Series) {
    let one = DMatrix::from_element(1, 1, 1.0);
    let noises = Matrices::each(&[one.clone(), &one * 2.0]).unwrap();
    let model = StateSpace::new(
        TransitionEquation::varying(Matrices::constant(&one), noises).unwrap(),
        ObservationEquation::constant(&one, &(&one * 0.25)).unwrap(),
        Initial::known(&[0.0], &one).unwrap(),
    );
    (model.unwrap(), Series::univariate(&[0.5, 1.2, 0.3]).unwrap())
}

/// A point at constant velocity, whose third position is missing.
pub(crate) fn constant_velocity() -> (StateSpace, Series) {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let q = DMatrix::from_row_slice(2, 2, &[1.0 / 3.0, 0.5, 0.5, 1.0]) * 0.1;
    let model = StateSpace::new(
        TransitionEquation::constant(&a, &q).unwrap(),
        ObservationEquation::constant(
            &DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
            &DMatrix::from_element(1, 1, 0.5),
        )
        .unwrap(),
        Initial::known(&[0.0, 0.0], &(&a * DMatrix::identity(2, 2) * 10.0 * a.transpose() + &q)).unwrap(),
    );
    let series = Series::univariate_with_missing(&[Some(1.1), Some(1.9), None, Some(4.2)]).unwrap();
    (model.unwrap(), series)
}

/// What a model of [`awkward`] has of the awkward.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    /// All covariances are positive definite.
    Full,
    /// That of the states has rank 1, that of the start as well.
    Singular,
}

/// Three states and two components, all matrices different at each time, offsets, and a third of the
/// observations missing.
pub(crate) fn awkward(seed: u64, length: usize, noise: Noise) -> (StateSpace, Series) {
    let mut rng = stream(seed, &[]);
    let mut matrix =
        |rows: usize, columns: usize| DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0));
    let mut each = |change: &mut dyn FnMut(DMatrix<f64>) -> DMatrix<f64>, rows: usize, columns: usize| {
        let all: Vec<DMatrix<f64>> = (0..length).map(|_| change(matrix(rows, columns))).collect();
        Matrices::each(&all).unwrap()
    };
    let rank = if noise == Noise::Full { 4 } else { 1 };
    let covariance = |root: DMatrix<f64>| &root * root.transpose();
    let mut same = |matrix: DMatrix<f64>| matrix;
    let mut stable = |matrix: DMatrix<f64>| matrix * 0.4 + DMatrix::identity(3, 3) * 0.6;
    let mut definite = |root: DMatrix<f64>| covariance(root) + DMatrix::identity(2, 2) * 0.1;
    let transition = TransitionEquation::varying(
        each(&mut stable, 3, 3),
        each(&mut |root: DMatrix<f64>| covariance(root), 3, rank),
    );
    let transition = transition.unwrap().with_offset(each(&mut same, 3, 1)).unwrap();
    let observation = ObservationEquation::varying(each(&mut same, 2, 3), each(&mut definite, 2, 2));
    let observation = observation.unwrap().with_offset(each(&mut same, 2, 1)).unwrap();
    let mean = DVector::from_column_slice(matrix(3, 1).as_slice());
    let start = covariance(matrix(3, rank));
    let initial = Initial::known(mean.as_slice(), &start).unwrap();
    let values = DMatrix::from_fn(length, 2, |_, _| {
        if rng.random::<f64>() < 1.0 / 3.0 { f64::NAN } else { rng.random_range(-2.0..2.0) }
    });
    (StateSpace::new(transition, observation, initial).unwrap(), Series::with_missing(&values).unwrap())
}
