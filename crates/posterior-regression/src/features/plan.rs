//! Maps of features before they have seen data.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::placement::{Family, place};
use super::{Basis, FeatureMap, MOST_FUNCTIONS};
use crate::Error;

/// What features to make of each column: a sum of terms, as a text.
///
/// A term is a family of functions, and `*` between families makes their products:
///
/// | text | features of a column x |
/// |---|---|
/// | `raw`, `standard` | x; (x - mean)/sd |
/// | `poly:3` | x, x², x³ |
/// | `chebyshev:9`, `orthogonal:9` | polynomials that stay apart at high degrees |
/// | `fourier:5`, `fourier:5:12` | 5 waves with the range, or 12, as the longest period |
/// | `step:4`, `step:[0, 1.5]` | steps at inner quantiles, or at these places |
/// | `relu:8` | rectified lines from inner quantiles |
/// | `sigmoid:8`, `sigmoid:8:0.5` | sigmoids at inner quantiles, of half their mean distance or of this width |
/// | `rbf:10`, `rbf:10:0.5` | bells at equal distances, as wide as they are apart or of this width |
/// | `spline:6` | natural cubic splines, with 7 knots at quantiles |
/// | `bspline:6` | cubic B-splines, with 4 knots at quantiles; the intercept is their sum |
/// | `haar:4` | 15 wavelets on the range |
/// | `onehot`, `treatment` | indicators of categories; without the first |
/// | `pairs` | the products of every two columns |
///
/// `poly:3(age)` is for the column `age` only, `poly:3(age, height)` for two; without a list, for every
/// column. An intercept comes first, unless a term is `0`. Quantiles that are equal are taken once.
///
/// ```
/// use posterior_regression::features::FeaturePlan;
///
/// let plan: FeaturePlan = "poly:2(age) + rbf:3*treatment(site)+0".parse()?;
/// assert_eq!(plan.to_string(), "0 + poly:2(age) + rbf:3*treatment(site)");
/// let error = "ploy:3".parse::<FeaturePlan>().unwrap_err();
/// assert_eq!(error.to_string(), "column 1: there are no features \"ploy\"; did you mean \"poly\"?");
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePlan {
    pub(super) intercept: bool,
    pub(super) terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Product(Vec<PlannedFactor>),
    Pairs,
}

/// A family on the columns with these names, or on all.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlannedFactor {
    pub(super) family: Family,
    pub(super) columns: Option<Vec<String>>,
}

impl FeaturePlan {
    /// The map with all places learned from these inputs, whose columns have these names.
    ///
    /// # Errors
    /// If the numbers of names and of columns differ, a name is there twice, the plan names a column that is
    /// not there, an input is not finite, there is no row, or a family cannot be placed on a column: because
    /// it is constant, for example.
    pub fn learn<S: AsRef<str>>(&self, inputs: &DMatrix<f64>, names: &[S]) -> Result<FeatureMap, Error> {
        check::dimension("names of inputs", inputs.ncols(), names.len())?;
        check::enough("rows to learn features from", 1, inputs.nrows())?;
        for (place, &value) in inputs.as_slice().iter().enumerate() {
            if !value.is_finite() {
                let row = place % inputs.nrows();
                return Err(Error::Observation { what: "input", row, value, requirement: "finite" });
            }
        }
        let mut map = FeatureMap::new(names)?;
        if self.intercept {
            map = map.with_intercept();
        }
        for term in &self.terms {
            match term {
                Term::Product(factors) => {
                    for product in products(factors, inputs, map.inputs())? {
                        map = map.with_product(&product)?;
                    }
                }
                Term::Pairs => {
                    for a in 0..names.len() {
                        for b in a + 1..names.len() {
                            map = map.with_product(&[(a, Basis::raw()), (b, Basis::raw())])?;
                        }
                    }
                }
            }
        }
        Ok(map)
    }
}

type Product = Vec<(usize, Basis)>;

/// One product for each choice of a column for each factor.
fn products(
    factors: &[PlannedFactor],
    inputs: &DMatrix<f64>,
    names: &[String],
) -> Result<Vec<Product>, Error> {
    let mut all: Vec<Product> = vec![Vec::new()];
    for factor in factors {
        let mut bases = Vec::new();
        for column in columns(factor, names)? {
            bases.push((column, place(&factor.family, inputs.column(column).as_slice())?));
        }
        let count = all.len().saturating_mul(bases.len());
        check::require(count <= MOST_FUNCTIONS, "FeaturePlan", "products", count as f64, "at most 100000")?;
        let with = |product: &Product, last: &(usize, Basis)| {
            product.iter().chain([last]).cloned().collect::<Product>()
        };
        all = all.iter().flat_map(|product| bases.iter().map(move |basis| with(product, basis))).collect();
    }
    Ok(all)
}

fn columns(factor: &PlannedFactor, names: &[String]) -> Result<Vec<usize>, Error> {
    let Some(wanted) = &factor.columns else {
        return Ok((0..names.len()).collect());
    };
    let find = |name: &String| {
        let missing = || Error::NoColumn { name: name.clone(), columns: names.join(", ") };
        names.iter().position(|other| other == name).ok_or_else(missing)
    };
    wanted.iter().map(find).collect()
}
