//! Distributions of matrices, and the multivariate Student t distribution: their tables and what they must
//! obey.

use posterior_dist::{
    Density, Entropy, ExponentialFamily, FisherInformation, KlDivergence, Mode, Moments, Natural, Parametric,
    PointGradient, Stats, stream::stream,
};
use posterior_gaussian::{Gaussian, InverseWishart, Lkj, MatrixNormal, MultivariateT, Wishart};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_testkit::accuracy::{Worst, assert_all_close, assert_close, assert_within};
use posterior_testkit::consistency;
use posterior_testkit::reference::{distribution_cases, list, load, number, numbers};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::distr::Distribution;
use serde_json::Value;

use crate::gaussian::matrix;

#[track_caller]
fn see_matrix(worst: &mut Worst, actual: Option<DMatrix<f64>>, expected: &Value, what: &str) {
    if expected.is_null() {
        return;
    }
    let (actual, expected) = (actual.expect("exists"), matrix(expected));
    for (a, e) in actual.iter().zip(expected.iter()) {
        worst.see_conditioned(*a, *e, 0.01 * expected.amax(), &what);
    }
}

#[test]
fn wishart_by_its_table() {
    let mut densities = Worst::of("wishart, ln_pdf");
    let mut summaries = Worst::of("wishart, summaries");
    for case in distribution_cases("wishart") {
        let distribution = Wishart::new(number(&case["df"]), &matrix(&case["scale"])).expect("valid");
        let size = distribution.dimension();
        for point in list(&case["points"]) {
            let x = matrix(&point["x"]);
            densities.see_conditioned(distribution.ln_pdf(&x), number(&point["logpdf"]), 1.0, &size);
        }
        summaries.see_conditioned(distribution.entropy(), number(&case["entropy"]), 1.0, &(size, "entropy"));
        summaries.see_conditioned(
            distribution.expected_ln_determinant(),
            number(&case["expected_logdet"]),
            1.0,
            &(size, "E ln |X|"),
        );
        see_matrix(&mut summaries, distribution.mean(), &case["mean"], "mean");
        see_matrix(&mut summaries, distribution.mode(), &case["mode"], "mode");
        see_matrix(&mut summaries, distribution.variance(), &case["variance"], "variance");
        let same =
            Wishart::from_inverse_scale(distribution.degrees_of_freedom(), distribution.inverse_scale())
                .expect("valid");
        consistency::kl_divergence::<_, DMatrix<f64>>(&distribution, &same, None);
    }
    densities.assert_at_most(1e-15);
    summaries.assert_at_most(1e-15);
    let distribution = Wishart::new(5.0, &DMatrix::identity(2, 2)).expect("valid");
    assert_close(distribution.expected_ln_determinant(), 2.5122353368636006, 1e-15);
}

#[test]
fn inverse_wishart_by_its_table() {
    let mut densities = Worst::of("inverse_wishart, ln_pdf");
    let mut summaries = Worst::of("inverse_wishart, summaries");
    for case in distribution_cases("inverse_wishart") {
        let distribution = InverseWishart::new(number(&case["df"]), &matrix(&case["scale"])).expect("valid");
        let size = distribution.dimension();
        for point in list(&case["points"]) {
            let x = matrix(&point["x"]);
            densities.see_conditioned(distribution.ln_pdf(&x), number(&point["logpdf"]), 1.0, &size);
        }
        summaries.see_conditioned(distribution.entropy(), number(&case["entropy"]), 1.0, &(size, "entropy"));
        summaries.see_conditioned(
            distribution.expected_ln_determinant(),
            number(&case["expected_logdet"]),
            1.0,
            &(size, "E ln |X|"),
        );
        see_matrix(&mut summaries, distribution.mean(), &case["mean"], "mean");
        see_matrix(&mut summaries, distribution.mode(), &case["mode"], "mode");
    }
    densities.assert_at_most(1e-15);
    summaries.assert_at_most(2e-15);
}

