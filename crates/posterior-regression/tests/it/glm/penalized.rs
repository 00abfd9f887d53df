//! Lasso, elastic net and robust errors: figures of scikit-learn 1.9.1, statsmodels 0.15.0 and numpy for the
//! same rows.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{Family, Glm, GlmData, GlmFitOptions, PenaltyOptions, Sandwich};

const ROWS: usize = 30;
const COLUMNS: usize = 8;

/// An intercept and columns of which two have an effect.
fn design() -> DMatrix<f64> {
    DMatrix::from_fn(ROWS, COLUMNS + 1, |i, j| match j {
        0 => 1.0,
        _ => (0.37 * (i * i * (j + 1)) as f64).sin() + 0.4 * (0.9 * i as f64).sin(),
    })
}

fn numbers(design: &DMatrix<f64>) -> Vec<f64> {
    let row = |i: usize| 1.0 + 2.0 * design[(i, 3)] - design[(i, 6)] + 0.7 * (5.1 * i as f64).cos();
    (0..ROWS).map(row).collect()
}

fn counts(design: &DMatrix<f64>) -> Vec<f64> {
    (0..ROWS).map(|i| (3.0 * design[(i, 2)] + 2.0 * (i as f64).cos()).abs().floor()).collect()
}

fn classes(design: &DMatrix<f64>) -> Vec<f64> {
    numbers(design).into_iter().map(|own| f64::from(u8::from(own > 1.0))).collect()
}

fn compare(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} {expected}");
    }
}

/// Penalty, mixing, whether there are weights, the objective, and the coefficients.
type Net = (f64, f64, bool, f64, [f64; 9]);

/// A family, its outcomes, and two kinds of errors.
type Errors = (Family, Vec<f64>, [f64; 4], [f64; 4]);

#[test]
fn elastic_nets_are_those_of_another_program() {
    let design = design();
    let y = numbers(&design);
    let weights: Vec<f64> = (0..ROWS).map(|i| 1.0 + (i % 3) as f64).collect();
    let cases: [Net; 3] = [
        (
            0.05,
            1.0,
            false,
            0.2583582079740994,
            [
                1.065991437816216,
                0.0,
                0.02685726988381807,
                1.9028136377887659,
                0.0,
                0.0,
                -0.8476604425379392,
                -0.17886244490065303,
                0.0,
            ],
        ),
        (
            0.2,
            0.5,
            false,
            0.557650249105015,
            [
                1.0828566317167514,
                0.0,
                0.10676591893099012,
                1.447560303393913,
                0.008281406817244945,
                0.0,
                -0.7574541237613583,
                0.0,
                0.0,
            ],
        ),
        (
            0.1,
            0.9,
            true,
            0.38787044498203216,
            [
                1.0625795394363786,
                0.0,
                0.0,
                1.7928260997921874,
                0.0,
                0.0,
                -0.7986503275611893,
                -0.10432590235389991,
                0.0,
            ],
        ),
    ];
    for (penalty, mixing, weighted, objective, expected) in cases {
        let mut data = GlmData::new(&design, &y).unwrap();
        if weighted {
            data = data.with_weights(&weights).unwrap();
        }
        let model = Glm::new(Family::Gaussian, data).unwrap();
        let options = PenaltyOptions { mixing, ..PenaltyOptions::default() };
        let fit = model.penalized(penalty, &options).unwrap();
        assert!(fit.converged && (fit.objective - objective).abs() < 1e-12, "{fit:?}");
        compare(&fit.coefficients, &expected, 1e-8);
        assert_eq!(fit.nonzero(), expected.iter().filter(|own| **own != 0.0).count());
    }
}

