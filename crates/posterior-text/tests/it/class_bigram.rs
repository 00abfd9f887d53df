//! Classes of symbols: all partitions of small vocabularies, optima of single moves, properties.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Silent, Stop};
use posterior_text::class_bigram::{ClassBigramOptions, best_of_starts, fit, frequency_start};
use posterior_text::ngram::{
    Boundaries, LanguageModel, Mixed, NGramCounts, NGramModel, NGramOptions, NgramVocabulary,
};
use proptest::prelude::*;
use rand::RngExt;

/// A symbol or mark, and the next one.
type Pair = (usize, usize);

/// ln p of all bigrams by the definition: relative frequencies of class pairs and of members.
fn ln_likelihood(text: &[Vec<usize>], vocabulary: NgramVocabulary, class: &[usize]) -> f64 {
    let begin = vocabulary.begin();
    let pairs: Vec<Pair> = text
        .iter()
        .flat_map(|sequence| {
            let marked: Vec<usize> =
                begin.into_iter().chain(sequence.iter().copied()).chain(vocabulary.end()).collect();
            marked.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>()
        })
        .collect();
    let of = |symbol: usize| class.get(symbol).copied().unwrap_or(usize::MAX);
    let number = |which: &dyn Fn(Pair) -> bool| pairs.iter().filter(|&&pair| which(pair)).count() as f64;
    let ln = |&(v, w): &Pair| {
        let both = number(&|p| of(p.0) == of(v) && of(p.1) == of(w));
        let class_after = both / number(&|p| of(p.0) == of(v));
        let member = number(&|p| p.1 == w) / number(&|p| of(p.1) == of(w));
        (class_after * member).ln()
    };
    pairs.iter().map(ln).sum()
}

