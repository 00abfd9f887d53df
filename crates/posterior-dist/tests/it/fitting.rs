//! Fits of α: both methods reach the maximum, every step rises, and known α are found again.

use std::ops::ControlFlow;

use posterior_dist::{
    Categorical, ConcentrationMethod, ConcentrationOptions, Conjugate, CountHistograms, Dirichlet,
    DirichletMultinomial, Expectation, ExponentialFamily, Stats, Symmetry, stream::stream,
};
use posterior_math::iteration::{Fitted, Report, Silent, Step, Stop};
use posterior_math::special::{digamma_difference, ln_pochhammer};
use posterior_testkit::accuracy::{assert_all_close, assert_within};
use rand::distr::Distribution;

const METHODS: [ConcentrationMethod; 2] = [ConcentrationMethod::Newton, ConcentrationMethod::FixedPoint];

fn dirichlet(alpha: &[f64]) -> Dirichlet {
    Dirichlet::new(alpha).expect("positive")
}

/// Vectors of counts of random length drawn from a Dirichlet-multinomial.
fn draw_counts(alpha: &[f64], vectors: u64, seed: u64) -> Vec<Vec<u64>> {
    let mut rng = stream(seed, &[]);
    (0..vectors).map(|i| DirichletMultinomial::new(20 + i % 60, dirichlet(alpha)).sample(&mut rng)).collect()
}

fn histograms(rows: &[Vec<u64>]) -> CountHistograms {
    let mut counts = CountHistograms::new(rows[0].len());
    for row in rows {
        counts.push(row).expect("as many counts");
    }
    counts
}

fn ln_likelihood(alpha: &[f64], rows: &[Vec<u64>]) -> f64 {
    rows.iter().map(|row| dirichlet(alpha).ln_sequence_evidence(row)).sum()
}

/// The derivatives of the log-likelihood in ln α, term by term.
fn gradient(alpha: &[f64], rows: &[Vec<u64>]) -> Vec<f64> {
    let total: f64 = alpha.iter().sum();
    let of_total: f64 =
        rows.iter().map(|row| digamma_difference(total, row.iter().map(|&n| n as f64).sum())).sum();
    let cell = |k: usize| rows.iter().map(|row| digamma_difference(alpha[k], row[k] as f64)).sum::<f64>();
    (0..alpha.len()).map(|k| alpha[k] * (cell(k) - of_total)).collect()
}

#[track_caller]
fn assert_rises(report: &Report) {
    for pair in report.trace.windows(2) {
        assert!(pair[1] >= pair[0] - 1e-12 * pair[0].abs(), "{} after {}", pair[1], pair[0]);
    }
}

#[test]
fn both_methods_reach_the_maximum_for_counts() {
    for (alpha, seed) in [(&[0.5, 1.0, 2.0, 4.0][..], 1), (&[0.01, 0.05, 0.02], 2), (&[30.0, 60.0, 10.0], 3)]
    {
        let rows = draw_counts(alpha, 400, seed);
        let counts = histograms(&rows);
        let mut fits = Vec::new();
        for method in METHODS {
            let options = ConcentrationOptions {
                method,
                max_iterations: 100_000,
                tolerance: 1e-11,
                ..ConcentrationOptions::default()
            };
            let Fitted { model, report } =
                DirichletMultinomial::fit(&counts, &options, &mut Silent).expect("two or more");
            report.require_converged().expect("enough steps");
            assert_rises(&report);
            let last = *report.trace.last().expect("a start");
            assert_within(last, ln_likelihood(model.concentration(), &rows), 1e-9 * last.abs());
            for (slope, &a) in gradient(model.concentration(), &rows).into_iter().zip(model.concentration()) {
                assert_within(slope / (1.0 + a), 0.0, 1e-4);
            }
            fits.push((model, report.iterations()));
        }
        assert_all_close(fits[0].0.concentration(), fits[1].0.concentration(), 1e-6);
        assert!(fits[0].1 < 30, "Newton took {} steps", fits[0].1);
        // The truth is within a few standard errors.
        for (&found, &a) in fits[0].0.concentration().iter().zip(alpha) {
            assert!((found / a).ln().abs() < 0.5, "{found} for {a}");
        }
    }
}

