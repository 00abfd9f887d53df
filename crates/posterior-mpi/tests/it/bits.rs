//! The bits of the fit in memory.

use std::fs;
use std::path::Path;

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_topics::corpus::StoredCorpus;
use posterior_topics::lda::gibbs::{self, LdaGibbsOptions};
use posterior_topics::{Corpus, TopicModel as _};

use super::{FIT, corpus, files, place, succeed};

/// What the same fit leaves in memory: `model.json`, the numbers of the two tables, and the last ln p per
/// word.
fn in_memory(corpus: &Corpus) -> ([Vec<u8>; 3], f64) {
    let options = LdaGibbsOptions {
        topics: 6,
        groups: Some(8),
        iterations: 40,
        trace_every: 7,
        seed: 5,
        ..LdaGibbsOptions::default()
    };
    let fitted = gibbs::fit(corpus, &options, &mut Silent).unwrap();
    let numbers = |matrix: &DMatrix<f64>| -> Vec<u8> {
        let rows = matrix.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<f64>>());
        rows.flat_map(f64::to_le_bytes).collect()
    };
    let (topic_word, doc_topic) = (numbers(fitted.model.topics().topic_word()), numbers(&fitted.doc_topic));
    let ln_joint = fitted.report.trace.last().unwrap().ln_joint / corpus.tokens() as f64;
    ([serde_json::to_vec(&fitted.model).unwrap(), topic_word, doc_topic], ln_joint)
}

fn compare(folder: &Path, corpus: &Corpus, runs: &[(usize, &str)]) {
    let (expected, ln_joint) = in_memory(corpus);
    for &(ranks, more) in runs {
        let answer = succeed(folder, ranks, &format!("{FIT} --out out{more}"));
        let found = files(&folder.join("out"));
        let found = [&found[0][..], &found[1][128..], &found[2][128..]];
        assert!(found == expected.each_ref().map(Vec::as_slice), "{ranks} processes{more}");
        assert_eq!(answer["ln_likelihood_per_token"].as_f64(), Some(ln_joint));
        assert_eq!(answer["shifted_in_a_sweep"], answer["shifted_by_the_plan"]);
        assert_eq!(answer["ranks"], ranks);
        assert!(!folder.join("parts").exists(), "{more}");
    }
}

#[test]
fn any_number_of_processes_has_the_bits_of_memory() {
    let folder = place();
    let runs = [1, 2, 3, 4, 8].map(|ranks| [(ranks, ""), (ranks, " --threads 2 --parts parts")]);
    compare(folder.path(), &corpus(120), runs.as_flattened());
}

/// Two documents have words, and six of eight processes have documents without any.
#[test]
fn a_process_without_a_word_has_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..8).map(|d| if d < 2 { (0..9).map(|v| (v, 2)).collect() } else { Vec::new() });
    let vocabulary = (0..9).map(|word| format!("word{word}")).collect();
    let corpus = Corpus::from_rows(vocabulary, (0..8).map(|d| d.to_string()).collect(), rows.collect());
    let corpus = corpus.unwrap();
    StoredCorpus::write(&corpus, folder.path().join("c.corpus")).unwrap();
    compare(folder.path(), &corpus, &[(8, ""), (3, " --parts parts")]);
}

#[test]
fn other_samplers_and_priors_have_the_same_bits_on_any_number_of_processes() {
    let folder = place();
    let place = folder.path();
    let (plain, _) = in_memory(&corpus(120));
    for more in ["--optimize-hyper --draws 1", "--sample-hyper asymmetric", "--sampler sparse"] {
        let runs = [1, 3].map(|ranks| {
            succeed(place, ranks, &format!("{FIT} {more} --out out"));
            files(&place.join("out"))
        });
        assert!(runs[0] == runs[1], "{more}");
        assert!(runs[0][0] != plain[0] && !fs::read(place.join("out/model.json")).unwrap().is_empty());
    }
}