/// All assignments of `symbols` symbols to `classes` classes.
fn assignments(symbols: usize, classes: usize) -> Vec<Vec<usize>> {
    let digits =
        |mut number: usize| (0..symbols).map(|_| (number % classes, number /= classes).0).collect::<Vec<_>>();
    (0..classes.pow(symbols as u32)).map(digits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// The objective is ln p, never falls, ends where no single move raises it; the best of many starts is
    /// the best of all partitions.
    #[test]
    fn exchange_ends_at_an_optimum(
        text in proptest::collection::vec(proptest::collection::vec(0_usize..5, 1..14), 1..4),
        marked in any::<bool>(),
    ) {
        let mut vocabulary = NgramVocabulary::new(5).unwrap();
        if !marked {
            vocabulary = vocabulary.with_boundaries(Boundaries::Open);
        }
        let counts = NGramCounts::of(&text, vocabulary, 2).unwrap();
        let options = ClassBigramOptions::new(2);
        for start in [frequency_start(&counts, 2), vec![0, 1, 0, 1, 0]] {
            let fitted = fit(&counts, &start, &options, &mut Silent).unwrap();
            let class: Vec<usize> = (0..5).map(|symbol| fitted.model.class(symbol).unwrap()).collect();
            let reached = ln_likelihood(&text, vocabulary, &class);
            prop_assert!((reached - fitted.report.trace.last().unwrap()).abs() < 1e-9);
            prop_assert!((fitted.report.trace[0] - ln_likelihood(&text, vocabulary, &start)).abs() < 1e-9);
            prop_assert!(fitted.report.trace.is_sorted_by(|a, b| *b >= *a - 1e-9));
            prop_assert_eq!(fitted.report.stop, Stop::Converged);
            for symbol in 0..5 {
                let mut other = class.clone();
                other[symbol] = 1 - other[symbol];
                prop_assert!(ln_likelihood(&text, vocabulary, &other) <= reached + 1e-9);
            }
        }
        let best = best_of_starts(&counts, &options, 60, 5, &mut Silent).unwrap();
        let all = assignments(5, 2);
        let highest = all.iter().map(|class| ln_likelihood(&text, vocabulary, class)).fold(f64::MIN, f64::max);
        prop_assert!((best.report.trace.last().unwrap() - highest).abs() < 1e-9);
    }
}

/// Words drawn from three classes that follow each other in a ring are sorted into them, and classes predict
/// better than words.
#[test]
fn classes_are_recovered_and_help() {
    let (symbols, classes) = (60, 3);
    let mut rng = stream(8, &[]);
    let mut draw = |length: usize| {
        let mut class = 0;
        let mut sequence = Vec::new();
        for _ in 0..length {
            class =
                if rng.random::<f64>() < 0.9 { (class + 1) % classes } else { rng.random_range(0..classes) };
            sequence.push(class + classes * rng.random_range(0..symbols / classes));
        }
        sequence
    };
    let (text, held_out) = (vec![draw(3000)], vec![draw(3000)]);
    let vocabulary = NgramVocabulary::new(symbols).unwrap().with_boundaries(Boundaries::Open);
    let counts = NGramCounts::of(&text, vocabulary, 2).unwrap();
    let fitted = best_of_starts(&counts, &ClassBigramOptions::new(classes), 5, 1, &mut Silent).unwrap();
    let class = |symbol: usize| fitted.model.class(symbol);
    assert!((0..symbols).all(|symbol| class(symbol) == class(symbol % classes)));
    assert!(class(0) != class(1) && class(1) != class(2) && class(0) != class(2));
    assert_eq!(fitted.model.members(class(0).unwrap()).len(), 20);

    let words = NGramModel::fit(&counts, &NGramOptions::default()).unwrap();
    let of_words = words.score(&held_out).unwrap().perplexity();
    let of_classes = fitted.model.score(&held_out).unwrap().perplexity();
    assert!(of_classes < 0.9 * of_words, "{of_classes} {of_words}");
    // The mixture is never worse than either on the text that chose its weight.
    let mixed = Mixed::best_for(fitted.model.clone(), words, &held_out).unwrap();
    let of_mixture = mixed.score(&held_out).unwrap().perplexity();
    assert!(of_mixture <= of_classes * (1.0 + 1e-12), "{of_mixture} {of_classes}");
    assert!(mixed.weight() > 0.5);
}

#[test]
fn distributions_sum_to_one() {
    let text = vec![vec![0, 1, 2, 0], vec![3, 1], vec![]];
    for vocabulary in
        [NgramVocabulary::new(6).unwrap(), NgramVocabulary::new(6).unwrap().with_boundaries(Boundaries::Open)]
    {
        let counts = NGramCounts::of(&text, vocabulary, 3).unwrap();
        for classes in 1..=6 {
            let start = frequency_start(&counts, classes);
            let model = fit(&counts, &start, &ClassBigramOptions::new(classes), &mut Silent).unwrap().model;
            let words = NGramModel::fit(&counts, &NGramOptions::default()).unwrap();
            let mixed = Mixed::new(model.clone(), words, 0.3).unwrap();
            let mut distribution = vec![0.0; vocabulary.outcomes()];
            let contexts = (0..6).chain(vocabulary.begin()).map(|before| vec![before]).chain([vec![]]);
            for context in contexts {
                model.predict(model.after(&context).unwrap(), &mut distribution);
                assert!(
                    (distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12,
                    "{classes} {context:?} {distribution:?}"
                );
                for (symbol, &probability) in distribution.iter().enumerate() {
                    let stepped = model.ln_probability(&context, symbol).unwrap().exp();
                    assert!((stepped - probability).abs() < 1e-15);
                }
                mixed.predict(mixed.after(&context).unwrap(), &mut distribution);
                assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let vocabulary = NgramVocabulary::new(3).unwrap();
    let counts = NGramCounts::of(&[[0, 1, 2]], vocabulary, 2).unwrap();
    let singles = NGramCounts::of(&[[0, 1, 2]], vocabulary, 1).unwrap();
    let options = ClassBigramOptions::new(2);
    assert!(fit(&singles, &[0, 0, 1], &options, &mut Silent).is_err());
    assert!(fit(&counts, &[0, 0], &options, &mut Silent).is_err());
    let error = fit(&counts, &[0, 2, 0], &options, &mut Silent).unwrap_err().to_string();
    assert_eq!(error, "ClassBigram: start[1] = 2 must be one of the classes");
    for classes in [0, 4] {
        assert!(best_of_starts(&counts, &ClassBigramOptions::new(classes), 1, 0, &mut Silent).is_err());
    }
    assert!(
        fit(&counts, &[0, 0, 1], &ClassBigramOptions { pseudo_count: 0.0, ..options }, &mut Silent).is_err()
    );
    // Nothing counted: every class is as good, and the distribution is uniform over what there is.
    let nothing = NGramCounts::of::<Vec<usize>>(&[], vocabulary, 2).unwrap();
    let model = fit(&nothing, &[0, 0, 1], &ClassBigramOptions::new(2), &mut Silent).unwrap().model;
    assert!((model.ln_probability(&[], 2).unwrap().exp() - 1.0 / 3.0).abs() < 1e-15);
}
