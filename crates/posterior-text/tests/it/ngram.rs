//! n-gram models: published and hand-made numbers, a slow dictionary of the formulas, properties.

mod arpa;
mod twin;

use posterior_inference::em::EmOptions;
use posterior_math::iteration::Silent;
use posterior_text::alphabet::{Alphabet, characters};
use posterior_text::ngram::{
    Boundaries, DiscountsFrom, LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary,
    Smoothing, StupidBackoff, Unigrams, held_out_weights,
};
use proptest::prelude::*;
use twin::Twin;

fn open(symbols: usize) -> NgramVocabulary {
    NgramVocabulary::new(symbols).unwrap().with_boundaries(Boundaries::Open)
}

fn fit(
    sequences: &[Vec<usize>],
    vocabulary: NgramVocabulary,
    order: usize,
    options: &NGramOptions,
) -> NGramModel {
    let counts = NGramCounts::of(sequences, vocabulary, order).unwrap();
    NGramModel::fit(&counts, options).unwrap()
}

/// Every rule, with parameters of its own.
fn all_rules(order: usize) -> Vec<Smoothing> {
    let weights = (0..order).map(|place| vec![0.3 + 0.1 * place as f64, 0.85]).collect();
    vec![
        Smoothing::MaximumLikelihood,
        Smoothing::AddK { k: 0.7 },
        Smoothing::Dirichlet { concentration: 2.5 },
        Smoothing::GoodTuring { threshold: 3 },
        Smoothing::Interpolation { weights },
        Smoothing::WittenBell,
        Smoothing::AbsoluteDiscounting { discount: Some(0.6) },
        Smoothing::AbsoluteDiscounting { discount: None },
        Smoothing::KneserNey { discount: Some(0.75) },
        Smoothing::KneserNey { discount: None },
        Smoothing::ModifiedKneserNey,
    ]
}

/// Every context of up to `longest` symbols, with and without the mark of the beginning.
fn all_contexts(vocabulary: NgramVocabulary, longest: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    all.extend(vocabulary.begin().map(|begin| vec![begin]));
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for place in from..to {
            for symbol in 0..vocabulary.symbols() {
                let longer = [&all[place][..], &[symbol]].concat();
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

/// TEXT-03: "a b a b a c a b c" without marks.
#[test]
fn kneser_and_ney_by_hand() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2]];
    let options = NGramOptions {
        unigrams: Unigrams::Plain,
        ..NGramOptions::new(Smoothing::KneserNey { discount: Some(0.75) })
    };
    let model = fit(&text, open(3), 2, &options);
    let expected =
        [[0.15, 0.6375, 0.2125], [0.616_666_666_666_666_7, 0.1, 0.283_333_333_333_333_3], [0.55, 0.15, 0.3]];
    for (context, distribution) in expected.iter().enumerate() {
        for (symbol, &probability) in distribution.iter().enumerate() {
            let found = model.ln_probability(&[context], symbol).unwrap().exp();
            assert!((found - probability).abs() < 1e-15, "p({symbol} | {context}) = {found}");
        }
    }
}

