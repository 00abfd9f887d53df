//! Checks of data: sizes that agree, numbers that are finite.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use crate::Error;

/// Whether a kernel's inputs, outputs and noise variances are one of each for each row, and finite.
pub(crate) fn check_data(
    inputs: &DMatrix<f64>,
    outputs: &DVector<f64>,
    noise: &DVector<f64>,
) -> Result<(), Error> {
    agree("outputs", inputs.nrows(), outputs.len())?;
    agree("noise variances", inputs.nrows(), noise.len())?;
    check_rows("input", inputs)?;
    if let Some((row, &value)) = outputs.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        return Err(Error::NotFinite { what: "output", row, value });
    }
    for (row, &variance) in noise.iter().enumerate() {
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

/// Whether two sizes agree.
pub(crate) fn agree(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Dimension { what, expected, found }) }
}
