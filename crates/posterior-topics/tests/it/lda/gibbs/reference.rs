//! Joint and conditionals against the 30-digit tables.

use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference;
use posterior_topics::Corpus;
use posterior_topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions};
use serde_json::Value;

fn indices(value: &Value) -> Vec<Vec<usize>> {
    let list = |row: &Value| row.as_array().unwrap().iter().map(|i| i.as_u64().unwrap() as usize).collect();
    value.as_array().unwrap().iter().map(list).collect()
}

/// The topics of the tokens in the order of the corpus: by word within a document.
fn in_corpus_order(documents: &[Vec<usize>], topics: &[Vec<usize>]) -> Vec<u16> {
    let mut ordered = Vec::new();
    for (words, topics) in documents.iter().zip(topics) {
        let mut tokens: Vec<(usize, usize)> = words.iter().copied().zip(topics.iter().copied()).collect();
        tokens.sort_by_key(|&(word, _)| word);
        ordered.extend(tokens.into_iter().map(|(_, topic)| topic as u16));
    }
    ordered
}

#[test]
fn collapsed_joint_and_conditionals_agree_with_the_tables() {
    let table = reference::load("lda");
    let (mut joints, mut conditionals) = (Worst::of("lda joint"), Worst::of("lda conditionals"));
    for case in table["cases"].as_array().unwrap() {
        let documents = indices(&case["documents"]);
        let collapsed = &case["collapsed"];
        let assignment = indices(&collapsed["assignment"]);
        let vocabulary = case["vocabulary"].as_u64().unwrap();
        let words = (0..vocabulary).map(|v| format!("w{v}")).collect();
        let names = (0..documents.len()).map(|d| format!("d{d}")).collect();
        let rows = documents.iter().map(|d| d.iter().map(|&w| (w as u32, 1)).collect()).collect();
        let corpus = Corpus::from_rows(words, names, rows).unwrap();

        let mut options = LdaGibbsOptions {
            topics: case["topics"].as_u64().unwrap() as usize,
            ..LdaGibbsOptions::default()
        };
        options.alpha = reference::number(&case["alpha"]).into();
        options.beta = reference::number(&case["beta"]);
        for groups in [1, 2] {
            options.groups = Some(groups);
            let z = in_corpus_order(&documents, &assignment);
            let chain = LdaGibbs::from_assignments(&corpus, &options, &z).unwrap();
            joints.see(chain.ln_joint(), reference::number(&collapsed["log_joint"]), &groups);
            for (d, (words, topics)) in documents.iter().zip(&assignment).enumerate() {
                for (i, (&word, &topic)) in words.iter().zip(topics).enumerate() {
                    let expected = &collapsed["conditionals"][d][i];
                    for (k, p) in chain.conditional(d, word, topic as u16).into_iter().enumerate() {
                        conditionals.see(p, reference::number(&expected[k]), &(d, i, k));
                    }
                }
            }
        }
    }
    joints.assert_at_most(1e-14);
    conditionals.assert_at_most(1e-14);
}
