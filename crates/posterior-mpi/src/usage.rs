//! What this process has taken, as Linux says.

use std::fs;

use serde_json::{Value, json};

/// Seconds of the processor, bytes of memory at most, and bytes of files that were read and written; null
/// where the system does not say.
pub(crate) fn of_process() -> Value {
    let peak = field("/proc/self/status", "VmHWM:").map(|kibibytes| kibibytes * 1024);
    json!({
        "cpu_seconds": cpu_seconds(),
        "peak_memory": peak,
        "read": field("/proc/self/io", "rchar:"),
        "written": field("/proc/self/io", "wchar:"),
    })
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

/// The number behind a name, in a file of a name and a number in each line.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