/// TEXT-02: "graphical models are fun".
#[test]
fn one_sentence_by_hand() {
    let (text, hard) = (vec![vec![0, 1, 2, 3]], [0, 1, 2, 4]);
    let add_one = NGramOptions::new(Smoothing::AddK { k: 1.0 });
    let p = |vocabulary, options| fit(&text, vocabulary, 1, options).score(&[hard]).unwrap().ln_probability();
    assert!((p(open(5), &add_one) - (8.0_f64 / 6561.0).ln()).abs() < 1e-13);
    // With the end as a sixth word, and without asking for it: the four words' probabilities.
    let marked = NgramVocabulary::new(5).unwrap();
    let words = fit(&text, marked, 1, &add_one).ln_probabilities(&hard).unwrap();
    assert!((words[..4].iter().sum::<f64>() - (8.0_f64 / 14641.0).ln()).abs() < 1e-13);
    assert!((p(marked, &add_one) - (16.0_f64 / 161_051.0).ln()).abs() < 1e-13);
    let likely = NGramOptions::new(Smoothing::MaximumLikelihood);
    let model = fit(&text, open(5), 1, &likely);
    assert_eq!(model.ln_probability(&[], 3).unwrap(), 0.25_f64.ln());
    assert_eq!(model.score(&[hard]).unwrap().perplexity(), f64::INFINITY);
    let marked = fit(&text, marked, 1, &likely);
    assert_eq!(marked.ln_probability(&[], 3).unwrap(), 0.2_f64.ln());
    // No text: uniform under a prior, refused without.
    let nothing = NGramCounts::of::<Vec<usize>>(&[], open(5), 3).unwrap();
    assert!(NGramModel::fit(&nothing, &likely).is_err());
    for smoothing in all_rules(3).into_iter().skip(1) {
        let model = NGramModel::fit(&nothing, &NGramOptions::new(smoothing)).unwrap();
        assert!((model.ln_probability(&[0, 1], 2).unwrap().exp() - 0.2).abs() < 1e-15);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every rule, context and symbol against the dictionary; sums to one; `step` and `predict` agree.
    #[test]
    fn every_rule_is_its_formula(
        text in proptest::collection::vec(proptest::collection::vec(0_usize..3, 0..25), 1..4),
        order in 1_usize..5,
        marked in any::<bool>(),
        plain in any::<bool>(),
    ) {
        // A fourth symbol never occurs.
        let vocabulary = if marked { NgramVocabulary::new(4).unwrap() } else { open(4) };
        let counts = NGramCounts::of(&text, vocabulary, order).unwrap();
        let unigrams = if plain { Unigrams::Plain } else { Unigrams::TowardsUniform };
        let twin = Twin::of(&text, vocabulary, order);
        for smoothing in all_rules(order) {
            let options = NGramOptions { unigrams, ..NGramOptions::new(smoothing.clone()) };
            let Ok(model) = NGramModel::fit(&counts, &options) else {
                prop_assert_eq!(counts.tokens(), 0);
                continue;
            };
            let mut distribution = vec![0.0; vocabulary.outcomes()];
            for context in all_contexts(vocabulary, order.min(3)) {
                let state = model.after(&context).unwrap();
                model.predict(state, &mut distribution);
                let sum: f64 = distribution.iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-12, "{smoothing:?} after {context:?}: {distribution:?} sums to {sum}");
                for (symbol, &probability) in distribution.iter().enumerate() {
                    let expected = twin.probability(&options, &context, symbol);
                    prop_assert!(
                        (probability - expected).abs() < 1e-12,
                        "{smoothing:?}, p({symbol} | {context:?}) = {probability}, by the formula {expected}"
                    );
                    let (stepped, _) = model.step(state, symbol);
                    prop_assert!((stepped - probability).abs() <= 1e-14 * probability);
                }
            }
        }
    }

    /// With rare n-grams left out the distributions are still distributions, whatever is left out.
    #[test]
    fn pruned_models_are_models(
        text in proptest::collection::vec(proptest::collection::vec(0_usize..3, 0..40), 1..4),
        minimum_counts in proptest::collection::vec(0_u32..6, 1..3),
    ) {
        let vocabulary = NgramVocabulary::new(4).unwrap();
        for smoothing in all_rules(4) {
            let options = NGramOptions { minimum_counts: minimum_counts.clone(), ..NGramOptions::new(smoothing.clone()) };
            let model = fit(&text, vocabulary, 4, &options);
            let mut distribution = vec![0.0; vocabulary.outcomes()];
            for context in all_contexts(vocabulary, 3) {
                let state = model.after(&context).unwrap();
                model.predict(state, &mut distribution);
                prop_assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{smoothing:?} after {context:?}");
                for (symbol, &probability) in distribution.iter().enumerate() {
                    prop_assert!((model.step(state, symbol).0 - probability).abs() <= 1e-14);
                }
            }
        }
    }

    /// Counts against windows; the order of sequences is without meaning.
    #[test]
    fn counts_are_counts(
        text in proptest::collection::vec(proptest::collection::vec(0_usize..3, 0..30), 0..5),
        order in 1_usize..6,
    ) {
        let vocabulary = NgramVocabulary::new(3).unwrap();
        let counts = NGramCounts::of(&text, vocabulary, order).unwrap();
        let twin = Twin::of(&text, vocabulary, order);
        for length in 1..=order {
            let found: Vec<_> = counts.iter(length).collect();
            let expected: Vec<_> = twin.counts().filter(|(ngram, _)| ngram.len() == length).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(counts.distinct(length), expected.len());
        }
        let reversed: Vec<_> = text.iter().rev().cloned().collect();
        prop_assert_eq!(&counts, &NGramCounts::of(&reversed, vocabulary, order).unwrap());
        prop_assert_eq!(counts.tokens() as usize, text.iter().map(|sequence| sequence.len() + 1).sum::<usize>());
    }
}

