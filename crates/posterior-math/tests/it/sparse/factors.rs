//! Factors, solutions, determinants, draws and selected inverses.

use std::sync::Arc;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};
use posterior_math::sparse::{Ordering, SparseCholesky, SparseLdlt, SparseSymbolic, SparseSymmetric};
use proptest::prelude::*;

use super::{grid, orderings, positive_definite, scaled_difference};

/// A⁻¹ as far as a factor has it, and zeros elsewhere, with the dense inverse there too.
fn selected(factor: &SparseCholesky, inverse: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = factor.size();
    let selected = factor.selected_inverse();
    let known = |i: usize, j: usize| selected.entry(i, j);
    let own = DMatrix::from_fn(n, n, |i, j| known(i, j).unwrap_or(0.0));
    let theirs = DMatrix::from_fn(n, n, |i, j| if known(i, j).is_some() { inverse[(i, j)] } else { 0.0 });
    (own, theirs)
}

fn check(a: &SparseSymmetric, ordering: &Ordering) {
    let n = a.size();
    let dense = Cholesky::new(&a.to_dense()).unwrap();
    let factor = SparseCholesky::new(a, ordering).unwrap();
    let difference = factor.ln_determinant() - dense.ln_determinant();
    assert!(difference.abs() < 1e-11 * (n as f64 + dense.ln_determinant().abs()), "{difference}");
    let inverse = dense.inverse();
    let solved = factor.solve(&DMatrix::identity(n, n));
    assert!(scaled_difference(&solved, &inverse) < 1e-11, "solutions");
    let (own, theirs) = selected(&factor, &inverse);
    assert!(scaled_difference(&own, &theirs) < 1e-11, "selected inverse");
    let entries = factor.selected_inverse();
    assert!(a.triplets().all(|(i, j, _)| entries.entry(i, j).is_some()));
    // L⁻ᵀ of unit vectors: their outer products add up to the inverse.
    let mut sum = DMatrix::zeros(n, n);
    for i in 0..n {
        let mut unit = vec![0.0; n];
        unit[i] = 1.0;
        factor.half_solve_transpose_slice_in_place(&mut unit);
        let unit = DVector::from_vec(unit);
        sum += &unit * unit.transpose();
    }
    assert!(scaled_difference(&sum, &inverse) < 1e-11, "draws");
    // All columns of L⁻¹ side by side, and a few one by one.
    for count in [n, n.min(3)] {
        let half = factor.half_solve(&DMatrix::identity(n, count));
        let corner = inverse.view((0, 0), (count, count)).into_owned();
        assert!(scaled_difference(&(half.transpose() * &half), &corner) < 1e-11, "halves of solutions");
    }
    check_depths(a, &factor, &inverse);
}

/// One product for each depth of the tree shows all entries of the matrix, and one vector for each depth adds
/// up to the inverse where the matrix has entries.
fn check_depths(a: &SparseSymmetric, factor: &SparseCholesky, inverse: &DMatrix<f64>) {
    let n = a.size();
    let depths = factor.symbolic().depths();
    let indicator = |rows: &Vec<usize>| (0..n).map(|i| f64::from(u8::from(rows.contains(&i)))).collect();
    let indicators: Vec<Vec<f64>> = depths.iter().map(indicator).collect();
    let products: Vec<Vec<f64>> = indicators.iter().map(|own| a.multiply_slice(own)).collect();
    let vectors = indicators.iter().map(|own| {
        let mut vector: Vec<f64> = factor.symbolic().order().map(|i| own[i]).collect();
        factor.half_solve_transpose_slice_in_place(&mut vector);
        vector
    });
    let vectors: Vec<Vec<f64>> = vectors.collect();
    for (i, j, value) in a.triplets() {
        let depth = |i: usize| indicators.iter().position(|own| own[i] == 1.0).unwrap();
        let (shallow, deep) = if depth(i) <= depth(j) { (i, j) } else { (j, i) };
        let read = products[depth(shallow)][deep];
        assert!((read - value).abs() <= 1e-13 * value.abs(), "entry {i}, {j}");
        let sum: f64 = vectors.iter().map(|vector| vector[i] * vector[j]).sum();
        let scale = (inverse[(i, i)] * inverse[(j, j)]).sqrt();
        assert!((sum - inverse[(i, j)]).abs() < 1e-11 * scale, "inverse {i}, {j}");
    }
}

