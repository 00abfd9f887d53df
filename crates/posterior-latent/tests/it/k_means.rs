//! k-means: its numbers, its properties, its edges.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod properties;
mod search;
mod starts;

use posterior_latent::k_means::{
    CentreStart, Clustering, KMeans, KMeansOptions, NearestSearch, best_of_starts, fit,
};
use posterior_latent::{Error, Observations};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::DMatrix;
use posterior_testkit::reference::{list, load, number, numbers, rows};

const LINE: [f64; 7] = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5];

fn column(values: &[f64]) -> Observations {
    Observations::new(&DMatrix::from_column_slice(values.len(), 1, values)).unwrap()
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn from_centres(data: &Observations, centres: &DMatrix<f64>) -> Clustering {
    let options =
        KMeansOptions { start: CentreStart::Centres(centres.clone()), ..KMeansOptions::new(centres.nrows()) };
    fit(data, &options, 0, &mut Silent).unwrap()
}

#[test]
fn seven_points_on_a_line() {
    let found = from_centres(&column(&LINE), &DMatrix::from_column_slice(2, 1, &[-1.0, 1.0]));
    assert_eq!(found.model.centres().as_slice(), [-1.5, 1.75]);
    assert_eq!(found.labels, [0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(found.inertia(), 1.75);
    assert_eq!(found.report.stop, Stop::Converged);
    // By hand: 1.25 + 3.5 with the first centres; then the centres move, and no row changes.
    assert_eq!(found.half_steps, [4.75, 1.75, 1.75]);
}

#[test]
fn reference_table() {
    // Distances and means in mpmath, 30 digits.
    let table = load("gmm_em");
    let cases = list(&table["cases"]);
    assert_eq!(cases.len(), 4);
    let close = |value: f64, expected: f64| {
        assert!((value - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{value} is not {expected}");
    };
    for case in cases {
        let data = Observations::new(&matrix(&rows(&case["x"]))).unwrap();
        let start = matrix(&rows(&case["means"]));
        let expected = &case["kmeans"];
        let model = KMeans::new(&start).unwrap();
        let labels: Vec<f64> = model.assign(&data).unwrap().iter().map(|&label| label as f64).collect();
        assert_eq!(labels, numbers(&expected["assignments"]));
        close(model.inertia(&data).unwrap(), number(&expected["objective"]));
        if list(&expected["new_centres"]).iter().any(serde_json::Value::is_null) {
            continue;
        }
        let options = KMeansOptions { max_iterations: 1, ..KMeansOptions::new(start.nrows()) };
        let options = KMeansOptions { start: CentreStart::Centres(start), ..options };
        let found = fit(&data, &options, 0, &mut Silent).unwrap();
        close(found.half_steps[0], number(&expected["objective"]));
        for (row, centre) in rows(&expected["new_centres"]).iter().zip(found.model.centres().row_iter()) {
            row.iter().zip(centre.iter()).for_each(|(&expected, &value)| close(value, expected));
        }
        // The table takes the old assignments with the new centres, or the new ones: both are between.
        let table = number(&expected["objective_with_new_centres"]);
        let (kept, renewed) = (found.half_steps[1], found.half_steps[2]);
        assert!(
            [kept, renewed].iter().any(|j| (j - table).abs() <= 1e-13 * table),
            "{kept} {renewed} {table}"
        );
    }
}

#[test]
fn one_cluster_is_the_mean_and_a_cluster_for_each_row_costs_nothing() {
    let data = column(&LINE);
    let one = fit(&data, &KMeansOptions::new(1), 3, &mut Silent).unwrap();
    let mean = LINE.iter().sum::<f64>() / 7.0;
    assert!((one.model.centres()[0] - mean).abs() < 1e-15);
    for start in [CentreStart::PlusPlus, CentreStart::GreedyPlusPlus, CentreStart::RandomRows] {
        let each = fit(&data, &KMeansOptions { start, ..KMeansOptions::new(7) }, 3, &mut Silent).unwrap();
        assert_eq!(each.inertia(), 0.0);
    }
}

#[test]
fn fewer_different_rows_than_centres_are_reported() {
    let copies = column(&[2.0, 2.0, 3.0, 3.0, 3.0]);
    let given = CentreStart::Centres(DMatrix::from_column_slice(3, 1, &[0.0, 1.0, 2.0]));
    for start in [CentreStart::PlusPlus, CentreStart::GreedyPlusPlus, CentreStart::RandomRows, given] {
        let refused =
            fit(&copies, &KMeansOptions { start: start.clone(), ..KMeansOptions::new(3) }, 1, &mut Silent);
        assert!(matches!(refused, Err(Error::TooFew { needed: 3, found: 2, .. })), "{start:?}: {refused:?}");
    }
    for start in [CentreStart::PlusPlus, CentreStart::GreedyPlusPlus, CentreStart::RandomRows] {
        let refused = fit(&column(&LINE), &KMeansOptions { start, ..KMeansOptions::new(9) }, 1, &mut Silent);
        assert!(matches!(refused, Err(Error::TooFew { needed: 9, found: 7, .. })), "{refused:?}");
    }
    // Rows of weight 0 are no rows.
    let data = column(&LINE).weighted(&[1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let refused = fit(&data, &KMeansOptions::new(3), 1, &mut Silent);
    assert!(matches!(refused, Err(Error::TooFew { needed: 3, found: 2, .. })), "{refused:?}");
}

#[test]
fn an_empty_cluster_takes_the_row_that_costs_most() {
    let data = column(&[0.0, 1.0, 10.0, 11.0, 30.0]);
    let found = from_centres(&data, &DMatrix::from_column_slice(3, 1, &[0.5, 10.0, 1000.0]));
    // 30 is 20 from its centre: 0.25 + 0.25 + 0 + 1 + 400, less 400.
    assert_eq!(found.half_steps[0], 1.5);
    assert_eq!((found.reseeded, found.inertia()), (1, 1.0));
    assert_eq!(found.model.centres().as_slice(), [0.5, 10.5, 30.0]);
    // Two at once, with the farthest row there twice: 30 and 11 become centres. 10 and the other 30 go to
    // them, so that the cluster they leave is empty in turn, and takes 0 or 1.
    let data = column(&[0.0, 1.0, 10.0, 11.0, 30.0, 30.0]);
    let found = from_centres(&data, &DMatrix::from_column_slice(4, 1, &[0.5, 10.0, 1000.0, 2000.0]));
    assert_eq!((found.reseeded, found.inertia()), (3, 0.5));
}

#[test]
fn a_run_that_ends_with_a_new_centre_still_gives_nearest_ones() {
    let data = column(&[0.0, 1.0, 28.0, 30.0, 31.0, 32.0]);
    let start = CentreStart::Centres(DMatrix::from_column_slice(2, 1, &[0.0, 1e6]));
    let found =
        fit(&data, &KMeansOptions { start, max_iterations: 0, ..KMeansOptions::new(2) }, 0, &mut Silent)
            .unwrap();
    assert_eq!(found.report.stop, Stop::MaxIterations);
    assert_eq!(found.labels, found.model.assign(&data).unwrap());
    assert_eq!(found.labels, [0, 0, 1, 1, 1, 1]);
    assert_eq!(found.inertia(), found.model.inertia(&data).unwrap());
}

#[test]
fn ties_go_to_the_first_centre() {
    let model = KMeans::new(&DMatrix::from_column_slice(3, 1, &[1.0, -1.0, 1.0])).unwrap();
    assert_eq!(model.assign(&column(&[0.0, 1.0, -3.0])).unwrap(), [0, 0, 1]);
}

#[test]
fn a_common_offset_costs_no_digit() {
    // 2^40 and quarters: every number is exact.
    let offset = 2_f64.powi(40);
    let moved: Vec<f64> = LINE.iter().map(|x| x + offset).collect();
    let found = fit(&column(&moved), &KMeansOptions::new(2), 5, &mut Silent).unwrap();
    assert!((found.inertia() - 1.75).abs() < 1e-14, "{}", found.inertia());
    let mut centres = found.model.centres().as_slice().to_vec();
    centres.sort_by(f64::total_cmp);
    assert_eq!(centres, [offset - 1.5, offset + 1.75]);
}

#[test]
fn units_of_any_size() {
    for exponent in [-500, 500] {
        let unit = 2_f64.powi(exponent);
        let scaled: Vec<f64> = LINE.iter().map(|x| x * unit).collect();
        let found = fit(&column(&scaled), &KMeansOptions::new(2), 5, &mut Silent).unwrap();
        assert!((found.inertia() / unit / unit - 1.75).abs() < 1e-14);
    }
    // Beyond the squares of f64: the clusters stay right, and the inertia is infinite.
    let huge: Vec<f64> = LINE.iter().map(|x| x * 6e307).collect();
    let found = fit(&column(&huge), &KMeansOptions::new(2), 5, &mut Silent).unwrap();
    assert_eq!(found.inertia(), f64::INFINITY);
    assert!(found.labels[..3].iter().all(|label| *label == found.labels[0]));
    assert!(found.labels[3..].iter().all(|label| *label != found.labels[0]));
    assert_eq!(found.labels, found.model.assign(&column(&huge)).unwrap());
}

#[test]
fn a_row_of_no_weight_moves_nothing_wherever_it_is() {
    let options = KMeansOptions::new(2);
    let found = fit(&column(&LINE), &options, 5, &mut Silent).unwrap();
    for far in [1e6, 1e100, -1e200, f64::MAX] {
        let values: Vec<f64> = LINE.iter().copied().chain([far]).collect();
        let weights: Vec<f64> = values.iter().map(|&x| if x == far { 0.0 } else { 1.0 }).collect();
        let data = column(&values).weighted(&weights).unwrap();
        let other = fit(&data, &options, 5, &mut Silent).unwrap();
        assert!((other.inertia() - found.inertia()).abs() < 1e-14, "{far:e}: {}", other.inertia());
        let together = |labels: &[usize]| labels[..7].iter().map(|l| *l == labels[0]).collect::<Vec<_>>();
        assert_eq!(together(&other.labels), together(&found.labels));
        assert_eq!(best_of_starts(&data, &options, 3, 1).unwrap().best.inertia(), other.inertia());
    }
}

#[test]
fn misuse() {
    let data = column(&LINE);
    let refused = |options: KMeansOptions| fit(&data, &options, 0, &mut Silent).is_err();
    assert!(refused(KMeansOptions::new(0)));
    assert!(refused(KMeansOptions { tolerance: f64::NAN, ..KMeansOptions::new(2) }));
    assert!(refused(KMeansOptions { tolerance: -1.0, ..KMeansOptions::new(2) }));
    assert!(refused(KMeansOptions {
        start: CentreStart::Centres(DMatrix::zeros(3, 1)),
        ..KMeansOptions::new(2)
    }));
    assert!(refused(KMeansOptions {
        start: CentreStart::Centres(DMatrix::zeros(2, 2)),
        ..KMeansOptions::new(2)
    }));
    assert!(refused(KMeansOptions {
        start: CentreStart::Centres(DMatrix::from_element(1, 1, f64::NAN)),
        ..KMeansOptions::new(1)
    }));
    assert!(KMeans::new(&DMatrix::zeros(0, 2)).is_err());
    assert!(KMeans::new(&DMatrix::from_element(1, 1, f64::INFINITY)).is_err());
    let model = KMeans::new(&DMatrix::zeros(1, 2)).unwrap();
    assert!(matches!(model.assign(&data), Err(Error::Dimension { .. })));
    let holes =
        Observations::with_missing(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, f64::NAN, 1.0])).unwrap();
    assert!(matches!(model.assign(&holes), Err(Error::NotFinite { row: 1, column: 0, .. })));
    assert!(fit(&holes, &KMeansOptions::new(1), 0, &mut Silent).is_err());
}

#[test]
fn one_row() {
    let data = column(&[5.0]);
    for search in [NearestSearch::Exhaustive, NearestSearch::Bounds] {
        let found = fit(&data, &KMeansOptions { search, ..KMeansOptions::new(1) }, 0, &mut Silent).unwrap();
        assert_eq!((found.model.centres()[0], found.inertia()), (5.0, 0.0));
    }
}
