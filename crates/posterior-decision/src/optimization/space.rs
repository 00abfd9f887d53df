//! What may be tried: boxes of real, logarithmic, whole and named numbers.

mod constraint;

use posterior_math::check;
use posterior_sampling::estimate::Sobol;

pub use self::constraint::LinearConstraint;
use crate::Error;

/// Among so many points that are spread evenly there must be one that satisfies the constraints.
const SPREAD: usize = 1 << 16;

/// The name in messages.
const SPACE: &str = "Space";

/// The most categories of one axis: each is a coordinate of the surrogate.
const MOST_CATEGORIES: usize = 64;

/// Whole numbers up to here are exact in `f64`.
const WHOLE: i64 = 1 << 53;

/// The values of one number that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axis {
    /// A number between two limits.
    Real {
        /// The least.
        lower: f64,
        /// The largest.
        upper: f64,
    },
    /// A positive number between two limits, of which factors count: a learning rate.
    Log {
        /// The least, positive.
        lower: f64,
        /// The largest.
        upper: f64,
    },
    /// A whole number between two limits, both included.
    Integer {
        /// The least.
        lower: i64,
        /// The largest.
        upper: i64,
    },
    /// One of `count` things without an order, as its number from 0.
    Category {
        /// How many: from 2 to 64.
        count: usize,
    },
}

impl Axis {
    fn check(&self) -> Result<(), Error> {
        let between = |lower: f64, upper: f64| {
            check::finite(SPACE, "lower limit", lower)?;
            check::finite(SPACE, "upper limit", upper)?;
            check::require(lower < upper, SPACE, "upper limit", upper, "above the lower limit")?;
            check::finite(SPACE, "distance of the limits", upper - lower)
        };
        match *self {
            Self::Real { lower, upper } => between(lower, upper)?,
            Self::Log { lower, upper } => {
                check::positive(SPACE, "lower limit of a logarithmic axis", lower)?;
                between(lower, upper)?
            }
            Self::Integer { lower, upper } => {
                for limit in [lower, upper] {
                    check::require(
                        (-WHOLE / 2..=WHOLE / 2).contains(&limit),
                        SPACE,
                        "limit of whole numbers",
                        limit as f64,
                        "between -2^52 and 2^52",
                    )?;
                }
                between(lower as f64, upper as f64)?
            }
            Self::Category { count } => check::require(
                (2..=MOST_CATEGORIES).contains(&count),
                SPACE,
                "number of categories",
                count as f64,
                "from 2 to 64",
            )?,
        };
        Ok(())
    }

    /// How many values there are, if they can be counted.
    fn count(&self) -> Option<u64> {
        match *self {
            Self::Integer { lower, upper } => Some(upper.abs_diff(lower) + 1),
            Self::Category { count } => Some(count as u64),
            Self::Real { .. } | Self::Log { .. } => None,
        }
    }

    /// Whether its values form an interval.
    pub(super) fn is_continuous(&self) -> bool {
        self.count().is_none()
    }

    /// The value at a place of [0, 1]; whole numbers and categories take equal parts of it.
    fn value(&self, unit: f64) -> f64 {
        match *self {
            Self::Real { lower, upper } => (lower + unit * (upper - lower)).clamp(lower, upper),
            Self::Log { lower, upper } => {
                (lower.ln() + unit * (upper.ln() - lower.ln())).exp().clamp(lower, upper)
            }
            Self::Integer { lower, upper } => {
                let count = (upper - lower) as f64 + 1.0;
                lower as f64 + (unit * count).floor().clamp(0.0, count - 1.0)
            }
            Self::Category { count } => (unit * count as f64).floor().clamp(0.0, count as f64 - 1.0),
        }
    }

    /// The place of a value: the middle of its part, where there are parts.
    fn unit(&self, value: f64) -> f64 {
        match *self {
            Self::Real { lower, upper } => (value - lower) / (upper - lower),
            Self::Log { lower, upper } => (value.ln() - lower.ln()) / (upper.ln() - lower.ln()),
            Self::Integer { lower, upper } => (value - lower as f64 + 0.5) / ((upper - lower) as f64 + 1.0),
            Self::Category { count } => (value + 0.5) / count as f64,
        }
    }

