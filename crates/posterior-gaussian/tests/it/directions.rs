//! Von Mises-Fisher and matrix t distributions: figures of mpmath (60 digits; Bessel functions by their
//! series, beyond κ = 1e5 by Hankel's expansion; normalizers by sums of ln Γ), identities and draws.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Entropy, KlDivergence, Mode, Moments, StudentT, Univariate};
use posterior_gaussian::{MatrixT, MultivariateT, VonMisesFisher};
use posterior_math::linalg::DMatrix;
use posterior_math::vector::dot;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::distr::Distribution;

/// p, κ; ln p(μ), A, dA/dκ, entropy; how many digits the derivative has lost.
type Direction = (usize, f64, [f64; 4], f64);

const DIRECTIONS: [Direction; 10] = [
    (
        2,
        0.5,
        [-1.3994267855948267875, 0.24249961258080194535, 0.45619471273655707217, 1.7781769793044258148],
        1e-14,
    ),
    (
        3,
        2.0,
        [-1.1262444390235136136, 0.53731472072754809588, 0.17397817016192890075, 2.0516149975684174219],
        1e-14,
    ),
    (
        3,
        0.001,
        [-2.5300244136359519041, 0.00033333331111111323445, 0.33333326666667724868, 2.531024080302640793],
        1e-13,
    ),
    (3, 500.0, [4.3767310320128462591, 0.998, 4.0e-6, -3.3767310320128462591], 1e-14),
    (
        5,
        10.0,
        [1.0347765663080389446, 0.81111110602184292038, 0.017654331279285525232, 0.85411237347353185164],
        1e-13,
    ),
    (
        10,
        10000.0,
        [33.176872414419366688, 0.99955007875787307946, 4.498424763826831461e-8, -28.677659993150161334],
        1e-14,
    ),
    (
        50,
        30.0,
        [47.589202562285520828, 0.47052758969548590998, 0.01007539083272947539, -31.705030253150098127],
        4e-12,
    ),
    (
        200,
        1000.0,
        [509.35170726727615955, 0.90539328665562610079, 0.000089732434453669958627, -414.74499392290226033],
        1e-9,
    ),
    (
        4,
        1e8,
        [24.874205520064530002, 0.9999999850000000375, 1.4999999924999998875e-16, -23.374205523814530039],
        1e-14,
    ),
    (
        3,
        70.0,
        [2.4106181756400135056, 0.98571428571428571429, 0.00020408163265306122449, -1.4106181756400135056],
        1e-14,
    ),
];

/// A direction that is no axis.
fn direction(dimension: usize) -> Vec<f64> {
    let raw: Vec<f64> = (0..dimension).map(|k| (k as f64 + 1.0).sin() + 0.3).collect();
    let length = dot(&raw, &raw).sqrt();
    raw.iter().map(|x| x / length).collect()
}

#[test]
fn directions_by_their_figures() {
    for (dimension, kappa, [ln_peak, length, slope, entropy], digits) in DIRECTIONS {
        let mu = direction(dimension);
        let distribution = VonMisesFisher::new(&mu, kappa).expect("a direction");
        let scale = 1.0 + ln_peak.abs();
        assert_within(distribution.ln_pdf(&mu), ln_peak, 4e-14 * scale);
        let across: Vec<f64> = mu.iter().map(|x| -x).collect();
        assert_within(distribution.ln_pdf(&across), ln_peak - 2.0 * kappa, 4e-14 * (scale + kappa));
        assert_close(distribution.mean_length(), length, 4e-14);
        assert_within(distribution.entropy(), entropy, 4e-14 * (scale + 1e-2 * kappa.min(1e3)));
        let covariance = distribution.variance().expect("exists");
        // Along μ, and in all: E |x|² = 1.
        let along: f64 = (0..dimension)
            .map(|i| (0..dimension).map(|j| mu[i] * covariance[(i, j)] * mu[j]).sum::<f64>())
            .sum();
        let trace = covariance.trace();
        assert_within(along, slope, digits * slope + 4e-16 * trace);
        assert_close(trace, slope + (dimension as f64 - 1.0) * length / kappa, 1e-12);
        let mean = distribution.mean().expect("exists");
        assert_close(dot(&mean, &mu), length, 1e-13);
        assert_eq!(distribution.mode().as_deref(), Some(distribution.mean_direction()));
        assert_within(distribution.kl_divergence(&distribution), 0.0, 1e-13);
    }
    // All directions alike, and what is none.
    let even = VonMisesFisher::new(&[0.0, 1.0, 0.0], 0.0).expect("a direction");
    assert_close(even.entropy(), (4.0 * std::f64::consts::PI).ln(), 1e-15);
    assert_eq!(even.mode(), None);
    assert_eq!(even.ln_pdf(&[1.0, 1.0, 0.0]), f64::NEG_INFINITY);
    assert_eq!(even.ln_pdf(&[1.0, 0.0]), f64::NEG_INFINITY);
    assert!(even.ln_pdf(&[f64::NAN, 0.0, 0.0]).is_nan());
    for wrong in [&[1.0][..], &[1.0, 1.0], &[f64::NAN, 0.0]] {
        assert!(VonMisesFisher::new(wrong, 1.0).is_err());
    }
    assert!(VonMisesFisher::new(&[1.0, 0.0], -1.0).is_err());
}

