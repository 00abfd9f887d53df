//! The embedded tables against their source files, when these are beside the checkout.

use posterior_datasets::tables::{DataTable, GALAXIES, IRIS, OLD_FAITHFUL};
use posterior_testkit::shared::shared_file;

#[test]
fn the_figures_are_those_of_the_sources() {
    for (table, file) in [(OLD_FAITHFUL, "faithful.csv"), (IRIS, "iris.csv"), (GALAXIES, "galaxies.csv")] {
        let path = format!("data/tabular/{file}");
        let Some(path) = shared_file("the_figures_are_those_of_the_sources", &path) else { return };
        compare(&table, &std::fs::read_to_string(path).unwrap());
    }
}

fn compare(table: &DataTable, source: &str) {
    let rows: Vec<Vec<&str>> = source.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), table.rows().len(), "{}", table.title);
    for (i, (own, expected)) in table.rows().zip(&rows).enumerate() {
        for (value, cell) in own.iter().zip(expected) {
            assert_eq!(*value, cell.parse::<f64>().unwrap(), "{}: row {i}", table.title);
        }
        if let Some(labels) = table.labels {
            assert_eq!(labels.classes[usize::from(labels.each[i])], expected[own.len()], "row {i}");
        }
    }
}

#[test]
fn means_are_the_known_ones() {
    let mean = |table: &DataTable, column: usize| {
        table.rows().map(|row| row[column]).sum::<f64>() / table.rows().len() as f64
    };
    assert!((mean(&OLD_FAITHFUL, 1) - 70.897_058_823_529_41).abs() < 1e-12);
    assert!((mean(&IRIS, 0) - 5.843_333_333_333_334).abs() < 1e-12);
    assert!((mean(&GALAXIES, 0) - 20_828.170_731_707_316).abs() < 1e-9);
}
