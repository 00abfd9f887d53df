//! Every distribution against its reference table of 30 digits.

use posterior_dist::{
    Bernoulli, Binomial, Categorical, Density, Dirichlet, DirichletMultinomial, Entropy, KlDivergence, Mode,
    Moments, Multinomial, Shape, Univariate,
};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{Worst, assert_all_close, assert_close};
use posterior_testkit::reference::{
    count, counts, distribution_cases, list, load, number, numbers, optional_number, rows,
};

/// Each row of the matrix against the table's.
#[track_caller]
fn assert_matrix_close(actual: &DMatrix<f64>, expected: &[Vec<f64>], tolerance: f64) {
    assert_eq!((actual.nrows(), actual.ncols()), (expected.len(), expected.len()));
    for (index, row) in expected.iter().enumerate() {
        assert_all_close(&actual.row(index).iter().copied().collect::<Vec<_>>(), row, tolerance);
    }
}

#[track_caller]
fn assert_optional_close(actual: Option<f64>, expected: Option<f64>, tolerance: f64) {
    match (actual, expected) {
        (Some(actual), Some(expected)) => assert_close(actual, expected, tolerance),
        (actual, expected) => assert_eq!(actual, expected),
    }
}

#[test]
fn bernoulli_meets_its_table() {
    let mut worst = Worst::of("bernoulli");
    for case in distribution_cases("bernoulli") {
        let distribution = Bernoulli::new(number(&case["params"][0])).expect("a probability");
        assert_close(distribution.mean().expect("exists"), number(&case["mean"]), 1e-15);
        assert_close(distribution.variance().expect("exists"), number(&case["variance"]), 1e-15);
        assert_optional_close(distribution.skewness(), optional_number(&case["skewness"]), 1e-14);
        assert_optional_close(
            distribution.excess_kurtosis(),
            optional_number(&case["excess_kurtosis"]),
            1e-14,
        );
        assert_close(distribution.entropy(), number(&case["entropy"]), 1e-15);
        assert_eq!(distribution.mode().map(f64::from), optional_number(&case["mode"]));
        for point in list(&case["points"]) {
            let k = number(&point["k"]);
            worst.see(distribution.ln_pdf(&(k == 1.0)), number(&point["logpmf"]), &case["params"]);
            worst.see(distribution.cdf(k), number(&point["cdf"]), &case["params"]);
            worst.see(distribution.sf(k), number(&point["sf"]), &case["params"]);
            worst.see(distribution.ln_cdf(k), number(&point["logcdf"]), &case["params"]);
            worst.see(distribution.ln_sf(k), number(&point["logsf"]), &case["params"]);
        }
        for quantile in list(&case["quantiles"]) {
            assert_eq!(distribution.quantile(number(&quantile["p"])), number(&quantile["k"]));
        }
    }
    worst.assert_at_most(1e-15);
}

#[test]
fn categorical_meets_its_table() {
    let mut worst = Worst::of("categorical");
    for case in distribution_cases("categorical") {
        let distribution = Categorical::from_probabilities(&numbers(&case["p"])).expect("probabilities");
        worst.see(distribution.entropy(), number(&case["entropy"]), &"entropy");
        assert_eq!(distribution.mode().map(|mode| mode as u64), Some(count(&case["mode"])));
        for (k, (ln_p, cdf)) in numbers(&case["logpmf"]).into_iter().zip(numbers(&case["cdf"])).enumerate() {
            worst.see(distribution.ln_pdf(&k), ln_p, &("ln_pdf", k));
            worst.see(distribution.cdf(k as f64), cdf, &("cdf", k));
        }
    }
    worst.assert_at_most(1e-15);
}

#[test]
fn binomial_meets_its_table() {
    let mut worst = Worst::of("binomial");
    for case in distribution_cases("binomial") {
        let (trials, success) = (count(&case["params"][0]), number(&case["params"][1]));
        let distribution = Binomial::new(trials, success).expect("a probability");
        assert_close(distribution.mean().expect("exists"), number(&case["mean"]), 1e-15);
        assert_close(distribution.variance().expect("exists"), number(&case["variance"]), 1e-15);
        assert_optional_close(distribution.skewness(), optional_number(&case["skewness"]), 1e-14);
        assert_optional_close(
            distribution.excess_kurtosis(),
            optional_number(&case["excess_kurtosis"]),
            1e-14,
        );
        if let Some(entropy) = optional_number(&case["entropy"]) {
            assert_close(distribution.entropy(), entropy, 1e-13);
        }
        assert_eq!(distribution.mode().map(|mode| mode as f64), optional_number(&case["mode"]));
        for point in list(&case["points"]) {
            worst.see(
                distribution.ln_pdf(&count(&point["k"])),
                number(&point["logpmf"]),
                &(trials, success, &point["k"]),
            );
        }
    }
    worst.assert_at_most(1e-13);
}

