//! Where chains start: each document has one topic.
//!
//! Topics shared out among single tokens would all be in every document at first. α₀ and the numbers of
//! tables then are large, which keep topics in the documents, for hundreds of sweeps. From documents of one
//! topic a chain gets to few topics a document within twenty.

use posterior_dist::stream::stream;
use rand::RngExt;
use rand::seq::SliceRandom;

use super::options::HdpOptions;
use super::table_weights::TableWeights;
use super::topic_counts::{Tokens, TopicCounts};
use crate::lane_weights::LaneWeights;
use crate::lanes::LANES;
use crate::{Corpus, Error};

/// The name of the random stream under the seed.
const INITIAL: u64 = 0;

/// Topics of tokens, all those of a document the same.
///
/// Documents come in random order. The first ones have a topic each, until there are as many as the options
/// say; the others are one table each, which draws its topic with weights `m_k p(words | topic k)`, where
/// `m_k` is how many documents before have topic `k`.
pub(super) fn initial_topics(corpus: &Corpus, options: &HdpOptions) -> Result<Vec<u32>, Error> {
    check(corpus, options)?;
    let mut rng = stream(options.seed, &[INITIAL]);
    let tokens = Tokens::of(corpus);
    let mut order: Vec<usize> =
        (0..tokens.documents()).filter(|&d| tokens.starts[d] < tokens.starts[d + 1]).collect();
    order.shuffle(&mut rng);
    let most = options.initial_topics.min(order.len()).max(1);
    let mut counts = TopicCounts::new(corpus.vocabulary().len(), most, options.beta);
    let mut documents = vec![0.0; counts.slots];
    let (mut weights, mut lanes) = (TableWeights::default(), LaneWeights::default());
    lanes.resize(counts.slots);
    let mut topics = vec![0; tokens.words.len()];
    for (before, d) in order.into_iter().enumerate() {
        let range = tokens.starts[d]..tokens.starts[d + 1];
        let words = &tokens.words[range.clone()];
        let topic = if before < most {
            before
        } else {
            let (known, _) = weights.weigh(&counts, words, &documents, 0.0);
            let (runs, _) = known.as_chunks::<LANES>();
            let total = lanes.fill(runs.iter().copied());
            lanes.pick(rng.random::<f64>() * total)
        };
        documents[topic] += 1.0;
        for &word in words {
            counts.shift(word as usize, topic, 1);
        }
        topics[range].fill(topic as u32);
    }
    Ok(topics)
}

pub(super) fn check(corpus: &Corpus, options: &HdpOptions) -> Result<(), Error> {
    options.check()?;
    crate::checks::sampleable(corpus)
}
