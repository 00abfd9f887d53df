//! Draws of states against the smoother's moments.

use posterior_dist::stream::stream;
use posterior_gaussian::MomentGaussian;
use posterior_kalman::simulation::{BackwardSampler, DisturbanceSampler, simulate};
use posterior_kalman::{Error, FilterOptions, Initial, Series, StateSpace, filter};
use posterior_math::linalg::DMatrix;
use rand::distr::Distribution;

use crate::example_models::{Noise, awkward, constant_velocity, wiener};
use crate::oracle;

/// Four standard errors of a mean and of a covariance, for `draws` draws of paths that should have this
/// distribution, each path as one vector; of `numbers` numbers one is off by chance in 16,000 each.
fn has_moments(draws: &[Vec<f64>], distribution: &MomentGaussian) {
    let (count, size) = (draws.len() as f64, distribution.dimension());
    let deviations: Vec<Vec<f64>> = draws
        .iter()
        .map(|draw| draw.iter().zip(distribution.mean().iter()).map(|(x, m)| x - m).collect())
        .collect();
    let variance = |i: usize| distribution.covariance()[(i, i)];
    for i in 0..size {
        let mean = deviations.iter().map(|draw| draw[i]).sum::<f64>() / count;
        assert!(mean.abs() < 4.0 * (variance(i) / count).sqrt() + 1e-7, "mean {i}: {mean}");
        for j in 0..=i {
            let covariance = deviations.iter().map(|draw| draw[i] * draw[j]).sum::<f64>() / count;
            let expected = distribution.covariance()[(i, j)];
            let error = ((variance(i) * variance(j) + expected * expected) / count).sqrt();
            assert!((covariance - expected).abs() < 4.0 * error + 1e-7, "{i} {j}: {covariance} {expected}");
        }
    }
}

/// The rows of a path one after another.
fn flat(path: &DMatrix<f64>) -> Vec<f64> {
    path.transpose().as_slice().to_vec()
}

/// Draws by both samplers against the dense posterior.
fn both_have_the_posterior(model: &StateSpace, series: &Series, seed: u64) {
    let (posterior, _) = oracle::condition_everything(model, series);
    let filtered = filter(model, series, &FilterOptions::default()).unwrap();
    let backward = BackwardSampler::new(model, &filtered).unwrap();
    let disturbance = DisturbanceSampler::new(model, series).unwrap();
    let mut rng = stream(seed, &[]);
    let draws: Vec<Vec<f64>> = (0..4000).map(|_| flat(&backward.sample(&mut rng))).collect();
    has_moments(&draws, &posterior);
    let draws: Vec<Vec<f64>> = (0..4000).map(|_| flat(&disturbance.sample(&mut rng))).collect();
    has_moments(&draws, &posterior);
}

#[test]
fn paths_given_the_series_have_the_dense_posterior() {
    let (model, series) = wiener();
    both_have_the_posterior(&model, &series, 1);
    let (model, series) = constant_velocity();
    both_have_the_posterior(&model, &series, 2);
    let (model, series) = awkward(3, 4, Noise::Full);
    both_have_the_posterior(&model, &series, 3);
    let (model, series) = awkward(4, 4, Noise::Singular);
    both_have_the_posterior(&model, &series, 8);
}

#[test]
fn what_is_known_exactly_is_drawn_exactly() {
    // No noise at all: the posterior is a point.
    let (model, series) = awkward(9, 6, Noise::Singular);
    let n = model.states();
    let quiet = posterior_kalman::TransitionEquation::varying(
        model.transition().matrix().clone(),
        posterior_kalman::Matrices::constant(&DMatrix::zeros(n, n)),
    )
    .unwrap();
    let start = Initial::known(&[1.0, -2.0, 0.5], &DMatrix::zeros(n, n)).unwrap();
    let model = StateSpace::new(quiet, model.observation().clone(), start).unwrap();
    let mut rng = stream(1, &[]);
    let truth = simulate(&model, 6, &mut rng).unwrap().states;
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let backward = BackwardSampler::new(&model, &filtered).unwrap().sample(&mut rng);
    let disturbance = DisturbanceSampler::new(&model, &series).unwrap().sample(&mut rng);
    assert!((backward - &truth).amax() < 1e-12 && (disturbance - &truth).amax() < 1e-12);
}

