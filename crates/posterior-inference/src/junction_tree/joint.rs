//! Posteriors of several variables together.

use posterior_pgm::{LogSumProduct, SumProduct, Table, VarId};

use super::arithmetic::Arithmetic;
use super::core::Core;
use super::kernel::{Input, for_each_block, total};
use super::potential::Potential;
use super::tree::{Home, cells};
use crate::{Budget, Error, eliminate};

impl Core {
    /// p(scope | evidence), in this order, where variable i of the model has `cards[i]` states.
    pub(super) fn joint(&mut self, scope: &[VarId], cards: &[usize], budget: Budget) -> Result<Table, Error> {
        let is_free = |v: &&VarId| !matches!(self.tree.homes[v.index()], Home::Known(_));
        let free: Vec<VarId> = scope.iter().filter(is_free).copied().collect();
        let mut weights = match self.smallest_clique(&free) {
            Some(c) => {
                self.calibrate_clique(c)?;
                self.clique_weights(c, &free)
            }
            None if free.is_empty() => {
                self.collect()?;
                vec![1.0]
            }
            None => self.eliminate_locally(&free, budget)?,
        };
        if !self.probabilities(&mut weights) {
            if self.uses_logarithms {
                return Err(Error::ImpossibleEvidence);
            }
            self.use_logarithms();
            return self.joint(scope, cards, budget);
        }
        self.with_known(scope, cards, &weights)
    }

    /// p(scope of each factor | evidence). A factor that is the same for all states of its free variables is
    /// in no clique: these may be anywhere in the tree.
    pub(super) fn factor_marginals(
        &mut self,
        scopes: &[&[VarId]],
        cards: &[usize],
        budget: Budget,
    ) -> Result<Vec<Table>, Error> {
        self.calibrate()?;
        let mut cliques = vec![None; scopes.len()];
        for (c, node) in self.tree.nodes.iter().enumerate() {
            node.factors.iter().for_each(|&f| cliques[f] = Some(c));
        }
        let mut tables = Vec::with_capacity(scopes.len());
        for (scope, clique) in scopes.iter().zip(cliques) {
            let Some(c) = clique else {
                tables.push(self.joint(scope, cards, budget)?);
                continue;
            };
            self.calibrate_clique(c)?;
            let is_free = |v: &&VarId| !matches!(self.tree.homes[v.index()], Home::Known(_));
            let free: Vec<VarId> = scope.iter().filter(is_free).copied().collect();
            let mut weights = self.clique_weights(c, &free);
            if !self.probabilities(&mut weights) {
                return Err(Error::ImpossibleEvidence);
            }
            tables.push(self.with_known(scope, cards, &weights)?);
        }
        Ok(tables)
    }

    fn probabilities(&self, weights: &mut [f64]) -> bool {
        if self.uses_logarithms && !weights.iter().all(|&weight| weight == 1.0) {
            LogSumProduct::probabilities(weights)
        } else {
            SumProduct::probabilities(weights)
        }
    }

    /// The table with the known variables put in again.
    fn with_known(&self, scope: &[VarId], cards: &[usize], weights: &[f64]) -> Result<Table, Error> {
        let own: Vec<usize> = scope.iter().map(|v| cards[v.index()]).collect();
        let mut places = vec![0_usize];
        for (v, &card) in scope.iter().zip(&own) {
            let states = match self.tree.homes[v.index()] {
                Home::Known(state) => state..state + 1,
                _ => 0..card,
            };
            places =
                places.iter().flat_map(|at| states.clone().map(move |state| at * card + state)).collect();
        }
        let mut values = vec![0.0; own.iter().product()];
        for (&place, &weight) in places.iter().zip(weights) {
            values[place] = weight;
        }
        Ok(Table::new(scope.to_vec(), own, values)?)
    }

    fn smallest_clique(&self, scope: &[VarId]) -> Option<usize> {
        if scope.is_empty() {
            return None;
        }
        let holds = |c: &usize| scope.iter().all(|v| self.tree.nodes[*c].scope.binary_search(v).is_ok());
        let all = 0..self.tree.nodes.len();
        all.filter(holds).min_by_key(|&c| cells(&self.tree.nodes[c].scope, &self.tree.cards))
    }

    /// The belief of a calibrated clique over some of its variables, in this order.
    fn clique_weights(&self, c: usize, scope: &[VarId]) -> Vec<f64> {
        let down = self.tree.nodes[c].parent.map(|_| self.messages.down(c));
        let inputs = self.messages.inputs(&self.tree, &self.findings, c, down);
        self.weights_over(c, scope, &inputs)
    }

