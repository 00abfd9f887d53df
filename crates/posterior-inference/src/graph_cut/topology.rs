//! Who is joined to whom in a flow network: compressed rows in general, arithmetic on grids.

use std::ops::Range;

use super::Error;

/// The most arcs of a network: the search trees use the largest numbers of 32 bits for themselves.
pub(super) const MAX_ARCS: usize = u32::MAX as usize - 2;

/// Directed arcs, numbered by the node they leave; every arc has a reverse.
pub(super) trait Topology {
    /// The number of nodes; they are `0..nodes`.
    fn nodes(&self) -> usize;
    /// The number of arcs.
    fn arc_count(&self) -> usize;
    /// The arcs that leave `node`.
    fn arcs(&self, node: u32) -> Range<u32>;
    /// The node at the other end.
    fn head(&self, arc: u32) -> u32;
    /// The arc in the other direction.
    fn reverse(&self, arc: u32) -> u32;
}

/// Any graph, in compressed rows.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    /// The arcs of node i are `starts[i]..starts[i + 1]`.
    starts: Vec<u32>,
    ends: Vec<End>,
}

/// What an arc leads to, in one place because it is read together.
#[derive(Debug, Clone, Copy)]
struct End {
    head: u32,
    reverse: u32,
}

impl Sparse {
    /// The two arcs of each edge; also the arc of each edge from its first node to its second. O(n + m).
    pub(super) fn new(
        nodes: usize,
        edges: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Result<(Self, Vec<u32>), Error> {
        let mut starts = vec![0_u32; nodes + 1];
        let mut count = 0_usize;
        for (i, j) in edges.clone() {
            count += 2;
            starts[i as usize] += 1;
            starts[j as usize] += 1;
        }
        if count > MAX_ARCS {
            return Err(Error::TooLarge { what: "edges", count: count / 2, limit: MAX_ARCS / 2 });
        }
        // From counts to the end of each row; filling then moves each end down to the start.
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut ends = vec![End { head: 0, reverse: 0 }; count];
        let mut forward = vec![0_u32; count / 2];
        for ((i, j), arc) in edges.zip(&mut forward) {
            starts[i as usize] -= 1;
            starts[j as usize] -= 1;
            let (there, back) = (starts[i as usize], starts[j as usize]);
            ends[there as usize] = End { head: j, reverse: back };
            ends[back as usize] = End { head: i, reverse: there };
            *arc = there;
        }
        Ok((Self { starts, ends }, forward))
    }
}

impl Topology for Sparse {
    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    fn arc_count(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    fn arcs(&self, node: u32) -> Range<u32> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    #[inline]
    fn head(&self, arc: u32) -> u32 {
        self.ends[arc as usize].head
    }

    #[inline]
    fn reverse(&self, arc: u32) -> u32 {
        self.ends[arc as usize].reverse
    }
}

/// A grid with a rim of nodes that no flow reaches, so that every node has the same `D` neighbours, found by
/// addition.
#[derive(Debug, Clone)]
pub(super) struct Grid<const D: usize> {
    rows: usize,
    stride: usize,
    /// What to add (modulo 2^32) to a node for its neighbour in each direction; directions d and D - 1 - d
    /// are opposite.
    offsets: [u32; D],
}

impl Grid<4> {
    /// Neighbours above, to the left, to the right and below.
    pub(super) fn four(rows: usize, columns: usize) -> Result<Self, Error> {
        let stride = checked_stride(rows, columns, 4)?;
        let s = stride as u32;
        Ok(Self { rows, stride, offsets: [s.wrapping_neg(), 1_u32.wrapping_neg(), 1, s] })
    }
}

impl Grid<8> {
    /// Neighbours in reading order: above left, above, above right, left, right, below left, below, below
    /// right.
    pub(super) fn eight(rows: usize, columns: usize) -> Result<Self, Error> {
        let stride = checked_stride(rows, columns, 8)?;
        let s = stride as u32;
        let after = [1, s - 1, s, s + 1];
        let mut offsets = [0; 8];
        for (k, offset) in after.into_iter().enumerate() {
            offsets[4 + k] = offset;
            offsets[3 - k] = offset.wrapping_neg();
        }
        Ok(Self { rows, stride, offsets })
    }
}

fn checked_stride(rows: usize, columns: usize, directions: usize) -> Result<usize, Error> {
    let padded = rows.checked_add(3).zip(columns.checked_add(1)).and_then(|(r, c)| r.checked_mul(c));
    let limit = MAX_ARCS / directions;
    match padded {
        Some(padded) if padded <= limit => Ok(columns + 1),
        _ => Err(Error::TooLarge { what: "pixels", count: rows.saturating_mul(columns), limit }),
    }
}

impl<const D: usize> Grid<D> {
    /// The node at the beginning of a row.
    pub(super) const fn row(&self, row: usize) -> usize {
        (row + 1) * self.stride + 1
    }

    /// The arc from `node` in direction `d`.
    pub(super) const fn arc(node: usize, d: usize) -> usize {
        node * D + d
    }
}

impl<const D: usize> Topology for Grid<D> {
    fn nodes(&self) -> usize {
        (self.rows + 2) * self.stride + 2
    }

    fn arc_count(&self) -> usize {
        self.nodes() * D
    }

    #[inline]
    fn arcs(&self, node: u32) -> Range<u32> {
        let first = node * D as u32;
        first..first + D as u32
    }

    #[inline]
    fn head(&self, arc: u32) -> u32 {
        let (node, d) = (arc / D as u32, arc as usize % D);
        node.wrapping_add(self.offsets[d])
    }

    #[inline]
    fn reverse(&self, arc: u32) -> u32 {
        let d = arc % D as u32;
        self.head(arc) * D as u32 + (D as u32 - 1 - d)
    }
}
