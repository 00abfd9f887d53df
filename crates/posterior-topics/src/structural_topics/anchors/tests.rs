//! Topics with anchors, and too many of them.

use posterior_testkit::accuracy::assert_within;

use super::*;

fn corpus(rows: Vec<Vec<(u32, u32)>>, words: usize) -> Corpus {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    Corpus::from_rows(names(words), names(rows.len()), rows).unwrap()
}

/// Documents of half one pair of words, half of another: three topics, a word of each alone and a word of
/// all.
#[test]
fn topics_with_anchors_are_found() {
    let topics = [[0, 1], [2, 3], [4, 5]];
    let mut rows = Vec::new();
    for mix in [[8, 1, 1], [1, 8, 1], [1, 1, 8], [5, 5, 0], [0, 5, 5], [5, 0, 5]] {
        for _ in 0..10 {
            let mut row: Vec<(u32, u32)> = Vec::new();
            for (k, n) in mix.into_iter().enumerate().filter(|&(_, n)| n > 0) {
                row.extend([(topics[k][0], 30 * n), (topics[k][1], 10 * n)]);
            }
            row.push((6, 100));
            rows.push(row);
        }
    }
    let phi = topic_words(&corpus(rows, 7), &[0; 60], 3).unwrap();
    for own in topics {
        let k = (0..3).find(|&k| phi[(k, own[0] as usize)] > 0.2).unwrap();
        // 30, 10 and 10 of 50 words.
        for (word, p) in [(own[0], 0.6), (own[1], 0.2), (6, 0.2)] {
            assert_within(phi[(k, word as usize)], p, 0.02);
        }
        assert_within(phi.row(k).sum(), 1.0, 1e-12);
    }
}

#[test]
fn more_topics_than_words_tell_apart_are_refused() {
    let rows = vec![vec![(0, 4), (1, 2)]; 20];
    let error = topic_words(&corpus(rows, 2), &[0; 20], 3).unwrap_err().to_string();
    assert!(error.contains("topics apart, fewer than 3"), "{error}");
}

/// Of two topics, one of whose words is another one by level, the anchors are words of all levels.
#[test]
fn words_of_one_level_are_no_anchors() {
    let row = |d: u32| {
        let river = 2 + d % 12;
        vec![(0, river), (1, river), (2 + d % 2, river), (4, 16 - river), (5, 16 - river)]
    };
    let levels: Vec<usize> = (0..60).map(|d| d % 2).collect();
    let phi = topic_words(&corpus((0..60).map(row).collect(), 6), &levels, 2).unwrap();
    let river = usize::from(phi[(1, 0)] > phi[(0, 0)]);
    assert!(phi[(river, 2)] > 0.1 && phi[(river, 3)] > 0.1, "{phi}");
    assert!(phi[(1 - river, 0)] < 0.1 && phi[(1 - river, 4)] > 0.3, "{phi}");
}
