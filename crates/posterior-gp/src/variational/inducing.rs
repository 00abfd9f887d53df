//! Inducing values, by natural gradients over all observations or mini-batches.

mod gradient;

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, multiply_transpose};
use rand::RngExt;

use super::batch::{Batch, Whitened, project};
use crate::classification::{LatentMoments, ObservationModel};
use crate::likelihood::Likelihood;
use crate::{Error, GaussianProcess};

/// The largest jitter, as a proportion of the mean variance at the inducing inputs.
const LARGEST_JITTER: f64 = 1e-6;

/// A step is halved so often at most.
const MAX_HALVINGS: i32 = 40;

/// The bound over all observations is summed by so many at once.
const CHUNK: usize = 2048;

/// How to climb the bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NaturalGradientOptions {
    /// A search over all observations converges when a full step raises the bound by no more than this, in
    /// nats. 10⁻⁹ by default.
    pub tolerance: f64,
    /// The largest number of steps; with mini-batches, their number. 500 by default.
    pub max_iterations: usize,
    /// Mini-batches; none by default: each step sees all observations.
    pub batches: Option<MiniBatches>,
}

impl Default for NaturalGradientOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 500, batches: None }
    }
}

/// Steps that see some observations each: step t goes (t + delay)^-forgetting of the way.
///
/// The steps fall slowly enough to reach the optimum from anywhere and fast enough to stay there (Robbins and
/// Monro) for a forgetting above ½.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MiniBatches {
    /// How many observations a step sees, drawn without replacement. 256 by default.
    pub size: usize,
    /// By how many steps the first is behind. 3 by default.
    pub delay: f64,
    /// From above ½ to 1. 0.8 by default.
    pub forgetting: f64,
    /// The seed of the draws. 0 by default.
    pub seed: u64,
}

impl Default for MiniBatches {
    fn default() -> Self {
        Self { size: 256, delay: 3.0, forgetting: 0.8, seed: 0 }
    }
}

impl MiniBatches {
    fn check(&self) -> Result<(), Error> {
        const NAME: &str = "MiniBatches";
        check::require(self.size > 0, NAME, "size", self.size as f64, "at least 1")?;
        check::non_negative(NAME, "delay", self.delay)?;
        let in_range = self.forgetting > 0.5 && self.forgetting <= 1.0;
        check::require(in_range, NAME, "forgetting", self.forgetting, "above 0.5 and at most 1")?;
        Ok(())
    }
}

/// The posterior of a function by inducing values, whose distribution is the Gaussian with the highest bound.
#[derive(Debug, Clone)]
pub struct VariationalInducing<L: Likelihood> {
    prior: GaussianProcess,
    observations: ObservationModel<L>,
    inducing: DMatrix<f64>,
    /// L of K_zz + jitter.
    root: Cholesky,
    jitter: f64,
    /// Of v = L⁻¹ (u - m).
    values: Whitened,
    ln_bound: f64,
}

