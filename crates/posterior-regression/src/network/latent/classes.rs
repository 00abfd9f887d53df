//! E softmax(f) for Gaussian outputs f: what does not depend on the constant that no observation determines.
//!
//! A constant added to all outputs changes no probability, and its variance is that of the prior, however
//! much was observed. So only outputs less their mean enter here. Each class is integrated about its own peak
//! (the mode of p(class | f) N(f)), by moving the normal distribution there: the integrand that is left is at
//! most its value at the peak, and the logarithm is found directly, with no small number in between.

use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen, multiply, transpose_multiply};
use posterior_math::log_space::{ln_logistic, ln_softmax_in_place, logistic, softmax_in_place};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use posterior_math::special::normal_quantile;
use posterior_sampling::estimate::Sobol;
use rand::RngExt;
use rand_distr::StandardNormal;

/// The seed of the scrambled net.
const SEED: u64 = 0;

/// Newton steps to a peak at most.
const MAX_STEPS: usize = 200;

/// Where the normal density is negligible: e^-72.
const REACH: f64 = 12.0;

/// ln E σ(f), f ~ N(mean, variance), to about 10 digits wherever it lies; some hundred evaluations.
pub(super) fn ln_averaged_logistic(mean: f64, variance: f64) -> f64 {
    if variance == 0.0 {
        return ln_logistic(mean);
    }
    let sd = variance.sqrt();
    if !(sd > 0.0 && sd.is_finite() && mean.is_finite()) {
        return f64::NAN;
    }
    let peak = peak_on_the_line(mean, sd);
    let at_peak = mean + sd * peak;
    let top = ln_logistic(at_peak);
    let integrand = |t: f64| (ln_logistic(at_peak + sd * t) - top - t * (peak + 0.5 * t)).exp();
    // The step of the logistic function, and the slope beside it, may be much narrower than the normal
    // distribution.
    let (step, width) = (-at_peak / sd, 40.0 / sd);
    let beside = 40.0 / peak.max(f64::MIN_POSITIVE);
    let mut cuts = vec![-REACH, 0.0, REACH];
    cuts.extend([step - width, step, step + width, -beside, beside].iter().filter(|cut| cut.abs() < REACH));
    cuts.sort_by(f64::total_cmp);
    let integral = gauss_kronrod_pieces(integrand, &cuts, &QuadratureOptions::default()).value;
    top - 0.5 * peak * peak + (integral / std::f64::consts::TAU.sqrt()).ln()
}

/// The z with the largest σ(mean + sd z) e^(-z²/2), where sd σ(-f) = z: by Newton's method between bounds. It
/// is at most (max(-mean, 0) + ln(sd² + e)) / sd, as the logistic function is below e^-f.
fn peak_on_the_line(mean: f64, sd: f64) -> f64 {
    let beyond = ((-mean).max(0.0) + (sd * sd + std::f64::consts::E).ln()) / sd;
    let (mut low, mut high) = (0.0, beyond.min(sd * logistic(-mean)));
    let mut z = 0.5 * high;
    for _ in 0..MAX_STEPS {
        let (other, own) = (logistic(-(mean + sd * z)), logistic(mean + sd * z));
        let slope = sd * other - z;
        if slope > 0.0 {
            low = z;
        } else {
            high = z;
        }
        let next = z + slope / (1.0 + sd * sd * own * other);
        let next = if next > low && next < high { next } else { f64::midpoint(low, high) };
        if (next - z).abs() <= 1e-12 * z {
            break;
        }
        z = next;
    }
    z
}

/// Standard normal points for averages over the outputs of so many classes: a column each.
pub(super) struct Points(DMatrix<f64>);

impl Points {
    /// A scrambled net of Sobol's points, always the same. Behind the dimensions that there are nets for,
    /// independent draws.
    pub(super) fn new(classes: usize) -> Self {
        let dim = classes.saturating_sub(1);
        let count = match classes {
            ..=3 => 1 << 14,
            4 => 1 << 13,
            _ => 1 << 12,
        };
        let mut points = DMatrix::zeros(dim, count);
        if let Ok(mut net) = Sobol::scrambled(dim.min(Sobol::MAX_DIM), SEED) {
            let (mut point, mut rng) = (vec![0.0; net.dim()], stream(SEED, &[]));
            for mut column in points.column_iter_mut() {
                net.next_point(&mut point);
                for (place, entry) in column.iter_mut().enumerate() {
                    *entry = match point.get(place) {
                        Some(&uniform) => normal_quantile(uniform),
                        None => rng.sample(StandardNormal),
                    };
                }
            }
        }
        Self(points)
    }

