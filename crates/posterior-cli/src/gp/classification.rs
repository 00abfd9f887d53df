//! Classes and counts: likelihoods that are not Gaussian.

use posterior::dist::stream::stream;
use posterior::gp::Error;
use posterior::gp::classification::{
    ExpectationPropagation, LaplaceEvidence, LaplaceFit, LatentApproximation as Gaussian, LatentMoments,
    ModeOptions, ObservationModel, PropagationEvidence, PropagationOptions, SoftmaxEvidence, SoftmaxLatent,
    SoftmaxObservations,
};
use posterior::gp::hyperparameters::{Learnable, MixturePrediction};
use posterior::gp::likelihood::{
    GammaLikelihood, LogConcave, LogLinkGaussian, LogisticLikelihood, NegativeBinomialLikelihood,
    PoissonLikelihood, Probit, StudentTLikelihood,
};
use posterior::gp::regression::Prediction;
use posterior::math::linalg::DMatrix;
use posterior::regression::glm::Predictor;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::answer::{Answer, Predicted, of_one_function};
use super::data_input::Data;
use super::learning::{learn, warnings};
use super::observed::{NewOutcomes, with_new};
use super::prior::Prior;
use super::regression::prior;
use super::settings::Settings;
use crate::args::{Approximation, GpEngine, Likelihood, MeanShape};
use crate::failure::Failure;
use crate::json::Values;
use crate::level::Level;
use crate::outcome::Outcome;
use crate::output::significant;
use crate::predictive::{Predictive, moments_of_rate};

/// Draws of the latent functions behind each probability of several classes.
const DRAWS: usize = 10_000;

/// For one of many points of the parameters.
const LEAST_DRAWS: usize = 100;

/// Sites of expectation propagation that change by less than this proportion of a standard deviation stay as
/// they are: the evidence errs by its square.
const TOLERANCE: f64 = 1e-7;

/// Sweeps at most: three to twenty are usual.
const SWEEPS: usize = 50;

/// Up to this variance of a function, probabilities of several classes are right to 0.02.
const SMALL: f64 = 1.0;

/// How uncertain a constant is beforehand, on the scale of logits and logarithms.
const CONSTANT_SD: f64 = 5.0;

/// The answer at these places.
pub(super) fn answer(settings: &Settings, data: &Data, places: &DMatrix<f64>) -> Result<Answer, Failure> {
    if !matches!(settings.engine, GpEngine::Auto | GpEngine::Exact) {
        let message = "--engine: only exact with a likelihood that is not Gaussian";
        return Err(Failure::Usage(message.to_owned()));
    }
    let numbers = data.outputs.heights();
    let parameter = |place: usize| settings.likelihood_parameters.get(place).copied().unwrap_or(1.0);
    let answered = match (&data.outputs, settings.likelihood) {
        (Outcome::Classes { of_row, .. }, Likelihood::Bernoulli) => {
            two_classes(settings, data, (of_row.as_slice(), LogisticLikelihood, "bernoulli"), places)
        }
        (Outcome::Classes { of_row, .. }, Likelihood::Probit) => {
            two_classes(settings, data, (of_row.as_slice(), Probit, "probit"), places)
        }
        (Outcome::Classes { labels, of_row }, _) => {
            several_classes(settings, data, of_row, labels.len(), places)
        }
        (Outcome::Counts(counts), Likelihood::NegativeBinomial) => {
            let outputs: Vec<_> = counts.iter().map(|&count| count.into()).collect();
            let likelihood = NegativeBinomialLikelihood::size(parameter(0)).map_err(usage)?;
            let prior = prior_of_logarithm(settings, &numbers);
            concave(settings, data, (outputs.as_slice(), likelihood, "negative-binomial"), &prior, places)
        }
        (Outcome::Counts(counts), _) => self::counts(settings, data, counts, places),
        (Outcome::Numbers(outputs), Likelihood::Gamma) => {
            let likelihood = GammaLikelihood::shape(parameter(0)).map_err(usage)?;
            let prior = prior_of_logarithm(settings, &numbers);
            concave(settings, data, (outputs.as_slice(), likelihood, "gamma"), &prior, places)
        }
        (Outcome::Numbers(outputs), Likelihood::LogGaussian) => {
            let likelihood = LogLinkGaussian::variance(parameter(0)).map_err(usage)?;
            let prior = prior_of_logarithm(settings, &numbers);
            by_mode(settings, data, (outputs.as_slice(), likelihood, "log-gaussian"), &prior, places)
        }
        (Outcome::Numbers(outputs), _) => {
            let likelihood = StudentTLikelihood::new(parameter(0), parameter(1)).map_err(usage)?;
            by_mode(
                settings,
                data,
                (outputs.as_slice(), likelihood, "student-t"),
                &prior(settings, outputs),
                places,
            )
        }
    };
    let mut answer = answered.map_err(|error| Failure::data(format!("{}: {error}", data.source)))?;
    if let Outcome::Classes { labels, .. } = &data.outputs {
        answer.classes.clone_from(labels);
    }
    let more = warnings(&answer);
    answer.warnings.extend(more);
    Ok(answer)
}

