//! Bayesian networks: p(x) = ∏ᵥ p(xᵥ | parents of v).

use posterior_graph::{Dag, VarId};

use crate::{Error, GraphicalModel, Table, Variables};

/// How far from 1 a row of a conditional table may add up without being called wrong.
pub(crate) const ROW_TOLERANCE: f64 = 1e-9;

/// A Bayesian network: a conditional table for each variable, on a directed acyclic graph.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesianNetwork {
    variables: Variables,
    dag: Dag,
    /// One for each variable: its parents, then itself, the fastest.
    cpts: Vec<Table>,
}

/// A row of a conditional table that did not add up to one and was divided by its sum.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Renormalized {
    /// The child.
    pub variable: VarId,
    /// The number of the row, the last parent fastest.
    pub row: usize,
    /// What it added up to.
    pub sum: f64,
}

impl BayesianNetwork {
    /// The network of these conditional tables, in any order: the last variable of each scope is the child,
    /// those before it are its parents. Rows are divided by their sums, but for those that add up to one to
    /// the rounding of their numbers: so that a network made of the tables of another is the same to the last
    /// bit.
    ///
    /// # Errors
    /// A table that is missing or comes twice or does not fit its variables, a negative or infinite entry, a
    /// row that does not add up to one (to 1e-9), or a cycle.
    pub fn new(variables: Variables, tables: Vec<Table>) -> Result<Self, Error> {
        let (network, notes) = Self::normalized(variables, tables)?;
        match notes.first() {
            None => Ok(network),
            Some(note) => {
                let scope = network.cpt(note.variable).scope();
                let parents = network.variables.row_states(&scope[..scope.len() - 1], note.row);
                let name = network.variables.name(note.variable).to_owned();
                Err(Error::Row { name, parents, sum: note.sum })
            }
        }
    }

    /// As [`new`](Self::new), but rows that do not add up to one are divided by their sums, and reported:
    /// files hold 0.3333 three times.
    ///
    /// # Errors
    /// As for [`new`](Self::new), but only a row that adds up to zero, or to infinity, is refused.
    pub fn normalized(variables: Variables, tables: Vec<Table>) -> Result<(Self, Vec<Renormalized>), Error> {
        let mut slots: Vec<Option<Table>> = vec![None; variables.len()];
        let mut counts = vec![0; variables.len()];
        for table in tables {
            check_table(&variables, &table)?;
            let Some(&child) = table.scope().last() else {
                let reason = "a conditional table has a child".to_owned();
                return Err(Error::Shape { scope: "no variable".to_owned(), reason });
            };
            counts[child.index()] += 1;
            slots[child.index()] = Some(table);
        }
        if let Some(i) = counts.iter().position(|&count| count != 1) {
            return Err(Error::Tables { name: variables.name(VarId::new(i)).to_owned(), count: counts[i] });
        }
        let mut cpts: Vec<Table> = slots.into_iter().flatten().collect();
        let arrows = cpts
            .iter()
            .filter_map(|table| table.scope().split_last())
            .flat_map(|(&child, parents)| parents.iter().map(move |&parent| (parent, child)));
        let dag = Dag::new(variables.names().clone(), arrows)?;
        let mut notes = Vec::new();
        for (child, table) in variables.ids().zip(&mut cpts) {
            normalize_rows(&variables, child, table, &mut notes)?;
        }
        Ok((Self { variables, dag, cpts }, notes))
    }

    /// The directed graph.
    pub const fn graph(&self) -> &Dag {
        &self.dag
    }

    /// p(v | parents): the parents in the order of the table, then v, the fastest.
    #[track_caller]
    pub fn cpt(&self, v: VarId) -> &Table {
        &self.cpts[v.index()]
    }

    /// The number of free parameters: (states − 1) for each row of each table.
    pub fn parameter_count(&self) -> usize {
        let of = |table: &Table| {
            let card = table.cards().last().copied().unwrap_or(1);
            table.values().len() / card * (card - 1)
        };
        self.cpts.iter().map(of).sum()
    }
}

impl GraphicalModel for BayesianNetwork {
    fn variables(&self) -> &Variables {
        &self.variables
    }

    fn factors(&self) -> &[Table] {
        &self.cpts
    }

    fn dag(&self) -> Option<&Dag> {
        Some(&self.dag)
    }
}

/// That a table fits its variables, and has no negative, infinite or missing number.
pub(crate) fn check_table(variables: &Variables, table: &Table) -> Result<(), Error> {
    let name = |v: &VarId| variables.name(*v);
    for (&v, &card) in table.scope().iter().zip(table.cards()) {
        variables.check(v)?;
        if variables.card(v) != card {
            let scope = variables.name(v).to_owned();
            let reason = format!("{card} states, but the variable has {}", variables.card(v));
            return Err(Error::Shape { scope, reason });
        }
    }
    match table.values().iter().position(|value| !(*value >= 0.0 && value.is_finite())) {
        None => Ok(()),
        Some(index) => Err(Error::Value {
            table: format!(
                "the table over {}",
                table.scope().iter().map(name).collect::<Vec<_>>().join(", ")
            ),
            index,
            value: table.values()[index],
            requirement: "finite and not negative",
        }),
    }
}

fn normalize_rows(
    variables: &Variables,
    child: VarId,
    table: &mut Table,
    notes: &mut Vec<Renormalized>,
) -> Result<(), Error> {
    let card = variables.card(child);
    let sums: Vec<f64> = table.values().chunks_exact(card).map(|row| row.iter().sum()).collect();
    for (row, &sum) in sums.iter().enumerate() {
        if !(sum > 0.0 && sum.is_finite()) {
            let parents = format!("row {row}");
            return Err(Error::Row { name: variables.name(child).to_owned(), parents, sum });
        }
        if (sum - 1.0).abs() > ROW_TOLERANCE {
            notes.push(Renormalized { variable: child, row, sum });
        }
    }
    let mut index = 0;
    let rounding = f64::EPSILON * card as f64;
    *table = table.map(|value| {
        let sum = sums[index / card];
        index += 1;
        if (sum - 1.0).abs() > rounding { value / sum } else { value }
    });
    Ok(())
}
