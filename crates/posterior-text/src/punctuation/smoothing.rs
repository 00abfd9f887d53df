//! Distributions of the next class after each context, made of the counts.

use posterior_math::check::{self, ParamError};

use super::CLASSES;
use super::context_tree::{ClassProbabilities, ContextTree, continuations, discount};
use super::seating::{FranchiseOptions, pitman_yor};

/// The treatment of contexts that were seen seldom or never.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ContextSmoothing {
    /// Relative frequencies N(context, class) / N(context): the conditional maximum likelihood, undefined for
    /// contexts that were not seen.
    MaximumLikelihood,
    /// The relative frequencies after the longest end of the context that was seen.
    BackOff,
    /// A Dirichlet posterior mean whose prior mean is the distribution of the context without its oldest
    /// character: add k of a shared total.
    Dirichlet {
        /// How many observations the prior is worth.
        concentration: f64,
    },
    /// Witten and Bell's: as Dirichlet's, with the number of different classes seen after the context as
    /// concentration.
    WittenBell,
    /// Interpolated Kneser-Ney: counts less a discount, and of shorter contexts the number of longer ones
    /// with the class. Discounts from the numbers of counts of one and of two at each length.
    KneserNey,
    /// The hierarchical Pitman-Yor process, by Gibbs sampling of who sits at which table.
    PitmanYor(FranchiseOptions),
}

impl ContextSmoothing {
    /// The distributions after all contexts of a tree, by length.
    pub(super) fn distributions(
        &self,
        tree: &ContextTree,
    ) -> Result<Vec<Vec<ClassProbabilities>>, ParamError> {
        match self {
            Self::MaximumLikelihood | Self::BackOff => {
                let level = |counts: &Vec<[u32; CLASSES]>| counts.iter().map(frequencies).collect();
                Ok(tree.levels().iter().map(|nodes| level(&nodes.counts)).collect())
            }
            Self::Dirichlet { concentration } => {
                let concentration = check::positive("Smoothing", "concentration", *concentration)?;
                Ok(interpolated(tree, |_| concentration))
            }
            Self::WittenBell => Ok(interpolated(tree, different)),
            Self::KneserNey => Ok(kneser_ney(tree)),
            Self::PitmanYor(options) => pitman_yor(tree, options),
        }
    }
}

fn frequencies(counts: &[u32; CLASSES]) -> ClassProbabilities {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    counts.map(|count| f64::from(count) / total)
}

fn different(counts: &[u32; CLASSES]) -> f64 {
    counts.iter().filter(|&&count| count > 0).count() as f64
}

/// (counts + concentration × distribution of the shorter context) / (total + concentration).
fn interpolated(
    tree: &ContextTree,
    concentration: impl Fn(&[u32; CLASSES]) -> f64,
) -> Vec<Vec<ClassProbabilities>> {
    tree.distributions(|length, node, below| {
        let counts = &tree.levels()[length].counts[node];
        let weight = concentration(counts);
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum::<f64>() + weight;
        std::array::from_fn(|class| (f64::from(counts[class]) + weight * below[class]) / total)
    })
}

fn kneser_ney(tree: &ContextTree) -> Vec<Vec<ClassProbabilities>> {
    let counts = continuations(tree);
    let discounts: Vec<f64> = counts.iter().map(|counts| discount(counts)).collect();
    tree.distributions(|length, node, below| {
        let (counts, discount) = (&counts[length][node], discounts[length]);
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        std::array::from_fn(|class| {
            let kept = (f64::from(counts[class]) - discount).max(0.0);
            (kept + discount * different(counts) * below[class]) / total
        })
    })
}
