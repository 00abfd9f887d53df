//! Automatic differentiation: forward = reverse = central difference, for functions and through matrices.

#![expect(clippy::needless_range_loop, reason = "the number is that of several arrays")]

use posterior_math::autodiff::{
    Dual, Elementary, Real, Tape, Var, VarMatrix, cholesky_adjoint, cholesky_differential, gradient,
    gradient_forward, hessian_vector, ln_determinant_adjoint, solve_adjoint,
};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::optimize::gradient_check;
use posterior_testkit::accuracy::assert_close;
use proptest::prelude::*;

/// Something of everything, of four positive variables.
fn mixture<R: Real>(x: &[R]) -> R {
    let mut sum = R::constant(0.5);
    sum += (x[0] * x[1] - 1.0).tanh() / (x[2] + 2.0);
    sum += (x[0] + x[3]).ln_gamma() - x[0].ln_gamma() - x[3].digamma() * 0.1;
    sum += (x[1] - x[2] * 3.0).ln_logistic() + (x[1] / x[0]).logistic() * x[2].sqrt();
    sum += (-(x[2] * x[2]) * 0.3).exp() * x[3].sin() + (x[0] - x[1]).cos().atan();
    sum += (x[3] * 0.01).exp_m1() * x[2].ln_1p() + x[1].powf(1.7) - x[2].powi(-2).ln();
    let parts = x.iter().map(|&x| (x - 20.0).abs().recip());
    sum += x[1].normal_cdf() - (x[2] - 4.0).ln_normal_cdf();
    sum - parts.sum::<R>() + (x[0] * 2.0 - 3.0).ln_1p_exp()
}

#[test]
fn one_function_gives_every_derivative() {
    let x = [0.7, 1.9, 0.4, 2.3];
    let mut reverse = [0.0; 4];
    let value = gradient(|x| mixture(x), &x, &mut reverse);
    assert_close(value, mixture(&x), 1e-15);
    let (mut one, mut three) = ([0.0; 4], [0.0; 4]);
    gradient_forward::<1>(mixture, &x, &mut one);
    gradient_forward::<3>(mixture, &x, &mut three);
    for i in 0..4 {
        assert_close(reverse[i], one[i], 1e-13);
        assert_eq!(one[i], three[i]);
    }
    let check = gradient_check(|x: &[f64], slope: &mut [f64]| gradient(|x| mixture(x), x, slope), &x);
    assert!(check.error < 1e-9, "{check:?}");
}

#[test]
fn every_elementary_function_has_its_derivative() {
    let all = [
        Elementary::Exp,
        Elementary::ExpM1,
        Elementary::Ln,
        Elementary::Ln1p,
        Elementary::Sqrt,
        Elementary::Sin,
        Elementary::Cos,
        Elementary::Tanh,
        Elementary::Atan,
        Elementary::Abs,
        Elementary::Powi(0),
        Elementary::Powi(5),
        Elementary::Powi(-3),
        Elementary::Powf(2.5),
        Elementary::Logistic,
        Elementary::Ln1pExp,
        Elementary::LnGamma,
        Elementary::Polygamma(0),
        Elementary::Polygamma(1),
        Elementary::Polygamma(2),
        Elementary::Polygamma(3),
        Elementary::NormalCdf,
        Elementary::LnNormalCdf,
        Elementary::InverseMills,
    ];
    for f in all {
        for x in [0.3, 0.9, 1.4616, 2.5, 7.0] {
            // Both derivatives by nested dual numbers, against central differences of the value and of the
            // first.
            let nested = Dual::<1, Dual<1>>::variable(Dual::variable(x, 0), 0).apply(f);
            let first = |x: f64| Dual::<1>::variable(x, 0).apply(f).derivatives()[0];
            let h = 6e-6;
            let size = f.of(x).abs() / x + first(x).abs() / x + 1.0;
            let slope = (f.of(x + h) - f.of(x - h)) / (2.0 * h);
            let bend = (first(x + h) - first(x - h)) / (2.0 * h);
            assert!(
                (nested.derivatives()[0].inner() - slope).abs() < 1e-7 * size.max(slope.abs()),
                "{f:?} {x}"
            );
            let second = nested.derivatives()[0].derivatives()[0];
            assert!((second - bend).abs() < 1e-7 * size.max(bend.abs()), "{f:?} {x}: {second} {bend}");
            assert_eq!(nested.inner().derivatives()[0], first(x));
        }
    }
}

