//! Corpora to try sizes with: words by a power law, in documents of topics.
//!
//! The word of rank `r` has a frequency in proportion to `r^-s`. Half of the tokens of a document are drawn
//! from all words, and half from those of one of three topics that the document has: words whose rank is that
//! of the topic modulo the number of topics, by the same power law among themselves. A document depends on
//! the seed and its number alone.

use posterior_dist::AliasTable;
use posterior_dist::stream::stream;
use posterior_topics::Error;
use posterior_topics::corpus::{StoredCorpus, Writer};
use rand::RngExt;
use rand::distr::Distribution as _;

use crate::args::Generate;

/// Topics of a document.
const OF_DOCUMENT: usize = 3;

/// Writes the corpus.
pub(crate) fn run(args: &Generate) -> Result<StoredCorpus, Error> {
    let words = args.vocabulary as usize;
    let topics = args.topics.clamp(1, words);
    let weight = |rank: usize| ((rank + 1) as f64).powf(-args.exponent);
    let table = |weights: Vec<f64>| AliasTable::from_weights(&weights).map_err(Error::from);
    let all = table((0..words).map(weight).collect())?;
    // Word `topic + topics * place` is number `place` of a topic.
    let of_topic = table((0..words / topics).map(weight).collect())?;
    let vocabulary = (0..words).map(|word| format!("w{word}")).collect();
    let mut writer = Writer::create(&args.file, vocabulary)?;
    for d in 0..args.documents {
        let mut rng = stream(args.seed, &[d]);
        let own: [usize; OF_DOCUMENT] = std::array::from_fn(|_| rng.random_range(0..topics));
        let row = (0..args.length).map(|_| {
            let word = if rng.random::<bool>() {
                all.sample(&mut rng)
            } else {
                own[rng.random_range(0..OF_DOCUMENT)] + topics * of_topic.sample(&mut rng)
            };
            (word as u32, 1)
        });
        let row = row.collect();
        writer.push(&d.to_string(), row)?;
    }
    writer.finish()
}
