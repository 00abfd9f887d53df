//! The random walk of Metropolis: a normal step, accepted with probability min(1, p(x′)/p(x)).

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::{Proposal, StepShape};
use crate::Error;

/// A random walk with normal steps of covariance scale² L Lᵀ.
///
/// A step costs one density, and d² operations where L is dense. Of normal distributions the best scale is
/// near 2.38/√d times the shape of the distribution, where 0.44 (d = 1) down to 0.234 (large d) of the
/// proposals are accepted, and independent draws are about 3 d steps apart (Roberts, Gelman & Gilks, Ann.
/// Appl. Probab. 7, 1997). [`AdaptiveWalk`](super::AdaptiveWalk) finds both.
///
/// ```
/// use posterior_dist::target::FromFn;
/// use posterior_sampling::metropolis::RandomWalk;
/// use posterior_sampling::{Untuned, Run, Start};
///
/// let target = FromFn::new(1, |x: &[f64]| -0.5 * (x[0] - 3.0).powi(2));
/// let sampled = Run::default().sample(&target, &Untuned(RandomWalk::new(2.4)?), &Start::default())?;
/// let draws = sampled.draws.parameter(0).concat();
/// let mean = draws.iter().sum::<f64>() / draws.len() as f64;
/// assert!((mean - 3.0).abs() < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RandomWalk {
    scale: f64,
    shape: StepShape,
}

impl RandomWalk {
    /// With this standard deviation in each coordinate.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn new(scale: f64) -> Result<Self, ParamError> {
        Ok(Self { scale: check::positive("RandomWalk", "scale", scale)?, shape: StepShape::identity() })
    }

    /// With the scale 2.38/√d of this shape in `dim` dimensions.
    pub fn optimal(shape: StepShape, dim: usize) -> Self {
        Self { scale: 2.38 / (dim.max(1) as f64).sqrt(), shape }
    }

    /// With this shape.
    #[must_use]
    pub fn with_shape(self, shape: StepShape) -> Self {
        Self { shape, ..self }
    }

    /// The scale of the steps.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// The shape of the steps.
    pub const fn shape(&self) -> &StepShape {
        &self.shape
    }

    pub(super) const fn parts(&mut self) -> (&mut f64, &mut StepShape) {
        (&mut self.scale, &mut self.shape)
    }
}

impl Proposal for RandomWalk {
    fn check(&self, start: &[f64]) -> Result<(), Error> {
        self.shape.check_dim(start.len())
    }

    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        self.shape.draw(to, rng);
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from + self.scale * *to);
        0.0
    }
}
