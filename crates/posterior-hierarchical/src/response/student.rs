//! Real responses with heavy tails.

use posterior_dist::{Density as _, Gamma, StudentT, Univariate as _};
use posterior_math::check;
use posterior_math::special::digamma_difference;

use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;
use crate::written::WrittenResponse;

/// y ~ Student's t around η: as a normal distribution, but for outliers, which count the less the further out
/// they are.
///
/// | hyperparameter | is | prior |
/// |---|---|---|
/// | `scale` | σ; that of a row is σ / √weight | flat in ln σ |
/// | `degrees_of_freedom` | ν, below 30 for tails that are visibly heavier than normal ones | gamma, shape 2, rate 0.1 |
///
/// A row far out may bend ln p(y | η) upwards: there may be several modes, of which one is found.
///
/// # References
/// M. A. Juárez, M. F. J. Steel, Model-based clustering of non-Gaussian panel data based on skew-t
/// distributions, J. Bus. Econ. Stat. 28 (2010): the prior of ν.
#[derive(Debug, Clone)]
pub struct StudentResponse {
    scale: HyperparameterPrior,
    degrees: HyperparameterPrior,
    start: f64,
}

impl StudentResponse {
    /// Responses around η. `start` is a σ from which the search begins: the median of |y - median of y| will
    /// do.
    ///
    /// # Errors
    /// Unless the start is positive and finite.
    pub fn new(start: f64) -> Result<Self, Error> {
        check::positive("StudentResponse", "start", start)?;
        let degrees = HyperparameterPrior::density(Gamma::shape_rate(2.0, 0.1)?);
        Ok(Self { scale: HyperparameterPrior::reciprocal(), degrees, start })
    }

    /// With other priors of σ and ν.
    #[must_use]
    pub fn with_priors(self, scale: HyperparameterPrior, degrees_of_freedom: HyperparameterPrior) -> Self {
        Self { scale, degrees: degrees_of_freedom, ..self }
    }
}

/// What the terms are made of, for a row.
struct Row {
    /// y - η.
    off: f64,
    /// σ² / weight.
    square: f64,
    scale: f64,
    degrees: f64,
    /// ν σ² / weight, and with (y - η)² added.
    near: f64,
    whole: f64,
}

impl Row {
    fn new(y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> Self {
        let (scale, degrees) = (parameters[0], parameters[1]);
        let (off, square) = (y - predictor, scale * scale / weight);
        let near = degrees * square;
        Self { off, square, scale, degrees, near, whole: near + off * off }
    }
}

impl Response for StudentResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let positive = |name: &str, start: f64, prior: &HyperparameterPrior| Hyperparameter {
            name: name.to_owned(),
            scale: HyperScale::Positive,
            start,
            prior: prior.clone(),
        };
        vec![positive("scale", self.start, &self.scale), positive("degrees_of_freedom", 8.0, &self.degrees)]
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let Row { off, square, degrees, near, whole, .. } = Row::new(y, weight, predictor, parameters);
        let density = StudentT::new(degrees, predictor, square.sqrt());
        let over = (degrees + 1.0) / whole;
        ResponseTerm {
            ln_likelihood: density.map_or(f64::NEG_INFINITY, |density| density.ln_pdf(&y)),
            slope: over * off,
            curvature: over * ((near - off * off) / whole),
            third: -2.0 * over * (off / whole) * ((3.0 * near - off * off) / whole),
        }
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        parameter: usize,
    ) -> TermSlopes {
        let Row { off, square, scale, degrees, near, whole } = Row::new(y, weight, predictor, parameters);
        // The parts of the whole; over² near off and the like would overflow sooner.
        let (inside, outside) = (near / whole, off / whole * off);
        let count = degrees + 1.0;
        if parameter == 0 {
            let by = 2.0 * inside / scale;
            return TermSlopes {
                ln_likelihood: (count * outside - 1.0) / scale,
                slope: -by * count * off / whole,
                curvature: by * count / whole * (3.0 * outside - inside),
            };
        }
        let of_norm = 0.5 * (digamma_difference(0.5 * degrees, 0.5) - degrees.recip());
        let unit = square / whole;
        TermSlopes {
            ln_likelihood: of_norm - 0.5 * (off / near * off).ln_1p() + 0.5 * count / degrees * outside,
            slope: off / whole * (outside - unit),
            curvature: (inside - outside + count * unit * (1.0 - 2.0 * (inside - outside))) / whole,
        }
    }

    fn written(&self) -> Option<WrittenResponse> {
        Some(WrittenResponse {
            outcome: "vector[N]",
            density: "student_t",
            arguments: ["nu", "{eta}", "sigma{noise}"].map(str::to_owned).to_vec(),
            parameters: &["sigma", "nu"],
        })
    }

    fn mean(&self, predictor: f64, _parameters: &[f64]) -> f64 {
        predictor
    }

    fn variance(&self, weight: f64, _predictor: f64, parameters: &[f64]) -> f64 {
        let [scale, degrees] = [parameters[0], parameters[1]];
        if degrees > 2.0 { scale * scale / weight * degrees / (degrees - 2.0) } else { f64::INFINITY }
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Real
    }

    fn cumulative(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        let Row { square, degrees, .. } = Row::new(y, weight, predictor, parameters);
        [StudentT::new(degrees, predictor, square.sqrt()).map_or(f64::NAN, |own| own.cdf(y)); 2]
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        (!y.is_finite()).then_some("finite")
    }

    fn start(&self, y: f64) -> f64 {
        y
    }

    fn ascent(&self, _y: f64) -> Ascent {
        Ascent::Bounded
    }
}
