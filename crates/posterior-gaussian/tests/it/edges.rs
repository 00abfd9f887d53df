//! Distributions at the edges of f64.

use posterior_dist::{Density, stream::stream};
use posterior_gaussian::{MultivariateT, Wishart};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_close;
use rand::distr::Distribution;

#[test]
fn extreme_degrees_of_freedom_have_densities_and_draws() {
    let one = DMatrix::identity(1, 1);
    let heavy = MultivariateT::new(8.6e-26, &[2.8e44], &(&one * 2.1e58)).expect("valid");
    let mut rng = stream(1, &[]);
    for _ in 0..1000 {
        let draw: Vec<f64> = heavy.sample(&mut rng);
        assert!(!draw[0].is_nan());
    }
    let few = MultivariateT::new(1e-4, &[-1.0], &one).expect("valid");
    // A power law: -(ν + 1) ln 10 for each decade.
    let decade = few.ln_pdf(&[1.7e152]) - few.ln_pdf(&[1.7e151]);
    assert_close(decade, -1.0001 * 10_f64.ln(), 1e-12);
    let wishart = Wishart::new(f64::MAX, &one).expect("valid");
    assert_eq!(wishart.ln_pdf(&(&one * 1e307)), f64::NEG_INFINITY);
}
