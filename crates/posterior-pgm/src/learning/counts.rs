//! Counts of families: the sufficient statistics of a Bayesian network.

use posterior_graph::{Dag, VarId};

use super::Records;
use crate::{BayesianNetwork, Error, GraphicalModel, Table, Variables};

/// N(x, u): how often each variable was in state x while its parents were in state u. Fractions are welcome:
/// expected counts are counts.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyCounts {
    variables: Variables,
    /// One for each variable: its parents, then itself, the fastest.
    tables: Vec<Table>,
}

/// A row of a conditional table of which there are no data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    /// The child.
    pub variable: VarId,
    /// The number of the row, the last parent fastest.
    pub row: usize,
}

impl FamilyCounts {
    /// Zeros, for the families of this graph: the parents in the order of their ids.
    ///
    /// # Errors
    /// A graph over other variables, or a family with more states than fit in memory.
    pub fn zeros(variables: Variables, dag: &Dag) -> Result<Self, Error> {
        if dag.len() != variables.len() {
            let reason = format!("a graph over {} variables", dag.len());
            return Err(Error::Shape { scope: format!("{} variables", variables.len()), reason });
        }
        let scope = |v: VarId| dag.parents(v).iter().copied().chain([v]).collect();
        let tables = variables.ids().map(|v| zero_table(&variables, scope(v)));
        Ok(Self { tables: tables.collect::<Result<_, _>>()?, variables })
    }

    /// Zeros, for the families of this network: tables in the order of its own.
    ///
    /// # Errors
    /// None in practice: the network has tables of this size.
    pub fn zeros_like(network: &BayesianNetwork) -> Result<Self, Error> {
        let variables = network.variables().clone();
        let tables = network.factors().iter().map(|cpt| zero_table(&variables, cpt.scope().to_vec()));
        Ok(Self { tables: tables.collect::<Result<_, _>>()?, variables })
    }

    /// The counts of complete records in the families of this graph. O(records × arrows).
    ///
    /// # Errors
    /// A record with a missing state (expected counts are for expectation maximisation), or another graph.
    pub fn of(records: &Records, dag: &Dag) -> Result<Self, Error> {
        let mut counts = Self::zeros(records.variables().clone(), dag)?;
        counts.add_records(records)?;
        Ok(counts)
    }

    /// Adds complete records.
    ///
    /// # Errors
    /// A record with a missing state: nothing is added.
    pub fn add_records(&mut self, records: &Records) -> Result<(), Error> {
        self.check_variables(records.variables())?;
        for (states, count) in records.distinct_states()? {
            for table in &mut self.tables {
                let place =
                    table.scope().iter().fold(0, |at, &v| at * self.variables.card(v) + states[v.index()]);
                table.values_mut()[place] += count;
            }
        }
        Ok(())
    }

    /// Adds `weight` times a table over the family of its last variable: expected counts.
    ///
    /// # Errors
    /// A table over another scope or of another shape, or numbers that are negative or not finite: nothing is
    /// added.
    pub fn add_expected(&mut self, family: &Table, weight: f64) -> Result<(), Error> {
        let place = family.scope().last().map_or(usize::MAX, |v| v.index());
        let own = self.tables.get_mut(place).filter(|own| same_family(own, family));
        let own = own.ok_or_else(|| Error::Shape {
            scope: format!("{:?}", family.scope()),
            reason: "it is no family of this network".to_owned(),
        })?;
        let ok = |value: f64| value >= 0.0 && value.is_finite();
        if let Some(index) = family.values().iter().position(|&value| !ok(value * weight)) {
            let table = self.variables.name(VarId::new(place)).to_owned();
            let value = family.values()[index] * weight;
            return Err(Error::Value { table, index, value, requirement: "a count" });
        }
        for (count, value) in own.values_mut().iter_mut().zip(family.values()) {
            *count += weight * value;
        }
        Ok(())
    }

