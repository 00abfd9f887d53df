//! Messages of a propagation: towards the roots, and back.

use posterior_pgm::VarId;

use super::arithmetic::{Arithmetic, Scale};
use super::compile::{MISSING, Potentials};
use super::kernel::{Input, project, spread, total};
use super::potential::{Layout, Potential};
use super::threads::{each, is_worth_threads};
use super::tree::{Home, Tree};

/// A tree with its potentials.
#[derive(Clone, Copy)]
pub(super) struct Compiled<'a> {
    pub(super) tree: &'a Tree,
    pub(super) potentials: &'a Potentials,
}

/// What was seen, as weights in the tables of the links: of the private variables of each clique, and of the
/// separator above it.
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
    /// For each clique whether its messages down and its marginals are done.
    spread_done: Vec<bool>,
    any_spread: bool,
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
            spread_done: vec![false; cliques],
            any_spread: false,
            up_ln_least: vec![0.0; cliques],
            down_ln_least: vec![0.0; cliques],
        }
    }

    /// Something changed in clique `c`, or in the separator above it.
    pub(super) fn touch(&mut self, tree: &Tree, c: usize) {
        let mut at = Some(c);
        // Above a stale message all are stale.
        while let Some(c) = at.filter(|&c| self.up_state[c] != State::Stale) {
            self.up_state[c] = State::Stale;
            at = tree.nodes[c].parent;
        }
        if self.any_spread {
            self.spread_done.fill(false);
            self.any_spread = false;
        }
    }

    /// Whether the marginals that are read off at clique `c` are up to date.
    pub(super) fn is_calibrated(&self, c: usize) -> bool {
        self.spread_done[c]
    }

    /// The message of clique `c` to its parent; nothing if it is one.
    pub(super) fn up(&self, c: usize) -> Option<&[f64]> {
        (self.up_state[c] == State::Done).then_some(&self.up[c])
    }

    pub(super) fn down(&self, c: usize) -> &[f64] {
        &self.down[c]
    }

    /// All messages towards the roots that are missing; those that are identically 1 are left out where
    /// `units` is so.
    pub(super) fn collect<S: Arithmetic>(
        &mut self,
        compiled: Compiled<'_>,
        findings: &Findings,
        units: Units,
    ) -> Result<(), Failure> {
        let tree = compiled.tree;
        // What changed has changed the messages of the roots too.
        if tree.level(0).all(|root| self.up_state[root] == State::Done) {
            return Ok(());
        }
        if !is_worth_threads(tree) {
            for c in (0..tree.nodes.len()).rev() {
                if self.up_state[c] == State::Stale {
                    let buffer = std::mem::take(&mut self.up[c]);
                    let message = self.message_up::<S>(compiled, findings, c, units, buffer)?;
                    self.store_up(c, message);
                }
            }
            return Ok(());
        }
        for depth in (0..tree.levels.len() - 1).rev() {
            let stale: Vec<usize> = tree.level(depth).filter(|&c| self.up_state[c] == State::Stale).collect();
            let messages = each(&stale, |c| self.message_up::<S>(compiled, findings, c, units, Vec::new()));
            for (&c, message) in stale.iter().zip(messages) {
                self.store_up(c, message?);
            }
        }
        Ok(())
    }

    fn store_up(&mut self, c: usize, message: Option<Message>) {
        self.up_state[c] = if message.is_some() { State::Done } else { State::Unit };
        let message = message.unwrap_or_default();
        self.up[c] = message.weights;
        self.scales[c] = message.scale;
        self.up_ln_least[c] = message.ln_least;
    }

    /// The message of clique `c` to its parent; nothing if it is one.
    fn message_up<S: Arithmetic>(
        &self,
        compiled: Compiled<'_>,
        findings: &Findings,
        c: usize,
        units: Units,
        buffer: Vec<f64>,
    ) -> Result<Option<Message>, Failure> {
        let node = &compiled.tree.nodes[c];
        let above = findings.separator[c].as_ref();
        let is_plain = units == Units::LeftOut
            && node.unit
            && findings.private[c].is_none()
            && node.children.iter().all(|&child| self.up_state[child] == State::Unit);
        let mut weights = buffer;
        weights.clear();
        match (is_plain, above) {
            (true, None) => return Ok(None),
            (true, Some(above)) => weights.extend_from_slice(above),
            (false, _) => {
                let len = match node.parent {
                    None => 1,
                    Some(p) => compiled.potentials.cliques[p].links[node.slot + 1].layout.len,
                };
                weights.resize(len, S::ZERO);
                let inputs = self.inputs(compiled.tree, findings, c, None);
                self.check(compiled, c, &inputs, above.map(|above| S::ln_least(above).min(0.0)))?;
                project_routed::<S>(compiled.potentials, c, &inputs, &mut weights);
                if let Some(above) = above {
                    weights.iter_mut().zip(above).for_each(|(a, &b)| *a = S::multiply(*a, b));
                }
            }
        }
        let scale = S::scale(&mut weights).ok_or(Failure::Impossible)?;
        Ok(Some(Message { scale, ln_least: S::ln_least(&weights), weights }))
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
        let todo: Vec<usize> = cliques.iter().copied().filter(|&c| !self.spread_done[c]).collect();
        if is_worth_threads(compiled.tree) {
            let depth = |c: usize| compiled.tree.levels.partition_point(|&start| start <= c);
            for level in todo.chunk_by(|&a, &b| depth(a) == depth(b)) {
                let beliefs = each(level, |c| {
                    let mut beliefs = Beliefs::default();
                    self.messages_down::<S>(compiled, findings, c, &mut beliefs).map(|()| beliefs)
                });
                for (&c, beliefs) in level.iter().zip(beliefs) {
                    self.store_down(compiled.tree, c, &mut beliefs?, marginals);
                }
            }
            return Ok(());
        }
        let mut beliefs = Beliefs::default();
        for c in todo {
            self.messages_down::<S>(compiled, findings, c, &mut beliefs)?;
            self.store_down(compiled.tree, c, &mut beliefs, marginals);
        }
        Ok(())
    }

    fn store_down(&mut self, tree: &Tree, c: usize, beliefs: &mut Beliefs, marginals: &mut Marginals) {
        for (&child, message) in tree.nodes[c].children.iter().zip(&mut beliefs.messages) {
            std::mem::swap(&mut self.down[child], &mut message.weights);
            self.down_ln_least[child] = message.ln_least;
        }
        let mut rest = beliefs.marginals.as_slice();
        for &v in &beliefs.variables {
            let own = marginals.of_mut(v);
            let (marginal, others) = rest.split_at(own.len());
            own.copy_from_slice(marginal);
            rest = others;
        }
        self.spread_done[c] = true;
        self.any_spread = true;
    }

    /// The messages from clique `c` to its children, and the marginals that are read off here. The message to
    /// `c` must be there.
    fn messages_down<S: Arithmetic>(
        &self,
        compiled: Compiled<'_>,
        findings: &Findings,
        c: usize,
        beliefs: &mut Beliefs,
    ) -> Result<(), Failure> {
        let node = &compiled.tree.nodes[c];
        let potential = &compiled.potentials.cliques[c];
        beliefs.clear::<S>(potential);
        let down = node.parent.map(|_| self.down[c].as_slice());
        let inputs = self.inputs(compiled.tree, findings, c, down);
        self.check(compiled, c, &inputs, down.map(|_| self.down_ln_least[c]))?;
        spread::<S>(potential, &inputs, &beliefs.starts, &mut beliefs.tables);
        let mut tables = beliefs.tables.as_mut_slice();
        for (i, link) in potential.links[1..].iter().enumerate() {
            let (own, rest) = std::mem::take(&mut tables).split_at_mut(link.layout.len);
            tables = rest;
            let home = node.children.get(i).map_or(Home::Clique(c), |&child| Home::Separator(child));
            let (variables, marginals) = (&mut beliefs.variables, &mut beliefs.marginals);
            read_marginals::<S>(compiled.tree, &link.layout, own, home, (variables, marginals));
            if let Some(&child) = node.children.get(i) {
                self.divide::<S>(compiled, findings, child, own, &mut beliefs.messages[i])?;
            }
        }
        Ok(())
    }

    /// The message to `child` from the belief of its separator: without what came from the child itself.
    fn divide<S: Arithmetic>(
        &self,
        compiled: Compiled<'_>,
        findings: &Findings,
        child: usize,
        belief: &mut [f64],
        message: &mut Message,
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
        message.scale = S::scale(belief).ok_or(Failure::Impossible)?;
        message.ln_least = S::ln_least(belief);
        message.weights.clear();
        match &compiled.potentials.routes[child] {
            None => message.weights.extend_from_slice(belief),
            Some(route) => {
                let at = |&to: &u32| if to == MISSING { S::ZERO } else { belief[to as usize] };
                message.weights.extend(route.iter().map(at));
            }
        }
        Ok(())
    }
}

