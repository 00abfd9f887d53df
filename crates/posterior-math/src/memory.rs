//! Limits of memory, and sizes as text.

use std::fs;
use std::path::{Path, PathBuf};

/// The limit where the system does not tell how much memory is free.
const ELSEWHERE: u64 = 4 << 30;

/// The bytes that a computation may take where nobody says: three quarters of the memory that is free now.
///
/// On Linux, what the kernel counts as available is free, or what the limit of the control group leaves if
/// that is less. Elsewhere the result is 4 GiB.
///
/// ```
/// assert!(posterior_math::memory::default_limit() > 0);
/// ```
pub fn default_limit() -> u64 {
    available().map_or(ELSEWHERE, |free| free / 4 * 3)
}

/// The bytes that are free for this process; `None` where the system does not tell.
fn available() -> Option<u64> {
    let system = kernel_available(&read(Path::new("/proc/meminfo"))?)?;
    let own = own_group(&read(Path::new("/proc/self/cgroup")).unwrap_or_default());
    let groups = Path::new(&own).ancestors().map(|group| {
        let relative = group.strip_prefix("/").unwrap_or(group);
        Path::new("/sys/fs/cgroup").join(relative)
    });
    Some(groups.filter_map(|group| free_in_group(&group)).fold(system, u64::min))
}

/// A number of bytes as text, in binary units with one decimal place.
///
/// ```
/// use posterior_math::memory::size_text;
///
/// assert_eq!(size_text(3_435_973_837), "3.2 GiB");
/// assert_eq!(size_text(1000), "1000 B");
/// ```
pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} B")
    } else if value >= 10_000.0 {
        format!("more than 10,000 {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// What is free below the limit of a control group (version 2); `None` if it has no limit.
fn free_in_group(group: &Path) -> Option<u64> {
    let file = |name: &str| read(&PathBuf::from(group).join(name));
    let limit: u64 = file("memory.max")?.trim().parse().ok()?;
    let used: u64 = file("memory.current")?.trim().parse().ok()?;
    let reclaimable = field(&file("memory.stat").unwrap_or_default(), "inactive_file").unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(reclaimable)))
}

/// The bytes of MemAvailable in `/proc/meminfo`, which counts in KiB.
fn kernel_available(meminfo: &str) -> Option<u64> {
    field(meminfo, "MemAvailable:")?.checked_mul(1024)
}

/// The group of this process, from `/proc/self/cgroup`: "0::/path".
fn own_group(groups: &str) -> String {
    groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/").to_owned()
}

/// The number after a word at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_counts_in_kibibytes() {
        let meminfo = "MemTotal:       16000 kB\nMemFree:  100 kB\nMemAvailable:    9000 kB\n";
        assert_eq!(kernel_available(meminfo), Some(9000 * 1024));
        assert_eq!(kernel_available("MemTotal: 1 kB"), None);
        assert_eq!(kernel_available("MemAvailable: many kB"), None);
    }

    #[test]
    fn the_group_of_version_two_has_the_number_zero() {
        assert_eq!(own_group("4:memory:/a\n0::/user.slice/b\n"), "/user.slice/b");
        assert_eq!(own_group("4:memory:/a\n"), "/");
    }

    #[test]
    fn a_limit_counts_only_what_cannot_be_taken_back() {
        let folder = std::env::temp_dir().join("posterior-free-memory-test");
        fs::create_dir_all(&folder).expect("temporary folders can be made");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("it is ours");
        write("memory.max", "1000\n");
        write("memory.current", "900\n");
        assert_eq!(free_in_group(&folder), Some(100));
        write("memory.stat", "file 5\ninactive_file 300\n");
        assert_eq!(free_in_group(&folder), Some(400));
        write("memory.max", "max\n");
        assert_eq!(free_in_group(&folder), None);
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
