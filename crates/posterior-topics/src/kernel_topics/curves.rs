//! One Gaussian process a topic, given what the documents say.

use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, fit};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::regression::Prediction;
use posterior_gp::solver::{AnyPosterior, Solver, SolverRegression};
use posterior_math::ParamError;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LbfgsOptions;
use rayon::prelude::*;

use super::covariates::Covariates;
use super::laplace_bridge;
use super::pseudo_data::PseudoData;
use super::refused;
use super::scales::{Scales, Sharing, TimeKernel};
use crate::Error;
use crate::checks::{index, size};

/// Between which values variances are looked for, in squares of the logarithm of a proportion.
const VARIANCES: (f64, f64) = (1e-4, 1e2);

/// The effect of one label on a topic: on the scale of `eta`, where a difference of ln 2 doubles the odds
/// against another topic.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Effect {
    /// The label.
    pub label: String,
    /// The mean of its offset.
    pub mean: f64,
    /// The standard deviation of its offset.
    pub sd: f64,
}

/// The curves of all topics: `eta_k(x)` as independent Gaussian processes given the documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    topics: Vec<AnyPosterior>,
    means: Vec<f64>,
    scales: Vec<Scales>,
    ln_evidence: f64,
}

/// Observations of the curves, and how the kernels are made.
#[derive(Debug, Clone)]
pub(super) struct Regressions<'a> {
    pub(super) covariates: &'a Covariates,
    pub(super) data: &'a PseudoData,
    pub(super) kernel: TimeKernel,
}

impl Regressions<'_> {
    /// Where a search begins.
    pub(super) fn start(&self) -> Result<Scales, Error> {
        let (span, step) = self.covariates.span_and_step();
        let length = if span > 0.0 { (span / 15.0).max(step.min(span)) } else { 1.0 };
        Ok(Scales::new(1.0, length, &vec![0.2; self.covariates.kinds().len()], 0.5)?)
    }

    /// The curves with the parameters that make the observations most probable.
    pub(super) fn learn(&self, start: &[Scales], sharing: Sharing) -> Result<Curves, Error> {
        let problems = self.problems(start)?;
        let options = self.fit_options(&problems[0]);
        let found: Vec<(AnyPosterior, Scales)> = match sharing {
            Sharing::PerTopic => problems
                .par_iter()
                .map(|problem| {
                    let fitted = fit(problem, &options, &mut Silent).map_err(refused)?;
                    let values: Vec<f64> = fitted.report.parameters.iter().map(|p| p.value).collect();
                    Ok((fitted.model, Scales::from_parameters(&values)?))
                })
                .collect::<Result<_, Error>>()?,
            Sharing::Shared => {
                let fitted = fit(&Together { problems }, &options, &mut Silent).map_err(refused)?;
                let values: Vec<f64> = fitted.report.parameters.iter().map(|p| p.value).collect();
                let scales = Scales::from_parameters(&values)?;
                fitted.model.into_iter().map(|topic| (topic, scales.clone())).collect()
            }
        };
        let (topics, scales) = found.into_iter().unzip();
        Ok(self.curves(topics, scales))
    }

    fn curves(&self, topics: Vec<AnyPosterior>, scales: Vec<Scales>) -> Curves {
        let ln_evidence = topics.iter().map(AnyPosterior::ln_evidence).sum();
        Curves { topics, means: self.means(), scales, ln_evidence }
    }

    /// The average observation of each topic, by precision.
    fn means(&self) -> Vec<f64> {
        let columns = self.data.mean.column_iter().zip(self.data.variance.column_iter());
        columns
            .map(|(mean, variance)| {
                let sum: f64 = mean.iter().zip(&variance).map(|(y, v)| y / (v + 1.0)).sum();
                sum / variance.iter().map(|v| (v + 1.0).recip()).sum::<f64>()
            })
            .collect()
    }

    fn problems(&self, scales: &[Scales]) -> Result<Vec<SolverRegression>, Error> {
        let places = self.covariates.places();
        // Only a posterior by a dense factor tells its terms apart.
        let solver = if self.covariates.kinds().len() == 0 { Solver::Auto } else { Solver::Dense };
        let topics = scales.iter().zip(self.means()).enumerate();
        topics
            .map(|(k, (scales, mean))| {
                let process = scales.process(self.kernel, mean)?;
                let outputs: Vec<f64> = self.data.mean.column(k).iter().copied().collect();
                let variances: Vec<f64> = self.data.variance.column(k).iter().copied().collect();
                let noise = scales.noise(&variances)?;
                SolverRegression::new(process, noise, (&places, &outputs), &solver).map_err(refused)
            })
            .collect()
    }

    fn fit_options(&self, problem: &SolverRegression) -> HyperparameterOptions {
        let (span, step) = self.covariates.span_and_step();
        let lengths = if span > 0.0 { ((0.5 * step).max(1e-3 * span), 4.0 * span) } else { (0.5, 2.0) };
        let search = LbfgsOptions {
            gradient_tolerance: 1e-4,
            value_tolerance: 1e-6,
            max_iterations: 50,
            ..LbfgsOptions::default()
        };
        let names = problem.parameters().into_iter().map(|parameter| parameter.name).enumerate();
        names.fold(
            HyperparameterOptions { search, ..HyperparameterOptions::default() },
            |options, (place, name)| {
                let (lower, upper) = if place == 1 { lengths } else { VARIANCES };
                options.with_limits(name, lower, upper)
            },
        )
    }
}

