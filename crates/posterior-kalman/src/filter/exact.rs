//! Observations without noise: what they leave of the distribution that is only rounding.

/// The part of a number that sums of n terms leave where they should cancel.
pub(super) fn rounding(n: usize) -> f64 {
    64.0 * n as f64 * f64::EPSILON
}

/// Whether a component of an observation has no noise; its root or its covariance is m x m.
#[inline]
pub(super) fn any(m: usize, noise: &[f64]) -> bool {
    (0..m).any(|i| noise[i * m + i] == 0.0)
}

/// For each row of a root, its largest entry.
pub(super) fn sizes(n: usize, root: &[f64], sizes: &mut [f64]) {
    for (i, size) in sizes[..n].iter_mut().enumerate() {
        *size = root.iter().skip(i).step_by(n).fold(0.0, |most, entry| entry.abs().max(most));
    }
}

/// How far the state moves a component, if every state moves by its size: terms that may cancel.
pub(super) fn reach(m: usize, component: usize, observation: &[f64], sizes: &[f64]) -> f64 {
    observation.iter().skip(component).step_by(m).zip(sizes).map(|(h, size)| h.abs() * size).sum()
}

/// Sets the rows of a root to zero that are but rounding of what they were.
pub(super) fn settle(n: usize, root: &mut [f64], before: &[f64]) {
    for (i, &size) in before[..n].iter().enumerate() {
        let limit = rounding(n) * size;
        if root.iter().skip(i).step_by(n).all(|entry| entry.abs() <= limit) {
            root.iter_mut().skip(i).step_by(n).for_each(|entry| *entry = 0.0);
        }
    }
}
