//! Bayesian networks row by row, by the names of variables and states.

use std::collections::BTreeMap;

use posterior_graph::VarId;

use crate::bayesian_network::ROW_TOLERANCE;
use crate::{BayesianNetwork, Error, Table, Variables};

/// A Bayesian network in the making: each call adds a row p(child | states of its parents), by names.
///
/// The parents of a variable are those of its first row, in this order; a variable without parents has one
/// row. Numbers are in the order of the child's states.
///
/// ```
/// use posterior_pgm::{NetworkBuilder, Variables};
///
/// let variables = Variables::new([("cloudy", ["no", "yes"]), ("rain", ["no", "yes"])])?;
/// let network = NetworkBuilder::new(variables)
///     .p("cloudy", [0.5, 0.5])?
///     .p("rain | cloudy = no", [0.8, 0.2])?
///     .p("rain | cloudy = yes", [0.2, 0.8])?
///     .build()?;
/// assert_eq!(network.graph().arrow_count(), 1);
/// let error = NetworkBuilder::new(network.variables().clone()).p("rain | cloudy = maybe", [0.2, 0.8]);
/// assert_eq!(error.unwrap_err().to_string(), "\"cloudy\" has no state \"maybe\"; its states are no, yes");
/// # use posterior_pgm::GraphicalModel;
/// # Ok::<(), posterior_pgm::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkBuilder {
    variables: Variables,
    families: BTreeMap<VarId, Family>,
}

/// The rows of a variable.
#[derive(Debug, Clone, PartialEq)]
struct Family {
    parents: Vec<VarId>,
    /// By the number of the row, the last parent fastest.
    rows: BTreeMap<usize, Vec<f64>>,
}

impl NetworkBuilder {
    /// No row yet.
    pub const fn new(variables: Variables) -> Self {
        Self { variables, families: BTreeMap::new() }
    }

    /// Adds a row that is written as in a textbook: `"rain"`, or `"grass | rain = yes, sprinkler = off"`.
    /// Names that hold one of `| = ,` or begin or end with a blank need [`row`](Self::row).
    ///
    /// # Errors
    /// A condition without `=`, and what [`row`](Self::row) refuses.
    pub fn p(self, what: &str, probabilities: impl Into<Vec<f64>>) -> Result<Self, Error> {
        let (child, given) = what.split_once('|').map_or((what, None), |(child, given)| (child, Some(given)));
        let mut conditions = Vec::new();
        for condition in given.iter().flat_map(|given| given.split(',')) {
            let (name, state) = condition.split_once('=').ok_or_else(|| Error::Shape {
                scope: what.to_owned(),
                reason: format!("{:?} is not of the form \"variable = state\"", condition.trim()),
            })?;
            conditions.push((name.trim(), state.trim()));
        }
        self.row(child.trim(), &conditions, probabilities)
    }

    /// Adds the row p(child | these states of its parents).
    ///
    /// # Errors
    /// A variable or a state that does not exist; other parents than in an earlier row of the child, or one
    /// that comes twice; a row that is there already; a number for each state of the child that is missing or
    /// too many, negative or not finite; numbers that do not add up to one (to 1e-9).
    pub fn row(
        mut self,
        child: &str,
        given: &[(&str, &str)],
        probabilities: impl Into<Vec<f64>>,
    ) -> Result<Self, Error> {
        let (v, probabilities) = (self.variables.require(child)?, probabilities.into());
        let mut states = Vec::with_capacity(given.len());
        for (parent, state) in given {
            let parent = self.variables.require(parent)?;
            states.push((parent, self.variables.require_state(parent, state)?));
        }
        let parents: Vec<VarId> = states.iter().map(|&(parent, _)| parent).collect();
        self.variables.check_distinct(&parents, "the parents of a variable")?;
        let family = self.families.get(&v);
        let parents = family.map_or(parents, |family| family.parents.clone());
        let number = self.row_number(v, &parents, &states)?;
        self.check_row(v, &states, &probabilities)?;
        let family = self.families.entry(v).or_insert_with(|| Family { parents, rows: BTreeMap::new() });
        if family.rows.insert(number, probabilities).is_some() {
            return Err(self.wrong(v, &states, "the row is given twice".to_owned()));
        }
        Ok(self)
    }

