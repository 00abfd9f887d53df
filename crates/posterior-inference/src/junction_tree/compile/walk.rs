//! The walk itself.

use std::marker::PhantomData;

use posterior_pgm::VarId;

use super::{MISSING, Shape, Slice};
use crate::junction_tree::arithmetic::Arithmetic;
use crate::junction_tree::potential::{Layout, Link, Potential};
use crate::junction_tree::tree::Tree;

/// A walk through the joint states of a clique, with the places in all factors and links kept up to date.
pub(super) struct Walk<'a, S> {
    factors: &'a [&'a Slice<'a>],
    outer_cards: Vec<usize>,
    /// Of the factors, then of the links.
    places: Vec<usize>,
    /// For each variable that is walked through: what moves, and how far.
    steps: Vec<Vec<(usize, usize)>>,
    /// For each depth the factors that are known from there on.
    complete: Vec<Vec<usize>>,
    /// For each depth the links whose cells are known from there on, and which of them are possible.
    filters: Vec<Vec<(usize, usize)>>,
    /// Factors that vary in a block, with the place of each lane if it is not the number of the lane.
    leaves: Vec<(usize, Option<Vec<u32>>)>,
    leaf_filters: Vec<(usize, usize)>,
    possible: Vec<Vec<bool>>,
    /// Of each child's cells in the layout of this clique as if none were missing.
    routes: Vec<Option<Vec<u32>>>,
    lanes: usize,
    is_sparse: bool,
    links: Vec<Link>,
    buffer: Vec<f64>,
    values: Vec<f64>,
    link_places: Vec<u32>,
    arithmetic: PhantomData<S>,
}

impl<'a, S: Arithmetic> Walk<'a, S> {
    pub(super) fn new(tree: &Tree, factors: &'a [&'a Slice<'a>], shape: Shape, below: &[&Layout]) -> Self {
        let Shape { outer, leaf, is_sparse, links } = shape;
        let card = |v: &VarId| tree.cards[v.index()];
        let lanes: usize = leaf.iter().map(card).product();
        let mut walk = Self {
            factors,
            outer_cards: outer.iter().map(card).collect(),
            places: factors.iter().map(|f| f.start).chain(links.iter().map(|_| 0)).collect(),
            steps: outer.iter().map(|&v| steps(v, factors, &links)).collect(),
            complete: vec![Vec::new(); outer.len() + 1],
            filters: vec![Vec::new(); outer.len() + 1],
            leaves: Vec::new(),
            leaf_filters: Vec::new(),
            possible: Vec::new(),
            routes: below.iter().zip(&links[1..]).map(|(from, to)| route(from, &to.layout)).collect(),
            lanes,
            is_sparse,
            links,
            buffer: vec![S::ZERO; lanes],
            values: Vec::new(),
            link_places: Vec::new(),
            arithmetic: PhantomData,
        };
        walk.schedule_factors(&outer, &leaf, &card);
        walk.schedule_filters(&outer, below);
        walk
    }

    /// When each factor is known: after its last variable.
    fn schedule_factors(&mut self, outer: &[VarId], leaf: &[VarId], card: &impl Fn(&VarId) -> usize) {
        for (f, factor) in self.factors.iter().enumerate() {
            let strides: Vec<usize> = leaf.iter().map(|&v| factor.stride(v)).collect();
            if strides.iter().any(|&stride| stride > 0) {
                let mut lanes = vec![0];
                for (v, stride) in leaf.iter().zip(strides) {
                    let states = 0..card(v);
                    lanes = lanes
                        .iter()
                        .flat_map(|at: &u32| states.clone().map(move |state| at + (state * stride) as u32))
                        .collect();
                }
                let in_line = lanes.iter().enumerate().all(|(lane, &at)| lane == at as usize);
                self.leaves.push((f, (!in_line).then_some(lanes)));
            } else {
                let depth = outer.iter().rposition(|&v| factor.stride(v) > 0).map_or(0, |last| last + 1);
                self.complete[depth].push(f);
            }
        }
    }

    /// When each separator from below, of which cells are missing, is known.
    fn schedule_filters(&mut self, outer: &[VarId], below: &[&Layout]) {
        for (k, layout) in below.iter().enumerate().filter(|(_, layout)| layout.kept.is_some()) {
            let link = &self.links[k + 1];
            let mut possible = vec![false; link.layout.len];
            match &self.routes[k] {
                Some(route) => route.iter().for_each(|&to| possible[to as usize] = true),
                None => (0..layout.len).for_each(|place| possible[layout.cell(place)] = true),
            }
            let filter = (self.factors.len() + k + 1, self.possible.len());
            self.possible.push(possible);
            if link.is_vector {
                self.leaf_filters.push(filter);
            } else {
                let last = outer.iter().rposition(|&v| link.layout.axis(v).is_some());
                self.filters[last.map_or(0, |last| last + 1)].push(filter);
            }
        }
    }

