//! The weights of the components, given how many data each has.

use posterior_dist::{Dirichlet, PitmanYor};
use posterior_math::check::{self, ParamError};
use posterior_math::special::{ln_beta, ln_pochhammer};
use rand::Rng;

/// The prior of the weights of a mixture with so many components.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MixtureWeights {
    /// Dirichlet(γ, …, γ).
    Dirichlet {
        /// How many components.
        components: usize,
        /// γ.
        concentration: f64,
    },
    /// The sticks of a process, of which the last takes all that is left (Ishwaran and James 2001).
    Sticks {
        /// How many components.
        components: usize,
        /// The process.
        process: PitmanYor,
    },
}

impl MixtureWeights {
    /// Dirichlet(γ, …, γ) weights of so many components: `concentration` is γ, of one component.
    ///
    /// # Errors
    /// No component, or a γ that is not positive and finite.
    pub fn dirichlet(components: usize, concentration: f64) -> Result<Self, ParamError> {
        check::require(components > 0, "MixtureWeights", "components", components as f64, "positive")?;
        check::positive("MixtureWeights", "concentration", concentration)?;
        Ok(Self::Dirichlet { components, concentration })
    }

    /// The sticks of a process, cut off after so many components: with 1 - d and θ + k d of the k-th, 1 - wₖ
    /// is what it leaves to those after it. What is cut off weighs about exp(-(K - 1) / θ) of a Dirichlet
    /// process: take K of several times θ ln n.
    ///
    /// # Errors
    /// No component.
    pub fn sticks(components: usize, process: PitmanYor) -> Result<Self, ParamError> {
        check::require(components > 0, "MixtureWeights", "components", components as f64, "positive")?;
        Ok(Self::Sticks { components, process })
    }

    /// How many components.
    pub const fn components(&self) -> usize {
        match *self {
            Self::Dirichlet { components, .. } | Self::Sticks { components, .. } => components,
        }
    }

    /// ln of weights drawn given the number of data of each component.
    ///
    /// # Errors
    /// Other than one number for each component; a concentration beyond the range of f64.
    pub fn draw_ln<R: Rng + ?Sized>(&self, counts: &[u32], rng: &mut R) -> Result<Vec<f64>, ParamError> {
        let found = counts.len();
        check::require(
            found == self.components(),
            "MixtureWeights",
            "number of counts",
            found as f64,
            "that of components",
        )?;
        match *self {
            Self::Dirichlet { concentration, .. } => {
                let alpha: Vec<f64> = counts.iter().map(|&count| concentration + f64::from(count)).collect();
                // One component has all the weight; a Dirichlet distribution of one number is none.
                if found == 1 { Ok(vec![0.0]) } else { Ok(Dirichlet::new(&alpha)?.sample_ln(rng)) }
            }
            Self::Sticks { process, .. } => {
                let mut ln_weights = Vec::with_capacity(found);
                let mut ln_left = 0.0;
                for shape in shapes(process, counts) {
                    let ln_parts = Dirichlet::new(&shape)?.sample_ln(rng);
                    ln_weights.push(ln_left + ln_parts[0]);
                    ln_left += ln_parts[1];
                }
                ln_weights.push(ln_left);
                Ok(ln_weights)
            }
        }
    }

    /// ln P of one labelling with these numbers of data, the weights integrated out.
    pub fn ln_labels(&self, counts: &[u32]) -> f64 {
        match *self {
            Self::Dirichlet { concentration, .. } => {
                let all: f64 = counts.iter().map(|&count| f64::from(count)).sum();
                let each = counts.iter().map(|&count| ln_pochhammer(concentration, f64::from(count)));
                each.sum::<f64>() - ln_pochhammer(counts.len() as f64 * concentration, all)
            }
            Self::Sticks { process, .. } => {
                let prior = shapes(process, &vec![0; counts.len()]);
                let pieces = shapes(process, counts).into_iter().zip(prior);
                pieces
                    .map(|(after, before)| ln_beta(after[0], after[1]) - ln_beta(before[0], before[1]))
                    .sum()
            }
        }
    }
}

/// The two parameters of each piece but the last: 1 - d and its data, θ + k d and the data after it.
fn shapes(process: PitmanYor, counts: &[u32]) -> Vec<[f64; 2]> {
    let mut after: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let shape = |(piece, &count): (usize, &u32)| {
        after -= f64::from(count);
        let rest = process.concentration() + (piece + 1) as f64 * process.discount();
        [1.0 - process.discount() + f64::from(count), rest + after]
    };
    counts.iter().take(counts.len().saturating_sub(1)).enumerate().map(shape).collect()
}
