//! Softmax regression of sparse designs: scikit-learn's numbers, conditions of the optimum, and intervals
//! that hold.

use posterior_dist::Normal;
use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::glm::{CoefficientPrior, GlmFitOptions, SoftmaxRegression};
use posterior_regression::sparse_softmax::{SparsePenalty, SparseSoftmax, SparseSoftmaxFit};
use posterior_sampling::Run;
use rand::RngExt as _;

const LABELS: [usize; 12] = [1, 1, 2, 0, 1, 0, 0, 1, 2, 0, 2, 2];
const IS_ONE: [usize; 12] = [1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0];
const WEIGHTS: [f64; 12] = [1.0, 2.0, 1.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0, 1.0, 2.0, 1.0];

/// Twelve rows of which every fourth is the same, and the last column that of the first.
fn design() -> SparseMatrix {
    let rows = [[0, 0, 1, 2, 0], [2, 0, 2, 0, 2], [1, 0, 0, 2, 1], [0, 0, 0, 0, 0]];
    let entry = |i: usize, j: usize| (i, j, f64::from(rows[i % 4][j]));
    let entries = (0..12).flat_map(|i| (0..5).map(move |j| entry(i, j)));
    SparseMatrix::from_triplets(12, 5, entries.filter(|own| own.2 != 0.0))
        .expect("invariant: places of a matrix of 12 x 5")
}

fn fit(labels: &[usize], classes: usize, weights: &[f64], penalty: SparsePenalty) -> SparseSoftmaxFit {
    let design = design();
    let model = SparseSoftmax::new(&design, labels, classes).expect("invariant: a class of each row");
    let model = model.with_weights(weights).expect("invariant: positive weights");
    let fitted = model.fit(&penalty, &mut Silent).expect("invariant: a penalty above 0");
    assert!(fitted.report.converged());
    fitted.model
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} {expected}");
}

/// `LogisticRegression(C=1/0.7, solver='newton-cg', tol=1e-12)` of scikit-learn 1.9.1.
#[test]
fn ridge_coefficients_are_those_of_scikit_learn() {
    let two = [
        (
            [1.0; 12],
            -0.623_118_032_800_418_2,
            [-0.463_657_369_172_219_67, 0.0, 0.837_628_692_259_468_3, -0.069_436_469_277_804_99],
        ),
        (
            WEIGHTS,
            -0.664_434_361_433_855_8,
            [-0.409_305_717_425_829_2, 0.0, 1.076_102_329_064_198_2, -0.371_264_045_402_105_95],
        ),
    ];
    for (weights, intercept, coefficients) in two {
        let found = fit(&IS_ONE, 2, &weights, SparsePenalty::ridge(0.7));
        close(found.intercept(1), intercept, 1e-7);
        for (column, expected) in coefficients.into_iter().enumerate() {
            close(found.coefficient(column, 1), expected, 1e-7);
            assert_eq!(found.coefficient(column, 0), 0.0);
        }
        close(found.coefficient(4, 1), coefficients[0], 1e-7);
    }
    let found = fit(&LABELS, 3, &[1.0; 12], SparsePenalty::ridge(0.7));
    let expected = [
        (
            -0.066_407_115_927_432_6,
            [0.403_705_617_774_824_33, -0.224_438_964_607_955_18, -0.369_196_586_453_140_2],
        ),
        (
            0.062_329_060_434_892_4,
            [-0.325_727_888_524_150_85, 0.793_497_774_075_387_9, -0.072_445_836_632_967_98],
        ),
        (
            0.004_078_055_492_536_476,
            [-0.077_977_729_250_673_21, -0.569_058_809_467_432, 0.441_642_423_086_108],
        ),
    ];
    for (class, (intercept, coefficients)) in expected.into_iter().enumerate() {
        close(found.intercept(class), intercept, 1e-7);
        for (column, expected) in [0, 2, 3].into_iter().zip(coefficients) {
            close(found.coefficient(column, class), expected, 1e-7);
        }
    }
}

