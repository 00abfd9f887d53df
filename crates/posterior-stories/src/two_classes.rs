//! Two classes in the plane: what a Gaussian process and a network of neurons know of them, and where a
//! support vector machine looks.
//!
//! Points of two classes, drawn from four overlapping clouds. The parameters of the kernel are learned from
//! the evidence. Prints the evidence and the error on new points of Laplace's method and expectation
//! propagation, and both against draws of the exact posterior; how certain each is far away; and how many
//! points a support vector machine rests on. A network of neurons is trained on the same points, with the
//! precision of its weights learned from the evidence too: far away the trained network is certain, and the
//! average over networks is not.

mod compare;
mod network;
mod report;

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::gp::classification::{
    ExpectationPropagation, LaplaceEvidence, LaplaceFit, ModeOptions, ObservationModel, PropagationOptions,
    expectation_propagation,
};
use posterior::gp::hyperparameters::{HyperparameterOptions, fit};
use posterior::gp::likelihood::LogisticLikelihood;
use posterior::gp::support_vectors::{Bias, SupportOptions, SupportVectors, support_vectors};
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use rand::RngExt;
use rand_distr::StandardNormal;

use crate::{Ending, Outcome, Sources};

const SEED: u64 = 13;
const POINTS: usize = 120;
const NEW_POINTS: usize = 2000;
/// Far from all points.
const FAR: [f64; 2] = [5.0, 5.0];

/// Points with their classes.
struct Points {
    x: DMatrix<f64>,
    labels: Vec<f64>,
}

/// All that was computed of the training points.
struct Answers {
    laplace: LaplaceFit<LogisticLikelihood>,
    propagation: ExpectationPropagation<LogisticLikelihood>,
    machine: SupportVectors,
    network: posterior::regression::network::NetworkLaplace,
}

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let (train, test) = (clouds(POINTS, 0), clouds(NEW_POINTS, 1));
    let answers = learn(out, &train)?;
    let rows = compare::compare(&answers, &train, &test)?;
    compare::print_rows(out, &rows)?;
    let support = answers.machine.support().count();
    writeln!(out, "\nThe support vector machine rests on {support} of {POINTS} points.")?;
    compare::far_away(out, &answers)?;
    Ok(Ending::Completed(report::page(&answers, &train, &rows)?))
}

/// Two clouds for each class, side by side: B. D. Ripley's shape of an example that no line separates.
fn clouds(count: usize, part: u64) -> Points {
    let centers = [[-0.9, 0.1], [0.5, 0.2], [-0.3, 0.8], [0.8, 0.9]];
    let mut rng = stream(SEED, &[part]);
    let mut x = DMatrix::zeros(count, 2);
    let mut labels = Vec::with_capacity(count);
    for i in 0..count {
        let center = centers[i % 4];
        for (coordinate, middle) in center.into_iter().enumerate() {
            x[(i, coordinate)] = middle + 0.28 * rng.sample::<f64, _>(StandardNormal);
        }
        labels.push(if i % 4 < 2 { -1.0 } else { 1.0 });
    }
    Points { x, labels }
}

fn learn(out: &mut dyn Write, train: &Points) -> Outcome<Answers> {
    let observations = ObservationModel::new(train.x.clone(), &train.labels, LogisticLikelihood)?;
    let start = GaussianProcess::new(4.0 * Kernel::rbf(1.0)?);
    let problem = LaplaceEvidence::new(start, observations.clone(), ModeOptions::default());
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent)?;
    let laplace = fitted.model;
    let prior = laplace.prior().clone();
    writeln!(out, "Learned from {POINTS} points: f ~ {}\n", prior.kernel())?;
    let options = PropagationOptions::default();
    let propagation = expectation_propagation(&observations, &prior, &options, &mut Silent)?;
    propagation.report.require_converged()?;
    let (options, kernel) = (SupportOptions::default(), prior.kernel());
    let machine =
        support_vectors(&train.x, &train.labels, kernel, 1.0, Bias::Free, &options, &mut Silent)?.model;
    Ok(Answers { laplace, propagation: propagation.model, machine, network: network::learn(out, train)? })
}