#[test]
fn a_symmetric_fit_is_the_best_of_the_symmetric_ones() {
    let rows = draw_counts(&[0.2; 6], 300, 4);
    let counts = histograms(&rows);
    for method in METHODS {
        let options =
            ConcentrationOptions { method, symmetry: Symmetry::Symmetric, ..ConcentrationOptions::default() };
        let Fitted { model, report } =
            DirichletMultinomial::fit(&counts, &options, &mut Silent).expect("fits");
        report.require_converged().expect("enough steps");
        assert_rises(&report);
        if method == ConcentrationMethod::Newton {
            assert!(report.iterations() < 15, "Newton took {} steps", report.iterations());
        }
        let best = model.concentration()[0];
        assert_all_close(model.concentration(), &[best; 6], 0.0);
        assert_within(gradient(model.concentration(), &rows).iter().sum::<f64>(), 0.0, 1e-5);
        for other in [0.99 * best, 1.01 * best] {
            assert!(ln_likelihood(&[other; 6], &rows) < ln_likelihood(&[best; 6], &rows));
        }
    }
}

#[test]
fn thousands_of_sparse_vectors_are_fitted_by_their_histograms() {
    let categories = 500;
    let alpha: Vec<f64> = (0..categories).map(|k| 0.02 + 0.001 * f64::from(k)).collect();
    let mut rng = stream(5, &[]);
    let distribution = DirichletMultinomial::new(100, dirichlet(&alpha));
    let mut counts = CountHistograms::new(alpha.len());
    for _ in 0..5000 {
        counts.push_sparse(distribution.sample(&mut rng).into_iter().enumerate()).expect("as many counts");
    }
    let Fitted { model, report } =
        DirichletMultinomial::fit(&counts, &ConcentrationOptions::default(), &mut Silent).expect("fits");
    report.require_converged().expect("enough steps");
    assert_within(model.total() / alpha.iter().sum::<f64>(), 1.0, 0.02);
}

#[test]
fn counts_without_spread_do_not_converge_and_say_so() {
    // Exactly the proportions each time, which is less than multinomial noise: the likelihood rises for ever.
    let mut counts = CountHistograms::new(2);
    for _ in 0..10 {
        counts.push(&[5, 5]).expect("two counts");
    }
    let options = ConcentrationOptions {
        method: ConcentrationMethod::FixedPoint,
        max_iterations: 50,
        ..ConcentrationOptions::default()
    };
    let fitted = DirichletMultinomial::fit(&counts, &options, &mut Silent).expect("a fit");
    assert_eq!(fitted.report.stop, Stop::MaxIterations);
    assert_eq!(fitted.report.iterations(), 50);
    assert!(fitted.report.require_converged().is_err());
    assert_rises(&fitted.report);
}

#[test]
fn a_fit_that_reaches_the_multinomial_distribution_has_not_converged() {
    // Counts of totals of 2, 10 and 1000 that vary less than those of a multinomial, for every kind of fit.
    for rows in [vec![vec![1, 1]; 10], vec![vec![5, 5], vec![6, 4]], vec![vec![500, 500], vec![510, 490]]] {
        let counts = histograms(&rows);
        for symmetry in [Symmetry::Asymmetric, Symmetry::Symmetric] {
            let options = ConcentrationOptions { symmetry, ..ConcentrationOptions::default() };
            let fitted = DirichletMultinomial::fit(&counts, &options, &mut Silent).expect("a fit");
            assert_eq!(fitted.report.stop, Stop::Stalled, "{rows:?}: {:?}", fitted.model);
            assert!(fitted.report.iterations() < 100);
            assert!(fitted.model.total() > 1e8, "{:?}", fitted.model);
        }
    }
}