/// ML on its own data: the perplexity is that of the entropy of contexts, and no model has less.
#[test]
fn no_model_beats_maximum_likelihood_on_its_own_data() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2, 2, 0, 1, 0], vec![2, 2, 0, 1]];
    for order in 1..=4 {
        let vocabulary = NgramVocabulary::new(3).unwrap();
        let twin = Twin::of(&text, vocabulary, order);
        let likely = fit(&text, vocabulary, order, &NGramOptions::new(Smoothing::MaximumLikelihood));
        let best = likely.score(&text).unwrap().perplexity();
        assert!((best.ln() - twin.entropy_of_contexts()).abs() < 1e-13);
        for smoothing in all_rules(order) {
            let model = fit(&text, vocabulary, order, &NGramOptions::new(smoothing.clone()));
            assert!(model.score(&text).unwrap().perplexity() >= best * (1.0 - 1e-14), "{smoothing:?}");
        }
    }
}

#[test]
fn scores_count_what_they_say() {
    let vocabulary = NgramVocabulary::new(3).unwrap().with_unknown(2).unwrap();
    let text = vec![vec![0, 1, 2, 0], vec![1, 1]];
    let model = fit(&text, vocabulary, 3, &NGramOptions::new(Smoothing::WittenBell));
    let score = model.score(&text).unwrap();
    let each: Vec<f64> = text.iter().flat_map(|sequence| model.ln_probabilities(sequence).unwrap()).collect();
    assert_eq!((score.sequences, score.tokens, score.unknown), (2, 8, 1));
    assert!((score.ln_probability() - each.iter().sum::<f64>()).abs() < 1e-13);
    assert!((score.ln_unknown - each[2]).abs() < 1e-15);
    assert!((score.perplexity() - (-each.iter().sum::<f64>() / 8.0).exp()).abs() < 1e-13);
    let known = each.iter().sum::<f64>() - each[2];
    assert!((score.perplexity_of_known() - (-known / 7.0).exp()).abs() < 1e-13);
    assert!((score.bits_per_token() - score.perplexity().log2()).abs() < 1e-13);
    let error = model.score(&[vec![0], vec![1, 3]]).unwrap_err().to_string();
    assert_eq!(error, "sequence 1, position 1: symbol 3 of 3");
    assert!(model.ln_probability(&[0], 4).is_err() && model.after(&[0, 4]).is_err());
    assert!(model.after(&[4, 0]).is_ok(), "the mark of the beginning stands first");
    assert_eq!(model.step(model.empty(), 4).0, 0.0);
    // A text so long that the product of its probabilities is far below the smallest number.
    let long = vec![[0, 1, 2, 0].repeat(50_000)];
    let (whole, sum) =
        (model.score(&long).unwrap(), model.ln_probabilities(&long[0]).unwrap().iter().sum::<f64>());
    assert!((whole.ln_probability() / sum - 1.0).abs() < 1e-12);
}

/// Chen and Goodman's formulas on counts of counts that one can see; what is degenerate is reported.
#[test]
fn discounts_are_reported() {
    // Twelve bigrams once, four twice, two three times, one four times.
    let mut text = Vec::new();
    for place in 0..19 {
        let times = match place {
            0..12 => 1,
            12..16 => 2,
            16..18 => 3,
            _ => 4,
        };
        text.extend((0..times).map(|_| vec![place / 5, place % 5]));
    }
    let model = fit(&text, open(5), 2, &NGramOptions::default());
    let bigrams = &model.discounting()[1];
    assert_eq!((bigrams.from, &bigrams.counts_of_counts[..]), (DiscountsFrom::Formula, &[12, 4, 2, 1][..]));
    // Y = 12/20.
    for (found, expected) in bigrams.discounts.iter().zip([0.6, 1.1, 1.8]) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
    let single = fit(&[vec![0, 1, 0, 1, 2]], open(3), 2, &NGramOptions::default());
    assert_eq!(single.discounting()[1].from, DiscountsFrom::Single);
    assert_eq!(single.discounting()[1].discounts, [0.5]);
    let half = fit(&[vec![0, 1, 2]], open(3), 2, &NGramOptions::default());
    assert_eq!(
        (half.discounting()[1].from, &half.discounting()[1].discounts[..]),
        (DiscountsFrom::Half, &[0.5][..])
    );
    // x = 3 n3/n1 = 1/2, r* = 2/3 and 3/2: d = (2/3 - 1/2)/(1/2) = 1/3 and (3/4 - 1/2)/(1/2) = 1/2.
    let good = fit(&text, open(5), 2, &NGramOptions::new(Smoothing::GoodTuring { threshold: 2 }));
    assert_eq!(good.discounting()[1].from, DiscountsFrom::Formula);
    for (found, expected) in good.discounting()[1].discounts.iter().zip([2.0 / 3.0, 1.0, 0.0]) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}

