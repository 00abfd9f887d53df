//! Smoothed covariances by the gain of Rauch, Tung and Striebel, in the form of Joseph.

use super::links::SmoothedCovariances;
use crate::filter::{Convergence, Joseph, Recursion, symmetrize};
use crate::reflection::{product, product_transposed};
use crate::{Filtered, StateSpace};

/// For G = P Aᵀ (P⁻)⁻¹: (I - G A) P (I - G A)ᵀ + G (Pˢ + Q) Gᵀ.
pub(super) fn covariances(
    model: &StateSpace,
    filtered: &Filtered,
    mut found: SmoothedCovariances,
) -> SmoothedCovariances {
    let (n, length, steps) = (filtered.states(), filtered.len(), &filtered.covariances().steps);
    if length == 0 {
        return found;
    }
    let (mut convergence, mut steady, mut links) = (Convergence::default(), false, 0);
    let square = || vec![0.0; n * n];
    let (mut law, mut later) = (square(), steps.filtered(length - 1).to_vec());
    let (mut gain, mut rest, mut room) = (square(), square(), square());
    found.numbers.push(0);
    found.links.push(0);
    found.laws.extend_from_slice(&later);
    found.lag_ones.resize(n * n, 0.0);
    for t in (0..length - 1).rev() {
        let repeats = steps.numbers[t] == steps.numbers[t + 1];
        let again = repeats && t + 2 < length && steps.numbers[t + 1] == steps.numbers[t + 2];
        if again && steady {
            let number = found.numbers[found.numbers.len() - 1];
            found.numbers.push(number);
            found.links.push(links - 1);
            continue;
        }
        let covariance = steps.filtered(t);
        let transition = model.transition().matrix().at(t);
        if !again {
            steady = false;
            convergence.restart();
            product_transposed(n, n, n, covariance, transition, &mut gain);
            room.copy_from_slice(steps.predicted(t + 1));
            divide_by(n, &mut room, &mut gain);
            found.responses.extend_from_slice(&gain);
            links += 1;
            product(n, n, n, &gain, transition, &mut rest);
            for (place, entry) in rest.iter_mut().enumerate() {
                *entry = f64::from(u8::from(place % (n + 1) == 0)) - *entry;
            }
        }
        found.links.push(links - 1);
        let from = found.lag_ones.len();
        found.lag_ones.resize(from + n * n, 0.0);
        product_transposed(n, n, n, &later, &gain, &mut found.lag_ones[from..]);
        product(n, n, n, &rest, covariance, &mut room);
        product_transposed(n, n, n, &room, &rest, &mut law);
        let noise = model.transition().noise().at(t);
        let mut noisy: Vec<f64> = later.iter().zip(noise).map(|(p, q)| p + q).collect();
        product(n, n, n, &gain, &noisy, &mut room);
        product_transposed(n, n, n, &room, &gain, &mut noisy);
        for (entry, noise) in law.iter_mut().zip(&noisy) {
            *entry += noise;
        }
        symmetrize(n, &mut law);
        if again {
            steady = convergence.is_over(Joseph::change(n, &later, &law));
        }
        found.numbers.push((found.laws.len() / (n * n)) as u32);
        found.laws.extend_from_slice(&law);
        later.copy_from_slice(&law);
    }
    found.numbers.reverse();
    found.links.reverse();
    found
}

/// m + G (mˢ(t+1) - m⁻(t+1)).
pub(super) fn means(covariances: &SmoothedCovariances, filtered: &Filtered, means: &mut [f64]) {
    let n = covariances.n;
    let predicted = &filtered.means().predicted;
    for t in (0..filtered.len().saturating_sub(1)).rev() {
        let link = covariances.links[t] as usize;
        let gain = &covariances.responses[link * n * n..(link + 1) * n * n];
        let (now, next) = means.split_at_mut((t + 1) * n);
        for k in 0..n {
            let ahead = next[k] - predicted[(t + 1) * n + k];
            for i in 0..n {
                now[t * n + i] += gain[k * n + i] * ahead;
            }
        }
    }
}

/// X := X P⁻¹ for symmetric P (whose memory is used), or, where P is singular, the X P⁺ that leaves out what follows from the states before.
fn divide_by(n: usize, p: &mut [f64], x: &mut [f64]) {
    let mut regular = vec![false; n];
    for j in 0..n {
        let before = p[j * n + j];
        for k in (0..j).filter(|&k| regular[k]) {
            let along = p[k * n + j];
            for i in j..n {
                p[j * n + i] -= p[k * n + i] * along;
            }
        }
        let pivot = p[j * n + j];
        regular[j] = pivot > 8.0 * n as f64 * f64::EPSILON * before;
        if regular[j] {
            let root = pivot.sqrt();
            for i in j..n {
                p[j * n + i] /= root;
            }
        }
    }
    for j in 0..n {
        if !regular[j] {
            x[j * n..(j + 1) * n].fill(0.0);
            continue;
        }
        for k in (0..j).filter(|&k| regular[k]) {
            for i in 0..n {
                x[j * n + i] -= x[k * n + i] * p[k * n + j];
            }
        }
        for i in 0..n {
            x[j * n + i] /= p[j * n + j];
        }
    }
    for j in (0..n).rev().filter(|&j| regular[j]) {
        for k in (j + 1..n).filter(|&k| regular[k]) {
            for i in 0..n {
                x[j * n + i] -= x[k * n + i] * p[j * n + k];
            }
        }
        for i in 0..n {
            x[j * n + i] /= p[j * n + j];
        }
    }
}
