//! Bishop's terms and updates, against 30 digits.

use posterior_gaussian::{Gaussian, NormalWishart};
use posterior_inference::variational::CoordinateAscent;
use posterior_latent::variational::{BayesianMixture, ElboTerms, MixtureAscent, Points, VariationalMixture};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::reference::{list, load, number, numbers, rows};
use serde_json::Value;

use super::finite;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn assert_terms(terms: &ElboTerms, expected: &Value) {
    for (term, name) in [
        (terms.likelihood, "e_log_p_x"),
        (terms.assignment_prior, "e_log_p_z"),
        (terms.weight_prior, "e_log_p_pi"),
        (terms.component_prior, "e_log_p_mu_lambda"),
        (terms.assignment_posterior, "e_log_q_z"),
        (terms.weight_posterior, "e_log_q_pi"),
        (terms.component_posterior, "e_log_q_mu_lambda"),
        (terms.total(), "elbo"),
    ] {
        assert_within(term, number(&expected[name]), 1e-11 * number(&expected[name]).abs().max(1.0));
    }
}

fn assert_posterior(q: &VariationalMixture<Gaussian, NormalWishart>, expected: &Value) {
    let alpha = q.weights().expected();
    let total: f64 = list(expected).iter().map(|of_k| number(&of_k["alpha"])).sum();
    for (k, expected) in list(expected).iter().enumerate() {
        let distribution = q.components()[k].posterior();
        assert_close(alpha[k] * total, number(&expected["alpha"]), 1e-13);
        assert_close(distribution.kappa(), number(&expected["beta"]), 1e-13);
        assert_close(distribution.degrees_of_freedom(), number(&expected["nu"]), 1e-13);
        assert_all_close(distribution.location().as_slice(), &numbers(&expected["m"]), 1e-12);
        let scale = matrix(&expected["w"]);
        assert!((distribution.scale() - &scale).amax() <= 1e-12 * scale.amax());
    }
}

#[test]
fn both_steps_are_those_of_the_table() {
    for case in list(&load("gmm_vb")["cases"]) {
        let w = matrix(&case["w0"]);
        let (mean, beta, nu) = (numbers(&case["m0"]), number(&case["beta0"]), number(&case["nu0"]));
        let prior = NormalWishart::new(&mean, beta, &w, nu).unwrap();
        let start = matrix(&case["responsibilities"]);
        let model: BayesianMixture<Gaussian, _> =
            finite(start.ncols(), number(&case["alpha0"]), prior, mean.len());
        let points = rows(&case["x"]);
        let points = Points::new(&points);
        let problem = MixtureAscent::new(&model, &points).unwrap();
        let mut q = problem.start_from_responsibilities(&start).unwrap();
        assert_posterior(&q, &case["posterior"]);
        assert_all_close(&q.weights().expected_ln(), &numbers(&case["e_log_pi"]), 1e-13);
        for (k, expected) in numbers(&case["e_log_det_lambda"]).into_iter().enumerate() {
            let distribution = q.components()[k].posterior();
            assert_within(distribution.precision_distribution().expected_ln_determinant(), expected, 1e-12);
        }
        assert_terms(&q.elbo_terms().unwrap(), &case["elbo_terms"]);
        assert_close(problem.elbo(&q).unwrap(), number(&case["elbo_terms"]["elbo"]), 1e-13);

        let proportions = problem.responsibilities(&q).unwrap();
        for (i, expected) in rows(&case["new_responsibilities"]).iter().enumerate() {
            let row: Vec<f64> = proportions.row(i).iter().copied().collect();
            assert_all_close(&row, expected, 1e-11);
        }
        problem.update(&mut q, 0).unwrap();
        assert_terms(&q.elbo_terms().unwrap(), &case["elbo_terms_after_e_step"]);
        assert_close(problem.elbo(&q).unwrap(), number(&case["elbo_terms_after_e_step"]["elbo"]), 1e-13);

        problem.update(&mut q, 1).unwrap();
        problem.update(&mut q, 2).unwrap();
        assert_posterior(&q, &case["posterior_after_second_m_step"]);
        assert_terms(&q.elbo_terms().unwrap(), &case["elbo_terms_after_second_m_step"]);
        let after = number(&case["elbo_terms_after_second_m_step"]["elbo"]);
        assert_close(problem.elbo(&q).unwrap(), after, 1e-13);
    }
}
