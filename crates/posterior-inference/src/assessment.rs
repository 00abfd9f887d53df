//! What engines would take for a query, reported before any of them runs.

use std::fmt;

use crate::{Budget, Cost, junction_tree, variable_elimination};

/// Whether an engine's answer is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exactness {
    /// But for rounding.
    Exact,
    /// Near the truth, as a rule.
    Approximate,
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "exact",
            Self::Approximate => "approximate",
        })
    }
}

/// What one engine would take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineCost {
    /// The name of the engine.
    pub engine: &'static str,
    /// What it would take; of engines that iterate, the operations of one round.
    pub cost: Cost,
    /// Whether its answer is exact.
    pub exactness: Exactness,
}

/// What a query needs, what each engine would take, and which one is best: made without a table.
///
/// It prints as a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assessment {
    /// How many variables the model has.
    pub variables: usize,
    /// How many of them were seen.
    pub observed: usize,
    /// How many posteriors are asked for.
    pub targets: usize,
    /// How many variables must be summed over, or are targets.
    pub needed: usize,
    /// What may be taken.
    pub budget: Budget,
    /// The engines, exact ones first.
    pub candidates: Vec<EngineCost>,
    /// The engine of choice; `None` if all take too much.
    pub choice: Option<&'static str>,
    /// Why.
    pub reason: String,
}

impl Assessment {
    /// The candidate of this name.
    pub fn candidate(&self, engine: &str) -> Option<&EngineCost> {
        self.candidates.iter().find(|candidate| candidate.engine == engine)
    }

    /// Chooses: the exact engine with the fewest operations among those within the budget, else `fallback`.
    pub(crate) fn choose(&mut self, fallback: Option<&'static str>) {
        let exact = self.candidates.iter().filter(|own| own.exactness == Exactness::Exact);
        let fitting = exact.filter(|own| self.budget.allows(&own.cost));
        self.choice = fitting.min_by_key(|own| own.cost.operations).map(|own| own.engine).or(fallback);
        self.reason = self.why();
    }

    fn why(&self) -> String {
        let cost = |engine| self.candidate(engine).map(|own| own.cost).unwrap_or_default();
        let (elimination, tree) = (cost(variable_elimination::NAME), cost(junction_tree::NAME));
        let times = |other: Cost, own: Cost| other.operations as f64 / own.operations.max(1) as f64;
        match self.choice {
            Some(variable_elimination::NAME) => format!(
                "elimination: {} to sum over, {elimination}{}",
                count(self.needed, "variable"),
                comparison("a junction tree", times(tree, elimination)),
            ),
            Some(junction_tree::NAME) => format!(
                "junction tree: {} at once, {tree}{}",
                count(self.targets, "marginal"),
                comparison("elimination", times(elimination, tree)),
            ),
            _ => {
                let least = if tree.cells < elimination.cells { tree } else { elimination };
                let refused = format!("an exact answer needs {least}, and may take {}", self.budget);
                match self.choice {
                    Some(engine) => format!("{engine}, an approximation: {refused}"),
                    None => refused,
                }
            }
        }
    }
}

/// "1 variable", "3 variables".
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// " (elimination would take 40 times the operations)", where that is worth telling.
fn comparison(other: &str, times: f64) -> String {
    if times < 1.5 {
        return String::new();
    }
    let digits = usize::from(times < 9.5);
    format!(" ({other} would take {times:.digits$} times the operations)")
}

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (targets, all) = (count(self.targets, "target"), self.variables);
        writeln!(
            f,
            "{targets} of {}, {} seen, {} needed",
            count(all, "variable"),
            self.observed,
            self.needed
        )?;
        writeln!(
            f,
            "  {:<24}{:<13}{:>12}{:>15}{:>15}",
            "engine", "answers", "operations", "largest table", "memory"
        )?;
        for own in &self.candidates {
            let mark = if self.choice == Some(own.engine) { '*' } else { ' ' };
            writeln!(
                f,
                "{mark} {:<24}{:<13}{:>12.1e}{:>15.1e}{:>15}",
                own.engine,
                own.exactness,
                own.cost.operations as f64,
                own.cost.largest as f64,
                own.cost.memory(),
            )?;
        }
        write!(f, "{}", self.reason)
    }
}
