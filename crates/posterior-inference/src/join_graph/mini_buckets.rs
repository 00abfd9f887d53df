//! Mini-buckets: the buckets of an elimination, split where their tables would be too large.

use std::ops::Range;

use posterior_graph::{Names, SearchOptions, UnGraph, best_order};
use posterior_pgm::VarId;

use crate::{Cost, Error};

/// How many greedy orders of each heuristic are tried.
const RESTARTS: usize = 4;

/// Some factors and messages of the bucket of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cluster {
    /// What is eliminated last comes first; the variable of the bucket is the last.
    pub(super) scope: Vec<VarId>,
    pub(super) cards: Vec<usize>,
    /// The factors that are multiplied here.
    pub(super) factors: Vec<usize>,
    /// The clusters whose messages are multiplied here.
    pub(super) children: Vec<usize>,
}

impl Cluster {
    /// What its message to a later bucket is about.
    pub(super) fn separator(&self) -> &[VarId] {
        &self.scope[..self.scope.len() - 1]
    }

    fn cells(&self) -> u64 {
        cells(self.cards.iter())
    }
}

/// Two clusters of a bucket, and the variables that both have: its own is the last.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    pub(super) ends: [usize; 2],
    pub(super) scope: Vec<VarId>,
}

/// The clusters of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bucket {
    pub(super) variable: VarId,
    pub(super) clusters: Range<usize>,
    /// The numbers of the links that make a tree of them.
    pub(super) links: Range<usize>,
}

/// A join graph: a forest of clusters, and links between the clusters of one bucket.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MiniBuckets {
    /// Each before those that read its message.
    pub(super) clusters: Vec<Cluster>,
    pub(super) links: Vec<Link>,
    /// In the order of elimination.
    pub(super) buckets: Vec<Bucket>,
}

/// The most that a cluster may hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// The variables of its message.
    pub(super) variables: usize,
    /// The cells of its table.
    pub(super) cells: u64,
}

/// Free variables and the scopes of factors, with an order of elimination.
pub(super) struct Ordered<'a> {
    /// How many states; 1 of what was seen.
    cards: &'a [usize],
    scopes: Vec<&'a [VarId]>,
    order: Vec<VarId>,
    /// The place of each variable in the order.
    places: Vec<usize>,
}

/// A factor, or the message of a cluster, and what it is about.
struct Function {
    scope: Vec<VarId>,
    source: Source,
}

enum Source {
    Factor(usize),
    Message(usize),
}

impl<'a> Ordered<'a> {
    /// The cheapest order of several. `is_free` says which variables there are.
    pub(super) fn new(
        cards: &'a [usize],
        is_free: impl Fn(VarId) -> bool,
        scopes: Vec<&'a [VarId]>,
    ) -> Result<Self, Error> {
        let graph = UnGraph::from_scopes(Names::numbered(cards.len()), scopes.iter())
            .map_err(posterior_pgm::Error::from)?;
        let search = SearchOptions { restarts: RESTARTS, ..SearchOptions::default() };
        let best = best_order(&graph, cards, &search).map_err(posterior_pgm::Error::from)?;
        let order: Vec<VarId> = best.order.as_slice().iter().copied().filter(|&v| is_free(v)).collect();
        let mut places = vec![0; cards.len()];
        for (place, v) in order.iter().enumerate() {
            places[v.index()] = place;
        }
        Ok(Self { cards, scopes, order, places })
    }

    /// The mini-buckets within `limit`; a factor that is larger has one of its own.
    pub(super) fn mini_buckets(&self, limit: Limit) -> MiniBuckets {
        let mut waiting: Vec<Vec<Function>> = self.order.iter().map(|_| Vec::new()).collect();
        for (factor, scope) in self.scopes.iter().enumerate() {
            let function = Function { scope: self.sorted(scope), source: Source::Factor(factor) };
            if let Some(v) = function.scope.last() {
                waiting[self.places[v.index()]].push(function);
            }
        }
        let (clusters, links) = (Vec::new(), Vec::new());
        let mut all = MiniBuckets { clusters, links, buckets: Vec::with_capacity(self.order.len()) };
        for (place, &v) in self.order.iter().enumerate() {
            let first = all.clusters.len();
            for cluster in self.partition(v, std::mem::take(&mut waiting[place]), limit) {
                let scope = cluster.separator().to_vec();
                if let Some(next) = scope.last() {
                    let source = Source::Message(all.clusters.len());
                    waiting[self.places[next.index()]].push(Function { scope, source });
                }
                all.clusters.push(cluster);
            }
            all.close(v, first);
        }
        all
    }