/// `LogisticRegression(C=1/0.9, l1_ratio=.., solver='saga', tol=1e-13)` of scikit-learn 1.9.1: of two columns
/// that are the same the lasso tells the sum only.
#[test]
fn coefficients_with_absolute_values_are_those_of_scikit_learn() {
    let found = fit(&IS_ONE, 2, &[1.0; 12], SparsePenalty { strength: 0.9, mixing: 1.0 });
    close(found.intercept(1), -0.695_655_308_607_907, 1e-6);
    close(found.coefficient(0, 1) + found.coefficient(4, 1), -2.0 * 0.074_937_257_246_814_53, 1e-6);
    close(found.coefficient(2, 1), 0.150_710_673_833_099_63, 1e-6);
    assert_eq!((found.coefficient(1, 1), found.coefficient(3, 1)), (0.0, 0.0));
    let found = fit(&LABELS, 3, &[1.0; 12], SparsePenalty { strength: 0.9, mixing: 0.4 });
    let expected = [
        [0.328_777_547_851_598, 0.0, -0.255_009_625_308_617_65],
        [-0.156_413_389_381_623_86, 0.580_032_509_135_040_3, 0.0],
        [0.0, -0.416_759_892_636_535_84, 0.360_463_570_242_149_8],
    ];
    for (class, coefficients) in expected.into_iter().enumerate() {
        for (column, expected) in [0, 2, 3].into_iter().zip(coefficients) {
            close(found.coefficient(column, class), expected, 1e-6);
        }
    }
    assert_eq!(found.nonzero(), 8);
}

#[test]
fn the_dense_engine_has_the_same_coefficients() {
    let (sparse, dense) = (design(), design().to_dense());
    // An intercept first, all but free; the last column repeats the first.
    let columns = DMatrix::from_fn(12, 6, |i, j| if j == 0 { 1.0 } else { dense[(i, j - 1)] });
    let sd = 0.7_f64.sqrt().recip();
    let prior = CoefficientPrior::diagonal(vec![0.0; 6], &[1e4, sd, sd, sd, sd, sd]).unwrap();
    let other = SoftmaxRegression::new(&columns, &IS_ONE, 2).unwrap().with_prior(prior).unwrap();
    let other = other.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    let model = SparseSoftmax::new(&sparse, &IS_ONE, 2).unwrap();
    let penalty = SparsePenalty::ridge(0.7);
    let own = model.fit(&penalty, &mut Silent).unwrap().model;
    for column in 0..5 {
        close(own.coefficient(column, 1), other.coefficients[(column + 1, 0)], 1e-6);
    }
}

/// Of coefficients that are drawn from the prior, and rows of ten of 60 words: the proportion that intervals
/// of 95 % hold.
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
fn held(classes: usize, rows: usize, strength: f64, sets: u64) -> f64 {
    let words = 60;
    let normal = Normal::mean_sd(0.0, strength.sqrt().recip()).unwrap();
    let (mut held, mut count) = (0.0, 0.0);
    for set in 0..sets {
        let mut rng = stream(7, &[set, classes as u64]);
        let mut vector = |class: usize| -> Vec<f64> {
            let fixed = classes == 2 && class == 0;
            (0..words).map(|_| if fixed { 0.0 } else { rng.sample(normal) }).collect()
        };
        let truth: Vec<Vec<f64>> = (0..classes).map(&mut vector).collect();
        let (mut entries, mut labels) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let own: Vec<usize> = (0..10).map(|_| (rng.random::<f64>() * words as f64) as usize).collect();
            let odds = truth.iter().map(|class| own.iter().map(|&word| class[word]).sum::<f64>().exp());
            let odds: Vec<f64> = odds.collect();
            let mut at = rng.random::<f64>() * odds.iter().sum::<f64>();
            let label = odds.iter().position(|own| {
                at -= own;
                at < 0.0
            });
            labels.push(label.unwrap_or(classes - 1));
            entries.extend(own.into_iter().map(|word| (row, word, 1.0)));
        }
        let design = SparseMatrix::from_triplets(rows, words, entries).unwrap();
        let model = SparseSoftmax::new(&design, &labels, classes).unwrap();
        let penalty = SparsePenalty::ridge(strength);
        let fit = model.fit(&penalty, &mut Silent).unwrap().model;
        let which: Vec<(usize, usize)> = (0..words)
            .flat_map(|word| (usize::from(classes == 2)..classes).map(move |k| (word, k)))
            .collect();
        let run = Run { chains: 2, warm_up: 80, draws: 200, seed: set, ..Run::default() };
        let draws = model.draws(&fit, &penalty, &which, &run).unwrap();
        for (&(word, class), own) in which.iter().zip(draws.summary().parameters) {
            let interval = own.low.unwrap()..=own.high.unwrap();
            held += f64::from(u8::from(interval.contains(&truth[class][word])));
            count += 1.0;
        }
    }
    held / count
}

