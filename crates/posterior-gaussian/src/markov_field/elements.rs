//! Finite elements: masses and stiffness on grids and on meshes of triangles.

use posterior_math::check::{self, ParamError};
use posterior_math::sparse::{Ordering, SparseSymmetric};

use super::NAME;
use super::field::built;

/// Nodes in space with the diagonal of the lumped mass matrix C and the stiffness matrix G of linear
/// elements: what [`MaternSpde`](super::MaternSpde) makes a precision of.
///
/// At the edges the normal derivative is zero, which doubles the variance of a field there: what is of
/// interest should be a range away from them.
///
/// ```
/// use posterior_gaussian::FiniteElements;
///
/// let square = FiniteElements::on_mesh(
///     &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
///     &[[0, 1, 2], [0, 2, 3]],
/// )?;
/// assert_eq!(square.masses().iter().sum::<f64>(), 1.0); // the area
/// assert_eq!(square.stiffness().entry(0, 1), -0.5);
/// # Ok::<(), posterior_gaussian::math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteElements {
    masses: Vec<f64>,
    stiffness: SparseSymmetric,
    points: Vec<Vec<f64>>,
    cells: Cells,
}

/// What is between the nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cells {
    Grid { shape: Vec<usize>, spacing: f64 },
    Triangles(Vec<[usize; 3]>),
}

impl FiniteElements {
    /// The nodes of a regular grid with `shape` nodes along each axis, `spacing` apart; the first index runs
    /// fastest.
    ///
    /// # Errors
    /// A spacing that is not positive and finite, no axis, or an empty one.
    pub fn on_grid(shape: &[usize], spacing: f64) -> Result<Self, ParamError> {
        check::positive(NAME, "spacing", spacing)?;
        check::at_least_one(NAME, "axes", shape.len())?;
        for (axis, &length) in shape.iter().enumerate() {
            check::at_least_one(NAME, "nodes along an axis", length).map_err(|error| error.at(axis))?;
        }
        let (parts, points) = grid_elements(shape, spacing);
        parts.built(points, Cells::Grid { shape: shape.to_vec(), spacing })
    }

    /// The corners of a mesh of triangles in the plane, each with the indices of its corners in any order.
    ///
    /// # Errors
    /// A point that is not finite, a triangle with a corner that is not there or without area, or a point
    /// that is in no triangle.
    pub fn on_mesh(points: &[[f64; 2]], triangles: &[[usize; 3]]) -> Result<Self, ParamError> {
        let places = points.iter().map(|point| point.to_vec()).collect();
        mesh_elements(points, triangles)?.built(places, Cells::Triangles(triangles.to_vec()))
    }

    /// The diagonal of C: the volume around each node.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The stiffness matrix G.
    pub const fn stiffness(&self) -> &SparseSymmetric {
        &self.stiffness
    }

    /// Where the nodes are; a grid begins at the origin.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// The number of dimensions of space.
    pub fn dimension(&self) -> usize {
        self.points.first().map_or(0, Vec::len)
    }

    pub(super) const fn cells(&self) -> &Cells {
        &self.cells
    }

    /// An order of elimination for precisions of these nodes.
    pub(super) fn ordering(&self) -> Ordering {
        Ordering::Dissection(self.points.clone())
    }
}

/// Masses, and entries of the stiffness matrix, which are added.
struct Parts {
    masses: Vec<f64>,
    stiffness: Vec<(usize, usize, f64)>,
}

impl Parts {
    fn built(self, points: Vec<Vec<f64>>, cells: Cells) -> Result<FiniteElements, ParamError> {
        let stiffness = built(SparseSymmetric::from_triplets(points.len(), self.stiffness))?;
        Ok(FiniteElements { masses: self.masses, stiffness, points, cells })
    }
}

/// Central differences on a regular grid, and where its nodes are: cells at the edges are halved.
fn grid_elements(shape: &[usize], spacing: f64) -> (Parts, Vec<Vec<f64>>) {
    let n: usize = shape.iter().product();
    let mut elements = Parts { masses: Vec::with_capacity(n), stiffness: Vec::new() };
    let mut points = Vec::with_capacity(n);
    for index in 0..n {
        let mut rest = index;
        let place: Vec<usize> = shape
            .iter()
            .map(|&length| {
                let at = rest % length;
                rest /= length;
                at
            })
            .collect();
        // The width of the node's cell along each axis: half of it is outside at the edges.
        let width = |axis: usize| {
            let ends = usize::from(place[axis] > 0) + usize::from(place[axis] + 1 < shape[axis]);
            if shape[axis] == 1 { spacing } else { 0.5 * ends as f64 * spacing }
        };
        let volume: f64 = (0..shape.len()).map(width).product();
        elements.masses.push(volume);
        let mut stride = 1;
        for (axis, &length) in shape.iter().enumerate() {
            if place[axis] + 1 < length {
                // The face between two nodes over their distance.
                let value = volume / width(axis) / spacing;
                let next = index + stride;
                elements.stiffness.extend([
                    (index, index, value),
                    (next, next, value),
                    (next, index, -value),
                ]);
            }
            stride *= length;
        }
        points.push(place.iter().map(|&at| at as f64 * spacing).collect());
    }
    (elements, points)
}

/// Linear elements on triangles: Cᵢᵢ = a third of the areas around, and Gᵢⱼ = eᵢ · eⱼ / (4 area) for the
/// sides eᵢ and eⱼ that are opposite to two corners.
fn mesh_elements(points: &[[f64; 2]], triangles: &[[usize; 3]]) -> Result<Parts, ParamError> {
    for (index, point) in points.iter().enumerate() {
        let finite = point.iter().all(|x| x.is_finite());
        check::require(finite, NAME, "points", point[0] + point[1], "finite")
            .map_err(|error| error.at(index))?;
    }
    let mut elements = Parts { masses: vec![0.0; points.len()], stiffness: Vec::new() };
    for (index, triangle) in triangles.iter().enumerate() {
        let refuse = |value: f64, requirement: &'static str| {
            ParamError::new(NAME, "triangles", value, requirement).at(index)
        };
        if let Some(&corner) = triangle.iter().find(|&&corner| corner >= points.len()) {
            return Err(refuse(corner as f64, "of indices below the number of points"));
        }
        let corners = triangle.map(|corner| points[corner]);
        let side = |k: usize| {
            let (from, to) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            [to[0] - from[0], to[1] - from[1]]
        };
        let sides = [side(0), side(1), side(2)];
        let area = 0.5 * (sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0]).abs();
        if !(area > 0.0 && area < f64::INFINITY) {
            return Err(refuse(area, "of positive area (the value is the area)"));
        }
        for i in 0..3 {
            elements.masses[triangle[i]] += area / 3.0;
            for j in 0..=i {
                let product = sides[i][0] * sides[j][0] + sides[i][1] * sides[j][1];
                elements.stiffness.push((triangle[i], triangle[j], product / (4.0 * area)));
            }
        }
    }
    if let Some(index) = elements.masses.iter().position(|&mass| mass == 0.0) {
        return Err(ParamError::new(
            NAME,
            "points",
            index as f64,
            "a corner of a triangle (the value is the index)",
        ));
    }
    Ok(elements)
}
