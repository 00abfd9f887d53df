//! Matérn fields against the covariance by Bessel's function, far from the edges.

use posterior_gaussian::{FiniteElements, GaussianMarkovField, MaternSpde};
use posterior_math::special::{bessel_k, ln_gamma};

/// σ² 2^(1 - ν) / Γ(ν) (κ r)^ν K_ν(κ r).
fn matern(r: f64, kappa: f64, nu: f64) -> f64 {
    let x = kappa * r;
    if x == 0.0 { 1.0 } else { 2_f64.powf(1.0 - nu) / ln_gamma(nu).exp() * x.powf(nu) * bessel_k(nu, x) }
}

/// The largest difference of the covariance from Matérn's, with variance 1, along an axis from the middle.
fn worst(shape: &[usize], spacing: f64, range: f64, alpha: u8) -> f64 {
    let equation = MaternSpde::with_range(range, 1.0, alpha, shape.len()).expect("smooth enough");
    let field = GaussianMarkovField::matern_on_grid(shape, spacing, &equation).expect("a grid");
    let nu = f64::from(alpha) - 0.5 * shape.len() as f64;
    let mut stride = 1;
    let mut middle = 0;
    for &length in shape {
        middle += stride * (length / 2);
        stride *= length;
    }
    let column = field.covariances(middle);
    (0..shape[0] / 4)
        .map(|step| (column[middle + step] - matern(step as f64 * spacing, equation.kappa(), nu)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn grids_have_matern_covariances_and_finer_ones_more_so() {
    // In one dimension the errors are of the order (κ h)²: a quarter at half the spacing.
    for alpha in [1, 2] {
        let coarse = worst(&[401], 0.5, 20.0, alpha);
        let fine = worst(&[801], 0.25, 20.0, alpha);
        assert!(coarse < 2e-3, "{coarse}");
        assert!(fine < 0.3 * coarse + 1e-6, "{fine} {coarse}");
    }
    // In two, of (κ h)² |ln κ h| / 2 = 0.05 and 0.02; the edges are four ranges away.
    let coarse = worst(&[81, 81], 1.0, 10.0, 2);
    let fine = worst(&[161, 161], 0.5, 10.0, 2);
    assert!(coarse < 0.05, "{coarse}");
    assert!(fine < 0.35 * coarse, "{fine} {coarse}");
    // In three the smoothness is 1/2, and the variance converges with κ h alone: 0.4 here.
    let space = worst(&[25, 25, 25], 1.0, 5.0, 2);
    assert!(space < 0.15, "{space}");
}

/// A mesh of a square with `n` points along each side, where inner points are moved about by up to a third of
/// their distance.
fn mesh(n: usize, spacing: f64) -> (Vec<[f64; 2]>, Vec<[usize; 3]>) {
    let moved = |k: usize| ((k * 7919 + 13) % 101) as f64 / 101.0 - 0.5;
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;
            let (dx, dy) = if inner { (moved(i + 31 * j), moved(17 * i + j)) } else { (0.0, 0.0) };
            points.push([(i as f64 + 0.6 * dx) * spacing, (j as f64 + 0.6 * dy) * spacing]);
            if i + 1 < n && j + 1 < n {
                let (a, b, c, d) = (i + n * j, i + 1 + n * j, i + n * (j + 1), i + 1 + n * (j + 1));
                let halves = if (i + j) % 2 == 0 { [[a, b, d], [d, c, a]] } else { [[b, a, c], [b, d, c]] };
                triangles.extend(halves);
            }
        }
    }
    (points, triangles)
}

/// The largest difference from Matérn's covariance with variance 1 within 20 of the middle of a square with
/// sides of 80.
fn worst_on_mesh(n: usize) -> f64 {
    let (points, triangles) = mesh(n, 80.0 / (n as f64 - 1.0));
    let equation = MaternSpde::with_range(12.0, 1.0, 2, 2).expect("smooth enough");
    let field = GaussianMarkovField::matern_on_mesh(&points, &triangles, &equation).expect("a mesh");
    let middle = n * (n / 2) + n / 2;
    let column = field.covariances(middle);
    let distance = |point: &[f64; 2]| (point[0] - points[middle][0]).hypot(point[1] - points[middle][1]);
    points
        .iter()
        .zip(&column)
        .map(|(point, own)| (distance(point), own))
        .filter(|(r, _)| *r < 20.0)
        .map(|(r, own)| (own - matern(r, equation.kappa(), 1.0)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn meshes_have_matern_covariances_and_finer_ones_more_so() {
    // (κ h)² |ln κ h| / 2 = 0.06 and 0.02 for the longer sides of triangles, around 1.4 and 0.7.
    let (coarse, fine) = (worst_on_mesh(81), worst_on_mesh(161));
    assert!(coarse < 0.06, "{coarse}");
    assert!(fine < 0.4 * coarse, "{fine} {coarse}");
}

#[test]
fn a_regular_mesh_is_a_grid() {
    // Right-angled triangles give the five-point stencil; the masses differ at the edges only.
    let n = 9;
    let points: Vec<[f64; 2]> = (0..n * n).map(|k| [(k % n) as f64, (k / n) as f64]).collect();
    let cell = |k: usize| {
        let a = k % (n - 1) + n * (k / (n - 1));
        [[a, a + 1, a + n], [a + 1, a + n, a + n + 1]]
    };
    let triangles: Vec<[usize; 3]> = (0..(n - 1) * (n - 1)).flat_map(cell).collect();
    let equation = MaternSpde::new(0.7, 1.3, 2).expect("positive");
    let mesh = GaussianMarkovField::matern_on_mesh(&points, &triangles, &equation).expect("a mesh");
    let grid = GaussianMarkovField::matern_on_grid(&[n, n], 1.0, &equation).expect("a grid");
    let middle = n * (n / 2) + n / 2;
    for (i, j) in [(middle, middle), (middle, middle + 1), (middle, middle + n + 1), (middle, middle + 2)] {
        let (own, exact) = (mesh.precision().entry(i, j), grid.precision().entry(i, j));
        assert!((own - exact).abs() < 1e-12 * exact.abs(), "{own} {exact}");
    }
}

#[test]
fn what_is_no_mesh_is_refused() {
    let equation = MaternSpde::new(1.0, 1.0, 2).expect("positive");
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 0.0]];
    let refused = |triangles: &[[usize; 3]]| {
        GaussianMarkovField::matern_on_mesh(&corners, triangles, &equation).expect_err("no mesh").to_string()
    };
    assert!(refused(&[[0, 1, 4]]).contains("triangles[0] = 4"));
    assert!(refused(&[[0, 1, 2], [0, 1, 3]]).contains("triangles[1] = 0"));
    assert!(refused(&[[0, 1, 2]]).contains("points = 3"));
    let wrong = GaussianMarkovField::matern_on_mesh(&[[f64::NAN, 0.0]], &[], &equation);
    assert!(wrong.expect_err("no point").to_string().contains("points[0]"));
    assert!(GaussianMarkovField::matern_on_grid(&[3, 0], 1.0, &equation).is_err());
    assert!(GaussianMarkovField::matern_on_grid(&[3, 3], 0.0, &equation).is_err());
    assert!(MaternSpde::with_range(1.0, 1.0, 1, 2).is_err());
    assert!(MaternSpde::new(1.0, 1.0, 3).is_err());
}

/// Linear functions go through interpolation, on a skewed mesh and on grids; what is outside is refused.
#[test]
fn interpolation_is_exact_for_planes() {
    let (wide, high) = (9, 7);
    let node = |i: usize, j: usize| j * wide + i;
    let points: Vec<[f64; 2]> = (0..wide * high)
        .map(|k| {
            let (x, y) = ((k % wide) as f64, (k / wide) as f64);
            [x * x * 0.3 + 0.2 * y, y + 0.1 * (x * 0.9).sin()]
        })
        .collect();
    let mut triangles = Vec::new();
    for j in 0..high - 1 {
        for i in 0..wide - 1 {
            triangles.push([node(i, j), node(i + 1, j), node(i + 1, j + 1)]);
            triangles.push([node(i + 1, j + 1), node(i, j), node(i, j + 1)]);
        }
    }
    let mesh = FiniteElements::on_mesh(&points, &triangles).expect("a mesh");
    let plane = |x: f64, y: f64| 2.0 - 0.7 * x + 1.3 * y;
    let values: Vec<f64> = points.iter().map(|p| plane(p[0], p[1])).collect();
    // Inside of each triangle, near each corner, and at the corners.
    for triangle in &triangles {
        for weights in [[0.2, 0.3, 0.5], [0.98, 0.01, 0.01], [0.0, 1.0, 0.0]] {
            let place: Vec<f64> =
                (0..2).map(|axis| (0..3).map(|k| weights[k] * points[triangle[k]][axis]).sum()).collect();
            let found = mesh.interpolation(&[&place]).expect("inside").multiply_slice(&values)[0];
            assert!((found - plane(place[0], place[1])).abs() < 1e-10, "{place:?}");
        }
    }
    assert!(mesh.interpolation(&[[-1.0, 3.0]]).is_err());
    assert!(mesh.interpolation(&[[5.0, f64::NAN]]).is_err());
    assert!(mesh.interpolation(&[[1.0]]).is_err());
    let grid = FiniteElements::on_grid(&[4, 1, 3], 0.5).expect("a grid");
    let values: Vec<f64> = grid.points().iter().map(|p| plane(p[0], p[2])).collect();
    for place in [[0.0, 0.0, 0.0], [0.7, 0.0, 0.9], [1.5, 0.0, 1.0]] {
        let found = grid.interpolation(&[place]).expect("inside").multiply_slice(&values)[0];
        assert!((found - plane(place[0], place[2])).abs() < 1e-12, "{place:?}");
    }
    assert!(grid.interpolation(&[[1.51, 0.0, 0.0]]).is_err());
    assert!(grid.interpolation(&[[0.5, 0.1, 0.0]]).is_err());
}
