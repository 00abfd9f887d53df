//! The rounds of a fit: documents and topics, kernels, concentrations.

use posterior_math::iteration::Silent;
use std::fmt;

use posterior_gp::{GaussianProcessPosterior, Noise};
use posterior_math::iteration::{Fall, Observer, Progress, Report, Stop};
use posterior_math::linalg::DMatrix;

use super::concentration_prior::{ConcentrationPrior, Expected};
use super::covariates::Covariates;
use super::curves::{Curves, Regressions};
use super::expectation::{State, expected_ln};
use super::model::{Concentrations, KernelTopics};
use super::options::{ConcentrationUpdate, KernelTopicsOptions};
use super::pseudo_data::PseudoData;
use super::refused;
use super::scales::Scales;
use crate::checks::size;
use crate::lda::{Hyperparameters, Lda, gibbs};
use crate::{Corpus, Error, FittedTopics};

/// The least concentration that a fit starts from.
const LEAST: f64 = 1e-3;

/// A fall of the bound by less than this proportion of it is rounding.
const ROUNDING: f64 = 1e-11;

/// The report of a fit. It prints both bounds of each round.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KernelReport {
    /// The bounds at the start and after each round.
    pub bounds: Vec<Bounds>,
    /// The trace of the penalised bound, and why the fit stopped.
    pub search: Report,
}

/// The two bounds of a round.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// The bound of ln p(words | concentrations).
    pub elbo: f64,
    /// ln p(ln concentrations): the density of the Gaussian processes.
    pub ln_prior: f64,
}

impl Bounds {
    /// The penalised bound: both together.
    pub fn penalized(&self) -> f64 {
        self.elbo + self.ln_prior
    }
}

impl fmt::Display for KernelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "round             elbo  elbo + ln prior")?;
        for (round, bounds) in self.bounds.iter().enumerate() {
            writeln!(f, "{round:5} {:16.3} {:16.3}", bounds.elbo, bounds.penalized())?;
        }
        Ok(())
    }
}

/// Fits a kernel topic model: starts from a short run of collapsed Gibbs sampling, and goes on with rounds of
/// variational Bayes and updates of the concentrations at each place.
///
/// The observer sees the penalised bound after each round.
///
/// Cost: sweeps of the start; each round some ten passes over the entries of the corpus x topics, and with
/// [`ConcentrationUpdate::LaplaceBridge`] regressions as those of [`bands`](super::bands). Places are
/// dense: memory is
/// topics x the square of their number.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_topics::Corpus;
/// use posterior_topics::kernel_topics::{BandOptions, Covariates, KernelTopicsOptions, fit};
///
/// // Letters about the harbour become letters about the mill.
/// let words = ["ship", "tide", "wheel", "grain"].map(str::to_owned).to_vec();
/// let rows = (0..12).map(|t| vec![(0, 24 - 2 * t), (1, 12 - t), (2, 2 + t), (3, 1 + 2 * t)]).collect();
/// let names = (0..12).map(|t| format!("letter {t}")).collect();
/// let corpus = Corpus::from_rows(words, names, rows)?;
/// let covariates = Covariates::new(&(0..12).map(f64::from).collect::<Vec<_>>())?;
///
/// let options = KernelTopicsOptions { topics: 2, max_iterations: 5, ..KernelTopicsOptions::default() };
/// let fitted = fit(&corpus, &covariates, &options, &mut Silent)?;
/// let bands = fitted.model.bands(&[0.0, 11.0], &BandOptions::default())?;
/// let harbour = usize::from(bands.median[(0, 1)] > bands.median[(0, 0)]);
/// assert!(bands.median[(0, harbour)] > bands.median[(1, harbour)]);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, another number of documents with covariates than of documents, or what the start and
/// the regressions refuse.
pub fn fit(
    corpus: &Corpus,
    covariates: &Covariates,
    options: &KernelTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<KernelTopics, KernelReport>, Error> {
    options.check()?;
    size("documents with covariates", corpus.documents(), covariates.documents())?;
    let mut run = Run::start(corpus, covariates, options)?;
    let mut bounds = vec![run.update_documents()];
    let mut falls = Vec::new();
    let mut progress = Progress::new(bounds[0].penalized(), options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        run.update_concentrations()?;
        let (last, now) = (bounds[bounds.len() - 1].penalized(), run.update_documents());
        bounds.push(now);
        let gain = now.penalized() - last;
        if options.update == ConcentrationUpdate::Gradient && gain < -ROUNDING * last.abs() {
            falls.push(Fall::new(bounds.len() - 1, -gain));
        }
        if progress.stopped_after(now.penalized()) {
            break Stop::Observer;
        }
        if gain.abs() <= options.tolerance * corpus.tokens() as f64 {
            break Stop::Converged;
        }
    };
    let search = Report { falls, ..progress.finish(stop) };
    let (model, doc_topic) = run.finish()?;
    Ok(FittedTopics { model, doc_topic, report: KernelReport { bounds, search } })
}

/// A fit under way.
struct Run<'a> {
    corpus: &'a Corpus,
    covariates: &'a Covariates,
    options: &'a KernelTopicsOptions,
    places: DMatrix<f64>,
    /// The place of each document.
    place: Vec<usize>,
    state: State,
    /// Places x topics.
    ln_alpha: DMatrix<f64>,
    /// What `ln alpha` is beforehand, a topic.
    means: Vec<f64>,
    scales: Vec<Scales>,
    prior: ConcentrationPrior,
}

