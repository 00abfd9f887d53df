//! Data for the logistic regression.

use posterior_dist::stream::stream;
use rand::RngExt;
use rand_distr::StandardNormal;

/// Rows of correlated normal features (any two 0.3), the first of them 1; labels of a logistic model whose
/// weights are N(0, 0.7²).
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticData {
    /// The number of features.
    pub features: usize,
    /// The rows, one after another.
    pub rows: Vec<f64>,
    /// For each row 0 or 1.
    pub labels: Vec<f64>,
}

impl LogisticData {
    /// As many rows and features, from this seed.
    pub fn generate(rows: usize, features: usize, seed: u64) -> Self {
        let mut rng = stream(seed, &[]);
        let weights: Vec<f64> = (0..features).map(|_| 0.7 * rng.sample::<f64, _>(StandardNormal)).collect();
        let mut data =
            Self { features, rows: Vec::with_capacity(rows * features), labels: Vec::with_capacity(rows) };
        for _ in 0..rows {
            let common: f64 = rng.sample(StandardNormal);
            let start = data.rows.len();
            for feature in 0..features {
                let own: f64 = rng.sample(StandardNormal);
                data.rows.push(if feature == 0 {
                    1.0
                } else {
                    0.3_f64.sqrt() * common + 0.7_f64.sqrt() * own
                });
            }
            let eta: f64 = data.rows[start..].iter().zip(&weights).map(|(x, w)| x * w).sum();
            data.labels.push(f64::from(rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp())));
        }
        data
    }
}
