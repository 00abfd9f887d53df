//! Gaussian factors in information form, whose products add up.

use posterior_gaussian::InformationGaussian;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_pgm::VarId;

use super::Valuation;
use crate::Error;

/// A log-quadratic function of some vector-valued variables: a prior, a likelihood, a step of a chain; it may
/// be improper.
///
/// The logarithm of its scale is kept, so that what is left when all is integrated out is ln Z.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianFactor {
    scope: Vec<VarId>,
    /// How many coordinates each variable has.
    dimensions: Vec<usize>,
    function: InformationGaussian,
}

impl GaussianFactor {
    /// This function of the coordinates of these variables, one variable after another.
    ///
    /// # Errors
    /// If a variable comes twice, or the dimensions do not add up to the function's.
    pub fn new(
        scope: Vec<VarId>,
        dimensions: Vec<usize>,
        function: InformationGaussian,
    ) -> Result<Self, ParamError> {
        const NAME: &str = "GaussianFactor";
        let count = dimensions.len() as f64;
        check::require(scope.len() == dimensions.len(), NAME, "dimensions", count, "one for each variable")?;
        let total: usize = dimensions.iter().sum();
        let fits = total == function.dimension();
        check::require(fits, NAME, "dimensions", total as f64, "as many in all as the function has")?;
        for (place, v) in scope.iter().enumerate() {
            let once = !scope[..place].contains(v);
            check::require(once, NAME, "scope", v.index() as f64, "each variable once")?;
        }
        Ok(Self { scope, dimensions, function })
    }

    /// The function.
    pub const fn function(&self) -> &InformationGaussian {
        &self.function
    }

    /// The places of the coordinates of each variable of `keep`.
    fn places(&self, keep: &[VarId]) -> Result<(Vec<usize>, Vec<usize>), ParamError> {
        let (mut places, mut dimensions) = (Vec::new(), Vec::new());
        for v in keep {
            let axis = self.scope.iter().position(|own| own == v);
            let known = axis.is_some();
            check::require(known, "GaussianFactor", "variable", v.index() as f64, "in the scope")?;
            let axis = axis.unwrap_or_default();
            let start: usize = self.dimensions[..axis].iter().sum();
            places.extend(start..start + self.dimensions[axis]);
            dimensions.push(self.dimensions[axis]);
        }
        Ok((places, dimensions))
    }

    /// The function of more coordinates, of which its own are at `places`.
    fn spread(&self, places: &[usize], dimension: usize) -> Result<InformationGaussian, ParamError> {
        let mut eta = vec![0.0; dimension];
        let mut precision = DMatrix::zeros(dimension, dimension);
        for (i, &row) in places.iter().enumerate() {
            eta[row] = self.function.eta()[i];
            for (j, &column) in places.iter().enumerate() {
                precision[(row, column)] = self.function.precision()[(i, j)];
            }
        }
        InformationGaussian::new(&eta, &precision, self.function.ln_scale())
    }
}

impl Valuation for GaussianFactor {
    fn scope(&self) -> &[VarId] {
        &self.scope
    }

    fn product(&self, other: &Self) -> Result<Self, Error> {
        let (mut scope, mut dimensions) = (self.scope.clone(), self.dimensions.clone());
        for (&v, &own) in other.scope.iter().zip(&other.dimensions) {
            if let Some(axis) = scope.iter().position(|&known| known == v) {
                let fits = dimensions[axis] == own;
                check::require(fits, "GaussianFactor", "dimension", own as f64, "the same in both")?;
            } else {
                scope.push(v);
                dimensions.push(own);
            }
        }
        let total = dimensions.iter().sum();
        let all = Self { function: InformationGaussian::flat(total), scope, dimensions };
        let own = self.spread(&all.places(&self.scope)?.0, total)?;
        let others = other.spread(&all.places(&other.scope)?.0, total)?;
        Ok(Self { function: own.product(&others)?, ..all })
    }

    fn marginal(&self, keep: &[VarId]) -> Result<Self, Error> {
        let (places, dimensions) = self.places(keep)?;
        Ok(Self::new(keep.to_vec(), dimensions, self.function.marginal(&places)?)?)
    }
}