#[test]
fn a_fit_of_slightly_overdispersed_counts_converges() {
    // The variance is a third above that of a multinomial: the concentration is large, but there is one.
    let rows: Vec<Vec<u64>> = (0..200)
        .map(|i| if i % 3 == 0 { vec![50, 50] } else { vec![50 + 7 * (i % 2), 50 - 7 * (i % 2)] })
        .collect();
    let fitted = DirichletMultinomial::fit(&histograms(&rows), &ConcentrationOptions::default(), &mut Silent)
        .expect("a fit");
    // 7² · ⅓ = 16.3 < 25: under the binomial variance, so this one diverges; with 12 it does not.
    assert_eq!(fitted.report.stop, Stop::Stalled);
    let rows: Vec<Vec<u64>> = (0..200).map(|i| vec![38 + 24 * (i % 2), 62 - 24 * (i % 2)]).collect();
    let fitted = DirichletMultinomial::fit(&histograms(&rows), &ConcentrationOptions::default(), &mut Silent)
        .expect("a fit");
    fitted.report.require_converged().expect("a maximum");
    assert!((10.0..100.0).contains(&fitted.model.total()), "{:?}", fitted.model);
}

#[test]
fn a_tolerance_that_was_not_reached_is_not_reported_as_reached() {
    // The fixed point closes in by a small proportion per step: steps below 1e-6 are not yet the end.
    let counts = histograms(&draw_counts(&[30.0, 60.0, 10.0], 400, 3));
    let options =
        ConcentrationOptions { method: ConcentrationMethod::FixedPoint, ..ConcentrationOptions::default() };
    let loose = ConcentrationOptions { tolerance: 1e-7, max_iterations: 100_000, ..options.clone() };
    let reached = DirichletMultinomial::fit(&counts, &loose, &mut Silent).expect("fits").report.iterations();
    let tight = ConcentrationOptions { tolerance: 1e-12, max_iterations: reached + 1, ..options };
    let fitted = DirichletMultinomial::fit(&counts, &tight, &mut Silent).expect("fits");
    assert_eq!(fitted.report.stop, Stop::MaxIterations);
}

