//! The last steps to a peak of the evidence: Newton's, where a search by gradients creeps.

use posterior_math::linalg::{DVector, SymmetricEigen};

use super::{Learnable, curvature};
use crate::Error;

/// Newton's steps at most.
const STEPS: usize = 20;

/// A peak is reached when the next step would gain less than this: a hundredth of what one would look at.
const GAIN: f64 = 1e-4;

/// Curvatures below this count as this: the step along a flat direction is limited.
const LEAST_CURVATURE: f64 = 1e-2;

/// Parameters near a peak of the evidence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Refined {
    /// The parameters on their free scales.
    pub free: Vec<f64>,
    /// ln p(y) there.
    pub ln_evidence: f64,
    /// What a further step would gain by the curvature, ½ gᵀ H⁻¹ g: how far below the peak this is, whatever
    /// the units of the parameters.
    pub remaining: f64,
    /// How many steps were taken.
    pub steps: usize,
}

impl Refined {
    /// Whether the peak is so near that nothing is left to gain.
    pub const fn converged(&self) -> bool {
        self.remaining < GAIN
    }
}

/// Newton's steps on the ln evidence from `free`, with differences of gradients as second derivatives: where
/// parameters differ much in how sharply the data know them, as a period and an amplitude do, a search by
/// gradients alone stops early. Priors are left out.
///
/// A step is halved until it does not lower the evidence. Each costs two gradients for each parameter.
///
/// # Errors
/// If there is no model at `free`, or this close to it.
pub fn refine(problem: &impl Learnable, free: &[f64]) -> Result<Refined, Error> {
    let mut free = free.to_vec();
    let mut gradient = vec![0.0; free.len()];
    let mut ln_evidence = problem.ln_evidence(&free, &mut gradient)?;
    let mut steps = 0;
    loop {
        let information = SymmetricEigen::new(&-curvature(problem, &free)?.hessian)?;
        let slope = DVector::from_column_slice(&gradient);
        let step = information.function_of_matrix(|value| value.abs().max(LEAST_CURVATURE).recip()) * &slope;
        let remaining = 0.5 * slope.dot(&step);
        let here = Refined { free: free.clone(), ln_evidence, remaining, steps };
        if here.converged() || steps == STEPS {
            return Ok(here);
        }
        let Some((next, value)) = climb(problem, &here, &step, &mut gradient) else { return Ok(here) };
        (free, ln_evidence) = (next, value);
        steps += 1;
    }
}

/// The first of the whole step, its half, its quarter, … that does not lower the evidence.
fn climb(
    problem: &impl Learnable,
    here: &Refined,
    step: &DVector<f64>,
    gradient: &mut [f64],
) -> Option<(Vec<f64>, f64)> {
    const HALVINGS: i32 = 12;
    (0..HALVINGS).find_map(|halvings| {
        let proportion = 0.5_f64.powi(halvings);
        let next: Vec<f64> =
            here.free.iter().zip(step).map(|(free, step)| free + proportion * step).collect();
        let value = problem.ln_evidence(&next, gradient).ok()?;
        (value >= here.ln_evidence).then_some((next, value))
    })
}