    fn holds(&self, value: f64) -> bool {
        let whole = |lower: f64, upper: f64| (lower..=upper).contains(&value) && value.fract() == 0.0;
        match *self {
            Self::Real { lower, upper } | Self::Log { lower, upper } => (lower..=upper).contains(&value),
            Self::Integer { lower, upper } => whole(lower as f64, upper as f64),
            Self::Category { count } => whole(0.0, count as f64 - 1.0),
        }
    }
}

/// All points that may be tried: one number for each axis.
///
/// ```
/// use posterior_decision::optimization::{Axis, Space};
///
/// let space = Space::new(&[
///     Axis::Log { lower: 1e-5, upper: 1.0 },   // a learning rate
///     Axis::Integer { lower: 1, upper: 8 },    // layers
///     Axis::Category { count: 3 },             // which activation
/// ])?;
/// assert!(space.check(&[1e-3, 4.0, 2.0]).is_ok());
/// assert!(space.check(&[1e-3, 4.5, 2.0]).is_err());
/// # Ok::<(), posterior_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct Space {
    axes: Vec<Axis>,
    constraints: Vec<LinearConstraint>,
}

/// A space as it stands in a file, to be checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    axes: Vec<Axis>,
    constraints: Vec<LinearConstraint>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Space {
    type Error = Error;

    fn try_from(raw: Unchecked) -> Result<Self, Error> {
        Self::new(&raw.axes)?.with_constraints(&raw.constraints)
    }
}

impl Space {
    /// The points with a value of each of these axes.
    ///
    /// # Errors
    /// If there are no axes or more than 512; if limits are not finite, not in order, or not positive on a
    /// logarithmic axis; if there are not 2 to 64 categories.
    pub fn new(axes: &[Axis]) -> Result<Self, Error> {
        let count = axes.len();
        check::require((1..=512).contains(&count), SPACE, "number of axes", count as f64, "from 1 to 512")?;
        axes.iter().try_for_each(Axis::check)?;
        Ok(Self { axes: axes.to_vec(), constraints: Vec::new() })
    }

