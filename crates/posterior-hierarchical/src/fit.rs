//! The fit of a model: the search, the integral, and what is kept of them.

use std::ops::Range;

use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::design::{Design, Point, Surface};
use crate::engine::Engine;
use crate::laplace::Laplace;
use crate::marginal::{Component, HyperMarginal, LatentMarginal};
use crate::model::HierarchicalModel;
use crate::options::{HierarchicalOptions, HyperEstimate, HyperPoints, Skewness};
use crate::search::Peak;

/// A fitted model: distributions of hyperparameters, fixed effects and latent values.
#[derive(Debug)]
pub struct HierarchicalFit<'m> {
    pub(crate) engine: Engine<'m>,
    pub(crate) estimate: HyperEstimate,
    pub(crate) peak: Peak,
    pub(crate) design: Option<Design>,
    /// Points of the hyperparameters, with weights that add up to 1.
    pub(crate) nodes: Vec<Node>,
}

/// What is kept of one point of the hyperparameters.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) weight: f64,
    /// What ln p(y | θ) has more than by Laplace's method.
    pub(crate) second_order: f64,
    pub(crate) theta: Vec<f64>,
    /// The mode of the latent vector.
    pub(crate) x: Vec<f64>,
    pub(crate) mean: Vec<f64>,
    pub(crate) variance: Vec<f64>,
    pub(crate) skewness: Vec<f64>,
    pub(crate) rows: Vec<RowState>,
}

/// What is kept of the predictor of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowState {
    /// At the mode of the latent vector.
    pub(crate) mode: f64,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
    pub(crate) slope: f64,
    pub(crate) curvature: f64,
}

impl Node {
    fn new(engine: &Engine<'_>, laplace: &Laplace, point: Point, skewness: Vec<f64>) -> Self {
        let size = laplace.x.len();
        // The modes are the estimates, where likelihoods are maximised.
        let shifted = engine.with_priors;
        let shift = |j: usize| if shifted { laplace.to_mean[j] } else { 0.0 };
        let mean = (0..size).map(|j| laplace.x[j] + shift(j)).collect();
        let seen_shift =
            if shifted { laplace.rows.times(&laplace.to_mean) } else { vec![0.0; engine.rows.count()] };
        let variance = variances(engine, laplace);
        let row_variances = engine.row_variances(laplace);
        let rows = (0..engine.rows.count())
            .map(|row| RowState {
                mode: laplace.predictor[row],
                mean: laplace.predictor[row] + seen_shift[row],
                variance: row_variances[row].max(0.0),
                slope: laplace.terms[row].slope,
                curvature: laplace.terms[row].curvature,
            })
            .collect();
        let Point { weight, second_order, .. } = point;
        Self {
            weight,
            second_order,
            theta: laplace.theta.clone(),
            x: laplace.x.clone(),
            mean,
            variance,
            skewness,
            rows,
        }
    }
}

/// Latent values whose covariances with all rows are computed together.
const TOGETHER: usize = 64;

/// The variances of the latent values at a point.
fn variances(engine: &Engine<'_>, laplace: &Laplace) -> Vec<f64> {
    let diagonal = engine.assembly.diagonal.iter();
    diagonal.map(|&place| laplace.covariances[place as usize].max(0.0)).collect()
}

/// The skewness of the latent values at a point, where it is wanted.
fn skewness(engine: &Engine<'_>, laplace: &Laplace, wanted: Skewness) -> Vec<f64> {
    let size = laplace.x.len();
    let mut skewness = vec![0.0; size];
    let first = match wanted {
        Skewness::All => 0,
        Skewness::FixedEffects => engine.fixed.start,
        Skewness::None => return skewness,
    };
    if !engine.with_priors || laplace.terms.iter().all(|term| term.third == 0.0) {
        return skewness;
    }
    let variance = variances(engine, laplace);
    let places: Vec<usize> = (first..size).filter(|&j| variance[j] > 0.0).collect();
    for places in places.chunks(TOGETHER) {
        let units = DMatrix::from_fn(size, places.len(), |i, k| f64::from(u8::from(i == places[k])));
        let along = laplace.rows.times_matrix(&laplace.factor.solve_matrix(&units));
        for (&j, along) in places.iter().zip(along.column_iter()) {
            let cumulant: f64 =
                along.iter().zip(&laplace.terms).map(|(along, term)| term.third * along.powi(3)).sum();
            skewness[j] = cumulant / variance[j].powf(1.5);
        }
    }
    skewness
}

