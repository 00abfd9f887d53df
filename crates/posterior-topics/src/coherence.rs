//! Whether a topic's words belong together, and how topics differ, measured without a reader.
//!
//! Coherence asks whether the top words of a topic occur together in texts: in the same documents or, better,
//! in the same short stretches of text. [`Occurrences`] has the counts, from documents or from sliding
//! windows; [`coherence`] the measures of Röder, Both and Hinneburg (2015):
//!
//! | measure | of words w and v of a topic | usual texts |
//! |---|---|---|
//! | [`Measure::UMass`] | ln (p(w, v) + ε) / p(v), v ranked above w | documents |
//! | [`Measure::Uci`] | PMI, ln (p(w, v) + ε) / p(w) p(v) | windows of 10 |
//! | [`Measure::Npmi`] | PMI / -ln (p(w, v) + ε), from -1 to 1 | windows of 10 |
//! | [`Measure::Cv`] | cosine of a word's vector of NPMI with the vector of all | windows of 110 |
//!
//! with ε = 1e-12, each the mean over pairs of words, or over words. Readers agree most with `Cv`, then with
//! `Npmi`.
//!
//! What needs the topics alone: [`diversity`] (do topics repeat each other's words?), [`exclusivity`],
//! [`effective_words`], [`divergence`] from the corpus; and [`intrusion`], which makes questions for readers
//! of flesh and blood.
//!
//! ```
//! use posterior_topics::Corpus;
//! use posterior_topics::coherence::{Measure, Occurrences, coherence};
//!
//! let words = ["river", "bank", "money", "loan"].map(str::to_owned).to_vec();
//! let names = (0..4).map(|d| d.to_string()).collect();
//! let rows = vec![vec![(0, 2), (1, 1)], vec![(0, 1), (1, 1)], vec![(2, 1), (3, 2)], vec![(1, 1), (2, 1), (3, 1)]];
//! let texts = Corpus::from_rows(words, names, rows)?;
//!
//! let occurrences = Occurrences::in_documents(&texts, &[0, 1, 2, 3])?;
//! // Money and loans are always together; rivers and money never.
//! assert!((coherence(Measure::Npmi, &[2, 3], &occurrences)? - 1.0).abs() < 1e-9);
//! assert!(coherence(Measure::Npmi, &[0, 2], &occurrences)? < -0.9);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! D. Mimno et al., Optimizing semantic coherence in topic models, EMNLP 2011.
//! D. Newman et al., Automatic evaluation of topic coherence, NAACL 2010.
//! M. Röder, A. Both, A. Hinneburg, Exploring the space of topic coherence measures, WSDM 2015.
//! J. Chang et al., Reading tea leaves: how humans interpret topic models, NIPS 2009.

mod diagnostics;
mod intrusion;
mod measure;
mod occurrences;

pub use diagnostics::{divergence, diversity, effective_words, exclusivity};
pub use intrusion::{Intrusion, intrusion};
pub use measure::{Measure, coherence, of_topics};
pub use occurrences::Occurrences;
