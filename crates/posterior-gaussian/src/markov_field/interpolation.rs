//! Values between the nodes of finite elements.

use posterior_math::check::{self, ParamError};
use posterior_math::sparse::SparseMatrix;

use super::NAME;
use super::base::refused;
use super::elements::{Cells, FiniteElements};

/// How far outside of its triangle, or of the grid, a place may be, as a part of the sizes there.
const OUTSIDE: f64 = 1e-9;

impl FiniteElements {
    /// What linear elements say between the nodes: a row for each place, with the weights of the corners of
    /// its triangle, or of its cell of a grid. They add up to 1.
    ///
    /// Triangles are found by a grid of squares: time in proportion to places and triangles, unless these
    /// differ much in size.
    ///
    /// # Errors
    /// A place of another dimension, or outside of the mesh or the grid.
    ///
    /// ```
    /// use posterior_gaussian::FiniteElements;
    ///
    /// let square = FiniteElements::on_mesh(
    ///     &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
    ///     &[[0, 1, 2], [0, 2, 3]],
    /// )?;
    /// let rows = square.interpolation(&[[0.5, 0.25]])?;
    /// // The plane 2 x + y through the corners.
    /// assert_eq!(rows.multiply_slice(&[0.0, 2.0, 3.0, 1.0]), [1.25]);
    /// # Ok::<(), posterior_gaussian::math::ParamError>(())
    /// ```
    pub fn interpolation<P: AsRef<[f64]>>(&self, places: &[P]) -> Result<SparseMatrix, ParamError> {
        let mut entries = Vec::with_capacity(3 * places.len());
        let squares = Squares::of(self);
        for (row, place) in places.iter().enumerate() {
            let place = place.as_ref();
            let dimension = place.len() as f64;
            let fits = place.len() == self.dimension();
            check::require(fits, NAME, "coordinates of a place", dimension, "as many as a node has")
                .map_err(|error| error.at(row))?;
            let found = match self.cells() {
                Cells::Grid { shape, spacing } => in_grid(shape, *spacing, place),
                Cells::Triangles(triangles) => squares.find(self, triangles, place),
            };
            let requirement = "inside of the mesh or the grid (the value is the first coordinate)";
            let weights =
                found.ok_or_else(|| ParamError::new(NAME, "places", place[0], requirement).at(row))?;
            entries.extend(weights.into_iter().map(|(node, weight)| (row, node, weight)));
        }
        SparseMatrix::from_triplets(places.len(), self.masses().len(), entries).map_err(refused)
    }
}

/// The corners of a cell of a grid, each with the product of its weights along the axes.
fn in_grid(shape: &[usize], spacing: f64, place: &[f64]) -> Option<Vec<(usize, f64)>> {
    let mut corners = vec![(0, 1.0)];
    let mut stride = 1;
    for (&length, x) in shape.iter().zip(place) {
        let last = (length - 1) as f64;
        let at = x / spacing;
        if !(at >= -OUTSIDE * last.max(1.0) && at <= last + OUTSIDE * last.max(1.0)) {
            return None;
        }
        let low = at.floor().clamp(0.0, (last - 1.0).max(0.0));
        let part = if length == 1 { 0.0 } else { (at - low).clamp(0.0, 1.0) };
        let first = low as usize;
        let ends = [(first, 1.0 - part), (first + 1, part)];
        corners = ends
            .into_iter()
            .filter(|(_, weight)| *weight > 0.0)
            .flat_map(|(k, weight)| corners.iter().map(move |&(node, own)| (node + k * stride, own * weight)))
            .collect();
        stride *= length;
    }
    Some(corners)
}

/// Squares over a mesh, each with the triangles that may reach into it.
struct Squares {
    low: [f64; 2],
    side: f64,
    counts: [usize; 2],
    triangles: Vec<Vec<u32>>,
}

impl Squares {
    /// About as many squares as triangles; none over a grid.
    fn of(elements: &FiniteElements) -> Self {
        let Cells::Triangles(triangles) = elements.cells() else {
            return Self { low: [0.0; 2], side: 1.0, counts: [0; 2], triangles: Vec::new() };
        };
        let corner = |node: usize| [elements.points()[node][0], elements.points()[node][1]];
        let (low, high) = bounds((0..elements.points().len()).map(corner));
        let sizes = [high[0] - low[0], high[1] - low[1]];
        let side = (sizes[0] * sizes[1] / triangles.len() as f64).sqrt();
        let counts = sizes.map(|size| (size / side).floor() as usize + 1);
        let mut own = Self { low, side, counts, triangles: vec![Vec::new(); counts[0] * counts[1]] };
        for (index, triangle) in triangles.iter().enumerate() {
            let (from, to) = bounds(triangle.iter().map(|&node| corner(node)));
            let (from, to) = (own.square(from), own.square(to));
            for j in from[1]..=to[1] {
                for i in from[0]..=to[0] {
                    own.triangles[j * counts[0] + i].push(index as u32);
                }
            }
        }
        own
    }

    fn square(&self, place: [f64; 2]) -> [usize; 2] {
        let along =
            |axis: usize| (((place[axis] - self.low[axis]) / self.side) as usize).min(self.counts[axis] - 1);
        [along(0), along(1)]
    }

    /// The corners of the triangle around a place, with their weights.
    fn find(
        &self,
        elements: &FiniteElements,
        triangles: &[[usize; 3]],
        place: &[f64],
    ) -> Option<Vec<(usize, f64)>> {
        let square = self.square([place[0], place[1]]);
        let near = &self.triangles[square[1] * self.counts[0] + square[0]];
        let weights = |index: u32| {
            let nodes = triangles[index as usize];
            let corners = nodes.map(|node| &elements.points()[node]);
            // Twice the area of the triangle of two corners and a place.
            let area = |a: &[f64], b: &[f64], p: &[f64]| {
                (a[0] - p[0]) * (b[1] - p[1]) - (b[0] - p[0]) * (a[1] - p[1])
            };
            let whole = area(corners[0], corners[1], corners[2]);
            let parts = [
                area(corners[1], corners[2], place) / whole,
                area(corners[2], corners[0], place) / whole,
                area(corners[0], corners[1], place) / whole,
            ];
            (nodes, parts)
        };
        let least = |parts: &[f64; 3]| parts.iter().copied().fold(f64::INFINITY, f64::min);
        let best =
            near.iter().map(|&index| weights(index)).max_by(|a, b| least(&a.1).total_cmp(&least(&b.1)));
        let (nodes, parts) = best.filter(|(_, parts)| least(parts) >= -OUTSIDE)?;
        let inside = parts.map(|part| part.max(0.0));
        let sum: f64 = inside.iter().sum();
        Some(nodes.into_iter().zip(inside.map(|part| part / sum)).collect())
    }
}

fn bounds(points: impl Iterator<Item = [f64; 2]>) -> ([f64; 2], [f64; 2]) {
    points.fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), point| {
        ([low[0].min(point[0]), low[1].min(point[1])], [high[0].max(point[0]), high[1].max(point[1])])
    })
}
