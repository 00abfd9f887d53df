//! The state of an ascent, and its updates.

use posterior_math::vector::dot;
use posterior_pgm::{LogSumProduct, Table, VarId};
use rand::{Rng, RngExt};

use crate::Error;
use crate::belief_propagation::{Damping, Network, Passing, two_passes};
use crate::sliced::Sliced;

/// What a zero costs instead of -∞. A state that pays it in full has probability 0 in doubles.
const PENALTY: f64 = 1e5;

/// The variables of a factor that are in the same block.
#[derive(Debug, Clone)]
struct Group {
    block: usize,
    /// The joint state of the group in each cell of the factor.
    places: Vec<u32>,
    /// The distribution of the joint states; kept here only where the group has more than one variable.
    joint: Vec<f64>,
    variable: Option<usize>,
}

#[derive(Debug, Clone)]
struct Factor {
    /// ln f, or [`PENALTY`] below where f is zero.
    logs: Vec<f64>,
    zeros: Vec<usize>,
    groups: Vec<Group>,
}

#[derive(Debug, Clone)]
struct Block {
    variables: Vec<usize>,
    /// Factors and groups: those with one variable of the block, and those with more.
    fields: Vec<(usize, usize)>,
    inner: Vec<(usize, usize)>,
    /// The tree within; none of a variable alone.
    net: Option<Network>,
    entropy: f64,
}

/// q, with all that its updates need.
#[derive(Debug, Clone)]
pub(super) struct Ascent<'a> {
    sliced: &'a Sliced,
    locals: Vec<Vec<f64>>,
    factors: Vec<Factor>,
    blocks: Vec<Block>,
    q: Vec<Vec<f64>>,
}

impl<'a> Ascent<'a> {
    /// From the uniform distribution.
    pub(super) fn new(sliced: &'a Sliced, blocks: &[Vec<usize>]) -> Self {
        let mut block_of = vec![usize::MAX; sliced.locals.len()];
        for (b, variables) in blocks.iter().enumerate() {
            for &v in variables {
                block_of[v] = b;
            }
        }
        let factors: Vec<Factor> =
            sliced.factors.iter().map(|table| factor(sliced, table, &block_of)).collect();
        let mut own: Vec<Block> = blocks
            .iter()
            .map(|variables| Block {
                variables: variables.clone(),
                fields: Vec::new(),
                inner: Vec::new(),
                net: None,
                entropy: 0.0,
            })
            .collect();
        for (s, factor) in factors.iter().enumerate() {
            for (g, group) in factor.groups.iter().enumerate() {
                let block = &mut own[group.block];
                if group.variable.is_some() { &mut block.fields } else { &mut block.inner }.push((s, g));
            }
        }
        for block in own.iter_mut().filter(|block| block.variables.len() > 1) {
            block.net = Some(network(sliced, &block.variables, &block.inner));
        }
        let q = sliced.locals.iter().map(|local| vec![1.0 / local.len() as f64; local.len()]).collect();
        let ln = |&x: &f64| penalized(sliced.ln(x));
        let locals = sliced.locals.iter().map(|local| local.iter().map(ln).collect()).collect();
        let mut ascent = Self { sliced, locals, factors, blocks: own, q };
        ascent.forget();
        ascent
    }

