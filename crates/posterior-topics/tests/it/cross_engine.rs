//! One model, every inference: they agree where they must.

use posterior_datasets::sotu;
use posterior_math::iteration::Silent;
use posterior_testkit::shared::shared_file;
use posterior_topics::corpus::{Source, read_uci, split_documents, split_tokens};
use posterior_topics::held_out::document_completion;
use posterior_topics::lda::gibbs::{self, TopicSampler};
use posterior_topics::lda::{collapsed_variational, variational};
use posterior_topics::{Corpus, TopicModel};

const TOPICS: usize = 20;
const ALPHA: f64 = 0.25;

/// Every third address: some 250,000 words.
fn addresses() -> Corpus {
    let sotu = sotu::load();
    let rows: Vec<_> = sotu.addresses.into_iter().map(|address| address.counts).step_by(3).collect();
    let names = (0..rows.len()).map(|d| d.to_string()).collect();
    Corpus::from_rows(sotu.vocabulary, names, rows).unwrap()
}

/// A third of the newswire that latent Dirichlet allocation was first tried on, where it is available.
fn newswire() -> Option<Corpus> {
    let path = shared_file("cross_engine", "data/topics/ap/docword.ap.txt")?;
    let words = std::fs::read_to_string(path.with_file_name("vocab.ap.txt")).unwrap();
    let words = words.lines().map(str::to_owned).collect();
    let corpus = read_uci(Source::open(&path).unwrap(), words).unwrap();
    let some: Vec<usize> = (0..corpus.documents()).step_by(3).collect();
    Some(corpus.select(&some).unwrap())
}

/// ln p of a held-out word, by document completion, for each inference.
fn scores(corpus: &Corpus) -> Vec<(&'static str, f64)> {
    let split = split_documents(corpus, 0.1, 1).unwrap();
    let halves = split_tokens(&split.test, 1).unwrap();
    let score = |model: &dyn TopicModel| {
        let completion = document_completion(model, &halves.observed, &halves.scored).unwrap();
        completion.ln_likelihood / completion.tokens as f64
    };
    let mut scores = Vec::new();
    for (name, sampler) in [
        ("dense", TopicSampler::Dense),
        ("sparse", TopicSampler::Sparse),
        ("warp", TopicSampler::MetropolisHastings),
    ] {
        let options = gibbs::LdaGibbsOptions {
            topics: TOPICS,
            alpha: ALPHA.into(),
            ..gibbs::LdaGibbsOptions::default()
        };
        // Proposals that may be rejected mix more slowly.
        let sweeps = if sampler == TopicSampler::MetropolisHastings { 800 } else { 200 };
        let options = gibbs::LdaGibbsOptions { iterations: sweeps, sampler, ..options };
        let fitted = gibbs::fit(&split.train, &options, &mut Silent).unwrap();
        scores.push((name, score(&fitted.model)));
    }
    let options = variational::LdaVariationalOptions {
        topics: TOPICS,
        alpha: ALPHA.into(),
        ..variational::LdaVariationalOptions::default()
    };
    scores
        .push(("variational", score(&variational::fit(&split.train, &options, &mut Silent).unwrap().model)));
    let options = collapsed_variational::LdaCollapsedVariationalOptions {
        topics: TOPICS,
        alpha: ALPHA.into(),
        ..collapsed_variational::LdaCollapsedVariationalOptions::default()
    };
    let fitted = collapsed_variational::fit(&split.train, &options, &mut Silent).unwrap();
    scores.push(("collapsed variational", score(&fitted.model)));
    println!("{scores:?}");
    scores
}

/// The samplers have one stationary distribution: their scores differ by chance alone, by less than half a
/// percent. Approximations may do worse, by less than two.
fn check(corpus: &Corpus) {
    let scores = scores(corpus);
    let dense = scores[0].1;
    for (name, score) in &scores {
        let allowed = if ["sparse", "warp"].contains(name) { 0.005 } else { 0.02 };
        assert!((score - dense).abs() < allowed * dense.abs(), "{name}: {score}, dense: {dense}");
    }
}

#[test]
#[ignore = "slow"]
fn held_out_words_of_addresses_are_as_probable_by_every_inference() {
    check(&addresses());
}

#[test]
#[ignore = "slow"]
fn held_out_words_of_a_newswire_are_as_probable_by_every_inference() {
    if let Some(corpus) = newswire() {
        check(&corpus);
    }
}