    /// The potential, and the way of the messages of the children.
    pub(super) fn run(mut self) -> (Potential, Vec<Option<Vec<u32>>>) {
        if !self.is_sparse {
            let cells = self.outer_cards.iter().product::<usize>() * self.lanes;
            self.values.reserve_exact(cells);
        }
        self.descend(0, S::ONE);
        self.values.shrink_to_fit();
        self.link_places.shrink_to_fit();
        let lanes = if self.is_sparse { 1 } else { self.lanes };
        let ln_least = S::ln_least(&self.values);
        let mut links = self.links;
        let mut routes = self.routes;
        let count = links.len();
        for (k, link) in links.iter_mut().enumerate() {
            link.is_vector &= !self.is_sparse;
            let Some(ranks) = squeeze(link, k, count, lanes, &mut self.link_places) else { continue };
            if (1..=routes.len()).contains(&k) {
                let route = routes[k - 1].take().unwrap_or_else(|| (0..ranks.len() as u32).collect());
                routes[k - 1] = Some(route.into_iter().map(|to| ranks[to as usize]).collect());
            }
        }
        let potential = Potential { lanes, values: self.values, places: self.link_places, links, ln_least };
        (potential, routes)
    }

    fn descend(&mut self, depth: usize, product: f64) {
        let mut product = product;
        for &f in &self.complete[depth] {
            product = S::multiply(product, self.factors[f].values[self.places[f]]);
        }
        if product == S::ZERO || self.filters[depth].iter().any(|&(at, k)| !self.possible[k][self.places[at]])
        {
            return;
        }
        if depth == self.outer_cards.len() {
            self.block(product);
            return;
        }
        let card = self.outer_cards[depth];
        for _ in 0..card {
            self.descend(depth + 1, product);
            for &(at, stride) in &self.steps[depth] {
                self.places[at] += stride;
            }
        }
        for &(at, stride) in &self.steps[depth] {
            self.places[at] -= stride * card;
        }
    }

    /// The cells that lie side by side.
    fn block(&mut self, product: f64) {
        self.buffer.fill(product);
        for (f, lanes) in &self.leaves {
            let values = &self.factors[*f].values[self.places[*f]..];
            match lanes {
                None => {
                    let cells = self.buffer.iter_mut().zip(values);
                    cells.for_each(|(cell, &value)| *cell = S::multiply(*cell, value));
                }
                Some(lanes) => {
                    let cells = self.buffer.iter_mut().zip(lanes);
                    cells.for_each(|(cell, &at)| *cell = S::multiply(*cell, values[at as usize]));
                }
            }
        }
        for &(at, k) in &self.leaf_filters {
            for (cell, &possible) in self.buffer.iter_mut().zip(&self.possible[k][self.places[at]..]) {
                if !possible {
                    *cell = S::ZERO;
                }
            }
        }
        let places = &self.places[self.factors.len()..];
        if self.is_sparse {
            for (lane, &cell) in self.buffer.iter().enumerate().filter(|(_, cell)| **cell != S::ZERO) {
                self.values.push(cell);
                let own = places.iter().zip(&self.links);
                self.link_places
                    .extend(own.map(|(&at, link)| (at + if link.is_vector { lane } else { 0 }) as u32));
            }
        } else if self.buffer.iter().any(|&cell| cell != S::ZERO) {
            self.values.extend_from_slice(&self.buffer);
            self.link_places.extend(places.iter().map(|&at| at as u32));
        }
    }
}

/// What moves with a variable.
fn steps(v: VarId, factors: &[&Slice<'_>], links: &[Link]) -> Vec<(usize, usize)> {
    let of_factors = factors.iter().map(|factor| factor.stride(v));
    let of_links = links.iter().map(|link| link.layout.axis(v).map_or(0, |axis| axis.stride));
    of_factors.chain(of_links).enumerate().filter(|&(_, stride)| stride > 0).collect()
}

/// The places of the cells of one table in another one of the same variables; nothing if they are the same.
fn route(from: &Layout, to: &Layout) -> Option<Vec<u32>> {
    if from.kept.is_none() && from.axes == to.axes {
        return None;
    }
    let strides: Vec<usize> = from
        .axes
        .iter()
        .map(|axis| to.axis(axis.variable).expect("invariant: the same variables").stride)
        .collect();
    if from.kept.is_some() {
        let of = |place: usize| {
            let cell = from.cell(place);
            from.axes.iter().zip(&strides).map(|(a, stride)| cell / a.stride % a.card * stride).sum::<usize>()
        };
        return Some((0..from.len).map(|place| of(place) as u32).collect());
    }
    let mut places = Vec::with_capacity(from.len);
    places.push(0_u32);
    for (axis, &stride) in from.axes.iter().zip(&strides).rev() {
        let len = places.len();
        for state in 1..axis.card {
            let shift = (state * stride) as u32;
            places.extend_from_within(..len);
            places[state * len..].iter_mut().for_each(|place| *place += shift);
        }
    }
    Some(places)
}

/// Leaves out the cells that no block has, if they are many; returns where each cell is then.
fn squeeze(
    link: &mut Link,
    k: usize,
    links: usize,
    lanes: usize,
    link_places: &mut [u32],
) -> Option<Vec<u32>> {
    let width = if link.is_vector { lanes } else { 1 };
    if link.layout.len < 16 {
        return None;
    }
    let mut ranks = vec![MISSING; link.layout.len];
    for places in link_places.chunks_exact(links) {
        ranks[places[k] as usize..][..width].fill(0);
    }
    let used = ranks.iter().filter(|&&rank| rank == 0).count();
    if used * 10 > ranks.len() * 7 {
        return None;
    }
    let mut kept = Vec::with_capacity(used);
    for (cell, rank) in ranks.iter_mut().enumerate().filter(|(_, rank)| **rank == 0) {
        *rank = kept.len() as u32;
        kept.push(cell as u32);
    }
    for places in link_places.chunks_exact_mut(links) {
        places[k] = ranks[places[k] as usize];
    }
    link.layout.len = used;
    link.layout.kept = Some(kept);
    Some(ranks)
}