/// On the circle it is von Mises' distribution.
#[test]
fn directions_of_the_plane_are_angles() {
    let distribution = VonMisesFisher::new(&[0.6, 0.8], 3.0).expect("a direction");
    let angles = posterior_dist::VonMises::new(0.8_f64.atan2(0.6), 3.0).expect("an angle");
    for angle in [-2.0_f64, 0.1, 0.9, 3.0] {
        assert_within(distribution.ln_pdf(&[angle.cos(), angle.sin()]), angles.ln_pdf(&angle), 1e-14);
    }
    assert_close(distribution.entropy(), angles.entropy(), 1e-14);
    let other = VonMisesFisher::new(&[1.0, 0.0], 0.5).expect("a direction");
    let others = posterior_dist::VonMises::new(0.0, 0.5).expect("an angle");
    assert_close(distribution.kl_divergence(&other), angles.kl_divergence(&others), 1e-13);
}

/// In space μᵀx has a closed distribution function, (e^(κw) - e^(-κ)) / (e^κ - e^(-κ)); draws are directions
/// with the right mean in every dimension. A correct sampler fails once in a million seeds.
#[test]
fn draws_are_directions_about_the_mean() {
    let mu = direction(3);
    for kappa in [0.0, 0.3, 5.0, 1e4, 1e12] {
        let distribution = VonMisesFisher::new(&mu, kappa).expect("a direction");
        let mut rng = stream(1, &[]);
        // 1 - μᵀx, by the difference of the two.
        let distances: Vec<f64> = (0..10_000)
            .map(|_| {
                let x = distribution.sample(&mut rng);
                assert_within(dot(&x, &x), 1.0, 1e-14);
                0.5 * x.iter().zip(&mu).map(|(x, m)| (x - m) * (x - m)).sum::<f64>()
            })
            .collect();
        let cdf = |d: f64| {
            let d = d.clamp(0.0, 2.0);
            if kappa == 0.0 { 0.5 * d } else { (-kappa * d).exp_m1() / (-2.0 * kappa).exp_m1() }
        };
        let p = kolmogorov_smirnov_p_value(&distances, cdf);
        assert!(p >= LEVEL, "{kappa}: p = {p:e}");
    }
    for (dimension, kappa) in [(2, 2.0), (6, 4.0), (100, 60.0)] {
        let mu = direction(dimension);
        let distribution = VonMisesFisher::new(&mu, kappa).expect("a direction");
        let mut rng = stream(2, &[]);
        let n = 20_000;
        let mean = (0..n).map(|_| dot(&distribution.sample(&mut rng), &mu)).sum::<f64>() / f64::from(n);
        let covariance = distribution.variance().expect("exists");
        let variance: f64 = (0..dimension)
            .map(|i| (0..dimension).map(|j| mu[i] * covariance[(i, j)] * mu[j]).sum::<f64>())
            .sum();
        let error = (variance / f64::from(n)).sqrt();
        assert_within(mean, distribution.mean_length(), 5.0 * error);
    }
}

fn rows(rows: usize, columns: usize, entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, entries)
}

