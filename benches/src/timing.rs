//! Times of short calls, side by side.

use std::fs;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

pub use posterior_testkit::timing::cpu_seconds;

use crate::comparison::Outcome;

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

/// The fewest seconds of a clock that so many runs took, and what came out of the last.
///
/// # Errors
/// Those of the runs.
pub fn least<T>(
    runs: usize,
    clock: impl Fn() -> f64,
    mut run: impl FnMut() -> Outcome<T>,
) -> Outcome<(f64, T)> {
    let (mut seconds, mut value) = (f64::INFINITY, None);
    for _ in 0..runs {
        let began = clock();
        value = Some(run()?);
        seconds = seconds.min(clock() - began);
    }
    Ok((seconds, value.ok_or("no run")?))
}

/// Runs in a pool of one thread, which then does all of the work: the clock of processor time is its own.
///
/// # Errors
/// That of the call.
pub fn on_one_thread<T: Send>(call: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(call)
}

/// Seconds since the first call.
pub fn elapsed_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Seconds of processor time that all threads of this program have taken, in hundredths, where the system
/// tells (Linux), else of time since the first call: for work that brings threads of its own.
pub fn cpu_seconds_of_all_threads() -> f64 {
    let output = fs::read_to_string("/proc/self/stat").ok();
    output.as_deref().and_then(ticks).map_or_else(elapsed_seconds, |ticks| ticks / TICKS_A_SECOND)
}

/// The unit of the times in /proc, on every processor that Linux runs on today.
const TICKS_A_SECOND: f64 = 100.0;

/// User and system time in a line of /proc/PID/stat: the twelfth and thirteenth figure after the name of the
/// program, which is in brackets.
fn ticks(stat: &str) -> Option<f64> {
    let (_, figures) = stat.rsplit_once(')')?;
    let mut times = figures.split_whitespace().skip(11);
    Some(times.next()?.parse::<f64>().ok()? + times.next()?.parse::<f64>().ok()?)
}
