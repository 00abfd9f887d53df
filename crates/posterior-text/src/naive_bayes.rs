//! Naive Bayes classifiers of texts and tables: p(y, x) = p(y) Π p(xᵢ | y).
//!
//! Given the class, words (or columns) are taken to be independent. They are not, so that evidence which
//! comes twice is counted twice: classes are often right and their probabilities too sure. What the model
//! gives in return: it is learned by counting, it can be updated with new texts one by one, it takes missing
//! values and texts without a label, and every answer is a sum of contributions that can be shown.
//!
//! | question | answer |
//! |---|---|
//! | which model of a text | [`EventModel`]: Bernoulli, multinomial, Pólya, complement |
//! | learn from texts | [`NaiveBayes::fit`], or [`ClassCounts`] text by text, then [`NaiveBayes::from_counts`] |
//! | which class, how sure | [`NaiveBayes::posterior`] |
//! | why | [`NaiveBayes::explain`], [`NaiveBayes::telling_words`] |
//! | how much smoothing | [`select_smoothing`] by held-out log loss, [`smoothing_by_evidence`] |
//! | classes that are too rare in the data | [`ClassWeights`] |
//! | texts without labels | [`semi_supervised`] |
//! | a text of a class | [`NaiveBayes::most_likely_words`], [`NaiveBayes::sample`] |
//! | tables with numbers and categories | [`table::TableClassifier`] |
//!
//! ```
//! use posterior_text::Corpus;
//! use posterior_text::naive_bayes::{EventModel, NaiveBayes, NaiveBayesOptions};
//!
//! let words = ["buy", "cheap", "meeting", "product"].map(str::to_owned).to_vec();
//! let names = (1..=6).map(|n| n.to_string()).collect();
//! // Three messages that are spam, three that are not.
//! let messages: [&[u32]; 6] = [&[1, 3], &[0, 1, 3], &[0, 1], &[2, 3], &[2], &[0, 2]];
//! let rows = messages.iter().map(|words| words.iter().map(|&word| (word, 1)).collect()).collect();
//! let corpus = Corpus::from_rows(words, names, rows)?;
//!
//! let options = NaiveBayesOptions { model: EventModel::Bernoulli, smoothing: 1.0, ..NaiveBayesOptions::default() };
//! let model = NaiveBayes::fit(&corpus, &[0, 0, 0, 1, 1, 1], 2, &options)?;
//! let cheap_product = corpus.document(0);
//! let posterior = model.posterior(cheap_product).expect("with smoothing, every text has an explanation");
//! assert!((posterior.probabilities[0] - 16.0 / 17.0).abs() < 1e-14);
//! # Ok::<(), posterior_text::Error>(())
//! ```
//!
//! # References
//! A. McCallum, K. Nigam, A comparison of event models for naive Bayes text classification, AAAI
//! workshop 1998. J. Rennie, L. Shih, J. Teevan, D. Karger, Tackling the poor assumptions of naive Bayes text
//! classifiers, ICML 2003.

mod class_counts;
mod class_prior;
mod class_weights;
mod cross_validation;
mod explanation;
mod generation;
mod ln_weights;
mod model;
mod options;
mod posterior;
mod semi_supervision;
mod smoothing;
pub mod table;
mod telling_words;
mod written;

pub use class_counts::{ClassCounts, Counted};
pub use class_prior::ClassPrior;
pub use class_weights::ClassWeights;
pub use cross_validation::{
    SmoothingChoice, SmoothingRule, cross_validate, cross_validate_by, select_smoothing,
};
pub use explanation::{ClassExplanation, Contribution};
pub use model::NaiveBayes;
pub use options::{DocumentLength, EventModel, NaiveBayesOptions};
pub use posterior::ClassPosterior;
pub use semi_supervision::semi_supervised;
pub use smoothing::smoothing_by_evidence;
pub use telling_words::TellingWord;
