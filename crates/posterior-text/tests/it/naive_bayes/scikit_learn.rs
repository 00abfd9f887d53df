//! Joint log-likelihoods of scikit-learn 1.9.1 (`_joint_log_likelihood`) on small random tables, seed 11 of
//! numpy's generator.

use posterior_math::linalg::DMatrix;
use posterior_text::naive_bayes::table::{ColumnDistribution, TableClassifier, TableOptions};
use posterior_text::naive_bayes::*;

use super::{assert_close, bag, corpus_of, document};

/// Counts of 5 words in 9 texts, and the classes of the texts.
const COUNTS: [[u32; 5]; 9] = [
    [1, 1, 0, 0, 1],
    [0, 2, 1, 0, 0],
    [2, 3, 1, 0, 1],
    [2, 1, 0, 1, 0],
    [1, 1, 0, 0, 0],
    [2, 0, 0, 0, 2],
    [0, 0, 2, 0, 0],
    [0, 0, 1, 0, 1],
    [0, 2, 1, 0, 0],
];
const LABELS: [usize; 9] = [0, 1, 2, 0, 1, 0, 0, 1, 2];
/// Other texts.
const OTHERS: [[u32; 5]; 3] = [[0, 1, 1, 0, 0], [2, 1, 1, 0, 1], [2, 2, 1, 1, 1]];
const MULTINOMIAL: [[f64; 3]; 3] = [
    [-4.460028800318421, -3.4321421855115775, -3.934495861280205],
    [-8.020289719121804, -8.96962225700657, -9.273635222348497],
    [-12.180213926989888, -12.912590066284137, -13.313491599286529],
];
const MULTINOMIAL_UNIFORM: [[f64; 3]; 3] = [
    [-4.682131227124219, -3.58351893845611, -3.6243409329763656],
    [-8.383433201236711, -8.958797346140274, -8.858119778386829],
    [-12.372417247800987, -12.542316284596383, -12.482460711363196],
];
const BERNOULLI: [[f64; 3]; 3] = [
    [-4.886832116272386, -3.2252950815978743, -3.581942733731661],
    [-4.109127547684377, -4.150542125494101, -3.581942733731661],
    [-4.886832116272386, -5.815549889083012, -4.931869450680677],
];
const COMPLEMENT: [[f64; 3]; 3] = [
    [2.2606709266664895, 2.950856864247501, 3.0097840270096414],
    [7.793229063039354, 7.112512497891338, 7.074228542916003],
    [12.716487816731297, 11.259620120370863, 11.28026332815767],
];
const NORMALIZED_COMPLEMENT: [[f64; 3]; 3] = [
    [0.2693019974676639, 0.35028482863297805, 0.363099462700867],
    [0.8666740737344608, 0.8493922436355855, 0.8623234708687626],
    [1.2926059389132019, 1.297645172739259, 1.3249341976543658],
];
const TABLE: [[f64; 3]; 8] = [
    [0.3078796263658112, 99.07015872423649, -3.022168793970067],
    [-1.284916570539673, 95.13824332858567, -2.8793550328653357],
    [-0.19055825686602823, 85.60302683161875, -2.8665557193048685],
    [0.5302654084829203, 121.08087028625303, -2.993748783060828],
    [-0.46138457905169217, 85.52355301224453, -2.867616162993612],
    [2.5695115129905117, 91.79065062776125, -3.06470876402242],
    [0.5961887986723416, 91.69654564586614, -3.027055836699219],
    [-0.34983769944206944, 101.91958887292057, -2.890518155659932],
];
const TABLE_LABELS: [usize; 8] = [0, 0, 1, 1, 1, 0, 2, 2];
const ROWS: [[f64; 3]; 3] = [
    [0.022067589713919693, 109.18910095780139, -3.0419888896000495],
    [0.3277985357234032, 78.61774410486811, -3.144994806678139],
    [0.7959134126817742, 94.09850600959054, -2.9420085076527345],
];
const GAUSSIAN: [[f64; 3]; 3] = [
    [-13.874634626666605, -5.594038854277008, -6.040656924934902],
    [-20.485842088935343, -11.672786122087995, -12.487111299588827],
    [-3.0253366215786626, -5.033225597026248, -3.52376540342114],
];
const CATEGORIES: [[u32; 2]; 10] =
    [[1, 2], [2, 0], [2, 2], [2, 2], [1, 0], [2, 1], [2, 0], [1, 2], [1, 2], [1, 2]];
const CATEGORY_LABELS: [usize; 10] = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0];
const CATEGORICAL: [[f64; 2]; 3] = [
    [-6.023101632051165, -4.499809670330265],
    [-2.0157684468186936, -2.553899521274952],
    [-2.0157684468186936, -4.499809670330265],
];

/// Rounding of sums of a few logarithms.
const TOLERANCE: f64 = 1e-12;

fn check(model: EventModel, smoothing: f64, prior: ClassPrior, expected: &[[f64; 3]; 3]) {
    let options = NaiveBayesOptions { model, smoothing, prior, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&COUNTS), &LABELS, 3, &options).unwrap();
    for (text, expected) in OTHERS.iter().zip(expected) {
        for (found, expected) in model.ln_joint(document(&bag(text))).iter().zip(expected) {
            assert_close(*found, *expected, TOLERANCE);
        }
    }
}

#[test]
fn models_of_texts() {
    let proportions = ClassPrior::Learned { add: 0.0 };
    check(EventModel::Multinomial, 0.5, proportions.clone(), &MULTINOMIAL);
    check(EventModel::Multinomial, 1.0, ClassPrior::Uniform, &MULTINOMIAL_UNIFORM);
    check(EventModel::Bernoulli, 0.7, proportions.clone(), &BERNOULLI);
    check(EventModel::Complement, 0.3, proportions.clone(), &COMPLEMENT);
    check(EventModel::NormalizedComplement, 1.3, proportions, &NORMALIZED_COMPLEMENT);
}

#[test]
fn normal_columns() {
    let rows = DMatrix::from_fn(8, 3, |i, j| TABLE[i][j]);
    let options = TableOptions { prior: ClassPrior::Learned { add: 0.0 }, ..TableOptions::default() };
    let model =
        TableClassifier::fit(&[const { ColumnDistribution::Normal }; 3], &rows, &TABLE_LABELS, 3, &options)
            .unwrap();
    for (row, expected) in ROWS.iter().zip(&GAUSSIAN) {
        for (found, expected) in model.ln_joint(row).unwrap().iter().zip(expected) {
            assert_close(*found, *expected, TOLERANCE);
        }
    }
}

#[test]
fn categories() {
    let rows = DMatrix::from_fn(10, 2, |i, j| f64::from(CATEGORIES[i][j]));
    let options =
        TableOptions { prior: ClassPrior::Learned { add: 0.0 }, smoothing: 0.5, ..TableOptions::default() };
    let columns = [const { ColumnDistribution::Categorical { levels: 3 } }; 2];
    let model = TableClassifier::fit(&columns, &rows, &CATEGORY_LABELS, 2, &options).unwrap();
    for (row, expected) in [[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]].iter().zip(&CATEGORICAL) {
        for (found, expected) in model.ln_joint(row).unwrap().iter().zip(expected) {
            assert_close(*found, *expected, TOLERANCE);
        }
    }
}
