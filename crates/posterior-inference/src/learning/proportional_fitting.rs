//! Iterative proportional fitting: the field with given marginals of some sets of variables.

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, Variables};

use crate::{Error, FactorEngine, Targets};

/// When iterative proportional fitting stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittingOptions {
    /// The largest difference between a marginal and its target that is let pass. 10⁻¹⁰ by default.
    pub tolerance: f64,
    /// The largest number of rounds through all marginals. 1000 by default.
    pub max_iterations: usize,
}

impl Default for FittingOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 1000 }
    }
}

/// The field of greatest entropy with these marginals: one factor for each, multiplied in turn by target /
/// marginal. It is also the field of greatest likelihood for data with these frequencies.
///
/// The objective in the report is ∑ₛ ∑ target ln f − ln Z, the log-likelihood of a record, which never falls.
/// Marginals that contradict each other have no field: the report then says that it did not converge.
///
/// # Errors
/// Targets that do not fit the variables, are negative or do not add up to one (to 10⁻⁹), or what the engine
/// refuses.
///
/// # References
/// W. Deming, F. Stephan, On a least squares adjustment of a sampled frequency table, AMS 11, 1940.
pub fn fit_marginals<E: FactorEngine>(
    engine: &E,
    variables: Variables,
    targets: &[Table],
    options: &FittingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<MarkovRandomField>, Error> {
    posterior_math::check::non_negative("FittingOptions", "tolerance", options.tolerance)?;
    for target in targets {
        let total = target.total();
        if !((total - 1.0).abs() <= 1e-9) {
            let scope = format!("{:?}", target.scope());
            let reason = format!("the marginal adds up to {total}");
            return Err(Error::Model(posterior_pgm::Error::Shape { scope, reason }));
        }
    }
    let ones = targets.iter().map(|target| target.map(|p| if p > 0.0 { 1.0 } else { 0.0 })).collect();
    let mut model = MarkovRandomField::new(variables, ones)?;
    // The targets are checked like factors: no negative or missing number.
    MarkovRandomField::new(model.variables().clone(), targets.to_vec())?;
    let plan = engine.plan(&model, &Targets::All)?;
    let fit = Fit { engine, plan, targets };
    let (mut objective, _) = fit.measure(&model)?;
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        for s in 0..targets.len() {
            model = fit.scale(&model, s)?;
        }
        let mismatch;
        (objective, mismatch) = fit.measure(&model)?;
        if progress.stopped_after(objective) {
            break Stop::Observer;
        }
        if mismatch <= options.tolerance {
            break Stop::Converged;
        }
    };
    Ok(Fitted { model, report: progress.finish(stop) })
}

struct Fit<'a, E: FactorEngine> {
    engine: &'a E,
    plan: E::Plan,
    targets: &'a [Table],
}

impl<E: FactorEngine> Fit<'_, E> {
    /// The log-likelihood of a record, and the largest difference between a marginal and its target.
    fn measure(&self, model: &MarkovRandomField) -> Result<(f64, f64), Error> {
        let (marginals, ln_z) = self.engine.factor_marginals(model, &self.plan, &Evidence::none())?;
        let factors = model.factors();
        let mut objective = -ln_z.value();
        let mut mismatch = 0.0_f64;
        for ((target, marginal), factor) in self.targets.iter().zip(&marginals).zip(factors) {
            for ((&target, marginal), factor) in
                target.values().iter().zip(marginal.values()).zip(factor.values())
            {
                mismatch = mismatch.max((target - marginal).abs());
                if target > 0.0 {
                    objective += target * factor.ln();
                }
            }
        }
        Ok((objective, mismatch))
    }

    /// Factor `s` times target / marginal.
    fn scale(&self, model: &MarkovRandomField, s: usize) -> Result<MarkovRandomField, Error> {
        let (marginals, _) = self.engine.factor_marginals(model, &self.plan, &Evidence::none())?;
        let ratios = self.targets[s].quotient(&marginals[s])?;
        let mut factors = model.factors().to_vec();
        let values = factors[s].values().iter().zip(ratios.values()).map(|(f, ratio)| f * ratio).collect();
        factors[s] = Table::new(factors[s].scope().to_vec(), factors[s].cards().to_vec(), values)?;
        Ok(MarkovRandomField::new(model.variables().clone(), factors)?)
    }
}
