//! Messages on a network, and the steps that renew them.

use std::marker::PhantomData;

use super::Damping;
use super::domain::Domain;
use super::kernel::{self, Scratch};
use super::network::{NONE, Network};
use crate::sliced::{SMALLEST_PRODUCT, least_positive};

/// Why messages could not be passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No joint state is possible.
    Impossible,
    /// A product may have become 0 though no factor is: logarithms are needed.
    Underflow,
}

/// A message that was renewed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sent {
    /// By how much it differs from the one before.
    pub(crate) change: f64,
    /// The logarithm by which it was divided.
    pub(crate) ln_scale: f64,
}

/// All messages of a network. The greatest value of each is 1.
#[derive(Debug, Clone)]
pub(crate) struct Passing<'n, S> {
    pub(crate) net: &'n Network,
    tables: Vec<f64>,
    locals: Vec<f64>,
    /// From factors to variables.
    pub(crate) to_variable: Vec<f64>,
    /// From variables to factors: always what the messages to the variable say.
    pub(crate) to_factor: Vec<f64>,
    /// The least positive value of each table, local vector and message.
    table_floors: Vec<f64>,
    local_floors: Vec<f64>,
    variable_floors: Vec<f64>,
    factor_floors: Vec<f64>,
    damping: Damping,
    scratch: Scratch,
    fresh: Vec<f64>,
    product: Vec<f64>,
    semiring: PhantomData<S>,
}

impl<'n, S: Domain> Passing<'n, S> {
    /// Messages that say nothing yet.
    pub(crate) fn new(net: &'n Network, damping: Damping) -> Result<Self, Failure> {
        if net.logarithms {
            // What is too far apart for numbers as they are.
            return if S::LINEAR { Err(Failure::Underflow) } else { Self::of_logarithms(net, damping) };
        }
        let into = |values: &[f64]| values.iter().map(|&x| S::from_linear(x)).collect::<Vec<f64>>();
        Self::of(net, into(&net.tables), into(&net.locals), damping)
    }

    /// As [`new`](Self::new), of a network whose numbers are in the scale of S already.
    pub(crate) fn of_logarithms(net: &'n Network, damping: Damping) -> Result<Self, Failure> {
        Self::of(net, net.tables.clone(), net.locals.clone(), damping)
    }

    fn of(net: &'n Network, tables: Vec<f64>, locals: Vec<f64>, damping: Damping) -> Result<Self, Failure> {
        let variables = net.cards.len();
        let mut passing = Self {
            net,
            tables,
            locals,
            to_variable: vec![S::ONE; net.message_count()],
            to_factor: vec![S::ONE; net.message_count()],
            table_floors: (0..net.factor_count())
                .map(|s| least_positive(&net.tables[net.table(s)]))
                .collect(),
            local_floors: (0..variables).map(|v| least_positive(&net.locals[net.local(v)])).collect(),
            variable_floors: vec![1.0; net.edge_count()],
            factor_floors: vec![1.0; net.edge_count()],
            damping,
            scratch: Scratch::default(),
            fresh: Vec::new(),
            product: Vec::new(),
            semiring: PhantomData,
        };
        net.order.iter().try_for_each(|&v| passing.fan_out(v))?;
        Ok(passing)
    }

    /// Renews the message to the variable of an edge.
    pub(crate) fn send(&mut self, edge: usize) -> Result<Sent, Failure> {
        let place = self.net.message(edge);
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.resize(place.len(), S::ZERO);
        let sent = self.compute(edge, &mut fresh);
        if sent.is_ok() {
            self.to_variable[place].copy_from_slice(&fresh);
            self.note_floor(edge);
        }
        self.fresh = fresh;
        sent
    }

    /// What the message to the variable of an edge would become.
    pub(crate) fn compute(&mut self, edge: usize, out: &mut [f64]) -> Result<Sent, Failure> {
        let s = self.net.edge_factor[edge];
        let edges = self.net.edges(s);
        self.check_factor(s, edge)?;
        let axis = edge - edges.start;
        let incoming = &self.to_factor[self.net.messages(s)];
        let table = &self.tables[self.net.table(s)];
        kernel::send_one::<S>(table, &self.net.edge_cards[edges], incoming, axis, out, &mut self.scratch);
        let ln_scale = S::normalize(out).ok_or(Failure::Impossible)?;
        Ok(Sent { change: self.damp(edge, out), ln_scale })
    }

