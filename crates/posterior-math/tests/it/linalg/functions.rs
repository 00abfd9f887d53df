//! Eigenvalues, exponentials, stochastic differential equations, and square roots.

use posterior_math::linalg::{
    DMatrix, DVector, Discretization, MatrixError, SymmetricEigen, congruence, discretize, exponential,
    gram_of_columns, gram_of_rows, lyapunov, multiply, multiply_transpose, solve_upper_in_place,
    solve_upper_transpose_in_place, transpose_multiply, triangularize,
};

use super::matrices::{Numbers, assert_near, assert_near_vector};

#[test]
fn products_are_those_of_the_definition() {
    let mut numbers = Numbers::new(40);
    for (m, k, n) in
        [(0, 0, 0), (0, 3, 2), (2, 0, 3), (1, 1, 1), (3, 5, 2), (8, 8, 8), (9, 20, 7), (50, 30, 40)]
    {
        let (a, b) = (numbers.matrix(m, k), numbers.matrix(k, n));
        let expected = &a * &b;
        assert_near(&multiply(&a, &b), &expected, 1e-14);
        assert_near(&transpose_multiply(&a.transpose(), &b), &expected, 1e-14);
        assert_near(&multiply_transpose(&a, &b.transpose()), &expected, 1e-14);
        assert_near(&gram_of_rows(&a), &(&a * a.transpose()), 1e-14);
        assert_near(&gram_of_columns(&a), &(a.transpose() * &a), 1e-14);
        assert_eq!(gram_of_rows(&a), gram_of_rows(&a).transpose());
        let s = numbers.positive_definite(k);
        let c = congruence(&a, &s);
        assert_near(&c, &(&a * s * a.transpose()), 1e-14);
        assert_eq!(c, c.transpose());
    }
}

#[test]
fn upper_triangles_are_solved() {
    let mut numbers = Numbers::new(41);
    for n in [0, 1, 3, 15, 16, 40] {
        let mut u = numbers.matrix(n, n) * 0.1 + DMatrix::identity(n, n) * 2.0;
        u.fill_lower_triangle(0.0, 1);
        for columns in [1, 3, 4, 9] {
            let b = numbers.matrix(n, columns);
            let mut x = b.clone();
            solve_upper_in_place(&u, &mut x);
            assert_near(&(&u * x), &b, 1e-13);
            let mut x = b.clone();
            solve_upper_transpose_in_place(&u, &mut x);
            assert_near(&(u.transpose() * x), &b, 1e-13);
        }
    }
}

#[test]
fn a_symmetric_matrix_is_its_eigenvectors_and_values() {
    let mut numbers = Numbers::new(42);
    for n in [0, 1, 2, 3, 5, 16, 33, 80] {
        let b = numbers.matrix(n, n);
        let a = &b + b.transpose();
        let eigen = SymmetricEigen::new(&a).unwrap();
        assert_near(&eigen.function_of_matrix(|x| x), &a, 2e-14);
        assert_near(&(eigen.vectors().transpose() * eigen.vectors()), &DMatrix::identity(n, n), 2e-14);
        assert!(eigen.values().as_slice().is_sorted());
        assert!((eigen.values().sum() - a.trace()).abs() <= 1e-13 * n as f64);
        if n > 0 {
            let determinant = a.determinant();
            assert!((eigen.values().product() - determinant).abs() <= 1e-11 * determinant.abs());
        }

        let exponential_of_a = exponential(&(&a * 0.1)).unwrap();
        assert_near(&eigen.function_of_matrix(|x| (0.1 * x).exp()), &exponential_of_a, 1e-14);

        let s = numbers.positive_definite(n);
        let root = SymmetricEigen::new(&s).unwrap().square_root().unwrap();
        assert_near(&(&root * &root), &s, 1e-14);
    }
    let indefinite = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, -1.0]));
    let refused = SymmetricEigen::new(&indefinite).unwrap().square_root();
    assert_eq!(refused, Err(MatrixError::NotPositiveDefinite { pivot: 0, value: -1.0 }));
    assert_eq!(SymmetricEigen::new(&DMatrix::from_element(2, 2, f64::NAN)), Err(MatrixError::NotFinite));
    // The square root of a singular covariance.
    let ones = DMatrix::from_element(3, 3, 1.0);
    let root = SymmetricEigen::new(&ones).unwrap().square_root().unwrap();
    assert_near(&(&root * &root), &ones, 2e-15);
}

