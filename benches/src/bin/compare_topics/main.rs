//! Topic models side by side: ours, and those of tomotopy, RustMallet, scikit-learn and gensim when a Python
//! program is named; on one thread, by CPU time. What counts is how soon a likelihood is reached, not how
//! many tokens go by.

mod sampling;
mod variational;

use std::error::Error;

use posterior::topics::TopicModel;
use posterior::topics::held_out::document_completion;
use posterior_benches::comparison::Settings;
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
    let settings = Settings::from_arguments();
    let folder = tempfile::tempdir()?;
    let peers = Measurements::run(&settings, "topics.py", folder.path(), 1)?;
    let texts = match &settings.python {
        Some(_) => Texts::read(folder.path())?,
        None => Texts::drawn(settings.size(5000, 300), settings.size(500, 50))?,
    };
    println!("{} tokens to learn from, {} to judge by\n", texts.training.tokens(), texts.scored.tokens());
    let folder = settings.python.is_some().then(|| folder.path());
    sampling::compare((&peers, &settings), folder, &texts)?;
    variational::compare(&peers, folder, &texts)
}

fn perplexity(model: &impl TopicModel, texts: &Texts) -> Result<f64, posterior::topics::Error> {
    Ok(document_completion(model, &texts.observed, &texts.scored)?.perplexity())
}