/// ∑ potential × messages, in the table of the parent.
fn project_routed<S: Arithmetic>(
    potentials: &Potentials,
    c: usize,
    inputs: &[Input<'_>],
    weights: &mut [f64],
) {
    let potential = &potentials.cliques[c];
    let Some(route) = &potentials.routes[c] else {
        project::<S>(potential, inputs, weights);
        return;
    };
    let mut own = vec![S::ZERO; route.len()];
    project::<S>(potential, inputs, &mut own);
    for (&to, &value) in route.iter().zip(&own).filter(|(to, _)| **to != MISSING) {
        weights[to as usize] = value;
    }
}

/// A message, divided by its scale.
#[derive(Debug, Default)]
struct Message {
    weights: Vec<f64>,
    scale: Scale,
    ln_least: f64,
}

/// What a clique that has all its messages says: to each child, and of the variables that are at home here.
/// Its memory goes from clique to clique.
#[derive(Debug, Default)]
struct Beliefs {
    /// One for each child, and perhaps more of cliques before.
    messages: Vec<Message>,
    variables: Vec<VarId>,
    marginals: Vec<f64>,
    /// The tables of the links, one after another, and where each begins.
    tables: Vec<f64>,
    starts: Vec<(usize, usize)>,
}

impl Beliefs {
    fn clear<S: Arithmetic>(&mut self, potential: &Potential) {
        self.variables.clear();
        self.marginals.clear();
        self.starts.clear();
        let mut len = 0;
        for (k, link) in potential.links.iter().enumerate().skip(1) {
            self.starts.push((k, len));
            len += link.layout.len;
        }
        self.tables.clear();
        self.tables.resize(len, S::ZERO);
        if self.messages.len() < potential.links.len() {
            self.messages.resize_with(potential.links.len(), Message::default);
        }
    }
}

/// Appends the marginals of the variables at home in this table.
fn read_marginals<S: Arithmetic>(
    tree: &Tree,
    layout: &Layout,
    weights: &[f64],
    home: Home,
    (variables, marginals): (&mut Vec<VarId>, &mut Vec<f64>),
) {
    for axis in layout.axes.iter().filter(|axis| tree.homes[axis.variable.index()] == home) {
        let from = marginals.len();
        marginals.resize(from + axis.card, S::ZERO);
        let own = &mut marginals[from..];
        layout.for_each_run(axis, |places, state| {
            own[state] = S::add(own[state], total::<S>(&weights[places]));
        });
        S::probabilities(own);
        variables.push(axis.variable);
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
}
