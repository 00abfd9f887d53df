//! Pathfinder.

use posterior_dist::target::{EvalError, FromGradFn, GradTarget, Target};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_sampling::variational::{Pathfinder, PathfinderFit};
use posterior_sampling::{Error, Start};

use super::{CENTRE, gaussian, ln_integral, precision};

fn fit(target: &(impl GradTarget + Sync), options: &Pathfinder, seed: u64) -> PathfinderFit {
    options.fit(target, &Start::default(), seed).unwrap()
}

#[test]
fn a_round_gaussian_is_exact() {
    let round = DMatrix::identity(6, 6) * 4.0;
    let mean = [1.0, -2.0, 0.5, 3.0, 0.0, -1.0];
    let found = fit(&gaussian(&mean, &round), &Pathfinder::default(), 1);
    for path in found.paths.iter().map(|path| path.as_ref().unwrap()) {
        assert!(path.mean.iter().zip(&mean).all(|(own, exact)| (own - exact).abs() < 1e-9));
        assert!(path.sds.iter().all(|sd| (sd - 0.5).abs() < 1e-9), "{:?}", path.sds);
        // The bound is exact: p / q is constant.
        assert!((path.elbo.value - ln_integral(&round)).abs() < 1e-9);
    }
    assert_eq!(found.smoothed.weights.len(), 4000);
    assert!(found.smoothed.weights.ess() > 3999.0);
}

#[test]
fn a_gaussian_with_units_and_correlations_is_found_by_weights() {
    // Units within two orders, so that the starts are not a thousand standard deviations off.
    let correlations = DMatrix::from_row_slice(
        4,
        4,
        &[1.0, 0.6, -0.3, 0.0, 0.6, 1.0, 0.1, 0.2, -0.3, 0.1, 1.0, -0.4, 0.0, 0.2, -0.4, 1.0],
    );
    let units = DMatrix::from_diagonal(&[1.0, 5.0, 0.5, 2.0].to_vec().into());
    let precision = &units * correlations * &units;
    let mean = [1.0, -0.2, 4.0, 0.0];
    // With draws enough for the bounds to be compared.
    let options = Pathfinder { draws: 4000, path_draws: 4000, elbo_draws: 400, ..Pathfinder::default() };
    let found = fit(&gaussian(&mean, &precision), &options, 3);
    assert!(found.smoothed.is_reliable(), "{} {:?}", found.smoothed.shape, found.paths);
    let exact = Cholesky::new(&precision).unwrap().inverse();
    let effective = found.smoothed.weights.ess().min(4000.0);
    for i in 0..4 {
        let all = found.draws.parameter(i).concat();
        let n = all.len() as f64;
        let own = all.iter().sum::<f64>() / n;
        let variance = all.iter().map(|x| (x - own).powi(2)).sum::<f64>() / n;
        let sd = exact[(i, i)].sqrt();
        assert!((own - mean[i]).abs() < 5.0 * sd / effective.sqrt(), "{own} for {}", mean[i]);
        assert!((variance / (sd * sd) - 1.0).abs() < 7.0 / effective.sqrt(), "{variance} for {}", sd * sd);
    }
    let evidence = found.smoothed.weights.ln_mean().unwrap();
    assert!((evidence.ln_value - ln_integral(&precision)).abs() < 0.1, "{}", evidence.ln_value);
}

#[test]
fn with_all_steps_remembered_a_gaussian_of_any_units_is_exact_at_the_end() {
    let options =
        Pathfinder { memory: 30, gradient_tolerance: 1e-12, value_tolerance: 0.0, ..Pathfinder::default() };
    let found = fit(&gaussian(&CENTRE, &precision()), &options, 5);
    let exact = Cholesky::new(&precision()).unwrap().inverse();
    let path = found.paths[0].as_ref().unwrap();
    for i in 0..4 {
        let sd = exact[(i, i)].sqrt();
        assert!((path.mean[i] - CENTRE[i]).abs() < 0.05 * sd, "{i}: {:?}", path.mean);
        assert!((path.sds[i] / sd - 1.0).abs() < 0.1, "{i}: {} for {sd}", path.sds[i]);
    }
}

#[test]
fn the_funnel_is_left_before_its_mode() {
    // ln p = -v² / 18 - 9/2 v - Σ x² / (2 e^v): unbounded towards v = -∞.
    let funnel = FromGradFn::new(10, |x, gradient| {
        let (v, rest) = (x[0], &x[1..]);
        let (squares, scale) = (rest.iter().map(|x| x * x).sum::<f64>(), (-v).exp());
        gradient[0] = -v / 9.0 - 4.5 + 0.5 * squares * scale;
        for (slope, x) in gradient[1..].iter_mut().zip(rest) {
            *slope = -x * scale;
        }
        -v * v / 18.0 - 4.5 * v - 0.5 * squares * scale
    });
    let found = fit(&funnel, &Pathfinder::default(), 2);
    for path in found.paths.iter().filter_map(|path| path.as_ref().ok()) {
        // The mode is at v = -40.5, where all mass is gone.
        assert!(path.best < path.steps && path.mean[0] > -12.0, "{path:?}");
    }
}

#[test]
fn draws_depend_on_the_seed_only_and_say_whence_they_are() {
    let target = gaussian(&CENTRE, &precision());
    let options = Pathfinder { draws: 50, path_draws: 100, ..Pathfinder::default() };
    let (one, same, other) =
        (fit(&target, &options, 1), fit(&target, &options, 1), fit(&target, &options, 2));
    assert_eq!(one.draws, same.draws);
    assert_ne!(one.draws, other.draws);
    assert_eq!(one.draws.statistic_names(), ["lp", "lp_approx", "path"]);
    let lp = one.draws.statistic("lp").unwrap().concat();
    let at = target.ln_density(one.draws.draw(0, 7)).unwrap();
    assert!((lp[7] - at).abs() < 1e-12);
    let paths = one.draws.statistic("path").unwrap().concat();
    assert!(paths.iter().all(|path| (1.0..=4.0).contains(path)));
}

/// Refuses every point with this fatal error or not.
struct Refusing(bool);

impl Target for Refusing {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Err(if self.0 { EvalError::fatal("no disk") } else { EvalError::reject("outside") })
    }
}

impl GradTarget for Refusing {
    fn ln_density_grad(&self, x: &[f64], _: &mut [f64]) -> Result<f64, EvalError> {
        self.ln_density(x)
    }
}

#[test]
fn what_goes_wrong_is_said() {
    let error = |target: &Refusing| Pathfinder::default().fit(target, &Start::default(), 1).unwrap_err();
    assert!(matches!(error(&Refusing(false)), Error::NoStart { attempts: 100, .. }));
    assert!(matches!(error(&Refusing(true)), Error::Target(_)));
    let flat = FromGradFn::new(1, |_, gradient| {
        gradient[0] = 0.0;
        0.0
    });
    let why = Pathfinder::default().fit(&flat, &Start::default(), 1).unwrap_err();
    assert!(why.to_string().contains("takes no step"), "{why}");
    let options = Pathfinder { elbo_draws: 0, ..Pathfinder::default() };
    assert!(matches!(options.fit(&flat, &Start::default(), 1), Err(Error::Parameter(_))));
    // A start of another dimension.
    let wrong = Pathfinder::default().fit(&flat, &Start::At(vec![0.0; 3]), 1);
    assert!(matches!(wrong, Err(Error::Dimension(_))));
}
