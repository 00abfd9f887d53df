//! What is multiplied and summed in which step, worked out from scopes alone.

use std::borrow::Cow;

use posterior_pgm::{Semiring, Table, VarId};

use super::bucket::sum_out;
use crate::{Cost, Error};

/// A table that is borrowed from a model, or made.
pub(crate) type Part<'a, S> = Cow<'a, Table<<S as Semiring>::Value>>;

/// One variable goes: the tables that hold it are multiplied and it is summed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) variable: VarId,
    /// The tables that hold the variable: numbers below the count of inputs are inputs, the others results of
    /// steps.
    pub(crate) tables: Vec<usize>,
    /// The scope of the result: the variable that goes first comes last, where it is fastest.
    pub(crate) scope: Vec<VarId>,
}

/// The steps of an elimination, and what they cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    inputs: usize,
    steps: Vec<Step>,
    /// The tables that are left.
    rest: Vec<usize>,
    /// The variables over which the product of the rest is wanted, if it is.
    kept: Option<Vec<VarId>>,
    cost: Cost,
    /// The cells of the results of all steps.
    results: u64,
}

impl Program {
    /// Eliminates `order` from tables with these scopes. The answer is the product of what is left, over
    /// `kept`, or else the tables that are left, one by one.
    ///
    /// `cards` has the number of states of each variable by its index.
    pub(crate) fn new<'a>(
        scopes: impl Iterator<Item = &'a [VarId]>,
        order: &[VarId],
        kept: Option<&[VarId]>,
        cards: &[usize],
    ) -> Self {
        let mut position = vec![usize::MAX; cards.len()];
        for (place, v) in order.iter().enumerate() {
            position[v.index()] = place;
        }
        let place_of =
            |scope: &[VarId]| scope.iter().map(|v| position[v.index()]).min().unwrap_or(usize::MAX);
        let mut scopes: Vec<Cow<'a, [VarId]>> = scopes.map(Cow::Borrowed).collect();
        let inputs = scopes.len();
        let mut buckets = vec![Vec::new(); order.len()];
        let mut rest = Vec::new();
        for (number, scope) in scopes.iter().enumerate() {
            buckets.get_mut(place_of(scope)).unwrap_or(&mut rest).push(number);
        }
        let mut union = Union { marks: vec![usize::MAX; cards.len()], position: &position };
        let mut meter = Meter::default();
        let mut steps = Vec::with_capacity(order.len());
        for (place, &variable) in order.iter().enumerate() {
            let tables = std::mem::take(&mut buckets[place]);
            let mut scope = union.of(place, tables.iter().map(|&t| &*scopes[t]));
            let whole = cells(&scope, cards);
            scope.retain(|&v| v != variable);
            let result = cells(&scope, cards);
            let gone = tables.iter().filter(|&&t| t >= inputs).map(|&t| cells(&scopes[t], cards));
            meter.step(whole, result, gone, tables.len());
            buckets.get_mut(place_of(&scope)).unwrap_or(&mut rest).push(scopes.len());
            scopes.push(Cow::Owned(scope.clone()));
            steps.push(Step { variable, tables, scope });
        }
        if let Some(kept) = kept {
            meter.step(cells(kept, cards), cells(kept, cards), std::iter::empty(), rest.len());
        }
        let Meter { cost, results, .. } = meter;
        Self { inputs, steps, rest, kept: kept.map(<[VarId]>::to_vec), cost, results }
    }

    pub(crate) const fn cost(&self) -> Cost {
        self.cost
    }

    /// What it costs if the results of all steps are kept.
    pub(crate) const fn cost_of_keeping(&self) -> Cost {
        Cost::new(self.results, self.cost.largest, self.cost.operations)
    }

    /// How many tables go in.
    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The tables that are left at the end.
    pub(crate) fn rest(&self) -> &[usize] {
        &self.rest
    }

    /// The scopes of the tables that are left, those of the inputs being given.
    pub(crate) fn rest_scopes<'a>(&'a self, inputs: &[&'a [VarId]]) -> Vec<&'a [VarId]> {
        let scope = |&t: &usize| if t < self.inputs { inputs[t] } else { &self.steps[t - self.inputs].scope };
        self.rest.iter().map(scope).collect()
    }

    /// Carries it out: one table over what is kept, or else those that are left. `finish` sees the result of
    /// every step.
    pub(crate) fn run<'a, S: Semiring>(
        &self,
        inputs: Vec<Part<'a, S>>,
        finish: &mut impl FnMut(Table<S::Value>) -> Table<S::Value>,
    ) -> Result<Vec<Part<'a, S>>, Error> {
        let mut tables: Vec<Option<Part<'a, S>>> = inputs.into_iter().map(Some).collect();
        for step in &self.steps {
            let own = take(&mut tables, &step.tables);
            tables.push(Some(Cow::Owned(finish(sum_out::<S>(
                &refer(&own),
                &step.scope,
                Some(step.variable),
            )?))));
        }
        let rest = take(&mut tables, &self.rest);
        let Some(kept) = &self.kept else { return Ok(rest) };
        Ok(vec![Cow::Owned(sum_out::<S>(&refer(&rest), kept, None)?)])
    }

    /// As [`run`](Self::run), but the result of every step is returned, after the inputs, and nothing is
    /// multiplied at the end.
    pub(crate) fn run_keeping<'a, S: Semiring>(
        &self,
        inputs: Vec<Part<'a, S>>,
    ) -> Result<Vec<Part<'a, S>>, Error> {
        let mut tables = inputs;
        for step in &self.steps {
            let own: Vec<&Table<S::Value>> = step.tables.iter().map(|&t| &*tables[t]).collect();
            let result = sum_out::<S>(&own, &step.scope, Some(step.variable))?;
            tables.push(Cow::Owned(result));
        }
        Ok(tables)
    }

    /// The variables over which the product of the rest is wanted, if it is.
    pub(crate) fn kept(&self) -> Option<&[VarId]> {
        self.kept.as_deref()
    }
}

