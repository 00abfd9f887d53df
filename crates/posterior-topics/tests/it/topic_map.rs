//! Topics in a plane.

use posterior_math::linalg::DMatrix;
use posterior_topics::Topics;
use posterior_topics::stability::Distance;
use posterior_topics::topic_map::TopicMap;
use proptest::prelude::*;

use crate::held_out::{random_topics, topics};

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn between(topics: &Topics, i: usize, j: usize) -> f64 {
    let row = |k: usize| topics.topic_word().row(k).iter().copied().collect::<Vec<f64>>();
    Distance::Hellinger.between(&row(i), &row(j))
}

#[test]
fn up_to_three_topics_keep_their_distances() {
    for count in 1..=3 {
        let three = random_topics(count, 20, 0.3, 9);
        let map = TopicMap::new(&three).unwrap();
        for i in 0..count {
            for j in 0..count {
                let error = distance(map.points[i], map.points[j]) - between(&three, i, j);
                assert!(error.abs() < 1e-12, "{count} topics: {error}");
            }
        }
        let shown = if count == 1 { 0.0 } else { 1.0 };
        assert!((map.explained.iter().sum::<f64>() - shown).abs() < 1e-12);
    }
}

#[test]
fn a_line_of_two_and_an_origin_of_one() {
    let map = TopicMap::new(&topics(&[&[1.0, 0.0], &[0.0, 1.0]])).unwrap();
    assert!((map.points[0][0] - 0.5).abs() < 1e-15 && (map.points[1][0] + 0.5).abs() < 1e-15);
    assert_eq!([map.points[0][1], map.points[1][1]], [0.0; 2]);
    assert_eq!(TopicMap::new(&topics(&[&[0.3, 0.7]])).unwrap().points, [[0.0; 2]]);
    let same = TopicMap::new(&topics(&[&[0.3, 0.7][..]; 5])).unwrap();
    assert_eq!((same.points, same.explained), (vec![[0.0; 2]; 5], [0.0; 2]));
}

/// Four topics without a common word are the corners of a regular tetrahedron: any plane shows two of three
/// equal directions.
#[test]
fn topics_without_common_words_are_a_simplex() {
    let identity = DMatrix::identity(4, 4);
    let rows: Vec<Vec<f64>> = (0..4).map(|k: usize| identity.row(k).iter().copied().collect()).collect();
    let map = TopicMap::new(&topics(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())).unwrap();
    assert!(
        map.explained.iter().all(|proportion| (proportion - 1.0 / 3.0).abs() < 1e-12),
        "{:?}",
        map.explained
    );
    let squares: f64 = map.points.iter().map(|point| point[0].powi(2) + point[1].powi(2)).sum();
    assert!((squares - 1.0).abs() < 1e-12, "{squares}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A projection shortens distances; its axes are ordered, centred, and have their signs.
    #[test]
    fn a_map_is_a_projection(seed in 0_u64..1_000_000, count in 2_usize..12) {
        let topics = random_topics(count, 15, 0.2, seed);
        let map = TopicMap::new(&topics).unwrap();
        for i in 0..count {
            for j in 0..i {
                prop_assert!(distance(map.points[i], map.points[j]) <= between(&topics, i, j) + 1e-9);
            }
        }
        prop_assert!(map.explained[0] >= map.explained[1] && map.explained.iter().sum::<f64>() <= 1.0 + 1e-12);
        for axis in 0..2 {
            let column: Vec<f64> = map.points.iter().map(|point| point[axis]).collect();
            prop_assert!(column.iter().sum::<f64>().abs() < 1e-9);
            let (low, high) = column.iter().fold((0.0_f64, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
            prop_assert!(high >= -low - 1e-9 * high);
        }
        for (k, near) in map.nearest.iter().enumerate() {
            let (other, apart) = near.unwrap();
            prop_assert!(other != k && (apart - between(&topics, k, other)).abs() < 1e-7);
            for third in (0..count).filter(|&third| third != k) {
                prop_assert!(between(&topics, k, third) >= apart - 1e-7);
            }
        }
    }
}
