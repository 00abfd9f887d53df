//! Where trajectories break: divergences are kept, errors end the run and leave the chain where it was,
//! improper targets name the start.

use std::cell::Cell;

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromGradFn, GradTarget, Target};
use posterior_sampling::hamiltonian::{FixedPath, Hmc, Metric, NoUTurn, Nuts, PathLength};
use posterior_sampling::{Error, Info, Run, Start, State, Transition, Untuned};

use super::{funnel, standard};

/// A half line with a standard exponential distribution; what the density says beyond 0 is up to `refusal`.
struct HalfLine<F> {
    refusal: F,
}

impl<F: Fn() -> Result<f64, EvalError>> Target for HalfLine<F> {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        if x[0] < 0.0 { (self.refusal)() } else { Ok(-x[0]) }
    }
}

impl<F: Fn() -> Result<f64, EvalError>> GradTarget for HalfLine<F> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient[0] = -1.0;
        self.ln_density(x)
    }
}

#[test]
fn a_funnel_with_a_coarse_step_diverges_in_its_neck() {
    let target = funnel(10);
    let sampler = Untuned(NoUTurn::new(0.5, Metric::unit()).unwrap());
    let run = Run { warm_up: 0, draws: 100, seed: 2, ..Run::default() };
    // The frequency at v is e^(-v/2): stable steps are shorter than 0.1 at v = -6, and than 9 at v = 3.
    let at = |v: f64| {
        let mut start = vec![0.5 * (0.5 * v).exp(); 10];
        start[0] = v;
        run.sample(&target, &sampler, &Start::At(start)).unwrap()
    };
    assert!(at(3.0).chains.iter().map(|chain| chain.divergences.len()).sum::<usize>() < 4);
    let sampled = at(-6.0);
    let all: Vec<_> = sampled.chains.iter().flat_map(|chain| &chain.divergences).collect();
    let output: f64 = sampled.draws.statistic("diverging").unwrap().concat().iter().sum();
    assert!(all.len() > 100 && all.len() as f64 == output, "{} divergences, {output} reported", all.len());
    let mut necks: Vec<f64> = all.iter().map(|divergence| divergence.from[0]).collect();
    necks.sort_by(f64::total_cmp);
    assert!(necks[necks.len() / 2] < -3.0, "the median divergence is at v = {}", necks[necks.len() / 2]);
    for divergence in all {
        assert!(divergence.iteration < 100 && !(divergence.energy_error < 1000.0));
        assert_eq!((divergence.from.len(), divergence.momentum.len(), divergence.to.len()), (10, 10, 10));
        assert!(divergence.from.iter().chain(&divergence.momentum).all(|x| x.is_finite()));
    }
}

#[test]
fn a_divergence_is_one_leapfrog_step_from_its_place_and_momentum() {
    let target = funnel(3);
    let metric = Metric::diagonal(&[1.0, 4.0, 0.25]).unwrap();
    let kernel = NoUTurn::new(0.7, metric).unwrap();
    let (mut particle, mut rng) = (kernel.init(&target, &[-2.0, 0.1, 0.1]).unwrap(), stream(4, &[]));
    let mut found = 0;
    while found < 20 {
        let mut travelled = kernel.step(&target, &mut particle, &mut rng).unwrap();
        let Some(divergence) = travelled.take_divergence() else { continue };
        found += 1;
        let mut gradient = [0.0; 3];
        target.ln_density_grad(&divergence.from, &mut gradient).unwrap();
        let to = |step: f64, i: usize| {
            divergence.from[i]
                + step * [1.0, 4.0, 0.25][i] * (divergence.momentum[i] + 0.5 * step * gradient[i])
        };
        let fits = |step: f64| {
            (0..3).all(|i| (to(step, i) - divergence.to[i]).abs() <= 1e-9 * (1.0 + divergence.to[i].abs()))
        };
        assert!(fits(0.7) || fits(-0.7), "{divergence:?}");
    }
}