    /// Renews all messages of a factor into `out`, which is of the length of them all; returns the greatest
    /// change.
    pub(crate) fn compute_all(&mut self, s: usize, out: &mut [f64]) -> Result<f64, Failure> {
        self.check_factor(s, NONE)?;
        let messages = self.net.messages(s);
        let incoming = &self.to_factor[messages.clone()];
        let table = &self.tables[self.net.table(s)];
        kernel::send_all::<S>(table, self.net.factor_cards(s), incoming, out, &mut self.scratch);
        let mut greatest = 0.0_f64;
        for edge in self.net.edges(s) {
            let place = self.net.message(edge);
            let own = &mut out[place.start - messages.start..place.end - messages.start];
            S::normalize(own).ok_or(Failure::Impossible)?;
            greatest = greatest.max(self.damp(edge, own));
        }
        Ok(greatest)
    }

    /// Puts a message to a variable in place.
    pub(crate) fn accept(&mut self, edge: usize, message: &[f64]) {
        let place = self.net.message(edge);
        self.to_variable[place].copy_from_slice(message);
        self.note_floor(edge);
    }

    /// Puts messages to all variables in place.
    pub(crate) fn accept_all(&mut self, messages: &mut Vec<f64>) {
        std::mem::swap(&mut self.to_variable, messages);
        (0..self.net.edge_count()).for_each(|edge| self.note_floor(edge));
    }

    /// Renews the messages from a variable to all its factors: to each the product of what the others said.
    /// O(edges × states).
    pub(crate) fn fan_out(&mut self, v: usize) -> Result<(), Failure> {
        let Self { net, product, to_factor, to_variable, .. } = self;
        let edges = net.edges_of(v);
        product.clear();
        product.extend_from_slice(&self.locals[net.local(v)]);
        let mut floor = self.local_floors[v];
        for &edge in edges {
            to_factor[net.message(edge)].copy_from_slice(product);
            multiply::<S>(product, &to_variable[net.message(edge)]);
            floor *= self.variable_floors[edge];
        }
        if S::LINEAR && floor < SMALLEST_PRODUCT {
            return Err(Failure::Underflow);
        }
        if product.iter().all(|&x| x == S::ZERO) {
            return Err(Failure::Impossible);
        }
        product.fill(S::ONE);
        for &edge in edges.iter().rev() {
            let own = &mut to_factor[net.message(edge)];
            multiply::<S>(own, product);
            S::normalize(own).ok_or(Failure::Impossible)?;
            if S::LINEAR {
                self.factor_floors[edge] = least_positive(own);
            }
            multiply::<S>(product, &to_variable[net.message(edge)]);
        }
        Ok(())
    }

    /// On a forest, inwards: renews the messages from the children, and the one to the parent. Returns the
    /// logarithm of all that they were divided by: over all variables ln Z.
    pub(crate) fn collect(&mut self, v: usize) -> Result<f64, Failure> {
        let net = self.net;
        let parent = net.parent_edge[v];
        let (mut floor, mut ln_scale) = (self.local_floors[v], 0.0);
        let mut product = std::mem::take(&mut self.product);
        product.clear();
        product.extend_from_slice(&self.locals[net.local(v)]);
        for &edge in net.edges_of(v).iter().filter(|&&edge| edge != parent) {
            ln_scale += self.send(edge)?.ln_scale;
            multiply::<S>(&mut product, &self.to_variable[net.message(edge)]);
            floor *= self.variable_floors[edge];
        }
        if S::LINEAR && floor < SMALLEST_PRODUCT {
            return Err(Failure::Underflow);
        }
        ln_scale += S::normalize(&mut product).ok_or(Failure::Impossible)?;
        if parent == NONE {
            ln_scale += S::ln(product.iter().copied().fold(S::ZERO, S::add));
        } else {
            self.factor_floors[parent] = if S::LINEAR { least_positive(&product) } else { 1.0 };
            self.to_factor[net.message(parent)].copy_from_slice(&product);
        }
        self.product = product;
        Ok(ln_scale)
    }

    /// On a forest, outwards: hears from the parent last, and tells all children.
    pub(crate) fn distribute(&mut self, v: usize) -> Result<(), Failure> {
        let net = self.net;
        self.fan_out(v)?;
        for &edge in net.edges_of(v).iter().filter(|&&edge| edge != net.parent_edge[v]) {
            let edges = net.edges(net.edge_factor[edge]);
            if edges.len() < 4 {
                edges.filter(|&other| other != edge).try_for_each(|other| self.send(other).map(drop))?;
                continue;
            }
            let messages = net.messages(net.edge_factor[edge]);
            let mut fresh = std::mem::take(&mut self.fresh);
            fresh.resize(messages.len(), S::ZERO);
            self.compute_all(net.edge_factor[edge], &mut fresh)?;
            for other in edges.filter(|&other| other != edge) {
                let place = net.message(other);
                self.accept(other, &fresh[place.start - messages.start..place.end - messages.start]);
            }
            self.fresh = fresh;
        }
        Ok(())
    }

