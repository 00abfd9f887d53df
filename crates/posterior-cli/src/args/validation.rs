//! Rows that are held out to score predictions: the options of every fit that predicts an outcome.

use clap::Args;

/// Which rows are held out.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ValidationArgs {
    /// Proportion of the rows that are held out: the fit to the others predicts them, and the predictions are
    /// scored
    #[arg(long, alias = "holdout", value_name = "F", value_parser = proportion, conflicts_with = "predict")]
    pub(crate) held_out: Option<f64>,
    /// Number of parts of the rows for a cross-validation: each part is predicted by a fit to the others, and
    /// the predictions are scored
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) folds: Option<u16>,
}

pub(super) fn proportion(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number between 0 and 1".to_owned())?;
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err("expected a number between 0 and 1".to_owned()) }
}
