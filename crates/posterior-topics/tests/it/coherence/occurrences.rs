//! Counts of words that occur together.

use posterior_topics::coherence::{Measure, Occurrences, coherence};
use proptest::prelude::*;

use crate::held_out::corpus;

/// Every window as a set, one after the other.
fn counted(texts: &[Vec<u32>], width: usize, has: impl Fn(&[u32]) -> bool) -> u64 {
    let windows = texts.iter().flat_map(|text| {
        let whole = (text.len() <= width).then_some(text.as_slice());
        whole.into_iter().chain(text.windows(width).filter(move |_| text.len() > width))
    });
    windows.filter(|window| has(window)).count() as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn runs_count_what_windows_hold(
        texts in prop::collection::vec(prop::collection::vec(0_u32..5, 0..30), 0..6),
        width in 1_usize..12,
    ) {
        let occurrences = Occurrences::in_windows(&texts, width, &[4, 0, 1, 3, 3]).unwrap();
        prop_assert_eq!(occurrences.stretches(), counted(&texts, width, |_| true));
        for a in [0, 1, 3, 4] {
            prop_assert_eq!(occurrences.of(a), counted(&texts, width, |w| w.contains(&(a as u32))));
            prop_assert_eq!(occurrences.of_both(a, a), occurrences.of(a));
            for b in [0, 1, 3, 4] {
                let both = counted(&texts, width, |w| w.contains(&(a as u32)) && w.contains(&(b as u32)));
                prop_assert_eq!(occurrences.of_both(a, b), both);
            }
        }
        prop_assert!(!occurrences.covers(2));
        prop_assert_eq!(occurrences.of(2), 0);
    }
}

#[test]
fn limits() {
    let texts = corpus(4, &[&[(0, 1), (1, 1)], &[(0, 3), (1, 1)], &[]]);
    let occurrences = Occurrences::in_documents(&texts, &[0, 1, 3]).unwrap();
    assert_eq!((occurrences.stretches(), occurrences.of_both(0, 1), occurrences.of(3)), (3, 2, 0));
    let value = |measure, words: &[usize]| coherence(measure, words, &occurrences);
    // Word 3 is in no text and passed over; one word has no coherence.
    assert_eq!(value(Measure::Cv, &[0, 3, 1]).unwrap(), value(Measure::Cv, &[0, 1]).unwrap());
    assert!(value(Measure::Npmi, &[0, 3]).unwrap().is_nan());
    assert!(value(Measure::Npmi, &[]).unwrap().is_nan());
    assert!((value(Measure::Npmi, &[0, 1]).unwrap() - 1.0).abs() < 1e-11);
    // Word 2 was not looked for.
    assert!(value(Measure::Npmi, &[0, 2]).unwrap_err().is_corpus());
    assert!(Occurrences::in_documents(&texts, &[4]).unwrap_err().is_dimension());
    assert!(Occurrences::in_windows(&[], 0, &[]).unwrap_err().is_parameter());
    // Words that are everywhere say nothing.
    let everywhere = Occurrences::in_windows(&[vec![0, 1]], 5, &[0, 1]).unwrap();
    assert_eq!(coherence(Measure::Npmi, &[0, 1], &everywhere).unwrap(), 0.0);
    assert_eq!(coherence(Measure::Cv, &[0, 1], &everywhere).unwrap(), 0.0);
}
