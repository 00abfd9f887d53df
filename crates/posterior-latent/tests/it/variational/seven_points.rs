//! Seven points on the line and two normal distributions: golden numbers.

use posterior_dist::{Categorical, Conjugate, Dirichlet, Normal, NormalGamma, Stats};
use posterior_gaussian::{Gaussian, NormalWishart};
use posterior_inference::variational::{AscentOptions, CoordinateAscent};
use posterior_latent::variational::{MixtureAscent, Points};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};

use super::{climb, finite, ln_evidence, two_proportions};

const POINTS: [f64; 7] = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5];
const START: [f64; 7] = [0.95, 0.95, 0.95, 0.05, 0.05, 0.05, 0.05];

fn prior() -> NormalWishart {
    NormalWishart::new(&[0.0], 1.0, &DMatrix::identity(1, 1), 2.0).unwrap()
}

#[test]
fn the_bound_and_the_parameters_are_the_golden_ones() {
    let model = finite::<Gaussian, _>(2, 1.0, prior(), 1);
    let points = POINTS.map(|x| vec![x]);
    let points = Points::new(&points);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let mut q = problem.start_from_responsibilities(&two_proportions(&START)).unwrap();
    assert_within(problem.elbo(&q).unwrap(), -17.9830844022, 1e-10);
    (0..3).for_each(|factor| problem.update(&mut q, factor).unwrap());
    assert_within(problem.elbo(&q).unwrap(), -17.6904880691, 1e-10);

    let options = AscentOptions { tolerance: 0.0, ..AscentOptions::default() };
    let fitted = problem.fit(q, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    assert_close(*fitted.report.trace.last().unwrap(), -17.62281754356518, 1e-14);
    // The bound is flat at its maximum: parameters have half its digits.
    for (k, (count, mean, scale)) in
        [(2.987176720297, -1.102717513102, 0.295893903755), (4.012823279703, 1.375817421139, 0.198672122891)]
            .into_iter()
            .enumerate()
    {
        let distribution = fitted.model.components()[k].posterior();
        assert_within(fitted.model.counts()[k], count, 1e-7);
        assert_within(distribution.location()[0], mean, 1e-7);
        assert_within(distribution.scale()[(0, 0)], scale, 1e-7);
    }
}

#[test]
fn the_bound_is_below_the_evidence_by_at_least_the_symmetry() {
    let points = POINTS.map(|x| vec![x]);
    let slices: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let weights = Dirichlet::symmetric(2, 1.0).unwrap();
    let of_labels = |counts: &[f64]| {
        let labels = Stats::from_totals(2, counts.to_vec(), 7.0, 0.0).unwrap();
        Categorical::ln_evidence(&weights, &labels).unwrap()
    };
    let exact = ln_evidence::<Gaussian, _>(&prior(), &1, &slices, 2, of_labels);
    assert_close(exact, -15.883858064826583, 1e-14);
    let model = finite::<Gaussian, _>(2, 1.0, prior(), 1);
    let points = Points::new(&points);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let mut q = problem.start_from_responsibilities(&two_proportions(&START)).unwrap();
    assert!(climb(&problem, &mut q, 60) < exact - 2_f64.ln());
}

#[test]
fn a_normal_distribution_on_the_line_is_the_gaussian_of_one_dimension() {
    // Wishart(ν = 2, W = 1) in one dimension is Gamma(ν / 2, rate 1 / (2 W)).
    let model = finite::<Normal, _>(2, 1.0, NormalGamma::new(0.0, 1.0, 1.0, 0.5).unwrap(), ());
    let points = Points::new(&POINTS);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let start = problem.start_from_responsibilities(&two_proportions(&START)).unwrap();
    let options = AscentOptions { tolerance: 0.0, ..AscentOptions::default() };
    let fitted = problem.fit(start, &options, &mut Silent).unwrap();
    assert_close(*fitted.report.trace.last().unwrap(), -17.62281754356518, 1e-14);
}