#[test]
fn the_divergences_of_wishart_distributions() {
    let mut worst = Worst::of("kl_divergence, wishart");
    for case in list(&load("distributions/kl_divergence")["families"]["wishart (df, scale)"]) {
        let of = |side: &Value| Wishart::new(number(&side["df"]), &matrix(&side["scale"])).expect("valid");
        let (p, q) = (of(&case["p"]), of(&case["q"]));
        worst.see(p.kl_divergence(&q), number(&case["kl"]), &p.dimension());
        // The divergence does not change when both matrices are inverted.
        let inverse = |distribution: &Wishart| {
            InverseWishart::new(distribution.degrees_of_freedom(), distribution.inverse_scale())
                .expect("valid")
        };
        assert_close(inverse(&p).kl_divergence(&inverse(&q)), p.kl_divergence(&q), 1e-13);
    }
    worst.assert_at_most(2e-15);
}

#[test]
fn an_inverse_wishart_is_the_distribution_of_the_inverse() {
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0]);
    let distribution = InverseWishart::new(4.5, &scale).expect("valid");
    let inverse = Wishart::from_inverse_scale(4.5, &scale).expect("valid");
    let x = DMatrix::from_row_slice(2, 2, &[0.7, -0.2, -0.2, 1.1]);
    let factor = Cholesky::new(&x).expect("positive definite");
    // |d X⁻¹ / d X| = |X|^-(p + 1).
    let jacobian = -3.0 * factor.ln_determinant();
    assert_close(distribution.ln_pdf(&x), inverse.ln_pdf(&factor.inverse()) + jacobian, 1e-14);
    assert_close(distribution.expected_ln_determinant(), -inverse.expected_ln_determinant(), 1e-14);
    assert_all_close(
        distribution.expected_inverse().as_slice(),
        inverse.mean().expect("exists").as_slice(),
        1e-14,
    );
    let expected = inverse.expected_inverse().expect("ν > p + 1");
    assert_all_close(distribution.mean().expect("exists").as_slice(), expected.as_slice(), 1e-14);
}

#[test]
fn draws_of_matrices_have_the_right_determinants_and_traces() {
    // Mean and standard error over 20,000 draws; five standard errors are one false alarm in a million.
    let scale = DMatrix::from_row_slice(3, 3, &[2.0, 0.3, 0.1, 0.3, 1.0, -0.2, 0.1, -0.2, 0.5]);
    for nu in [2.2, 3.7, 30.0] {
        let distribution = Wishart::new(nu, &scale).expect("valid");
        let mut rng = stream(4, &[]);
        let factors: Vec<DMatrix<f64>> =
            (0..20_000).map(|_| distribution.sample_cholesky(&mut rng)).collect();
        let ln_determinant = |l: &DMatrix<f64>| 2.0 * l.diagonal().map(f64::ln).sum();
        within_errors(&factors, ln_determinant, distribution.expected_ln_determinant());
        let draws: Vec<DMatrix<f64>> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
        within_errors(&draws, |x| x[(0, 1)], nu * 0.3);
        within_errors(&draws, |x| x[(2, 2)], nu * 0.5);
        // x₁₁ / w₁₁ is χ²(ν), whose second moment is ν (ν + 2).
        within_errors(&draws, |x| x[(0, 0)].powi(2), 4.0 * nu * (nu + 2.0));
    }
    let distribution = InverseWishart::new(8.5, &scale).expect("valid");
    let mut rng = stream(5, &[]);
    let draws: Vec<DMatrix<f64>> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
    let factor = |x: &DMatrix<f64>| Cholesky::new(x).expect("positive definite");
    within_errors(&draws, |x| factor(x).ln_determinant(), distribution.expected_ln_determinant());
    within_errors(&draws, |x| factor(x).inverse()[(1, 1)], distribution.expected_inverse()[(1, 1)]);
    within_errors(&draws, |x| x[(0, 1)], distribution.mean().expect("exists")[(0, 1)]);
    let second = distribution.variance().expect("exists")[(1, 1)]
        + distribution.mean().expect("exists")[(1, 1)].powi(2);
    within_errors(&draws, |x| x[(1, 1)].powi(2), second);
}

