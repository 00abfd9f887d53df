//! Topic models side by side: ours, and those of tomotopy, RustMallet, scikit-learn and gensim when a Python
//! program is named; on one thread, by CPU time. What counts is how soon a likelihood is reached, not how
//! many tokens go by.

mod sampling;
mod variational;

use posterior::topics::TopicModel;
use posterior::topics::held_out::document_completion;
use posterior_benches::comparison::{Outcome, Settings};
use posterior_benches::peers::Measurements;
use posterior_benches::texts::Texts;

/// The concentration of words, in all programs.
const BETA: f64 = 0.01;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let peers = Measurements::run(settings, "topics.py", 1)?;
    let texts = match peers.folder() {
        Some(folder) => Texts::read(folder)?,
        None => Texts::drawn(settings.size(5000, 300), settings.size(500, 50))?,
    };
    println!("{} tokens to learn from, {} to judge by\n", texts.training.tokens(), texts.scored.tokens());
    sampling::compare(&peers, settings, &texts)?;
    variational::compare(&peers, &texts)
}

fn perplexity(model: &impl TopicModel, texts: &Texts) -> Result<f64, posterior::topics::Error> {
    Ok(document_completion(model, &texts.observed, &texts.scored)?.perplexity())
}
