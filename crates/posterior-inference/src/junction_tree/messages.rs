//! Messages of a propagation: towards the roots, and back.

use posterior_pgm::VarId;

use super::arithmetic::{Arithmetic, Scale};
use super::compile::{MISSING, Potentials};
use super::kernel::{Input, project, spread};
use super::tree::{Home, Tree};

/// A tree with its potentials.
#[derive(Clone, Copy)]
pub(super) struct Compiled<'a> {
    pub(super) tree: &'a Tree,
    pub(super) potentials: &'a Potentials,
}

/// What was seen, as weights in the tables of the links: of the private variables of each clique, and of the separator
/// above it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Findings {
    pub(super) private: Vec<Option<Vec<f64>>>,
    pub(super) separator: Vec<Option<Vec<f64>>>,
}

/// Messages, in the tables of the receiving clique.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Messages {
    up: Vec<Vec<f64>>,
    up_state: Vec<State>,
    scales: Vec<Scale>,
    down: Vec<Vec<f64>>,
    down_done: Vec<bool>,
    /// For each clique whether its messages down and its marginals are done.
    spread_done: Vec<bool>,
    /// ln of the smallest entry of a message that is not zero.
    up_ln_least: Vec<f64>,
    down_ln_least: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Stale,
    /// All ones.
    Unit,
    Done,
}

/// Why a propagation came to no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// No joint state is possible.
    Impossible,
    /// A product may have been too small for a number: logarithms are needed.
    Underflow,
}

/// Products of numbers that are not smaller than e to this power are exact but for rounding.
const SAFE: f64 = -670.0;

impl Messages {
    pub(super) fn new(cliques: usize) -> Self {
        Self {
            up: vec![Vec::new(); cliques],
            up_state: vec![State::Stale; cliques],
            scales: vec![Scale::default(); cliques],
            down: vec![Vec::new(); cliques],
            down_done: vec![false; cliques],
            spread_done: vec![false; cliques],
            up_ln_least: vec![0.0; cliques],
            down_ln_least: vec![0.0; cliques],
        }
    }

    /// Something changed in clique `c`, or in the separator above it.
    pub(super) fn touch(&mut self, tree: &Tree, c: usize) {
        let mut at = Some(c);
        while let Some(c) = at {
            self.up_state[c] = State::Stale;
            at = tree.nodes[c].parent;
        }
        self.down_done.fill(false);
        self.spread_done.fill(false);
    }

    /// The message of clique `c` to its parent; nothing if it is one.
    pub(super) fn up(&self, c: usize) -> Option<&[f64]> {
        (self.up_state[c] == State::Done).then_some(&self.up[c])
    }

    pub(super) fn down(&self, c: usize) -> &[f64] {
        &self.down[c]
    }

