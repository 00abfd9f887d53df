//! Elimination from the end of time to its beginning.

use posterior_math::check;
use std::collections::BTreeSet;

use posterior_inference::{Budget, Cost};
use posterior_pgm::{ExpectationSemiring, Semiring, Table, VarId};

use super::diagram::{Decision, InfluenceDiagram};
use super::policy::{DecisionRule, Strategy};
use crate::error::Error;

/// A probability, and the probability times a utility.
type Pair = (f64, f64);

impl InfluenceDiagram {
    /// The strategy with the largest expected utility. The cost is that of the largest table met, exponential
    /// in the number of variables that hang together.
    ///
    /// # Errors
    /// Tables beyond the budget, before memory is taken; evidence of probability zero.
    pub fn solve(&self, budget: Budget) -> Result<Strategy, Error> {
        let order = self.order(&self.potentials(), budget)?;
        let mut potentials = self.potentials();
        let mut policies: Vec<(usize, DecisionRule)> = Vec::new();
        for v in order {
            let scope = scope_with(&potentials, v);
            let position = self.decisions().iter().position(|own| own.variable() == v);
            match position {
                None => eliminate(&mut potentials, v, &scope)?,
                Some(position) => policies.push((position, self.decide(&mut potentials, v, scope)?)),
            }
        }
        policies.sort_by_key(|(position, _)| *position);
        let policies = policies.into_iter().map(|(_, policy)| policy).collect();
        let (probability, expected_utility) = expectation(&potentials)?;
        Ok(Strategy { expected_utility, probability, policies })
    }

    /// The expected utility of a strategy: a policy for each decision, in their order. Where a policy has no
    /// choice, the information being impossible, it does not matter.
    ///
    /// # Errors
    /// Policies that are not those of the decisions; as [`solve`](Self::solve).
    pub fn utility_of(&self, policies: &[DecisionRule], budget: Budget) -> Result<f64, Error> {
        check::dimension("policies", self.decisions().len(), policies.len())?;
        let mut potentials = self.potentials();
        for (decision, policy) in self.decisions().iter().zip(policies) {
            self.check_policy(decision, policy)?;
            potentials.push(indicator(policy)?);
        }
        for v in self.order(&potentials, budget)? {
            let scope = scope_with(&potentials, v);
            eliminate(&mut potentials, v, &scope)?;
        }
        Ok(expectation(&potentials)?.1)
    }

    /// How much larger the expected utility would be if `variable` were known when `decision` is made: what
    /// perfect information about it is worth, at most. For a test that errs, the test is a variable of the
    /// diagram.
    ///
    /// # Errors
    /// As [`observing`](Self::observing) and [`solve`](Self::solve).
    pub fn value_of_information(
        &self,
        variable: VarId,
        decision: VarId,
        budget: Budget,
    ) -> Result<f64, Error> {
        let informed = self.observing(variable, decision)?.solve(budget)?;
        Ok(informed.expected_utility - self.solve(budget)?.expected_utility)
    }

    fn potentials(&self) -> Vec<Table<Pair>> {
        let chances = self.chances().map(|table| table.map(|p| (p, 0.0)));
        let utilities = self.utilities().iter().map(|own| own.table().map(|u| (1.0, u)));
        chances.chain(utilities).collect()
    }

    /// Chances that nobody sees, then the last decision, what became known before it, the decision before it,
    /// and so on; within each of these the variable next whose table is the smallest.
    fn order(&self, potentials: &[Table<Pair>], budget: Budget) -> Result<Vec<VarId>, Error> {
        let timed =
            |own: &Decision| own.observed().iter().copied().chain([own.variable()]).collect::<Vec<_>>();
        let known: BTreeSet<VarId> = self.decisions().iter().flat_map(timed).collect();
        let mut stages = vec![self.variables().ids().filter(|v| !known.contains(v)).collect::<Vec<_>>()];
        for own in self.decisions().iter().rev() {
            stages.push(vec![own.variable()]);
            stages.push(own.observed().to_vec());
        }
        let mut scopes: Vec<BTreeSet<VarId>> =
            potentials.iter().map(|table| table.scope().iter().copied().collect()).collect();
        let mut cost = Cost::default();
        let mut order = Vec::with_capacity(self.variables().len());
        for mut stage in stages {
            while !stage.is_empty() {
                let size = |v: VarId| self.cells(&joined(&scopes, v));
                let next =
                    (0..stage.len()).min_by_key(|&place| (size(stage[place]), stage[place])).unwrap_or(0);
                let v = stage.swap_remove(next);
                let mut scope = joined(&scopes, v);
                let cells = self.cells(&scope).saturating_mul(2);
                cost = cost.then(Cost::new(cells, cells, cells));
                scopes.retain(|own| !own.contains(&v));
                scope.remove(&v);
                scopes.push(scope);
                order.push(v);
            }
        }
        if budget.allows(&cost) {
            return Ok(order);
        }
        let alternatives = "leave out variables, or let decisions know less";
        Err(posterior_inference::Error::TooLarge { cost, budget, alternatives }.into())
    }