#[track_caller]
fn within_errors<T>(draws: &[T], of: impl Fn(&T) -> f64, expected: f64) {
    let statistic: posterior_math::streaming::MeanVariance = draws.iter().map(of).collect();
    let error = (statistic.sample_variance() / draws.len() as f64).sqrt();
    assert_within(statistic.mean(), expected, 5.0 * error);
}

#[test]
fn matrices_that_are_no_points() {
    let distribution = Wishart::new(3.0, &DMatrix::identity(2, 2)).expect("valid");
    let inverse = InverseWishart::new(3.0, &DMatrix::identity(2, 2)).expect("valid");
    for x in [
        DMatrix::zeros(2, 2),
        DMatrix::identity(3, 3),
        -DMatrix::identity(2, 2),
        DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.0, 1.0]),
        DMatrix::from_element(2, 2, f64::INFINITY),
    ] {
        assert_eq!(
            (distribution.ln_pdf(&x), inverse.ln_pdf(&x)),
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            "{x}"
        );
    }
    assert!(distribution.ln_pdf(&DMatrix::from_element(2, 2, f64::NAN)).is_nan());
    for nu in [1.0, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Wishart::new(nu, &DMatrix::identity(2, 2)).expect_err("too few degrees of freedom");
        assert!(error.value() == nu || nu.is_nan(), "{error}");
        assert!(InverseWishart::new(nu, &DMatrix::identity(2, 2)).is_err());
    }
    assert!(Wishart::new(3.0, &DMatrix::zeros(0, 0)).is_err());
    assert_eq!(Wishart::new(2.5, &DMatrix::identity(2, 2)).expect("valid").mode(), None);
    assert_eq!(InverseWishart::new(2.5, &DMatrix::identity(2, 2)).expect("valid").mean(), None);
}

#[test]
fn multivariate_t_by_its_table() {
    let mut densities = Worst::of("multivariate_t, ln_pdf");
    let mut summaries = Worst::of("multivariate_t, summaries");
    for case in distribution_cases("multivariate_t") {
        let distribution =
            MultivariateT::new(number(&case["df"]), &numbers(&case["loc"]), &matrix(&case["scale"]))
                .expect("valid");
        for point in list(&case["points"]) {
            let x = numbers(&point["x"]);
            // Relative to what the rounding of the scale matrix alone does.
            let gaussian = Gaussian::new(distribution.location(), distribution.scale()).expect("valid");
            let sensitivity =
                1.0 + gaussian.cholesky().condition_estimate() * gaussian.mahalanobis_squared(&x);
            densities.see_conditioned(
                distribution.ln_pdf(&x),
                number(&point["logpdf"]),
                sensitivity,
                &distribution.dimension(),
            );
        }
        see_matrix(&mut summaries, distribution.variance(), &case["cov"], "covariance");
        assert_eq!(distribution.mean(), Some(numbers(&case["mean"])));
    }
    densities.assert_at_most(5e-16);
    summaries.assert_at_most(5e-16);
    let one = MultivariateT::new(5.0, &[0.0], &DMatrix::identity(1, 1)).expect("valid");
    assert_close(one.ln_pdf(&[1.0]), -1.5155842594365883, 2e-15);
    // Many degrees of freedom: a Gaussian.
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let many = MultivariateT::new(1e18, &[0.0, 0.0], &scale).expect("valid");
    assert_close(many.ln_pdf(&[1.0, -1.0]), -3.2605421032342, 1e-14);
    assert_eq!(many.ln_pdf(&[f64::INFINITY, 0.0]), f64::NEG_INFINITY);
    assert!(many.ln_pdf(&[f64::NAN, 0.0]).is_nan());
    // So far out that the square of the distance overflows: (1 + d² / 3)^-2 is still a number.
    let heavy = MultivariateT::new(3.0, &[0.0], &DMatrix::identity(1, 1)).expect("valid");
    let far = heavy.ln_pdf(&[0.0]) - 2.0 * (2.0 * 1e200_f64.ln() - 3.0_f64.ln());
    assert_close(heavy.ln_pdf(&[1e200]), far, 1e-15);
    assert!(MultivariateT::new(0.0, &[0.0], &DMatrix::identity(1, 1)).is_err());
}