impl<L: Likelihood> VariationalInducing<L> {
    /// The distribution of the function before the observations.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.prior
    }

    /// What was observed.
    pub const fn observations(&self) -> &ObservationModel<L> {
        &self.observations
    }

    /// Z: a row for each inducing input.
    pub const fn inducing(&self) -> &DMatrix<f64> {
        &self.inducing
    }

    /// What was added to the diagonal of the kernel on the inducing inputs; zero as a rule.
    pub const fn jitter(&self) -> f64 {
        self.jitter
    }

    /// The lower bound of ln p(y), over all observations: Σ E ln p(yᵢ | fᵢ) less the divergence of the
    /// inducing values from their prior.
    pub const fn ln_bound(&self) -> f64 {
        self.ln_bound
    }

    /// The posterior distribution of the inducing values: mean and covariance.
    pub fn inducing_distribution(&self) -> (DVector<f64>, DMatrix<f64>) {
        let root = self.root.factor();
        let half = self.values.factor.half_solve(&root.transpose());
        let mean = self.prior.mean().values(&self.inducing) + root * &self.values.mean;
        (mean, half.tr_mul(&half))
    }

    /// Mean and variance of the function at each row of `inputs`. O(m²) for each.
    ///
    /// # Errors
    /// If the inputs have another number of coordinates, are not finite, or the prior does not take them.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<LatentMoments, Error> {
        self.prior.check(inputs)?;
        check::dimension("coordinates of inputs", self.inducing.ncols(), inputs.ncols())?;
        let (projected, unexplained) = project(&self.prior, (&self.inducing, &self.root), inputs);
        let left = self.values.factor.half_solve(&projected);
        let variance =
            DVector::from_fn(unexplained.len(), |i, _| unexplained[i] + left.column(i).norm_squared());
        let mean = self.prior.mean().values(inputs) + projected.tr_mul(&self.values.mean);
        Ok(LatentMoments { mean, variance })
    }

    fn batch(&self, rows: &[usize]) -> Batch<L::Output> {
        Batch::of_rows(&self.observations, &self.prior, (&self.inducing, &self.root), rows)
    }

    /// Calls `take` with all observations, some at a time.
    fn for_each_chunk(&self, mut take: impl FnMut(&[usize], &Batch<L::Output>)) {
        let rows: Vec<usize> = (0..self.observations.len()).collect();
        for rows in rows.chunks(CHUNK) {
            take(rows, &self.batch(rows));
        }
    }

    fn bound(&self, batches: &[Batch<L::Output>], values: &Whitened) -> f64 {
        let likelihood = self.observations.likelihood();
        let terms =
            batches.iter().map(|batch| batch.expectations(likelihood, &batch.marginals(values)).value);
        terms.sum::<f64>() - values.divergence()
    }

    /// The natural parameters, precision and precision times mean, that the observations of some batches ask
    /// for, each counted `weight` times.
    fn target(&self, batches: &[Batch<L::Output>], weight: f64) -> (DMatrix<f64>, DVector<f64>) {
        let size = self.inducing.nrows();
        let (mut precision, mut linear) = (DMatrix::identity(size, size), DVector::zeros(size));
        for batch in batches {
            let marginals = batch.marginals(&self.values);
            let expected = batch.expectations(self.observations.likelihood(), &marginals);
            let mut weighted = batch.projected.clone();
            for (mut column, curvature) in weighted.column_iter_mut().zip(&expected.curvatures) {
                column *= -weight * curvature;
            }
            let own = self.values.mean.clone();
            let at_mean = batch.projected.tr_mul(&own).component_mul(&expected.curvatures);
            linear += &batch.projected * (expected.slopes - at_mean) * weight;
            precision += multiply_transpose(&weighted, &batch.projected);
        }
        (precision, linear)
    }

    /// The distribution so far along the way to a target; none where its precision is not positive.
    fn moved(&self, (precision, linear): &(DMatrix<f64>, DVector<f64>), step: f64) -> Option<Whitened> {
        let now = self.values.factor.reconstruct();
        let linear = (1.0 - step) * (&now * &self.values.mean) + step * linear;
        let factor = Cholesky::decompose((1.0 - step) * now + step * precision).ok()?;
        Some(Whitened { mean: factor.solve_vector(&linear), factor })
    }

    /// Steps that see everything and never lower the bound.
    fn climb(
        &mut self,
        options: &NaturalGradientOptions,
        progress: &mut Progress<'_, impl Observer + ?Sized>,
    ) -> Stop {
        let mut batches = Vec::new();
        self.for_each_chunk(|_, batch| batches.push(batch.clone()));
        loop {
            if progress.exhausted() {
                return Stop::MaxIterations;
            }
            let target = self.target(&batches, 1.0);
            let rounding = 1e-13 * self.ln_bound.abs().max(1.0);
            let steps = (0..MAX_HALVINGS).map(|halvings| 0.5_f64.powi(halvings));
            let better = steps.into_iter().find_map(|step| {
                let values = self.moved(&target, step)?;
                let bound = self.bound(&batches, &values);
                (bound >= self.ln_bound - rounding).then_some((step, values, bound))
            });
            let Some((step, values, bound)) = better else { return Stop::Stalled };
            let gain = bound - self.ln_bound;
            (self.values, self.ln_bound) = (values, bound);
            if progress.stopped_after(bound) {
                return Stop::Observer;
            }
            if step == 1.0 && gain <= options.tolerance.max(rounding) {
                return Stop::Converged;
            }
        }
    }

    /// Steps that see a batch each.
    fn wander(
        &mut self,
        batches: &MiniBatches,
        progress: &mut Progress<'_, impl Observer + ?Sized>,
    ) -> Result<Stop, Error> {
        let count = self.observations.len();
        let size = batches.size.min(count);
        let weight = count as f64 / size as f64;
        let mut rng = stream(batches.seed, &[]);
        let mut order: Vec<usize> = (0..count).collect();
        while !progress.exhausted() {
            for i in 0..size {
                order.swap(i, rng.random_range(i..count));
            }
            let batch = [self.batch(&order[..size])];
            let target = self.target(&batch, weight);
            let full = (progress.iterations() as f64 + 1.0 + batches.delay).powf(-batches.forgetting);
            let shorter = (0..MAX_HALVINGS).map(|halvings| full * 0.5_f64.powi(halvings));
            // A precision that is not positive: only where the likelihood is not log-concave.
            let Some(values) = shorter.into_iter().find_map(|step| self.moved(&target, step)) else {
                return Ok(Stop::Stalled);
            };
            let expected =
                batch[0].expectations(self.observations.likelihood(), &batch[0].marginals(&values));
            let estimate = weight * expected.value - values.divergence();
            if !estimate.is_finite() {
                return Err(Error::NotFinite {
                    what: "the bound after a step that ends at the row",
                    row: order[0],
                    value: estimate,
                });
            }
            self.values = values;
            if progress.stopped_after(estimate) {
                return Ok(Stop::Observer);
            }
        }
        Ok(Stop::MaxIterations)
    }
}

