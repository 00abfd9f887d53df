//! Probabilities, densities, expectations, priors.

use posterior::dist::{
    Beta, Categorical, Density, Dirichlet, Entropy, Exponential, ExponentialFamily, Gamma, InverseGamma,
    KlDivergence, Laplace, Logistic, Mode, Moments, Normal, Poisson, Stats, Uniform, Univariate,
};
use posterior::graph::VarId;
use posterior::math::special::{ln_beta, ln_gamma};
use posterior::pgm::{SumProduct, Table};

use crate::{close, differs};

/// The mean of a function under a distribution, by the midpoints of equal probabilities.
fn mean_of(distribution: &impl Univariate, f: impl Fn(f64) -> f64) -> f64 {
    let n = 200_000;
    (0..n).map(|i| f(distribution.quantile((f64::from(i) + 0.5) / f64::from(n)))).sum::<f64>() / f64::from(n)
}

/// P(A, B) / P(B) is the distribution of A, not of B.
#[test]
fn erratum_01() {
    let (a, b) = (VarId::new(0), VarId::new(1));
    let joint = Table::new(vec![a, b], vec![2, 2], vec![0.1, 0.2, 0.3, 0.4]).unwrap();
    let conditional = joint.quotient(&joint.marginal::<SumProduct>(&[b]).unwrap()).unwrap();
    for state in 0..2 {
        close(conditional.at(&[0, state]) + conditional.at(&[1, state]), 1.0, 15);
        differs(conditional.at(&[state, 0]) + conditional.at(&[state, 1]), 1.0);
    }
}

/// Every point of a continuous variable has probability zero; the support is a closed set all the same.
#[test]
fn erratum_03() {
    let uniform = Uniform::new(2.0, 3.0).unwrap();
    for x in [2.0, 2.25, 2.5, 3.0_f64] {
        close(uniform.cdf(x) - uniform.cdf(x.next_down()), 0.0, 15);
    }
    assert_eq!((uniform.quantile(0.0), uniform.quantile(1.0)), (2.0, 3.0));
}

/// A distribution function has ≤: at atoms, < leaves out their mass.
#[test]
fn erratum_05() {
    let poisson = Poisson::new(2.0).unwrap();
    let below = |end: u64| (0..end).map(|k| poisson.ln_pdf(&k).exp()).sum::<f64>();
    close(poisson.cdf(3.0), below(4), 14);
    differs(below(3), poisson.cdf(3.0));
}

/// Softmax has a free shift: scores that all grow by the same number give the same probabilities.
#[test]
fn erratum_33() {
    let of = |shift: f64| Categorical::from_ln_weights(&[0.3 + shift, -1.0 + shift, shift]).unwrap();
    for state in 0..3 {
        close(of(0.0).probabilities()[state], of(100.0).probabilities()[state], 12);
    }
}

/// The glasses: a proportion after n of one kind and m of another under a uniform prior.
#[test]
fn erratum_07() {
    let (n, m) = (6.0, 4.0);
    let posterior = Beta::new(n + 1.0, m + 1.0).unwrap();
    let ln_kernel = |p: f64| n * p.ln() + m * (1.0 - p).ln();
    close(posterior.ln_pdf(&0.3), ln_kernel(0.3) - ln_beta(n + 1.0, m + 1.0), 13);
    // The integral of the printed density is the ratio of the two constants.
    close((ln_beta(n + 1.0, m + 1.0) - ln_beta(n - 1.0, m - 1.0)).exp(), 1.0 / 22.0, 14);
}

/// Entropy is the expectation of -ln p(x), not of -ln x.
#[test]
fn erratum_08() {
    let exponential = Exponential::new(2.0).unwrap();
    close(mean_of(&exponential, |x| -exponential.ln_pdf(&x)), exponential.entropy(), 4);
    differs(mean_of(&exponential, |x| -x.ln()), exponential.entropy());
}

/// -ln(u)/λ is the inverse of the upper tail; equally distributed, but not the quantile.
#[test]
fn erratum_10() {
    let exponential = Exponential::new(1.5).unwrap();
    for u in [0.01_f64, 0.3, 0.9] {
        close(exponential.quantile(u), -(1.0 - u).ln() / 1.5, 13);
        close(exponential.cdf(-u.ln() / 1.5), 1.0 - u, 13);
        differs(-u.ln() / 1.5, exponential.quantile(u));
    }
}

/// Of all distributions with this variance the normal has the most of -∫ p ln p, not of ∫ p ln p.
#[test]
fn erratum_15() {
    let normal = Normal::mean_variance(0.0, 1.0).unwrap();
    let half = 3.0_f64.sqrt();
    let others = [
        Uniform::new(-half, half).unwrap().entropy(),
        Laplace::new(0.0, 0.5_f64.sqrt()).unwrap().entropy(),
        Logistic::new(0.0, half / std::f64::consts::PI).unwrap().entropy(),
    ];
    close(mean_of(&normal, |x| -normal.ln_pdf(&x)), normal.entropy(), 4);
    assert!(others.iter().all(|&other| other < normal.entropy()), "{others:?}");
}

/// Γ(z) = (z-1) Γ(z-1); the density of a Dirichlet distribution has the exponent of its own category.
#[test]
fn erratum_36() {
    for z in [1.7, 3.2, 9.5_f64] {
        close(ln_gamma(z), (z - 1.0).ln() + ln_gamma(z - 1.0), 13);
        differs((z.ln() + ln_gamma(z - 1.0) - ln_gamma(z)).exp(), 1.0);
    }
    let alpha = [2.0, 5.0, 1.0];
    let dirichlet = Dirichlet::new(&alpha).unwrap();
    let ln_b = alpha.iter().map(|&a| ln_gamma(a)).sum::<f64>() - ln_gamma(8.0);
    let f = [0.2_f64, 0.7, 0.1];
    let right: f64 = f.iter().zip(alpha).map(|(f, a)| (a - 1.0) * f.ln()).sum();
    close(dirichlet.ln_pdf(&f), right - ln_b, 13);
}

