//! Topics of American history: the State of the Union addresses from 1790 to 2022, with the library alone.
//!
//! `cargo run --release -p posterior --example topics_of_history`
//!
//! Reads the embedded counts, holds a tenth of the addresses out, fits latent Dirichlet allocation with learnt
//! concentrations, and prints each topic's words, its decade and its most typical address, how well the
//! held-out addresses are completed, and where neighbours in time differ most.

use std::ops::ControlFlow;

use posterior::datasets::sotu;
use posterior::topics::corpus::{split_documents, split_tokens};
use posterior::topics::held_out::document_completion;
use posterior::topics::lda::{self, Hyperparameters, Options};
use posterior::topics::{Corpus, Error, Trend, similarity, top_words};

fn main() -> Result<(), Error> {
    let sotu = sotu::load();
    let names = sotu.addresses.iter().map(sotu::Address::title).collect();
    let years: Vec<f64> = sotu.addresses.iter().map(|address| f64::from(address.year)).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    let corpus = Corpus::from_rows(sotu.vocabulary, names, rows)?;
    println!(
        "{} addresses, {} words, {} distinct\n",
        corpus.documents(),
        corpus.tokens(),
        corpus.vocabulary().len()
    );

    let options = Options::default()
        .with_topics(20)
        .with_iterations(400)
        .with_hyperparameters(Hyperparameters::Optimized);
    let split = split_documents(&corpus, 0.1, options.seed)?;
    let fitted = lda::fit(&split.train, &options, |_step| ControlFlow::Continue(()))?;

    let years: Vec<f64> = split.train_documents.iter().map(|&d| years[d]).collect();
    let lengths: Vec<u64> = split.train.iter().map(|document| document.tokens()).collect();
    let trend = Trend::new(&fitted.doc_topic, &lengths, &years);
    let decades: Vec<f64> = (179..=202).map(|decade| f64::from(10 * decade) + 5.0).collect();
    let smooth = trend.smoothed(&decades, 4.0);
    for (k, weight) in fitted.model.topic_weights().into_iter().enumerate() {
        let words = top_words::by_relevance(&fitted.model, k, 7, 0.6);
        let words: Vec<&str> = words.iter().map(|w| corpus.vocabulary()[w.word].as_str()).collect();
        let decade = (0..decades.len()).max_by(|&a, &b| smooth[(a, k)].total_cmp(&smooth[(b, k)]));
        let decade = decade.map_or(f64::NAN, |i| decades[i] - 5.0);
        let (typical, share) = similarity::most_typical(&fitted.doc_topic, k, 1)[0];
        println!(
            "{:4.1} %  {decade:.0}s  {:60}  {} ({:.0} %)",
            100.0 * weight,
            words.join(" "),
            split.train.names()[typical],
            100.0 * share
        );
    }

    let halves = split_tokens(&split.test, options.seed)?;
    let completion = document_completion(&fitted.model, &halves.observed, &halves.scored);
    println!("\nperplexity of {} held-out words: {:.0}", completion.tokens, completion.perplexity());

    println!("\nthe sharpest turns between neighbours in time");
    for jump in similarity::largest_jumps(&fitted.doc_topic, &years, 5) {
        let name = |d: usize| &split.train.names()[d];
        println!("{:.2}  {} -> {}", jump.distance, name(jump.from), name(jump.to));
    }
    Ok(())
}
