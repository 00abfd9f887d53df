//! Streaming statistics: against two passes, over splits, merged and removed.

use posterior_math::linalg::DMatrix;
use posterior_math::streaming::{
    MeanVariance, NeumaierSum, StreamingCovariance, StreamingMoments, quantile_of_sorted,
};
use posterior_testkit::accuracy::{assert_close, conditioned_error};
use proptest::prelude::*;

/// Numbers between -0.5 and 0.5 on the grid of 2^-24, without an order: exact when a large integer is added.
fn spread(i: u64) -> f64 {
    let hashed = i.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678).rotate_left(31);
    (hashed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as f64 / 16_777_216.0 - 0.5
}

#[test]
fn far_from_zero_the_digits_stay() {
    let n = 100_000;
    let near: MeanVariance = (0..n).map(spread).collect();
    let far: MeanVariance = (0..n).map(|i| 1e8 + (spread(i) * 67_108_864.0).round() / 67_108_864.0).collect();
    assert_close(far.variance(), near.variance(), 1e-13);
    assert_close(far.mean(), 1e8 + near.mean(), 2e-16);
    let moments: StreamingMoments = (0..n).map(|i| 1e8 + spread(i)).collect();
    let centred: StreamingMoments = (0..n).map(spread).collect();
    assert_close(moments.excess_kurtosis(), centred.excess_kurtosis(), 1e-12);
    assert_close(centred.excess_kurtosis(), -1.2, 0.01);
}

#[test]
fn the_empty_statistic_is_neutral() {
    let some: MeanVariance = [1.0, 2.5].into_iter().collect();
    let (mut left, mut right) = (MeanVariance::new(), some);
    left.merge(&some);
    right.merge(&MeanVariance::new());
    assert_eq!((left, right), (some, some));
    let empty = MeanVariance::new();
    assert!(empty.mean().is_nan() && empty.variance().is_nan() && empty.sample_variance().is_nan());
    assert_eq!(empty.sum_of_squares(), 0.0);
    let mut one = StreamingCovariance::new(1);
    one.push(&[3.0]);
    let mut merged = StreamingCovariance::new(1);
    merged.merge(&one);
    merged.merge(&StreamingCovariance::new(1));
    assert_eq!(merged, one);
    assert!(one.sample_covariance()[(0, 0)].is_nan());
    assert!(StreamingCovariance::new(2).mean()[1].is_nan());
    assert_eq!(StreamingCovariance::new(0).covariance(), DMatrix::zeros(0, 0));
}

#[test]
fn what_is_removed_was_never_there() {
    let mut statistic = MeanVariance::new();
    statistic.push_weighted(7.0, 0.25);
    statistic.remove_weighted(7.0, 0.25);
    assert_eq!(statistic, MeanVariance::new());
    statistic.push_weighted(5.0, 0.1);
    statistic.push_weighted(6.0, 0.2);
    statistic.remove_weighted(6.0, 0.2);
    statistic.remove_weighted(5.0, 0.1);
    assert_eq!(statistic, MeanVariance::new());
    statistic.push_weighted(f64::NAN, 0.0);
    assert_eq!(statistic, MeanVariance::new());
    statistic.push(f64::NAN);
    assert!(statistic.mean().is_nan());
}

#[test]
fn weights_count_occurrences() {
    let repeated: MeanVariance = [2.0, 5.0, 5.0, 5.0].into_iter().collect();
    let mut weighted = MeanVariance::new();
    weighted.push_weighted(5.0, 3.0);
    weighted.push_weighted(2.0, 1.0);
    assert_close(weighted.sample_variance(), repeated.sample_variance(), 1e-15);
    let moments: StreamingMoments = [2.0, 5.0, 5.0, 5.0].into_iter().collect();
    let mut heavy = StreamingMoments::new();
    heavy.push_weighted(5.0, 3.0);
    heavy.push(2.0);
    assert_close(heavy.skewness(), moments.skewness(), 1e-15);
}

