//! Log-linear fields by maximum likelihood: the expected features equal the observed ones.

use posterior_math::iteration::{Fitted, Observer};
use posterior_math::optimize::{LbfgsOptions, minimize};
use posterior_pgm::{Evidence, LogLinear, MarkovRandomField, Table};

use crate::{Error, FactorEngine, Targets};

/// How to fit a log-linear field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogLinearOptions {
    /// λ of the penalty λ ‖w‖² / 2 for each record: a normal prior of the weights with the precision λ ·
    /// records. 0 by default.
    pub penalty: f64,
    /// How to minimise.
    pub lbfgs: LbfgsOptions,
}

impl Default for LogLinearOptions {
    fn default() -> Self {
        Self { penalty: 0.0, lbfgs: LbfgsOptions::default() }
    }
}

impl LogLinearOptions {
    pub(super) fn check(&self) -> Result<(), Error> {
        posterior_math::check::non_negative("LogLinearOptions", "penalty", self.penalty)
            .map(|_| ())
            .map_err(|error| Error::Model(error.into()))
    }

    /// Adds the penalty to an objective and its gradient.
    pub(super) fn penalize(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        for (g, w) in gradient.iter_mut().zip(weights) {
            *g += self.penalty * w;
        }
        0.5 * self.penalty * weights.iter().map(|w| w * w).sum::<f64>()
    }
}

/// The weights of greatest likelihood, given the mean of each feature in the data
/// ([`LogLinear::feature_means`]): those for which E f = mean f (without a penalty). From the weights of
/// `start`, by L-BFGS; the objective ln Z(w) − w · mean + λ ‖w‖² / 2 is convex, so that the start decides
/// only between equally good weights.
///
/// The gradient E f − mean needs the posterior of each factor's variables: any engine gives it. An
/// approximate one gives the maximum of its own approximation.
///
/// # Errors
/// The wrong number of means, a penalty that is negative, or what the engine refuses.
pub fn fit_log_linear<E: FactorEngine>(
    engine: &E,
    start: LogLinear,
    means: &[f64],
    options: &LogLinearOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<LogLinear>, Error> {
    options.check()?;
    if means.len() != start.features().len() {
        return Err(Error::OtherModel { reason: "one mean for each feature is needed" });
    }
    let plan = engine.plan(&start.field()?.0, &Targets::All)?;
    let weights = start.weights().to_vec();
    let mut failure = None;
    let objective = |weights: &[f64], gradient: &mut [f64]| match likelihood(
        engine, &plan, &start, weights, means, gradient,
    ) {
        Ok(value) => value + options.penalize(weights, gradient),
        Err(error) => {
            failure = Some(error);
            f64::NAN
        }
    };
    let found = minimize(objective, &weights, &options.lbfgs, observer);
    match failure.filter(|_| !found.model.value.is_finite()) {
        Some(error) => Err(error),
        None => Ok(Fitted { model: start.with_weights(found.model.point)?, report: found.report }),
    }
}

/// ln Z(w) − w · mean, and its gradient E f − mean.
fn likelihood<E: FactorEngine>(
    engine: &E,
    plan: &E::Plan,
    model: &LogLinear,
    weights: &[f64],
    means: &[f64],
    gradient: &mut [f64],
) -> Result<f64, Error> {
    let model = model.clone().with_weights(weights.to_vec())?;
    let (field, ln_scale): (MarkovRandomField, f64) = model.field()?;
    let (marginals, ln_z) = engine.factor_marginals(&field, plan, &Evidence::none())?;
    for (k, (g, feature)) in gradient.iter_mut().zip(model.features()).enumerate() {
        *g = expectation(feature, &marginals[model.factor_of(k)]) - means[k];
    }
    let fit: f64 = weights.iter().zip(means).map(|(w, mean)| w * mean).sum();
    Ok(ln_z.value() + ln_scale - fit)
}

/// E f, of tables in the same layout.
fn expectation(feature: &Table, marginal: &Table) -> f64 {
    feature.values().iter().zip(marginal.values()).map(|(f, p)| f * p).sum()
}
