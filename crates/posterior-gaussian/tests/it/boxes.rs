//! Probabilities of boxes, Gaussians in boxes, copulas: figures of mpmath (40 digits: of equal correlations
//! by the integral over their common factor), exact cases and draws.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Normal, StudentT, Truncated, Univariate};
use posterior_gaussian::{BoxOptions, Gaussian, GaussianCopula, MultivariateT, TCopula, TruncatedGaussian};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::distr::Distribution;

const INFINITY: f64 = f64::INFINITY;

/// Unit variances and one correlation.
fn equal(dimension: usize, correlation: f64) -> Gaussian {
    let covariance = DMatrix::from_fn(dimension, dimension, |i, j| if i == j { 1.0 } else { correlation });
    Gaussian::new(&vec![0.0; dimension], &covariance).expect("positive definite")
}

/// Dimension, correlation, ends of all coordinates, ln of the probability.
const EQUAL: [(usize, f64, f64, f64, f64); 10] = [
    (2, 0.9, 3.0, INFINITY, -7.4013888937082699785),
    (3, 0.5, -1.0, 2.0, -0.47616529417484364663),
    (3, 0.25, 6.0, INFINITY, -42.977274617231729813),
    (3, 0.99, 1.0, INFINITY, -1.9767974628586750613),
    (4, 0.5, 0.0, INFINITY, -1.6094379124341003746),
    (6, 0.8, 2.0, INFINITY, -5.7874085427716720641),
    (10, 0.5, 4.0, INFINITY, -23.486703259132290057),
    (20, 0.25, -1.0, 1.0, -6.5312531212573930564),
    (20, 0.5, -0.5, INFINITY, -1.8861120482740645221),
    (50, 0.3, 1.0, INFINITY, -12.767164298434829581),
];

#[test]
fn boxes_by_their_figures() {
    let options = BoxOptions { points: 500, ..BoxOptions::default() };
    for (dimension, correlation, low, high, expected) in EQUAL {
        let found = equal(dimension, correlation)
            .box_probability(&vec![low; dimension], &vec![high; dimension], &options)
            .expect("possible");
        println!("{dimension} {correlation} {low}: {found:?}, off by {:e}", found.ln_probability - expected);
        if dimension <= 3 {
            assert_within(found.ln_probability, expected, 1e-9);
            assert!(found.relative_error < 1e-8, "{found:?}");
        } else {
            // Student's t with 11 degrees of freedom is beyond 6 once in ten thousand.
            assert_within(found.ln_probability, expected, 6.0 * found.relative_error);
            assert!(found.relative_error < 0.01, "{found:?}");
        }
    }
}

#[test]
fn exact_boxes() {
    let options = BoxOptions::default();
    // One coordinate.
    let line = Gaussian::new(&[1.0], &DMatrix::from_element(1, 1, 4.0)).expect("positive");
    let tail = line.box_probability(&[41.0], &[INFINITY], &options).expect("possible");
    assert_close(tail.ln_probability, Normal::STANDARD.ln_sf(20.0), 1e-14);
    // Three coordinates all positive: 1/8 + Σ arcsin ρ / 4π, whatever the scales.
    let covariance = DMatrix::from_row_slice(3, 3, &[1.0, 1.0, -0.3, 1.0, 4.0, 0.8, -0.3, 0.8, 1.0]);
    let space = Gaussian::new(&[0.0; 3], &covariance).expect("positive definite");
    let orthant = space.box_probability(&[0.0; 3], &[INFINITY; 3], &options).expect("possible");
    let angles = 0.5_f64.asin() + (-0.3_f64).asin() + 0.4_f64.asin();
    assert_close(orthant.probability(), 0.125 + angles / (4.0 * std::f64::consts::PI), 1e-9);
    // A corner of the plane.
    let plane = equal(2, 0.9);
    let corner = plane.box_probability(&[5.0, -1.0], &[INFINITY, 0.0], &options).expect("possible");
    assert_within(corner.ln_probability, -73.255872231613996686, 1e-9);
    // Everything, and independent coordinates.
    let all = space.box_probability(&[-INFINITY; 3], &[INFINITY; 3], &options).expect("possible");
    assert_within(all.ln_probability, 0.0, 1e-10);
    let apart = Gaussian::independent(&[0.0; 5], &[1.0, 4.0, 9.0, 1.0, 1.0]).expect("positive");
    let found = apart.box_probability(&[8.0; 5], &[INFINITY; 5], &options).expect("possible");
    let exact =
        3.0 * Normal::STANDARD.ln_sf(8.0) + Normal::STANDARD.ln_sf(4.0) + Normal::STANDARD.ln_sf(8.0 / 3.0);
    assert_within(found.ln_probability, exact, 1e-10);
    // A box that has another box's complement.
    let half = plane.box_probability(&[-INFINITY; 2], &[0.7, INFINITY], &options).expect("possible");
    assert_close(half.probability(), Normal::STANDARD.cdf(0.7), 1e-10);
    for (low, high) in
        [(&[0.0][..], &[1.0, 1.0][..]), (&[0.0, 1.0], &[1.0, 1.0]), (&[f64::NAN, 0.0], &[1.0, 1.0])]
    {
        assert!(plane.box_probability(low, high, &options).is_err());
    }
    assert!(plane.box_probability(&[0.0; 2], &[1.0; 2], &BoxOptions { copies: 1, ..options }).is_err());
}

