//! Curvatures against sums written out, and what must not change the answer.

use posterior_dist::target::{Differentiated, HessianTarget};
use posterior_inference::laplace::laplace as by_newton;
use posterior_math::autodiff;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::optimize::NewtonOptions;
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkHyperparameters, NetworkLaplace,
};

use super::exact::{KINDS, golden, sharp_mode};
use super::oracle::{Written, all_kinds, assert_close, normals, observed, outputs, some_weights, values};

/// The Jacobian of the outputs at one input, a row for each output, by the tape.
fn jacobian(network: &Network, w: &[f64], x: &[f64]) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(network.outputs(), w.len());
    for output in 0..network.outputs() {
        let mut gradient = vec![0.0; w.len()];
        autodiff::gradient(|w| outputs(network, w, x)[output], w, &mut gradient);
        rows.row_mut(output).iter_mut().zip(gradient).for_each(|(entry, slope)| *entry = slope);
    }
    rows
}

/// -∇² ln p(y | f).
fn of_outputs(head: Head, f: &[f64], noise_variance: f64) -> DMatrix<f64> {
    let k = f.len();
    match head {
        Head::Gaussian => DMatrix::identity(k, k) / noise_variance,
        Head::Bernoulli => {
            let p = 1.0 / (1.0 + (-f[0]).exp());
            DMatrix::from_element(1, 1, p * (1.0 - p))
        }
        Head::Categorical => {
            let sum: f64 = f.iter().map(|f| f.exp()).sum();
            let p = |c: usize| f[c].exp() / sum;
            DMatrix::from_fn(k, k, |a, b| if a == b { p(a) * (1.0 - p(a)) } else { -p(a) * p(b) })
        }
        _ => DMatrix::from_element(1, 1, f[0].exp()),
    }
}

/// The matrix that a kind of curvature stands for, written out, without the prior.
fn written_out(joint: &Joint, w: &[f64], kind: HessianKind) -> DMatrix<f64> {
    let (network, observations) = (joint.network(), joint.observations());
    let noise_variance = joint.hyperparameters().noise_variance();
    let places: Vec<_> = (0..observations.len())
        .map(|i| {
            let x: Vec<f64> = observations.inputs().row(i).iter().copied().collect();
            let values = values(network, w, &x);
            let h = of_outputs(observations.head(), values.last().unwrap(), noise_variance);
            (jacobian(network, w, &x), h, values)
        })
        .collect();
    let size = w.len();
    let sum = places.iter().fold(DMatrix::zeros(size, size), |sum, (j, h, _)| sum + j.transpose() * h * j);
    match kind {
        HessianKind::Hessian => {
            let mut hessian = DMatrix::zeros(size, size);
            Differentiated(Written(joint)).ln_density_hessian(w, &mut vec![0.0; size], &mut hessian).unwrap();
            hessian.fill_upper_triangle_with_lower_triangle();
            -hessian - prior(joint)
        }
        HessianKind::Diagonal => DMatrix::from_diagonal(&sum.diagonal()),
        HessianKind::Kronecker => {
            let mut all = DMatrix::zeros(size, size);
            for (index, layer) in network.layers().iter().enumerate() {
                let (rows, units) = (layer.inputs() + 1, layer.units());
                let (mut left, mut right) = (DMatrix::zeros(rows, rows), DMatrix::zeros(units, units));
                for (jacobian, h, values) in &places {
                    let by_sums =
                        DMatrix::from_fn(jacobian.nrows(), units, |c, unit| jacobian[(c, layer.bias(unit))]);
                    right += by_sums.transpose() * h * &by_sums;
                    let into = DMatrix::from_fn(rows, 1, |a, _| values[index].get(a).copied().unwrap_or(1.0));
                    left += &into * into.transpose() / places.len() as f64;
                }
                let block = right.kronecker(&left);
                all.view_mut((layer.range().start, layer.range().start), block.shape()).copy_from(&block);
            }
            all
        }
        _ => sum,
    }
}

fn prior(joint: &Joint) -> DMatrix<f64> {
    let size = joint.network().parameters();
    let mut diagonal = DMatrix::zeros(size, size);
    let precisions = joint.hyperparameters().precisions();
    for (index, layer) in joint.network().layers().iter().enumerate() {
        for at in layer.range() {
            diagonal[(at, at)] = precisions[index.min(precisions.len() - 1)];
        }
    }
    diagonal
}

