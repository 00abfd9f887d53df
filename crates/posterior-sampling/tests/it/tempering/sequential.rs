//! Sequential Monte Carlo.

use posterior_dist::target::{FromFn, OnTheLine};
use posterior_dist::{Density, Normal, Uniform};
use posterior_math::log_space::ln_sum_exp;
use posterior_math::streaming::MeanVariance;
use posterior_sampling::Error;
use posterior_sampling::importance::Resampling;
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::tempering::{SequentialMonteCarlo, Steps, TemperatureSchedule, TemperingStage};

use super::conjugate;

fn walk(stage: &TemperingStage) -> Result<RandomWalk, Error> {
    Ok(RandomWalk::new(stage.step_size())?)
}

#[test]
fn a_conjugate_model_is_recovered() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let found = SequentialMonteCarlo { seed: 1, ..SequentialMonteCarlo::default() }
        .run(&prior, &likelihood, walk)
        .unwrap();
    let evidence = found.ln_evidence();
    assert!(evidence.standard_error < 0.06, "{evidence:?}");
    assert!((evidence.ln_value - model.ln_evidence).abs() < 5.0 * evidence.standard_error, "{evidence:?}");
    for i in 0..3 {
        let exact = model.posterior.mean()[i];
        let mean = found.expectation(|x| x[i]).unwrap();
        assert!(mean.standard_error < 0.05, "{mean:?}");
        assert!((mean.value - exact).abs() < 6.0 * mean.standard_error, "{i} {mean:?} {exact}");
        for j in 0..=i {
            let centre = model.posterior.mean();
            let product = found.expectation(|x| (x[i] - centre[i]) * (x[j] - centre[j])).unwrap();
            let exact = model.posterior.covariance()[(i, j)];
            assert!(
                (product.value - exact).abs() < 6.0 * product.standard_error,
                "{i} {j} {product:?} {exact}"
            );
        }
    }
    for island in found.islands() {
        let stages = &island.stages;
        assert!(stages.len() > 5 && stages.is_sorted_by(|a, b| a.beta < b.beta));
        assert_eq!(stages[stages.len() - 1].beta, 1.0);
        assert!(island.ancestors > 50 && island.ancestors < 500);
        assert!(stages.iter().any(|stage| stage.resampled) && stages.iter().any(|stage| !stage.resampled));
        // The scale has found the acceptance rate.
        let last = stages[stages.len() - 1].acceptance_rate;
        assert!((last - 0.3).abs() < 0.1, "{last}");
        // Five steps of a random walk, of which three tenths are taken.
        assert!(stages.iter().all(|stage| stage.renewal > 0.1 && stage.renewal < 1.2), "{stages:?}");
    }
}

/// With temperatures that are given and a kernel that is not tuned, the mean of Z over populations has no
/// bias, for few particles too.
#[test]
fn small_populations_have_no_bias() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    for resampling in
        [Resampling::Multinomial, Resampling::Residual, Resampling::Stratified, Resampling::Systematic]
    {
        let options = SequentialMonteCarlo {
            islands: 3000,
            particles: 8,
            moves: 1,
            resampling,
            steps: Steps::Given(TemperatureSchedule::power(8, 3.0).unwrap()),
            seed: 2,
            ..SequentialMonteCarlo::default()
        };
        let found = options.run(&prior, &likelihood, |_| Ok(RandomWalk::new(0.7).unwrap())).unwrap();
        let ratios: MeanVariance =
            found.islands().iter().map(|island| (island.ln_evidence - model.ln_evidence).exp()).collect();
        let error = (ratios.sample_variance() / 3000.0).sqrt();
        assert!(error < 0.05, "{error}");
        assert!((ratios.mean() - 1.0).abs() < 4.5 * error, "{resampling:?}: {} ± {error}", ratios.mean());
        let evidence = found.ln_evidence();
        assert!((evidence.ln_value - model.ln_evidence - ratios.mean().ln()).abs() < 1e-12);
        assert!((evidence.standard_error - error / ratios.mean()).abs() < 1e-12);
    }
}

/// A kernel that does not leave the distribution alone gives another answer: the test above can fail.
#[test]
fn a_wrong_kernel_is_found_out() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let options =
        SequentialMonteCarlo { islands: 400, particles: 50, seed: 2, ..SequentialMonteCarlo::default() };
    let options =
        SequentialMonteCarlo { steps: Steps::Given(TemperatureSchedule::power(8, 3.0).unwrap()), ..options };
    let found = options.run(&prior, &likelihood, |_| Ok(Always(0.7))).unwrap();
    let evidence = found.ln_evidence();
    assert!((evidence.ln_value - model.ln_evidence).abs() > 8.0 * evidence.standard_error, "{evidence:?}");
}

/// A random walk that is always accepted.
struct Always(f64);

mod always {
    use posterior_dist::target::Target;
    use posterior_sampling::{Error, State, Transition};
    use rand::{Rng, RngExt};

    use super::super::Nothing;

    pub(super) struct At(Vec<f64>);

    impl State for At {
        fn position(&self) -> &[f64] {
            &self.0
        }

        fn ln_density(&self) -> f64 {
            f64::NAN
        }
    }

    impl<T: Target> Transition<T> for super::Always {
        type State = At;
        type Info = Nothing;

        fn init(&self, _: &T, position: &[f64]) -> Result<At, Error> {
            Ok(At(position.to_vec()))
        }

        fn step<R: Rng + ?Sized>(&self, _: &T, state: &mut At, rng: &mut R) -> Result<Nothing, Error> {
            for x in &mut state.0 {
                *x += self.0 * (rng.random::<f64>() - 0.5);
            }
            Ok(Nothing)
        }
    }
}

