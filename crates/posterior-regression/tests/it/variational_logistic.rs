//! The bound of Jaakkola and Jordan.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature::GaussHermite;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
use posterior_regression::variational_logistic::{VariationalOptions, variational_logistic};
use proptest::prelude::*;

/// ln p(y) of two coefficients by a product rule around the prior's mean.
fn evidence(model: &Glm<'_>, mean: [f64; 2], sd: [f64; 2]) -> f64 {
    let rule = GaussHermite::new(120).expect("invariant: 120 nodes");
    rule.expectation(mean[0], sd[0] * sd[0], |a| {
        rule.expectation(mean[1], sd[1] * sd[1], |b| {
            model.ln_likelihood(&[a, b], 1.0).expect("invariant: a family of the library").exp()
        })
    })
    .ln()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_bound_never_falls_and_stays_below_the_evidence(
        rows in proptest::collection::vec((-2.0..2.0_f64, -0.5..0.5_f64, 0..4_u8), 1..9),
        (mean, sd) in ([-0.5..0.5_f64, -0.5..0.5_f64], [0.3..1.5_f64, 0.3..1.5_f64]),
    ) {
        let design = DMatrix::from_fn(rows.len(), 2, |i, j| if j == 0 { 1.0 } else { rows[i].0 });
        let offset: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let trials: Vec<f64> = rows.iter().map(|row| f64::from(row.2 / 2 + 1)).collect();
        let y: Vec<f64> = rows.iter().zip(&trials).map(|(row, n)| f64::from(row.2 % 2) / n).collect();
        let data = GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap().with_weights(&trials).unwrap();
        let prior = CoefficientPrior::diagonal(mean.to_vec(), &sd).unwrap();
        let model = Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap();
        let fitted = variational_logistic(&model, &VariationalOptions::default(), &mut Silent).unwrap();
        prop_assert!(fitted.report.converged() && fitted.report.falls.is_empty());
        let exact = evidence(&model, mean, sd);
        let bound = fitted.model.ln_evidence_bound;
        prop_assert!(bound <= exact + 1e-9, "{bound} {exact}");
        // A trial costs at most 0.2076: what the best ξ lacks where predictors are widest and farthest here,
        // N(2, 1.5² (1 + 2²)), by quadrature.
        prop_assert!(bound > exact - 0.2076 * trials.iter().sum::<f64>(), "{bound} {exact}");
    }
}

#[test]
fn without_data_the_bound_is_the_evidence() {
    // One row whose input is 0: σ(0) = ½ whatever the coefficient is.
    let design = DMatrix::zeros(1, 1);
    let data = GlmData::new(&design, &[1.0]).unwrap();
    let prior = CoefficientPrior::isotropic(1, 2.0).unwrap();
    let model = Glm::new(Family::Logit, data.clone()).unwrap().with_prior(prior).unwrap();
    let fitted = variational_logistic(&model, &VariationalOptions::default(), &mut Silent).unwrap().model;
    assert!((fitted.ln_evidence_bound - 0.5_f64.ln()).abs() < 1e-15);
    assert!((fitted.distribution.cholesky().reconstruct()[(0, 0)] - 4.0).abs() < 1e-14);
    // What has no evidence or no logit is refused.
    let flat = Glm::new(Family::Logit, data.clone()).unwrap();
    assert!(variational_logistic(&flat, &VariationalOptions::default(), &mut Silent).is_err());
    let probit =
        Glm::new(Family::Probit, data).unwrap().with_prior(CoefficientPrior::isotropic(1, 1.0).unwrap());
    assert!(variational_logistic(&probit.unwrap(), &VariationalOptions::default(), &mut Silent).is_err());
}
