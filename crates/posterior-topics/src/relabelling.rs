//! Topics of one state of a chain taken for those of the states before it.

use posterior_math::linalg::DMatrix;
use posterior_math::optimize::minimum_cost_assignment;
use rayon::prelude::*;

/// For each topic of the `states` before, whose tables of words add up to `sums`, its topic in a state: those
/// whose words are nearest. Rows of both tables have a number for each topic. Without states before, topics
/// stay as they are.
///
/// A posterior is the same for topics in any order, if their prior is. Should a chain exchange two, which only
/// topics that are alike do, means over its states need one order.
///
/// Cost: rows x topics².
pub(crate) fn nearest_topics(topics: usize, (sums, states): (&[f64], f64), state: &[f64]) -> Vec<usize> {
    if states == 0.0 {
        return (0..topics).collect();
    }
    let distances = |k: usize| {
        let mut own = vec![0.0; topics];
        for (sums, state) in sums.chunks_exact(topics).zip(state.chunks_exact(topics)) {
            let mean = sums[k] / states;
            own.iter_mut().zip(state).for_each(|(distance, phi)| *distance += (mean - phi).abs());
        }
        own
    };
    let distances: Vec<Vec<f64>> = (0..topics).into_par_iter().map(distances).collect();
    let costs = DMatrix::from_fn(topics, topics, |k, j| distances[k][j]);
    let assignment = minimum_cost_assignment(&costs).ok().flatten();
    assignment.expect("invariant: distances are finite").columns
}