/// A variance whose reciprocal is Gamma(α, β): the exponent is -α-1, the factor βᵅ.
#[test]
fn erratum_37() {
    let (alpha, beta) = (3.0, 2.0_f64);
    let prior = InverseGamma::new(alpha, beta).unwrap();
    let reciprocal = Gamma::shape_rate(alpha, beta).unwrap();
    for variance in [0.3, 1.0, 4.0_f64] {
        let ln = alpha * beta.ln() - ln_gamma(alpha) - beta / variance;
        close(prior.ln_pdf(&variance), ln - (alpha + 1.0) * variance.ln(), 13);
        // A change of variables from the reciprocal.
        close(prior.ln_pdf(&variance), reciprocal.ln_pdf(&(1.0 / variance)) - 2.0 * variance.ln(), 13);
        let printed = beta.ln() - ln_gamma(alpha) + (alpha + 1.0) * variance.ln() - beta / variance;
        differs(printed, prior.ln_pdf(&variance));
    }
}

/// A divergence may be zero; it is zero between equals.
#[test]
fn erratum_38() {
    let normal = Normal::mean_sd(1.0, 2.0).unwrap();
    assert_eq!(normal.kl_divergence(&normal), 0.0);
    assert!(normal.kl_divergence(&Normal::mean_sd(1.0, 2.1).unwrap()) > 0.0);
}

/// Four words of equal probability have 1/4 each, 1/5 with an end.
#[test]
fn erratum_63() {
    for words in [4, 5] {
        let stats = Stats::<Categorical>::of_counts(&vec![1; words]);
        let fitted = Categorical::maximum_likelihood(&stats).unwrap();
        close(fitted.probabilities()[0], 1.0 / words as f64, 15);
        close(fitted.probabilities().iter().sum(), 1.0, 15);
    }
    differs(4.0 * 0.2, 1.0);
}

/// The mean of a Dirichlet posterior is not its mode.
#[test]
fn erratum_65() {
    let posterior = Dirichlet::new(&[3.5, 1.5, 2.0]).unwrap();
    let (mean, mode) = (posterior.mean().unwrap(), posterior.mode().unwrap());
    close(mean[0], 3.5 / 7.0, 15);
    close(mode[0], 2.5 / 4.0, 15);
    differs(mean[0], mode[0]);
}

/// Words are exchangeable, not independent: the evidence of two equal ones is 1/3, not (1/2)².
#[test]
fn erratum_72() {
    let prior = Dirichlet::symmetric(2, 1.0).unwrap();
    close(prior.ln_sequence_evidence(&[2, 0]).exp(), 1.0 / 3.0, 14);
    close(prior.ln_sequence_evidence(&[1, 0]).exp().powi(2), 0.25, 14);
}

/// The most probable proportions under an asymmetric prior: the denominator is N + Σα - V.
#[test]
fn erratum_73() {
    let (counts, alpha) = ([3.0, 1.0, 4.0], [1.5, 2.5, 4.0]);
    let posterior = Dirichlet::new(&[4.5, 3.5, 8.0]).unwrap();
    let mode = posterior.mode().unwrap();
    for i in 0..3 {
        close(mode[i], (counts[i] + alpha[i] - 1.0) / (8.0 + 8.0 - 3.0), 14);
        let printed = (counts[i] + alpha[i] - 1.0) / (8.0 + 3.0 * (alpha[i] - 1.0));
        differs(printed, mode[i]);
    }
    // No mode inside where a parameter is below one.
    assert_eq!(Dirichlet::new(&[0.5, 2.0]).unwrap().mode(), None);
}

/// ln p(x) = E_q ln p(x|z) - KL(q ‖ p(z)) + KL(q ‖ p(z|x)), for any q.
#[test]
fn erratum_79() {
    let (prior, x, noise) = (Normal::mean_variance(0.0, 2.0).unwrap(), 1.3, 0.5);
    let exact = Normal::mean_variance(x * 2.0 / 2.5, 1.0 / (0.5 + 2.0)).unwrap();
    let evidence = Normal::mean_variance(0.0, 2.5).unwrap().ln_pdf(&x);
    for q in [Normal::mean_variance(0.4, 0.3).unwrap(), Normal::mean_variance(-1.0, 1.7).unwrap(), exact] {
        let mean = q.mean().unwrap();
        let square = (x - mean).powi(2) + q.variance().unwrap();
        let ln_likelihood = -0.5 * (std::f64::consts::TAU * noise).ln() - square / (2.0 * noise);
        let bound = ln_likelihood - q.kl_divergence(&prior);
        close(bound, evidence - q.kl_divergence(&exact), 12);
        differs(ln_likelihood + q.kl_divergence(&prior), evidence - q.kl_divergence(&exact));
    }
}

/// The evidence of a sequence is B(n+α)/B(α): a probability, which sums to one over all sequences.
#[test]
fn erratum_82() {
    let prior = Dirichlet::new(&[0.5, 1.5]).unwrap();
    let ln_b = |alpha: [f64; 2]| ln_beta(alpha[0], alpha[1]);
    let of = |ones: u64| prior.ln_sequence_evidence(&[3 - ones, ones]);
    close(of(1), ln_b([2.5, 2.5]) - ln_b([0.5, 1.5]), 13);
    close(of(0).exp() + 3.0 * of(1).exp() + 3.0 * of(2).exp() + of(3).exp(), 1.0, 14);
}
