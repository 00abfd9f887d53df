//! Where the likelihood has no bound; what is refused.

use posterior_dist::stream::stream;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
    fraley_raftery_prior,
};
use posterior_latent::mixture::IncidentKind;
use posterior_latent::{Error, Observations};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, SymmetricEigen};
use posterior_testkit::accuracy::assert_close;

use super::{KINDS, clouds, observations, start, steps};

/// Nine observations in a cloud and one far away.
fn outlier() -> DMatrix<f64> {
    let mut values = clouds(10, 2, 1);
    values.row_mut(9).fill(300.0);
    values
}

#[test]
fn the_floor_binds_is_reported_and_the_likelihood_never_falls() {
    let values = outlier();
    let data = observations(&values);
    for kind in KINDS {
        let mut means = values.rows(0, 2).into_owned();
        means.row_mut(1).fill(300.0);
        let problem =
            GaussianMixtureProblem::new(&data, GaussianMixtureOptions { variance_floor: 1e-3, ..steps(8) })
                .unwrap();
        let fitted = problem.fit(start(kind, &means, 4.0), &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty());
        let floored: Vec<_> =
            fitted.model.incidents.iter().filter(|incident| incident.kind == IncidentKind::Floored).collect();
        // The column variances are above 8,000: the floor is above 8, and both components are below it.
        assert!(
            floored
                .iter()
                .any(|incident| incident.component == 1 && (incident.first, incident.last) == (1, 8))
        );
        let mean = values.row_sum() / 10.0;
        let variance = |j: usize| values.column(j).iter().map(|x| (x - mean[j]).powi(2)).sum::<f64>() / 10.0;
        let covariance = fitted.model.mixture.covariance(1);
        for j in 0..2 {
            let floor = if kind == CovarianceKind::Spherical {
                f64::midpoint(variance(0), variance(1))
            } else {
                variance(j)
            };
            assert_close(covariance[(j, j)], 1e-3 * floor, 1e-10);
        }
    }
}

/// No matrix above the floor explains the scatter better: against a grid of rotations and scales.
#[test]
fn the_floor_is_constrained_maximum_likelihood() {
    // A flat cloud, one component: the best Σ ⪰ ε diag(v).
    let mut values = clouds(50, 2, 12);
    for i in 0..50 {
        values[(i, 1)] = 0.5 * values[(i, 0)] + 1e-3 * f64::from(i as u32 % 5);
    }
    let data = observations(&values);
    let options = GaussianMixtureOptions { variance_floor: 0.01, ..steps(1) };
    let problem = GaussianMixtureProblem::new(&data, options).unwrap();
    let fitted = problem.fit(start(CovarianceKind::Full, &DMatrix::zeros(1, 2), 1.0), &mut Silent).unwrap();
    assert_eq!(fitted.model.incidents[0].kind, IncidentKind::Floored);
    let best = fitted.model.mixture.covariance(0);
    let scatter =
        GaussianMixtureProblem::new(&data, GaussianMixtureOptions { variance_floor: 0.0, ..steps(1) })
            .unwrap();
    let scatter = scatter.fit(start(CovarianceKind::Full, &DMatrix::zeros(1, 2), 1.0), &mut Silent).unwrap();
    let scatter = scatter.model.mixture.covariance(0);
    let unit = DMatrix::from_diagonal(&scatter.diagonal().map(|v| (0.01 * v).sqrt()));
    let loss = |sigma: &DMatrix<f64>| {
        sigma.determinant().ln() + (sigma.clone().try_inverse().unwrap() * &scatter).trace()
    };
    let least = loss(&best);
    for turn in 0..60 {
        let (s, c) = (f64::from(turn) * 0.0523).sin_cos();
        let rotation = DMatrix::from_row_slice(2, 2, &[c, -s, s, c]);
        for (a, b) in
            [(1.0, 1.0), (1.0, 3.0), (1.0, 30.0), (1.0, 100.0), (1.0, 190.0), (1.1, 198.0), (1.5, 250.0)]
        {
            let inner = DMatrix::from_diagonal(&nalgebra_vector(&[a, b]));
            let sigma = &unit * &rotation * inner * rotation.transpose() * &unit;
            assert!(loss(&sigma) >= least - 1e-9, "{turn} {a} {b}");
        }
    }
    let white = DMatrix::from_fn(2, 2, |i, j| best[(i, j)] / unit[(i, i)] / unit[(j, j)]);
    assert_close(SymmetricEigen::new(&white).unwrap().values()[0], 1.0, 1e-9);
}

