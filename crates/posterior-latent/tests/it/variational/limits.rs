//! Edges: no data, empty components, more components than points, equal points, units, misuse.

use posterior_dist::{
    Bernoulli, Beta, Categorical, Conjugate, Density, Dirichlet, Normal, NormalGamma, PitmanYor, Stats,
    stream::stream,
};
use posterior_gaussian::{Gaussian, NormalWishart};
use posterior_inference::variational::{AscentOptions, CoordinateAscent};
use posterior_latent::Error;
use posterior_latent::variational::{BayesianMixture, MixtureAscent, Points};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};

use super::{climb, finite, two_proportions};

fn prior() -> NormalGamma {
    NormalGamma::new(0.0, 0.1, 1.0, 0.3).unwrap()
}

#[test]
fn without_data_everything_stays_the_prior() {
    let model = finite::<Normal, _>(3, 0.5, prior(), ());
    let none: [f64; 0] = [];
    let points = Points::new(&none);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let start = problem.random_start(&mut stream(1, &[])).unwrap();
    let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.report.trace[0], 0.0);
    assert_eq!(fitted.model.components()[2].posterior(), &prior());
    assert_eq!(fitted.model.occupied(0.0), [0_usize; 0]);
}

#[test]
fn one_component_is_the_exact_posterior() {
    let numbers = [1.0, 2.5, -0.3, 4.0];
    let model = finite::<Normal, _>(1, 2.0, prior(), ());
    let points = Points::new(&numbers);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let mut q = problem.random_start(&mut stream(1, &[])).unwrap();
    let bound = climb(&problem, &mut q, 2);
    let stats = Stats::of((), &numbers).unwrap();
    assert_close(bound, Normal::ln_evidence(&prior(), &stats).unwrap(), 1e-14);
    let exact = Normal::posterior(&prior(), &stats).unwrap();
    assert_close(q.components()[0].posterior().rate(), exact.rate(), 1e-14);
    let predictive = Normal::predictive(&exact, &()).unwrap();
    assert_close(q.predictive().unwrap().ln_pdf(&0.7), predictive.ln_pdf(&0.7), 1e-14);
}

#[test]
fn a_component_without_points_is_the_prior() {
    let prior = NormalWishart::new(&[0.0], 1.0, &DMatrix::identity(1, 1), 2.0).unwrap();
    let model = finite::<Gaussian, _>(2, 1.0, prior.clone(), 1);
    let numbers = [vec![1.0], vec![2.0], vec![-1.0]];
    let points = Points::new(&numbers);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let q = problem.start_from_labels(&[0, 0, 0]).unwrap();
    assert_eq!(q.components()[1].posterior(), &prior);
    let stats = Stats::of(1, numbers.iter().map(Vec::as_slice)).unwrap();
    let labels = Stats::from_totals(2, vec![3.0, 0.0], 3.0, 0.0).unwrap();
    let of_labels = Categorical::ln_evidence(&Dirichlet::symmetric(2, 1.0).unwrap(), &labels).unwrap();
    let exact = Gaussian::ln_evidence(&prior, &stats).unwrap() + of_labels;
    assert_close(problem.elbo(&q).unwrap(), exact, 1e-14);
}

#[test]
fn equal_proportions_stay_equal() {
    let model = finite::<Normal, _>(2, 1.0, prior(), ());
    let numbers = [1.0, 2.5, -0.3, 4.0];
    let points = Points::new(&numbers);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let mut q = problem.start_from_responsibilities(&two_proportions(&[0.5; 4])).unwrap();
    climb(&problem, &mut q, 10);
    assert_eq!(q.components()[0], q.components()[1]);
}

#[test]
fn more_components_than_points_and_equal_points_are_no_trouble() {
    for numbers in [vec![1.0, 2.0], vec![3.0; 6], vec![0.0], vec![1e100; 3], vec![-1e-100; 3]] {
        for process in [false, true] {
            let model: BayesianMixture<Normal, _> = if process {
                BayesianMixture::process(PitmanYor::new(0.2, 1.0).unwrap(), 9, prior(), ()).unwrap()
            } else {
                finite(9, 0.01, prior(), ())
            };
            let points = Points::new(&numbers);
            let problem = MixtureAscent::new(&model, &points).unwrap();
            let start = problem.random_start(&mut stream(1, &[])).unwrap();
            let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
            assert!(fitted.report.trace.iter().all(|bound| bound.is_finite()), "{:?}", fitted.report.trace);
            assert!(fitted.report.falls.is_empty());
            assert_within(fitted.model.counts().iter().sum(), numbers.len() as f64, 1e-12);
        }
    }
}

