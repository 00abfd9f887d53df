//! Options that can't be.

use posterior_dist::target::FromGradFn;
use posterior_math::linalg::DMatrix;
use posterior_sampling::calibration::{Calibration, Coverage, EcdfBand, JointDistribution, Ranks};
use posterior_sampling::composite::KernelMixture;
use posterior_sampling::gibbs::Gibbs;
use posterior_sampling::hamiltonian::{
    DualAveraging, FixedPath, Hmc, Metric, MetricChoice, NoUTurn, Nuts, PathLength,
};
use posterior_sampling::markov_chain::{TransitionMatrix, gibbs_update, metropolis_hastings};
use posterior_sampling::metropolis::{
    AdaptiveLangevin, AdaptiveWalk, FiniteMetropolis, Langevin, OnBlock, RandomWalk, ScaleSearch, StepShape,
};
use posterior_sampling::slice::{AdaptiveSlice, Elliptical, Expansion, Hyperrectangle, Slice};
use posterior_sampling::{Adapt, Error, Run, Start, Transition, Untuned};

use super::{Nothing, ODD, Positive};

const NOT_POSITIVE: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0];
const TARGET: Positive = Positive { dim: 1, elsewhere: Nothing::Zero };

fn walk() -> RandomWalk {
    RandomWalk::new(1.0).unwrap()
}

#[test]
fn runs_that_make_no_draw_are_refused() {
    for (run, name) in [
        (Run { chains: 0, ..Run::default() }, "chains"),
        (Run { draws: 0, ..Run::default() }, "draws"),
        (Run { thin: 0, ..Run::default() }, "thin"),
    ] {
        let refused = run.sample(&TARGET, &Untuned(walk()), &Start::default()).unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
    }
    // So many steps that their number is none.
    let endless = Run { warm_up: usize::MAX, draws: usize::MAX, thin: usize::MAX, ..Run::default() };
    let mut chains = endless.start(&TARGET, &Untuned(walk()), &Start::default()).unwrap();
    chains.advance(&TARGET, &Untuned(walk()), 3).unwrap();
    assert!(!chains.is_done());
}

#[test]
fn starts_that_are_none_are_refused() {
    let run = Run { chains: 2, draws: 1, warm_up: 0, ..Run::default() };
    let start = |start: &Start| run.sample(&TARGET, &Untuned(walk()), start).map(drop).unwrap_err();
    for radius in ODD {
        if radius > 0.0 && radius < 1.0 {
            continue;
        }
        let refused = start(&Start::Uniform { radius, attempts: 9 });
        assert!(matches!(refused, Error::Parameter(_)), "{radius}: {refused}");
    }
    run.sample(&TARGET, &Untuned(walk()), &Start::Uniform { radius: 0.5 * f64::MAX, attempts: 99 }).unwrap();
    assert!(matches!(
        start(&Start::Uniform { radius: 1.0, attempts: 0 }),
        Error::NoStart { attempts: 0, .. }
    ));
    assert!(matches!(
        start(&Start::At(vec![])),
        Error::Dimension(posterior_math::DimensionError { expected: 1, found: 0, .. })
    ));
    for each in [vec![], vec![vec![1.0]], vec![vec![1.0]; 3], vec![vec![1.0], vec![]]] {
        assert!(matches!(start(&Start::Each(each)), Error::Dimension { .. }));
    }
    assert!(matches!(start(&Start::Each(vec![vec![1.0], vec![-1.0]])), Error::Start { .. }));
}

/// The sampler is refused when it begins.
fn refused<A: Adapt<Positive>>(sampler: &A) -> bool {
    let start = Run::default().start(&TARGET, sampler, &Start::At(vec![1.0]));
    start.is_err_and(|why| !why.is_start())
}

