//! Tables: missing values, predictive columns against the conjugate pair, spambase against scikit-learn.

use posterior_dist::{Conjugate, Density, Normal, NormalGamma, Stats};
use posterior_math::linalg::DMatrix;
use posterior_testkit::shared::shared_file;
use posterior_text::naive_bayes::ClassPrior;
use posterior_text::naive_bayes::table::*;

use super::assert_close;

const MISSING: f64 = f64::NAN;

fn proportions() -> TableOptions {
    TableOptions { prior: ClassPrior::Learned { add: 0.0 }, ..TableOptions::default() }
}

#[test]
fn missing_values_are_passed_over() {
    let columns = [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels: 2 }];
    let rows = [[1.0, 0.0], [2.0, MISSING], [MISSING, 1.0], [4.0, 1.0], [6.0, 0.0]];
    let table = DMatrix::from_fn(5, 2, |i, j| rows[i][j]);
    let options = TableOptions { variance_proportion: 0.0, ..proportions() };
    let model = TableClassifier::fit(&columns, &table, &[0, 0, 0, 1, 1], 2, &options).unwrap();
    let scores = model.ln_joint(&[MISSING, MISSING]).unwrap();
    assert_close(scores[0].exp(), 0.6, 1e-14);
    // Class 0: mean 1.5, variance 1/4, one 0 and one 1; class 1: mean 5, variance 1.
    let scores = model.ln_joint(&[2.0, MISSING]).unwrap();
    let ln_normal = |z: f64, sd: f64| -0.5 * (z * z + (std::f64::consts::TAU * sd * sd).ln());
    assert_close(scores[0], 0.6_f64.ln() + ln_normal(1.0, 0.5), 1e-14);
    assert_close(scores[1], 0.4_f64.ln() + ln_normal(-3.0, 1.0), 1e-14);
    let posterior = model.posterior(&[MISSING, 1.0]).unwrap().unwrap();
    assert_eq!(posterior.unknown, 1);
    assert_close(posterior.probabilities[0], 0.6, 1e-14);
    let said = model.contributions(&[2.0, 1.0], 0, 1).unwrap();
    assert_close(said[0], ln_normal(1.0, 0.5) - ln_normal(-3.0, 1.0), 1e-14);
    assert_eq!(said[1], 0.0);
}

#[test]
fn predictive_columns_are_the_conjugate_prediction() {
    let prior = NormalGamma::new(0.5, 0.1, 2.0, 3.0).unwrap();
    let values = [1.0, 2.5, -0.5];
    let mut table = ClassTable::new(&[ColumnDistribution::NormalPredictive(prior)], 2).unwrap();
    for value in values {
        table.push(&[value], 0).unwrap();
    }
    let model = TableClassifier::from_table(&table, &TableOptions::default()).unwrap();
    let posterior = Normal::posterior(&prior, &Stats::of((), &values).unwrap()).unwrap();
    let scores = model.ln_joint(&[0.7]).unwrap();
    let distribution = Normal::predictive(&posterior, &()).unwrap();
    assert_close(scores[0] - model.ln_prior()[0], distribution.ln_pdf(&0.7), 1e-13);
    // The other class has no row and keeps the prior.
    let distribution = Normal::predictive(&prior, &()).unwrap();
    assert_close(scores[1] - model.ln_prior()[1], distribution.ln_pdf(&0.7), 1e-13);
}

#[test]
fn rows_come_in_any_order_and_in_parts() {
    let columns = [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels: 3 }];
    let rows = [([1.0, 0.0], 0), ([2.0, 2.0], 0), ([MISSING, 1.0], 1), ([4.0, 1.0], 1), ([6.0, MISSING], 1)];
    let mut whole = ClassTable::new(&columns, 2).unwrap();
    let mut parts = [whole.clone(), whole.clone()];
    for (i, (row, class)) in rows.iter().enumerate() {
        whole.push(row, *class).unwrap();
        parts[i % 2].push(row, *class).unwrap();
    }
    let [mut all, other] = parts;
    all.merge(&other).unwrap();
    let [whole, all] = [whole, all].map(|table| TableClassifier::from_table(&table, &proportions()).unwrap());
    for (row, _) in rows {
        for (a, b) in whole.ln_joint(&row).unwrap().iter().zip(all.ln_joint(&row).unwrap()) {
            assert_close(*a, b, 1e-12);
        }
    }
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let fit = |columns: &[ColumnDistribution], values: &[f64], options: &TableOptions| {
        let labels: Vec<usize> = (0..values.len()).map(|i| i % 2).collect();
        TableClassifier::fit(
            columns,
            &DMatrix::from_column_slice(values.len(), 1, values),
            &labels,
            2,
            options,
        )
    };
    let strict = TableOptions { variance_proportion: 0.0, ..proportions() };
    let normal = [ColumnDistribution::Normal];
    assert!(
        fit(&normal, &[1.0, 1.0, 1.0, 2.0], &strict)
            .unwrap_err()
            .to_string()
            .contains("all values are equal")
    );
    assert!(fit(&normal, &[1.0, 1.0, 1.0, 2.0], &proportions()).is_ok());
    assert!(fit(&normal, &[3.0, 3.0], &proportions()).is_err());
    assert!(fit(&normal, &[1.0, MISSING, 2.0, MISSING], &proportions()).unwrap_err().hint().is_some());
    assert!(fit(&normal, &[1.0, f64::INFINITY], &proportions()).is_err());
    assert!(fit(&normal, &[], &proportions()).is_err());
    let two = [ColumnDistribution::Categorical { levels: 2 }];
    for wrong in [2.0, -1.0, 0.5] {
        assert!(fit(&two, &[0.0, wrong], &proportions()).is_err());
    }
    assert!(fit(&two, &[0.0, MISSING], &TableOptions { smoothing: 0.0, ..proportions() }).is_err());
    assert!(ClassTable::new(&[ColumnDistribution::Categorical { levels: 0 }], 2).is_err());
    assert!(ClassTable::new(&[], 2).is_err());
    // Values of any size: variances up to 10^300.
    let huge = fit(&normal, &[1e150, -1e150, 2e150, -3e150], &proportions()).unwrap();
    assert_eq!(huge.posterior(&[1.5e150]).unwrap().unwrap().class(), 0);
    assert!(huge.ln_joint(&[1.0, 2.0]).is_err());
}

