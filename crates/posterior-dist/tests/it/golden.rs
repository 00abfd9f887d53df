//! Numbers that were worked out by hand or printed elsewhere, and identities between the distributions.

use posterior_dist::{
    Bernoulli, Binomial, Categorical, Conjugate, Density, Dirichlet, DirichletMultinomial, Entropy,
    KlDivergence, Mode, Moments, Multinomial, Stats,
};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};

fn dirichlet(alpha: &[f64]) -> Dirichlet {
    Dirichlet::new(alpha).expect("positive")
}

#[test]
fn the_dirichlet_of_one_two_three() {
    let distribution = dirichlet(&[1.0, 2.0, 3.0]);
    assert_close(distribution.ln_norm(), -4.0943445622221, 1e-14);
    assert_close(distribution.entropy(), -1.2443445622221003, 1e-14);
    assert_all_close(&distribution.expected_ln(), &[-137.0 / 60.0, -77.0 / 60.0, -47.0 / 60.0], 1e-15);
    let covariance = distribution.variance().expect("exists");
    let variances: Vec<f64> = covariance.diagonal().iter().copied().collect();
    assert_all_close(&variances, &[5.0 / 252.0, 8.0 / 252.0, 9.0 / 252.0], 1e-15);
    assert_close(covariance[(0, 1)], -1.0 / 126.0, 1e-15);
    assert_close(distribution.kl_divergence(&dirichlet(&[2.0, 2.0, 2.0])), 1.5 - 2.0_f64.ln(), 1e-14);
    // α = 1 at one coordinate: the mode is on the boundary, where the density is finite.
    assert_eq!(distribution.mode(), Some(vec![0.0, 1.0 / 3.0, 2.0 / 3.0]));
}

#[test]
fn a_sequence_has_no_coefficient_and_a_count_vector_has_one() {
    let prior = dirichlet(&[1.0, 2.0, 3.0]);
    assert_close(prior.ln_sequence_evidence(&[2, 0, 1]), (1.0_f64 / 56.0).ln(), 1e-15);
    let sequence = Stats::<Categorical>::of(3, &[0, 2, 0]).expect("categories");
    assert_close(Categorical::ln_evidence(&prior, &sequence).expect("fits"), (1.0_f64 / 56.0).ln(), 1e-15);
    assert_close(DirichletMultinomial::new(3, prior).ln_pdf(&[2, 0, 1]), (3.0_f64 / 56.0).ln(), 1e-14);
}

#[test]
fn the_evidence_does_not_factorise_over_words() {
    // Two words that agree under a uniform prior over two: 1/3, not 1/2 · 1/2.
    assert_close(dirichlet(&[1.0, 1.0]).ln_sequence_evidence(&[2, 0]), (1.0_f64 / 3.0).ln(), 1e-15);
}

#[test]
fn mean_and_mode_of_a_posterior_are_the_two_ways_to_smooth() {
    let prior = Dirichlet::symmetric(3, 2.0).expect("positive");
    let data = Stats::from_totals(3, vec![3.0, 1.0, 0.0], 4.0, 0.0).expect("counts");
    let posterior = Categorical::posterior(&prior, &data).expect("fits");
    assert_all_close(&posterior.mode().expect("exists"), &[4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0], 1e-15);
    assert_all_close(&posterior.mean().expect("exists"), &[0.5, 0.3, 0.2], 1e-15);
    // Add-one smoothing is the mean under α = 1 and the mode under α = 2.
    let uniform =
        Categorical::posterior(&Dirichlet::symmetric(3, 1.0).expect("positive"), &data).expect("fits");
    assert_all_close(&uniform.mean().expect("exists"), &posterior.mode().expect("exists"), 1e-15);
}

#[test]
fn the_mode_exists_where_no_alpha_is_below_one() {
    assert_eq!(dirichlet(&[0.9, 5.0]).mode(), None);
    assert_eq!(dirichlet(&[1.0, 1.0]).mode(), None);
    assert_eq!(dirichlet(&[2.5, 1.5]).mode(), Some(vec![0.75, 0.25]));
}

#[test]
fn the_marginal_of_one_cell_is_that_of_the_merged_others() {
    // Aggregation: the α of merged cells add.
    let fine = DirichletMultinomial::new(4, dirichlet(&[0.5, 1.5, 2.0]));
    let coarse = DirichletMultinomial::new(4, dirichlet(&[0.5, 3.5]));
    for k in 0..=4_u64 {
        let sum: f64 = (0..=4 - k).map(|l| fine.ln_pdf(&[k, l, 4 - k - l]).exp()).sum();
        assert_close(coarse.ln_pdf(&[k, 4 - k]).exp(), sum, 1e-13);
    }
}

#[test]
fn one_trial_is_a_categorical_and_two_cells_are_a_binomial() {
    let categories = Categorical::from_weights(&[0.2, 0.3, 0.5]).expect("weights");
    let once = Multinomial::new(1, categories.clone());
    for k in 0..3 {
        let mut counts = vec![0; 3];
        counts[k] = 1;
        assert_close(once.ln_pdf(&counts), categories.ln_pdf(&k), 1e-14);
    }
    let pair = Multinomial::new(100, Categorical::from_weights(&[0.3, 0.7]).expect("weights"));
    let binomial = Binomial::new(100, 0.3).expect("a probability");
    for k in 0..=100 {
        assert_close(pair.ln_pdf(&[k, 100 - k]), binomial.ln_pdf(&k), 1e-13);
    }
}

#[test]
fn a_large_concentration_makes_the_polya_distribution_a_multinomial() {
    let polya = DirichletMultinomial::new(5, dirichlet(&[2e12, 3e12, 5e12]));
    let multinomial = Multinomial::new(5, Categorical::from_weights(&[0.2, 0.3, 0.5]).expect("weights"));
    assert_close(polya.ln_pdf(&[1, 2, 2]), multinomial.ln_pdf(&[1, 2, 2]), 1e-11);
}

