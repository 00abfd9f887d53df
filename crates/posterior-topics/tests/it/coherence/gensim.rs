//! Values of gensim 4.4.0,
//! `CoherenceModel(topics, texts, corpus, dictionary, coherence, window_size, topn=5, processes=1)`.
//!
//! Its sliding window forgets a word as soon as one of several occurrences leaves, so that the texts where no
//! word comes twice are the test of gensim as it is; the values of the texts with repeated words were
//! computed with `WordOccurrenceAccumulator._slide_window` replaced by the set of the window's words. (As it
//! is, gensim has 0.1876 for the first NPMI there.)

use posterior_topics::Corpus;
use posterior_topics::coherence::{Measure, Occurrences, coherence};

const WORDS: usize = 24;
const TOPICS: [[usize; 5]; 4] =
    [[0, 1, 2, 3, 4], [8, 10, 12, 14, 9], [16, 17, 23, 20, 21], [0, 9, 18, 3, 12]];

/// Texts of three kinds, by a linear congruential generator.
fn texts(repeats: bool) -> Vec<Vec<u32>> {
    let mut state = 12_345_u32;
    let mut below = |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % n
    };
    (0..24_u32)
        .map(|d| {
            let length = if repeats { 6 + below(40) } else { 4 + below(14) };
            let mut text = Vec::new();
            while text.len() < length as usize {
                let word = if below(4) > 0 { d % 3 * 8 + below(8) } else { below(24) };
                if repeats || !text.contains(&word) {
                    text.push(word);
                }
            }
            text
        })
        .collect()
}

fn bag_of_words(texts: &[Vec<u32>]) -> Corpus {
    let words = (0..WORDS).map(|v| format!("{v:02}")).collect();
    let names = (0..texts.len()).map(|d| d.to_string()).collect();
    let rows = texts.iter().map(|text| text.iter().map(|&word| (word, 1)).collect()).collect();
    Corpus::from_rows(words, names, rows).unwrap()
}

fn assert_values(measure: Measure, occurrences: &Occurrences, expected: [f64; 4]) {
    for (words, expected) in TOPICS.iter().zip(expected) {
        let found = coherence(measure, words, occurrences).unwrap();
        assert!((found - expected).abs() < 1e-12, "{measure:?} {words:?}: {found} against {expected}");
    }
}

/// Measures, widths of windows and their values.
type Row = (Measure, usize, [f64; 4]);

fn assert_windows(texts: &[Vec<u32>], rows: &[Row]) {
    let all: Vec<usize> = (0..WORDS).collect();
    for (measure, width, expected) in rows {
        assert_values(*measure, &Occurrences::in_windows(texts, *width, &all).unwrap(), *expected);
    }
}

#[test]
fn texts_in_which_no_word_comes_twice() {
    let texts = texts(false);
    let documents =
        Occurrences::in_documents(&bag_of_words(&texts), &(0..WORDS).collect::<Vec<_>>()).unwrap();
    assert_values(
        Measure::UMass,
        &documents,
        [-0.5947316715566487, -0.43381074006947895, -0.3762326675912412, -0.9372561256985936],
    );
    assert_windows(
        &texts,
        &[
            (
                Measure::Uci,
                10,
                [0.491575140183478, 0.43339521995061936, 0.3355297331535983, -0.0727616268810846],
            ),
            (
                Measure::Npmi,
                10,
                [0.3693044219132805, 0.25474026759318863, 0.2861102159960819, 0.03006826702485015],
            ),
            (
                Measure::Cv,
                110,
                [0.866546936301083, 0.8532380796084456, 0.9252232856858307, 0.5027220620581633],
            ),
            (
                Measure::Cv,
                7,
                [0.8237654008589974, 0.7151311280343554, 0.7467597878137097, 0.32588734880021375],
            ),
        ],
    );
}

#[test]
fn texts_with_repeated_words() {
    let texts = texts(true);
    let documents =
        Occurrences::in_documents(&bag_of_words(&texts), &(0..WORDS).collect::<Vec<_>>()).unwrap();
    assert_values(
        Measure::UMass,
        &documents,
        [-0.35187924349549726, -0.30655743936699376, -0.40661736852175767, -1.0815323933976446],
    );
    assert_windows(
        &texts,
        &[
            (
                Measure::Uci,
                10,
                [0.5178317941688297, 0.5356098120156536, 0.6158404707185426, -0.5225778778121015],
            ),
            (
                Measure::Npmi,
                10,
                [0.24899451037378312, 0.280386742284248, 0.3089430505722239, -0.11538010397661047],
            ),
            (
                Measure::Cv,
                110,
                [0.8942461384843572, 0.8973538920386221, 0.9008891962679446, 0.4303549008568325],
            ),
            (
                Measure::Cv,
                7,
                [0.7410059991263466, 0.784905323362265, 0.8111859972929276, 0.16799562654148484],
            ),
        ],
    );
}

#[test]
fn windows_wider_than_all_texts_are_documents() {
    let texts = texts(true);
    let all: Vec<usize> = (0..WORDS).collect();
    let documents = Occurrences::in_documents(&bag_of_words(&texts), &all).unwrap();
    let windows = Occurrences::in_windows(&texts, 1_000, &all).unwrap();
    for measure in [Measure::UMass, Measure::Uci, Measure::Npmi, Measure::Cv] {
        for words in &TOPICS {
            let value = |occurrences| coherence(measure, words, occurrences).unwrap();
            assert_eq!(value(&documents), value(&windows));
        }
    }
}
