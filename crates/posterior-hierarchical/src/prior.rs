//! Priors of hyperparameters, as densities on their natural scale.

use std::f64::consts::SQRT_2;
use std::fmt::{self, Debug};
use std::sync::Arc;

use posterior_dist::{Density, PointGradient};
use posterior_math::check::{self, ParamError};
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::ln_beta;

/// The prior of one hyperparameter on its natural scale: a standard deviation, a correlation, a range.
///
/// Penalised complexity priors are exponential in the distance from a simpler model, and are chosen by one
/// statement P(parameter beyond u) = a.
///
/// # References
/// D. Simpson, H. Rue, A. Riebler, T. Martins, S. Sørbye, Penalising model component complexity, Statistical
/// Science 32 (2017).
///
/// ```
/// use posterior_hierarchical::HyperparameterPrior;
///
/// // A standard deviation above 1 has probability 0.01: exponential with rate -ln 0.01.
/// let prior = HyperparameterPrior::deviation_above(1.0, 0.01)?;
/// let rate = -(0.01_f64).ln();
/// assert!((prior.ln_pdf(0.5) - (rate.ln() - 0.5 * rate)).abs() < 1e-14);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
#[derive(Clone)]
pub struct HyperparameterPrior(Form);

#[derive(Clone)]
enum Form {
    /// λ e^(-λ x).
    Exponential {
        rate: f64,
    },
    /// The distance √(1 - ρ) from ρ = 1.
    CorrelationNearOne {
        rate: f64,
    },
    /// The distance √(-ln(1 - ρ²)) from ρ = 0.
    CorrelationNearZero {
        rate: f64,
    },
    /// r^(-d/2) is exponential.
    Range {
        rate: f64,
        half: f64,
    },
    /// (z + 1) / 2 ~ Beta(b, b).
    SymmetricBeta {
        b: f64,
    },
    /// The distance of a mixing weight, from the eigenvalues of the scaled covariance less 1.
    Mixing {
        rate: f64,
        excess: Arc<[f64]>,
    },
    /// 1/√x is exponential.
    InverseRoot {
        rate: f64,
    },
    /// 1 / x, flat in ln x and improper.
    Reciprocal,
    Other(Arc<dyn SmoothDensity>),
    Flat,
}

/// ln p and its derivative.
trait SmoothDensity: fmt::Display + Send + Sync {
    fn at(&self, x: f64) -> (f64, f64);
}

impl<D: Density<Point = f64> + PointGradient + fmt::Display + Send + Sync> SmoothDensity for D {
    fn at(&self, x: f64) -> (f64, f64) {
        (self.ln_pdf(&x), self.point_gradient(&x))
    }
}

impl HyperparameterPrior {
    /// As text, with numbers as they are written.
    fn written(&self, number: impl Fn(f64) -> String) -> String {
        let of = |name: &str, value: f64| format!("{name}({})", number(value));
        match &self.0 {
            Form::Exponential { rate } => of("exponential", *rate),
            Form::CorrelationNearOne { rate } => of("pc_correlation_near_one", *rate),
            Form::CorrelationNearZero { rate } => of("pc_correlation_near_zero", *rate),
            Form::Range { rate, half } => format!("pc_range({}, {})", number(*rate), number(*half)),
            Form::SymmetricBeta { b } => of("symmetric_beta", *b),
            Form::Mixing { rate, .. } => of("pc_mixing", *rate),
            Form::InverseRoot { rate } => of("inverse_root", *rate),
            Form::Reciprocal => "reciprocal".to_owned(),
            Form::Other(own) => own.to_string(),
            Form::Flat => "flat".to_owned(),
        }
    }
}

impl Debug for HyperparameterPrior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(|number| number.to_string()))
    }
}

impl fmt::Display for HyperparameterPrior {
    /// With four digits of each number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |number: f64| {
            let digits = (3.0 - number.abs().log10().floor()).clamp(0.0, 300.0) as usize;
            let text = format!("{number:.digits$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        };
        f.write_str(&self.written(short))
    }
}

const NAME: &str = "HyperparameterPrior";

/// -ln a for a probability that a prior is stated with.
fn exponent(probability: f64) -> Result<f64, ParamError> {
    Ok(-check::open_probability(NAME, "probability", probability)?.ln())
}

