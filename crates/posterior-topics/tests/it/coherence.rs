//! Coherence against gensim, and by hand.

mod diagnostics;
mod gensim;
mod occurrences;
