//! Counts with more zeros than there should be.

use posterior_dist::{Poisson, Univariate as _};
use posterior_regression::glm::{Family, ResponseDistribution as _};

use super::family::{FamilyResponse, count_ends};
use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// Counts that are 0 with probability π, whatever η is, and otherwise Poisson counts with mean e^η: of rows
/// that could not count at all, and rows that could and happened to count none.
///
/// | hyperparameter | is | prior |
/// |---|---|---|
/// | `zeros` | π | uniform |
///
/// The weight is a number of equal rows. A zero says that η is small or that the row could not count:
/// ln p(0 | η) is not concave, and there may be several modes, of which one is found.
///
/// # References
/// D. Lambert, Zero-inflated Poisson regression, with an application to defects in manufacturing,
/// Technometrics 34 (1992).
#[derive(Debug, Clone)]
pub struct ZeroInflatedResponse {
    counts: FamilyResponse,
    prior: HyperparameterPrior,
}

impl ZeroInflatedResponse {
    /// Zeros beside Poisson counts.
    pub fn poisson() -> Self {
        Self { counts: FamilyResponse::poisson(), prior: HyperparameterPrior::flat() }
    }

    /// With another prior of π.
    #[must_use]
    pub fn with_prior(self, prior: HyperparameterPrior) -> Self {
        Self { prior, ..self }
    }
}

/// A count of zero: of its probability the part that comes from the counts, with what derivatives need.
struct Zero {
    mean: f64,
    /// 1 - e^-μ.
    some: f64,
    /// p(0).
    probability: f64,
    /// (1 - π) e^-μ / p(0).
    part: f64,
}

impl Zero {
    fn new(predictor: f64, zeros: f64) -> Self {
        // Beyond this the counts have no zeros, and μ times their part is 0.
        let mean = predictor.exp().min(1e4);
        let some = -(-mean).exp_m1();
        let probability = 1.0 - (1.0 - zeros) * some;
        Self { mean, some, probability, part: (1.0 - zeros) * (-mean).exp() / probability }
    }

    /// μ² q (1 - q) for the part q.
    fn spread(&self) -> f64 {
        self.mean * self.mean * self.part * (1.0 - self.part)
    }

    fn term(&self, zeros: f64) -> ResponseTerm {
        let own = self.mean * self.part;
        let (spread, curvature) = (self.spread(), own - self.spread());
        ResponseTerm {
            ln_likelihood: (-(1.0 - zeros) * self.some).ln_1p(),
            slope: -own,
            curvature,
            third: -curvature + spread * (2.0 - self.mean * (1.0 - 2.0 * self.part)),
        }
    }

    /// By π.
    fn slopes(&self) -> TermSlopes {
        let by_part = -(-self.mean).exp() / (self.probability * self.probability);
        TermSlopes {
            ln_likelihood: self.some / self.probability,
            slope: -self.mean * by_part,
            curvature: self.mean * by_part * (1.0 - self.mean * (1.0 - 2.0 * self.part)),
        }
    }
}

impl Response for ZeroInflatedResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let prior = self.prior.clone();
        vec![Hyperparameter { name: "zeros".to_owned(), scale: HyperScale::Unit, start: 0.2, prior }]
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let zeros = parameters[0];
        if y > 0.0 {
            let term = self.counts.term(y, weight, predictor, &[]);
            return ResponseTerm { ln_likelihood: term.ln_likelihood + weight * (-zeros).ln_1p(), ..term };
        }
        Zero::new(predictor, zeros).term(zeros).times(weight)
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        _parameter: usize,
    ) -> TermSlopes {
        let zeros = parameters[0];
        if y > 0.0 {
            return TermSlopes { ln_likelihood: -weight / (1.0 - zeros), slope: 0.0, curvature: 0.0 };
        }
        Zero::new(predictor, zeros).slopes().times(weight)
    }

    fn mean(&self, predictor: f64, parameters: &[f64]) -> f64 {
        (1.0 - parameters[0]) * predictor.exp()
    }

    fn variance(&self, _weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        let (zeros, rate) = (parameters[0], predictor.exp());
        (1.0 - zeros) * rate * (1.0 + zeros * rate)
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Counts
    }

    fn cumulative(&self, y: f64, _weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        let zeros = parameters[0];
        let ends = count_ends(y, Poisson::new(predictor.exp()).map(|own| move |k: f64| own.cdf(k)));
        let whole = |end: f64| zeros + (1.0 - zeros) * end;
        [if y > 0.0 { whole(ends[0]) } else { 0.0 }, whole(ends[1])]
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        self.counts.requirement(y)
    }

    fn start(&self, y: f64) -> f64 {
        Family::Poisson.start(y)
    }

    fn ascent(&self, y: f64) -> Ascent {
        Family::Poisson.ascent(y)
    }
}
