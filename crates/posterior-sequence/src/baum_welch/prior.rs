//! Priors of rows of probabilities.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use crate::error::Error;

/// Dirichlet distributions of π or of the rows of A, of which the most probable is taken: α - 1 is added to
/// each count.
///
/// Where a probability is a structural zero there is no prior: it is that of the rest of the row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DirichletPrior {
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// α - 1 of all.
    Symmetric(f64),
    /// α - 1 of a state after itself is more.
    Sticky { added: f64, stay: f64 },
    /// α - 1 of each.
    Each(DMatrix<f64>),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Symmetric(0.0)
    }
}

impl DirichletPrior {
    /// All α equal; 1 is flat.
    ///
    /// # Errors
    /// If α is below 1, where the most probable is on the edge, or not finite.
    pub fn symmetric(alpha: f64) -> Result<Self, ParamError> {
        Ok(Self { kind: Kind::Symmetric(added(alpha)?) })
    }

    /// α, and α + κ for a state after itself: states last.
    ///
    /// # Errors
    /// If α is below 1, κ negative, or one of them not finite.
    pub fn sticky(alpha: f64, kappa: f64) -> Result<Self, ParamError> {
        let stay = check::non_negative("DirichletPrior", "kappa", kappa)?;
        Ok(Self { kind: Kind::Sticky { added: added(alpha)?, stay } })
    }

    /// α of each entry: K rows of K for A, one row of K for π.
    ///
    /// # Errors
    /// If one is below 1 or not finite.
    pub fn each(alpha: &DMatrix<f64>) -> Result<Self, ParamError> {
        let mut less = alpha.clone();
        for (index, entry) in less.iter_mut().enumerate() {
            *entry = added(*entry).map_err(|error| error.at(index % alpha.nrows()))?;
        }
        Ok(Self { kind: Kind::Each(less) })
    }

    /// α - 1 of an entry.
    pub(super) fn added_count(&self, row: usize, column: usize) -> f64 {
        match &self.kind {
            Kind::Symmetric(added) => *added,
            Kind::Sticky { added, stay } => added + if row == column { *stay } else { 0.0 },
            Kind::Each(all) => all[(row, column)],
        }
    }

    /// Σ (α - 1) ln p of a row, over what is not a structural zero.
    pub(super) fn ln_density(&self, row: usize, probabilities: impl Iterator<Item = f64>) -> f64 {
        probabilities
            .enumerate()
            .map(|(column, p)| (self.added_count(row, column), p))
            .filter(|&(added, p)| added > 0.0 && p > 0.0)
            .map(|(added, p)| added * p.ln())
            .sum()
    }

    pub(super) fn check(&self, rows: usize, columns: usize) -> Result<(), Error> {
        let Kind::Each(all) = &self.kind else { return Ok(()) };
        for (what, expected, found) in
            [("rows of the prior", rows, all.nrows()), ("columns of the prior", columns, all.ncols())]
        {
            check::dimension(what, expected, found)?;
        }
        Ok(())
    }
}

fn added(alpha: f64) -> Result<f64, ParamError> {
    check::finite("DirichletPrior", "alpha", alpha)?;
    Ok(check::require(alpha >= 1.0, "DirichletPrior", "alpha", alpha, "at least 1")? - 1.0)
}