#[test]
fn edges() {
    let mut slope = [f64::NAN; 2];
    assert_eq!(gradient(|_| Real::constant(3.0), &[1.0, 2.0], &mut slope), 3.0);
    assert_eq!(slope, [0.0, 0.0]);
    assert_eq!(gradient(|x| x[1], &[1.0, 2.0], &mut slope), 2.0);
    assert_eq!(slope, [0.0, 1.0]);
    assert_eq!(gradient(|_| Real::constant(3.0), &[], &mut []), 3.0);
    assert_eq!(gradient_forward::<2>(|_| Real::constant(3.0), &[], &mut []), 3.0);
    gradient(|x| x[0].powi(0) + x[1].powi(2), &[0.0, 0.0], &mut slope);
    assert_eq!(slope, [0.0, 0.0]);
    gradient(|x| 1.0 / x[0] + (2.0 - x[1]) * 2.0 / 4.0, &[2.0, 0.0], &mut slope);
    assert_eq!(slope, [-0.25, -0.5]);
}

fn long_sum<'t>(x: &[Var<'t>]) -> Var<'t> {
    let mut sum = x[0];
    for _ in 0..1000 {
        sum += x[0] * x[0];
    }
    sum
}

#[test]
fn memory_is_bounded_and_kept() {
    let mut slope = [0.0];
    let mut small = Tape::with_limit(1500);
    assert!(small.gradient(long_sum, &[1.0], &mut slope).is_nan() && slope[0].is_nan());
    assert_eq!(small.len(), 1500);
    assert_eq!(small.gradient(|x| x[0] * x[0], &[3.0], &mut slope), 9.0);
    assert_eq!((slope, small.len()), ([6.0], 2));
    assert_eq!(Tape::new().gradient(long_sum, &[1.0], &mut slope), 1001.0);
    assert_eq!(slope, [2001.0]);
    // What overflows and is dropped does not matter less: the tape is full.
    let dropped = Tape::with_limit(3).gradient(
        |x| {
            let _ = x[0] * x[0] * x[0] * x[0];
            x[0]
        },
        &[1.0],
        &mut slope,
    );
    assert!(dropped.is_nan());
}

/// A positive definite matrix and a symmetric direction from uniform numbers.
fn matrices(entries: &[f64], n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let a = DMatrix::from_column_slice(n, n, &entries[..n * n]);
    let b = DMatrix::from_column_slice(n, n, &entries[n * n..2 * n * n]);
    (&a * a.transpose() + DMatrix::identity(n, n), &b + b.transpose())
}

fn factor(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    matrix.clone().cholesky().expect("positive definite").l()
}

