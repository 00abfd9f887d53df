//! Rows with missing values under Gaussian components: q(zᵢ, missing values of row i) for each row.
//!
//! As a function of its missing values, exp E ln p(x | w_k) is a Gaussian with covariance Ψ / ν, so that q
//! given a component is its conditional distribution given what was seen, and the responsibility has its
//! marginal there. Rows that miss the same values share the matrices.

use std::collections::BTreeMap;

use posterior_math::linalg::{Cholesky, DMatrix, MatrixError};
use posterior_math::log_space::{ln_sum_exp, x_ln_x};
use posterior_math::special::LN_TAU;

use crate::error::Error;
use crate::gaussian_tiles::{Expectations, Moments};
use crate::observations::Observations;

/// exp E ln p(x | w_k) π_k = exp(`ln_offset`) N(x; `centre`, `covariance`).
pub(super) struct ComponentGaussian {
    pub(super) centre: Vec<f64>,
    pub(super) covariance: DMatrix<f64>,
    pub(super) ln_offset: f64,
}

/// What a distribution says of rows with the same missing values.
struct Conditional<'a> {
    distribution: &'a ComponentGaussian,
    /// The factor of the covariance of what was seen, if anything was.
    seen: Option<Cholesky>,
    /// How the means of the others depend on what was seen.
    gain: DMatrix<f64>,
    /// The covariance of the others given it.
    covariance: DMatrix<f64>,
    /// ln ρ at the centre.
    ln_offset: f64,
    /// The entropy of the others given it.
    entropy: f64,
}

impl<'a> Conditional<'a> {
    fn new(
        distribution: &'a ComponentGaussian,
        seen: &[usize],
        hidden: &[usize],
    ) -> Result<Self, MatrixError> {
        let block = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| distribution.covariance[(rows[i], columns[j])])
        };
        let whole = Cholesky::new(&distribution.covariance)?.ln_determinant();
        let mut covariance = block(hidden, hidden);
        let mut gain = DMatrix::zeros(hidden.len(), seen.len());
        let (factor, ln_seen) = if seen.is_empty() {
            (None, 0.0)
        } else {
            let factor = Cholesky::decompose(block(seen, seen))?;
            let across = block(seen, hidden);
            gain = factor.solve(&across).transpose();
            let half = factor.half_solve(&across);
            covariance -= half.transpose() * half;
            let ln_seen = factor.ln_determinant();
            (Some(factor), ln_seen)
        };
        let (s, h) = (seen.len() as f64, hidden.len() as f64);
        Ok(Self {
            distribution,
            seen: factor,
            gain,
            covariance,
            ln_offset: distribution.ln_offset - 0.5 * (s * LN_TAU + ln_seen),
            entropy: 0.5 * (h * (1.0 + LN_TAU) + whole - ln_seen),
        })
    }

    /// ln ρ, and the mean of the row less the centre.
    fn of_row(&self, row: &[f64], seen: &[usize], hidden: &[usize], deviation: &mut [f64]) -> f64 {
        let mut white: Vec<f64> = seen.iter().map(|&j| row[j] - self.distribution.centre[j]).collect();
        for (&j, &known) in seen.iter().zip(&white) {
            deviation[j] = known;
        }
        for (i, &j) in hidden.iter().enumerate() {
            deviation[j] = white.iter().enumerate().map(|(s, known)| self.gain[(i, s)] * known).sum();
        }
        if let Some(factor) = &self.seen {
            factor.half_solve_slice_in_place(&mut white);
        }
        let square: f64 = white.iter().map(|white| white * white).sum();
        self.ln_offset - 0.5 * square
    }
}

/// The rows by what is missing in them: those that miss nothing first.
fn patterns(data: &Observations) -> BTreeMap<Vec<bool>, Vec<usize>> {
    let mut rows: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for i in 0..data.len() {
        let missing = data.values().row(i).iter().map(|value| value.is_nan()).collect();
        rows.entry(missing).or_default().push(i);
    }
    rows
}

/// The expected statistics of all rows, about the centres of the distributions, and the proportions of each
/// row.
///
/// The entropy is that of the missing values too. A pattern costs the factors of K matrices.
pub(super) fn expectations(
    data: &Observations,
    distributions: &[ComponentGaussian],
) -> Result<(Expectations, DMatrix<f64>), Error> {
    let (d, count) = (data.dimension(), distributions.len());
    let mut found = Expectations {
        components: distributions.iter().map(|_| nothing(d)).collect(),
        ln_likelihood: 0.0,
        entropy: 0.0,
        impossible: None,
    };
    let mut proportions = DMatrix::zeros(data.len(), count);
    let (mut ln, mut deviations) = (vec![0.0; count], vec![vec![0.0; d]; count]);
    for (missing, rows) in patterns(data) {
        let hidden: Vec<usize> = (0..d).filter(|&j| missing[j]).collect();
        let seen: Vec<usize> = (0..d).filter(|&j| !missing[j]).collect();
        let conditionals: Vec<Conditional<'_>> = distributions
            .iter()
            .map(|distribution| Conditional::new(distribution, &seen, &hidden))
            .collect::<Result<_, _>>()?;
        let mut weights = vec![0.0; count];
        for i in rows {
            let row: Vec<f64> = data.values().row(i).iter().copied().collect();
            for ((distribution, ln), deviation) in conditionals.iter().zip(&mut ln).zip(&mut deviations) {
                *ln = distribution.of_row(&row, &seen, &hidden, deviation);
            }
            let (weight, ln_sum) = (data.weight(i), ln_sum_exp(&ln));
            if !ln_sum.is_finite() {
                found.impossible = found.impossible.or((weight > 0.0).then_some(i));
                continue;
            }
            found.ln_likelihood += weight * ln_sum;
            for k in 0..count {
                let proportion = (ln[k] - ln_sum).exp();
                proportions[(i, k)] = proportion;
                found.entropy += weight * (proportion * conditionals[k].entropy - x_ln_x(proportion));
                weights[k] += weight * proportion;
                push(&mut found.components[k], weight * proportion, &deviations[k]);
            }
        }
        for ((moments, weight), distribution) in found.components.iter_mut().zip(weights).zip(&conditionals) {
            for (a, &i) in hidden.iter().enumerate() {
                for (b, &j) in hidden[..=a].iter().enumerate() {
                    moments.second[i * (i + 1) / 2 + j] += weight * distribution.covariance[(a, b)];
                }
            }
        }
    }
    Ok((found, proportions))
}