impl HierarchicalModel {
    /// The fit.
    ///
    /// Costs one factor of a sparse matrix for each step of Newton's method, about four at each point of the
    /// hyperparameters, and an inverse on the factor's pattern at each point. Points are those of the search
    /// (10 to 30), two for each hyperparameter around the mode, and those of the integral: about 20 for one
    /// hyperparameter, 80 for two and some hundred for three to five; of more than 5,000 rows and latent
    /// values 13 for one, 40 for two and 15 to 43 for three to five; 81 for eight.
    ///
    /// Of up to 1000 rows whose ln p(y | η) bends down, the posterior of the hyperparameters has the terms of
    /// second order that Laplace's method lacks, for one solution with the factor for each latent value and
    /// the covariances of all pairs of rows at each point of the integral.
    ///
    /// # Errors
    /// No row that counts; collinear columns; separated responses; no mode, where an improper prior and few
    /// data leave the posterior without one.
    pub fn fit(&self, options: &HierarchicalOptions) -> Result<HierarchicalFit<'_>, Error> {
        let estimate = options.estimate;
        let with_priors = matches!(estimate, HyperEstimate::Posterior | HyperEstimate::PosteriorMode);
        let engine = Engine::new(self, estimate == HyperEstimate::Likelihood, with_priors)?;
        let peak = engine.peak(options.max_iterations)?;
        if with_priors && peak.flat > 0 {
            let why = "the posterior has no curvature there; give the hyperparameters proper priors";
            return Err(engine.nowhere(&peak.laplace.theta, why));
        }
        let mut nodes: Vec<Node> = Vec::new();
        let design = if estimate == HyperEstimate::Posterior {
            let visit = |laplace: &Laplace, point: Point| {
                let skewness = match point.beside {
                    Some(beside) => nodes[beside].skewness.clone(),
                    None => skewness(&engine, laplace, options.skewness),
                };
                nodes.push(Node::new(&engine, laplace, point, skewness));
            };
            Some(engine.integrate(&peak, options, visit)?)
        } else {
            let skewness = skewness(&engine, &peak.laplace, options.skewness);
            let point = Point { weight: 1.0, second_order: 0.0, beside: None };
            nodes.push(Node::new(&engine, &peak.laplace, point, skewness));
            None
        };
        let sum: f64 = nodes.iter().map(|node| node.weight).sum();
        for node in &mut nodes {
            node.weight /= sum;
        }
        Ok(HierarchicalFit { engine, estimate, peak, design, nodes })
    }
}

