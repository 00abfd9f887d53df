//! Energies of images: a weight for each pair of neighbouring pixels with different labels.

use super::search_trees::SearchTrees;
use super::topology::{Grid, Topology};
use super::{Error, MinimumCut};

/// The energy `sum_p E_p(x_p) + sum_pq w_pq [x_p != x_q]` of binary images, over the 4 or 8 neighbours of
/// each pixel.
///
/// Pixels are numbered row by row. The minimum needs no lists of neighbours, so it takes less time and memory
/// than that of a [`BinaryEnergy`](super::BinaryEnergy) with the same terms.
///
/// ```
/// use posterior_inference::graph_cut::GridEnergy;
/// // One row of five pixels; the middle one is likely to be noise.
/// let data = vec![[2.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 0.0]];
/// let energy = GridEnergy::new(1, 5, data)?.with_smoothness(1.5)?;
/// let minimum = energy.minimize()?;
/// assert_eq!(minimum.labels, [true; 5]);
/// assert_eq!(minimum.energy, 2.0);
/// assert_eq!(minimum.bound(), 2.0); // the proof
/// # Ok::<(), posterior_inference::graph_cut::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GridEnergy {
    rows: usize,
    columns: usize,
    unary: Vec<[f64; 2]>,
    /// To the right, below, below right, below left.
    weights: [Weights; 4],
}

/// The weights of all pairs in one direction.
#[derive(Debug, Clone, PartialEq)]
enum Weights {
    Constant(f64),
    Each(Vec<f64>),
}

