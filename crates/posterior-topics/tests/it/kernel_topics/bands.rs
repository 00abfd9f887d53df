//! Bands of documents drawn from the model, and of awkward ones.

use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;
use posterior_topics::Error;
use posterior_topics::kernel_topics::{BandOptions, Covariates, Curves, Sharing, TimeKernel, bands};

use super::simulated::{LENGTH, simulate};

/// The truth is in 95 % of the bands. 20 corpora with 21 times and 4 topics each; neighbouring times are
/// correlated (length scale 15 of 100), and so are topics at one time: about 200 independent ones, standard
/// error 0.016. The proportion must be within three of them; seeds that are not chosen fail once in 400. With
/// parameters at their best values bands are a little narrow: 0.94 over many more corpora.
#[test]
fn bands_hold_the_truth() {
    for sharing in [Sharing::Shared, Sharing::PerTopic] {
        let (mut inside, mut all) = (0, 0);
        for seed in 0..20 {
            let simulated = simulate(100, 4, 15.0, 0.4, seed);
            let options = BandOptions { sharing, draws: 1000, ..BandOptions::default() };
            let lengths = [LENGTH; 100];
            let trend =
                bands(&simulated.doc_topic, &lengths, &simulated.times, &simulated.grid, &options).unwrap();
            for (i, proportion) in simulated.proportions.iter().enumerate() {
                all += 1;
                inside +=
                    usize::from((trend.lower.as_slice()[i]..trend.upper.as_slice()[i]).contains(proportion));
            }
        }
        let coverage = f64::from(inside as u32) / f64::from(all);
        assert!((0.90..=0.99).contains(&coverage), "{sharing:?}: {coverage}");
    }
}

#[test]
fn bands_are_wide_where_documents_are_rare() {
    let times: Vec<f64> = (0..60).map(f64::from).filter(|t| !(25.0..45.0).contains(t)).collect();
    let doc_topic = DMatrix::from_fn(times.len(), 3, |d, k| {
        let eta = |k: usize| ((times[d] / 7.0) + 2.0 * k as f64).sin() + 0.3 * ((7 * d + 3 * k) as f64).cos();
        eta(k).exp() / (0..3).map(|j| eta(j).exp()).sum::<f64>()
    });
    let lengths = vec![300; times.len()];
    for kernel in [TimeKernel::Matern32, TimeKernel::Matern52, TimeKernel::SquaredExponential] {
        let options = BandOptions { kernel, ..BandOptions::default() };
        let trend = bands(&doc_topic, &lengths, &times, &[12.0, 35.0, 52.0], &options).unwrap();
        for k in 0..3 {
            let width = |t: usize| trend.upper[(t, k)].ln() - trend.lower[(t, k)].ln();
            assert!(width(1) > 1.5 * width(0) && width(1) > 1.5 * width(2), "{kernel:?}");
            assert!(
                (0..3).all(|t| (trend.lower[(t, k)]..trend.upper[(t, k)]).contains(&trend.median[(t, k)]))
            );
        }
    }
}

#[test]
fn all_routes_agree() {
    // 1100 documents go by a filter; the same ones at 500 times more than once by a dense factor of 500
    // sites.
    let times: Vec<f64> = (0..1100).map(|d| f64::from(d / 10)).collect();
    let doc_topic = DMatrix::from_fn(1100, 2, |d, k| {
        let proportion = 0.5 + 0.4 * (times[d] / 15.0).sin() * (1.0 - 0.2 * f64::from((d % 7) as u32));
        if k == 0 { proportion } else { 1.0 - proportion }
    });
    let grid = [3.5, 50.0, 120.0];
    let some: Vec<usize> = (0..1000).collect();
    let lengths = vec![100; 1100];
    let options = BandOptions { sharing: Sharing::Shared, ..BandOptions::default() };
    let filtered = bands(&doc_topic, &lengths, &times, &grid, &options).unwrap();
    let dense =
        bands(&doc_topic.select_rows(&some), &lengths[..1000], &times[..1000], &grid, &options).unwrap();
    // A tenth of the documents less: near enough at 3.5 and 50, another extrapolation at 120.
    for t in 0..2 {
        assert!((filtered.median[(t, 0)] - dense.median[(t, 0)]).abs() < 0.01);
        assert!((filtered.upper[(t, 0)] - dense.upper[(t, 0)]).abs() < 0.01);
    }
}

