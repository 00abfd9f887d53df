//! What a topic model is better than.

use std::io::Write;

use posterior::math::iteration::Silent;
use posterior::report::{Page, PageTable, grouped};
use posterior::topics::held_out::document_completion;
use posterior::topics::lda::variational;
use posterior::topics::semantic_analysis;
use posterior::topics::unigram::Unigram;
use posterior::topics::{TopicModel, document_mixture, plsa};

use super::{Addresses, SEED};
use crate::Outcome;
use crate::story::tell_table;

const TOPICS: usize = 10;
const WORDS: usize = 6;

/// Components of the table of counts, whose words have signs.
pub(super) fn components(out: &mut dyn Write, addresses: &Addresses, page: &mut Page) -> Outcome<()> {
    let options = semantic_analysis::SemanticAnalysisOptions {
        components: TOPICS,
        seed: SEED,
        ..semantic_analysis::SemanticAnalysisOptions::default()
    };
    let analysis = semantic_analysis::fit(&addresses.corpus, &options)?;
    writeln!(
        out,
        "\nlatent semantic analysis: components have positive and negative words, and no word has none"
    )?;
    let mut items = Vec::new();
    for (component, explained) in analysis.explained_variance().iter().enumerate().take(5) {
        let ends = analysis.leading_words(component, WORDS);
        let list = |words: &[semantic_analysis::WeightedWord]| {
            let name = |word: &semantic_analysis::WeightedWord| analysis.vocabulary()[word.word].clone();
            words.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let (positive, negative) = (list(&ends.positive), list(&ends.negative));
        writeln!(out, "{:5.1} %  + {positive:48} - {negative}", 100.0 * explained)?;
        items.push(format!("{:.1} %: plus {positive}; minus {negative}", 100.0 * explained));
    }
    let text = "The first five components of a singular value decomposition: words have signs, and no word has none.";
    page.section("Components are no topics", text, items);
    Ok(())
}

/// How well models complete addresses of which they saw one half of the words.
pub(super) fn completions(out: &mut dyn Write, addresses: &Addresses, page: &mut Page) -> Outcome<()> {
    let training = &addresses.split.train;
    let mut table = PageTable::with_columns(&["model", "perplexity"]);
    let mut show = |name: &str, model: &dyn TopicModel| -> Outcome<f64> {
        let completion = document_completion(model, &addresses.halves.observed, &addresses.halves.scored)?;
        table.rows.push(vec![name.to_owned(), format!("{:.0}", completion.perplexity())]);
        Ok(completion.perplexity())
    };
    let one = show("one topic", &Unigram::fit(training, 0.01)?.model)?;
    let options = document_mixture::DocumentMixtureOptions {
        topics: TOPICS,
        word_prior: 1.01,
        seed: SEED,
        ..document_mixture::DocumentMixtureOptions::default()
    };
    show("one topic a document (mixture)", &document_mixture::fit(training, &options, &mut Silent)?.model)?;
    let options =
        plsa::PlsaOptions { topics: TOPICS, word_prior: 1.01, seed: SEED, ..plsa::PlsaOptions::default() };
    show("proportions that are fitted (PLSA)", &plsa::fit(training, &options, &mut Silent)?.model)?;
    let options = variational::LdaVariationalOptions {
        topics: TOPICS,
        seed: SEED,
        ..variational::LdaVariationalOptions::default()
    };
    let many =
        show("proportions with a prior (LDA)", &variational::fit(training, &options, &mut Silent)?.model)?;
    page.fact("perplexity with one topic", grouped(one.round() as u64));
    page.fact(format!("with {TOPICS} topics (LDA)"), grouped(many.round() as u64));
    let text = "Perplexity of one half of the words of addresses that were held out, given the other half.";
    tell_table(out, page, "What topics are good for", text, table)?;
    Ok(())
}
