//! Kernels: densities that have no value, that end the run, that are flat, that have no coordinate; points
//! beyond all numbers.

use std::cell::Cell;

use posterior_dist::stream::stream;
use posterior_dist::target::{FromFn, FromGradFn, GradTarget};
use posterior_math::linalg::DMatrix;
use posterior_sampling::composite::Cycle;
use posterior_sampling::gibbs::{BlockConditionals, Gibbs};
use posterior_sampling::hamiltonian::{
    FixedPath, Hmc, Leapfrog, Metric, MetricChoice, NoUTurn, Nuts, PathLength, Phase,
};
use posterior_sampling::metropolis::{
    AdaptiveLangevin, AdaptiveWalk, Langevin, OnBlock, RandomWalk, StepShape,
};
use posterior_sampling::slice::{
    AdaptiveHyperrectangle, AdaptiveSlice, Elliptical, Expansion, Hyperrectangle, Slice,
};
use posterior_sampling::{Adapt, Error, Run, Start, State, Transition, Untuned};

use super::{Ending, Nothing, Positive};

const DOUBLING: Expansion = Expansion::Doubling { limit: None };

fn doubling(widths: &[f64]) -> Slice {
    Slice::new(widths).unwrap().with_expansion(DOUBLING).unwrap()
}

/// Each kernel for so many coordinates, as a visit.
trait Visit {
    fn kernel<K>(&mut self, name: &str, kernel: &K)
    where
        K: for<'a> Transition<Ending> + Transition<Positive>;
}

fn each_kernel(dim: usize, visit: &mut impl Visit) {
    let widths = vec![1.0; dim];
    let unit = |step| NoUTurn::new(step, Metric::unit()).unwrap();
    visit.kernel("walk", &RandomWalk::new(0.8).unwrap());
    visit.kernel("block", &OnBlock::new(&[0], RandomWalk::new(0.8).unwrap()).unwrap());
    visit.kernel("langevin", &Langevin::new(0.7).unwrap());
    visit.kernel("slice", &Slice::new(&widths).unwrap());
    visit.kernel("doubling", &doubling(&widths));
    visit.kernel("box", &Hyperrectangle::new(&widths).unwrap());
    visit.kernel("elliptical", &Elliptical::new(&vec![0.5; dim], StepShape::identity()).unwrap());
    visit.kernel("nuts", &unit(0.4));
    visit.kernel("hmc", &FixedPath::new(0.3, Metric::unit(), PathLength::Steps(5)).unwrap());
}

struct EndsAnywhere;

impl Visit for EndsAnywhere {
    fn kernel<K: Transition<Ending> + Transition<Positive>>(&mut self, name: &str, kernel: &K) {
        let start = [0.3, -0.4];
        let mut ended = 0;
        for evaluations in 0..40 {
            let target = Ending { dim: 2, left: Cell::new(1) };
            let mut state = kernel.init(&target, &start).unwrap();
            let ln_density = state.ln_density();
            target.left.set(evaluations);
            let step = kernel.step(&target, &mut state, &mut stream(1, &[evaluations as u64]));
            if let Err(why) = step {
                ended += 1;
                assert!(matches!(why, Error::Target(_)), "{name}: {why}");
                assert_eq!(state.position(), start, "{name} moved, with {evaluations} evaluations");
                assert_eq!(state.ln_density(), ln_density, "{name}");
                // The state is good: with no end, the step can be taken.
                target.left.set(usize::MAX);
                kernel.step(&target, &mut state, &mut stream(2, &[])).map(drop).unwrap();
            }
        }
        assert!(ended > 0, "{name} never met the end");
    }
}

#[test]
fn a_target_that_ends_the_run_leaves_the_chain_where_it_was() {
    each_kernel(2, &mut EndsAnywhere);
}

struct NoValueIsZero;

impl Visit for NoValueIsZero {
    fn kernel<K: Transition<Ending> + Transition<Positive>>(&mut self, name: &str, kernel: &K) {
        let walk = |elsewhere| {
            let target = Positive { dim: 2, elsewhere };
            let mut state = kernel.init(&target, &[0.5, 0.2]).unwrap();
            let mut rng = stream(3, &[]);
            let mut points = Vec::new();
            for _ in 0..200 {
                kernel.step(&target, &mut state, &mut rng).map(drop).unwrap();
                points.extend_from_slice(state.position());
            }
            points
        };
        let zero = walk(Nothing::Zero);
        assert!(zero.iter().all(|x| *x > 0.0) && zero[0] != zero[zero.len() - 2], "{name}");
        for elsewhere in [Nothing::NotANumber, Nothing::Infinite, Nothing::Reject] {
            assert_eq!(walk(elsewhere), zero, "{name}: {elsewhere:?}");
        }
    }
}

#[test]
fn a_density_without_a_value_counts_as_zero() {
    each_kernel(2, &mut NoValueIsZero);
}