#[test]
fn draws_of_a_seed_are_the_same() {
    let simulated = simulate(30, 3, 15.0, 0.4, 5);
    let run = |seed| {
        let options = BandOptions { seed, draws: 200, ..BandOptions::default() };
        bands(&simulated.doc_topic, &[LENGTH; 30], &simulated.times, &simulated.grid, &options).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| run(1)), run(1));
}

#[test]
fn awkward_documents() {
    let options = BandOptions { draws: 300, ..BandOptions::default() };
    let one = DMatrix::from_row_slice(1, 3, &[0.2, 0.3, 0.5]);
    let trend = bands(&one, &[100], &[1900.0], &[1800.0, 1900.0], &options).unwrap();
    assert!((trend.median[(1, 2)] - 0.5).abs() < 0.2);
    assert!(trend.upper[(0, 0)] - trend.lower[(0, 0)] >= trend.upper[(1, 0)] - trend.lower[(1, 0)]);
    // All at one time, topics without a token, identical documents.
    let same = DMatrix::from_fn(5, 3, |_, k| [1.0, 0.0, 0.0][k]);
    let trend = bands(&same, &[50; 5], &[7.0; 5], &[7.0], &options).unwrap();
    assert!(trend.median[(0, 0)] > 0.9);
    // Documents without tokens or time.
    let trend = bands(&same, &[50, 0, 50, 50, 0], &[1.0, 2.0, f64::NAN, 4.0, 5.0], &[1.0], &options).unwrap();
    assert!(trend.median[(0, 0)] > 0.9);
    // One topic.
    let trend = bands(&DMatrix::from_element(2, 1, 1.0), &[5; 2], &[1.0, 2.0], &[1.5], &options).unwrap();
    assert_eq!((trend.lower[(0, 0)], trend.upper[(0, 0)]), (1.0, 1.0));
    // No place to look at.
    assert_eq!(bands(&same, &[50; 5], &[7.0; 5], &[], &options).unwrap().median.nrows(), 0);
}

#[test]
fn misuse() {
    let options = BandOptions::default();
    let proportions = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 0.2, 0.8]);
    let fails =
        |proportions: &DMatrix<f64>, lengths: &[u64], times: &[f64], at: &[f64], options: &BandOptions| {
            bands(proportions, lengths, times, at, options).is_err()
        };
    assert!(!fails(&proportions, &[9, 9], &[1.0, 2.0], &[1.0], &options));
    for (lengths, times) in [(&[9][..], &[1.0, 2.0][..]), (&[9, 9], &[1.0])] {
        let error = bands(&proportions, lengths, times, &[1.0], &options).unwrap_err();
        assert!(matches!(error, Error::Dimension(DimensionError { expected: 2, found: 1, .. })), "{error}");
    }
    let at = Covariates::new(&[1.0, 2.0]).unwrap();
    let (kernel, sharing) = (options.kernel, options.sharing);
    for (lengths, covariates) in [(&[9][..], &at), (&[9, 9], &at.select(&[0]).unwrap())] {
        let error = Curves::learn(&proportions, lengths, covariates, kernel, sharing).unwrap_err();
        assert!(matches!(error, Error::Dimension(DimensionError { expected: 2, found: 1, .. })), "{error}");
    }
    assert!(fails(&proportions, &[0, 0], &[1.0, 2.0], &[1.0], &options));
    assert!(fails(&proportions, &[9, 9], &[1.0, 2.0], &[2.0, 1.0], &options));
    assert!(fails(&proportions, &[9, 9], &[1.0, 2.0], &[f64::NAN], &options));
    assert!(fails(&proportions.map(|x| x - 0.4), &[9, 9], &[1.0, 2.0], &[1.0], &options));
    assert!(fails(
        &proportions,
        &[9, 9],
        &[1.0, 2.0],
        &[1.0],
        &BandOptions { level: 1.0, ..options.clone() }
    ));
    assert!(fails(&proportions, &[9, 9], &[1.0, 2.0], &[1.0], &BandOptions { draws: 1, ..options.clone() }));
    assert!(fails(&proportions, &[9, 9], &[1.0, 2.0], &[1.0], &BandOptions { draws: usize::MAX, ..options }));
}
