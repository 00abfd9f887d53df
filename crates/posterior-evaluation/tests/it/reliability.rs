//! Whether events happen as often as was said, against sums by hand and enumeration.

use posterior_evaluation::{ProbabilityScores, Reliability};
use proptest::prelude::*;

#[test]
fn misuse_is_refused() {
    for wrong in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
        let error = Reliability::of(3, [(0.5, true), (wrong, true)]).unwrap_err();
        assert_eq!(error.index(), Some(1), "{error}");
    }
    let mut two = Reliability::new(2);
    assert!(two.merge(&Reliability::new(3)).is_err());
    assert!(ProbabilityScores::new(2).merge(&ProbabilityScores::new(3)).is_err());
    assert_eq!((two.calibration_error(), two.count(), Reliability::new(0).bins().len()), (None, 0, 1));
    let empty = two.bins()[0];
    assert_eq!((empty.rate(), empty.mean_probability(), empty.band(0.9)), (None, None, None));
}

#[test]
fn a_bin_holds_its_lower_end() {
    let edges = Reliability::of(4, [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| (p, true))).unwrap();
    assert_eq!(edges.bins().iter().map(|bin| bin.count).collect::<Vec<_>>(), [1, 1, 1, 2]);
}

/// P(low <= X/n <= high), X binomial, term by term.
fn inside(n: u64, p: f64, (low, high): (f64, f64)) -> f64 {
    let choose = |k: u64| (0..k).fold(1.0, |own, i| own * (n - i) as f64 / (i + 1) as f64);
    let proportion = |k: u64| k as f64 / n as f64;
    let kept = (0..=n).filter(|&k| proportion(k) >= low - 1e-12 && proportion(k) <= high + 1e-12);
    kept.map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)).sum()
}

#[test]
fn bands_hold_the_proportion_as_often_as_they_say_and_are_no_wider() {
    for n in [1_u64, 2, 7, 40] {
        for p in [0.0, 0.01, 0.3, 0.5, 0.97, 1.0] {
            let bin = Reliability::of(1, (0..n).map(|_| (p, false))).unwrap().bins()[0];
            let mean = bin.mean_probability().unwrap();
            for level in [0.5, 0.9, 0.99] {
                let (low, high) = bin.band(level).unwrap();
                assert!(inside(n, mean, (low, high)) >= level - 1e-12, "{n} {p} {level}");
                // Without its ends either tail is too heavy.
                let step = 1.0 / n as f64;
                let tail = 0.5 * (1.0 - level) - 1e-12;
                assert!(low == 0.0 || inside(n, mean, (0.0, low)) >= tail, "{n} {p} {level}");
                assert!(high == 1.0 || inside(n, mean, (high, 1.0)) >= tail, "{n} {p} {level}");
                assert!(low - step <= mean && mean <= high + step);
            }
            assert_eq!((bin.band(0.0), bin.band(1.0), bin.band(f64::NAN)), (None, None, None));
        }
    }
}

proptest! {
    #[test]
    fn the_counters_of_two_threads_are_those_of_one(
        rows in prop::collection::vec((0.0..=1.0_f64, 0..3_usize), 0..30),
        cut in 0..30_usize,
    ) {
        let count = |rows: &[(f64, usize)]| {
            let mut scores = ProbabilityScores::new(5);
            for &(p, truth) in rows {
                scores.push(&[p, 1.0 - p], truth).unwrap();
            }
            scores
        };
        let (first, second) = rows.split_at(cut.min(rows.len()));
        let (mut merged, whole) = (count(first), count(&rows));
        merged.merge(&count(second)).unwrap();
        prop_assert_eq!(merged.count(), rows.len() as u64);
        let pairs = [
            (merged.brier(), whole.brier()),
            (merged.mean_ln_loss(), whole.mean_ln_loss()),
            (merged.reliability().calibration_error(), whole.reliability().calibration_error()),
        ];
        for (own, other) in pairs {
            prop_assert!(own == other || (own.unwrap() - other.unwrap()).abs() < 1e-12);
        }
    }
}
