//! Observations of the variables of a model.

use posterior_graph::VarId;

use crate::{Error, Evidence, Variables};

/// What stands for a state that was not seen.
const MISSING: u32 = u32::MAX;

/// A state for every variable, and how often that comes.
pub type Weighted = (Vec<usize>, f64);

/// Observations: in each record a state, or nothing, for every variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Records {
    variables: Variables,
    /// Record after record.
    states: Vec<u32>,
    rows: usize,
}

impl Records {
    /// No record yet.
    pub const fn new(variables: Variables) -> Self {
        Self { variables, states: Vec::new(), rows: 0 }
    }

    /// Adds a record: one state for each variable, `None` where it is missing.
    ///
    /// # Errors
    /// The wrong number of states, or a state that does not exist: nothing is added.
    pub fn push(&mut self, record: &[Option<usize>]) -> Result<(), Error> {
        if record.len() != self.variables.len() {
            let reason = format!("{} states for {} variables", record.len(), self.variables.len());
            return Err(Error::Record { record: self.rows, reason });
        }
        for (v, state) in self.variables.ids().zip(record) {
            if let Some(state) = state.filter(|&state| state >= self.variables.card(v)) {
                let name = self.variables.name(v);
                let reason = format!("{name:?} is in state {state} of {}", self.variables.card(v));
                return Err(Error::Record { record: self.rows, reason });
            }
        }
        self.states.extend(record.iter().map(|state| state.map_or(MISSING, |state| state as u32)));
        self.rows += 1;
        Ok(())
    }

    /// Adds a record by names: variables that are not listed are missing.
    ///
    /// ```
    /// use posterior_pgm::{Records, Variables};
    ///
    /// let variables = Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])])?;
    /// let mut records = Records::new(variables);
    /// records.push_named([("grass", "wet"), ("rain", "yes")])?;
    /// records.push_named([("rain", "no")])?;
    /// assert_eq!((records.len(), records.is_complete()), (2, false));
    /// # Ok::<(), posterior_pgm::Error>(())
    /// ```
    ///
    /// # Errors
    /// A name or a state that does not exist, or a variable that comes twice: nothing is added.
    pub fn push_named<'a>(
        &mut self,
        states: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), Error> {
        let seen = Evidence::named(&self.variables, states)?;
        let record: Vec<Option<usize>> = self.variables.ids().map(|v| seen.state(v)).collect();
        self.push(&record)
    }

    /// Records of complete states.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn complete<'a>(
        variables: Variables,
        records: impl IntoIterator<Item = &'a [usize]>,
    ) -> Result<Self, Error> {
        let mut all = Self::new(variables);
        let mut own = Vec::new();
        for record in records {
            own.clear();
            own.extend(record.iter().copied().map(Some));
            all.push(&own)?;
        }
        Ok(all)
    }

    /// The variables.
    pub const fn variables(&self) -> &Variables {
        &self.variables
    }

    /// How many records there are.
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The state of `v` in a record, if it was seen.
    ///
    /// # Panics
    /// If there is no such record or variable.
    #[track_caller]
    pub fn state(&self, record: usize, v: VarId) -> Option<usize> {
        assert!(v.index() < self.variables.len(), "{v:?} is one of the variables");
        let state = self.states[record * self.variables.len() + v.index()];
        (state != MISSING).then_some(state as usize)
    }

    /// Whether every state of every record was seen.
    pub fn is_complete(&self) -> bool {
        self.states.iter().all(|&state| state != MISSING)
    }

    /// In how many records `v` was in each of its states.
    ///
    /// # Panics
    /// If there is no such variable.
    #[track_caller]
    pub fn state_counts(&self, v: VarId) -> Vec<usize> {
        let mut counts = vec![0; self.variables.card(v)];
        (0..self.rows).filter_map(|record| self.state(record, v)).for_each(|state| counts[state] += 1);
        counts
    }

    /// What was seen in a record, as evidence.
    ///
    /// # Panics
    /// If there is no such record.
    #[track_caller]
    pub fn evidence(&self, record: usize) -> Evidence {
        Evidence::of(self.variables.ids().filter_map(|v| self.state(record, v).map(|state| (v, state))))
    }

    /// The states of the records that differ, in the order of their first appearance, and how often each
    /// comes.
    ///
    /// # Errors
    /// A record with a missing state.
    pub fn distinct_states(&self) -> Result<Vec<Weighted>, Error> {
        self.distinct()
            .into_iter()
            .map(|(record, count)| Ok((self.complete_states(record)?, count)))
            .collect()
    }

    /// The states of all variables in a record; an error if one is missing.
    fn complete_states(&self, record: usize) -> Result<Vec<usize>, Error> {
        let state = |v: VarId| {
            let reason = || format!("the state of {:?} is missing", self.variables.name(v));
            self.state(record, v).ok_or_else(|| Error::Record { record, reason: reason() })
        };
        self.variables.ids().map(state).collect()
    }

    /// The records that differ, in the order of their first appearance, and how often each comes. O(n log n).
    pub fn distinct(&self) -> Vec<(usize, f64)> {
        let width = self.variables.len();
        let row = |record: usize| &self.states[record * width..(record + 1) * width];
        let mut order: Vec<usize> = (0..self.rows).collect();
        order.sort_by(|&a, &b| row(a).cmp(row(b)).then(a.cmp(&b)));
        let mut distinct: Vec<(usize, f64)> = Vec::new();
        for &record in &order {
            match distinct.last_mut() {
                Some((first, count)) if row(*first) == row(record) => *count += 1.0,
                _ => distinct.push((record, 1.0)),
            }
        }
        distinct.sort_unstable_by_key(|&(first, _)| first);
        distinct
    }
}
