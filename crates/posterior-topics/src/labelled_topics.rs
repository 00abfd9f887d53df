//! Labelled topics: one topic for each label, of documents that have several labels (Ramage et al. 2009).
//!
//! A document draws its words from the topics of its labels alone, and from topics of the background, which
//! all documents have: with the set `L_d` of these, `theta_d ~ Dir(alpha)` over `L_d`, and the rest is latent
//! Dirichlet allocation. The fit says which words of a document go with which of its labels. A new document
//! may have all topics, and its labels are those of which it has most.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::labelled_topics::{self, DocumentLabels, LabelledTopicsOptions};
//! use posterior_topics::{Corpus, TopicModel};
//!
//! let words = ["ship", "tide", "coin", "bank"].map(str::to_owned).to_vec();
//! let names = ["a", "b", "c"].map(str::to_owned).to_vec();
//! let rows = vec![vec![(0, 6), (1, 5)], vec![(2, 5), (3, 6)], vec![(0, 3), (1, 3), (2, 3), (3, 3)]];
//! let corpus = Corpus::from_rows(words, names, rows)?;
//! let labels = DocumentLabels::of_names(&[vec!["sea"], vec!["money"], vec!["sea", "money"]]);
//!
//! let options = LabelledTopicsOptions { background: 0, iterations: 200, ..LabelledTopicsOptions::default() };
//! let fitted = labelled_topics::fit(&corpus, &labels, &options, &mut Silent)?;
//! assert_eq!(fitted.model.labels(), ["money", "sea"]);
//! assert_eq!(fitted.doc_topic[(0, 0)], 0.0);
//! let scores = fitted.model.label_proportions(corpus.document(0));
//! assert!(scores[1] > 0.9);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! D. Ramage, D. Hall, R. Nallapati, C. D. Manning, Labeled LDA: a supervised topic model for credit
//! attribution in multi-labeled corpora, EMNLP 2009.

mod fit;
mod labels;
mod model;
mod options;

pub use fit::fit;
pub use labels::DocumentLabels;
pub use model::LabelledTopics;
pub use options::LabelledTopicsOptions;
