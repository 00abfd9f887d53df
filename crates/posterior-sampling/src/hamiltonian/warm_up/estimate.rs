//! The estimate of a metric from the draws of two windows.
//!
//! The metric is made from the older window, while the younger one fills; then the younger takes its place.
//! So the metric never comes from few draws, and draws that are too early are forgotten.

use std::collections::VecDeque;

use posterior_math::linalg::DMatrix;

use super::super::metric::{Factor, Metric};
use super::super::particle::Place;
use super::MetricChoice;
use super::fisher;
use super::spread::Spread;

/// The fewest draws that make a metric.
const FEWEST: usize = 3;

/// What has been seen, as far as the metric asks.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Estimate {
    /// The metric is given.
    Nothing,
    Diagonal {
        older: Window,
        younger: Window,
        of: Source,
    },
    Matrix {
        points: VecDeque<[Vec<f64>; 2]>,
        younger: usize,
        since: usize,
        shape: Shape,
    },
}

/// What variances are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Source {
    Draws,
    DrawsAndGradients,
}

/// What is made from the points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Shape {
    Dense,
    LowRank { cutoff: f64 },
}

/// The spread of the draws of a window, and of their gradients.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Window {
    draws: Spread,
    gradients: Spread,
}

impl Window {
    fn new(dim: usize) -> Self {
        Self { draws: Spread::new(dim), gradients: Spread::new(dim) }
    }

    fn push(&mut self, place: &Place) {
        self.draws.push(&place.position);
        self.gradients.push(&place.gradient);
    }
}

impl Estimate {
    /// Before the first step: what the gradient at the start tells.
    pub(super) fn begin(choice: &MetricChoice, start: &Place) -> (Self, Metric) {
        let dim = start.position.len();
        let windows = |of| {
            let mut window = Window::new(dim);
            window.push(start);
            Self::Diagonal { older: window.clone(), younger: window, of }
        };
        let matrix = |shape| Self::Matrix { points: VecDeque::new(), younger: 0, since: 0, shape };
        match choice {
            MetricChoice::Unit => (Self::Nothing, Metric::unit()),
            MetricChoice::Given(metric) => (Self::Nothing, metric.clone()),
            MetricChoice::Diagonal => (windows(Source::DrawsAndGradients), from_gradient(start)),
            MetricChoice::DiagonalDraws => (windows(Source::Draws), from_gradient(start)),
            MetricChoice::Dense => (matrix(Shape::Dense), from_gradient(start)),
            MetricChoice::LowRank { cutoff } => {
                (matrix(Shape::LowRank { cutoff: *cutoff }), from_gradient(start))
            }
        }
    }

    pub(super) fn push(&mut self, place: &Place) {
        match self {
            Self::Nothing => {}
            Self::Diagonal { older, younger, .. } => {
                older.push(place);
                younger.push(place);
            }
            Self::Matrix { points, younger, since, .. } => {
                points.push_back([place.position.clone(), place.gradient.clone()]);
                *younger += 1;
                *since += 1;
            }
        }
    }

    /// Draws in the younger window.
    pub(super) const fn waiting(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Diagonal { younger, .. } => younger.draws.count(),
            Self::Matrix { younger, .. } => *younger,
        }
    }

    /// The length of windows in the early warm-up.
    pub(super) const fn early_window(&self) -> usize {
        match self {
            Self::Matrix { .. } => 20,
            _ => 10,
        }
    }

    /// Whether it pays to write the metric between switches: a matrix costs more than many steps.
    pub(super) fn is_due(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Diagonal { .. } => true,
            Self::Matrix { points, since, .. } => *since >= 20.max(points.len() / 3),
        }
    }

    /// The younger window takes the place of the older one.
    pub(super) fn switch(&mut self) {
        match self {
            Self::Nothing => {}
            Self::Diagonal { older, younger, .. } => {
                let empty = Window::new(younger.draws.variances().count());
                *older = std::mem::replace(younger, empty);
            }
            Self::Matrix { points, younger, .. } => {
                points.drain(..points.len() - *younger);
                *younger = 0;
            }
        }
    }

    /// Writes the metric; whether it did. Where a variance has no value, because a coordinate has not moved,
    /// it stays as it was.
    pub(super) fn write(&mut self, metric: &mut Metric) -> bool {
        match self {
            Self::Nothing => false,
            Self::Diagonal { older, of, .. } => {
                if older.draws.count() < FEWEST {
                    return false;
                }
                let Factor::Diagonal(scales) = &mut metric.0 else { return false };
                let both = older.draws.variances().zip(older.gradients.variances());
                for (scale, (draws, gradients)) in scales.iter_mut().zip(both) {
                    let variance = match of {
                        Source::Draws => fisher::diagonal_variance(draws * draws, 1.0),
                        Source::DrawsAndGradients => fisher::diagonal_variance(draws, gradients),
                    };
                    *scale = variance.map_or(*scale, f64::sqrt);
                }
                true
            }
            Self::Matrix { points, since, shape, .. } => {
                if points.len() < FEWEST {
                    return false;
                }
                *since = 0;
                let dim = points[0][0].len();
                let columns = |i: usize| {
                    let numbers = points.iter().flat_map(|point| point[i].iter().copied());
                    DMatrix::from_iterator(dim, points.len(), numbers)
                };
                let made = match *shape {
                    Shape::Dense => fisher::dense(columns(0), columns(1)).map_err(crate::Error::Metric),
                    Shape::LowRank { cutoff } => fisher::low_rank(columns(0), columns(1), cutoff),
                };
                // A window so extreme that it has no matrix: the next one may.
                made.map(|made| *metric = made).is_ok()
            }
        }
    }
}

/// Variances 1/|gradient|, as if the start were one standard deviation from the mode.
fn from_gradient(start: &Place) -> Metric {
    let scale = |slope: &f64| fisher::diagonal_variance(1.0, slope * slope).unwrap_or(1.0).sqrt();
    Metric(Factor::Diagonal(start.gradient.iter().map(scale).collect()))
}