/// Evidence and covariances from the matrix that was written out. Parameters are not at a mode, where nothing
/// is special.
#[test]
fn curvatures_are_the_sums_that_they_stand_for() {
    let new = normals(77, 3, 2);
    let mut refused = 0;
    for (i, joint) in all_kinds().iter().enumerate() {
        let w = some_weights(joint.network(), 100 + i as u64);
        for kind in KINDS {
            let range = if kind == HessianKind::LastLayer {
                joint.network().layers().last().unwrap().range()
            } else {
                0..w.len()
            };
            let all = written_out(joint, &w, kind) + prior(joint);
            let precision = all.view((range.start, range.start), (range.len(), range.len())).into_owned();
            let Ok(factor) = Cholesky::new(&precision) else {
                assert_eq!(kind, HessianKind::Hessian);
                assert!(NetworkLaplace::new(joint, &w, kind).is_err());
                refused += 1;
                continue;
            };
            let laplace = NetworkLaplace::new(joint, &w, kind).unwrap();
            let fixed: f64 = joint
                .network()
                .layers()
                .iter()
                .filter(|layer| layer.range().start < range.start)
                .map(|layer| {
                    layer.range().len() as f64 * (0.5_f64 / std::f64::consts::TAU).ln() / 2.0
                        - 0.25 * w[layer.range()].iter().map(|w| w * w).sum::<f64>()
                })
                .sum();
            let ln_evidence = joint.ln_likelihood(&w).unwrap()
                + joint.ln_prior(&w).unwrap()
                + 0.5 * (range.len() as f64 * std::f64::consts::TAU.ln() - factor.ln_determinant());
            if kind != HessianKind::LastLayer {
                assert_close(&[laplace.ln_evidence()], &[ln_evidence], 1e-11);
            } else if joint.network().layers().len() == 1 {
                assert_close(&[laplace.ln_evidence()], &[ln_evidence - fixed], 1e-11);
            }
            let rows: Vec<DMatrix<f64>> = (0..3)
                .map(|i| jacobian(joint.network(), &w, new.row(i).transpose().as_slice()))
                .map(|jacobian| jacobian.columns(range.start, range.len()).into_owned())
                .collect();
            let latent = laplace.latent(&new).unwrap();
            for (i, row) in rows.iter().enumerate() {
                let expected = row * factor.solve(&row.transpose());
                assert_close(latent.covariance(i).as_slice(), expected.as_slice(), 1e-10);
            }
            let between = &rows[0] * factor.solve(&rows[1].transpose());
            let covariance =
                laplace.covariance(&new.rows(0, 1).into_owned(), &new.rows(1, 1).into_owned()).unwrap();
            assert_close(covariance.as_slice(), between.as_slice(), 1e-9);
            let variances = factor.inverse().diagonal();
            let found = laplace.standard_deviations().map(|deviation| deviation * deviation);
            assert_close(found.as_slice(), variances.as_slice(), 1e-10);
        }
    }
    assert!(refused > 0, "no Hessian was indefinite");
}

#[test]
fn the_exact_hessian_is_the_general_laplace_approximation() {
    let observations = observed(Head::Bernoulli, 20, 2, 1, 3);
    let network = Network::new(2, &[2], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(0.8).unwrap()).unwrap();
    let w = sharp_mode(&joint);
    let expected =
        by_newton(&Differentiated(Written(&joint)), &w, &NewtonOptions::default(), &mut Silent).unwrap();
    let laplace = NetworkLaplace::new(&joint, &w, HessianKind::Hessian).unwrap();
    assert_close(&[laplace.ln_evidence()], &[expected.ln_evidence], 1e-10);
    let variances = expected.distribution.covariance().diagonal();
    let found = laplace.standard_deviations().map(|deviation| deviation * deviation);
    assert_close(found.as_slice(), variances.as_slice(), 1e-6);
}

#[test]
fn saddles_are_refused() {
    let x = normals(1, 10, 1);
    let y = &x * 3.0;
    let network = Network::new(1, &[1], 1, Activation::Tanh).unwrap();
    let observations = NetworkData::real(x, y).unwrap();
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(0.01).unwrap()).unwrap();
    let refused = NetworkLaplace::new(&joint, &[0.0; 4], HessianKind::Hessian).unwrap_err();
    assert!(refused.to_string().contains("positive"), "{refused}");
    assert!(NetworkLaplace::new(&joint, &[0.0; 4], HessianKind::GaussNewton).is_ok());
}

