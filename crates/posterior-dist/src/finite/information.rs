//! Entropy, divergence and mutual information of probabilities on finite sets.
//!
//! Probabilities are slices that are non-negative and sum to one; of two slices of different lengths the
//! shorter one has probability zero beyond its end. Terms of probability zero are zero: 0 ln 0 = 0. Results
//! are in nats. NaN and negative numbers give NaN.
//!
//! ```
//! use posterior_dist::finite::information::{kl_divergence, total_variation};
//!
//! // Death, recovery, recovery with side effects: two treatments.
//! let (a, b) = ([0.1, 0.2, 0.7], [0.2, 0.01, 0.79]);
//! assert!((kl_divergence(&a, &b) - 0.4451649093624399).abs() < 1e-15);
//! assert!((kl_divergence(&b, &a) - 0.2042246756064027).abs() < 1e-15);
//! assert!((total_variation(&a, &b) - 0.19).abs() < 1e-15);
//! ```

#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{x_ln_x, x_ln_y};
use posterior_math::special::poisson_deviance;

/// H(p) = -Σ p ln p.
///
/// ```
/// use posterior_dist::finite::information::entropy;
///
/// assert!((entropy(&[0.6, 0.4]) - 0.6730116670092565).abs() < 1e-15);
/// assert_eq!(entropy(&[0.0, 1.0]), 0.0);
/// ```
pub fn entropy(p: &[f64]) -> f64 {
    0.0 - p.iter().map(|&p| x_ln_x(p)).sum::<f64>()
}

/// -Σ p ln q = H(p) + KL(p ‖ q); +∞ where p has mass and q none.
pub fn cross_entropy(p: &[f64], q: &[f64]) -> f64 {
    0.0 - pairs(p, q).map(|(p, q)| x_ln_y(p, q)).sum::<f64>()
}

/// KL(p ‖ q) = Σ p ln(p / q) ≥ 0, and 0 only if they are equal; +∞ where p has mass and q none.
///
/// Added up as Σ (p ln(p / q) + q - p), whose terms are all positive, so that distributions that are almost
/// equal keep the digits of their divergence.
pub fn kl_divergence(p: &[f64], q: &[f64]) -> f64 {
    pairs(p, q).map(|(p, q)| poisson_deviance(p, q)).sum()
}

/// The Jensen-Shannon divergence, ½ KL(p ‖ m) + ½ KL(q ‖ m) with m = ½ (p + q): symmetric, at most ln 2.
///
/// ```
/// use posterior_dist::finite::information::jensen_shannon;
///
/// assert!((jensen_shannon(&[1.0, 0.0], &[0.0, 1.0]) - std::f64::consts::LN_2).abs() < 1e-15);
/// ```
pub fn jensen_shannon(p: &[f64], q: &[f64]) -> f64 {
    let term = |(p, q): (f64, f64)| {
        // All is doubled, since half of the smallest number is zero.
        let sum = p + q;
        0.25 * (poisson_deviance(2.0 * p, sum) + poisson_deviance(2.0 * q, sum))
    };
    pairs(p, q).map(term).sum()
}

/// The total variation, ½ Σ |p - q|: the largest difference that an event can have in probability.
pub fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    let difference = |(p, q): (f64, f64)| if p >= 0.0 && q >= 0.0 { (p - q).abs() } else { f64::NAN };
    0.5 * pairs(p, q).map(difference).sum::<f64>()
}

/// The Hellinger distance, |√p - √q| / √2: a metric from 0, equal, to 1, no outcome in common.
///
/// ```
/// use posterior_dist::finite::information::hellinger;
///
/// assert!((hellinger(&[0.5, 0.5], &[0.9, 0.1]) - (1.0 - 0.45_f64.sqrt() - 0.05_f64.sqrt()).sqrt()).abs() < 1e-15);
/// ```
pub fn hellinger(p: &[f64], q: &[f64]) -> f64 {
    let square = |(p, q): (f64, f64)| (p.sqrt() - q.sqrt()).powi(2);
    (0.5 * pairs(p, q).map(square).sum::<f64>()).sqrt()
}

/// I(X; Y) = KL(p(x, y) ‖ p(x) p(y)), from the joint probabilities with x by rows and y by columns: zero if
/// and only if X and Y are independent.
///
/// ```
/// use posterior_dist::finite::information::mutual_information;
/// use posterior_math::linalg::DMatrix;
///
/// // What a bit says about itself, and about another one.
/// assert!((mutual_information(&DMatrix::from_row_slice(2, 2, &[0.5, 0.0, 0.0, 0.5])) - 2_f64.ln()).abs() < 1e-15);
/// assert_eq!(mutual_information(&DMatrix::from_element(2, 2, 0.25)), 0.0);
/// ```
#[cfg(feature = "linalg")]
pub fn mutual_information(joint: &DMatrix<f64>) -> f64 {
    let rows: Vec<f64> = joint.row_iter().map(|row| row.sum()).collect();
    let columns: Vec<f64> = joint.column_iter().map(|column| column.sum()).collect();
    let mut sum = 0.0;
    for (j, column) in columns.iter().enumerate() {
        for (i, row) in rows.iter().enumerate() {
            sum += poisson_deviance(joint[(i, j)], row * column);
        }
    }
    sum
}

/// The probabilities of both, with zeros where one is longer.
fn pairs(p: &[f64], q: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let at = |distribution: &[f64], k: usize| distribution.get(k).copied().unwrap_or(0.0);
    (0..p.len().max(q.len())).map(move |k| (at(p, k), at(q, k)))
}
