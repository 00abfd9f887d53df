//! The story of people who wear glasses (`crates/posterior-stories/src/people_with_glasses.rs`): each number
//! that it prints.

use posterior_dist::{
    Bernoulli, Beta, BetaBinomial, Binomial, Conjugate, Density, Entropy, Mode, Moments, Stats, Univariate,
};
use posterior_testkit::accuracy::{assert_close, assert_within};

fn beta(alpha: f64, beta: f64) -> Beta {
    Beta::new(alpha, beta).expect("positive")
}

fn people(with: usize, without: usize) -> Stats<Bernoulli> {
    Stats::of((), &[vec![true; with], vec![false; without]].concat()).expect("outcomes")
}

fn posterior(prior: &Beta, with: usize, without: usize) -> Beta {
    Bernoulli::posterior(prior, &people(with, without)).expect("positive")
}

/// The Bayes factor of a fair coin against the prior.
fn fair_against(prior: &Beta, with: usize, without: usize) -> f64 {
    let people = people(with, without);
    (people.weight() * 0.5_f64.ln() - Bernoulli::ln_evidence(prior, &people).expect("possible")).exp()
}

#[test]
fn learning() {
    let uniform = beta(1.0, 1.0);
    // Beta(n + 1, m + 1): mean, variance, P(> 1/2) as a tail of a binomial distribution, fair against
    // unknown.
    let rows = [
        ((0, 0), 1.0 / 2.0, 1.0 / 12.0, 1.0 / 2.0, 1.0),
        ((1, 0), 2.0 / 3.0, 1.0 / 18.0, 3.0 / 4.0, 1.0),
        ((1, 1), 1.0 / 2.0, 1.0 / 20.0, 1.0 / 2.0, 6.0 / 4.0),
        ((3, 2), 4.0 / 7.0, 12.0 / 392.0, 42.0 / 64.0, 60.0 / 32.0),
        ((6, 4), 7.0 / 12.0, 35.0 / 1872.0, 743.0 / 1024.0, 2310.0 / 1024.0),
    ];
    for ((with, without), mean, variance, above, factor) in rows {
        let distribution = posterior(&uniform, with, without);
        assert_close(distribution.mean().expect("finite"), mean, 1e-15);
        assert_close(distribution.variance().expect("finite"), variance, 1e-15);
        assert_close(distribution.sf(0.5), above, 1e-14);
        assert_close(fair_against(&uniform, with, without), factor, 1e-13);
        // The interval is that of the distribution function: an identity for all of them.
        assert_close(distribution.cdf(distribution.quantile(0.025)), 0.025, 1e-13);
        assert_close(distribution.sf(distribution.upper_quantile(0.025)), 0.025, 1e-13);
    }
    assert_close(posterior(&uniform, 1, 0).quantile(0.025), 0.025_f64.sqrt(), 1e-14);
    assert_within(fair_against(&uniform, 600, 400), 4.639e-8, 5e-12); // as printed
    let thousand = posterior(&uniform, 600, 400);
    assert_close(thousand.mean().expect("finite"), 601.0 / 1002.0, 1e-15);
    assert_close(thousand.variance().expect("finite"), 601.0 * 401.0 / (1002.0 * 1002.0 * 1003.0), 1e-14);
}

#[test]
fn six_of_ten_and_sixty_of_a_hundred() {
    let uniform = beta(1.0, 1.0);
    let (few, many) = (posterior(&uniform, 6, 4), posterior(&uniform, 60, 40));
    assert_eq!((few, many), (beta(7.0, 5.0), beta(61.0, 41.0)));
    assert_close(few.mode().expect("one"), 0.6, 1e-15);
    assert_close(many.mode().expect("one"), 0.6, 1e-15);
    assert_close(few.variance().expect("finite").sqrt(), 0.1367354423570612, 1e-15);
    assert_within(few.quantile(0.025), 0.30790472, 5e-9);
    assert_within(few.upper_quantile(0.025), 0.83251191, 5e-9);
    assert_close(few.entropy(), -0.5795626880757183, 1e-14);
    assert_close(few.expected_ln(), -0.5698773448773453, 1e-15);
    let ln_evidence =
        |with, without| Bernoulli::ln_evidence(&uniform, &people(with, without)).expect("possible");
    assert_close(ln_evidence(6, 4), -7.745002803515839, 1e-15);
    assert_close(1.0 / fair_against(&uniform, 6, 4), 0.44329004329004, 1e-13);
    assert_close(many.mean().expect("finite"), 61.0 / 102.0, 1e-15);
    assert_close(many.variance().expect("finite"), 0.002333867108617671, 1e-14);
    assert_within(many.quantile(0.025), 0.50174408, 5e-9);
    assert_within(many.upper_quantile(0.025), 0.69069148, 5e-9);
    assert_close(many.sf(0.5), 0.9769779665353, 1e-13);
    assert_close(ln_evidence(60, 40), -69.40568293397577, 2e-15);
    assert_close(1.0 / fair_against(&uniform, 60, 40), 0.9130497784875761, 1e-12);
}

#[test]
fn three_priors() {
    // The posterior of Beta(s, s) is Beta(s + n, s + m).
    for (strength, few, many) in
        [(1.0, 7.0 / 12.0, 61.0 / 102.0), (0.5, 6.5 / 11.0, 60.5 / 101.0), (20.0, 26.0 / 50.0, 80.0 / 140.0)]
    {
        let prior = beta(strength, strength);
        let (ten, hundred) = (posterior(&prior, 6, 4), posterior(&prior, 60, 40));
        assert_eq!(ten, beta(strength + 6.0, strength + 4.0));
        assert_close(ten.mean().expect("finite"), few, 1e-15);
        assert_close(hundred.mean().expect("finite"), many, 1e-15);
        let total = 2.0 * strength + 10.0;
        assert_close(ten.variance().expect("finite"), few * (1.0 - few) / (total + 1.0), 1e-14);
        let total = 2.0 * strength + 100.0;
        assert_close(hundred.variance().expect("finite"), many * (1.0 - many) / (total + 1.0), 1e-14);
    }
}

#[test]
fn the_next_ten() {
    let predictive = BetaBinomial::new(10, 7.0, 5.0).expect("positive");
    let plugged_in = Binomial::new(10, 0.6).expect("a probability");
    assert_close(predictive.mean().expect("finite"), 70.0 / 12.0, 1e-15);
    assert_close(predictive.variance().expect("finite"), 7700.0 / 1872.0, 1e-15);
    assert_close(plugged_in.variance().expect("finite"), 2.4, 1e-15);
    // P(k) = C(10, k) B(7 + k, 15 - k) / B(7, 5), with integers: C(6 + k, k) C(14 - k, 10 - k) / C(21, 10).
    let choose = |n: u64, k: u64| (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64);
    for k in 0..=10_u64 {
        let expected = choose(6 + k, k) * choose(14 - k, 10 - k) / choose(21, 10);
        assert_close(predictive.ln_pdf(&k).exp(), expected, 1e-13);
        let expected = choose(10, k) * 0.6_f64.powi(k as i32) * 0.4_f64.powi(10 - k as i32);
        assert_close(plugged_in.ln_pdf(&k).exp(), expected, 1e-13);
    }
    // One of them: the mean of the posterior; and the sum over the next ten is one.
    let next = Bernoulli::predictive(&beta(7.0, 5.0), &()).expect("a probability");
    assert_close(next.ln_pdf(&true).exp(), 7.0 / 12.0, 1e-15);
    assert_close((0..=10_u64).map(|k| predictive.ln_pdf(&k).exp()).sum(), 1.0, 1e-14);
}