    /// The points of this space that satisfy these constraints, and those that it had.
    ///
    /// ```
    /// use posterior_decision::optimization::{Axis, LinearConstraint, Space};
    ///
    /// let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }; 2])?
    ///     .with_constraints(&[LinearConstraint { coefficients: vec![1.0, 1.0], bound: 1.0 }])?;
    /// assert!(space.check(&[0.3, 0.7]).is_ok());
    /// assert!(space.check(&[0.6, 0.7]).is_err());
    /// # Ok::<(), posterior_decision::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a constraint has another number of coefficients than there are axes, one that is not finite, or one
    /// of an axis of categories; or if none of 65,536 points that are spread evenly satisfies them.
    pub fn with_constraints(mut self, constraints: &[LinearConstraint]) -> Result<Self, Error> {
        for constraint in constraints {
            constraint.check(&self.axes)?;
        }
        self.constraints.extend_from_slice(constraints);
        let mut net = Sobol::scrambled(self.axes.len(), 0)?.take(SPREAD);
        let any = self.constraints.is_empty() || net.any(|unit| self.allows(&self.at(&unit)));
        check::require(
            any,
            SPACE,
            "constraints",
            f64::NAN,
            "satisfied by one of 65,536 points spread evenly",
        )?;
        Ok(self)
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The constraints.
    pub fn constraints(&self) -> &[LinearConstraint] {
        &self.constraints
    }

    /// Whether a point of the axes satisfies the constraints.
    pub(super) fn allows(&self, point: &[f64]) -> bool {
        self.constraints.iter().all(|constraint| constraint.excess(point) <= 0.0)
    }

    /// Whether a point belongs to the space.
    ///
    /// # Errors
    /// If it has another number of coordinates, one of them is no value of its axis, or it violates a
    /// constraint.
    pub fn check(&self, point: &[f64]) -> Result<(), Error> {
        check::dimension("coordinates of a point", self.axes.len(), point.len())?;
        for (index, (axis, &value)) in self.axes.iter().zip(point).enumerate() {
            check::require(axis.holds(value), SPACE, "coordinate", value, "a value of its axis")
                .map_err(|error| error.at(index))?;
        }
        for (index, constraint) in self.constraints.iter().enumerate() {
            let excess = constraint.excess(point);
            check::require(excess <= 0.0, SPACE, "constraint", excess, "an excess of at most 0")
                .map_err(|error| error.at(index))?;
        }
        Ok(())
    }

    /// The point at a place of the unit cube, one coordinate for each axis.
    pub(super) fn at(&self, unit: &[f64]) -> Vec<f64> {
        self.axes.iter().zip(unit).map(|(axis, &unit)| axis.value(unit)).collect()
    }

    /// The place of a point in the unit cube.
    pub(super) fn unit(&self, point: &[f64]) -> Vec<f64> {
        self.axes.iter().zip(point).map(|(axis, &value)| axis.unit(value)).collect()
    }

    /// How many coordinates the surrogate sees: one for each axis, but one for each category.
    pub(super) fn width(&self) -> usize {
        self.axes.iter().map(columns).sum()
    }

    /// The coordinates that the surrogate sees: places in the unit interval, and for a category a one among
    /// zeros.
    pub(super) fn encode(&self, point: &[f64]) -> Vec<f64> {
        let mut encoded = Vec::with_capacity(self.width());
        for (axis, &value) in self.axes.iter().zip(point) {
            match *axis {
                Axis::Category { count } => {
                    encoded.extend((0..count).map(|category| f64::from(u8::from(category as f64 == value))));
                }
                _ => encoded.push(axis.unit(value)),
            }
        }
        encoded
    }

    /// For each continuous axis its number, and that of its coordinate in what the surrogate sees.
    pub(super) fn continuous(&self) -> Vec<(usize, usize)> {
        let mut column = 0;
        let mut found = Vec::new();
        for (index, axis) in self.axes.iter().enumerate() {
            if axis.is_continuous() {
                found.push((index, column));
            }
            column += columns(axis);
        }
        found
    }

    /// The points that differ in one axis by a step: the next whole numbers, all other categories.
    pub(super) fn neighbours(&self, point: &[f64]) -> Vec<Vec<f64>> {
        let mut found = Vec::new();
        for (index, axis) in self.axes.iter().enumerate() {
            let values: Vec<f64> = match *axis {
                Axis::Integer { .. } => vec![point[index] - 1.0, point[index] + 1.0],
                Axis::Category { count } => (0..count).map(|category| category as f64).collect(),
                Axis::Real { .. } | Axis::Log { .. } => continue,
            };
            for value in values.into_iter().filter(|&value| value != point[index] && axis.holds(value)) {
                let mut neighbour = point.to_vec();
                neighbour[index] = value;
                found.push(neighbour);
            }
        }
        found
    }

    /// All points, if there are at most `limit`.
    pub(super) fn enumerate(&self, limit: u64) -> Option<Vec<Vec<f64>>> {
        let counts: Vec<u64> = self.axes.iter().map(Axis::count).collect::<Option<_>>()?;
        let total = counts.iter().try_fold(1_u64, |product, &count| product.checked_mul(count))?;
        if total > limit {
            return None;
        }
        let point = |mut index: u64| {
            let unit: Vec<f64> = counts
                .iter()
                .map(|&count| {
                    let place = index % count;
                    index /= count;
                    (place as f64 + 0.5) / count as f64
                })
                .collect();
            self.at(&unit)
        };
        Some((0..total).map(point).collect())
    }
}

/// How many coordinates the surrogate sees of an axis.
fn columns(axis: &Axis) -> usize {
    if let Axis::Category { count } = *axis { count } else { 1 }
}