impl Curves {
    /// The curves of any fitted topic model, from the proportions (documents x topics) and lengths in tokens
    /// of its documents, with the parameters of kernels that make them most probable. Documents without
    /// tokens are left out.
    ///
    /// Cost: some tens of Cholesky factors of documents x documents for each topic; with times alone a filter
    /// in place of them from 1000 documents on, unless the kernel is squared exponential. With labels there
    /// may be no more than 10,000 documents.
    ///
    /// ```
    /// use posterior_math::linalg::DMatrix;
    /// use posterior_topics::kernel_topics::{Covariates, Curves, Sharing, TimeKernel};
    ///
    /// // The second speaker has three times the odds of the first topic.
    /// let labels: Vec<&str> = (0..40).map(|d| if d % 2 == 0 { "Ann" } else { "Ben" }).collect();
    /// let times: Vec<f64> = (0..40).map(f64::from).collect();
    /// let covariates = Covariates::new(&times)?.with_labels("speaker", &labels)?;
    /// let doc_topic = DMatrix::from_fn(40, 2, |d, k| {
    ///     let proportion = if d % 2 == 0 { 0.25 } else { 0.5 };
    ///     if k == 0 { proportion } else { 1.0 - proportion }
    /// });
    /// let curves = Curves::learn(&doc_topic, &[1000; 40], &covariates, TimeKernel::Matern32,
    /// Sharing::Shared)?; let speakers = &curves.effects(&covariates, 0)?[0];
    /// assert!(speakers[1].mean > speakers[0].mean);
    /// # Ok::<(), posterior_topics::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the three do not speak of the same number of documents, there are fewer than two topics, a
    /// proportion is negative or not finite, or no document has tokens.
    pub fn learn(
        doc_topic: &DMatrix<f64>,
        lengths: &[u64],
        covariates: &Covariates,
        kernel: TimeKernel,
        sharing: Sharing,
    ) -> Result<Self, Error> {
        let (documents, topics) = doc_topic.shape();
        size("lengths of documents", documents, lengths.len())?;
        size("documents with covariates", documents, covariates.documents())?;
        if let Some(proportion) =
            doc_topic.iter().find(|&&proportion| !(proportion >= 0.0 && proportion.is_finite()))
        {
            return Err(ParamError::new("Curves", "doc_topic", *proportion, "non-negative and finite").into());
        }
        let used: Vec<usize> = (0..documents).filter(|&d| lengths[d] > 0).collect();
        let covariates = covariates.select(&used)?;
        let counts =
            DMatrix::from_fn(used.len(), topics, |d, k| lengths[used[d]] as f64 * doc_topic[(used[d], k)]);
        let data = PseudoData::of_counts(&counts)?;
        let regressions = Regressions { covariates: &covariates, data: &data, kernel };
        regressions.learn(&vec![regressions.start()?; topics], sharing)
    }

    /// The number of topics.
    #[expect(clippy::len_without_is_empty, reason = "there are at least two topics")]
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// The parameters of each topic's kernel.
    pub fn scales(&self) -> &[Scales] {
        &self.scales
    }

    /// The logarithm of the density of the documents' observations, all topics together.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Means and variances (places x topics) of `eta` without noise at places of [`Covariates`], one a row.
    ///
    /// # Errors
    /// Places with another number of coordinates, or with one that is not finite.
    pub fn predict(&self, places: &DMatrix<f64>) -> Result<(DMatrix<f64>, DMatrix<f64>), Error> {
        let predictions: Result<Vec<Prediction>, posterior_gp::Error> =
            self.topics.par_iter().map(|topic| topic.latent(places)).collect();
        Ok(columns(&predictions.map_err(refused)?))
    }

