//! The search at the edges of f64: a short run of it, and that it finds what is planted.

use posterior_dist::{
    Bernoulli, Density, Dirichlet, DirichletMultinomial, DiscreteUniform, Entropy, Gamma, Geometric,
    Hypergeometric, Moments, NegativeBinomial, Normal, Poisson, Univariate, ZeroInflated,
};
use posterior_testkit::accuracy::assert_close;
use posterior_testkit::edges::{Facts, Options, look_at, names, search};
use rand::Rng;
use rand::distr::Distribution;

/// What is wrong with a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Tail,
    FarTail,
    LnTail,
    Quantile,
    UpperQuantile,
    NanDensity,
    Pole,
    Scale,
    Draw,
    Variance,
}

/// A standard normal distribution with a fault.
struct Planted(Fault);

impl Planted {
    fn has(&self, fault: Fault) -> bool {
        self.0 == fault
    }
}

/// The density without a fault.
fn ln_standard(x: f64) -> f64 {
    Normal::STANDARD.ln_pdf(&x)
}

impl Univariate for Planted {
    fn cdf(&self, x: f64) -> f64 {
        let tail = Normal::STANDARD.cdf(x);
        if self.has(Fault::FarTail) && tail < 1e-30 { tail * 0.999 } else { tail }
    }

    fn sf(&self, x: f64) -> f64 {
        let tail = Normal::STANDARD.sf(x);
        if self.has(Fault::Tail) { tail * (1.0 - 1e-10) } else { tail }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        Normal::STANDARD.ln_cdf(x)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let tail = Normal::STANDARD.ln_sf(x);
        if self.has(Fault::LnTail) && x < -3.0 { (1.0 - Normal::STANDARD.cdf(x)).ln() } else { tail }
    }

    fn quantile(&self, p: f64) -> f64 {
        let x = Normal::STANDARD.quantile(p);
        // A loop that was left too early, at some probabilities only.
        if self.has(Fault::Quantile) && p > 0.0 && p < 1e-200 { -1.0 } else { x }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if self.has(Fault::UpperQuantile) {
            self.quantile(1.0 - q)
        } else {
            Normal::STANDARD.upper_quantile(q)
        }
    }
}

impl posterior_dist::text::DynUnivariate for Planted {
    fn is_discrete(&self) -> bool {
        false
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        match self.0 {
            Fault::NanDensity if x > 1e10 => f64::NAN,
            Fault::Pole if x > 1e10 => f64::INFINITY,
            Fault::Scale => ln_standard(x) + 0.01,
            _ => ln_standard(x),
        }
    }

    fn mean(&self) -> Option<f64> {
        Some(0.0)
    }

    fn variance(&self) -> Option<f64> {
        Some(if self.has(Fault::Variance) { f64::NAN } else { 1.0 })
    }

    fn skewness(&self) -> Option<f64> {
        Some(0.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(0.0)
    }

    fn entropy(&self) -> Option<f64> {
        Some(1.4)
    }

    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }

    fn sample(&self, rng: &mut dyn Rng) -> f64 {
        let x: f64 = Distribution::sample(&Normal::STANDARD, rng);
        if self.has(Fault::Draw) && x > 1.5 { 1e3 } else { x }
    }
}

/// What two hundred trials find.
fn found(fault: Fault) -> Vec<&'static str> {
    let look = |case| look_at(&Planted(fault), &Facts::default(), case);
    let mut checks: Vec<&str> = (0..200).flat_map(look).map(|finding| finding.check).collect();
    checks.sort_unstable();
    checks.dedup();
    checks
}

#[test]
fn every_planted_fault_is_found_and_a_sound_distribution_has_none() {
    assert_eq!(found(Fault::None), Vec::<&str>::new());
    for (fault, check) in [
        (Fault::Tail, "cdf + sf = 1"),
        (Fault::FarTail, "exp(ln_cdf) = cdf"),
        (Fault::LnTail, "ln of a tail is that of 1 - the other"),
        (Fault::Quantile, "quantile inverts cdf"),
        (Fault::UpperQuantile, "upper quantile inverts sf"),
        (Fault::NanDensity, "density is a number"),
        (Fault::Pole, "density is a number"),
        (Fault::Scale, "density agrees with the rise of the cdf"),
        (Fault::Draw, "draw in the support"),
        (Fault::Variance, "summaries"),
    ] {
        let checks = found(fault);
        assert!(checks.contains(&check), "{fault:?}: {checks:?}");
    }
}

