//! What is not known of a process: its concentration and its discount, given the sizes of the blocks.

use posterior_dist::target::FromFn;
use posterior_dist::{Beta, Density, Gamma, PitmanYor};
use posterior_math::check::ParamError;
use posterior_math::log_space::{ln_logistic, logistic, logit};
use posterior_sampling::slice::Slice;
use posterior_sampling::{State, Transition};
use rand::{Rng, RngExt};
use rand_distr::Distribution;

use crate::error::Error;
use crate::partition::PartitionPrior;

/// The prior of a process that is fitted with the partition: the concentration θ > 0, and perhaps the
/// discount.
///
/// The concentration of a Dirichlet process is drawn as Escobar and West (1995) do, by a beta variable that
/// makes its distribution a mixture of two gamma distributions. Else a slice is taken of ln θ, and one of the
/// logit of the discount.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HyperPrior {
    concentration: Gamma,
    discount: Option<Beta>,
}

/// The width of the slices, in ln θ and in the logit of d.
const WIDTH: f64 = 2.0;

impl HyperPrior {
    /// A gamma distribution of the concentration; the discount is known.
    pub const fn concentration(distribution: Gamma) -> Self {
        Self { concentration: distribution, discount: None }
    }

    /// The discount too is fitted, with a beta distribution.
    #[must_use]
    pub const fn with_discount(self, distribution: Beta) -> Self {
        Self { discount: Some(distribution), ..self }
    }

    /// ln of the density of the process.
    pub fn ln_pdf(&self, process: &PitmanYor) -> f64 {
        let discount = self.discount.map_or(0.0, |distribution| distribution.ln_pdf(&process.discount()));
        self.concentration.ln_pdf(&process.concentration()) + discount
    }

    /// A process from the prior; `known` has the discount where that is not fitted.
    ///
    /// # Errors
    /// A draw beyond the range of f64.
    pub fn sample<R: Rng + ?Sized>(&self, known: &PitmanYor, rng: &mut R) -> Result<PitmanYor, ParamError> {
        let theta = self.concentration.sample_ln(rng).exp().clamp(f64::MIN_POSITIVE, f64::MAX);
        let discount =
            self.discount.map_or(known.discount(), |distribution| below_one(distribution.sample(rng)));
        PitmanYor::new(discount, theta)
    }

    /// Moves a process by a kernel that leaves its distribution given a partition into blocks of these sizes
    /// alone.
    ///
    /// # Errors
    /// A draw beyond the range of f64.
    pub fn update<R: Rng + ?Sized>(
        &self,
        process: &PitmanYor,
        sizes: &[u32],
        rng: &mut R,
    ) -> Result<PitmanYor, Error> {
        if self.discount.is_none() && process.discount() == 0.0 {
            self.escobar_west(process.concentration(), sizes, rng)
        } else {
            self.slice(process, sizes, rng)
        }
    }

    /// η ~ Beta(θ + 1, n); then θ ~ Gamma(a + K or a + K - 1, b - ln η), with odds (a + K - 1) / (n (b - ln
    /// η)) for the first.
    fn escobar_west<R: Rng + ?Sized>(
        &self,
        theta: f64,
        sizes: &[u32],
        rng: &mut R,
    ) -> Result<PitmanYor, Error> {
        let n: f64 = sizes.iter().map(|&size| f64::from(size)).sum();
        if n == 0.0 {
            let prior = PitmanYor::chinese_restaurant(theta)?;
            return Ok(self.sample(&prior, rng)?);
        }
        let ln_eta = Beta::new(theta + 1.0, n)?.sample(rng).max(f64::MIN_POSITIVE).ln();
        let rate = self.concentration.rate() - ln_eta;
        let fewer = self.concentration.shape() + sizes.len() as f64 - 1.0;
        let first = rng.random::<f64>() * (fewer + n * rate) < fewer;
        let shape = fewer + f64::from(u8::from(first));
        let drawn = Gamma::shape_rate(shape, rate)?.sample_ln(rng).exp();
        Ok(PitmanYor::chinese_restaurant(drawn.clamp(f64::MIN_POSITIVE, f64::MAX))?)
    }

    /// A slice of each free coordinate: ln θ, and the logit of d.
    fn slice<R: Rng + ?Sized>(
        &self,
        process: &PitmanYor,
        sizes: &[u32],
        rng: &mut R,
    ) -> Result<PitmanYor, Error> {
        let at = |x: &[f64]| {
            let discount = x.get(1).map_or(process.discount(), |&x| below_one(logistic(x)));
            PitmanYor::new(discount, x[0].exp())
        };
        let ln_density = |x: &[f64]| {
            let Ok(process) = at(x) else { return f64::NEG_INFINITY };
            // The Jacobians: dθ = θ d ln θ, dd = d (1 - d) d logit d.
            let jacobian = x[0] + x.get(1).map_or(0.0, |&x| ln_logistic(x) + ln_logistic(-x));
            let ln_posterior = self.ln_pdf(&process) + PartitionPrior::process(process).ln_partition(sizes);
            if ln_posterior.is_nan() { f64::NEG_INFINITY } else { ln_posterior + jacobian }
        };
        let mut start = vec![process.concentration().ln()];
        if self.discount.is_some() {
            start.push(logit(process.discount().max(f64::MIN_POSITIVE)));
        }
        let kernel = Slice::new(&vec![WIDTH; start.len()])?;
        let target = FromFn::new(start.len(), ln_density);
        let mut state = kernel.init(&target, &start)?;
        kernel.step(&target, &mut state, rng)?;
        Ok(at(state.position())?)
    }
}

/// The largest discount below one.
fn below_one(discount: f64) -> f64 {
    discount.min(1.0 - f64::EPSILON)
}