#[test]
fn refusals_nan_and_zero_density_are_divergences_with_their_reason() {
    type Case = (fn() -> Result<f64, EvalError>, Option<&'static str>);
    let cases: [Case; 4] = [
        (|| Err(EvalError::reject("beyond the edge")), Some("beyond the edge")),
        (|| Ok(f64::NAN), Some("NaN")),
        (|| Ok(f64::INFINITY), Some("inf")),
        (|| Ok(f64::NEG_INFINITY), None),
    ];
    for (refusal, reason) in cases {
        let target = HalfLine { refusal };
        let run = Run { warm_up: 100, draws: 300, seed: 1, ..Run::default() };
        let nuts = run.sample(&target, &Nuts::default(), &Start::default()).unwrap();
        let hmc = run.sample(&target, &Hmc::default(), &Start::default()).unwrap();
        for chains in [
            nuts.chains.iter().flat_map(|c| &c.divergences).collect::<Vec<_>>(),
            hmc.chains.iter().flat_map(|c| &c.divergences).collect(),
        ] {
            assert!(!chains.is_empty());
            for divergence in chains {
                assert!(divergence.from[0] >= 0.0 && divergence.to[0] < 0.0);
                assert_eq!(divergence.energy_error, f64::INFINITY);
                match reason {
                    Some(reason) => assert!(divergence.reason.as_ref().unwrap().contains(reason)),
                    None => assert_eq!(divergence.reason, None),
                }
            }
        }
        assert!(nuts.draws.parameter(0).concat().iter().all(|&x| x >= 0.0));
    }
}

/// Ends the run at the fourth call.
struct Ending<'a, T>(T, &'a Cell<usize>);
impl<T: Target> Target for Ending<'_, T> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.0.ln_density(x)
    }
}
impl<T: GradTarget> GradTarget for Ending<'_, T> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.1.set(self.1.get() + 1);
        if self.1.get() == 4 {
            Err(EvalError::fatal("the file is gone"))
        } else {
            self.0.ln_density_grad(x, gradient)
        }
    }
}

#[test]
fn an_end_of_the_run_leaves_the_chain_where_it_was() {
    let calls = Cell::new(0);
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -x[0];
        -0.5 * x[0] * x[0]
    });
    let target = Ending(target, &calls);
    let nuts = NoUTurn::new(0.05, Metric::unit()).unwrap();
    let hmc = FixedPath::new(0.05, Metric::unit(), PathLength::Steps(7)).unwrap();
    for step in [0, 1] {
        calls.set(0);
        let mut particle = nuts.init(&target, &[0.7]).unwrap();
        let mut rng = stream(4, &[]);
        let mut go = || {
            if step == 0 {
                nuts.step(&target, &mut particle, &mut rng)
            } else {
                hmc.step(&target, &mut particle, &mut rng)
            }
        };
        let error = go().unwrap_err();
        assert!(matches!(&error, Error::Target(why) if why.is_fatal()), "{error}");
        assert!(go().is_ok());
        let mut particle = nuts.init(&target, &[0.7]).unwrap();
        calls.set(0);
        assert!(nuts.step(&target, &mut particle, &mut stream(4, &[])).is_err());
        assert_eq!((particle.position(), particle.ln_density()), (&[0.7][..], -0.5 * 0.7 * 0.7));
    }
}

#[test]
fn targets_that_can_not_be_sampled_name_the_start() {
    let flat = FromGradFn::new(2, |_: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        0.0
    });
    let nowhere = FromGradFn::new(2, |_: &[f64], _: &mut [f64]| f64::NEG_INFINITY);
    let no_gradient = FromGradFn::new(2, |_: &[f64], gradient: &mut [f64]| {
        gradient.copy_from_slice(&[0.0, f64::NAN]);
        0.0
    });
    let run = Run::default();
    let refusal = |refused: Result<_, Error>| match refused {
        Err(why) if why.is_start() => why.to_string(),
        other => panic!("{other:?}"),
    };
    let of = |target: &dyn DynTarget| refusal(target.run(&run));
    assert!(of(&flat).contains("the density is flat"), "{}", of(&flat));
    assert!(of(&nowhere).contains("ln p(x) is -inf") && of(&nowhere).contains("no start for chain 0"));
    assert!(of(&no_gradient).contains("coordinate 1 of the gradient is NaN"));
    let wrong = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = 1e30;
        -x[0] * x[0]
    });
    assert!(of(&wrong).contains("no step size is accepted"), "{}", of(&wrong));
    let refused = run.sample(&standard(2), &Nuts::default(), &Start::At(vec![0.0, f64::NAN])).unwrap_err();
    assert!(refused.is_start());
}

trait DynTarget {
    fn run(&self, run: &Run) -> Result<usize, Error>;
}

impl<T: GradTarget + Sync> DynTarget for T {
    fn run(&self, run: &Run) -> Result<usize, Error> {
        Ok(run.sample(self, &Nuts::default(), &Start::default())?.draws.len())
    }
}