/// The start is refused, with the coordinate.
fn refuses_infinity<T, A>(target: &T, sampler: &A)
where
    T: posterior_dist::target::Target + Sync + ?Sized,
    A: Adapt<T, Progress: Send, Tuned: Transition<T, State: Send> + Send> + Sync,
{
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused =
            Run::default().start(target, sampler, &Start::At(vec![0.0, odd])).map(drop).unwrap_err();
        assert!(refused.is_start() && refused.to_string().contains("coordinate 1 is"), "{refused}");
    }
}

fn flat(dim: usize) -> impl GradTarget + Sync {
    FromGradFn::new(dim, |_: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        0.0
    })
}

#[test]
fn no_chain_starts_beyond_all_numbers() {
    let target = flat(2);
    refuses_infinity(&target, &Untuned(RandomWalk::new(1.0).unwrap()));
    refuses_infinity(&target, &AdaptiveWalk::default());
    refuses_infinity(&target, &AdaptiveLangevin::default());
    refuses_infinity(&target, &AdaptiveSlice::default());
    refuses_infinity(&target, &AdaptiveHyperrectangle);
    refuses_infinity(&target, &Nuts::default());
    refuses_infinity(&target, &Hmc::default());
    refuses_infinity(&target, &Untuned(Elliptical::new(&[0.0; 2], StepShape::identity()).unwrap()));
    refuses_infinity(&BlockConditionals::new(&target).with(|_, _| Ok(())), &Untuned(Gibbs::systematic()));
}

#[test]
fn a_walk_on_a_flat_density_stays_among_the_numbers() {
    let run = Run { chains: 1, warm_up: 0, draws: 500, ..Run::default() };
    let walk = Untuned(RandomWalk::new(1e307).unwrap());
    let draws = run.sample(&flat(2), &walk, &Start::default()).unwrap().draws;
    assert!(draws.parameter(0).concat().iter().all(|x| x.is_finite()));
    assert!(draws.statistic("no_value").unwrap().concat().contains(&1.0));
    let drift = Untuned(Langevin::new(1e307).unwrap());
    let draws = run.sample(&flat(2), &drift, &Start::default()).unwrap().draws;
    assert!(draws.parameter(1).concat().iter().all(|x| x.is_finite()));
}

#[test]
fn an_endless_slice_is_an_error_and_the_chain_can_still_be_written() {
    for slice in [doubling(&[1.0]), Slice::new(&[1e306]).unwrap()] {
        let target = flat(1);
        let sampler = Untuned(slice);
        let run = Run { chains: 1, warm_up: 0, ..Run::default() };
        let mut chains = run.start(&target, &sampler, &Start::At(vec![0.25])).unwrap();
        let endless = chains.advance(&target, &sampler, 1).unwrap_err();
        assert!(matches!(endless, Error::EndlessSlice { coordinate: 0, .. }), "{endless}");
        assert_eq!(chains.chains()[0].position(), [0.25]);
        #[cfg(feature = "serde")]
        {
            let text = serde_json::to_string(&chains).unwrap();
            let again = serde_json::from_str(&text);
            let again: posterior_sampling::Chains<Slice, posterior_sampling::slice::Slicer, ()> =
                again.unwrap();
            assert_eq!(again.chains()[0].position(), [0.25]);
        }
    }
}

#[test]
fn a_conditional_distribution_that_gives_nan_ends_the_run_and_the_chain_can_still_be_written() {
    let target = BlockConditionals::of_dim(1).with(|x, _| {
        x[0] = f64::NAN;
        Ok(())
    });
    let sampler = Untuned(Gibbs::random(&[1.0]).unwrap());
    let mut chains = Run::default().start(&target, &sampler, &Start::At(vec![1.0])).unwrap();
    let ended = chains.advance(&target, &sampler, 1).unwrap_err();
    assert!(ended.to_string().contains("coordinate 0 gave NaN"), "{ended}");
    assert_eq!(chains.chains()[0].position(), [1.0]);
    #[cfg(feature = "serde")]
    {
        let text = serde_json::to_string(&chains).unwrap();
        let again = serde_json::from_str(&text);
        let again: posterior_sampling::Chains<Gibbs, posterior_sampling::gibbs::Visitor, ()> = again.unwrap();
        assert_eq!(again.chains()[0].position(), [1.0]);
    }
}

#[test]
fn boxes_at_the_end_of_the_numbers_shrink() {
    let sampler = Hyperrectangle::new(&[f64::MAX, 1.0]).unwrap();
    for far in [-1.79e308, 1.79e308] {
        // The slice is a point, as far as numbers tell.
        let target = FromFn::new(2, move |x: &[f64]| -(x[0] / 1e300 - far / 1e300).abs().sqrt() - x[1].abs());
        let mut state = sampler.init(&target, &[far, 0.0]).unwrap();
        let mut rng = stream(4, &[]);
        for _ in 0..200 {
            sampler.step(&target, &mut state, &mut rng).unwrap();
            assert!(state.position().iter().all(|x| x.is_finite()));
        }
    }
}