    /// Adds the counts of `other`, of the same families.
    ///
    /// # Errors
    /// Other families: nothing is added.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        self.check_families(other)?;
        other.tables.iter().try_for_each(|table| self.add_expected(table, 1.0))
    }

    /// Takes `other` away again: what was merged can be popped.
    ///
    /// # Errors
    /// Other families, or more than there is (beyond rounding): nothing is changed.
    pub fn pop(&mut self, other: &Self) -> Result<(), Error> {
        self.check_families(other)?;
        for (own, table) in self.tables.iter().zip(&other.tables) {
            let less =
                own.values().iter().zip(table.values()).position(|(own, out)| *out > own * (1.0 + 1e-12));
            if let Some(index) = less {
                let value = own.values()[index] - table.values()[index];
                return Err(Error::Value {
                    table: format!("{:?}", own.scope()),
                    index,
                    value,
                    requirement: "a count",
                });
            }
        }
        for (own, table) in self.tables.iter_mut().zip(&other.tables) {
            for (count, out) in own.values_mut().iter_mut().zip(table.values()) {
                *count = (*count - out).max(0.0);
            }
        }
        Ok(())
    }

    /// The variables.
    pub const fn variables(&self) -> &Variables {
        &self.variables
    }

    /// N(x, u) of `v`: its parents, then itself, the fastest.
    #[track_caller]
    pub fn family(&self, v: VarId) -> &Table {
        &self.tables[v.index()]
    }

    /// All families, in the order of their children.
    pub fn families(&self) -> &[Table] {
        &self.tables
    }

    /// ∑ᵥ ∑ᵤ ∑ₓ N(x, u) ln θ: the log-likelihood of the counted data, or the expected one of expected counts;
    /// 0 ln 0 = 0.
    ///
    /// # Errors
    /// A network with other families.
    pub fn ln_likelihood(&self, network: &BayesianNetwork) -> Result<f64, Error> {
        self.check_variables(network.variables())?;
        let mut total = 0.0;
        for (table, cpt) in self.tables.iter().zip(network.factors()) {
            if table.scope() != cpt.scope() {
                let reason = "the network has another family".to_owned();
                return Err(Error::Shape { scope: format!("{:?}", table.scope()), reason });
            }
            let terms = table.values().iter().zip(cpt.values()).filter(|(count, _)| **count > 0.0);
            total += terms.map(|(count, theta)| count * theta.ln()).sum::<f64>();
        }
        Ok(total)
    }

    /// The network of greatest likelihood, θ = N(x, u) / N(u). A row of which there are no data has no
    /// estimate: it is uniform in the network, and listed.
    ///
    /// # Errors
    /// Counts that overflow.
    pub fn maximum_likelihood(&self) -> Result<(BayesianNetwork, Vec<Unseen>), Error> {
        let unseen = self.unseen();
        let mut tables = self.tables.clone();
        for row in &unseen {
            let card = self.variables.card(row.variable);
            tables[row.variable.index()].values_mut()[row.row * card..(row.row + 1) * card].fill(1.0);
        }
        let (network, _) = BayesianNetwork::normalized(self.variables.clone(), tables)?;
        Ok((network, unseen))
    }

    /// The rows of which there are no data.
    pub fn unseen(&self) -> Vec<Unseen> {
        let rows = |v: VarId| {
            let rows = self.tables[v.index()].values().chunks_exact(self.variables.card(v)).enumerate();
            rows.filter(|(_, row)| row.iter().all(|&count| count == 0.0))
                .map(move |(row, _)| Unseen { variable: v, row })
        };
        self.variables.ids().flat_map(rows).collect()
    }

    fn check_families(&self, other: &Self) -> Result<(), Error> {
        let mut pairs = self.tables.iter().zip(&other.tables);
        if self.tables.len() == other.tables.len() && pairs.all(|(own, table)| same_family(own, table)) {
            return Ok(());
        }
        let reason = "it has other families".to_owned();
        Err(Error::Shape { scope: "the network".to_owned(), reason })
    }

    fn check_variables(&self, other: &Variables) -> Result<(), Error> {
        if *other == self.variables {
            return Ok(());
        }
        let reason = "the variables differ".to_owned();
        Err(Error::Shape { scope: format!("{} variables", self.variables.len()), reason })
    }
}

/// Whether two tables are over the same variables, with as many states.
pub(super) fn same_family(a: &Table, b: &Table) -> bool {
    (a.scope(), a.cards()) == (b.scope(), b.cards())
}

fn zero_table(variables: &Variables, scope: Vec<VarId>) -> Result<Table, Error> {
    let cards: Vec<usize> = scope.iter().map(|&v| variables.card(v)).collect();
    let cells = crate::table::cells(&cards).ok_or(Error::TooLarge { variables: scope.len() })?;
    Table::new(scope, cards, vec![0.0; cells])
}
