//! Training sequence by sequence: stochastic gradient descent, the averaged perceptron.
//!
//! Both touch only the weights of what a sequence holds, so a step costs what its sequence is long, however
//! many weights there are; both may be fed from a stream by [`SgdLearner`] and [`PerceptronLearner`].

mod average;
mod descent;
mod perceptron;
mod slopes;

use rand::seq::SliceRandom;

use posterior_dist::stream::stream;

pub use descent::{Averaging, SgdLearner, SgdOptions, sgd};
pub use perceptron::{PerceptronLearner, PerceptronOptions, averaged_perceptron};

/// The order in which an epoch sees its sequences.
fn order(seed: u64, epoch: usize, len: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.shuffle(&mut stream(seed, &[epoch as u64]));
    order
}
