//! What this process has taken, as Linux says.

use std::fs;

/// Seconds of the processor and bytes of memory at most; zeros where the system does not say.
pub(crate) fn of_process() -> (f64, u64) {
    (cpu_seconds().unwrap_or(0.0), peak_memory().unwrap_or(0))
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may have blanks; it ends with the last parenthesis.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    // Linux counts in hundredths of a second for every program.
    Some((user + system) / 100.0)
}

fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
