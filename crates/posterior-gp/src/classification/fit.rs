//! The parameters of kernel and likelihood under which the observations are most probable.

use posterior_math::iteration::{Fitted, Observer, Report, Silent};
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::approximation::EvidenceGradient;
use super::expectation_propagation::{ExpectationPropagation, PropagationOptions, expectation_propagation};
use super::laplace::{Laplace, ModeOptions, laplace};
use super::observations::Observations;
use super::softmax::{Softmax, SoftmaxObservations, softmax};
use crate::likelihood::{Likelihood, LogConcave};
use crate::{Error, Kernel};

/// How to search for parameters.
///
/// ```
/// use posterior_gp::classification::FitOptions;
/// use posterior_math::optimize::LbfgsOptions;
///
/// let options = FitOptions::default().with_search(LbfgsOptions::default().with_max_iterations(20));
/// assert_eq!(options.search.max_iterations, 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FitOptions {
    /// The search on the free scales. A gradient of at most 10⁻⁶ and 100 steps by default.
    pub search: LbfgsOptions,
    /// Laplace's method at each point.
    pub mode: ModeOptions,
    /// Expectation propagation at each point.
    pub propagation: PropagationOptions,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            search: LbfgsOptions::default().with_gradient_tolerance(1e-6).with_max_iterations(100),
            mode: ModeOptions::default(),
            propagation: PropagationOptions::default(),
        }
    }
}

impl FitOptions {
    /// The same options with another search.
    #[must_use]
    pub const fn with_search(self, search: LbfgsOptions) -> Self {
        Self { search, ..self }
    }

    /// The same options with another search for the mode.
    #[must_use]
    pub const fn with_mode(self, mode: ModeOptions) -> Self {
        Self { mode, ..self }
    }

    /// The same options with another propagation.
    #[must_use]
    pub const fn with_propagation(self, propagation: PropagationOptions) -> Self {
        Self { propagation, ..self }
    }
}

/// Maximises Laplace's evidence over the parameters of kernel and likelihood, from those of `kernel` and `observations` on.
///
/// L-BFGS on the free scales; the prior mean stays. The maximum is a local one. The evidence may have none: with enough amplitude,
/// classes that can be separated are explained by ever larger functions, the report then ends where the gradient is within the
/// tolerance. The objective of the report is the evidence.
///
/// # Errors
/// As [`laplace`] at the start. Later points that fail shorten the step.
pub fn fit_laplace<L: Likelihood>(
    observations: &Observations<L>,
    kernel: &Kernel,
    options: &FitOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Laplace<L>>, Error> {
    let approximate = |observations: &Observations<L>, kernel: &Kernel| {
        laplace(observations, kernel, &options.mode, &mut Silent).map(|fitted| fitted.model)
    };
    let evidence = |model: &Laplace<L>| (model.ln_evidence(), model.gradient());
    climb(observations, kernel, options, observer, approximate, evidence)
}

/// Maximises the evidence of expectation propagation, as [`fit_laplace`].
///
/// # Errors
/// As [`expectation_propagation`] at the start. Later points that fail shorten the step.
pub fn fit_expectation_propagation<L: LogConcave>(
    observations: &Observations<L>,
    kernel: &Kernel,
    options: &FitOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ExpectationPropagation<L>>, Error> {
    let approximate = |observations: &Observations<L>, kernel: &Kernel| {
        expectation_propagation(observations, kernel, &options.propagation, &mut Silent)
            .map(|fitted| fitted.model)
    };
    let evidence = |model: &ExpectationPropagation<L>| (model.ln_evidence(), model.gradient());
    climb(observations, kernel, options, observer, approximate, evidence)
}

/// Maximises the evidence of several classes over the parameters of the kernels: of one that all classes share, or of one for each.
///
/// # Errors
/// As [`softmax`] at the start. Later points that fail shorten the step.
pub fn fit_softmax(
    observations: &SoftmaxObservations,
    kernels: &[Kernel],
    options: &FitOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Softmax>, Error> {
    let at = |free: &[f64]| {
        let mut rest = free;
        let mut moved = Vec::with_capacity(kernels.len());
        for kernel in kernels {
            let (own, others) = rest.split_at(kernel.parameters().len());
            moved.push(kernel.with_free_parameters(own)?);
            rest = others;
        }
        softmax(observations, &moved, &options.mode, &mut Silent).map(|fitted| fitted.model)
    };
    let start: Vec<f64> = kernels.iter().flat_map(Kernel::free_parameters).collect();
    maximize(&start, &options.search, observer, at, |model| (model.ln_evidence(), model.gradient().concat()))
}

/// The fit of kernel and likelihood by any approximation.
fn climb<L: Likelihood, M>(
    observations: &Observations<L>,
    kernel: &Kernel,
    options: &FitOptions,
    observer: &mut (impl Observer + ?Sized),
    approximate: impl Fn(&Observations<L>, &Kernel) -> Result<M, Error>,
    evidence: impl Fn(&M) -> (f64, EvidenceGradient),
) -> Result<Fitted<M>, Error> {
    let parameters = observations.likelihood().parameters();
    let mut start = kernel.free_parameters();
    let of_kernel = start.len();
    start.extend(parameters.iter().map(crate::kernel::Parameter::free));
    let at = |free: &[f64]| {
        let (kernel_free, likelihood_free) = free.split_at(of_kernel);
        let values: Vec<f64> =
            parameters.iter().zip(likelihood_free).map(|(p, &free)| p.scale.value(free)).collect();
        let likelihood = observations.likelihood().with_parameters(&values)?;
        let observations = observations.clone().with_likelihood(likelihood);
        approximate(&observations, &kernel.with_free_parameters(kernel_free)?)
    };
    maximize(&start, &options.search, observer, at, |model| {
        let (value, gradient) = evidence(model);
        (value, [gradient.kernel, gradient.likelihood].concat())
    })
}

/// Maximises an evidence on the free scales: the model at the best point, and the report of the evidence.
fn maximize<M>(
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
    at: impl Fn(&[f64]) -> Result<M, Error>,
    evidence: impl Fn(&M) -> (f64, Vec<f64>),
) -> Result<Fitted<M>, Error> {
    // What is wrong with the question itself is an error, not a step too long.
    at(start)?;
    let negative = |free: &[f64], gradient: &mut [f64]| {
        let Ok(model) = at(free) else { return f64::NAN };
        let (value, slopes) = evidence(&model);
        for (to, from) in gradient.iter_mut().zip(slopes) {
            *to = -from;
        }
        -value
    };
    let mut turned = |step: &posterior_math::iteration::Step| {
        observer.step(&posterior_math::iteration::Step::new(step.iteration, -step.objective, step.elapsed))
    };
    let found = minimize(negative, start, options, &mut turned);
    let Report { trace, stop, .. } = found.report;
    let report = Report::new(trace.into_iter().map(|value| -value).collect(), stop);
    Ok(Fitted { model: at(&found.model.point)?, report })
}
