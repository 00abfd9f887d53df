//! Latent Dirichlet allocation (Blei, Ng and Jordan 2003).
//!
//! Each topic `k` is a distribution over words, `phi_k ~ Dir(beta, .., beta)`. Each document `d` has
//! proportions `theta_d ~ Dir(alpha_1, .., alpha_K)`; each of its tokens draws a topic `z ~ theta_d` and a
//! word `w ~ phi_z`. With `phi` and `theta` integrated out, what remains is
//!
//! ```text
//! ln p(W, Z) = sum_d [ln B(alpha + n_d) - ln B(alpha)] + sum_k [ln B(beta + n_k) - ln B(beta)]
//! ```
//!
//! where `B` is the multivariate beta function, `n_d` the topic counts of a document and `n_k` the word counts
//! of a topic. [`CollapsedGibbs`] is the chain over `Z`, [`fit`] runs it and returns an [`Lda`].
//!
//! ```
//! use std::ops::ControlFlow;
//! use posterior_topics::{Corpus, lda};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch"].map(str::to_owned).to_vec();
//! let corpus = Corpus::from_rows(words, names, vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)]])?;
//!
//! let options = lda::Options::default().with_topics(2).with_iterations(200);
//! let fitted = lda::fit(&corpus, &options, |_| ControlFlow::Continue(()))?;
//! let rows: f64 = fitted.model.topic_word().sum();
//! assert!((rows - 2.0).abs() < 1e-12);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

mod blocks;
mod checkpoint;
mod collapsed_gibbs;
mod fit;
mod fold_in;
mod hyperparameters;
mod joint;
mod kernel;
mod model;
mod options;
mod partition;
mod pooled;

pub use checkpoint::Checkpoint;
pub use collapsed_gibbs::CollapsedGibbs;
pub use fit::{Fitted, Report, Step, TracePoint, fit, resume};
pub use model::Lda;
pub use options::{Hyperparameters, Options};
