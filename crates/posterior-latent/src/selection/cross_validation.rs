//! The likelihood of held-out data.

use posterior_dist::stream::stream;
use posterior_math::check;
use rand::seq::SliceRandom;

use crate::error::Error;
use crate::observations::Observations;

/// How probable data were that a fit had not seen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrossValidationScore {
    /// The mean of ln p over observations, by weight.
    pub mean: f64,
    /// Its standard error, as if observations scored independently.
    pub standard_error: f64,
    /// ln p of each observation under the fit without its fold.
    pub ln_pdf: Vec<f64>,
}

/// Cuts the data at random into `folds` parts of equal size, up to one; fits without each, and scores it.
///
/// `fit` gets a part of the data and the number of the fold; `ln_pdf` says ln p of each observation of
/// another part.
///
/// ```
/// use posterior_dist::{Density, Normal};
/// use posterior_latent::Observations;
/// use posterior_latent::selection::cross_validation;
/// use posterior_math::linalg::DMatrix;
///
/// let data = Observations::new(&DMatrix::from_column_slice(4, 1, &[0.0, 1.0, 2.0, 3.0]))?;
/// let fit = |rows: &Observations, _| Ok(Normal::mean_sd(rows.values().mean(), 1.0)?);
/// let ln_pdf = |distribution: &Normal, rows: &Observations| Ok(rows.values().iter().map(|x| distribution.ln_pdf(x)).collect());
/// let score = cross_validation(&data, 4, 1, fit, ln_pdf)?;
/// // Each is twice, or two thirds, from the mean of the other three.
/// let squares = 2.0 * (4.0 + 4.0 / 9.0) / 4.0;
/// assert!((score.mean + 0.5 * (std::f64::consts::TAU.ln() + squares)).abs() < 1e-14);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
///
/// # Errors
/// If there are fewer than two folds or more than observations, or those of a fit.
pub fn cross_validation<M>(
    data: &Observations,
    folds: usize,
    seed: u64,
    mut fit: impl FnMut(&Observations, usize) -> Result<M, Error>,
    ln_pdf: impl Fn(&M, &Observations) -> Result<Vec<f64>, Error>,
) -> Result<CrossValidationScore, Error> {
    let n = data.len();
    let enough = folds >= 2 && folds <= n;
    check::require(
        enough,
        "cross_validation",
        "folds",
        folds as f64,
        "from 2 to the number of observations",
    )?;
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(&mut stream(seed, &[]));
    let mut scores = vec![0.0; n];
    let each_once = data.unweighted();
    for fold in 0..folds {
        let held: Vec<usize> = (fold..n).step_by(folds).map(|place| order[place]).collect();
        let rest: Vec<usize> =
            (0..n).filter(|place| place % folds != fold).map(|place| order[place]).collect();
        let model = fit(&data.of_rows(&rest)?, fold)?;
        for (&row, score) in held.iter().zip(ln_pdf(&model, &each_once.of_rows(&held)?)?) {
            scores[row] = score;
        }
    }
    let total = data.total_weight();
    let counted = || (0..n).filter(|&i| data.weight(i) > 0.0);
    let mean = counted().map(|i| data.weight(i) * scores[i]).sum::<f64>() / total;
    let squares = counted().map(|i| (data.weight(i) * (scores[i] - mean)).powi(2)).sum::<f64>();
    Ok(CrossValidationScore { mean, standard_error: squares.sqrt() / total, ln_pdf: scores })
}