#[test]
fn exponentials_have_their_closed_forms() {
    assert_eq!(exponential(&DMatrix::zeros(0, 0)).unwrap(), DMatrix::zeros(0, 0));
    assert_eq!(exponential(&DMatrix::zeros(3, 3)).unwrap(), DMatrix::identity(3, 3));
    assert!(exponential(&DMatrix::zeros(2, 3)).is_err());
    for x in [-700.0, -30.0, -1.0, -1e-3, 1e-20, 0.3, 2.0, 5.0, 40.0, 700.0] {
        let expected = f64::exp(x);
        assert_eq!(exponential(&DMatrix::from_element(1, 1, x)).unwrap()[(0, 0)], expected);
        let multiple = exponential(&(DMatrix::identity(3, 3) * x)).unwrap();
        assert_near(&multiple, &(DMatrix::identity(3, 3) * expected), 1e-15 * f64::max(1.0, f64::abs(x)));
    }
    for angle in [1e-3, 0.2, 1.0, 3.0, 100.0] {
        let rotation = exponential(&DMatrix::from_row_slice(2, 2, &[0.0, -angle, angle, 0.0])).unwrap();
        let (sine, cosine) = f64::sin_cos(angle);
        let expected = DMatrix::from_row_slice(2, 2, &[cosine, -sine, sine, cosine]);
        assert_near(&rotation, &expected, 1e-15 * f64::max(1.0, angle));
    }
    // A nilpotent one: the series ends.
    let shift = DMatrix::from_fn(4, 4, |i, j| if j == i + 1 { 1.0 } else { 0.0 });
    let expected = DMatrix::from_fn(4, 4, |i, j| if j < i { 0.0 } else { [1.0, 1.0, 0.5, 1.0 / 6.0][j - i] });
    assert_near(&exponential(&shift).unwrap(), &expected, 1e-15);
    for bad in [f64::NAN, f64::INFINITY, 1e308, 1e300] {
        let result = exponential(&DMatrix::from_element(2, 2, bad)).unwrap();
        assert!(result.iter().all(|entry| !entry.is_finite()), "{bad}: {result}");
    }
}

#[test]
fn exponentials_of_commuting_matrices_multiply() {
    let mut numbers = Numbers::new(43);
    for n in [1, 2, 5, 12, 30] {
        for scale in [1e-3, 0.1, 1.0, 10.0] {
            let a = numbers.matrix(n, n) * (scale / n as f64);
            let product = exponential(&a).unwrap() * exponential(&-&a).unwrap();
            let growth = exponential(&a).unwrap().amax() * exponential(&-&a).unwrap().amax() * n as f64;
            assert!((product - DMatrix::identity(n, n)).amax() <= 2e-15 * growth);
            let b = &a * 0.7 + &a * &a * (0.5 / scale);
            let whole = exponential(&(&a + &b)).unwrap();
            assert_near(&(exponential(&a).unwrap() * exponential(&b).unwrap()), &whole, 1e-13);
        }
    }
}

#[test]
fn a_step_of_an_ornstein_uhlenbeck_process_has_its_closed_form() {
    for rate in [1e-8, 0.01, 1.0, 30.0, 1e6] {
        for dt in [0.0, 1e-10, 1e-3, 1.0, 50.0] {
            let step = discretize(&DMatrix::from_element(1, 1, -rate), &DMatrix::from_element(1, 1, 3.0), dt)
                .unwrap();
            let variance = -3.0 * f64::exp_m1(-2.0 * rate * dt) / (2.0 * rate);
            let transition = f64::exp(-rate * dt);
            assert!((step.noise[(0, 0)] - variance).abs() <= 5e-15 * variance, "{rate} {dt}");
            assert!(
                (step.transition[(0, 0)] - transition).abs() <= 1e-14 * transition.max(1e-3),
                "{rate} {dt}"
            );
        }
    }
}

#[test]
fn a_step_of_matern_three_halves_is_that_of_the_book() {
    let (variance, length, dt) = (2.0, 1.5, 0.4);
    let rate = 3_f64.sqrt() / length;
    let drift = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -rate * rate, -2.0 * rate]);
    let diffusion = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 4.0 * rate.powi(3) * variance]);
    let stationary = lyapunov(&drift, &diffusion).unwrap();
    assert_near(&stationary, &DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 8.0 / 3.0])), 1e-15);
    let Discretization { transition, noise } = discretize(&drift, &diffusion, dt).unwrap();
    let book = [0.921127524319, 0.252039124587, -0.336052166115, 0.339068098614];
    assert_near(&transition, &DMatrix::from_row_slice(2, 2, &book), 1e-12);
    let book = [0.133651580357, 0.391204661632, 0.391204661632, 2.134225415305];
    assert_near(&noise, &DMatrix::from_row_slice(2, 2, &book), 1e-12);
    assert_near(&(&stationary - congruence(&transition, &stationary)), &noise, 1e-14);
}

