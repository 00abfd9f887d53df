//! In which order the rows are eliminated.

use super::dissection::dissection;
use super::graph::Graph;
use super::minimum_degree::minimum_degree;
use crate::linalg::MatrixError;

/// An order of elimination: it decides how many entries the factor has, and so time and memory.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Ordering {
    /// Approximate minimum degree (AMD): for any matrix.
    #[default]
    MinimumDegree,
    /// Nested dissection of rows that lie at these points, all of one dimension: for grids and meshes, and
    /// more so in three dimensions and from 10⁴ rows on.
    Dissection(Vec<Vec<f64>>),
    /// The order of the rows as they are: for bands.
    Natural,
    /// Rows in the order in which they are to be eliminated.
    Given(Vec<usize>),
}

impl Ordering {
    /// Old indices in the new order.
    pub(super) fn permutation(&self, graph: &Graph) -> Result<Vec<u32>, MatrixError> {
        let n = graph.size();
        let agree = |found: usize| {
            if found == n { Ok(()) } else { Err(MatrixError::Mismatch { expected: n, found }) }
        };
        match self {
            Self::MinimumDegree => Ok(minimum_degree(graph)),
            Self::Natural => Ok((0..n as u32).collect()),
            Self::Dissection(points) => {
                agree(points.len())?;
                let dimension = points.first().map_or(0, Vec::len);
                for point in points {
                    if point.len() != dimension {
                        return Err(MatrixError::Mismatch { expected: dimension, found: point.len() });
                    }
                    if !point.iter().all(|x| x.is_finite()) {
                        return Err(MatrixError::NotFinite);
                    }
                }
                Ok(dissection(graph, points))
            }
            Self::Given(order) => {
                agree(order.len())?;
                let mut seen = vec![false; n];
                for &index in order {
                    if index >= n || std::mem::replace(&mut seen[index], true) {
                        return Err(MatrixError::OutOfRange { index, size: n });
                    }
                }
                Ok(order.iter().map(|&index| index as u32).collect())
            }
        }
    }
}