    fn cells(&self, scope: &BTreeSet<VarId>) -> u64 {
        scope.iter().fold(1, |cells: u64, &v| cells.saturating_mul(self.variables().card(v) as u64))
    }

    /// Replaces what speaks of a decision by its best option.
    fn decide(
        &self,
        potentials: &mut Vec<Table<Pair>>,
        v: VarId,
        mut scope: Vec<VarId>,
    ) -> Result<DecisionRule, Error> {
        let options = self.variables().card(v);
        let information = scope.clone();
        let cards: Vec<usize> = information.iter().map(|&own| self.variables().card(own)).collect();
        scope.push(v);
        let touched = take(potentials, v);
        let joint = if touched.is_empty() {
            Table::new(vec![v], vec![options], vec![ExpectationSemiring::ONE; options])?
        } else {
            Table::product_marginal::<ExpectationSemiring>(&touched.iter().collect::<Vec<_>>(), &scope)?
        };
        let mut losses = Vec::with_capacity(joint.values().len());
        let mut best = Vec::with_capacity(joint.values().len() / options);
        for row in joint.values().chunks(options) {
            let largest =
                (0..options).fold(0, |best, option| if row[option].1 > row[best].1 { option } else { best });
            // The probability is the same for all options, as nothing after the decision is left.
            let (probability, utility) = row[largest];
            losses.extend(
                row.iter().map(
                    |own| {
                        if probability > 0.0 { (utility - own.1) / probability } else { f64::NAN }
                    },
                ),
            );
            best.push(row[largest]);
        }
        potentials.push(Table::new(information.clone(), cards.clone(), best)?);
        Ok(DecisionRule { decision: v, information, cards, losses, options })
    }

    fn check_policy(&self, decision: &Decision, policy: &DecisionRule) -> Result<(), Error> {
        let known = |v: &VarId| {
            let before = self.decisions().iter().take_while(|own| own.variable() != decision.variable());
            let earlier = before.flat_map(|own| own.observed().iter().copied().chain([own.variable()]));
            earlier.chain(decision.observed().iter().copied()).any(|own| own == *v)
        };
        let card = |v: &VarId| self.variables().card(*v);
        let fits = policy.decision == decision.variable()
            && policy.information.iter().all(known)
            && policy.information.iter().map(card).eq(policy.cards.iter().copied())
            && policy.options == card(&decision.variable());
        if fits {
            return Ok(());
        }
        let name = self.variables().name(decision.variable());
        Err(Error::diagram(name, "has a policy that is not one of it, or that needs what is not known"))
    }
}

/// The variables that hang together with `v`, and itself.
fn joined(scopes: &[BTreeSet<VarId>], v: VarId) -> BTreeSet<VarId> {
    scopes.iter().filter(|own| own.contains(&v)).flatten().copied().chain([v]).collect()
}

/// The other variables of the tables with `v`, by their numbers.
fn scope_with(potentials: &[Table<Pair>], v: VarId) -> Vec<VarId> {
    let touched = potentials.iter().filter(|table| table.axis(v).is_some());
    let others: BTreeSet<VarId> =
        touched.flat_map(|table| table.scope().iter().copied()).filter(|&own| own != v).collect();
    others.into_iter().collect()
}

/// Takes the tables with `v` out.
fn take(potentials: &mut Vec<Table<Pair>>, v: VarId) -> Vec<Table<Pair>> {
    let (touched, rest) = std::mem::take(potentials).into_iter().partition(|table| table.axis(v).is_some());
    *potentials = rest;
    touched
}

fn eliminate(potentials: &mut Vec<Table<Pair>>, v: VarId, keep: &[VarId]) -> Result<(), Error> {
    let touched = take(potentials, v);
    let refs: Vec<&Table<Pair>> = touched.iter().collect();
    potentials.push(Table::product_marginal::<ExpectationSemiring>(&refs, keep)?);
    Ok(())
}

/// One where a policy chooses, zero elsewhere.
fn indicator(policy: &DecisionRule) -> Result<Table<Pair>, Error> {
    let scope = policy.information.iter().copied().chain([policy.decision]).collect();
    let cards = policy.cards.iter().copied().chain([policy.options]).collect();
    let mut values = Vec::with_capacity(policy.losses.len());
    for row in policy.losses.chunks(policy.options) {
        let choice = row.iter().position(|&loss| loss == 0.0).unwrap_or(0);
        values.extend((0..policy.options).map(|option| (f64::from(u8::from(option == choice)), 0.0)));
    }
    Ok(Table::new(scope, cards, values)?)
}

/// The probability of what was seen, and the expected utility given it, when no variable is left.
fn expectation(potentials: &[Table<Pair>]) -> Result<Pair, Error> {
    let scalars = potentials.iter().flat_map(|table| table.values().iter().copied());
    let (probability, sum) = scalars.fold(ExpectationSemiring::ONE, ExpectationSemiring::multiply);
    if probability > 0.0 {
        return Ok((probability, sum / probability));
    }
    Err(Error::Impossible)
}
