//! The seven numbers, and the tables of 30 digits.

use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::reference::{list, load, number, numbers, rows};

use super::{KINDS, observations, start, steps};

const X: [f64; 7] = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5];

#[test]
fn seven_numbers_by_every_kind() {
    let data = observations(&DMatrix::from_column_slice(7, 1, &X));
    let means = DMatrix::from_column_slice(2, 1, &[-1.0, 1.0]);
    let sigma = [
        0.017986209962,
        0.047425873178,
        0.119202922022,
        0.880797077978,
        0.952574126822,
        0.982013790038,
        0.993307149076,
    ];
    let traces = [-13.26555406679416, -11.15905289624651, -9.7243044731451, -9.698974117885653];
    // In one dimension full, diagonal and spherical are the same.
    for kind in [KINDS[0], KINDS[2], KINDS[3]] {
        let begin = start(kind, &means, 1.0);
        let proportions = begin.responsibilities(&data).unwrap();
        for (i, golden) in sigma.into_iter().enumerate() {
            assert_within(proportions[(i, 1)], golden, 1e-12);
            assert_within(proportions.row(i).sum(), 1.0, 1e-15);
        }
        let problem = GaussianMixtureProblem::new(&data, steps(3)).unwrap();
        let fitted = problem.fit(begin.clone(), &mut Silent).unwrap();
        for (found, golden) in fitted.report.trace.iter().zip(traces) {
            assert_within(*found, golden, 1e-13);
        }
        let careful = GaussianMixtureOptions {
            em: EmOptions { tolerance: 0.0, ..EmOptions::default() },
            ..GaussianMixtureOptions::default()
        };
        let problem = GaussianMixtureProblem::new(&data, careful).unwrap();
        let limit = problem.fit(begin, &mut Silent).unwrap();
        assert!(limit.report.converged() && limit.model.incidents.is_empty());
        assert_within(*limit.report.trace.last().unwrap(), -9.698974113636174, 1e-12);
        let mixture = limit.model.mixture;
        assert_within(mixture.weights().probabilities()[0], 0.428569786174, 1e-10);
        assert_within(mixture.means()[0], -1.500001896472, 1e-10);
        assert_within(mixture.means()[1], 1.749992081234, 1e-10);
        assert_within(mixture.covariance(0)[0], 0.16666638737, 1e-10);
        assert_within(mixture.covariance(1)[0], 0.312520903622, 1e-10);
    }
}

/// One step from given parameters, and what the density says of each observation.
#[test]
fn tables_of_one_step() {
    let table = load("gmm_em");
    let cases = list(&table["cases"]);
    assert_eq!(cases.len(), 4);
    for case in cases {
        let matrix = |value: &serde_json::Value| {
            let rows = rows(value);
            DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
        };
        let data = Observations::new(&matrix(&case["x"])).unwrap();
        let covariances = list(&case["covariances"]).iter().map(matrix).collect();
        let means = matrix(&case["means"]);
        let begin =
            GaussianMixture::new(&numbers(&case["weights"]), &means, Covariances::Full(covariances)).unwrap();
        let proportions = begin.responsibilities(&data).unwrap();
        let golden = matrix(&case["responsibilities"]);
        let mut entropy = 0.0;
        for (found, golden) in proportions.iter().zip(golden.iter()) {
            assert!((found - golden).abs() <= 1e-10 * golden, "{found} is not {golden}");
            entropy -= if *found > 0.0 { found * found.ln() } else { 0.0 };
        }
        for (found, golden) in
            begin.ln_pdf_rows(&data).unwrap().iter().zip(numbers(&case["point_log_density"]))
        {
            assert_close(*found, golden, 1e-12);
        }
        let problem =
            GaussianMixtureProblem::new(&data, GaussianMixtureOptions { variance_floor: 0.0, ..steps(1) })
                .unwrap();
        let fitted = problem.fit(begin, &mut Silent).unwrap();
        assert_close(fitted.report.trace[0], number(&case["log_likelihood"]), 1e-12);
        assert_close(entropy, number(&case["responsibility_entropy"]), 1e-9);
        let expected = fitted.report.trace[0] - entropy;
        assert_close(expected, number(&case["expected_complete_log_likelihood"]), 1e-10);
        assert_close(fitted.report.trace[1], number(&case["new_log_likelihood"]), 1e-10);
        let mixture = &fitted.model.mixture;
        for (found, golden) in mixture.weights().probabilities().iter().zip(numbers(&case["new_weights"])) {
            assert_close(*found, golden, 1e-10);
        }
        for (found, golden) in mixture.means().iter().zip(matrix(&case["new_means"]).iter()) {
            assert_close(*found, *golden, 1e-10);
        }
        for (k, golden) in list(&case["new_covariances"]).iter().enumerate() {
            let golden = matrix(golden);
            for (found, entry) in mixture.covariance(k).iter().zip(golden.iter()) {
                assert!((found - entry).abs() <= 1e-10 * golden.amax(), "{found} is not {entry}");
            }
        }
    }
}