    /// So large a proportion of them, and one at least: for a part of a mixture.
    pub(super) fn first(&self, proportion: f64) -> Self {
        let count = (proportion * self.0.ncols() as f64).ceil() as usize;
        Self(self.0.columns(0, count.clamp(1, self.0.ncols())).into_owned())
    }
}

/// The outputs at one row of inputs less their mean: mean + root z, z standard normal of one dimension less
/// than there are classes.
pub(super) struct Contrasts {
    mean: DVector<f64>,
    root: DMatrix<f64>,
}

impl Contrasts {
    /// From the means of the outputs, and the covariances of the outputs less their mean; `None` if they are
    /// not finite.
    pub(super) fn new(mut mean: DVector<f64>, covariance: &DMatrix<f64>) -> Option<Self> {
        let classes = mean.len();
        mean.add_scalar_mut(-mean.mean());
        if mean.iter().any(|f| !f.is_finite()) {
            return None;
        }
        let eigen = SymmetricEigen::new(covariance).ok()?;
        // In falling order: the first coordinates of a net are its best. The smallest eigenvalue is that of
        // the constant.
        let order = (1..classes).rev();
        let columns: Vec<DVector<f64>> = order
            .map(|place| eigen.vectors().column(place) * eigen.values()[place].max(0.0).sqrt())
            .collect();
        let root =
            if columns.is_empty() { DMatrix::zeros(classes, 0) } else { DMatrix::from_columns(&columns) };
        Some(Self { mean, root })
    }

    /// ln E softmax(f) of each class; the probabilities add up to 1.
    pub(super) fn ln_average(&self, points: &Points) -> Vec<f64> {
        if let [first, second] = self.mean.as_slice() {
            let (mean, variance) = (first - second, (self.root.row(0) - self.root.row(1)).norm_squared());
            return vec![ln_averaged_logistic(mean, variance), ln_averaged_logistic(-mean, variance)];
        }
        let deviations = multiply(&self.root, &points.0);
        let mut all: Vec<f64> =
            (0..self.mean.len()).map(|class| self.ln_average_of(class, &deviations, points)).collect();
        ln_softmax_in_place(&mut all);
        all
    }

    fn ln_average_of(&self, class: usize, deviations: &DMatrix<f64>, points: &Points) -> f64 {
        let z = self.peak(class);
        let center = &self.mean + &self.root * &z;
        let top = ln_softmax(center.iter().copied(), center[class]);
        let tilts = points.0.tr_mul(&z);
        let term = |(deviation, tilt): (&[f64], &f64)| {
            let f = center.iter().zip(deviation).map(|(center, deviation)| center + deviation);
            (ln_softmax(f, center[class] + deviation[class]) - top - tilt).exp()
        };
        let each = deviations.as_slice().chunks_exact(center.len());
        let sum: f64 = each.zip(tilts.iter()).map(term).sum();
        top - 0.5 * z.norm_squared() + (sum / tilts.len() as f64).ln()
    }

    /// The z with the largest p(class | mean + root z) e^(-|z|²/2), by Newton's method: there is one, and
    /// each step goes up.
    fn peak(&self, class: usize) -> DVector<f64> {
        let mut z = DVector::zeros(self.root.ncols());
        let value = |z: &DVector<f64>| {
            let f = &self.mean + &self.root * z;
            ln_softmax(f.iter().copied(), f[class]) - 0.5 * z.norm_squared()
        };
        let mut highest = value(&z);
        for _ in 0..MAX_STEPS {
            let mut p = &self.mean + &self.root * &z;
            softmax_in_place(p.as_mut_slice());
            let mut slope = -&p;
            slope[class] += 1.0;
            let gradient = self.root.tr_mul(&slope) - &z;
            let mean = self.root.tr_mul(&p);
            let weighted = DMatrix::from_fn(self.root.nrows(), self.root.ncols(), |i, j| {
                p[i] * (self.root[(i, j)] - mean[j])
            });
            let mut curvature = transpose_multiply(&self.root, &weighted);
            for place in 0..curvature.nrows() {
                curvature[(place, place)] += 1.0;
            }
            let Ok(factor) = Cholesky::decompose(curvature) else { break };
            let mut step = factor.solve_vector(&gradient);
            while value(&(&z + &step)) < highest && step.amax() > 1e-9 {
                step *= 0.5;
            }
            // How far off the peak is changes how good the points are, and no average.
            if step.amax() <= 1e-6 {
                break;
            }
            z += &step;
            highest = value(&z);
        }
        z
    }