#[test]
fn components_that_are_not_needed_fall_to_the_prior() {
    // Two groups, ten components, α = 0.01.
    let numbers: Vec<f64> =
        (0..60).map(|i| f64::from(i % 7) * 0.3 + if i % 3 == 0 { 10.0 } else { -4.0 }).collect();
    let model = finite::<Normal, _>(10, 0.01, prior(), ());
    let points = Points::new(&numbers);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let options = AscentOptions { tolerance: 1e-12, max_iterations: 5000, ..AscentOptions::default() };
    let best = problem.fit_best(8, 42, &options).unwrap();
    let q = &best.best.model;
    let occupied = q.occupied(0.5);
    assert_eq!(occupied.len(), 2, "{:?}", q.counts());
    assert_within(q.counts()[occupied[0]], 40.0, 0.1);
    for k in (0..10).filter(|k| !occupied.contains(k)) {
        assert!(q.counts()[k] < 1e-6, "{:?}", q.counts());
        assert_within(q.components()[k].posterior().kappa(), 0.1, 1e-6);
    }
}

#[test]
fn other_units_move_everything_as_predicted() {
    // x -> a + c x with the prior moved too: the same proportions, and the bound less n ln c.
    let numbers = [1.0, 2.5, -0.3, 4.0, 4.2];
    let (a, c) = (-3.0, 7.0);
    let moved = numbers.map(|x| a + c * x);
    let fit = |numbers: &[f64], prior: NormalGamma| {
        let model = finite::<Normal, _>(2, 0.6, prior, ());
        let points = Points::new(numbers);
        let problem = MixtureAscent::new(&model, &points).unwrap();
        let mut q =
            problem.start_from_responsibilities(&two_proportions(&[0.9, 0.8, 0.9, 0.1, 0.2])).unwrap();
        let bound = climb(&problem, &mut q, 10);
        (bound, q.counts(), q.components()[0].posterior().location())
    };
    let (bound, counts, mean) = fit(&numbers, NormalGamma::new(0.5, 0.1, 1.0, 0.3).unwrap());
    let (other, moved_counts, moved_mean) =
        fit(&moved, NormalGamma::new(a + c * 0.5, 0.1, 1.0, 0.3 * c * c).unwrap());
    assert_close(other, bound - 5.0 * c.ln(), 1e-12);
    assert_close(moved_counts[0], counts[0], 1e-12);
    assert_close(moved_mean, a + c * mean, 1e-12);
}

#[test]
fn misuse_is_an_error() {
    let model = finite::<Bernoulli, _>(2, 1.0, Beta::new(1.0, 1.0).unwrap(), ());
    let points = [true, false];
    let data = Points::new(&points);
    let problem = MixtureAscent::new(&model, &data).unwrap();
    assert!(matches!(problem.start_from_labels(&[0]), Err(Error::Dimension { .. })));
    assert!(matches!(problem.start_from_labels(&[0, 2]), Err(Error::Parameter(_))));
    for wrong in [
        DMatrix::from_element(3, 2, 0.5),
        DMatrix::from_element(2, 3, 0.5),
        DMatrix::from_element(2, 2, 0.6),
        DMatrix::from_element(2, 2, f64::NAN),
        DMatrix::from_row_slice(2, 2, &[1.5, -0.5, 0.0, 1.0]),
    ] {
        assert!(problem.start_from_responsibilities(&wrong).is_err(), "{wrong}");
    }
    assert!(Points::new(&points).weighted(&[1.0]).is_err());
    assert!(Points::new(&points).weighted(&[1.0, f64::NAN]).is_err());
    assert!(BayesianMixture::<Bernoulli, Beta>::finite(0, 1.0, Beta::new(1.0, 1.0).unwrap(), ()).is_err());
    let process = PitmanYor::new(0.0, 1.0).unwrap();
    assert!(
        BayesianMixture::<Bernoulli, Beta>::process(process, 0, Beta::new(1.0, 1.0).unwrap(), ()).is_err()
    );

    let model = finite::<Normal, _>(2, 1.0, prior(), ());
    let numbers = [1.0, f64::NAN];
    let data = Points::new(&numbers);
    assert!(MixtureAscent::new(&model, &data).is_err());
    // Squares beyond the range of f64.
    let numbers = [1e200, -1e200, 3.0];
    let data = Points::new(&numbers);
    let problem = MixtureAscent::new(&model, &data).unwrap();
    let start = problem.start_from_labels(&[0, 0, 1]);
    assert!(start.is_err(), "{start:?}");
}
