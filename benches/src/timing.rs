//! Times of short calls, side by side.

use std::hint::black_box;
use std::time::Instant;

/// Passes over the arguments; the fastest counts, because only disturbances make a pass slower.
const PASSES: usize = 15;

/// Nanoseconds a call, over all rows of arguments in their order.
pub fn nanoseconds(rows: &[Vec<f64>], call: impl Fn(&[f64]) -> f64) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..PASSES {
        let start = Instant::now();
        let mut sum = 0.0;
        for row in rows {
            sum += call(black_box(row));
        }
        black_box(sum);
        least = least.min(start.elapsed().as_secs_f64());
    }
    least / rows.len() as f64 * 1e9
}

/// Nanoseconds a draw.
pub fn nanoseconds_a_draw<T>(draws: usize, mut draw: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..PASSES {
        let start = Instant::now();
        for _ in 0..draws {
            black_box(draw());
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    least / draws as f64 * 1e9
}
