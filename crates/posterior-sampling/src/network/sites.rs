//! The conditionals of a Gibbs chain, compiled: each block of variables given all others, which is given its
//! Markov blanket.
//!
//! A chain keeps, beside its state, the place in each table that the state points at: a draw reads one row,
//! and a change of state moves the places of the tables that depend on it.

use posterior_pgm::{GraphicalModel, MarkovRandomField, Table};
use rand::{Rng, RngExt};

use super::blocking::Blocks;
use super::support::advance;

/// A product of numbers up to 1 below this may have lost some of them; their logarithms are added instead.
const SMALLEST_PRODUCT: f64 = 1e-200;

/// Numbers of a table of conditionals, up to which it is worked out beforehand.
pub(super) const ROWS: usize = 4096;

/// The blocks of a chain with their conditionals.
#[derive(Debug)]
pub(super) struct Sites {
    all: Vec<Site>,
    /// The cells of all factors: divided by the greatest, and their logarithms.
    factors: Vec<Vec<f64>>,
    ln_factors: Vec<Vec<f64>>,
    /// All rows of all tables of conditionals, cumulative.
    rows: Vec<f64>,
    /// What a change of a block does to the places: how far the place moves for each joint state of the
    /// block.
    effects: Vec<Effect>,
    moves: Vec<u32>,
    /// How many places there are.
    places: usize,
    /// Where each variable is.
    homes: Vec<Home>,
}

/// A block of variables.
#[derive(Debug)]
struct Site {
    members: Vec<usize>,
    /// Joint states.
    cells: usize,
    conditional: Conditional,
    /// Its own in `effects`.
    effects: std::ops::Range<usize>,
}

#[derive(Debug)]
enum Conditional {
    /// Rows that begin here; the place says which.
    Rows { start: usize, place: usize },
    /// The product of factors, each with how far its place moves for each joint state of the block (in
    /// `moves`).
    Product(Vec<Part>),
}

#[derive(Debug, Clone, Copy)]
struct Part {
    factor: usize,
    place: usize,
    moves: usize,
}

#[derive(Debug, Clone, Copy)]
struct Effect {
    place: usize,
    moves: usize,
}

/// A variable as a digit of the joint state of its block.
#[derive(Debug, Clone, Copy)]
struct Home {
    site: usize,
    stride: u32,
    card: u32,
}

/// Where a chain is: the joint state of each block, and what the places are.
#[derive(Debug, Clone)]
pub(super) struct Position {
    joint: Vec<u32>,
    places: Vec<u32>,
}

impl Position {
    /// The joint state of a block.
    pub(super) fn joint(&self, site: usize) -> u32 {
        self.joint[site]
    }
}

impl Sites {
    /// Compiles the conditionals of these blocks; tables of up to `rows` numbers are worked out beforehand.
    pub(super) fn new(field: &MarkovRandomField, blocks: &Blocks, rows: usize) -> Self {
        let factors: Vec<&Table> = field.factors().iter().filter(|table| !table.scope().is_empty()).collect();
        let mut compiler = Compiler::new(field, blocks, &factors);
        for (site, block) in blocks.iter().enumerate() {
            compiler.add(site, block, rows);
        }
        compiler.finish()
    }

    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    /// The position at these states of all variables.
    pub(super) fn position(&self, states: &[usize]) -> Position {
        let mut position = Position { joint: vec![0; self.all.len()], places: vec![0; self.places] };
        for (site, own) in self.all.iter().enumerate() {
            let digit = |&v: &usize| self.homes[v].stride * states[v] as u32;
            let joint = own.members.iter().map(digit).sum();
            self.put(&mut position, site, joint);
        }
        position
    }

    /// The state of a variable.
    pub(super) fn state(&self, position: &Position, v: usize) -> u32 {
        let Home { site, stride, card } = self.homes[v];
        position.joint[site] / stride % card
    }

    /// The states of all variables.
    pub(super) fn states(&self, position: &Position) -> Vec<usize> {
        (0..self.homes.len()).map(|v| self.state(position, v) as usize).collect()
    }

    /// Draws a block given all others.
    pub(super) fn draw<R: Rng + ?Sized>(
        &self,
        position: &mut Position,
        site: usize,
        scratch: &mut Vec<f64>,
        rng: &mut R,
    ) {
        let own = &self.all[site];
        let u: f64 = rng.random();
        let drawn = match &own.conditional {
            &Conditional::Rows { start, place } => {
                let row = start + position.places[place] as usize;
                self.rows[row..row + own.cells].iter().position(|&c| u < c)
            }
            Conditional::Product(parts) => {
                self.product(position, own, parts, position.joint[site] as usize, scratch);
                accumulate(scratch);
                scratch.iter().position(|&c| u < c)
            }
        };
        // A row that adds up to 0 is of an impossible place, where no chain is: it stays.
        if let Some(drawn) = drawn {
            self.put(position, site, drawn as u32);
        }
    }

