//! Negative binomial regression whose size is fitted with the coefficients.

use posterior_math::iteration::{Fitted, Observer, Progress, Silent, Stop};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::special::{digamma_difference, trigamma_difference};

use super::climb::GlmFitOptions;
use super::family::Family;
use super::fitted::GlmFit;
use super::model::Glm;
use super::observations::GlmData;
use super::pass::Want;
use super::prior::CoefficientPrior;
use super::response_distribution::Curvature;
use crate::Error;

/// Counts with mean e^η and variance μ + μ²/θ, where the size θ is not known: coefficients and θ that are
/// most probable together.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::{GlmFitOptions, NegativeBinomialRegression, GlmData};
///
/// let design = DMatrix::from_element(8, 1, 1.0);
/// let counts = [0.0, 1.0, 0.0, 7.0, 2.0, 0.0, 12.0, 2.0];
/// let model = NegativeBinomialRegression::new(GlmData::new(&design, &counts)?)?;
/// let fitted = model.fit(&GlmFitOptions::default(), &mut Silent)?.model;
/// // The mean of equal rows is their average, and they vary by much more than Poisson counts.
/// assert!((fitted.fit.coefficients[0] - 3_f64.ln()).abs() < 1e-10);
/// assert!(fitted.size.is_some_and(|size| size.value < 1.0));
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # References
/// J. F. Lawless, Negative binomial and mixed Poisson regression, Canadian Journal of Statistics 15, 1987.
#[derive(Debug, Clone, PartialEq)]
pub struct NegativeBinomialRegression<'a> {
    data: GlmData<'a>,
    prior: CoefficientPrior,
}

/// A fitted negative binomial regression.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NegativeBinomialFit {
    /// The coefficients, with all figures at the fitted size as if that were known: their errors are those of
    /// R's `glm.nb`. Those of the Poisson distribution where there is no size. The criteria do not count the
    /// size as a parameter.
    pub fit: GlmFit,
    /// θ. None where counts vary no more than Poisson counts: the likelihood then rises as θ goes to
    /// infinity.
    pub size: Option<Size>,
}

/// A fitted size.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Size {
    /// The size θ.
    pub value: f64,
    /// Its standard error, by the observed information of coefficients and size together.
    pub standard_error: f64,
    /// The inverse of that information, of the coefficients and, last, of ln θ.
    pub covariance: DMatrix<f64>,
}

/// How often coefficients and size are found in turn. Their errors are independent in large samples, so that
/// few turns are needed.
const TURNS: usize = 200;

/// The end: changes of ln θ, whose standard error is never below that of about √(2/n).
const SETTLED: f64 = 1e-11;

/// A size beyond this multiple of the mean count: no distribution tells it from Poisson's.
const POISSON_FROM: f64 = 1e8;

/// Steps of Newton's method for ln θ, and the longest of them.
const STEPS: usize = 100;
const LONGEST: f64 = 2.0;

impl<'a> NegativeBinomialRegression<'a> {
    /// The model of these counts, with a flat prior of the coefficients (and of ln θ, or any other function
    /// of θ: only the most likely θ is found).
    ///
    /// # Errors
    /// Responses that are no counts.
    pub fn new(data: GlmData<'a>) -> Result<Self, Error> {
        Glm::new(Family::Poisson, data.clone())?;
        let prior = CoefficientPrior::flat(data.columns());
        Ok(Self { data, prior })
    }

    /// With this prior of the coefficients.
    ///
    /// # Errors
    /// A prior of another number of coefficients.
    pub fn with_prior(self, prior: CoefficientPrior) -> Result<Self, Error> {
        self.at(Family::Poisson)?.with_prior(prior.clone())?;
        Ok(Self { prior, ..self })
    }

