//! Topics as points of a plane: near where they share words.
//!
//! Classical scaling (principal coordinates; Torgerson 1952, Gower 1966) of Hellinger distances. These are
//! the distances of the vectors of the roots of probabilities, over the root of two, so that the plane is a
//! projection, and [`explained`](TopicMap::explained) an honest proportion. A matrix product gives all of
//! them, where divergences need a logarithm for each word of each pair.
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

use posterior_math::linalg::{DMatrix, SymmetricEigen, gram_of_rows};

use crate::{Error, Topics};

/// Eigenvalues below this proportion of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// Squares of distances below this are rounding of probabilities.
const SMALLEST: f64 = 1e-28;

/// A plane with a point for each topic.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TopicMap {
    /// Coordinates of each topic; their means are zero. Of each coordinate the largest in size is positive,
    /// the first of several.
    pub points: Vec<[f64; 2]>,
    /// The proportion of the squared distances that each coordinate shows; zero when all topics are the same.
    pub explained: [f64; 2],
    /// For each topic the nearest other one, the first of several, and their Hellinger distance, from 0 (the
    /// same) to 1 (no word in common); to 1e-8 where they are nearly the same. `None` for a single topic.
    pub nearest: Vec<Option<(usize, f64)>>,
}

impl TopicMap {
    /// The map of these topics. A single topic is at the origin; two are on a line.
    ///
    /// Cost: a matrix product of K² V, and K³.
    ///
    /// # Errors
    /// An iteration for eigenvalues that does not converge, which is not known to happen.
    pub fn new(topics: &Topics) -> Result<Self, Error> {
        // Centred, so that topics that are the same leave nothing but rounding.
        let mut roots = topics.topic_word().map(f64::sqrt);
        for mut word in roots.column_iter_mut() {
            let mean = word.mean();
            word.add_scalar_mut(-mean);
        }
        let gram = gram_of_rows(&roots) * 0.5;
        let count = gram.nrows();
        let eigen =
            SymmetricEigen::new(&gram).map_err(|error| Error::Corpus(format!("topic map: {error}")))?;
        let values = eigen.values();
        let total: f64 = values.iter().filter(|value| **value > 0.0).sum();
        let mut map = Self { points: vec![[0.0; 2]; count], explained: [0.0; 2], nearest: nearest(&gram) };
        for axis in 0..count.min(2) {
            let place = count - 1 - axis;
            let value = values[place];
            if value > SMALLEST.max(ROUNDING * values[count - 1]) {
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

/// The nearest other point of each, with its distance, from the inner products.
fn nearest(gram: &DMatrix<f64>) -> Vec<Option<(usize, f64)>> {
    let count = gram.nrows();
    let of = |k: usize| {
        let square = |other: usize| gram[(k, k)] + gram[(other, other)] - 2.0 * gram[(other, k)];
        let others = (0..count).filter(|&other| other != k).map(|other| (other, square(other)));
        let near = others.min_by(|a, b| a.1.total_cmp(&b.1));
        near.map(|(other, square)| (other, square.clamp(0.0, 1.0).sqrt()))
    };
    (0..count).map(of).collect()
}

/// The sign of the largest entry in size, the first of several that are equal up to rounding.
fn sign(vector: &[f64]) -> f64 {
    let largest = vector.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let first = vector.iter().find(|entry| entry.abs() >= (1.0 - 1e-9) * largest);
    first.map_or(1.0, |entry| entry.signum())
}
