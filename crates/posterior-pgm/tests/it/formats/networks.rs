//! The networks of the repository of bnlearn: sizes, and rows.

use std::fs;
use std::io::Read;

use posterior_pgm::{GraphicalModel, NetworkFile, bif};
use posterior_testkit::shared::shared_file;

/// The bytes of the file of a network.
pub(crate) fn bytes(test: &str, name: &str) -> Option<Vec<u8>> {
    let folder = shared_file(test, "data/bn")?;
    let plain = folder.join(format!("{name}.bif"));
    if plain.exists() {
        return fs::read(plain).ok();
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(folder.join(format!("{name}.bif.gz"))).ok()?;
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// All networks, by name, with the numbers that `networks.csv` has of them.
pub(crate) fn all(test: &str) -> Vec<(String, Vec<f64>, NetworkFile)> {
    let Some(csv) = shared_file(test, "data/bn/networks.csv") else { return Vec::new() };
    let csv = fs::read_to_string(csv).unwrap();
    csv.lines()
        .skip(1)
        .map(|line| {
            let (name, numbers) = line.split_once(',').unwrap();
            let numbers = numbers.split(',').map(|number| number.parse().unwrap()).collect();
            let file = bif::read(&bytes(test, name).unwrap()).unwrap();
            (name.to_owned(), numbers, file)
        })
        .collect()
}

#[test]
fn have_the_sizes_of_the_repository() {
    let all = all("bif::networks");
    for (name, numbers, file) in &all {
        let network = &file.network;
        let n = network.variables().len();
        let arcs: usize = network.factors().iter().map(|table| table.scope().len() - 1).sum();
        let cells: usize = network.factors().iter().map(|table| table.values().len()).sum();
        let states = network.variables().cards().iter().max().unwrap();
        let parents = network.factors().iter().map(|table| table.scope().len() - 1).max().unwrap();
        let sizes = [n, arcs, network.parameter_count(), cells, *states, parents];
        assert_eq!(sizes.map(|size| size as f64)[..], numbers[..6], "{name}");
        let error = file.renormalized.iter().map(|row| (row.sum - 1.0).abs()).fold(0.0, f64::max);
        if error > 0.0 || numbers[6] > 1e-9 {
            assert!((error / numbers[6] - 1.0).abs() < 0.05, "{name}: {error:e} {:e}", numbers[6]);
        }
    }
    assert!(all.is_empty() || all.len() == 16);
}
