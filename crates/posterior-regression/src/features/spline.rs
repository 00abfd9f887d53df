//! Splines of one number: B-splines, and natural cubic splines by their values at the knots.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix};

use super::counted;

const HIGHEST_DEGREE: usize = 20;

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Spline {
    /// The knots, the ends of which are repeated `degree` more times.
    B { knots: Vec<f64>, degree: usize },
    /// The knots, and the second derivatives at each knot, a row, of the splines that are 1 at one knot, a
    /// column.
    Natural { knots: Vec<f64>, curvature: Vec<Vec<f64>> },
}

fn checked_knots(name: &'static str, knots: &[f64]) -> Result<(), ParamError> {
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

impl Spline {
    pub(super) fn b_spline(knots: &[f64], degree: usize) -> Result<Self, ParamError> {
        checked_knots("Basis::b_spline", knots)?;
        let low = degree <= HIGHEST_DEGREE;
        check::require(low, "Basis::b_spline", "degree", degree as f64, "at most 20")?;
        let first = std::iter::repeat_n(knots[0], degree);
        let last = std::iter::repeat_n(knots[knots.len() - 1], degree);
        let knots = first.chain(knots.iter().copied()).chain(last).collect();
        Ok(Self::B { knots, degree })
    }

    pub(super) fn natural(knots: &[f64]) -> Result<Self, ParamError> {
        let name = "Basis::natural_spline";
        checked_knots(name, knots)?;
        check::require(knots.len() <= 1000, name, "knots", knots.len() as f64, "at most 1000")?;
        let count = knots.len();
        let inner = count - 2;
        let step = |j: usize| knots[j + 1] - knots[j];
        // The continuity of the first derivatives: B δ = D β (S. N. Wood, Generalized Additive Models, 2nd
        // ed., table 5.1).
        let mut d = DMatrix::zeros(inner, count);
        let mut b = DMatrix::zeros(inner, inner);
        for i in 0..inner {
            let (left, right) = (step(i), step(i + 1));
            d[(i, i)] = left.recip();
            d[(i, i + 1)] = -left.recip() - right.recip();
            d[(i, i + 2)] = right.recip();
            b[(i, i)] = (left + right) / 3.0;
            if i + 1 < inner {
                b[(i, i + 1)] = right / 6.0;
                b[(i + 1, i)] = right / 6.0;
            }
        }
        let solved = Cholesky::new(&b).map_err(|error| error.of_parameter(name, "knots"))?.solve(&d);
        let mut curvature = vec![vec![0.0; count]; count];
        for (i, row) in solved.row_iter().enumerate() {
            curvature[i + 1] = row.iter().copied().collect();
        }
        Ok(Self::Natural { knots: knots.to_vec(), curvature })
    }

    pub(super) fn width(&self) -> usize {
        match self {
            Self::B { knots, degree } => knots.len() - degree - 1,
            Self::Natural { knots, .. } => knots.len() - 1,
        }
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        match self {
            Self::B { .. } => (1..=self.width()).map(|k| format!("B{k}({input})")).collect(),
            Self::Natural { knots, .. } => {
                knots[1..].iter().map(|knot| format!("spline({input}, {knot:.4})")).collect()
            }
        }
    }

    /// The columns hold zeros before.
    pub(super) fn fill(&self, x: &[f64], columns: &mut [f64]) {
        let rows = x.len();
        match self {
            Self::B { knots, degree } => {
                let mut values = vec![0.0; degree + 1];
                for (row, &x) in x.iter().enumerate() {
                    let first = b_splines_at(knots, *degree, x, &mut values);
                    for (k, &value) in values.iter().enumerate() {
                        columns[(first + k) * rows + row] = value;
                    }
                }
            }
            Self::Natural { knots, curvature } => {
                for (row, &x) in x.iter().enumerate() {
                    natural_at(knots, curvature, x, |k, value| {
                        if k > 0 {
                            columns[(k - 1) * rows + row] = value;
                        }
                    });
                }
            }
        }
    }
}

/// The degree + 1 B-splines that are not zero at x, and the index of the first (de Boor, A Practical Guide to
/// Splines, X.4).
fn b_splines_at(knots: &[f64], degree: usize, x: f64, values: &mut [f64]) -> usize {
    let last = knots.len() - degree - 2;
    let interval = knots[degree + 1..=last].partition_point(|&knot| knot <= x) + degree;
    values[0] = 1.0;
    for order in 1..=degree {
        let mut saved = 0.0;
        for k in 0..order {
            let (right, left) = (knots[interval + k + 1], knots[interval + k + 1 - order]);
            let proportion = values[k] / (right - left);
            values[k] = saved + (right - x) * proportion;
            saved = (x - left) * proportion;
        }
        values[order] = saved;
    }
    interval - degree
}

/// The natural splines that are 1 at one knot, all at x.
fn natural_at(knots: &[f64], curvature: &[Vec<f64>], x: f64, mut put: impl FnMut(usize, f64)) {
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
    for (k, (left, right)) in curvature[j].iter().zip(&curvature[j + 1]).enumerate() {
        let mut value = curvature_weights[0] * left + curvature_weights[1] * right;
        if k == j {
            value += value_weights[0];
        } else if k == j + 1 {
            value += value_weights[1];
        }
        put(k, value);
    }
}

#[cfg(feature = "serde")]
impl Spline {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        match &self {
            Self::Natural { knots, .. } => Self::natural(knots),
            Self::B { knots, degree } => {
                let inner = knots.len().checked_sub(*degree).and_then(|end| knots.get(*degree..end));
                let again = Self::b_spline(inner.unwrap_or_default(), *degree)?;
                let same = again == self;
                check::require(
                    same,
                    "Basis::b_spline",
                    "knots",
                    knots.len() as f64,
                    "with the ends repeated",
                )?;
                Ok(again)
            }
        }
    }
}