fn example(degrees_of_freedom: f64) -> MatrixT {
    let location = rows(2, 3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let row_scale = rows(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let column_scale = rows(3, 3, &[1.0, -0.25, 0.0, -0.25, 3.0, 0.5, 0.0, 0.5, 2.0]);
    MatrixT::new(degrees_of_freedom, &location, &row_scale, &column_scale).expect("positive definite")
}

#[test]
fn matrices_by_their_figures() {
    let x = rows(2, 3, &[1.0, 1.0, 0.0, 2.5, 6.0, 5.0]);
    for (degrees_of_freedom, [ln_peak, ln_pdf, entropy]) in [
        (0.5, [-7.4516671697992801715, -11.919977008054558221, 21.251667169799280171]),
        (4.0, [-3.292784086439608315, -11.236446021115658181, 8.2261174197729416483]),
        (1000.0, [12.645987510720513436, -984.28358529112374477, -9.636994499739478503]),
    ] {
        let distribution = example(degrees_of_freedom);
        assert_within(distribution.ln_pdf(distribution.location()), ln_peak, 2e-13);
        assert_close(distribution.ln_pdf(&x), ln_pdf, 1e-14);
        assert_within(distribution.entropy(), entropy, 1e-12);
        // The transpose has the scales exchanged.
        let transposed = MatrixT::new(
            degrees_of_freedom,
            &distribution.location().transpose(),
            distribution.column_scale(),
            distribution.row_scale(),
        )
        .expect("positive definite");
        assert_within(transposed.ln_pdf(&x.transpose()), ln_pdf, 1e-12 * ln_pdf.abs());
        assert_within(transposed.entropy(), entropy, 1e-11);
    }
    let distribution = example(4.0);
    assert_eq!(distribution.ln_pdf(&x.transpose()), f64::NEG_INFINITY);
    assert!(distribution.ln_pdf(&x.map(|_| f64::NAN)).is_nan());
    assert_close(distribution.variance().expect("exists")[(0, 1)], 2.0 * 3.0 / 2.0, 1e-15);
    assert!(example(1.0).mean().is_none() && example(2.0).variance().is_none());
}

/// One row, or one column, is a multivariate t with the scale matrix U V / ν.
#[test]
fn a_row_and_a_column_are_vectors_of_a_t() {
    let (nu, unit) = (3.5, rows(1, 1, &[2.0]));
    let scale = rows(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let vector = MultivariateT::new(nu, &[1.0, -1.0], &(&scale * (2.0 / nu))).expect("positive definite");
    let row = MatrixT::new(nu, &rows(1, 2, &[1.0, -1.0]), &unit, &scale).expect("positive definite");
    let column = MatrixT::new(nu, &rows(2, 1, &[1.0, -1.0]), &scale, &unit).expect("positive definite");
    for x in [[0.0, 0.0], [4.0, -2.0], [1e9, 1e3]] {
        assert_within(row.ln_pdf(&rows(1, 2, &x)), vector.ln_pdf(&x), 1e-13 * 60.0);
        assert_within(column.ln_pdf(&rows(2, 1, &x)), vector.ln_pdf(&x), 1e-13 * 60.0);
    }
    assert_close(row.entropy(), vector.entropy(), 1e-13);
    assert_close(column.entropy(), vector.entropy(), 1e-13);
}

#[test]
fn entries_and_sums_of_draws_are_of_a_t() {
    let distribution = example(2.5);
    let mut rng = stream(7, &[]);
    let draws: Vec<DMatrix<f64>> = (0..10_000).map(|_| distribution.sample(&mut rng)).collect();
    let follows = |values: Vec<f64>, location: f64, square: f64| {
        let t = StudentT::new(2.5, location, (square / 2.5).sqrt()).expect("positive");
        let p = kolmogorov_smirnov_p_value(&values, |x| t.cdf(x));
        assert!(p >= LEVEL, "p = {p:e}");
    };
    follows(draws.iter().map(|x| x[(0, 1)]).collect(), 1.0, 2.0 * 3.0);
    follows(draws.iter().map(|x| x[(1, 2)]).collect(), 5.0, 1.0 * 2.0);
    // aᵀ X b has the scale aᵀUa · bᵀVb: here a = (1, -1), b = (1, 1, 0).
    let sum = |x: &DMatrix<f64>| x[(0, 0)] + x[(0, 1)] - x[(1, 0)] - x[(1, 1)];
    follows(draws.iter().map(sum).collect(), -6.0, 2.0 * 3.5);
}

#[test]
fn they_are_written_and_read() {
    for text in ["von_mises_fisher([0, 0.6, 0.8], 2.5)", "matrix_t(4, [[0, 1]], [[2]], [[1, 0.5], [0.5, 3]])"]
    {
        let written = if text.starts_with('v') {
            text.parse::<VonMisesFisher>().expect("valid").to_string()
        } else {
            text.parse::<MatrixT>().expect("valid").to_string()
        };
        assert_eq!(written, text);
    }
    assert_all_close(
        "von_mises_fisher(mu = [0, 1], kappa = 2)"
            .parse::<VonMisesFisher>()
            .map_or(vec![], |own| own.mean_direction().to_vec())
            .as_slice(),
        &[0.0, 1.0],
        0.0,
    );
}
