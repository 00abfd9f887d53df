//! The hierarchical Pitman-Yor model: Kneser-Ney as its limit, all seatings of small data, properties.

mod enumeration;

use std::ops::ControlFlow;

use enumeration::Bigrams;
use posterior_dist::stream::stream;
use posterior_dist::{PitmanYor, PitmanYorPrior};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_text::ngram::{
    Boundaries, LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary, Smoothing,
};
use posterior_text::pitman_yor::{LevelParameters, PitmanYorModel, PitmanYorOptions, Seating, fit};

fn open(symbols: usize) -> NgramVocabulary {
    NgramVocabulary::new(symbols).unwrap().with_boundaries(Boundaries::Open)
}

fn sentences() -> Vec<Vec<usize>> {
    vec![vec![0, 1, 0, 1, 0, 2, 0, 1, 2], vec![2, 1, 0, 1], vec![], vec![2, 2, 1, 1, 0, 1, 0]]
}

fn distributions_differ_by(a: &impl LanguageModel, b: &impl LanguageModel, contexts: &[Vec<usize>]) -> f64 {
    let outcomes = a.vocabulary().outcomes();
    let (mut p, mut q) = (vec![0.0; outcomes], vec![0.0; outcomes]);
    let mut largest: f64 = 0.0;
    for context in contexts {
        a.predict(a.after(context).unwrap(), &mut p);
        b.predict(b.after(context).unwrap(), &mut q);
        largest = p.iter().zip(&q).map(|(p, q)| (p - q).abs()).fold(largest, f64::max);
    }
    largest
}

/// Every context of two symbols, known or not.
fn contexts(vocabulary: NgramVocabulary) -> Vec<Vec<usize>> {
    let before: Vec<usize> = (0..vocabulary.symbols()).chain(vocabulary.begin()).collect();
    let pairs = before.iter().flat_map(|&a| (0..vocabulary.symbols()).map(move |b| vec![a, b]));
    pairs.chain(before.iter().map(|&a| vec![a])).chain([vec![]]).collect()
}

/// One table for each dish and no concentration: interpolated Kneser-Ney, to rounding.
#[test]
fn kneser_and_ney_is_the_limit_of_one_table_each() {
    let vocabulary = NgramVocabulary::new(4).unwrap();
    for order in 1..=4 {
        let counts = NGramCounts::of(&sentences(), vocabulary, order).unwrap();
        let levels = vec![PitmanYor::new(0.7, 0.0).unwrap(); order];
        let seating = Seating::one_table_each(&counts, &levels).unwrap();
        let options = NGramOptions::new(Smoothing::KneserNey { discount: Some(0.7) });
        let kneser_ney = NGramModel::fit(&counts, &options).unwrap();
        let largest =
            distributions_differ_by(&PitmanYorModel::of(&seating), &kneser_ney, &contexts(vocabulary));
        assert!(largest < 1e-15, "order {order}: {largest}");
    }
}

/// Averages over seatings are the exact predictions, by all numbers of tables of a small text, with discount
/// and (hierarchical Dirichlet) without.
///
/// 40,000 sweeps; the draws of a sweep are nearly independent, so that the error's standard deviation is
/// below 0.001.
#[test]
fn predictions_are_exact_on_small_data() {
    let text = vec![vec![0, 1, 0, 0, 1, 0, 2]];
    for (boundaries, levels) in [
        (Boundaries::Open, [PitmanYor::new(0.4, 1.5).unwrap(), PitmanYor::new(0.7, 0.6).unwrap()]),
        (Boundaries::Marked, [PitmanYor::new(0.4, 1.5).unwrap(), PitmanYor::new(0.7, 0.6).unwrap()]),
        (Boundaries::Open, [PitmanYor::new(0.0, 1.5).unwrap(), PitmanYor::new(0.0, 0.8).unwrap()]),
    ] {
        let vocabulary = NgramVocabulary::new(3).unwrap().with_boundaries(boundaries);
        let exact = Bigrams::of(&text[0], vocabulary, levels);
        let counts = NGramCounts::of(&text, vocabulary, 2).unwrap();
        let mut rng = stream(3, &[]);
        let mut seating = Seating::drawn(&counts, &levels, &mut rng).unwrap();
        let outcomes = vocabulary.outcomes();
        let mut sums = vec![vec![0.0; outcomes]; 3];
        let sweeps = 40_000;
        let mut distribution = vec![0.0; outcomes];
        for _ in 0..sweeps {
            seating.sweep(&mut rng);
            let model = PitmanYorModel::of(&seating);
            for (context, sums) in sums.iter_mut().enumerate() {
                model.predict(model.after(&[context]).unwrap(), &mut distribution);
                for (sum, distribution) in sums.iter_mut().zip(&distribution) {
                    *sum += distribution / f64::from(sweeps);
                }
            }
        }
        for (context, average) in sums.iter().enumerate() {
            for (symbol, &average) in average.iter().enumerate() {
                let exact = exact.predictive(context, symbol);
                assert!(
                    (average - exact).abs() < 0.004,
                    "{boundaries:?} {levels:?}, p({symbol} | {context}): {average}, exactly {exact}"
                );
            }
        }
    }
}

