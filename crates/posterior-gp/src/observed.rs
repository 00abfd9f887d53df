//! Checks of data that several routes share.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use crate::regression::check_outputs;
use crate::{Error, GaussianProcess, Noise};

/// The noise variance of each observation, of a route that needs some noise everywhere, after a check of all
/// data.
pub(crate) fn check_noisy_data(
    process: &GaussianProcess,
    inputs: &DMatrix<f64>,
    outputs: &[f64],
    noise: &Noise,
) -> Result<DVector<f64>, Error> {
    process.check(inputs)?;
    check_outputs(inputs, outputs)?;
    let variances = DVector::from_vec(noise.variances(outputs.len())?);
    check_positive(&variances)?;
    Ok(variances)
}

/// Whether all variances are positive.
pub(crate) fn check_positive(variances: &DVector<f64>) -> Result<(), Error> {
    for (row, &variance) in variances.iter().enumerate() {
        check::positive("Noise", "variance", variance).map_err(|error| error.at(row))?;
    }
    Ok(())
}

/// Whether all numbers are finite.
pub(crate) fn check_rows(what: &'static str, inputs: &DMatrix<f64>) -> Result<(), Error> {
    for (row, numbers) in inputs.row_iter().enumerate() {
        if let Some(&value) = numbers.iter().find(|value| !value.is_finite()) {
            return Err(Error::NotFinite { what, row, value });
        }
    }
    Ok(())
}