#[test]
fn the_chain_rule_of_the_multivariate_t() {
    let scale = DMatrix::from_row_slice(3, 3, &[2.0, 0.5, 0.3, 0.5, 1.0, -0.1, 0.3, -0.1, 0.7]);
    let distribution = MultivariateT::new(3.5, &[1.0, 0.0, -1.0], &scale).expect("valid");
    let x = [0.3, 2.0, -1.5];
    let marginal = distribution.marginal(&[1]).expect("there");
    let given = distribution.condition(&[1], &[2.0]).expect("regular");
    assert_close(marginal.ln_pdf(&[2.0]) + given.ln_pdf(&[0.3, -1.5]), distribution.ln_pdf(&x), 1e-14);
    let gradient = distribution.point_gradient(&x);
    for (i, slope) in gradient.iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = x;
            moved[i] += offset;
            distribution.ln_pdf(&moved)
        };
        assert_close((at(1e-5) - at(-1e-5)) / 2e-5, *slope, 1e-8);
    }
}

#[test]
fn draws_of_a_multivariate_t_are_of_a_t() {
    // In one dimension with two degrees of freedom: P(T ≤ t) = 1/2 + t / (2 √(2 + t²)).
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let distribution = MultivariateT::new(2.0, &[1.0, -1.0], &scale).expect("valid");
    let mut rng = stream(6, &[]);
    let draws: Vec<f64> =
        (0..20_000).map(|_| distribution.sample(&mut rng)).map(|x| (x[0] + x[1]) / 4.0_f64.sqrt()).collect();
    let p_value = kolmogorov_smirnov_p_value(&draws, |t| 0.5 + 0.5 * t / (2.0 + t * t).sqrt());
    assert!(p_value >= LEVEL, "{p_value:e}");
    let surprises: Vec<f64> =
        (0..20_000).map(|_| -distribution.ln_pdf(&distribution.sample(&mut rng))).collect();
    within_errors(&surprises, |x| *x, distribution.entropy());
    // Many degrees of freedom: the entropy of a Gaussian.
    let many = MultivariateT::new(1e15, &[1.0, -1.0], &scale).expect("valid");
    assert_close(many.entropy(), Gaussian::new(&[0.0; 2], &scale).expect("valid").entropy(), 1e-14);
}

#[test]
fn matrix_normal_by_its_table() {
    let mut densities = Worst::of("matrix_normal, ln_pdf");
    for case in distribution_cases("matrix_normal") {
        let (rows, columns) = (matrix(&case["row_cov"]), matrix(&case["col_cov"]));
        let distribution = MatrixNormal::new(&matrix(&case["mean"]), &rows, &columns).expect("valid");
        let vector = Gaussian::new(distribution.mean().as_slice(), &columns.kronecker(&rows)).expect("valid");
        for point in list(&case["points"]) {
            let x = matrix(&point["x"]);
            densities.see_conditioned(distribution.ln_pdf(&x), number(&point["logpdf"]), 1.0, &x.shape());
            assert_close(distribution.ln_pdf(&x), vector.ln_pdf(x.as_slice()), 1e-13);
            let gradient = distribution.point_gradient(&x);
            assert_all_close(gradient.as_slice(), &vector.point_gradient(x.as_slice()), 1e-11);
        }
        densities.see_conditioned(distribution.entropy(), number(&case["entropy"]), 1.0, &"entropy");
        // Only the product of the two scales is in the distribution.
        let gauged = MatrixNormal::new(distribution.mean(), &(rows * 4.0), &(columns / 4.0)).expect("valid");
        assert_within(distribution.kl_divergence(&gauged), 0.0, 1e-13);
        let x = matrix(&list(&case["points"])[0]["x"]);
        assert_close(gauged.ln_pdf(&x), distribution.ln_pdf(&x), 1e-14);
    }
    densities.assert_at_most(5e-16);
}

