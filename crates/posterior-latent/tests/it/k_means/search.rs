//! Bounds and the fast kernel against a scan of all centres.

use posterior_dist::stream::stream;
use posterior_latent::Observations;
use posterior_latent::k_means::{CentreStart, Clustering, KMeans, KMeansOptions, NearestSearch, fit};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;

use super::properties::any_data;

fn both(data: &Observations, options: &KMeansOptions, seed: u64) -> Option<[Clustering; 2]> {
    let run = |search| fit(data, &KMeansOptions { search, ..options.clone() }, seed, &mut Silent).ok();
    Some([run(NearestSearch::Exhaustive)?, run(NearestSearch::Bounds)?])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bounds_change_no_bit((values, weights) in any_data(), k in 1..12_usize, seed: u64) {
        let data = Observations::new(&values)?.weighted(&weights)?;
        let options = KMeansOptions { start: CentreStart::RandomRows, ..KMeansOptions::new(k) };
        if let Some([plain, bounded]) = both(&data, &options, seed) {
            prop_assert_eq!(plain, bounded);
        }
    }
}

/// Rows around many centres, so that bounds come to bear.
fn crowd(n: usize, d: usize, k: usize, offset: f64) -> DMatrix<f64> {
    let mut rng = stream(n as u64, &[d as u64, k as u64]);
    let middles = DMatrix::from_fn(k, d, |_, _| rng.random::<f64>() * 8.0);
    DMatrix::from_fn(n, d, |i, t| offset + middles[(i % k, t)] + rng.random::<f64>() + rng.random::<f64>())
}

#[test]
fn bounds_change_no_bit_of_larger_data() {
    for (n, d, k, offset) in [(5000, 3, 20, 0.0), (3000, 1, 9, 1e6), (2500, 17, 33, -4e3), (4100, 8, 64, 0.0)]
    {
        let data = Observations::new(&crowd(n, d, k, offset)).unwrap();
        let options = KMeansOptions { start: CentreStart::RandomRows, ..KMeansOptions::new(k) };
        let [plain, bounded] = both(&data, &options, 7).unwrap();
        assert!(plain.report.iterations() > 3);
        assert_eq!(plain, bounded);
    }
}

#[test]
fn the_kernel_finds_what_a_scan_finds() {
    for (n, d, k) in [(1, 1, 1), (15, 2, 3), (16, 4, 4), (17, 5, 7), (700, 10, 64), (300, 33, 5)] {
        let mut rng = stream(n as u64, &[]);
        // A grid has many ties.
        for coarse in [true, false] {
            let mut draw =
                |_, _| if coarse { f64::from(rng.random_range(0..3_u8)) } else { rng.random::<f64>() };
            let (values, centres) = (DMatrix::from_fn(n, d, &mut draw), DMatrix::from_fn(k, d, &mut draw));
            let data = Observations::new(&values).unwrap();
            let model = KMeans::new(&centres).unwrap();
            let distances = model.distances(&data).unwrap();
            let labels = model.assign(&data).unwrap();
            let mut inertia = 0.0;
            for i in 0..n {
                let exact: Vec<f64> = (0..k).map(|j| (values.row(i) - centres.row(j)).norm()).collect();
                for (j, exact) in exact.iter().enumerate() {
                    assert!((distances[(i, j)] - exact).abs() < 1e-14 * (1.0 + exact));
                }
                let nearest = exact.iter().copied().fold(f64::INFINITY, f64::min);
                let first = exact.iter().position(|&distance| distance <= nearest * (1.0 + 1e-12)).unwrap();
                assert_eq!(labels[i], first, "{exact:?}");
                inertia += nearest * nearest;
            }
            assert!((model.inertia(&data).unwrap() - inertia).abs() <= 1e-12 * inertia);
        }
    }
}
