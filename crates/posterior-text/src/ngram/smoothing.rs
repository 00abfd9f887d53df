//! The rules by which counts become probabilities.

use posterior_math::check::{self, DimensionError};

use crate::error::Error;

/// How a context's distribution follows from its counts and from the distribution of the context without its
/// oldest symbol.
///
/// With c the count of a symbol after a context, N that of the context, T the number of distinct symbols
/// after it, V the number of outcomes, p' the probability after the shorter context. After a context that was
/// never seen p = p'.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Smoothing {
    /// c/N: nothing is left for what was not seen.
    MaximumLikelihood,
    /// (c + k)/(N + k V): the posterior mean under a symmetric Dirichlet distribution with parameter k; after
    /// a context of n - 1 symbols never seen 1/V.
    AddK {
        /// k > 0.
        k: f64,
    },
    /// (c + a p')/(N + a): the posterior mean under a Dirichlet distribution around the shorter context's
    /// distribution (MacKay and Peto 1995).
    Dirichlet {
        /// a > 0.
        concentration: f64,
    },
    /// Good and Turing's counts for c up to a threshold, and the mass they free shared by the unseen in
    /// proportion to p' (Katz 1987).
    ///
    /// Where the mass to share is zero although something is unseen, one is added to N.
    GoodTuring {
        /// The largest count that is discounted, from 1 to 100; Katz takes 5.
        threshold: usize,
    },
    /// λ c/N + (1 - λ) p', with λ by the size of N (Jelinek and Mercer 1980):
    /// [`held_out_weights`](super::held_out_weights) learns them.
    Interpolation {
        /// For each order from 1 on, the λ in [0, 1] for N = 1, for 2 and 3, for 4 to 7 and so on, the last
        /// for all that are larger.
        weights: Vec<Vec<f64>>,
    },
    /// (c + T p')/(N + T) (Witten and Bell 1991, method C).
    WittenBell,
    /// (c - D + D T p')/N with D = n₁/(n₁ + 2 n₂), from the numbers n₁ and n₂ of n-grams seen once and twice.
    AbsoluteDiscounting {
        /// D in (0, 1), one for all orders; `None` estimates one for each.
        discount: Option<f64>,
    },
    /// The same, where the counts of shorter n-grams are the numbers of distinct symbols before them (Kneser
    /// and Ney 1995, interpolated).
    KneserNey {
        /// D in (0, 1), one for all orders; `None` estimates one for each.
        discount: Option<f64>,
    },
    /// Kneser and Ney's with three discounts, for counts of one, two, and three and more (Chen and Goodman
    /// 1999).
    ModifiedKneserNey,
}

/// The distribution that single symbols rest on, for rules that go from context to shorter context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unigrams {
    /// They are smoothed by the same rule, with 1/V as the shortest context's distribution: nothing is
    /// impossible. The default.
    #[default]
    TowardsUniform,
    /// They are relative frequencies: symbols never seen have no probability.
    Plain,
}

/// Options of a model of counts.
#[derive(Debug, Clone, PartialEq)]
pub struct NGramOptions {
    /// The rule.
    pub smoothing: Smoothing,
    /// The distribution that single symbols rest on. Without meaning for [`Smoothing::MaximumLikelihood`]
    /// (plain) and [`Smoothing::AddK`] (uniform).
    pub unigrams: Unigrams,
    /// For each order from 2 on, the smallest count of an n-gram with a probability of its own; the last
    /// number holds for all higher orders, and none is taken as smaller than those before it. The mass of the
    /// others goes to the shorter context. Empty keeps all.
    pub minimum_counts: Vec<u32>,
}

impl NGramOptions {
    /// This rule, towards the uniform distribution, all n-grams kept.
    pub const fn new(smoothing: Smoothing) -> Self {
        Self { smoothing, unigrams: Unigrams::TowardsUniform, minimum_counts: Vec::new() }
    }

    pub(super) fn minimum_count(&self, length: usize) -> u32 {
        let shorter = self.minimum_counts.iter().take(length.saturating_sub(1));
        shorter.copied().max().unwrap_or(0)
    }
}

impl Default for NGramOptions {
    /// Modified Kneser-Ney.
    fn default() -> Self {
        Self::new(Smoothing::ModifiedKneserNey)
    }
}

impl Smoothing {
    pub(super) fn check(&self, order: usize) -> Result<(), Error> {
        match self {
            Self::AddK { k } => {
                check::positive("Smoothing", "k", *k)?;
            }
            Self::Dirichlet { concentration } => {
                check::positive("Smoothing", "concentration", *concentration)?;
            }
            Self::GoodTuring { threshold } => {
                let range = (1..=100).contains(threshold);
                check::require(range, "Smoothing", "threshold", *threshold as f64, "from 1 to 100")?;
            }
            Self::AbsoluteDiscounting { discount } | Self::KneserNey { discount } => {
                if let Some(discount) = *discount {
                    check::open_probability("Smoothing", "discount", discount)?;
                }
            }
            Self::Interpolation { weights } => check_weights(weights, order)?,
            Self::MaximumLikelihood | Self::WittenBell | Self::ModifiedKneserNey => {}
        }
        Ok(())
    }

    /// Whether counts of shorter n-grams are numbers of distinct symbols before them.
    pub(super) const fn counts_continuations(&self) -> bool {
        matches!(self, Self::KneserNey { .. } | Self::ModifiedKneserNey)
    }
}

fn check_weights(weights: &[Vec<f64>], order: usize) -> Result<(), Error> {
    if weights.len() != order {
        let what = "orders with interpolation weights";
        return Err(DimensionError::new(what, order, weights.len()).into());
    }
    for (place, of_order) in weights.iter().enumerate() {
        if of_order.is_empty() {
            let what = "interpolation weights of an order";
            return Err(DimensionError::new(what, 1, 0).into());
        }
        for &weight in of_order {
            check::probability("Smoothing", "weights", weight).map_err(|error| error.at(place))?;
        }
    }
    Ok(())
}
