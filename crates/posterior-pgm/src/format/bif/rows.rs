//! The rows of a conditional table: listed by the states of the parents, all at once, or by default.

use posterior_graph::VarId;

use crate::ParseError;
use crate::format::draft::Draft;
use crate::format::lexer::Lexer;

/// The most states that an error lists.
const LISTED: usize = 20;

/// The rows of the table that is read, in the order of the file. Kept from table to table for its memory.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) parents: Vec<VarId>,
    child: Option<VarId>,
    /// The states of the child.
    card: usize,
    /// How many rows there must be.
    count: usize,
    /// The number of each row that came, and its place.
    listed: Vec<(usize, usize)>,
    values: Vec<f64>,
    /// The states of the row before.
    states: Vec<usize>,
    table: Option<usize>,
    default: Option<Vec<f64>>,
}

impl Rows {
    /// Starts the table over these variables, the child first.
    pub(super) fn begin(&mut self, draft: &Draft<'_>, header: &[(VarId, usize)]) -> Result<(), ParseError> {
        self.count = draft.rows(header[0], &header[1..])?;
        self.card = draft.card(header[0].0);
        self.child = Some(header[0].0);
        self.parents.clear();
        self.parents.extend(header[1..].iter().map(|parent| parent.0));
        self.states.clear();
        self.states.resize(self.parents.len(), 0);
        self.listed.clear();
        self.values.clear();
        self.table = None;
        self.default = None;
        Ok(())
    }

    /// `(state, …) number, …;`
    pub(super) fn row(&mut self, lexer: &mut Lexer<'_>, draft: &Draft<'_>) -> Result<(), ParseError> {
        let start = lexer.at;
        self.once(draft, start, "rows beside a table")?;
        lexer.at += 1;
        let mut index = 0;
        for (i, &parent) in self.parents.iter().enumerate() {
            lexer.skip_commas()?;
            let what = "a state of each parent";
            let (from, to) = lexer.raw_name(what)?;
            let name = &lexer.source.bytes[from..to];
            let states = draft.states(parent);
            // The state of the row before, or the next one.
            let last = self.states[i];
            let guess = if states.names[last].as_bytes() == name { last } else { last + 1 };
            let Some(state) = states.find(name, guess) else {
                let known =
                    states.names.iter().take(LISTED).map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
                let more = if states.names.len() > LISTED { ", …" } else { "" };
                let name = lexer.source.text(from, to)?;
                let message =
                    format!("`{}` has no state `{name}`; its states are {known}{more}", draft.name(parent));
                return Err(lexer.source.error(from, message));
            };
            self.states[i] = state;
            index = index * states.names.len() + state;
        }
        lexer.skip_commas()?;
        lexer.mark(b')', "after a state of each parent")?;
        self.listed.push((index, start));
        let from = self.values.len();
        lexer.numbers(self.card, &mut self.values)?;
        self.check(draft, &self.values[from..], index, start)
    }

    /// `table number, …;`: the child slowest.
    pub(super) fn all(
        &mut self,
        lexer: &mut Lexer<'_>,
        draft: &Draft<'_>,
        start: usize,
    ) -> Result<(), ParseError> {
        self.once(draft, start, "a second table")?;
        if !self.listed.is_empty() || self.default.is_some() {
            return Err(draft.source.error(start, "a table beside rows"));
        }
        self.table = Some(start);
        lexer.numbers(self.card * self.count, &mut self.values)
    }

    /// `default number, …;`
    pub(super) fn default_row(
        &mut self,
        lexer: &mut Lexer<'_>,
        draft: &Draft<'_>,
        start: usize,
    ) -> Result<(), ParseError> {
        self.once(draft, start, "a default beside a table")?;
        if self.default.is_some() {
            return Err(draft.source.error(start, "a second default"));
        }
        let mut values = Vec::new();
        lexer.numbers(self.card, &mut values)?;
        let sum: f64 = values.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(draft.source.error(start, format!("the default probabilities add up to {sum}")));
        }
        self.default = Some(values);
        Ok(())
    }

    /// That no table came yet.
    fn once(&self, draft: &Draft<'_>, at: usize, message: &str) -> Result<(), ParseError> {
        if self.table.is_some() { Err(draft.source.error(at, message)) } else { Ok(()) }
    }

    fn check(&self, draft: &Draft<'_>, values: &[f64], row: usize, at: usize) -> Result<(), ParseError> {
        match self.child {
            Some(child) => draft.check_sum(child, (row, &self.parents), values, at),
            None => Ok(()),
        }
    }

    /// The numbers of the table, one row after another, the last parent fastest; `at` is where the table
    /// stands.
    pub(super) fn finish(&self, draft: &mut Draft<'_>, at: usize) -> Result<Vec<f64>, ParseError> {
        let (card, count) = (self.card, self.count);
        if self.table.is_some() {
            let values = &self.values;
            let row = |row: usize| (0..card).map(move |state| values[state * count + row]);
            return Ok((0..count).flat_map(row).collect());
        }
        if self.listed.iter().map(|row| row.0).eq(0..count) {
            return Ok(self.values.clone());
        }
        if let Some(default) = &self.default {
            let cells = (count - self.listed.len().min(count)) * card;
            draft.allow(cells, at)?;
            let mut values: Vec<f64> = Vec::with_capacity(count * card);
            (0..count).for_each(|_| values.extend_from_slice(default));
            return self.scatter(draft, values);
        }
        if self.listed.len() < count {
            let row = self.first_missing();
            let given = draft.describe(&self.parents, row);
            return Err(draft.source.error(at, format!("expected the probabilities{given}, found none")));
        }
        self.scatter(draft, vec![0.0; count * card])
    }

    /// Puts each row that came in its place.
    fn scatter(&self, draft: &Draft<'_>, mut values: Vec<f64>) -> Result<Vec<f64>, ParseError> {
        let mut seen = vec![false; self.count];
        for (&(row, at), numbers) in self.listed.iter().zip(self.values.chunks_exact(self.card)) {
            if std::mem::replace(&mut seen[row], true) {
                let given = draft.describe(&self.parents, row);
                return Err(draft.source.error(at, format!("a second row{given}")));
            }
            values[row * self.card..(row + 1) * self.card].copy_from_slice(numbers);
        }
        Ok(values)
    }

    fn first_missing(&self) -> usize {
        let mut rows: Vec<usize> = self.listed.iter().map(|row| row.0).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.iter().enumerate().find(|&(i, &row)| i != row).map_or(rows.len(), |(i, _)| i)
    }
}
