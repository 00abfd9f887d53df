//! What a search found, in groups.

use std::collections::BTreeMap;
use std::fmt;

use super::limits;
use super::trial::Finding;

/// Findings that are printed of each group.
const SHOWN: usize = 3;

/// The findings of one check and one kind of distribution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// How many there are.
    pub count: u64,
    /// The first of them, by the number of the trial.
    pub first: Vec<(u64, Finding)>,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Points that were looked at.
    pub cases: u64,
    /// By kind of distribution and check.
    pub groups: BTreeMap<(&'static str, &'static str), Group>,
    /// Findings under a documented limit, by its reason.
    pub limits: BTreeMap<&'static str, u64>,
}

impl Report {
    /// How many findings there are.
    pub fn findings(&self) -> u64 {
        self.groups.values().map(|group| group.count).sum()
    }

    /// The findings of the trial with this number.
    pub(super) fn add(&mut self, trial: u64, found: Vec<Finding>) {
        for finding in found {
            if let Some(limit) = limits::of(&finding) {
                *self.limits.entry(limit.reason).or_default() += 1;
                continue;
            }
            let group = self.groups.entry((finding.name, finding.check)).or_default();
            group.count += 1;
            group.insert(trial, finding);
        }
    }

    /// Both together.
    pub(super) fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        for (reason, count) in other.limits {
            *self.limits.entry(reason).or_default() += count;
        }
        for (key, from) in other.groups {
            let group = self.groups.entry(key).or_default();
            group.count += from.count;
            for (trial, finding) in from.first {
                group.insert(trial, finding);
            }
        }
    }
}

impl Group {
    fn insert(&mut self, trial: u64, finding: Finding) {
        let place = self.first.partition_point(|(other, _)| *other <= trial);
        if place < SHOWN {
            self.first.insert(place, (trial, finding));
            self.first.truncate(SHOWN);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((name, check), group) in &self.groups {
            writeln!(f, "{name}: {check}: {} findings", group.count)?;
            for (_, finding) in &group.first {
                writeln!(f, "  {}  [--only {name} --case {}]", finding.message, finding.case)?;
            }
        }
        for (reason, count) in &self.limits {
            writeln!(f, "documented limit, met {count} times: {reason}")?;
        }
        write!(f, "{} findings in {} cases", self.findings(), self.cases)
    }
}
