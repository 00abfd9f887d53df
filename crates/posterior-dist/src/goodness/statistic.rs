//! The distances between values and a distribution that a bootstrap can take.

use std::fmt;

use super::cells::{largest_distance_of_counts, pearson, squares_of_counts};
use super::one_sample::{largest_distance, squares, weighted_squares};
use crate::density::Univariate;

/// A measure of how far values are from a distribution.
///
/// Of distributions of counts, the sums of squares are those of Choulakian, Lockhart and Stephens (1994), at
/// quantiles far into both tails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FitStatistic {
    /// The largest distance of the distribution functions.
    KolmogorovSmirnov,
    /// Squared distances, more of them in the tails.
    #[default]
    AndersonDarling,
    /// Squared distances.
    CramerVonMises,
    /// Pearson's statistic of counts in cells that end at quantiles.
    ChiSquared,
}

impl FitStatistic {
    /// Its value for values in order; `None` if there are too few of them.
    pub(super) fn of(self, sorted: &[f64], distribution: &impl Univariate, are_counts: bool) -> Option<f64> {
        let value = match (self, are_counts) {
            (Self::KolmogorovSmirnov, false) => largest_distance(sorted, distribution),
            (Self::KolmogorovSmirnov, true) => largest_distance_of_counts(sorted, distribution),
            (Self::AndersonDarling, false) => weighted_squares(sorted, distribution),
            (Self::AndersonDarling, true) => squares_of_counts(sorted, distribution, true),
            (Self::CramerVonMises, false) => squares(sorted, distribution),
            (Self::CramerVonMises, true) => squares_of_counts(sorted, distribution, false),
            (Self::ChiSquared, _) => return pearson(sorted, distribution),
        };
        Some(value)
    }
}

impl fmt::Display for FitStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KolmogorovSmirnov => "Kolmogorov-Smirnov",
            Self::AndersonDarling => "Anderson-Darling",
            Self::CramerVonMises => "Cramér-von Mises",
            Self::ChiSquared => "chi-squared",
        })
    }
}