#[test]
fn scales_and_widths_are_positive() {
    for odd in NOT_POSITIVE {
        assert!(RandomWalk::new(odd).is_err() && Langevin::new(odd).is_err(), "{odd}");
        assert!(ScaleSearch::new(odd, 0.3).is_err() && ScaleSearch::new(1.0, odd).is_err());
        assert!(StepShape::diagonal(&[1.0, odd]).is_err());
        assert!(Slice::new(&[odd]).is_err() && Hyperrectangle::new(&[odd]).is_err());
        assert!(refused(&AdaptiveSlice { width: odd, ..AdaptiveSlice::default() }));
        assert!(refused(&AdaptiveWalk { goal: Some(odd), ..AdaptiveWalk::default() }));
        assert!(refused(&AdaptiveLangevin { goal: odd, ..AdaptiveLangevin::default() }));
    }
    for odd in [f64::NAN, f64::INFINITY] {
        assert!(Elliptical::new(&[odd], StepShape::identity()).is_err());
    }
    for expansion in [Expansion::SteppingOut { limit: Some(0) }, Expansion::Doubling { limit: Some(0) }] {
        assert!(Slice::new(&[1.0]).unwrap().with_expansion(expansion).is_err());
        assert!(refused(&AdaptiveSlice { expansion, ..AdaptiveSlice::default() }));
    }
    for widths in [&[][..], &[1.0, 1.0]] {
        assert!(Slice::new(widths).unwrap().init(&TARGET, &[1.0]).is_err());
        assert!(Hyperrectangle::new(widths).unwrap().init(&TARGET, &[1.0]).is_err());
    }
    for matrix in [
        DMatrix::zeros(2, 2),
        DMatrix::zeros(2, 3),
        DMatrix::from_element(1, 1, f64::NAN),
        DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]),
    ] {
        assert!(StepShape::dense(&matrix).is_err() && Metric::dense(&matrix).is_err());
    }
    assert!(OnBlock::new(&[], walk()).is_err() && OnBlock::new(&[1, 1], walk()).is_err());
    for proportion in [f64::NAN, -0.1, 1.1] {
        assert!(KernelMixture::new(proportion, walk(), walk()).is_err());
    }
    for bad in [&[][..], &[0.5], &[0.5, f64::NAN], &[1.0, 0.0], &[1.5, -0.5]] {
        assert!(Gibbs::random(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn trajectories_have_steps_and_lengths() {
    for odd in NOT_POSITIVE {
        assert!(NoUTurn::new(odd, Metric::unit()).is_err());
        assert!(NoUTurn::new(0.1, Metric::unit()).unwrap().with_max_energy_error(odd).is_err());
        assert!(FixedPath::new(odd, Metric::unit(), PathLength::Steps(3)).is_err());
        let path = PathLength::Length { time: odd, jitter: 0.1, max_steps: 9 };
        assert!(
            FixedPath::new(0.1, Metric::unit(), path).is_err() && refused(&Hmc { path, ..Hmc::default() })
        );
        assert!(DualAveraging::new(odd, 0.8).is_err() && DualAveraging::new(0.1, odd).is_err());
        assert!(Metric::diagonal(&[1.0, odd]).is_err());
        assert!(refused(&Nuts { target_accept: odd, ..Nuts::default() }));
        assert!(refused(&Nuts { max_energy_error: odd, ..Nuts::default() }));
        assert!(refused(&Hmc { target_accept: odd, ..Hmc::default() }));
        assert!(refused(&Nuts { metric: MetricChoice::LowRank { cutoff: odd }, ..Nuts::default() }));
        let unit = DMatrix::from_element(1, 1, 1.0);
        assert!(Metric::low_rank(&[odd], &unit, &[1.0]).is_err());
        assert!(Metric::low_rank(&[1.0], &unit, &[odd]).is_err());
        let directions = DMatrix::from_row_slice(2, 2, &[2.0 * odd, 0.0, 0.0, 1.0]);
        assert!(Metric::low_rank(&[1.0; 2], &directions, &[2.0; 2]).is_err());
        // What is learned from rates that are none is a step size all the same.
        let mut averaging = DualAveraging::new(0.1, 0.8).unwrap();
        for _ in 0..20_000 {
            averaging.learn(if odd == f64::INFINITY { 1.0 } else { odd.max(0.0) });
        }
        assert!(averaging.step_size() > 0.0 && averaging.step_size().is_finite());
        assert!(averaging.averaged() > 0.0 && averaging.averaged().is_finite());
    }
    for jitter in [f64::NAN, -0.1, 1.0, f64::INFINITY] {
        let path = PathLength::Length { time: 1.0, jitter, max_steps: 9 };
        assert!(FixedPath::new(0.1, Metric::unit(), path).is_err());
    }
    assert!(FixedPath::new(0.1, Metric::unit(), PathLength::Steps(0)).is_err());
    for depth in [0, 61, usize::MAX] {
        assert!(NoUTurn::new(0.1, Metric::unit()).unwrap().with_max_depth(depth).is_err());
        assert!(refused(&Nuts { max_depth: depth, ..Nuts::default() }));
    }
    let columns = DMatrix::from_column_slice(2, 1, &[1.0, 0.0]);
    assert!(Metric::low_rank(&[1.0], &columns, &[1.0]).is_err());
    assert!(Metric::low_rank(&[1.0, 1.0], &columns, &[1.0, 2.0]).is_err());
    // The smallest steps and the largest ones.
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -x[0];
        -0.5 * x[0] * x[0]
    });
    for step_size in [f64::MIN_POSITIVE, 1e-300, 1e300, f64::MAX] {
        let path = PathLength::Length { time: f64::MAX, jitter: 0.5, max_steps: 20 };
        let kernel = FixedPath::new(step_size, Metric::unit(), path).unwrap();
        let run = Run { chains: 1, warm_up: 0, draws: 20, ..Run::default() };
        let draws = run.sample(&target, &Untuned(kernel), &Start::default()).unwrap().draws;
        assert!(draws.parameter(0).concat().iter().all(|x| x.is_finite()), "{step_size}");
        let kernel = NoUTurn::new(step_size, Metric::unit()).unwrap().with_max_depth(4).unwrap();
        let draws = run.sample(&target, &Untuned(kernel), &Start::default()).unwrap().draws;
        assert!(draws.parameter(0).concat().iter().all(|x| x.is_finite()), "{step_size}");
    }
}

#[test]
fn matrices_that_are_no_kernels_are_refused() {
    for matrix in [
        DMatrix::zeros(0, 0),
        DMatrix::zeros(1, 2),
        DMatrix::from_element(1, 1, f64::NAN),
        DMatrix::from_element(2, 2, 0.6),
        DMatrix::from_row_slice(2, 2, &[1.5, -0.5, 0.5, 0.5]),
    ] {
        assert!(TransitionMatrix::new(matrix.clone()).is_err());
        assert!(FiniteMetropolis::new(&vec![0.0; matrix.nrows()], &matrix).is_err());
    }
    assert!(TransitionMatrix::from_rows(&[vec![1.0], vec![0.5, 0.5]]).is_err());
    assert!(TransitionMatrix::from_moves(2, |_| [(2, 0.5)]).is_err());
    assert!(TransitionMatrix::from_moves(2, |_| [(0, f64::NAN)]).is_err());
    assert!(TransitionMatrix::mixture(&[]).is_err());
    let chain = TransitionMatrix::from_rows(&[[0.5, 0.5], [0.2, 0.8]]).unwrap();
    assert!(TransitionMatrix::mixture(&[(f64::NAN, chain.clone())]).is_err());
    assert!(TransitionMatrix::mixture(&[(-1.0, chain.clone()), (2.0, chain.clone())]).is_err());
    for distribution in [&[][..], &[1.0], &[0.5, 0.6], &[f64::NAN, 1.0], &[1.5, -0.5]] {
        assert!(chain.step(distribution).is_err() && chain.distribution_after(distribution, 9).is_err());
        assert!(
            chain.stationary_residual(distribution).is_err()
                && chain.detailed_balance_residual(distribution).is_err()
        );
    }
    for f in [&[][..], &[1.0], &[1.0, f64::NAN], &[f64::INFINITY, 1.0]] {
        assert!(chain.expectation(f).is_err() && chain.asymptotic_variance(f).is_err());
        assert!(chain.autocorrelation(f, 3).is_err());
    }
    assert!(chain.autocorrelation(&[2.0, 2.0], 3).is_err());
    for states in [&[][..], &[2], &[0, usize::MAX]] {
        assert!(chain.hitting_times(states).is_err() && chain.hitting_probabilities(states).is_err());
    }
    for epsilon in [f64::NAN, 0.0, 1.0, -1.0] {
        assert!(chain.mixing_time(epsilon).is_err());
    }
    assert!(chain.path(2, 3, &mut posterior_dist::stream::stream(1, &[])).is_err());
    let single = TransitionMatrix::from_rows(&[[1.0]]).unwrap();
    assert_eq!((single.mixing_time(0.25).unwrap(), single.stationary().unwrap()), (0, vec![1.0]));
    assert_eq!((single.spectral_gap().unwrap(), single.period().unwrap()), (1.0, 1));
    assert!(single.power(u64::MAX).probability(0, 0) == 1.0);
}

#[test]
fn finite_targets_fit_their_spaces() {
    let proposal = TransitionMatrix::from_rows(&[[0.5, 0.5], [0.5, 0.5]]).unwrap();
    for ln_p in [&[][..], &[0.0], &[0.0, f64::NAN], &[0.0, f64::INFINITY]] {
        assert!(metropolis_hastings(ln_p, &proposal).is_err());
        assert!(gibbs_update(ln_p, &[2], 0).is_err());
        assert!(FiniteMetropolis::new(ln_p, proposal.as_matrix()).is_err());
    }
    assert!(FiniteMetropolis::new(&[f64::NEG_INFINITY; 2], proposal.as_matrix()).is_err());
    assert!(gibbs_update(&[0.0; 2], &[2], 1).is_err());
    assert!(gibbs_update(&[f64::NEG_INFINITY; 2], &[2], 0).is_err());
    for sizes in [&[][..], &[0], &[0, usize::MAX, usize::MAX], &[usize::MAX, usize::MAX]] {
        assert!(gibbs_update(&[], sizes, 0).is_err(), "{sizes:?}");
    }
}

#[test]
fn calibrations_of_nothing_are_refused() {
    assert!(Ranks::new("x", vec![], 9).is_err() && Ranks::new("x", vec![0], 0).is_err());
    assert!(Ranks::new("x", vec![10], 9).is_err());
    let ranks = Ranks::new("x", vec![1], 1).unwrap();
    assert!(ranks.histogram(0).is_err() && ranks.histogram(3).is_err() && ranks.coverage(0.5).is_err());
    assert!(ranks.p_value() > 0.0 && ranks.p_value() <= 1.0);
    for probability in [f64::NAN, 0.0, 1.0, -1.0] {
        assert!(EcdfBand::new(5, 5, probability).is_err() && ranks.band(probability).is_err());
        assert!(Coverage::new(0.5, 1, 2).unwrap().band(probability).is_err());
    }
    assert!(EcdfBand::new(0, 5, 0.9).is_err() && EcdfBand::new(5, 0, 0.9).is_err());
    assert!(Coverage::new(f64::NAN, 1, 2).is_err() && Coverage::new(0.5, 3, 2).is_err());
    assert!(Coverage::new(0.5, 0, 0).is_err());
    assert_eq!((Calibration::default().draws, JointDistribution::default().runs), (99, 200));
}
