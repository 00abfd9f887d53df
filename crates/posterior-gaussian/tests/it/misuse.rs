//! Parameters and data that no distribution has.

use posterior_dist::Stats;
use posterior_gaussian::Gaussian;
use posterior_math::linalg::DMatrix;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn moments_that_no_points_have_are_refused() {
    let one = DMatrix::identity(2, 2);
    for (weight, mean, squares) in [
        (-1.0, 0.0, 0.0),
        (INF, 0.0, 0.0),
        (NAN, 0.0, 0.0),
        (1.0, NAN, 0.0),
        (1.0, 0.0, -1e-9),
        (1.0, 0.0, NAN),
    ] {
        assert!(Gaussian::stats_from_moments(weight, &[mean; 2], &(&one * squares)).is_err());
    }
    assert!(Gaussian::stats_from_moments(1.0, &[0.0; 3], &one).is_err());
    // Without weight nothing else counts.
    assert_eq!(Gaussian::stats_from_moments(0.0, &[NAN; 2], &(one * NAN)), Ok(Stats::new(2)));
}