#[test]
fn the_observer_sees_each_step_and_may_stop() {
    let counts = histograms(&draw_counts(&[0.5, 1.0, 2.0], 100, 6));
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push((step.iteration, step.objective));
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options =
        ConcentrationOptions { method: ConcentrationMethod::FixedPoint, ..ConcentrationOptions::default() };
    let fitted = DirichletMultinomial::fit(&counts, &options, &mut observer).expect("fits");
    assert_eq!(fitted.report.stop, Stop::Observer);
    let objectives: Vec<f64> = seen.iter().map(|(_, objective)| *objective).collect();
    assert_eq!(objectives, fitted.report.trace[1..]);
    assert_eq!(seen.iter().map(|(iteration, _)| *iteration).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn a_fit_that_starts_at_the_maximum_stays() {
    let counts = histograms(&draw_counts(&[0.5, 1.0, 2.0], 100, 6));
    let options = ConcentrationOptions::default();
    let first = DirichletMultinomial::fit(&counts, &options, &mut Silent).expect("fits");
    let warm = ConcentrationOptions { start: Some(first.model.concentration().to_vec()), ..options };
    let again = DirichletMultinomial::fit(&counts, &warm, &mut Silent).expect("fits");
    assert!(again.report.iterations() <= 2);
    assert_all_close(again.model.concentration(), first.model.concentration(), 1e-9);
}

#[test]
fn summaries_of_parts_merge() {
    let rows = draw_counts(&[0.5, 1.0, 2.0], 40, 7);
    let mut merged = histograms(&rows[..13]);
    merged.merge(&histograms(&rows[13..])).expect("as many categories");
    assert_eq!(merged, histograms(&rows));
    assert_eq!((merged.vectors(), merged.categories()), (40, 3));
}

#[test]
fn a_dirichlet_is_found_again_from_its_mean_logarithms() {
    for alpha in [&[1.0, 2.0, 3.0][..], &[0.001, 0.01, 0.1], &[1e3, 2e3], &[1e-4; 5], &[100.0, 0.01, 1.0]] {
        let distribution = dirichlet(alpha);
        for method in METHODS {
            let options = ConcentrationOptions {
                method,
                tolerance: 1e-12,
                max_iterations: 1_000_000,
                ..ConcentrationOptions::default()
            };
            let Fitted { model, report } =
                Dirichlet::fit(&distribution.expected_ln(), &options, &mut Silent).expect("it is one");
            assert_rises(&report);
            // The fixed point closes in by a proportion 1 / α₀ per step, so its last step is not its error.
            let tolerance = if method == ConcentrationMethod::Newton { 1e-12 } else { 1e-9 }
                * (1.0 + distribution.total());
            assert_all_close(model.concentration(), alpha, tolerance);
            if method == ConcentrationMethod::Newton {
                assert!(report.iterations() < 30, "{alpha:?}: {} steps", report.iterations());
            }
        }
    }
}

#[test]
fn concentrations_of_any_ratio_are_found_again() {
    for (small, large) in (-7..4).flat_map(|i| (-7..4).map(move |j| (i, j))) {
        let distribution = dirichlet(&[10_f64.powi(small), 3.0 * 10_f64.powi(large)]);
        let options = ConcentrationOptions::default();
        let Fitted { model, report } =
            Dirichlet::fit(&distribution.expected_ln(), &options, &mut Silent).expect("it is one");
        report.require_converged().expect("enough steps");
        assert_rises(&report);
        assert!(
            report.iterations() < 30,
            "{:?}: {} steps",
            distribution.concentration(),
            report.iterations()
        );
        // A rounding of E ln t moves the concentration by itself times that, and more where one α is tiny
        // beside it.
        let ratio =
            distribution.total() / distribution.concentration().iter().copied().fold(f64::INFINITY, f64::min);
        assert_all_close(
            model.concentration(),
            distribution.concentration(),
            1e-12 * (1.0 + distribution.total()) + 1e-15 * ratio,
        );
    }
}

#[test]
fn maximum_likelihood_of_points_is_the_fit_to_their_mean_logarithms() {
    let distribution = dirichlet(&[0.5, 1.5, 3.0]);
    let mut rng = stream(8, &[]);
    let points: Vec<Vec<f64>> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
    let stats = Stats::<Dirichlet>::of(3, points.iter().map(Vec::as_slice)).expect("points");
    let mean = stats.mean().expect("data");
    let fitted = Dirichlet::from_expectation(&mean).expect("exists");
    assert_all_close(fitted.expected_ln().as_slice(), mean.as_slice(), 1e-12);
    assert_all_close(fitted.concentration(), distribution.concentration(), 0.03);
    let options = ConcentrationOptions {
        symmetry: Symmetry::Symmetric,
        start: Some(vec![2.0]),
        ..ConcentrationOptions::default()
    };
    let tied = Dirichlet::fit(mean.as_slice(), &options, &mut Silent).expect("exists").model;
    assert_all_close(tied.concentration(), &[tied.concentration()[0]; 3], 1e-12);
    // The one α that the mean over all coordinates determines.
    let average = mean.as_slice().iter().sum::<f64>() / 3.0;
    assert_all_close(&tied.expected_ln(), &[average; 3], 1e-12);
}

#[test]
fn what_did_not_converge_is_no_distribution_of_maximum_likelihood() {
    let mean = Expectation::<Dirichlet>::new(2, vec![-1e300, -1.0]).expect("two");
    let fitted =
        Dirichlet::fit(mean.as_slice(), &ConcentrationOptions::default(), &mut Silent).expect("finite");
    assert!(fitted.report.require_converged().is_err());
    assert!(Dirichlet::from_expectation(&mean).is_err());
}

#[test]
fn the_two_evidences_of_a_sequence_agree() {
    let prior = dirichlet(&[0.5, 1.5, 3.0]);
    let stats = Stats::<Categorical>::from_totals(3, vec![4.0, 0.0, 7.0], 11.0, 0.0).expect("counts");
    let ln_evidence = Categorical::ln_evidence(&prior, &stats).expect("fits");
    assert_eq!(ln_evidence, prior.ln_sequence_evidence(&[4, 0, 7]));
    let by_hand = ln_pochhammer(0.5, 4.0) + ln_pochhammer(3.0, 7.0) - ln_pochhammer(5.0, 11.0);
    assert_within(ln_evidence, by_hand, 1e-13);
}
