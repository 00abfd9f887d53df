//! Updates of all tokens against the 30-digit tables.

use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference;
use posterior_topics::lda::collapsed_variational::{ExpectedCounts, Order, token_posterior};
use serde_json::Value;

type Tokens<T> = Vec<Vec<T>>;

fn proportions(value: &Value) -> Tokens<Vec<f64>> {
    let token = |q: &Value| q.as_array().unwrap().iter().map(reference::number).collect();
    let document = |d: &Value| d.as_array().unwrap().iter().map(token).collect();
    value.as_array().unwrap().iter().map(document).collect()
}

/// The counts of documents, words and all tokens.
struct Counts {
    documents: Vec<ExpectedCounts>,
    words: Vec<ExpectedCounts>,
    all: ExpectedCounts,
}

impl Counts {
    fn new(words: &Tokens<usize>, vocabulary: usize, q: &Tokens<Vec<f64>>) -> Self {
        let none = ExpectedCounts::new(q[0][0].len());
        let mut counts = Self {
            documents: vec![none.clone(); words.len()],
            words: vec![none.clone(); vocabulary],
            all: none,
        };
        for (d, (words, q)) in words.iter().zip(q).enumerate() {
            for (&word, q) in words.iter().zip(q) {
                counts.documents[d].push(q);
                counts.words[word].push(q);
                counts.all.push(q);
            }
        }
        counts
    }

    fn without(&self, d: usize, word: usize, q: &[f64]) -> [ExpectedCounts; 3] {
        let mut three = [self.documents[d].clone(), self.words[word].clone(), self.all.clone()];
        for counts in &mut three {
            counts.pop(q);
        }
        three
    }

    fn replace(&mut self, d: usize, word: usize, before: &[f64], after: &[f64]) {
        for counts in [&mut self.documents[d], &mut self.words[word], &mut self.all] {
            counts.pop(before);
            counts.push(after);
        }
    }
}

#[test]
fn updates_of_both_orders_agree_with_the_tables() {
    let table = reference::load("lda");
    let mut worst = Worst::of("cvb");
    for case in table["cases"].as_array().unwrap() {
        let words: Tokens<usize> = case["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d.as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as usize).collect())
            .collect();
        let vocabulary = case["vocabulary"].as_u64().unwrap() as usize;
        let alpha = vec![reference::number(&case["alpha"]); case["topics"].as_u64().unwrap() as usize];
        let beta = reference::number(&case["beta"]);
        let q = proportions(&case["cvb"]["q"]);
        for (order, name) in [(Order::Zeroth, "cvb0"), (Order::Second, "cvb2")] {
            let parallel = proportions(&case["cvb"][format!("{name}_parallel")]);
            let sequential = proportions(&case["cvb"][format!("{name}_sequential")]);
            let given = Counts::new(&words, vocabulary, &q);
            let mut moving = Counts::new(&words, vocabulary, &q);
            for (d, document) in words.iter().enumerate() {
                for (i, &word) in document.iter().enumerate() {
                    for (counts, expected) in [(&given, &parallel), (&moving, &sequential)] {
                        let [a, b, c] = counts.without(d, word, &q[d][i]);
                        let found = token_posterior(order, [&a, &b, &c], &alpha, beta, vocabulary);
                        for (found, expected) in found.iter().zip(&expected[d][i]) {
                            worst.see(*found, *expected, &(name, d, i));
                        }
                    }
                    moving.replace(d, word, &q[d][i], &sequential[d][i]);
                }
            }
        }
    }
    // Taking a token out of a sum of ten costs a digit or two.
    worst.assert_at_most(1e-12);
}
