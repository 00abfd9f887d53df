//! Random models and series: any sizes, singular noise, matrices that vary, offsets, missing numbers.

use posterior_kalman::{Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior_math::linalg::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What a random model has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) states: usize,
    pub(crate) width: usize,
    pub(crate) length: usize,
    /// Columns of the root of the noise of the states: 0 for none.
    pub(crate) noises: usize,
    /// Columns of the diffuse directions.
    pub(crate) diffuse: usize,
    /// Whether matrices differ from time to time.
    pub(crate) varying: bool,
    /// The proportion of numbers that are missing.
    pub(crate) missing: f64,
}

fn random(rng: &mut Pcg64, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0))
}

fn covariance(rng: &mut Pcg64, size: usize, rank: usize) -> DMatrix<f64> {
    let root = random(rng, size, rank);
    let mut squared = &root * root.transpose();
    squared = (&squared + squared.transpose()) * 0.5;
    squared
}

/// A model and a series of this shape.
pub(crate) fn random_model(shape: Shape, seed: u64) -> (StateSpace, Series) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let Shape { states, width, length, .. } = shape;
    let each = |rng: &mut Pcg64, one: &dyn Fn(&mut Pcg64) -> DMatrix<f64>| {
        if shape.varying {
            Matrices::each(&(0..length.max(1)).map(|_| one(rng)).collect::<Vec<_>>()).unwrap()
        } else {
            Matrices::constant(&one(rng))
        }
    };
    let transition = TransitionEquation::varying(
        each(&mut rng, &|rng| random(rng, states, states)),
        each(&mut rng, &|rng| covariance(rng, states, shape.noises)),
    )
    .unwrap()
    .with_offset(each(&mut rng, &|rng| random(rng, states, 1)))
    .unwrap();
    let observation = ObservationEquation::varying(
        each(&mut rng, &|rng| random(rng, width, states)),
        each(&mut rng, &|rng| covariance(rng, width, width) + DMatrix::identity(width, width) * 0.1),
    )
    .unwrap()
    .with_offset(each(&mut rng, &|rng| random(rng, width, 1)))
    .unwrap();
    let mean = random(&mut rng, states, 1);
    let known = covariance(&mut rng, states, states.saturating_sub(shape.diffuse));
    let mut initial = Initial::known(mean.as_slice(), &known).unwrap();
    if shape.diffuse > 0 {
        initial = initial.with_diffuse(&random(&mut rng, states, shape.diffuse)).unwrap();
    }
    let model = StateSpace::new(transition, observation, initial).unwrap();
    let values = DMatrix::from_fn(length, width, |_, _| {
        if rng.random_range(0.0..1.0) < shape.missing { f64::NAN } else { rng.random_range(-3.0..3.0) }
    });
    (model, Series::with_missing(&values).unwrap())
}

/// The largest difference between two matrices, in units of the largest entry of the second, or of one.
pub(crate) fn distance(ours: &DMatrix<f64>, theirs: &DMatrix<f64>) -> f64 {
    let difference = (ours - theirs).abs().max();
    if difference.is_nan() { f64::INFINITY } else { difference / theirs.amax().max(1.0) }
}