/// The evidence of a chain as the product of its predictions, one symbol after the other.
#[test]
fn evidence_is_the_product_of_predictions() {
    let text: Vec<Vec<usize>> = vec![vec![0, 1, 1, 0, 2, 1, 0, 1], vec![2, 0], vec![]];
    for vocabulary in [open(3), NgramVocabulary::new(3).unwrap()] {
        let counts = NGramCounts::of(&text, vocabulary, 3).unwrap();
        for order in 1..=3 {
            for alpha in [0.01, 1.0, 30.0] {
                let found = counts.ln_evidence(order, alpha).unwrap();
                let expected = twin::ln_evidence(&text, vocabulary, order, alpha);
                assert!((found - expected).abs() < 1e-11, "{order} {alpha}: {found} {expected}");
            }
        }
        assert!(counts.ln_evidence(4, 1.0).is_err() && counts.ln_evidence(1, 0.0).is_err());
    }
    // ERR-72: twice the same of two symbols has the evidence 1/3, not 1/4.
    let twice = NGramCounts::of(&[[0, 0]], open(2), 1).unwrap();
    assert!((twice.ln_evidence(1, 1.0).unwrap() - (1.0_f64 / 3.0).ln()).abs() < 1e-15);
}

/// Weights from held-out text: EM climbs, and no other weights on a grid do better.
#[test]
fn held_out_weights_are_the_best() {
    let counted = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2, 0, 1, 1, 0, 2, 0, 1]];
    let held_out = vec![vec![0, 1, 0, 2, 2, 1, 0, 1, 3]];
    let counts = NGramCounts::of(&counted, open(4), 2).unwrap();
    let options = EmOptions { tolerance: 1e-14, max_iterations: 20_000, ..EmOptions::default() };
    let fitted =
        held_out_weights(&counts, &held_out, Unigrams::TowardsUniform, &options, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    // ln p(held-out) and the logarithm of the prior Beta(2, 2) of each weight, up to a constant.
    let score = |weights: Vec<Vec<f64>>| {
        let ln_prior: f64 = weights.iter().flatten().map(|weight| (weight * (1.0 - weight)).ln()).sum();
        let options = NGramOptions::new(Smoothing::Interpolation { weights });
        ln_prior + NGramModel::fit(&counts, &options).unwrap().score(&held_out).unwrap().ln_probability()
    };
    let best = score(fitted.model.clone());
    let claimed = fitted.report.trace.last().unwrap();
    assert!((best - claimed).abs() < 1e-10, "{best} {claimed}");
    let mut better = Vec::new();
    for order in 0..2 {
        for bucket in 0..fitted.model[order].len() {
            for weight in (0..=100).map(|i| f64::from(i) / 100.0) {
                let mut weights = fitted.model.clone();
                weights[order][bucket] = weight;
                // EM stops where a step gains less than 10^-14 of the objective; the rest of the way is of
                // the order 10^-7 at most.
                if score(weights) > best + 1e-6 {
                    better.push((order, bucket, weight));
                }
            }
        }
    }
    assert!(better.is_empty(), "{better:?} beat {:?}", fitted.model);
    // A symbol never counted is impossible with plain unigrams, and is reported.
    let error = held_out_weights(&counts, &held_out, Unigrams::Plain, &options, &mut Silent).unwrap_err();
    assert_eq!(error.to_string(), "sequence 0, position 8: symbol 3 was never counted");
    assert!(held_out_weights::<Vec<usize>>(&counts, &[], Unigrams::Plain, &options, &mut Silent).is_err());
}