/// By 400,000 accelerated proximal steps of numpy.
#[test]
fn so_are_those_of_classes_and_counts() {
    let design = design();
    let fit = |family: Family, y: &[f64], penalty: f64, mixing: f64| {
        let model = Glm::new(family, GlmData::new(&design, y).unwrap()).unwrap();
        model.penalized(penalty, &PenaltyOptions { mixing, ..PenaltyOptions::default() }).unwrap()
    };
    let own = fit(Family::Logit, &classes(&design), 0.03, 1.0);
    assert!(own.converged && (own.objective - 0.3625688374822852).abs() < 1e-12, "{own:?}");
    let expected =
        [0.36916827610798203, 0.0, 0.0, 2.5499093460205478, 0.0, 0.0, -1.5593349118052917, 0.0, 0.0];
    compare(&own.coefficients, &expected, 1e-7);
    let own = fit(Family::Poisson, &counts(&design), 0.05, 0.7);
    assert!(own.converged && (own.objective - 0.45373887670753493).abs() < 1e-12, "{own:?}");
    let expected = [
        0.6014443200459278,
        0.0,
        0.0,
        0.03347562348348612,
        0.044835002232263374,
        0.0,
        -0.12005730475107694,
        0.0,
        -0.1307885183200993,
    ];
    compare(&own.coefficients, &expected, 1e-7);
}

/// The conditions of a minimum, along a path of every family: slopes of the mean deviance are as large as the
/// penalty where coefficients are not 0, and no larger where they are.
#[test]
fn paths_meet_the_conditions_of_a_minimum() {
    let design = design();
    let positive: Vec<f64> = numbers(&design).into_iter().map(f64::exp).collect();
    let families = [
        (Family::Gaussian, numbers(&design)),
        (Family::Logit, classes(&design)),
        (Family::Probit, classes(&design)),
        (Family::Poisson, counts(&design)),
        (Family::GammaLog, positive),
    ];
    for (family, y) in families {
        let data = GlmData::new(&design, &y).unwrap();
        let model = Glm::new(family, data.clone()).unwrap();
        let options = PenaltyOptions { mixing: 0.8, count: 30, ..PenaltyOptions::default() };
        let path = model.penalty_path(&options).unwrap();
        assert_eq!(path[0].nonzero(), 1, "{family:?}");
        assert!(path[1].nonzero() > 1 && path.len() > 5, "{family:?} {}", path.len());
        for fit in &path {
            assert!(fit.converged, "{family:?} {fit:?}");
            // Another route to the slopes: differences of the deviance.
            let deviance = |column: usize, step: f64| {
                let mut at = fit.coefficients.clone();
                at[column] += step;
                let squares = model.deviance_residuals(&at).into_iter().map(|own| own * own);
                squares.sum::<f64>() / (2.0 * ROWS as f64)
            };
            for column in 0..=COLUMNS {
                let step = 1e-5;
                let slope = (deviance(column, step) - deviance(column, -step)) / (2.0 * step);
                let own = fit.coefficients[column];
                let allowed = 1e-6 * (1.0 + path[0].penalty);
                if column == 0 {
                    assert!(slope.abs() < allowed, "{family:?} {slope}");
                } else if own == 0.0 {
                    assert!(slope.abs() < 0.8 * fit.penalty + allowed, "{family:?} {column} {slope} {fit:?}");
                } else {
                    let pull = fit.penalty * (0.8 * own.signum() + 0.2 * own);
                    assert!((slope + pull).abs() < allowed, "{family:?} {column} {slope} {pull}");
                }
            }
        }
    }
}

/// The deviance of held-out rows by fits that leave them out, one by one.
#[test]
fn folds_are_predicted_by_the_others() {
    let design = design();
    let y = numbers(&design);
    let model = Glm::new(Family::Gaussian, GlmData::new(&design, &y).unwrap()).unwrap();
    let folds: Vec<usize> = (0..ROWS).map(|row| row % 5).collect();
    let options = PenaltyOptions { count: 40, ..PenaltyOptions::default() };
    let path = model.penalty_by_folds(&folds, &options).unwrap();
    assert!(path.sparsest <= path.best && path.best > 0, "{} {}", path.sparsest, path.best);
    for place in [0, 10, path.best] {
        let mut sum = 0.0;
        for fold in 0..5 {
            let kept: Vec<usize> = (0..ROWS).filter(|row| row % 5 != fold).collect();
            let others = design.select_rows(&kept);
            let responses: Vec<f64> = kept.iter().map(|row| y[*row]).collect();
            let part = Glm::new(Family::Gaussian, GlmData::new(&others, &responses).unwrap()).unwrap();
            let fit = part.penalized(path.fits[place].penalty, &options).unwrap();
            for row in (0..ROWS).filter(|row| row % 5 == fold) {
                let mean: f64 = (0..=COLUMNS).map(|j| design[(row, j)] * fit.coefficients[j]).sum();
                sum += (y[row] - mean).powi(2);
            }
        }
        assert!((path.held_out[place].mean - sum / ROWS as f64).abs() < 1e-8, "{place}");
    }
    // Two columns have an effect, and these are found.
    let chosen = &path.fits[path.sparsest].coefficients;
    assert!(chosen[3] > 1.0 && chosen[6] < -0.3, "{chosen:?}");
}