#[test]
fn simulated_series_have_the_distribution_of_the_model() {
    let (model, _) = awkward(5, 4, Noise::Full);
    let mut rng = stream(6, &[]);
    let nothing = Series::with_missing(&DMatrix::from_element(4, 2, f64::NAN)).unwrap();
    let (prior, _) = oracle::condition_everything(&model, &nothing);
    let simulated: Vec<_> = (0..4000).map(|_| simulate(&model, 4, &mut rng).unwrap()).collect();
    has_moments(&simulated.iter().map(|drawn| flat(&drawn.states)).collect::<Vec<_>>(), &prior);
    // The observations less what is seen of the states are the noise.
    let t = 2;
    let noises: Vec<Vec<f64>> = simulated
        .iter()
        .map(|drawn| {
            let seen = model.observation().matrix().matrix(t) * drawn.states.row(t).transpose();
            let y = drawn.observations.at(t);
            (0..2).map(|i| y[i] - seen[i]).collect()
        })
        .collect();
    let offset = model.observation().offset().at(t);
    has_moments(&noises, &MomentGaussian::new(offset, &model.observation().noise().matrix(t)).unwrap());
}

#[test]
fn a_diffuse_start_is_drawn_given_the_series() {
    let (model, series) = constant_velocity();
    let model = model.with_initial(Initial::diffuse(2).unwrap()).unwrap();
    let sampler = DisturbanceSampler::new(&model, &series).unwrap();
    let mut rng = stream(7, &[]);
    let draws: Vec<Vec<f64>> = (0..4000).map(|_| flat(&sampler.sample(&mut rng))).collect();
    // A start of variance 10^8 differs from a diffuse one by about 10^-8.
    let vague = Initial::known(&[0.0, 0.0], &(DMatrix::identity(2, 2) * 1e8)).unwrap();
    let (posterior, _) = oracle::condition_everything(&model.with_initial(vague).unwrap(), &series);
    has_moments(&draws, &posterior);
}

#[test]
fn first_draws_of_a_seed_stay() {
    let (model, series) = constant_velocity();
    let mut rng = stream(11, &[]);
    let simulated = simulate(&model, 2, &mut rng).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let backward = BackwardSampler::new(&model, &filtered).unwrap().sample(&mut rng);
    let disturbance = DisturbanceSampler::new(&model, &series).unwrap().sample(&mut rng);
    let found =
        [simulated.states[(1, 0)], simulated.observations.at(1)[0], backward[(0, 0)], disturbance[(0, 0)]];
    let pinned = [-1.1276769419589174, -0.6744034379517581, 0.025418761632068354, 2.4732757388655635];
    for (found, pinned) in found.iter().zip(pinned) {
        assert!((found - pinned).abs() < 1e-9, "{found}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let (model, series) = wiener();
    let mut rng = stream(1, &[]);
    assert!(matches!(
        simulate(&model, 4, &mut rng),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 4, found: 3, .. }))
    ));
    let diffuse = model.clone().with_initial(Initial::diffuse(1).unwrap()).unwrap();
    assert!(simulate(&diffuse, 2, &mut rng).is_err());
    let (other, _) = constant_velocity();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    assert!(BackwardSampler::new(&other, &filtered).is_err());
    assert_eq!(simulate(&model, 0, &mut rng).unwrap().states.nrows(), 0);
    // After the first observation of a diffuse level it is known, after that of a trend its slope is not.
    let filtered = filter(&diffuse, &series, &FilterOptions::default()).unwrap();
    assert!(BackwardSampler::new(&diffuse, &filtered).is_ok());
    let (trend, series) = constant_velocity();
    let trend = trend.with_initial(Initial::diffuse(2).unwrap()).unwrap();
    let filtered = filter(&trend, &series, &FilterOptions::default()).unwrap();
    assert!(matches!(BackwardSampler::new(&trend, &filtered), Err(Error::Undetermined)));
}