    /// The probabilities of the states of a variable.
    pub(crate) fn belief(&self, v: usize, out: &mut [f64]) -> Result<(), Failure> {
        out.copy_from_slice(&self.locals[self.net.local(v)]);
        for &edge in self.net.edges_of(v) {
            multiply::<S>(out, &self.to_variable[self.net.message(edge)]);
        }
        probabilities::<S>(out)
    }

    /// The probabilities of the joint states of a factor.
    pub(crate) fn factor_belief(&self, s: usize) -> Result<Vec<f64>, Failure> {
        let mut out = self.weighted(s);
        probabilities::<S>(&mut out)?;
        Ok(out)
    }

    /// The table of a factor times what its variables say.
    pub(crate) fn weighted(&self, s: usize) -> Vec<f64> {
        let table = &self.tables[self.net.table(s)];
        kernel::absorb::<S>(table, self.net.factor_cards(s), &self.to_factor[self.net.messages(s)])
    }

    /// ∑ₛ ln Zₛ + ∑ᵥ ln Zᵥ - ∑ₛᵥ ln Zₛᵥ: Bethe's approximation at a fixed point. Z is the sum of a table, of
    /// a variable and of an edge, times all messages to it.
    pub(crate) fn bethe(&mut self) -> Result<f64, Failure> {
        let net = self.net;
        let mut ln_z = 0.0;
        let mut add = |value: f64, sign: f64| {
            ln_z += sign * S::ln(value);
            if value == S::ZERO { Err(Failure::Impossible) } else { Ok(()) }
        };
        for s in 0..net.factor_count() {
            let incoming = &self.to_factor[net.messages(s)];
            let table = &self.tables[net.table(s)];
            add(kernel::total::<S>(table, net.factor_cards(s), incoming, &mut self.scratch), 1.0)?;
        }
        let mut product = std::mem::take(&mut self.product);
        for &v in &net.order {
            product.clear();
            product.extend_from_slice(&self.locals[net.local(v)]);
            for &edge in net.edges_of(v) {
                multiply::<S>(&mut product, &self.to_variable[net.message(edge)]);
            }
            add(product.iter().copied().fold(S::ZERO, S::add), 1.0)?;
        }
        self.product = product;
        for edge in 0..net.edge_count() {
            let (m, n) = (&self.to_variable[net.message(edge)], &self.to_factor[net.message(edge)]);
            add(m.iter().zip(n).fold(S::ZERO, |sum, (&m, &n)| S::add(sum, S::multiply(m, n))), -1.0)?;
        }
        Ok(ln_z)
    }

    /// That the sum over a table, but for one edge, can't underflow.
    fn check_factor(&self, s: usize, but: usize) -> Result<(), Failure> {
        if !S::LINEAR {
            return Ok(());
        }
        let mut floor = self.table_floors[s];
        self.net.edges(s).filter(|&edge| edge != but).for_each(|edge| floor *= self.factor_floors[edge]);
        if floor < SMALLEST_PRODUCT { Err(Failure::Underflow) } else { Ok(()) }
    }

    fn note_floor(&mut self, edge: usize) {
        if S::LINEAR {
            self.variable_floors[edge] = least_positive(&self.to_variable[self.net.message(edge)]);
        }
    }

    /// The change of a message; the new message is mixed with the old one.
    fn damp(&self, edge: usize, fresh: &mut [f64]) -> f64 {
        let old = &self.to_variable[self.net.message(edge)];
        let mut change = 0.0_f64;
        for (new, &old) in fresh.iter_mut().zip(old) {
            change = change.max((S::to_linear(*new) - S::to_linear(old)).abs());
            match self.damping {
                Damping::Linear(keep) => {
                    *new = S::from_linear((1.0 - keep) * S::to_linear(*new) + keep * S::to_linear(old));
                }
                Damping::Geometric(keep) if keep > 0.0 => {
                    let ln = (1.0 - keep) * S::ln(*new) + keep * S::ln(old);
                    *new = if S::LINEAR { ln.exp() } else { ln };
                }
                Damping::Geometric(_) | Damping::None => {}
            }
        }
        change
    }
}

/// own ⊗ other, one after another.
fn multiply<S: Domain>(own: &mut [f64], other: &[f64]) {
    for (x, &y) in own.iter_mut().zip(other) {
        *x = S::multiply(*x, y);
    }
}

/// Out of the scale, divided by the sum.
fn probabilities<S: Domain>(values: &mut [f64]) -> Result<(), Failure> {
    S::normalize(values).ok_or(Failure::Impossible)?;
    for x in &mut *values {
        *x = S::to_linear(*x);
    }
    let sum: f64 = values.iter().sum();
    for x in &mut *values {
        *x /= sum;
    }
    Ok(())
}
