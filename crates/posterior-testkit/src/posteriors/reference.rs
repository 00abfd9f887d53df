//! What Stan found.

use serde_json::Value;

use super::{column, fail};

/// Reference moments of the parameters, from 10,000 nearly independent draws, and 1,000 of these draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The names of the parameters.
    pub names: Vec<String>,
    /// Their means.
    pub means: Vec<f64>,
    /// The Monte Carlo standard errors of the means.
    pub mean_errors: Vec<f64>,
    /// Their standard deviations.
    pub sds: Vec<f64>,
    /// How many independent draws the draws are worth.
    pub ess: Vec<f64>,
    /// For each draw its parameters.
    pub draws: Vec<Vec<f64>>,
}

impl Reference {
    #[track_caller]
    pub(super) fn read(file: &Value) -> Self {
        let names: Vec<String> = file["parameters"]
            .as_array()
            .and_then(|list| list.iter().map(|name| name.as_str().map(str::to_owned)).collect())
            .unwrap_or_else(|| fail("parameters is not a list of names"));
        let figures = |key: &str| -> Vec<f64> {
            let figure = |name: &String| file["summary"][name][key].as_f64();
            names.iter().map(figure).collect::<Option<_>>().unwrap_or_else(|| fail(&format!("no {key}")))
        };
        let columns: Vec<Vec<f64>> = names.iter().map(|name| column(&file["draws"], name)).collect();
        let draws = (0..columns[0].len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect();
        Self {
            means: figures("mean"),
            mean_errors: figures("mcse_mean"),
            sds: figures("sd"),
            ess: figures("ess"),
            draws,
            names,
        }
    }

    /// The Monte Carlo standard errors of the standard deviations: √((m₄ - s⁴) / (4 s² ess)), with the fourth
    /// central moment m₄ of the kept draws.
    pub fn sd_errors(&self) -> Vec<f64> {
        let count = self.draws.len() as f64;
        let error = |k: usize| {
            let power =
                |n: i32| self.draws.iter().map(|draw| (draw[k] - self.means[k]).powi(n)).sum::<f64>() / count;
            let (second, fourth) = (power(2), power(4));
            ((fourth - second * second) / (4.0 * second * self.ess[k])).sqrt()
        };
        (0..self.names.len()).map(error).collect()
    }
}
