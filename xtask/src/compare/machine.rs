//! The machine, the day, and the versions of all that is compared.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use super::python;
use crate::cargo;

/// Crates that are peers, by their names in the lock file.
const CRATES: [&str; 5] = ["nuts-rs", "puruspe", "rand_distr", "special", "statrs"];

/// What is described, and how.
pub(super) fn describe(python: Option<&str>) -> Result<Vec<(&'static str, String)>, String> {
    let lock = fs::read_to_string(cargo::root().join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let ours = env!("CARGO_PKG_VERSION");
    let commit = first_line("git", &["rev-parse", "--short", "HEAD"]);
    let crates: Vec<String> =
        CRATES.iter().filter_map(|name| Some(format!("{name} {}", locked(&lock, name)?))).collect();
    let mut facts = vec![
        ("date", today()?),
        ("processor", processor()),
        ("memory", memory()),
        ("system", system()),
        ("posterior", commit.map_or(ours.to_owned(), |commit| format!("{ours}, commit {commit}"))),
        ("compiler", compiler()),
        ("crates", crates.join(", ")),
    ];
    if let Some(python) = python {
        facts.push(("Python", first_line(python, &["--version"]).unwrap_or_else(|| "unknown".to_owned())));
        facts.push(("its libraries", python::versions(python)?.join(", ")));
    }
    Ok(facts)
}

/// What a build was timed on.
pub(crate) fn processor_and_compiler() -> String {
    format!("{}, {}", processor(), compiler())
}

fn compiler() -> String {
    first_line("rustc", &["--version"]).unwrap_or_else(|| "unknown".to_owned())
}

/// The load average of a minute, where the system tells (Linux).
pub(super) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The program that runs scripts of R, where it is installed.
pub(super) fn rscript() -> Option<&'static str> {
    first_line("Rscript", &["-e", "cat(1)"]).map(|_| "Rscript")
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(cargo::root()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.lines().next()?.trim().to_owned())
}

/// The version of a package in a lock file.
fn locked(lock: &str, name: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    Some(rest.split('"').next()?.to_owned())
}

/// The value of `key` in a file of lines `key: value`.
fn value(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|own| own.trim() == key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn processor() -> String {
    let model = value("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{model}, {cores} cores")
}

fn memory() -> String {
    let kilobytes =
        value("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    kilobytes.map_or("unknown".to_owned(), |own| format!("{:.0} GB", own / 1e6))
}

fn system() -> String {
    let release = fs::read_to_string("/etc/os-release").ok();
    let name =
        release.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    let parts = [
        name.map(|own| own.trim_matches('"').to_owned()),
        kernel.map(|own| format!("kernel {}", own.trim())),
    ];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() { std::env::consts::OS.to_owned() } else { known.join(", ") }
}

fn today() -> Result<String, String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
    let (year, month, day) = civil(since.as_secs() / 86_400);
    Ok(format!("{year}-{month:02}-{day:02} (UTC)"))
}

/// Year, month and day, so many days after the first of January 1970 (H. Hinnant's rule: years that begin in
/// March).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * from_march + 2) / 5 + 1, (from_march + 2) % 12 + 1);
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, date) in
            [(0, (1970, 1, 1)), (11_016, (2000, 2, 29)), (11_017, (2000, 3, 1)), (20_454, (2026, 1, 1))]
        {
            assert_eq!(civil(days), date);
        }
    }

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = "[[package]]\nname = \"statrs\"\nversion = \"0.19.1\"\nsource = \"registry\"\n";
        assert_eq!(locked(lock, "statrs").as_deref(), Some("0.19.1"));
        assert_eq!(locked(lock, "special"), None);
    }
}
