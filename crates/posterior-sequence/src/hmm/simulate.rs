//! Draws: of states, and of what they show.

use posterior_dist::{Categorical, Density, Mixture};
use posterior_math::check;
use rand::Rng;

use super::{Filter, HiddenMarkovModel};
use crate::emission::{CategoricalEmissions, Distributions, DrawEmissions};
use crate::error::Error;
use crate::stochastic::draw;

impl<E> HiddenMarkovModel<E> {
    /// States of this many positions. O(length K).
    pub fn simulate_states<R: Rng + ?Sized>(&self, length: usize, rng: &mut R) -> Vec<usize> {
        let rows = self.transition().transpose();
        let mut states = Vec::with_capacity(length);
        for _ in 0..length {
            let state = match states.last() {
                None => draw(self.initial(), rng),
                Some(&before) => draw(rows.column(before).as_slice(), rng),
            };
            states.push(state);
        }
        states
    }
}

impl<E: DrawEmissions> HiddenMarkovModel<E> {
    /// States of this many positions, and what they show.
    pub fn simulate<R: Rng + ?Sized>(
        &self,
        length: usize,
        rng: &mut R,
    ) -> (Vec<usize>, <E::Data as ToOwned>::Owned) {
        let states = self.simulate_states(length, rng);
        let data = self.emissions().draw(&states, rng);
        (states, data)
    }
}

impl<L: Clone> Filter<'_, Distributions<L>> {
    /// The distribution of the observation `steps` positions after the last one that was seen, 1 for the very
    /// next.
    ///
    /// # Errors
    /// No steps.
    pub fn predictive(&self, steps: usize) -> Result<Mixture<L>, Error> {
        check::require(steps > 0, "predictive", "steps", steps as f64, "positive")?;
        Ok(Mixture::from_weights(&self.predict(steps), self.model().emissions().as_slice().to_vec())?)
    }
}

impl Filter<'_, CategoricalEmissions> {
    /// The distribution of the symbol `steps` positions after the last one that was seen, 1 for the very
    /// next.
    ///
    /// # Errors
    /// No steps.
    pub fn predictive(&self, steps: usize) -> Result<Categorical, Error> {
        check::require(steps > 0, "predictive", "steps", steps as f64, "positive")?;
        let emissions = self.model().emissions();
        let mut weights = vec![0.0; emissions.symbols()];
        for (p, distribution) in self.predict(steps).iter().zip(emissions.distributions()) {
            for (weight, symbol) in weights.iter_mut().zip(distribution.probabilities()) {
                *weight += p * symbol;
            }
        }
        Ok(Categorical::from_weights(&weights)?)
    }
}

impl<L: Density<Point: ToOwned> + Clone> HiddenMarkovModel<Distributions<L>> {
    /// The model whose states are the components of a mixture: see [`from_weights`](Self::from_weights).
    ///
    /// # Errors
    /// A stickiness outside of [0, 1].
    pub fn from_mixture(mixture: &Mixture<L>, stickiness: f64) -> Result<Self, Error> {
        let distributions = Distributions::new(mixture.components().to_vec())?;
        Self::from_weights(mixture.weights().probabilities(), stickiness, distributions)
    }
}
