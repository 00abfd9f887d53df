//! The best that anyone could do: readers who know the glyphs, the noise, and how often words come.

use posterior::math::log_space::{softmax_in_place, x_ln_y};

use super::glyphs::{Ink, LETTERS};
use super::reading::Reading;
use super::writing::{Pen, Word, WordList};

/// One who has seen how the words are made.
pub(super) struct Insider<'a> {
    pub(super) glyphs: &'a [Ink],
    pub(super) pen: Pen,
    pub(super) list: &'a WordList,
}

impl Insider<'_> {
    /// ln p(ink | letter), for each letter at each place.
    fn ln_ink(&self, word: &Word) -> Vec<f64> {
        let ln_p = |ink: &Ink, glyph: &Ink| {
            let wrong = ink.iter().zip(glyph).filter(|(a, b)| a != b).count() as f64;
            x_ln_y(wrong, self.pen.flip) + x_ln_y(ink.len() as f64 - wrong, 1.0 - self.pen.flip)
        };
        word.ink.iter().flat_map(|ink| self.glyphs.iter().map(move |glyph| ln_p(ink, glyph))).collect()
    }

    /// Reads letter by letter, knowing how frequent each is: nobody who does not look at neighbours is right
    /// more often.
    pub(super) fn by_letters(&self, words: &[Word]) -> Vec<Reading> {
        let mut distribution = vec![0.0; LETTERS];
        for (letters, count) in self.list.words() {
            for &letter in letters {
                distribution[letter] += count;
            }
        }
        let read = |word: &Word| {
            let mut p = self.ln_ink(word);
            for p in p.chunks_mut(LETTERS) {
                p.iter_mut().zip(&distribution).for_each(|(p, distribution)| *p += distribution.ln());
                softmax_in_place(p);
            }
            Reading { letters: p.chunks(LETTERS).map(most_probable).collect(), p }
        };
        words.iter().map(read).collect()
    }

    /// Reads whole words, knowing the list of them and how often each comes: nobody is right more often.
    pub(super) fn by_words(&self, words: &[Word]) -> Vec<Reading> {
        words.iter().map(|word| self.whole(word)).collect()
    }

    fn whole(&self, word: &Word) -> Reading {
        let ln_ink = self.ln_ink(word);
        let length = word.letters.len();
        let known: Vec<_> = self.list.words().iter().filter(|(own, _)| own.len() == length).collect();
        let at = |(place, &letter): (usize, &usize)| place * LETTERS + letter;
        let ln_p = |(letters, count): &&(Vec<usize>, f64)| {
            count.ln() + letters.iter().enumerate().map(|own| ln_ink[at(own)]).sum::<f64>()
        };
        let mut weights: Vec<f64> = known.iter().map(ln_p).collect();
        softmax_in_place(&mut weights);
        let mut p = vec![0.0; ln_ink.len()];
        for ((letters, _), weight) in known.iter().zip(&weights) {
            letters.iter().enumerate().for_each(|own| p[at(own)] += weight);
        }
        Reading { letters: known[most_probable(&weights)].0.clone(), p }
    }
}

fn most_probable(p: &[f64]) -> usize {
    (0..p.len()).fold(0, |best, own| if p[own] > p[best] { own } else { best })
}
