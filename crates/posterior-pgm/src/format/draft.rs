//! A network while its file is read: what was declared so far, and where.

use std::borrow::Cow;
use std::collections::BTreeMap;

use posterior_graph::{Error as GraphError, VarId};

use super::source::Source;
use crate::{BayesianNetwork, Error, GraphicalModel, ParseError, Renormalized, Table, Variables};

/// The most numbers that one file may have without writing them, by default rows and tables: what a file
/// takes of memory is otherwise bounded by its length.
const UNWRITTEN: usize = 1 << 24;

/// A Bayesian network with what else its file says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NetworkFile {
    /// The name of the network; may be empty.
    pub name: String,
    /// The network; its variables and their states are in the order of the file.
    pub network: BayesianNetwork,
    /// Remarks for other programs.
    pub properties: Properties,
    /// The rows that did not add up to one, and were divided by their sums.
    pub renormalized: Vec<Renormalized>,
}

impl NetworkFile {
    /// A file of this network, with no name and no properties.
    pub fn new(network: BayesianNetwork) -> Self {
        let properties = Properties::none(network.variables().len());
        Self { name: String::new(), network, properties, renormalized: Vec::new() }
    }
}

/// Remarks in a file that other programs read, such as the places of nodes on the screen; kept as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// About the network.
    pub network: Vec<String>,
    /// About each variable, in the order of their ids.
    pub variables: Vec<Vec<String>>,
    /// About the conditional table of each variable.
    pub tables: Vec<Vec<String>>,
}

impl Properties {
    /// None, for so many variables.
    pub(super) fn none(variables: usize) -> Self {
        Self {
            network: Vec::new(),
            variables: vec![Vec::new(); variables],
            tables: vec![Vec::new(); variables],
        }
    }
}

/// A name and where it stands.
pub(super) type Placed<'a> = (Cow<'a, str>, usize);

/// The states of a variable in their order, and sorted for look-ups.
#[derive(Debug)]
pub(super) struct States<'a> {
    pub(super) names: Vec<Cow<'a, str>>,
    sorted: Vec<usize>,
}

impl<'a> States<'a> {
    /// These states, unless one comes twice: then the place of its second time.
    fn new(names: Vec<Cow<'a, str>>) -> Result<Self, usize> {
        let mut sorted: Vec<usize> = (0..names.len()).collect();
        sorted.sort_by(|&a, &b| names[a].cmp(&names[b]));
        match sorted.windows(2).find(|pair| names[pair[0]] == names[pair[1]]) {
            Some(pair) => Err(pair[1]),
            None => Ok(Self { names, sorted }),
        }
    }

    /// The state called `name`. Files list states in their order, so `guess` is mostly right.
    pub(super) fn find(&self, name: &[u8], guess: usize) -> Option<usize> {
        if self.names.get(guess).is_some_and(|state| state.as_bytes() == name) {
            return Some(guess);
        }
        let place = self.sorted.binary_search_by(|&i| self.names[i].as_bytes().cmp(name)).ok()?;
        Some(self.sorted[place])
    }
}

/// A variable of the file.
#[derive(Debug)]
struct Declared<'a> {
    name: Cow<'a, str>,
    states: States<'a>,
    /// Where it was declared.
    at: usize,
    /// Its table, and where that is.
    table: Option<(Table, usize)>,
}