/// Also where the penalty is small: a normal distribution around the fit holds 91 to 93 % at λ = 0.8, and
/// 88 % of 100 rows at λ = 0.1. Bounds are three standard errors, by the standard deviation between sets.
#[test]
fn intervals_of_coefficients_hold_the_coefficients() {
    check_intervals(&[(2, 100, 0.8, 20, 0.029), (2, 100, 0.1, 20, 0.029), (3, 100, 0.8, 10, 0.018)]);
}

/// The same of more rows and other penalties.
#[test]
#[ignore = "slow"]
fn intervals_of_coefficients_hold_the_coefficients_of_many_rows() {
    check_intervals(&[
        (2, 400, 0.8, 40, 0.031),
        (2, 400, 20.0, 40, 0.031),
        (3, 400, 0.8, 20, 0.021),
        (3, 400, 20.0, 20, 0.021),
        (3, 100, 20.0, 20, 0.021),
    ]);
}

/// Classes, rows, strength of the penalty, data sets, and the standard deviation of what one set says.
fn check_intervals(cases: &[(usize, usize, f64, u64, f64)]) {
    for &(classes, rows, strength, sets, sd) in cases {
        let rate = held(classes, rows, strength, sets);
        close(rate, 0.95, 3.0 * sd / (sets as f64).sqrt());
    }
}

/// Of one word in four of six texts: the posterior on a grid of its coefficient and of the intercept.
#[test]
fn draws_are_those_of_the_posterior() {
    let labels = [1, 1, 1, 0, 0, 1];
    let design = SparseMatrix::from_triplets(6, 1, (0..4).map(|row| (row, 0, 1.0))).unwrap();
    let model = SparseSoftmax::new(&design, &labels, 2).unwrap();
    let penalty = SparsePenalty::ridge(0.5);
    let ln_sigmoid = |x: f64| -(-x).exp().ln_1p();
    let [mut sum, mut first, mut second] = [0.0; 3];
    for i in -300..=300 {
        for j in -100..=100 {
            let (intercept, own) = (0.1 * f64::from(i), 0.1 * f64::from(j));
            let texts = 3.0 * ln_sigmoid(intercept + own) + ln_sigmoid(-intercept - own);
            let density = (texts + ln_sigmoid(intercept) + ln_sigmoid(-intercept) - 0.25 * own * own).exp();
            sum += density;
            first += density * own;
            second += density * own * own;
        }
    }
    let (mean, sd) = (first / sum, (second / sum - (first / sum).powi(2)).sqrt());
    let fit = model.fit(&penalty, &mut Silent).unwrap().model;
    let run = Run { warm_up: 300, draws: 2000, seed: 5, ..Run::default() };
    let draws = model.draws(&fit, &penalty, &[(0, 1)], &run).unwrap();
    let own = &draws.summary().parameters[0];
    close(own.mean.unwrap(), mean, 4.0 * own.mcse.unwrap());
    close(own.sd.unwrap(), sd, 4.0 * own.mcse_sd.unwrap());
    assert!(own.mcse.unwrap() < 0.05, "{own:?}");
    assert_eq!(draws, model.draws(&fit, &penalty, &[(0, 1)], &run).unwrap());
}

