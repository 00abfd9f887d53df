//! A calibrated tree: potentials, what was seen, messages, marginals.

use posterior_pgm::{Evidence, Finding, GraphicalModel, LogSumProduct, SumProduct, VarId};

use super::compile::{Factors, Potentials, compile};
use super::messages::{Compiled, Failure, Findings, Marginals, Messages, Units};
use super::potential::Layout;
use super::structure::Structure;
use super::tree::{Home, Tree};
use crate::Error;

/// A tree with everything that propagation needs, in numbers or in logarithms.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Core {
    pub(super) tree: Tree,
    pub(super) potentials: Potentials,
    pub(super) uses_logarithms: bool,
    pub(super) evidence: Evidence,
    pub(super) findings: Findings,
    pub(super) messages: Messages,
    marginals: Marginals,
}

impl From<Failure> for Error {
    fn from(_: Failure) -> Self {
        Self::ImpossibleEvidence
    }
}

impl Core {
    /// The potentials of a tree that was made for this structure, and nothing seen.
    pub(super) fn new(model: &dyn GraphicalModel, tree: Tree, structure: &Structure) -> Self {
        let known = &structure.known;
        let factors = Factors::new::<SumProduct>(model, known);
        let uses_logarithms = factors.may_underflow(&tree);
        let potentials = if uses_logarithms {
            compile::<LogSumProduct>(&Factors::new::<LogSumProduct>(model, known), &tree)
        } else {
            compile::<SumProduct>(&factors, &tree)
        };
        let n = tree.nodes.len();
        Self {
            messages: Messages::new(n),
            marginals: Marginals::new(model.variables().cards()),
            findings: Findings { private: vec![None; n], separator: vec![None; n] },
            evidence: Evidence::none(),
            tree,
            potentials,
            uses_logarithms,
        }
    }

    /// Replaces what was seen; only what differs costs work.
    pub(super) fn set_evidence(&mut self, evidence: &Evidence) {
        let differs = |v: &VarId| self.evidence.get(*v) != evidence.get(*v);
        let mut changed: Vec<VarId> =
            self.evidence.iter().chain(evidence.iter()).map(|(v, _)| v).filter(differs).collect();
        changed.sort_unstable();
        changed.dedup();
        self.evidence = evidence.clone();
        for v in changed {
            match self.tree.homes[v.index()] {
                Home::Known(_) => {}
                home @ (Home::Clique(c) | Home::Separator(c)) => {
                    self.refresh(home);
                    self.messages.touch(&self.tree, c);
                }
            }
        }
    }

    /// The weights of what was seen of the variables of this home.
    fn refresh(&mut self, home: Home) {
        let (Home::Clique(c) | Home::Separator(c)) = home else { return };
        let layout = self.layout(home);
        let mut weights: Option<Vec<f64>> = None;
        for axis in layout.axes.iter().filter(|axis| self.tree.homes[axis.variable.index()] == home) {
            let Some(finding) = self.evidence.get(axis.variable) else { continue };
            let own = likelihood(finding, axis.card);
            let weights = weights.get_or_insert_with(|| vec![1.0; layout.len]);
            layout.for_each_run(axis, |places, state| {
                weights[places].iter_mut().for_each(|weight| *weight *= own[state]);
            });
        }
        if self.uses_logarithms {
            weights.iter_mut().flatten().for_each(|weight| *weight = weight.ln());
        }
        match home {
            Home::Clique(_) => self.findings.private[c] = weights,
            _ => self.findings.separator[c] = weights,
        }
    }

    /// The table that the marginals of this home are read from.
    pub(super) fn layout(&self, home: Home) -> &Layout {
        let (c, k) = match home {
            Home::Known(_) => (0, 0),
            Home::Clique(c) => (c, self.tree.nodes[c].children.len() + 1),
            Home::Separator(c) => {
                let node = &self.tree.nodes[c];
                (node.parent.unwrap_or(0), node.slot + 1)
            }
        };
        &self.potentials.cliques[c].links[k].layout
    }

    fn refresh_all(&mut self) {
        let homes: Vec<Home> = self.evidence.iter().map(|(v, _)| self.tree.homes[v.index()]).collect();
        for home in homes {
            self.refresh(home);
        }
    }

