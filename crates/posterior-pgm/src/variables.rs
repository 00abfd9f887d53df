//! Names and states of the variables of a model.

use std::sync::Arc;

use posterior_graph::{Names, VarId};

use crate::Error;

/// The variables of a model: each has a name and an ordered list of named states. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variables(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    names: Names,
    cards: Vec<usize>,
    /// All states, one variable after another.
    states: Vec<String>,
    /// The states of variable i begin at `starts[i]`.
    starts: Vec<usize>,
}

impl Variables {
    /// Variables with their states, in the order of their ids.
    ///
    /// # Errors
    /// Names that are empty or come twice; a variable without states, or with two states of one name.
    pub fn new<N, S, I>(variables: impl IntoIterator<Item = (N, I)>) -> Result<Self, Error>
    where
        N: Into<String>,
        S: Into<String>,
        I: IntoIterator<Item = S>,
    {
        let mut names: Vec<String> = Vec::new();
        let mut states: Vec<String> = Vec::new();
        let mut starts = vec![0];
        for (name, own) in variables {
            let name = name.into();
            let start = states.len();
            states.extend(own.into_iter().map(Into::into));
            check_states(&name, &states[start..])?;
            starts.push(states.len());
            names.push(name);
        }
        let cards = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        Ok(Self(Arc::new(Inner { names: Names::new(names)?, cards, states, starts })))
    }

    /// X0, X1, … with so many states each, called 0, 1, ….
    ///
    /// # Errors
    /// A variable without states.
    pub fn numbered(cards: &[usize]) -> Result<Self, Error> {
        let names = Names::numbered(cards.len());
        if let Some(i) = cards.iter().position(|&card| card == 0) {
            return Err(Error::NoStates { name: names.get(VarId::new(i)).to_owned() });
        }
        let states = cards.iter().flat_map(|&card| (0..card).map(|state| state.to_string())).collect();
        let mut starts = vec![0];
        for card in cards {
            starts.push(starts[starts.len() - 1] + card);
        }
        Ok(Self(Arc::new(Inner { names, cards: cards.to_vec(), states, starts })))
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.0.cards.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.cards.is_empty()
    }

    /// All variables, in the order of their ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = VarId> + DoubleEndedIterator + use<> {
        (0..self.len()).map(VarId::new)
    }

    /// The names.
    pub fn names(&self) -> &Names {
        &self.0.names
    }

    /// The name of `v`.
    #[track_caller]
    pub fn name(&self, v: VarId) -> &str {
        self.0.names.get(v)
    }

    /// How many states `v` has.
    #[track_caller]
    pub fn card(&self, v: VarId) -> usize {
        self.0.cards[v.index()]
    }

    /// How many states each variable has.
    pub fn cards(&self) -> &[usize] {
        &self.0.cards
    }

    /// The names of the states of `v`.
    #[track_caller]
    pub fn states(&self, v: VarId) -> &[String] {
        &self.0.states[self.0.starts[v.index()]..self.0.starts[v.index() + 1]]
    }

    /// The variable called `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn require(&self, name: &str) -> Result<VarId, Error> {
        Ok(self.0.names.require(name)?)
    }

    /// The state of `v` called `state`.
    ///
    /// # Errors
    /// If there is none: the error lists those that there are.
    pub fn require_state(&self, v: VarId, state: &str) -> Result<usize, Error> {
        self.states(v).iter().position(|known| known == state).ok_or_else(|| Error::UnknownState {
            name: self.name(v).to_owned(),
            state: state.to_owned(),
            states: self.states(v).to_vec(),
        })
    }

    /// "A = yes, B = no", or "no parents".
    pub(crate) fn assignment(&self, states: impl IntoIterator<Item = (VarId, usize)>) -> String {
        let words: Vec<String> = states
            .into_iter()
            .map(|(v, state)| format!("{} = {}", self.name(v), self.states(v)[state]))
            .collect();
        if words.is_empty() { "no parents".to_owned() } else { words.join(", ") }
    }

    /// The states of `parents` in a row of a conditional table, the last one fastest, in words.
    pub(crate) fn row_states(&self, parents: &[VarId], mut row: usize) -> String {
        let mut states: Vec<(VarId, usize)> = Vec::with_capacity(parents.len());
        for &parent in parents.iter().rev() {
            states.push((parent, row % self.card(parent)));
            row /= self.card(parent);
        }
        self.assignment(states.into_iter().rev())
    }

    /// Whether `v` is one of these variables.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self, v: VarId) -> Result<(), Error> {
        if v.index() < self.len() {
            return Ok(());
        }
        Err(posterior_graph::Error::UnknownVariable { index: v.index(), len: self.len() }.into())
    }

    /// Whether all of `list` are variables of these, each once; an error names `context`, where they stand.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_distinct(&self, list: &[VarId], context: &'static str) -> Result<(), Error> {
        list.iter().try_for_each(|&v| self.check(v))?;
        let mut sorted = list.to_vec();
        sorted.sort_unstable();
        let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
        let name = self.name(pair[0]).to_owned();
        Err(posterior_graph::Error::RepeatedVariable { name, context }.into())
    }
}

fn check_states(name: &str, states: &[String]) -> Result<(), Error> {
    if states.is_empty() {
        return Err(Error::NoStates { name: name.to_owned() });
    }
    let mut sorted: Vec<&String> = states.iter().collect();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::DuplicateState { name: name.to_owned(), state: pair[0].clone() }),
        None => Ok(()),
    }
}
