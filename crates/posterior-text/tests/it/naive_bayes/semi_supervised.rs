//! Labels that are missing: EM climbs, ends at a fixed point, and learns from texts without labels.

use posterior_inference::em::EmOptions;
use posterior_math::iteration::Silent;
use posterior_text::naive_bayes::*;

use super::{assert_close, bag, corpus_of, document};

const LABELLED: [[u32; 4]; 2] = [[3, 0, 0, 1], [0, 3, 0, 1]];
const OTHERS: [[u32; 4]; 5] = [[2, 0, 2, 0], [0, 2, 0, 2], [1, 0, 4, 0], [0, 1, 1, 3], [0, 0, 3, 0]];

fn counts(counted: Counted) -> ClassCounts {
    ClassCounts::of(counted, &corpus_of(&LABELLED), &[0, 1], 2).unwrap()
}

#[test]
fn the_objective_never_falls() {
    for model in [EventModel::Bernoulli, EventModel::Multinomial] {
        for smoothing in [0.2, 1.0] {
            for weight in [0.3, 1.0] {
                let options = NaiveBayesOptions { model, smoothing, ..NaiveBayesOptions::default() };
                let length = match model {
                    EventModel::Multinomial => DocumentLength::Poisson { documents: 1.0 },
                    _ => DocumentLength::Ignored,
                };
                let options = NaiveBayesOptions { length, ..options };
                let labelled = counts(options.counts());
                let em = EmOptions { tolerance: 1e-13, ..EmOptions::default() };
                let others = corpus_of(&OTHERS);
                let fitted = semi_supervised(&labelled, &others, weight, &options, &em, &mut Silent).unwrap();
                assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
                assert!(fitted.report.trace.is_sorted_by(|a, b| *b >= a - 1e-10 * a.abs()));
            }
        }
    }
}

/// The objective of the multinomial model written out: labelled texts, weighted unlabelled ones, priors.
#[test]
fn the_trace_is_the_objective() {
    let (smoothing, weight) = (0.7, 0.5);
    let options = NaiveBayesOptions { smoothing, ..NaiveBayesOptions::default() };
    let others = corpus_of(&OTHERS);
    let labelled = counts(Counted::Occurrences);
    let fitted =
        semi_supervised(&labelled, &others, weight, &options, &EmOptions::default(), &mut Silent).unwrap();
    let model = &fitted.model;
    let mut expected = 0.0;
    for (text, class) in LABELLED.iter().zip([0, 1]) {
        expected += model.ln_joint(document(&bag(text)))[class];
    }
    for text in &OTHERS {
        expected += weight * model.posterior(document(&bag(text))).unwrap().ln_evidence;
    }
    for class in 0..2 {
        expected += model.ln_prior()[class];
        expected += model.ln_parameters(class).unwrap().iter().map(|ln| smoothing * ln).sum::<f64>();
    }
    assert_close(*fitted.report.trace.last().unwrap(), expected, 1e-9);
}

#[test]
fn words_without_a_label_are_learned_by_their_company() {
    let options = NaiveBayesOptions { smoothing: 0.1, ..NaiveBayesOptions::default() };
    let labelled = counts(Counted::Occurrences);
    let before = NaiveBayes::from_counts(labelled.clone(), &options).unwrap();
    let text = bag(&[0, 0, 2, 0]);
    assert_close(before.posterior(document(&text)).unwrap().probabilities[0], 0.5, 1e-12);
    let others = corpus_of(&OTHERS);
    let em = EmOptions::default();
    let fitted = semi_supervised(&labelled, &others, 1.0, &options, &em, &mut Silent).unwrap();
    // Word 2 comes with word 0.
    assert!(fitted.model.posterior(document(&text)).unwrap().probabilities[0] > 0.95);
    // A weight of nothing leaves the model of the labelled texts.
    let none = semi_supervised(&labelled, &others, 0.0, &options, &em, &mut Silent).unwrap();
    assert_close(none.model.ln_parameters(0).unwrap()[0], before.ln_parameters(0).unwrap()[0], 1e-14);
}

#[test]
fn what_em_cannot_do_is_refused() {
    let others = corpus_of(&OTHERS);
    let em = EmOptions::default();
    let fit = |options: &NaiveBayesOptions, weight| {
        semi_supervised(&counts(options.counts()), &others, weight, options, &em, &mut Silent)
    };
    assert!(
        fit(&NaiveBayesOptions { model: EventModel::Polya, ..NaiveBayesOptions::default() }, 1.0).is_err()
    );
    assert!(
        fit(&NaiveBayesOptions { model: EventModel::Complement, ..NaiveBayesOptions::default() }, 1.0)
            .is_err()
    );
    assert!(fit(&NaiveBayesOptions::default(), -1.0).is_err());
    assert!(fit(&NaiveBayesOptions::default(), f64::NAN).is_err());
    // Word 2 was never seen with a label: without smoothing no class explains it.
    assert!(fit(&NaiveBayesOptions { smoothing: 0.0, ..NaiveBayesOptions::default() }, 1.0).is_err());
    let narrow = corpus_of(&[[1, 0]]);
    let labelled = counts(Counted::Occurrences);
    assert!(
        semi_supervised(&labelled, &narrow, 1.0, &NaiveBayesOptions::default(), &em, &mut Silent).is_err()
    );
}