#[test]
fn matrix_normals_are_the_gaussians_of_their_columns() {
    let rows = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let columns = DMatrix::from_row_slice(3, 3, &[1.0, 0.2, 0.1, 0.2, 0.5, 0.0, 0.1, 0.0, 0.8]);
    let mean = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let p = MatrixNormal::new(&mean, &rows, &columns).expect("valid");
    let q = MatrixNormal::new(&(&mean * 1.1), &columns.view((0, 0), (2, 2)).into_owned(), &columns)
        .expect("valid");
    let vector = |distribution: &MatrixNormal| {
        let covariance = distribution.column_covariance().kronecker(distribution.row_covariance());
        Gaussian::new(distribution.mean().as_slice(), &covariance).expect("valid")
    };
    assert_close(p.kl_divergence(&q), vector(&p).kl_divergence(&vector(&q)), 1e-14);
    assert_eq!(p.ln_pdf(&DMatrix::zeros(3, 2)), f64::NEG_INFINITY);
    // Draws: the covariance of two entries, within five standard errors.
    let mut rng = stream(7, &[]);
    let draws: Vec<DMatrix<f64>> = (0..20_000).map(|_| p.sample(&mut rng) - &mean).collect();
    within_errors(&draws, |x| x[(0, 0)] * x[(1, 1)], 0.5 * 0.2);
    within_errors(&draws, |x| x[(1, 2)] * x[(1, 2)], 0.8);
    within_errors(&draws, |x| x[(0, 0)] * x[(0, 2)], 2.0 * 0.1);
}

#[test]
fn wishart_distributions_are_exponential_families() {
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0]);
    let other = DMatrix::from_row_slice(2, 2, &[1.0, -0.2, -0.2, 0.5]);
    let points = [
        DMatrix::identity(2, 2),
        DMatrix::from_row_slice(2, 2, &[3.0, 1.0, 1.0, 0.6]),
        DMatrix::from_row_slice(2, 2, &[0.2, -0.1, -0.1, 5.0]),
    ];
    for nu in [1.3, 4.5, 60.0] {
        let distribution = Wishart::new(nu, &scale).expect("valid");
        consistency::exponential_family(&distribution, &points, 1e-10);
        consistency::bregman(&distribution, &Wishart::new(3.0, &other).expect("valid"), 1e-12);
        let distribution = InverseWishart::new(nu, &scale).expect("valid");
        consistency::exponential_family(&distribution, &points, 1e-10);
        consistency::bregman(&distribution, &InverseWishart::new(3.0, &other).expect("valid"), 1e-12);
    }
    consistency::stats::<Wishart, DMatrix<f64>>(&2, &points);
    consistency::stats::<InverseWishart, DMatrix<f64>>(&2, &points);
    hessian(&Wishart::new(4.5, &scale).expect("valid"));
    hessian(&InverseWishart::new(4.5, &scale).expect("valid"));
    let stats = Stats::<Wishart>::of(2, &[DMatrix::identity(2, 2)]).expect("positive definite");
    let error = Wishart::maximum_likelihood(&stats).expect_err("one point has no spread");
    assert_eq!((error.parameter(), error.value()), ("E ln |X|", 0.0));
    assert!(Stats::<Wishart>::of(2, &[-DMatrix::identity(2, 2)]).is_err());
    assert!(Stats::<Wishart>::of(2, &[DMatrix::identity(3, 3)]).is_err());
}

/// The Fisher information is the Hessian of ln Z: differences of the expectation.
#[track_caller]
fn hessian<F: FisherInformation>(distribution: &F) {
    let (natural, information) = (distribution.natural(), distribution.fisher_information());
    for j in 0..natural.as_slice().len() {
        let step = 1e-5;
        let at = |offset: f64| {
            let mut moved = natural.as_slice().to_vec();
            moved[j] += offset;
            let moved = Natural::new(distribution.fixed(), moved).expect("numbers");
            F::from_natural(&moved).expect("in the domain").expectation().as_slice().to_vec()
        };
        for (i, (up, down)) in at(step).iter().zip(at(-step)).enumerate() {
            assert_within((up - down) / (2.0 * step), information[(i, j)], 1e-7 * information.amax());
        }
    }
}