/// Discounts and concentrations of one restaurant against their posterior on a grid, with all numbers of
/// tables summed over.
///
/// Means over 60,000 draws; their autocorrelation leaves standard errors of about 0.003.
#[test]
fn parameters_follow_their_posterior() {
    let text = vec![vec![0, 0, 0, 1, 0, 0, 1, 2]];
    let counts = NGramCounts::of(&text, open(6), 1).unwrap();
    let prior = PitmanYorPrior { discount: [2.0, 1.5], concentration: [1.5, 1.2] };
    let (discount, concentration) = enumeration::posterior_means(&[5, 2, 1], 6, &prior);
    let mut rng = stream(5, &[]);
    let mut seating = Seating::drawn(&counts, &[PitmanYorOptions::default().start], &mut rng).unwrap();
    let draws = 60_000;
    let mut means = (0.0, 0.0);
    for _ in 0..draws {
        seating.sweep(&mut rng);
        seating.draw_parameters(&prior, &mut rng).unwrap();
        means.0 += seating.levels()[0].discount() / f64::from(draws);
        means.1 += seating.levels()[0].concentration() / f64::from(draws);
    }
    assert!((means.0 - discount).abs() < 0.01, "d: {} exactly {discount}", means.0);
    assert!((means.1 - concentration).abs() < 0.02, "θ: {} exactly {concentration}", means.1);
}

/// Customers and tables stay consistent however often they move.
#[test]
fn tables_are_the_customers_of_shorter_contexts() {
    let vocabulary = NgramVocabulary::new(3).unwrap();
    let counts = NGramCounts::of(&sentences(), vocabulary, 3).unwrap();
    let mut rng = stream(9, &[]);
    let mut seating = Seating::drawn(&counts, &[PitmanYorOptions::default().start; 3], &mut rng).unwrap();
    for _ in 0..50 {
        seating.sweep(&mut rng);
        seating.draw_parameters(&PitmanYorOptions::default().prior, &mut rng).unwrap();
        assert!(seating.ln_probability().is_finite());
    }
    let customers = |ngram: &[usize]| u64::from(seating.tables(ngram).iter().sum::<u32>());
    for length in 1..=3 {
        for (ngram, count) in counts.iter(length) {
            let begun = Some(ngram[0]) == vocabulary.begin();
            let longer = (0..=vocabulary.begin().unwrap()).map(|before| [&[before], &ngram[..]].concat());
            let expected = match length {
                1 if begun => 0,
                _ if length == 3 || begun => count,
                _ => longer.map(|longer| seating.tables(&longer).len() as u64).sum(),
            };
            assert_eq!(customers(&ngram), expected, "{ngram:?}");
            assert!(seating.tables(&ngram).iter().all(|&size| size > 0));
        }
    }
}

