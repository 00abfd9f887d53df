//! Topic models side by side: ours, and those of tomotopy, RustMallet, scikit-learn and gensim when a Python program is named; on one
//! thread, by CPU time. What counts is how soon a likelihood is reached, not how many tokens go by.

mod sampling;
mod variational;

use std::error::Error;

use posterior::topics::TopicModel;
use posterior::topics::held_out::document_completion;
use posterior_benches::peers::Measurements;
use posterior_benches::texts::Texts;

type Failure = Box<dyn Error + Send + Sync>;

/// The same failure where it need not be sent.
fn here(failure: Failure) -> Box<dyn Error> {
    failure
}

/// The concentration of words, in all programs.
const BETA: f64 = 0.01;

fn main() -> Result<(), Box<dyn Error>> {
    let python = std::env::args().nth(1);
    let folder = tempfile::tempdir()?;
    let (peers, texts) = match &python {
        Some(program) => {
            let peers = Measurements::run(program, "topics.py", folder.path(), 1)?;
            (peers, Texts::read(folder.path())?)
        }
        None => (Measurements::default(), Texts::drawn()?),
    };
    println!("{} tokens to learn from, {} to judge by\n", texts.training.tokens(), texts.scored.tokens());
    let folder = python.is_some().then(|| folder.path());
    sampling::compare(&peers, folder, &texts)?;
    variational::compare(&peers, folder, &texts)
}

fn perplexity(model: &impl TopicModel, texts: &Texts) -> f64 {
    document_completion(model, &texts.observed, &texts.scored).perplexity()
}
