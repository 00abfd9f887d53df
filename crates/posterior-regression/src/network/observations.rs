//! What was observed: inputs, and outputs of one of four kinds.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::Head;
use super::architecture::check_finite;
use crate::Error;

/// Inputs and outputs, one row for each observation. The kind of the outputs decides what the outputs of a
/// network mean.
///
/// None at all are legal: the posterior is then the prior.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkData {
    inputs: DMatrix<f64>,
    targets: DMatrix<f64>,
    head: Head,
}

impl NetworkData {
    /// Numbers with Gaussian noise, one column for each output: [`Head::Gaussian`].
    ///
    /// # Errors
    /// Another number of rows than of inputs, no column, or numbers that are not finite.
    pub fn real(inputs: DMatrix<f64>, targets: DMatrix<f64>) -> Result<Self, Error> {
        check::enough("columns of the responses", 1, targets.ncols())?;
        check_finite("the response", &targets)?;
        Self::new(inputs, targets, Head::Gaussian)
    }

    /// One of two classes: [`Head::Bernoulli`].
    ///
    /// # Errors
    /// Another number of labels than of inputs, or inputs that are not finite.
    pub fn binary(inputs: DMatrix<f64>, labels: &[bool]) -> Result<Self, Error> {
        let targets = DMatrix::from_fn(labels.len(), 1, |i, _| if labels[i] { 1.0 } else { 0.0 });
        Self::new(inputs, targets, Head::Bernoulli)
    }

    /// One of `count` classes, from 0: [`Head::Categorical`].
    ///
    /// # Errors
    /// Another number of labels than of inputs, inputs that are not finite, no class, or a label beyond the
    /// last class.
    pub fn classes(inputs: DMatrix<f64>, labels: &[usize], count: usize) -> Result<Self, Error> {
        check::enough("classes", 1, count)?;
        if let Some((row, &label)) = labels.iter().enumerate().find(|(_, label)| **label >= count) {
            let requirement = "less than the number of classes";
            return Err(Error::Observation { what: "the class", row, value: label as f64, requirement });
        }
        let targets =
            DMatrix::from_fn(labels.len(), count, |i, class| if labels[i] == class { 1.0 } else { 0.0 });
        Self::new(inputs, targets, Head::Categorical)
    }

    /// Counts with Poisson distributions: [`Head::Poisson`].
    ///
    /// # Errors
    /// Another number of counts than of inputs, or inputs that are not finite.
    pub fn counts(inputs: DMatrix<f64>, counts: &[u64]) -> Result<Self, Error> {
        let targets = DMatrix::from_fn(counts.len(), 1, |i, _| counts[i] as f64);
        Self::new(inputs, targets, Head::Poisson)
    }

    fn new(inputs: DMatrix<f64>, targets: DMatrix<f64>, head: Head) -> Result<Self, Error> {
        check::dimension("rows of the responses", inputs.nrows(), targets.nrows())?;
        check_finite("the input", &inputs)?;
        Ok(Self { inputs, targets, head })
    }

    /// The number of observations.
    pub fn len(&self) -> usize {
        self.inputs.nrows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs.
    pub const fn inputs(&self) -> &DMatrix<f64> {
        &self.inputs
    }

    /// The outputs: numbers, 0 and 1, a 1 in the column of the class, or counts.
    pub const fn targets(&self) -> &DMatrix<f64> {
        &self.targets
    }

    /// The distribution of an output given the network's.
    pub const fn head(&self) -> Head {
        self.head
    }
}
