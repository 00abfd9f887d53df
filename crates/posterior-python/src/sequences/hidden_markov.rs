//! Hidden Markov models: fits, probabilities of states, decoding, draws.

use std::cell::RefCell;

use posterior_dist::stream::stream;
use posterior_inference::best_of_short_runs;
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::iteration::Report;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::baum_welch::{
    BaumWelch, BaumWelchOptions, DirichletPrior, InitialUpdate, StepUpdate,
};
use posterior_sequence::emission::{
    CategoricalEmissions, DrawEmissions, FixedEmissions, GaussianEmissions, LearnEmissions, Sequences,
};
use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::parameters::{Kind, Parameters, Shown, sequences};
use crate::arrays;
use crate::watched::{Signals, direct, invalid, watched};

/// Steps of each of several starts, of which the best goes on.
const SHORT: usize = 10;

/// What Python's estimator has as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    /// Random starts; none begins with the parameters themselves.
    starts: Option<usize>,
    max_iterations: usize,
    tolerance: f64,
    /// The concentrations of the priors of the first state and of the next ones; 1 is none.
    priors: [f64; 2],
    /// Whether the first state, the next ones and what states show are learned.
    learned: [bool; 3],
    seed: u64,
}

/// A fitted model.
#[derive(IntoPyObject)]
pub(crate) struct Fitted<'py> {
    initial: Bound<'py, PyAny>,
    transition: Bound<'py, PyAny>,
    shown: Vec<Bound<'py, PyAny>>,
    trace: Vec<f64>,
    converged: bool,
}

/// Expectation maximisation, from these parameters or the best of several random starts.
#[pyfunction]
pub(crate) fn hmm_fit<'py>(
    x: &Bound<'py, PyAny>,
    lengths: Vec<usize>,
    start: Parameters<'py>,
    settings: Settings,
) -> PyResult<Fitted<'py>> {
    match start.shown {
        Shown::Vectors { .. } => fit::<GaussianEmissions>(x, &lengths, &start, &settings),
        Shown::Symbols { .. } => fit::<CategoricalEmissions>(x, &lengths, &start, &settings),
    }
}

fn fit<'py, E: Kind>(
    x: &Bound<'py, PyAny>,
    lengths: &[usize],
    start: &Parameters<'_>,
    settings: &Settings,
) -> PyResult<Fitted<'py>>
where
    MaximumLikelihood: LearnEmissions<E, Statistics: Send>,
{
    let (py, data, start) = (x.py(), E::data(x, lengths)?, start.model::<E>()?);
    let (model, report) = watched(py, |signals| {
        let all = sequences::<E>(&data);
        if settings.learned[2] {
            learn(&all, start, MaximumLikelihood, settings, signals)
        } else {
            learn(&all, start, FixedEmissions, settings, signals)
        }
    })?;
    Ok(Fitted {
        initial: arrays::array(py, model.initial()),
        transition: arrays::rows(py, model.transition())?,
        shown: model.emissions().written(py)?,
        converged: report.converged(),
        trace: report.trace,
    })
}

/// The model, and how the fit went.
fn learn<E: Kind, L: LearnEmissions<E, Statistics: Send> + Clone + Sync>(
    data: &Sequences<'_, E::Data>,
    start: HiddenMarkovModel<E>,
    learn: L,
    settings: &Settings,
    signals: &mut Signals,
) -> Result<(HiddenMarkovModel<E>, Report), Error> {
    let [initial, steps, _] = settings.learned;
    let options = |max_iterations| {
        Ok::<_, Error>(BaumWelchOptions {
            em: EmOptions { max_iterations, tolerance: settings.tolerance },
            initial: if initial { InitialUpdate::Learned } else { InitialUpdate::Fixed },
            initial_prior: DirichletPrior::symmetric(settings.priors[0])?,
            steps: if steps { StepUpdate::Learned } else { StepUpdate::Fixed },
            step_prior: DirichletPrior::symmetric(settings.priors[1])?,
        })
    };
    let problem = |steps| BaumWelch::new(data, learn.clone(), options(steps)?);
    let most = settings.max_iterations;
    let fitted = match settings.starts {
        None => problem(most)?.fit(start, signals)?,
        Some(starts) => {
            let (few, signals) = (problem(SHORT.min(most))?, RefCell::new(signals));
            let run = |rng: &mut _| few.fit(few.random_start(&start, rng)?, *signals.borrow_mut());
            best_of_short_runs(starts, settings.seed, run, |best| {
                problem(most.saturating_sub(SHORT))?.fit(best.hmm, *signals.borrow_mut())
            })?
            .best
        }
    };
    Ok((fitted.model.hmm, fitted.report))
}