/// More sweeps than can be counted are as many as can be counted.
#[test]
fn a_run_without_an_end_can_be_stopped() {
    let counts = NGramCounts::of(&sentences(), NgramVocabulary::new(3).unwrap(), 2).unwrap();
    let options =
        PitmanYorOptions { warm_up: 2, draws: usize::MAX, thin: usize::MAX, ..PitmanYorOptions::default() };
    let mut third = |step: &Step| {
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = fit(&counts, &options, &mut stream(4, &[]), &mut third).unwrap();
    assert_eq!((stopped.model.draws(), stopped.report.stop), (1, Stop::Observer));
}

/// ln p of a restaurant alone is that of its partition, and of the tables' dishes.
#[test]
fn the_probability_of_a_seating_is_that_of_its_partition() {
    let counts = NGramCounts::of(&[[0, 1, 0, 0, 2, 0, 1, 0, 0]], open(4), 1).unwrap();
    let mut rng = stream(2, &[]);
    for (discount, concentration) in [(0.5, 1.0), (0.9, 0.0), (0.0, 3.0)] {
        let seating =
            Seating::drawn(&counts, &[PitmanYor::new(discount, concentration).unwrap()], &mut rng).unwrap();
        let tables: Vec<u64> =
            (0..4).flat_map(|dish| seating.tables(&[dish])).map(|&size| u64::from(size)).collect();
        // θ = 0 is the limit: where the first customer sits is no choice.
        let process = PitmanYor::new(discount, concentration.max(1e-300)).unwrap();
        let expected = process.ln_partition(&tables) + tables.len() as f64 * 0.25_f64.ln();
        assert!((seating.ln_probability() - expected).abs() < 1e-11);
    }
}

#[test]
fn averages_are_distributions_and_draws_repeat() {
    let vocabulary = NgramVocabulary::new(4).unwrap();
    let counts = NGramCounts::of(&sentences(), vocabulary, 3).unwrap();
    let options = PitmanYorOptions { warm_up: 4, draws: 3, thin: 2, ..PitmanYorOptions::default() };
    let fitted = fit(&counts, &options, &mut stream(4, &[]), &mut Silent).unwrap();
    assert_eq!((fitted.model.draws(), fitted.report.trace.len()), (3, 11));
    let mut distribution = [0.0; 5];
    for context in contexts(vocabulary) {
        let state = fitted.model.after(&context).unwrap();
        fitted.model.predict(state, &mut distribution);
        assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (symbol, &probability) in distribution.iter().enumerate() {
            assert!((fitted.model.step(state, symbol).0 - probability).abs() < 1e-15);
            assert!(probability > 0.0);
        }
    }
    let again = fit(&counts, &options, &mut stream(4, &[]), &mut Silent).unwrap();
    assert_eq!(fitted.model, again.model);
    let fixed = PitmanYorOptions { parameters: LevelParameters::Fixed, ..options.clone() };
    let fixed = fit(&counts, &fixed, &mut stream(4, &[]), &mut Silent).unwrap();
    assert!(fixed.model.levels().iter().flatten().all(|level| *level == PitmanYorOptions::default().start));
    // Stopped at once, it still predicts.
    let mut stop = |_: &Step| ControlFlow::Break(());
    let stopped = fit(&counts, &options, &mut stream(4, &[]), &mut stop).unwrap();
    assert_eq!((stopped.model.draws(), stopped.report.stop), (1, Stop::Observer));
}

#[test]
fn without_data_everything_is_uniform() {
    let counts = NGramCounts::of::<Vec<usize>>(&[], open(5), 2).unwrap();
    let options = PitmanYorOptions { warm_up: 1, draws: 1, ..PitmanYorOptions::default() };
    let model = fit(&counts, &options, &mut stream(0, &[]), &mut Silent).unwrap().model;
    assert!((model.ln_probability(&[1], 2).unwrap().exp() - 0.2).abs() < 1e-15);
    let refused = |options: PitmanYorOptions| {
        fit(&counts, &options, &mut stream(0, &[]), &mut Silent).unwrap_err().to_string()
    };
    let message = refused(PitmanYorOptions { draws: 0, ..options.clone() });
    assert!(message.contains("draws") && message.contains("at least 1"), "{message}");
    let message = refused(PitmanYorOptions { thin: 0, ..options });
    assert!(message.contains("thin") && message.contains("at least 1"), "{message}");
    assert!(
        PitmanYor::new(1.0, 1.0).is_err()
            && PitmanYor::new(0.0, 0.0).is_err()
            && PitmanYor::new(0.5, f64::NAN).is_err()
    );
    assert!(Seating::one_table_each(&counts, &[PitmanYorOptions::default().start]).is_err());
    let prior = PitmanYorPrior { concentration: [0.0, 1.0], ..options.prior };
    let options = PitmanYorOptions { prior, ..PitmanYorOptions::default() };
    assert!(fit(&counts, &options, &mut stream(0, &[]), &mut Silent).is_err());
}
