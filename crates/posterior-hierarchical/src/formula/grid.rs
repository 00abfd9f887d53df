//! Effects of numbers between the places where they have values.

use super::layout::Layout;
use super::{FormulaData, HierarchicalFormula};
use crate::Error;
use crate::predict::NewRows;

/// An effect of one or two numbers on a grid over the range of the data, to be drawn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EffectGrid {
    /// What is along each axis, as the formula has it.
    pub names: Vec<String>,
    /// The numbers along each axis, ascending, in equal steps.
    pub axes: Vec<Vec<f64>>,
    /// The fixed effects that are part of it: of a Matérn field none.
    pub lines: Vec<String>,
    /// Where the rows of the data are.
    pub seen: Vec<Vec<f64>>,
    /// The effect at each point of the grid, along the first axis fastest: for
    /// [`predict`](crate::HierarchicalFit::predict) and
    /// [`predicted_means`](crate::HierarchicalFit::predicted_means).
    pub rows: NewRows,
}

impl HierarchicalFormula {
    /// A curve, a surface, a Matérn field or a walk of second order on a grid with so many points along each
    /// axis (of a walk, at most so many of its times). None of other effects, whose values are all that there
    /// is of them.
    ///
    /// The lines that a curve, a surface or a walk leaves to the fixed effects are part of it here, and its
    /// mean over the rows of the data is taken out. A line that two effects leave is part of both.
    ///
    /// ```
    /// use posterior_hierarchical::{FamilyResponse, FormulaSettings, HierarchicalFormula,
    /// HierarchicalOptions};
    /// use posterior_regression::formula::FormulaData;
    ///
    /// let x: Vec<f64> = (0..40).map(|i| f64::from(i) / 8.0).collect();
    /// let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x.sin() + 0.1 * (7.0 * i as f64).sin()).collect();
    /// let data = FormulaData::new(40).with_numbers("x", x)?;
    /// let settings = FormulaSettings::of_numbers(&y);
    /// let learned = HierarchicalFormula::learn(&"y ~ smooth(x)".parse()?, &data, &[], &settings)?;
    /// let model = learned.model(FamilyResponse::gaussian(settings.scale)?, &y, &data)?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    ///
    /// let grid = learned.grid("smooth(x)", &data, 101)?.ok_or("a curve")?;
    /// let curve = fit.predict(&grid.rows)?;
    /// // The sine rises by 1 from 0 to π/2.
    /// let rise = curve[32].mean() - curve[0].mean();
    /// assert!((grid.axes[0][32] - 1.56).abs() < 1e-9 && (rise - 1.0).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No effect of this name; a column that `data` does not have.
    pub fn grid(&self, effect: &str, data: &FormulaData, points: usize) -> Result<Option<EffectGrid>, Error> {
        let all = || self.effects.iter().flat_map(Layout::names).collect::<Vec<_>>();
        let layout = self.effects.iter().find(|own| own.names().iter().any(|name| name == effect));
        let layout =
            layout.ok_or_else(|| Error::unknown("effect", effect, all().iter().map(String::as_str)))?;
        let Some(seen) = layout.inputs(data)? else { return Ok(None) };
        let axes = match layout.times(points) {
            Some(times) => vec![times],
            None => seen.iter().map(|own| between(own, points)).collect(),
        };
        let places = product(&axes);
        let mut rows = NewRows::new(places.first().map_or(0, Vec::len));
        let mut entries: Vec<(usize, usize, f64)> = layout.seen_at(&places)?.triplets().collect();
        let lines = layout.lines();
        if !lines.is_empty() {
            let average = layout.seen_at(&seen)?;
            let count = data.rows() as f64;
            let mut means = vec![0.0; average.columns()];
            average.triplets().for_each(|(_, place, value)| means[place] += value / count);
            let here = 0..rows.count();
            entries.extend(
                here.flat_map(|row| means.iter().enumerate().map(move |(place, mean)| (row, place, -mean))),
            );
        }
        for (name, (own, here)) in
            lines.iter().zip(layout.positions(&places).iter().zip(layout.positions(&seen)))
        {
            let mean = here.iter().sum::<f64>() / here.len() as f64;
            rows = rows.column(name, &own.iter().map(|x| x - mean).collect::<Vec<_>>());
        }
        let rows = rows.through(effect, &entries);
        Ok(Some(EffectGrid { names: layout.arguments(), axes, lines, seen, rows }))
    }
}

/// So many points from the smallest number to the largest; one if they are the same.
fn between(x: &[f64], points: usize) -> Vec<f64> {
    let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
    if low == high || points < 2 {
        return vec![low];
    }
    let part = |place: usize| place as f64 / (points - 1) as f64;
    (0..points).map(|place| low * (1.0 - part(place)) + high * part(place)).collect()
}

/// The points of a grid, by the numbers along each axis, the first axis fastest.
fn product(axes: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count: usize = axes.iter().map(Vec::len).product();
    let mut stride = 1;
    let mut all = Vec::with_capacity(axes.len());
    for axis in axes {
        all.push((0..count).map(|point| axis[point / stride % axis.len()]).collect());
        stride *= axis.len();
    }
    all
}