#[test]
fn sums_survive_cancellation_and_overflow() {
    let mut sum = NeumaierSum::new();
    sum.extend([f64::MAX, f64::MAX]);
    assert_eq!(sum.value(), f64::INFINITY);
    let mut tenths = NeumaierSum::new();
    tenths.extend((0..1_000_000).map(|_| 0.1));
    assert_eq!(tenths.value(), 100_000.0);
    let mut parts: NeumaierSum = [1e100, 1.0].into_iter().collect();
    parts.merge(&[-1e100, 1.0].into_iter().collect());
    assert_eq!(parts.value(), 2.0);
}

#[test]
fn quantiles_of_sorted_numbers_lie_between_neighbours() {
    // R 4: quantile(c(1, 2, 4, 8), c(0, 0.05, 0.5, 0.9, 1)).
    for (p, value) in [(0.0, 1.0), (0.05, 1.15), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
        assert_close(quantile_of_sorted(&[1.0, 2.0, 4.0, 8.0], p), value, 1e-15);
    }
    assert_eq!(quantile_of_sorted(&[-f64::MAX, f64::MAX], 0.5), 0.0);
    assert_eq!(quantile_of_sorted(&[0.1; 3], 0.35), 0.1);
    let infinity = f64::INFINITY;
    assert_eq!(quantile_of_sorted(&[0.0, infinity, infinity], 0.75), infinity);
    assert_eq!(quantile_of_sorted(&[0.0, infinity], 0.0), 0.0);
    assert!(quantile_of_sorted(&[-infinity, infinity], 0.5).is_nan());
    let with_nan = [1.0, 2.0, f64::NAN];
    assert_eq!(quantile_of_sorted(&with_nan, 0.5), 2.0);
    assert!(quantile_of_sorted(&with_nan, 0.75).is_nan());
    assert!(quantile_of_sorted(&[], 0.5).is_nan());
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(quantile_of_sorted(&[1.0], p).is_nan());
    }
}

#[test]
#[should_panic(expected = "another length")]
fn vectors_have_one_length() {
    StreamingCovariance::new(2).push(&[1.0]);
}

