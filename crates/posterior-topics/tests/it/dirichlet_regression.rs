//! Dirichlet-multinomial regression: coefficients that documents were drawn with, and plain latent Dirichlet
//! allocation.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_topics::dirichlet_regression::{DirichletRegressionOptions, fit};
use posterior_topics::lda::{Hyperparameters, gibbs};
use posterior_topics::{Corpus, TopicModel};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Gamma};

fn index<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let mut u = rng.random::<f64>() * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        u -= weight;
        u < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// 400 documents of 60 words; each topic has three words of its own. ln alpha_1 = -0.7 + 1.5 x, ln alpha_2 =
/// -0.7, ln alpha_3 = -1.2 - x.
fn drawn() -> (Corpus, DMatrix<f64>) {
    let mut rng = stream(11, &[]);
    let features = DMatrix::from_fn(400, 1, |_, _| 2.0 * rng.random::<f64>() - 1.0);
    let rows = (0..400).map(|d| {
        let x = features[(d, 0)];
        let alpha = [-0.7 + 1.5 * x, -0.7, -1.2 - x].map(f64::exp);
        let theta: Vec<f64> = alpha.iter().map(|&a| Gamma::new(a, 1.0).unwrap().sample(&mut rng)).collect();
        let word = |rng: &mut _| (3 * index(&theta, rng) + index(&[5.0, 3.0, 2.0], rng)) as u32;
        (0..60).map(|_| (word(&mut rng), 1)).collect()
    });
    let rows = rows.collect();
    let vocabulary = (0..9).map(|w| format!("word {w}")).collect();
    let names = (0..400).map(|d| format!("document {d}")).collect();
    (Corpus::from_rows(vocabulary, names, rows).unwrap(), features)
}

#[test]
fn coefficients_come_back() {
    let (corpus, features) = drawn();
    let options = DirichletRegressionOptions {
        topics: 3,
        iterations: 300,
        learn_after: 20,
        learn_every: 5,
        ..DirichletRegressionOptions::default()
    };
    let fitted = fit(&corpus, &features, &options, &mut Silent).unwrap();
    let model = fitted.model;
    let topic_of = |word: usize| {
        let column = model.topics().topic_word().column(word);
        (0..3).max_by(|&a, &b| column[a].total_cmp(&column[b])).unwrap()
    };
    // The constants are known to 0.07, the slopes to 0.12: three standard errors.
    for (word, constant, slope) in [(0, -0.7, 1.5), (3, -0.7, 0.0), (6, -1.2, -1.0)] {
        let lambda = model.coefficients().column(topic_of(word)).clone_owned();
        assert!((lambda[0] - constant).abs() < 0.25, "{lambda}");
        assert!((lambda[1] - slope).abs() < 0.36, "{lambda}");
    }
    let trace = &fitted.report.trace;
    assert_eq!((fitted.report.iterations, fitted.report.stop), (300, Stop::MaxIterations));
    assert!(trace[trace.len() - 1].ln_joint > trace[0].ln_joint);
    // What features say is worth something to a document of which no word is known.
    let prior = model.prior(&[1.0]).unwrap();
    let first = topic_of(0);
    assert!(prior[first] / prior.iter().sum::<f64>() > 0.6);
    let document = corpus.document(0);
    assert!((model.proportions_at(document, &[0.3]).unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((model.proportions(document).iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

/// Without features, and with a feature that is the same for all: concentrations are the same for all
/// documents, and about those that Minka's fixed point finds for the same topics.
#[test]
fn constant_features_are_plain_lda() {
    let (corpus, _) = drawn();
    let options = DirichletRegressionOptions {
        topics: 3,
        iterations: 200,
        learn_after: 20,
        learn_every: 5,
        ..DirichletRegressionOptions::default()
    };
    let none = fit(&corpus, &DMatrix::zeros(400, 0), &options, &mut Silent).unwrap().model;
    let constant = fit(&corpus, &DMatrix::from_element(400, 1, 1.0), &options, &mut Silent).unwrap().model;
    let (none, constant) = (none.prior(&[]).unwrap(), constant.prior(&[1.0]).unwrap());
    let plain = gibbs::LdaGibbsOptions {
        topics: 3,
        iterations: 200,
        draws: 1,
        hyperparameters: Hyperparameters::Optimized,
        ..gibbs::LdaGibbsOptions::default()
    };
    let plain = gibbs::fit(&corpus, &plain, &mut Silent).unwrap().model;
    let sorted = |alpha: &[f64]| {
        let mut alpha = alpha.to_vec();
        alpha.sort_by(f64::total_cmp);
        alpha
    };
    // Standard errors of concentrations from 400 documents are 5 %.
    for alpha in [none, constant] {
        for (a, b) in sorted(&alpha).iter().zip(sorted(plain.alpha())) {
            assert!((a / b - 1.0).abs() < 0.15, "{alpha:?} {:?}", plain.alpha());
        }
    }
}

#[test]
fn misuse_and_edges() {
    let (corpus, features) = drawn();
    let options =
        DirichletRegressionOptions { topics: 2, iterations: 3, ..DirichletRegressionOptions::default() };
    for options in [
        DirichletRegressionOptions { topics: 0, ..options.clone() },
        DirichletRegressionOptions { iterations: 0, ..options.clone() },
        DirichletRegressionOptions { beta: f64::NAN, ..options.clone() },
        DirichletRegressionOptions { alpha: 0.0, ..options.clone() },
        DirichletRegressionOptions { feature_variance: 0.0, ..options.clone() },
        DirichletRegressionOptions { intercept_variance: f64::INFINITY, ..options.clone() },
        DirichletRegressionOptions { draws: 0, ..options.clone() },
        DirichletRegressionOptions { thin: 0, ..options.clone() },
        DirichletRegressionOptions { learn_every: 0, ..options.clone() },
        DirichletRegressionOptions { trace_every: 0, ..options.clone() },
    ] {
        assert!(fit(&corpus, &features, &options, &mut Silent).unwrap_err().is_parameter());
    }
    let short = features.rows(1, 399).clone_owned();
    assert!(fit(&corpus, &short, &options, &mut Silent).unwrap_err().is_dimension());
    let nan = features.map(|_| f64::NAN);
    assert!(fit(&corpus, &nan, &options, &mut Silent).unwrap_err().is_parameter());
    let huge = features.map(|x| x * 1e150);
    let learning = DirichletRegressionOptions {
        learn_after: 0,
        learn_every: 1,
        iterations: 30,
        draws: 1,
        ..options.clone()
    };
    // No step may go to where a concentration is not a number: either a fit or a refusal.
    if let Ok(fitted) = fit(&corpus, &huge, &learning, &mut Silent) {
        assert!(fitted.doc_topic.iter().all(|proportion| proportion.is_finite()));
    }
    let model = fit(&corpus, &features, &options, &mut Silent).unwrap().model;
    assert!(model.prior(&[]).is_err() && model.prior(&[f64::NAN]).is_err());
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(&corpus, &features, &options, &mut once).unwrap();
    assert_eq!((stopped.report.iterations, stopped.report.stop), (1, Stop::Observer));
    let one =
        fit(&corpus, &features, &DirichletRegressionOptions { topics: 1, ..options }, &mut Silent).unwrap();
    assert!(one.doc_topic.iter().all(|&proportion| proportion == 1.0));
}