/// The distribution function of a coordinate in a box is a quotient of two boxes.
#[test]
fn draws_in_boxes_follow_their_margins() {
    let options = BoxOptions { points: 500, ..BoxOptions::default() };
    let covariance = DMatrix::from_row_slice(3, 3, &[1.0, 0.8, -0.3, 0.8, 2.0, 0.4, -0.3, 0.4, 1.0]);
    let gaussian = Gaussian::new(&[0.0, 1.0, -1.0], &covariance).expect("positive definite");
    for (low, high) in
        [([-0.5, 0.0, -2.0], [1.0, INFINITY, 0.5]), ([3.0, -INFINITY, 1.0], [INFINITY, 2.0, INFINITY])]
    {
        let distribution = TruncatedGaussian::new(&gaussian, &low, &high, &options).expect("possible");
        let mut rng = stream(5, &[]);
        let draws: Vec<Vec<f64>> = (0..4000).map(|_| distribution.sample(&mut rng)).collect();
        for place in 0..3 {
            let values: Vec<f64> = draws.iter().map(|x| x[place]).collect();
            assert!(values.iter().all(|x| (low[place]..=high[place]).contains(x)));
            // At the quartiles.
            let mut ends: Vec<f64> = values.clone();
            ends.sort_by(f64::total_cmp);
            let grid: Vec<f64> = (1..4).map(|k| ends[k * (ends.len() - 1) / 4]).collect();
            let cdf: Vec<f64> = grid
                .iter()
                .map(|&x| {
                    let mut high = high;
                    high[place] = x;
                    if x <= low[place] {
                        return 0.0;
                    }
                    let part = gaussian.box_probability(&low, &high, &options).expect("possible");
                    (part.ln_probability - distribution.probability().ln_probability).exp()
                })
                .collect();
            // Of n draws below a quartile k/4 is the proportion.
            for (k, cdf) in cdf.iter().enumerate() {
                let proportion = (k + 1) as f64 / 4.0;
                let error = (cdf * (1.0 - cdf) / 4000.0).max(1e-6).sqrt();
                assert_within(proportion, *cdf, 5.0 * error + 1e-3);
            }
        }
        let moments = distribution.moments(&options).expect("points");
        for place in 0..3 {
            let mean = draws.iter().map(|x| x[place]).sum::<f64>() / 4000.0;
            let error = (moments.covariance[(place, place)] / 4000.0).sqrt() + moments.mean_error[place];
            assert_within(moments.mean[place], mean, 5.0 * error);
        }
        assert!((0.0..=1.0).contains(&distribution.acceptance()));
    }
    // One coordinate is a truncated normal variable.
    let line = Gaussian::new(&[0.0], &DMatrix::from_element(1, 1, 1.0)).expect("positive");
    let tail = TruncatedGaussian::new(&line, &[6.0], &[7.0], &options).expect("possible");
    let exact = Truncated::new(Normal::STANDARD, 6.0, 7.0).expect("possible");
    assert_within(tail.ln_pdf(&[6.1]), exact.ln_pdf(&6.1), 1e-12);
    assert_eq!((tail.ln_pdf(&[5.9]), tail.ln_pdf(&[6.1, 6.1])), (-INFINITY, -INFINITY));
    let mut rng = stream(6, &[]);
    let draws: Vec<f64> = (0..5000).map(|_| tail.sample(&mut rng)[0]).collect();
    assert!(kolmogorov_smirnov_p_value(&draws, |x| exact.cdf(x)) >= LEVEL);
    // The mean in a corner, by mpmath.
    let corner =
        TruncatedGaussian::new(&equal(2, 0.9), &[5.0, -1.0], &[INFINITY, 0.0], &options).expect("possible");
    let moments = corner.moments(&options).expect("points");
    assert_within(moments.mean[0], 5.0371773894058363505, 6.0 * moments.mean_error[0] + 1e-9);
    assert!(moments.mean_error[0] < 1e-4);
}