proptest! {
    #[test]
    fn forward_reverse_and_differences_agree(x in prop::array::uniform4(0.2..5.0_f64), v in prop::array::uniform4(-1.0..1.0_f64)) {
        let (mut reverse, mut forward, mut again, mut product) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        gradient(|x| mixture(x), &x, &mut reverse);
        gradient_forward::<4>(mixture, &x, &mut forward);
        hessian_vector(|x| mixture(x), &x, &v, &mut again, &mut product);
        let size = reverse.iter().fold(1.0_f64, |m, g| m.max(g.abs()));
        for i in 0..4 {
            prop_assert!((reverse[i] - forward[i]).abs() <= 1e-14 * size);
            prop_assert!((reverse[i] - again[i]).abs() <= 1e-14 * size);
        }
        let h = 6e-6;
        let at = |sign: f64| {
            let mut slope = [0.0; 4];
            let moved: [f64; 4] = std::array::from_fn(|i| x[i] + sign * h * v[i]);
            gradient(|x| mixture(x), &moved, &mut slope);
            slope
        };
        let (above, below) = (at(1.0), at(-1.0));
        let size = product.iter().fold(size, |m, g| m.max(g.abs()));
        for i in 0..4 {
            prop_assert!((product[i] - (above[i] - below[i]) / (2.0 * h)).abs() < 1e-7 * size);
        }
    }

    #[test]
    fn adjoints_and_differentials_of_the_cholesky_factor_agree(
        n in 1_usize..6, entries in prop::collection::vec(-1.0..1.0_f64, 100),
    ) {
        let (matrix, change) = matrices(&entries, n);
        let weights = DMatrix::from_column_slice(n, n, &entries[50..50 + n * n]).lower_triangle();
        let l = factor(&matrix);
        let moved = cholesky_differential(&l, &change);
        let h = 1e-6;
        let numeric = (factor(&(&matrix + &change * h)) - factor(&(&matrix - &change * h))) / (2.0 * h);
        prop_assert!((&moved - numeric).amax() < 1e-8);
        // <L̄, dL> = <Ā, dA>
        let adjoint = cholesky_adjoint(&l, &weights);
        prop_assert!((weights.dot(&moved) - adjoint.dot(&change)).abs() < 1e-12 * n as f64);
        prop_assert_eq!(&adjoint, &adjoint.transpose());
    }

    #[test]
    fn adjoints_of_solutions_and_determinants_are_right(
        n in 1_usize..6, entries in prop::collection::vec(-1.0..1.0_f64, 100),
    ) {
        let (matrix, change) = matrices(&entries, n);
        let b = DVector::from_column_slice(&entries[60..60 + n]);
        let weights = DVector::from_column_slice(&entries[80..80 + n]);
        let db = DVector::from_column_slice(&entries[90..90 + n]);
        let l = factor(&matrix);
        let solve = |m: &DMatrix<f64>, b: &DVector<f64>| m.clone().cholesky().expect("positive definite").solve(b);
        let (b_adjoint, matrix_adjoint) = solve_adjoint(&l, &solve(&matrix, &b), &weights);
        let h = 1e-6;
        let at = |h: f64| weights.dot(&solve(&(&matrix + &change * h), &(&b + &db * h)));
        let numeric = (at(h) - at(-h)) / (2.0 * h);
        prop_assert!((b_adjoint.dot(&db) + matrix_adjoint.dot(&change) - numeric).abs() < 1e-8);
        let ln_determinant = |h: f64| 2.0 * factor(&(&matrix + &change * h)).diagonal().map(f64::ln).sum();
        let numeric = (ln_determinant(h) - ln_determinant(-h)) / (2.0 * h);
        prop_assert!((ln_determinant_adjoint(&l, 1.0).dot(&change) - numeric).abs() < 1e-8);
    }
}

#[test]
fn a_singular_factor_gives_nan() {
    let singular = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 1.0, 0.0]);
    assert!(cholesky_adjoint(&singular, &singular)[(0, 0)].is_nan());
    assert!(ln_determinant_adjoint(&singular, 1.0)[(0, 0)].is_nan());
    assert_eq!(cholesky_adjoint(&DMatrix::zeros(0, 0), &DMatrix::zeros(0, 0)), DMatrix::zeros(0, 0));
}

/// The lower factor of a matrix, entry by entry: the oracle of the nodes of the tape.
fn entry_by_entry<R: Real>(n: usize, a: impl Fn(usize, usize) -> R) -> Vec<Vec<R>> {
    let mut l = vec![vec![R::constant(0.0); n]; n];
    for j in 0..n {
        for i in j..n {
            let rest = a(i, j) - (0..j).map(|k| l[i][k] * l[j][k]).sum::<R>();
            l[i][j] = if i == j { rest.sqrt() } else { rest / l[j][j] };
        }
    }
    l
}

const PLACES: [f64; 5] = [-1.3, -0.4, 0.1, 0.9, 2.2];
const OUTPUTS: [f64; 5] = [0.3, -0.8, 1.1, 0.4, -0.2];

/// The covariances of a Gaussian process: variance, length and noise by their logarithms.
fn covariance<R: Real>(x: &[R], i: usize, j: usize) -> R {
    let scaled = x[1].exp().recip() * (PLACES[i] - PLACES[j]);
    let smooth = x[0].exp() * (scaled * scaled * -0.5).exp();
    if i == j { smooth + x[2].exp() } else { smooth }
}

