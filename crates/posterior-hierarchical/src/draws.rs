//! Draws of the approximation, and what they say about it.

use posterior_sampling::Draws;
use posterior_sampling::importance::{SmoothedWeights, pareto_smoothed};
use rand::Rng;
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

use crate::Error;
use crate::fit::HierarchicalFit;
use crate::laplace::Laplace;
use crate::mode::Problem;

/// Logarithms of weights that differ by less are equal: what is left is rounding, of which the tail says
/// nothing.
const EQUAL: f64 = 1e-6;

/// How far the approximation is from the posterior, by importance weights of joint draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApproximationCheck {
    /// The weights of the draws, exact joint density over that of the approximation, with the shape k̂ of
    /// their tail: see [`SmoothedWeights::is_reliable`].
    pub weights: SmoothedWeights,
    /// What is to be added to the logarithm of the marginal likelihood: ln of the mean weight.
    pub ln_correction: f64,
}

impl HierarchicalFit<'_> {
    /// Independent draws of hyperparameters (at the points of the integral), fixed effects and latent values,
    /// by names as `sd(ward)`, `intercept`, `ward[3]`. Each draw has the statistic `ln_weight`: the
    /// logarithm of the exact density over that of the approximation.
    ///
    /// Costs a fit at each point of the hyperparameters that is drawn, and half a solution for each draw.
    ///
    /// # Errors
    /// If a point of the hyperparameters has no mode, which the fit had.
    pub fn draws<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Result<Draws, Error> {
        let names = self.names();
        let mut rows = vec![0.0; count * names.len()];
        let mut weights = vec![0.0; count];
        self.each_draw(count, rng, |place, laplace, x, ln_weight| {
            let row = &mut rows[place * names.len()..(place + 1) * names.len()];
            row.iter_mut().zip(self.values(laplace, x)).for_each(|(out, value)| *out = value);
            weights[place] = ln_weight;
        })?;
        Ok(Draws::new(names, vec![rows])?.with_statistics(vec!["ln_weight".to_owned()], vec![weights])?)
    }

    /// Draws `count` times from the approximation and weighs the draws against the exact posterior, at the
    /// same points of the hyperparameters.
    ///
    /// The weights are of all latent values at once: with many groups of few rows k̂ may be large though each
    /// marginal distribution is good.
    ///
    /// # Errors
    /// As [`draws`](Self::draws); fewer than five draws.
    pub fn check<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Result<ApproximationCheck, Error> {
        let mut weights = vec![0.0; count];
        self.each_draw(count, rng, |place, _, _, ln_weight| weights[place] = ln_weight)?;
        let (low, high) = weights
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &own| (low.min(own), high.max(own)));
        if high - low < EQUAL {
            weights.fill(f64::midpoint(low, high));
        }
        let weights = pareto_smoothed(weights, 1.0)?;
        let ln_correction = weights.weights.ln_mean()?.ln_value;
        Ok(ApproximationCheck { weights, ln_correction })
    }

    /// Visits draws, those at one point of the hyperparameters together.
    fn each_draw<R: Rng + ?Sized>(
        &self,
        count: usize,
        rng: &mut R,
        mut visit: impl FnMut(usize, &Laplace, &[f64], f64),
    ) -> Result<(), Error> {
        let mut at = vec![Vec::new(); self.nodes.len()];
        for place in 0..count {
            let mut left: f64 = rng.random();
            let mut chosen = 0;
            while chosen + 1 < self.nodes.len() && left >= self.nodes[chosen].weight {
                left -= self.nodes[chosen].weight;
                chosen += 1;
            }
            at[chosen].push(place);
        }
        for (node, places) in self.nodes.iter().zip(&at).filter(|(_, places)| !places.is_empty()) {
            let laplace = self.engine.laplace(&node.theta, Some(&node.x))?;
            let problem = self.engine.problem(&node.theta)?;
            for &place in places {
                let noise: Vec<f64> =
                    (0..laplace.factor.noise()).map(|_| StandardNormal.sample(rng)).collect();
                let off = laplace.factor.draw(&noise);
                let x: Vec<f64> = node.mean.iter().zip(&off).map(|(mean, off)| mean + off).collect();
                let ln_weight = problem.ln_weight(&laplace, &x, &off) - node.second_order;
                visit(place, &laplace, &x, ln_weight);
            }
        }
        Ok(())
    }

    /// The names of all that is drawn.
    fn names(&self) -> Vec<String> {
        let model = self.engine.model;
        let own = self.engine.hyperparameters.iter().map(|own| own.name.clone());
        let derived = self.mode().into_iter().skip(self.hyperparameter_names().len()).map(|(name, _)| name);
        let fixed = self.engine.fixed.clone().map(|place| {
            let column = place - self.engine.fixed.start;
            model.columns[column].name.clone()
        });
        let effects = model.effects.iter().flat_map(|placed| {
            let name = placed.effect.name().to_owned();
            placed.labels.iter().map(move |label| format!("{name}[{label}]"))
        });
        own.chain(derived).chain(fixed).chain(effects).collect()
    }

    /// Their values, in the same order.
    fn values(&self, laplace: &Laplace, x: &[f64]) -> Vec<f64> {
        let natural = self.engine.natural(&laplace.theta);
        let effects = self.engine.model.effects.iter().zip(&self.engine.of_effects);
        let derived = effects.flat_map(|(placed, range)| placed.effect.derived(&natural[range.clone()]));
        let derived: Vec<f64> = derived.map(|(_, value)| value).collect();
        let fixed = &x[self.engine.fixed.clone()];
        natural.iter().chain(&derived).chain(fixed).chain(&x[..self.engine.fixed.start]).copied().collect()
    }
}

impl Problem<'_, '_> {
    /// ln p(x, y | θ) less that of the approximation: normal around x - off with the precision at the mode,
    /// and of the same value there.
    fn ln_weight(&self, laplace: &Laplace, x: &[f64], off: &[f64]) -> f64 {
        let predictor = self.predictor(x);
        let square = |x: &[f64]| -> f64 {
            self.engine.assembly.times(&self.prior, x).iter().zip(x).map(|(pull, x)| pull * x).sum()
        };
        let here: f64 = self
            .terms(&predictor)
            .iter()
            .zip(&laplace.terms)
            .map(|(there, mode)| there.ln_likelihood - mode.ln_likelihood)
            .sum();
        let seen_off = self.rows.times(off);
        let of_rows: f64 =
            seen_off.iter().zip(&laplace.terms).map(|(off, term)| term.curvature * off * off).sum();
        here - 0.5 * (square(x) - square(&laplace.x)) + 0.5 * (square(off) + of_rows)
    }
}
