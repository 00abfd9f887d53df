//! Who does what at the least cost: the assignment problem.
//!
//! Shortest augmenting paths with potentials, the Hungarian method as Jonker and Volgenant (1987) and Crouse
//! (2016) have it.

use crate::check::ParamError;
use crate::linalg::DMatrix;

/// Above this, costs are scaled down while they are added up.
const LARGE: f64 = 1e150;

/// An exact power of two.
const DOWN: f64 = 1.0 / (1_u128 << 100) as f64;

/// A column of its own for each row, at the least total cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assignment {
    /// The column of each row.
    pub columns: Vec<usize>,
    /// The sum of the costs of the pairs.
    pub cost: f64,
    /// u_i: with v_j below, u_i + v_j ≤ c_ij, and equality for the pairs, which proves the least cost.
    pub row_potentials: Vec<f64>,
    /// v_j ≤ 0, and 0 for columns that no row has.
    pub column_potentials: Vec<f64>,
}

/// The assignment of a column to each row, no column to two, with the least sum of `costs`; n ≤ m for an n ×
/// m matrix.
///
/// A cost of ∞ forbids a pair; `None` if every complete assignment has one that is forbidden. Which of
/// several assignments of the same cost is found depends on the costs alone. O(n² m) time, n m memory. To
/// maximise, negate the costs.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_math::optimize::minimum_cost_assignment;
///
/// let costs = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 3.0, 2.0, 0.0, 5.0, 3.0, 2.0, 2.0]);
/// let found = minimum_cost_assignment(&costs)?.unwrap();
/// assert_eq!((found.columns, found.cost), (vec![1, 0, 2], 5.0));
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
///
/// # Errors
/// If a cost is NaN or -∞, or there are more rows than columns.
pub fn minimum_cost_assignment(costs: &DMatrix<f64>) -> Result<Option<Assignment>, ParamError> {
    let name = "minimum_cost_assignment";
    let (rows, columns) = costs.shape();
    if rows > columns {
        return Err(ParamError::new(name, "rows", rows as f64, "at most the number of columns"));
    }
    let mut largest = 0.0_f64;
    for (index, &cost) in costs.iter().enumerate() {
        if cost.is_nan() || cost == f64::NEG_INFINITY {
            return Err(ParamError::new(name, "cost", cost, "a number or infinity").at(index));
        }
        if cost.is_finite() {
            largest = largest.max(cost.abs());
        }
    }
    let (down, up) = if largest > LARGE { (DOWN, 1.0 / DOWN) } else { (1.0, 1.0) };
    let scaled: Vec<f64> = costs.transpose().iter().map(|cost| cost * down).collect();
    let mut search = Search::new(&scaled, columns);
    for row in 0..rows {
        if !search.augment(row) {
            return Ok(None);
        }
    }
    let mut assigned = vec![0; rows];
    for (column, row) in search.row_of[..columns].iter().enumerate() {
        if let Some(row) = *row {
            assigned[row] = column;
        }
    }
    let cost = assigned.iter().enumerate().map(|(row, &column)| costs[(row, column)]).sum();
    let rescaled = |potentials: Vec<f64>| potentials.into_iter().map(|potential| potential * up).collect();
    search.v.truncate(columns);
    Ok(Some(Assignment {
        columns: assigned,
        cost,
        row_potentials: rescaled(search.u),
        column_potentials: rescaled(search.v),
    }))
}

/// A partial assignment that has the least cost for its rows, and the potentials that prove it.
struct Search<'a> {
    /// Row after row.
    costs: &'a [f64],
    columns: usize,
    u: Vec<f64>,
    /// One more than columns: the last is where a new row begins.
    v: Vec<f64>,
    row_of: Vec<Option<usize>>,
}

impl<'a> Search<'a> {
    fn new(costs: &'a [f64], columns: usize) -> Self {
        let rows = costs.len().checked_div(columns).unwrap_or(0);
        Self {
            costs,
            columns,
            u: vec![0.0; rows],
            v: vec![0.0; columns + 1],
            row_of: vec![None; columns + 1],
        }
    }

    /// Adds `row` along the shortest path of exchanges that ends in a free column. False if there is none.
    fn augment(&mut self, row: usize) -> bool {
        let free = self.columns;
        self.row_of[free] = Some(row);
        let mut distance = vec![f64::INFINITY; self.columns];
        let mut before = vec![free; self.columns];
        let mut reached = vec![false; self.columns + 1];
        let mut column = free;
        while let Some(i) = self.row_of[column] {
            reached[column] = true;
            let (mut shortest, mut next) = (f64::INFINITY, None);
            for (j, &cost) in self.costs[i * self.columns..][..self.columns].iter().enumerate() {
                if reached[j] {
                    continue;
                }
                let reduced = cost - self.u[i] - self.v[j];
                if reduced < distance[j] {
                    (distance[j], before[j]) = (reduced, column);
                }
                if distance[j] < shortest {
                    (shortest, next) = (distance[j], Some(j));
                }
            }
            let Some(next) = next else { return false };
            self.shift(&reached, &mut distance, shortest);
            column = next;
        }
        while column != free {
            self.row_of[column] = self.row_of[before[column]];
            column = before[column];
        }
        true
    }

    /// Moves the potentials so that the nearest column is reached at no cost.
    fn shift(&mut self, reached: &[bool], distance: &mut [f64], by: f64) {
        for (j, &reached) in reached.iter().enumerate() {
            if !reached {
                if let Some(distance) = distance.get_mut(j) {
                    *distance -= by;
                }
            } else if let Some(row) = self.row_of[j] {
                self.u[row] += by;
                self.v[j] -= by;
            }
        }
    }
}
