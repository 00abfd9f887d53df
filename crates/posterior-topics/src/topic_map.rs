//! Topics as points of a plane: near where they share words.
//!
//! Classical scaling (principal coordinates; Torgerson 1952, Gower 1966) of Jensen-Shannon distances. These are distances of points of a
//! Euclidean space (Endres and Schindelin 2003, Fuglede and Topsøe 2004), so that the plane is a projection, and
//! [`explained`](TopicMap::explained) an honest share. (LDAvis of Sievert and Shirley scales the divergence, the square of this distance.)
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_topics::{Topics, topic_map::TopicMap};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let phi = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
//! let topics = Topics::new(words, phi, vec![0.4, 0.6], vec![0.4, 0.3, 0.3])?;
//! let map = TopicMap::new(&topics)?;
//! // Two topics without a common word are one unit apart.
//! assert!((map.points[0][0] - map.points[1][0] - 1.0).abs() < 1e-12);
//! assert_eq!(map.points[0][1], 0.0);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

use posterior_math::linalg::{DMatrix, SymmetricEigen};

use crate::stability::{Distance, distances};
use crate::{Error, Topics};

/// Eigenvalues below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// A plane with a point for each topic.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TopicMap {
    /// Coordinates of each topic; their means are zero. Of each coordinate the largest in size is positive, the first of several.
    pub points: Vec<[f64; 2]>,
    /// The share of the squared distances that each coordinate shows; zero when all topics are the same.
    pub explained: [f64; 2],
}

impl TopicMap {
    /// The map of these topics. A single topic is at the origin; two are on a line.
    ///
    /// Cost: K² V for the distances, in parallel, and K³.
    ///
    /// # Errors
    /// An iteration for eigenvalues that does not converge, which is not known to happen.
    pub fn new(topics: &Topics) -> Result<Self, Error> {
        Self::of_distances(&distances(topics, topics, Distance::JensenShannon))
    }

    fn of_distances(distances: &DMatrix<f64>) -> Result<Self, Error> {
        let count = distances.nrows();
        let squares = distances.map(|distance| distance * distance);
        let means: Vec<f64> = squares.column_iter().map(|column| column.sum() / count as f64).collect();
        let mean = means.iter().sum::<f64>() / count as f64;
        let gram =
            DMatrix::from_fn(count, count, |i, j| -0.5 * (squares[(i, j)] - means[i] - means[j] + mean));
        let eigen =
            SymmetricEigen::new(&gram).map_err(|error| Error::Corpus(format!("topic map: {error}")))?;
        let values = eigen.values();
        let total: f64 = values.iter().filter(|value| **value > 0.0).sum();
        let mut map = Self { points: vec![[0.0; 2]; count], explained: [0.0; 2] };
        for axis in 0..count.min(2) {
            let place = count - 1 - axis;
            let value = values[place];
            if value > ROUNDING * values[count - 1].max(f64::MIN_POSITIVE) {
                let vector = eigen.vectors().column(place);
                let scale = value.sqrt() * sign(vector.as_slice());
                for (point, entry) in map.points.iter_mut().zip(vector.iter()) {
                    point[axis] = scale * entry;
                }
                map.explained[axis] = value / total;
            }
        }
        Ok(map)
    }
}

/// The sign of the largest entry in size, the first of several that are equal up to rounding.
fn sign(vector: &[f64]) -> f64 {
    let largest = vector.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let first = vector.iter().find(|entry| entry.abs() >= (1.0 - 1e-9) * largest);
    first.map_or(1.0, |entry| entry.signum())
}
