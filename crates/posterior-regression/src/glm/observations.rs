//! Rows of a design with their responses, offsets and weights.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::Error;

/// The data of a generalised linear model: rows of a design, whose columns the coefficients multiply, with
/// one response each.
///
/// The linear predictor of row i is ηᵢ = oᵢ + Σⱼ xᵢⱼ βⱼ. An intercept is a column of ones. The numbers are
/// borrowed, and never copied as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct GlmData<'a> {
    design: &'a DMatrix<f64>,
    response: &'a [f64],
    offset: Option<&'a [f64]>,
    weights: Option<&'a [f64]>,
    names: Vec<String>,
}

impl<'a> GlmData<'a> {
    /// The rows of `design`, with one response each; columns are named `x[0]`, `x[1]`, ….
    ///
    /// # Errors
    /// No rows or no columns; other numbers of responses than of rows; numbers that are not finite.
    pub fn new(design: &'a DMatrix<f64>, response: &'a [f64]) -> Result<Self, Error> {
        let (rows, columns) = design.shape();
        for (what, count) in [("rows of the design", rows), ("columns of the design", columns)] {
            check::enough(what, 1, count)?;
        }
        same_length("responses", rows, response)?;
        all_finite("the response", response)?;
        for column in 0..columns {
            all_finite("an input", &design.as_slice()[column * rows..(column + 1) * rows])?;
        }
        let names = (0..columns).map(|column| format!("x[{column}]")).collect();
        Ok(Self { design, response, offset: None, weights: None, names })
    }

    /// With a known part of each predictor, as the logarithm of an exposure.
    ///
    /// # Errors
    /// Other than one finite number for each row.
    pub fn with_offset(self, offset: &'a [f64]) -> Result<Self, Error> {
        same_length("offsets", self.rows(), offset)?;
        all_finite("the offset", offset)?;
        Ok(Self { offset: Some(offset), ..self })
    }

    /// With a weight of each row: how often it counts, or how many trials a proportion is of. Rows of weight
    /// 0 say nothing.
    ///
    /// # Errors
    /// Other than one finite number for each row, none negative, one of them positive.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        same_length("weights", self.rows(), weights)?;
        let requirement = "non-negative and finite, and not 0 in all rows";
        let bad = weights.iter().position(|weight| !(*weight >= 0.0 && weight.is_finite()));
        let none = weights.iter().all(|weight| *weight == 0.0).then_some(0);
        if let Some(row) = bad.or(none) {
            return Err(Error::Observation { what: "the weight", row, value: weights[row], requirement });
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// With names of the columns.
    ///
    /// # Errors
    /// Other than one name for each column.
    pub fn with_names<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        check::dimension("names of columns", self.columns(), names.len())?;
        Ok(Self { names, ..self })
    }

    /// The number of rows n.
    pub fn rows(&self) -> usize {
        self.design.nrows()
    }

    /// The number of columns p.
    pub fn columns(&self) -> usize {
        self.design.ncols()
    }

    /// X, n × p.
    pub const fn design(&self) -> &'a DMatrix<f64> {
        self.design
    }

    /// The response y.
    pub const fn response(&self) -> &'a [f64] {
        self.response
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The weight of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// The offset of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn offset(&self, row: usize) -> f64 {
        self.offset.map_or(0.0, |offset| offset[row])
    }

    /// The weights, where they were given.
    pub const fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// The offsets, where they were given.
    pub const fn offsets(&self) -> Option<&'a [f64]> {
        self.offset
    }

    /// The number of rows whose weight is not 0.
    pub(crate) fn informative_rows(&self) -> usize {
        self.weights.map_or(self.rows(), |weights| weights.iter().filter(|weight| **weight > 0.0).count())
    }

    /// The numbers of a column.
    ///
    /// # Panics
    /// If there is no such column.
    #[track_caller]
    pub fn column(&self, column: usize) -> &'a [f64] {
        let rows = self.rows();
        &self.design.as_slice()[column * rows..(column + 1) * rows]
    }

    /// Whether a column holds the same number in all rows, and not 0: an intercept.
    ///
    /// # Panics
    /// If there is no such column.
    #[track_caller]
    pub(crate) fn is_intercept(&self, column: usize) -> bool {
        let numbers = self.column(column);
        numbers[0] != 0.0 && numbers.iter().all(|number| *number == numbers[0])
    }

    /// The linear predictors of the rows at these coefficients.
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    pub fn predictors(&self, coefficients: &[f64]) -> Vec<f64> {
        assert_eq!(coefficients.len(), self.columns(), "one coefficient for each column");
        let mut predictors = self.offset.map_or_else(|| vec![0.0; self.rows()], <[f64]>::to_vec);
        for (column, &coefficient) in coefficients.iter().enumerate() {
            for (predictor, x) in predictors.iter_mut().zip(self.column(column)) {
                *predictor += coefficient * x;
            }
        }
        predictors
    }
}

fn same_length(what: &'static str, expected: usize, numbers: &[f64]) -> Result<(), Error> {
    let found = numbers.len();
    Ok(check::dimension(what, expected, found)?)
}

pub(super) fn all_finite(what: &'static str, numbers: &[f64]) -> Result<(), Error> {
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Error::Observation { what, row, value: numbers[row], requirement: "finite" }),
    }
}
