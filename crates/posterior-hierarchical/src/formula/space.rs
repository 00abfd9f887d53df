//! Fields on a grid around the places of tables.

use posterior_dist::text::TextError;
use posterior_gaussian::FiniteElements;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::formula::{EffectTerm, FormulaData};

use crate::Error;

/// Nodes of a field along the longest side, on a line and in a plane.
const NODES: [f64; 2] = [100.0, 30.0];
/// How far a grid goes beyond the data, as a part of the longest side: there the edge doubles variances.
const MARGIN: f64 = 0.2;

/// A field on a grid.
#[derive(Debug)]
pub(super) struct Space {
    pub(super) elements: FiniteElements,
    pub(super) origin: Vec<f64>,
}

impl Space {
    pub(super) fn learn<'a>(
        term: &EffectTerm,
        tables: impl Iterator<Item = &'a FormulaData>,
        nodes: Option<f64>,
    ) -> Result<Self, Error> {
        let axes = term.width();
        let mut ends = vec![[f64::INFINITY, f64::NEG_INFINITY]; axes];
        for table in tables {
            for (axis, [low, high]) in ends.iter_mut().enumerate() {
                for x in term.numbers(axis, table)? {
                    (*low, *high) = (low.min(x), high.max(x));
                }
            }
        }
        let longest = ends.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
        if !(longest > 0.0) {
            return Err(TextError::new(term.place(), format!("`{term}`: all places are the same")).into());
        }
        let most = if axes == 1 { 100_000.0 } else { 1000.0 };
        let nodes = nodes.unwrap_or(NODES[axes - 1]);
        if !(nodes.fract() == 0.0 && (5.0..=most).contains(&nodes)) {
            let message = format!("`{term}`: k must be a whole number from 5 to {most}");
            return Err(TextError::new(term.place(), message).into());
        }
        let spacing = longest / (nodes - 1.0);
        let margin = (MARGIN * longest / spacing).ceil();
        let shape: Vec<usize> = ends
            .iter()
            .map(|[low, high]| ((high - low) / spacing).ceil() as usize + 2 * margin as usize + 1)
            .collect();
        let origin = ends.iter().map(|[low, _]| low - margin * spacing).collect();
        Ok(Self { elements: FiniteElements::on_grid(&shape, spacing)?, origin })
    }

    /// What is seen at points by their numbers along each axis.
    pub(super) fn rows(&self, points: &[Vec<f64>]) -> Result<SparseMatrix, Error> {
        let count = points.first().map_or(0, Vec::len);
        let place = |point: usize| {
            let along = points.iter().zip(&self.origin);
            along.map(|(axis, origin)| axis[point] - origin).collect()
        };
        let places: Vec<Vec<f64>> = (0..count).map(place).collect();
        Ok(self.elements.interpolation(&places)?)
    }
}