#[test]
fn two_steps_are_one_step_of_the_sum() {
    let mut numbers = Numbers::new(44);
    for n in [1, 2, 4, 9] {
        let drift = numbers.matrix(n, n) - DMatrix::identity(n, n) * 2.0;
        let diffusion = gram_of_rows(&numbers.matrix(n, 2)) * 1e5;
        for (s, t) in [(0.1, 0.7), (1.0, 2.0), (1e-6, 1e-5), (20.0, 30.0)] {
            let first = discretize(&drift, &diffusion, s).unwrap();
            let second = discretize(&drift, &diffusion, t).unwrap();
            let both = discretize(&drift, &diffusion, s + t).unwrap();
            let growth = f64::max(1.0, drift.norm() * (s + t));
            assert_near(&(&second.transition * &first.transition), &both.transition, 2e-15 * growth);
            assert_near(&(congruence(&second.transition, &first.noise) + &second.noise), &both.noise, 1e-14);
        }
        // After a long time the noise is the stationary covariance.
        let stationary = lyapunov(&drift, &diffusion).unwrap();
        assert_near(&discretize(&drift, &diffusion, 1e3).unwrap().noise, &stationary, 1e-13);
    }
    let one = DMatrix::identity(1, 1);
    for dt in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(discretize(&one, &one, dt), Err(MatrixError::NotFinite));
    }
    assert_eq!(discretize(&(&one * f64::NAN), &one, 1.0), Err(MatrixError::NotFinite));
    assert_eq!(discretize(&one, &one, 1e4), Err(MatrixError::NotFinite)); // e^10000
    assert_eq!(
        discretize(&one, &DMatrix::zeros(2, 2), 1.0),
        Err(MatrixError::Mismatch { expected: 1, found: 2 })
    );
    let still = discretize(&-one.clone(), &DMatrix::zeros(1, 1), 1.0).unwrap();
    assert_eq!(still.noise[(0, 0)], 0.0);
}

#[test]
fn steps_of_tiny_and_huge_noise_differ_by_a_factor_only() {
    let drift = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -2.0, -0.3]);
    let diffusion = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]);
    let noise = discretize(&drift, &diffusion, 0.8).unwrap().noise;
    for exponent in [-900, -30, 30, 900] {
        let scale = f64::from(exponent).exp2();
        assert_near(&(discretize(&drift, &(&diffusion * scale), 0.8).unwrap().noise / scale), &noise, 1e-15);
    }
}

#[test]
fn the_solution_of_a_lyapunov_equation_leaves_no_residual() {
    let mut numbers = Numbers::new(45);
    for n in [0, 1, 2, 3, 4, 5, 6, 7, 12, 25] {
        for shift in [0.0, 3.0] {
            let f = numbers.matrix(n, n) - DMatrix::identity(n, n) * shift;
            let q = gram_of_rows(&numbers.matrix(n, n));
            let p = lyapunov(&f, &q).unwrap();
            assert_eq!(p, p.transpose());
            if n > 0 {
                let residual = (&f * &p + &p * f.transpose() + &q).norm() / (f.norm() * p.norm());
                assert!(residual <= 1e-14, "{n}: {residual:.2e}");
            }
        }
    }
    // Eigenvalues i and -i, or 1 and -1, or 0: no solution, or many.
    let q = DMatrix::identity(2, 2);
    for entries in [[0.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, -1.0], [0.0; 4]] {
        assert_eq!(lyapunov(&DMatrix::from_row_slice(2, 2, &entries), &q), Err(MatrixError::Singular));
    }
    assert_eq!(lyapunov(&(&q * f64::NAN), &q), Err(MatrixError::NotFinite));
}

#[test]
fn a_triangle_has_the_inner_products_of_the_stack() {
    let mut numbers = Numbers::new(46);
    for (rows, columns) in
        [(0, 0), (0, 3), (3, 0), (1, 1), (2, 5), (5, 5), (7, 3), (40, 20), (90, 60), (50, 70)]
    {
        let stacked = numbers.matrix(rows, columns);
        let r = triangularize(stacked.clone());
        assert_eq!(r.shape(), (columns, columns));
        assert_near(&gram_of_columns(&r), &(stacked.transpose() * &stacked), 1e-14);
        for j in 0..columns {
            assert!(r[(j, j)] >= 0.0);
            assert!((j + 1..columns).all(|i| r[(i, j)] == 0.0));
        }
    }
    // Columns of any size keep their digits.
    let stacked = numbers.matrix(6, 3);
    let scale = DVector::from_vec(vec![1e-300, 1.0, 1e300]);
    let scaled = triangularize(DMatrix::from_fn(6, 3, |i, j| stacked[(i, j)] * scale[j]));
    let expected = triangularize(stacked);
    for j in 0..3 {
        assert_near_vector(&(scaled.column(j) / scale[j]), &expected.column(j).into_owned(), 1e-14);
    }
    assert_eq!(triangularize(DMatrix::zeros(3, 2)), DMatrix::zeros(2, 2));
    assert!(triangularize(DMatrix::from_row_slice(2, 1, &[0.0, f64::NAN]))[(0, 0)].is_nan());
}
