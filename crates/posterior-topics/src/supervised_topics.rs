//! Supervised topics: topics that predict a response of each document, a number or a yes or no (McAuliffe
//! and Blei 2008).
//!
//! Documents are those of [latent Dirichlet allocation](crate::lda). With the proportions `z_d` of topics
//! among the tokens of a document, its response is
//!
//! ```text
//! y_d ~ N(eta . z_d, sigma^2)        a number
//! p(y_d = 1) = Phi(eta . z_d)        yes or no, by a probit
//! ```
//!
//! where `eta_k` is the expected response of a document that is all of topic `k`: proportions add up to one,
//! so that there is no constant beside them. Topics, coefficients and the noise are drawn from their joint
//! posterior distribution: the topic of each token given all else, the response of its document included,
//! then coefficients and noise from their conjugate distributions; a yes or no has a latent number whose sign
//! it is (Albert and Chib 1993). A document whose response is not known teaches words only.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::Corpus;
//! use posterior_topics::supervised_topics::{self, ResponsePrediction, SupervisedTopicsOptions};
//!
//! // Letters with praise have high marks, and those with blame have low ones.
//! let words = ["good", "fine", "bad", "poor"].map(str::to_owned).to_vec();
//! let names = (0..20).map(|d| format!("letter {d}")).collect();
//! let rows = (0..20).map(|d| if d % 2 == 0 { vec![(0, 6), (1, 5)] } else { vec![(2, 5), (3, 6)] });
//! let corpus = Corpus::from_rows(words, names, rows.collect())?;
//! let marks: Vec<f64> = (0..20).map(|d| f64::from(9 - 6 * (d % 2)) + 0.1 * f64::from(d % 3)).collect();
//!
//! let options = SupervisedTopicsOptions { topics: 2, iterations: 300, ..SupervisedTopicsOptions::default() };
//! let fitted = supervised_topics::fit(&corpus, &marks, &options, &mut Silent)?;
//! let ResponsePrediction::Number(mark) = fitted.model.predict(corpus.document(0), 1)? else { unreachable!() };
//! let [low, high] = posterior_topics::dist::interval(&mark, 0.9)?;
//! assert!(low < 9.1 && 9.1 < high && low > 5.0);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! J. D. McAuliffe, D. M. Blei, Supervised topic models, NIPS 2008; J. H. Albert, S. Chib, Bayesian analysis
//! of binary and polychotomous response data, Journal of the American Statistical Association 88, 1993.

mod chain;
mod fit;
mod model;
mod options;
mod prediction;
mod response;

pub use fit::fit;
pub use model::SupervisedTopics;
pub use options::{ResponseFamily, ResponsePrior, SupervisedTopicsOptions};
pub use prediction::ResponsePrediction;
