//! The grammar of `posterior decide`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum DecideVerb {
    /// An experiment with two or more arms: differences, lifts, which is best, and what a choice loses
    Ab(Box<DecideAb>),
    /// How many units an experiment needs, and what looking on the way does to it
    Power(DecidePower),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior decide ab counts.csv --successes bought --trials visitors
  posterior decide ab visits.csv --arm variant --y bought --out out
  posterior decide ab visits.csv --arm variant --y revenue --control old
  posterior decide ab visits.csv --y answer --success yes --format json

The table has one row for each unit (a visitor, a patient) with its arm and its outcome, or one for each arm with counts. Outcomes of 0 and 1, and
those of --success, are successes: an arm has a proportion, with Jeffreys' prior. Other numbers have a mean and a variance for each arm. Differences and
lifts (the difference as a part of the control's mean) are against the control, each interval by itself.

Intervals hold for a number of units that was fixed beforehand. Who looks on the way and stops when an interval leaves 0 will find differences that are not
there: for that there are the intervals that hold at all times together, of successes, and of numbers whose limits are known (--bounds).")]
pub(crate) struct DecideAb {
    /// A table with a header; also .gz; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// The column that names the arm [default: the first column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) arm: Option<String>,
    /// The column of outcomes, of a table with one row for each unit [default: the last column]
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["successes", "trials"])]
    pub(crate) y: Option<String>,
    /// The outcome that is a success, if outcomes are words
    #[arg(long, value_name = "WORD", conflicts_with_all = ["successes", "trials"])]
    pub(crate) success: Option<String>,
    /// The column of the numbers of successes, of a table with one row for each arm
    #[arg(long, value_name = "COLUMN", requires = "trials")]
    pub(crate) successes: Option<String>,
    /// The column of the numbers of units
    #[arg(long, value_name = "COLUMN", requires = "successes")]
    pub(crate) trials: Option<String>,
    /// The arm that others are compared with [default: that of the first row]
    #[arg(long, value_name = "ARM")]
    pub(crate) control: Option<String>,
    /// Small outcomes are good
    #[arg(long)]
    pub(crate) minimize: bool,
    /// The smallest and the largest possible outcome, for intervals of numbers that hold at all times
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    pub(crate) bounds: Option<String>,
    /// The probability of intervals
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    pub(crate) level: f64,
    /// Folder for the report, plots and the arms as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior decide power --rate 0.05 --lift 0.1
  posterior decide power --rate 0.05 --difference 0.01 --units 4000 --looks 10
  posterior decide power --mean 20 --sd 35 --difference 2 --power 0.9 --out out

Experiments with a control and one other arm are simulated, and each is judged as `posterior decide ab` judges it: something is found if the interval
of the difference leaves out 0. Without --units the least number of units of each arm is searched that has the power. False alarms are what is
found when the arms are alike; with --looks, also of those who look so often and stop at the first find.")]
pub(crate) struct DecidePower {
    /// The proportion of successes of the control
    #[arg(long, value_name = "P", conflicts_with_all = ["mean", "sd"], required_unless_present = "sd")]
    pub(crate) rate: Option<f64>,
    /// The standard deviation of outcomes that are numbers, in both arms
    #[arg(long, value_name = "SD")]
    pub(crate) sd: Option<f64>,
    /// The mean of the control, for --lift
    #[arg(long, value_name = "M", requires = "sd", allow_negative_numbers = true)]
    pub(crate) mean: Option<f64>,
    /// The difference that is to be found
    #[arg(long, value_name = "D", allow_negative_numbers = true, required_unless_present = "lift")]
    pub(crate) difference: Option<f64>,
    /// The same as a part of the control's proportion or mean
    #[arg(long, value_name = "R", allow_negative_numbers = true, conflicts_with = "difference")]
    pub(crate) lift: Option<f64>,
    /// Units of each arm [default: as many as --power needs]
    #[arg(long, value_name = "N")]
    pub(crate) units: Option<u64>,
    /// The probability to find the difference
    #[arg(long, value_name = "P", default_value_t = 0.8, conflicts_with = "units")]
    pub(crate) power: f64,
    /// How often one looks, after equal parts of the units
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) looks: u64,
    /// The probability of intervals
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    pub(crate) level: f64,
    /// How many experiments are simulated for a number of units
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    pub(crate) runs: u64,
    /// Folder for the report, the curve of power and its table
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