/// Twenty correlated coordinates far out: the mean of draws is that of the lattice.
#[test]
fn draws_far_out_are_accepted() {
    let options = BoxOptions { points: 500, ..BoxOptions::default() };
    let distribution =
        TruncatedGaussian::new(&equal(20, 0.5), &[2.0; 20], &[INFINITY; 20], &options).expect("possible");
    println!("acceptance {}", distribution.acceptance());
    assert!(distribution.acceptance() > 0.01);
    let mut rng = stream(8, &[]);
    let n = 300;
    let mut mean = DVector::zeros(20);
    for _ in 0..n {
        mean += DVector::from_vec(distribution.sample(&mut rng)) / f64::from(n);
    }
    let moments = distribution.moments(&options).expect("points");
    for place in 0..20 {
        let error = (moments.covariance[(place, place)] / f64::from(n)).sqrt() + moments.mean_error[place];
        assert_within(moments.mean[place], mean[place], 5.0 * error);
    }
}

fn correlations() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[1.0, 0.5, -0.25, 0.5, 1.0, 0.125, -0.25, 0.125, 1.0])
}

#[test]
fn copulas_by_their_figures() {
    let u = [0.125, 0.75, 0.03125];
    let gaussian = GaussianCopula::new(&correlations()).expect("correlations");
    assert_close(gaussian.ln_pdf(&u), -2.7129820280764315764, 1e-13);
    let t = TCopula::new(4.0, &correlations()).expect("correlations");
    assert_close(t.ln_pdf(&u), -1.6769799456496843823, 1e-13);
    assert_close(t.tail_dependence(0, 1), 0.25316999510032262953, 1e-14);
    // Independent coordinates have the density 1, and a t copula of many degrees is a Gaussian one.
    let apart = GaussianCopula::new(&DMatrix::identity(3, 3)).expect("correlations");
    assert_within(apart.ln_pdf(&u), 0.0, 1e-14);
    let many = TCopula::new(1e12, &correlations()).expect("correlations");
    assert_within(many.ln_pdf(&u), gaussian.ln_pdf(&u), 1e-10);
    for outside in [&[0.0, 0.5, 0.5][..], &[0.5, 0.5, 1.0], &[0.5, 0.5]] {
        assert_eq!((gaussian.ln_pdf(outside), t.ln_pdf(outside)), (-INFINITY, -INFINITY));
    }
    assert!(gaussian.ln_pdf(&[f64::NAN, 0.5, 0.5]).is_nan());
    let covariance = correlations() * 2.0;
    assert!(GaussianCopula::new(&covariance).is_err() && TCopula::new(1.0, &covariance).is_err());
    assert!(TCopula::new(0.0, &correlations()).is_err());
}

#[test]
fn draws_of_copulas_are_uniform_and_depend_as_they_should() {
    let gaussian = GaussianCopula::new(&correlations()).expect("correlations");
    let t = TCopula::new(4.0, &correlations()).expect("correlations");
    let mut rng = stream(9, &[]);
    let draws = [
        (0..8000).map(|_| gaussian.sample(&mut rng)).collect::<Vec<_>>(),
        (0..8000).map(|_| t.sample(&mut rng)).collect::<Vec<_>>(),
    ];
    for draws in &draws {
        for place in 0..3 {
            let values: Vec<f64> = draws.iter().map(|u| u[place]).collect();
            assert!(kolmogorov_smirnov_p_value(&values, |u| u.clamp(0.0, 1.0)) >= LEVEL);
        }
        // Both below their medians: 1/4 + arcsin(r) / 2π, of both copulas.
        let both = draws.iter().filter(|u| u[0] < 0.5 && u[1] < 0.5).count() as f64 / 8000.0;
        assert_within(both, 0.25 + 0.5_f64.asin() / std::f64::consts::TAU, 0.025);
    }
    // Back to a t vector: the sum of its coordinates is of a t with their variance.
    let margin = StudentT::standard(4.0).expect("positive");
    let vector = MultivariateT::new(4.0, &[0.0; 3], &correlations()).expect("correlations");
    let variance: f64 = vector.scale().iter().sum();
    let sum = StudentT::new(4.0, 0.0, variance.sqrt()).expect("positive");
    let sums: Vec<f64> = draws[1].iter().map(|u| u.iter().map(|&u| margin.quantile(u)).sum()).collect();
    assert!(kolmogorov_smirnov_p_value(&sums, |x| sum.cdf(x)) >= LEVEL);
}