/// A distribution of no coordinate has draws of no coordinate.
fn samples_nothing<A>(sampler: &A)
where
    A: for<'a> Adapt<Positive, Progress: Send, Tuned: Transition<Positive, State: Send> + Send> + Sync,
{
    let target = Positive { dim: 0, elsewhere: Nothing::Zero };
    let run = Run { chains: 2, warm_up: 60, draws: 7, ..Run::default() };
    let draws = run.sample(&target, sampler, &Start::default()).unwrap().draws;
    assert_eq!((draws.chains(), draws.len(), draws.names().len()), (2, 7, 0));
    assert_eq!(draws.draw(1, 6), [0.0; 0]);
    assert_eq!(draws.statistic("lp").unwrap()[1].len(), 7);
    assert_eq!(draws.summary().parameters.len(), 0);
    assert_eq!(draws.map(["one"], |_, one| one[0] = 1.0).unwrap().parameter(0), vec![vec![1.0; 7]; 2]);
}

#[test]
fn a_distribution_of_no_coordinate_is_sampled() {
    samples_nothing(&Untuned(RandomWalk::new(1.0).unwrap()));
    samples_nothing(&AdaptiveWalk::default());
    samples_nothing(&AdaptiveLangevin::default());
    samples_nothing(&AdaptiveSlice::default());
    samples_nothing(&AdaptiveHyperrectangle);
    samples_nothing(&Untuned(Elliptical::new(&[], StepShape::identity()).unwrap()));
    samples_nothing(&Hmc::default());
    samples_nothing(&Cycle::new(AdaptiveWalk::default(), Nuts::default()));
    for metric in [
        MetricChoice::Unit,
        MetricChoice::Diagonal,
        MetricChoice::DiagonalDraws,
        MetricChoice::Dense,
        MetricChoice::LOW_RANK,
    ] {
        samples_nothing(&Nuts { metric, ..Nuts::default() });
    }
}

#[test]
fn metrics_and_shapes_of_another_dimension_are_refused() {
    let covariance = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let directions = DMatrix::from_column_slice(2, 1, &[1.0, 0.0]);
    let metrics = [
        Metric::diagonal(&[2.0, 1.0]).unwrap(),
        Metric::dense(&covariance).unwrap(),
        Metric::low_rank(&[2.0, 1.0], &directions, &[3.0]).unwrap(),
    ];
    let target = flat(3);
    for metric in metrics {
        for dim in [0, 1, 2, 5] {
            assert_eq!(metric.covariance(dim).shape(), (2, 2));
        }
        let kernel = NoUTurn::new(0.1, metric.clone()).unwrap();
        assert!(matches!(kernel.init(&target, &[0.0; 3]), Err(Error::Dimension { .. })));
        let phase = Phase::new(&target, &Metric::unit(), &[0.0; 3], &[1.0; 3]).unwrap();
        let refused = Leapfrog { metric: &metric, step_size: 0.1 }.flow(&target, &phase, 1).unwrap_err();
        assert!(refused.is_fatal(), "{refused}");
        let unit = Metric::unit();
        let refused = Leapfrog { metric: &unit, step_size: 0.1 }.flow(&flat(2), &phase, 1).unwrap_err();
        assert!(refused.is_fatal(), "{refused}");
        let sampler = Nuts { metric: MetricChoice::Given(metric), ..Nuts::default() };
        let refused = Run::default().sample(&target, &sampler, &Start::default()).unwrap_err();
        assert!(matches!(refused, Error::Dimension { .. }), "{refused}");
    }
    let shape = StepShape::dense(&covariance).unwrap();
    assert!(RandomWalk::new(1.0).unwrap().with_shape(shape.clone()).init(&target, &[0.0; 3]).is_err());
    assert!(Langevin::new(1.0).unwrap().with_shape(shape.clone()).init(&target, &[0.0; 3]).is_err());
    assert!(Elliptical::new(&[0.0; 3], shape).is_err());
    for coordinates in [[0, 3], [0, usize::MAX]] {
        let block = OnBlock::new(&coordinates, RandomWalk::new(1.0).unwrap()).unwrap();
        assert!(matches!(block.init(&target, &[0.0; 3]), Err(Error::Dimension { .. })));
    }
}

#[test]
fn densities_of_extreme_size_do_not_stop_a_trajectory() {
    for scale in [1e-300, 1e-150, 1e150] {
        let target = FromGradFn::new(2, move |x: &[f64], gradient: &mut [f64]| {
            gradient.iter_mut().zip(x).for_each(|(slope, x)| *slope = -x / scale / scale);
            -0.5 * x.iter().map(|x| (x / scale) * (x / scale)).sum::<f64>()
        });
        let start = Start::At(vec![0.5 * scale, -0.5 * scale]);
        let run = Run { chains: 1, warm_up: 50, draws: 50, ..Run::default() };
        // Refused or sampled; a draw is a point.
        match run.sample(&target, &Nuts::default(), &start) {
            Ok(sampled) => assert!(sampled.draws.parameter(0).concat().iter().all(|x| x.is_finite())),
            Err(why) => assert!(why.is_start(), "{why}"),
        }
    }
}
