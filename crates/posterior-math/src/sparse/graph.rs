//! Which rows and columns have entries together.

use super::compressed::Compressed;

/// The neighbours of each node, without itself, in compressed form.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    pub(super) starts: Vec<usize>,
    pub(super) adjacent: Vec<u32>,
}

impl Graph {
    /// The pairs that have an entry in a lower triangle.
    pub(super) fn of(lower: &Compressed) -> Self {
        let n = lower.columns();
        Self::from_pairs(n, || {
            (0..n).flat_map(|j| {
                lower.column(j).0.iter().filter(move |&&i| i as usize != j).map(move |&i| (i, j as u32))
            })
        })
    }

    /// From an iterator over pairs that can be begun anew; each pair once, in either order.
    pub(super) fn from_pairs<I: Iterator<Item = (u32, u32)>>(n: usize, pairs: impl Fn() -> I) -> Self {
        let mut starts = vec![0_usize; n + 1];
        for (i, j) in pairs() {
            starts[i as usize + 1] += 1;
            starts[j as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut adjacent = vec![0; starts[n]];
        for (i, j) in pairs() {
            for (from, to) in [(i, j), (j, i)] {
                adjacent[next[from as usize]] = to;
                next[from as usize] += 1;
            }
        }
        Self { starts, adjacent }
    }

    pub(super) const fn size(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn neighbours(&self, i: usize) -> &[u32] {
        &self.adjacent[self.starts[i]..self.starts[i + 1]]
    }

    /// The graph of these nodes, numbered in their order; `place` holds `u32::MAX` everywhere before and
    /// after.
    pub(super) fn induced(&self, nodes: &[u32], place: &mut [u32]) -> Self {
        for (new, &old) in nodes.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let mut part = Self { starts: vec![0], adjacent: Vec::new() };
        for &old in nodes {
            let inside = self.neighbours(old as usize).iter().map(|&j| place[j as usize]);
            part.adjacent.extend(inside.filter(|&j| j != u32::MAX));
            part.starts.push(part.adjacent.len());
        }
        for &old in nodes {
            place[old as usize] = u32::MAX;
        }
        part
    }
}