proptest! {
    #[test]
    fn a_sparse_factor_says_what_a_dense_one_says(a in positive_definite()) {
        for ordering in orderings(a.size()) {
            check(&a, &ordering);
        }
    }

    #[test]
    fn signs_change_nothing_else(a in positive_definite(), flips in any::<u64>()) {
        // S A S' with a quasi-definite pattern: [[H, B'], [B, -C]].
        let n = a.size();
        let sign = |i: usize| if flips >> (i % 64) & 1 == 1 { -1.0 } else { 1.0 };
        let flipped = a.triplets().map(|(i, j, value)| {
            (i, j, if sign(i) == sign(j) { value * sign(i) } else { value })
        });
        let a = SparseSymmetric::from_triplets(n, flipped).unwrap();
        let lu = a.to_dense().lu();
        let inverse = lu.clone().try_inverse().unwrap();
        for ordering in orderings(n) {
            let factor = SparseLdlt::new(&a, &ordering).unwrap();
            prop_assert_eq!(factor.negative_pivots(), (0..n).filter(|&i| sign(i) < 0.0).count());
            let solved = factor.solve(&DMatrix::identity(n, n));
            prop_assert!(scaled_difference(&solved, &inverse) < 1e-10);
            let selected = factor.selected_inverse().diagonal();
            for (i, entry) in selected.iter().enumerate() {
                prop_assert!((entry - inverse[(i, i)]).abs() < 1e-10 * inverse[(i, i)].abs());
            }
            let (ln, sign_of_all) = factor.ln_determinant();
            let pivots: f64 = lu.u().diagonal().iter().map(|pivot| pivot.abs().ln()).sum();
            prop_assert!((ln - pivots).abs() < 1e-10 * (1.0 + pivots.abs()));
            let odd = factor.negative_pivots() % 2 == 1;
            prop_assert_eq!(sign_of_all, if odd { -1.0 } else { 1.0 });
        }
    }
}

#[test]
fn grids_of_all_sizes_agree_with_dense_factors() {
    for shape in [vec![1], vec![2], vec![300], vec![7, 9], vec![25, 24], vec![1, 31], vec![7, 8, 9]] {
        let (a, points) = grid(&shape, 0.05);
        check(&a, &Ordering::MinimumDegree);
        check(&a, &Ordering::Dissection(points));
        check(&a, &Ordering::Natural);
    }
}

#[test]
fn the_determinant_of_a_large_grid_is_a_product_of_cosines() {
    let (rows, columns, shift) = (60, 75, 0.01);
    let (a, points) = grid(&[rows, columns], shift);
    let wave = |k: usize, n: usize| 2.0 - 2.0 * (std::f64::consts::PI * k as f64 / n as f64).cos();
    let exact: f64 = (0..rows)
        .flat_map(|i| (0..columns).map(move |j| (wave(i, rows) + wave(j, columns) + shift).ln()))
        .sum();
    for ordering in [Ordering::MinimumDegree, Ordering::Dissection(points), Ordering::Natural] {
        let factor = SparseCholesky::new(&a, &ordering).unwrap();
        assert!((factor.ln_determinant() - exact).abs() < 1e-11 * exact, "{}", factor.ln_determinant());
        // The trace of the identity, as A⁻¹ A.
        let trace = factor.selected_inverse().trace_of_product(&a).unwrap();
        assert!((trace - 4500.0).abs() < 1e-8, "{trace}");
    }
}

