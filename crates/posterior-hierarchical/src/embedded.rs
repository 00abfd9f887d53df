//! The posterior of the hyperparameters, with the latent values integrated out, as a target.

use posterior_dist::target::{EvalError, GradTarget, Target};

use crate::Error;
use crate::engine::Engine;
use crate::model::HierarchicalModel;

/// ln p(θ, y) on the lines from which the hyperparameters are mapped, with the latent values integrated out
/// by Laplace's method: for chains over the hyperparameters alone. For Gaussian responses it is exact.
///
/// The gradient is exact, and costs a few solutions more than the value.
///
/// # References
/// C. Margossian, A. Vehtari, D. Simpson, R. Agrawal, Hamiltonian Monte Carlo using an adjoint-differentiated
/// Laplace approximation, NeurIPS 33 (2020).
///
/// ```
/// use posterior_dist::target::GradTarget as _;
/// use posterior_hierarchical::{EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel, PlaceEffect as _};
///
/// let groups = FieldEffect::groups("group", 3)?.at(&[0, 0, 1, 1, 2, 2])?;
/// let model = HierarchicalModel::new(FamilyResponse::poisson(), &[2.0, 3.0, 0.0, 1.0, 5.0, 8.0])?
///     .intercept()?
///     .effect(groups)?;
/// let target = EmbeddedLaplace::new(&model)?;
/// let mut gradient = [0.0];
/// // The groups differ: a standard deviation of a half is more probable than next to nothing.
/// let at_half = target.ln_density_grad(&[0.5_f64.ln()], &mut gradient)?;
/// assert!(at_half > target.ln_density_grad(&[0.01_f64.ln()], &mut gradient)? && gradient[0] > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EmbeddedLaplace<'m> {
    engine: Engine<'m>,
    /// The mode at the starts, from which all searches begin, so that values do not depend on the order.
    x: Vec<f64>,
}

impl<'m> EmbeddedLaplace<'m> {
    /// The posterior of the hyperparameters, with fixed effects integrated out.
    ///
    /// # Errors
    /// As [`HierarchicalModel::fit`]; no mode at the starts of the hyperparameters.
    pub fn new(model: &'m HierarchicalModel) -> Result<Self, Error> {
        let engine = Engine::new(model, false, true)?;
        let x = engine.laplace(&engine.starts(), None)?.x;
        Ok(Self { engine, x })
    }

    /// The names of the hyperparameters.
    pub fn names(&self) -> Vec<String> {
        self.engine.hyperparameters.iter().map(|own| own.name.clone()).collect()
    }

    /// The natural values at a point.
    ///
    /// # Panics
    /// May panic unless there is one coordinate for each hyperparameter.
    pub fn natural(&self, theta: &[f64]) -> Vec<f64> {
        self.engine.natural(theta)
    }

    /// ln p(y | θ), without the prior of θ, at natural values.
    ///
    /// # Errors
    /// Where there is no mode.
    pub fn ln_likelihood(&self, natural: &[f64]) -> Result<f64, Error> {
        posterior_math::check::dimension(
            "hyperparameters",
            self.engine.hyperparameters.len(),
            natural.len(),
        )?;
        let own = self.engine.hyperparameters.iter().zip(natural);
        let theta: Vec<f64> = own.map(|(own, &value)| own.scale.unconstrained(value)).collect();
        Ok(self.engine.laplace(&theta, Some(&self.x))?.ln_likelihood)
    }
}

impl Target for EmbeddedLaplace<'_> {
    fn dim(&self) -> usize {
        self.engine.hyperparameters.len()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; x.len()])
    }
}

impl GradTarget for EmbeddedLaplace<'_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let found = self.engine.laplace(x, Some(&self.x)).map_err(EvalError::reject)?;
        gradient.copy_from_slice(&found.gradient);
        Ok(found.ln_density)
    }
}
