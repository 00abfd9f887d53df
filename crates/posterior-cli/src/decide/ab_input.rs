//! The arms of an experiment from a table: one row for each unit, or counts.

use posterior::math::streaming::MeanVariance;
use posterior::table::{DataFrame, TableFile, listed};

use crate::args::DecideAb;
use crate::failure::Failure;

/// What was seen of an arm.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Seen {
    /// Successes of so many trials.
    Counts([u64; 2]),
    Numbers(MeanVariance),
}

/// An experiment as a table has it: the control first, the others in the order of the table.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) source: String,
    pub(super) arms: Vec<(String, Seen)>,
    /// The least and the largest outcome.
    pub(super) ends: [f64; 2],
    pub(super) notes: Vec<String>,
}

impl Input {
    pub(super) fn read(args: &DecideAb) -> Result<Self, Failure> {
        let opened = TableFile::open(&args.data, &args.table.options()?)?;
        let header = opened.header();
        let named: Vec<&String> = [&args.y, &args.successes, &args.trials].into_iter().flatten().collect();
        let first = header.iter().find(|name| !named.contains(name));
        let arm = args.arm.clone().or_else(|| first.cloned()).unwrap_or_else(|| header[0].clone());
        if named.contains(&&arm) {
            let message =
                format!("{}: the column {arm:?} would be that of the arms and of outcomes", opened.source);
            return Err(
                Failure::data(message).with_hint("name them with --arm and --y, or --successes and --trials")
            );
        }
        let last = header.iter().rev().find(|name| **name != arm).cloned();
        let (mut notes, mut ends) = (Vec::new(), [0.0, 1.0]);
        let (source, mut arms) = if let (Some(successes), Some(trials)) = (&args.successes, &args.trials) {
            let table = opened.read(&[&arm, successes, trials], |rows| 64 * rows as u64)?;
            (table.source.clone(), counts(&table, &arm, [successes, trials])?)
        } else {
            let Some(y) = args.y.clone().or(last) else {
                let message =
                    format!("{}: line 1: expected a column of arms and one of outcomes", opened.source);
                return Err(
                    Failure::data(message).with_hint("a table has a header, and commas between its columns")
                );
            };
            let table = opened.read(&[&arm, &y], |rows| 64 * rows as u64)?;
            (table.source.clone(), {
                let outcomes = outcomes(&table, &y, args.success.as_deref(), &mut notes)?;
                let there = || outcomes.iter().copied();
                ends = [there().fold(f64::INFINITY, f64::min), there().fold(f64::NEG_INFINITY, f64::max)];
                units(&table, &arm, &outcomes)?
            })
        };
        if let Some(control) = &args.control {
            let Some(place) = arms.iter().position(|(name, _)| name == control) else {
                let names: Vec<&str> = arms.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("--control {control}: the arms of {source} are {}", listed(&names));
                return Err(Failure::Usage(message));
            };
            arms[..=place].rotate_right(1);
        }
        if arms.len() < 2 {
            let message = format!("{source}: column {arm}: expected two arms at least, found {}", arms.len());
            return Err(Failure::data(message).with_hint("name the column of arms with --arm"));
        }
        Ok(Self { source, arms, ends, notes })
    }
}

/// One row for each arm, or several that are added up.
fn counts(
    table: &DataFrame,
    arm: &str,
    [successes, trials]: [&String; 2],
) -> Result<Vec<(String, Seen)>, Failure> {
    let (names, won, of) = (table.labels(arm)?, table.counts(successes)?, table.counts(trials)?);
    let mut arms: Vec<(String, [u64; 2])> = Vec::new();
    for (row, name) in names.into_iter().enumerate() {
        if won[row] > of[row] {
            return Err(table
                .refused(row, successes, &format!("at most the {} of {trials}", of[row]))
                .into());
        }
        let place = arms.iter().position(|own| own.0 == name).unwrap_or_else(|| {
            arms.push((name.to_owned(), [0, 0]));
            arms.len() - 1
        });
        arms[place].1[0] += won[row];
        arms[place].1[1] += of[row];
    }
    if let Some((name, _)) = arms.iter().find(|(_, own)| own[1] == 0) {
        return Err(Failure::data(format!("{}: arm {name} has no units: {trials} is 0", table.source)));
    }
    Ok(arms.into_iter().map(|(name, own)| (name, Seen::Counts(own))).collect())
}

/// The outcome of each unit, NaN where it is missing.
fn outcomes(
    table: &DataFrame,
    y: &str,
    success: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Vec<f64>, Failure> {
    let outcomes: Vec<f64> = match success {
        None => table.numbers(y).map_err(|error| {
            Failure::from(error).or("of words, name the one that is a success with --success")
        })?,
        Some(success) => {
            let words = table.texts_or_missing(y)?;
            if !words.contains(&Some(success)) {
                let mut known: Vec<&str> = words.into_iter().flatten().collect();
                known.sort_unstable();
                known.dedup();
                known.truncate(8);
                let message = format!("{}: column {y}: no cell is {success:?}", table.source);
                return Err(Failure::data(message).with_hint(format!("there are {}", listed(&known))));
            }
            let of = |word: Option<&str>| word.map_or(f64::NAN, |word| f64::from(u8::from(word == success)));
            words.into_iter().map(of).collect()
        }
    };
    let missing = outcomes.iter().filter(|own| own.is_nan()).count();
    if missing > 0 {
        notes.push(format!("{missing} of {} rows have no outcome, and are left out", outcomes.len()));
    }
    Ok(outcomes)
}

/// One row for each unit.
fn units(table: &DataFrame, arm: &str, outcomes: &[f64]) -> Result<Vec<(String, Seen)>, Failure> {
    let coins = outcomes.iter().all(|own| own.is_nan() || *own == 0.0 || *own == 1.0);
    let mut arms: Vec<(String, MeanVariance)> = Vec::new();
    for (name, &outcome) in table.labels(arm)?.iter().zip(outcomes) {
        let place = arms.iter().position(|own| own.0 == *name).unwrap_or_else(|| {
            arms.push(((*name).to_owned(), MeanVariance::new()));
            arms.len() - 1
        });
        if !outcome.is_nan() {
            arms[place].1.push(outcome);
        }
    }
    let seen = |(name, own): (String, MeanVariance)| {
        let count = own.weight() as u64;
        let needed = if coins { 1 } else { 3 };
        if count < needed {
            let message =
                format!("{}: arm {name} has {count} outcomes, expected {needed} at least", table.source);
            return Err(Failure::data(message).with_hint("is the column of arms right (--arm)?"));
        }
        let won = (own.weight() * own.mean()).round() as u64;
        Ok((name, if coins { Seen::Counts([won, count]) } else { Seen::Numbers(own) }))
    };
    arms.into_iter().map(seen).collect()
}
