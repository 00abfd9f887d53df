//! The posterior of the conditional tables: one Dirichlet distribution for each row.

use posterior_dist::{Categorical, Conjugate, Dirichlet, Stats};
use posterior_graph::VarId;
use posterior_math::ParamError;
use rand::Rng;

use super::FamilyCounts;
use super::counts::same_family;
use crate::{BayesianNetwork, Error, Table};

/// What was believed of the rows of the conditional tables before the data.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CptPrior {
    /// α in each cell. 1 is "add one" (Laplace, also called K2), ½ is Jeffreys'.
    Symmetric(f64),
    /// The same number of imaginary observations in each table, spread evenly: α = size / cells of the table.
    Bdeu(f64),
    /// α of every cell, in the families' own layout: expert knowledge, or yesterday's posterior.
    Cells(Vec<Table>),
}

/// The posterior of every row of every conditional table, with the prior it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct CptPosterior {
    counts: FamilyCounts,
    prior: Vec<Table>,
}

impl FamilyCounts {
    /// The posterior of every row of every table.
    ///
    /// # Errors
    /// A prior whose α is not positive and finite, or has other families.
    pub fn posterior(&self, prior: &CptPrior) -> Result<CptPosterior, Error> {
        let variables = self.variables();
        let prior = prior_tables(self, prior)?;
        for (v, table) in variables.ids().zip(&prior) {
            if let Some(index) = table.values().iter().position(|&a| !(a > 0.0 && a.is_finite())) {
                let name = variables.name(v);
                let value = table.values()[index];
                let table = format!("the prior of {name}");
                return Err(Error::Value { table, index, value, requirement: "positive and finite" });
            }
        }
        Ok(CptPosterior { counts: self.clone(), prior })
    }

    /// ln p(data | graph) with the Dirichlet prior of equal sample size (Heckerman, Geiger and Chickering
    /// 1995): the score that is the same for graphs with the same independencies.
    ///
    /// # Errors
    /// A size that is not positive and finite.
    pub fn bdeu(&self, equivalent_size: f64) -> Result<f64, Error> {
        self.posterior(&CptPrior::Bdeu(equivalent_size))?.ln_evidence()
    }
}

impl CptPosterior {
    /// The distribution of p(v | its parents in row `row`), the last parent fastest.
    ///
    /// # Errors
    /// A variable or row that does not exist.
    pub fn row(&self, v: VarId, row: usize) -> Result<Dirichlet, Error> {
        let variables = self.counts.variables();
        variables.check(v)?;
        let card = variables.card(v);
        let rows = self.prior[v.index()].values().len() / card;
        if row >= rows {
            let reason = format!("row {row} of {rows}");
            return Err(Error::Shape { scope: variables.name(v).to_owned(), reason });
        }
        Ok(Dirichlet::new(&self.alpha_of(v)[row * card..(row + 1) * card])?)
    }

    /// α after the data, in the families' own layout: use it as [`CptPrior::Cells`] of the next.
    ///
    /// # Errors
    /// None in practice.
    pub fn alpha(&self) -> Result<Vec<Table>, Error> {
        let table = |(v, prior): (VarId, &Table)| {
            Table::new(prior.scope().to_vec(), prior.cards().to_vec(), self.alpha_of(v))
        };
        self.counts.variables().ids().zip(&self.prior).map(table).collect()
    }

    fn alpha_of(&self, v: VarId) -> Vec<f64> {
        let (prior, counts) = (self.prior[v.index()].values(), self.counts.family(v).values());
        prior.iter().zip(counts).map(|(prior, count)| prior + count).collect()
    }

    /// The network of the posterior means, (N + α) / (N(u) + α₀): what predicts the next record.
    ///
    /// # Errors
    /// None in practice.
    pub fn mean(&self) -> Result<BayesianNetwork, Error> {
        Ok(BayesianNetwork::normalized(self.counts.variables().clone(), self.alpha()?)?.0)
    }

    /// The most probable network, (N + α − 1) / (N(u) + α₀ − K), if each row has one: where an α is less than
    /// one it may not exist, and the answer is `None`.
    ///
    /// # Errors
    /// None in practice.
    pub fn most_probable(&self) -> Result<Option<BayesianNetwork>, Error> {
        self.build(|alpha| Categorical::most_probable(&Dirichlet::new(alpha)?, &alpha.len()))
    }

    /// A network drawn from the posterior.
    ///
    /// # Errors
    /// None in practice.
    #[expect(clippy::missing_panics_doc, reason = "every row of a posterior can be drawn")]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<BayesianNetwork, Error> {
        let drawn =
            self.build(|alpha| Categorical::draw(&Dirichlet::new(alpha)?, &alpha.len(), rng).map(Some))?;
        Ok(drawn.expect("invariant: every row was drawn"))
    }

    /// ln p(data | graph) = ∑ᵥ ∑ᵤ ln B(α + N) − ln B(α), of the sequence of records.
    ///
    /// # Errors
    /// Counts beyond the range of f64.
    pub fn ln_evidence(&self) -> Result<f64, Error> {
        let mut total = 0.0;
        for (v, prior) in self.counts.variables().ids().zip(&self.prior) {
            let card = self.counts.variables().card(v);
            let counts = self.counts.family(v).values().chunks_exact(card);
            for (prior, counts) in prior.values().chunks_exact(card).zip(counts) {
                let stats =
                    Stats::<Categorical>::from_totals(card, counts.to_vec(), counts.iter().sum(), 0.0)?;
                total += Categorical::ln_evidence(&Dirichlet::new(prior)?, &stats)?;
            }
        }
        Ok(total)
    }

    /// The network with `distribution` of each row's α; `None` if that is `None` of a row.
    fn build(
        &self,
        mut distribution: impl FnMut(&[f64]) -> Result<Option<Categorical>, ParamError>,
    ) -> Result<Option<BayesianNetwork>, Error> {
        let variables = self.counts.variables();
        let mut tables = Vec::with_capacity(variables.len());
        for (v, prior) in variables.ids().zip(&self.prior) {
            let mut values = Vec::with_capacity(prior.values().len());
            for row in self.alpha_of(v).chunks_exact(variables.card(v)) {
                let Some(distribution) = distribution(row)? else { return Ok(None) };
                values.extend_from_slice(distribution.probabilities());
            }
            tables.push(Table::new(prior.scope().to_vec(), prior.cards().to_vec(), values)?);
        }
        Ok(Some(BayesianNetwork::normalized(variables.clone(), tables)?.0))
    }
}

fn prior_tables(counts: &FamilyCounts, prior: &CptPrior) -> Result<Vec<Table>, Error> {
    let tables = counts.families();
    match prior {
        CptPrior::Symmetric(alpha) => Ok(tables.iter().map(|table| table.map(|_| *alpha)).collect()),
        CptPrior::Bdeu(size) => {
            let alpha = |table: &Table| size / table.values().len() as f64;
            Ok(tables.iter().map(|table| table.map(|_| alpha(table))).collect())
        }
        CptPrior::Cells(cells) => {
            let fits = |(own, given)| same_family(own, given);
            if cells.len() != tables.len() || !tables.iter().zip(cells).all(fits) {
                let reason = "the prior has other families".to_owned();
                return Err(Error::Shape { scope: "the network".to_owned(), reason });
            }
            Ok(cells.clone())
        }
    }
}
