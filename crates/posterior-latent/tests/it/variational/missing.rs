//! Missing values under Gaussian components.

use posterior_dist::{Categorical, Conjugate, Density, Dirichlet, Stats, stream::stream};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::variational::{AscentOptions, CoordinateAscent};
use posterior_latent::Observations;
use posterior_latent::variational::MixtureAscent;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature::{QuadratureOptions, tanh_sinh};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;

use super::{climb, finite, ln_evidence};

const GAP: f64 = f64::NAN;

fn prior(d: usize) -> NormalInverseWishart {
    let psi = DMatrix::from_fn(d, d, |i, j| if i == j { 1.5 } else { 0.4 });
    NormalInverseWishart::new(&vec![0.3; d], 0.2, &psi, d as f64 + 2.0).unwrap()
}

#[test]
fn the_bound_is_below_the_evidence_integrated_over_the_gap() {
    let rows = [[-2.0, -1.0], [-1.5, -2.0], [-1.8, GAP], [1.0, 2.0], [2.5, 1.5]];
    let data = Observations::with_missing(&DMatrix::from_fn(5, 2, |i, j| rows[i][j])).unwrap();
    let weights = Dirichlet::symmetric(2, 0.8).unwrap();
    let of_labels = |counts: &[f64]| {
        Categorical::ln_evidence(&weights, &Stats::from_totals(2, counts.to_vec(), 5.0, 0.0).unwrap())
            .unwrap()
    };
    // x = sinh u: the tails are powers.
    let density = |u: f64| {
        let mut filled = rows;
        filled[2][1] = u.sinh();
        let slices: Vec<&[f64]> = filled.iter().map(|row| &row[..]).collect();
        (ln_evidence::<Gaussian, _>(&prior(2), &2, &slices, 2, of_labels) + 15.0).exp() * u.cosh()
    };
    let integral = tanh_sinh(density, -12.0, 12.0, &QuadratureOptions::default());
    let exact = integral.value.ln() - 15.0;
    let model = finite::<Gaussian, _>(2, 0.8, prior(2), 2);
    let problem = MixtureAscent::new(&model, &data).unwrap();
    let mut q = problem.start_from_labels(&[0, 0, 0, 1, 1]).unwrap();
    let bound = climb(&problem, &mut q, 60);
    assert!(bound < exact - 2_f64.ln() + 0.3 && bound > exact - 4.0, "{bound} against {exact}");
}

#[test]
fn under_known_parameters_it_is_the_marginal_distribution_of_what_was_seen() {
    // A prior that counts for 10⁹ points is a known Gaussian.
    let known = DMatrix::from_row_slice(3, 3, &[2.0, 0.7, -0.3, 0.7, 1.0, 0.2, -0.3, 0.2, 1.5]);
    let mean = [1.0, -1.0, 0.5];
    let strong = NormalInverseWishart::new(&mean, 1e9, &(&known * 1e9), 1e9).unwrap();
    let model = finite::<Gaussian, _>(1, 1.0, strong, 3);
    let rows = [[1.5, GAP, 0.0], [GAP, GAP, 2.0], [0.3, -0.4, 1.0], [GAP, GAP, GAP], [GAP, 0.0, GAP]];
    let data = Observations::with_missing(&DMatrix::from_fn(5, 3, |i, j| rows[i][j])).unwrap();
    let problem = MixtureAscent::new(&model, &data).unwrap();
    // Without `climb`: the terms of the bound are of the size of the prior, and cancel.
    let start = problem.start_from_labels(&[0; 5]).unwrap();
    let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    let bound = fitted.report.trace.last().copied().unwrap();
    let distribution = Gaussian::new(&mean, &known).unwrap();
    let seen = |row: &[f64; 3]| {
        let places: Vec<usize> = (0..3).filter(|&j| !row[j].is_nan()).collect();
        let values: Vec<f64> = places.iter().map(|&j| row[j]).collect();
        if places.is_empty() { 0.0 } else { distribution.marginal(&places).unwrap().ln_pdf(&values) }
    };
    assert_within(bound, rows.iter().map(seen).sum(), 1e-6);
    // The expected statistics are those of conditional distributions.
    let given = distribution.condition(&[0, 2], &[1.5, 0.0]).unwrap();
    let alone = Observations::with_missing(&DMatrix::from_row_slice(1, 3, &rows[0])).unwrap();
    let problem = MixtureAscent::new(&model, &alone).unwrap();
    let start = problem.start_from_labels(&[0]).unwrap();
    let q = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap().model;
    let summary = q.assigned().statistics[0].summary();
    assert_within(summary.mean()[1], given.mean()[0], 1e-6);
    assert_within(summary.scatter()[(1, 1)], given.covariance()[(0, 0)], 1e-6);
    assert_within(summary.scatter()[(0, 0)], 0.0, 1e-12);
}

#[test]
fn a_row_that_misses_nothing_is_treated_as_without_gaps_elsewhere() {
    // The gap is in a row of weight 0.
    let rows =
        DMatrix::from_fn(12, 2, |i, j| ((i * 7 + j * 3) % 5) as f64 + if i % 2 == 0 { 6.0 } else { 0.0 });
    let mut gaps = rows.clone();
    gaps[(11, 0)] = GAP;
    let weights: Vec<f64> = (0..12).map(|i| if i == 11 { 0.0 } else { 1.0 + f64::from(i) / 5.0 }).collect();
    let model = finite::<Gaussian, _>(2, 0.8, prior(2), 2);
    let labels: Vec<usize> = (0..12).map(|i| i / 6).collect();
    let bounds = [Observations::new(&rows), Observations::with_missing(&gaps)].map(|data| {
        let data = data.unwrap().weighted(&weights).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let mut q = problem.start_from_labels(&labels).unwrap();
        let bound = climb(&problem, &mut q, 6);
        (bound, q.counts()[0], problem.responsibilities(&q).unwrap()[(3, 1)])
    });
    assert_close(bounds[0].0, bounds[1].0, 1e-12);
    assert_close(bounds[0].1, bounds[1].1, 1e-11);
    assert_close(bounds[0].2, bounds[1].2, 1e-10);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_update_lowers_the_bound(
        values in prop::collection::vec(-5.0..5.0_f64, 30),
        gaps in prop::collection::vec(0.0..1.0_f64, 30),
        seed in 0_u64..1000,
        rows in 1_usize..11,
    ) {
        let table = DMatrix::from_fn(rows, 3, |i, j| if gaps[3 * i + j] < 0.3 { GAP } else { values[3 * i + j] });
        let data = Observations::with_missing(&table).unwrap();
        let model = finite::<Gaussian, _>(3, 0.4, prior(3), 3);
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let mut q = problem.random_start(&mut stream(seed, &[])).unwrap();
        climb(&problem, &mut q, 12);
        prop_assert!(problem.elbo(&q).is_ok());
    }
}
