//! A type of another crate implements the traits, and the checks hold for it.

use posterior_dist::{
    Conjugate, Density, Dirichlet, Expectation, ExpectedDensity, ExponentialFamily, FisherInformation,
    KlDivergence, Natural, Stats, Sums, stream::stream,
};
use posterior_math::ParamError;
use posterior_math::check::positive;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, ln_factorial, ln_gamma};
use posterior_testkit::consistency;
use rand::distr::Distribution;
use rand::{Rng, RngExt};

/// Poisson: the number of rare events.
#[derive(Debug, Clone, PartialEq)]
struct Poisson {
    rate: f64,
}

/// Gamma(shape, rate), its conjugate prior.
#[derive(Debug, Clone, PartialEq)]
struct Gamma {
    shape: f64,
    rate: f64,
}

/// The gamma mixture of Poissons.
struct NegativeBinomial {
    prior: Gamma,
}

impl Density for Poisson {
    type Point = u64;

    fn ln_pdf(&self, &x: &u64) -> f64 {
        x as f64 * self.rate.ln() - self.rate - ln_factorial(x)
    }
}

impl KlDivergence for Poisson {
    fn kl_divergence(&self, other: &Self) -> f64 {
        self.rate * (self.rate / other.rate).ln() + other.rate - self.rate
    }
}

impl ExponentialFamily for Poisson {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), _: &u64) -> Result<(), ParamError> {
        Ok(())
    }

    fn add_statistic((): &(), &x: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x as f64;
    }

    fn ln_base((): &(), &x: &u64) -> f64 {
        -ln_factorial(x)
    }

    fn ln_partition(natural: &Natural<Self>) -> f64 {
        natural.as_slice()[0].exp()
    }

    fn natural(&self) -> Natural<Self> {
        Natural::new((), vec![self.rate.ln()]).expect("one number")
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Ok(Self { rate: positive("Poisson", "rate", natural.as_slice()[0].exp())? })
    }

    fn expectation(&self) -> Expectation<Self> {
        Expectation::new((), vec![self.rate]).expect("one number")
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Ok(Self { rate: positive("Poisson", "rate", expectation.as_slice()[0])? })
    }
}

impl FisherInformation for Poisson {
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.rate)
    }
}

impl Gamma {
    fn ln_norm(&self) -> f64 {
        ln_gamma(self.shape) - self.shape * self.rate.ln()
    }
}

impl Density for NegativeBinomial {
    type Point = u64;

    fn ln_pdf(&self, &x: &u64) -> f64 {
        let Gamma { shape, rate } = self.prior;
        let posterior = Gamma { shape: shape + x as f64, rate: rate + 1.0 };
        posterior.ln_norm() - self.prior.ln_norm() - ln_factorial(x)
    }
}

impl Conjugate<Gamma> for Poisson {
    type Predictive = NegativeBinomial;

    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        let shape = positive("Gamma", "shape", prior.shape + stats.sum()[0])?;
        Ok(Gamma { shape, rate: positive("Gamma", "rate", prior.rate + stats.weight())? })
    }

    fn predictive(prior: &Gamma, (): &()) -> Result<NegativeBinomial, ParamError> {
        Ok(NegativeBinomial { prior: prior.clone() })
    }

    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(Self::posterior(prior, stats)?.ln_norm() - prior.ln_norm() + stats.ln_base())
    }

    fn expected_density(prior: &Gamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::new((), vec![digamma(prior.shape) - prior.rate.ln()])?;
        Ok(ExpectedDensity::new(natural, prior.shape / prior.rate))
    }

    fn most_probable(prior: &Gamma, (): &()) -> Result<Option<Self>, ParamError> {
        Ok((prior.shape > 1.0).then(|| Self { rate: (prior.shape - 1.0) / prior.rate }))
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        // A sum of exponential draws, for a whole shape.
        let terms = (0..prior.shape as u64).map(|_| -rng.random::<f64>().ln_1p() / prior.rate);
        Ok(Self { rate: positive("Poisson", "rate", terms.sum())? })
    }
}

#[test]
fn a_foreign_family_is_consistent() {
    let (distribution, other) = (Poisson { rate: 3.5 }, Poisson { rate: 0.8 });
    let points = [0, 1, 2, 5, 20_u64];
    consistency::exponential_family(&distribution, &points, 1e-12);
    consistency::kl_divergence::<_, u64>(&distribution, &other, None);
    consistency::bregman(&distribution, &other, 1e-12);
    consistency::stats::<Poisson, u64>(&(), &points);
    consistency::conjugate::<Poisson, _, u64>(&(), &Gamma { shape: 2.5, rate: 0.7 }, &points);
}

#[test]
fn maximum_likelihood_is_the_mean() {
    let stats = Stats::<Poisson>::of((), &[1, 2, 6]).expect("counts");
    assert_eq!(Poisson::from_expectation(&stats.mean().expect("data")), Ok(Poisson { rate: 3.0 }));
}

/// A distribution that only draws and has a density: that is all that is needed.
struct Pair(Dirichlet);

impl Density for Pair {
    type Point = bool;

    fn ln_pdf(&self, &x: &bool) -> f64 {
        (self.0.concentration()[usize::from(x)] / self.0.total()).ln()
    }
}

impl Distribution<bool> for Pair {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        let point: Vec<f64> = self.0.sample(rng);
        rng.random::<f64>() < point[1]
    }
}

#[test]
fn a_foreign_distribution_can_be_drawn_from() {
    let distribution = Pair(Dirichlet::new(&[0.5, 1.5]).expect("positive"));
    consistency::finite_support(&distribution, &[false, true]);
    consistency::sampler(&distribution, &[false, true], 50_000, &mut stream(8, &[]));
}
