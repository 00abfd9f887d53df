//! Rows by tiles against points one by one, and what only tiles promise.

use posterior_dist::{
    Conjugate, Entropy, KlDivergence, Normal, NormalGamma, NormalInverseGamma, Product, stream::stream,
};
use posterior_gaussian::{Gaussian, NormalInverseWishart, NormalWishart};
use posterior_inference::variational::{AscentOptions, CoordinateAscent};
use posterior_latent::variational::{Assignable, BayesianMixture, MixtureAscent, Points};
use posterior_latent::{Error, Observations};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};
use rand::RngExt;

use super::{climb, finite};

/// Three groups of rows.
fn rows(n: usize, d: usize) -> DMatrix<f64> {
    let mut rng = stream(21, &[]);
    DMatrix::from_fn(n, d, |i, j| 4.0 * ((i + j) % 3) as f64 + 2.0 * rng.random::<f64>() - 1.0)
}

fn as_points(rows: &DMatrix<f64>) -> Vec<Vec<f64>> {
    rows.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// Both routes from the same responsibilities through some sweeps.
fn assert_same<F, P>(prior: P, fixed: F::Fixed, d: usize)
where
    F: Conjugate<P, Point = [f64]>,
    P: KlDivergence + Entropy + Clone,
    Observations: Assignable<F, P>,
{
    let n = 300;
    let rows = rows(n, d);
    let mut rng = stream(5, &[]);
    let weights: Vec<f64> =
        (0..n).map(|i| if i % 7 == 0 { 0.0 } else { 2.0 * rng.random::<f64>() }).collect();
    let mut start = DMatrix::from_fn(n, 4, |_, _| rng.random::<f64>());
    for mut row in start.row_iter_mut() {
        row /= row.sum();
    }
    let model = finite::<F, P>(4, 0.3, prior, fixed);
    for weighted in [false, true] {
        let mut tiles = Observations::new(&rows).unwrap();
        let vectors = as_points(&rows);
        let mut points = Points::new(&vectors);
        if weighted {
            tiles = tiles.weighted(&weights).unwrap();
            points = points.weighted(&weights).unwrap();
        }
        let fast = MixtureAscent::new(&model, &tiles).unwrap();
        let slow = MixtureAscent::new(&model, &points).unwrap();
        let mut p = fast.start_from_responsibilities(&start).unwrap();
        let mut q = slow.start_from_responsibilities(&start).unwrap();
        assert_close(fast.elbo(&p).unwrap(), slow.elbo(&q).unwrap(), 1e-12);
        for _ in 0..4 {
            for factor in 0..3 {
                fast.update(&mut p, factor).unwrap();
                slow.update(&mut q, factor).unwrap();
                assert_close(fast.elbo(&p).unwrap(), slow.elbo(&q).unwrap(), 1e-12);
            }
            for k in 0..4 {
                assert_within(p.counts()[k], q.counts()[k], 1e-10);
                let (a, b) = (p.components()[k].posterior(), q.components()[k].posterior());
                assert!(a.kl_divergence(b) < 1e-12, "{}", a.kl_divergence(b));
            }
        }
        let (fast, slow) = (fast.responsibilities(&p).unwrap(), slow.responsibilities(&q).unwrap());
        assert!((fast - slow).amax() < 1e-10);
    }
}

#[test]
fn tiles_are_points_one_by_one() {
    for d in [1, 3] {
        let mean = vec![0.5; d];
        let psi = DMatrix::from_fn(d, d, |i, j| if i == j { 1.5 } else { 0.2 });
        let nu = d as f64 + 1.5;
        assert_same::<Gaussian, _>(NormalInverseWishart::new(&mean, 0.2, &psi, nu).unwrap(), d, d);
        assert_same::<Gaussian, _>(NormalWishart::new(&mean, 0.2, &psi, nu).unwrap(), d, d);
        let distributions =
            (0..d).map(|j| NormalGamma::new(0.3, 0.1 + j as f64, 1.2, 0.7).unwrap()).collect();
        assert_same::<Product<Normal>, _>(Product::new(distributions), vec![(); d], d);
        let distributions =
            (0..d).map(|j| NormalInverseGamma::new(0.3, 0.1 + j as f64, 1.2, 0.7).unwrap()).collect();
        assert_same::<Product<Normal>, _>(Product::new(distributions), vec![(); d], d);
    }
}

#[test]
fn far_from_the_origin_no_digits_are_lost() {
    // Numbers that the shift does not round.
    let rows = rows(200, 2).map(|x| (x * 1024.0).round() / 1024.0);
    let fit = |offset: f64| {
        let prior = NormalInverseWishart::new(&[offset; 2], 0.1, &DMatrix::identity(2, 2), 3.0).unwrap();
        let model = finite::<Gaussian, _>(3, 0.5, prior, 2);
        let data = Observations::new(&rows.map(|x| x + offset)).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let labels: Vec<usize> = (0..200).map(|i| i % 3).collect();
        let start = problem.start_from_labels(&labels).unwrap();
        let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty());
        (fitted.report.trace.last().copied().unwrap(), fitted.model.counts())
    };
    let (bound, counts) = fit(0.0);
    for offset in [2_f64.powi(20), -2_f64.powi(30)] {
        let (other, others) = fit(offset);
        // 2³⁰ has 23 bits behind the point: means are rounded by 1e-7, of which the bound knows the square.
        assert_close(other, bound, 1e-9);
        counts.iter().zip(&others).for_each(|(&a, &b)| assert_within(a, b, 1e-6));
    }
}

