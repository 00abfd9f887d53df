//! Processor time.

use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

/// Seconds of processor time that this thread has taken, where the system says (Linux), else of time since
/// the first call: for runs so long that other programs would disturb a clock.
pub fn cpu_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let output = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = output.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
