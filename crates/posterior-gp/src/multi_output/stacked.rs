//! Tables of outputs as one long column, with the number of the output as a coordinate of the input.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::Error;

/// Outputs one after the other, as a process with one output takes them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StackedOutputs {
    /// The inputs, each with the number of the output behind its coordinates.
    pub inputs: DMatrix<f64>,
    /// The outputs that are not missing.
    pub outputs: Vec<f64>,
    /// The row and the column of each in the table.
    pub cells: Vec<(usize, usize)>,
}

/// Stacks a table with a row for each input and a column for each output; NaN where an output is missing.
///
/// # Errors
/// If there are not as many rows as inputs.
pub fn stack(inputs: &DMatrix<f64>, outputs: &DMatrix<f64>) -> Result<StackedOutputs, Error> {
    check::dimension("rows of the outputs", inputs.nrows(), outputs.nrows())?;
    let columns = 0..outputs.ncols();
    let cells: Vec<(usize, usize)> = columns
        .flat_map(|column| (0..outputs.nrows()).map(move |row| (row, column)))
        .filter(|&cell| !outputs[cell].is_nan())
        .collect();
    let dimension = inputs.ncols();
    let stacked = DMatrix::from_fn(cells.len(), dimension + 1, |i, j| {
        let (row, column) = cells[i];
        if j < dimension { inputs[(row, j)] } else { column as f64 }
    });
    let outputs = cells.iter().map(|&cell| outputs[cell]).collect();
    Ok(StackedOutputs { inputs: stacked, outputs, cells })
}

/// The inputs at which one output is asked for: with its number behind the coordinates.
pub fn at_output(inputs: &DMatrix<f64>, output: usize) -> DMatrix<f64> {
    inputs.clone().insert_column(inputs.ncols(), output as f64)
}
