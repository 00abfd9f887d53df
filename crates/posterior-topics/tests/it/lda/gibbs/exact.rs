//! The toy corpus against numbers from its enumeration with independent code.

use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::Corpus;
use posterior_topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions};

use super::toy;

#[test]
fn evidence_and_co_assignment_are_those_of_the_enumeration() {
    let (corpus, options) = (toy::corpus(), toy::options());
    let (posterior, ln_evidence) = toy::posterior(&corpus, &options);
    assert_close(ln_evidence, -7.579509060188357, 1e-14);
    let probability = |event: &dyn Fn(&[u16]) -> bool| -> f64 {
        (0..toy::STATES).filter(|&s| event(&toy::topics(s))).map(|s| posterior[s]).sum()
    };
    for i in 0..toy::TOKENS {
        assert_close(probability(&|z| z[i] == 0), 0.5, 1e-14);
    }
    let same = [
        (0, 1, 0.873551324503),
        (0, 2, 0.695985099338),
        (2, 3, 0.548013245033),
        (0, 5, 0.266866721854),
        (4, 5, 0.873551324503),
        (0, 3, 0.370447019868),
    ];
    for (i, j, p) in same {
        assert_within(probability(&|z| z[i] == z[j]), p, 1e-12);
    }
}

#[test]
fn best_state_and_a_conditional_are_those_of_the_enumeration() {
    let (corpus, options) = (toy::corpus(), toy::options());
    let joints = toy::ln_joints(&corpus, &options);
    let best = (0..toy::STATES).max_by(|&a, &b| joints[a].total_cmp(&joints[b])).unwrap();
    let split = toy::state(&[0, 0, 0, 1, 1, 1]);
    assert!(best == split || best == toy::STATES - 1 - split);
    assert_close(joints[split], -9.436997742590, 1e-12);
    for own in [0, 1] {
        let chain = toy::chain(&corpus, &options, toy::state(&[0, 0, own, 1, 1, 1]));
        assert_all_close(&chain.conditional(0, 1, own), &[15.0 / 22.0, 7.0 / 22.0], 1e-14);
    }
}

#[test]
fn joint_ratios_are_the_conditionals() {
    let (corpus, options) = (toy::corpus(), toy::options());
    let joints = toy::ln_joints(&corpus, &options);
    for s in 0..toy::STATES {
        for (i, (d, v)) in toy::PLACES.into_iter().enumerate() {
            let own = toy::topics(s)[i];
            let conditional = toy::chain(&corpus, &options, s).conditional(d, v, own);
            let (zero, one) = (s & !(1 << i), s | 1 << i);
            assert_within(joints[one] - joints[zero], (conditional[1] / conditional[0]).ln(), 1e-13);
        }
    }
}

/// The matrix of a systematic scan by the conditionals, 64 x 64, keeps the posterior.
#[test]
fn a_sweep_by_the_conditionals_keeps_the_posterior() {
    let (corpus, options) = (toy::corpus(), toy::options());
    let (posterior, _) = toy::posterior(&corpus, &options);
    let mut moved = posterior.clone();
    for (i, (d, v)) in toy::PLACES.into_iter().enumerate() {
        let mut next = vec![0.0; toy::STATES];
        for (s, mass) in moved.iter().enumerate() {
            let conditional = toy::chain(&corpus, &options, s).conditional(d, v, toy::topics(s)[i]);
            next[s & !(1 << i)] += mass * conditional[0];
            next[s | 1 << i] += mass * conditional[1];
        }
        moved = next;
    }
    for (moved, kept) in moved.iter().zip(&posterior) {
        assert_within(*moved, *kept, 1e-14);
    }
}

/// With one topic there is nothing to draw, and p(W) is the evidence of one Dirichlet-multinomial.
#[test]
fn one_topic_is_the_unigram_model() {
    let corpus = toy::corpus();
    let mut options = LdaGibbsOptions { topics: 1, ..LdaGibbsOptions::default() };
    options.beta = 0.5;
    let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
    chain.sweep();
    assert_eq!(chain.assignments(), vec![0; 6]);
    // (1/2)(3/2) twice over and again once more, by hand: counts 2, 2, 2 of 6 with V beta = 3/2.
    let rising = |a: f64, n: i32| (0..n).map(|i| a + f64::from(i)).product::<f64>();
    let evidence = rising(0.5, 2).powi(3) / rising(1.5, 6);
    assert_close(chain.ln_joint(), evidence.ln(), 1e-14);
}

#[test]
fn assignments_that_do_not_fit_are_refused() {
    let (corpus, options): (Corpus, _) = (toy::corpus(), toy::options());
    let few = LdaGibbs::from_assignments(&corpus, &options, &[0; 5]).unwrap_err();
    assert_eq!(few.to_string(), "topics of tokens: expected 6, found 5");
    let wrong = LdaGibbs::from_assignments(&corpus, &options, &[0, 0, 2, 0, 0, 0]).unwrap_err();
    assert_eq!(wrong.to_string(), "topic 2 of 2, counted from 0");
}