impl HyperparameterPrior {
    /// P(σ > u) = a for a standard deviation, exponential: the penalised complexity prior.
    ///
    /// # Errors
    /// A bound that is not positive and finite, or a probability that is not between 0 and 1.
    pub fn deviation_above(bound: f64, probability: f64) -> Result<Self, ParamError> {
        let rate = exponent(probability)? / check::positive(NAME, "bound", bound)?;
        Ok(Self(Form::Exponential { rate }))
    }

    /// A standard deviation that is exponential with this mean: [`deviation_above`](Self::deviation_above) it
    /// with a probability of 1/e.
    ///
    /// # Errors
    /// A mean that is not positive and finite.
    pub fn deviation_with_mean(mean: f64) -> Result<Self, ParamError> {
        Ok(Self(Form::Exponential { rate: check::positive(NAME, "mean", mean)?.recip() }))
    }

    /// P(ρ > u) = a for the correlation of neighbours in an autoregression, with ρ = 1 as the simpler model:
    /// no change over time.
    ///
    /// # Errors
    /// A bound not between -1 and 1; a probability that is not between √((1 - u) / 2), where the prior has no
    /// preference, and 1.
    ///
    /// # References
    /// S. H. Sørbye, H. Rue, Penalised complexity priors for stationary autoregressive processes, J. Time
    /// Ser. Anal. 38 (2017).
    pub fn correlation_above(bound: f64, probability: f64) -> Result<Self, ParamError> {
        check::require(bound > -1.0 && bound < 1.0, NAME, "bound", bound, "between -1 and 1")?;
        let least = ((1.0 - bound) / 2.0).sqrt();
        let requirement = "above sqrt((1 - bound) / 2), the probability without a preference, and below 1";
        let possible = probability > least && probability < 1.0;
        check::require(possible, NAME, "probability", probability, requirement)?;
        let distance = (1.0 - bound).sqrt();
        let off = |ln_rate: f64| {
            let rate = ln_rate.exp();
            (-rate * distance).exp_m1() / (-rate * SQRT_2).exp_m1() - probability
        };
        let root = find_root(off, -40.0, 40.0, &RootOptions::default());
        Ok(Self(Form::CorrelationNearOne { rate: root.point.exp() }))
    }

    /// P(|ρ| > u) = a for a correlation, with ρ = 0 as the simpler model.
    ///
    /// # Errors
    /// A bound or a probability that is not between 0 and 1.
    ///
    /// # References
    /// As [`correlation_above`](Self::correlation_above).
    pub fn correlation_beyond(bound: f64, probability: f64) -> Result<Self, ParamError> {
        check::open_probability(NAME, "bound", bound)?;
        let distance = (-(-bound * bound).ln_1p()).sqrt();
        Ok(Self(Form::CorrelationNearZero { rate: exponent(probability)? / distance }))
    }

    /// P(range < u) = a for the range of a field in d dimensions, with an infinite range as the simpler
    /// model.
    ///
    /// # Errors
    /// A bound that is not positive and finite, a probability that is not between 0 and 1, no dimension.
    ///
    /// # References
    /// G.-A. Fuglstad, D. Simpson, F. Lindgren, H. Rue, Constructing priors that penalize the complexity of
    /// Gaussian random fields, J. Am. Stat. Assoc. 114 (2019).
    pub fn range_below(bound: f64, probability: f64, dimension: usize) -> Result<Self, ParamError> {
        check::at_least_one(NAME, "dimension", dimension)?;
        let half = 0.5 * dimension as f64;
        let rate = exponent(probability)? * check::positive(NAME, "bound", bound)?.powf(half);
        Ok(Self(Form::Range { rate, half }))
    }

    /// The distribution of Lewandowski, Kurowicka and Joe with the shape η, as that of one partial
    /// correlation: all of them are independent. `below` is how many coordinates are partialled out, of
    /// `dimension`.
    ///
    /// # Errors
    /// A shape that is not positive and finite, or fewer than `below` + 2 coordinates.
    pub fn partial_correlation(shape: f64, dimension: usize, below: usize) -> Result<Self, ParamError> {
        check::positive(NAME, "shape", shape)?;
        let enough = dimension >= below + 2;
        check::require(enough, NAME, "dimension", dimension as f64, "two more than are partialled out")?;
        Ok(Self(Form::SymmetricBeta { b: shape + 0.5 * (dimension - 2 - below) as f64 }))
    }