#[test]
fn large_counts_and_concentrations_keep_the_digits_of_the_polya_distribution() {
    // mpmath 1.4 with 60 digits.
    for (alpha, n, expected) in [
        (1e6, 1_000_000, -7.3362794773476133),
        (1e9, 1_000_000_000, -10.790156825463682),
        (1e12, 1_000_000_000_000, -14.244034464663375),
    ] {
        let distribution = DirichletMultinomial::new(n, dirichlet(&[alpha, alpha]));
        assert_close(distribution.ln_pdf(&[n / 2, n / 2]), expected, 1e-15);
    }
    // A concentration beside which the counts are lost in rounding is a multinomial.
    let distribution = DirichletMultinomial::new(7, dirichlet(&[1e18, 3e18]));
    assert_close(distribution.ln_pdf(&[0, 7]), 7.0 * 0.75_f64.ln(), 1e-15);
    // Two draws differ with probability α / (2α + 1) and agree on each cell with (α + 1) / (4α + 2).
    for alpha in [5e-324, 1e-300, 1e-8] {
        let distribution = DirichletMultinomial::new(2, dirichlet(&[alpha, alpha]));
        assert_close(distribution.ln_pdf(&[1, 1]), f64::ln(alpha), 1e-8);
        assert_close(distribution.ln_pdf(&[2, 0]), 0.5_f64.ln(), 2e-8);
        // 10 B(1, 9) / B(α, α), where the expected counts of a cell are too small for f64.
        let distribution = DirichletMultinomial::new(10, dirichlet(&[alpha, alpha]));
        assert_close(distribution.ln_pdf(&[1, 9]), f64::ln(alpha) + (5.0_f64 / 9.0).ln(), 1e-8);
    }
}

#[test]
fn entropies_and_divergences_of_coins_and_treatments() {
    assert_close(Bernoulli::new(0.6).expect("a probability").entropy(), 0.6730116670092565, 1e-15);
    let uniform = Categorical::from_weights(&[1.0; 7]).expect("weights");
    assert_close(uniform.entropy(), 7.0_f64.ln(), 1e-15);
    let fair = Bernoulli::new(0.5).expect("a probability");
    let certain = Bernoulli::new(1.0).expect("a probability");
    assert_close(certain.kl_divergence(&fair), 2.0_f64.ln(), 1e-15);
    assert_eq!(fair.kl_divergence(&certain), f64::INFINITY);
}

#[test]
fn the_entropy_of_a_dominant_cell_keeps_its_digits() {
    // E ln t₁ = ψ(α₁) - ψ(α₁ + 1) = -1 / α₁ exactly, where the difference of the two would leave eight
    // digits.
    assert_close(dirichlet(&[1e8, 1.0]).expected_ln()[0], -1e-8, 1e-15);
    // Here α₀ itself has lost the other α: ψ(α₁ + 1.5) - ψ(α₁) is 1.5 / α₁ up to 1 / α₁².
    assert_close(dirichlet(&[1e16, 1.5]).expected_ln()[0], -1.5e-16, 1e-15);
}

#[test]
fn the_entropy_of_a_binomial_is_that_of_its_normal_for_many_trials() {
    let distribution = Binomial::new(1_000_000, 0.3).expect("a probability");
    let normal = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * 1e6 * 0.3 * 0.7).ln();
    assert_within(distribution.entropy(), normal, 1e-5);
}

/// α, a point, and there ln p, the entropy, and the divergences to distributions near by and of twice the
/// concentration; computed with mpmath 1.3 at 60 digits.
type Large = ([f64; 3], [f64; 3], f64, f64, f64, f64);

#[test]
fn a_dirichlet_of_large_concentration_keeps_its_digits() {
    let cases: [Large; 4] = [
        (
            [1000000000.0, 2000000000.0, 3000000000.0],
            [0.1708984375, 0.3330078125, 0.49609375],
            -409951.67396065483344,
            -21.468907709382064563,
            396.35190852693012402,
            0.30685281950949913503,
        ),
        (
            [1000000000000.0, 3.0, 2000000000000.0],
            [0.25, 3.552713678800501e-15, 0.7499999999999964],
            -52116001105.702052661,
            -40.579971761717995669,
            317098.70182633849594,
            0.32053488328710336655,
        ),
        (
            [0.5, 10000000000.0, 40000000000.0],
            [9.094947017729282e-13, 0.203125, 0.7968749999990905],
            -1514069.619824267474,
            -36.359675532357329798,
            4.7606207151202157359e-7,
            0.36966929925046868852,
        ),
        (
            [20000.0, 30000.0, 0.01],
            [0.375, 0.6249999990686774, 9.313225746154785e-10],
            -44.787222741670831753,
            -110.47008540779611089,
            0.0057085252639326461981,
            0.45649959763292407987,
        ),
    ];
    for (alpha, point, ln_pdf, entropy, near, twice) in cases {
        let distribution = Dirichlet::new(&alpha).expect("positive");
        assert_close(distribution.ln_pdf(&point), ln_pdf, 1e-14);
        assert_close(distribution.entropy(), entropy, 1e-14);
        let mut other = alpha.map(|a| a * 1.000_976_562_5);
        other[0] = alpha[0] * 1.000_000_953_674_316_406_25;
        let divergence = distribution.kl_divergence(&Dirichlet::new(&other).expect("positive"));
        assert_close(divergence, near, 1e-11);
        let divergence =
            distribution.kl_divergence(&Dirichlet::new(&alpha.map(|a| 2.0 * a)).expect("positive"));
        assert_close(divergence, twice, 1e-13);
    }
}
