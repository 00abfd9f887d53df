//! How well the model predicts: leave-one-out, WAIC and DIC, from the fit alone.

use posterior_math::log_space::ln_sum_exp;
use posterior_math::quadrature::GaussHermite;

use crate::Error;
use crate::fit::{HierarchicalFit, Node, RowState};

/// Points of Gauss's rule.
pub(crate) const POINTS: usize = 31;
/// Standard deviations and points of the trapezoidal rule for probabilities of a response.
const REACH: f64 = 7.0;
const STEPS: i32 = 70;

/// Criteria of prediction. Of each row the others' posterior is the fit's without the row's own term, which
/// is exact for Gaussian responses given the hyperparameters; no model is fitted again.
///
/// # References
/// A. Vehtari, T. Mononen, V. Tolvanen, T. Sivula, O. Winther, Bayesian leave-one-out cross-validation
/// approximations for Gaussian latent variable models, JMLR 17 (2016).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PredictiveCriteria {
    /// Each row without itself; nothing for rows that do not count.
    pub rows: Vec<Option<LeftOut>>,
    /// Σ ln p(yᵢ | the other rows): the larger the better.
    pub elpd_loo: f64,
    /// WAIC, -2 Σ (ln E p - Var ln p): the smaller the better.
    pub waic: f64,
    /// Its effective number of parameters, Σ Var ln p.
    pub waic_parameters: f64,
    /// DIC, the mean deviance and the effective number of parameters: the smaller the better.
    pub dic: f64,
    /// Its effective number of parameters: the mean deviance less that at the mean predictors and the most
    /// probable hyperparameters.
    pub dic_parameters: f64,
}

/// A row as the other rows predict it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LeftOut {
    /// ln p(yᵢ | the other rows), the conditional predictive ordinate.
    pub ln_density: f64,
    /// P(Y < yᵢ) and P(Y ≤ yᵢ) given the other rows, the probability integral transform: the same for
    /// responses with a density, and uniform if the predictions are calibrated.
    pub probability: [f64; 2],
}

