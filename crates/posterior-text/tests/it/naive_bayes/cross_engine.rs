//! Naive Bayes is inference in a star: a network of a class and its words, solved by the junction tree.

use posterior_inference::{Engine, JunctionTree, Targets};
use posterior_pgm::{BayesianNetwork, Evidence, Table, VarId, Variables};
use posterior_text::naive_bayes::*;

use super::{assert_close, bag, corpus_of, document};

const TEXTS: [[u32; 4]; 7] =
    [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1]];
const LABELS: [usize; 7] = [0, 0, 0, 1, 1, 1, 2];

/// The class is variable 0, word `w` is variable `w + 1`.
fn star(model: &NaiveBayes) -> BayesianNetwork {
    let variables = Variables::numbered(&[3, 2, 2, 2, 2]).unwrap();
    let class = VarId::new(0);
    let prior = model.ln_prior().iter().map(|ln| ln.exp()).collect();
    let mut tables = vec![Table::new(vec![class], vec![3], prior).unwrap()];
    for word in 0..4 {
        let there = |class: usize| model.ln_parameters(class).unwrap()[word].exp();
        let rows = (0..3).flat_map(|class| [1.0 - there(class), there(class)]).collect();
        tables.push(Table::new(vec![class, VarId::new(word + 1)], vec![3, 2], rows).unwrap());
    }
    BayesianNetwork::new(variables, tables).unwrap()
}

#[test]
fn the_star_gives_the_same_posterior_and_evidence() {
    let options =
        NaiveBayesOptions { model: EventModel::Bernoulli, smoothing: 0.6, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&TEXTS), &LABELS, 3, &options).unwrap();
    let network = star(&model);
    let engine = JunctionTree::default();
    let plan = engine.plan(&network, &Targets::All).unwrap();
    for text in 0..16_u32 {
        let words: [u32; 4] = std::array::from_fn(|word| text >> word & 1);
        let evidence =
            Evidence::of((1..).zip(words).map(|(variable, state)| (VarId::new(variable), state as usize)));
        let beliefs = engine.infer(&network, &plan, &evidence).unwrap();
        let posterior = model.posterior(document(&bag(&words))).unwrap();
        assert_close(posterior.ln_evidence, beliefs.ln_z().exact().unwrap(), 1e-13);
        let marginal = beliefs.marginal(VarId::new(0)).unwrap();
        for (own, other) in posterior.probabilities.iter().zip(marginal) {
            assert_close(*own, *other, 1e-13);
        }
    }
}
