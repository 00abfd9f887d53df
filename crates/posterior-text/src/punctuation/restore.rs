//! A text without punctuation, and the most probable marks for it.

use std::collections::BTreeMap;

use super::model::PunctuationModel;
use super::{CLASSES, Symbol};

/// A way to go on: the last characters, its ln p, and where the rest of it is.
#[derive(Clone)]
struct Way {
    ln_probability: f64,
    /// The entry of the history that holds its last character.
    last: usize,
}

impl PunctuationModel {
    /// `text` with the most probable punctuation marks between its characters and at its end.
    ///
    /// One after the other, each character is "something else" or a mark is put before it, never two in a
    /// row. The best of all ways by Viterbi's algorithm, where ways with the same last n + 1 characters are
    /// one state, of which the best `beam` are kept: exact if that is enough. Characters of `text` that are
    /// marks stay. Without a distribution
    /// ([`ContextSmoothing::MaximumLikelihood`](super::ContextSmoothing::MaximumLikelihood)) no mark is put.
    pub fn restore(&self, text: &str, beam: usize) -> String {
        let longest = self.n() + 1;
        // Characters with where the one before them is.
        let mut history: Vec<(char, usize)> = Vec::new();
        let mut ways: BTreeMap<Vec<char>, Way> = BTreeMap::new();
        ways.insert(Vec::new(), Way { ln_probability: 0.0, last: usize::MAX });
        let characters = text.chars().map(Some).chain([None]);
        for next in characters {
            let mut reached: BTreeMap<Vec<char>, Way> = BTreeMap::new();
            for (context, way) in &ways {
                let distribution = if context.is_empty() { None } else { self.distribution_after(context) };
                let after_mark = context.last().is_some_and(|&c| Symbol::of(c) != Symbol::Other);
                let here = next.map_or(Symbol::Other, Symbol::of) as usize;
                let plain = distribution.map_or(0.0, |distribution| distribution[here].ln());
                arrive(&mut reached, &mut history, (context, way), next, plain, longest);
                let Some(distribution) = distribution.filter(|_| !after_mark && here == CLASSES - 1) else {
                    continue;
                };
                for symbol in &Symbol::ALL[..CLASSES - 1] {
                    let Some(mark) = symbol.character().filter(|_| distribution[*symbol as usize] > 0.0)
                    else {
                        continue;
                    };
                    let mut with_mark = context.clone();
                    with_mark.push(mark);
                    history.push((mark, way.last));
                    let marked = Way {
                        ln_probability: way.ln_probability + distribution[*symbol as usize].ln(),
                        last: history.len() - 1,
                    };
                    let trimmed = with_mark.split_off(with_mark.len().saturating_sub(longest));
                    let goes_on = match next {
                        Some(_) => self
                            .distribution_after(&trimmed)
                            .map_or(0.0, |distribution| distribution[CLASSES - 1].ln()),
                        None => 0.0,
                    };
                    arrive(&mut reached, &mut history, (&trimmed, &marked), next, goes_on, longest);
                }
            }
            let mut best: Vec<(Vec<char>, Way)> = reached.into_iter().collect();
            best.sort_by(|left, right| right.1.ln_probability.total_cmp(&left.1.ln_probability));
            best.truncate(beam.max(1));
            ways = best.into_iter().collect();
        }
        let best = ways
            .values()
            .reduce(|best, way| if way.ln_probability > best.ln_probability { way } else { best });
        let mut restored = Vec::new();
        let mut place = best.map_or(usize::MAX, |way| way.last);
        while let Some(&(character, before)) = history.get(place) {
            restored.push(character);
            place = before;
        }
        restored.iter().rev().collect()
    }
}

/// Goes on from a way by `next`, if that is better than the other ways to where it leads.
fn arrive(
    reached: &mut BTreeMap<Vec<char>, Way>,
    history: &mut Vec<(char, usize)>,
    (context, way): (&[char], &Way),
    next: Option<char>,
    ln_probability: f64,
    longest: usize,
) {
    let ln_probability = way.ln_probability + ln_probability;
    let mut context = context.to_vec();
    context.extend(next);
    let context = context.split_off(context.len().saturating_sub(longest));
    if reached.get(&context).is_some_and(|known| known.ln_probability >= ln_probability) {
        return;
    }
    let last = match next {
        Some(character) => {
            history.push((character, way.last));
            history.len() - 1
        }
        None => way.last,
    };
    reached.insert(context, Way { ln_probability, last });
}
