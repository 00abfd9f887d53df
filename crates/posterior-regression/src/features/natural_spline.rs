//! Natural cubic splines by their values at the knots.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix};

use super::counted;

const NAME: &str = "NaturalSpline";

/// Natural cubic splines with given knots: cubic between knots with two derivatives, straight beyond the
/// outer ones. Each is known by its values at the knots.
///
/// ```
/// use posterior_regression::features::NaturalSpline;
///
/// let spline = NaturalSpline::new(&[0.0, 1.0, 2.0])?;
/// // What the values at the knots count at a point: the curve through 0, 1, 0 at ½.
/// let mut weights = [0.0; 3];
/// spline.fill(0.5, &mut weights);
/// assert!((weights[1] - 0.6875).abs() < 1e-15);
/// // The integral of its squared second derivative: 3 at the middle knot, and 0 at the outer ones.
/// assert!((spline.roughness()[(1, 1)] - 6.0).abs() < 1e-14);
/// # Ok::<(), posterior_regression::math::ParamError>(())
/// ```
///
/// # References
/// S. N. Wood, Generalized Additive Models, 2nd ed. (2017), section 5.3.1.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written", into = "Written"))]
pub struct NaturalSpline {
    knots: Vec<f64>,
    /// The second derivatives at each knot, a row, of the splines that are 1 at one knot, a column.
    curvature: Vec<Vec<f64>>,
}

impl NaturalSpline {
    /// The splines with these knots.
    ///
    /// # Errors
    /// If there are fewer than two knots or more than 1000, or they are not finite and increasing.
    pub fn new(knots: &[f64]) -> Result<Self, ParamError> {
        checked_knots(NAME, knots)?;
        check::require(knots.len() <= 1000, NAME, "knots", knots.len() as f64, "at most 1000")?;
        let count = knots.len();
        let inner = count - 2;
        // The continuity of the first derivatives: B δ = D β (Wood, table 5.1).
        let mut b = DMatrix::zeros(inner, inner);
        for i in 0..inner {
            let (left, right) = (knots[i + 1] - knots[i], knots[i + 2] - knots[i + 1]);
            b[(i, i)] = (left + right) / 3.0;
            if i + 1 < inner {
                b[(i, i + 1)] = right / 6.0;
                b[(i + 1, i)] = right / 6.0;
            }
        }
        let solved =
            Cholesky::new(&b).map_err(|error| error.of_parameter(NAME, "knots"))?.solve(&bends(knots));
        let mut curvature = vec![vec![0.0; count]; count];
        for (i, row) in solved.row_iter().enumerate() {
            curvature[i + 1] = row.iter().copied().collect();
        }
        Ok(Self { knots: knots.to_vec(), curvature })
    }

    /// The knots.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Writes what the value at each knot counts at x: the values there of the splines that are 1 at one knot
    /// and 0 at the others.
    ///
    /// # Panics
    /// If there is no place for each knot.
    pub fn fill(&self, x: f64, weights: &mut [f64]) {
        let knots = &self.knots;
        let last = knots.len() - 1;
        let j = knots[1..last].partition_point(|&knot| knot <= x);
        let step = knots[j + 1] - knots[j];
        let value_weights;
        let curvature_weights;
        if x < knots[0] {
            // The line through the first knot, with the slope there.
            let t = (x - knots[0]) / step;
            value_weights = [1.0 - t, t];
            curvature_weights = [0.0, -t * step * step / 6.0];
        } else if x > knots[last] {
            let t = (x - knots[last]) / step;
            value_weights = [-t, 1.0 + t];
            curvature_weights = [t * step * step / 6.0, 0.0];
        } else {
            let (left, right) = ((knots[j + 1] - x) / step, (x - knots[j]) / step);
            value_weights = [left, right];
            curvature_weights = [left, right]
                .map(|proportion| proportion * (proportion - 1.0) * (proportion + 1.0) * step * step / 6.0);
        }
        for (k, (left, right)) in self.curvature[j].iter().zip(&self.curvature[j + 1]).enumerate() {
            weights[k] = curvature_weights[0] * left + curvature_weights[1] * right;
        }
        weights[j] += value_weights[0];
        weights[j + 1] += value_weights[1];
    }

    /// The matrix S with βᵀ S β = ∫ f″(x)² dx for the spline f with the values β at the knots: its null space
    /// are the straight lines.
    pub fn roughness(&self) -> DMatrix<f64> {
        let count = self.knots.len();
        // Dᵀ B⁻¹ D, and δ = B⁻¹ D β.
        let inner = DMatrix::from_fn(count - 2, count, |i, k| self.curvature[i + 1][k]);
        let product = bends(&self.knots).tr_mul(&inner);
        0.5 * (&product + product.transpose())
    }
}

/// D: by how much the slope changes at each inner knot, if the values are joined by lines.
fn bends(knots: &[f64]) -> DMatrix<f64> {
    let mut d = DMatrix::zeros(knots.len() - 2, knots.len());
    for i in 0..knots.len() - 2 {
        let (left, right) = (knots[i + 1] - knots[i], knots[i + 2] - knots[i + 1]);
        d[(i, i)] = left.recip();
        d[(i, i + 1)] = -left.recip() - right.recip();
        d[(i, i + 2)] = right.recip();
    }
    d
}

/// What is written: the knots say all of it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Written {
    knots: Vec<f64>,
}

#[cfg(feature = "serde")]
impl From<NaturalSpline> for Written {
    fn from(spline: NaturalSpline) -> Self {
        Self { knots: spline.knots }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for NaturalSpline {
    type Error = ParamError;

    fn try_from(Written { knots }: Written) -> Result<Self, ParamError> {
        Self::new(&knots)
    }
}

pub(super) fn checked_knots(name: &'static str, knots: &[f64]) -> Result<(), ParamError> {
    check::require(knots.len() >= 2, name, "knots", knots.len() as f64, "at least two")?;
    counted(name, knots.len())?;
    for (index, &knot) in knots.iter().enumerate() {
        check::finite(name, "knots", knot).map_err(|error| error.at(index))?;
    }
    for (index, pair) in knots.windows(2).enumerate() {
        let wide = pair[1] > pair[0] && (pair[1] - pair[0]).is_finite();
        check::require(wide, name, "knots", pair[1], "above the one before").map_err(|e| e.at(index + 1))?;
    }
    Ok(())
}