/// Two modes far apart, of unequal mass: a chain would see one.
#[test]
fn both_modes_have_their_mass() {
    let prior = OnTheLine::new(Normal::mean_sd(0.0, 5.0).unwrap()).unwrap();
    let modes = [(0.7_f64.ln(), -6.0, 0.1), (0.3_f64.ln(), 6.0, 0.3)]
        .map(|(ln_proportion, mean, sd)| (ln_proportion, Normal::mean_sd(mean, sd).unwrap(), mean, sd));
    let likelihood = FromFn::new(1, |x: &[f64]| {
        ln_sum_exp(&[modes[0].0 + modes[0].1.ln_pdf(&x[0]), modes[1].0 + modes[1].1.ln_pdf(&x[0])])
    });
    // The integral of each mode under the prior.
    let parts = modes.map(|(ln_proportion, _, mean, sd): (f64, Normal, f64, f64)| {
        ln_proportion + Normal::mean_variance(0.0, 25.0 + sd * sd).unwrap().ln_pdf(&mean)
    });
    let ln_evidence = ln_sum_exp(&parts);
    let options = SequentialMonteCarlo { islands: 16, seed: 3, ..SequentialMonteCarlo::default() };
    let found = options.run(&prior, &likelihood, walk).unwrap();
    let evidence = found.ln_evidence();
    assert!(
        (evidence.ln_value - ln_evidence).abs() < 5.0 * evidence.standard_error,
        "{evidence:?} {ln_evidence}"
    );
    assert!(evidence.standard_error < 0.05);
    let right = found.expectation(|x| if x[0] > 0.0 { 1.0 } else { 0.0 }).unwrap();
    let exact = (parts[1] - ln_evidence).exp();
    assert!((right.value - exact).abs() < 5.0 * right.standard_error, "{right:?} {exact}");
    assert!(right.standard_error < 0.03);
}

#[test]
fn particles_depend_on_the_seed_alone() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let options =
        SequentialMonteCarlo { islands: 2, particles: 60, seed: 7, ..SequentialMonteCarlo::default() };
    let found = options.run(&prior, &likelihood, walk).unwrap();
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| options.run(&prior, &likelihood, walk)).unwrap(), found);
    }
    assert_ne!(SequentialMonteCarlo { seed: 8, ..options }.run(&prior, &likelihood, walk).unwrap(), found);
    // What one run finds serves another.
    let schedule = found.schedule().unwrap();
    assert_eq!(schedule.betas().len(), found.islands()[0].stages.len() + 1);
}

/// A likelihood that is zero on most of the prior: the dead do not decide how far β rises.
#[test]
fn likelihoods_may_be_zero() {
    let prior = OnTheLine::new(Uniform::new(-1.0, 1.0).unwrap()).unwrap();
    let inside = |u: f64| 2.0 / (1.0 + (-u).exp()) - 1.0;
    let window =
        FromFn::new(1, |u: &[f64]| if (0.3..0.4).contains(&inside(u[0])) { 0.0 } else { f64::NEG_INFINITY });
    let found = SequentialMonteCarlo { seed: 5, ..SequentialMonteCarlo::default() }
        .run(&prior, &window, walk)
        .unwrap();
    let evidence = found.ln_evidence();
    assert!((evidence.ln_value - 0.05_f64.ln()).abs() < 5.0 * evidence.standard_error, "{evidence:?}");
    assert!(
        found
            .draws()
            .points()
            .zip(found.draws().weights().normalised())
            .all(|(u, w)| { *w == 0.0 || (0.3..0.4).contains(&inside(u[0])) })
    );
    assert_eq!(found.islands()[0].stages.len(), 1);
}

#[test]
fn what_cannot_be_is_refused() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let refused =
        |options: SequentialMonteCarlo| options.run(&prior, &likelihood, walk).unwrap_err().to_string();
    let default = SequentialMonteCarlo::default;
    assert_eq!(
        refused(SequentialMonteCarlo { particles: 0, ..default() }),
        "SequentialMonteCarlo: particles = 0 must be positive"
    );
    assert_eq!(
        refused(SequentialMonteCarlo { islands: 0, ..default() }),
        "SequentialMonteCarlo: islands = 0 must be positive"
    );
    assert_eq!(
        refused(SequentialMonteCarlo { moves: 0, ..default() }),
        "SequentialMonteCarlo: moves = 0 must be positive"
    );
    assert!(
        refused(SequentialMonteCarlo { resample_below: f64::NAN, ..default() })
            .contains("resample_below = NaN")
    );
    assert!(refused(SequentialMonteCarlo { target_accept: 1.0, ..default() }).contains("target_accept = 1"));
    let proportion = |proportion, most| SequentialMonteCarlo {
        steps: Steps::ConditionalEss { proportion, most },
        ..default()
    };
    assert!(refused(proportion(1.0, 10)).contains("proportion = 1"));
    assert!(refused(proportion(0.99, 2)).starts_with("tempering stays at beta = 0."));
    let nowhere = FromFn::new(3, |_: &[f64]| f64::NEG_INFINITY);
    assert!(matches!(default().run(&prior, &nowhere, walk), Err(Error::NoWeight { draws: 500 })));
    let gone = FromFn::new(2, |_: &[f64]| 0.0);
    assert!(matches!(default().run(&prior, &gone, walk), Err(Error::Dimension { .. })));
    // One population has no spread.
    let alone = SequentialMonteCarlo { islands: 1, particles: 50, ..default() }
        .run(&prior, &likelihood, walk)
        .unwrap();
    assert!(alone.ln_evidence().standard_error.is_nan());
    assert!(alone.expectation(|x| x[0]).unwrap().standard_error.is_nan());
    assert!(alone.expectation(|_| f64::NAN).is_err());
}
