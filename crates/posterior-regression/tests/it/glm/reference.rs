//! Agreement with another program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{Family, Glm, GlmData, GlmFitOptions, Sandwich};

use super::data::{Table, with_intercept};
use super::figures::{self, Figures};

/// Relative, but for numbers near 0, which the data leave uncertain by much more.
fn close(what: &str, ours: &[f64], theirs: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1e-3), "{what}: {a} is not {b}");
    }
}

fn compare(family: Family, data: GlmData<'_>, figures: &Figures) {
    let model = Glm::new(family, data).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let fit = fitted.model;
    close("coefficients", &fit.coefficients, figures.coefficients, 1e-9);
    close("errors", &fit.standard_errors(), figures.errors, 1e-9);
    close("deviance", &[fit.deviance], &[figures.deviance], 1e-11);
    close("null deviance", &[model.null_deviance().unwrap()], &[figures.null_deviance], 1e-11);
    assert_eq!(fit.residual_degrees(), fit.rows - figures.errors.len());
    close("Pearson", &[fit.pearson_chi_squared], &[figures.pearson], 1e-9);
    close("residuals", &model.pearson_residuals(&fit.coefficients)[..3], &figures.pearson_residuals, 1e-8);
    close("residuals", &model.deviance_residuals(&fit.coefficients)[..3], &figures.deviance_residuals, 1e-8);
    close("leverages", &model.leverages(&fit.coefficients, 1.0).unwrap()[..3], &figures.leverages, 1e-9);
    let [hc0, hc2, hc3] = figures.robust.unwrap_or_default();
    if !hc0.is_empty() {
        let errors = |kind| -> Vec<f64> {
            model.sandwich(&fit, kind).unwrap().diagonal().iter().map(|variance| variance.sqrt()).collect()
        };
        close("HC0", &errors(Sandwich::Hc0), hc0, 1e-9);
        close("HC2", &errors(Sandwich::Hc2), hc2, 1e-9);
        close("HC3", &errors(Sandwich::Hc3), hc3, 1e-9);
        let n = fit.rows as f64;
        let hc1: Vec<f64> =
            hc0.iter().map(|e| e * (n / (n - fit.coefficients.len() as f64)).sqrt()).collect();
        close("HC1", &errors(Sandwich::Hc1), &hc1, 1e-9);
    }
}

#[test]
fn spector() {
    let Some(table) = Table::shared("spector", "data/tabular/spector.csv") else { return };
    let design = with_intercept(&["GPA", "TUCE", "PSI"].map(|name| table.column(name)));
    let y = table.column("GRADE");
    let data = GlmData::new(&design, &y).unwrap();
    compare(Family::Logit, data.clone(), &figures::SPECTOR_LOGIT);
    compare(Family::Probit, data.clone(), &figures::SPECTOR_PROBIT);
    compare(Family::ComplementaryLogLog, data.clone(), &figures::SPECTOR_CLOGLOG);
    // The same figures in R's documentation of these data, and in W. Greene, Econometric analysis, table
    // 21.1.
    let fit =
        Glm::new(Family::Logit, data).unwrap().fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    assert!((fit.ln_likelihood.unwrap() - -12.889634222131413).abs() < 1e-11);
    assert!((fit.aic().unwrap() - 33.779268444262826).abs() < 1e-11);
}

#[test]
fn heart_disease() {
    let Some(table) = Table::shared("heart_disease", "data/tabular/saheart.csv") else { return };
    let mut columns = ["sbp", "tobacco", "ldl"].map(|name| table.column(name)).to_vec();
    columns.push(table.indicator("famhist", "Present"));
    columns.extend(["obesity", "alcohol", "age"].map(|name| table.column(name)));
    let design = with_intercept(&columns);
    let y = table.column("chd");
    compare(Family::Logit, GlmData::new(&design, &y).unwrap(), &figures::SAHEART);
}

/// Great inventions by year, with a parabola in time.
pub(super) fn discoveries(test: &str) -> Option<(DMatrix<f64>, Vec<f64>)> {
    let table = Table::shared(test, "data/timeseries/discoveries.csv")?;
    let time: Vec<f64> = (0..table.len()).map(|i| (i as f64 - 49.5) / 50.0).collect();
    let square = time.iter().map(|t| t * t).collect();
    Some((with_intercept(&[time, square]), table.column("count")))
}

#[test]
fn inventions() {
    let Some((design, y)) = discoveries("inventions") else { return };
    let data = GlmData::new(&design, &y).unwrap();
    compare(Family::Poisson, data.clone(), &figures::DISCOVERIES);
    // R prints 1.41421 -0.3547 (scaled time), null deviance 164.68, AIC 407.85 for these data.
    let fit = Glm::new(Family::Poisson, data.clone()).unwrap().fit(&GlmFitOptions::default(), &mut Silent);
    assert!((fit.unwrap().model.aic().unwrap() - 407.84514371168234).abs() < 1e-10);
    let size = 1.0 / 0.08671842169655011;
    let family = Family::negative_binomial(size).unwrap();
    compare(family, data, &figures::DISCOVERIES_NEGATIVE_BINOMIAL);
}

#[test]
fn deaths_on_roads_with_an_exposure() {
    let Some(table) = Table::shared("deaths_on_roads", "data/timeseries/seatbelts.csv") else { return };
    let design = with_intercept(&["PetrolPrice", "law"].map(|name| table.column(name)));
    let y = table.column("DriversKilled");
    let offset: Vec<f64> = table.column("kms").iter().map(|kms| kms.ln()).collect();
    let data = GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap();
    compare(Family::Poisson, data, &figures::SEATBELTS);
}

#[test]
fn motor_cars() {
    let Some(table) = Table::shared("motor_cars", "data/tabular/mtcars.csv") else { return };
    let design = with_intercept(&["wt", "hp"].map(|name| table.column(name)));
    let y = table.column("mpg");
    let data = GlmData::new(&design, &y).unwrap();
    compare(Family::GammaLog, data.clone(), &figures::MTCARS_GAMMA_LOG);
    compare(Family::GammaInverse, data.clone(), &figures::MTCARS_GAMMA_INVERSE);
    compare(Family::Gaussian, data.clone(), &figures::MTCARS_GAUSSIAN);
    // R: AIC(lm(mpg ~ wt + hp)) is 156.6523, residual standard error 2.593.
    let fit =
        Glm::new(Family::Gaussian, data).unwrap().fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    assert!((fit.aic().unwrap() - 156.6523).abs() < 5e-5);
    assert!((fit.dispersion.sqrt() - 2.593).abs() < 5e-4);
    assert!((fit.dispersion - 6.725784646257451).abs() < 1e-11);
}
