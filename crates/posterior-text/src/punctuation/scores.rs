//! How good predictions are on texts that were not counted.

use posterior_evaluation::Confusion;

use super::model::PunctuationModel;
use super::{CLASSES, Symbol};
use crate::error::Error;

/// The scores of a model's predictions of the next characters of texts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PunctuationScores {
    /// Which class is taken for which, by [`Symbol`], where the model has a distribution. Of equally probable
    /// classes the most frequent kind, "other", is taken before marks, and these in the order of their
    /// numbers.
    pub confusion: Confusion,
    /// Characters with a successor.
    pub positions: u64,
    /// Those whose context of n + 1 characters was not seen.
    pub unseen: u64,
    /// Those for which the model has no distribution.
    pub undefined: u64,
    /// Those whose class the model holds for impossible.
    pub impossible: u64,
    /// The mean of -ln p(class) over the positions with a distribution, in nats: ∞ if one is impossible; NaN
    /// if there is none.
    pub ln_loss: f64,
}

/// Predicts the class of each character of `texts` but the first from those before it.
///
/// # Errors
/// None that a caller can cause; those of the counters are passed on.
pub fn score(model: &PunctuationModel, texts: &[&str]) -> Result<PunctuationScores, Error> {
    let mut scores = PunctuationScores {
        confusion: Confusion::new(CLASSES),
        positions: 0,
        unseen: 0,
        undefined: 0,
        impossible: 0,
        ln_loss: 0.0,
    };
    let longest = model.n() + 1;
    for text in texts {
        let characters: Vec<char> = text.chars().collect();
        for t in 1..characters.len() {
            // One character more than the context, so that the beginning of the text is seen as such.
            let before = &characters[t.saturating_sub(longest)..t];
            let truth = Symbol::of(characters[t]) as usize;
            scores.positions += 1;
            scores.unseen += u64::from(!model.has_seen(before));
            let Some(distribution) = model.distribution_after(before) else {
                scores.undefined += 1;
                continue;
            };
            let marks = (0..CLASSES - 1).fold(CLASSES - 1, |best, class| {
                if distribution[class] > distribution[best] { class } else { best }
            });
            scores.confusion.push(truth, marks)?;
            scores.impossible += u64::from(distribution[truth] <= 0.0);
            scores.ln_loss -= distribution[truth].ln();
        }
    }
    scores.ln_loss /= (scores.positions - scores.undefined) as f64;
    Ok(scores)
}
