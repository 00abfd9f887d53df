//! The exact posterior of everything, as a target.

mod given;

use std::collections::BTreeMap;

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::linalg::{DMatrix, MatrixError};
use posterior_sampling::hamiltonian::{MetricChoice, Nuts};

use crate::Error;
use crate::effect::EffectPrecision;
use crate::engine::Engine;
use crate::mode::Problem;
use crate::model::HierarchicalModel;
use crate::rows::Combination;
use given::{GivenOthers, given_others};

/// The most coordinates whose covariances are all found.
const LARGEST_DENSE: usize = 500;

/// ln p(θ, x, y) of hyperparameters and latent values, without any approximation: what NUTS moves on to judge
/// a fit. Flat fixed effects leave a constant that is not known.
///
/// Coordinates are hyperparameters on their lines; then latent values over their standard deviations where
/// these are hyperparameters ([`LatentEffect::deviations`](crate::LatentEffect::deviations)), which cures the
/// funnel of groups with few data, or what they have of their own over its standard deviation
/// ([`LatentEffect::conditional`](crate::LatentEffect::conditional)); then the fixed effects. Of each
/// constraint one value follows from the others.
///
/// ```
/// use posterior_dist::target::Target as _;
/// use posterior_hierarchical::{ExactPosterior, FamilyResponse, FieldEffect, HierarchicalModel, PlaceEffect as _};
///
/// let walk = FieldEffect::random_walk("time", 4)?.at(&[0, 1, 2, 3])?;
/// let model = HierarchicalModel::new(FamilyResponse::poisson(), &[2.0, 3.0, 5.0, 8.0])?
///     .intercept()?
///     .effect(walk)?;
/// let posterior = ExactPosterior::new(&model)?;
/// // One standard deviation, three of the four values, and the intercept.
/// assert_eq!(posterior.dim(), 5);
/// let values = posterior.values(&[0.0, 0.3, 0.2, -0.1, 1.0])?;
/// assert!(values[1..5].iter().sum::<f64>().abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ExactPosterior<'m> {
    engine: Engine<'m>,
    /// The places of the latent vector that are free, each with the hyperparameter that scales it.
    free: Vec<(usize, Option<usize>)>,
    /// The other places, as combinations of the free ones: (free coordinate, factor).
    held: Vec<(usize, Combination)>,
    given: Vec<GivenOthers>,
}

impl<'m> ExactPosterior<'m> {
    /// The posterior of a model.
    ///
    /// # Errors
    /// As [`HierarchicalModel::fit`]; constraints of which one follows from others; conditional values that
    /// depend on each other or that a constraint holds.
    pub fn new(model: &'m HierarchicalModel) -> Result<Self, Error> {
        let engine = Engine::new(model, false, true)?;
        let mut scales = vec![None; engine.rows.width()];
        let effects = model.effects.iter().zip(&engine.of_effects).zip(&engine.places);
        for ((placed, parameters), places) in effects {
            let own = placed.effect.deviations();
            posterior_math::check::dimension("deviations of an effect", places.len(), own.len())?;
            for (place, deviation) in places.clone().zip(own) {
                scales[place] = deviation.map(|parameter| parameters.start + parameter);
            }
        }
        let pins = engine.constraints.pins();
        let free: Vec<(usize, Option<usize>)> =
            scales.into_iter().enumerate().filter(|(place, _)| !pins.contains(place)).collect();
        let coordinate: BTreeMap<usize, usize> =
            free.iter().enumerate().map(|(coordinate, (place, _))| (*place, coordinate)).collect();
        // C_p x_p = -C_f x_f.
        let rows = engine.constraints.rows();
        let square = DMatrix::from_fn(rows.len(), pins.len(), |k, l| {
            rows[k].iter().find(|(place, _)| *place == pins[l]).map_or(0.0, |(_, value)| *value)
        });
        let inverse = square.try_inverse().ok_or(Error::Matrix(MatrixError::Singular))?;
        let mut held = Vec::with_capacity(pins.len());
        for (l, &pin) in pins.iter().enumerate() {
            let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
            for (k, row) in rows.iter().enumerate().filter(|(k, _)| inverse[(l, *k)] != 0.0) {
                for (place, value) in row {
                    if let Some(&at) = coordinate.get(place) {
                        *sum.entry(at).or_default() -= inverse[(l, k)] * value;
                    }
                }
            }
            held.push((pin, sum.into_iter().collect()));
        }
        let given = given_others(&engine)?;
        Ok(Self { engine, free, held, given })
    }

    /// The No-U-Turn sampler with a metric for this posterior: with all covariances up to 500 coordinates, as
    /// neighbours of a walk or a field are alike, and diagonal beyond.
    pub fn sampler(&self) -> Nuts {
        let metric = if self.dim() <= LARGEST_DENSE { MetricChoice::Dense } else { MetricChoice::Diagonal };
        Nuts { metric, ..Nuts::default() }
    }

    /// The names of what [`values`](Self::values) returns.
    pub fn names(&self) -> Vec<String> {
        let model = self.engine.model;
        let effects = model.effects.iter().flat_map(|placed| {
            let name = placed.effect.name().to_owned();
            placed.labels.iter().map(move |label| format!("{name}[{label}]"))
        });
        let own = self.engine.hyperparameters.iter().map(|own| own.name.clone());
        own.chain(effects).chain(model.columns.iter().map(|column| column.name.clone())).collect()
    }