    /// The logarithms of the conditional of a block, up to a constant; of sites compiled without rows.
    pub(super) fn ln_conditional(&self, position: &Position, site: usize, into: &mut Vec<f64>) {
        let own = &self.all[site];
        if let Conditional::Product(parts) = &own.conditional {
            self.ln_product(position, own, parts, position.joint[site] as usize, into);
        }
    }

    /// Puts a block in this joint state.
    pub(super) fn put(&self, position: &mut Position, site: usize, joint: u32) {
        let before = std::mem::replace(&mut position.joint[site], joint);
        if before == joint {
            return;
        }
        let cells = self.all[site].cells;
        for effect in &self.effects[self.all[site].effects.clone()] {
            let moves = &self.moves[effect.moves..effect.moves + cells];
            let place = &mut position.places[effect.place];
            *place = place.wrapping_add(moves[joint as usize]).wrapping_sub(moves[before as usize]);
        }
    }

    fn product(&self, position: &Position, own: &Site, parts: &[Part], now: usize, into: &mut Vec<f64>) {
        into.clear();
        into.resize(own.cells, 1.0);
        for part in parts {
            let moves = &self.moves[part.moves..part.moves + own.cells];
            let base = (position.places[part.place] - moves[now]) as usize;
            let values = &self.factors[part.factor];
            for (product, &by) in into.iter_mut().zip(moves) {
                *product *= values[base + by as usize];
            }
        }
        if into.iter().copied().fold(0.0, f64::max) < SMALLEST_PRODUCT {
            self.ln_product(position, own, parts, now, into);
            exponentiate(into);
        }
    }

    fn ln_product(&self, position: &Position, own: &Site, parts: &[Part], now: usize, into: &mut Vec<f64>) {
        into.clear();
        into.resize(own.cells, 0.0);
        for part in parts {
            let moves = &self.moves[part.moves..part.moves + own.cells];
            let base = (position.places[part.place] - moves[now]) as usize;
            let values = &self.ln_factors[part.factor];
            for (sum, &by) in into.iter_mut().zip(moves) {
                *sum += values[base + by as usize];
            }
        }
    }
}

/// From logarithms to numbers up to 1.
pub(super) fn exponentiate(logarithms: &mut [f64]) {
    let greatest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let greatest = if greatest.is_finite() { greatest } else { 0.0 };
    for x in logarithms {
        *x = (*x - greatest).exp();
    }
}

/// From weights to the distribution function, which is 1 from the last positive weight on; zeros if all are.
pub(super) fn accumulate(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        let last = weights.iter().rposition(|&w| w > 0.0).unwrap_or(0);
        let mut sum = 0.0;
        for weight in weights.iter_mut() {
            sum += *weight;
            *weight = sum / total;
        }
        weights[last..].fill(1.0);
    }
}

/// Sites in the making.
struct Compiler<'a> {
    cards: &'a [usize],
    tables: &'a [&'a Table],
    /// For each variable the factors that hold it, each with the stride there.
    factors_of: Vec<Vec<(usize, usize)>>,
    /// The place of a factor, where one is needed.
    place_of: Vec<Option<usize>>,
    /// For each place, what moves it: variables with their strides.
    movers: Vec<Vec<(usize, usize)>>,
    sites: Sites,
}

