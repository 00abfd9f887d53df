//! The derivatives of all numbers of a model in one parameter.

use crate::{Error, Matrices, StateSpace};
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

/// The derivatives of matrix, offset and noise of an equation; `None` where they are zero.
///
/// A derivative is stored as its matrices are: one for each that the model stores, by number. One for all
/// times says that all change alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EquationDerivative {
    /// Of A or H.
    pub matrix: Option<Matrices>,
    /// Of b or d.
    pub offset: Option<Matrices>,
    /// Of Q or R.
    pub noise: Option<Matrices>,
}

/// The derivatives of all numbers of a model in one parameter; zero by default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Derivative {
    /// Of A, b and Q.
    pub transition: EquationDerivative,
    /// Of H, d and R.
    pub observation: EquationDerivative,
    /// Of the mean at the start.
    pub initial_mean: Option<DVector<f64>>,
    /// Of the covariance at the start.
    pub initial_covariance: Option<DMatrix<f64>>,
}

impl Derivative {
    /// Central differences of fourth order of `model`, in the number `parameter` of its argument.
    ///
    /// The step is h = ε^(1/5) max(1, |x|): an entry that is smooth in x has about 12 digits. The directions
    /// along which the start is diffuse have no derivative.
    ///
    /// # Errors
    /// If a model near `free` is refused, stores another number of matrices, or is diffuse along other
    /// directions.
    ///
    /// # Panics
    /// If `free` has no such component.
    #[track_caller]
    pub fn by_differences(
        model: impl Fn(&[f64]) -> Result<StateSpace, Error>,
        free: &[f64],
        parameter: usize,
    ) -> Result<Self, Error> {
        let h = f64::EPSILON.powf(0.2) * free[parameter].abs().max(1.0);
        let mut point = free.to_vec();
        let mut beside = |steps: f64| {
            point[parameter] = free[parameter] + steps * h;
            model(&point)
        };
        let stencil = Stencil { near: [beside(1.0)?, beside(-1.0)?], far: [beside(2.0)?, beside(-2.0)?], h };
        stencil.derivative()
    }
}

/// The models at distances of one and of two steps, above and below.
struct Stencil {
    near: [StateSpace; 2],
    far: [StateSpace; 2],
    h: f64,
}

impl Stencil {
    fn derivative(&self) -> Result<Derivative, Error> {
        let moves = self.entries(|model| model.initial().diffuse_directions().as_slice().to_vec())?;
        let fixed = "the same whatever the parameters are";
        check::require(moves.is_none(), "Derivative", "diffuse directions of the start", f64::NAN, fixed)?;
        Ok(Derivative {
            transition: EquationDerivative {
                matrix: self.matrices(|model| model.transition().matrix())?,
                offset: self.matrices(|model| model.transition().offset())?,
                noise: self.matrices(|model| model.transition().noise())?,
            },
            observation: EquationDerivative {
                matrix: self.matrices(|model| model.observation().matrix())?,
                offset: self.matrices(|model| model.observation().offset())?,
                noise: self.matrices(|model| model.observation().noise())?,
            },
            initial_mean: self
                .entries(|model| model.initial().distribution().mean().as_slice().to_vec())?
                .map(DVector::from_vec),
            initial_covariance: self
                .entries(|model| model.initial().distribution().covariance().as_slice().to_vec())?
                .map(|entries| DMatrix::from_vec(self.near[0].states(), self.near[0].states(), entries)),
        })
    }

    fn matrices(&self, part: impl Fn(&StateSpace) -> &Matrices) -> Result<Option<Matrices>, Error> {
        let first = part(&self.near[0]);
        let entries = self.entries(|model| {
            let matrices = part(model);
            (0..matrices.distinct()).flat_map(|number| matrices.stored(number)).copied().collect()
        })?;
        entries.map(|entries| Matrices::from_entries(first.rows(), first.columns(), entries)).transpose()
    }

    /// The differences of these numbers; `None` if all are zero.
    fn entries(&self, part: impl Fn(&StateSpace) -> Vec<f64>) -> Result<Option<Vec<f64>>, Error> {
        let [near, far] = [&self.near, &self.far].map(|models| [part(&models[0]), part(&models[1])]);
        for other in [&near[1], &far[0], &far[1]] {
            check::dimension("numbers of the model at another parameter", near[0].len(), other.len())?;
        }
        let slopes: Vec<f64> = (0..near[0].len())
            .map(|i| (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * self.h))
            .collect();
        Ok(slopes.iter().any(|&slope| slope != 0.0).then_some(slopes))
    }
}
