//! `cargo xtask bench [FILTER]`: the benchmarks, and one table of what they measured.

mod results;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use self::results::Measurement;
use crate::table::{self, Side};
use crate::{Outcome, cargo};

/// Runs the benchmarks whose name matches the filter, and prints those that were measured.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut command = vec!["bench", "-p", "posterior-benches"];
    match arguments {
        [] => {}
        [filter] if !filter.starts_with('-') => command.extend(["--", filter]),
        _ => return Err("usage: cargo xtask bench [FILTER]".to_owned()),
    }
    let folder = cargo::target_folder()?.join("criterion");
    let before = estimates(&folder)?;
    cargo::run(&command)?;
    let mut measurements = Vec::new();
    for (path, time) in estimates(&folder)? {
        if before.get(&path) != Some(&time) {
            measurements.push(Measurement::read(&path)?);
        }
    }
    if measurements.is_empty() {
        return Err("no benchmark has that name".to_owned());
    }
    print!("\n{}", summary(measurements));
    Ok(())
}

/// The files of estimates below `folder` and when they were written; a missing folder has none.
fn estimates(folder: &Path) -> Result<BTreeMap<PathBuf, SystemTime>, String> {
    let mut found = BTreeMap::new();
    if folder.is_dir() {
        collect(folder, &mut found).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, SystemTime>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.ends_with("new/estimates.json") {
            found.insert(path.clone(), fs::metadata(&path)?.modified()?);
        }
    }
    Ok(())
}

/// The table, in the order of the names.
fn summary(mut measurements: Vec<Measurement>) -> String {
    measurements.sort_by(|a, b| a.name.cmp(&b.name));
    let mut rows = vec![["benchmark", "median", "±", "throughput"].map(str::to_owned).to_vec()];
    rows.extend(measurements.iter().map(Measurement::row));
    table::aligned(&rows, &[Side::Left, Side::Right, Side::Right, Side::Right])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_found_at_any_depth_and_only_the_new_ones() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["a/new", "b/c/new", "b/c/base"] {
            let inner = folder.path().join(name);
            fs::create_dir_all(&inner).expect("the folder takes folders");
            fs::write(inner.join("estimates.json"), "{}").expect("the folder takes files");
        }
        let found = estimates(folder.path()).expect("the folder is readable");
        let expected =
            ["a/new/estimates.json", "b/c/new/estimates.json"].map(|name| folder.path().join(name));
        assert_eq!(found.into_keys().collect::<Vec<_>>(), expected);
        assert_eq!(estimates(&folder.path().join("none")), Ok(BTreeMap::new()));
    }

    #[test]
    fn the_table_is_sorted_and_aligned() {
        let measurement = |name: &str, median| Measurement {
            name: name.to_owned(),
            median,
            error: 5.0,
            throughput: Vec::new(),
        };
        let text = summary(vec![measurement("lda/dense", 1.5e6), measurement("gamma", 12.0)]);
        let expected = "  benchmark   median        ±  throughput\n  \
                          gamma      12.0 ns  5.00 ns\n  \
                          lda/dense  1.50 ms  5.00 ns\n";
        assert_eq!(text, expected);
    }
}