/// Row and column of a neighbour: the step down, and to the right.
const STEPS: [(usize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
/// The number that the direction has in a grid of four and of eight neighbours.
const OF_FOUR: [usize; 2] = [2, 3];
const OF_EIGHT: [usize; 4] = [4, 6, 7, 5];

impl Weights {
    /// The weights of the pairs that begin in `row`, where a row has `pairs`.
    fn row(&self, row: usize, pairs: usize) -> impl Iterator<Item = f64> {
        let (constant, each) = match self {
            Self::Constant(weight) => (*weight, [].as_slice()),
            Self::Each(weights) => (0.0, &weights[row * pairs..(row + 1) * pairs]),
        };
        let repeat = if each.is_empty() { pairs } else { 0 };
        std::iter::repeat_n(constant, repeat).chain(each.iter().copied())
    }

    fn is_none(&self) -> bool {
        *self == Self::Constant(0.0)
    }
}

impl GridEnergy {
    /// The energies `[E(0), E(1)]` of each pixel, row by row; the pixels are independent. One of the two may
    /// be +infinity, which forbids the label.
    ///
    /// # Errors
    /// Not `rows * columns` energies, one that is NaN or -infinity, two that are +infinity, a sum of sizes
    /// that is not finite, or an image that is too large (2^29 pixels).
    pub fn new(rows: usize, columns: usize, unary: Vec<[f64; 2]>) -> Result<Self, Error> {
        let pixels = Grid::eight(rows, columns).map(|_| rows * columns)?;
        if unary.len() != pixels {
            return Err(Error::Length { what: "energies of pixels", found: unary.len(), expected: pixels });
        }
        check_unary(&unary)?;
        Ok(Self { rows, columns, unary, weights: [const { Weights::Constant(0.0) }; 4] })
    }

    /// The same weight for each pixel and its neighbour to the right and below.
    ///
    /// # Errors
    /// A weight that is negative or not finite.
    pub fn with_smoothness(mut self, weight: f64) -> Result<Self, Error> {
        check_weights("weight", &[weight])?;
        self.weights[0] = Weights::Constant(weight);
        self.weights[1] = Weights::Constant(weight);
        Ok(self)
    }

    /// The same weight for each pixel and its diagonal neighbours.
    ///
    /// # Errors
    /// As [`with_smoothness`](Self::with_smoothness).
    pub fn with_diagonals(mut self, weight: f64) -> Result<Self, Error> {
        check_weights("weight", &[weight])?;
        self.weights[2] = Weights::Constant(weight);
        self.weights[3] = Weights::Constant(weight);
        Ok(self)
    }

    /// A weight for each pair: `rows * (columns - 1)` of a pixel and the one to its right,
    /// `(rows - 1) * columns` of a pixel and the one below, row by row.
    ///
    /// # Errors
    /// A wrong length, or a weight that is negative or not finite.
    pub fn with_weights(mut self, right: Vec<f64>, below: Vec<f64>) -> Result<Self, Error> {
        self.weights[0] = self.checked_weights("weights to the right", 0, right)?;
        self.weights[1] = self.checked_weights("weights below", 1, below)?;
        Ok(self)
    }

    /// A weight for each diagonal pair, `(rows - 1) * (columns - 1)` each, row by row: of a pixel and the one
    /// below to its right; of a pixel, from the second column on, and the one below to its left.
    ///
    /// # Errors
    /// As [`with_weights`](Self::with_weights).
    pub fn with_diagonal_weights(
        mut self,
        below_right: Vec<f64>,
        below_left: Vec<f64>,
    ) -> Result<Self, Error> {
        self.weights[2] = self.checked_weights("weights below right", 2, below_right)?;
        self.weights[3] = self.checked_weights("weights below left", 3, below_left)?;
        Ok(self)
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The energy of a labelling, pixel by pixel. O(n).
    ///
    /// # Errors
    /// Not one label for each pixel.
    pub fn energy(&self, labels: &[bool]) -> Result<f64, Error> {
        if labels.len() != self.unary.len() {
            let (found, expected) = (labels.len(), self.unary.len());
            return Err(Error::Length { what: "labels", found, expected });
        }
        Ok(self.evaluate(labels))
    }

    /// The labelling of least energy, of several the one with the fewest labels 0. Almost linear in the
    /// number of pixels for images; see [`FlowNetwork::min_cut`](super::FlowNetwork::min_cut) for the worst.
    ///
    /// # Errors
    /// Weights whose sum is not finite.
    pub fn minimize(&self) -> Result<MinimumCut, Error> {
        if self.weights[2].is_none() && self.weights[3].is_none() {
            self.minimize_on(&Grid::four(self.rows, self.columns)?, &OF_FOUR)
        } else {
            self.minimize_on(&Grid::eight(self.rows, self.columns)?, &OF_EIGHT)
        }
    }

    fn minimize_on<const D: usize>(&self, grid: &Grid<D>, directions: &[usize]) -> Result<MinimumCut, Error> {
        let residual = self.residual(grid, directions)?;
        let mut trees = SearchTrees::new(grid, residual);
        let mut constant = 0.0;
        for (row, energies) in self.unary.chunks_exact(self.columns.max(1)).enumerate() {
            for (node, [zero, one]) in (grid.row(row)..).zip(energies) {
                constant += zero.min(*one);
                trees.set_terminal(node, one - zero);
            }
        }
        let flow = trees.run()?;
        let mut labels = Vec::with_capacity(self.unary.len());
        for row in 0..self.rows {
            let first = grid.row(row);
            labels.extend((first..first + self.columns).map(|node| !trees.on_source_side(node)));
        }
        Ok(MinimumCut { energy: self.evaluate(&labels), labels, constant, flow })
    }

    /// The capacity of every arc.
    fn residual<const D: usize>(&self, grid: &Grid<D>, directions: &[usize]) -> Result<Vec<f64>, Error> {
        let mut residual = vec![0.0; grid.arc_count()];
        let mut total = 0.0;
        for row in 0..self.rows {
            for ((weights, &d), (down, right)) in self.weights.iter().zip(directions).zip(STEPS) {
                if row + down >= self.rows {
                    continue;
                }
                let first = grid.row(row) + usize::from(right < 0);
                let neighbour = (grid.row(row + down)).wrapping_add_signed(right.max(0));
                let pairs = self.columns.saturating_sub(right.unsigned_abs());
                for (k, weight) in weights.row(row, pairs).enumerate() {
                    residual[Grid::<D>::arc(first + k, d)] = weight;
                    residual[Grid::<D>::arc(neighbour + k, D - 1 - d)] = weight;
                    total += weight;
                }
            }
        }
        if total < f64::INFINITY { Ok(residual) } else { Err(Error::Overflow { what: "weights" }) }
    }

    fn evaluate(&self, labels: &[bool]) -> f64 {
        let mut energy: f64 = self.unary.iter().zip(labels).map(|(e, &label)| e[usize::from(label)]).sum();
        for row in 0..self.rows {
            for (weights, (down, right)) in self.weights.iter().zip(STEPS) {
                let pairs = self.columns.saturating_sub(right.unsigned_abs());
                if row + down >= self.rows || pairs == 0 || weights.is_none() {
                    continue;
                }
                let first = &labels[row * self.columns + usize::from(right < 0)..][..pairs];
                let second = &labels[(row + down) * self.columns + usize::from(right > 0)..][..pairs];
                let differ = first.iter().zip(second).map(|(a, b)| a != b);
                let paid = weights.row(row, pairs).zip(differ);
                energy += paid.map(|(weight, differ)| if differ { weight } else { 0.0 }).sum::<f64>();
            }
        }
        energy
    }

    fn checked_weights(
        &self,
        what: &'static str,
        direction: usize,
        weights: Vec<f64>,
    ) -> Result<Weights, Error> {
        let (down, right) = STEPS[direction];
        let expected = self.rows.saturating_sub(down) * self.columns.saturating_sub(right.unsigned_abs());
        if weights.len() != expected {
            return Err(Error::Length { what, found: weights.len(), expected });
        }
        check_weights(what, &weights)?;
        Ok(Weights::Each(weights))
    }
}

fn check_weights(what: &'static str, weights: &[f64]) -> Result<(), Error> {
    match weights.iter().position(|weight| !(0.0..f64::INFINITY).contains(weight)) {
        None => Ok(()),
        Some(index) => {
            let requirement = "at least 0 and finite";
            Err(Error::Invalid { what, index, value: weights[index], requirement })
        }
    }
}

fn check_unary(unary: &[[f64; 2]]) -> Result<(), Error> {
    let mut total = 0.0;
    for (index, &[zero, one]) in unary.iter().enumerate() {
        let bad = |value: f64| value.is_nan() || value == f64::NEG_INFINITY;
        if let Some(value) = [zero, one].into_iter().find(|&value| bad(value)) {
            let (what, requirement) = ("energy of pixel", "a number or +infinity");
            return Err(Error::Invalid { what, index, value, requirement });
        }
        let larger = zero.abs().max(one.abs());
        total += if larger < f64::INFINITY { 2.0 * larger } else { 2.0 * zero.abs().min(one.abs()) };
    }
    if total < f64::INFINITY {
        Ok(())
    } else if unary.iter().any(|&[zero, one]| zero.min(one) == f64::INFINITY) {
        Err(Error::Infeasible)
    } else {
        Err(Error::Overflow { what: "energies of pixels" })
    }
}
