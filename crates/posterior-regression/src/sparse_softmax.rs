//! Classes of rows with many columns of which few are not zero, such as the words of texts.
//!
//! P(class | x) ∝ exp(aₖ + xᵀβₖ), with coefficients that are held back by their squares (ridge), by their
//! absolute values (lasso) or by both (elastic net). The design stays sparse: a step takes time by its stored
//! entries times classes.
//!
//! | question | answer |
//! |---|---|
//! | the most probable coefficients for a penalty | [`SparseSoftmax::fit`], [`SparseSoftmaxFit`] |
//! | which penalty | [`SparseSoftmax::penalty_by_folds`] |
//! | what is said of rows that a fit has not seen | [`SparseSoftmax::without`], [`SparseSoftmaxFit::probabilities`] |
//! | how sure a coefficient is | [`SparseSoftmax::draws`] |
//!
//! Dense designs of some hundred columns have more in [`glm`](crate::glm): evidence, draws, priors.

mod draws;
mod fit;
mod folds;
mod loss;
mod model;
#[cfg(feature = "serde")]
mod written;

pub use fit::SparseSoftmaxFit;
pub use folds::{HeldOutLoss, PenaltyChoice};
pub use model::{SparsePenalty, SparseSoftmax};
