//! The search at the edges of f64: a short run of it, and that it finds what is planted.

use posterior_dist::{Density, Normal, Univariate};
use posterior_testkit::edges::{Facts, Line, Options, look_at, search};
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

impl Line for Planted {
    fn is_discrete(&self) -> bool {
        false
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        match self.0 {
            Fault::NanDensity if x > 1e10 => f64::NAN,
            Fault::Pole if x > 1e10 => f64::INFINITY,
            Fault::Scale => Normal::STANDARD.ln_pdf(&x) + 0.01,
            _ => Normal::STANDARD.ln_pdf(&x),
        }
    }

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

    fn draw(&self, rng: &mut dyn Rng) -> f64 {
        let x: f64 = Normal::STANDARD.sample(rng);
        if self.has(Fault::Draw) && x > 1.5 { 1e3 } else { x }
    }

    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }

    fn summaries(&self) -> [Option<f64>; 5] {
        let variance = if self.has(Fault::Variance) { f64::NAN } else { 1.0 };
        [Some(0.0), Some(variance), Some(0.0), Some(0.0), Some(1.4)]
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
fn a_case_repeats_and_threads_do_not_matter() {
    let options = Options { cases: 4000, seed: 3, only: None, case: None, threads: 1, clock: false };
    let one = search(&options).expect("all distributions");
    let two = search(&Options { threads: 2, ..options.clone() }).expect("all distributions");
    assert_eq!(one, two);
    assert!(search(&Options { only: Some("norml".to_owned()), ..options.clone() }).is_err());
    assert!(search(&Options { case: Some(1), ..options }).is_err());
}
