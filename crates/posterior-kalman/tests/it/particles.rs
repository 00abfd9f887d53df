//! Particles against exact filters and smoothers, and against quadrature.

use posterior_dist::stream::stream;
use posterior_kalman::nonlinear::{FnMap, Map, NonlinearStateSpace};
use posterior_kalman::particles::{GaussianParticles, ParticleFilter, ParticleGibbs, ParticleModel};
use posterior_kalman::{
    Error, FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter,
};
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;
use posterior_sampling::diagnostics::{mcse_mean, mcse_sd};
use posterior_sampling::importance::Resampling;

type Linear = NonlinearStateSpace<TransitionEquation, ObservationEquation>;

/// A linear model of two states and its twin for particles, with a series of which some is missing.
fn linear() -> (StateSpace, Linear, Series) {
    let q = DMatrix::from_row_slice(2, 2, &[0.3, 0.1, 0.1, 0.2]);
    let r = DMatrix::from_row_slice(2, 2, &[0.5, 0.2, 0.2, 0.6]);
    let transition =
        TransitionEquation::constant(&DMatrix::from_row_slice(2, 2, &[0.9, 0.3, -0.2, 0.7]), &q).unwrap();
    let observation =
        ObservationEquation::constant(&DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.5, 1.0]), &r).unwrap();
    let initial = Initial::known(&[0.5, -0.2], &DMatrix::identity(2, 2)).unwrap();
    let rows = DMatrix::from_fn(10, 2, |t, j| {
        if t == 3 || t == 6 && j == 1 { f64::NAN } else { (t as f64 * 0.9 + j as f64).sin() * 1.5 }
    });
    let series = Series::with_missing(&rows).unwrap();
    let curved = NonlinearStateSpace::new((transition.clone(), &q), (observation.clone(), &r), &initial);
    (StateSpace::new(transition, observation, initial).unwrap(), curved.unwrap(), series)
}

/// The mean of 1,000 estimates of p(y) over the exact one: 1 within four of its standard errors.
#[test]
fn the_likelihood_has_no_bias() {
    let (model, curved, series) = linear();
    let exact = filter(&model, &series, &FilterOptions::default()).unwrap().ln_likelihood();
    let particles = GaussianParticles::new(&curved, &series).unwrap();
    for (resampling, threshold) in [
        (Resampling::Systematic, 0.5),
        (Resampling::Multinomial, 1.0),
        (Resampling::Stratified, 0.3),
        (Resampling::Residual, 0.0),
    ] {
        let filter = ParticleFilter { particles: 40, resampling, threshold };
        let ratios: MeanVariance = (0..1000)
            .map(|run| {
                (filter.run(&particles, &mut stream(5, &[run])).unwrap().ln_likelihood() - exact).exp()
            })
            .collect();
        let error = (ratios.sample_variance() / 1000.0).sqrt();
        assert!((ratios.mean() - 1.0).abs() < 4.0 * error, "{resampling:?} {} {error}", ratios.mean());
        assert!(error < 0.2, "{resampling:?} {error}");
    }
}

#[test]
fn many_particles_are_the_kalman_filter() {
    let (model, curved, series) = linear();
    let exact = filter(&model, &series, &FilterOptions::default()).unwrap();
    let particles = GaussianParticles::new(&curved, &series).unwrap();
    let many = ParticleFilter { particles: 40_000, ..ParticleFilter::default() };
    let found = many.run(&particles, &mut stream(1, &[])).unwrap();
    assert_eq!(found.len(), 10);
    for t in 0..10 {
        let sd = |i: usize| exact.covariance(t)[(i, i)].sqrt();
        for i in 0..2 {
            // Sixty effective draws for each thousand leave 1 / √10,000 of a standard deviation, as a rule.
            assert!((found.mean(t)[i] - exact.mean(t)[i]).abs() < 0.03 * sd(i), "{t} {i}");
            let ratio = found.covariance(t)[(i, i)] / exact.covariance(t)[(i, i)];
            assert!((ratio - 1.0).abs() < 0.06, "{t} {i} {ratio}");
        }
    }
    // One run of 40 particles is off by a factor of some e²; of a thousand times as many by √1000 less.
    assert!((found.ln_likelihood() - exact.ln_likelihood()).abs() < 0.3);
    let (last, weights) = found.last();
    assert_eq!((last.ncols(), weights.len()), (40_000, 40_000));
    assert!((found.ess()[9] - weights.iter().map(|w| w * w).sum::<f64>().recip()).abs() < 1e-6);
}

