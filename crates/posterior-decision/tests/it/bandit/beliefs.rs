//! Quantiles and draws of what is believed of an arm, in the units of its rewards.

use posterior_decision::bandit::{Arm, ArmModel, BayesUcb, History, Marginal, Thompson, advise};
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Normal, NormalInverseGamma, Univariate};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};

type Cdf<'a> = &'a dyn Fn(f64) -> f64;

/// Rewards a + b r, with the models of normal rewards for which nothing else has changed.
fn scaled(a: f64, b: f64) -> [(Marginal, &'static str); 2] {
    let arm: Arm = [1.0, 2.0, 4.0].into_iter().map(|reward| a + b * reward).collect();
    let known = ArmModel::NormalKnownVariance {
        prior: Normal::mean_sd(a + b, 2.0 * b).unwrap(),
        variance: 4.0 * b * b,
    };
    let unknown = ArmModel::Normal(NormalInverseGamma::new(a + 0.5 * b, 2.0, 3.0, 1.5 * b * b).unwrap());
    [(known, "known"), (unknown, "unknown")].map(|(model, name)| (model.marginal(&arm).unwrap(), name))
}

/// 6 successes and 4 failures with a uniform prior; 3 of 10 without one.
fn proportions() -> [Marginal; 2] {
    let of = |model: ArmModel, successes: u8| {
        model.marginal(&(0..10).map(|play| f64::from(u8::from(play < successes))).collect::<Arm>()).unwrap()
    };
    [of(ArmModel::default(), 6), of(ArmModel::BernoulliLimit, 3)]
}

/// Figures of 40 digits by mpmath: Beta(7, 5), 0.3 + 1.645 √(0.3 · 0.7/11), N(2, 1), and a t distribution
/// with 9 degrees of freedom about 1.6, in the units of the rewards and in others.
#[test]
fn upper_quantiles_have_their_figures() {
    let [beta, limit] = proportions();
    assert!((beta.upper_quantile(0.05) - 0.800_423_850_116_163_3).abs() < 1e-13);
    assert!((limit.upper_quantile(0.05) - 0.527_269_188_680_823_5).abs() < 1e-14);
    assert!((limit.upper_quantile(0.5) - 0.3).abs() < 1e-15);
    for (a, b) in [(0.0, 1.0), (-70.0, 1.0), (0.0, 1e3), (5.0, 0.25)] {
        for ((marginal, name), (q, expected)) in
            scaled(a, b).iter().zip([(0.01, 4.326_347_874_040_841), (0.1, 2.305_209_052_494_404)])
        {
            let found = (marginal.upper_quantile(q) - a) / b;
            assert!((found - expected).abs() < 1e-11, "{name} {a} {b}: {found}");
        }
    }
}

/// 4000 draws against the distribution function, which is that of the figures above; in other units the draws
/// of the same seed are the same.
#[test]
fn draws_have_the_distribution_of_the_belief() {
    let draws = |marginal: &Marginal, seed: u64| {
        let rng = &mut stream(seed, &[]);
        (0..4000).map(|_| marginal.draw(rng)).collect::<Vec<_>>()
    };
    let [beta, limit] = proportions();
    let [(known, _), (unknown, _)] = scaled(0.0, 1.0);
    let normal = |mean: f64, sd: f64| move |x: f64| posterior_math::special::normal_cdf((x - mean) / sd);
    let sd = (0.3 * 0.7 / 11.0_f64).sqrt();
    let student = |t: f64| posterior_dist::StudentT::new(9.0, 1.6, 0.26_f64.sqrt()).unwrap().cdf(t);
    let cdfs: [(Marginal, Cdf<'_>); 4] = [
        (beta, &|x| Beta::new(7.0, 5.0).unwrap().cdf(x)),
        (limit, &normal(0.3, sd)),
        (known, &normal(2.0, 1.0)),
        (unknown, &student),
    ];
    for (place, (marginal, cdf)) in cdfs.iter().enumerate() {
        let p_value = kolmogorov_smirnov_p_value(&draws(marginal, place as u64), cdf);
        assert!(p_value > LEVEL, "{marginal:?} {p_value}");
    }
    for ((plain, name), (other, _)) in scaled(0.0, 1.0).iter().zip(scaled(-70.0, 16.0)) {
        for (x, y) in draws(plain, 1).iter().zip(draws(&other, 1)) {
            assert!((y - (16.0 * x - 70.0)).abs() < 1e-10 * y.abs().max(1.0), "{name} {x} {y}");
        }
    }
}

/// The policies that live by quantiles and draws, without a prior: their indices are those of the arm.
#[test]
fn policies_without_a_prior_use_them() {
    let mut history = History::new(2).unwrap();
    for play in 0..20_u8 {
        history.push(0, f64::from(u8::from(play < 6))).unwrap();
        history.push(1, f64::from(u8::from(play < 14))).unwrap();
    }
    let rule = BayesUcb { belief: ArmModel::BernoulliLimit, ..BayesUcb::default() };
    let advice = advise(&rule, &history, &mut stream(0, &[])).unwrap();
    // The upper quantile of 1/41 of a normal distribution.
    let z = posterior_math::special::normal_upper_quantile(1.0 / 41.0);
    for (reason, mean) in advice.reasons.iter().zip([0.3, 0.7]) {
        let expected: f64 = mean + z * (0.21_f64 / 21.0).sqrt();
        assert!((reason.index - expected).abs() < 1e-14);
    }
    // The difference of two draws is N(0.4, 0.02): the worse arm is ahead once in 427 times.
    let rule = Thompson { belief: ArmModel::BernoulliLimit };
    let rng = &mut stream(1, &[]);
    let worse = (0..20_000).filter(|_| advise(&rule, &history, rng).unwrap().choice == 0).count() as f64;
    let expected = 20_000.0 * posterior_math::special::normal_cdf(-0.4 / 0.02_f64.sqrt());
    assert!((worse - expected).abs() < 5.0 * expected.sqrt(), "{worse} {expected}");
}