proptest! {
    #[test]
    fn splits_and_removals_do_not_matter(
        points in prop::collection::vec((-1e3..1e3_f64, 0.1..3.0_f64), 2..60), at in 0_usize..60, center in -1e8..1e8_f64,
    ) {
        let add = |statistic: &mut MeanVariance, points: &[(f64, f64)]| {
            for &(x, w) in points {
                statistic.push_weighted(center + x, w);
            }
        };
        let (left, right) = points.split_at(at.min(points.len()));
        let (mut whole, mut first, mut second) = (MeanVariance::new(), MeanVariance::new(), MeanVariance::new());
        add(&mut whole, &points);
        add(&mut first, left);
        add(&mut second, right);
        let mut merged = first;
        merged.merge(&second);
        prop_assert!(conditioned_error(merged.variance(), whole.variance(), 0.0) < 1e-12);
        prop_assert!(conditioned_error(merged.mean(), whole.mean(), 0.0) < 1e-12);
        // Two passes.
        let weight: f64 = points.iter().map(|p| p.1).sum();
        let mean = points.iter().map(|&(x, w)| w * ((center + x) - center)).sum::<f64>() / weight;
        let squares: f64 = points.iter().map(|&(x, w)| w * (((center + x) - center) - mean).powi(2)).sum();
        prop_assert!(conditioned_error(whole.sum_of_squares(), squares, 0.0) < 1e-12);
        merged.unmerge(&second);
        if first.weight() > 0.0 {
            prop_assert!((merged.mean() - first.mean()).abs() <= 1e-12 * whole.variance().sqrt().max(first.mean().abs()));
            let lost = 1e-12 * whole.sum_of_squares();
            prop_assert!((merged.sum_of_squares() - first.sum_of_squares()).abs() <= lost);
        }
        for &(x, w) in left {
            merged.remove_weighted(center + x, w);
        }
        prop_assert!(merged.weight() < 1e-12 * weight);
    }

    #[test]
    fn higher_moments_are_those_of_two_passes(points in prop::collection::vec(-3.0..5.0_f64, 3..60), at in 0_usize..60) {
        let (left, right) = points.split_at(at.min(points.len()));
        let mut merged: StreamingMoments = left.iter().copied().collect();
        merged.merge(&right.iter().copied().collect());
        let n = points.len() as f64;
        let mean = points.iter().sum::<f64>() / n;
        let power = |k: i32| points.iter().map(|x| (x - mean).powi(k)).sum::<f64>() / n;
        prop_assert!(conditioned_error(merged.variance(), power(2), 0.0) < 1e-13);
        prop_assert!(conditioned_error(merged.skewness(), power(3) / power(2).powf(1.5), 1.0) < 1e-12);
        prop_assert!(conditioned_error(merged.excess_kurtosis(), power(4) / power(2).powi(2) - 3.0, 3.0) < 1e-12);
    }

    #[test]
    fn covariances_split_and_agree_with_the_scalar(
        points in prop::collection::vec(prop::array::uniform3(-10.0..10.0_f64), 2..40), at in 0_usize..40, center in -1e8..1e8_f64,
    ) {
        let collect = |points: &[[f64; 3]]| {
            let mut statistic = StreamingCovariance::new(3);
            for p in points {
                statistic.push(&p.map(|x| center + x));
            }
            statistic
        };
        let (left, right) = points.split_at(at.min(points.len()));
        let (whole, mut merged) = (collect(&points), collect(left));
        merged.merge(&collect(right));
        let size = whole.scatter().amax();
        prop_assert!((merged.scatter() - whole.scatter()).amax() <= 1e-12 * size);
        for i in 0..3 {
            let scalar: MeanVariance = points.iter().map(|p| center + p[i]).collect();
            prop_assert!(conditioned_error(whole.scatter()[(i, i)], scalar.sum_of_squares(), 0.0) < 1e-12);
            prop_assert!(conditioned_error(whole.mean()[i], scalar.mean(), 0.0) < 1e-15);
        }
        let removed = right.iter().fold(whole, |mut statistic, p| {
            statistic.remove_weighted(&p.map(|x| center + x), 1.0);
            statistic
        });
        prop_assert!((removed.scatter() - collect(left).scatter()).amax() <= 1e-12 * size);
    }
}

#[test]
fn moments_counted_elsewhere_merge_as_points_do() {
    let points: Vec<[f64; 2]> = (0..40).map(|i| [spread(i), spread(i + 100) - spread(i)]).collect();
    let (mut whole, mut halves) =
        (StreamingCovariance::new(2), [StreamingCovariance::new(2), StreamingCovariance::new(2)]);
    for (i, point) in points.iter().enumerate() {
        whole.push(point);
        halves[i % 2].push(point);
    }
    let [mut left, right] = halves.map(|half| {
        StreamingCovariance::from_moments(half.weight(), half.mean().as_slice(), &half.scatter())
    });
    left.merge(&right);
    assert_close(left.weight(), 40.0, 0.0);
    for (a, b) in left.covariance().iter().zip(whole.covariance().iter()) {
        assert_close(*a, *b, 1e-13);
    }
    assert_eq!(
        StreamingCovariance::from_moments(0.0, &[f64::NAN; 2], &left.scatter()),
        StreamingCovariance::new(2)
    );

    let column = |range: std::ops::Range<usize>| points[range].iter().map(|x| x[0]).collect::<MeanVariance>();
    let counted = |of: MeanVariance| MeanVariance::from_moments(of.weight(), of.mean(), of.sum_of_squares());
    let mut left = counted(column(0..13));
    left.merge(&counted(column(13..40)));
    assert_close(left.variance(), column(0..40).variance(), 1e-13);
    assert_eq!(MeanVariance::from_moments(0.0, 3.0, 1.0), MeanVariance::new());
}
