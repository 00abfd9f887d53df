//! The kernels of samplers as matrices.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;

use super::TransitionMatrix;
use crate::Error;

/// The kernel of Metropolis and Hastings that proposes by `proposal` and accepts with min(1, p(j) q(j, i) /
/// (p(i) q(i, j))).
///
/// The target is ln p of each state, up to a constant. From a state of probability zero every proposal is
/// accepted.
///
/// # Errors
/// Another number of states; ln p that is NaN or +∞.
pub fn metropolis_hastings(ln_p: &[f64], proposal: &TransitionMatrix) -> Result<TransitionMatrix, Error> {
    let n = check_target(ln_p, proposal.size())?;
    let moves = |from: usize| {
        (0..n).filter(move |&to| to != from).map(move |to| {
            let (there, back) = (proposal.probability(from, to), proposal.probability(to, from));
            let ln_ratio = ln_p[to] - ln_p[from] + back.ln() - there.ln();
            let ln_acceptance = if ln_p[from] == f64::NEG_INFINITY { 0.0 } else { ln_ratio.min(0.0) };
            (to, if there > 0.0 { there * ln_acceptance.exp() } else { 0.0 })
        })
    };
    Ok(TransitionMatrix::from_moves(n, moves)?)
}

/// The kernel that draws one coordinate from its distribution given the others, on the states of a product
/// space.
///
/// A state is the number whose digits are the coordinates, the last one changing fastest, with `sizes[i]`
/// values of coordinate i. The product of the kernels of all coordinates, by
/// [`then`](TransitionMatrix::then), is a sweep.
///
/// # Errors
/// Another number of states than the product of the sizes; a coordinate that is not there; ln p that is NaN
/// or +∞; coordinates whose conditional distribution does not exist, for all values have probability zero.
pub fn gibbs_update(ln_p: &[f64], sizes: &[usize], coordinate: usize) -> Result<TransitionMatrix, Error> {
    let states =
        sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size)).unwrap_or(usize::MAX);
    let n = check_target(ln_p, states)?;
    check::require(n > 0, "gibbs_update", "states", n as f64, "positive")?;
    check::require(
        coordinate < sizes.len(),
        "gibbs_update",
        "coordinate",
        coordinate as f64,
        "below the number of coordinates",
    )?;
    let stride: usize = sizes[coordinate + 1..].iter().product();
    let size = sizes[coordinate];
    let mut matrix = DMatrix::zeros(n, n);
    for state in 0..n {
        let first = state - state / stride % size * stride;
        let mut distribution: Vec<f64> = (0..size).map(|value| ln_p[first + value * stride]).collect();
        let largest = distribution.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        check::require(
            largest > f64::NEG_INFINITY,
            "gibbs_update",
            "ln p given the rest of state",
            largest,
            "finite",
        )
        .map_err(|why| why.at(state))?;
        softmax_in_place(&mut distribution);
        for (value, p) in distribution.into_iter().enumerate() {
            matrix[(state, first + value * stride)] = p;
        }
    }
    Ok(TransitionMatrix::new(matrix)?)
}

fn check_target(ln_p: &[f64], states: usize) -> Result<usize, Error> {
    check::dimension("states of a target", states, ln_p.len())?;
    for (i, &value) in ln_p.iter().enumerate() {
        check::require(value < f64::INFINITY, "finite target", "ln p", value, "less than infinity")
            .map_err(|why| why.at(i))?;
    }
    Ok(states)
}
