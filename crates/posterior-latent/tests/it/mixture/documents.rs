//! One topic for each document.

use posterior_dist::{Categorical, Density, Dirichlet, Mixture};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem, MostProbable, UnigramDistribution};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;

fn words(theta: &[f64]) -> UnigramDistribution {
    UnigramDistribution::new(Categorical::from_probabilities(theta).unwrap())
}

fn documents() -> Vec<Vec<u64>> {
    vec![vec![5, 1, 0], vec![0, 0, 0], vec![2, 2, 7], vec![0, 1, 4], vec![3, 0, 0], vec![1, 1, 1]]
}

#[test]
fn unigrams_are_a_conjugate_family() {
    let (distribution, documents) = (words(&[0.5, 0.2, 0.3]), documents());
    consistency::exponential_family(&distribution, &documents, 1e-12);
    consistency::stats::<UnigramDistribution, _>(&3, &documents);
    let prior = Dirichlet::new(&[0.5, 2.0, 1.0]).unwrap();
    consistency::conjugate::<UnigramDistribution, _, _>(&3, &prior, &documents);
    assert_eq!(distribution.ln_pdf(&[0, 0, 0]), 0.0);
    assert_eq!(distribution.ln_pdf(&[0, 0]), f64::NEG_INFINITY);
    assert_eq!(words(&[1.0, 0.0, 0.0]).ln_pdf(&[3, 0, 0]), 0.0);
    assert_eq!(words(&[1.0, 0.0, 0.0]).ln_pdf(&[3, 1, 0]), f64::NEG_INFINITY);
}

#[test]
fn the_e_step_is_the_formula_and_empty_documents_know_nothing() {
    let documents = documents();
    let points = Points::new(&documents);
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let topics = [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]];
    let start =
        Mixture::from_weights(&[0.25, 0.75], topics.iter().map(|theta| words(theta)).collect()).unwrap();
    let r = problem.responsibilities(&start).unwrap();
    let mut likelihood = 0.0;
    for (row, counts) in documents.iter().enumerate() {
        let joint = [0, 1].map(|k| {
            let product: f64 = (0..3).map(|v| topics[k][v].powi(counts[v] as i32)).product();
            [0.25, 0.75][k] * product
        });
        likelihood += (joint[0] + joint[1]).ln();
        assert_within(r[(row, 0)], joint[0] / (joint[0] + joint[1]), 1e-14);
    }
    assert_within(r[(1, 0)], 0.25, 1e-15);
    assert_within(r[(1, 1)], 0.75, 1e-15);
    assert_close(problem.ln_likelihood(&start).unwrap(), likelihood, 1e-14);
}

#[test]
fn known_topics_are_naive_bayes() {
    let documents = documents();
    let points = Points::new(&documents);
    let labels = [0, 1, 1, 1, 0, 0];
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let trained = problem.start_from_labels(&labels, 2).unwrap();
    assert_eq!(trained.weights().probabilities(), [0.5, 0.5]);
    for (k, totals) in [[9.0, 2.0, 1.0], [2.0, 3.0, 11.0]].into_iter().enumerate() {
        let all: f64 = totals.iter().sum();
        for (theta, total) in trained.components()[k].words().probabilities().iter().zip(totals) {
            assert_within(*theta, total / all, 1e-15);
        }
    }
    // With a Dirichlet prior of α = 2: one more of every word.
    let smooth = MostProbable::new(Dirichlet::symmetric(3, 2.0).unwrap(), 1.0).unwrap();
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 3, smooth).unwrap();
    let trained = problem.start_from_labels(&labels, 2).unwrap();
    assert_within(trained.components()[0].words().probabilities()[0], 10.0 / 15.0, 1e-15);
}

#[test]
fn all_three_styles_climb() {
    let documents = documents();
    let points = Points::new(&documents);
    let smooth = MostProbable::new(Dirichlet::symmetric(3, 1.5).unwrap(), 1.2).unwrap();
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 3, smooth).unwrap();
    let start =
        Mixture::from_weights(&[0.5, 0.5], vec![words(&[0.6, 0.3, 0.1]), words(&[0.1, 0.2, 0.7])]).unwrap();
    let options = EmOptions { tolerance: 1e-13, ..EmOptions::default() };
    let soft = problem.fit(start.clone(), &options, &mut Silent).unwrap();
    let hard = problem.fit_hard(start, &options, &mut Silent).unwrap();
    for fitted in [&soft, &hard] {
        assert!(
            fitted.report.converged() && fitted.report.falls.is_empty() && fitted.model.incidents.is_empty()
        );
    }
    // Of data and labels less is known than of data.
    assert!(hard.report.trace.last() < soft.report.trace.last());
}
