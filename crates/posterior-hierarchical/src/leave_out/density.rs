//! How probable the responses of a group are, by what the others say.

use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen};
use posterior_math::log_space::ln_sum_exp;
use rand_distr::{Distribution as _, StandardNormal};

use super::others::Others;
use super::{At, SHORT, STEPS};
use crate::Error;
use crate::criteria::{Cavity, LeftOut};
use crate::response::ResponseTerm;

/// Mirrored pairs of draws over all directions but the one of which the group says most.
const PAIRS: usize = 16;

impl At<'_> {
    /// ln ∫ Π p(yᵢ | ηᵢ) N(η), by Laplace's method around the mode, and what that leaves out.
    pub(super) fn ln_density_of_all(&self, group: &[usize], others: &Others) -> Result<f64, Error> {
        let terms = |z: &DVector<f64>| -> Vec<ResponseTerm> {
            let predictors = &others.mean + &others.root * z;
            group.iter().zip(predictors.iter()).map(|(&row, &at)| self.term(row, at)).collect()
        };
        let ln = |z: &DVector<f64>| {
            terms(z).iter().map(|term| term.ln_likelihood).sum::<f64>() - 0.5 * z.norm_squared()
        };
        let information = |terms: &[ResponseTerm], curvature: fn(&ResponseTerm) -> f64| {
            let weights = DVector::from_iterator(terms.len(), terms.iter().map(curvature));
            others.root.tr_mul(&(DMatrix::from_diagonal(&weights) * &others.root))
        };
        let mut z = others.start.clone();
        for _ in 0..STEPS {
            let own = terms(&z);
            let slopes = DVector::from_iterator(own.len(), own.iter().map(|term| term.slope));
            let slope = others.root.tr_mul(&slopes) - &z;
            let curvature = DMatrix::identity(z.len(), z.len()) + information(&own, ResponseTerm::upward);
            let mut step = Cholesky::decompose(curvature)?.solve_vector(&slope);
            let here = ln(&z);
            while ln(&(&z + &step)) < here && step.norm_squared() > SHORT {
                step *= 0.5;
            }
            z += &step;
            if step.norm_squared() <= SHORT {
                break;
            }
        }
        let own = terms(&z);
        let mut turned = SymmetricEigen::new(&information(&own, |term| term.curvature))?;
        if turned.values().iter().any(|part| *part <= -1.0) {
            turned = SymmetricEigen::new(&information(&own, ResponseTerm::upward))?;
        }
        let total = turned.values().map(|part| 1.0 + part);
        let stretch = DMatrix::from_diagonal(&total.map(|total| total.sqrt().recip()));
        let axes = turned.vectors() * stretch;
        let (peak, ln_total) = (ln(&z), total.iter().map(|total| total.ln()).sum::<f64>());
        let beyond = self.beyond(&total, |v| ln(&(&z + &axes * v)) - peak + 0.5 * v.norm_squared());
        Ok(peak - 0.5 * ln_total + beyond)
    }

    /// ln E exp(f(v)) for standard normal v, f what is beyond second order: by Gauss's rule along the axis of
    /// which the group says most, and along a second one if there are no more; over others by the same few
    /// draws at all points.
    fn beyond(&self, total: &DVector<f64>, f: impl Fn(&DVector<f64>) -> f64) -> f64 {
        let mut order: Vec<usize> = (0..total.len()).collect();
        order.sort_by(|&a, &b| total[b].total_cmp(&total[a]));
        let Some((&first, others)) = order.split_first() else { return 0.0 };
        let zeros = DVector::zeros(total.len());
        let rule = || self.rule.weights().iter().copied().zip(self.rule.nodes().iter().copied());
        let across: Vec<(f64, DVector<f64>)> = match *others {
            [] => vec![(1.0, zeros)],
            [second] => rule().map(|(weight, node)| (weight, with(&zeros, second, node))).collect(),
            _ => {
                let mut rng = stream(0, &[others.len() as u64]);
                let weight = 0.5 / PAIRS as f64;
                let pair = |_| {
                    let mut v = zeros.clone();
                    for &k in others {
                        v[k] = StandardNormal.sample(&mut rng);
                    }
                    [(weight, -&v), (weight, v)]
                };
                (0..PAIRS).flat_map(pair).collect()
            }
        };
        let mut values = Vec::with_capacity(across.len() * self.rule.nodes().len());
        for (weight, node) in rule() {
            for (own, v) in &across {
                values.push((weight * own).ln() + f(&with(v, first, node)));
            }
        }
        ln_sum_exp(&values)
    }

    /// One row of the group, predicted.
    pub(super) fn row(&self, row: usize, cavity: &Cavity) -> Option<LeftOut> {
        let model = self.fit.engine.model;
        model.is_seen(row).then(|| LeftOut {
            ln_density: self.ln_density_of(row, cavity),
            probability: cavity.probability(|at| model.cumulative(row, at, self.own)),
        })
    }

    /// ln ∫ p(y | η) N(η), by Gauss's rule around the mode of the integrand.
    fn ln_density_of(&self, row: usize, cavity: &Cavity) -> f64 {
        let mut at = self.laplace.predictor[row];
        if !(cavity.variance > 0.0) {
            return self.term(row, cavity.mean).ln_likelihood;
        }
        let precision = cavity.variance.recip();
        let ln_own =
            |at: f64| self.term(row, at).ln_likelihood - 0.5 * precision * (at - cavity.mean).powi(2);
        for _ in 0..STEPS {
            let term = self.term(row, at);
            let slope = term.slope - precision * (at - cavity.mean);
            let mut step = slope / (term.upward() + precision);
            let here = ln_own(at);
            while ln_own(at + step) < here && step.abs() > f64::EPSILON * at.abs() {
                step *= 0.5;
            }
            at += step;
            if step * step * precision < f64::EPSILON {
                break;
            }
        }
        let total = self.term(row, at).curvature + precision;
        let variance = if total > 0.5 * precision { total.recip() } else { cavity.variance };
        let peak = ln_own(at);
        let ratio = |other: f64| ln_own(other) - peak + 0.5 * (other - at).powi(2) / variance;
        let beyond = self.rule.expectation(at, variance, |other| ratio(other).exp()).ln();
        peak + 0.5 * (variance * precision).ln() + beyond
    }
}

/// A vector with another number at one place.
fn with(v: &DVector<f64>, place: usize, number: f64) -> DVector<f64> {
    let mut v = v.clone();
    v[place] = number;
    v
}