impl HierarchicalFit<'_> {
    /// The criteria of prediction.
    ///
    /// # Errors
    /// If a rule of integration is refused, which does not happen.
    pub fn criteria(&self) -> Result<PredictiveCriteria, Error> {
        let rule = GaussHermite::new(POINTS)?;
        let model = self.engine.model;
        let natural: Vec<Vec<f64>> = self.nodes.iter().map(|node| self.engine.natural(&node.theta)).collect();
        let at_peak = self.engine.natural(&self.peak.laplace.theta);
        let mut criteria = PredictiveCriteria {
            rows: Vec::with_capacity(model.rows()),
            elpd_loo: 0.0,
            waic: 0.0,
            waic_parameters: 0.0,
            dic: 0.0,
            dic_parameters: 0.0,
        };
        let mut mean_deviance = 0.0;
        for row in 0..model.rows() {
            if !model.is_seen(row) {
                criteria.rows.push(None);
                continue;
            }
            let left = self.left_out(row, &natural, &rule);
            criteria.elpd_loo += left.ln_density;
            criteria.rows.push(Some(left));
            let moments = self.moments(row, &natural, &rule);
            criteria.waic_parameters += moments.variance;
            criteria.waic -= 2.0 * (moments.ln_mean - moments.variance);
            mean_deviance -= 2.0 * moments.mean;
            let centre: f64 = self.nodes.iter().map(|node| node.weight * node.rows[row].mean).sum();
            criteria.dic += 2.0 * self.ln_likelihood(row, centre, &at_peak);
        }
        criteria.dic_parameters = mean_deviance + criteria.dic;
        criteria.dic = mean_deviance + criteria.dic_parameters;
        Ok(criteria)
    }

    fn ln_likelihood(&self, row: usize, predictor: f64, natural: &[f64]) -> f64 {
        self.engine.model.term(row, predictor, natural).ln_likelihood
    }

    /// ln E p, E ln p and Var ln p of a row.
    fn moments(&self, row: usize, natural: &[Vec<f64>], rule: &GaussHermite) -> Moments {
        let (mut density, mut mean, mut square) = (0.0, 0.0, 0.0);
        for (node, natural) in self.nodes.iter().zip(natural) {
            let state = node.rows[row];
            let mut found = Vec::with_capacity(rule.nodes().len());
            density += node.weight
                * rule.expectation(state.mean, state.variance, |at| {
                    let ln = self.ln_likelihood(row, at, natural);
                    found.push(ln);
                    ln.exp()
                });
            // In the same order again.
            let expect = |f: fn(f64) -> f64| {
                let mut again = found.iter();
                let next = |_| again.next().map_or(f64::NAN, |ln| f(*ln));
                node.weight * rule.expectation(state.mean, state.variance, next)
            };
            mean += expect(|ln| ln);
            square += expect(|ln| ln * ln);
        }
        Moments { ln_mean: density.ln(), mean, variance: (square - mean * mean).max(0.0) }
    }

    fn left_out(&self, row: usize, natural: &[Vec<f64>], rule: &GaussHermite) -> LeftOut {
        let model = self.engine.model;
        let densities: Vec<f64> = self
            .nodes
            .iter()
            .zip(natural)
            .map(|(node, natural)| self.ln_density_of(row, node, natural, rule))
            .collect();
        let against: Vec<f64> =
            self.nodes.iter().zip(&densities).map(|(node, ln)| node.weight.ln() - ln).collect();
        let ln_sum = ln_sum_exp(&against);
        let mut probability = [0.0; 2];
        for ((node, natural), ln_weight) in self.nodes.iter().zip(natural).zip(&against) {
            let cavity = Cavity::new(&node.rows[row]);
            let ends = cavity.probability(|at| model.cumulative(row, at, natural));
            let weight = (ln_weight - ln_sum).exp();
            probability.iter_mut().zip(ends).for_each(|(sum, end)| *sum += weight * end);
        }
        LeftOut { ln_density: -ln_sum, probability }
    }

    /// ln ∫ p(y | η) p(η | the others): by Gauss's rule around the mode of the integrand, that of the
    /// posterior with the row.
    fn ln_density_of(&self, row: usize, node: &Node, natural: &[f64], rule: &GaussHermite) -> f64 {
        let state = &node.rows[row];
        let cavity = Cavity::new(state);
        if !(state.variance > 0.0) {
            return self.ln_likelihood(row, state.mode, natural);
        }
        let ln_own = |at: f64| -0.5 * ((at - state.mode).powi(2) / state.variance + state.variance.ln());
        let ln_ratio = |at: f64| self.ln_likelihood(row, at, natural) + cavity.ln_density(at) - ln_own(at);
        let peak = ln_ratio(state.mode);
        peak + rule.expectation(state.mode, state.variance, |at| (ln_ratio(at) - peak).exp()).ln()
    }
}

struct Moments {
    ln_mean: f64,
    mean: f64,
    variance: f64,
}

/// The normal distribution of a predictor without the row's own term.
pub(crate) struct Cavity {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Cavity {
    fn new(state: &RowState) -> Self {
        let rest = 1.0 - state.variance * state.curvature;
        // A row that alone decides on its predictor leaves nothing: its rest is rounding.
        let rest = rest.max(f64::EPSILON);
        let variance = state.variance / rest;
        Self { mean: state.mode - variance * state.slope, variance }
    }

    /// Without powers of 2π.
    fn ln_density(&self, at: f64) -> f64 {
        -0.5 * ((at - self.mean).powi(2) / self.variance + self.variance.ln())
    }

    /// What [`LeftOut::probability`] is.
    pub(crate) fn probability(&self, cumulative: impl Fn(f64) -> [f64; 2]) -> [f64; 2] {
        let (mut sums, mut total) = ([0.0; 2], 0.0);
        for k in -STEPS..=STEPS {
            let z = REACH * f64::from(k) / f64::from(STEPS);
            let weight = (-0.5 * z * z).exp();
            let ends = cumulative(self.mean + self.variance.sqrt() * z);
            total += weight;
            sums.iter_mut().zip(ends).for_each(|(sum, end)| *sum += weight * end);
        }
        sums.map(|sum| sum / total)
    }
}
