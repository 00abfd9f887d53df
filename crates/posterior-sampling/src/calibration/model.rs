//! What calibration needs of a model: that it can be simulated.

use posterior_math::check;
use rand::Rng;

use crate::Error;

/// A model as a simulator: parameters from the prior, data from the parameters.
///
/// Write it down apart from the density that is sampled: what is tested is that the two are the same model.
pub trait SimulationModel {
    /// One data set.
    type Data;

    /// The names of the parameters.
    fn names(&self) -> Vec<String>;

    /// Parameters from the prior, one number for each name.
    ///
    /// # Errors
    /// Those of the distributions it is made of.
    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error>;

    /// Data from the parameters.
    ///
    /// # Errors
    /// Those of the distributions it is made of.
    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<Self::Data, Error>;

    /// The names of further quantities to look at.
    fn quantity_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Functions of the parameters and the data, one number for each name. The log-likelihood is the one to
    /// start with: it sees mistakes in how the data are used that no parameter alone does.
    fn quantities(&self, _parameters: &[f64], _data: &Self::Data) -> Vec<f64> {
        Vec::new()
    }
}

/// The names of all that is looked at: parameters, then quantities.
pub(super) fn all_names<M: SimulationModel>(model: &M) -> Vec<String> {
    let mut names = model.names();
    names.extend(model.quantity_names());
    names
}

/// All that is looked at.
///
/// # Errors
/// Other numbers of values than of names; NaN.
pub(super) fn all_values<M: SimulationModel>(
    model: &M,
    names: &[String],
    parameters: &[f64],
    data: &M::Data,
) -> Result<Vec<f64>, Error> {
    let quantities = model.quantities(parameters, data);
    let values: Vec<f64> = parameters.iter().chain(&quantities).copied().collect();
    check::dimension("parameters and quantities of a model", names.len(), values.len())?;
    match values.iter().position(|value| value.is_nan()) {
        Some(place) => Err(Error::NotANumber { what: names[place].clone() }),
        None => Ok(values),
    }
}

/// The error of one of many simulations.
pub(super) fn in_simulation(simulation: usize) -> impl FnOnce(Error) -> Error {
    move |why| Error::Simulation { simulation, why: Box::new(why) }
}
