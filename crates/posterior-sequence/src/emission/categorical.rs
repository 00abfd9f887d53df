//! Symbols 0, 1, …, V - 1.

use std::ops::Range;

use posterior_dist::{Categorical, Conjugate, PriorDensity, Stats};
use posterior_latent::mixture::{Happened, IncidentKind, MaximizationStep, MaximumLikelihood, MostProbable};
use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use super::{Distributions, Emissions, LearnEmissions};
use crate::chain::NodeTable;
use crate::error::Error;

/// A distribution of V symbols for each state.
///
/// Weights are looked up: neither a logarithm nor an exponential is taken for an observation.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::emission::{CategoricalEmissions, Emissions};
///
/// let table = DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]);
/// let emissions = CategoricalEmissions::new(&table)?;
/// assert_eq!((emissions.states(), emissions.symbols()), (2, 3));
/// assert_eq!(emissions.probability(1, 2), 0.6);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Categorical>", into = "Vec<Categorical>"))]
pub struct CategoricalEmissions {
    distributions: Vec<Categorical>,
    /// ln p(v | k), symbols as rows.
    table: NodeTable,
}

impl CategoricalEmissions {
    /// The probabilities of symbols, states as rows, which are divided by their sums.
    ///
    /// # Errors
    /// If there is no row or no column, a probability is negative or NaN, or a row does not add up to 1
    /// within 1e-9.
    pub fn new(probabilities: &DMatrix<f64>) -> Result<Self, Error> {
        let row = |k: usize| {
            let row: Vec<f64> = probabilities.row(k).iter().copied().collect();
            Categorical::from_probabilities(&row).map_err(|error| error.at(k))
        };
        Self::from_distributions((0..probabilities.nrows()).map(row).collect::<Result<_, _>>()?)
    }

    /// The distribution of each state.
    ///
    /// # Errors
    /// If there is none, or they have different numbers of symbols.
    pub fn from_distributions(distributions: Vec<Categorical>) -> Result<Self, Error> {
        let Some(symbols) = distributions.first().map(Categorical::categories) else {
            return Err(DimensionError::new("states", 1, 0).into());
        };
        if let Some(distribution) =
            distributions.iter().find(|distribution| distribution.categories() != symbols)
        {
            return Err(DimensionError::new("symbols", symbols, distribution.categories()).into());
        }
        let ln =
            DMatrix::from_fn(symbols, distributions.len(), |v, k| distributions[k].ln_probabilities()[v]);
        Ok(Self { table: NodeTable::from_ln(&ln)?, distributions })
    }

    /// Number V of symbols.
    pub const fn symbols(&self) -> usize {
        self.table.kinds()
    }

    /// The distribution of each state.
    pub fn distributions(&self) -> &[Categorical] {
        &self.distributions
    }

    /// p(v | k).
    ///
    /// # Panics
    /// If there is no such state or symbol.
    #[track_caller]
    pub fn probability(&self, state: usize, symbol: usize) -> f64 {
        self.distributions[state].probabilities()[symbol]
    }

    /// The probabilities of symbols, states as rows.
    pub fn probabilities(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.distributions.len(), self.symbols(), |k, v| self.probability(k, v))
    }

    /// The same emissions without the fast route.
    pub fn to_distributions(&self) -> Distributions<Categorical> {
        Distributions::from_checked(self.distributions.clone())
    }
}

impl TryFrom<Vec<Categorical>> for CategoricalEmissions {
    type Error = Error;

    fn try_from(distributions: Vec<Categorical>) -> Result<Self, Error> {
        Self::from_distributions(distributions)
    }
}

impl From<CategoricalEmissions> for Vec<Categorical> {
    fn from(emissions: CategoricalEmissions) -> Self {
        emissions.distributions
    }
}

impl Emissions for CategoricalEmissions {
    type Data = [usize];

    fn states(&self) -> usize {
        self.distributions.len()
    }

    fn length(data: &[usize]) -> usize {
        data.len()
    }

    fn check(&self, data: &[usize]) -> Result<(), Error> {
        match data.iter().position(|&symbol| symbol >= self.symbols()) {
            None => Ok(()),
            Some(position) => {
                let message = format!("symbol {} of {}", data[position], self.symbols());
                Err(Error::Observation { sequence: 0, position, message })
            }
        }
    }

    fn ln_densities(&self, data: &[usize], range: Range<usize>, out: &mut [f64]) {
        let states = self.distributions.len();
        for (&symbol, row) in data[range].iter().zip(out.chunks_exact_mut(states)) {
            row.copy_from_slice(self.table.ln_row(symbol));
        }
    }

    fn table<'a>(&'a self, data: &'a [usize]) -> Option<(&'a NodeTable, &'a [usize])> {
        Some((&self.table, data))
    }
}

/// Expected counts of symbol v in state k, at v K + k.
type Counts = Vec<f64>;

/// Learning by an [`Estimate`] of the distribution of each state.
macro_rules! learn_symbols {
    (impl[$($generics:tt)*] for $estimate:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> LearnEmissions<CategoricalEmissions> for $estimate $(where $($bounds)*)? {
            type Statistics = Counts;

        fn nothing(&self, emissions: &CategoricalEmissions) -> Vec<f64> {
                vec![0.0; emissions.distributions.len() * emissions.symbols()]
            }

            fn add(
                &self,
                statistics: &mut Vec<f64>,
                emissions: &CategoricalEmissions,
                data: &[usize],
                range: Range<usize>,
                proportions: &[f64],
            ) -> Result<(), Error> {
                let states = emissions.distributions.len();
                for (&symbol, row) in data[range].iter().zip(proportions.chunks_exact(states)) {
                    for (count, proportion) in statistics[symbol * states..][..states].iter_mut().zip(row) {
                        *count += proportion;
                    }
                }
                Ok(())
            }

            fn merge(&self, statistics: &mut Vec<f64>, other: &Vec<f64>) -> Result<(), Error> {
                check::require(
                    statistics.len() == other.len(),
                    "CategoricalEmissions",
                    "counts",
                    other.len() as f64,
                    "of as many states and symbols",
                )?;
                statistics.iter_mut().zip(other).for_each(|(sum, more)| *sum += more);
                Ok(())
            }

            fn estimate(
                &self,
                statistics: &Vec<f64>,
                previous: &CategoricalEmissions,
            ) -> Result<(CategoricalEmissions, Happened), Error> {
                let (states, mut happened) = (previous.distributions.len(), Happened::new());
                let mut distributions = Vec::with_capacity(states);
                for (k, before) in previous.distributions.iter().enumerate() {
                    let counts: Vec<f64> = statistics.iter().skip(k).step_by(states).copied().collect();
                    let total = counts.iter().sum();
                    let stats = Stats::from_totals(previous.symbols(), counts, total, 0.0)?;
                    distributions.push(self.distribution(&stats).unwrap_or_else(|why| {
                        let kind = if total == 0.0 { IncidentKind::Died } else { IncidentKind::Kept(why) };
                        happened.push((k, kind));
                        before.clone()
                    }));
                }
                Ok((CategoricalEmissions::from_distributions(distributions)?, happened))
            }

            fn ln_prior(&self, emissions: &CategoricalEmissions) -> f64 {
                emissions.distributions.iter().map(|distribution| MaximizationStep::ln_prior(self, distribution)).sum()
            }
        }
    };
}

learn_symbols!(impl[] for MaximumLikelihood);
learn_symbols!(impl[P] for MostProbable<P> where Categorical: Conjugate<P>, P: PriorDensity<Categorical>);