    /// P(φ < u) = a for the part φ of a variance that is structured, given the eigenvalues of the covariance
    /// of the structured part, scaled so that φ = 0 and φ = 1 mean the same variance.
    ///
    /// # Errors
    /// A bound or a probability that is not between 0 and 1; a probability that is not above the one without
    /// a preference; eigenvalues that are all 1.
    ///
    /// # References
    /// A. Riebler, S. H. Sørbye, D. Simpson, H. Rue, An intuitive Bayesian spatial model for disease mapping
    /// that accounts for scaling, Stat. Methods Med. Res. 25 (2016).
    pub fn mixing_below(bound: f64, probability: f64, eigenvalues: &[f64]) -> Result<Self, ParamError> {
        check::open_probability(NAME, "bound", bound)?;
        check::open_probability(NAME, "probability", probability)?;
        let excess: Arc<[f64]> = eigenvalues.iter().map(|value| value - 1.0).collect();
        let (near, far) = (mixing_distance(&excess, bound).0, mixing_distance(&excess, 1.0).0);
        let preference = "above the probability without a preference (the value is what it is to be above)";
        let least = near / far;
        // An eigenvalue 0 has an infinite distance at φ = 1: then any rate is possible.
        let possible = probability > least || far == f64::INFINITY;
        check::require(possible && near > 0.0, NAME, "probability", least, preference)?;
        let off = |ln_rate: f64| {
            let rate = ln_rate.exp();
            (-rate * near).exp_m1() / (-rate * far).exp_m1() - probability
        };
        let root = find_root(off, -40.0, 40.0, &RootOptions::default());
        Ok(Self(Form::Mixing { rate: root.point.exp(), excess }))
    }

