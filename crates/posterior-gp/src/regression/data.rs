//! Observations, checked, with equal inputs collapsed into sites.

use std::cmp::Ordering;
use std::f64::consts::TAU;

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::GaussianProcess;
use crate::{Error, Noise};

/// One finite output for each input.
pub(crate) fn check_outputs(inputs: &DMatrix<f64>, outputs: &[f64]) -> Result<(), Error> {
    check::dimension("outputs", inputs.nrows(), outputs.len())?;
    match outputs.iter().position(|y| !y.is_finite()) {
        Some(row) => Err(Error::NotFinite { what: "output", row, value: outputs[row] }),
        None => Ok(()),
    }
}

/// Observations at their sites: the different inputs. The only observation without noise at a place has a
/// site of its own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Data {
    /// As they came.
    pub(crate) inputs: DMatrix<f64>,
    /// As they came.
    pub(crate) outputs: DVector<f64>,
    /// The different inputs, in the order in which they came first; none if all are different.
    distinct: Option<DMatrix<f64>>,
    /// The site of each observation.
    pub(crate) site: Vec<usize>,
    /// Two observations without noise at the same place.
    pub(crate) exact_pair: Option<(usize, usize)>,
}

/// What all observations at each site say together: one observation, and a constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Collapsed {
    /// The mean output of each site, weighted by precisions.
    pub(crate) outputs: DVector<f64>,
    /// Its noise variance.
    pub(crate) variances: DVector<f64>,
    /// ln of the density of the outputs about their means.
    pub(crate) ln_within: f64,
}

impl Data {
    /// Observations that a process can take.
    pub(crate) fn checked(
        process: &GaussianProcess,
        inputs: &DMatrix<f64>,
        outputs: &[f64],
        noise: &Noise,
    ) -> Result<Self, Error> {
        process.check(inputs)?;
        check_outputs(inputs, outputs)?;
        Ok(Self::new(inputs.clone(), outputs, &noise.variances(outputs.len())?))
    }

    /// Checked observations with these noise variances.
    pub(crate) fn new(inputs: DMatrix<f64>, outputs: &[f64], variances: &[f64]) -> Self {
        let rows = inputs.nrows();
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by(|&a, &b| compare(&inputs, a, b).then(a.cmp(&b)));
        // The first observation of the site of each one.
        let mut first: Vec<usize> = (0..rows).collect();
        let mut exact_pair = None;
        for equal in order.chunk_by(|&a, &b| compare(&inputs, a, b) == Ordering::Equal) {
            let mut exact = equal.iter().copied().filter(|&i| !(variances[i] > 0.0));
            let alone = match (exact.next(), exact.next()) {
                (Some(a), Some(b)) => {
                    exact_pair = exact_pair.or(Some((a, b)));
                    None
                }
                (one, _) => one,
            };
            let mut together = equal.iter().copied().filter(|&i| Some(i) != alone);
            if let Some(leader) = together.next() {
                together.for_each(|i| first[i] = leader);
            }
        }
        let leaders: Vec<usize> = (0..rows).filter(|&i| first[i] == i).collect();
        let mut number = vec![0; rows];
        for (site, &leader) in leaders.iter().enumerate() {
            number[leader] = site;
        }
        let site = first.iter().map(|&leader| number[leader]).collect();
        let distinct = (leaders.len() < rows).then(|| inputs.select_rows(&leaders));
        Self { outputs: DVector::from_column_slice(outputs), distinct, site, exact_pair, inputs }
    }

    /// The different inputs.
    pub(crate) fn sites(&self) -> &DMatrix<f64> {
        self.distinct.as_ref().unwrap_or(&self.inputs)
    }

    /// Whether every observation has a site of its own.
    pub(crate) const fn all_different(&self) -> bool {
        self.distinct.is_none()
    }

    /// ∏ᵢ N(yᵢ; f, sᵢ²) = C N(ȳ; f, s²) with 1/s² = Σ 1/sᵢ² and ȳ = s² Σ yᵢ/sᵢ², for each site.
    pub(crate) fn collapse(&self, variances: &[f64]) -> Collapsed {
        if self.all_different() {
            let variances = DVector::from_column_slice(variances);
            return Collapsed { outputs: self.outputs.clone(), variances, ln_within: 0.0 };
        }
        let count = self.sites().nrows();
        let mut members = vec![0_usize; count];
        let mut least = vec![f64::INFINITY; count];
        for (&site, &variance) in self.site.iter().zip(variances) {
            members[site] += 1;
            least[site] = least[site].min(variance);
        }
        // In units of the smallest variance, whose inverse may not be a number.
        let mut precision: DVector<f64> = DVector::zeros(count);
        for (&site, variance) in self.site.iter().zip(variances) {
            precision[site] += least[site] / variance;
        }
        let mut means: DVector<f64> = DVector::zeros(count);
        for ((&site, y), variance) in self.site.iter().zip(&self.outputs).zip(variances) {
            means[site] +=
                if members[site] == 1 { *y } else { y * (least[site] / variance / precision[site]) };
        }
        let mut ln_within = 0.0;
        for ((&site, y), variance) in self.site.iter().zip(&self.outputs).zip(variances) {
            if members[site] > 1 {
                let deviation = y - means[site];
                ln_within -= 0.5 * (TAU.ln() + variance.ln() + deviation * (deviation / variance));
            }
        }
        let mut collapsed = DVector::from_vec(least);
        for (site, variance) in collapsed.iter_mut().enumerate() {
            if members[site] > 1 {
                *variance /= precision[site];
                ln_within += 0.5 * (TAU.ln() + variance.ln());
            }
        }
        Collapsed { outputs: means, variances: collapsed, ln_within }
    }
}

/// The order of two rows, coordinate by coordinate.
fn compare(inputs: &DMatrix<f64>, a: usize, b: usize) -> Ordering {
    let (a, b) = (inputs.row(a), inputs.row(b));
    let different = a.iter().zip(b.iter()).map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    different.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
