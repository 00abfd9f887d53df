//! A classifier of texts: a corpus with labels, naive Bayes, a saved model, and the class of a new text.
//!
//! `cargo run -p posterior-text --example classify_texts`

use posterior_text::corpus::{CorpusBuilder, VocabularyOptions};
use posterior_text::naive_bayes::{EventModel, NaiveBayes, NaiveBayesOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = CorpusBuilder::new(VocabularyOptions::default())?;
    let tokenizer = VocabularyOptions::default().tokenizer;
    for (name, text) in [
        ("1", "Buy this cheap product, buy it now!"),
        ("2", "Cheap cheap cheap: a product for you."),
        ("3", "The meeting is moved to Monday."),
        ("4", "Notes of the meeting about the product."),
    ] {
        builder.push(name, text);
    }
    let (corpus, _) = builder.build()?;
    let classes = ["advertisement", "work"];
    let options = NaiveBayesOptions { model: EventModel::Bernoulli, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus, &[0, 0, 1, 1], 2, &options)?;

    // Read back to the same bits; a new text is counted in the words of the corpus.
    let saved = serde_json::to_string(&(&model, corpus.vocabulary()))?;
    let (model, vocabulary): (NaiveBayes, Vec<String>) = serde_json::from_str(&saved)?;
    let new = tokenizer.count("A cheap meeting?", &vocabulary);
    let posterior = model.posterior(new.document()).ok_or("no class can have made this text")?;
    for (class, probability) in classes.iter().zip(&posterior.probabilities) {
        println!("{class}: {probability:.3}");
    }
    Ok(())
}