/// The Gaussian posterior by inducing values with the highest lower bound of ln p(y), for any likelihood.
///
/// Each step replaces the natural parameters of the inducing values by those that the observations ask for,
/// or goes a part of the way. Over all observations a step is halved until the bound does not fall; for
/// Gaussian noise the first one ends at the optimum. With [`MiniBatches`] a run takes all its steps, its
/// report says [`Stop::MaxIterations`], and its trace has the estimates of the batches;
/// [`ln_bound`](VariationalInducing::ln_bound) is that of all observations in either case.
///
/// # Cost
/// For n observations and m inducing inputs O(n m²) for a step over all, with n m numbers kept; with batches
/// of b, O(b m² + m³), with b m numbers.
///
/// # Errors
/// If the prior does not take the inputs, sizes do not agree, an option can't be, the kernel on the inducing
/// inputs is not positive semidefinite, or the observations are impossible under the prior.
pub fn variational_inducing<L: Likelihood>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    inducing: &DMatrix<f64>,
    options: &NaturalGradientOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<VariationalInducing<L>>, Error> {
    prior.check(observations.inputs())?;
    prior.check(inducing)?;
    check::dimension("coordinates of inducing inputs", observations.inputs().ncols(), inducing.ncols())?;
    if let Some(batches) = &options.batches {
        batches.check()?;
    }
    let own = prior.kernel().gram(inducing);
    let (root, jitter) = Cholesky::with_jitter(&own, LARGEST_JITTER * own.diagonal().mean())?;
    let values = Whitened::standard(inducing.nrows());
    let (prior, observations, inducing) = (prior.clone(), observations.clone(), inducing.clone());
    let mut model =
        VariationalInducing { prior, observations, inducing, root, jitter, values, ln_bound: 0.0 };
    model.ln_bound = model.bound_of_all();
    if !model.ln_bound.is_finite() {
        let what = "the sum over observations of E ln p(y | f) under the prior, which ends at the one";
        return Err(Error::NotFinite { what, row: model.observations.len(), value: model.ln_bound });
    }
    let mut progress = Progress::new(model.ln_bound, options.max_iterations, observer);
    let stop = match &options.batches {
        Some(batches) if !model.observations.is_empty() => model.wander(batches, &mut progress)?,
        _ => model.climb(options, &mut progress),
    };
    if options.batches.is_some() {
        model.ln_bound = model.bound_of_all();
    }
    Ok(Fitted { model, report: progress.finish(stop) })
}

impl<L: Likelihood> VariationalInducing<L> {
    fn bound_of_all(&self) -> f64 {
        let mut sum = -self.values.divergence();
        self.for_each_chunk(|_, batch| {
            sum += batch.expectations(self.observations.likelihood(), &batch.marginals(&self.values)).value;
        });
        sum
    }
}