#[test]
fn multinomial_meets_its_table() {
    let mut worst = Worst::of("multinomial");
    for case in distribution_cases("multinomial") {
        let categories = Categorical::from_probabilities(&numbers(&case["p"])).expect("probabilities");
        let distribution = Multinomial::new(count(&case["n"]), categories);
        assert_all_close(&distribution.mean().expect("exists"), &numbers(&case["mean"]), 1e-15);
        assert_matrix_close(&distribution.variance().expect("exists"), &rows(&case["cov"]), 1e-14);
        for point in list(&case["points"]) {
            worst.see(
                distribution.ln_pdf(&counts(&point["x"])),
                number(&point["logpmf"]),
                &(&case["n"], &point["x"]),
            );
        }
    }
    worst.assert_at_most(1e-13);
}

#[test]
fn dirichlet_meets_its_table() {
    let (mut worst, mut summaries) = (Worst::of("dirichlet"), Worst::of("dirichlet, summaries"));
    for case in distribution_cases("dirichlet") {
        let distribution = Dirichlet::new(&numbers(&case["alpha"])).expect("positive");
        assert_all_close(&distribution.mean().expect("exists"), &numbers(&case["mean"]), 1e-15);
        assert_matrix_close(&distribution.variance().expect("exists"), &rows(&case["cov"]), 1e-14);
        let diagonal: Vec<f64> =
            distribution.variance().expect("exists").diagonal().iter().copied().collect();
        assert_all_close(&diagonal, &numbers(&case["variance"]), 1e-14);
        for (actual, expected) in distribution.expected_ln().into_iter().zip(numbers(&case["expected_log"])) {
            summaries.see(actual, expected, &("expected_ln", &case["alpha"]));
        }
        summaries.see(distribution.entropy(), number(&case["entropy"]), &("entropy", &case["alpha"]));
        match distribution.mode() {
            Some(mode) => assert_all_close(&mode, &numbers(&case["mode"]), 1e-15),
            None => assert!(case["mode"].is_null(), "mode of {}", case["alpha"]),
        }
        for point in list(&case["points"]) {
            worst.see(
                distribution.ln_pdf(&numbers(&point["x"])),
                number(&point["logpdf"]),
                &(&case["alpha"], &point["x"]),
            );
        }
    }
    worst.assert_at_most(1e-13);
    summaries.assert_at_most(1e-13);
}

#[test]
fn dirichlet_multinomial_meets_its_table() {
    let mut worst = Worst::of("dirichlet_multinomial");
    for case in distribution_cases("dirichlet_multinomial") {
        let prior = Dirichlet::new(&numbers(&case["alpha"])).expect("positive");
        let distribution = DirichletMultinomial::new(count(&case["n"]), prior);
        assert_all_close(&distribution.mean().expect("exists"), &numbers(&case["mean"]), 1e-15);
        assert_matrix_close(&distribution.variance().expect("exists"), &rows(&case["cov"]), 1e-14);
        for point in list(&case["points"]) {
            worst.see(
                distribution.ln_pdf(&counts(&point["x"])),
                number(&point["logpmf"]),
                &(&case["n"], &point["x"]),
            );
        }
    }
    worst.assert_at_most(1e-13);
}

/// Compares the divergences of a family; the two distributions come from the numbers of the table.
fn compare_divergences<D: KlDivergence>(family: &str, bound: f64, distribution: impl Fn(&[f64]) -> D) {
    let mut worst = Worst::of(family);
    let table = load("distributions/kl_divergence");
    for case in list(&table["families"][family]) {
        let (p, q) = (distribution(&numbers(&case["p"])), distribution(&numbers(&case["q"])));
        // Of two distributions that are nearly the same the divergence is the rest of terms of size one that
        // cancel.
        worst.see_conditioned(p.kl_divergence(&q), number(&case["kl"]), 1.0, &(&case["p"], &case["q"]));
    }
    worst.assert_at_most(bound);
}

#[test]
fn divergences_meet_their_table() {
    compare_divergences("bernoulli (p)", 1e-15, |p| Bernoulli::new(p[0]).expect("a probability"));
    compare_divergences("categorical (p)", 1e-15, |p| {
        Categorical::from_probabilities(p).expect("probabilities")
    });
    compare_divergences("dirichlet (alpha)", 1e-13, |alpha| Dirichlet::new(alpha).expect("positive"));
}
