//! The whole series as one dense Gaussian: slow, and beyond doubt.

use posterior_gaussian::MomentGaussian;
use posterior_kalman::{Series, StateSpace};
use posterior_math::linalg::DMatrix;

/// The posterior of all states x(0), …, x(T-1), one below the other, and ln p(y); for a start that is not
/// diffuse.
pub(crate) fn condition_everything(model: &StateSpace, series: &Series) -> (MomentGaussian, f64) {
    let (states, observations) = joint(model, series.len());
    let seen: Vec<usize> = (0..series.len() * series.width())
        .filter(|&i| !series.at(i / series.width())[i % series.width()].is_nan())
        .collect();
    let values: Vec<f64> = seen.iter().map(|&i| series.at(i / series.width())[i % series.width()]).collect();
    let ln_likelihood = if seen.is_empty() {
        0.0
    } else {
        let distribution = states.affine(&observations.0, observations.1.mean().as_slice()).unwrap();
        let noisy = distribution.plus_independent(
            &MomentGaussian::new(&vec![0.0; distribution.dimension()], observations.1.covariance()).unwrap(),
        );
        noisy.unwrap().marginal(&seen).unwrap().ln_pdf(&values).unwrap()
    };
    let everything = states
        .stack(&MomentGaussian::new(observations.1.mean().as_slice(), observations.1.covariance()).unwrap());
    let (n, m) = (states.dimension(), observations.1.dimension());
    let mut map = DMatrix::identity(n + m, n + m);
    map.view_mut((n, 0), (m, n)).copy_from(&observations.0);
    let everything = everything.affine(&map, &vec![0.0; n + m]).unwrap();
    let places: Vec<usize> = seen.iter().map(|i| n + i).collect();
    let posterior = everything.condition(&places, &values).unwrap();
    (posterior.marginal(&(0..n).collect::<Vec<_>>()).unwrap(), ln_likelihood)
}

/// The prior of all states, and the map and the noise (with offsets as its mean) that lead to all
/// observations.
pub(crate) fn joint(model: &StateSpace, length: usize) -> (MomentGaussian, (DMatrix<f64>, MomentGaussian)) {
    let (n, m) = (model.states(), model.width());
    let mut distribution = model.initial().distribution().clone();
    for t in 0..length - 1 {
        let (equation, size) = (model.transition(), distribution.dimension());
        let noise = MomentGaussian::new(equation.offset().at(t), &equation.noise().matrix(t)).unwrap();
        let mut map = DMatrix::identity(size + n, size + n);
        map.view_mut((size, size - n), (n, n)).copy_from(&equation.matrix().matrix(t));
        distribution = distribution.stack(&noise).affine(&map, &vec![0.0; size + n]).unwrap();
    }
    let equation = model.observation();
    let mut map = DMatrix::zeros(m * length, n * length);
    let mut noise = MomentGaussian::point(&[]).unwrap();
    for t in 0..length {
        map.view_mut((m * t, n * t), (m, n)).copy_from(&equation.matrix().matrix(t));
        noise =
            noise.stack(&MomentGaussian::new(equation.offset().at(t), &equation.noise().matrix(t)).unwrap());
    }
    (distribution, (map, noise))
}
