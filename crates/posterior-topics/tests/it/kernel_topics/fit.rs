//! Fits: bounds, years that are held out, documents drawn from the model.

use std::ops::ControlFlow;

use posterior_datasets::sotu;
use posterior_math::check::DimensionError;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_topics::kernel_topics::{
    BandOptions, ConcentrationUpdate, Covariates, Curves, KernelTopics, KernelTopicsOptions, Sharing,
    TimeKernel, fit,
};
use posterior_topics::{Corpus, Error, TopicModel, lda};

use super::simulated::{LENGTH, simulate};

/// A fifth of the words of the addresses; years and presidents.
fn addresses() -> (Corpus, Vec<f64>, Vec<String>) {
    let sotu = sotu::load();
    let names = sotu.addresses.iter().map(|address| address.name.clone()).collect();
    let years = sotu.addresses.iter().map(|address| f64::from(address.year)).collect();
    let presidents = sotu.addresses.iter().map(|address| address.president.clone()).collect();
    let rows = sotu
        .addresses
        .into_iter()
        .map(|address| address.counts.into_iter().filter(|(word, _)| word % 5 == 0).collect());
    (Corpus::from_rows(sotu.vocabulary, names, rows.collect()).unwrap(), years, presidents)
}

fn select<T: Clone>(items: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| items[place].clone()).collect()
}

/// The score of held-out addresses by their year alone, and the one of the same topics in the proportions of
/// all years, per word.
fn held_out_years(update: ConcentrationUpdate) -> (f64, f64, KernelTopics) {
    let (corpus, years, _) = addresses();
    // Whole years: two addresses of one year are on the same side.
    let (test, train): (Vec<usize>, Vec<usize>) = (0..years.len()).partition(|&d| years[d] as u32 % 5 == 3);
    let covariates = Covariates::new(&select(&years, &train)).unwrap();
    let options = KernelTopicsOptions {
        topics: 8,
        update,
        start_sweeps: 60,
        max_iterations: 8,
        ..KernelTopicsOptions::default()
    };
    let options = KernelTopicsOptions { sharing: Sharing::Shared, ..options };
    let fitted = fit(&corpus.select(&train).unwrap(), &covariates, &options, &mut Silent).unwrap();
    if update == ConcentrationUpdate::Gradient {
        assert!(fitted.report.search.falls.is_empty());
        assert!(fitted.report.bounds.windows(2).all(|pair| pair[1].penalized() > pair[0].penalized()));
    }
    let model = fitted.model;
    let nothing = corpus.document(0);
    let nothing =
        posterior_topics::corpus::Document { words: &nothing.words[..0], counts: &nothing.counts[..0] };
    let constant = model.proportions(nothing);
    let (mut with, mut without, mut tokens) = (0.0, 0.0, 0.0);
    for &d in &test {
        let document = corpus.document(d);
        let place = covariates.place::<&str>(years[d], &[]).unwrap();
        with += model.ln_predictive_at(nothing, document, &place).unwrap();
        without += model.topics().ln_likelihood(document, &constant);
        tokens += document.tokens() as f64;
    }
    (with / tokens, without / tokens, model)
}

#[test]
fn years_predict_their_words() {
    for update in [ConcentrationUpdate::Gradient, ConcentrationUpdate::LaplaceBridge] {
        let (with, without, model) = held_out_years(update);
        // 0.23 and 0.10 per word.
        assert!(with > without + 0.07, "{update:?}: {with} {without}");
        let grid = [1800.0, 1862.0, 1943.0, 1975.0, 2060.0];
        let bands = model.bands(&grid, &BandOptions { draws: 500, ..BandOptions::default() }).unwrap();
        for k in 0..8 {
            // The future is wide.
            let width = |t: usize| (bands.upper[(t, k)] / bands.lower[(t, k)]).ln();
            assert!(width(4) > width(2));
        }
    }
}