#[test]
fn fill_is_that_of_good_orders() {
    // The natural order of a 50 x 50 grid fills the band: 50 entries in nearly each column.
    let (a, points) = grid(&[50, 50], 0.1);
    let entries = |ordering: &Ordering| SparseSymbolic::new(&a, ordering).unwrap().factor_entries();
    assert!(entries(&Ordering::Natural) > 120_000);
    assert!(entries(&Ordering::MinimumDegree) < 40_000, "{}", entries(&Ordering::MinimumDegree));
    assert!(entries(&Ordering::Dissection(points)) < 52_000);
    // A star has no fill if its centre comes last.
    let star = SparseSymmetric::from_triplets(2000, (1..2000).map(|i| (i, 0, 1.0))).unwrap();
    assert_eq!(SparseSymbolic::new(&star, &Ordering::MinimumDegree).unwrap().factor_entries(), 3999);
    // A tree has none at all.
    let tree = SparseSymmetric::from_triplets(1000, (1..1000).map(|i| (i, (i - 1) / 3, 1.0))).unwrap();
    assert_eq!(SparseSymbolic::new(&tree, &Ordering::MinimumDegree).unwrap().factor_entries(), 1999);
}

#[test]
fn one_analysis_serves_all_matrices_with_the_pattern() {
    let (a, points) = grid(&[12, 13], 0.5);
    let symbolic = Arc::new(SparseSymbolic::new(&a, &Ordering::Dissection(points)).unwrap());
    for shift in [0.5, 1.0, 20.0] {
        let (a, _) = grid(&[12, 13], shift);
        let factor = SparseCholesky::with_symbolic(&symbolic, &a).unwrap();
        let dense = Cholesky::new(&a.to_dense()).unwrap();
        assert!((factor.ln_determinant() - dense.ln_determinant()).abs() < 1e-11);
    }
    let (other, _) = grid(&[13, 12], 0.5);
    assert_eq!(SparseCholesky::with_symbolic(&symbolic, &other).err(), Some(MatrixError::OtherPattern));
}

/// Factors and inverses large enough that their memory serves again have the bits of the first ones.
#[test]
fn memory_that_serves_again_leaves_no_trace() {
    let (a, _) = grid(&[90, 90], 0.1);
    let symbolic = Arc::new(SparseSymbolic::new(&a, &Ordering::MinimumDegree).unwrap());
    assert!(symbolic.held_values() > 1 << 16);
    let both = |a: &SparseSymmetric| {
        let factor = SparseCholesky::with_symbolic(&symbolic, a).unwrap();
        (factor.ln_determinant(), factor.selected_inverse().stored_entries())
    };
    let first = both(&a);
    let other = both(&a.scaled(3.0).unwrap());
    assert_ne!(first.0, other.0);
    assert_eq!(both(&a), first);
    assert_eq!(both(&a), first);
}

#[test]
fn a_dense_row_comes_last_and_a_dense_matrix_is_one_panel() {
    let n = 400;
    let row = (0..n).map(|i| (n - 1, i, 0.01)).chain((0..n).map(|i| (i, i, 2.0)));
    let a = SparseSymmetric::from_triplets(n, row).unwrap();
    assert_eq!(SparseSymbolic::new(&a, &Ordering::MinimumDegree).unwrap().factor_entries(), 2 * n - 1);
    check(&a, &Ordering::MinimumDegree);
    let full = DMatrix::from_fn(150, 150, |i, j| 1.0 / (1.0 + i.abs_diff(j) as f64));
    check(&SparseSymmetric::from_lower_triangle(&full).unwrap(), &Ordering::MinimumDegree);
}

#[test]
fn disconnected_parts_and_small_matrices_are_legal() {
    let empty = SparseSymmetric::from_triplets(0, []).unwrap();
    let factor = SparseCholesky::new(&empty, &Ordering::MinimumDegree).unwrap();
    assert_eq!(factor.ln_determinant(), 0.0);
    assert!(factor.selected_inverse().diagonal().is_empty());
    factor.solve_slice_in_place(&mut []);
    assert_eq!(factor.solve(&DMatrix::zeros(0, 2)).shape(), (0, 2));

    let one = SparseSymmetric::from_diagonal(&[4.0]).unwrap();
    let factor = SparseCholesky::new(&one, &Ordering::MinimumDegree).unwrap();
    assert_eq!(factor.ln_determinant(), 4.0_f64.ln());
    assert_eq!(factor.selected_inverse().diagonal(), [0.25]);

    let (part, _) = grid(&[4, 5], 0.3);
    let mut triplets: Vec<_> = part.triplets().collect();
    triplets.extend(part.triplets().map(|(i, j, value)| (i + 30, j + 30, value)));
    triplets.extend((20..30).map(|i| (i, i, 1e-3)));
    check(&SparseSymmetric::from_triplets(50, triplets).unwrap(), &Ordering::MinimumDegree);
}

