//! Bayesian PCA: its bound, and what it switches off.

use posterior_dist::stream::stream;
use posterior_inference::variational::{AscentOptions, Watch};
use posterior_latent::principal_components::{BayesianOptions, FactorModel, bayesian, probabilistic};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::ln_gamma;
use proptest::prelude::*;
use rand::RngExt;

use super::observations;

/// Three factors in eight coordinates.
fn three_factors(rows: usize, unit: f64, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    let loadings = DMatrix::from_fn(8, 3, |_, j| (rng.random::<f64>() - 0.5) * [6.0, 4.0, 3.0][j]);
    FactorModel::new(&[1.0; 8], &loadings, &[0.1; 8]).unwrap().sample(rows, &mut rng) * unit
}

#[test]
fn columns_that_nobody_needs_are_switched_off() {
    for unit in [1.0, 1e-3, 1e4] {
        let data = observations(&three_factors(200, unit, 3));
        let found = bayesian(&data, &BayesianOptions::default(), &mut Silent).unwrap();
        assert!(found.report.converged() && found.report.falls.is_empty());
        assert_eq!(found.model.factors(), 7);
        assert_eq!(found.effective, 3);
        let lengths: Vec<f64> =
            found.model.loadings().column_iter().map(|column| column.norm() / unit).collect();
        assert!(
            lengths[..3].iter().all(|&length| length > 0.5)
                && lengths[3..].iter().all(|&length| length < 0.05),
            "{lengths:?}"
        );
        assert!(found.relevance[..3].iter().all(|&alpha| alpha < 0.1 * found.relevance[3]));
        // The rest is as in PPCA of three factors: what is unknown of W and z is noise too: some proportions
        // of 1/n.
        let closed = probabilistic(&data, 3).unwrap();
        let ratio = found.model.noise()[0] / closed.noise()[0];
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
        assert!((found.model.covariance() - closed.covariance()).amax() < 0.02 * closed.covariance().amax());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn no_update_lowers_the_bound(n in 3..30_usize, components in 1..9_usize, seed: u64, shape in 0.001..3.0_f64) {
        let ascent = AscentOptions { watch: Watch::Update, max_iterations: 200, ..AscentOptions::default() };
        let options = BayesianOptions { ascent, components, prior: (shape, 0.5), ..BayesianOptions::default() };
        let found = bayesian(&observations(&three_factors(n, 2.0, seed)), &options, &mut Silent)?;
        prop_assert!(found.report.falls.is_empty(), "{:?}", found.report.falls);
    }
}

/// One component of two coordinates: α integrated by hand, W and τ on a grid.
#[test]
fn the_bound_is_below_the_evidence() {
    let mut rng = stream(2, &[]);
    let values = DMatrix::from_fn(12, 2, |_, _| rng.random::<f64>())
        * DMatrix::from_row_slice(2, 2, &[3.0, 1.5, 0.2, -0.6]);
    let prior = (1.5, 0.8);
    let options = BayesianOptions { components: 1, prior, ..BayesianOptions::default() };
    let found = bayesian(&observations(&values), &options, &mut Silent).unwrap();
    let bound = *found.report.trace.last().unwrap();

    let mean = values.row_mean();
    let centred = DMatrix::from_fn(12, 2, |i, t| values[(i, t)] - mean[t]);
    let unit = (centred.norm_squared() / 24.0).sqrt();
    let scatter = (&centred / unit).transpose() * (&centred / unit);
    let (a, b) = prior;
    let (mut terms, step) = (Vec::new(), 0.08);
    for i in -60..=60 {
        for j in -60..=60 {
            let w = [f64::from(i) * step, f64::from(j) * step];
            let square = w[0] * w[0] + w[1] * w[1];
            // ∫ N(w; 0, I/α) Gamma(α; a, b) dα.
            let ln_prior = ln_gamma(a + 1.0) - ln_gamma(a) + a * f64::ln(b)
                - std::f64::consts::TAU.ln()
                - (a + 1.0) * (b + 0.5 * square).ln();
            for l in -60..=80 {
                let ln_tau = f64::from(l) * 0.1;
                let tau = ln_tau.exp();
                let ln_gamma_distribution = a * f64::ln(b) - ln_gamma(a) + a * ln_tau - b * tau;
                // The covariance w wᵀ + I/τ by its eigenvalues.
                let along = (w[0] * w[0] * scatter[(0, 0)]
                    + 2.0 * w[0] * w[1] * scatter[(0, 1)]
                    + w[1] * w[1] * scatter[(1, 1)])
                    / square.max(1e-300);
                let across = scatter.trace() - along;
                let large = square + 1.0 / tau;
                let ln_fit = -12.0 * std::f64::consts::TAU.ln()
                    - 6.0 * (large.ln() - ln_tau)
                    - 0.5 * (along / large + across * tau);
                terms.push(ln_prior + ln_gamma_distribution + ln_fit);
            }
        }
    }
    let evidence = ln_sum_exp(&terms) + (step * step * 0.1_f64).ln() - 24.0 * unit.ln();
    // The posterior has two modes, ±W, of which q has one: the bound is at least ln 2 below. The rest is what
    // independence costs.
    let gap = evidence - bound;
    assert!(gap > std::f64::consts::LN_2 && gap < 2.5, "{evidence} {bound}");
}

#[test]
fn misuse() {
    let data = observations(&three_factors(9, 1.0, 1));
    assert!(
        bayesian(&data, &BayesianOptions { components: 0, ..BayesianOptions::default() }, &mut Silent)
            .is_err()
    );
    assert!(
        bayesian(&data, &BayesianOptions { prior: (0.0, 1.0), ..BayesianOptions::default() }, &mut Silent)
            .is_err()
    );
    assert!(
        bayesian(
            &data,
            &BayesianOptions { prior: (1.0, f64::NAN), ..BayesianOptions::default() },
            &mut Silent
        )
        .is_err()
    );
    let flat = observations(&DMatrix::from_element(4, 3, 1.0));
    assert!(bayesian(&flat, &BayesianOptions::default(), &mut Silent).is_err());
    assert!(
        bayesian(
            &observations(&DMatrix::from_fn(4, 1, |i, _| i as f64)),
            &BayesianOptions::default(),
            &mut Silent
        )
        .is_err()
    );
}
