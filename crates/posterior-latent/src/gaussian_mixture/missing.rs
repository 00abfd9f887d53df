//! The E step where values are missing: each component conditioned on what was observed.

use std::collections::BTreeMap;
use std::ops::Range;

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns};
use posterior_math::log_space::softmax_in_place;
use posterior_math::special::LN_TAU;

use super::model::{GaussianMixture, Gaussians};
use crate::error::Error;
use crate::gaussian_tiles::{self, Expectations, Moments, Scatter};
use crate::observations::Observations;

/// The rows in which the same values are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    observed: Vec<usize>,
    missing: Vec<usize>,
    rows: Vec<usize>,
}

/// The patterns of the data, in a fixed order.
pub(super) fn patterns(data: &Observations) -> Vec<Pattern> {
    patterns_of(data.values(), 0..data.len())
}

/// The patterns of these rows, in a fixed order.
pub(super) fn patterns_of(values: &DMatrix<f64>, range: Range<usize>) -> Vec<Pattern> {
    let mut rows: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for i in range {
        rows.entry(values.row(i).iter().map(|x| x.is_nan()).collect()).or_default().push(i);
    }
    let of = |gaps: &[bool], missing: bool| (0..gaps.len()).filter(|&j| gaps[j] == missing).collect();
    rows.into_iter()
        .map(|(gaps, rows)| Pattern { observed: of(&gaps, false), missing: of(&gaps, true), rows })
        .collect()
}

impl Pattern {
    /// The rows that have it.
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Whether nothing is missing.
    pub(super) const fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether nothing is observed.
    pub(super) const fn is_empty(&self) -> bool {
        self.observed.is_empty()
    }

    /// What is observed of a row.
    pub(super) fn observed(&self, values: &DMatrix<f64>, row: usize) -> DVector<f64> {
        DVector::from_iterator(self.observed.len(), self.observed.iter().map(|&j| values[(row, j)]))
    }
}

/// A component given what is observed in a pattern.
pub(super) struct Conditional {
    /// ln π - ½ (o ln 2π + ln |Σ_oo|).
    ln_offset: f64,
    mean: DVector<f64>,
    factor: Cholesky,
    /// Σ_mo Σ_oo⁻¹.
    gain: DMatrix<f64>,
    /// Σ_mm - Σ_mo Σ_oo⁻¹ Σ_om.
    rest: DMatrix<f64>,
}

impl Conditional {
    /// Of this component, with this logarithm of its weight.
    pub(super) fn new(
        gaussians: &Gaussians,
        k: usize,
        ln_weight: f64,
        pattern: &Pattern,
    ) -> Result<Self, Error> {
        let (covariance, mean) = (gaussians.covariance(k), gaussians.means().row(k));
        let part = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| covariance[(rows[i], columns[j])])
        };
        let (o, m) = (&pattern.observed, &pattern.missing);
        let factor = Cholesky::decompose(part(o, o))?;
        let half = factor.half_solve(&part(o, m));
        let ln_offset = ln_weight - 0.5 * (o.len() as f64 * LN_TAU + factor.ln_determinant());
        Ok(Self {
            ln_offset,
            mean: DVector::from_iterator(o.len(), o.iter().map(|&j| mean[j])),
            gain: factor.half_solve_transpose(&half).transpose(),
            rest: part(m, m) - gram_of_columns(&half),
            factor,
        })
    }

    /// Adds r u uᵀ and what is not known of u, of the expected deviation u from the mean; what is observed of
    /// it is given.
    pub(super) fn add(
        &self,
        pattern: &Pattern,
        r: f64,
        deviation: &DVector<f64>,
        sum: &mut (f64, DVector<f64>, DMatrix<f64>),
    ) {
        let mut u = DVector::zeros(sum.1.len());
        let expected = &self.gain * deviation;
        pattern.observed.iter().zip(deviation.iter()).for_each(|(&j, x)| u[j] = *x);
        pattern.missing.iter().zip(expected.iter()).for_each(|(&j, x)| u[j] = *x);
        sum.0 += r;
        sum.1 += &u * r;
        sum.2.ger(r, &u, &u, 1.0);
        for (a, &i) in pattern.missing.iter().enumerate() {
            for (b, &j) in pattern.missing.iter().enumerate() {
                sum.2[(i, j)] += r * self.rest[(a, b)];
            }
        }
    }

    /// ln π p(x_o), and the deviations of x_o from their mean.
    pub(super) fn ln_joint(&self, observed: &DVector<f64>) -> (f64, DVector<f64>) {
        let deviation = observed - &self.mean;
        let square = self.factor.quadratic_form(&deviation);
        (self.ln_offset - 0.5 * if square < f64::INFINITY { square } else { f64::INFINITY }, deviation)
    }
}