impl<'a> Run<'a> {
    fn start(
        corpus: &'a Corpus,
        covariates: &'a Covariates,
        options: &'a KernelTopicsOptions,
    ) -> Result<Self, Error> {
        let sampler = gibbs::LdaGibbsOptions {
            topics: options.topics,
            beta: options.beta,
            iterations: options.start_sweeps,
            draws: 1,
            hyperparameters: Hyperparameters::Optimized,
            seed: options.seed,
            ..gibbs::LdaGibbsOptions::default()
        };
        let start = gibbs::fit(corpus, &sampler, &mut Silent)?;
        let alpha: Vec<f64> = start.model.alpha().iter().map(|a| a.max(LEAST)).collect();
        let word_topic = start.model.expected_counts().to_vec();
        let state = State::new(corpus, word_topic, &start.doc_topic, &alpha, options.beta);
        let (places, place) = covariates.distinct_places();
        let means: Vec<f64> = alpha.iter().map(|a| a.ln()).collect();
        let ln_alpha = DMatrix::from_fn(places.nrows(), options.topics, |_, k| means[k]);
        let data = pseudo_data(&state, &ln_alpha, &place)?;
        let regressions = Regressions { covariates, data: &data, kernel: options.kernel };
        let start = vec![regressions.start()?; options.topics];
        let scales = regressions.learn(&start, options.sharing)?.scales().to_vec();
        let prior = prior_of(options, &places, &scales, &means)?;
        Ok(Self { corpus, covariates, options, places, place, state, ln_alpha, means, scales, prior })
    }

    /// Variational Bayes with the concentrations as they are, and the bounds.
    fn update_documents(&mut self) -> Bounds {
        let alpha = self.ln_alpha.map(f64::exp);
        let elbo = self.state.update(self.corpus, &alpha, &self.place);
        Bounds { elbo, ln_prior: self.prior.ln_density(&self.ln_alpha) }
    }

