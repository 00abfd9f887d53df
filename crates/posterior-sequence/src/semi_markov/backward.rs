//! The pass backward: what follows each position.

use super::forward::{Distributions, Forward};
use super::windows::{add, ln_sum, proportions_in_place};

/// What the pass backward found.
#[derive(Debug, Clone)]
pub(super) struct Backward {
    /// ln of a segment of state j that begins at t and all after it, at j T + t; as scaled as the nodes of
    /// the pass forward.
    pub(super) after_begin: Vec<f64>,
    /// ln of all that comes after a segment of state j that ends before t, at j (T + 1) + t.
    pub(super) after_end: Vec<f64>,
}

/// All segmentations, backward, with the scaled nodes of a pass forward that found some.
///
/// `see(j, s, ln, proportions)` gets ln of a segment of state j that begins at s and all after it, and the
/// probabilities of its lengths 1, 2, …, given that it begins there; the last one is that of a segment that
/// is cut off by the end, if it may be.
pub(super) fn backward(
    distributions: &Distributions<'_>,
    forward: &Forward,
    mut see: impl FnMut(usize, usize, f64, &[f64]),
) -> Backward {
    let (states, positions) = (distributions.states, forward.positions);
    let mut pass = Backward {
        after_begin: vec![f64::NEG_INFINITY; states * positions],
        after_end: vec![f64::NEG_INFINITY; states * (positions + 1)],
    };
    // after_end, with the observations before.
    let mut going = pass.after_end.clone();
    for j in 0..states {
        going[j * (positions + 1) + positions] = 0.0;
        pass.after_end[j * (positions + 1) + positions] = 0.0;
    }
    let (mut terms, mut next) = (Vec::new(), vec![0.0; states]);
    for s in (0..positions).rev() {
        for j in 0..states {
            let distribution = distributions.duration(j, s);
            let longest = distribution.longest().min(positions - s);
            let going = &mut going[j * (positions + 1) + s + 1..][..longest];
            add(going, forward.nodes[s * states + j]);
            terms.clear();
            terms.extend(going.iter().zip(distribution.ln_probabilities()).map(|(going, ln)| going + ln));
            if s + longest == positions {
                terms[longest - 1] = going[longest - 1] + distributions.ln_segment(j, s, longest, positions);
            }
            let after = proportions_in_place(&mut terms);
            pass.after_begin[j * positions + s] = after;
            see(j, s, after, &terms);
        }
        if s > 0 {
            for i in 0..states {
                let row = &distributions.ln_transitions[i * states..][..states];
                for (j, (next, ln)) in next.iter_mut().zip(row).enumerate() {
                    *next = ln + pass.after_begin[j * positions + s];
                }
                let after = ln_sum(&mut next);
                pass.after_end[i * (positions + 1) + s] = after;
                going[i * (positions + 1) + s] = after;
            }
        }
    }
    pass
}