    /// Begins again from random probabilities.
    pub(super) fn randomize<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        for own in &mut self.q {
            for p in own.iter_mut() {
                *p = 1e-3 - (1.0 - rng.random::<f64>()).ln();
            }
            let sum: f64 = own.iter().sum();
            for p in own.iter_mut() {
                *p /= sum;
            }
        }
        self.forget();
    }

    /// Takes all variables as independent.
    fn forget(&mut self) {
        let q = &self.q;
        for (factor, table) in self.factors.iter_mut().zip(&self.sliced.factors) {
            for group in factor.groups.iter_mut().filter(|group| group.variable.is_none()) {
                let block = &self.blocks[group.block].variables;
                let members = |v: &&VarId| block.binary_search(&v.index()).is_ok();
                let mut joint = vec![1.0];
                for v in table.scope().iter().filter(members) {
                    joint = joint.iter().flat_map(|p| q[v.index()].iter().map(move |own| p * own)).collect();
                }
                group.joint = joint;
            }
        }
        for block in &mut self.blocks {
            block.entropy = block.variables.iter().map(|&v| entropy(&q[v])).sum();
        }
    }

    pub(super) fn marginal(&self, v: usize) -> &[f64] {
        &self.q[v]
    }

    /// The bound on ln Z, where a zero costs the penalty.
    pub(super) fn objective(&self) -> f64 {
        let blocks: f64 = self.blocks.iter().map(|block| block.entropy).sum();
        let locals: f64 = self.q.iter().zip(&self.locals).map(|(q, local)| dot(q, local)).sum();
        let factors: f64 = (0..self.factors.len()).map(|s| self.expected(s)).sum();
        self.sliced.ln_constant + blocks + locals + factors
    }

    /// The lower bound on ln Z: -∞ if an impossible state has mass.
    pub(super) fn bound(&self) -> f64 {
        let local_mass = self.q.iter().zip(&self.sliced.locals).any(|(q, local)| {
            q.iter().zip(local).any(|(&q, &local)| q > 0.0 && self.sliced.ln(local) == f64::NEG_INFINITY)
        });
        let mass = |factor: &Factor| factor.zeros.iter().any(|&cell| self.weight(factor, cell, None) > 0.0);
        if local_mass || self.factors.iter().any(mass) { f64::NEG_INFINITY } else { self.objective() }
    }

    /// Updates every block once. Returns the greatest change of a marginal.
    pub(super) fn sweep(&mut self) -> Result<f64, Error> {
        (0..self.block_count()).try_fold(0.0, |greatest: f64, b| Ok(greatest.max(self.update(b)?)))
    }

    pub(super) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The best distribution of a block, all others as they are. Returns the greatest change of a marginal.
    pub(super) fn update(&mut self, b: usize) -> Result<f64, Error> {
        let mut fields: Vec<Vec<f64>> =
            self.blocks[b].variables.iter().map(|&v| self.locals[v].clone()).collect();
        for &(s, g) in &self.blocks[b].fields {
            let v = self.factors[s].groups[g].variable.expect("invariant: a field is of one variable");
            let place = self.blocks[b].variables.binary_search(&v);
            let field = &mut fields[place.expect("invariant: a field is of a variable of the block")];
            self.add_expectation(s, g, field);
        }
        if self.blocks[b].net.is_none() {
            return Ok(self.update_variable(b, &mut fields[0]));
        }
        let inner: Vec<Vec<f64>> = self.blocks[b]
            .inner
            .iter()
            .map(|&(s, g)| {
                let mut table = vec![0.0; self.factors[s].groups[g].joint.len()];
                self.add_expectation(s, g, &mut table);
                table
            })
            .collect();
        self.update_tree(b, &fields, &inner)
    }

    fn update_variable(&mut self, b: usize, field: &mut [f64]) -> f64 {
        let v = self.blocks[b].variables[0];
        posterior_math::log_space::softmax_in_place(field);
        let change = difference(&self.q[v], field);
        self.q[v].copy_from_slice(field);
        self.blocks[b].entropy = entropy(field);
        change
    }

    fn update_tree(&mut self, b: usize, fields: &[Vec<f64>], inner: &[Vec<f64>]) -> Result<f64, Error> {
        let block = &mut self.blocks[b];
        let mut net = block.net.take().expect("invariant: a tree has a network");
        net.locals = fields.concat();
        net.tables = inner.concat();
        let distributions = tree_distributions(&net).map_err(|_| Error::ImpossibleEvidence)?;
        block.net = Some(net);
        let mut change = 0.0_f64;
        block.entropy = distributions.ln_z;
        for ((&v, own), field) in block.variables.iter().zip(distributions.variables).zip(fields) {
            change = change.max(difference(&self.q[v], &own));
            block.entropy -= dot(&own, field);
            self.q[v] = own;
        }
        for ((&(s, g), own), table) in block.inner.iter().zip(distributions.factors).zip(inner) {
            block.entropy -= dot(&own, table);
            self.factors[s].groups[g].joint = own;
        }
        Ok(change)
    }

    /// Adds E ln f given each joint state of a group.
    fn add_expectation(&self, s: usize, g: usize, out: &mut [f64]) {
        let factor = &self.factors[s];
        let places = &factor.groups[g].places;
        if let [a, b] = &factor.groups[..] {
            let distribution = self.distribution(if g == 0 { b } else { a });
            let others = if g == 0 { &b.places } else { &a.places };
            for ((&ln, &own), &other) in factor.logs.iter().zip(places).zip(others) {
                out[own as usize] += distribution[other as usize] * ln;
            }
            return;
        }
        for (cell, (&ln, &own)) in factor.logs.iter().zip(places).enumerate() {
            out[own as usize] += self.weight(factor, cell, Some(g)) * ln;
        }
    }

    fn expected(&self, s: usize) -> f64 {
        let factor = &self.factors[s];
        factor.logs.iter().enumerate().map(|(cell, &ln)| self.weight(factor, cell, None) * ln).sum()
    }

    /// The probability of a cell, but for one group.
    fn weight(&self, factor: &Factor, cell: usize, but: Option<usize>) -> f64 {
        let others = factor.groups.iter().enumerate().filter(|(g, _)| Some(*g) != but);
        others.map(|(_, group)| self.distribution(group)[group.places[cell] as usize]).product()
    }

    fn distribution<'b>(&'b self, group: &'b Group) -> &'b [f64] {
        group.variable.map_or(&group.joint, |v| &self.q[v])
    }
}

