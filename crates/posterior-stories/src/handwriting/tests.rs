//! Readers of a clean hand, of a noisy one, and those who know how words are made.

use posterior::evaluation::Tally;

use super::glyphs::{LETTERS, glyphs, name, spelt};
use super::known::Insider;
use super::reading::{Reading, Scores, Unit, read};
use super::writing::{Pen, Word, WordList, word_lists};

fn written(flip: f64, count: usize) -> [Vec<Word>; 2] {
    let [learned, held_out] = word_lists().unwrap();
    let (glyphs, pen) = (glyphs(), Pen { flip });
    [pen.words(&glyphs, &learned, count, 0), pen.words(&glyphs, &held_out, count, 1)]
}

fn scores(unit: Unit, [train, test]: &[Vec<Word>; 2]) -> Scores {
    let model = unit.learn(train).unwrap().model;
    Scores::of(test, &read(&model, test).unwrap()).unwrap()
}

#[test]
fn every_letter_has_a_glyph_of_its_own() {
    let glyphs = glyphs();
    assert_eq!(glyphs.len(), LETTERS);
    let apart = |a: usize, b: usize| glyphs[a].iter().zip(&glyphs[b]).filter(|(a, b)| a != b).count();
    let pairs = (0..LETTERS).flat_map(|b| (0..b).map(move |a| (a, b)));
    let nearest = pairs.map(|(a, b)| (apart(a, b), name(a), name(b))).min().unwrap();
    // A d is an a with a stem of two pixels.
    assert_eq!(nearest, (2, 'a', 'd'));
    assert_eq!(spelt(&[22, 14, 17, 3]), "word");
}

#[test]
fn no_word_is_in_both_lists() {
    let lists = word_lists().unwrap();
    let [learned, held_out] = lists.each_ref().map(WordList::words);
    assert!(held_out.iter().all(|(own, _)| learned.iter().all(|(other, _)| own != other)));
    let (all, out) = (learned.len() + held_out.len(), held_out.len());
    assert_eq!(all / 5, out);
}

#[test]
fn a_clean_hand_is_read_without_a_mistake() {
    let words = written(0.0, 400);
    for unit in [Unit::Letter, Unit::Word] {
        assert_eq!(scores(unit, &words).right(), [1.0, 1.0]);
    }
}

#[test]
fn neighbours_help() {
    let words = written(0.15, 200);
    let (alone, joined) = (scores(Unit::Letter, &words).right(), scores(Unit::Word, &words).right());
    assert!(joined[0] > alone[0] && joined[1] > alone[1] + 0.03, "{joined:?} {alone:?}");
}

/// Of a and d, equally frequent, the glyphs differ in two pixels: ln p is apart by 2 ln((1 - p)/p), and the
/// wrong one is read with probability p² where both flip, and half of 2 p (1 - p) where one does.
#[test]
fn two_letters_are_read_as_arithmetic_has_it() {
    let (glyphs, pen) = (glyphs(), Pen { flip: 0.2 });
    let list = WordList::new(vec![(vec![0], 1.0), (vec![3], 1.0)]).unwrap();
    let insider = Insider { glyphs: &glyphs, pen, list: &list };
    let clean = Word { letters: vec![0], ink: vec![glyphs[0]] };
    for reading in insider.by_letters(&[clean]) {
        assert_eq!(reading.letters, [0]);
        assert!((reading.certainty(0) - 16.0 / 17.0).abs() < 1e-14);
    }
    let words = pen.words(&glyphs, &list, 20_000, 2);
    let mut right = Tally::default();
    for (word, reading) in words.iter().zip(insider.by_words(&words)) {
        right.push(&word.letters, &reading.letters);
    }
    // The standard error is 0.0028: a false alarm in 15,000.
    assert!((right.rate().unwrap() - 0.8).abs() < 4.0 * 0.0028, "{right:?}");
}

/// Nobody is right more often than who knows all; what is fitted comes near who knows all but neighbours.
#[test]
fn nobody_reads_better_than_who_knows_how_words_are_made() {
    let words = written(0.15, 400);
    let [_, list] = word_lists().unwrap();
    let (glyphs, pen) = (glyphs(), Pen { flip: 0.15 });
    let insider = Insider { glyphs: &glyphs, pen, list: &list };
    let known = |readings: Vec<Reading>| Scores::of(&words[1], &readings).unwrap().right();
    let (letters, whole) = (known(insider.by_letters(&words[1])), known(insider.by_words(&words[1])));
    let (alone, joined) = (scores(Unit::Letter, &words).right(), scores(Unit::Word, &words).right());
    // 3,000 letters: four standard errors of a proportion are less than 0.03.
    assert!(alone[0] < letters[0] + 0.03 && alone[0] > letters[0] - 0.05, "{alone:?} {letters:?}");
    assert!(joined[1] < whole[1] && letters[1] < whole[1], "{joined:?} {whole:?}");
}
