//! What is known of the state as observations come in.

use posterior_math::check;
use posterior_math::log_space::LnSumExp;

use super::HiddenMarkovModel;
use crate::emission::Emissions;
use crate::error::Error;

/// Sums of products from here on have all digits, whatever was too small for f64 in them: that is K 10⁻³⁰⁸ at
/// most.
const SURE: f64 = 1e-280;

/// The distribution of the state given all that was seen so far, of the next state, and ln p of what was
/// seen.
///
/// One observation costs K² products and O(K) logarithms, and allocates nothing; memory does not grow with
/// what was seen. Distributions are kept with their logarithms: a state of probability e⁻¹⁰⁰⁰⁰ is not lost,
/// and may be the only one that explains what comes next.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::emission::CategoricalEmissions;
/// use posterior_sequence::hmm::{Filter, HiddenMarkovModel};
///
/// let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]))?;
/// let model = HiddenMarkovModel::new(&[0.6, 0.4], &DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6]), emissions)?;
/// let mut filter = Filter::new(&model);
/// for symbol in [0, 1, 2] {
///     filter.push(&[symbol])?;
/// }
/// assert!((filter.ln_likelihood() - 0.03628_f64.ln()).abs() < 1e-15);
/// assert!((filter.distribution()[0] - 0.007696 / 0.03628).abs() < 1e-15);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug)]
pub struct Filter<'a, E> {
    model: &'a HiddenMarkovModel<E>,
    distribution: Vec<f64>,
    ln_distribution: Vec<f64>,
    predicted: Vec<f64>,
    ln_predicted: Vec<f64>,
    ln_nodes: Vec<f64>,
    ln_likelihood: f64,
    seen: usize,
}

impl<E> Clone for Filter<'_, E> {
    fn clone(&self) -> Self {
        Self {
            model: self.model,
            distribution: self.distribution.clone(),
            ln_distribution: self.ln_distribution.clone(),
            predicted: self.predicted.clone(),
            ln_predicted: self.ln_predicted.clone(),
            ln_nodes: self.ln_nodes.clone(),
            ln_likelihood: self.ln_likelihood,
            seen: self.seen,
        }
    }
}

impl<'a, E: Emissions> Filter<'a, E> {
    /// Nothing seen yet.
    pub fn new(model: &'a HiddenMarkovModel<E>) -> Self {
        Self {
            model,
            distribution: model.initial().to_vec(),
            ln_distribution: model.ln_initial().to_vec(),
            predicted: model.initial().to_vec(),
            ln_predicted: model.ln_initial().to_vec(),
            ln_nodes: vec![0.0; model.states()],
            ln_likelihood: 0.0,
            seen: 0,
        }
    }

    /// Sees these observations, one position after the other: a single one, or as many as there are. Returns
    /// ln p of them given those before.
    ///
    /// # Errors
    /// If an observation is none of the model's, in which case none was taken; if one is impossible, with its
    /// position among all that were seen: those before it were taken.
    pub fn push(&mut self, data: &E::Data) -> Result<f64, Error> {
        let model = self.model;
        model.emissions().check(data)?;
        let mut ln_p = 0.0;
        for t in 0..E::length(data) {
            let mut ln_nodes = std::mem::take(&mut self.ln_nodes);
            model.emissions().ln_densities(data, t..t + 1, &mut ln_nodes);
            let taken = self.take(&ln_nodes);
            self.ln_nodes = ln_nodes;
            ln_p += taken?;
        }
        Ok(ln_p)
    }

    /// A position at which nothing was seen.
    pub fn push_missing(&mut self) {
        self.distribution.copy_from_slice(&self.predicted);
        self.ln_distribution.copy_from_slice(&self.ln_predicted);
        self.advance();
    }

    /// Sees an observation with these ln p(x | state), -∞ where impossible. Returns ln p of it given those
    /// before.
    ///
    /// # Errors
    /// Not K numbers; one that is NaN or +∞; if the observation is impossible. None was taken then.
    pub fn push_ln_densities(&mut self, ln_densities: &[f64]) -> Result<f64, Error> {
        let (expected, found) = (self.model.states(), ln_densities.len());
        check::dimension("ln densities of states", expected, found)?;
        self.take(ln_densities)
    }

    fn take(&mut self, ln_densities: &[f64]) -> Result<f64, Error> {
        let joint = || self.ln_predicted.iter().zip(ln_densities).map(|(ln_p, ln_density)| ln_p + ln_density);
        let ln_p = joint().collect::<LnSumExp>().value();
        if ln_p == f64::NEG_INFINITY {
            return Err(Error::Impossible { sequence: 0, position: self.seen });
        }
        check::finite("Filter", "ln density of an observation", ln_p)?;
        for ((ln_distribution, distribution), ln_joint) in
            self.ln_distribution.iter_mut().zip(&mut self.distribution).zip(joint())
        {
            *ln_distribution = ln_joint - ln_p;
            *distribution = ln_distribution.exp();
        }
        self.ln_likelihood += ln_p;
        self.advance();
        Ok(ln_p)
    }

    /// The distribution of the next state, from that of the present one.
    fn advance(&mut self) {
        self.seen += 1;
        let columns = self.model.transition().column_iter();
        for (j, column) in columns.enumerate() {
            let sum: f64 = self.distribution.iter().zip(column.iter()).map(|(p, step)| p * step).sum();
            let ln_sum = if sum > SURE {
                sum.ln()
            } else {
                let ln_steps = (0..self.distribution.len()).map(|i| self.model.transitions().ln_row(i)[j]);
                let possible =
                    self.ln_distribution.iter().zip(ln_steps).map(|(ln_p, ln_step)| ln_p + ln_step);
                possible.filter(|ln_p| *ln_p > f64::NEG_INFINITY).collect::<LnSumExp>().value()
            };
            self.predicted[j] = if sum > SURE { sum } else { ln_sum.exp() };
            self.ln_predicted[j] = ln_sum;
        }
    }
}

impl<'a, E> Filter<'a, E> {
    /// The model.
    pub const fn model(&self) -> &'a HiddenMarkovModel<E> {
        self.model
    }

    /// p(state | all seen), at the last position that was pushed; π before the first.
    pub fn distribution(&self) -> &[f64] {
        &self.distribution
    }

    /// p(next state | all seen).
    pub fn predicted(&self) -> &[f64] {
        &self.predicted
    }

    /// ln p(next state | all seen), where the probability itself may be too small for f64.
    pub fn ln_predicted(&self) -> &[f64] {
        &self.ln_predicted
    }

    /// ln p(all seen).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    /// The number of positions that were pushed, missing ones included.
    pub const fn seen(&self) -> usize {
        self.seen
    }

    /// p(state `steps` positions after the last one | all seen): the last one's for 0. O(steps K²).
    pub fn predict(&self, steps: usize) -> Vec<f64> {
        let Some(more) = steps.checked_sub(1) else {
            return self.distribution.clone();
        };
        let transition = self.model.transition();
        let mut distribution = self.predicted.clone();
        for _ in 0..more {
            distribution = transition
                .column_iter()
                .map(|column| column.iter().zip(&distribution).map(|(step, p)| step * p).sum())
                .collect();
        }
        distribution
    }
}