    /// The network.
    ///
    /// # Errors
    /// A variable without rows, a missing row ([`Error::MissingRow`]: the first one), or a cycle.
    pub fn build(self) -> Result<BayesianNetwork, Error> {
        let mut tables = Vec::with_capacity(self.families.len());
        for (&v, family) in &self.families {
            let scope = [&family.parents[..], &[v]].concat();
            let cards: Vec<usize> = scope.iter().map(|&v| self.variables.card(v)).collect();
            let rows =
                cards[..family.parents.len()].iter().try_fold(1_usize, |rows, &card| rows.checked_mul(card));
            let rows = rows.ok_or(Error::TooLarge { variables: scope.len() })?;
            if let Some(missing) = (0..rows).find(|row| !family.rows.contains_key(row)) {
                let parents = self.variables.row_states(&family.parents, missing);
                return Err(Error::MissingRow { name: self.variables.name(v).to_owned(), parents });
            }
            tables.push(Table::new(scope, cards, family.rows.values().flatten().copied().collect())?);
        }
        BayesianNetwork::new(self.variables, tables)
    }

    /// The number of a row, the last parent fastest.
    fn row_number(&self, v: VarId, parents: &[VarId], states: &[(VarId, usize)]) -> Result<usize, Error> {
        let names = |list: Vec<VarId>| match &list[..] {
            [] => "nothing".to_owned(),
            list => list.iter().map(|&v| self.variables.name(v)).collect::<Vec<_>>().join(", "),
        };
        let mut number = 0_usize;
        for &parent in parents {
            let Some(&(_, state)) = states.iter().find(|own| own.0 == parent) else { continue };
            let next = number.checked_mul(self.variables.card(parent)).and_then(|row| row.checked_add(state));
            number = next.ok_or(Error::TooLarge { variables: parents.len() + 1 })?;
        }
        if parents.len() == states.len() && states.iter().all(|(own, _)| parents.contains(own)) {
            return Ok(number);
        }
        let own = names(states.iter().map(|own| own.0).collect());
        let reason = format!("given {own}, but an earlier row is given {}", names(parents.to_vec()));
        Err(self.wrong(v, states, reason))
    }

    fn check_row(&self, v: VarId, states: &[(VarId, usize)], row: &[f64]) -> Result<(), Error> {
        let card = self.variables.card(v);
        if row.len() != card {
            return Err(self.wrong(v, states, format!("{} numbers for {card} states", row.len())));
        }
        if let Some(index) = row.iter().position(|p| !(*p >= 0.0 && p.is_finite())) {
            let (table, value) = (self.written(v, states), row[index]);
            return Err(Error::Value { table, index, value, requirement: "finite and not negative" });
        }
        let sum: f64 = row.iter().sum();
        if (sum - 1.0).abs() <= ROW_TOLERANCE {
            return Ok(());
        }
        Err(Error::Row { name: self.variables.name(v).to_owned(), parents: self.conditions(states), sum })
    }

    fn wrong(&self, v: VarId, states: &[(VarId, usize)], reason: String) -> Error {
        Error::Shape { scope: self.written(v, states), reason }
    }

    /// "p(grass | rain = yes)".
    fn written(&self, v: VarId, states: &[(VarId, usize)]) -> String {
        match states {
            [] => format!("p({})", self.variables.name(v)),
            _ => format!("p({} | {})", self.variables.name(v), self.conditions(states)),
        }
    }

    fn conditions(&self, states: &[(VarId, usize)]) -> String {
        self.variables.assignment(states.iter().copied())
    }
}
