//! The gradient of the evidence, by the score of the state-space model.

use posterior_kalman::learning::score;
use posterior_math::linalg::DMatrix;

use super::MarkovProcessPosterior;
use crate::Error;

impl MarkovProcessPosterior {
    /// The derivatives of the logarithm of the marginal likelihood by the [`parameters`](Self::parameters) on
    /// their free scales.
    ///
    /// Exact: one pass forwards and one backwards give the derivative by every number of the model, which the
    /// process pulls back to its parameters.
    ///
    /// # Errors
    /// If numbers leave the range of f64 on the way.
    pub fn gradient(&self) -> Result<Vec<f64>, Error> {
        let timeline = self.observations.timeline(&self.process, self.prior.mean())?;
        let score = score(&timeline.model, &timeline.series)?;
        let mut gradient = vec![0.0; self.process.parameters().len()];
        let mut pull_back = self.process.gradient();
        let transitions = timeline.model.transition().matrix();
        let mut seen = vec![false; transitions.distinct()];
        for (t, pair) in timeline.times.windows(2).enumerate() {
            let number = transitions.number(t);
            if !std::mem::replace(&mut seen[number], true) {
                let (matrix, noise) = (score.transition.matrix.of(number), score.transition.noise.of(number));
                let step = (pair[0], pair[1] - pair[0]);
                pull_back.pull_back_step(step, matrix.as_slice(), noise.as_slice(), &mut gradient);
            }
        }
        if let Some(&start) = timeline.times.first() {
            pull_back.pull_back_covariance(start, score.initial_covariance.as_slice(), &mut gradient);
        }
        let offsets = timeline.model.observation().offset();
        if self.prior.mean().is_zero() || timeline.times.is_empty() {
            gradient.extend(self.prior.mean().parameters().iter().map(|_| 0.0));
        } else {
            let slopes: Vec<f64> = (0..timeline.times.len())
                .map(|t| score.observation.offset.of(offsets.number(t))[0])
                .collect();
            let inputs = DMatrix::from_column_slice(slopes.len(), 1, &timeline.times);
            gradient.extend(self.prior.mean().pull_back(&inputs, &slopes));
        }
        if let Some(variance) = self.noise.learned() {
            let noise = &score.observation.noise;
            let slope: f64 = (0..noise.distinct()).map(|number| noise.of(number)[0]).sum();
            gradient.push(variance * slope);
        }
        Ok(gradient)
    }
}
