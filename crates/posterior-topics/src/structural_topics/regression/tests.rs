//! The prior is the same for topics in any order, and so are regressions.

use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, congruence};
use posterior_testkit::accuracy::{assert_all_close, assert_within};

use super::*;
use crate::structural_topics::log_concave::proportions;

fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions { topics: 4, document_variance: 0.7, ..StructuralTopicsOptions::default() }
}

fn design() -> Design {
    Design::new(&DMatrix::from_fn(6, 2, |d, j| ((d * 5 + j * 3) % 7) as f64 / 3.0 - 1.0), &options()).unwrap()
}

#[test]
fn the_prior_of_the_covariance_is_the_same_for_topics_in_any_order() {
    let prior = design().covariance_prior;
    for order in [[1, 0, 2, 3], [3, 1, 2, 0], [2, 3, 0, 1]] {
        let scale = prior.scale().clone();
        let root = Cholesky::new(&scale).unwrap();
        let regression = design().regression(DMatrix::zeros(3, 3), &root).unwrap();
        assert_all_close(regression.relabelled(&order).1.as_slice(), scale.as_slice(), 1e-13);
    }
}

/// Proportions at the means of documents, the topics in their new order.
#[test]
fn topics_in_another_order_have_the_proportions_that_they_had() {
    let eta = DMatrix::from_fn(6, 3, |d, k| ((d * 3 + k * 5) % 11) as f64 / 4.0 - 1.0);
    let design = design();
    let drawn = design.draw(&eta, &mut stream(1, &[])).unwrap();
    let order = [2, 0, 3, 1];
    let (gamma, covariance) = drawn.relabelled(&order);
    let root = Cholesky::new(&covariance).unwrap();
    let moved = design.regression(gamma, &root).unwrap();
    for d in 0..6 {
        let [before, after] = [&drawn, &moved].map(|own| proportions(own.means.column(d).as_slice()));
        assert_all_close(&after, &order.map(|k| before[k]), 1e-12);
    }
    // Variances of differences of two topics.
    let of = |own: &Regression, a: [usize; 2]| {
        let contrast = DMatrix::from_fn(1, 3, |_, k| f64::from(i8::from(a[0] == k) - i8::from(a[1] == k)));
        congruence(&contrast, &own.covariance)[(0, 0)]
    };
    for (a, b) in [([0, 1], [2, 0]), ([2, 3], [3, 1]), ([1, 3], [0, 1])] {
        assert_within(of(&moved, a), of(&drawn, b), 1e-12);
    }
    assert_within(
        moved.ln_density(&vec![0.0; 18]),
        {
            let away =
                moved.means.column_iter().map(|mean| (&moved.precision * mean).dot(&mean)).sum::<f64>();
            -0.5 * (away + 6.0 * (3.0 * std::f64::consts::TAU.ln() + root.ln_determinant()))
        },
        1e-10,
    );
}

#[test]
fn features_far_from_size_one_are_refused() {
    let design = Design::new(&DMatrix::from_fn(6, 1, |d, _| d as f64 * 1e150), &options()).unwrap();
    assert!(design.regression(DMatrix::from_element(2, 3, 1.0), &Cholesky::identity(3)).is_err());
    assert!(Design::new(&DMatrix::from_element(6, 1, 1e200), &options()).is_err());
}