/// The classes' coefficients of a column together say nothing of the labels: their sum is as under the prior.
#[test]
fn the_sum_of_all_classes_has_its_prior() {
    let design = design();
    let model = SparseSoftmax::new(&design, &LABELS, 3).unwrap();
    let penalty = SparsePenalty::ridge(0.7);
    let fit = model.fit(&penalty, &mut Silent).unwrap().model;
    let which = [(2, 0), (2, 1), (2, 2)];
    let run = Run { warm_up: 300, seed: 6, ..Run::default() };
    let draws = model.draws(&fit, &penalty, &which, &run).unwrap();
    let sum = draws.map(["sum"], |own, sum| sum[0] = own.iter().sum()).unwrap();
    let own = &sum.summary().parameters[0];
    close(own.mean.unwrap(), 0.0, 4.0 * own.mcse.unwrap());
    close(own.sd.unwrap(), (3.0_f64 / 0.7).sqrt(), 4.0 * own.mcse_sd.unwrap());
}

/// Mean log loss of `LogisticRegression(C=1/λ, solver='newton-cg', tol=1e-12)` of scikit-learn 1.9.1, row i
/// in fold i mod 3, λ from 10⁴ down in half decades.
#[test]
fn held_out_losses_are_those_of_scikit_learn() {
    let two =
        [0.961_281_032_736_801_7, 0.961_296_808_475_736_1, 0.961_346_757_840_856_2, 0.961_505_323_257_011_2];
    let three = [
        1.804_731_245_980_358_4,
        1.804_607_977_833_388,
        1.804_222_330_425_88,
        1.803_043_675_321_495_3,
        1.799_702_885_528_223_3,
        1.792_395_801_133_392_3,
        1.789_282_349_831_330_8,
        1.838_252_772_143_597_7,
        2.011_789_765_052_163,
        2.333_228_980_596_847,
    ];
    let design = design();
    let folds: Vec<usize> = (0..12).map(|row| row % 3).collect();
    for (labels, classes, expected, best) in [(&IS_ONE, 2, &two[..], 1e4), (&LABELS, 3, &three[..], 10.0)] {
        let choice = SparseSoftmax::new(&design, labels, classes).unwrap();
        let choice = choice.penalty_by_folds(0.0, &folds).unwrap();
        assert_eq!(choice.held_out.len(), expected.len());
        for (own, expected) in choice.held_out.iter().zip(expected) {
            close(own.mean, *expected, 1e-6);
        }
        close(choice.best.strength, best, 1e-9);
    }
}

#[test]
fn folds_choose_a_penalty_between_the_ends_and_rows_left_out_do_not_count() {
    let mut rng = stream(3, &[]);
    let (words, rows) = (40, 240);
    let (mut entries, mut labels) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let label = usize::from(rng.random::<f64>() < 0.5);
        for _ in 0..6 {
            // Words 0 to 7 tell a little, the others nothing.
            let word = (rng.random::<f64>() * 40.0) as usize;
            let word = if word < 8 && rng.random::<f64>() < 0.7 { word / 2 * 2 + label } else { word };
            entries.push((row, word, 1.0));
        }
        labels.push(label);
    }
    let design = SparseMatrix::from_triplets(rows, words, entries).unwrap();
    let model = SparseSoftmax::new(&design, &labels, 2).unwrap();
    let folds: Vec<usize> = (0..rows).map(|row| row % 5).collect();
    for mixing in [0.0, 0.5, 1.0] {
        let choice = model.penalty_by_folds(mixing, &folds).unwrap();
        let least = choice.held_out.iter().map(|own| own.mean).fold(f64::INFINITY, f64::min);
        let first = choice.held_out[0];
        assert!(least < first.mean - first.standard_error / 2.0, "{mixing}: {:?}", choice.held_out);
        let best = choice.held_out.iter().find(|own| own.strength == choice.best.strength).unwrap();
        assert_eq!(best.mean, least);
        // The loss of a penalty is that of fits to the other folds.
        let mut sum = 0.0;
        for fold in 0..5 {
            let members = || (0..rows).filter(move |row| row % 5 == fold);
            let fit = model.without(members()).unwrap().fit(&choice.best, &mut Silent).unwrap().model;
            let said = fit.probabilities(&design).unwrap();
            sum -= members().map(|row| said[(row, labels[row])].ln()).sum::<f64>();
        }
        close(best.mean, sum / rows as f64, 1e-4);
    }
    // Without rows: as if they were not there.
    let some = model.without(100..rows).unwrap().fit(&SparsePenalty::ridge(1.0), &mut Silent).unwrap().model;
    let part = SparseMatrix::from_triplets(100, words, design.triplets().filter(|own| own.0 < 100)).unwrap();
    let other = SparseSoftmax::new(&part, &labels[..100], 2).unwrap();
    let other = other.fit(&SparsePenalty::ridge(1.0), &mut Silent).unwrap().model;
    (0..words).for_each(|column| close(some.coefficient(column, 1), other.coefficient(column, 1), 1e-7));
}

