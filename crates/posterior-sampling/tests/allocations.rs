//! A trajectory takes no memory: counted, in a binary of its own because the count needs an allocator of its
//! own.

use posterior_dist::stream::stream;
use posterior_dist::target::{FromGradFn, GradTarget};
use posterior_math::linalg::DMatrix;
use posterior_sampling::Transition;
use posterior_sampling::hamiltonian::{FixedPath, Metric, NoUTurn, PathLength};

fn normal(dim: usize) -> impl GradTarget {
    FromGradFn::new(dim, |x: &[f64], gradient: &mut [f64]| {
        let mut squares = 0.0;
        for (gradient, x) in gradient.iter_mut().zip(x) {
            *gradient = -x;
            squares += x * x;
        }
        -0.5 * squares
    })
}

/// Allocations of 200 steps after the first one, and the gradients that they took.
fn count<T: GradTarget, K: Transition<T>>(
    target: &T,
    kernel: &K,
    steps_of: impl Fn(&K::Info) -> usize,
) -> (u64, usize) {
    let mut rng = stream(3, &[]);
    let start = vec![0.1; target.dim()];
    let mut travel = |state: &mut K::State| kernel.step(target, state, &mut rng).map(|info| steps_of(&info));
    let Ok(mut state) = kernel.init(target, &start) else { return (u64::MAX, 0) };
    let mut steps = travel(&mut state).unwrap_or(0);
    let counted = allocation_counter::measure(|| {
        for _ in 0..200 {
            steps += travel(&mut state).unwrap_or(0);
        }
    });
    (counted.count_total, steps)
}

#[test]
fn a_trajectory_takes_no_memory() {
    let target = normal(20);
    let directions = DMatrix::from_fn(20, 1, |i, _| if i == 3 { 1.0 } else { 0.0 });
    let metrics = [
        Metric::unit(),
        Metric::diagonal(&[1.5; 20]).unwrap(),
        Metric::dense(&DMatrix::identity(20, 20)).unwrap(),
        Metric::low_rank(&[1.0; 20], &directions, &[2.0]).unwrap(),
    ];
    for metric in metrics {
        // Small steps: trajectories of hundreds of points.
        for step_size in [0.01, 0.3] {
            let nuts = NoUTurn::new(step_size, metric.clone()).unwrap();
            let (allocations, steps) = count(&target, &nuts, |travelled| travelled.n_steps);
            assert!(allocations == 0 && steps > 1000, "{allocations} allocations in {steps} steps");
            let hmc = FixedPath::new(step_size, metric.clone(), PathLength::Steps(20)).unwrap();
            let (allocations, steps) = count(&target, &hmc, |travelled| travelled.n_steps);
            assert!(allocations == 0 && steps == 201 * 20, "{allocations} allocations in {steps} steps");
        }
    }
    // The counter counts.
    assert!(allocation_counter::measure(|| drop(std::hint::black_box(vec![0.0; 9]))).count_total == 1);
}