/// Where parameters of a likelihood are refused.
fn usage(error: posterior::math::ParamError) -> Failure {
    Failure::Usage(format!("--likelihood-params: {error}"))
}

/// The prior of a function that is the logarithm of the mean of these numbers; of none but zeros, of half of
/// one in all.
fn prior_of_logarithm(settings: &Settings, numbers: &[f64]) -> Prior {
    let total: f64 = numbers.iter().sum();
    let center = ((if total > 0.0 { total } else { 0.5 }) / numbers.len() as f64).ln();
    Prior::new(settings.kernel.clone(), settings.mean.unwrap_or(MeanShape::Constant), center, CONSTANT_SD)
}

/// Numbers or counts whose likelihood is log-concave.
fn concave<L: LogConcave + NewOutcomes>(
    settings: &Settings,
    data: &Data,
    (outputs, likelihood, name): (&[L::Output], L, &'static str),
    prior: &Prior,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let observations = ObservationModel::new(data.inputs.clone(), outputs, likelihood)?;
    let process = prior.process(data.inputs.ncols())?;
    match settings.approximation.unwrap_or(Approximation::Ep) {
        Approximation::Ep => {
            let problem = PropagationEvidence::new(process, observations, propagation());
            let likelihood = |model: &ExpectationPropagation<L>| model.observations().likelihood().clone();
            with_outcomes(&problem, settings, (prior, name, "expectation propagation"), places, likelihood)
        }
        Approximation::Laplace => {
            let problem = LaplaceEvidence::new(process, observations, ModeOptions::default());
            let likelihood = |model: &LaplaceFit<L>| model.observations().likelihood().clone();
            with_outcomes(&problem, settings, (prior, name, "laplace"), places, likelihood)
        }
    }
}

/// Numbers whose likelihood is not log-concave: by Laplace's approximation.
fn by_mode<L: NewOutcomes>(
    settings: &Settings,
    data: &Data,
    (outputs, likelihood, name): (&[L::Output], L, &'static str),
    prior: &Prior,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let observations = ObservationModel::new(data.inputs.clone(), outputs, likelihood)?;
    let process = prior.process(data.inputs.ncols())?;
    let problem = LaplaceEvidence::new(process, observations, ModeOptions::default());
    let likelihood = |model: &LaplaceFit<L>| model.observations().likelihood().clone();
    with_outcomes(&problem, settings, (prior, name, "laplace"), places, likelihood)
}

/// The answer with new outcomes at the places.
fn with_outcomes<P: Learnable, L: NewOutcomes>(
    problem: &P,
    settings: &Settings,
    (prior, name, method): (&Prior, &'static str, &'static str),
    places: &DMatrix<f64>,
    likelihood: impl Fn(&P::Model) -> L + Sync,
) -> Result<Answer, Error>
where
    P::Model: std::ops::Deref<Target = Gaussian>,
{
    let learned = learn(problem, settings)?;
    let each = learned.each(problem, |model| {
        let LatentMoments { mean, variance, .. } = model.latent(places)?;
        Ok((Prediction { mean, variance }, likelihood(model)))
    })?;
    let functions = each.iter().map(|(weight, (own, _))| (*weight, own.clone())).collect();
    let predictions = of_one_function(places, &MixturePrediction::new(functions), settings.level)?;
    let one = |(i, own): (usize, Predicted)| {
        let part = |(weight, (moments, likelihood)): &'_ (f64, (Prediction, L))| {
            let predictor = Predictor { mean: moments.mean[i], variance: moments.variance[i] };
            (*weight, predictor, likelihood.clone())
        };
        let parts: Vec<_> = each.iter().map(part).collect();
        with_new(own, &parts, settings.level)
    };
    let predictions = predictions.into_par_iter().enumerate().map(one).collect::<Result<_, _>>()?;
    let kernel = prior.kernel(learned.model.prior());
    let converged = Some(learned.model.converged());
    let answer = Answer::new(&learned, kernel, prior.mean_function(None), method, settings.level);
    Ok(Answer { likelihood: name, predictions, converged, ..answer })
}

fn two_classes<L: LogConcave<Output = f64>>(
    settings: &Settings,
    data: &Data,
    (of_row, likelihood, name): (&[usize], L, &'static str),
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let signs: Vec<f64> = of_row.iter().map(|&class| if class == 1 { 1.0 } else { -1.0 }).collect();
    let second = of_row.iter().sum::<usize>() as f64;
    let first = of_row.len() as f64 - second;
    let center = ((second + 0.5) / (first + 0.5)).ln();
    let shape = settings.mean.unwrap_or(MeanShape::Zero);
    let prior = Prior::new(settings.kernel.clone(), shape, center, CONSTANT_SD);
    let observations = ObservationModel::new(data.inputs.clone(), &signs, likelihood.clone())?;
    let fitted = fitted(settings, observations, &prior, places)?;
    let probability = |own: &Prediction, i: usize| likelihood.mean_response(own.mean[i], own.variance[i]);
    let with_probability = |(i, own): (usize, Predicted)| {
        let terms = fitted.functions.parts().iter().map(|(weight, own)| weight * probability(own, i));
        Predicted { probability: Some(Values::One(terms.sum())), ..own }
    };
    let predictions = of_one_function(places, &fitted.functions, settings.level)?;
    let predictions = predictions.into_iter().enumerate().map(with_probability).collect();
    Ok(Answer { likelihood: name, predictions, ..fitted.answer })
}

fn counts(settings: &Settings, data: &Data, counts: &[u64], places: &DMatrix<f64>) -> Result<Answer, Error> {
    let outputs: Vec<_> = counts.iter().map(|&count| count.into()).collect();
    let total: f64 = counts.iter().map(|&count| count as f64).sum();
    let center = ((total + 0.5) / counts.len() as f64).ln();
    let shape = settings.mean.unwrap_or(MeanShape::Constant);
    let prior = Prior::new(settings.kernel.clone(), shape, center, CONSTANT_SD);
    let observations = ObservationModel::new(data.inputs.clone(), &outputs, PoissonLikelihood)?;
    let fitted = fitted(settings, observations, &prior, places)?;
    let of_counts = |(i, own): (usize, Predicted)| {
        let predictor = |own: &Prediction| Predictor { mean: own.mean[i], variance: own.variance[i] };
        let each: Vec<_> =
            fitted.functions.parts().iter().map(|(weight, own)| (*weight, predictor(own))).collect();
        let (response, variance) = moments_of_rate(&each);
        let new = match each[..] {
            [(_, only)] => Predictive::LogRate(only),
            _ => Predictive::LogRates(each),
        };
        Predicted { response: Some(response), ..own.with_new(response, variance.sqrt(), new, settings.level) }
    };
    let predictions = of_one_function(places, &fitted.functions, settings.level)?;
    let predictions = predictions.into_iter().enumerate().map(of_counts).collect();
    Ok(Answer { likelihood: "poisson", predictions, ..fitted.answer })
}

/// A posterior of one function at the places, and the answer but for its predictions.
struct Fitted {
    functions: MixturePrediction,
    answer: Answer,
}

fn propagation() -> PropagationOptions {
    PropagationOptions { tolerance: TOLERANCE, max_iterations: SWEEPS, ..PropagationOptions::default() }
}

/// By the approximation that was asked for.
fn fitted<L: LogConcave>(
    settings: &Settings,
    observations: ObservationModel<L>,
    prior: &Prior,
    places: &DMatrix<f64>,
) -> Result<Fitted, Error> {
    let process = prior.process(observations.inputs().ncols())?;
    match settings.approximation.unwrap_or(Approximation::Ep) {
        Approximation::Ep => {
            let problem = PropagationEvidence::new(process, observations, propagation());
            at_places(&problem, settings, prior, "expectation propagation", places)
        }
        Approximation::Laplace => {
            let problem = LaplaceEvidence::new(process, observations, ModeOptions::default());
            at_places(&problem, settings, prior, "laplace", places)
        }
    }
}

fn at_places<L: Learnable>(
    problem: &L,
    settings: &Settings,
    prior: &Prior,
    method: &'static str,
    places: &DMatrix<f64>,
) -> Result<Fitted, Error>
where
    L::Model: std::ops::Deref<Target = Gaussian>,
{
    let learned = learn(problem, settings)?;
    let posterior = learned.model.prior();
    let (kernel, mean_function) = (prior.kernel(posterior), prior.mean_function(None));
    let functions = learned.moments(problem, |model| {
        let LatentMoments { mean, variance, .. } = model.latent(places)?;
        Ok(Prediction { mean, variance })
    })?;
    let converged = Some(learned.model.converged());
    Ok(Fitted {
        functions,
        answer: Answer { converged, ..Answer::new(&learned, kernel, mean_function, method, settings.level) },
    })
}

fn several_classes(
    settings: &Settings,
    data: &Data,
    of_row: &[usize],
    classes: usize,
    places: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let observations = SoftmaxObservations::new(data.inputs.clone(), of_row, classes)?;
    let problem = SoftmaxEvidence::new(vec![settings.kernel.clone()], observations, ModeOptions::default());
    let learned = learn(&problem, settings)?;
    let latent = learned.each(&problem, |model| model.latent(places))?;
    // Each point has draws of its own, so that their errors average out.
    let draws = (DRAWS / latent.len()).max(LEAST_DRAWS);
    let each = latent.into_iter().enumerate().map(|(point, (weight, latent))| {
        let probability = latent.mean_response(draws, &mut stream(settings.seed, &[point as u64]))?;
        Ok((weight, (latent, probability)))
    });
    let each: Vec<(f64, OfClasses)> = each.collect::<Result<_, Error>>()?;
    let predictions = (0..places.nrows()).map(|i| of_classes(&each, places, i, settings.level));
    let prior = Prior::new(settings.kernel.clone(), MeanShape::Zero, 0.0, CONSTANT_SD);
    let (kernel, mean_function) = (learned.model.kernel(0).clone(), prior.mean_function(None));
    let answer = Answer::new(&learned, kernel, mean_function, "laplace", settings.level);
    let (predictions, converged) = (predictions.collect(), Some(learned.model.converged()));
    let variance = learned.model.kernel(0).diagonal(&data.inputs).mean();
    let warnings = (variance > SMALL).then(|| too_even(variance)).into_iter().collect();
    Ok(Answer { likelihood: "softmax", predictions, converged, warnings, ..answer })
}

/// The functions of classes at places, and the probabilities of the classes.
type OfClasses = (SoftmaxLatent, DMatrix<f64>);

/// What is predicted at a place: probabilities, means and variances averaged over the parameters.
fn of_classes(each: &[(f64, OfClasses)], places: &DMatrix<f64>, i: usize, level: Level) -> Predicted {
    let classes = each[0].1.1.ncols();
    let probability = (0..classes)
        .map(|class| each.iter().map(|(weight, (_, own))| weight * own[(i, class)]).sum())
        .collect();
    let (mut mean, mut variance) = (vec![0.0; classes], vec![0.0; classes]);
    let of_each: Vec<_> = each.iter().map(|(weight, (latent, _))| (weight, deviations(latent, i))).collect();
    for class in 0..classes {
        mean[class] = of_each.iter().map(|(weight, (means, _))| *weight * means[class]).sum();
        let around = |means: &[f64]| (means[class] - mean[class]).powi(2);
        variance[class] =
            of_each.iter().map(|(weight, (means, own))| *weight * (own[class] + around(means))).sum();
    }
    let x = places.row(i).iter().copied().collect();
    Predicted {
        probability: Some(Values::Each(probability)),
        ..Predicted::of_function(x, Values::Each(mean), Values::Each(variance), level)
    }
}

/// That the Gaussian at the mode makes probabilities of several classes too even.
fn too_even(variance: f64) -> String {
    format!(
        "the probabilities come from Laplace's approximation, which makes those of several classes too even at a kernel variance of {}: \
         0.14, 0.51 and 0.70 should be about 0.11, 0.54 and 0.76 at a variance of 4, and 0.06, 0.60 and 0.85 at 16; up to a variance of 1 \
         they are right to 0.02",
        significant(variance)
    )
}

/// Means and variances of the functions of the classes as deviations from their average at a place: what they
/// have in common changes no probability, and no observation tells it.
fn deviations(latent: &SoftmaxLatent, place: usize) -> (Vec<f64>, Vec<f64>) {
    let (mean, covariance) = (latent.mean.row(place), &latent.covariance[place]);
    let (average, shared) = (mean.mean(), covariance.mean());
    let with_average = covariance.column_mean();
    let variance = |class: usize| (covariance[(class, class)] - 2.0 * with_average[class] + shared).max(0.0);
    (mean.iter().map(|own| own - average).collect(), (0..mean.len()).map(variance).collect())
}