#[test]
fn misuse_is_refused() {
    let design = design();
    assert!(SparseSoftmax::new(&design, &IS_ONE, 1).is_err());
    assert!(SparseSoftmax::new(&design, &LABELS, 2).is_err());
    assert!(SparseSoftmax::new(&design, &IS_ONE[..3], 2).is_err());
    let model = SparseSoftmax::new(&design, &IS_ONE, 2).unwrap();
    for weights in [vec![1.0; 3], vec![0.0; 12], vec![-1.0; 12], vec![f64::NAN; 12]] {
        assert!(model.clone().with_weights(&weights).is_err());
    }
    assert!(model.without(0..12).is_err() && model.without([12]).is_err());
    for (strength, mixing) in [(0.0, 0.0), (-1.0, 0.0), (f64::INFINITY, 0.0), (1.0, 1.5), (1.0, f64::NAN)] {
        assert!(model.fit(&SparsePenalty { strength, mixing }, &mut Silent).is_err());
    }
    let lasso = SparsePenalty { strength: 1.0, mixing: 1.0 };
    let fit = model.fit(&lasso, &mut Silent).unwrap().model;
    let (ridge, run) = (SparsePenalty::ridge(1.0), Run { warm_up: 1, draws: 1, ..Run::default() });
    assert!(model.draws(&fit, &ridge, &[(4, 1)], &run).is_ok());
    assert!(model.draws(&fit, &lasso, &[(4, 1)], &run).is_err());
    for wrong in [(5, 1), (4, 2), (4, 0)] {
        assert!(model.draws(&fit, &ridge, &[wrong], &run).is_err());
    }
    assert!(model.draws(&fit, &ridge, &[(4, 1)], &Run { draws: 0, ..run }).is_err());
    assert!(fit.probabilities(&SparseMatrix::from_triplets(1, 4, []).unwrap()).is_err());
    assert!(model.penalty_by_folds(0.0, &[0; 12]).is_err());
    assert!(model.penalty_by_folds(2.0, &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]).is_err());
    // A column that is the same in all rows says nothing.
    let same = SparseMatrix::from_triplets(12, 1, []).unwrap();
    let nothing = SparseSoftmax::new(&same, &IS_ONE, 2).unwrap();
    assert!(nothing.penalty_by_folds(1.0, &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_fit_equals_itself_after_a_round_trip_and_wrong_ones_are_refused() {
    for (labels, classes) in [(IS_ONE, 2), (LABELS, 3)] {
        let own = fit(&labels, classes, &WEIGHTS, SparsePenalty { strength: 0.9, mixing: 0.5 });
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(serde_json::from_str::<SparseSoftmaxFit>(&text).unwrap(), own);
    }
    for wrong in [
        r#"{"columns":1,"intercepts":[],"coefficients":[]}"#,
        r#"{"columns":1,"intercepts":[0.0,1.0],"coefficients":[[],[]]}"#,
        r#"{"columns":1,"intercepts":[0.0],"coefficients":[[[1,2.0]]]}"#,
        r#"{"columns":1,"intercepts":[0.0],"coefficients":[[],[]]}"#,
        r#"{"columns":18446744073709551615,"intercepts":[0.0],"coefficients":[[]]}"#,
    ] {
        assert!(serde_json::from_str::<SparseSoftmaxFit>(wrong).is_err(), "{wrong}");
    }
}
