//! The loops over coordinates. Sums run in eight lanes, so that they vectorise; their order is part of the
//! result.

const LANES: usize = 8;

/// A sum in lanes.
fn total(lanes: [f64; LANES]) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// to := from + factor · direction.
pub(super) fn add_multiple(from: &[f64], factor: f64, direction: &[f64], to: &mut [f64]) {
    for ((to, from), direction) in to.iter_mut().zip(from).zip(direction) {
        *to = from + factor * direction;
    }
}

/// to := to + factor · direction.
pub(super) fn add_to(to: &mut [f64], factor: f64, direction: &[f64]) {
    for (to, direction) in to.iter_mut().zip(direction) {
        *to += factor * direction;
    }
}

/// to := x ∘ y.
pub(super) fn multiply(x: &[f64], y: &[f64], to: &mut [f64]) {
    for ((to, x), y) in to.iter_mut().zip(x).zip(y) {
        *to = x * y;
    }
}

/// Half a kick and a drift along a diagonal metric: w := w₀ + half · force, x := x₀ + step · scales ∘ w.
pub(super) fn kick_and_drift(
    [half, step]: [f64; 2],
    scales: &[f64],
    [w_from, force, x_from]: [&[f64]; 3],
    [w, x]: [&mut [f64]; 2],
) {
    let from = w_from.iter().zip(force).zip(x_from).zip(scales);
    for (((((w_from, force), x_from), scale), w), x) in from.zip(w.iter_mut()).zip(x.iter_mut()) {
        let moved = w_from + half * force;
        *w = moved;
        *x = x_from + step * scale * moved;
    }
}

/// The other half of the kick, the new w added to a running sum; returns wᵀ w.
pub(super) fn kick_and_sum(half: f64, force: &[f64], w: &mut [f64], sum: &mut [f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (force_blocks, force_rest) = force.as_chunks::<LANES>();
    let (w_blocks, w_rest) = w.as_chunks_mut::<LANES>();
    let (sum_blocks, sum_rest) = sum.as_chunks_mut::<LANES>();
    for ((w, sum), force) in w_blocks.iter_mut().zip(sum_blocks).zip(force_blocks) {
        for k in 0..LANES {
            let kicked = w[k] + half * force[k];
            w[k] = kicked;
            sum[k] += kicked;
            lanes[k] += kicked * kicked;
        }
    }
    let mut rest = 0.0;
    for ((w, sum), force) in w_rest.iter_mut().zip(sum_rest).zip(force_rest) {
        *w += half * force;
        *sum += *w;
        rest += *w * *w;
    }
    total(lanes) + rest
}

/// As [`kick_and_sum`] on a diagonal metric, where the force is scales ∘ gradient, which is written too.
pub(super) fn pull_kick_and_sum(
    half: f64,
    [scales, gradient]: [&[f64]; 2],
    [force, w, sum]: [&mut [f64]; 3],
) -> f64 {
    let mut lanes = [0.0; LANES];
    let (scale_blocks, scale_rest) = scales.as_chunks::<LANES>();
    let (gradient_blocks, gradient_rest) = gradient.as_chunks::<LANES>();
    let (force_blocks, force_rest) = force.as_chunks_mut::<LANES>();
    let (w_blocks, w_rest) = w.as_chunks_mut::<LANES>();
    let (sum_blocks, sum_rest) = sum.as_chunks_mut::<LANES>();
    let given = scale_blocks.iter().zip(gradient_blocks);
    for (((w, sum), force), (scale, gradient)) in
        w_blocks.iter_mut().zip(sum_blocks).zip(force_blocks).zip(given)
    {
        for k in 0..LANES {
            let pulled = scale[k] * gradient[k];
            let kicked = w[k] + half * pulled;
            force[k] = pulled;
            w[k] = kicked;
            sum[k] += kicked;
            lanes[k] += kicked * kicked;
        }
    }
    let mut rest = 0.0;
    let given = scale_rest.iter().zip(gradient_rest);
    for (((w, sum), force), (scale, gradient)) in w_rest.iter_mut().zip(sum_rest).zip(force_rest).zip(given) {
        *force = scale * gradient;
        *w += half * *force;
        *sum += *w;
        rest += *w * *w;
    }
    total(lanes) + rest
}

/// Whether a piece of a trajectory turns back: with ρ = after - before, the sum of its momenta, unless ρᵀ
/// first > 0 and ρᵀ last > 0.
pub(super) fn turns([after, before]: [&[f64]; 2], [first, last]: [&[f64]; 2]) -> bool {
    let (mut with_first, mut with_last) = ([0.0; LANES], [0.0; LANES]);
    let (after_blocks, after_rest) = after.as_chunks::<LANES>();
    let (before_blocks, before_rest) = before.as_chunks::<LANES>();
    let (first_blocks, first_rest) = first.as_chunks::<LANES>();
    let (last_blocks, last_rest) = last.as_chunks::<LANES>();
    let sums = after_blocks.iter().zip(before_blocks);
    for ((first, last), (after, before)) in first_blocks.iter().zip(last_blocks).zip(sums) {
        for k in 0..LANES {
            let rho = after[k] - before[k];
            with_first[k] += rho * first[k];
            with_last[k] += rho * last[k];
        }
    }
    let (mut rest_first, mut rest_last) = (0.0, 0.0);
    let sums = after_rest.iter().zip(before_rest);
    for ((first, last), (after, before)) in first_rest.iter().zip(last_rest).zip(sums) {
        let rho = after - before;
        rest_first += rho * first;
        rest_last += rho * last;
    }
    !(total(with_first) + rest_first > 0.0 && total(with_last) + rest_last > 0.0)
}