#[test]
fn statistics_are_written_and_read() {
    let prior = NormalGamma::new(0.5, 0.1, 2.0, 3.0).unwrap();
    let columns = [
        ColumnDistribution::Normal,
        ColumnDistribution::Categorical { levels: 3 },
        ColumnDistribution::NormalPredictive(prior),
    ];
    let mut table = ClassTable::new(&columns, 2).unwrap();
    for (row, class) in [([1.5, 2.0, 7.0], 0), ([2.5, 0.0, MISSING], 0), ([4.0, 1.0, -1.0], 1)] {
        table.push(&row, class).unwrap();
    }
    let json = serde_json::to_string(&table).unwrap();
    let read: ClassTable = serde_json::from_str(&json).unwrap();
    let [own, other] =
        [&table, &read].map(|table| TableClassifier::from_table(table, &proportions()).unwrap());
    let row = [2.2, 1.0, 0.5];
    assert_eq!(own.ln_joint(&row).unwrap(), other.ln_joint(&row).unwrap());
    for (from, to) in [
        ("class-table-1", "class-table-2"),
        ("\"levels\":3", "\"levels\":4000000000000"),
        ("\"levels\":3", "\"levels\":2"),
        ("\"kappa\":0.1", "\"kappa\":-0.1"),
        ("\"rows\":[2.0,1.0]", "\"rows\":[2.0]"),
        ("[2.0,2.0,0.5]", "[2.0,2.0,-0.5]"),
        ("[2.0,2.0,0.5]", "[2.0,2.0]"),
    ] {
        let damaged = json.replacen(from, to, 1);
        assert_ne!(damaged, json, "{from}");
        assert!(serde_json::from_str::<ClassTable>(&damaged).is_err(), "{damaged}");
    }
}

#[test]
fn a_category_without_a_row_may_rule_out_all_classes() {
    let rows = DMatrix::from_column_slice(2, 1, &[0.0, 1.0]);
    let columns = [ColumnDistribution::Categorical { levels: 3 }];
    let model =
        TableClassifier::fit(&columns, &rows, &[0, 1], 2, &TableOptions { smoothing: 0.0, ..proportions() })
            .unwrap();
    assert_eq!(model.posterior(&[2.0]).unwrap(), None);
    assert_eq!(model.posterior(&[1.0]).unwrap().unwrap().probabilities, [0.0, 1.0]);
}

/// 4,601 e-mails, 57 columns: figures of scikit-learn in `baselines.json`, ten folds by row number.
#[test]
fn spambase_as_scikit_learn() {
    let Some(path) = shared_file("spambase_as_scikit_learn", "data/spam/spambase.csv") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = Vec::new();
    let mut labels = Vec::new();
    for line in text.lines().skip(1) {
        let (values, class) = line.rsplit_once(',').unwrap();
        rows.push(values.split(',').map(|value| value.parse().unwrap()).collect::<Vec<f64>>());
        labels.push(usize::from(class.trim_matches('"') == "spam"));
    }
    assert_eq!((rows.len(), rows[0].len(), labels.iter().sum::<usize>()), (4601, 57, 1813));
    let folds = |columns: &[ColumnDistribution], value: fn(f64) -> f64| {
        let [mut right, mut found, mut said] = [0_usize; 3];
        for fold in 0..10 {
            let mut table = ClassTable::new(columns, 2).unwrap();
            let read = |row: &Vec<f64>| row.iter().map(|&x| value(x)).collect::<Vec<f64>>();
            for i in (0..rows.len()).filter(|i| i % 10 != fold) {
                table.push(&read(&rows[i]), labels[i]).unwrap();
            }
            let model = TableClassifier::from_table(&table, &proportions()).unwrap();
            for i in (fold..rows.len()).step_by(10) {
                let class = model.posterior(&read(&rows[i])).unwrap().unwrap().class();
                right += usize::from(class == labels[i]);
                found += usize::from(class == 1 && labels[i] == 1);
                said += usize::from(class == 1);
            }
        }
        [right as f64 / 4601.0, found as f64 / 1813.0, found as f64 / said as f64]
    };
    let close = |found: [f64; 3], expected: [f64; 3]| {
        found.iter().zip(expected).for_each(|(found, expected)| assert_close(*found, expected, 1e-14));
    };
    close(
        folds(&[const { ColumnDistribution::Normal }; 57], |x| x),
        [0.8215605303194957, 0.9575289575289575, 0.7],
    );
    close(
        folds(&[const { ColumnDistribution::Categorical { levels: 2 } }; 57], |x| f64::from(x > 0.0)),
        [0.8856770267333188, 0.8157749586321015, 0.8850987432675045],
    );
}
