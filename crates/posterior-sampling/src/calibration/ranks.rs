//! The ranks of one quantity, which are uniform if the sampler is right.

use posterior_math::check::{self, ParamError};
use posterior_math::special::gamma_q;

use super::ecdf_band::{self, EcdfBand};
use super::{Coverage, coverage};

/// The most bins of the histogram that is tested.
const MOST_BINS: usize = 20;

/// A bin expects this many simulations at least.
const LEAST_EXPECTED: usize = 10;

/// For each simulation, how many of L posterior draws are below the prior draw: 0 to L.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct Ranks {
    name: String,
    all: Vec<usize>,
    draws: usize,
}

impl Ranks {
    /// Ranks of a quantity of this name among as many draws.
    ///
    /// # Errors
    /// No rank, no draw, or a rank of more than the number of draws.
    pub fn new(name: impl Into<String>, ranks: Vec<usize>, draws: usize) -> Result<Self, ParamError> {
        check::require(draws > 0, "Ranks", "draws", draws as f64, "positive")?;
        check::require(!ranks.is_empty(), "Ranks", "number of ranks", 0.0, "positive")?;
        for (i, &rank) in ranks.iter().enumerate() {
            check::require(rank <= draws, "Ranks", "rank", rank as f64, "no more than the number of draws")
                .map_err(|why| why.at(i))?;
        }
        Ok(Self { name: name.into(), all: ranks, draws })
    }

    /// The name of the quantity.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ranks, in the order of the simulations.
    pub fn ranks(&self) -> &[usize] {
        &self.all
    }

    /// L: among how many draws.
    pub const fn draws(&self) -> usize {
        self.draws
    }

    /// How many simulations.
    pub const fn simulations(&self) -> usize {
        self.all.len()
    }

    /// The mean of (r + 1/2) / (L + 1) over the ranks r: 1/2 for uniform ones, more if the draws are too low.
    pub fn mean(&self) -> f64 {
        let total: f64 = self.all.iter().map(|&rank| (rank as f64 + 0.5) / (self.draws + 1) as f64).sum();
        total / self.simulations() as f64
    }

    /// How many bins the histogram is tested with: up to 20 that expect ten simulations at least, one for
    /// fewer than twenty simulations.
    pub fn bins(&self) -> usize {
        (self.simulations() / LEAST_EXPECTED).min(MOST_BINS).min(self.draws + 1).max(1)
    }

    /// The counts of as many bins, which share the ranks 0 to L as evenly as whole numbers can.
    ///
    /// # Errors
    /// No bin, or more than ranks.
    pub fn histogram(&self, bins: usize) -> Result<Vec<u64>, ParamError> {
        check::require(
            (1..=self.draws + 1).contains(&bins),
            "Ranks",
            "bins",
            bins as f64,
            "from 1 to L + 1",
        )?;
        let mut counts = vec![0; bins];
        for &rank in &self.all {
            counts[bin(rank, bins, self.draws)] += 1;
        }
        Ok(counts)
    }

    /// What the bins of [`histogram`](Self::histogram) expect of uniform ranks.
    ///
    /// # Errors
    /// As there.
    pub fn expected_histogram(&self, bins: usize) -> Result<Vec<f64>, ParamError> {
        check::require(
            (1..=self.draws + 1).contains(&bins),
            "Ranks",
            "bins",
            bins as f64,
            "from 1 to L + 1",
        )?;
        let mut expected = vec![0.0; bins];
        for rank in 0..=self.draws {
            expected[bin(rank, bins, self.draws)] += self.simulations() as f64 / (self.draws + 1) as f64;
        }
        Ok(expected)
    }

    /// The p-value of Pearson's test of the histogram of [`bins`](Self::bins); one for a single bin.
    pub fn chi_square_p_value(&self) -> f64 {
        let bins = self.bins();
        let (Ok(counts), Ok(expected)) = (self.histogram(bins), self.expected_histogram(bins)) else {
            return 1.0;
        };
        if bins < 2 {
            return 1.0;
        }
        let terms = counts.iter().zip(&expected).map(|(&count, mean)| (count as f64 - mean).powi(2) / mean);
        gamma_q(0.5 * (bins - 1) as f64, 0.5 * terms.sum::<f64>())
    }

    /// How many ranks are r or less, for r from 0 to L - 1.
    pub fn cumulative_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.draws];
        for &rank in self.all.iter().filter(|&&rank| rank < self.draws) {
            counts[rank] += 1;
        }
        for rank in 1..self.draws {
            counts[rank] += counts[rank - 1];
        }
        counts
    }

    /// The distribution function of the ranks less that of uniform ones, at the ranks 0 to L - 1.
    pub fn ecdf_difference(&self) -> Vec<f64> {
        let (n, cells) = (self.simulations() as f64, (self.draws + 1) as f64);
        let difference = |(r, count): (usize, u64)| count as f64 / n - (r + 1) as f64 / cells;
        self.cumulative_counts().into_iter().enumerate().map(difference).collect()
    }

    /// The band in which all of [`ecdf_difference`](Self::ecdf_difference) lies with this probability at
    /// least if the ranks are uniform.
    ///
    /// # Errors
    /// A probability that is not in (0, 1).
    pub fn band(&self, probability: f64) -> Result<EcdfBand, ParamError> {
        EcdfBand::new(self.simulations(), self.draws, probability)
    }

    /// The p-value of the distribution function: how probable it is, for uniform ranks, that it comes
    /// anywhere as close to impossible as here.
    ///
    /// Exact, by recursion over the ranks; below 1e-10 it is an upper bound.
    pub fn ecdf_p_value(&self) -> f64 {
        ecdf_band::p_value(&self.cumulative_counts(), self.simulations() as u64)
    }

    /// How often the central interval of this level held the prior draw.
    ///
    /// It lies between the k-th least and the k-th largest draw, so its level is a multiple of 1/(L + 1): the
    /// nearest one, but neither 0 nor 1.
    ///
    /// # Errors
    /// A level that is not in (0, 1); fewer than two draws.
    pub fn coverage(&self, level: f64) -> Result<Coverage, ParamError> {
        check::open_probability("Ranks", "level", level)?;
        check::require(self.draws > 1, "Ranks", "draws", self.draws as f64, "two or more, for an interval")?;
        let trimmed = coverage::trimmed(level, self.draws);
        let inside = trimmed..=self.draws - trimmed;
        let nominal = (self.draws + 1 - 2 * trimmed) as f64 / (self.draws + 1) as f64;
        let covered = self.all.iter().filter(|rank| inside.contains(rank)).count();
        Coverage::new(nominal, covered as u64, self.simulations() as u64)
    }

    /// The smaller of the p-values of histogram and distribution function, doubled, for there are two.
    pub fn p_value(&self) -> f64 {
        (2.0 * self.chi_square_p_value().min(self.ecdf_p_value())).min(1.0)
    }
}

fn bin(rank: usize, bins: usize, draws: usize) -> usize {
    (rank as u128 * bins as u128 / (draws as u128 + 1)) as usize
}

/// Ranks as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    name: String,
    all: Vec<usize>,
    draws: usize,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Ranks {
    type Error = ParamError;

    fn try_from(Unchecked { name, all, draws }: Unchecked) -> Result<Self, ParamError> {
        Self::new(name, all, draws)
    }
}
