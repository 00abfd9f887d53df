//! Times of short calls, side by side.

use std::fs;
use std::hint::black_box;
use std::sync::OnceLock;
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

/// Seconds of processor time that this thread has taken, where the system tells (Linux), else of time since the first call: for
/// runs so long that other programs would disturb a clock.
pub fn cpu_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
