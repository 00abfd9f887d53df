//! Bases on columns of inputs, multiplied and concatenated.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::Basis;
use super::MOST_FUNCTIONS;
use crate::Error;

/// A function from inputs to features: blocks of columns, each of which is an intercept, a [`Basis`] of one
/// input, or all products of the functions of several bases.
///
/// Everything that was fitted of data is in it: knots, centres, means.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::features::{Basis, FeatureMap};
///
/// let map = FeatureMap::new(&["x", "site"])?
///     .with_intercept()
///     .with(0, Basis::raw())?
///     .with_product(&[(0, Basis::raw()), (1, Basis::treatment(&[0.0, 1.0])?)])?;
/// assert_eq!(map.columns(), ["intercept", "x", "x*site[1]"]);
/// let design = map.design(&DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 4.0, 1.0]))?;
/// assert_eq!(design, DMatrix::from_row_slice(2, 3, &[1.0, 3.0, 0.0, 1.0, 4.0, 4.0]));
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct FeatureMap {
    inputs: Vec<String>,
    blocks: Vec<Vec<Factor>>,
    columns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Factor {
    input: usize,
    basis: Basis,
}

impl FeatureMap {
    /// The map from inputs with these names to no features.
    ///
    /// # Errors
    /// If a name is there twice.
    pub fn new<S: AsRef<str>>(inputs: &[S]) -> Result<Self, ParamError> {
        let inputs: Vec<String> = inputs.iter().map(|name| name.as_ref().to_owned()).collect();
        for (index, name) in inputs.iter().enumerate() {
            let new = !inputs[..index].contains(name);
            check::require(new, "FeatureMap", "inputs", index as f64, "a column with a name of its own")?;
        }
        Ok(Self { inputs, blocks: Vec::new(), columns: Vec::new() })
    }

    /// The same map with a column of ones.
    #[must_use]
    pub fn with_intercept(mut self) -> Self {
        self.blocks.push(Vec::new());
        self.columns.push("intercept".to_owned());
        self
    }

    /// The same map with the functions of an input, given by its index.
    ///
    /// # Errors
    /// If there is no such input, or there are more than 100 000 features.
    pub fn with(self, input: usize, basis: Basis) -> Result<Self, ParamError> {
        self.with_product(&[(input, basis)])
    }

    /// The same map with all products of one function of each basis: an interaction. The functions of the
    /// last basis change first.
    ///
    /// # Errors
    /// If there is no factor or no such input, or there are more than 100 000 features.
    pub fn with_product(mut self, factors: &[(usize, Basis)]) -> Result<Self, ParamError> {
        check::at_least_one("FeatureMap", "factors", factors.len())?;
        let mut names = vec![String::new()];
        for (input, basis) in factors {
            let known = *input < self.inputs.len();
            check::require(known, "FeatureMap", "input", *input as f64, "below the number of inputs")?;
            let width = names.len().saturating_mul(basis.width());
            let few = width.saturating_add(self.columns.len()) <= MOST_FUNCTIONS;
            check::require(few, "FeatureMap", "features", width as f64, "at most 100000")?;
            let functions = basis.names(&self.inputs[*input]);
            let joined = |name: &String, function: &String| {
                if name.is_empty() { function.clone() } else { format!("{name}*{function}") }
            };
            names = names.iter().flat_map(|name| functions.iter().map(move |f| joined(name, f))).collect();
        }
        self.columns.extend(names);
        let factor = |(input, basis): &(usize, Basis)| Factor { input: *input, basis: basis.clone() };
        self.blocks.push(factors.iter().map(factor).collect());
        Ok(self)
    }

    /// The features of this map and of another one with the same inputs.
    ///
    /// # Errors
    /// If the names of the inputs differ.
    pub fn concat(mut self, other: &Self) -> Result<Self, ParamError> {
        let same = self.inputs == other.inputs;
        check::require(same, "FeatureMap", "inputs", other.inputs.len() as f64, "the same in both maps")?;
        self.blocks.extend(other.blocks.iter().cloned());
        self.columns.extend(other.columns.iter().cloned());
        Ok(self)
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The names of the features.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The number of features.
    pub const fn width(&self) -> usize {
        self.columns.len()
    }

    /// Φ, with the features of each row of the inputs.
    ///
    /// # Errors
    /// If there is another number of inputs, one is not finite or is a category that was not fitted, or a
    /// feature overflows.
    pub fn design(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let (rows, found) = inputs.shape();
        check::dimension("inputs", self.inputs.len(), found)?;
        let mut design = DMatrix::zeros(rows, self.width());
        let mut rest = design.as_mut_slice();
        for factors in &self.blocks {
            let width: usize = factors.iter().map(|factor| factor.basis.width()).product();
            let (block, after) = std::mem::take(&mut rest).split_at_mut(width * rows);
            fill_block(factors, inputs, block)?;
            rest = after;
        }
        match design.as_slice().iter().position(|value| !value.is_finite()) {
            Some(place) => {
                let (row, value) = (place % rows.max(1), design.as_slice()[place]);
                Err(Error::Observation { what: "feature", row, value, requirement: "finite" })
            }
            None => Ok(design),
        }
    }
}

/// Fills the columns of the products of the factors.
fn fill_block(factors: &[Factor], inputs: &DMatrix<f64>, block: &mut [f64]) -> Result<(), Error> {
    block.fill(1.0);
    let rows = inputs.nrows();
    if rows == 0 {
        return Ok(());
    }
    let mut after = block.len() / rows;
    for factor in factors {
        let values = factor.basis.values(inputs.column(factor.input).as_slice())?;
        let width = factor.basis.width();
        after /= width;
        for (index, column) in block.chunks_exact_mut(rows).enumerate() {
            let function = index / after % width;
            for (product, value) in column.iter_mut().zip(values.column(function).as_slice()) {
                *product *= value;
            }
        }
    }
    Ok(())
}

/// A map as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    inputs: Vec<String>,
    blocks: Vec<Vec<Factor>>,
    columns: Vec<String>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for FeatureMap {
    type Error = ParamError;

    fn try_from(Unchecked { inputs, blocks, columns }: Unchecked) -> Result<Self, ParamError> {
        let mut map = Self::new(&inputs)?;
        for block in blocks {
            let factors: Vec<(usize, Basis)> =
                block.into_iter().map(|factor| (factor.input, factor.basis)).collect();
            map = if factors.is_empty() { map.with_intercept() } else { map.with_product(&factors)? };
        }
        let same = map.columns == columns;
        check::require(same, "FeatureMap", "columns", columns.len() as f64, "the names of its features")?;
        Ok(map)
    }
}