/// ln p(y) of that process but for its constant, and something of the entries of the factor beside it.
fn evidence<R: Real>(x: &[R]) -> R {
    let l = entry_by_entry(5, |i, j| covariance(x, i, j));
    let mut white: Vec<R> = Vec::new();
    for i in 0..5 {
        let rest = (0..i).map(|k| l[i][k] * white[k]).sum::<R>();
        white.push((R::constant(OUTPUTS[i]) - rest) / l[i][i]);
    }
    let squares: R = white.iter().map(|&w| w * w).sum();
    let ln_pivots: R = (0..5).map(|i| l[i][i].ln()).sum();
    squares * -0.5 - ln_pivots + l[4][1] * l[2][0].sin()
}

fn evidence_of_matrices<'t>(x: &[Var<'t>]) -> Var<'t> {
    let matrix = VarMatrix::from_fn(5, 5, |i, j| covariance(x, i, j));
    let outputs = VarMatrix::constant(&DMatrix::from_column_slice(5, 1, &OUTPUTS));
    let squares = outputs.transpose().product(&matrix.solve(&outputs)).at(0, 0);
    let l = matrix.cholesky();
    squares * -0.5 - matrix.ln_determinant() * 0.5 + l.at(4, 1) * l.at(2, 0).sin()
}

#[test]
fn matrices_on_the_tape_are_as_their_entries() {
    let x = [0.3, -0.2, -1.5];
    let (mut exact, mut nodes, mut entries) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let value = gradient_forward::<3>(evidence, &x, &mut exact);
    let mut tape = Tape::new();
    assert_close(tape.gradient(evidence_of_matrices, &x, &mut nodes), value, 1e-14);
    let short = tape.len();
    assert_close(tape.gradient(|x| evidence(x), &x, &mut entries), value, 1e-14);
    for i in 0..3 {
        assert_close(nodes[i], exact[i], 1e-12);
        assert_close(entries[i], exact[i], 1e-12);
    }
    // Four differences of doubled widths, extrapolated: the error goes with the eighth power of the width.
    for i in 0..3 {
        let slope = |h: f64| {
            let at = |sign: f64| {
                evidence(&std::array::from_fn::<f64, 3, _>(|k| if k == i { x[k] + sign * h } else { x[k] }))
            };
            (at(1.0) - at(-1.0)) / (2.0 * h)
        };
        let mut table: Vec<f64> = (0..4).map(|k| slope(0.04 / f64::from(1 << k))).collect();
        for order in 1..4 {
            let power = 4_f64.powi(order);
            table = table.windows(2).map(|two| (power * two[1] - two[0]) / (power - 1.0)).collect();
        }
        assert!((nodes[i] - table[0]).abs() < 1e-11, "{} {}", nodes[i], table[0]);
    }
    // An operation takes a place for each of its entries: no more than the covariances, 2 x 25 + 5 + 3 more.
    let of_covariances = {
        tape.gradient(|x| VarMatrix::from_fn(5, 5, |i, j| covariance(x, i, j)).at(0, 0), &x, &mut [0.0; 3]);
        tape.len()
    };
    assert!(short <= of_covariances + 50, "{short} {of_covariances}");
}

#[test]
fn known_adjoints_of_matrices() {
    let mut slope = [0.0; 3];
    // det [[a, b], [b, c]] = ac - b^2.
    let value = gradient(
        |x| VarMatrix::from_fn(2, 2, |i, j| x[i + j]).ln_determinant(),
        &[2.0, 0.5, 3.0],
        &mut slope,
    );
    assert_close(value, 5.75_f64.ln(), 1e-15);
    for (found, by_hand) in slope.iter().zip([3.0 / 5.75, -1.0 / 5.75, 2.0 / 5.75]) {
        assert_close(*found, by_hand, 1e-14);
    }
    // L_11 = sqrt(c - b^2 / a).
    gradient(|x| VarMatrix::from_fn(2, 2, |i, j| x[i + j]).cholesky().at(1, 1), &[2.0, 0.5, 3.0], &mut slope);
    let pivot = 2.875_f64.sqrt();
    for (found, by_hand) in slope.iter().zip([0.0625 / (2.0 * pivot), -0.25 / pivot, 0.5 / pivot]) {
        assert_close(*found, by_hand, 1e-14);
    }
    // The first entry of A^-1 (1, 2): (c - 2 b) / (ac - b^2).
    gradient(
        |x| {
            let right = VarMatrix::constant(&DMatrix::from_column_slice(2, 1, &[1.0, 2.0]));
            VarMatrix::from_fn(2, 2, |i, j| x[i + j]).solve(&right).at(0, 0)
        },
        &[2.0, 0.5, 3.0],
        &mut slope,
    );
    let (det, above) = (5.75, 2.0);
    for (found, by_hand) in slope.iter().zip([
        -above * 3.0 / (det * det),
        -2.0 / det + above / (det * det),
        1.0 / det - above * 2.0 / (det * det),
    ]) {
        assert_close(*found, by_hand, 1e-13);
    }
}

