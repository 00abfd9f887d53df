//! Effects of numbers on a fine grid, for pictures.

use posterior::hierarchical::{Error, HierarchicalFit, HierarchicalFormula, HyperEstimate, LatentMarginal};
use posterior::regression::formula::FormulaData;

use super::super::effect_drawing::EffectDrawing;
use super::super::effects_answer::EffectValues;
use crate::level::Level;

/// Points of a curve, and along each side of a surface.
const CURVE: usize = 121;
const SIDE: usize = 60;

/// Draws the curves, surfaces and fields among the effects.
pub(super) fn draw(
    values: &mut [EffectValues],
    formula: &HierarchicalFormula,
    fit: &HierarchicalFit<'_>,
    data: &FormulaData,
    level: Level,
) -> Result<(), Error> {
    for effect in values {
        if let Some(axes) = effect.axes() {
            effect.drawn = drawn(formula, fit, data, (&effect.name, axes), level)?;
        }
    }
    Ok(())
}

/// A curve, a surface or a field by its name; nothing for other effects.
fn drawn(
    formula: &HierarchicalFormula,
    fit: &HierarchicalFit<'_>,
    data: &FormulaData,
    (effect, axes): (&str, usize),
    level: Level,
) -> Result<Option<EffectDrawing>, Error> {
    let points = if axes == 1 { CURVE } else { SIDE };
    let Some(grid) = formula.grid(effect, data, points)? else { return Ok(None) };
    let (means, intervals) = if axes == 1 && fit.estimate() == HyperEstimate::Posterior {
        let found = fit.predict(&grid.rows)?;
        let interval = |own: &LatentMarginal| level.interval(|p| own.quantile(p));
        (found.iter().map(LatentMarginal::mean).collect(), found.iter().map(interval).collect())
    } else {
        (fit.predicted_means(&grid.rows)?, Vec::new())
    };
    let (names, axes, lines, seen) = (grid.names, grid.axes, grid.lines, grid.seen);
    Ok(Some(EffectDrawing { names, axes, lines, seen, means, intervals }))
}
