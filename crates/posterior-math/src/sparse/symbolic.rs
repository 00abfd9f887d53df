//! What a factor looks like, before there are numbers.

use std::ops::Range;

use super::graph::Graph;
use super::order::Ordering;
use super::spare::Spare;
use super::symmetric::SparseSymmetric;
use super::tree::{NONE, column_counts, elimination_tree, postorder};
use crate::linalg::MatrixError;

/// The analysis of a pattern: an order of elimination and where the entries of the factor are. Made once for
/// all matrices with the same stored entries.
///
/// Neighbouring columns with like entries are held together as dense panels (supernodes), with some explicit
/// zeros where that makes panels larger.
///
/// # Cost
/// Almost linear in the entries of the matrix for a given order, and in memory in the number of panels' rows;
/// the minimum degree takes most of the time. Of large factors the memory of the last two that were dropped
/// is kept for the next ones, as long as the analysis is there.
///
/// # References
/// E. G. Ng, B. W. Peyton, Block sparse Cholesky algorithms on advanced uniprocessor computers, SIAM J. Sci.
/// Comput. 14 (1993); T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM (2006), chapter 4.
///
/// ```
/// use std::sync::Arc;
///
/// use posterior_math::sparse::{Ordering, SparseCholesky, SparseSymbolic, SparseSymmetric};
///
/// let chain = |rest: f64| {
///     let pairs = (1..100).map(|i| (i, i - 1, -1.0));
///     SparseSymmetric::from_triplets(100, pairs.chain((0..100).map(|i| (i, i, 2.0 + rest))))
/// };
/// let symbolic = Arc::new(SparseSymbolic::new(&chain(0.0)?, &Ordering::MinimumDegree)?);
/// for rest in [0.0, 0.1, 0.2] {
///     let factor = SparseCholesky::with_symbolic(&symbolic, &chain(rest)?)?;
///     assert!(factor.ln_determinant() > 4.6);
/// }
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseSymbolic {
    /// Old index of each new one.
    pub(super) order: Vec<u32>,
    /// New index of each old one.
    pub(super) place: Vec<u32>,
    /// First column of each panel, and the number of columns at the end.
    pub(super) columns: Vec<u32>,
    /// The panel of each column.
    pub(super) panel_of: Vec<u32>,
    /// Where the rows of each panel begin in `rows`.
    pub(super) row_starts: Vec<usize>,
    /// Ascending in each panel; the columns of the panel come first.
    pub(super) rows: Vec<u32>,
    /// Where the values of each panel begin, column by column, each with all rows.
    pub(super) value_starts: Vec<usize>,
    /// The stored entries that were analysed, and where each one goes.
    pattern_starts: Vec<usize>,
    pattern_rows: Vec<u32>,
    targets: Vec<usize>,
    factor_entries: usize,
    /// The parent of each column in the tree of the elimination.
    parent: Vec<u32>,
    pub(super) spare: Spare,
}

impl SparseSymbolic {
    /// The analysis of the stored entries of a matrix, whatever their values.
    ///
    /// # Errors
    /// An order that does not fit the matrix.
    pub fn new(matrix: &SparseSymmetric, ordering: &Ordering) -> Result<Self, MatrixError> {
        let graph = Graph::of(&matrix.lower);
        let mut order = ordering.permutation(&graph)?;
        let parent = elimination_tree(&graph, &order, &inverse(&order));
        let post = postorder(&parent);
        order = post.iter().map(|&k| order[k as usize]).collect();
        let (place, new) = (inverse(&order), inverse(&post));
        let parent: Vec<u32> = post
            .iter()
            .map(|&k| match parent[k as usize] {
                NONE => NONE,
                p => new[p as usize],
            })
            .collect();
        let counts = column_counts(&graph, &order, &place, &parent);
        let columns = supernodes(&parent, &counts);
        let mut symbolic = Self {
            order,
            place,
            panel_of: panel_of(&columns),
            columns,
            row_starts: Vec::new(),
            rows: Vec::new(),
            value_starts: Vec::new(),
            pattern_starts: matrix.lower.starts.clone(),
            pattern_rows: matrix.lower.rows.clone(),
            targets: Vec::new(),
            factor_entries: counts.iter().map(|&count| count as usize).sum(),
            parent,
            spare: Spare::default(),
        };
        symbolic.find_rows(&graph);
        symbolic.find_targets();
        Ok(symbolic)
    }

