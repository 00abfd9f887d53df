//! Classes and counts: likelihoods that are not Gaussian.

use posterior::dist::stream::stream;
use posterior::gp::classification::{
    LaplaceEvidence, Latent, ModeOptions, Observations, PropagationEvidence, PropagationOptions,
    SoftmaxEvidence, SoftmaxObservations,
};
use posterior::gp::likelihood::{Logistic, Poisson};
use posterior::gp::{Error, GaussianProcess, Kernel};
use posterior::math::linalg::DMatrix;

use super::answer::{Answer, Predicted, Values};
use super::data_input::{Data, Outputs};
use super::learning::{Learnt, learn, warnings};
use crate::args::{Approximation, GpFit, Method};
use crate::failure::Failure;

/// Draws of the latent functions behind each probability of several classes.
const DRAWS: usize = 10_000;

/// What the options ask for; there are no draws of the function.
pub(super) fn answer(
    args: &GpFit,
    data: &Data,
    kernel: &Kernel,
    places: &DMatrix<f64>,
) -> Result<(Answer, Vec<Vec<f64>>), Failure> {
    if !matches!(args.method, Method::Auto | Method::Exact) {
        return Err(Failure::Usage("--method: only exact with a likelihood that is not Gaussian".to_owned()));
    }
    let prior = GaussianProcess::new(kernel.clone());
    let told = match &data.outputs {
        Outputs::Classes { labels, of_row }
            if labels.len() == 2 && args.likelihood == crate::args::Likelihood::Bernoulli =>
        {
            two_classes(args, data, of_row, prior, places)
        }
        Outputs::Classes { labels, of_row } => {
            several_classes(args, data, of_row, labels.len(), kernel, places)
        }
        Outputs::Counts(counts) => self::counts(args, data, counts, prior, places),
        Outputs::Numbers(_) => return Err(Failure::Usage("numbers have Gaussian noise".to_owned())),
    };
    let mut answer = told.map_err(|error| Failure::data(format!("{}: {error}", data.source)))?;
    if let Outputs::Classes { labels, .. } = &data.outputs {
        answer.classes.clone_from(labels);
    }
    answer.warnings = warnings(&answer);
    Ok((answer, Vec::new()))
}

fn two_classes(
    args: &GpFit,
    data: &Data,
    of_row: &[usize],
    prior: GaussianProcess,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let signs: Vec<f64> = of_row.iter().map(|&class| if class == 1 { 1.0 } else { -1.0 }).collect();
    let observations = Observations::new(data.inputs.clone(), &signs, Logistic)?;
    if args.approximation == Approximation::Ep {
        let learnt =
            learn(&PropagationEvidence::new(prior, observations, PropagationOptions::default()), args)?;
        let latent = learnt.model.latent(places)?;
        let kernel = learnt.model.prior().kernel();
        return Ok(of_probabilities(args, &learnt, kernel, "expectation propagation", &latent, places));
    }
    let learnt = learn(&LaplaceEvidence::new(prior, observations, ModeOptions::default()), args)?;
    let latent = learnt.model.latent(places)?;
    let kernel = learnt.model.prior().kernel();
    Ok(of_probabilities(args, &learnt, kernel, "laplace", &latent, places))
}

fn of_probabilities<M>(
    args: &GpFit,
    learnt: &Learnt<M>,
    kernel: &Kernel,
    method: &'static str,
    latent: &Latent,
    places: &DMatrix<f64>,
) -> Answer {
    let probability = latent.mean_response(&Logistic);
    let predictions = (0..places.nrows()).map(|i| Predicted {
        x: places.row(i).iter().copied().collect(),
        mean: Values::One(latent.mean[i]),
        variance: Values::One(latent.variance[i]),
        probability: Some(Values::One(probability[i])),
        response: None,
    });
    told(args, learnt, "bernoulli", kernel, method, predictions.collect())
}

fn several_classes(
    args: &GpFit,
    data: &Data,
    of_row: &[usize],
    classes: usize,
    kernel: &Kernel,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let observations = SoftmaxObservations::new(data.inputs.clone(), of_row, classes)?;
    let problem = SoftmaxEvidence::new(vec![kernel.clone()], observations, ModeOptions::default());
    let learnt = learn(&problem, args)?;
    let latent = learnt.model.latent(places)?;
    let probability = latent.mean_response(DRAWS, &mut stream(args.common.seed, &[0]))?;
    let predictions = (0..places.nrows()).map(|i| Predicted {
        x: places.row(i).iter().copied().collect(),
        mean: Values::Each(latent.mean.row(i).iter().copied().collect()),
        variance: Values::Each(latent.covariance[i].diagonal().iter().copied().collect()),
        probability: Some(Values::Each(probability.row(i).iter().copied().collect())),
        response: None,
    });
    Ok(told(args, &learnt, "softmax", learnt.model.kernel(0), "laplace", predictions.collect()))
}

fn counts(
    args: &GpFit,
    data: &Data,
    counts: &[u64],
    prior: GaussianProcess,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let outputs: Vec<_> = counts.iter().map(|&count| count.into()).collect();
    let observations = Observations::new(data.inputs.clone(), &outputs, Poisson)?;
    let learnt = learn(&LaplaceEvidence::new(prior, observations, ModeOptions::default()), args)?;
    let latent = learnt.model.latent(places)?;
    let response = latent.mean_response(&Poisson);
    let predictions = (0..places.nrows()).map(|i| Predicted {
        x: places.row(i).iter().copied().collect(),
        mean: Values::One(latent.mean[i]),
        variance: Values::One(latent.variance[i]),
        probability: None,
        response: Some(response[i]),
    });
    let kernel = learnt.model.prior().kernel();
    Ok(told(args, &learnt, "poisson", kernel, "laplace", predictions.collect()))
}

fn told<M>(
    args: &GpFit,
    learnt: &Learnt<M>,
    likelihood: &'static str,
    kernel: &Kernel,
    method: &'static str,
    predictions: Vec<Predicted>,
) -> Answer {
    Answer {
        likelihood,
        method: method.to_owned(),
        reason: "the likelihood is not Gaussian".to_owned(),
        kernel: kernel.clone(),
        hyperparameters: learnt.hyperparameters.clone(),
        ln_marginal_likelihood: learnt.ln_evidence,
        gradient: learnt.gradient.clone(),
        jitter: None,
        search: learnt.search,
        leave_one_out: None,
        predictions,
        components: Vec::new(),
        classes: Vec::new(),
        warnings: Vec::new(),
        seed: args.common.seed,
        seconds: 0.0,
    }
}
