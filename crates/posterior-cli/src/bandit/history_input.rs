//! Plays from a table.

use std::collections::BTreeSet;

use posterior::decision::bandit::History;
use posterior::table::TableFile;

use crate::args::BanditAdvise;
use crate::failure::Failure;

/// What was played, with the names of the arms.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) source: String,
    /// In the order in which ties are broken.
    pub(super) names: Vec<String>,
    pub(super) history: History,
    /// The least and the largest reward.
    pub(super) bounds: [f64; 2],
}

impl Input {
    pub(super) fn read(args: &BanditAdvise) -> Result<Self, Failure> {
        let bounds = bounds(&args.bounds)?;
        let opened = TableFile::open(&args.history, &args.table.options()?)?;
        let header = opened.header();
        let first = args.arm.clone().unwrap_or_else(|| header[0].clone());
        let last = header.iter().rev().find(|name| **name != first).cloned();
        let Some(reward) = args.reward.clone().or(last) else {
            let message = format!("{}: line 1: expected a column of arms and one of rewards", opened.source);
            return Err(
                Failure::data(message).with_hint("a table has a header, and commas between its columns")
            );
        };
        let table = opened.read(&[&first, &reward], |rows| 64 * rows as u64)?;
        let (played, rewards) = (table.labels(&first)?, table.complete_numbers(&reward)?);
        let names = if args.arms.is_empty() { names(&played) } else { args.arms.clone() };
        if let Some(twice) = (1..names.len()).find(|&place| names[..place].contains(&names[place])) {
            return Err(Failure::Usage(format!("--arms: {} is there twice", names[twice])));
        }
        let mut history = History::new(names.len())?;
        for (row, (name, given)) in played.iter().zip(rewards).enumerate() {
            let place = |what: &str| format!("{}: line {}, column {what}", table.source, table.line(row));
            let Some(arm) = names.iter().position(|known| known == name) else {
                let message = format!("{}: {name:?} is none of the arms {}", place(&first), names.join(", "));
                return Err(Failure::data(message).with_hint("name all arms with --arms"));
            };
            if !(bounds[0]..=bounds[1]).contains(&given) {
                let message = format!(
                    "{}: expected a reward from {} to {}, found {given}",
                    place(&reward),
                    bounds[0],
                    bounds[1]
                );
                return Err(
                    Failure::data(message).with_hint("say with --bounds LOW:HIGH what rewards there can be")
                );
            }
            history.push(arm, given)?;
        }
        Ok(Self { source: table.source.clone(), names, history, bounds })
    }
}

/// The arms that were played: by number if all are numbers, else by name.
fn names(played: &[&str]) -> Vec<String> {
    let different: BTreeSet<&str> = played.iter().copied().collect();
    let mut names: Vec<String> = different.into_iter().map(str::to_owned).collect();
    let numbers: Option<Vec<f64>> = names.iter().map(|name| name.parse().ok()).collect();
    if let Some(numbers) = numbers {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        names = order.into_iter().map(|place| names[place].clone()).collect();
    }
    names
}

/// The least and the largest outcome that there can be, from `LOW:HIGH`.
pub(crate) fn bounds(text: &str) -> Result<[f64; 2], Failure> {
    let wrong =
        || Failure::Usage(format!("--bounds {text}: expected two finite numbers LOW:HIGH, the lower first"));
    let (low, high) = text.split_once(':').ok_or_else(wrong)?;
    let [low, high] = [low, high].map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
    if low < high && low.is_finite() && high.is_finite() && (high - low).is_finite() {
        Ok([low, high])
    } else {
        Err(wrong())
    }
}