    /// The number of rows.
    pub const fn size(&self) -> usize {
        self.order.len()
    }

    /// The number of entries of L that are not zero by structure, the diagonal included.
    pub const fn factor_entries(&self) -> usize {
        self.factor_entries
    }

    /// The number of values that a factor holds, with the zeros of its panels: 8 bytes each.
    pub fn held_values(&self) -> usize {
        self.value_starts.last().copied().unwrap_or(0)
    }

    /// The indices of the rows in the order of elimination.
    pub fn order(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.order.iter().map(|&index| index as usize)
    }

    /// The indices of the rows by their depth in the tree of the elimination, the roots first.
    ///
    /// Two rows of one depth have no common neighbour that is deeper or as deep, and the columns of L⁻ᵀ that
    /// belong to them have no row in common, nor neighbouring rows. So as many products with the matrix as
    /// there are depths give all its entries, and the sum of the columns of L⁻ᵀ over each depth gives as many
    /// vectors whose outer products add up to the entries of the inverse where the matrix has entries.
    ///
    /// ```
    /// use posterior_math::sparse::{Ordering, SparseSymbolic, SparseSymmetric};
    ///
    /// // Five groups, and what they have in common.
    /// let pairs = (1..6).map(|i| (i, 0, 1.0)).chain((0..6).map(|i| (i, i, 9.0)));
    /// let arrow = SparseSymmetric::from_triplets(6, pairs)?;
    /// let symbolic = SparseSymbolic::new(&arrow, &Ordering::Given(vec![1, 2, 3, 4, 5, 0]))?;
    /// assert_eq!(symbolic.depths(), [vec![0], vec![1, 2, 3, 4, 5]]);
    /// # Ok::<(), posterior_math::linalg::MatrixError>(())
    /// ```
    pub fn depths(&self) -> Vec<Vec<usize>> {
        let mut depth = vec![0; self.size()];
        let mut rows: Vec<Vec<usize>> = vec![];
        // Parents stand behind their children.
        for column in (0..self.size()).rev() {
            if self.parent[column] != NONE {
                depth[column] = depth[self.parent[column] as usize] + 1;
            }
            rows.resize(rows.len().max(depth[column] + 1), vec![]);
            rows[depth[column]].push(self.order[column] as usize);
        }
        for own in &mut rows {
            own.sort_unstable();
        }
        rows
    }

    /// Where the factor holds each stored entry of the matrix.
    pub(super) fn targets(&self) -> &[usize] {
        &self.targets
    }

    pub(super) const fn panels(&self) -> usize {
        self.columns.len() - 1
    }

    pub(super) fn panel_columns(&self, panel: usize) -> Range<usize> {
        self.columns[panel] as usize..self.columns[panel + 1] as usize
    }

    pub(super) fn panel_rows(&self, panel: usize) -> &[u32] {
        &self.rows[self.row_starts[panel]..self.row_starts[panel + 1]]
    }

    pub(super) fn panel_values(&self, panel: usize) -> Range<usize> {
        self.value_starts[panel]..self.value_starts[panel + 1]
    }

    /// Where the value of an entry of the factor's lower triangle is held, by new indices.
    pub(super) fn position(&self, row: u32, column: u32) -> Option<usize> {
        let panel = self.panel_of[column as usize] as usize;
        let rows = self.panel_rows(panel);
        let local = (column - self.columns[panel]) as usize;
        let at = rows.binary_search(&row).ok()?;
        Some(self.value_starts[panel] + local * rows.len() + at)
    }

    /// Writes the values of a matrix with the analysed pattern into zeros.
    pub(super) fn scatter(&self, matrix: &SparseSymmetric, values: &mut [f64]) -> Result<(), MatrixError> {
        if matrix.size() != self.size() {
            return Err(MatrixError::Mismatch { expected: self.size(), found: matrix.size() });
        }
        if matrix.lower.starts != self.pattern_starts || matrix.lower.rows != self.pattern_rows {
            return Err(MatrixError::OtherPattern);
        }
        for (&target, value) in self.targets.iter().zip(&matrix.lower.values) {
            values[target] = *value;
        }
        Ok(())
    }