    /// All messages towards the roots that are missing; those that are one for certain are left out where `units` is so.
    pub(super) fn collect<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        units: Units,
    ) -> Result<(), Failure> {
        for c in (0..compiled.tree.nodes.len()).rev() {
            if self.up_state[c] == State::Stale {
                self.send_up::<S>(compiled, findings, c, units)?;
            }
        }
        Ok(())
    }

    fn send_up<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        c: usize,
        units: Units,
    ) -> Result<(), Failure> {
        let node = &compiled.tree.nodes[c];
        let potential = &compiled.potentials.cliques[c];
        let above = findings.separator[c].as_ref();
        let is_plain = units == Units::LeftOut
            && node.unit
            && findings.private[c].is_none()
            && node.children.iter().all(|&child| self.up_state[child] == State::Unit);
        self.scales[c] = Scale::default();
        if is_plain && above.is_none() {
            self.up_state[c] = State::Unit;
            return Ok(());
        }
        let mut message = std::mem::take(&mut self.up[c]);
        message.clear();
        if let (true, Some(above)) = (is_plain, above) {
            message.extend_from_slice(above);
        } else {
            let len = match node.parent {
                None => 1,
                Some(p) => compiled.potentials.cliques[p].links[node.slot + 1].layout.len,
            };
            message.resize(len, S::ZERO);
            let inputs = self.inputs(compiled.tree, findings, c, None);
            self.check(compiled, c, &inputs, above.map(|above| S::ln_least(above).min(0.0)))?;
            match &compiled.potentials.routes[c] {
                None => project::<S>(potential, &inputs, &mut message),
                Some(route) => {
                    let mut own = vec![S::ZERO; route.len()];
                    project::<S>(potential, &inputs, &mut own);
                    for (&to, &value) in route.iter().zip(&own).filter(|(to, _)| **to != MISSING) {
                        message[to as usize] = value;
                    }
                }
            }
            if let Some(above) = above {
                message.iter_mut().zip(above).for_each(|(a, &b)| *a = S::multiply(*a, b));
            }
        }
        self.scales[c] = S::scale(&mut message).ok_or(Failure::Impossible)?;
        self.up_ln_least[c] = S::ln_least(&message);
        self.up[c] = message;
        self.up_state[c] = State::Done;
        Ok(())
    }

    /// The messages into clique `c` by all links but the parent's, and by the parent's if it is given.
    pub(super) fn inputs<'a>(
        &'a self,
        tree: &Tree,
        findings: &'a Findings,
        c: usize,
        down: Option<&'a [f64]>,
    ) -> Vec<Input<'a>> {
        let node = &tree.nodes[c];
        let mut inputs: Vec<Input<'a>> = Vec::with_capacity(node.children.len() + 2);
        inputs.extend(down.map(|down| (0, down)));
        for (i, &child) in node.children.iter().enumerate() {
            inputs.extend(self.up(child).map(|up| (i + 1, up)));
        }
        inputs.extend(findings.private[c].as_ref().map(|own| (node.children.len() + 1, own.as_slice())));
        inputs
    }

    /// That no product of a possible cell is too small for a number.
    fn check(
        &self,
        compiled: Compiled<'_>,
        c: usize,
        inputs: &[Input<'_>],
        others: Option<f64>,
    ) -> Result<(), Failure> {
        let node = &compiled.tree.nodes[c];
        let least = |&(k, own): &Input<'_>| match k {
            0 => 0.0,
            k if k <= node.children.len() => self.up_ln_least[node.children[k - 1]],
            _ => own.iter().fold(f64::INFINITY, |a, &b| if b > 0.0 && b < a { b } else { a }).ln(),
        };
        let sum: f64 = compiled.potentials.cliques[c].ln_least
            + others.unwrap_or(0.0)
            + inputs.iter().map(least).sum::<f64>();
        if sum < SAFE { Err(Failure::Underflow) } else { Ok(()) }
    }

    /// ∑ of all scales: ln Z of the potentials.
    pub(super) fn ln_z<S: Arithmetic>(&self, tree: &Tree) -> f64 {
        let scale = self.scales.iter().fold(Scale::default(), |sum, &scale| sum.and(scale));
        let roots = tree.level(0).map(|root| self.up(root).map_or(0.0, |up| S::ln(up[0])));
        scale.value() + roots.sum::<f64>()
    }

    /// The messages from these cliques, parents first, to their children.
    pub(super) fn calibrate<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        cliques: &[usize],
        marginals: &mut Marginals,
    ) -> Result<(), Failure> {
        self.collect::<S>(compiled, findings, Units::LeftOut)?;
        cliques.iter().try_for_each(|&c| self.send_down::<S>(compiled, findings, c, marginals))
    }

    /// The messages from clique `c` to its children, and the marginals that are read off here. The message to `c` must be there.
    fn send_down<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        c: usize,
        marginals: &mut Marginals,
    ) -> Result<(), Failure> {
        if self.spread_done[c] {
            return Ok(());
        }
        let node = &compiled.tree.nodes[c];
        let potential = &compiled.potentials.cliques[c];
        let mut outs = Vec::with_capacity(potential.links.len());
        let mut len = 0;
        for (k, link) in potential.links.iter().enumerate().skip(1) {
            outs.push((k, len));
            len += link.layout.len;
        }
        let mut out = vec![S::ZERO; len];
        let down = node.parent.map(|_| self.down[c].as_slice());
        let inputs = self.inputs(compiled.tree, findings, c, down);
        self.check(compiled, c, &inputs, down.map(|_| self.down_ln_least[c]))?;
        spread::<S>(potential, &inputs, &outs, &mut out);
        drop(inputs);
        for &(k, start) in &outs {
            let layout = &potential.links[k].layout;
            let own = &mut out[start..start + layout.len];
            match node.children.get(k - 1) {
                None => marginals.read::<S>(compiled.tree, layout, own, Home::Clique(c)),
                Some(&child) => {
                    marginals.read::<S>(compiled.tree, layout, own, Home::Separator(child));
                    self.divide::<S>(compiled, findings, child, own)?;
                }
            }
        }
        self.spread_done[c] = true;
        Ok(())
    }

    /// The message to `child` from the belief of its separator: without what came from the child itself.
    fn divide<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        child: usize,
        belief: &mut [f64],
    ) -> Result<(), Failure> {
        if let Some(up) = self.up(child) {
            belief.iter_mut().zip(up).for_each(|(belief, &up)| *belief = S::quotient(*belief, up));
        }
        if let Some(above) = &findings.separator[child] {
            if S::ln_least(belief) + S::ln_least(above) < SAFE {
                return Err(Failure::Underflow);
            }
            belief.iter_mut().zip(above).for_each(|(belief, &above)| *belief = S::multiply(*belief, above));
        }
        S::scale(belief).ok_or(Failure::Impossible)?;
        self.down_ln_least[child] = S::ln_least(belief);
        let down = &mut self.down[child];
        down.clear();
        match &compiled.potentials.routes[child] {
            None => down.extend_from_slice(belief),
            Some(route) => {
                let at = |&to: &u32| if to == MISSING { S::ZERO } else { belief[to as usize] };
                down.extend(route.iter().map(at));
            }
        }
        self.down_done[child] = true;
        Ok(())
    }
}

/// Whether messages that are one are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Units {
    LeftOut,
    Sent,
}

/// Marginals of all variables, one after another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Marginals {
    pub(super) values: Vec<f64>,
    pub(super) starts: Vec<usize>,
}

impl Marginals {
    pub(super) fn new(cards: &[usize]) -> Self {
        let mut starts = vec![0];
        for card in cards {
            starts.push(starts[starts.len() - 1] + card);
        }
        Self { values: vec![f64::NAN; starts[cards.len()]], starts }
    }

    pub(super) fn of(&self, v: VarId) -> &[f64] {
        &self.values[self.starts[v.index()]..self.starts[v.index() + 1]]
    }

    pub(super) fn of_mut(&mut self, v: VarId) -> &mut [f64] {
        &mut self.values[self.starts[v.index()]..self.starts[v.index() + 1]]
    }

    /// The marginals of the variables at home in this table.
    fn read<S: Arithmetic>(
        &mut self,
        tree: &Tree,
        layout: &super::potential::Layout,
        weights: &[f64],
        home: Home,
    ) {
        for axis in layout.axes.iter().filter(|axis| tree.homes[axis.variable.index()] == home) {
            let own = self.of_mut(axis.variable);
            own.fill(S::ZERO);
            layout.for_each_run(axis, |places, state| {
                own[state] = weights[places].iter().fold(own[state], |sum, &weight| S::add(sum, weight));
            });
            S::probabilities(own);
        }
    }
}