/// Topics that nothing mixes up: each has words of its own.
fn corpus_of(proportions: &DMatrix<f64>) -> Corpus {
    let topics = proportions.ncols();
    let vocabulary = (0..2 * topics).map(|w| format!("word {w}")).collect();
    let names = (0..proportions.nrows()).map(|d| format!("document {d}")).collect();
    let rows = proportions.row_iter().map(|row| {
        let counts = row.iter().enumerate().flat_map(|(k, proportion)| {
            let count = (proportion * LENGTH as f64).round() as u32;
            [(2 * k as u32, count.div_ceil(2)), (2 * k as u32 + 1, count / 2)]
        });
        counts.collect()
    });
    Corpus::from_rows(vocabulary, names, rows.collect()).unwrap()
}

#[test]
fn length_scales_come_back() {
    for length_scale in [8.0, 25.0] {
        let simulated = simulate(150, 4, length_scale, 0.3, 3);
        let covariates = Covariates::new(&simulated.times).unwrap();
        let lengths = [LENGTH; 150];
        let curves =
            Curves::learn(&simulated.doc_topic, &lengths, &covariates, TimeKernel::Matern32, Sharing::Shared);
        let curves = curves.unwrap();
        let scales = &curves.scales()[0];
        // Four curves of 100 time units: the scale is known to some 30 %. What curves have in common, a
        // quarter of them, is no part of proportions: variances are three quarters of those that were drawn,
        // 1 and 0.09.
        assert!((0.5..2.0).contains(&(scales.length_scale / length_scale)), "{scales:?}");
        assert!((0.055..0.085).contains(&scales.noise_variance), "{scales:?}");
        assert!((0.3..1.6).contains(&scales.time_variance), "{scales:?}");
    }
}

/// Two speakers by turns; the second has three times the odds of the first topic.
fn two_speakers(swing: f64) -> (DMatrix<f64>, Covariates) {
    let labels: Vec<&str> = (0..60).map(|d| if d % 2 == 0 { "calm" } else { "loud" }).collect();
    let times: Vec<f64> = (0..60).map(f64::from).collect();
    let proportions = DMatrix::from_fn(60, 2, |d, k| {
        let odds = (swing * (times[d] / 12.0).sin()).exp() * if d % 2 == 0 { 0.5 } else { 1.5 };
        if k == 0 { odds / (1.0 + odds) } else { 1.0 / (1.0 + odds) }
    });
    (proportions, Covariates::new(&times).unwrap().with_labels("speaker", &labels).unwrap())
}

#[test]
fn labels_have_offsets() {
    let (proportions, covariates) = two_speakers(0.8);
    let curves =
        Curves::learn(&proportions, &[LENGTH; 60], &covariates, TimeKernel::Matern52, Sharing::PerTopic)
            .unwrap();
    let effects = curves.effects(&covariates, 0).unwrap();
    for (topic, sign) in effects.iter().zip([1.0, -1.0]) {
        assert_eq!((topic[0].label.as_str(), topic[1].label.as_str()), ("calm", "loud"));
        // With two topics, eta is half of the log odds.
        let difference = sign * (topic[1].mean - topic[0].mean);
        assert!((difference - 0.5 * 3.0_f64.ln()).abs() < 0.05, "{difference}");
    }
    assert!(curves.effects(&covariates, 1).is_err());
}

#[test]
fn speakers_have_priors_of_their_own() {
    let (proportions, covariates) = two_speakers(3.0);
    for update in [ConcentrationUpdate::Gradient, ConcentrationUpdate::LaplaceBridge] {
        let options =
            KernelTopicsOptions { topics: 2, update, max_iterations: 4, ..KernelTopicsOptions::default() };
        let model = fit(&corpus_of(&proportions), &covariates, &options, &mut Silent).unwrap().model;
        let topic = usize::from(model.topics().topic_word()[(1, 0)] > model.topics().topic_word()[(0, 0)]);
        let prior = |label: &str| {
            let alpha = model.prior(&covariates.place(38.0, &[label]).unwrap()).unwrap();
            alpha[topic] / alpha.iter().sum::<f64>()
        };
        let (calm, nobody, loud) = (prior("calm"), prior("unheard"), prior("loud"));
        assert!(calm + 0.1 < loud && calm < nobody && nobody < loud, "{update:?} {calm} {nobody} {loud}");
    }
}