    fn weights_over(&self, c: usize, scope: &[VarId], inputs: &[Input<'_>]) -> Vec<f64> {
        let potential = &self.potentials.cliques[c];
        let len = cells(scope, &self.tree.cards) as usize;
        let places = places_over(potential, scope, &self.tree.cards);
        if self.uses_logarithms {
            gather::<LogSumProduct>(potential, inputs, &places, len)
        } else {
            gather::<SumProduct>(potential, inputs, &places, len)
        }
    }

    /// Out of one clique: messages of the cliques around, then elimination in the subtree that holds the
    /// variables.
    fn eliminate_locally(&mut self, scope: &[VarId], budget: Budget) -> Result<Vec<f64>, Error> {
        let marked = self.subtree(scope);
        for c in (0..marked.len()).filter(|&c| marked[c]) {
            if self.tree.nodes[c].parent.is_some_and(|p| !marked[p]) {
                self.calibrate_clique(c)?;
            }
        }
        self.collect()?;
        let (mut tables, mut order) = (Vec::new(), Vec::new());
        for c in (0..marked.len()).rev().filter(|&c| marked[c]) {
            self.local_tables(c, scope, &marked, &mut tables)?;
            let node = &self.tree.nodes[c];
            let is_up = node.parent.is_some_and(|p| marked[p]);
            let stays = |v: &VarId| scope.contains(v) || (is_up && node.separator.binary_search(v).is_ok());
            order.extend(node.scope.iter().filter(|v| !stays(v)));
        }
        let answer = if self.uses_logarithms {
            eliminate::<LogSumProduct>(&tables, &order, budget)?.marginal::<LogSumProduct>(scope)?
        } else {
            eliminate::<SumProduct>(&tables, &order, budget)?.marginal::<SumProduct>(scope)?
        };
        Ok(answer.values().to_vec())
    }

    /// The smallest subtrees that hold all variables of the scope.
    fn subtree(&self, scope: &[VarId]) -> Vec<bool> {
        let n = self.tree.nodes.len();
        let (mut wanted, mut marked, mut below) = (vec![false; n], vec![false; n], vec![0; n]);
        for v in scope {
            if let Home::Clique(c) | Home::Separator(c) = self.tree.homes[v.index()] {
                wanted[c] = true;
                marked[c] = true;
            }
        }
        for c in (0..n).rev().filter(|&c| self.tree.nodes[c].parent.is_some()) {
            if let (true, Some(p)) = (marked[c], self.tree.nodes[c].parent) {
                marked[p] = true;
                below[p] += 1;
            }
        }
        // From the root down to the first clique that is wanted or where ways part.
        for c in 0..n {
            let is_top = self.tree.nodes[c].parent.is_none_or(|p| !marked[p]);
            if marked[c] && is_top && !wanted[c] && below[c] < 2 {
                marked[c] = false;
            }
        }
        marked
    }

    /// The potential of clique `c` with all messages from outside of the subtree, and what was seen of its
    /// separator.
    fn local_tables(
        &self,
        c: usize,
        scope: &[VarId],
        marked: &[bool],
        tables: &mut Vec<Table>,
    ) -> Result<(), Error> {
        let node = &self.tree.nodes[c];
        let is_up = node.parent.is_some_and(|p| marked[p]);
        let down = node.parent.filter(|_| !is_up).map(|_| self.messages.down(c));
        let mut inputs = self.messages.inputs(&self.tree, &self.findings, c, down);
        inputs.retain(|&(k, _)| k == 0 || node.children.get(k - 1).is_none_or(|&child| !marked[child]));
        let needs = |v: &&VarId| {
            let in_child =
                |&child: &usize| marked[child] && self.tree.nodes[child].separator.binary_search(v).is_ok();
            scope.contains(v)
                || (is_up && node.separator.binary_search(v).is_ok())
                || node.children.iter().any(in_child)
        };
        let own: Vec<VarId> = node.scope.iter().filter(needs).copied().collect();
        let cards = own.iter().map(|v| self.tree.cards[v.index()]).collect();
        let weights = self.weights_over(c, &own, &inputs);
        tables.push(Table::new(own, cards, weights)?);
        if let (true, Some(above)) = (is_up, &self.findings.separator[c]) {
            let layout = self.layout(Home::Separator(c));
            let cards: Vec<usize> = layout.axes.iter().map(|axis| axis.card).collect();
            let zero = if self.uses_logarithms { f64::NEG_INFINITY } else { 0.0 };
            let mut values = vec![zero; cards.iter().product()];
            above.iter().enumerate().for_each(|(place, &weight)| values[layout.cell(place)] = weight);
            tables.push(Table::new(layout.axes.iter().map(|axis| axis.variable).collect(), cards, values)?);
        }
        Ok(())
    }
}

/// For some links, what each of their cells adds to the place in a table over `scope`.
fn places_over(potential: &Potential, scope: &[VarId], cards: &[usize]) -> Vec<(usize, Vec<u32>)> {
    let mut places: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut stride = 1;
    for &v in scope.iter().rev() {
        let holds = |(k, axis)| Some((k, axis?));
        let mut links = potential.links.iter().enumerate().map(|(k, link)| (k, link.layout.axis(v)));
        let (k, axis) =
            links.find_map(holds).expect("invariant: each variable of a clique is in a separator or private");
        let layout = &potential.links[k].layout;
        let own = places.iter().position(|own| own.0 == k).unwrap_or(places.len());
        if own == places.len() {
            places.push((k, vec![0; layout.len]));
        }
        layout.for_each_run(axis, |run, state| {
            places[own].1[run].iter_mut().for_each(|place| *place += (state * stride) as u32);
        });
        stride *= cards[v.index()];
    }
    places
}

/// ∑ potential × messages over all but the variables that the places tell.
fn gather<S: Arithmetic>(
    potential: &Potential,
    inputs: &[Input<'_>],
    places: &[(usize, Vec<u32>)],
    len: usize,
) -> Vec<f64> {
    let mut out = vec![S::ZERO; len];
    let mut block = vec![S::ZERO; potential.lanes];
    let is_vector = |own: &&(usize, Vec<u32>)| potential.links[own.0].is_vector;
    let varies = places.iter().any(|own| is_vector(&own));
    for_each_block::<S>(potential, inputs, &mut block, |_, at, block| {
        let fixed: usize = places
            .iter()
            .filter(|own| !is_vector(own))
            .map(|(k, places)| places[at[*k] as usize] as usize)
            .sum();
        if !varies {
            out[fixed] = S::add(out[fixed], total::<S>(block));
            return;
        }
        for (lane, &weight) in block.iter().enumerate() {
            let moved: usize = places
                .iter()
                .filter(is_vector)
                .map(|(k, places)| places[at[*k] as usize + lane] as usize)
                .sum();
            out[fixed + moved] = S::add(out[fixed + moved], weight);
        }
    });
    out
}