    fn at(&self, family: Family) -> Result<Glm<'a>, Error> {
        Glm::new(family, self.data.clone())?.with_prior(self.prior.clone())
    }

    /// The most probable coefficients and the most likely size, in turn from the Poisson fit on: the observer
    /// sees ln p(y, β | θ) after each turn.
    ///
    /// # Errors
    /// As [`Glm::fit`]. [`Error::NoFit`] if the size does not settle, or if the information of coefficients
    /// and size is not positive definite.
    ///
    /// # Cost
    /// A few fits of a known size, the later ones from where the earlier ones ended, and some n digamma
    /// functions for each.
    pub fn fit(
        &self,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<NegativeBinomialFit>, Error> {
        let poisson = self.at(Family::Poisson)?.fit(options, &mut Silent)?.model;
        let value =
            |fit: &GlmFit| fit.ln_likelihood.unwrap_or(f64::NAN) + self.prior.ln_density(&fit.coefficients);
        let mut progress = Progress::new(value(&poisson), TURNS, observer);
        let counts = self.counts(&poisson.coefficients);
        let Some(mut size) = counts.moment() else {
            let model = NegativeBinomialFit { fit: poisson, size: None };
            return Ok(Fitted { model, report: progress.finish(Stop::Converged) });
        };
        let mut coefficients = poisson.coefficients.clone();
        size = counts.most_likely(size);
        loop {
            if size > POISSON_FROM * counts.mean() {
                let model = NegativeBinomialFit { fit: poisson, size: None };
                return Ok(Fitted { model, report: progress.finish(Stop::Converged) });
            }
            let glm = self.at(Family::negative_binomial(size)?)?;
            let fit = glm.fit_at(1.0, Some(coefficients), options, &mut Silent)?.model;
            let observed = progress.stopped_after(value(&fit));
            let counts = self.counts(&fit.coefficients);
            let next = counts.most_likely(size);
            let settled = (next / size).ln().abs() <= SETTLED;
            if observed || settled || progress.exhausted() {
                let stop = match (settled, observed) {
                    (true, _) => Stop::Converged,
                    (false, true) => Stop::Observer,
                    _ => Stop::MaxIterations,
                };
                let size = Some(self.size(&glm, &fit.coefficients, &counts, size)?);
                return Ok(Fitted {
                    model: NegativeBinomialFit { fit, size },
                    report: progress.finish(stop),
                });
            }
            (size, coefficients) = (next, fit.coefficients);
        }
    }

    fn counts(&self, coefficients: &[f64]) -> Counts<'_> {
        let means = self.data.predictors(coefficients).into_iter().map(f64::exp).collect();
        Counts { data: &self.data, means }
    }

    /// θ with the inverse information of everything.
    fn size(
        &self,
        glm: &Glm<'a>,
        coefficients: &[f64],
        counts: &Counts<'_>,
        size: f64,
    ) -> Result<Size, Error> {
        let p = self.data.columns();
        let of_coefficients =
            glm.joint(coefficients, 1.0, Want::Information(Curvature::Observed)).information;
        let mut information = DMatrix::zeros(p + 1, p + 1);
        information.view_mut((0, 0), (p, p)).copy_from(&of_coefficients);
        for column in 0..p {
            let x = self.data.column(column);
            information[(p, column)] =
                counts.sum(|row, y, mean| -x[row] * size * (y - mean) * mean / (size + mean).powi(2));
        }
        information[(p, p)] = -counts.slopes(size)[1];
        let why = "the information of coefficients and size is not positive definite";
        let covariance = Cholesky::new(&information).map_err(|_| Error::NoFit { why })?.inverse();
        Ok(Size { value: size, standard_error: size * covariance[(p, p)].sqrt(), covariance })
    }
}

/// Counts with their means.
struct Counts<'m> {
    data: &'m GlmData<'m>,
    means: Vec<f64>,
}

impl Counts<'_> {
    /// The weighted sum of a function of row, count and mean.
    fn sum(&self, term: impl Fn(usize, f64, f64) -> f64) -> f64 {
        let rows = self.data.response().iter().zip(&self.means).enumerate();
        rows.map(|(row, (y, mean))| match self.data.weight(row) {
            0.0 => 0.0,
            weight => weight * term(row, *y, *mean),
        })
        .sum()
    }

    fn mean(&self) -> f64 {
        self.sum(|_, y, _| y) / self.sum(|_, _, _| 1.0)
    }

    /// The size that matches the excess of squares over those of Poisson counts. None if there is no excess,
    /// which is where the likelihood does not fall towards θ = ∞: its derivative by 1/θ there is half of the
    /// excess.
    fn moment(&self) -> Option<f64> {
        let excess = self.sum(|_, y, mean| (y - mean).powi(2) - y);
        (excess > 0.0).then(|| self.sum(|_, _, mean| mean * mean) / excess)
    }

    /// The first two derivatives of the log-likelihood by ln θ.
    fn slopes(&self, size: f64) -> [f64; 2] {
        let first = |_: usize, y: f64, mean: f64| {
            digamma_difference(size, y) - (mean / size).ln_1p() + (mean - y) / (mean + size)
        };
        let second = |_: usize, y: f64, mean: f64| {
            let total = mean + size;
            mean / size / total - trigamma_difference(size, y) - (mean - y) / (total * total)
        };
        let slope = size * self.sum(first);
        [slope, slope + size * size * self.sum(second)]
    }

    /// The most likely size at these means: by Newton's method for ln θ, with steps uphill of bounded length.
    fn most_likely(&self, start: f64) -> f64 {
        let mut size = start;
        let far = POISSON_FROM * self.mean();
        for _ in 0..STEPS {
            let [slope, curvature] = self.slopes(size);
            let newton = -slope / curvature;
            let step = if curvature < 0.0 { newton.clamp(-LONGEST, LONGEST) } else { slope.signum() };
            let next = size * step.exp();
            if !(next > 0.0 && next.is_finite()) {
                break;
            }
            size = next;
            if step.abs() <= 0.1 * SETTLED || size > far {
                break;
            }
        }
        size
    }
}
