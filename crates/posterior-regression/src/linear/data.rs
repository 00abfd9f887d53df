//! What a regression is given: features, responses, offsets, weights.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::Error;

/// Rows of features and of responses, borrowed, with an offset, a weight and the names of the features where
/// there are some.
///
/// The noise of row i has variance σ²/wᵢ with its weight wᵢ: known variances are their inverses as weights,
/// with σ² = 1. A row of weight zero says nothing. The offset is added to what the features predict.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::LinearData;
///
/// let design = DMatrix::from_row_slice(2, 1, &[1.0, 2.0]);
/// let data = LinearData::new(&design, &[0.5, 1.5])?.with_weights(&[1.0, 4.0])?;
/// assert_eq!((data.rows(), data.features()), (2, 1));
/// assert!(LinearData::new(&design, &[0.5, f64::NAN]).is_err());
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct LinearData<'a> {
    pub(crate) design: &'a DMatrix<f64>,
    /// Columns of outputs, one after the other.
    pub(crate) response: &'a [f64],
    /// K.
    pub(crate) outputs: usize,
    pub(crate) offset: Option<&'a [f64]>,
    pub(crate) weights: Option<&'a [f64]>,
    pub(crate) names: Option<&'a [String]>,
}

pub(crate) fn finite(what: &'static str, rows: usize, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(place) => {
            let (row, value) = (place % rows.max(1), values[place]);
            Err(Error::Observation { what, row, value, requirement: "finite" })
        }
        None => Ok(()),
    }
}

impl<'a> LinearData<'a> {
    /// Φ, n × F, and y.
    ///
    /// # Errors
    /// If y has another length than n, or a number is not finite.
    pub fn new(design: &'a DMatrix<f64>, response: &'a [f64]) -> Result<Self, Error> {
        check::dimension("responses", design.nrows(), response.len())?;
        Self::with_outputs(design, response, 1)
    }

    /// Φ, n × F, and Y, n × K: K outputs of the same features.
    ///
    /// # Errors
    /// If Y has another number of rows than Φ, or a number is not finite.
    pub fn multi_output(design: &'a DMatrix<f64>, responses: &'a DMatrix<f64>) -> Result<Self, Error> {
        check::dimension("rows of the responses", design.nrows(), responses.nrows())?;
        Self::with_outputs(design, responses.as_slice(), responses.ncols())
    }

    fn with_outputs(design: &'a DMatrix<f64>, response: &'a [f64], outputs: usize) -> Result<Self, Error> {
        finite("feature", design.nrows(), design.as_slice())?;
        finite("response", design.nrows(), response)?;
        Ok(Self { design, response, outputs, offset: None, weights: None, names: None })
    }

    /// The same data with a number for each response that is added to what the features predict.
    ///
    /// # Errors
    /// If there is not one for each response, or one is not finite.
    pub fn with_offset(self, offset: &'a [f64]) -> Result<Self, Error> {
        check::dimension("offsets", self.response.len(), offset.len())?;
        finite("offset", self.rows(), offset)?;
        Ok(Self { offset: Some(offset), ..self })
    }

    /// The same data with a weight for each row: noise of variance σ²/w.
    ///
    /// # Errors
    /// If there is not one for each row, or one is negative or not finite.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        check::dimension("weights", self.rows(), weights.len())?;
        for (row, &value) in weights.iter().enumerate() {
            if !(0.0..f64::INFINITY).contains(&value) {
                let requirement = "non-negative and finite";
                return Err(Error::Observation { what: "weight", row, value, requirement });
            }
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// The same data with names of the features.
    ///
    /// # Errors
    /// If there is not one for each feature.
    pub fn with_names(self, names: &'a [String]) -> Result<Self, Error> {
        check::dimension("names of features", self.features(), names.len())?;
        Ok(Self { names: Some(names), ..self })
    }

    /// The number n of rows.
    pub fn rows(&self) -> usize {
        self.design.nrows()
    }

    /// The number F of features.
    pub fn features(&self) -> usize {
        self.design.ncols()
    }

    /// The names of the features: `w0`, `w1`, … where none were given.
    pub fn names(&self) -> Vec<String> {
        match self.names {
            Some(names) => names.to_vec(),
            None => (0..self.features()).map(|index| format!("w{index}")).collect(),
        }
    }

    /// The weight of a row.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// What is added to what the features predict in a row.
    pub(crate) fn offset_of(&self, row: usize) -> f64 {
        self.offset.map_or(0.0, |all| all[row])
    }

    /// The rows that say something.
    pub(crate) fn informative(&self) -> usize {
        self.weights.map_or(self.rows(), |weights| weights.iter().filter(|&&weight| weight > 0.0).count())
    }

    /// Σ ln w over the rows that say something.
    pub(crate) fn ln_weights(&self) -> f64 {
        self.weights.map_or(0.0, |weights| weights.iter().filter(|&&w| w > 0.0).map(|w| w.ln()).sum())
    }
}
