//! A distribution in one line of text.

use posterior::dist::text::DynUnivariate;

use super::describe::rounded;

/// Columns of the picture of a density.
const COLUMNS: usize = 48;

/// What the picture leaves out at either end.
const TAIL: f64 = 0.005;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The probabilities of intervals of one width, and what the ends of the line are; `None` for a distribution
/// without width.
pub(super) fn of(distribution: &dyn DynUnivariate) -> Option<String> {
    let (low, high) = (distribution.quantile(TAIL), distribution.upper_quantile(TAIL));
    if !(low.is_finite() && high.is_finite() && (distribution.is_discrete() || low < high)) {
        return None;
    }
    let counted = distribution.is_discrete() && high - low < COLUMNS as f64;
    let heights: Vec<f64> = if counted {
        (0..=(high - low) as usize).map(|step| distribution.ln_pdf(low + step as f64).exp()).collect()
    } else {
        let edge = |column: usize| low + (high - low) * (column as f64 / COLUMNS as f64);
        (0..COLUMNS)
            .map(|column| distribution.cdf(edge(column + 1)) - distribution.cdf(edge(column)))
            .collect()
    };
    let highest = heights.iter().copied().fold(0.0, f64::max);
    if !(highest > 0.0) {
        return None;
    }
    let block = |height: f64| match height / highest {
        proportion if proportion >= 1.0 / 16.0 => {
            BLOCKS[((proportion * 8.0).ceil() as usize).clamp(1, 8) - 1]
        }
        proportion if proportion > 0.0 => BLOCKS[0],
        _ => ' ',
    };
    let line: String = heights.into_iter().map(block).collect();
    Some(format!("{} {line} {}", rounded(low), rounded(high)))
}
