//! Exact likelihoods against enumeration.

use posterior_math::special::ln_gamma;
use posterior_topics::held_out::exact;

use super::{corpus, topics};

/// ln p(w) as the sum over all K^N assignments, from its formula.
fn enumerated(phi: &[&[f64]], alpha: &[f64], tokens: &[usize]) -> f64 {
    let total: f64 = alpha.iter().sum();
    let assignments = phi.len().pow(tokens.len() as u32);
    let mut sum = 0.0;
    for code in 0..assignments {
        let mut counts = vec![0_usize; phi.len()];
        let mut words = 1.0;
        for (n, &word) in tokens.iter().enumerate() {
            let k = code / phi.len().pow(n as u32) % phi.len();
            counts[k] += 1;
            words *= phi[k][word];
        }
        let ln_prior: f64 =
            counts.iter().zip(alpha).map(|(&n, &a)| ln_gamma(a + n as f64) - ln_gamma(a)).sum::<f64>()
                + ln_gamma(total)
                - ln_gamma(total + tokens.len() as f64);
        sum += words * ln_prior.exp();
    }
    sum.ln()
}

#[test]
fn it_is_the_sum_over_all_assignments() {
    let phi: [&[f64]; 3] = [&[0.5, 0.3, 0.15, 0.05], &[0.1, 0.1, 0.2, 0.6], &[0.0, 0.25, 0.5, 0.25]];
    let alpha = [0.3, 1.7, 0.05];
    let unseen = corpus(4, &[&[(0, 2), (1, 1), (3, 3)], &[(2, 1)], &[(0, 1), (1, 1), (2, 3), (3, 2)]]);
    let found = exact(&topics(&phi), &alpha, &unseen, 1_000).unwrap();
    let rows: [&[usize]; 3] = [&[0, 0, 1, 3, 3, 3], &[2], &[0, 1, 2, 2, 2, 3, 3]];
    for (ln, row) in found.ln_likelihood.iter().zip(rows) {
        assert!((ln - enumerated(&phi, &alpha, row)).abs() < 1e-13, "{row:?}");
    }
    assert_eq!(found.tokens, 14);
    assert!((found.perplexity().ln() + found.total() / 14.0).abs() < 1e-14);
    assert_eq!(found.total_standard_error(), 0.0);
}

#[test]
fn it_is_the_integral_over_the_proportions() {
    // Two topics: p(w) is an integral over one number. alpha = (2, 3) has the density 12 t (1 - t)².
    let phi: [&[f64]; 2] = [&[0.7, 0.2, 0.1], &[0.05, 0.25, 0.7]];
    let counts = [90, 40, 120];
    let unseen = corpus(3, &[&[(0, counts[0]), (1, counts[1]), (2, counts[2])]]);
    let found = exact(&topics(&phi), &[2.0, 3.0], &unseen, 1_000).unwrap().ln_likelihood[0];
    let ln_integrand = |t: f64| {
        let words: f64 =
            (0..3).map(|v| f64::from(counts[v]) * (t * phi[0][v] + (1.0 - t) * phi[1][v]).ln()).sum();
        words + (12.0 * t * (1.0 - t).powi(2)).ln()
    };
    let highest = (1..1000).map(|i| ln_integrand(f64::from(i) / 1000.0)).fold(f64::NEG_INFINITY, f64::max);
    // Simpson's rule: the integrand is smooth, and zero at both ends.
    let steps = 20_000;
    let sum: f64 = (1..steps)
        .map(|i| {
            let weight = if i % 2 == 1 { 4.0 } else { 2.0 };
            weight * (ln_integrand(f64::from(i) / f64::from(steps)) - highest).exp()
        })
        .sum();
    let integral = highest + (sum / (3.0 * f64::from(steps))).ln();
    assert!((found - integral).abs() < 1e-10 * integral.abs(), "{found} {integral}");
}

#[test]
fn one_topic_is_a_unigram_model() {
    let unseen = corpus(2, &[&[(0, 3), (1, 500)]]);
    let found = exact(&topics(&[&[0.25, 0.75]]), &[0.1], &unseen, 1).unwrap();
    let ln = 3.0 * 0.25_f64.ln() + 500.0 * 0.75_f64.ln();
    assert!((found.ln_likelihood[0] - ln).abs() < 1e-12 * ln.abs());
}

#[test]
fn long_documents_do_not_underflow() {
    // With one concentration far above the other, the mixture is the first topic alone.
    let unseen = corpus(2, &[&[(0, 2_000), (1, 1_000)]]);
    let found = exact(&topics(&[&[0.6, 0.4], &[0.3, 0.7]]), &[1e12, 1e-12], &unseen, 10_000).unwrap();
    let ln = 2_000.0 * 0.6_f64.ln() + 1_000.0 * 0.4_f64.ln();
    assert!((found.ln_likelihood[0] - ln).abs() < 1e-8 * ln.abs(), "{}", found.ln_likelihood[0] - ln);
}