fn nothing(d: usize) -> Moments {
    Moments { weight: 0.0, first: vec![0.0; d], second: vec![0.0; d * (d + 1) / 2] }
}

/// Adds a row about the centre.
fn push(moments: &mut Moments, weight: f64, deviation: &[f64]) {
    if weight == 0.0 {
        return;
    }
    moments.weight += weight;
    let mut second = moments.second.iter_mut();
    for (i, &x) in deviation.iter().enumerate() {
        moments.first[i] += weight * x;
        for (&y, second) in deviation[..=i].iter().zip(&mut second) {
            *second += weight * x * y;
        }
    }
}

/// Distributions to begin with, where nothing but responsibilities is known: coordinates are independent,
/// with the means of what each component sees of them, or of all that is seen where it sees nothing; and one
/// variance for all components.
pub(super) fn independent(data: &Observations, responsibilities: &DMatrix<f64>) -> Vec<ComponentGaussian> {
    let d = data.dimension();
    // The weighted mean of a coordinate where it was seen.
    let mean = |j: usize, proportion: &dyn Fn(usize) -> f64, f: &dyn Fn(f64) -> f64| {
        let column = data.values().column(j);
        let seen = || (0..data.len()).filter(|&i| !column[i].is_nan());
        let total: f64 = seen().map(|i| data.weight(i) * proportion(i)).sum();
        let sum: f64 = seen().map(|i| data.weight(i) * proportion(i) * f(column[i])).sum();
        (total > 0.0).then(|| sum / total)
    };
    let all: Vec<f64> = (0..d).map(|j| mean(j, &|_| 1.0, &|x| x).unwrap_or(0.0)).collect();
    let variance = |j: usize| {
        let square = mean(j, &|_| 1.0, &|x| (x - all[j]) * (x - all[j]));
        square.filter(|square| *square > 0.0).unwrap_or(1.0)
    };
    let covariance = DMatrix::from_fn(d, d, |i, j| if i == j { variance(i) } else { 0.0 });
    let centre = |k: usize| {
        let proportion = |i: usize| responsibilities[(i, k)];
        (0..d).map(|j| mean(j, &proportion, &|x| x).unwrap_or(all[j])).collect()
    };
    (0..responsibilities.ncols())
        .map(|k| ComponentGaussian { centre: centre(k), covariance: covariance.clone(), ln_offset: 0.0 })
        .collect()
}

/// The expected statistics of given responsibilities, with missing values as `distributions` have them.
pub(super) fn given(
    data: &Observations,
    distributions: &[ComponentGaussian],
    responsibilities: &DMatrix<f64>,
) -> Result<Expectations, Error> {
    let d = data.dimension();
    let mut found = Expectations {
        components: distributions.iter().map(|_| nothing(d)).collect(),
        ln_likelihood: 0.0,
        entropy: 0.0,
        impossible: None,
    };
    let mut deviation = vec![0.0; d];
    for (missing, rows) in patterns(data) {
        let hidden: Vec<usize> = (0..d).filter(|&j| missing[j]).collect();
        let seen: Vec<usize> = (0..d).filter(|&j| !missing[j]).collect();
        for (k, distribution) in distributions.iter().enumerate() {
            let conditional = Conditional::new(distribution, &seen, &hidden)?;
            let mut total = 0.0;
            for &i in &rows {
                let row: Vec<f64> = data.values().row(i).iter().copied().collect();
                let (weight, proportion) = (data.weight(i), responsibilities[(i, k)]);
                conditional.of_row(&row, &seen, &hidden, &mut deviation);
                push(&mut found.components[k], weight * proportion, &deviation);
                found.entropy += weight * (proportion * conditional.entropy - x_ln_x(proportion));
                total += weight * proportion;
            }
            for (a, &i) in hidden.iter().enumerate() {
                for (b, &j) in hidden[..=a].iter().enumerate() {
                    found.components[k].second[i * (i + 1) / 2 + j] += total * conditional.covariance[(a, b)];
                }
            }
        }
    }
    Ok(found)
}
