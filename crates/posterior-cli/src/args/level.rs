//! The probability of intervals: the option of every verb that shows some.

use clap::Args;

use crate::level::Level;

/// The probability of intervals, where quartiles are shown too.
#[derive(Debug, Clone, Args)]
pub(crate) struct LevelArgs {
    /// Probability of every interval, above 0.5, with as much below it as above it; names of columns follow
    /// it [default: 0.95, with q025 and q975]
    #[arg(long, value_name = "P", value_parser = Level::beyond_quartiles, default_value = "0.95", hide_default_value = true)]
    pub(crate) level: Level,
}
