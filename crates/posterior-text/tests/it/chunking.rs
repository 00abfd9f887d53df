//! Chunks against counting by hand and against a transcription of the rules of `conlleval`.

use posterior_text::chunking::{Chunk, ChunkScheme, ChunkScores, chunks};
use proptest::prelude::*;

/// The two tables of the program `conlleval`: does a chunk start, and did one end, between two tags?
mod conlleval {
    const STARTS: &[(char, char)] =
        &[('B', 'B'), ('I', 'B'), ('O', 'B'), ('O', 'I'), ('E', 'E'), ('E', 'I'), ('O', 'E')];
    const ENDS: &[(char, char)] =
        &[('B', 'B'), ('B', 'O'), ('I', 'B'), ('I', 'O'), ('E', 'E'), ('E', 'I'), ('E', 'O')];

    fn split(tag: &str) -> (char, &str) {
        let (sign, kind) = tag.split_once('-').unwrap_or((tag, ""));
        (sign.chars().next().unwrap(), kind)
    }

    fn starts(before: &str, tag: &str) -> bool {
        let ((p, a), (t, b)) = (split(before), split(tag));
        STARTS.contains(&(p, t)) || (t != 'O' && a != b)
    }

    fn ends(before: &str, tag: &str) -> bool {
        let ((p, a), (t, b)) = (split(before), split(tag));
        ENDS.contains(&(p, t)) || (p != 'O' && a != b)
    }

    /// (truth, predicted, correct) as the program counts them, token by token, O between sequences.
    pub(super) fn count(truth: &[String], guess: &[String]) -> (u64, u64, u64) {
        let (mut found, mut guessed, mut correct, mut inside) = (0, 0, 0, false);
        let mut last = ("O".to_owned(), "O".to_owned());
        let close = ("O".to_owned(), "O".to_owned());
        for (t, g) in truth.iter().cloned().zip(guess.iter().cloned()).chain([close]) {
            if inside {
                let (end_t, end_g) = (ends(&last.0, &t), ends(&last.1, &g));
                if end_t && end_g && split(&last.0).1 == split(&last.1).1 {
                    inside = false;
                    correct += 1;
                } else if end_t != end_g || split(&t).1 != split(&g).1 {
                    inside = false;
                }
            }
            let (start_t, start_g) = (starts(&last.0, &t), starts(&last.1, &g));
            if start_t && start_g && split(&t).1 == split(&g).1 {
                inside = true;
            }
            found += u64::from(start_t);
            guessed += u64::from(start_g);
            last = (t, g);
        }
        (found, guessed, correct)
    }
}

fn spans(labels: &[&str]) -> Vec<(usize, usize, String)> {
    chunks(labels).unwrap().into_iter().map(|Chunk { start, end, kind, .. }| (start, end, kind)).collect()
}

fn expected(spans: &[(usize, usize, &str)]) -> Vec<(usize, usize, String)> {
    spans.iter().map(|&(start, end, kind)| (start, end, kind.to_owned())).collect()
}

#[test]
fn every_scheme_tells_the_same_chunks() {
    // He/NP saw/VP (the big dog)/NP (the cat)/NP .
    let wanted = expected(&[(0, 1, "NP"), (1, 2, "VP"), (2, 5, "NP"), (5, 7, "NP")]);
    for labels in [
        ["I-NP", "I-VP", "I-NP", "I-NP", "I-NP", "B-NP", "I-NP", "O"],
        ["B-NP", "B-VP", "B-NP", "I-NP", "I-NP", "B-NP", "I-NP", "O"],
        ["I-NP", "I-VP", "I-NP", "I-NP", "E-NP", "I-NP", "I-NP", "O"],
        ["E-NP", "E-VP", "I-NP", "I-NP", "E-NP", "I-NP", "E-NP", "O"],
        ["S-NP", "S-VP", "B-NP", "I-NP", "E-NP", "B-NP", "E-NP", "O"],
        ["U-NP", "U-VP", "B-NP", "I-NP", "L-NP", "B-NP", "L-NP", "O"],
    ] {
        assert_eq!(spans(&labels), wanted, "{labels:?}");
    }
}

#[test]
fn inconsistent_labels_have_chunks_too() {
    assert_eq!(spans(&["O", "I-NP", "I-NP"]), expected(&[(1, 3, "NP")]));
    assert_eq!(spans(&["B-NP", "I-VP", "I-NP"]), expected(&[(0, 1, "NP"), (1, 2, "VP"), (2, 3, "NP")]));
    assert_eq!(spans(&["I-NP", "O", "I-NP"]), expected(&[(0, 1, "NP"), (2, 3, "NP")]));
    assert_eq!(spans(&["S-NP", "I-NP"]), expected(&[(0, 1, "NP"), (1, 2, "NP")]));
    assert_eq!(spans(&["E-NP", "E-NP", "B-NP"]), expected(&[(0, 1, "NP"), (1, 2, "NP"), (2, 3, "NP")]));
    assert_eq!(spans(&["B", "I", "I", "B"]), expected(&[(0, 3, ""), (3, 4, "")]));
    // A type may hold the sign that separates.
    assert_eq!(spans(&["B-work-of-art", "I-work-of-art"]), expected(&[(0, 2, "work-of-art")]));
    assert!(spans(&[]).is_empty());
    assert_eq!(spans(&["O", "O"]), expected(&[]));
    assert_eq!(chunks(&["O", "NN"]), None);
    assert_eq!(chunks(&["Be-NP"]), None);
    assert_eq!(chunks(&[""]), None);
}