/// The parameters with two units of the first hidden layer exchanged.
fn exchanged(network: &Network, w: &[f64], a: usize, b: usize) -> Vec<f64> {
    let (hidden, next) = (network.layers()[0], network.layers()[1]);
    let mut w = w.to_vec();
    for input in 0..=hidden.inputs() {
        w.swap(hidden.weight(input, a), hidden.weight(input, b));
    }
    for unit in 0..next.units() {
        w.swap(next.weight(a, unit), next.weight(b, unit));
    }
    w
}

#[test]
fn hidden_units_have_no_order() {
    let new = normals(2, 4, 2);
    for joint in all_kinds().into_iter().filter(|joint| joint.network().layers().len() > 1) {
        let w = some_weights(joint.network(), 5);
        let other = exchanged(joint.network(), &w, 0, 2);
        assert_ne!(w, other);
        for kind in KINDS {
            let (Ok(one), Ok(two)) =
                (NetworkLaplace::new(&joint, &w, kind), NetworkLaplace::new(&joint, &other, kind))
            else {
                assert_eq!(kind, HessianKind::Hessian);
                continue;
            };
            assert_close(&[two.ln_evidence()], &[one.ln_evidence()], 1e-11);
            let (one, two) = (one.latent(&new).unwrap(), two.latent(&new).unwrap());
            assert_close(two.mean().as_slice(), one.mean().as_slice(), 1e-12);
            assert_close(two.variance().as_slice(), one.variance().as_slice(), 1e-9);
        }
    }
}

#[test]
fn hyperparameters_can_be_changed_afterwards() {
    for joint in all_kinds() {
        let w = some_weights(joint.network(), 6);
        let layers = joint.network().layers().len();
        let changed = NetworkHyperparameters::by_layer(&[0.9, 3.0, 0.2][..layers])
            .unwrap()
            .with_noise_variance(0.7)
            .unwrap();
        let again = joint.clone().with_hyperparameters(changed.clone()).unwrap();
        for kind in KINDS {
            let (Ok(laplace), Ok(expected)) =
                (NetworkLaplace::new(&joint, &w, kind), NetworkLaplace::new(&again, &w, kind))
            else {
                continue;
            };
            let Ok(found) = laplace.with_hyperparameters(changed.clone()) else { continue };
            assert_close(&[found.ln_evidence()], &[expected.ln_evidence()], 1e-12);
            assert_close(&found.effective_parameters(), &expected.effective_parameters(), 1e-10);
        }
    }
}

/// Central differences of step 1e-4 in the logarithms: their error is of the order 1e-8.
#[test]
fn the_gradient_of_the_evidence_is_its_derivative() {
    for joint in all_kinds() {
        let w = some_weights(joint.network(), 7);
        for kind in KINDS {
            let Ok(laplace) = NetworkLaplace::new(&joint, &w, kind) else { continue };
            let gradient = laplace.evidence_gradient();
            let current = joint.hyperparameters();
            let moved = |at: usize, factor: f64| {
                let mut precisions = current.precisions().to_vec();
                let mut noise_variance = current.noise_variance();
                match precisions.get_mut(at) {
                    Some(precision) => *precision *= factor,
                    None => noise_variance *= factor,
                }
                let next = NetworkHyperparameters::by_layer(&precisions)
                    .unwrap()
                    .with_noise_variance(noise_variance);
                laplace.with_hyperparameters(next.unwrap()).map(|laplace| laplace.ln_evidence())
            };
            for (at, slope) in gradient.iter().enumerate() {
                let step = 1e-4_f64;
                let (Ok(above), Ok(below)) = (moved(at, step.exp()), moved(at, (-step).exp())) else {
                    continue;
                };
                let difference = (above - below) / (2.0 * step);
                assert!(
                    (slope - difference).abs() < 1e-5 * slope.abs().max(1.0),
                    "{kind:?}: {slope}, {difference}"
                );
            }
        }
    }
}

#[test]
fn effective_parameters_count_what_the_data_determine() {
    let laplace = NetworkLaplace::new(&golden(), &sharp_mode(&golden()), HessianKind::Hessian).unwrap();
    // 2 - tr of the covariance, as the precision is 1.
    assert_close(&laplace.effective_parameters(), &[2.0 - 0.352480399233 - 0.490263666101], 1e-11);
    let vague = laplace.with_hyperparameters(NetworkHyperparameters::new(1e-9).unwrap()).unwrap();
    assert_close(&vague.effective_parameters(), &[2.0], 1e-8);
}
