//! Whether the most probable classes were right as often as said, in groups of like probability.

use posterior::evaluation::{Bin, Reliability};
use posterior_report::PageTable;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::failure::Failure;
use crate::level::Level;
use crate::output::{grouped, percent, shortest};
use crate::output_folder::OutputFolder;

pub(super) const NAME: &str = "reliability.csv";

/// Predictions with a probability between two ends.
#[derive(Debug)]
pub(super) struct Group {
    ends: (f64, f64),
    bin: Bin,
    rate: f64,
    mean_probability: f64,
    /// Of the probability to be right.
    interval: (f64, f64),
    level: Level,
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("low", &self.ends.0)?;
        map.serialize_entry("high", &self.ends.1)?;
        map.serialize_entry("rows", &self.bin.count)?;
        map.serialize_entry("mean_probability", &self.mean_probability)?;
        map.serialize_entry("rate", &self.rate)?;
        let [low, high] = &self.level.names();
        map.serialize_entry(&format!("rate_{low}"), &self.interval.0)?;
        map.serialize_entry(&format!("rate_{high}"), &self.interval.1)?;
        map.end()
    }
}

/// The groups that are not empty.
pub(super) fn groups(reliability: &Reliability, level: Level) -> Vec<Group> {
    let group = |(place, bin): (usize, &Bin)| {
        Some(Group {
            ends: reliability.edges(place),
            bin: *bin,
            rate: bin.rate()?,
            mean_probability: bin.mean_probability()?,
            interval: bin.interval(level.probability())?,
            level,
        })
    };
    reliability.bins().iter().enumerate().filter_map(group).collect()
}

/// A row of cells for each group, and the names of the cells.
pub(super) fn table(groups: &[Group], level: Level) -> (Vec<String>, Vec<Vec<String>>) {
    let mut header: Vec<String> = ["probability", "rows", "mean", "right"].map(str::to_owned).to_vec();
    header.extend(level.percents());
    let row = |own: &Group| {
        vec![
            format!("{} to {}", percent(own.ends.0), percent(own.ends.1)),
            grouped(own.bin.count),
            percent(own.mean_probability),
            percent(own.rate),
            percent(own.interval.0),
            percent(own.interval.1),
        ]
    };
    (header, groups.iter().map(row).collect())
}

/// The same on a page.
pub(super) fn page_table(groups: &[Group], level: Level) -> PageTable {
    let (header, rows) = table(groups, level);
    PageTable::new(header, rows)
}

/// The same as a file.
pub(super) fn put(folder: &OutputFolder, groups: &[Group], level: Level) -> Result<(), Failure> {
    let [low, high] = level.names();
    let header = ["low", "high", "rows", "happened", "mean_probability", "rate"].map(str::to_owned);
    let header = header.into_iter().chain([format!("rate_{low}"), format!("rate_{high}")]);
    let rows = groups.iter().map(|own| {
        let [rows, happened] = [own.bin.count, own.bin.happened].map(|count| count.to_string());
        let (low, high) = own.ends;
        let numbers = [own.mean_probability, own.rate, own.interval.0, own.interval.1];
        [shortest(low), shortest(high), rows, happened].into_iter().chain(numbers.map(shortest))
    });
    folder.put_table(NAME, header, rows)
}