/// Where all that was held out was seen, the likelihood alone would take every weight of pairs to 1, and
/// other pairs would be impossible.
#[test]
fn held_out_weights_leave_something_for_other_texts() {
    let sequence: Vec<usize> = (0..64).map(|i| i % 2).collect();
    let counts = NGramCounts::of(&[&sequence], open(3), 2).unwrap();
    let options = EmOptions { tolerance: 1e-14, max_iterations: 20_000, ..EmOptions::default() };
    for unigrams in [Unigrams::TowardsUniform, Unigrams::Plain] {
        let weights = held_out_weights(&counts, &[&sequence], unigrams, &options, &mut Silent).unwrap().model;
        let pairs = &weights[1];
        // After a 0 (32 times) and after a 1 (31 times) a pair has the proportion 1 and a single symbol about
        // a half: taken t of n times, λ = (t + 1)/(n + 2) with t/n between 1/2 and 1 solves λ/(1 - λ) = (t +
        // 1)/(n - t + 1), and comes near to 1 but not there.
        assert!(pairs[1..].iter().all(|&weight| (0.5..0.99).contains(&weight)), "{weights:?}");
        assert!(pairs[4] > 0.9 || pairs[5] > 0.9, "{weights:?}");
        assert_eq!(weights[0].iter().all(|&weight| weight == 1.0), unigrams == Unigrams::Plain);
        let mut options = NGramOptions::new(Smoothing::Interpolation { weights });
        options.unigrams = unigrams;
        let model = NGramModel::fit(&counts, &options).unwrap();
        assert!(model.score(&[[0, 0, 1, 1]]).unwrap().perplexity().is_finite());
        assert!(model.score(&[[0, 1, 0, 1]]).unwrap().perplexity() < 1.5);
    }
}

/// Drawn texts have the model's bigrams. The rate of false alarms is 10⁻⁴.
#[test]
fn draws_follow_the_model() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2], vec![2, 1]];
    let vocabulary = NgramVocabulary::new(3).unwrap();
    let model = fit(&text, vocabulary, 2, &NGramOptions::new(Smoothing::WittenBell));
    let mut rng = posterior_dist::stream::stream(7, &[]);
    let mut observed = [[0_u64; 4]; 4];
    for _ in 0..5000 {
        let mut before = 3;
        for next in model.sample(usize::MAX, &mut rng).into_iter().chain([3]) {
            observed[before][next] += 1;
            before = next;
        }
    }
    for (before, row) in observed.iter().enumerate() {
        let context = if before == 3 { vocabulary.begin().unwrap() } else { before };
        let mut distribution = vec![0.0; 4];
        model.predict(model.after(&[context]).unwrap(), &mut distribution);
        let expected: Vec<f64> = distribution.iter().map(|p| p * row.iter().sum::<u64>() as f64).collect();
        let p_value = posterior_testkit::significance::chi_square_p_value(row, &expected);
        assert!(p_value > 2.5e-5, "after {before}: {row:?} against {distribution:?}, p = {p_value}");
    }
    assert_eq!(model.sample(3, &mut rng).len().max(3), 3);
    // What comes after the beginning is a text.
    let again = || posterior_dist::stream::stream(8, &[]);
    let after = model.continuation(model.begin(), usize::MAX, &mut again());
    assert_eq!(after, model.sample(usize::MAX, &mut again()));
}

#[test]
fn the_most_probable_come_first() {
    let model =
        fit(&[vec![0, 1, 0, 1, 0, 2, 0, 1, 2]], open(3), 2, &NGramOptions::new(Smoothing::MaximumLikelihood));
    assert_eq!(model.top(&[0], 2).unwrap(), [(1, 0.75), (2, 0.25)]);
    // Equals by number; more than there are is all.
    assert_eq!(model.top(&[2], 5).unwrap(), [(0, 1.0), (1, 0.0), (2, 0.0)]);
}