/// Each state's mean and standard deviation, within four and five of their Monte Carlo errors: of forty
/// comparisons, one fails by chance in 400 runs.
#[test]
fn particle_gibbs_has_the_smoothers_marginals() {
    let (model, curved, series) = linear();
    let exact = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
    let particles = GaussianParticles::new(&curved, &series).unwrap();
    for (count, sweeps) in [(2, 12_000), (15, 4000)] {
        let gibbs = ParticleGibbs { particles: count };
        let mut rng = stream(8, &[count as u64]);
        let mut path = gibbs.start(&particles, &mut rng).unwrap();
        let mut draws = vec![Vec::new(); 20];
        for sweep in 0..sweeps {
            path = gibbs.step(&particles, &path, &mut rng).unwrap();
            if sweep >= 100 {
                draws.iter_mut().enumerate().for_each(|(k, own)| own.push(path[(k / 2, k % 2)]));
            }
        }
        for (k, own) in draws.iter().enumerate() {
            let (t, i) = (k / 2, k % 2);
            let found: MeanVariance = own.iter().copied().collect();
            let error = mcse_mean(&[own]).unwrap();
            assert!((found.mean() - exact.mean(t)[i]).abs() < 4.0 * error, "{count} {k} {}", found.mean());
            let sd = exact.covariance(t)[(i, i)].sqrt();
            let error = mcse_sd(&[own]).unwrap();
            assert!((found.sample_variance().sqrt() - sd).abs() < 5.0 * error, "{count} {k} {sd} {error}");
        }
    }
}

/// x(t+1) = x/2 + 25 x / (1 + x²) + 8 cos(1.2 t) + noise, of which x² / 20 is seen: two modes (Gordon and
/// others 1993).
fn two_modes() -> NonlinearStateSpace<impl Map, impl Map> {
    let moves = |t: usize, x: &[f64], next: &mut [f64]| {
        next[0] = 0.5 * x[0] + 25.0 * x[0] / (1.0 + x[0] * x[0]) + 8.0 * (1.2 * t as f64).cos();
    };
    let seen = |_: usize, x: &[f64], seen: &mut [f64]| seen[0] = x[0] * x[0] / 20.0;
    let scalar = |value| DMatrix::from_element(1, 1, value);
    NonlinearStateSpace::new(
        (FnMap::new(1, 1, moves), &scalar(10.0)),
        (FnMap::new(1, 1, seen), &scalar(1.0)),
        &Initial::known(&[0.0], &scalar(5.0)).unwrap(),
    )
    .unwrap()
}

/// Sums over a grid of 800 points from -40 to 40: ln p(y), and the mean and the probability of x > 0 of
/// each state given all observations.
fn on_a_grid(model: &impl ParticleModel) -> (f64, Vec<[f64; 2]>) {
    let (count, width) = (800, 0.1);
    let x: Vec<f64> = (0..count).map(|i| -40.0 + (f64::from(i) + 0.5) * width).collect();
    let count = x.len();
    let seen = |t: usize| x.iter().map(|&x| model.ln_observation(t, &[x]).exp()).collect::<Vec<f64>>();
    let moves = |t: usize, i: usize, j: usize| model.ln_transition(t, &[x[i]], &[x[j]]).exp() * width;
    let mut forward: Vec<Vec<f64>> = Vec::new();
    for t in 0..model.len() {
        let mut now = vec![0.0; count];
        if t == 0 {
            let start = |x: f64| (-0.1 * x * x).exp() / (10.0 * std::f64::consts::PI).sqrt() * width;
            now.iter_mut().zip(&x).for_each(|(now, &x)| *now = start(x));
        } else {
            for (i, &before) in forward[t - 1].iter().enumerate().filter(|&(_, &p)| p > 1e-14) {
                (0..count).for_each(|j| now[j] += before * moves(t - 1, i, j));
            }
        }
        now.iter_mut().zip(seen(t)).for_each(|(now, seen)| *now *= seen);
        forward.push(now);
    }
    let total: f64 = forward[model.len() - 1].iter().sum();
    let mut later = vec![1.0; count];
    let mut moments = Vec::new();
    for t in (0..model.len()).rev() {
        let both: Vec<f64> = forward[t].iter().zip(&later).map(|(a, b)| a * b / total).collect();
        let mean = both.iter().zip(&x).map(|(p, x)| p * x).sum();
        moments.push([mean, both.iter().zip(&x).filter(|own| *own.1 > 0.0).map(|own| own.0).sum()]);
        if t > 0 {
            let weighted: Vec<f64> = seen(t).iter().zip(&later).map(|(a, b)| a * b).collect();
            later = (0..count)
                .map(|i| {
                    if forward[t - 1][i] < 1e-14 {
                        return 0.0;
                    }
                    (0..count)
                        .filter(|&j| weighted[j] > 1e-14)
                        .map(|j| moves(t - 1, i, j) * weighted[j])
                        .sum()
                })
                .collect();
        }
    }
    moments.reverse();
    (total.ln(), moments)
}

