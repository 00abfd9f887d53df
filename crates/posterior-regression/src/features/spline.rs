//! Splines of one number: B-splines, and natural cubic splines by their values at the knots.

use posterior_math::check::{self, ParamError};

use super::natural_spline::{NaturalSpline, checked_knots};

const HIGHEST_DEGREE: usize = 20;

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Spline {
    /// The knots, the ends of which are repeated `degree` more times.
    B {
        knots: Vec<f64>,
        degree: usize,
    },
    Natural(NaturalSpline),
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
        Ok(Self::Natural(NaturalSpline::new(knots)?))
    }

    pub(super) fn width(&self) -> usize {
        match self {
            Self::B { knots, degree } => knots.len() - degree - 1,
            Self::Natural(spline) => spline.knots().len() - 1,
        }
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        match self {
            Self::B { .. } => (1..=self.width()).map(|k| format!("B{k}({input})")).collect(),
            Self::Natural(spline) => {
                spline.knots()[1..].iter().map(|knot| format!("spline({input}, {knot:.4})")).collect()
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
            Self::Natural(spline) => {
                let mut values = vec![0.0; spline.knots().len()];
                for (row, &x) in x.iter().enumerate() {
                    spline.fill(x, &mut values);
                    for (k, &value) in values[1..].iter().enumerate() {
                        columns[k * rows + row] = value;
                    }
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

#[cfg(feature = "serde")]
impl Spline {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        match &self {
            Self::Natural(_) => Ok(self),
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