    /// The probabilities of the classes (rows) that outputs at the points (columns) give.
    pub(super) fn probabilities(&self, points: &Points) -> DMatrix<f64> {
        let mut drawn = multiply(&self.root, &points.0);
        for mut column in drawn.column_iter_mut() {
            column += &self.mean;
            softmax_in_place(column.as_mut_slice());
        }
        drawn
    }
}

/// `own` - ln Σ e^f.
fn ln_softmax(f: impl Iterator<Item = f64> + Clone, own: f64) -> f64 {
    let largest = f.clone().fold(f64::NEG_INFINITY, f64::max);
    own - largest - f.map(|f| (f - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// mpmath 1.3.0, 40 digits: the integral cut at the peak, at the step and about both.
    const LN_AVERAGED: [(f64, f64, f64); 12] = [
        (1.0, 2.0, -0.39295858817464069),
        (-100.0, 1.0, -99.5),
        (-3.0, 1e4, -0.71736714273657938),
        (-1e5, 1e12, -0.77615459273013143),
        (-50.0, 400.0, -5.0527791932820072),
        (-700.0, 100.0, -650.0),
        (-2000.0, 1.0, -1999.5),
        (0.3, 1e-8, -0.55435524478532282),
        (-1e6, 1e6, -500000.69314718056),
        (-8.0, 55.0, -1.9153795603691196),
        (-0.001, 0.5, -0.6935965282096173),
        (-30000.0, 1e6, -454.31976144165412),
    ];

    #[test]
    fn averaged_logistic_functions_from_narrow_to_wide_and_far_down() {
        for (mean, variance, expected) in LN_AVERAGED {
            let found = ln_averaged_logistic(mean, variance);
            assert!((found - expected).abs() < 1e-10 + 2e-15 * expected.abs(), "{mean} {variance}: {found}");
        }
        // A step, and nothing but the sign of the mean matters; neither has a digit less than f64 holds.
        let step = ln_averaged_logistic(0.0, 1e300);
        assert!((step + 2_f64.ln()).abs() < 1e-10, "{step}");
        assert_eq!(ln_averaged_logistic(-1e300, 0.0), -1e300);
        for (mean, variance) in [(f64::NAN, 1.0), (0.0, -1.0), (0.0, f64::NAN), (0.0, f64::INFINITY)] {
            assert!(ln_averaged_logistic(mean, variance).is_nan());
        }
    }

    /// Three classes of which each two are one: P(A or B) is that of two classes.
    #[test]
    fn averages_far_down_are_logarithms() {
        let points = Points::new(3);
        // Outputs that are certain but for their common constant.
        let certain = Contrasts::new(DVector::from_column_slice(&[0.0, -900.0, 5.0]), &DMatrix::zeros(3, 3));
        let ln_p = certain.unwrap().ln_average(&points);
        assert!((ln_p[1] + 905.0 + (-5_f64).exp().ln_1p()).abs() < 1e-9, "{ln_p:?}");
        // E e^f of one class far below two others: -900 + v/2, v the variance of the difference.
        let variance = DMatrix::from_diagonal(&DVector::from_column_slice(&[0.0, 3.0, 0.0]));
        let center = DMatrix::from_fn(3, 3, |i, j| f64::from(u8::from(i == j)) - 1.0 / 3.0);
        let contrasts = &center * variance * &center;
        let own = Contrasts::new(DVector::from_column_slice(&[0.0, -900.0, 0.0]), &contrasts).unwrap();
        let ln_p = own.ln_average(&points);
        assert!((ln_p[1] - (-900.0 + 1.5 - 2_f64.ln())).abs() < 1e-6, "{ln_p:?}");
        assert!(
            Contrasts::new(DVector::from_column_slice(&[0.0, f64::NAN]), &DMatrix::zeros(2, 2)).is_none()
        );
        assert!(Contrasts::new(DVector::zeros(2), &DMatrix::from_element(2, 2, f64::INFINITY)).is_none());
    }
}