/// The distributions of a tree whose tables are logarithms.
struct TreeDistributions {
    variables: Vec<Vec<f64>>,
    factors: Vec<Vec<f64>>,
    ln_z: f64,
}

fn tree_distributions(net: &Network) -> Result<TreeDistributions, crate::belief_propagation::Failure> {
    let mut passing = Passing::<LogSumProduct>::of_logarithms(net, Damping::None)?;
    let ln_z = two_passes(&mut passing)?;
    let mut variables = Vec::with_capacity(net.cards.len());
    for (v, &card) in net.cards.iter().enumerate() {
        let mut own = vec![0.0; card];
        passing.belief(v, &mut own)?;
        variables.push(own);
    }
    let factors = (0..net.factor_count()).map(|s| passing.factor_belief(s)).collect::<Result<_, _>>()?;
    Ok(TreeDistributions { variables, factors, ln_z })
}

fn factor(sliced: &Sliced, table: &Table, block_of: &[usize]) -> Factor {
    let mut members: Vec<(usize, Vec<usize>)> = Vec::new();
    for (axis, v) in table.scope().iter().enumerate() {
        let block = block_of[v.index()];
        match members.iter_mut().find(|(own, _)| *own == block) {
            Some((_, axes)) => axes.push(axis),
            None => members.push((block, vec![axis])),
        }
    }
    let cards = table.cards();
    let place = |cell: usize, axes: &[usize]| {
        axes.iter().fold(0, |place, &axis| {
            let inner: usize = cards[axis + 1..].iter().product();
            place * cards[axis] + cell / inner % cards[axis]
        })
    };
    let cells = table.values().len();
    let groups = members
        .iter()
        .map(|(block, axes)| Group {
            block: *block,
            places: (0..cells).map(|cell| place(cell, axes) as u32).collect(),
            joint: vec![0.0; if axes.len() > 1 { axes.iter().map(|&axis| cards[axis]).product() } else { 0 }],
            variable: if let [axis] = axes[..] { Some(table.scope()[axis].index()) } else { None },
        })
        .collect();
    let ln = |cell: usize| sliced.ln(table.values()[cell]);
    let logs = (0..cells).map(|cell| penalized(ln(cell))).collect();
    let zeros = (0..cells).filter(|&cell| ln(cell) == f64::NEG_INFINITY).collect();
    Factor { logs, zeros, groups }
}

/// The tree of a block, with its variables numbered from 0, and no numbers yet.
fn network(sliced: &Sliced, variables: &[usize], inner: &[(usize, usize)]) -> Network {
    let place = |v: usize| variables.binary_search(&v).ok();
    let factors = inner.iter().map(|&(s, _)| {
        let table = &sliced.factors[s];
        let own: Vec<usize> = table.scope().iter().filter_map(|v| place(v.index())).collect();
        let cards: Vec<usize> = own.iter().map(|&i| sliced.locals[variables[i]].len()).collect();
        let ones = vec![1.0; cards.iter().product()];
        Table::new(own.into_iter().map(VarId::new).collect(), cards, ones)
            .expect("invariant: a part of the scope of a table is a scope")
    });
    Network::new(&Sliced {
        observed: vec![None; variables.len()],
        factors: factors.collect(),
        sources: (0..inner.len()).collect(),
        locals: variables.iter().map(|&v| sliced.locals[v].clone()).collect(),
        ln_constant: 0.0,
        logarithms: true,
    })
}

fn penalized(ln: f64) -> f64 {
    if ln > f64::NEG_INFINITY { ln } else { -PENALTY }
}

fn entropy(p: &[f64]) -> f64 {
    -p.iter().map(|&p| if p > 0.0 { p * p.ln() } else { 0.0 }).sum::<f64>()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |greatest, (a, b)| greatest.max((a - b).abs()))
}