#[test]
fn a_short_search_finds_nothing() {
    let mut found = String::new();
    for name in names() {
        let only = Some(name.to_owned());
        let options = Options { cases: 8000, seed: 1, only, case: None, threads: 1, clock: false };
        let report = search(&options).expect("a name");
        if report.findings() > 0 {
            found += &report.to_string();
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn a_case_repeats_and_threads_do_not_matter() {
    let options = Options { cases: 4000, seed: 3, only: None, case: None, threads: 1, clock: false };
    let one = search(&options).expect("all distributions");
    let two = search(&Options { threads: 2, ..options.clone() }).expect("all distributions");
    assert_eq!(one, two);
    assert!(search(&Options { only: Some("norml".to_owned()), ..options.clone() }).is_err());
    assert!(search(&Options { case: Some(1), ..options }).is_err());
}

#[test]
fn the_ends_of_the_support_are_quantiles_whatever_rounds_to_one() {
    let rare = Bernoulli::new(1e-18).expect("valid");
    assert_eq!([rare.quantile(1.0), rare.upper_quantile(0.0), rare.quantile(0.5)], [1.0, 1.0, 0.0]);
    assert_eq!(Bernoulli::new(0.0).expect("valid").quantile(1.0), 0.0);
    let wide = DiscreteUniform::new(0, 1 << 53).expect("valid");
    assert_eq!([wide.quantile(0.0), wide.quantile(1.0)], [0.0, 9_007_199_254_740_992.0]);
    assert_eq!([wide.upper_quantile(1.0), wide.upper_quantile(0.0)], [0.0, 9_007_199_254_740_992.0]);
    let inflated = ZeroInflated::new(0.5, Poisson::new(2.0).expect("valid")).expect("valid");
    assert_eq!([inflated.upper_quantile(0.0), inflated.upper_quantile(1.0)], [f64::INFINITY, 0.0]);
    for q in [-5e-324, 1_f64.next_up(), -1.0, f64::NAN] {
        assert!(inflated.upper_quantile(q).is_nan() && inflated.quantile(q).is_nan(), "{q}");
    }
}

#[test]
fn the_larger_tail_of_a_count_is_what_the_smaller_one_leaves() {
    // One marked among N: P(X > 0) = n/N.
    let distribution = Hypergeometric::new(1 << 53, 1, 25_610_350_783).expect("valid");
    let proportion = 25_610_350_783.0 / 9_007_199_254_740_992.0;
    assert_close(distribution.sf(0.0), proportion, 1e-14);
    assert_close(distribution.ln_cdf(0.0), (-proportion).ln_1p(), 1e-14);
    let distribution =
        Hypergeometric::new(2_319_054_675_746_780, 1_037_782_679_249_992, 2_443_757_736_649).expect("valid");
    for k in [1_093_586_606_149.0, 1_093_587_606_149.0, 1_093_588_606_149.0] {
        assert_close(distribution.cdf(k) + distribution.sf(k), 1.0, 1e-15);
    }
}

#[test]
fn entropies_of_counts_at_the_ends_of_f64() {
    // λ(1 - ln λ), of which one step of f64 is a thousandth.
    let entropy = Poisson::new(5e-324).expect("valid").entropy();
    assert!((3.68e-321..=3.69e-321).contains(&entropy), "{entropy:e}");
    for success in [1e-3, 1e-7, 1e-12, 1e-20, 1e-110, 1e-290] {
        let one = NegativeBinomial::new(1.0, success).expect("valid");
        assert_close(one.entropy(), Geometric::new(success).expect("valid").entropy(), 1e-13);
    }
    let few = NegativeBinomial::new(0.3, 1e-4).expect("valid");
    let direct: f64 = (0..600_000_u64).map(|k| few.ln_pdf(&k)).map(|ln_mass| -ln_mass.exp() * ln_mass).sum();
    assert_close(few.entropy(), direct, 1e-10);
    let many = NegativeBinomial::new(3.2, 1e-110).expect("valid");
    assert_close(many.entropy(), Gamma::shape_rate(3.2, 1e-110).expect("valid").entropy(), 1e-15);
}

#[test]
fn vectors_with_extreme_parameters_have_moments_densities_and_draws() {
    // A pole at t₂ = 0, whatever the other factors are.
    let dirichlet = Dirichlet::new(&[4e58, 1.7e-16, f64::MAX]).expect("valid");
    assert_eq!(dirichlet.ln_pdf(&[0.83, 0.0, 0.17]), f64::INFINITY);
    // Beyond the digits of n/α₀ the distribution is the multinomial one.
    let large = DirichletMultinomial::new(11, Dirichlet::new(&[1e307, 3e307]).expect("valid"));
    let variance = large.variance().expect("finite");
    assert_close(variance[(0, 0)], 11.0 * 0.25 * 0.75, 1e-14);
    assert_close(variance[(0, 1)], -11.0 * 0.25 * 0.75, 1e-14);
}

#[test]
fn quantiles_of_counts_beyond_those_that_f64_tells_apart_reach_their_probability() {
    let distribution = NegativeBinomial::new(38.76155507942884, 1.6790426332163593e-65).expect("valid");
    for q in [0.7153015218222247, 0.5, 0.1, 1e-9, 1e-100] {
        assert_close(distribution.sf(distribution.upper_quantile(q)), q, 1e-12);
        assert_close(distribution.cdf(distribution.quantile(q)), q, 1e-12);
    }
}
