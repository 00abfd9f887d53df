//! Parameters of hidden Markov models and their data, as Python has them.

use posterior_latent::gaussian_mixture::Covariances;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{CategoricalEmissions, Emissions, GaussianEmissions, Sequences};
use posterior_sequence::hmm::HiddenMarkovModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::invalid;

/// A model: the distribution of the first state, those of the next ones, and what states show.
#[derive(FromPyObject)]
pub(crate) struct Parameters<'py> {
    initial: Bound<'py, PyAny>,
    transition: Bound<'py, PyAny>,
    pub(super) shown: Shown<'py>,
}

/// What states show: vectors with a normal distribution, or symbols.
#[derive(FromPyObject)]
pub(super) enum Shown<'py> {
    Vectors { means: Bound<'py, PyAny>, covariances: Bound<'py, PyAny>, kind: String },
    Symbols { probabilities: Bound<'py, PyAny> },
}

impl Parameters<'_> {
    /// The model, if states show this.
    pub(super) fn model<E: Kind>(&self) -> PyResult<HiddenMarkovModel<E>> {
        let (initial, transition) = (arrays::vector(&self.initial)?, arrays::matrix(&self.transition)?);
        let model = HiddenMarkovModel::new(&initial, &transition, E::read(&self.shown)?);
        model.map_err(invalid)
    }
}

/// Emissions that there are parameters and arrays of.
pub(super) trait Kind:
    Emissions<Data: ToOwned<Owned: Send + Sync> + Sync> + Clone + Send + Sync
{
    /// The emissions.
    fn read(shown: &Shown<'_>) -> PyResult<Self>;

    /// The parameters: of vectors means and covariances in the shape of their kind, of symbols probabilities.
    fn written<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>>;

    /// The rows of an array as sequences of these lengths.
    fn data(x: &Bound<'_, PyAny>, lengths: &[usize]) -> PyResult<Vec<<Self::Data as ToOwned>::Owned>>;

    /// One sequence as an array of two axes.
    fn array<'py>(py: Python<'py>, data: &<Self::Data as ToOwned>::Owned) -> PyResult<Bound<'py, PyAny>>;
}

/// Sequences of data.
pub(super) fn sequences<E: Kind>(parts: &[<E::Data as ToOwned>::Owned]) -> Sequences<'_, E::Data> {
    parts.iter().map(std::borrow::Borrow::borrow).collect()
}

/// Where sequences of these lengths begin and end among so many rows.
fn ranges(lengths: &[usize], rows: usize) -> PyResult<Vec<std::ops::Range<usize>>> {
    let total = lengths.iter().try_fold(0_usize, |sum, &own| sum.checked_add(own));
    if total != Some(rows) {
        return Err(PyValueError::new_err(format!(
            "lengths: expected a sum of {rows}, the number of rows, found {total:?}"
        )));
    }
    let mut end = 0;
    let range = |&length: &usize| {
        end += length;
        end - length..end
    };
    Ok(lengths.iter().map(range).collect())
}

fn other_kind() -> PyErr {
    invalid(Error::TooFew { what: "emissions", needed: "parameters of their kind" })
}

impl Kind for GaussianEmissions {
    fn read(shown: &Shown<'_>) -> PyResult<Self> {
        let Shown::Vectors { means, covariances, kind } = shown else { return Err(other_kind()) };
        let covariances = match kind.as_str() {
            "full" => Covariances::Full(arrays::unstack(covariances)?),
            "tied" => Covariances::Tied(arrays::matrix(covariances)?),
            "diag" => Covariances::Diagonal(arrays::matrix(covariances)?),
            "spherical" => Covariances::Spherical(arrays::vector(covariances)?),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "covariance_type: expected full, tied, diag or spherical, found {kind:?}"
                )));
            }
        };
        Self::new(&arrays::matrix(means)?, covariances).map_err(invalid)
    }

    fn written<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let covariances = match self.covariances() {
            Covariances::Full(all) => arrays::stack(py, all)?,
            Covariances::Tied(one) | Covariances::Diagonal(one) => arrays::rows(py, one)?,
            Covariances::Spherical(all) => arrays::array(py, all),
        };
        Ok(vec![arrays::rows(py, self.means())?, covariances])
    }

    fn data(x: &Bound<'_, PyAny>, lengths: &[usize]) -> PyResult<Vec<DMatrix<f64>>> {
        let rows = arrays::matrix(x)?;
        let ranges = ranges(lengths, rows.nrows())?;
        Ok(ranges.into_iter().map(|own| rows.rows_range(own).into_owned()).collect())
    }

    fn array<'py>(py: Python<'py>, data: &DMatrix<f64>) -> PyResult<Bound<'py, PyAny>> {
        arrays::rows(py, data)
    }
}

impl Kind for CategoricalEmissions {
    fn read(shown: &Shown<'_>) -> PyResult<Self> {
        let Shown::Symbols { probabilities } = shown else { return Err(other_kind()) };
        Self::new(&arrays::matrix(probabilities)?).map_err(invalid)
    }

    fn written<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        Ok(vec![arrays::rows(py, &self.probabilities())?])
    }

    fn data(x: &Bound<'_, PyAny>, lengths: &[usize]) -> PyResult<Vec<Vec<usize>>> {
        let numbers = arrays::vector(x)?;
        if let Some(wrong) = numbers.iter().find(|own| !(**own >= 0.0 && own.fract() == 0.0)) {
            return Err(PyValueError::new_err(format!(
                "expected symbols, whole numbers from 0, found {wrong}"
            )));
        }
        let symbols: Vec<usize> = numbers.into_iter().map(|own| own as usize).collect();
        let ranges = ranges(lengths, symbols.len())?;
        Ok(ranges.into_iter().map(|own| symbols[own].to_vec()).collect())
    }

    fn array<'py>(py: Python<'py>, data: &Vec<usize>) -> PyResult<Bound<'py, PyAny>> {
        arrays::shaped(py, data.clone(), &[data.len(), 1])
    }
}