/// Calls `f` for every row, pattern by pattern, with its number, ln π p(x_o) of each component, and the
/// deviations.
fn each_row(
    mixture: &GaussianMixture,
    data: &Observations,
    patterns: &[Pattern],
    mut f: impl FnMut(&Pattern, &[Conditional], usize, &mut [f64], &[DVector<f64>]),
) -> Result<(), Error> {
    for pattern in patterns {
        let conditionals: Vec<Conditional> = (0..mixture.components())
            .map(|k| Conditional::new(mixture, k, mixture.weights().ln_probabilities()[k], pattern))
            .collect::<Result<_, _>>()?;
        for &row in &pattern.rows {
            let observed = pattern.observed(data.values(), row);
            let (mut ln_joint, deviations): (Vec<f64>, Vec<DVector<f64>>) =
                conditionals.iter().map(|conditional| conditional.ln_joint(&observed)).unzip();
            f(pattern, &conditionals, row, &mut ln_joint, &deviations);
        }
    }
    Ok(())
}

/// As for complete data: Σ r u, and Σ r u uᵀ with what is not known of u, of the expected deviations u from
/// the means.
pub(super) fn expectations(
    mixture: &GaussianMixture,
    data: &Observations,
    patterns: &[Pattern],
    largest: Takes,
    scatter: Scatter,
) -> Result<Expectations, Error> {
    let (d, k) = (data.dimension(), mixture.components());
    let mut sums: Vec<(f64, DVector<f64>, DMatrix<f64>)> =
        vec![(0.0, DVector::zeros(d), DMatrix::zeros(d, d)); k];
    let (mut ln_likelihood, mut entropy, mut impossible) = (0.0, 0.0, None::<usize>);
    each_row(mixture, data, patterns, |pattern, conditionals, row, proportions, deviations| {
        let weight = data.weight(row);
        if weight == 0.0 {
            return;
        }
        if proportions.iter().all(|&proportion| proportion == f64::NEG_INFINITY) {
            impossible = Some(impossible.map_or(row, |first| first.min(row)));
            return;
        }
        match largest {
            Takes::Proportional => {
                let ln_joint = proportions.to_vec();
                let ln_sum = softmax_in_place(proportions);
                ln_likelihood += weight * ln_sum;
                let known = proportions.iter().zip(&ln_joint).filter(|(proportion, _)| **proportion > 0.0);
                entropy += weight * known.map(|(proportion, ln)| proportion * (ln_sum - ln)).sum::<f64>();
            }
            Takes::Largest => ln_likelihood += weight * take_largest(proportions),
        }
        for (((sum, proportion), conditional), deviation) in
            sums.iter_mut().zip(&*proportions).zip(conditionals).zip(deviations)
        {
            conditional.add(pattern, weight * proportion, deviation, sum);
        }
    })?;
    Ok(Expectations {
        components: sums.into_iter().map(|sum| moments(sum, scatter)).collect(),
        ln_likelihood,
        entropy,
        impossible,
    })
}

/// Weight, first and second moments in the form of the tiles.
pub(super) fn moments(
    (weight, first, second): (f64, DVector<f64>, DMatrix<f64>),
    scatter: Scatter,
) -> Moments {
    let second = match scatter {
        Scatter::Full => {
            (0..first.len()).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|place| second[place]).collect()
        }
        Scatter::Diagonal => second.diagonal().as_slice().to_vec(),
    };
    Moments { weight, first: first.as_slice().to_vec(), second }
}

/// Who takes an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Each component its proportion.
    Proportional,
    /// The one with most of it, the first of equals.
    Largest,
}

fn take_largest(proportions: &mut [f64]) -> f64 {
    let best =
        (1..proportions.len()).fold(0, |best, k| if proportions[k] > proportions[best] { k } else { best });
    let ln_joint = proportions[best];
    proportions.fill(0.0);
    proportions[best] = 1.0;
    ln_joint
}

impl GaussianMixture {
    /// The proportions of each observation and ln p of what was observed of it.
    pub(super) fn proportions(&self, data: &Observations) -> Result<(DMatrix<f64>, Vec<f64>), Error> {
        check::dimension("coordinates", self.dimension(), data.dimension())?;
        if data.is_complete() {
            return Ok(gaussian_tiles::proportions(data, self.fast()));
        }
        let mut all = DMatrix::zeros(data.len(), self.components());
        let mut ln_pdf = vec![f64::NEG_INFINITY; data.len()];
        each_row(self, data, &patterns(data), |_, _, row, proportions, _| {
            if proportions.iter().any(|&proportion| proportion > f64::NEG_INFINITY) {
                ln_pdf[row] = softmax_in_place(proportions);
                proportions.iter().enumerate().for_each(|(k, &proportion)| all[(row, k)] = proportion);
            }
        })?;
        Ok((all, ln_pdf))
    }
}