#[test]
fn operations_of_ones_own_and_matrices_without_factor() {
    // What depends on nothing has no place on the tape; an operation without results neither.
    assert_eq!(Var::<f64>::custom(&[], &[2.0], |_, _| ())[0].inner(), 2.0);
    let mut slope = [0.0; 2];
    gradient(
        |x| {
            assert!(Var::custom(x, &[], |_, _| ()).is_empty());
            // (x + y, x y), of which both are used, one of them twice.
            let (a, b) = (x[0].inner(), x[1].inner());
            let two = Var::custom(x, &[a + b, a * b], move |results, arguments| {
                arguments[0] = results[0] + b * results[1];
                arguments[1] = results[0] + a * results[1];
            });
            two[0] * two[1] + two[1]
        },
        &[2.0, 3.0],
        &mut slope,
    );
    // (x + y) x y + x y: by x (2 x + y + 1) y, by y (x + 2 y + 1) x.
    assert_eq!(slope, [24.0, 18.0]);
    // Second derivatives go through operations of dual numbers.
    let (mut first, mut product) = ([0.0; 1], [0.0; 1]);
    hessian_vector(
        |x| {
            let own = x[0].inner();
            let cube = Var::custom(x, &[own * own * own], move |results, arguments| {
                arguments[0] = results[0] * own * own * 3.0;
            });
            cube[0]
        },
        &[2.0],
        &[1.0],
        &mut first,
        &mut product,
    );
    assert_eq!((first, product), ([12.0], [12.0]));
    let value = gradient(
        |x| VarMatrix::from_fn(2, 2, |i, j| x[i + j]).ln_determinant(),
        &[1.0, 2.0, 1.0],
        &mut [0.0; 3],
    );
    assert!(value.is_nan());
    let mut small = Tape::with_limit(6);
    assert!(
        small
            .gradient(
                |x| VarMatrix::from_fn(2, 2, |i, j| x[i + j]).cholesky().at(0, 0),
                &[2.0, 0.5, 3.0],
                &mut [0.0; 3]
            )
            .is_nan()
    );
}

#[test]
fn sums_of_exponentials_have_the_proportions_of_their_terms_as_derivatives() {
    use posterior_math::autodiff::ln_sum_exp;
    use posterior_math::log_space;

    for terms in
        [[-700.0, 2.0, 1.0], [1e300, -3.0, 5.0], [-745.0, -750.0, -746.0], [0.5, 0.5, f64::NEG_INFINITY]]
    {
        let mut slope = [0.0; 3];
        let value = gradient(|x| ln_sum_exp(x), &terms, &mut slope);
        assert_eq!(value, log_space::ln_sum_exp(&terms));
        let mut proportions = terms;
        log_space::softmax_in_place(&mut proportions);
        for (slope, proportion) in slope.iter().zip(&proportions) {
            assert!((slope - proportion).abs() < 1e-15, "{terms:?}: {slope}");
        }
    }
    assert_eq!(ln_sum_exp::<f64>(&[]), f64::NEG_INFINITY);
    assert_eq!(ln_sum_exp(&[1.0, f64::INFINITY]), f64::INFINITY);
    assert!(ln_sum_exp(&[1.0, f64::NAN]).is_nan());
}
