//! Maps from scores to probabilities: scikit-learn's numbers, exact small cases, and probabilities that come
//! true.

use posterior_dist::stream::stream;
use posterior_evaluation::{
    CalibratedRow, CalibrationMap, CalibrationMethod, ClassCalibration, Reliability, ScoredEvent,
};
use posterior_math::log_space::logistic;
use rand::RngExt as _;

const SCORES: [f64; 14] = [-3.1, -2.0, -1.4, -1.4, -0.7, -0.2, 0.1, 0.5, 0.9, 1.3, 1.3, 2.2, 2.8, 4.0];
const HAPPENED: [u8; 14] = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1];
const WEIGHTS: [f64; 14] = [1.0, 2.0, 1.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0];

fn events(weights: &[f64]) -> Vec<ScoredEvent> {
    let event = |((score, happened), weight)| ScoredEvent { score, happened: happened == 1, weight };
    SCORES.into_iter().zip(HAPPENED).zip(weights.iter().copied()).map(event).collect()
}

/// What scikit-learn 1.9.1 finds by `IsotonicRegression(out_of_bounds='clip')`, before the targets.
#[test]
fn isotonic_maps_are_those_of_scikit_learn_between_the_targets() {
    let at = [-5.0, -1.7, -1.0, 0.3, 1.1, 1.8, 9.0];
    let plain =
        [0.0, 0.166_666_666_666_666_66, 0.333_333_333_333_333_3, 0.625, 0.75, 0.888_888_888_888_888_9, 1.0];
    let weighted = [
        0.0,
        0.153_846_153_846_153_85,
        0.307_692_307_692_307_7,
        0.553_846_153_846_153_9,
        0.8,
        0.911_111_111_111_111_1,
        1.0,
    ];
    // N₀ and N₁: six and eight events; with weights 8.5 and 9.
    for (weights, expected, [n0, n1]) in [([1.0; 14], plain, [6.0, 8.0]), (WEIGHTS, weighted, [8.5, 9.0])] {
        let map = CalibrationMap::fit(CalibrationMethod::Isotonic, &events(&weights)).unwrap();
        let (least, most) = (1.0 / (n0 + 2.0), (n1 + 1.0) / (n1 + 2.0));
        for (score, expected) in at.into_iter().zip(expected) {
            let found = (map.probability(score) - least) / (most - least);
            assert!((found - expected).abs() < 1e-14, "{score} {found} {expected}");
        }
        assert_eq!(map.knots().unwrap().len(), if n0 == 6.0 { 10 } else { 8 });
        assert_eq!((map.method(), map.slope_and_intercept()), (CalibrationMethod::Isotonic, None));
    }
}

/// By Newton's method on the same targets in NumPy, to all digits; scikit-learn 1.9.1's
/// `_SigmoidCalibration` has 0.59374506 and 0.17381105, 0.69436373 and -0.08364714.
#[test]
fn platts_maps_are_those_of_scikit_learn() {
    let expected = [
        ([1.0; 14], 0.593_745_077_985_401_1, 0.173_811_178_098_290_28),
        (WEIGHTS, 0.694_363_729_368_163_6, -0.083_647_135_111_222_5),
    ];
    for (weights, slope, intercept) in expected {
        let map = CalibrationMap::fit(CalibrationMethod::Platt, &events(&weights)).unwrap();
        let found = map.slope_and_intercept().unwrap();
        assert!((found.0 - slope).abs() < 1e-8 && (found.1 - intercept).abs() < 1e-8, "{found:?}");
        assert!((map.probability(2.0) - logistic(2.0 * slope + intercept)).abs() < 1e-9);
        assert_eq!(map.knots(), None);
    }
}

#[test]
fn nothing_is_certain_and_nothing_fails_at_the_edges() {
    let one = |happened| [ScoredEvent { score: 1.0, happened, weight: 1.0 }; 3];
    for method in [CalibrationMethod::Isotonic, CalibrationMethod::Platt] {
        // All events alike: the target of all of them, (3 + 1)/(3 + 2) or 1/(3 + 2), at every score.
        for (happened, expected) in [(true, 0.8), (false, 0.2)] {
            let map = CalibrationMap::fit(method, &one(happened)).unwrap();
            for score in [-1e9, 1.0, 1e9] {
                assert!((map.probability(score) - expected).abs() < 1e-12, "{method:?}");
            }
        }
        let map = CalibrationMap::fit(method, &events(&[1.0; 14])).unwrap();
        assert!(map.probability(f64::NAN).is_nan());
        assert!(map.probability(f64::INFINITY) <= 1.0 && map.probability(f64::NEG_INFINITY) >= 0.0);
        assert!(CalibrationMap::fit(method, &[]).is_err());
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut all = events(&[1.0; 14]);
            all[3].score = wrong;
            assert_eq!(CalibrationMap::fit(method, &all).unwrap_err().index(), Some(3));
            all[3] = ScoredEvent { score: 0.0, happened: true, weight: -wrong };
            assert_eq!(CalibrationMap::fit(method, &all).unwrap_err().index(), Some(3));
        }
        let row = CalibratedRow { probabilities: &[0.2, 0.8], class: 1, weight: 1.0 };
        assert!(ClassCalibration::fit(method, 1, &[]).is_err());
        assert!(ClassCalibration::fit(method, 3, &[row]).is_err());
        let none = ClassCalibration::fit(method, 2, &[row, CalibratedRow { class: 2, ..row }]);
        assert_eq!(none.unwrap_err().index(), Some(1));
        let calibration = ClassCalibration::fit(method, 2, &[row]).unwrap();
        assert!(
            calibration.calibrated(&[0.5, 0.6, 0.1]).is_err() && calibration.calibrated(&[2.0, 0.0]).is_err()
        );
    }
}

