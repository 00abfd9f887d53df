//! Lists of neighbours that grow and shrink, in one allocation.

use crate::VarId;
use crate::adjacency::Adjacency;

/// The neighbours of each node in no order. Nodes that are gone are taken out when a list is next read.
#[derive(Debug, Clone)]
pub(super) struct NeighbourLists {
    items: Vec<u32>,
    spans: Vec<Span>,
}

/// Where a list is.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    len: u32,
    room: u32,
}

impl NeighbourLists {
    pub(super) fn new(graph: &Adjacency) -> Self {
        let n = graph.len();
        let mut lists = Self { items: Vec::with_capacity(2 * graph.pairs()), spans: Vec::with_capacity(n) };
        for v in (0..n).map(VarId::new) {
            let (start, len) = (lists.items.len(), graph.of(v).len() as u32);
            lists.items.extend(graph.of(v).iter().map(|u| u.index() as u32));
            lists.spans.push(Span { start, len, room: len });
        }
        lists
    }

    /// The neighbours of `v` that are not gone.
    pub(super) fn prune(&mut self, v: usize, gone: &[bool]) -> &[u32] {
        let Span { start, len, .. } = self.spans[v];
        let list = &mut self.items[start..start + len as usize];
        let mut kept = 0;
        for i in 0..list.len() {
            let u = list[i];
            list[kept] = u;
            kept += usize::from(!gone[u as usize]);
        }
        self.spans[v].len = kept as u32;
        &self.items[start..start + kept]
    }

    /// The neighbours of `v`, with some that are gone.
    pub(super) fn of(&self, v: usize) -> &[u32] {
        let Span { start, len, .. } = self.spans[v];
        &self.items[start..start + len as usize]
    }

    /// Adds `u` to the list of `v`, which moves to the end if it has no room.
    pub(super) fn push(&mut self, v: usize, u: u32) {
        let Span { start, len, room } = self.spans[v];
        if len == room {
            let end = self.items.len();
            self.items.extend_from_within(start..start + len as usize);
            let room = 2 * room + 4;
            self.items.resize(end + room as usize, 0);
            self.spans[v] = Span { start: end, len, room };
        }
        let span = &mut self.spans[v];
        self.items[span.start + span.len as usize] = u;
        span.len += 1;
    }
}
