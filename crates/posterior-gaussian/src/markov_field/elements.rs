//! Finite elements: masses and stiffness on grids and on meshes of triangles.

use posterior_math::check::{self, ParamError};

use super::NAME;

/// The diagonal of the lumped mass matrix C, and the entries of the stiffness matrix G, which are added.
pub(super) struct Elements {
    pub(super) masses: Vec<f64>,
    pub(super) stiffness: Vec<(usize, usize, f64)>,
}

/// Central differences on a regular grid, and where its nodes are: cells at the edges are halved.
pub(super) fn grid_elements(shape: &[usize], spacing: f64) -> (Elements, Vec<Vec<f64>>) {
    let n: usize = shape.iter().product();
    let mut elements = Elements { masses: Vec::with_capacity(n), stiffness: Vec::new() };
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
        points.push(place.iter().map(|&at| at as f64).collect());
    }
    (elements, points)
}

/// Linear elements on triangles: Cᵢᵢ = a third of the areas around, and Gᵢⱼ = eᵢ · eⱼ / (4 area) for the
/// sides eᵢ and eⱼ that are opposite to two corners.
pub(super) fn mesh_elements(points: &[[f64; 2]], triangles: &[[usize; 3]]) -> Result<Elements, ParamError> {
    for (index, point) in points.iter().enumerate() {
        let finite = point.iter().all(|x| x.is_finite());
        check::require(finite, NAME, "points", point[0] + point[1], "finite")
            .map_err(|error| error.at(index))?;
    }
    let mut elements = Elements { masses: vec![0.0; points.len()], stiffness: Vec::new() };
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
