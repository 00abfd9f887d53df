//! A data set: random numbers, a folder, and the program.

use posterior::dist::{Normal, Poisson, stream::stream};
use rand::distr::Distribution as _;
use rand::{Rng, RngExt as _};
use serde_json::Value;

use crate::program::Place;

pub(super) struct Simulation {
    rng: Box<dyn Rng>,
    pub(super) place: Place,
}

impl Simulation {
    pub(super) fn new(seed: u64) -> Self {
        Self { rng: Box::new(stream(seed, &[])), place: Place::new() }
    }

    /// A standard normal number.
    pub(super) fn normal(&mut self) -> f64 {
        Normal::mean_sd(0.0, 1.0).unwrap().sample(&mut self.rng)
    }

    pub(super) fn normals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.normal()).collect()
    }

    /// A uniform number from 0 to 1.
    pub(super) fn uniform(&mut self) -> f64 {
        self.rng.random()
    }

    pub(super) fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    pub(super) fn poisson(&mut self, mean: f64) -> f64 {
        let count: u64 = Poisson::new(mean).unwrap().sample(&mut self.rng);
        count as f64
    }

    /// A gamma variate of mean 1 and a whole shape.
    pub(super) fn gamma(&mut self, shape: u32) -> f64 {
        (0..shape).map(|_| -(1.0 - self.uniform()).ln()).sum::<f64>() / f64::from(shape)
    }

    /// The place that a uniform number falls on, of such probabilities.
    pub(super) fn choice(&mut self, probabilities: &[f64]) -> usize {
        let mut left = self.uniform();
        for (place, p) in probabilities.iter().enumerate() {
            if left < *p {
                return place;
            }
            left -= p;
        }
        probabilities.len() - 1
    }

    /// Writes a table.
    pub(super) fn table(&self, name: &str, header: &[String], rows: &[Vec<f64>]) {
        let line = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = rows.iter().map(line).collect();
        self.place.write(name, format!("{}\n{}\n", header.join(","), rows.join("\n")));
    }

    /// The JSON of a run that must succeed.
    pub(super) fn answer(&self, arguments: &[&str]) -> Value {
        let ran = self.place.succeed(&[arguments, &["--format", "json", "--threads", "1"]].concat());
        serde_json::from_str(&ran.stdout).unwrap()
    }

    /// A column of a table that the program has written.
    pub(super) fn column(&self, path: &str, name: &str) -> Vec<f64> {
        let mut table = csv::Reader::from_path(self.place.path(path)).unwrap();
        let place = table.headers().unwrap().iter().position(|own| own == name);
        let place = place.unwrap_or_else(|| panic!("{path} has no column {name}"));
        table.records().map(|row| number(&row.unwrap()[place])).collect()
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

/// A number of a JSON document; some are words, as infinity.
pub(super) fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| number(value.as_str().unwrap_or("missing")))
}

/// The two ends of an interval.
pub(super) fn ends(value: &Value) -> [f64; 2] {
    [float(&value[0]), float(&value[1])]
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Columns `x1` and so on, and then `last`.
pub(super) fn header(columns: usize, last: &[&str]) -> Vec<String> {
    let own = (1..=columns).map(|column| format!("x{column}"));
    own.chain(last.iter().map(|&name| name.to_owned())).collect()
}
