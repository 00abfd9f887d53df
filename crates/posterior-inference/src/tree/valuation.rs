//! What can be passed along a tree: anything with a product and a marginal.

use std::marker::PhantomData;

use posterior_pgm::{Semiring, Table, VarId};

use crate::Error;

/// Something about some variables, with a product and a marginal (Shenoy and Shafer 1990): tables of a
/// semiring ([`Weights`]), Gaussians ([`GaussianFactor`](crate::GaussianFactor)), or your own.
///
/// Two distributions make messages exact: the product is commutative and associative, and what does not read
/// a variable may be taken out of its marginal: (a ⊗ b)↓ = a ⊗ b↓ where the variables that go are b's alone.
pub trait Valuation: Clone {
    /// The variables that it reads.
    fn scope(&self) -> &[VarId];

    /// Both together, over the variables of both.
    ///
    /// # Errors
    /// If the two do not fit.
    fn product(&self, other: &Self) -> Result<Self, Error>;

    /// What it says of `keep`, some of its variables.
    ///
    /// # Errors
    /// If a variable is not in the scope or comes twice, or the rest can't be summed or integrated.
    fn marginal(&self, keep: &[VarId]) -> Result<Self, Error>;
}

/// A table of numbers of a semiring.
///
/// The numbers are not scaled: where products of probabilities would underflow, take a semiring of
/// logarithms.
pub struct Weights<S: Semiring> {
    table: Table<S::Value>,
    semiring: PhantomData<S>,
}

impl<S: Semiring> Weights<S> {
    /// These numbers.
    pub const fn new(table: Table<S::Value>) -> Self {
        Self { table, semiring: PhantomData }
    }

    /// The numbers.
    pub const fn table(&self) -> &Table<S::Value> {
        &self.table
    }
}

impl<S: Semiring> Clone for Weights<S> {
    fn clone(&self) -> Self {
        Self::new(self.table.clone())
    }
}

impl<S: Semiring> PartialEq for Weights<S> {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

impl<S: Semiring> std::fmt::Debug for Weights<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Weights").field(&self.table).finish()
    }
}

impl<S: Semiring> Valuation for Weights<S> {
    fn scope(&self) -> &[VarId] {
        self.table.scope()
    }

    fn product(&self, other: &Self) -> Result<Self, Error> {
        Ok(Self::new(self.table.product::<S>(&other.table)?))
    }

    fn marginal(&self, keep: &[VarId]) -> Result<Self, Error> {
        Ok(Self::new(self.table.marginal::<S>(keep)?))
    }
}
