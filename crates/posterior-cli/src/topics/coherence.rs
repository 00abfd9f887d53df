//! How coherent topics are, by the measure that was asked for.

use posterior::topics::coherence::{Measure, Occurrences, of_topics};
use posterior::topics::corpus::WordSequences;
use posterior::topics::{Corpus, Topics, top_words};

use super::texts::without_order;
use crate::args::{CoherenceChoice, CoherenceKind, TopicsFit};
use crate::failure::Failure;
use crate::json;
use crate::report::Coherence;

/// That of topics by the documents of the corpus.
pub(super) fn coherence(
    args: &TopicsFit,
    topics: &Topics,
    corpus: &Corpus,
    sequences: Option<&WordSequences>,
) -> Result<Coherence, Failure> {
    let CoherenceChoice { kind, window } = args.coherence;
    let words = usize::from(args.coherence_words);
    let listed = top_words::lists(topics, words).concat();
    let occurrences = match window {
        None => Occurrences::in_documents(corpus, &listed)?,
        Some(width) => {
            let sequences = sequences.ok_or_else(|| without_order("--coherence in windows"))?;
            Occurrences::in_windows(sequences.documents(), width, &listed)?
        }
    };
    let measure = match kind {
        CoherenceKind::UMass => Measure::UMass,
        CoherenceKind::Uci => Measure::Uci,
        CoherenceKind::Npmi => Measure::Npmi,
        CoherenceKind::Cv => Measure::Cv,
    };
    let each = of_topics(measure, topics, words, &occurrences)?;
    let known = || each.iter().filter(|value| value.is_finite());
    let mean = known().sum::<f64>() / known().count() as f64;
    let topics = each.into_iter().map(json::Number).collect();
    Ok(Coherence { measure: args.coherence.measure(), window, words, mean, topics })
}
