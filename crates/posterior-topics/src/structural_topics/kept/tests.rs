//! States whose topics have changed their places.

use posterior_testkit::accuracy::assert_all_close;

use super::*;
use crate::structural_topics::chain::tests::{corpus, sampler};
use crate::structural_topics::options::StructuralTopicsOptions;

#[test]
fn topics_that_change_their_places_are_kept_where_they_were() {
    let corpus = corpus();
    let options = StructuralTopicsOptions { topics: 3, ..StructuralTopicsOptions::default() };
    let mut gibbs = sampler(&corpus, &options, 2);
    for _ in 0..3 {
        gibbs.draw_documents_and_words();
        gibbs.draw_regression().unwrap();
    }
    let mut other = gibbs.clone();
    let order = [2, 0, 1];
    for rows in other.words.phi.chunks_exact_mut(3) {
        rows.copy_from_slice(&order.map(|k| rows[k]));
    }
    for rows in other.word_topic.chunks_exact_mut(3) {
        rows.copy_from_slice(&order.map(|k| rows[k]));
    }
    for eta in other.eta.chunks_exact_mut(2) {
        let all = [eta[0], eta[1], 0.0];
        eta.copy_from_slice(&[all[2] - all[1], all[0] - all[1]]);
    }
    (other.regression.gamma, other.regression.covariance) = gibbs.regression.relabelled(&order);
    let [mut straight, mut turned] = [Kept::new(&gibbs), Kept::new(&gibbs)];
    for own in [&gibbs, &gibbs] {
        straight.add(own);
    }
    for own in [&gibbs, &other] {
        turned.add(own);
    }
    assert_eq!(turned.states(), 2);
    assert_eq!(turned.tokens, straight.tokens);
    assert_all_close(&turned.topic_words, &straight.topic_words, 1e-12);
    assert_all_close(&turned.proportions, &straight.proportions, 1e-12);
    for (a, b) in
        [(&turned.coefficients, &straight.coefficients), (&turned.covariances, &straight.covariances)]
    {
        assert_all_close(a[1].as_slice(), b[1].as_slice(), 1e-10);
    }
}