    /// The rows of each panel: those of the matrix, and those of the panels below it in the tree.
    fn find_rows(&mut self, graph: &Graph) {
        let panels = self.panels();
        let (mut child, mut sibling) = (vec![NONE; panels], vec![NONE; panels]);
        let mut stamp = vec![NONE; self.size()];
        self.row_starts.push(0);
        self.value_starts.push(0);
        for panel in 0..panels {
            let columns = self.panel_columns(panel);
            let begin = self.rows.len();
            self.rows.extend(columns.clone().map(|column| column as u32));
            let end = columns.end as u32;
            for column in columns.clone() {
                for &old in graph.neighbours(self.order[column] as usize) {
                    let row = self.place[old as usize];
                    if row >= end && stamp[row as usize] != panel as u32 {
                        stamp[row as usize] = panel as u32;
                        self.rows.push(row);
                    }
                }
            }
            let mut below = child[panel];
            while below != NONE {
                for at in self.row_starts[below as usize]..self.row_starts[below as usize + 1] {
                    let row = self.rows[at];
                    if row >= end && stamp[row as usize] != panel as u32 {
                        stamp[row as usize] = panel as u32;
                        self.rows.push(row);
                    }
                }
                below = sibling[below as usize];
            }
            self.rows[begin + columns.len()..].sort_unstable();
            self.row_starts.push(self.rows.len());
            let values = (self.rows.len() - begin) * columns.len();
            self.value_starts.push(self.value_starts[panel] + values);
            if let Some(&row) = self.rows.get(begin + columns.len()) {
                let parent = self.panel_of[row as usize] as usize;
                sibling[panel] = std::mem::replace(&mut child[parent], panel as u32);
            }
        }
    }

    fn find_targets(&mut self) {
        let n = self.size();
        let mut targets = Vec::with_capacity(self.pattern_rows.len());
        for j in 0..n {
            for &row in &self.pattern_rows[self.pattern_starts[j]..self.pattern_starts[j + 1]] {
                let (a, b) = (self.place[row as usize], self.place[j]);
                targets.push(self.position(a.max(b), a.min(b)).expect("the factor has the matrix's entries"));
            }
        }
        self.targets = targets;
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old as usize] = new as u32;
    }
    place
}

fn panel_of(columns: &[u32]) -> Vec<u32> {
    columns
        .windows(2)
        .enumerate()
        .flat_map(|(panel, ends)| (ends[0]..ends[1]).map(move |_| panel as u32))
        .collect()
}

/// The first columns of the panels: columns with the same rows below are together, and panels that are small
/// or nearly alike join their parents.
fn supernodes(parent: &[u32], counts: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let mut first: Vec<u32> = Vec::new();
    for j in 0..n {
        let joins = j > 0 && parent[j - 1] == j as u32 && counts[j - 1] == counts[j] + 1;
        if !joins {
            first.push(j as u32);
        }
    }
    // From the last panel to the first: the groups that are whole, each with its first column, its columns,
    // its rows and its zeros.
    let mut groups: Vec<Group> = Vec::new();
    let mut end = n as u32;
    for &begin in first.iter().rev() {
        let group = Group {
            first: begin,
            columns: u64::from(end - begin),
            rows: u64::from(counts[begin as usize]),
            zeros: 0,
        };
        let next = parent[end as usize - 1];
        end = begin;
        match groups.last_mut() {
            // The parent's group must begin just behind, or the columns would not be neighbours.
            Some(last) if next != NONE && in_group(last, next) => match group.joined(last) {
                Some(joined) => *last = joined,
                None => groups.push(group),
            },
            _ => groups.push(group),
        }
    }
    groups.iter().rev().map(|group| group.first).chain([n as u32]).collect()
}

fn in_group(group: &Group, column: u32) -> bool {
    u64::from(column) >= u64::from(group.first) && u64::from(column) < u64::from(group.first) + group.columns
}

struct Group {
    first: u32,
    columns: u64,
    rows: u64,
    zeros: u64,
}

impl Group {
    /// Both panels as one, if that has few enough zeros; the limits are those of CHOLMOD.
    fn joined(&self, parent: &Self) -> Option<Self> {
        let columns = self.columns + parent.columns;
        let rows = parent.rows + self.columns;
        let zeros = self.zeros + parent.zeros + self.columns * (rows - self.rows);
        let held = columns * (columns + 1) / 2 + columns * (rows - columns);
        let proportion = zeros as f64 / held as f64;
        let few = zeros == 0
            || columns <= 4
            || (columns <= 16 && proportion < 0.8)
            || (columns <= 48 && proportion < 0.1)
            || proportion < 0.05;
        few.then_some(Self { first: self.first, columns, rows, zeros })
    }
}
