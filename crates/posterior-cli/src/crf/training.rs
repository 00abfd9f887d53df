//! Weights, by the algorithm that was asked for.

use std::ops::ControlFlow;

use posterior::math::iteration::{Fitted, Step};
use posterior::sequence::Error;
use posterior::sequence::crf::{
    self, ConditionalRandomField, Dataset, FeatureOptions, Features, PerceptronOptions, SgdOptions,
    TrainingOptions, WeightChoice, averaged_perceptron, sgd,
};

use crate::args::{CrfAlgorithm, CrfFit};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::progress_bar;

/// The algorithm that was asked for, detected from --l1 where it was not.
pub(super) fn algorithm(args: &CrfFit) -> Result<CrfAlgorithm, Failure> {
    match args.algorithm {
        None if args.l1 > 0.0 => Ok(CrfAlgorithm::Owlqn),
        None => Ok(CrfAlgorithm::Lbfgs),
        Some(CrfAlgorithm::Owlqn) if args.l1 == 0.0 => {
            Err(Failure::Usage("--algorithm owlqn needs --l1 above 0".to_owned()))
        }
        Some(own) => Ok(own),
    }
}

/// The factor of the squares.
pub(super) fn l2(args: &CrfFit) -> f64 {
    args.l2.unwrap_or(if args.l1 > 0.0 { 0.1 } else { 1.0 })
}

/// Fits. A signal ends it, and nothing is written then.
pub(super) fn fit(args: &CrfFit, data: &Dataset) -> Result<Fitted<ConditionalRandomField>, Failure> {
    let algorithm = algorithm(args)?;
    let choice = if args.all_features { WeightChoice::All } else { WeightChoice::Observed };
    let options = FeatureOptions {
        states: choice,
        transitions: choice,
        min_frequency: args.min_count,
        ..FeatureOptions::default()
    };
    let features = Features::select(data, &options).map_err(refused)?;
    if features.is_empty() {
        let failure = Failure::data("no attribute is frequent enough to have a weight");
        return Err(failure.with_hint("lower --min-count"));
    }
    interrupt::watch();
    let steps = args.iterations.unwrap_or(match algorithm {
        CrfAlgorithm::Lbfgs | CrfAlgorithm::Owlqn => 100,
        CrfAlgorithm::Sgd => 30,
        CrfAlgorithm::Perceptron => 10,
    }) as usize;
    let bar = progress_bar(steps, args.common.quiet);
    let mut observer = |step: &Step| {
        bar.set_position(step.iteration as u64);
        bar.set_message(format!("objective {:.4e}", step.objective));
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted = match algorithm {
        CrfAlgorithm::Lbfgs | CrfAlgorithm::Owlqn => {
            let options = TrainingOptions {
                l1: args.l1,
                l2: l2(args),
                gradient_tolerance: 1e-5,
                value_tolerance: 1e-6,
                max_iterations: steps,
                ..TrainingOptions::default()
            };
            crf::fit(data, features, &options, &mut observer)
        }
        CrfAlgorithm::Sgd => {
            let options =
                SgdOptions { l2: l2(args), epochs: steps, seed: args.common.seed, ..SgdOptions::default() };
            sgd(data, features, &options, &mut observer)
        }
        CrfAlgorithm::Perceptron => {
            let options =
                PerceptronOptions { epochs: steps, seed: args.common.seed, ..PerceptronOptions::default() };
            averaged_perceptron(data, features, &options, &mut observer)
        }
    };
    bar.finish_and_clear();
    if interrupt::requested() {
        return Err(Failure::Interrupted("nothing was written".to_owned()));
    }
    fitted.map_err(refused)
}

fn refused(error: Error) -> Failure {
    match error {
        Error::Parameter(error) => Failure::Usage(error.to_string()),
        other => Failure::data(other.to_string()),
    }
}
