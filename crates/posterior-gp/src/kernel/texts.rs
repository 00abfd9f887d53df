//! A kernel of texts: the pieces that they share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::{CovarianceFunction, Kernel, KernelParameter};
use crate::Error;

/// k of all pairs of some texts.
#[derive(Debug, Clone)]
struct Texts {
    length: usize,
    similarities: Arc<DMatrix<f64>>,
}

impl Kernel {
    /// The spectrum kernel of some texts: the cosine between their counts of pieces of `length` letters.
    ///
    /// Inputs have one coordinate, the place of a text in the list, counted from 0; texts to be predicted are
    /// in the list too. A text that is shorter than a piece resembles nothing, not even itself. It is printed
    /// without the texts and cannot be read back.
    ///
    /// Source: C. Leslie, E. Eskin, W. S. Noble, The spectrum kernel, PSB 2002.
    ///
    /// # Errors
    /// If the length is 0.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel = Kernel::texts(&["banana", "bandana", "cherry"], 3)?;
    /// assert!((kernel.value(&[0.0], &[0.0]) - 1.0).abs() < 1e-15);
    /// assert!(kernel.value(&[0.0], &[1.0]) > 0.5); // ban, ana
    /// assert_eq!(kernel.value(&[0.0], &[2.0]), 0.0);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn texts(texts: &[&str], length: usize) -> Result<Self, ParamError> {
        if length == 0 {
            return Err(ParamError::new("texts", "length", 0.0, "at least 1"));
        }
        let counts: Vec<BTreeMap<String, f64>> = texts.iter().map(|text| pieces(text, length)).collect();
        let norms: Vec<f64> = counts.iter().map(|count| dot(count, count).sqrt()).collect();
        let similarities = DMatrix::from_fn(texts.len(), texts.len(), |i, j| {
            let norm = norms[i] * norms[j];
            if norm == 0.0 { 0.0 } else { dot(&counts[i], &counts[j]) / norm }
        });
        Ok(Self::new(Texts { length, similarities: Arc::new(similarities) }))
    }
}

/// How often each piece occurs.
fn pieces(text: &str, length: usize) -> BTreeMap<String, f64> {
    let letters: Vec<char> = text.chars().collect();
    let mut counts = BTreeMap::new();
    for piece in letters.windows(length) {
        *counts.entry(piece.iter().collect()).or_default() += 1.0;
    }
    counts
}

fn dot(left: &BTreeMap<String, f64>, right: &BTreeMap<String, f64>) -> f64 {
    left.iter().filter_map(|(piece, count)| right.get(piece).map(|other| count * other)).sum()
}

impl Texts {
    /// The place in the list, if the input is one.
    fn place(&self, x: f64) -> Option<usize> {
        let is_place = x >= 0.0 && x < self.similarities.nrows() as f64 && x.fract() == 0.0;
        is_place.then_some(x as usize)
    }
}

impl CovarianceFunction for Texts {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let place = |x: &[f64]| x.first().and_then(|&x| self.place(x));
        match (place(x), place(y)) {
            (Some(i), Some(j)) => self.similarities[(i, j)],
            _ => 0.0,
        }
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(self.clone()))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "texts({}, {})", self.similarities.nrows(), self.length)
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        match inputs.iter().position(|&x| self.place(x).is_none()) {
            Some(row) => {
                let requirement = "the place of a text in the list of the kernel";
                Err(Error::Domain { row, value: inputs[row], requirement })
            }
            None => Ok(()),
        }
    }
}
