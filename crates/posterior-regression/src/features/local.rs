//! One shape at many places: steps, rectifiers, sigmoids, bells.

use posterior_math::check::{self, ParamError};
use posterior_math::elementwise;
use posterior_math::log_space::logistic;

use super::counted;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Shape {
    Step,
    Rectifier,
    Sigmoid,
    Bell,
}

impl Shape {
    const fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Rectifier => "relu",
            Self::Sigmoid => "sigmoid",
            Self::Bell => "rbf",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Local {
    shape: Shape,
    places: Vec<f64>,
    width: f64,
}

impl Local {
    pub(super) fn new(shape: Shape, places: &[f64], width: f64) -> Result<Self, ParamError> {
        counted(shape.name(), places.len())?;
        for (index, &place) in places.iter().enumerate() {
            check::finite(shape.name(), "places", place).map_err(|error| error.at(index))?;
        }
        let regular = width.is_finite() && width != 0.0;
        let width = check::require(regular, shape.name(), "width", width, "finite and not zero")?;
        Ok(Self { shape, places: places.to_vec(), width })
    }

    pub(super) const fn width(&self) -> usize {
        self.places.len()
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        self.places.iter().map(|place| format!("{}({input}, {place:.4})", self.shape.name())).collect()
    }

    pub(super) fn fill(&self, x: &[f64], columns: &mut [f64]) {
        for (column, &place) in columns.chunks_exact_mut(x.len().max(1)).zip(&self.places) {
            let each = column.iter_mut().zip(x);
            match self.shape {
                Shape::Step => each.for_each(|(value, &x)| *value = if x >= place { 1.0 } else { 0.0 }),
                Shape::Rectifier => each.for_each(|(value, &x)| *value = (x - place).max(0.0)),
                Shape::Sigmoid => each.for_each(|(value, &x)| *value = logistic((x - place) / self.width)),
                Shape::Bell => {
                    each.for_each(|(value, &x)| {
                        let z = (x - place) / self.width;
                        *value = -0.5 * z * z;
                    });
                    elementwise::exp(column);
                }
            }
        }
    }
}

#[cfg(feature = "serde")]
impl Local {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        if self.shape == Shape::Bell {
            check::positive(self.shape.name(), "width", self.width)?;
        }
        Self::new(self.shape, &self.places, self.width)
    }
}
