//! Hierarchical Dirichlet processes: as many topics as the corpus asks for (Teh, Jordan, Beal and Blei 2006).
//!
//! The corpus draws weights of endlessly many topics, `b ~ GEM(γ)`, of which all but a few are next to
//! nothing; each document draws its proportions around them, `theta_d ~ DP(α₀, b)`. Topics are distributions
//! over words, `phi_k ~ Dir(beta, …, beta)`, as in [latent Dirichlet allocation](crate::lda), which this is
//! with `alpha_k = α₀ b_k` once the topics are known. Both concentrations have gamma priors and are fitted.
//!
//! Two chains have the same distribution of topics: [`DirectAssignment`] keeps topics of tokens and the
//! weights `b`, [`Franchise`] keeps the tables of the Chinese restaurant franchise and integrates `b` out.
//! [`fit`] runs either and returns an [`Hdp`]; [`HdpCheckpoint`] is a fit on its way to a file and back.
//! [`online`] approximates the posterior for streams and large corpora, a batch of documents at a time.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::{Corpus, TopicModel, hdp};
//!
//! // Three kinds of documents; nobody says how many.
//! let words = ["river", "stone", "money", "loan", "goal", "ball"].map(str::to_owned).to_vec();
//! let kinds = [vec![(0, 30), (1, 25)], vec![(2, 28), (3, 30)], vec![(4, 27), (5, 31)]];
//! let rows: Vec<_> = (0..12).map(|d| kinds[d % 3].clone()).collect();
//! let names = (0..12).map(|d| d.to_string()).collect();
//! let corpus = Corpus::from_rows(words, names, rows)?;
//!
//! let options = hdp::HdpOptions { iterations: 300, beta: 0.5, seed: 1, ..hdp::HdpOptions::default() };
//! let fitted = hdp::fit(&corpus, &options, &mut Silent)?;
//! let distribution = fitted.report.topics_distribution(100); // of the number of topics
//! let likeliest = distribution.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(&topics, _)| topics);
//! assert_eq!(likeliest, Some(3));
//! # Ok::<(), posterior_topics::Error>(())
//! ```

mod checkpoint;
mod concentrations;
mod direct_assignment;
mod fit;
mod franchise;
mod held_topics;
mod joint;
mod kernel;
mod model;
pub mod online;
mod options;
mod start;
mod state;
mod table_count;
mod table_weights;
mod topic_counts;

pub use checkpoint::HdpCheckpoint;
pub use concentrations::Concentrations;
pub use direct_assignment::DirectAssignment;
pub use fit::{fit, resume};
pub use franchise::Franchise;
pub use model::Hdp;
pub use options::{HdpOptions, Representation};
pub use state::HdpState;
pub use table_count::{draw_table_count, ln_stirling, ln_table_count};
