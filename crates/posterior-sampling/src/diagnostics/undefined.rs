//! Why a figure has no value.

use posterior_math::check::ParamError;

/// Why a figure has no value. Its text counts chains and draws from 1, its fields count from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Undefined {
    /// There are too few chains.
    #[error("{found} chains are too few: {needed} are needed")]
    FewChains {
        /// How many are needed.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// The chains are too short.
    #[error("{found} draws of each chain are too few: {needed} are needed")]
    TooFew {
        /// How many draws of each chain are needed.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A chain is not as long as the first.
    #[error("chain {} has {found} draws, and the first has {expected}", chain + 1)]
    Unequal {
        /// The chain, counted from 0.
        chain: usize,
        /// The draws of the first chain.
        expected: usize,
        /// Its own.
        found: usize,
    },
    /// A draw is NaN or infinite.
    #[error("draw {} of chain {} is {value}", draw + 1, chain + 1)]
    NotFinite {
        /// The chain, counted from 0.
        chain: usize,
        /// The draw, counted from 0.
        draw: usize,
        /// NaN or an infinity.
        value: f64,
    },
    /// All draws are the same.
    #[error("all draws are {value}")]
    Constant {
        /// Their value.
        value: f64,
    },
    /// The draws differ, but not in what the figure looks at: on which side of a quantile they are, how far
    /// from the middle.
    #[error("in what this figure looks at, all draws are the same")]
    Alike,
    /// An argument that can't be.
    #[error(transparent)]
    Argument(#[from] ParamError),
}
