//! The pass forward: segments up to each position.

use super::durations::Durations;
use super::model::{End, SemiMarkovModel};
use super::windows::{add, ln_sum};

/// What all passes over one sequence need of a model.
#[derive(Debug, Clone)]
pub(super) struct Distributions<'m> {
    pub(super) states: usize,
    pub(super) ln_initial: &'m [f64],
    /// Row after row.
    pub(super) ln_transitions: &'m [f64],
    pub(super) durations: &'m [Durations],
    /// Of the first segments.
    pub(super) first: Vec<Durations>,
    pub(super) end: End,
}

impl<'m> Distributions<'m> {
    pub(super) fn of<E: crate::emission::Emissions>(model: &'m SemiMarkovModel<E>) -> Self {
        Self {
            states: model.states(),
            ln_initial: &model.ln_initial,
            ln_transitions: &model.ln_transitions,
            durations: &model.durations,
            first: model.first_durations(),
            end: model.window.end,
        }
    }

    /// The distribution of a segment of state j that begins at `start`.
    pub(super) fn duration(&self, j: usize, start: usize) -> &Durations {
        if start == 0 { &self.first[j] } else { &self.durations[j] }
    }

    /// ln of the probability of a segment of state j that begins at `start` and has this length, in a
    /// sequence of `positions`.
    pub(super) fn ln_segment(&self, j: usize, start: usize, length: usize, positions: usize) -> f64 {
        let distribution = self.duration(j, start);
        if self.end == End::Running && start + length == positions {
            distribution.ln_survival(length)
        } else {
            distribution.ln_pdf(length)
        }
    }

    /// The terms of all segments of state j that end before `end`, the earliest beginning first, and that
    /// beginning: `reached[s]` is the weight of what comes before a beginning at s, with the observations
    /// from there.
    pub(super) fn terms(
        &self,
        j: usize,
        end: usize,
        positions: usize,
        reached: &[f64],
        terms: &mut Vec<f64>,
    ) -> usize {
        let distribution = &self.durations[j];
        let from = end.saturating_sub(distribution.longest());
        let cut = self.end == End::Running && end == positions;
        let lns = if cut { distribution.ln_survivals() } else { distribution.ln_probabilities() };
        let lengths = lns[..end - from].iter().rev();
        terms.clear();
        terms.extend(reached[from..end].iter().zip(lengths).map(|(reached, ln)| reached + ln));
        if from == 0 {
            terms[0] = reached[0] + self.ln_segment(j, 0, end, positions);
        }
        from
    }
}

/// What the pass forward found.
#[derive(Debug, Clone, Default)]
pub(super) struct Forward {
    /// The number of positions, T.
    pub(super) positions: usize,
    /// ln b_t(k) less the ln of what the pass was scaled by there, at t K + k.
    pub(super) nodes: Vec<f64>,
    /// ln of all that comes before a segment of state j that begins at t, at j T + t.
    pub(super) begins: Vec<f64>,
    /// ln of a segment of state j and all before it, that ends before t, at j (T + 1) + t.
    pub(super) ends: Vec<f64>,
    /// ln of the sum over all segmentations, of the scaled nodes.
    pub(super) ln_scaled: f64,
    /// ln p of the sequence.
    pub(super) ln_z: f64,
    /// The first position up to which nothing is possible.
    pub(super) impossible: Option<usize>,
}

/// All segmentations, forward; `ln_nodes` has K numbers for each position.
///
/// Weights are kept near one: after each position at which a segment may end, all are divided by their sum,
/// which does not change the probability of any segment. O(T K (K + D)).
pub(super) fn forward(distributions: &Distributions<'_>, ln_nodes: &[f64]) -> Forward {
    let states = distributions.states;
    let positions = ln_nodes.len() / states;
    let mut pass = Forward {
        positions,
        nodes: ln_nodes.to_vec(),
        begins: vec![f64::NEG_INFINITY; states * positions],
        ends: vec![f64::NEG_INFINITY; states * (positions + 1)],
        ln_scaled: 0.0,
        ln_z: 0.0,
        impossible: None,
    };
    // begins, with the observations since: a segment that covers the position before t.
    let mut reached = pass.begins.clone();
    let (mut terms, mut before, mut last) = (Vec::new(), vec![0.0; states], vec![0.0; states]);
    let mut scale = 0.0;
    for t in 0..=positions {
        if t > 0 {
            for (j, last) in last.iter_mut().enumerate() {
                let reached = &mut reached[j * positions..][..t];
                let from = t.saturating_sub(distributions.durations[j].longest());
                add(&mut reached[from..], ln_nodes[(t - 1) * states + j]);
                distributions.terms(j, t, positions, reached, &mut terms);
                *last = ln_sum(&mut terms);
            }
            before.copy_from_slice(&last);
            let total = ln_sum(&mut before);
            if total > f64::NEG_INFINITY {
                rescale(distributions, &mut pass, &mut reached, t, total);
                scale += total;
                add(&mut last, -total);
            } else if !alive(distributions, &reached, t, positions) {
                pass.impossible = Some(t - 1);
                (pass.ln_z, pass.ln_scaled) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
                return pass;
            }
            for (j, last) in last.iter().enumerate() {
                pass.ends[j * (positions + 1) + t] = *last;
            }
        }
        if t < positions {
            for j in 0..states {
                let begin = if t == 0 {
                    distributions.ln_initial[j]
                } else {
                    for (i, before) in before.iter_mut().enumerate() {
                        *before =
                            pass.ends[i * (positions + 1) + t] + distributions.ln_transitions[i * states + j];
                    }
                    ln_sum(&mut before)
                };
                pass.begins[j * positions + t] = begin;
                reached[j * positions + t] = begin;
            }
        }
    }
    if positions > 0 {
        pass.ln_scaled = ln_sum(&mut last);
        pass.ln_z = pass.ln_scaled + scale;
        if pass.ln_z == f64::NEG_INFINITY {
            pass.impossible = Some(positions - 1);
        }
    }
    pass
}

/// Divides all that covers the position before t by exp(total).
fn rescale(distributions: &Distributions<'_>, pass: &mut Forward, reached: &mut [f64], t: usize, total: f64) {
    for j in 0..distributions.states {
        pass.nodes[(t - 1) * distributions.states + j] -= total;
        let reached = &mut reached[j * pass.positions..][..t];
        let from = t.saturating_sub(distributions.durations[j].longest());
        add(&mut reached[from..], -total);
    }
}

/// Whether a segment may cover the position before t, and go on.
fn alive(distributions: &Distributions<'_>, reached: &[f64], t: usize, positions: usize) -> bool {
    (0..distributions.states).any(|j| {
        (0..t).any(|s| {
            let more = distributions.duration(j, s).ln_survival(t - s + 1);
            reached[j * positions + s] > f64::NEG_INFINITY && more > f64::NEG_INFINITY && t < positions
        })
    })
}
