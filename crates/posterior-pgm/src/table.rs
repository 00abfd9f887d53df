//! Tables: a number for every joint state of some variables.

mod combine;
mod contraction;
mod layout;
#[cfg(test)]
mod tests;

use posterior_graph::VarId;

use crate::{Error, Semiring};

pub use contraction::Contraction;
pub(crate) use layout::cells;

/// A number for every joint state of the variables of its scope, the last variable fastest.
///
/// Any number of variables. Scope and shape are those given; products and marginals say which order they
/// return.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<V = f64> {
    scope: Vec<VarId>,
    cards: Vec<usize>,
    values: Vec<V>,
}

impl<V: Copy> Table<V> {
    /// The table over `scope`, whose variables have `cards` states, with one value for each joint state.
    ///
    /// # Errors
    /// A variable that comes twice or has no state, or the wrong number of values.
    pub fn new(scope: Vec<VarId>, cards: Vec<usize>, values: Vec<V>) -> Result<Self, Error> {
        let describe = || format!("{scope:?}");
        if cards.len() != scope.len() {
            let reason = format!("{} sizes for {} variables", cards.len(), scope.len());
            return Err(Error::Shape { scope: describe(), reason });
        }
        let mut sorted = scope.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::Shape { scope: describe(), reason: "a variable comes twice".to_owned() });
        }
        if let Some(i) = cards.iter().position(|&card| card == 0) {
            return Err(Error::NoStates { name: format!("{:?}", scope[i]) });
        }
        let cells = cells(&cards).ok_or(Error::TooLarge { variables: scope.len() })?;
        if values.len() != cells {
            let reason = format!("{} values for {cells} joint states", values.len());
            return Err(Error::Shape { scope: describe(), reason });
        }
        Ok(Self { scope, cards, values })
    }

    /// The table over no variable: one value.
    pub fn scalar(value: V) -> Self {
        Self { scope: Vec::new(), cards: Vec::new(), values: vec![value] }
    }

    /// The variables, the slowest first.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// How many states each variable of the scope has.
    pub fn cards(&self) -> &[usize] {
        &self.cards
    }

    /// The values, the last variable of the scope fastest.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The values, to be changed in place; the shape stays.
    pub(crate) fn values_mut(&mut self) -> &mut [V] {
        &mut self.values
    }

    /// The value at a joint state: one state for each variable of the scope, in its order.
    ///
    /// # Panics
    /// If the length or a state is wrong.
    #[track_caller]
    pub fn at(&self, states: &[usize]) -> V {
        assert_eq!(states.len(), self.scope.len(), "one state for each variable of the scope");
        let mut index = 0;
        for (&state, &card) in states.iter().zip(&self.cards) {
            assert!(state < card, "state {state} of {card}");
            index = index * card + state;
        }
        self.values[index]
    }

    /// The place of `v` in the scope.
    pub fn axis(&self, v: VarId) -> Option<usize> {
        self.scope.iter().position(|&own| own == v)
    }

    /// The table with `f` of each value.
    #[must_use]
    pub fn map<W>(&self, f: impl FnMut(V) -> W) -> Table<W> {
        Table {
            scope: self.scope.clone(),
            cards: self.cards.clone(),
            values: self.values.iter().copied().map(f).collect(),
        }
    }

    /// The product with `other`: over the variables of `self`, then those that only `other` has. O(joint
    /// states).
    ///
    /// # Errors
    /// A variable with different numbers of states in the two, or more joint states than fit in memory.
    pub fn product<S: Semiring<Value = V>>(&self, other: &Self) -> Result<Self, Error> {
        combine::combine(self, other, S::multiply)
    }

    /// The table over `keep`, in this order: ⊕ over all other variables. O(joint states).
    ///
    /// # Errors
    /// A variable that is not in the scope, or comes twice.
    pub fn marginal<S: Semiring<Value = V>>(&self, keep: &[VarId]) -> Result<Self, Error> {
        combine::project::<S>(self, keep)
    }

    /// ⊕ over all variables but `keep` of the ⊗ of several tables, which is never stored. O(joint states).
    ///
    /// # Errors
    /// As [`Contraction::new`].
    pub fn product_marginal<S: Semiring<Value = V>>(tables: &[&Self], keep: &[VarId]) -> Result<Self, Error> {
        Ok(Contraction::new(tables, keep)?.run::<S>(tables))
    }

    /// The largest value over the states of `v`, and the first state that has it: what a traceback reads.
    /// O(joint states).
    ///
    /// # Errors
    /// A variable that is not in the scope.
    pub fn maximum_over(&self, v: VarId) -> Result<(Self, Vec<u32>), Error>
    where
        V: PartialOrd,
    {
        let axis = self.axis(v).ok_or_else(|| Error::Shape {
            scope: format!("{:?}", self.scope),
            reason: format!("{v:?} is not in the scope"),
        })?;
        Ok(combine::best(self, axis))
    }

    /// The same table with its variables in this order.
    ///
    /// # Errors
    /// Variables that are not those of the scope, each once.
    pub fn reordered(&self, scope: &[VarId]) -> Result<Self, Error> {
        combine::reorder(self, scope)
    }

    /// The part of the table where each `(v, state)` holds, without these variables; those that the table
    /// does not have are passed over.
    ///
    /// # Errors
    /// A state that does not exist.
    pub fn reduce(&self, findings: &[(VarId, usize)]) -> Result<Self, Error> {
        combine::reduce(self, findings)
    }
}

impl Table {
    /// The quotient by `other`, whose variables are some of this table's, with 0 / 0 = 0.
    ///
    /// # Errors
    /// A variable that this table does not have, or that has another number of states.
    pub fn quotient(&self, other: &Self) -> Result<Self, Error> {
        if let Some(&v) = other.scope.iter().find(|&&v| self.axis(v).is_none()) {
            let reason = format!("{v:?} is not in the scope");
            return Err(Error::Shape { scope: format!("{:?}", self.scope), reason });
        }
        combine::combine(self, other, |a, b| if a == 0.0 && b == 0.0 { 0.0 } else { a / b })
    }

    /// The sum of all values.
    pub fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// The table divided by its sum; `None` if that is zero or not finite.
    pub fn normalized(&self) -> Option<Self> {
        let total = self.total();
        (total > 0.0 && total.is_finite()).then(|| self.map(|value| value / total))
    }
}