#[test]
fn penalties_that_cannot_be_are_refused() {
    let design = design();
    let y = numbers(&design);
    let model = Glm::new(Family::Gaussian, GlmData::new(&design, &y).unwrap()).unwrap();
    let options = PenaltyOptions::default();
    assert!(model.penalized(-1.0, &options).is_err() && model.penalized(f64::NAN, &options).is_err());
    assert!(model.penalized(0.1, &PenaltyOptions { mixing: 1.5, ..options }).is_err());
    assert!(model.penalty_path(&PenaltyOptions { ratio: Some(2.0), ..options }).is_err());
    assert!(model.penalty_by_folds(&[0; ROWS], &options).is_err());
    assert!(model.penalty_by_folds(&[0, 1], &options).is_err());
    let same = Glm::new(Family::Gaussian, GlmData::new(&design, &[2.0; ROWS]).unwrap()).unwrap();
    assert!(same.penalized(0.1, &options).is_err());
}

/// Errors of `OLS.fit(cov_type=...)` and `GLM.fit(cov_type=...)`; those of a GLM are HC0 there, whatever the
/// type.
#[test]
fn robust_errors_are_those_of_another_program() {
    let design = design().columns(0, 4).into_owned();
    let full = self::design();
    let clusters: Vec<usize> = (0..ROWS).map(|row| row % 6).collect();
    let errors = |covariance: DMatrix<f64>| -> Vec<f64> {
        covariance.diagonal().iter().map(|variance| variance.sqrt()).collect()
    };
    let options = GlmFitOptions { tolerance: 1e-12, ..GlmFitOptions::default() };
    let y = numbers(&full);
    let model = Glm::new(Family::Gaussian, GlmData::new(&design, &y).unwrap()).unwrap();
    let fit = model.fit(&options, &mut Silent).unwrap().model;
    let kinds: [(Sandwich, [f64; 4]); 4] = [
        (Sandwich::Hc0, [0.17898102595582013, 0.358065462566129, 0.20432882133310196, 0.27382726153679826]),
        (Sandwich::Hc1, [0.1922564622867009, 0.38462400543512204, 0.2194843622273701, 0.29413766235598066]),
        (Sandwich::Hc2, [0.19291647644848237, 0.39702214472387476, 0.22301718104451262, 0.3015505062386805]),
        (Sandwich::Hc3, [0.2083997089931977, 0.4410541271737039, 0.24368086419151877, 0.3329073019784467]),
    ];
    for (kind, expected) in kinds {
        compare(&errors(model.sandwich(&fit, kind).unwrap()), &expected, 1e-10);
    }
    let expected = [0.06923293604613723, 0.25680602992654455, 0.20204081023632195, 0.23888169745997556];
    compare(&errors(model.clustered_sandwich(&fit, &clusters).unwrap()), &expected, 1e-10);
    assert!(model.clustered_sandwich(&fit, &[0; ROWS]).is_err());
    let others: [Errors; 2] = [
        (
            Family::Logit,
            classes(&full),
            [0.5538315027430193, 0.9847192748662751, 1.263569675238225, 0.9144726851380748],
            [0.6608108654765291, 0.5943913503336405, 0.36547573715596215, 0.9165172905574315],
        ),
        (
            Family::Poisson,
            counts(&full),
            [0.12965230742116457, 0.1790737684143871, 0.1416597488694435, 0.19332078853896711],
            [0.19992142303515137, 0.21389514325711093, 0.21390067882655087, 0.20182163173974557],
        ),
    ];
    for (family, y, plain, clustered) in others {
        let model = Glm::new(family, GlmData::new(&design, &y).unwrap()).unwrap();
        let fit = model.fit(&options, &mut Silent).unwrap().model;
        compare(&errors(model.sandwich(&fit, Sandwich::Hc0).unwrap()), &plain, 1e-8);
        compare(&errors(model.clustered_sandwich(&fit, &clusters).unwrap()), &clustered, 1e-8);
    }
}
