//! Parameters that are integrated out before a program is sampled, and drawn given the rest.

use posterior::dist::stream::stream;
use posterior::dist::target::{EvalError, GradTarget};
use posterior::math::streaming::MeanVariance;
use posterior::model::{ParameterSizes, StanPosterior};
use posterior::sampling::importance::pareto_smoothed;
use posterior::sampling::marginal::{IntegratedTarget, Integration};
use posterior::sampling::{Draws, Start};
use serde::Serialize;

use super::quantities::mapped;
use crate::args::Marginalize;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::significant;

/// The most gradients that one density may take for parameters to be integrated out unasked: more than chains
/// need to move as far.
const MOST_GRADIENTS: usize = 64;

/// A posterior of which parameters are integrated out.
pub(super) struct Marginal<T> {
    pub(super) target: IntegratedTarget<T>,
    parameters: Vec<String>,
    integration: Integration,
}

/// What was integrated out, and whether that holds.
#[derive(Serialize)]
pub(super) struct Marginalized {
    parameters: Vec<String>,
    coordinates: usize,
    method: &'static str,
    gradients_per_density: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
}

/// What the weights of the draws say of an approximation.
#[derive(Serialize)]
struct Weights {
    pareto_k: Number,
    reliable_below: Number,
    reliable: bool,
    /// How far the means move if the draws are weighted, in standard deviations: the largest.
    means_move_by: Number,
}

/// What can be integrated out of a program, if anything can: parameters, and how.
fn parameters(posterior: &StanPosterior, how: Marginalize) -> Option<(Vec<ParameterSizes>, Integration)> {
    let (found, integration) = match how {
        Marginalize::None => return None,
        Marginalize::Auto => (posterior.gaussian_parameters(), Integration::Gaussian),
        Marginalize::Laplace => (posterior.latent_parameters(), Integration::Laplace),
    };
    (!found.is_empty()).then_some((found, integration))
}

impl<T: GradTarget> Marginal<T> {
    /// The target of a program without the parameters that can be integrated out; why not, where nothing is.
    /// `start` is a point with a density.
    pub(super) fn of(
        target: T,
        posterior: &StanPosterior,
        how: Marginalize,
        start: &[f64],
    ) -> Result<Result<Self, String>, Failure> {
        let Some((found, integration)) = parameters(posterior, how) else {
            let what = match how {
                Marginalize::Laplace => "no parameter has a normal prior given the others",
                _ => "no parameter is normal given the others and the data",
            };
            return Ok(Err(format!("nothing is integrated out: {what}")));
        };
        let groups: Vec<Vec<usize>> = found.iter().map(|own| own.coordinates().collect()).collect();
        if groups.iter().map(Vec::len).sum::<usize>() == start.len() {
            let why = "nothing is integrated out: nothing would be left to sample; `posterior model laplace` draws \
                       from a normal distribution";
            return Ok(Err(why.to_owned()));
        }
        let target = IntegratedTarget::new(target, &groups, integration, start).map_err(refused)?;
        let (gradients, coordinates) = (target.gradients_per_evaluation(), target.integrated().len());
        let parameters: Vec<String> = found
            .into_iter()
            .filter(|own| own.coordinates().any(|at| target.integrated().contains(&at)))
            .map(|own| own.name)
            .collect();
        let has_gain = gradients <= MOST_GRADIENTS && gradients < 2 * coordinates + 2;
        if how == Marginalize::Auto && !has_gain {
            return Ok(Err(format!(
                "nothing is integrated out: {} of {coordinates} coordinates would take {gradients} gradients for \
                 each density, which is slower than to sample them",
                parameters.join(", ")
            )));
        }
        Ok(Ok(Self { target, parameters, integration }))
    }

    /// Where chains of the rest start.
    pub(super) fn start(&self, start: Start) -> Start {
        match start {
            Start::At(point) => Start::At(self.target.rest_of(&point)),
            Start::Each(points) => {
                Start::Each(points.iter().map(|point| self.target.rest_of(point)).collect())
            }
            other => other,
        }
    }
}

impl<T: GradTarget + Sync> Marginal<T> {
    /// Adds what is integrated out to draws of the rest, and ln of the weights of the draws, chain by chain.
    /// `before` is the number of draws before these: each has a generator of its own.
    pub(super) fn whole(&self, rest: &Draws, seed: u64, before: usize) -> Result<(Draws, Vec<f64>), Failure> {
        let dim = self.target.coordinates().len() + self.target.integrated().len();
        let names: Vec<String> = (0..=dim).map(|i| format!("x[{i}]")).collect();
        let drawn = mapped(rest, &names, before, |x, number| -> Result<Vec<f64>, EvalError> {
            let drawn = self.target.conditional_draw(x, &mut stream(seed, &[4, number]))?;
            Ok(drawn.point.into_iter().chain([drawn.ln_weight]).collect())
        })?;
        let weights = drawn.parameter(dim).concat();
        let points = drawn.map(&names[..dim], |from, to| to.copy_from_slice(&from[..dim]));
        Ok((points.map_err(refused)?, weights))
    }

    /// What is said of it, with the quantities of the draws and ln of their weights.
    pub(super) fn report(&self, draws: &Draws, ln_weights: Vec<f64>) -> Result<Marginalized, Failure> {
        let (method, weights) = match self.integration {
            Integration::Gaussian => ("exact", None),
            Integration::Laplace => ("laplace", Some(weights(draws, ln_weights)?)),
        };
        Ok(Marginalized {
            parameters: self.parameters.clone(),
            coordinates: self.target.integrated().len(),
            method,
            gradients_per_density: self.target.gradients_per_evaluation(),
            weights,
        })
    }
}

fn weights(draws: &Draws, ln_weights: Vec<f64>) -> Result<Weights, Failure> {
    let smoothed = pareto_smoothed(ln_weights, 1.0).map_err(refused)?;
    let mut farthest = 0.0_f64;
    for place in 0..draws.names().len() {
        let values = draws.parameter(place).concat();
        let plain: MeanVariance = values.iter().copied().collect();
        let weighted = smoothed.weights.mean(&values).map_err(refused)?.value;
        let distance = (weighted - plain.mean()).abs() / plain.sample_variance().sqrt();
        // What is the same in all draws does not move.
        if distance > farthest {
            farthest = distance;
        }
    }
    Ok(Weights {
        pareto_k: Number(smoothed.shape),
        reliable_below: Number(smoothed.threshold()),
        reliable: smoothed.is_reliable(),
        means_move_by: Number(farthest),
    })
}

/// The lines on what was integrated out.
pub(super) fn text(own: &Marginalized) -> String {
    let coordinates = if own.coordinates == 1 { "coordinate" } else { "coordinates" };
    let how = match own.weights {
        None => "exactly",
        Some(_) => "by Laplace's method",
    };
    let line = format!(
        "integrated out {how}, and drawn given the rest: {} ({} {coordinates}); {} gradients for each density\n",
        own.parameters.join(", "),
        own.coordinates,
        own.gradients_per_density
    );
    let Some(weights) = &own.weights else { return line };
    let [k, limit, moved] =
        [weights.pareto_k, weights.reliable_below, weights.means_move_by].map(|own| significant(own.0));
    let verdict = if weights.reliable {
        format!(
            "k-hat {k}, below {limit}: the approximation can be used; weighted by the posterior itself, means move by up \
             to {moved} standard deviations\n"
        )
    } else {
        format!(
            "warning: k-hat {k} is not below {limit}: the approximation misses a part of the posterior; without \
             --marginalize the chains are of the posterior itself\n"
        )
    };
    line + &verdict
}
