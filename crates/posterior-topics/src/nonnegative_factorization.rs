//! Non-negative matrix factorisation of documents x words: X ≈ W H with W, H ≥ 0.
//!
//! | [`FactorizationDivergence`] | is least for | updates |
//! |---|---|---|
//! | [`KullbackLeibler`](FactorizationDivergence::KullbackLeibler) | Poisson counts: `sum x ln(x / y) - x + y` | multiplicative (Lee and Seung 2001), or both factors at once by EM |
//! | [`Frobenius`](FactorizationDivergence::Frobenius) | least squares: `sum (x - y)² / 2` | one topic at a time, exactly (HALS; Cichocki and Phan 2009) |
//!
//! Under the Kullback-Leibler divergence it is [probabilistic latent semantic analysis](crate::plsa)
//! (Gaussier and Goutte 2005): with [`FactorizationUpdate::Joint`] the iterates are the same, W the
//! tokens of each topic
//! in a document, and H, its rows divided by their sums, the topics.
//! [`FactorizationUpdate::Alternating`] renews W first
//! and H with the new W: twice the work a step, and usually less than half as many.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::nonnegative_factorization::{self, FactorizationDivergence, FactorizationOptions};
//! use posterior_topics::Corpus;
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch", "ford"].map(str::to_owned).to_vec();
//! let rows = vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)], vec![(0, 10), (1, 4)]];
//! let corpus = Corpus::from_rows(words, names, rows)?;
//!
//! let options = FactorizationOptions { topics: 2, divergence: FactorizationDivergence::Frobenius, ..FactorizationOptions::default() };
//! let fitted = nonnegative_factorization::fit(&corpus, &options, &mut Silent)?;
//! // The counts have rank two.
//! assert!(fitted.report.trace.last().unwrap().abs() < 1e-6);
//! assert!(fitted.model.words().min() >= 0.0);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! D. Lee and S. Seung, Algorithms for non-negative matrix factorization, NIPS 2001; A. Cichocki and A.-H.
//! Phan, Fast local algorithms for large scale nonnegative matrix and tensor factorizations, IEICE
//! Transactions E92-A, 2009; C. Boutsidis and E. Gallopoulos, SVD based initialization, Pattern Recognition
//! 41, 2008; E. Gaussier and C. Goutte, Relation between PLSA and NMF and implications, SIGIR 2005.

mod fit;
mod kullback_leibler;
mod least_squares;
mod model;
mod options;
mod start;

pub use fit::{fit, fit_from};
pub use model::Factorization;
pub use options::{FactorizationDivergence, FactorizationOptions, FactorizationStart, FactorizationUpdate};
