//! Which weights data call for.

use posterior_math::check::{self, DimensionError};

use crate::error::Error;

use super::dataset::Dataset;
use super::features::{Features, Targets};
use super::sequence::AttributeSequence;

/// Which of all conceivable weights there shall be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightChoice {
    /// Those whose attribute and labels were seen together. What was never seen has the weight 0, which is
    /// not a ban.
    Observed,
    /// Those of every attribute that was seen with all labels: more memory, and evidence against labels too.
    All,
}

/// Which weights data call for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureOptions {
    /// Of attributes and labels, at positions and steps. Observed ones by default.
    pub states: WeightChoice,
    /// Of two labels in a row. Observed ones by default.
    pub transitions: WeightChoice,
    /// How often one must have been seen: the sum of |value| over where it was. 0, no limit, by default.
    pub min_frequency: f64,
    /// Whether first and last labels have weights of their own. Not by default.
    pub ends: LabelEnds,
}

/// Whether first and last labels have weights of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelEnds {
    /// First and last labels have no weights of their own.
    Free,
    /// One of each label at the first position, and one at the last.
    Weighted,
}

impl Default for FeatureOptions {
    fn default() -> Self {
        Self {
            states: WeightChoice::Observed,
            transitions: WeightChoice::Observed,
            min_frequency: 0.0,
            ends: LabelEnds::Free,
        }
    }
}

impl Features {
    /// The weights that these data call for.
    ///
    /// Costs one pass over the data, and 16 bytes for each attribute of each position.
    ///
    /// # Errors
    /// If there is no label, `min_frequency` is negative or not finite, or there would be 2³² weights.
    pub fn select(data: &Dataset, options: &FeatureOptions) -> Result<Self, Error> {
        let vocabulary = data.vocabulary();
        let labels = vocabulary.labels().len();
        if labels == 0 {
            return Err(Error::TooFew { what: "a conditional random field", needed: "a label" });
        }
        check::non_negative("FeatureOptions", "min_frequency", options.min_frequency)?;
        let pairs = labels.checked_mul(labels).filter(|&pairs| u32::try_from(pairs).is_ok());
        let pairs = pairs.ok_or(DimensionError::new("labels, at most", usize::from(u16::MAX), labels))?;
        let at_nodes =
            |sequence: &AttributeSequence, given: &[usize], t: usize, out: &mut Vec<(usize, usize, f64)>| {
                out.extend(sequence.attributes(t).map(|(attribute, value)| (attribute, given[t], value)));
            };
        let at_steps = |sequence: &AttributeSequence,
                        given: &[usize],
                        t: usize,
                        out: &mut Vec<(usize, usize, f64)>| {
            if t > 0 {
                let pair = given[t - 1] * labels + given[t];
                out.extend(sequence.step_attributes(t).map(|(attribute, value)| (attribute, pair, value)));
            }
        };
        let at_transitions =
            |_: &AttributeSequence, given: &[usize], t: usize, out: &mut Vec<(usize, usize, f64)>| {
                if t > 0 {
                    out.push((0, given[t - 1] * labels + given[t], 1.0));
                }
            };
        let select = |rows, width, choice, visit: &Visit<'_>| {
            Selection { data, rows, width, choice, min_frequency: options.min_frequency }.run(visit)
        };
        let nodes = select(vocabulary.attributes().len(), labels, options.states, &at_nodes)?;
        let steps = select(vocabulary.step_attributes().len(), pairs, options.states, &at_steps)?;
        let transitions = match options.transitions {
            WeightChoice::All => (0..pairs as u32).collect(),
            WeightChoice::Observed => {
                let seen = select(1, pairs, WeightChoice::Observed, &at_transitions)?;
                seen.targets(seen.range(0)).to_vec()
            }
        };
        let ends = options.ends == LabelEnds::Weighted;
        Ok(Self { labels, nodes, steps, transitions, ends, width: vocabulary.dense() })
    }
}

/// Adds attribute, target and value of all that is seen at a position.
type Visit<'a> = dyn Fn(&AttributeSequence, &[usize], usize, &mut Vec<(usize, usize, f64)>) + 'a;

/// One table of weights to be found.
struct Selection<'a> {
    data: &'a Dataset,
    rows: usize,
    width: usize,
    choice: WeightChoice,
    min_frequency: f64,
}

impl Selection<'_> {
    fn run(&self, visit: &Visit<'_>) -> Result<Targets, Error> {
        let (starts, entries) = self.by_attribute(visit);
        let mut frequency = vec![0.0; self.width];
        let mut seen = Vec::new();
        let rows = (0..self.rows).map(|row| {
            let entries = &entries[starts[row]..starts[row + 1]];
            seen.clear();
            for &(target, value) in entries {
                seen.push(target);
                frequency[target as usize] += value;
            }
            seen.sort_unstable();
            seen.dedup();
            let total: f64 = seen.iter().map(|&target| frequency[target as usize]).sum();
            let row = match self.choice {
                WeightChoice::All if !seen.is_empty() && total >= self.min_frequency => {
                    (0..self.width as u32).collect()
                }
                WeightChoice::All => Vec::new(),
                WeightChoice::Observed => {
                    let enough = |target: &&u32| frequency[**target as usize] >= self.min_frequency;
                    seen.iter().filter(enough).copied().collect()
                }
            };
            for &target in &seen {
                frequency[target as usize] = 0.0;
            }
            row
        });
        Targets::new(self.width, rows)
    }

    /// Targets and |values| of all that was seen, in the order of attributes, and where each attribute
    /// begins.
    fn by_attribute(&self, visit: &Visit<'_>) -> (Vec<usize>, Vec<(u32, f64)>) {
        let mut starts = vec![0; self.rows + 1];
        self.each(visit, |attribute, _, _| starts[attribute + 1] += 1);
        for row in 0..self.rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0); starts[self.rows]];
        self.each(visit, |attribute, target, value| {
            entries[next[attribute]] = (target as u32, value);
            next[attribute] += 1;
        });
        (starts, entries)
    }

    fn each(&self, visit: &Visit<'_>, mut entry: impl FnMut(usize, usize, f64)) {
        let mut found = Vec::new();
        let data = self.data;
        for ((sequence, given), weight) in data.sequences().iter().zip(data.labels()).zip(data.weights()) {
            if *weight == 0.0 {
                continue;
            }
            for t in 0..sequence.len() {
                found.clear();
                visit(sequence, given, t, &mut found);
                for &(attribute, target, value) in
                    found.iter().filter(|(attribute, _, _)| *attribute < self.rows)
                {
                    entry(attribute, target, value.abs() * weight);
                }
            }
        }
    }
}
