//! A model that one run leaves and the next one uses: in every area the same predictions, and no others.

mod groups;
mod processes;
mod regress;
mod series;

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::program::Place;

/// Numbers that look random, between -2 and 2.
fn number(i: usize, j: usize) -> f64 {
    ((i * (37 + 22 * j) + 11 * j + i * i % 13) % 101) as f64 / 25.0 - 2.0
}

/// A table of rows from `from` on: a name, two numbers, a category; then a number, two classes, three
/// classes, a count.
fn table(from: usize, rows: usize) -> String {
    let mut text = "id,a,b,site,y,two,three,n\n".to_owned();
    for i in from..from + rows {
        let (a, b) = (number(i, 1), number(i, 2));
        let site = ["north", "south", "west"][i % 3];
        let noise = number(i, 5);
        let y = 2.0 + a - 0.5 * b + 0.3 * noise;
        let two = if a + noise > 0.0 { "yes" } else { "no" };
        let three = ["x", "y", "z"][usize::from(a + noise > -0.7) + usize::from(a + noise > 0.7)];
        let n = (0.5 + 0.5 * a + 0.4 * noise).exp().round();
        writeln!(text, "row {i},{a},{b},{site},{y},{two},{three},{n}").unwrap();
    }
    text
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all = [arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

/// The cells of the columns of a CSV without quotes.
fn column(csv: &str, name: &str) -> Vec<String> {
    let place = csv.lines().next().unwrap().split(',').position(|own| own == name).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').nth(place).unwrap().to_owned()).collect()
}

fn numbers(csv: &str, name: &str) -> Vec<f64> {
    column(csv, name).iter().map(|cell| cell.parse().unwrap()).collect()
}
