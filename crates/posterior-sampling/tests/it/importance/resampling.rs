//! Resampling.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_sampling::importance::Resampling;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};

const ALL: [Resampling; 4] =
    [Resampling::Multinomial, Resampling::Residual, Resampling::Stratified, Resampling::Systematic];
const WEIGHTS: [f64; 6] = [0.0, 3.0, 0.7, 1.1, 0.0, 0.2];

fn copies(scheme: Resampling, count: usize, seed: u64) -> [usize; 6] {
    let mut copies = [0; 6];
    for place in scheme.indices(&WEIGHTS, count, &mut stream(seed, &[])).unwrap() {
        copies[place] += 1;
    }
    copies
}

/// The mean and the variance of the number of copies over many resamplings.
fn moments(scheme: Resampling, count: usize) -> ([f64; 6], [f64; 6]) {
    let runs = 20_000;
    let (mut mean, mut square) = ([0.0; 6], [0.0; 6]);
    for seed in 0..runs {
        for (i, copies) in copies(scheme, count, seed).into_iter().enumerate() {
            mean[i] += copies as f64 / runs as f64;
            square[i] += (copies * copies) as f64 / runs as f64;
        }
    }
    (mean, std::array::from_fn(|i| square[i] - mean[i] * mean[i]))
}

#[test]
fn copies_are_unbiased_and_less_noisy_than_independent_choices() {
    let total: f64 = WEIGHTS.iter().sum();
    for scheme in ALL {
        let (mean, variance) = moments(scheme, 7);
        for i in 0..6 {
            let proportion = WEIGHTS[i] / total;
            let binomial = 7.0 * proportion * (1.0 - proportion);
            let error = (binomial.max(0.25) / 20_000.0).sqrt();
            assert!((mean[i] - 7.0 * proportion).abs() <= 5.0 * error, "{scheme:?} {i}: {}", mean[i]);
            assert!(variance[i] <= binomial * 1.06, "{scheme:?} {i}: {}", variance[i]);
            if scheme == Resampling::Multinomial {
                assert!(variance[i] >= binomial * 0.94, "{i}: {}", variance[i]);
            }
        }
        assert_eq!((mean[0], mean[4]), (0.0, 0.0), "{scheme:?}");
    }
}

#[test]
fn each_scheme_keeps_its_promise() {
    let total: f64 = WEIGHTS.iter().sum();
    for seed in 0..500 {
        for scheme in ALL {
            let places = scheme.indices(&WEIGHTS, 11, &mut stream(seed, &[])).unwrap();
            assert!(places.is_sorted() && places.len() == 11, "{scheme:?}");
        }
        let (residual, systematic) =
            (copies(Resampling::Residual, 11, seed), copies(Resampling::Systematic, 11, seed));
        for i in 0..6 {
            let expected = 11.0 * WEIGHTS[i] / total;
            assert!(residual[i] >= expected as usize);
            assert!((expected.floor()..=expected.ceil()).contains(&(systematic[i] as f64)));
        }
    }
}

#[test]
fn independent_choices_are_multinomial() {
    // Two choices of three: the distribution of the pair of counts.
    let mut seen = [0_u64; 6];
    for seed in 0..20_000 {
        let places = Resampling::Multinomial.indices(&[1.0, 2.0, 3.0], 2, &mut stream(seed, &[])).unwrap();
        seen[match places[..] {
            [0, 0] => 0,
            [0, 1] => 1,
            [0, 2] => 2,
            [1, 1] => 3,
            [1, 2] => 4,
            _ => 5,
        }] += 1;
    }
    let expected = [1.0, 4.0, 6.0, 4.0, 12.0, 9.0].map(|proportion| proportion / 36.0 * 20_000.0);
    let p = chi_square_p_value(&seen, &expected);
    assert!(p > LEVEL, "{p}");
}

#[test]
fn equal_weights_stay_as_they_are() {
    for scheme in [Resampling::Residual, Resampling::Stratified, Resampling::Systematic] {
        let places = scheme.indices(&[0.125; 8], 8, &mut stream(1, &[])).unwrap();
        assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7], "{scheme:?}");
    }
    for scheme in ALL {
        assert_eq!(scheme.indices(&[0.0, 1e-300, 0.0], 3, &mut stream(1, &[])).unwrap(), [1, 1, 1]);
        assert_eq!(scheme.indices(&[1.0], 0, &mut stream(1, &[])).unwrap(), [0; 0]);
        for weights in [&[][..], &[0.0, 0.0], &[1.0, -0.1], &[f64::NAN], &[f64::INFINITY], &[f64::MAX; 2]] {
            assert!(scheme.indices(weights, 3, &mut stream(1, &[])).is_err(), "{weights:?}");
        }
    }
}
