//! Three state-space models with long series, which filters are timed on.

use std::path::Path;

use nalgebra::DMatrix;
use posterior::kalman::simulation;
use posterior::kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use crate::comparison::Outcome;
use crate::peers::read_matrix;

/// States and observed numbers of the models.
pub const SIZES: [(usize, usize); 3] = [(2, 1), (4, 2), (10, 3)];

/// A model and a series of it.
#[derive(Debug, Clone)]
pub struct Workload {
    /// The model.
    pub model: StateSpace,
    /// The series.
    pub series: Series,
}

impl Workload {
    /// What the peers' program left in `folder`.
    ///
    /// # Errors
    /// If a file can't be read or is not that of a model.
    pub fn read(folder: &Path, (states, width): (usize, usize)) -> Outcome<Self> {
        let part = |name: &str| read_matrix(&folder.join(format!("kf_{states}_{width}_{name}.csv")));
        let model = StateSpace::new(
            TransitionEquation::constant(&part("F")?, &part("Q")?)?,
            ObservationEquation::constant(&part("H")?, &part("R")?)?,
            Initial::known(part("m0")?.as_slice(), &part("P0")?)?,
        )?;
        Ok(Self { model, series: Series::new(&part("obs")?)? })
    }

    /// A stable random model of this size, and `length` observations drawn from it.
    ///
    /// # Errors
    /// Never for the sizes above.
    pub fn generate((states, width): (usize, usize), length: usize) -> Outcome<Self> {
        let mut rng = Pcg64::seed_from_u64(50 + states as u64);
        let mut draw = |rows, columns| -> DMatrix<f64> {
            DMatrix::from_fn(rows, columns, |_, _| StandardNormal.sample(&mut rng))
        };
        let transition = draw(states, states);
        let transition = &transition * (0.97 / transition.norm());
        let root = draw(states, states) * 0.3;
        let noise_root = draw(width, width) * 0.3;
        let identity = |n| DMatrix::<f64>::identity(n, n);
        let model = StateSpace::new(
            TransitionEquation::constant(&transition, &(&root * root.transpose() + identity(states) * 0.1))?,
            ObservationEquation::constant(
                &draw(width, states),
                &(&noise_root * noise_root.transpose() + identity(width) * 0.5),
            )?,
            Initial::known(&vec![0.0; states], &identity(states))?,
        )?;
        let series = simulation::simulate(&model, length, &mut rng)?.observations;
        Ok(Self { model, series })
    }
}