#[test]
fn scores_of_stupid_backoff() {
    let text = vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2]];
    let counts = NGramCounts::of(&text, open(4), 3).unwrap();
    let scores = StupidBackoff::new(&counts, 0.4).unwrap();
    let close = |context: &[usize], symbol, expected: f64| {
        assert!((scores.score(context, symbol).unwrap() - expected).abs() < 1e-15);
    };
    close(&[0, 1], 0, 2.0 / 3.0);
    close(&[2, 1], 0, 0.4 * 2.0 / 3.0);
    close(&[0, 1], 1, 0.16 * 3.0 / 9.0);
    close(&[1, 0, 1], 0, 2.0 / 3.0);
    close(&[], 0, 4.0 / 9.0);
    close(&[0, 1], 3, 0.0);
    assert!(scores.score(&[0], 4).is_err() && StupidBackoff::new(&counts, 1.0).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(NgramVocabulary::new(0).is_err() && NgramVocabulary::new(3).unwrap().with_unknown(3).is_err());
    assert!(NGramCounts::of(&[[0]], open(1), 0).is_err() && NGramCounts::of(&[[0]], open(1), 256).is_err());
    let error = NGramCounts::of(&[vec![0], vec![0, 2]], open(2), 2).unwrap_err().to_string();
    assert_eq!(error, "sequence 1, position 1: symbol 2 of 2");
    let counts = NGramCounts::of(&[[0, 1, 0]], open(2), 2).unwrap();
    let bad = [
        Smoothing::AddK { k: 0.0 },
        Smoothing::Dirichlet { concentration: f64::NAN },
        Smoothing::GoodTuring { threshold: 0 },
        Smoothing::KneserNey { discount: Some(1.0) },
        Smoothing::Interpolation { weights: vec![vec![0.5]] },
        Smoothing::Interpolation { weights: vec![vec![0.5], vec![]] },
        Smoothing::Interpolation { weights: vec![vec![0.5], vec![1.5]] },
    ];
    for smoothing in bad {
        assert!(NGramModel::fit(&counts, &NGramOptions::new(smoothing.clone())).is_err(), "{smoothing:?}");
    }
    // Order 255, of a text that is shorter.
    let long = NGramCounts::of(&[[0, 1, 0]], open(2), 255).unwrap();
    let model = NGramModel::fit(&long, &NGramOptions::default()).unwrap();
    assert_eq!((model.distinct(3), model.distinct(4)), (1, 0));
    assert!(model.score(&[[0, 1, 0, 0, 1]]).unwrap().perplexity().is_finite());
}

/// Letters of English, by a slow transcription of the formulas in Python (dictionaries of strings): modified
/// Kneser-Ney of order 5 from 606,186 characters has the perplexity 3.6144784172613003 on the next 67,363.
#[test]
fn modified_kneser_ney_on_english_letters() {
    let file = "data/sequence/english_lm.txt";
    let Some(path) = posterior_testkit::shared::shared_file("modified_kneser_ney_on_english_letters", file)
    else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let mut alphabet = Alphabet::new();
    let symbols = alphabet.intern(characters(text.trim()));
    let (known, held_out) = symbols.split_at(606_186);
    let counts = NGramCounts::of(&[known], open(27), 5).unwrap();
    let model = NGramModel::fit(&counts, &NGramOptions::default()).unwrap();
    let perplexity = model.score(&[held_out]).unwrap().perplexity();
    assert!((perplexity / 3.614_478_417_261_300_3 - 1.0).abs() < 1e-12, "{perplexity}");
    // Weights learned from the last tenth of what is known, of order 8: nothing of the rest is impossible.
    let (counted, tuning) = known.split_at(known.len() / 10 * 9);
    let part = NGramCounts::of(&[counted], open(27), 8).unwrap();
    let em = EmOptions::default();
    let weights = held_out_weights(&part, &[tuning], Unigrams::TowardsUniform, &em, &mut Silent).unwrap();
    assert!(weights.report.falls.is_empty());
    let options = NGramOptions::new(Smoothing::Interpolation { weights: weights.model });
    let interpolated = NGramModel::fit(&NGramCounts::of(&[known], open(27), 8).unwrap(), &options).unwrap();
    let perplexity = interpolated.score(&[held_out]).unwrap().perplexity();
    println!("interpolation, n = 8: {perplexity}");
    assert!((3.0..4.0).contains(&perplexity), "{perplexity}");
    let discounts = &model.discounting()[4].discounts;
    for (found, expected) in
        discounts.iter().zip([0.530_967_695_309_676_9, 1.017_750_670_279_199_2, 1.511_910_627_038_146_8])
    {
        assert!((found - expected).abs() < 1e-14);
    }
}
