//! One model, several inferences.

use std::io::Write;
use std::time::Instant;

use posterior::math::iteration::Silent;
use posterior::report::{Figure, Page, PageTable, Ribbon, ribbons};
use posterior::topics::coherence::{self, Measure, Occurrences};
use posterior::topics::held_out::document_completion;
use posterior::topics::lda::{Hyperparameters, Lda, collapsed_variational, gibbs, variational};
use posterior::topics::stability::{Distance, match_topics};
use posterior::topics::{Corpus, FittedTopics, SweepReport, TopicModel, top_words};

use super::{Addresses, SEED};
use crate::Outcome;
use crate::story::tell_table;

const TOPICS: usize = 20;
/// Words of a topic that are judged together.
const LEADING: usize = 10;

/// Fits by each inference, prints how they compare, and returns what the sampler found in the training
/// addresses.
pub(super) fn compare(
    out: &mut dyn Write,
    addresses: &Addresses,
    sweeps: usize,
    page: &mut Page,
) -> Outcome<FittedTopics<Lda, SweepReport>> {
    let training = &addresses.split.train;

    let began = Instant::now();
    let options = gibbs::LdaGibbsOptions {
        topics: TOPICS,
        iterations: sweeps,
        hyperparameters: Hyperparameters::Optimized,
        seed: SEED,
        ..gibbs::LdaGibbsOptions::default()
    };
    let sampled = gibbs::fit(training, &options, &mut Silent)?;
    let names = ["inference", "seconds", "perplexity", "coherence (NPMI)", "overlap"];
    let mut table = PageTable::with_columns(&names);
    table.rows.push(row(addresses, "collapsed Gibbs sampling", began, &sampled.model, &sampled.model)?);
    let points = sampled.report.trace.iter().map(|point| (point.iteration as f64, point.ln_joint));
    let mut traces = vec![trace("ln p(words, topics), Gibbs sampling", training, points)];

    let began = Instant::now();
    let options = variational::LdaVariationalOptions {
        topics: TOPICS,
        hyperparameters: Hyperparameters::Optimized,
        seed: SEED,
        ..variational::LdaVariationalOptions::default()
    };
    let fitted = variational::fit(training, &options, &mut Silent)?;
    table.rows.push(row(addresses, "variational Bayes", began, &fitted.model, &sampled.model)?);
    traces.push(trace("bound of ln p(words), variational Bayes", training, steps(&fitted.report.trace)));

    let began = Instant::now();
    let options = collapsed_variational::LdaCollapsedVariationalOptions {
        topics: TOPICS,
        hyperparameters: Hyperparameters::Optimized,
        seed: SEED,
        ..collapsed_variational::LdaCollapsedVariationalOptions::default()
    };
    let fitted = collapsed_variational::fit(training, &options, &mut Silent)?;
    table.rows.push(row(addresses, "collapsed variational (CVB0)", began, &fitted.model, &sampled.model)?);
    traces.push(trace("ln p(word | all other words), CVB0", training, steps(&fitted.report.trace)));
    let text = format!(
        "{TOPICS} topics by three inferences of one model; overlap is that of matched topics with those of the sampler."
    );
    tell_table(out, page, "Three inferences", text, table)?;
    writeln!(out, "\nobjectives by word, at the first and the last of their passes")?;
    for ribbon in &traces {
        let [first, last] = [ribbon.line.first(), ribbon.line.last()].map(|end| {
            end.map_or_else(String::new, |(pass, value)| format!("{value:.3} ({:.0})", pass.exp2()))
        });
        writeln!(out, "  {:<42}{first:>16}{last:>16}", ribbon.name)?;
    }
    let picture = ribbons(("log2 of the passes", "objective by word"), &traces, &[], None);
    let text = "Each inference climbs an objective of its own, so that only the shapes compare: the sampler goes on as long as it is asked to, the others stop.";
    page.section("How they get there", text, vec![Figure::new(picture, "")]);
    Ok(sampled)
}

fn steps(trace: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    trace.iter().enumerate().map(|(pass, value)| ((pass + 1) as f64, *value))
}

/// An objective for each word of the corpus, over the binary logarithm of the passes.
fn trace(name: &str, corpus: &Corpus, points: impl Iterator<Item = (f64, f64)>) -> Ribbon {
    let tokens = corpus.tokens() as f64;
    let line = points.map(|(pass, value)| (pass.log2(), value / tokens)).collect();
    Ribbon { name: name.to_owned(), line, ..Ribbon::default() }
}

fn row(
    addresses: &Addresses,
    name: &str,
    began: Instant,
    model: &Lda,
    sampled: &Lda,
) -> Outcome<Vec<String>> {
    let seconds = began.elapsed().as_secs_f64();
    let completion = document_completion(model, &addresses.halves.observed, &addresses.halves.scored)?;
    let coherence = mean_coherence(model, &addresses.corpus)?;
    let matching = match_topics(model.topics(), sampled.topics(), Distance::TotalVariation)?;
    let overlap = 1.0 - matching.distances.iter().sum::<f64>() / matching.distances.len() as f64;
    let cells =
        [format!("{seconds:.1}"), format!("{:.0}", completion.perplexity()), format!("{coherence:.3}")];
    Ok([name.to_owned()].into_iter().chain(cells).chain([format!("{overlap:.2}")]).collect())
}

fn mean_coherence(model: &impl TopicModel, corpus: &Corpus) -> Outcome<f64> {
    let mut words: Vec<usize> = top_words::lists(model.topics(), LEADING).concat();
    words.sort_unstable();
    words.dedup();
    let occurrences = Occurrences::in_documents(corpus, &words)?;
    let of_topics = coherence::of_topics(Measure::Npmi, model.topics(), LEADING, &occurrences)?;
    Ok(of_topics.iter().sum::<f64>() / of_topics.len() as f64)
}