impl HierarchicalFit<'_> {
    /// The logarithm of the marginal likelihood: ln p(y) where hyperparameters are integrated over, ln p(y |
    /// θ) at their mode, the restricted or the full log-likelihood at its maximum. With flat priors of fixed
    /// effects it has an arbitrary constant; that of the restricted likelihood is lme4's.
    pub fn ln_marginal_likelihood(&self) -> f64 {
        self.design.as_ref().map_or(self.peak.laplace.ln_likelihood, |design| design.ln_integral)
    }

    /// The names of the hyperparameters.
    pub fn hyperparameter_names(&self) -> Vec<String> {
        self.engine.hyperparameters[..self.hyper_count()].iter().map(|own| own.name.clone()).collect()
    }

    fn hyper_count(&self) -> usize {
        let outer = self.engine.outer.as_ref().map_or(0, crate::rows::Rows::width);
        self.engine.hyperparameters.len() - outer
    }

    /// The most probable, or most likely, hyperparameters on their natural scale, and what derives from them,
    /// as names and values.
    pub fn mode(&self) -> Vec<(String, f64)> {
        let natural = self.engine.natural(&self.peak.laplace.theta);
        let own = self.hyperparameter_names().into_iter().zip(natural.iter().copied());
        let effects = self.engine.model.effects.iter().zip(&self.engine.of_effects);
        let derived = effects.flat_map(|(placed, range)| placed.effect.derived(&natural[range.clone()]));
        own.chain(derived).collect()
    }

    /// The distribution of a hyperparameter; where they are not integrated over, the one number.
    ///
    /// # Errors
    /// No hyperparameter of this name.
    pub fn hyperparameter(&self, name: &str) -> Result<HyperMarginal, Error> {
        let own = &self.engine.hyperparameters[..self.hyper_count()];
        let at = own.iter().position(|own| own.name == name);
        let at = at
            .ok_or_else(|| Error::unknown("hyperparameter", name, own.iter().map(|own| own.name.as_str())))?;
        let scale = own[at].scale;
        Ok(match &self.design {
            Some(design) => HyperMarginal::new(design, at, scale),
            None => HyperMarginal::known(scale, self.peak.laplace.theta[at]),
        })
    }

    /// The distribution of a fixed effect.
    ///
    /// Where likelihoods are maximised, its error is that of the maximum: with the restricted likelihood
    /// given the hyperparameters, as of `lmer`; with the likelihood from the second derivatives by all of
    /// them, as of `glmer`.
    ///
    /// # Errors
    /// No fixed effect of this name.
    pub fn fixed(&self, name: &str) -> Result<LatentMarginal, Error> {
        let columns = &self.engine.model.columns;
        let at = columns.iter().position(|column| column.name == name);
        let names = columns.iter().map(|column| column.name.as_str());
        let at = at.ok_or_else(|| Error::unknown("fixed effect", name, names))?;
        if self.engine.outer.is_some() {
            let at = self.hyper_count() + at;
            let sd = self.outer_covariance()[(at, at)].sqrt();
            let mean = self.peak.laplace.theta[at];
            return Ok(LatentMarginal::new(vec![Component { weight: 1.0, mean, sd, skewness: 0.0 }]));
        }
        Ok(self.latent(self.engine.fixed.start + at))
    }

    /// The inverse of minus the second derivatives, beside flat directions.
    fn outer_covariance(&self) -> DMatrix<f64> {
        let curvature = &self.peak.curvature;
        let n = curvature.values().len();
        let mut covariance = DMatrix::zeros(n, n);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| curvature.values()[b].total_cmp(&curvature.values()[a]));
        for &k in &order[..n - self.peak.flat] {
            let direction = curvature.vectors().column(k);
            covariance += direction * direction.transpose() / curvature.values()[k];
        }
        covariance
    }

    /// The distributions of the values of an effect.
    ///
    /// # Errors
    /// No effect of this name.
    pub fn effect(&self, name: &str) -> Result<Vec<LatentMarginal>, Error> {
        Ok(self.places(name)?.map(|place| self.latent(place)).collect())
    }

    /// Where the values of an effect are in the latent vector.
    pub(crate) fn places(&self, effect: &str) -> Result<Range<usize>, Error> {
        let effects = &self.engine.model.effects;
        let at = effects.iter().position(|placed| placed.effect.name() == effect);
        let names = effects.iter().map(|placed| placed.effect.name());
        let at = at.ok_or_else(|| Error::unknown("effect", effect, names))?;
        Ok(self.engine.places[at].clone())
    }

    /// The distribution of the predictor of each row, missing ones among them: a mixture of normal
    /// distributions whose means are right to third order.
    pub fn predictors(&self) -> Vec<LatentMarginal> {
        let part = |node: &Node, row: usize| {
            let state = node.rows[row];
            Component { weight: node.weight, mean: state.mean, sd: state.variance.sqrt(), skewness: 0.0 }
        };
        let rows = 0..self.engine.rows.count();
        rows.map(|row| LatentMarginal::new(self.nodes.iter().map(|node| part(node, row)).collect())).collect()
    }

    fn latent(&self, place: usize) -> LatentMarginal {
        let part = |node: &Node| Component {
            weight: node.weight,
            mean: node.mean[place],
            sd: node.variance[place].sqrt(),
            skewness: node.skewness[place],
        };
        LatentMarginal::new(self.nodes.iter().map(part).collect())
    }

    /// What was done with the hyperparameters.
    pub const fn estimate(&self) -> HyperEstimate {
        self.estimate
    }

    /// By which points the hyperparameters were integrated over, if they were.
    pub fn hyper_points(&self) -> Option<HyperPoints> {
        let design = self.design.as_ref().filter(|_| self.hyper_count() > 0);
        design.map(|design| match design.surface {
            Surface::Lattice(_) => HyperPoints::Lattice,
            Surface::Skewed => HyperPoints::Design,
        })
    }

    /// Whether ln p(y | θ) has the terms of second order: if they were asked for, of up to 1000 rows whose
    /// ln p(y | η) bends down, where they are small two standard deviations from the mode.
    pub fn has_second_order(&self) -> bool {
        self.nodes.iter().any(|node| node.second_order != 0.0)
    }

    /// The points at which the hyperparameters were integrated over, on their natural scale, with their
    /// weights.
    pub fn points(&self) -> Vec<(f64, Vec<f64>)> {
        self.nodes.iter().map(|node| (node.weight, self.engine.natural(&node.theta))).collect()
    }
}
