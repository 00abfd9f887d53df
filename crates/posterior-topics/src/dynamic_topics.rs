//! Dynamic topics: topics whose words drift from one time to the next (Blei and Lafferty 2006).
//!
//! The words of topic `k` at time `t` have probabilities `softmax(x_kt)`, and each of their numbers walks at
//! random: `x_k1v ~ N(0, s^2)`, `x_ktv ~ N(x_k(t-1)v, sigma^2 gap_t)` with gaps in units of their median.
//! The documents of a time have proportions `theta_d ~ Dir(alpha)` and draw their words from the topics of
//! that time.
//!
//! Topics of tokens, paths of words and the drift `sigma^2` are drawn from their joint posterior
//! distribution. The path of a word is moved by a proposal from the normal distribution at its mode given the
//! other words, and accepted or not by the ratio of Metropolis and Hastings: no approximation is left. Two
//! topics may exchange all their words and tokens of a part of the time, without which a chain could take one
//! for the other from some time on, and find too large a drift; and the drift moves with its paths too (Yu
//! and Meng 2011).
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::Corpus;
//! use posterior_topics::dynamic_topics::{DynamicTopicsOptions, fit};
//!
//! // Letters speak of wires first, and of radios later.
//! let words = ["wire", "radio", "coin", "bank"].map(str::to_owned).to_vec();
//! let rows = (0..24).map(|d| if d % 2 == 0 { vec![(0, 12 - d / 2), (1, 1 + d / 2)] } else { vec![(2, 6), (3, 6)] });
//! let names = (0..24).map(|d| format!("letter {d}")).collect();
//! let corpus = Corpus::from_rows(words, names, rows.collect())?;
//! let years: Vec<f64> = (0..24).map(|d| f64::from(1900 + 10 * (d / 6))).collect();
//!
//! let options = DynamicTopicsOptions { topics: 2, iterations: 200, ..DynamicTopicsOptions::default() };
//! let model = fit(&corpus, &years, &options, &mut Silent)?.model;
//! assert_eq!(model.times(), [1900.0, 1910.0, 1920.0, 1930.0]);
//! let radio = |t: usize| (0..2).map(|k| model.topic_word(t)[(k, 1)]).fold(0.0, f64::max);
//! assert!(radio(3) > 2.0 * radio(0));
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! D. M. Blei, J. D. Lafferty, Dynamic topic models, ICML 2006; Y. Yu, X.-L. Meng, To center or not to center:
//! that is not the question, Journal of Computational and Graphical Statistics 20, 2011.

mod chain;
mod exchange;
mod fit;
mod model;
mod options;
mod path;
mod topic;

pub use fit::{DynamicState, fit};
pub use model::DynamicTopics;
pub use options::DynamicTopicsOptions;
