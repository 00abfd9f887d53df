//! The seven linear regressions: which column is what.

use posterior_math::linalg::DMatrix;
use serde_json::Value;

use super::linear_regression::LinearRegression;
use super::scale_prior::ScalePrior;
use super::{column, fail};

/// The regression of this name.
#[track_caller]
pub(super) fn regression(name: &str, data: &Value) -> LinearRegression {
    let (columns, response) = match name {
        "arK-arK" => autoregression(data),
        "earnings-logearn_interaction" => earnings(data),
        "kidiq-kidscore_interaction" => test_scores(data, true),
        "kidiq-kidscore_momiq" => test_scores(data, false),
        "mesquite-logmesquite" => mesquite(data),
        "nes1980-nes" => party(data),
        "sblrc-blr" => correlated(data),
        _ => fail(&format!("there is no posterior {name}")),
    };
    let (beta_sd, sigma_prior) = match name {
        "arK-arK" => (10.0, ScalePrior::HalfCauchy(2.5)),
        "sblrc-blr" => (10.0, ScalePrior::HalfNormal(10.0)),
        "kidiq-kidscore_interaction" | "kidiq-kidscore_momiq" => (f64::INFINITY, ScalePrior::HalfCauchy(2.5)),
        _ => (f64::INFINITY, ScalePrior::Flat),
    };
    let rows = response.len();
    let design = DMatrix::from_fn(rows, columns.len(), |i, j| columns[j][i]);
    LinearRegression::new(design, response, beta_sd, sigma_prior)
}

type Columns = (Vec<Vec<f64>>, Vec<f64>);

/// A constant and the last five values.
fn autoregression(data: &Value) -> Columns {
    let y = column(data, "y");
    let lags = 5;
    let rows = y.len() - lags;
    let mut columns = vec![vec![1.0; rows]];
    columns.extend((1..=lags).map(|lag| y[lags - lag..y.len() - lag].to_vec()));
    (columns, y[lags..].to_vec())
}

fn earnings(data: &Value) -> Columns {
    let (height, male) = (column(data, "height"), column(data, "male"));
    let response = logarithms(&column(data, "earn"));
    (vec![vec![1.0; height.len()], height.clone(), male.clone(), product(&height, &male)], response)
}

fn test_scores(data: &Value, interaction: bool) -> Columns {
    let (school, iq) = (column(data, "mom_hs"), column(data, "mom_iq"));
    let constant = vec![1.0; iq.len()];
    let columns = if interaction {
        vec![constant, school.clone(), iq.clone(), product(&school, &iq)]
    } else {
        vec![constant, iq]
    };
    (columns, column(data, "kid_score"))
}

fn mesquite(data: &Value) -> Columns {
    let group = column(data, "group");
    let mut columns = vec![vec![1.0; group.len()]];
    for key in ["diam1", "diam2", "canopy_height", "total_height", "density"] {
        columns.push(logarithms(&column(data, key)));
    }
    columns.push(group);
    (columns, logarithms(&column(data, "weight")))
}

fn party(data: &Value) -> Columns {
    let age = column(data, "age_discrete");
    let mut columns = vec![vec![1.0; age.len()], column(data, "real_ideo"), column(data, "race_adj")];
    for class in [2.0, 3.0, 4.0] {
        columns.push(age.iter().map(|&age| f64::from(age == class)).collect());
    }
    columns.extend(["educ1", "gender", "income"].map(|key| column(data, key)));
    (columns, column(data, "partyid7"))
}

fn correlated(data: &Value) -> Columns {
    let y = column(data, "y");
    let rows = data["X"].as_array().unwrap_or_else(|| fail("X is not a matrix"));
    let entry =
        |row: &Value, j: usize| row[j].as_f64().unwrap_or_else(|| fail("X is not a matrix of numbers"));
    let columns = (0..5).map(|j| rows.iter().map(|row| entry(row, j)).collect());
    (columns.collect(), y)
}

fn logarithms(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().map(|x| x.ln()).collect()
}

fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}