impl<'a> Compiler<'a> {
    fn new(field: &'a MarkovRandomField, blocks: &Blocks, tables: &'a [&'a Table]) -> Self {
        let cards = field.variables().cards();
        let mut factors_of = vec![Vec::new(); cards.len()];
        for (f, table) in tables.iter().enumerate() {
            let mut stride = 1;
            for (v, card) in table.scope().iter().zip(table.cards()).rev() {
                factors_of[v.index()].push((f, stride));
                stride *= card;
            }
        }
        let mut homes = vec![Home { site: 0, stride: 1, card: 1 }; cards.len()];
        for (site, block) in blocks.iter().enumerate() {
            let mut stride = 1;
            for &v in block.iter().rev() {
                homes[v] = Home { site, stride: stride as u32, card: cards[v] as u32 };
                stride *= cards[v];
            }
        }
        let scaled = |table: &&Table| {
            let greatest = table.values().iter().copied().fold(0.0, f64::max);
            table.values().iter().map(|x| x / greatest).collect()
        };
        let sites = Sites {
            all: Vec::new(),
            factors: tables.iter().map(scaled).collect(),
            ln_factors: tables.iter().map(|t| t.values().iter().map(|x| x.ln()).collect()).collect(),
            rows: Vec::new(),
            effects: Vec::new(),
            moves: Vec::new(),
            places: 0,
            homes,
        };
        Self { cards, tables, factors_of, place_of: vec![None; tables.len()], movers: Vec::new(), sites }
    }

    fn add(&mut self, site: usize, block: &[usize], most: usize) {
        let cells: usize = block.iter().map(|&v| self.cards[v]).product();
        let mut factors: Vec<usize> =
            block.iter().flat_map(|&v| self.factors_of[v].iter().map(|&(f, _)| f)).collect();
        factors.sort_unstable();
        factors.dedup();
        let mut blanket: Vec<usize> =
            factors.iter().flat_map(|&f| self.tables[f].scope()).map(|v| v.index()).collect();
        blanket.sort_unstable();
        blanket.dedup();
        blanket.retain(|&v| self.sites.homes[v].site != site);
        let size = blanket.iter().try_fold(cells, |size, &v| size.checked_mul(self.cards[v]));
        let conditional = if size.is_some_and(|size| size <= most) {
            self.rows(block, cells, &factors, &blanket)
        } else {
            Conditional::Product(factors.iter().map(|&f| self.part(block, cells, f)).collect())
        };
        self.sites.all.push(Site { members: block.to_vec(), cells, conditional, effects: 0..0 });
    }

    /// How far a place moves for each joint state of a block, given how far it moves for one state more of
    /// each member.
    fn push_moves(&mut self, block: &[usize], cells: usize, stride: impl Fn(usize) -> usize) -> usize {
        let start = self.sites.moves.len();
        let cards: Vec<usize> = block.iter().map(|&v| self.cards[v]).collect();
        let strides: Vec<usize> = block.iter().map(|&v| stride(v)).collect();
        let mut states = vec![0; block.len()];
        for _ in 0..cells {
            let by: usize = states.iter().zip(&strides).map(|(state, stride)| state * stride).sum();
            self.sites.moves.push(by as u32);
            advance(&mut states, &cards);
        }
        start
    }

    fn stride(&self, v: usize, factor: usize) -> usize {
        self.factors_of[v].iter().find(|&&(f, _)| f == factor).map_or(0, |&(_, stride)| stride)
    }

    /// A factor of a block whose conditional is worked out anew each time.
    fn part(&mut self, block: &[usize], cells: usize, factor: usize) -> Part {
        let place = self.place_of[factor].unwrap_or_else(|| {
            let strides = self.tables[factor].scope().iter().map(|v| v.index());
            self.movers.push(strides.map(|v| (v, self.stride(v, factor))).collect());
            self.movers.len() - 1
        });
        self.place_of[factor] = Some(place);
        let strides: Vec<usize> = block.iter().map(|&v| self.stride(v, factor)).collect();
        let stride = |v: usize| strides[block.iter().position(|&own| own == v).unwrap_or(0)];
        let moves = self.push_moves(block, cells, stride);
        Part { factor, place, moves }
    }

    /// A row for each joint state of the blanket.
    fn rows(&mut self, block: &[usize], cells: usize, factors: &[usize], blanket: &[usize]) -> Conditional {
        let all: Vec<usize> = blanket.iter().chain(block).copied().collect();
        let cards: Vec<usize> = all.iter().map(|&v| self.cards[v]).collect();
        let size: usize = cards.iter().product();
        let start = self.sites.rows.len();
        let mut row = vec![0.0; size];
        for &f in factors {
            let strides: Vec<usize> = all.iter().map(|&v| self.stride(v, f)).collect();
            let mut states = vec![0; all.len()];
            for sum in &mut row {
                let cell: usize = states.iter().zip(&strides).map(|(state, stride)| state * stride).sum();
                *sum += self.sites.ln_factors[f][cell];
                advance(&mut states, &cards);
            }
        }
        for own in row.chunks_exact_mut(cells) {
            exponentiate(own);
            accumulate(own);
        }
        self.sites.rows.extend(row);
        let mut stride = cells;
        let mut movers = Vec::new();
        for &v in blanket.iter().rev() {
            movers.push((v, stride));
            stride *= self.cards[v];
        }
        self.movers.push(movers);
        Conditional::Rows { start, place: self.movers.len() - 1 }
    }

    fn finish(mut self) -> Sites {
        let movers = std::mem::take(&mut self.movers);
        let mut places_of: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); self.sites.all.len()];
        for (place, own) in movers.iter().enumerate() {
            for &(v, stride) in own {
                places_of[self.sites.homes[v].site].push((place, v, stride));
            }
        }
        for (site, own) in places_of.into_iter().enumerate() {
            let (block, cells) = (self.sites.all[site].members.clone(), self.sites.all[site].cells);
            let start = self.sites.effects.len();
            for of_place in own.chunk_by(|a, b| a.0 == b.0) {
                let stride = |v: usize| of_place.iter().find(|own| own.1 == v).map_or(0, |own| own.2);
                let moves = self.push_moves(&block, cells, stride);
                self.sites.effects.push(Effect { place: of_place[0].0, moves });
            }
            self.sites.all[site].effects = start..self.sites.effects.len();
        }
        self.sites.places = movers.len();
        self.sites
    }
}