#[test]
fn the_same_on_any_number_of_threads_and_stopped_by_its_observer() {
    let simulated = simulate(40, 3, 15.0, 0.4, 9);
    let corpus = corpus_of(&simulated.doc_topic);
    let covariates = Covariates::new(&simulated.times).unwrap();
    for update in [ConcentrationUpdate::Gradient, ConcentrationUpdate::LaplaceBridge] {
        let options =
            KernelTopicsOptions { topics: 3, max_iterations: 3, update, ..KernelTopicsOptions::default() };
        let run = || fit(&corpus, &covariates, &options, &mut Silent).unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(alone.install(run), run());
    }
    let mut once = |_: &Step| ControlFlow::Break(());
    let options = KernelTopicsOptions { topics: 3, ..KernelTopicsOptions::default() };
    let stopped = fit(&corpus, &covariates, &options, &mut once).unwrap();
    assert_eq!((stopped.report.search.stop, stopped.report.bounds.len()), (Stop::Observer, 2));
}

#[test]
fn misuse() {
    let (corpus, years, _) = addresses();
    let covariates = Covariates::new(&years).unwrap();
    let options = KernelTopicsOptions::default();
    for options in [
        KernelTopicsOptions { topics: 1, ..options.clone() },
        KernelTopicsOptions { max_iterations: 0, ..options.clone() },
        KernelTopicsOptions { start_sweeps: 0, ..options.clone() },
        KernelTopicsOptions { beta: 0.0, ..options.clone() },
        KernelTopicsOptions { place_variance: 0.0, ..options.clone() },
        KernelTopicsOptions { tolerance: f64::NAN, ..options.clone() },
    ] {
        assert!(fit(&corpus, &covariates, &options, &mut Silent).unwrap_err().is_parameter());
    }
    let few = Covariates::new(&years[1..]).unwrap();
    let error = fit(&corpus, &few, &options, &mut Silent).unwrap_err();
    let sizes = (years.len(), years.len() - 1);
    assert!(
        matches!(error, Error::Dimension(DimensionError { expected, found, .. }) if (expected, found) == sizes),
        "{error}"
    );
    assert!(Covariates::new(&[]).is_err() && Covariates::new(&[1.0, f64::NAN]).is_err());
    assert!(covariates.clone().with_labels("president", &["Lincoln"]).is_err());
    assert!(covariates.place(f64::INFINITY, &[""; 0]).is_err());
    assert!(covariates.place(1900.0, &["Lincoln"]).is_err());
    assert!(covariates.select(&[241]).is_err() && covariates.select(&[]).is_err());
}

/// All documents at one place: a plain latent Dirichlet allocation, whose proportions are those of any other.
#[test]
fn one_place_is_plain_lda() {
    let simulated = simulate(30, 3, 15.0, 0.4, 2);
    let corpus = corpus_of(&simulated.doc_topic);
    let covariates = Covariates::new(&[1900.0; 30]).unwrap();
    let options = KernelTopicsOptions { topics: 3, max_iterations: 5, ..KernelTopicsOptions::default() };
    let fitted = fit(&corpus, &covariates, &options, &mut Silent).unwrap();
    let rows = fitted.model.alpha().row_iter().collect::<Vec<_>>();
    assert!(rows.windows(2).all(|pair| pair[0] == pair[1]));
    let prior = fitted.model.prior(&[1900.0]).unwrap();
    let plain = lda::proportions(fitted.model.topics(), &prior, corpus.document(4));
    assert_eq!(fitted.model.proportions_at(corpus.document(4), &[1900.0]).unwrap(), plain);
    let document = fitted.model.proportions(corpus.document(4));
    assert!(document.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 0.01));
}
