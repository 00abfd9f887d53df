//! The grammar of `posterior decide`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, TableArgs};
use crate::level::Level;

#[derive(Debug, Subcommand)]
pub(crate) enum DecideVerb {
    /// An experiment with two or more arms: differences, lifts, which is best, and what a choice loses
    Ab(Box<DecideAb>),
    /// How many units an experiment needs, and what looking on the way does to it
    Power(DecidePower),
    /// A table of losses: the best action by expectation, in the worst case, by regret; the worth of
    /// information
    Table(DecideTable),
    /// An influence diagram: the best strategy, its expected utility, the worth of information
    Diagram(DecideDiagram),
    /// A Markov decision process: the best action in each state, where rewards come after later actions
    Process(DecideProcess),
    /// Which arm to play in each of new cases, by what is known of them
    Contextual(DecideContextual),
    /// What another policy would have earned, from a log of the one that was played
    OffPolicy(DecideOffPolicy),
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
    #[arg(long, value_name = "P", default_value = "0.95")]
    pub(crate) level: Level,
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
  posterior decide power --mean 20 --sd 35 --lift 0.1 --power 0.9 --out out

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
    #[arg(long, value_name = "M", requires_all = ["sd", "lift"], allow_negative_numbers = true)]
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
    #[arg(long, value_name = "P", default_value = "0.95")]
    pub(crate) level: Level,
    /// How many experiments are simulated for a number of units
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    pub(crate) runs: u64,
    /// Folder for the report, the curve of power and its table
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior decide table losses.csv --probabilities 0.7,0.3
  posterior decide table yields.csv --gains --probabilities 0.5,0.3,0.2 \\
    --likelihood test.csv --out out

The table has a row for each action, whose name is in the first column, and a column for each state. A table of an experiment (--likelihood) has a row for
each state, in their order, and a column for each result, with the probability of the result in the state.")]
pub(crate) struct DecideTable {
    /// A table with a header; also .gz; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The probabilities of the states, separated by commas [default: unknown]
    #[arg(long, value_name = "P,..", value_delimiter = ',')]
    pub(crate) probabilities: Vec<f64>,
    /// The numbers are gains, of which much is good
    #[arg(long)]
    pub(crate) gains: bool,
    /// The table of an experiment that could be made first
    #[arg(long, value_name = "FILE", requires = "probabilities")]
    pub(crate) likelihood: Option<PathBuf>,
    /// Folder for the report, a plot and the actions as CSV
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
  posterior decide diagram umbrella.json
  posterior decide diagram umbrella.json --evidence forecast=rain --out out

A diagram is a JSON file such as
  {\"variables\": [{\"name\": \"rain\", \"states\": [\"yes\", \"no\"]}, {\"name\": \"forecast\", \"states\": [\"rain\", \"sun\"]},
                 {\"name\": \"take\", \"states\": [\"yes\", \"no\"]}],
   \"chances\": [{\"of\": \"rain\", \"table\": [0.3, 0.7]}, {\"of\": \"forecast\", \"given\": [\"rain\"], \"table\": [[0.8, 0.2], [0.1, 0.9]]}],
   \"decisions\": [{\"of\": \"take\", \"knowing\": [\"forecast\"]}],
   \"utilities\": [{\"name\": \"comfort\", \"of\": [\"rain\", \"take\"], \"table\": [[70, 0], [20, 100]]}]}
Decisions are in the order in which they are made; what was known once is known later. Tables have a number for each state of `given` and `of`, in this
order, the last changing fastest. Utilities add up; costs are negative.")]
pub(crate) struct DecideDiagram {
    /// The diagram; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What was seen before the first decision, separated by commas
    #[arg(long, value_name = "NAME=STATE,..", value_delimiter = ',')]
    pub(crate) evidence: Vec<String>,
    /// Folder for the report, a plot and the strategy as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior decide process machine.csv --discount 0.95
  posterior decide process machine.csv --horizon 12 --costs --out out
  posterior decide process moves.csv --discount 0.9 --prior 1

The table has a row for each state that may follow an action, with the columns state, action, next, reward and probability, such as
  state,action,next,reward,probability
  new,run,new,10,0.7
  new,run,old,10,0.3
  old,run,old,4,1
  old,replace,new,-5,1
A state without rows of its own ends everything. With a column count instead of probability, probabilities are estimated from counts, and the answer says what
they leave open. Values are sums of rewards over all steps to come; without --discount, to an end that every state must lead to.")]
pub(crate) struct DecideProcess {
    /// A table with a header; also .gz; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What a reward one step later is worth, from 0 to 1 [default: 1, no discount]
    #[arg(long, value_name = "G")]
    pub(crate) discount: Option<f64>,
    /// The number of steps [default: no end of time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) horizon: Option<u32>,
    /// The rewards are costs, of which little is good
    #[arg(long)]
    pub(crate) costs: bool,
    /// Of counts: the weight of each outcome before any was seen [default: 0.5]
    #[arg(long, value_name = "A")]
    pub(crate) prior: Option<f64>,
    /// Of counts: how many processes are drawn [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) draws: Option<u32>,
    /// Folder for the report, a plot and the actions as CSV
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
  posterior decide contextual plays.csv --cases visitors.csv
  posterior decide contextual plays.csv --cases visitors.csv --formula \"~ age * device\"
  posterior decide contextual plays.csv --cases visitors.csv --out out

The log has one row for each play: its arm, its reward, and what was known of the case. Each arm has a regression of its rewards on these columns, averaged
over the scales of its coefficients and with noise of its own; new cases are rows with the same columns. The best arm of a case has the largest mean; p_best
is the probability that an arm is the best there. Who plays arms with these probabilities learns while earning (Thompson sampling), and keeps them for
`posterior decide off-policy`.")]
pub(crate) struct DecideContextual {
    /// A table with a header and one row per play; also .gz; `-` is standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// A table of new cases
    #[arg(long, value_name = "CSV")]
    pub(crate) cases: PathBuf,
    /// The column that names the arm
    #[arg(long, value_name = "COLUMN", default_value = "arm")]
    pub(crate) arm: String,
    /// The column of rewards
    #[arg(long, value_name = "COLUMN", default_value = "reward")]
    pub(crate) reward: String,
    /// How rewards depend on what is known of a case, as in R [default: on each column of the new cases]
    #[arg(long, value_name = "FORMULA")]
    pub(crate) formula: Option<String>,
    /// The probability of intervals
    #[arg(long, value_name = "P", default_value = "0.95")]
    pub(crate) level: Level,
    /// Folder for the report, a plot, and the cases with their arms as CSV
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
  posterior decide off-policy log.csv --reward click --propensity p --target q
  posterior decide off-policy log.csv --reward click --propensity p --target q \\
    --predicted m --predicted-target mq

The log has a row for each play: its reward, the probability with which the arm was chosen, and the probability with which the other policy chooses that
arm in the same situation; of a model, if there is one, the reward that it predicts for the arm and for the other policy.")]
pub(crate) struct DecideOffPolicy {
    /// A table with a header and one row per play; also .gz; `-` is standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// The column of rewards
    #[arg(long, value_name = "COLUMN", default_value = "reward")]
    pub(crate) reward: String,
    /// The column of the probabilities with which arms were chosen
    #[arg(long, value_name = "COLUMN", default_value = "propensity")]
    pub(crate) propensity: String,
    /// The column of the probabilities with which the other policy chooses them
    #[arg(long, value_name = "COLUMN", default_value = "target")]
    pub(crate) target: String,
    /// The column of rewards that a model predicts for the arms
    #[arg(long, value_name = "COLUMN", requires = "predicted_target")]
    pub(crate) predicted: Option<String>,
    /// The column of rewards that the model predicts for the other policy
    #[arg(long, value_name = "COLUMN", requires = "predicted")]
    pub(crate) predicted_target: Option<String>,
    /// The probability of intervals
    #[arg(long, value_name = "P", default_value = "0.95")]
    pub(crate) level: Level,
    /// Folder for the report and a plot
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