#[test]
fn counts_by_hand() {
    let truth = ["B-NP", "I-NP", "B-VP", "B-PP", "B-NP", "O"];
    let guess = ["B-NP", "I-NP", "I-VP", "B-NP", "I-NP", "B-SBAR"];
    let mut scores = ChunkScores::default();
    scores.push(&chunks(&truth).unwrap(), &chunks(&guess).unwrap());
    // Truth NP VP PP NP; guess NP VP NP(3..5) SBAR; both NP VP.
    let all = scores.all();
    assert_eq!((all.truth, all.predicted, all.correct), (4, 4, 2));
    assert_eq!((all.precision(), all.recall(), all.f1()), (0.5, 0.5, 0.5));
    let np = scores.kind("NP");
    assert_eq!((np.truth, np.predicted, np.correct, np.f1()), (2, 2, 1, 0.5));
    assert_eq!((scores.kind("PP").precision(), scores.kind("PP").f1()), (0.0, 0.0));
    assert_eq!(scores.kinds().map(|(kind, _)| kind).collect::<Vec<_>>(), ["NP", "PP", "SBAR", "VP"]);
    let mut twice = scores.clone();
    twice.merge(&scores);
    assert_eq!((twice.all().correct, twice.kind("NP").truth), (4, 4));
    assert_eq!(ChunkScores::default().all().f1(), 0.0);
}

fn labels(signs: &'static str) -> impl Strategy<Value = Vec<(String, String)>> {
    let label = move || {
        (prop::sample::select(signs.chars().collect::<Vec<_>>()), 0..2_usize).prop_map(|(sign, kind)| {
            match sign {
                'O' => "O".to_owned(),
                _ => format!("{sign}-{}", ["NP", "VP"][kind]),
            }
        })
    };
    prop::collection::vec((label(), label()), 0..12)
}

fn agrees(pairs: Vec<(String, String)>) -> Result<(), TestCaseError> {
    let (truth, guess): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
    let mut scores = ChunkScores::default();
    scores.push(&chunks(&truth).unwrap(), &chunks(&guess).unwrap());
    let all = scores.all();
    prop_assert_eq!((all.truth, all.predicted, all.correct), conlleval::count(&truth, &guess));
    Ok(())
}

proptest! {
    #[test]
    fn chunks_of_iob_are_those_of_conlleval(pairs in labels("BIO")) {
        agrees(pairs)?;
    }

    #[test]
    fn chunks_of_ioe_are_those_of_conlleval(pairs in labels("EIO")) {
        agrees(pairs)?;
    }
}

/// Every sequence of so many labels.
fn sequences<'a>(labels: &[&'a str], length: usize) -> Vec<Vec<&'a str>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        let longer = |own: Vec<&'a str>| {
            labels.iter().map(move |&label| own.iter().copied().chain([label]).collect::<Vec<_>>())
        };
        all.into_iter().flat_map(|own| longer(own).collect::<Vec<_>>()).collect()
    })
}

/// The labels of a scheme that tell chunks, written anew from the chunks.
fn written(chunks: &[Chunk], length: usize, scheme: ChunkScheme) -> Vec<String> {
    let mut labels = vec!["O".to_owned(); length];
    for chunk in chunks {
        for (token, label) in labels.iter_mut().enumerate().take(chunk.end).skip(chunk.start) {
            let place = match (token == chunk.start, token + 1 == chunk.end, scheme) {
                (true, true, ChunkScheme::Bioes) => "S",
                (true, ..) => "B",
                (false, true, ChunkScheme::Bioes) => "E",
                _ => "I",
            };
            *label = format!("{place}-{}", chunk.kind);
        }
    }
    labels
}

/// Labels are consistent if and only if they are those that a scheme writes for the chunks they tell.
#[test]
fn consistent_labels_are_those_that_chunks_are_written_with() {
    let bio = ["O", "B-X", "I-X", "B-Y", "I-Y"];
    let bioes = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y"];
    for (scheme, labels, wanted) in [(ChunkScheme::Bio, &bio[..], 4), (ChunkScheme::Bioes, &bioes[..], 4)] {
        for length in 1..=wanted {
            let mut legal = 0;
            for own in sequences(labels, length) {
                let starts = scheme.starts(own[0]) && scheme.ends(own[length - 1]);
                let consistent = starts && own.windows(2).all(|pair| scheme.follows(pair[0], pair[1]));
                assert_eq!(consistent, written(&chunks(&own).unwrap(), length, scheme) == own, "{own:?}");
                legal += usize::from(consistent);
            }
            assert!(legal > 0);
        }
    }
    // The letters of BILOU; what is no label of a scheme.
    let scheme = ChunkScheme::Bioes;
    assert!(scheme.follows("B-X", "L-X") && scheme.starts("U-X") && !scheme.ends("B-X"));
    assert!(!ChunkScheme::Bio.has("E-X") && !ChunkScheme::Bio.starts("S-X") && !scheme.has("NOUN"));
    assert!(!scheme.follows("NOUN", "O") && !scheme.ends("NOUN"));
}
