//! Levels in an order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, OrdinalFit, OrdinalLink, OrdinalRegression,
};

use super::data::Table;

fn fit(model: &OrdinalRegression<'_>) -> OrdinalFit {
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    assert!(fitted.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    fitted.model
}

/// Figures of statsmodels 0.15.0 (`OrderedModel`): coefficients, the first threshold, logarithms of the gaps
/// between thresholds.
struct Figures {
    link: OrdinalLink,
    parameters: [f64; 7],
    errors: [f64; 7],
    ln_likelihood: f64,
}

const WINE: [Figures; 2] = [
    Figures {
        link: OrdinalLink::Logit,
        parameters: [
            0.935355364224469,
            -4.042808094890677,
            1.848198715487773,
            0.6540773421133316,
            1.2725866331347082,
            0.9961533189665028,
            1.0818693590029351,
        ],
        errors: [
            0.054192815765256995,
            0.31162065006995515,
            0.6626241908269661,
            0.1533404877340853,
            0.03929592122450274,
            0.03762868210081148,
            0.08060060843982655,
        ],
        ln_likelihood: -1592.8607969440359,
    },
    Figures {
        link: OrdinalLink::Probit,
        parameters: [
            0.5099511232460191,
            -2.2988185486283093,
            1.145729302116183,
            -0.16913836700345014,
            0.6770653896985532,
            0.4347639993722936,
            0.4013036782918479,
        ],
        errors: [
            0.028828849935610922,
            0.16695075177125765,
            0.3405216112790018,
            0.14144767239650513,
            0.03454028538557988,
            0.03480405522645289,
            0.07083123351112415,
        ],
        ln_likelihood: -1597.4983961209714,
    },
];

#[test]
fn wines_have_the_figures_of_another_program() {
    let Some(table) = Table::shared("ordinal_wines", "data/tabular/uci_wine_quality_red.csv") else { return };
    let columns = ["alcohol", "volatile_acidity"].map(|name| table.column(name));
    let design = DMatrix::from_fn(table.len(), 2, |i, j| columns[j][i]);
    let levels: Vec<usize> = table.column("quality").iter().map(|quality| *quality as usize - 3).collect();
    for figures in WINE {
        let model = OrdinalRegression::new(figures.link, &design, &levels, 6).unwrap();
        let fit = fit(&model);
        let close = |what: &str, a: f64, b: f64, tolerance: f64| {
            assert!((a / b - 1.0).abs() < tolerance, "{:?} {what}: {a} {b}", figures.link);
        };
        // Their search ends at a gradient that leaves these digits; their Hessians are differences.
        for j in 0..2 {
            close("coefficient", fit.coefficients[j], figures.parameters[j], 1e-6);
            close("error", fit.standard_errors()[j], figures.errors[j], 1e-5);
        }
        close("threshold", fit.thresholds[0], figures.parameters[2], 1e-6);
        close("error", fit.threshold_errors()[0], figures.errors[2], 1e-5);
        for k in 1..5 {
            let gap = fit.thresholds[k] - fit.thresholds[k - 1];
            close("gap", gap.ln(), figures.parameters[2 + k], 1e-6);
            let c = &fit.covariance;
            let variance = c[(k, k)] + c[(k - 1, k - 1)] - 2.0 * c[(k, k - 1)];
            close("error of a gap", variance.sqrt() / gap, figures.errors[2 + k], 1e-5);
        }
        close("likelihood", fit.ln_likelihood, figures.ln_likelihood, 1e-10);
        let probabilities = fit.probabilities(&design).unwrap();
        let mut ln_likelihood = 0.0;
        for (row, &level) in levels.iter().enumerate() {
            assert!((probabilities.row(row).sum() - 1.0).abs() < 1e-13);
            ln_likelihood += probabilities[(row, level)].ln();
        }
        close("likelihood by probabilities", ln_likelihood, fit.ln_likelihood, 1e-12);
    }
}

#[test]
fn two_levels_are_a_binomial_regression() {
    let x = [-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0];
    let levels = [0, 0, 1, 0, 1, 0, 1];
    let y = levels.map(|level| level as f64);
    let design = DMatrix::from_column_slice(7, 1, &x);
    let with_intercept = DMatrix::from_fn(7, 2, |i, j| if j == 0 { -1.0 } else { x[i] });
    for (link, family) in [(OrdinalLink::Logit, Family::Logit), (OrdinalLink::Probit, Family::Probit)] {
        for sd in [0.7, f64::INFINITY] {
            let prior = CoefficientPrior::diagonal(vec![0.2], &[sd]).unwrap();
            let ordinal = OrdinalRegression::new(link, &design, &levels, 2).unwrap();
            let ordinal = fit(&ordinal.with_prior(prior).unwrap());
            let prior = CoefficientPrior::diagonal(vec![0.0, 0.2], &[f64::INFINITY, sd]).unwrap();
            let glm = Glm::new(family, GlmData::new(&with_intercept, &y).unwrap()).unwrap();
            let glm = glm.with_prior(prior).unwrap();
            let binomial = glm.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
            assert!((ordinal.thresholds[0] - binomial.coefficients[0]).abs() < 1e-12);
            assert!((ordinal.coefficients[0] - binomial.coefficients[1]).abs() < 1e-12);
            assert!((ordinal.ln_likelihood - binomial.ln_likelihood.unwrap()).abs() < 1e-13);
            // Laplace's covariance is that of the observed information.
            let laplace = glm.laplace(&GlmFitOptions::default());
            if let (true, Ok(laplace)) = (sd.is_finite(), laplace) {
                assert!(
                    (laplace.distribution.covariance()[(1, 1)] / ordinal.covariance[(1, 1)] - 1.0).abs()
                        < 1e-10
                );
            }
        }
    }
}

#[test]
fn probabilities_far_out_are_whole() {
    let design = DMatrix::from_column_slice(6, 1, &[-1.0, 0.0, 1.0, -0.5, 0.5, 0.2]);
    for link in [OrdinalLink::Logit, OrdinalLink::Probit] {
        let fit = fit(&OrdinalRegression::new(link, &design, &[0, 1, 2, 1, 1, 0], 3).unwrap());
        for x in [-1e4, -30.0, 0.0, 30.0, 1e4] {
            let probabilities = fit.probabilities(&DMatrix::from_element(1, 1, x)).unwrap();
            assert!((probabilities.sum() - 1.0).abs() < 1e-13, "{link:?} {x} {probabilities}");
        }
    }
}

#[test]
fn what_has_no_fit_is_named() {
    let design = DMatrix::from_fn(6, 1, |i, _| i as f64);
    let link = OrdinalLink::Logit;
    let separated = OrdinalRegression::new(link, &design, &[0, 0, 1, 1, 2, 2], 3).unwrap();
    let outcome = separated.fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(outcome, Err(Error::Separated { complete: true, .. })), "{outcome:?}");
    let held = separated.with_prior(CoefficientPrior::isotropic(1, 2.0).unwrap()).unwrap();
    fit(&held);
    let constant = DMatrix::from_fn(6, 2, |i, j| if j == 0 { (i % 3) as f64 } else { 2.0 });
    let outcome = OrdinalRegression::new(link, &constant, &[0, 1, 1, 0, 2, 2], 3)
        .unwrap()
        .fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(&outcome, Err(Error::Collinear { column }) if column == "x[1]"), "{outcome:?}");
    assert!(matches!(
        OrdinalRegression::new(link, &design, &[0, 1, 2, 3, 0, 1], 3),
        Err(Error::Observation { row: 3, .. })
    ));
    assert!(OrdinalRegression::new(link, &design, &[0, 2, 2, 0, 0, 2], 3).is_err());
    assert!(OrdinalRegression::new(link, &design, &[0; 6], 1).is_err());
    assert!(OrdinalRegression::new(link, &design, &[0, 1], 2).is_err());
}