    /// Any distribution of one number on the natural scale, of those with a derivative of the density.
    pub fn density(
        distribution: impl PointGradient<Point = f64> + fmt::Display + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Other(Arc::new(distribution)))
    }

    /// 1 / x for a positive number x, which is flat in ln x and improper.
    pub const fn reciprocal() -> Self {
        Self(Form::Reciprocal)
    }

    /// P(1/√x > u) = a for a positive x of which an infinite one is the simpler model: the size of negative
    /// binomial counts, where 1/√x is the standard deviation of the rates beside their mean.
    ///
    /// # Errors
    /// As [`deviation_above`](Self::deviation_above).
    pub fn inverse_root_above(bound: f64, probability: f64) -> Result<Self, ParamError> {
        let rate = exponent(probability)? / check::positive(NAME, "bound", bound)?;
        Ok(Self::inverse_root(rate))
    }

    pub(crate) const fn inverse_root(rate: f64) -> Self {
        Self(Form::InverseRoot { rate })
    }

    /// Flat on the natural scale, and improper where that is not bounded.
    pub const fn flat() -> Self {
        Self(Form::Flat)
    }

    pub(crate) const fn is_flat(&self) -> bool {
        matches!(self.0, Form::Flat)
    }

    /// b of (z + 1) / 2 ~ Beta(b, b).
    pub(crate) const fn symmetric_beta(&self) -> Option<f64> {
        match self.0 {
            Form::SymmetricBeta { b } => Some(b),
            _ => None,
        }
    }

    /// The statement of Stan's language that adds ln p of what has this name, up to a constant; nothing of
    /// what has none here.
    pub(crate) fn stan(&self, name: &str) -> Option<String> {
        Some(match &self.0 {
            Form::Exponential { rate } => format!("{name} ~ exponential({rate});"),
            Form::InverseRoot { rate } => {
                format!("target += -1.5 * log({name}) - {rate} * inv_sqrt({name});")
            }
            Form::Reciprocal => format!("target += -log({name});"),
            Form::Other(density) => {
                let text = density.to_string();
                let (family, arguments) = text.strip_suffix(')')?.split_once('(')?;
                match (family, arguments.split_once(", ")) {
                    ("exponential" | "gamma" | "beta" | "normal" | "lognormal" | "cauchy", _) => {
                        format!("{name} ~ {text};")
                    }
                    ("half_normal", None) => format!("{name} ~ normal(0, {arguments});"),
                    ("half_student_t", Some((degrees, scale))) => {
                        format!("{name} ~ student_t({degrees}, 0, {scale});")
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// ln p(x) on the natural scale.
    pub fn ln_pdf(&self, x: f64) -> f64 {
        self.at(x).0
    }

    /// ln p(x) and its derivative.
    pub(crate) fn at(&self, x: f64) -> (f64, f64) {
        match &self.0 {
            Form::Exponential { rate } => (rate.ln() - rate * x, -rate),
            Form::CorrelationNearOne { rate } => {
                let rest = 1.0 - x;
                let distance = rest.sqrt();
                let norm = (-(-rate * SQRT_2).exp_m1()).ln();
                let ln = rate.ln() - rate * distance - norm - (2.0 * distance).ln();
                (ln, 0.5 * rate / distance + 0.5 / rest)
            }
            Form::CorrelationNearZero { rate } => near_zero(*rate, x),
            Form::Range { rate, half } => {
                let power = x.powf(-half);
                let ln = half.ln() + rate.ln() - (half + 1.0) * x.ln() - rate * power;
                (ln, (rate * half * power - (half + 1.0)) / x)
            }
            Form::SymmetricBeta { b } => {
                let inside = -x * x;
                // Of z = 2 u - 1: half of the density of u.
                let norm = ln_beta(*b, *b) + (2.0 * b - 1.0) * std::f64::consts::LN_2;
                ((b - 1.0) * inside.ln_1p() - norm, -2.0 * (b - 1.0) * x / (1.0 + inside))
            }
            Form::Mixing { rate, excess } => mixing(*rate, excess, x),
            Form::InverseRoot { rate } => {
                let root = x.sqrt().recip();
                ((0.5 * rate).ln() - rate * root - 1.5 * x.ln(), (0.5 * rate * root - 1.5) / x)
            }
            Form::Reciprocal => (-x.ln(), -x.recip()),
            Form::Other(density) => density.at(x),
            Form::Flat => (0.0, 0.0),
        }
    }
}

/// ½ λ e^(-λ d) |dd/dρ| for d² = -ln(1 - ρ²).
fn near_zero(rate: f64, rho: f64) -> (f64, f64) {
    let square = rho * rho;
    let rest = 1.0 - square;
    let squared_distance = -(-square).ln_1p();
    let distance = squared_distance.sqrt();
    // |ρ| / d is 1 at 0, with the derivative -ρ / 2 of its logarithm.
    let (ln_ratio, slope, ln_slope) = if square < 1e-8 {
        (-0.25 * square, rho.signum(), -0.5 * rho)
    } else {
        let slope = rho / rest / distance;
        (0.5 * (square / squared_distance).ln(), slope, rho.recip() - slope / distance)
    };
    let ln = (0.5 * rate).ln() - rate * distance + ln_ratio - rest.ln();
    (ln, -rate * slope + ln_slope + 2.0 * rho / rest)
}

/// d with d² = φ Σ e - Σ ln(1 + φ e), and the first two derivatives of d.
fn mixing_distance(excess: &[f64], phi: f64) -> (f64, f64, f64) {
    let (mut square, mut first, mut second) = (0.0, 0.0, 0.0);
    for e in excess {
        square += excess_over_ln(phi * e);
        let part = e / (1.0 + phi * e);
        first += phi * e * part;
        second += part * part;
    }
    let distance = square.sqrt();
    let slope = 0.5 * first / distance;
    (distance, slope, (0.5 * second - slope * slope) / distance)
}

/// x - ln(1 + x), which cancels for small x.
fn excess_over_ln(x: f64) -> f64 {
    if x.abs() < 1e-3 {
        x * x * (0.5 - x * (1.0 / 3.0 - x * (0.25 - x * (0.2 - x / 6.0))))
    } else {
        x - x.ln_1p()
    }
}

fn mixing(rate: f64, excess: &[f64], phi: f64) -> (f64, f64) {
    let (distance, slope, curvature) = mixing_distance(excess, phi);
    let far = mixing_distance(excess, 1.0).0;
    let ln = rate.ln() - rate * distance - (-(-rate * far).exp_m1()).ln() + slope.ln();
    (ln, -rate * slope + curvature / slope)
}
