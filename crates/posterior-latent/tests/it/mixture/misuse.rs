//! Components that die or sit on one point, and what is refused.

use posterior_dist::{Mixture, Normal, NormalInverseGamma, Poisson};
use posterior_inference::em::EmOptions;
use posterior_latent::Error;
use posterior_latent::mixture::{IncidentKind, MaximumLikelihood, MixtureProblem, MostProbable};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

use super::steps;

fn normals(parameters: &[(f64, f64)]) -> Mixture<Normal> {
    let distributions = parameters.iter().map(|&(mean, sd)| Normal::mean_sd(mean, sd).unwrap()).collect();
    Mixture::from_weights(&vec![1.0; parameters.len()], distributions).unwrap()
}

#[test]
fn a_component_on_one_point_keeps_its_distribution_and_is_reported() {
    let data = [0.0, 1.0, 2.0, 3.0, 100.0];
    let points = Points::new(&data);
    let problem = MixtureProblem::<Normal, _, _>::new(&points, (), MaximumLikelihood).unwrap();
    let fitted = steps(&problem, normals(&[(1.5, 2.0), (100.0, 0.5)]), 10).unwrap();
    assert!(fitted.report.falls.is_empty());
    let [incident] = &fitted.model.incidents[..] else { unreachable!("{:?}", fitted.model.incidents) };
    assert_eq!((incident.component, incident.first, incident.last), (1, 1, 10));
    assert!(matches!(incident.kind, IncidentKind::Kept(_)));
    assert_eq!(fitted.model.mixture.components()[1].sd(), 0.5);
    // The remedy.
    let prior = MostProbable::new(NormalInverseGamma::new(0.0, 0.01, 2.0, 1.0).unwrap(), 1.0).unwrap();
    let problem = MixtureProblem::<Normal, _, _>::new(&points, (), prior).unwrap();
    let fitted = steps(&problem, normals(&[(1.5, 2.0), (100.0, 0.5)]), 10).unwrap();
    assert!(fitted.model.incidents.is_empty());
}

#[test]
fn a_component_without_observations_dies_and_is_reported() {
    let data = [0.0, 1.0, 2.0, 3.0];
    let points = Points::new(&data);
    let problem = MixtureProblem::<Normal, _, _>::new(&points, (), MaximumLikelihood).unwrap();
    let fitted = steps(&problem, normals(&[(1.5, 2.0), (1e9, 1.0)]), 5).unwrap();
    assert_eq!(fitted.model.mixture.weights().probabilities(), [1.0, 0.0]);
    assert_eq!(fitted.model.incidents.len(), 1);
    assert_eq!(fitted.model.incidents[0].kind, IncidentKind::Died);
    assert_eq!((fitted.model.incidents[0].component, fitted.model.incidents[0].first), (1, 1));
}

#[test]
fn what_does_not_fit_is_refused() {
    let counts = [1_u64, 2, 3];
    let points = Points::new(&counts);
    let problem = MixtureProblem::<Poisson, _, _>::new(&points, (), MaximumLikelihood).unwrap();
    assert!(problem.start_from_labels(&[0, 1], 2).is_err());
    assert!(problem.start_from_labels(&[0, 1, 2], 2).is_err());
    assert!(problem.start_from_labels(&[0, 0, 0], 0).is_err());
    assert!(problem.start_from_responsibilities(&DMatrix::from_element(3, 2, 0.4)).is_err());
    assert!(
        problem.start_from_responsibilities(&DMatrix::from_row_slice(3, 1, &[1.0, f64::NAN, 1.0])).is_err()
    );
    assert!(problem.start_from_responsibilities(&DMatrix::zeros(3, 0)).is_err());
    // A component without any observation can't be estimated.
    assert!(problem.start_from_labels(&[0, 0, 0], 2).is_err());
    assert!(problem.random_start(0, &mut posterior_dist::stream::stream(1, &[])).is_err());
    let none: [u64; 0] = [];
    let nothing = Points::new(&none);
    assert!(matches!(
        MixtureProblem::<Poisson, _, _>::new(&nothing, (), MaximumLikelihood),
        Err(Error::TooFew { .. })
    ));
    let nan = [f64::NAN];
    assert!(MixtureProblem::<Normal, _, _>::new(&Points::new(&nan), (), MaximumLikelihood).is_err());
    let zero = Points::new(&counts).weighted(&[0.0; 3]).unwrap();
    assert!(MixtureProblem::<Poisson, _, _>::new(&zero, (), MaximumLikelihood).is_err());
    assert!(MostProbable::new(NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).unwrap(), 0.5).is_err());
    // Zero rates cannot have made counts.
    let never = Mixture::from_weights(&[1.0], vec![Poisson::new(0.0).unwrap()]).unwrap();
    let refused = problem.fit(never, &EmOptions::default(), &mut Silent);
    assert!(matches!(refused, Err(Error::NoBlock { observation: 0 })));
}
