//! What a topic model is better than.

use posterior::math::iteration::Silent;
use posterior::topics::held_out::document_completion;
use posterior::topics::lda::variational;
use posterior::topics::semantic_analysis;
use posterior::topics::unigram::Unigram;
use posterior::topics::{TopicModel, document_mixture, plsa};

use crate::{Addresses, Outcome, SEED};

const TOPICS: usize = 10;
const WORDS: usize = 6;

/// Components of the table of counts, whose words have signs.
pub(crate) fn components(addresses: &Addresses) -> Outcome<()> {
    let options = semantic_analysis::Options::default().with_components(TOPICS).with_seed(SEED);
    let analysis = semantic_analysis::fit(&addresses.corpus, &options)?;
    println!("\nlatent semantic analysis: components have positive and negative words, and no word has none");
    for (component, explained) in analysis.explained_variance().iter().enumerate().take(5) {
        let ends = analysis.leading_words(component, WORDS);
        let list = |words: &[semantic_analysis::WeightedWord]| {
            let name = |word: &semantic_analysis::WeightedWord| analysis.vocabulary()[word.word].clone();
            words.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        println!("{:5.1} %  + {:48} - {}", 100.0 * explained, list(&ends.positive), list(&ends.negative));
    }
    Ok(())
}

/// How well models complete addresses of which they saw one half of the words.
pub(crate) fn completions(addresses: &Addresses) -> Outcome<()> {
    let training = &addresses.split.train;
    println!("\nperplexity of {} held-out words, {TOPICS} topics", addresses.halves.scored.tokens());
    let show = |name: &str, model: &dyn TopicModel| {
        let completion = document_completion(model, &addresses.halves.observed, &addresses.halves.scored);
        println!("{name:48} {:7.0}", completion.perplexity());
    };
    show("one topic", &Unigram::fit(training, 0.01)?.model);
    let options =
        document_mixture::Options::default().with_topics(TOPICS).with_word_prior(1.01).with_seed(SEED);
    show("one topic a document (mixture)", &document_mixture::fit(training, &options, &mut Silent)?.model);
    let options = plsa::Options::default().with_topics(TOPICS).with_word_prior(1.01).with_seed(SEED);
    show("proportions that are fitted (PLSA)", &plsa::fit(training, &options, &mut Silent)?.model);
    let options = variational::Options::default().with_topics(TOPICS).with_seed(SEED);
    show("proportions with a prior (LDA)", &variational::fit(training, &options, &mut Silent)?.model);
    Ok(())
}
