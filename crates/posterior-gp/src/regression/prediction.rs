//! Predictions place by place: a mean and a variance each.

use posterior_math::linalg::DVector;
use posterior_math::special::{HALF_LN_TAU, normal_cdf, normal_upper_quantile};

/// Means and variances at some places.
///
/// ```
/// use posterior_gp::regression::Prediction;
/// use posterior_math::linalg::DVector;
///
/// let of_function = Prediction { mean: DVector::from_vec(vec![2.0]), variance: DVector::from_vec(vec![0.75])
/// }; let of_output = of_function.plus_noise(0.25);
/// let (lower, upper) = of_output.interval(0.95);
/// assert!((lower[0] - 0.04).abs() < 1e-3 && (upper[0] - 3.96).abs() < 1e-3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The mean at each place.
    pub mean: DVector<f64>,
    /// The variance at each place.
    pub variance: DVector<f64>,
}

impl Prediction {
    /// The prediction of outputs with this noise variance.
    #[must_use]
    pub fn plus_noise(self, variance: f64) -> Self {
        Self { variance: self.variance.add_scalar(variance), ..self }
    }

    /// The standard deviation at each place.
    pub fn sd(&self) -> DVector<f64> {
        self.variance.map(f64::sqrt)
    }

    /// The central intervals that have this probability: lower ends, upper ends. NaN unless 0 ≤ `probability`
    /// ≤ 1.
    pub fn interval(&self, probability: f64) -> (DVector<f64>, DVector<f64>) {
        let quantile = normal_upper_quantile(0.5 * (1.0 - probability));
        // What is known exactly has no width at any probability.
        let known = |sd: f64| sd == 0.0 && quantile == f64::INFINITY;
        let reach = self.sd().map(|sd| if known(sd) { 0.0 } else { sd * quantile });
        (&self.mean - &reach, &self.mean + &reach)
    }

    /// The proportion of `values` inside of the central intervals with this probability; NaN if there is
    /// none.
    ///
    /// # Panics
    /// Unless there is a value for each place.
    #[track_caller]
    pub fn coverage(&self, values: &[f64], probability: f64) -> f64 {
        self.check(values);
        let (lower, upper) = self.interval(probability);
        let inside = values.iter().zip(lower.iter().zip(&upper)).filter(|(y, (a, b))| (*a..=*b).contains(y));
        inside.count() as f64 / values.len() as f64
    }

    /// The mean logarithm of the density at `values`.
    ///
    /// # Panics
    /// Unless there is a value for each place.
    #[track_caller]
    pub fn ln_score(&self, values: &[f64]) -> f64 {
        self.check(values);
        let score = |(y, (m, v)): (&f64, (&f64, &f64))| {
            -0.5 * ((y - m).powi(2) / v + (std::f64::consts::TAU * v).ln())
        };
        values.iter().zip(self.mean.iter().zip(&self.variance)).map(score).sum::<f64>() / values.len() as f64
    }

    /// The mean continuous ranked probability score at `values`, in their units: smaller is better, and
    /// without a variance it is the absolute error.
    ///
    /// # References
    /// T. Gneiting, A. Raftery, JASA 102 (2007), equation 21.
    ///
    /// # Panics
    /// Unless there is a value for each place.
    #[track_caller]
    pub fn crps(&self, values: &[f64]) -> f64 {
        self.check(values);
        let score = |(y, (m, v)): (&f64, (&f64, &f64))| {
            let sd = v.sqrt();
            if sd == 0.0 {
                return (y - m).abs();
            }
            let z = (y - m) / sd;
            let density = (-0.5 * z * z - HALF_LN_TAU).exp();
            sd * (z * (2.0 * normal_cdf(z) - 1.0) + 2.0 * density - std::f64::consts::PI.sqrt().recip())
        };
        values.iter().zip(self.mean.iter().zip(&self.variance)).map(score).sum::<f64>() / values.len() as f64
    }

    #[track_caller]
    fn check(&self, values: &[f64]) {
        assert_eq!(values.len(), self.mean.len(), "values and places");
    }
}