    /// The concentrations of the topics at places, one vector each: those of new documents, with the noise,
    /// back over the Laplace bridge.
    pub(super) fn concentrations(&self, places: &DMatrix<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let (mean, variance) = self.predict(places)?;
        let at = |i: usize| {
            let mean: Vec<f64> = mean.row(i).iter().copied().collect();
            let noise = self.scales.iter().map(|scales| scales.noise_variance);
            let variance: Vec<f64> = variance.row(i).iter().zip(noise).map(|(v, noise)| v + noise).collect();
            Ok(laplace_bridge::to_dirichlet(&mean, &variance)?)
        };
        (0..places.nrows()).map(at).collect()
    }

    /// Means and variances (times x topics) of level and function of time together, offsets of labels left
    /// out.
    ///
    /// # Errors
    /// A time that is not finite.
    pub fn over_time(&self, times: &[f64]) -> Result<(DMatrix<f64>, DMatrix<f64>), Error> {
        let kinds = self.scales.first().map_or(0, |scales| scales.label_variances.len());
        let places = DMatrix::from_fn(times.len(), 1 + kinds, |t, j| if j == 0 { times[t] } else { 0.0 });
        if kinds == 0 {
            return self.predict(&places);
        }
        let of_topic = |(topic, &mean): (&AnyPosterior, &f64)| match topic {
            AnyPosterior::Dense(posterior) => {
                let mut prediction = posterior.component(&[0, 1])?.latent(&places)?;
                prediction.mean.add_scalar_mut(mean);
                Ok(prediction)
            }
            other => other.latent(&places),
        };
        let predictions: Result<Vec<Prediction>, posterior_gp::Error> =
            self.topics.par_iter().zip(&self.means).map(of_topic).collect();
        Ok(columns(&predictions.map_err(refused)?))
    }

    /// The offsets of the labels of a kind: for each topic, one for each label of `covariates`, with which
    /// the curves were fitted.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn effects(&self, covariates: &Covariates, kind: usize) -> Result<Vec<Vec<Effect>>, Error> {
        index("kind", kind, covariates.kinds().len())?;
        let labels = covariates.labels(kind);
        let start = covariates.times()[0];
        let places = DMatrix::from_fn(labels.len(), 1 + covariates.kinds().len(), |l, j| match j {
            0 => start,
            j if j == 1 + kind => l as f64,
            _ => 0.0,
        });
        let of_topic = |topic: &AnyPosterior| {
            let term = topic.latent_components(&places).map_err(refused)?.swap_remove(2 + kind);
            let effect = |(l, label): (usize, &String)| Effect {
                label: label.clone(),
                mean: term.mean[l],
                sd: term.variance[l].sqrt(),
            };
            Ok(labels.iter().enumerate().map(effect).collect())
        };
        self.topics.par_iter().map(of_topic).collect()
    }
}

/// Predictions of topics as columns of means and of variances.
fn columns(predictions: &[Prediction]) -> (DMatrix<f64>, DMatrix<f64>) {
    let mean: Vec<_> = predictions.iter().map(|prediction| prediction.mean.clone()).collect();
    let variance: Vec<_> = predictions.iter().map(|prediction| prediction.variance.clone()).collect();
    (DMatrix::from_columns(&mean), DMatrix::from_columns(&variance))
}

/// Topics that have their parameters in common.
struct Together {
    problems: Vec<SolverRegression>,
}

impl Learnable for Together {
    type Model = Vec<AnyPosterior>;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.problems[0].parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(Self::Model, f64), posterior_gp::Error> {
        let models: Vec<(AnyPosterior, f64)> =
            self.problems.par_iter().map(|problem| problem.model(free)).collect::<Result<_, _>>()?;
        let ln_evidence = models.iter().map(|(_, ln_evidence)| ln_evidence).sum();
        Ok((models.into_iter().map(|(model, _)| model).collect(), ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, posterior_gp::Error> {
        let of_topic = |problem: &SolverRegression| {
            let mut own = vec![0.0; free.len()];
            problem.ln_evidence(free, &mut own).map(|ln_evidence| (ln_evidence, own))
        };
        let parts: Vec<(f64, Vec<f64>)> = self.problems.par_iter().map(of_topic).collect::<Result<_, _>>()?;
        gradient.fill(0.0);
        let mut sum = 0.0;
        for (ln_evidence, own) in parts {
            sum += ln_evidence;
            for (gradient, own) in gradient.iter_mut().zip(own) {
                *gradient += own;
            }
        }
        Ok(sum)
    }

    fn observations(&self) -> usize {
        self.problems.iter().map(Learnable::observations).sum()
    }
}