#[test]
fn two_modes_are_those_of_a_grid() {
    let model = two_modes();
    let series = Series::univariate_with_missing(&[Some(0.7), Some(9.0), None, Some(4.0)]).unwrap();
    let particles = GaussianParticles::new(&model, &series).unwrap();
    let (ln_likelihood, moments) = on_a_grid(&particles);
    let ratios: MeanVariance = (0..400)
        .map(|run| {
            let filtered = ParticleFilter { particles: 200, ..ParticleFilter::default() };
            let found = filtered.run(&particles, &mut stream(2, &[run])).unwrap();
            (found.ln_likelihood() - ln_likelihood).exp()
        })
        .collect();
    let error = (ratios.sample_variance() / 400.0).sqrt();
    assert!((ratios.mean() - 1.0).abs() < 4.0 * error && error < 0.05, "{} {error}", ratios.mean());
    let (gibbs, mut rng) = (ParticleGibbs { particles: 30 }, stream(3, &[]));
    let mut path = gibbs.start(&particles, &mut rng).unwrap();
    let mut draws = vec![Vec::new(); 8];
    for _ in 0..4000 {
        path = gibbs.step(&particles, &path, &mut rng).unwrap();
        for t in 0..4 {
            draws[2 * t].push(path[(t, 0)]);
            draws[2 * t + 1].push(f64::from(u8::from(path[(t, 0)] > 0.0)));
        }
    }
    for (t, expected) in moments.iter().enumerate() {
        for (k, expected) in expected.iter().enumerate() {
            let own = &draws[2 * t + k];
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            let error = mcse_mean(&[own]).unwrap_or(0.0);
            assert!((mean - expected).abs() < 4.5 * error + 1e-3, "{t} {k} {mean} {expected} {error}");
        }
    }
}

#[test]
fn misuse_is_refused() {
    let (_, curved, series) = linear();
    let particles = GaussianParticles::new(&curved, &series).unwrap();
    let mut rng = stream(1, &[]);
    for filter in [
        ParticleFilter { particles: 1, ..ParticleFilter::default() },
        ParticleFilter { threshold: 1.5, ..ParticleFilter::default() },
        ParticleFilter { threshold: f64::NAN, ..ParticleFilter::default() },
    ] {
        assert!(filter.run(&particles, &mut rng).is_err());
    }
    assert!(ParticleGibbs { particles: 1 }.start(&particles, &mut rng).is_err());
    let short = DMatrix::zeros(3, 2);
    assert!(ParticleGibbs::default().step(&particles, &short, &mut rng).is_err());
    let far = Series::new(&DMatrix::from_element(10, 2, 1e200)).unwrap();
    let far = GaussianParticles::new(&curved, &far).unwrap();
    let lost = ParticleFilter::default().run(&far, &mut rng).unwrap_err();
    assert!(matches!(lost, Error::Impossible { time: 0 }), "{lost}");
    let none = Series::new(&DMatrix::zeros(0, 2)).unwrap();
    assert!(
        ParticleFilter::default().run(&GaussianParticles::new(&curved, &none).unwrap(), &mut rng).is_err()
    );
    // Without noise in a state there is no density.
    let stiff = NonlinearStateSpace::new(
        (curved.transition().clone(), &DMatrix::zeros(2, 2)),
        (curved.observation().clone(), &DMatrix::identity(2, 2)),
        &Initial::known(&[0.0, 0.0], &DMatrix::identity(2, 2)).unwrap(),
    )
    .unwrap();
    assert!(GaussianParticles::new(&stiff, &series).is_err());
}
