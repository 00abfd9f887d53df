//! Mixtures of unigrams: the definition, another engine, enumeration, edges.

mod edges;
mod enumeration;
mod properties;

use posterior_math::iteration::Silent;
use posterior_topics::document_mixture::{self, DocumentMixture, DocumentMixtureOptions};
use posterior_topics::{Corpus, FittedTopics};

fn fit(corpus: &Corpus, options: &DocumentMixtureOptions) -> FittedTopics<DocumentMixture> {
    document_mixture::fit(corpus, options, &mut Silent).unwrap()
}