#[test]
fn correlation_matrices() {
    let of =
        |r: [f64; 3]| DMatrix::from_row_slice(3, 3, &[1.0, r[0], r[1], r[0], 1.0, r[2], r[1], r[2], 1.0]);
    let points = [of([0.0; 3]), of([0.5, -0.2, 0.3]), of([0.9, 0.8, 0.85])];
    for eta in [0.3, 1.0, 2.5, 40.0] {
        let distribution = Lkj::new(3, eta).expect("valid");
        consistency::exponential_family(&distribution, &points, 1e-11);
        consistency::bregman(&distribution, &Lkj::new(3, 1.7).expect("valid"), 1e-12);
        consistency::kl_divergence::<_, DMatrix<f64>>(&distribution, &Lkj::new(3, 1.7).expect("valid"), None);
        hessian(&distribution);
        // The density of the factor is that of the matrix times Π Lₖₖ^(K - k).
        for x in &points {
            let factor = Cholesky::new(x).expect("positive definite").into_factor();
            let jacobian = factor[(1, 1)].ln();
            assert_within(distribution.ln_pdf_cholesky(&factor), distribution.ln_pdf(x) + jacobian, 1e-13);
        }
    }
    consistency::stats::<Lkj, DMatrix<f64>>(&3, &points);
    // Uniform: the volume of the 3 × 3 correlation matrices is π² / 2; of the 4 × 4 it is 32 π² / 27.
    let square = std::f64::consts::PI.powi(2);
    assert_close(Lkj::new(3, 1.0).expect("valid").entropy(), (square / 2.0).ln(), 1e-15);
    assert_close(Lkj::new(4, 1.0).expect("valid").entropy(), (32.0 * square / 27.0).ln(), 1e-15);
    let distribution = Lkj::new(3, 2.0).expect("valid");
    assert_eq!(distribution.to_string(), "lkj(3, 2)");
    for x in
        [of([1.0, 0.0, 0.0]), of([0.9, -0.9, 0.9]), DMatrix::identity(2, 2), DMatrix::identity(3, 3) * 1.1]
    {
        assert_eq!(distribution.ln_pdf(&x), f64::NEG_INFINITY);
        assert!(Stats::<Lkj>::of(3, &[x]).is_err());
    }
    assert!(distribution.ln_pdf(&of([f64::NAN, 0.0, 0.0])).is_nan());
    assert_eq!((distribution.mode().is_some(), Lkj::new(3, 1.0).expect("valid").mode()), (true, None));
    for (dimension, eta) in [(1, 1.0), (3, 0.0), (3, f64::NAN), (3, f64::INFINITY)] {
        assert!(Lkj::new(dimension, eta).is_err());
    }
    assert!(Lkj::from_parameters(&[2.5, 1.0]).is_err());
}

#[test]
fn draws_of_correlation_matrices() {
    for (dimension, eta) in [(2, 1.0), (4, 0.4), (5, 3.0)] {
        let distribution = Lkj::new(dimension, eta).expect("valid");
        let mut rng = stream(10, &[]);
        let draws: Vec<DMatrix<f64>> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
        let variance = distribution.variance().expect("exists")[(1, 0)];
        within_errors(&draws, |x| x[(1, 0)], 0.0);
        within_errors(&draws, |x| x[(1, 0)].powi(2), variance);
        within_errors(&draws, |x| x[(dimension - 1, 0)].powi(2), variance);
        let determinants: Vec<f64> = (0..20_000)
            .map(|_| 2.0 * distribution.sample_cholesky(&mut rng).diagonal().map(f64::ln).sum())
            .collect();
        within_errors(&determinants, |x| *x, distribution.expected_ln_determinant());
        within_errors(&determinants, |x| (x - distribution.expected_ln_determinant()).powi(2), {
            distribution.fisher_information()[(0, 0)]
        });
        // Every correlation is 2 B - 1 with B ~ Beta(η - 1 + K/2, η - 1 + K/2).
        let shape = eta - 1.0 + 0.5 * dimension as f64;
        let correlations: Vec<f64> =
            draws.iter().map(|x| 0.5 * x[(dimension - 1, dimension - 2)] + 0.5).collect();
        let p_value =
            kolmogorov_smirnov_p_value(&correlations, |x| posterior_math::special::beta_p(shape, shape, x));
        assert!(p_value >= LEVEL, "{p_value:e}");
    }
}
