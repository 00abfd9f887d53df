//! Latent semantic analysis (Deerwester et al. 1990): the nearest matrix of low rank to the documents x
//! words.
//!
//! A = U Σ Vᵀ, cut off after the leading singular values: each document is a point U Σ, each word one in V,
//! and a new document is folded in by its products with V. Nothing is subtracted, so that the matrix stays
//! sparse; the values are found by random projection (Halko, Martinsson and Tropp 2011), with the same result
//! for the same seed.
//!
//! It is principal components about zero, and no topic model: components are dense, have both signs, and
//! nothing says what would be drawn from them. [`SemanticAnalysis::leading_words`] shows both ends of one.
//!
//! ```
//! use posterior_topics::{Corpus, semantic_analysis};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch", "ford"].map(str::to_owned).to_vec();
//! let rows = vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)], vec![(0, 3), (1, 1)]];
//! let corpus = Corpus::from_rows(words, names, rows)?;
//!
//! let options = semantic_analysis::SemanticAnalysisOptions {
//!     components: 2,
//!     ..semantic_analysis::SemanticAnalysisOptions::default()
//! };
//! let analysis = semantic_analysis::fit(&corpus, &options)?;
//! // The second component tells shores from branches, and has both signs.
//! let ends = analysis.leading_words(1, 1);
//! assert!(ends.negative[0].weight < 0.0 && ends.positive[0].weight > 0.0);
//! let [shore, branch, ford] = [0, 1, 2].map(|d| analysis.project(corpus.document(d)));
//! assert!(semantic_analysis::cosine(&shore, &ford) > 0.99);
//! assert!(semantic_analysis::cosine(&shore, &branch) < 0.5);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! S. Deerwester, S. Dumais, G. Furnas, T. Landauer and R. Harshman, Indexing by latent semantic analysis,
//! Journal of the American Society for Information Science 41, 1990; N. Halko, P.-G. Martinsson and J. Tropp,
//! Finding structure with randomness, SIAM Review 53, 2011.

mod analysis;
mod decomposition;
mod options;

pub use analysis::{Ends, SemanticAnalysis, WeightedWord, cosine};
pub use decomposition::fit;
pub(crate) use decomposition::leading_factors;
pub use options::SemanticAnalysisOptions;
