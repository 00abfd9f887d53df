//! Segments that end, or begin, at one position, of all durations at once.

use posterior_math::elementwise;

/// ln of the sum of exponentials of `terms`, which it replaces by their proportions in the sum; -∞ and zeros
/// if there is none.
pub(super) fn proportions_in_place(terms: &mut [f64]) -> f64 {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        terms.fill(0.0);
        return most;
    }
    for term in terms.iter_mut() {
        *term -= most;
    }
    elementwise::exp(terms);
    let total: f64 = terms.iter().sum();
    for term in terms.iter_mut() {
        *term /= total;
    }
    most + total.ln()
}

/// ln of the sum of exponentials of `terms`, which it uses up.
pub(super) fn ln_sum(terms: &mut [f64]) -> f64 {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    for term in terms.iter_mut() {
        *term -= most;
    }
    elementwise::exp(terms);
    most + terms.iter().sum::<f64>().ln()
}

/// The first of the largest terms, and it.
pub(super) fn largest(terms: &[f64]) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, &term) in terms.iter().enumerate() {
        if term > best.1 {
            best = (index, term);
        }
    }
    best
}

/// Adds a number to all of them.
pub(super) fn add(numbers: &mut [f64], number: f64) {
    for own in numbers.iter_mut() {
        *own += number;
    }
}