    fn update_concentrations(&mut self) -> Result<(), Error> {
        match self.options.update {
            ConcentrationUpdate::Gradient => {
                let topics = self.options.topics;
                let mut documents = vec![0.0; self.places.nrows()];
                let mut ln_theta = DMatrix::zeros(self.places.nrows(), topics);
                for (gamma, &place) in self.state.gamma.chunks_exact(topics).zip(&self.place) {
                    documents[place] += 1.0;
                    for (k, expected) in expected_ln(gamma).into_iter().enumerate() {
                        ln_theta[(place, k)] += expected;
                    }
                }
                self.ln_alpha = self.prior.climb(&self.ln_alpha, &Expected { documents, ln_theta });
            }
            ConcentrationUpdate::LaplaceBridge => {
                let curves = self.curves()?;
                for (i, alpha) in curves.concentrations(&self.places)?.into_iter().enumerate() {
                    for (k, a) in alpha.into_iter().enumerate() {
                        self.ln_alpha[(i, k)] = a.ln();
                    }
                }
                self.scales = curves.scales().to_vec();
                self.prior = prior_of(self.options, &self.places, &self.scales, &self.means)?;
            }
        }
        Ok(())
    }

    /// The curves given the documents as they are now, with their parameters learned from those of before.
    fn curves(&self) -> Result<Curves, Error> {
        let data = pseudo_data(&self.state, &self.ln_alpha, &self.place)?;
        let regressions =
            Regressions { covariates: self.covariates, data: &data, kernel: self.options.kernel };
        regressions.learn(&self.scales, self.options.sharing)
    }

    fn finish(self) -> Result<(KernelTopics, DMatrix<f64>), Error> {
        let curves = self.curves()?;
        let topics = self.options.topics;
        let concentrations = match self.options.update {
            ConcentrationUpdate::LaplaceBridge => Concentrations::LaplaceBridge,
            ConcentrationUpdate::Gradient => Concentrations::Gradient(self.concentration_curves()?),
        };
        let documents = self.place.len();
        let alpha = DMatrix::from_fn(documents, topics, |d, k| self.ln_alpha[(self.place[d], k)].exp());
        let average: Vec<f64> = alpha.column_iter().map(|column| column.sum() / documents as f64).collect();
        let gamma = &self.state.gamma;
        let doc_topic = DMatrix::from_fn(documents, topics, |d, k| {
            let row = &gamma[d * topics..][..topics];
            row[k] / row.iter().sum::<f64>()
        });
        let vocabulary = self.corpus.vocabulary().to_vec();
        let lda = Lda::from_counts(vocabulary, average, self.options.beta, self.state.word_topic);
        let covariates = self.covariates.clone();
        Ok((KernelTopics { lda, covariates, alpha, curves, concentrations }, doc_topic))
    }

    fn concentration_curves(&self) -> Result<Vec<GaussianProcessPosterior>, Error> {
        let noise = Noise::known(self.options.place_variance)?;
        let topics = self.scales.iter().zip(&self.means).enumerate();
        topics
            .map(|(k, (scales, &mean))| {
                let process = scales.process(self.options.kernel, mean)?;
                process.condition(&self.places, self.ln_alpha.column(k).as_slice(), &noise).map_err(refused)
            })
            .collect()
    }
}

/// The distribution of `ln alpha`: with the gradient, what documents differ by is no part of it.
fn prior_of(
    options: &KernelTopicsOptions,
    places: &DMatrix<f64>,
    scales: &[Scales],
    means: &[f64],
) -> Result<ConcentrationPrior, Error> {
    let scales: Vec<Scales> = match options.update {
        ConcentrationUpdate::LaplaceBridge => scales.to_vec(),
        ConcentrationUpdate::Gradient => {
            let noise_variance = options.place_variance;
            scales.iter().map(|scales| Scales { noise_variance, ..scales.clone() }).collect()
        }
    };
    ConcentrationPrior::new(places, &scales, options.kernel, means)
}

/// The expected counts of the documents as observations of the curves.
fn pseudo_data(state: &State, ln_alpha: &DMatrix<f64>, place: &[usize]) -> Result<PseudoData, Error> {
    let topics = ln_alpha.ncols();
    let counts = DMatrix::from_fn(place.len(), topics, |d, k| {
        (state.gamma[d * topics + k] - ln_alpha[(place[d], k)].exp()).max(0.0)
    });
    PseudoData::of_counts(&counts)
}