#[test]
fn rows_of_one_value_and_of_huge_scale_have_a_limit_or_an_error() {
    let prior = |scale: f64| {
        NormalInverseWishart::new(&[0.0; 2], 0.1, &(DMatrix::identity(2, 2) * scale * scale), 3.0).unwrap()
    };
    let same = Observations::new(&DMatrix::from_element(9, 2, 3.0)).unwrap();
    let model = finite::<Gaussian, _>(3, 0.5, prior(1.0), 2);
    let problem = MixtureAscent::new(&model, &same).unwrap();
    let mut q = problem.random_start(&mut stream(2, &[])).unwrap();
    climb(&problem, &mut q, 10);

    // Units of 1e140, with the prior in the same units: the same fit.
    let rows = rows(60, 2);
    let labels: Vec<usize> = (0..60).map(|i| i % 3).collect();
    let fit = |scale: f64| {
        let model = finite::<Gaussian, _>(3, 0.5, prior(scale), 2);
        let data = Observations::new(&(&rows * scale)).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let fitted =
            problem.fit(problem.start_from_labels(&labels).unwrap(), &AscentOptions::default(), &mut Silent);
        let fitted = fitted.unwrap();
        (fitted.report.trace.last().copied().unwrap() + 120.0 * scale.ln(), fitted.model.counts()[0])
    };
    let (bound, count) = fit(1.0);
    for scale in [1e-140, 1e140] {
        let (other, same) = fit(scale);
        assert_close(other, bound, 1e-9);
        assert_close(same, count, 1e-9);
    }

    let huge = Observations::new(&(&rows * 1e200)).unwrap();
    let model = finite::<Gaussian, _>(3, 0.5, prior(1.0), 2);
    let problem = MixtureAscent::new(&model, &huge).unwrap();
    assert!(problem.start_from_labels(&labels).is_err());
}

#[test]
fn rows_of_another_length_and_gaps_between_independent_coordinates_are_refused() {
    let prior = NormalInverseWishart::new(&[0.0; 2], 0.1, &DMatrix::identity(2, 2), 3.0).unwrap();
    let model: BayesianMixture<Gaussian, _> = finite(3, 0.5, prior, 2);
    let three = Observations::new(&DMatrix::zeros(4, 3)).unwrap();
    assert!(matches!(
        MixtureAscent::new(&model, &three),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 3, .. }))
    ));
    let mut gaps = DMatrix::zeros(4, 2);
    gaps[(2, 1)] = f64::NAN;
    let gaps = Observations::with_missing(&gaps).unwrap();
    let prior = Product::new(vec![NormalGamma::new(0.3, 0.1, 1.2, 0.7).unwrap(); 2]);
    let model: BayesianMixture<Product<Normal>, _> = finite(3, 0.5, prior, vec![(); 2]);
    let refused = MixtureAscent::new(&model, &gaps);
    assert!(matches!(refused, Err(Error::NotFinite { row: 2, column: 1, .. })));
}
