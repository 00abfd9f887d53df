//! A rule of few nodes for a distribution on many points.

use posterior_math::linalg::DMatrix;

/// The nodes and the weights, of sum 1, of Gauss's rule for points with weights: it has their moments up to
/// that of degree 2n - 1. None if there are fewer than n different points.
///
/// The recurrence of the orthonormal polynomials is Lanczos's of the diagonal matrix of the points, with
/// every vector made orthogonal to all before it.
///
/// # References
/// W. Gautschi, Orthogonal polynomials: computation and approximation, 2004, section 2.2.
pub(super) fn rule(points: &[(f64, f64)], nodes: usize) -> Option<Vec<(f64, f64)>> {
    let total: f64 = points.iter().map(|(_, weight)| weight).sum();
    let start: Vec<f64> = points.iter().map(|(_, weight)| (weight / total).sqrt()).collect();
    let centre: f64 = points.iter().map(|(x, weight)| x * weight / total).sum();
    let unit = points.iter().fold(0.0_f64, |most, (x, _)| most.max((x - centre).abs()));
    let mut vectors = vec![start];
    let mut jacobi = DMatrix::zeros(nodes, nodes);
    for step in 0..nodes {
        let last = &vectors[step];
        let mut next: Vec<f64> =
            last.iter().zip(points).map(|(own, (x, _))| own * ((x - centre) / unit)).collect();
        jacobi[(step, step)] = dot(last, &next);
        if step + 1 == nodes {
            break;
        }
        // Twice is enough.
        for vector in vectors.iter().chain(&vectors) {
            let along = dot(vector, &next);
            next.iter_mut().zip(vector).for_each(|(next, own)| *next -= along * own);
        }
        let norm = dot(&next, &next).sqrt();
        if !(norm > 1e-10) {
            return None;
        }
        for own in &mut next {
            *own /= norm;
        }
        jacobi[(step, step + 1)] = norm;
        jacobi[(step + 1, step)] = norm;
        vectors.push(next);
    }
    let found = jacobi.symmetric_eigen();
    let node = |(value, vector): (&f64, f64)| (centre + unit * value, vector * vector);
    Some(found.eigenvalues.iter().zip(found.eigenvectors.row(0).iter().copied()).map(node).collect())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_the_moments_of_the_points() {
        let points: Vec<(f64, f64)> = (0_i32..60)
            .map(|k| (3.0 + 0.1 * f64::from(k), (-0.02 * (f64::from(k) - 20.0).powi(2)).exp()))
            .collect();
        let sum: f64 = points.iter().map(|own| own.1).sum();
        let points: Vec<(f64, f64)> = points.into_iter().map(|(x, weight)| (x, weight / sum)).collect();
        let own = rule(&points, 6).unwrap();
        let moment = |all: &[(f64, f64)], degree: i32| {
            all.iter().map(|(x, weight)| weight * (x - 5.0).powi(degree)).sum::<f64>()
        };
        for degree in 0..12 {
            let (full, few) = (moment(&points, degree), moment(&own, degree));
            assert!(
                (full - few).abs() < 1e-12 * moment(&points, degree + degree % 2),
                "{degree} {full} {few}"
            );
        }
        assert!(rule(&points[..3], 4).is_none());
    }
}
