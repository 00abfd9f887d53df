//! `cargo xtask soak [--rounds N] [--seed S]`: the command line, built for release, survives being killed at
//! any moment, and files made to fill memory.

mod ceilings;
mod kills;

use std::path::PathBuf;
use std::time::SystemTime;

use crate::{Outcome, cargo};

/// How many fits are killed, unless stated otherwise.
const ROUNDS: u32 = 100;

/// Kills, then ceilings.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (rounds, seed) = options(arguments)?;
    let binary = release_binary()?;
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    println!("soak: {rounds} rounds, --seed {seed}");
    kills::run(&binary, &folder.path().join("kills"), rounds, Moments(seed))?;
    ceilings::run(&binary, &folder.path().join("ceilings"))
}

fn options(arguments: &[String]) -> Result<(u32, u64), String> {
    let usage = || "usage: cargo xtask soak [--rounds N] [--seed S]".to_owned();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let (mut rounds, mut seed) = (ROUNDS, now.map_or(0, |time| time.as_secs()));
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let number = words.next().ok_or_else(usage)?;
        match word.as_str() {
            "--rounds" => rounds = number.parse().map_err(|_| usage())?,
            "--seed" => seed = number.parse().map_err(|_| usage())?,
            _ => return Err(usage()),
        }
    }
    Ok((rounds, seed))
}

/// Random numbers for the moments of kills: SplitMix64 (Steele, Lea and Flood 2014).
struct Moments(u64);

impl Moments {
    /// A number from 0 up to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Builds the command line for release, so that it is never an old one, and says where it is.
fn release_binary() -> Result<PathBuf, String> {
    cargo::run(&["build", "--release", "-p", "posterior-cli"])?;
    Ok(cargo::target_folder()?.join("release").join(format!("posterior{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_rounds_and_a_seed() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(options(&words("--seed 3 --rounds 2")), Ok((2, 3)));
        assert!(options(&words("--rounds")).is_err());
        assert!(options(&words("x 1")).is_err());
    }

    #[test]
    fn moments_differ_and_are_proportions() {
        let mut moments = Moments(1);
        let numbers = [moments.next(), moments.next()];
        assert!(numbers[0] != numbers[1] && numbers.iter().all(|x| (0.0..1.0).contains(x)), "{numbers:?}");
    }
}
