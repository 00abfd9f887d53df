//! What a generalised linear model asks of its response: one trait, also for distributions of a user's own.

/// What one response says about its linear predictor η, for dispersion 1 and weight 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// ln p(y | η) less its largest value over all means, ln p(y | μ = y): minus half of the unit deviance,
    /// at most 0.
    pub ln_likelihood: f64,
    /// Its derivative by η.
    pub slope: f64,
    /// Minus its second derivative by η: what is observed.
    pub observed: f64,
    /// What is expected of that under the distribution at η: never negative.
    pub expected: f64,
}

/// A direction of η in which ln p(y | η) never falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ascent {
    /// None: there is a best η.
    Bounded,
    /// The more the better, as for a success.
    Up,
    /// The less the better, as for a failure, and for a count of 0 under a logarithmic link.
    Down,
}

/// A distribution of responses given a linear predictor: a family with its link.
///
/// # For a distribution of your own
/// Four functions; the others have defaults. A variance function without a distribution will do
/// (quasi-likelihood): the log-likelihood is then unknown, and all else is there.
/// ```
/// use posterior_regression::glm::{ResponseDistribution, Term};
///
/// /// Proportions with variance φ μ² (1 - μ)² and a logit link (Wedderburn's leaf blotch), whose quasi-likelihood is that of a normal logit.
/// struct LeafBlotch;
///
/// impl ResponseDistribution for LeafBlotch {
///     fn mean(&self, predictor: f64) -> f64 {
///         1.0 / (1.0 + (-predictor).exp())
///     }
///
///     fn term(&self, y: f64, predictor: f64) -> Term {
///         let (mean, best) = (self.mean(predictor), (y / (1.0 - y)).ln());
///         let slope = (y - mean) / (mean * (1.0 - mean));
///         let observed = 1.0 + slope * (1.0 - 2.0 * mean);
///         let integral = |at: f64| (2.0 * y - 1.0) * at - y * (-at).exp() - (1.0 - y) * at.exp();
///         Term { ln_likelihood: integral(predictor) - integral(best), slope, observed, expected: 1.0 }
///     }
///
///     fn requirement(&self, y: f64) -> Option<&'static str> {
///         (!(y > 0.0 && y < 1.0)).then_some("strictly between 0 and 1")
///     }
///
///     fn start(&self, y: f64) -> f64 {
///         (y / (1.0 - y)).ln()
///     }
///
///     fn known_dispersion(&self) -> Option<f64> {
///         None
///     }
/// }
/// ```
pub trait ResponseDistribution {
    /// μ, the mean of the response at the predictor η.
    fn mean(&self, predictor: f64) -> f64;

    /// What the response `y` says about η. Where η can't be (a mean outside of its range) the log-likelihood
    /// is -∞.
    fn term(&self, y: f64, predictor: f64) -> Term;

    /// What `y` would have to be, if it can't be a response: a text that completes "must be".
    fn requirement(&self, y: f64) -> Option<&'static str>;

    /// A predictor from which the search may begin, as if `y` were all that is known: close to the best one,
    /// and finite.
    fn start(&self, y: f64) -> f64;

    /// The dispersion, where the distribution has none to be learned: 1 by default.
    fn known_dispersion(&self) -> Option<f64> {
        Some(1.0)
    }

    /// ln p(y | μ = y): the constant that [`Term::ln_likelihood`] leaves out, at a weight and a dispersion.
    /// None by default: a quasi-likelihood.
    fn ln_best(&self, _y: f64, _weight: f64, _dispersion: f64) -> Option<f64> {
        None
    }

    /// Whether a weight is a number of equal rows (the default), or else the number of observations of which
    /// the response is the mean.
    fn weights_count_rows(&self) -> bool {
        true
    }

    /// Where ln p(y | η) has no maximum at a finite η, which way it rises; needed to tell separated
    /// responses. Bounded by default.
    fn ascent(&self, _y: f64) -> Ascent {
        Ascent::Bounded
    }

    /// All terms of some rows: ln-likelihoods, slopes and (observed) curvatures, for each response and
    /// predictor in place of the values that are in the slices. A distribution that can do many at once says
    /// so here.
    ///
    /// # Panics
    /// May panic if the slices differ in length.
    fn terms(&self, y: &[f64], predictors: &[f64], curvature: Curvature, mut out: Terms<'_>) {
        one_by_one(self, y, predictors, curvature, &mut out);
    }
}

/// Which second derivatives are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curvature {
    /// Those of the log-likelihood as it is: Newton's method, Laplace's method.
    Observed,
    /// What is expected of them: Fisher's scoring, and the standard errors of R's `glm`. The same for
    /// canonical links.
    Expected,
}

/// Where the terms of some rows are written.
#[derive(Debug)]
pub struct Terms<'a> {
    /// See [`Term::ln_likelihood`].
    pub ln_likelihood: &'a mut [f64],
    /// See [`Term::slope`].
    pub slope: &'a mut [f64],
    /// See [`Term::observed`] and [`Term::expected`].
    pub curvature: &'a mut [f64],
}

/// The terms of some rows, row by row.
pub(super) fn one_by_one<L: ResponseDistribution + ?Sized>(
    distribution: &L,
    y: &[f64],
    predictors: &[f64],
    curvature: Curvature,
    out: &mut Terms<'_>,
) {
    for (i, (&y, &predictor)) in y.iter().zip(predictors).enumerate() {
        let term = distribution.term(y, predictor);
        out.ln_likelihood[i] = term.ln_likelihood;
        out.slope[i] = term.slope;
        out.curvature[i] = match curvature {
            Curvature::Observed => term.observed,
            Curvature::Expected => term.expected,
        };
    }
}

impl<L: ResponseDistribution + ?Sized> ResponseDistribution for &L {
    fn mean(&self, predictor: f64) -> f64 {
        (**self).mean(predictor)
    }

    fn term(&self, y: f64, predictor: f64) -> Term {
        (**self).term(y, predictor)
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        (**self).requirement(y)
    }

    fn start(&self, y: f64) -> f64 {
        (**self).start(y)
    }

    fn known_dispersion(&self) -> Option<f64> {
        (**self).known_dispersion()
    }

    fn ln_best(&self, y: f64, weight: f64, dispersion: f64) -> Option<f64> {
        (**self).ln_best(y, weight, dispersion)
    }

    fn weights_count_rows(&self) -> bool {
        (**self).weights_count_rows()
    }

    fn ascent(&self, y: f64) -> Ascent {
        (**self).ascent(y)
    }

    fn terms(&self, y: &[f64], predictors: &[f64], curvature: Curvature, out: Terms<'_>) {
        (**self).terms(y, predictors, curvature, out);
    }
}
