//! Saved topic models, checkpoints and classifiers: what is read is valid, and is written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::read_json;
use posterior_math::iteration::Silent;
use posterior_topics::corpus::Document;
use posterior_topics::hdp::Hdp;
use posterior_topics::lda::Lda;
use posterior_topics::lda::gibbs::{self, LdaGibbsCheckpoint};
use posterior_text::naive_bayes::{NaiveBayes, table::ClassTable};
use posterior_topics::pitman_yor_topics::PitmanYorTopics;
use posterior_topics::{Corpus, Topics};

fuzz_target!(|text: &str| {
    let document = Document { words: &[0, 1], counts: &[2, 1] };
    read_json::<Topics>(text);
    read_json::<Hdp>(text);
    read_json::<PitmanYorTopics>(text);
    if let Some(model) = read_json::<Lda>(text) {
        let _ = (model.alpha().len(), model.beta());
    }
    if let Some(model) = read_json::<NaiveBayes>(text) {
        if let Some(posterior) = model.posterior(document) {
            assert!((0.0..=1.0).contains(&posterior.confidence()));
        }
    }
    read_json::<ClassTable>(text);
    if let Ok(mut checkpoint) = LdaGibbsCheckpoint::read_from(text.as_bytes()) {
        let rows = vec![vec![(0, 2), (1, 1)], vec![(1, 3)]];
        let words = ["a", "b"].map(str::to_owned).to_vec();
        let names = ["x", "y"].map(str::to_owned).to_vec();
        let corpus = Corpus::from_rows(words, names, rows).expect("a corpus");
        if checkpoint.options().topics <= 8
            && checkpoint.options().iterations.saturating_sub(checkpoint.iterations()) <= 20
        {
            checkpoint.set_threads(1);
            let _ = gibbs::resume(&corpus, &checkpoint, &mut Silent);
        }
    }
});