/// Takes tables out.
pub(crate) fn take<T>(tables: &mut [Option<T>], numbers: &[usize]) -> Vec<T> {
    numbers.iter().filter_map(|&t| tables[t].take()).collect()
}

fn refer<'a, V: Copy>(tables: &'a [Cow<'_, Table<V>>]) -> Vec<&'a Table<V>> {
    tables.iter().map(|table| &**table).collect()
}

/// Unions of scopes, with marks that need no clearing.
struct Union<'a> {
    /// The number of the union that a variable was last seen in.
    marks: Vec<usize>,
    position: &'a [usize],
}

impl Union<'_> {
    /// All variables of the scopes, the one that goes first last.
    fn of<'b>(&mut self, number: usize, scopes: impl Iterator<Item = &'b [VarId]>) -> Vec<VarId> {
        let mut union = Vec::new();
        for &v in scopes.flatten() {
            if std::mem::replace(&mut self.marks[v.index()], number) != number {
                union.push(v);
            }
        }
        union.sort_unstable_by_key(|v| (std::cmp::Reverse(self.position[v.index()]), *v));
        union
    }
}

/// How many joint states variables have, up to the largest integer.
fn cells(scope: &[VarId], cards: &[usize]) -> u64 {
    scope.iter().fold(1_u64, |cells, v| cells.saturating_mul(cards[v.index()] as u64))
}

/// Counts what is held and done.
#[derive(Default)]
struct Meter {
    held: u64,
    results: u64,
    cost: Cost,
}

impl Meter {
    /// A result is made from tables that have `whole` joint states together; then `gone` go.
    fn step(&mut self, whole: u64, result: u64, gone: impl Iterator<Item = u64>, factors: usize) {
        self.held = self.held.saturating_add(result);
        self.results = self.results.saturating_add(result);
        self.cost.cells = self.cost.cells.max(self.held);
        self.cost.largest = self.cost.largest.max(result);
        let operations = whole.saturating_mul(factors.max(1) as u64);
        self.cost.operations = self.cost.operations.saturating_add(operations);
        self.held = gone.fold(self.held, u64::saturating_sub);
    }
}
