//! Linear-chain conditional random fields: p(labels | what is seen) without a distribution of what is seen.
//!
//! p(y | x) = exp(Σ_t w·f(y_t, x, t) + Σ_t v·g(y_{t-1}, y_t, x, t)) / Z(x). Features f are of an attribute of
//! a position, or a dense number there, and a label; features g are of two labels in a row, and maybe an
//! attribute of the step between them. With sequences of one position this is logistic regression with
//! several classes.
//!
//! Labels may be held to [`LabelConstraints`]: of chunks, an I comes only after a B or an I of its type.
//!
//! # References
//! J. Lafferty, A. McCallum, F. Pereira, Conditional Random Fields, ICML 2001; C. Sutton, A. McCallum, An
//! Introduction to Conditional Random Fields, Foundations and Trends in Machine Learning 4, 2012.

mod builder;
mod constraints;
mod dataset;
mod features;
mod model;
#[cfg(feature = "serde")]
mod model_file;
mod objective;
mod rows;
mod scatter;
mod scores;
mod selection;
mod sequence;
mod shard;
mod stochastic;
mod training;
mod vocabulary;
mod whole_rows;

pub use builder::SequenceBuilder;
pub use constraints::{ConstrainedField, LabelConstraints};
pub use dataset::Dataset;
pub use features::{Feature, Features};
pub use model::ConditionalRandomField;
pub use objective::CrfObjective;
pub use scores::Scores;
pub use selection::{FeatureOptions, LabelEnds, WeightChoice};
pub use sequence::AttributeSequence;
pub use stochastic::{
    Averaging, PerceptronLearner, PerceptronOptions, SgdLearner, SgdOptions, averaged_perceptron, sgd,
};
pub use training::{TrainingOptions, fit, train_from, train_until};
pub use vocabulary::CrfVocabulary;