fn nalgebra_vector(entries: &[f64]) -> posterior_math::linalg::DVector<f64> {
    posterior_math::linalg::DVector::from_column_slice(entries)
}

#[test]
fn without_a_floor_a_component_keeps_its_covariance() {
    let values = outlier();
    let data = observations(&values);
    for kind in [CovarianceKind::Full, CovarianceKind::Diagonal, CovarianceKind::Spherical] {
        let mut means = values.rows(0, 2).into_owned();
        means.row_mut(1).fill(300.0);
        let problem =
            GaussianMixtureProblem::new(&data, GaussianMixtureOptions { variance_floor: 0.0, ..steps(8) })
                .unwrap();
        let fitted = problem.fit(start(kind, &means, 4.0), &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
        assert!(
            matches!(fitted.model.incidents[0].kind, IncidentKind::Kept(_)),
            "{:?}",
            fitted.model.incidents
        );
        assert_eq!(fitted.model.mixture.covariance(1), DMatrix::identity(2, 2) * 4.0);
        // The prior is the other remedy.
        let prior = fraley_raftery_prior(&data, 2).unwrap();
        let problem = GaussianMixtureProblem::new(
            &data,
            GaussianMixtureOptions { variance_floor: 0.0, prior: Some(prior), ..steps(8) },
        )
        .unwrap();
        let fitted = problem.fit(start(kind, &means, 4.0), &mut Silent).unwrap();
        assert!(fitted.model.incidents.is_empty() && fitted.report.falls.is_empty());
    }
}

#[test]
fn dead_components_are_reported() {
    let data = observations(&clouds(20, 2, 1));
    for kind in KINDS {
        let means = DMatrix::from_row_slice(2, 2, &[4.0, 4.0, 1e7, 1e7]);
        let fitted =
            GaussianMixtureProblem::new(&data, steps(4)).unwrap().fit(start(kind, &means, 4.0), &mut Silent);
        let fitted = fitted.unwrap();
        assert_eq!(fitted.model.mixture.weights().probabilities(), [1.0, 0.0]);
        assert!(
            fitted
                .model
                .incidents
                .iter()
                .any(|i| i.component == 1 && i.kind == IncidentKind::Died && i.first == 1)
        );
    }
}

#[test]
fn degenerate_data_are_refused_or_bounded() {
    // Identical observations, and a constant column: by name.
    let same = observations(&DMatrix::from_element(5, 2, 3.0));
    assert!(GaussianMixtureProblem::new(&same, GaussianMixtureOptions::default()).is_err());
    let mut constant = clouds(9, 2, 3);
    constant.column_mut(1).fill(7.0);
    let constant = observations(&constant);
    match GaussianMixtureProblem::new(&constant, GaussianMixtureOptions::default()) {
        Err(Error::Parameter(error)) => assert_eq!(error.index(), Some(1)),
        other => unreachable!("{other:?}"),
    }
    // With something added they have a fit.
    let added = GaussianMixtureOptions { added_variance: 1e-2, ..steps(5) };
    let problem = GaussianMixtureProblem::new(&same, added).unwrap();
    let one = problem.random_start(1, &mut stream(1, &[])).unwrap();
    let fitted = problem.fit(one, &mut Silent).unwrap();
    assert_close(fitted.model.mixture.covariance(0)[(0, 0)], 1e-2, 1e-12);
    assert!(matches!(
        problem.random_start(2, &mut stream(1, &[])),
        Err(Error::TooFew { needed: 2, found: 1, .. })
    ));
    // More components than observations.
    let two = observations(&DMatrix::from_row_slice(2, 1, &[0.0, 1.0]));
    let problem = GaussianMixtureProblem::new(&two, GaussianMixtureOptions::default()).unwrap();
    assert!(problem.fit_best(3, 2, 1).is_err());
    assert!(problem.random_start(0, &mut stream(1, &[])).is_err());
    assert!(problem.fit_best(2, 2, 1).unwrap().best.report.trace.last().unwrap().is_finite());
    // Units of any size that have squares, and those that have none.
    for scale in [1e150, 1e-150] {
        let values = clouds(30, 2, 4) * scale;
        let data = observations(&values);
        let problem = GaussianMixtureProblem::new(&data, steps(5)).unwrap();
        let best = problem.fit_best(2, 2, 1).unwrap();
        assert!(best.best.report.trace.last().unwrap().is_finite());
    }
    let huge = observations(&(clouds(30, 2, 4) * 1e200));
    assert!(GaussianMixtureProblem::new(&huge, GaussianMixtureOptions::default()).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let values = clouds(10, 2, 1);
    let data = observations(&values);
    let options = GaussianMixtureOptions::default;
    assert!(
        GaussianMixtureProblem::new(&data, GaussianMixtureOptions { variance_floor: -1.0, ..options() })
            .is_err()
    );
    assert!(
        GaussianMixtureProblem::new(&data, GaussianMixtureOptions { added_variance: f64::NAN, ..options() })
            .is_err()
    );
    assert!(
        GaussianMixtureProblem::new(&data, GaussianMixtureOptions { weight_concentration: 0.5, ..options() })
            .is_err()
    );
    let line = observations(&DMatrix::from_column_slice(10, 1, values.column(0).as_slice()));
    let prior = fraley_raftery_prior(&line, 2).unwrap();
    assert!(
        GaussianMixtureProblem::new(&data, GaussianMixtureOptions { prior: Some(prior), ..options() })
            .is_err()
    );
    let problem = GaussianMixtureProblem::new(&data, options()).unwrap();
    assert!(problem.fit(start(CovarianceKind::Full, &DMatrix::zeros(1, 3), 1.0), &mut Silent).is_err());
    assert!(problem.start_from_labels(&[0; 10], 2).is_err());
    assert!(problem.start_from_labels(&[0, 1], 2).is_err());
    let one = DMatrix::zeros(1, 2);
    for refused in [
        GaussianMixture::new(&[1.0, 1.0], &one, Covariances::Spherical(vec![1.0])),
        GaussianMixture::new(&[1.0], &one, Covariances::Spherical(vec![0.0])),
        GaussianMixture::new(&[1.0], &one, Covariances::Spherical(vec![1.0, 1.0])),
        GaussianMixture::new(&[1.0], &one, Covariances::Diagonal(DMatrix::from_element(1, 2, f64::NAN))),
        GaussianMixture::new(&[1.0], &one, Covariances::Tied(DMatrix::identity(3, 3))),
        GaussianMixture::new(
            &[1.0],
            &one,
            Covariances::Full(vec![DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.4, 1.0])]),
        ),
        GaussianMixture::new(&[1.0], &one, Covariances::Full(vec![DMatrix::from_element(2, 2, 1.0)])),
        GaussianMixture::new(
            &[1.0],
            &DMatrix::from_element(1, 2, f64::NAN),
            Covariances::Spherical(vec![1.0]),
        ),
        GaussianMixture::new(&[], &DMatrix::zeros(0, 2), Covariances::Spherical(vec![])),
    ] {
        assert!(refused.is_err());
    }
    let mixture = start(CovarianceKind::Full, &one, 1.0);
    assert!(mixture.labels(&line).is_err());
    assert!(mixture.marginal(&[2]).is_err() && mixture.distribution(1).is_err());
    let far = Observations::new(&DMatrix::from_element(1, 2, 1e200)).unwrap();
    assert!(matches!(mixture.responsibilities(&far), Err(Error::NoBlock { observation: 0 })));
    assert!(matches!(
        GaussianMixtureProblem::new(&data, options())
            .unwrap()
            .fit(start(CovarianceKind::Full, &one, 1e-320), &mut Silent),
        Err(Error::NoBlock { .. })
    ));
}