    /// The functions of a bucket, the largest first, each put where it adds least.
    fn partition(&self, v: VarId, mut functions: Vec<Function>, limit: Limit) -> Vec<Cluster> {
        let size = |scope: &[VarId]| cells(scope.iter().map(|v| &self.cards[v.index()]));
        functions.sort_by_key(|function| std::cmp::Reverse(size(&function.scope)));
        let mut own: Vec<(Vec<VarId>, Vec<Source>)> = Vec::new();
        for Function { scope, source } in functions {
            let joined = own.iter().enumerate().filter_map(|(k, (old, _))| {
                let union = self.sorted(&[&old[..], &scope[..]].concat());
                let new = size(&union);
                let fits = union.len() == old.len()
                    || (union.len() <= limit.variables.saturating_add(1) && new <= limit.cells);
                fits.then(|| (new - size(old), k, union))
            });
            match joined.min_by_key(|(added, k, _)| (*added, *k)) {
                Some((_, k, union)) => {
                    own[k].0 = union;
                    own[k].1.push(source);
                }
                None => own.push((scope, vec![source])),
            }
        }
        if own.is_empty() {
            own.push((vec![v], Vec::new()));
        }
        own.into_iter().map(|(scope, sources)| self.cluster(scope, sources)).collect()
    }

    fn cluster(&self, scope: Vec<VarId>, sources: Vec<Source>) -> Cluster {
        let cards = scope.iter().map(|v| self.cards[v.index()]).collect();
        let (mut factors, mut children) = (Vec::new(), Vec::new());
        for source in sources {
            match source {
                Source::Factor(factor) => factors.push(factor),
                Source::Message(child) => children.push(child),
            }
        }
        Cluster { scope, cards, factors, children }
    }

    /// What is eliminated last first, each once.
    fn sorted(&self, scope: &[VarId]) -> Vec<VarId> {
        let mut sorted = scope.to_vec();
        sorted.sort_unstable_by_key(|v| std::cmp::Reverse(self.places[v.index()]));
        sorted.dedup();
        sorted
    }
}

impl MiniBuckets {
    /// Makes a bucket of the clusters from `first` on: each is linked to the one before it with which it
    /// shares most.
    fn close(&mut self, variable: VarId, first: usize) {
        let (start, end) = (self.links.len(), self.clusters.len());
        for k in first + 1..end {
            let shared = |other: usize| -> Vec<VarId> {
                let own = self.clusters[k].scope.iter().copied();
                own.filter(|v| self.clusters[other].scope.contains(v)).collect()
            };
            let best = (first..k).max_by_key(|&other| (shared(other).len(), std::cmp::Reverse(other)));
            let best = best.unwrap_or(first);
            self.links.push(Link { ends: [best, k], scope: shared(best) });
        }
        self.buckets.push(Bucket { variable, clusters: first..end, links: start..self.links.len() });
    }

    /// Whether no bucket was split: a junction tree.
    pub(super) fn is_exact(&self) -> bool {
        self.links.is_empty()
    }

    /// Three numbers for each cell, four for each of a link, and messages both ways; the operations of one
    /// sweep.
    pub(super) fn cost(&self) -> Cost {
        let (mut held, mut largest, mut operations) = (0_u64, 0, 0_u64);
        for cluster in &self.clusters {
            let own = cluster.cells();
            let messages = cells(cluster.cards[..cluster.cards.len() - 1].iter()).saturating_mul(2);
            held = held.saturating_add(own.saturating_mul(3)).saturating_add(messages);
            largest = largest.max(own);
            operations = operations.saturating_add(own.saturating_mul(2 * cluster.children.len() as u64 + 6));
        }
        for link in &self.links {
            let Cluster { scope, cards, .. } = &self.clusters[link.ends[0]];
            let shared = scope.iter().zip(cards).filter(|(v, _)| link.scope.contains(v));
            let own = cells(shared.map(|(_, card)| card));
            held = held.saturating_add(own.saturating_mul(4));
            operations = operations.saturating_add(own.saturating_mul(4));
        }
        Cost::new(held, largest, operations)
    }
}

fn cells<'a>(cards: impl Iterator<Item = &'a usize>) -> u64 {
    cards.fold(1_u64, |cells, &card| cells.saturating_mul(card as u64))
}