/// A classifier that says odds to the power of three, of three classes: what the maps say of 20,000 new rows
/// happens as often as they say, and each class's bins hold the rate in their bands.
#[test]
fn what_calibrated_probabilities_say_comes_true() {
    let mut rng = stream(11, &[]);
    let mut draw = |count: usize| -> Vec<(Vec<f64>, usize)> {
        let mut row = || {
            let odds: [f64; 3] = [(); 3].map(|()| (3.0 * rng.random::<f64>()).exp());
            let (sum, cubes) = (odds.iter().sum::<f64>(), odds.iter().map(|own| own.powi(3)).sum::<f64>());
            let at = rng.random::<f64>() * sum;
            let class = if at < odds[0] { 0 } else { 1 + usize::from(at >= odds[0] + odds[1]) };
            (odds.iter().map(|own| own.powi(3) / cubes).collect(), class)
        };
        (0..count).map(|_| row()).collect()
    };
    let (seen, new) = (draw(5_000), draw(20_000));
    let error = |said: &dyn Fn(&[f64]) -> Vec<f64>| {
        let mut all = Reliability::new(10);
        for (row, class) in &new {
            for (place, p) in said(row).into_iter().enumerate() {
                all.push(p, place == *class).unwrap();
            }
        }
        all.calibration_error().unwrap()
    };
    let before = error(&|row| row.to_vec());
    assert!(before > 0.1, "{before}");
    let rows: Vec<_> = seen
        .iter()
        .map(|(own, class)| CalibratedRow { probabilities: own, class: *class, weight: 1.0 })
        .collect();
    for method in [CalibrationMethod::Isotonic, CalibrationMethod::Platt] {
        let calibration = ClassCalibration::fit(method, 3, &rows).unwrap();
        let after = error(&|row| calibration.calibrated(row).unwrap());
        assert!(after < 0.02, "{method:?} {after}");
        let sum: f64 = calibration.calibrated(&[1.0, 0.0, 0.0]).unwrap().iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

/// The interval of a bin's rate holds the probability of the events as often as it says, whatever it is.
#[test]
fn intervals_of_rates_hold_the_probability() {
    let mut rng = stream(5, &[]);
    for (n, p) in [(5, 0.5), (20, 0.05), (20, 0.3), (200, 0.02), (200, 0.7)] {
        for level in [0.8, 0.95] {
            let sets = 2_000;
            let mut held = 0;
            for _ in 0..sets {
                let happened = (0..n).map(|_| (p, rng.random::<f64>() < p));
                let (low, high) = Reliability::of(1, happened).unwrap().bins()[0].interval(level).unwrap();
                assert!(0.0 <= low && low < high && high <= 1.0);
                held += usize::from(low <= p && p <= high);
            }
            let rate = held as f64 / f64::from(sets);
            // Three standard errors of the simulation below the level; few events make it wider than said.
            assert!(rate > level - 3.0 * (level * (1.0 - level) / f64::from(sets)).sqrt(), "{n} {p} {rate}");
        }
    }
    // R: binom.test(3, 10)$conf.int.
    let bin = Reliability::of(1, (0..10).map(|i| (0.5, i < 3))).unwrap().bins()[0];
    let (low, high) = bin.interval(0.95).unwrap();
    assert!((low - 0.066_739_51).abs() < 1e-7 && (high - 0.652_452_85).abs() < 1e-7, "{low} {high}");
    assert_eq!((bin.interval(0.0), bin.interval(1.0)), (None, None));
    assert_eq!(Reliability::new(4).edges(1), (0.25, 0.5));
}

#[cfg(feature = "serde")]
#[test]
fn maps_equal_themselves_after_a_round_trip_and_wrong_ones_are_refused() {
    for method in [CalibrationMethod::Isotonic, CalibrationMethod::Platt] {
        let map = CalibrationMap::fit(method, &events(&WEIGHTS)).unwrap();
        let text = serde_json::to_string(&map).unwrap();
        assert_eq!(serde_json::from_str::<CalibrationMap>(&text).unwrap(), map);
        let row = CalibratedRow { probabilities: &[0.2, 0.7, 0.1], class: 1, weight: 1.0 };
        let all = ClassCalibration::fit(method, 3, &[row; 4]).unwrap();
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<ClassCalibration>(&text).unwrap(), all);
        let fewer = text.replacen("\"classes\":3", "\"classes\":2", 1);
        assert!(serde_json::from_str::<ClassCalibration>(&fewer).is_err(), "{fewer}");
    }
    for wrong in [
        r#"{"isotonic":[]}"#,
        r#"{"isotonic":[[0.0,0.5],[0.0,0.6]]}"#,
        r#"{"isotonic":[[0.0,0.5],[1.0,0.4]]}"#,
        r#"{"isotonic":[[0.0,1.5]]}"#,
        r#"{"platt":[1.0]}"#,
    ] {
        assert!(serde_json::from_str::<CalibrationMap>(wrong).is_err(), "{wrong}");
    }
}