#[test]
fn units_do_not_matter() {
    // A chain whose coordinates are measured in units from 1e-150 to 1e150.
    let n = 31;
    let unit = |i: usize| 10_f64.powf(5.0 * i as f64 - 75.0);
    let chain = |scaled: bool| {
        let unit = move |i: usize| if scaled { unit(i) } else { 1.0 };
        let entries = (0..n).map(move |i| (i, i, 2.5 * unit(i) * unit(i)));
        let pairs = (1..n).map(move |i| (i, i - 1, -unit(i) * unit(i - 1)));
        SparseSymmetric::from_triplets(n, entries.chain(pairs)).unwrap()
    };
    for ordering in orderings(n) {
        let plain = SparseCholesky::new(&chain(false), &ordering).unwrap().selected_inverse().diagonal();
        let scaled = SparseCholesky::new(&chain(true), &ordering).unwrap().selected_inverse().diagonal();
        for i in 0..n {
            let ratio = scaled[i] * unit(i) * unit(i) / plain[i];
            assert!((ratio - 1.0).abs() < 1e-13, "{i}: {ratio}");
        }
    }
}

#[test]
fn an_ill_conditioned_band_is_solved_to_its_condition() {
    // Hilbert's matrix of five rows in blocks along the diagonal, which overlap in one row.
    let hilbert = |begin: usize| {
        (0..5).flat_map(move |i| (0..=i).map(move |j| (begin + i, begin + j, 1.0 / (i + j + 1) as f64)))
    };
    let a = SparseSymmetric::from_triplets(41, (0..10).flat_map(|block| hilbert(4 * block))).unwrap();
    let dense = Cholesky::new(&a.to_dense()).unwrap();
    let condition = dense.condition_estimate();
    assert!(condition > 1e5);
    let x: Vec<f64> = (0..41).map(|i| 1.0 + f64::from(i)).collect();
    for ordering in orderings(41) {
        let mut b = a.multiply_slice(&x);
        SparseCholesky::new(&a, &ordering).unwrap().solve_slice_in_place(&mut b);
        let worst = b.iter().zip(&x).map(|(own, x)| (own - x).abs()).fold(0.0, f64::max);
        assert!(worst < 41.0 * condition * f64::EPSILON, "{worst}");
    }
}

#[test]
fn draws_have_the_covariance_of_the_precision() {
    // 20,000 draws by a fixed sequence of normal numbers; 210 covariances within 4.5 standard errors: one
    // false alarm in 700 sequences.
    let (a, _) = grid(&[4, 5], 0.4);
    let factor = SparseCholesky::new(&a, &Ordering::MinimumDegree).unwrap();
    let inverse = Cholesky::new(&a.to_dense()).unwrap().inverse();
    let draws = 20_000;
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut sum = DMatrix::zeros(20, 20);
    for _ in 0..draws {
        let mut e: Vec<f64> = (0..20).map(|_| posterior_math::special::normal_quantile(uniform())).collect();
        factor.half_solve_transpose_slice_in_place(&mut e);
        let e = DVector::from_vec(e);
        sum += &e * e.transpose();
    }
    for i in 0..20 {
        for j in 0..=i {
            let variance = inverse[(i, i)] * inverse[(j, j)] + inverse[(i, j)].powi(2);
            let error =
                (sum[(i, j)] / f64::from(draws) - inverse[(i, j)]) / (variance / f64::from(draws)).sqrt();
            assert!(error.abs() < 4.5, "({i}, {j}): {error} standard errors");
        }
    }
}