#[test]
fn weights_are_numbers_of_rows_and_linear_offsets_move_coefficients() {
    let x = [-1.2, 0.4, 0.9, -0.3, 2.0, 1.1, -2.0];
    let (levels, counts) = ([0, 1, 2, 1, 2, 0, 0], [1, 3, 2, 0, 1, 2, 4]);
    let repeated: Vec<usize> = (0..7).flat_map(|row| std::iter::repeat_n(row, counts[row])).collect();
    let weights = counts.map(|count| count as f64);
    let short = DMatrix::from_column_slice(7, 1, &x);
    let long = DMatrix::from_fn(repeated.len(), 1, |i, _| x[repeated[i]]);
    let of_long: Vec<usize> = repeated.iter().map(|row| levels[*row]).collect();
    for link in [OrdinalLink::Logit, OrdinalLink::Probit] {
        let held = |model: OrdinalRegression<'_>| {
            let prior = CoefficientPrior::isotropic(1, 1.5).unwrap();
            fit(&model.with_prior(prior).unwrap().with_threshold_prior(3.0).unwrap())
        };
        let plain = OrdinalRegression::new(link, &short, &levels, 3).unwrap();
        let ours = held(plain.clone().with_weights(&weights).unwrap());
        let theirs = held(OrdinalRegression::new(link, &long, &of_long, 3).unwrap());
        assert!((ours.coefficients[0] - theirs.coefficients[0]).abs() < 1e-10);
        assert!((&ours.covariance - &theirs.covariance).amax() < 1e-10);
        assert!((ours.ln_evidence.unwrap() - theirs.ln_evidence.unwrap()).abs() < 1e-11);

        let offset = x.map(|x| 0.7 * x);
        let (alone, moved) = (fit(&plain), fit(&plain.clone().with_offset(&offset).unwrap()));
        assert!((moved.coefficients[0] + 0.7 - alone.coefficients[0]).abs() < 1e-10);
        assert!((moved.thresholds[1] - alone.thresholds[1]).abs() < 1e-10);
        assert_eq!(alone.ln_evidence, None);
        assert!(plain.clone().with_weights(&[1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0]).is_err());
        assert!(plain.with_offset(&[f64::NAN; 7]).is_err());
    }
}