    /// Starts over with logarithms: a product may have been too small for a number.
    pub(super) fn use_logarithms(&mut self) {
        self.potentials.cliques.iter_mut().for_each(|clique| *clique = clique.logarithms());
        self.uses_logarithms = true;
        self.refresh_all();
        self.messages = Messages::new(self.tree.nodes.len());
    }

    /// All messages towards the roots.
    pub(super) fn collect(&mut self) -> Result<(), Error> {
        if self.ln_known() == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        self.with_rescue(|core| {
            let compiled = Compiled { tree: &core.tree, potentials: &core.potentials };
            if core.uses_logarithms {
                core.messages.collect::<LogSumProduct>(compiled, &core.findings, Units::LeftOut)
            } else {
                core.messages.collect::<SumProduct>(compiled, &core.findings, Units::LeftOut)
            }
        })
    }

    pub(super) fn with_rescue(
        &mut self,
        mut job: impl FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Error> {
        match job(self) {
            Err(Failure::Underflow) => {
                self.use_logarithms();
                Ok(job(self)?)
            }
            other => Ok(other?),
        }
    }

    /// Messages from these cliques to their children, parents first.
    fn distribute(&mut self, cliques: &[usize]) -> Result<(), Error> {
        self.with_rescue(|core| {
            let compiled = Compiled { tree: &core.tree, potentials: &core.potentials };
            if core.uses_logarithms {
                core.messages.calibrate::<LogSumProduct>(
                    compiled,
                    &core.findings,
                    cliques,
                    &mut core.marginals,
                )
            } else {
                core.messages.calibrate::<SumProduct>(compiled, &core.findings, cliques, &mut core.marginals)
            }
        })
    }

    /// Every message and marginal.
    pub(super) fn calibrate(&mut self) -> Result<(), Error> {
        self.collect()?;
        let all: Vec<usize> = (0..self.tree.nodes.len()).collect();
        self.distribute(&all)
    }

    /// The messages that clique `c` needs and those that it sends.
    pub(super) fn calibrate_clique(&mut self, c: usize) -> Result<(), Error> {
        if self.messages.is_calibrated(c) {
            return Ok(());
        }
        self.collect()?;
        let mut path = vec![c];
        while let Some(parent) = self.tree.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        self.distribute(&path)
    }

    /// The marginal of `v`, once what it needs was calibrated.
    pub(super) fn marginal(&mut self, v: VarId) -> Result<&[f64], Error> {
        match self.tree.homes[v.index()] {
            Home::Known(state) => {
                self.collect()?;
                let own = self.marginals.of_mut(v);
                own.fill(0.0);
                own[state] = 1.0;
            }
            Home::Clique(c) => self.calibrate_clique(c)?,
            Home::Separator(c) => {
                let parent = self.tree.nodes[c].parent.expect("invariant: a separator is below a parent");
                self.calibrate_clique(parent)?;
            }
        }
        Ok(self.marginals.of(v))
    }

    /// ln Z.
    pub(super) fn ln_z(&mut self) -> Result<f64, Error> {
        self.collect()?;
        let own = if self.uses_logarithms {
            self.messages.ln_z::<LogSumProduct>(&self.tree)
        } else {
            self.messages.ln_z::<SumProduct>(&self.tree)
        };
        Ok(own + self.ln_known())
    }

    /// What the known variables contribute.
    pub(super) fn ln_known(&self) -> f64 {
        let of = |(v, finding): (VarId, &Finding)| match self.tree.homes[v.index()] {
            Home::Known(state) => likelihood(finding, state + 1)[state].ln() + ln_scale(finding),
            _ => ln_scale(finding),
        };
        self.potentials.ln_constant + self.evidence.iter().map(of).sum::<f64>()
    }
}

/// How likely the finding is in each state, by its greatest likelihood.
fn likelihood(finding: &Finding, card: usize) -> Vec<f64> {
    match finding {
        Finding::Likelihood(likelihood) => {
            let most = greatest(likelihood);
            likelihood.iter().map(|own| own / most).collect()
        }
        &Finding::State(seen) => (0..card).map(|state| f64::from(u8::from(state == seen))).collect(),
        _ => vec![1.0; card],
    }
}

/// The logarithm of the greatest likelihood.
fn ln_scale(finding: &Finding) -> f64 {
    if let Finding::Likelihood(likelihood) = finding { greatest(likelihood).ln() } else { 0.0 }
}

fn greatest(likelihood: &[f64]) -> f64 {
    likelihood.iter().copied().fold(0.0, f64::max)
}
