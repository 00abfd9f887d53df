//! Which joint states have positive probability: what zeros leave of each variable, and a joint state among
//! them.

use posterior_inference::Error;
use posterior_pgm::{GraphicalModel, MarkovRandomField, Table};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// A search for a joint state gives up after so many dead ends.
const DEAD_ENDS: usize = 20_000;

/// The factors of a field that have zeros: all that decides which joint states are possible.
#[derive(Debug)]
pub(super) struct Support<'a> {
    cards: &'a [usize],
    /// The factors with zeros.
    pub(super) factors: Vec<&'a Table>,
    /// For each variable its factors in `factors`.
    of_variable: Vec<Vec<usize>>,
    /// The states that each variable can have as far as one factor after another can tell.
    pub(super) domains: Domains,
}

/// For each variable, which of its states are left.
pub(super) type Domains = Vec<Vec<bool>>;

impl<'a> Support<'a> {
    /// O(cells of the factors with zeros × times that they are looked at again).
    ///
    /// # Errors
    /// Evidence that is impossible, as far as one factor after another can tell.
    pub(super) fn new(field: &'a MarkovRandomField) -> Result<Self, Error> {
        let cards = field.variables().cards();
        let has_zero = |table: &&Table| table.values().contains(&0.0);
        let factors: Vec<&Table> = field.factors().iter().filter(has_zero).collect();
        let mut of_variable = vec![Vec::new(); cards.len()];
        for (f, factor) in factors.iter().enumerate() {
            factor.scope().iter().for_each(|v| of_variable[v.index()].push(f));
        }
        let domains = cards.iter().map(|&card| vec![true; card]).collect();
        let mut support = Self { cards, factors, of_variable, domains };
        let mut domains = std::mem::take(&mut support.domains);
        if !support.narrow(&mut domains, (0..support.factors.len()).collect()) {
            return Err(Error::ImpossibleEvidence);
        }
        Ok(Self { domains, ..support })
    }

    /// Takes out of the domains what one of these factors, or one that is looked at because of them, forbids
    /// (generalised arc consistency, Mackworth 1977); false if nothing is left of one.
    fn narrow(&self, domains: &mut Domains, mut waiting: Vec<usize>) -> bool {
        let mut queued = vec![false; self.factors.len()];
        for &f in &waiting {
            queued[f] = true;
        }
        while let Some(f) = waiting.pop() {
            queued[f] = false;
            let Some(supported) = supported(self.factors[f], domains) else { return false };
            for (v, own) in self.factors[f].scope().iter().zip(supported) {
                let domain = &mut domains[v.index()];
                if *domain != own {
                    *domain = own;
                    for &next in &self.of_variable[v.index()] {
                        if next != f && !std::mem::replace(&mut queued[next], true) {
                            waiting.push(next);
                        }
                    }
                }
            }
        }
        true
    }

    /// A joint state of positive probability. Of the variables in factors with zeros the one with the fewest
    /// states left is decided first, uniformly, and what that forbids is taken out; the others are uniform.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`] if the search was complete; [`Error::NoStart`] if it was given up.
    pub(super) fn random_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<usize>, Error> {
        let mut stack: Vec<Branch> = Vec::new();
        let mut domains = self.domains.clone();
        let mut dead_ends = 0;
        while let Some(variable) = self.most_decided(&domains) {
            let mut states: Vec<usize> =
                (0..self.cards[variable]).filter(|&s| domains[variable][s]).collect();
            states.shuffle(rng);
            stack.push(Branch { variable, states, before: domains });
            domains = loop {
                let Some(branch) = stack.last_mut() else { return Err(Error::ImpossibleEvidence) };
                let Some(state) = branch.states.pop() else {
                    stack.pop();
                    continue;
                };
                let mut next = branch.before.clone();
                next[branch.variable] = only(self.cards[branch.variable], state);
                if self.narrow(&mut next, self.of_variable[branch.variable].clone()) {
                    break next;
                }
                dead_ends += 1;
                if dead_ends == DEAD_ENDS {
                    return Err(Error::NoStart { tried: dead_ends });
                }
            };
        }
        let choose = |domain: Vec<bool>| {
            let left: Vec<usize> = (0..domain.len()).filter(|&state| domain[state]).collect();
            left[rng.random_range(0..left.len())]
        };
        Ok(domains.into_iter().map(choose).collect())
    }

    /// The undecided variable in a factor with zeros that has the fewest states left.
    fn most_decided(&self, domains: &Domains) -> Option<usize> {
        (0..self.cards.len())
            .filter(|&v| !self.of_variable[v].is_empty())
            .map(|v| (count(&domains[v]), v))
            .filter(|&(left, _)| left > 1)
            .min()
            .map(|(_, v)| v)
    }
}

/// A variable that is being decided.
struct Branch {
    variable: usize,
    /// The states that are still to be tried.
    states: Vec<usize>,
    before: Domains,
}

pub(super) fn count(domain: &[bool]) -> usize {
    domain.iter().filter(|&&left| left).count()
}

fn only(card: usize, state: usize) -> Vec<bool> {
    (0..card).map(|s| s == state).collect()
}

/// For each variable of the table the states that occur in a positive cell of states that are left; `None` if
/// there is no such cell.
fn supported(table: &Table, domains: &Domains) -> Option<Vec<Vec<bool>>> {
    let mut supported: Vec<Vec<bool>> = table.cards().iter().map(|&card| vec![false; card]).collect();
    let mut any = false;
    let mut states = vec![0; table.cards().len()];
    for &value in table.values() {
        if value > 0.0 && table.scope().iter().zip(&states).all(|(v, &s)| domains[v.index()][s]) {
            any = true;
            supported.iter_mut().zip(&states).for_each(|(own, &s)| own[s] = true);
        }
        advance(&mut states, table.cards());
    }
    any.then_some(supported)
}

/// The next joint state, the last variable fastest; after the last comes the first.
pub(super) fn advance(states: &mut [usize], cards: &[usize]) {
    for (state, &card) in states.iter_mut().zip(cards).rev() {
        *state += 1;
        if *state < card {
            return;
        }
        *state = 0;
    }
}