#[test]
fn the_evidence_of_two_levels_is_that_of_a_binomial_regression() {
    let x = [-1.0, 0.3, 0.8, -0.2, 1.5, 2.0, -0.7];
    let levels = [0, 1, 0, 0, 1, 1, 0];
    let y = levels.map(|level| level as f64);
    let design = DMatrix::from_column_slice(7, 1, &x);
    // The threshold is minus an intercept, whose prior is symmetric.
    let with_intercept = DMatrix::from_fn(7, 2, |i, j| if j == 0 { -1.0 } else { x[i] });
    for (link, family) in [(OrdinalLink::Logit, Family::Logit), (OrdinalLink::Probit, Family::Probit)] {
        let ordinal = OrdinalRegression::new(link, &design, &levels, 2).unwrap();
        let prior = CoefficientPrior::isotropic(1, 0.7).unwrap();
        let ordinal = fit(&ordinal.with_prior(prior).unwrap().with_threshold_prior(2.0).unwrap());
        let prior = CoefficientPrior::diagonal(vec![0.0; 2], &[2.0, 0.7]).unwrap();
        let glm =
            Glm::new(family, GlmData::new(&with_intercept, &y).unwrap()).unwrap().with_prior(prior).unwrap();
        let laplace = glm.laplace(&GlmFitOptions::default()).unwrap();
        assert!((ordinal.ln_evidence.unwrap() - laplace.ln_evidence).abs() < 1e-10);
    }
}

#[test]
fn the_evidence_of_three_levels_is_near_the_integral() {
    use posterior_math::log_space::logistic;

    // Thresholds alone matter: the input is 0 in all rows but one, whose prior holds it at 0.
    let levels = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2];
    let design = DMatrix::from_fn(15, 1, |i, _| if i == 7 { 1e-9 } else { 0.0 });
    let (sd, h) = (2.0, 0.02);
    let model = OrdinalRegression::new(OrdinalLink::Logit, &design, &levels, 3).unwrap();
    let model = model.with_prior(CoefficientPrior::isotropic(1, 1.0).unwrap()).unwrap();
    let ours = fit(&model.with_threshold_prior(sd).unwrap()).ln_evidence.unwrap();
    let mut integral = 0.0;
    for i in -500..500 {
        for j in i + 1..500 {
            let [a, b] = [f64::from(i) * h, f64::from(j) * h];
            let [below, above] = [logistic(a), logistic(-b)];
            let likelihood = below.powi(4) * (1.0 - below - above).powi(6) * above.powi(5);
            let prior = 2.0 * (-(a * a + b * b) / (2.0 * sd * sd)).exp() / (std::f64::consts::TAU * sd * sd);
            integral += likelihood * prior * h * h;
        }
    }
    assert!((ours - integral.ln()).abs() < 0.05, "{ours} {}", integral.ln());
}