/// A network while its file is read.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) source: Source<'a>,
    pub(super) name: String,
    pub(super) properties: Properties,
    variables: Vec<Declared<'a>>,
    ids: BTreeMap<Cow<'a, str>, VarId>,
    /// How many numbers the file had without writing them.
    unwritten: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        let properties = Properties::none(0);
        Self {
            source,
            name: String::new(),
            properties,
            variables: Vec::new(),
            ids: BTreeMap::new(),
            unwritten: 0,
        }
    }

    /// Takes a variable in: its name and its states with their places.
    pub(super) fn declare(
        &mut self,
        (name, at): Placed<'a>,
        states: Vec<Placed<'a>>,
        properties: Vec<String>,
    ) -> Result<(), ParseError> {
        if name.is_empty() {
            return Err(self.source.error(at, "expected the name of a variable, found an empty name"));
        }
        if states.is_empty() {
            return Err(self.source.error(at, format!("`{name}` has no states")));
        }
        let (names, places): (Vec<_>, Vec<_>) = states.into_iter().unzip();
        let twice = |i: usize| self.source.error(places[i], format!("a state of `{name}` comes twice"));
        let states = States::new(names).map_err(twice)?;
        let id = VarId::new(self.variables.len());
        if self.ids.insert(name.clone(), id).is_some() {
            return Err(self.source.error(at, format!("a second variable is called `{name}`")));
        }
        self.variables.push(Declared { name, states, at, table: None });
        self.properties.variables.push(properties);
        self.properties.tables.push(Vec::new());
        Ok(())
    }

    /// The variable of this name.
    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    pub(super) fn name(&self, v: VarId) -> &str {
        &self.variables[v.index()].name
    }

    pub(super) fn states(&self, v: VarId) -> &States<'a> {
        &self.variables[v.index()].states
    }

    pub(super) fn card(&self, v: VarId) -> usize {
        self.variables[v.index()].states.names.len()
    }

    /// Checks the variables of a table, with their places, and returns how many rows it has: one for each
    /// joint state of the parents.
    pub(super) fn rows(
        &self,
        child: (VarId, usize),
        parents: &[(VarId, usize)],
    ) -> Result<usize, ParseError> {
        let (v, at) = child;
        if self.variables[v.index()].table.is_some() {
            return Err(self.source.error(at, format!("a second table of `{}`", self.name(v))));
        }
        let mut sorted: Vec<(VarId, usize)> = parents.to_vec();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
        if let Some((parent, at)) = twice {
            return Err(self.source.error(at, format!("the parent `{}` comes twice", self.name(parent))));
        }
        if let Some(&(_, at)) = parents.iter().find(|parent| parent.0 == v) {
            return Err(self.source.error(at, format!("`{}` is its own parent", self.name(v))));
        }
        let rows = parents.iter().try_fold(1usize, |rows, parent| rows.checked_mul(self.card(parent.0)));
        rows.filter(|rows| rows.checked_mul(self.card(v)).is_some())
            .ok_or_else(|| self.source.error(at, format!("the table of `{}` is too large", self.name(v))))
    }

    /// That so many numbers may stand in a table without being in the file.
    pub(super) fn allow(&mut self, count: usize, at: usize) -> Result<(), ParseError> {
        self.unwritten = self.unwritten.saturating_add(count);
        if self.unwritten <= UNWRITTEN {
            return Ok(());
        }
        Err(self.source.error(at, format!("the rows by default stand for more than {UNWRITTEN} numbers")))
    }

    /// Takes the table of `child` in: one row after another, the last parent fastest. `at` is where it
    /// stands.
    pub(super) fn define(
        &mut self,
        child: VarId,
        parents: &[VarId],
        values: Vec<f64>,
        at: usize,
    ) -> Result<(), ParseError> {
        let card = self.card(child);
        for (row, values) in values.chunks_exact(card).enumerate() {
            self.check_sum(child, (row, parents), values, at)?;
        }
        let mut scope = parents.to_vec();
        scope.push(child);
        let cards = scope.iter().map(|&v| self.card(v)).collect();
        let table =
            Table::new(scope, cards, values).map_err(|error| self.source.error(at, error.to_string()))?;
        self.variables[child.index()].table = Some((table, at));
        Ok(())
    }

    /// That a row can be normalised.
    pub(super) fn check_sum(
        &self,
        child: VarId,
        (row, parents): (usize, &[VarId]),
        values: &[f64],
        at: usize,
    ) -> Result<(), ParseError> {
        let sum: f64 = values.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            return Ok(());
        }
        let given = self.describe(parents, row);
        let message = format!("the probabilities of `{}`{given} add up to {sum}", self.name(child));
        Err(self.source.error(at, message))
    }

    /// The states of the parents in a row, in words that follow the name of the child.
    pub(super) fn describe(&self, parents: &[VarId], mut row: usize) -> String {
        let mut words: Vec<String> = Vec::new();
        for &parent in parents.iter().rev() {
            let card = self.card(parent);
            words.push(format!("{} = {}", self.name(parent), self.states(parent).names[row % card]));
            row /= card;
        }
        words.reverse();
        if words.is_empty() { String::new() } else { format!(" given {}", words.join(", ")) }
    }

    /// The network, when the file is at its end.
    pub(super) fn finish(self) -> Result<NetworkFile, ParseError> {
        let Self { source, name, properties, variables, ids, .. } = self;
        let mut declared: Vec<(String, Vec<String>)> = Vec::with_capacity(variables.len());
        let (mut tables, mut places) = (Vec::new(), Vec::new());
        for Declared { name, states, at, table } in variables {
            let Some((table, place)) = table else {
                return Err(source.error(at, format!("`{name}` has no probabilities")));
            };
            tables.push(table);
            places.push(place);
            declared.push((name.into_owned(), states.names.into_iter().map(Cow::into_owned).collect()));
        }
        let place = |error: &Error| match error {
            Error::Graph(GraphError::Cycle { cycle }) => cycle.get(1).and_then(|name| ids.get(name.as_str())),
            _ => None,
        };
        let refuse = |error: Error| {
            let at = place(&error).map_or(0, |v| places[v.index()]);
            source.error(at, error.to_string())
        };
        let variables = Variables::new(declared).map_err(refuse)?;
        let (network, renormalized) = BayesianNetwork::normalized(variables, tables).map_err(refuse)?;
        Ok(NetworkFile { name, network, properties, renormalized })
    }
}