/// ln p of all sequences; -inf if one is impossible.
#[pyfunction]
pub(crate) fn hmm_score(
    x: &Bound<'_, PyAny>,
    lengths: Vec<usize>,
    parameters: Parameters<'_>,
) -> PyResult<f64> {
    fn score<E: Kind>(x: &Bound<'_, PyAny>, lengths: &[usize], parameters: &Parameters<'_>) -> PyResult<f64> {
        let (data, model) = (E::data(x, lengths)?, parameters.model::<E>()?);
        direct(x.py(), || {
            let mut inference = Inference::new(&model);
            let all = sequences::<E>(&data);
            all.as_slice().iter().map(|own| Ok::<_, Error>(inference.score(own)?.ln_z)).sum()
        })
    }
    match parameters.shown {
        Shown::Vectors { .. } => score::<GaussianEmissions>(x, &lengths, &parameters),
        Shown::Symbols { .. } => score::<CategoricalEmissions>(x, &lengths, &parameters),
    }
}

/// ln p of all sequences, and the probabilities of states at each position.
#[pyfunction]
pub(crate) fn hmm_posteriors<'py>(
    x: &Bound<'py, PyAny>,
    lengths: Vec<usize>,
    parameters: Parameters<'py>,
) -> PyResult<(f64, Bound<'py, PyAny>)> {
    fn smoothed<'py, E: Kind>(
        x: &Bound<'py, PyAny>,
        lengths: &[usize],
        parameters: &Parameters<'_>,
    ) -> PyResult<(f64, Bound<'py, PyAny>)> {
        let (data, model) = (E::data(x, lengths)?, parameters.model::<E>()?);
        let (ln_p, all) = direct::<_, Error>(x.py(), || {
            let (mut inference, mut ln_p, mut all) = (Inference::new(&model), 0.0, Vec::new());
            for (number, sequence) in sequences::<E>(&data).as_slice().iter().enumerate() {
                let found = inference.smooth(sequence).map_err(|error| error.of_sequence(number))?;
                ln_p += found.score().ln_z;
                all.extend_from_slice(found.marginals());
            }
            Ok((ln_p, all))
        })?;
        let rows = all.len() / model.states().max(1);
        Ok((ln_p, arrays::shaped(x.py(), all, &[rows, model.states()])?))
    }
    match parameters.shown {
        Shown::Vectors { .. } => smoothed::<GaussianEmissions>(x, &lengths, &parameters),
        Shown::Symbols { .. } => smoothed::<CategoricalEmissions>(x, &lengths, &parameters),
    }
}

/// ln p of the states that stand for all of them together with the observations, and these states.
#[pyfunction]
pub(crate) fn hmm_decode(
    x: &Bound<'_, PyAny>,
    lengths: Vec<usize>,
    parameters: Parameters<'_>,
    algorithm: &str,
) -> PyResult<(f64, Vec<usize>)> {
    fn decoded<E: Kind>(
        x: &Bound<'_, PyAny>,
        lengths: &[usize],
        parameters: &Parameters<'_>,
        decoding: Decoding,
    ) -> PyResult<(f64, Vec<usize>)> {
        let (data, model) = (E::data(x, lengths)?, parameters.model::<E>()?);
        let paths = direct(x.py(), || model.decode(&sequences::<E>(&data), decoding))?;
        let ln_p = paths.iter().map(|own| own.score).sum();
        Ok((ln_p, paths.into_iter().flat_map(|own| own.states).collect()))
    }
    let decoding = match algorithm {
        "viterbi" => Decoding::Viterbi,
        "map" => Decoding::Posterior,
        _ => {
            return Err(PyValueError::new_err(format!(
                "algorithm: expected viterbi or map, found {algorithm:?}"
            )));
        }
    };
    match parameters.shown {
        Shown::Vectors { .. } => decoded::<GaussianEmissions>(x, &lengths, &parameters, decoding),
        Shown::Symbols { .. } => decoded::<CategoricalEmissions>(x, &lengths, &parameters, decoding),
    }
}

/// Observations that are drawn, and their states; the first state may be given.
#[pyfunction]
pub(crate) fn hmm_simulate<'py>(
    py: Python<'py>,
    parameters: Parameters<'py>,
    length: usize,
    seed: u64,
    first: Option<usize>,
) -> PyResult<(Bound<'py, PyAny>, Vec<usize>)> {
    fn drawn<'py, E: Kind + DrawEmissions>(
        py: Python<'py>,
        parameters: &Parameters<'_>,
        (length, seed): (usize, u64),
        first: Option<usize>,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<usize>)> {
        let model = parameters.model::<E>()?;
        let model = match first {
            None => model,
            Some(first) if first < model.states() => {
                let mut initial = vec![0.0; model.states()];
                initial[first] = 1.0;
                let transition: DMatrix<f64> = model.transition().clone();
                HiddenMarkovModel::new(&initial, &transition, model.into_emissions()).map_err(invalid)?
            }
            Some(first) => {
                let states = model.states();
                return Err(PyValueError::new_err(format!(
                    "currstate: expected a state below {states}, found {first}"
                )));
            }
        };
        let (states, data) = direct::<_, Error>(py, || Ok(model.simulate(length, &mut stream(seed, &[]))))?;
        Ok((E::array(py, &data)?, states))
    }
    match parameters.shown {
        Shown::Vectors { .. } => drawn::<GaussianEmissions>(py, &parameters, (length, seed), first),
        Shown::Symbols { .. } => drawn::<CategoricalEmissions>(py, &parameters, (length, seed), first),
    }
}