    /// Hyperparameters on their natural scale, latent values, and fixed effects at a point.
    ///
    /// # Errors
    /// Fatal unless the point has as many coordinates as the target.
    pub fn values(&self, point: &[f64]) -> Result<Vec<f64>, EvalError> {
        posterior_math::check::dimension("coordinates", self.dim(), point.len()).map_err(EvalError::fatal)?;
        let (theta, scaled) = point.split_at(self.engine.hyperparameters.len());
        let natural = self.engine.natural(theta);
        let precisions = self.engine.precisions(&natural).map_err(EvalError::reject)?;
        let x = self.latent(&natural, &precisions, scaled);
        Ok(natural.into_iter().chain(x).collect())
    }

    fn latent(&self, natural: &[f64], precisions: &[EffectPrecision], scaled: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.engine.rows.width()];
        let mut own = Vec::with_capacity(scaled.len());
        for ((place, scale), value) in self.free.iter().zip(scaled) {
            let value = value * scale.map_or(1.0, |parameter| natural[parameter]);
            x[*place] = value;
            own.push(value);
        }
        for (place, sum) in &self.held {
            x[*place] = sum.iter().map(|&(coordinate, factor)| factor * own[coordinate]).sum();
        }
        self.given.iter().for_each(|given| given.put(precisions, &mut x));
        x
    }

    /// The derivatives of ln p(x, y | θ) by the natural values, x fixed.
    fn by_natural(
        &self,
        problem: &Problem<'_, '_>,
        x: &[f64],
        predictor: &[f64],
        slopes: &[f64],
    ) -> Vec<f64> {
        let model = self.engine.model;
        let of_response = (0..self.engine.of_response).map(|parameter| {
            let seen = (0..model.rows()).filter(|&row| model.is_seen(row));
            seen.filter_map(|row| model.term_slopes(row, predictor[row], &problem.natural, parameter))
                .map(|slopes| slopes.ln_likelihood)
                .sum()
        });
        let mut of_copies = vec![0.0; self.engine.of_copies.len()];
        for entry in self.engine.rows.copied() {
            of_copies[entry.factor] += slopes[entry.row] * entry.value * x[entry.place];
        }
        let of_effects = problem.precisions.iter().enumerate().flat_map(|(block, precision)| {
            precision.derivatives.iter().map(move |(values, ln_determinant)| {
                let pull = self.engine.assembly.block_times(block, values, x);
                0.5 * (ln_determinant - pull.iter().zip(x).map(|(pull, x)| pull * x).sum::<f64>())
            })
        });
        of_response.chain(of_effects).chain(of_copies).collect()
    }
}

impl Target for ExactPosterior<'_> {
    fn dim(&self) -> usize {
        self.engine.hyperparameters.len() + self.free.len()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; x.len()])
    }
}

impl GradTarget for ExactPosterior<'_> {
    fn ln_density_grad(&self, point: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let engine = &self.engine;
        let (theta, scaled) = point.split_at(engine.hyperparameters.len());
        let problem = engine.problem(theta).map_err(EvalError::reject)?;
        let natural = &problem.natural;
        let x = self.latent(natural, &problem.precisions, scaled);
        let predictor = problem.predictor(&x);
        let terms = problem.terms(&predictor);
        let pull = engine.assembly.times(&problem.prior, &x);
        let square: f64 = pull.iter().zip(&x).map(|(pull, x)| pull * x).sum();
        let ln_prior: f64 = problem.precisions.iter().map(|precision| precision.ln_determinant).sum();
        let mut ln = terms.iter().map(|term| term.ln_likelihood).sum::<f64>() + 0.5 * (ln_prior - square);
        let slopes: Vec<f64> = terms.iter().map(|term| term.slope).collect();
        let mut by_x = problem.rows.transpose_times(&slopes);
        by_x.iter_mut().zip(&pull).for_each(|(slope, pull)| *slope -= pull);
        let mut by_natural = self.by_natural(&problem, &x, &predictor, &slopes);
        for given in &self.given {
            ln += given.pull(&problem.precisions, &x, &mut by_x, &mut by_natural);
        }
        let (by_theta, by_scaled) = gradient.split_at_mut(theta.len());
        let mut by_free: Vec<f64> = self.free.iter().map(|(place, _)| by_x[*place]).collect();
        for (place, sum) in &self.held {
            for &(coordinate, factor) in sum {
                by_free[coordinate] += factor * by_x[*place];
            }
        }
        for (k, (_, scale)) in self.free.iter().enumerate() {
            let Some(parameter) = *scale else {
                by_scaled[k] = by_free[k];
                continue;
            };
            let sd = natural[parameter];
            by_scaled[k] = by_free[k] * sd;
            by_natural[parameter] += by_free[k] * scaled[k] + sd.recip();
            ln += sd.ln();
        }
        for (k, (own, &t)) in engine.hyperparameters.iter().zip(theta).enumerate() {
            let (ln_own, by_line) = own.ln_prior(t);
            ln += ln_own;
            by_theta[k] = by_natural[k] * own.scale.slope(t) + by_line;
        }
        if ln.is_nan() || ln == f64::INFINITY {
            return Err(EvalError::reject(format!("ln p is {ln}")));
        }
        Ok(ln)
    }
}
