//! How many components: criteria by hand, and the right number where the data are clear.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::Density;
use posterior_dist::stream::stream;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{CovarianceKind, Covariances, GaussianMixture};
use posterior_latent::selection::{Criteria, Criterion, SelectionOptions, cross_validation, select};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};
use rand::distr::Distribution;

/// Three round clouds of fifty.
fn clouds() -> Observations {
    let means = DMatrix::from_row_slice(3, 2, &[0.0, 0.0, 8.0, 0.0, 4.0, 7.0]);
    let distribution = GaussianMixture::new(&[1.0; 3], &means, Covariances::Spherical(vec![1.0; 3])).unwrap();
    let mut rng = stream(4, &[]);
    let rows: Vec<f64> = (0..150).flat_map(|_| distribution.sample(&mut rng)).collect();
    Observations::new(&DMatrix::from_row_slice(150, 2, &rows)).unwrap()
}

#[test]
fn criteria_are_their_formulas() {
    let criteria = Criteria::new(-100.0, 11, 50.0, 3.0).unwrap();
    assert_close(criteria.aic(), 222.0, 1e-15);
    assert_close(criteria.bic(), 200.0 + 11.0 * 50_f64.ln(), 1e-15);
    assert_close(criteria.icl(), 206.0 + 11.0 * 50_f64.ln(), 1e-15);
    assert!(Criteria::new(f64::NAN, 1, 5.0, 0.0).is_err());
    assert!(Criteria::new(0.0, 1, 0.0, 0.0).is_err());
    assert!(Criteria::new(0.0, 1, 5.0, -1.0).is_err());
    // Degrees of freedom in 3 dimensions with 4 components.
    let means = DMatrix::zeros(4, 3);
    let kinds = [
        (Covariances::Full(vec![DMatrix::identity(3, 3); 4]), 3 + 12 + 24),
        (Covariances::Tied(DMatrix::identity(3, 3)), 3 + 12 + 6),
        (Covariances::Diagonal(DMatrix::from_element(4, 3, 1.0)), 3 + 12 + 12),
        (Covariances::Spherical(vec![1.0; 4]), 3 + 12 + 4),
    ];
    for (covariances, free) in kinds {
        assert_eq!(GaussianMixture::new(&[1.0; 4], &means, covariances).unwrap().free_parameters(), free);
    }
    // Four equal components: an observation is in each with 1/4.
    let even = GaussianMixture::new(&[1.0; 4], &means, Covariances::Spherical(vec![1.0; 4])).unwrap();
    let data = Observations::new(&DMatrix::from_element(5, 3, 0.3))
        .unwrap()
        .weighted(&[1.0, 2.0, 0.0, 1.0, 1.0])
        .unwrap();
    let criteria = Criteria::of(&even, &data).unwrap();
    assert_close(criteria.entropy(), 5.0 * 4_f64.ln(), 1e-14);
    assert_close(criteria.ln_likelihood(), 5.0 * even.ln_pdf(&[0.3; 3]), 1e-14);
}

#[test]
fn the_right_number_is_found_by_each_criterion() {
    let data = clouds();
    for criterion in [Criterion::Bic, Criterion::Icl] {
        let options = SelectionOptions {
            components: (1..=5).collect(),
            kinds: [CovarianceKind::Spherical].into_iter().collect(),
            criterion,
            starts: 3,
            ..SelectionOptions::default()
        };
        let selection = select(&data, &options).unwrap();
        assert_eq!(selection.best().components, 3, "{criterion:?}");
        assert_eq!((selection.candidates.len(), selection.refused.len()), (5, 0));
        assert!(selection.best().held_out.is_none());
        // A component more never makes the likelihood of the best fit lower, where the starts find it: of the
        // first three surely.
        let likelihoods: Vec<f64> =
            selection.candidates.iter().map(|candidate| candidate.criteria.ln_likelihood()).collect();
        assert!(likelihoods[0] < likelihoods[1] && likelihoods[1] < likelihoods[2]);
    }
    // Held-out data punish a component too few by many standard errors, and hardly one too many.
    let options = SelectionOptions {
        components: (1..=4).collect(),
        kinds: [CovarianceKind::Spherical].into_iter().collect(),
        criterion: Criterion::HeldOut,
        starts: 3,
        ..SelectionOptions::default()
    };
    let selection = select(&data, &options).unwrap();
    let held = |k: usize| selection.candidates[k - 1].held_out.as_ref().unwrap();
    assert!(selection.best().components >= 3);
    for few in [1, 2] {
        assert!(held(3).mean > held(few).mean + 5.0 * held(few).standard_error);
    }
    assert!((held(4).mean - held(3).mean).abs() < held(3).standard_error);
    // Round clouds need no more than one variance each.
    let kinds =
        [CovarianceKind::Full, CovarianceKind::Tied, CovarianceKind::Diagonal, CovarianceKind::Spherical];
    let options = SelectionOptions {
        components: [3].into_iter().collect(),
        kinds: kinds.into_iter().collect(),
        starts: 3,
        ..SelectionOptions::default()
    };
    let selection = select(&data, &options).unwrap();
    assert!(matches!(selection.best().kind, CovarianceKind::Spherical | CovarianceKind::Tied));
}

#[test]
fn folds_hold_each_observation_out_once() {
    let data = clouds();
    let mut sizes = Vec::new();
    let score = cross_validation(
        &data,
        7,
        3,
        |rest, fold| {
            sizes.push((fold, rest.len()));
            Ok(rest.len() as f64)
        },
        |&size, held| Ok(vec![size; held.len()]),
    )
    .unwrap();
    assert_eq!(sizes.iter().map(|(_, size)| 150 - size).sum::<usize>(), 150);
    assert_eq!(score.ln_pdf.iter().filter(|&&size| size == 128.0).count(), 3 * 22);
    assert_within(score.mean, (66.0 * 128.0 + 84.0 * 129.0) / 150.0, 1e-11);
    assert!(cross_validation(&data, 1, 3, |_, _| Ok(()), |(), _| Ok(vec![])).is_err());
    assert!(cross_validation(&data, 151, 3, |_, _| Ok(()), |(), _| Ok(vec![])).is_err());
}

#[test]
fn what_cannot_be_fitted_is_reported() {
    let data = Observations::new(&DMatrix::from_column_slice(3, 1, &[0.0, 1.0, 5.0])).unwrap();
    let selection = select(
        &data,
        &SelectionOptions { components: [1, 2, 4].into_iter().collect(), ..SelectionOptions::default() },
    )
    .unwrap();
    assert_eq!(selection.candidates.len(), 2);
    assert_eq!((selection.refused[0].0, selection.refused[0].1), (CovarianceKind::Full, 4));
    assert!(
        select(
            &data,
            &SelectionOptions { components: [].into_iter().collect(), ..SelectionOptions::default() }
        )
        .is_err()
    );
    assert!(
        select(
            &data,
            &SelectionOptions { components: [7].into_iter().collect(), ..SelectionOptions::default() }
        )
        .is_err()
    );
}
