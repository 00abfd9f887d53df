//! What is said of a held-out text does not know its class, whoever chooses the smoothing.

use posterior_text::naive_bayes::*;

use super::corpus_of;

/// Texts whose words say little of their classes.
fn texts() -> (Vec<[u32; 6]>, Vec<usize>) {
    let noise = |d: usize, v: usize| ((d * 7919 + v * 104_729 + d * v * 31) as f64 * 0.618_033_988_7).fract();
    let text = |d: usize| std::array::from_fn(|v| (3.0 * noise(d, v)) as u32);
    ((0..30).map(text).collect(), (0..30).map(|d| usize::from(noise(d, 9) > 0.5)).collect())
}

#[test]
fn classes_of_a_fold_do_not_choose_its_smoothing() {
    let (texts, labels) = texts();
    let corpus = corpus_of(&texts);
    let (options, folds) = (NaiveBayesOptions::default(), 5);
    let candidates = vec![0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];
    let rules = [SmoothingRule::Given, SmoothingRule::Evidence, SmoothingRule::Folds(candidates.clone())];
    let bits = |said: &Option<ClassPosterior>| -> Vec<u64> {
        said.as_ref().unwrap().probabilities.iter().map(|p| p.to_bits()).collect()
    };
    for rule in &rules {
        let said = cross_validate_by(&corpus, &labels, 2, &options, folds, rule).unwrap();
        for fold in 0..folds {
            // The other classes for the texts of the fold: nothing that is said of them changes.
            let members = || (fold..texts.len()).step_by(folds);
            let mut flipped = labels.clone();
            members().for_each(|d| flipped[d] = 1 - flipped[d]);
            let other = cross_validate_by(&corpus, &flipped, 2, &options, folds, rule).unwrap();
            assert!(members().all(|d| bits(&said[d]) == bits(&other[d])), "{rule:?}, fold {fold}");
            // It is what a model of the rest says, whose smoothing is chosen by the rest.
            let rest: Vec<usize> = (0..texts.len()).filter(|d| d % folds != fold).collect();
            let own: Vec<[u32; 6]> = rest.iter().map(|&d| texts[d]).collect();
            let own_labels: Vec<usize> = rest.iter().map(|&d| labels[d]).collect();
            let part = corpus_of(&own);
            let smoothing = match rule {
                SmoothingRule::Evidence => {
                    let counts = ClassCounts::of(options.counts(), &part, &own_labels, 2).unwrap();
                    smoothing_by_evidence(&counts).unwrap().0
                }
                SmoothingRule::Folds(_) => {
                    select_smoothing(&part, &own_labels, 2, &options, &candidates, folds).unwrap().smoothing
                }
                _ => options.smoothing,
            };
            let model =
                NaiveBayes::fit(&part, &own_labels, 2, &NaiveBayesOptions { smoothing, ..options.clone() })
                    .unwrap();
            for d in members() {
                let expected = model.posterior(corpus.document(d)).unwrap().probabilities;
                let found = &said[d].as_ref().unwrap().probabilities;
                assert!(
                    found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12),
                    "{rule:?}, text {d}"
                );
            }
        }
    }
    // One choice by all texts knows the classes that it is judged by.
    let all = select_smoothing(&corpus, &labels, 2, &options, &candidates, folds).unwrap();
    let said = cross_validate_by(&corpus, &labels, 2, &options, folds, &rules[2]).unwrap();
    let least = all.ln_losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(super::mean_ln_loss(&said, &labels) >= least, "{least}");
}
