//! Linear algebra by size, beside nalgebra and faer in the same run, one thread each.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par, Spec};
use posterior::math::linalg::{
    Cholesky, DMatrix, DVector, SymmetricEigen, multiply, multiply_transpose, triangularize,
};

const SIZES: [usize; 9] = [2, 4, 8, 16, 32, 64, 256, 1000, 2000];

/// Positive definite, with a condition of about ten.
fn matrix(n: usize) -> DMatrix<f64> {
    let entry = |i: usize, j: usize| ((i * 7919 + j * 104729) % 1009) as f64 / 504.5 - 1.0;
    let factor = DMatrix::from_fn(n, n, entry);
    multiply_transpose(&factor, &factor) + DMatrix::identity(n, n) * (0.1 * n as f64)
}

fn view(matrix: &DMatrix<f64>) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(matrix.as_slice(), matrix.nrows(), matrix.ncols())
}

fn view_mut(matrix: &mut DMatrix<f64>) -> MatMut<'_, f64> {
    let (rows, columns) = matrix.shape();
    MatMut::from_column_major_slice_mut(matrix.as_mut_slice(), rows, columns)
}

fn faer_factor(mut a: DMatrix<f64>) -> DMatrix<f64> {
    let scratch = cholesky_in_place_scratch::<f64>(a.nrows(), Par::Seq, Spec::default());
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    cholesky_in_place(view_mut(&mut a), LltRegularization::default(), Par::Seq, stack, Spec::default())
        .expect("the matrix is positive definite");
    a
}

fn faer_solve(factor: &DMatrix<f64>, mut b: DMatrix<f64>) -> DMatrix<f64> {
    solve_in_place(view(factor), view_mut(&mut b), Par::Seq, MemStack::new(&mut []));
    b
}

pub(super) fn cholesky(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cholesky");
    for n in SIZES {
        let a = matrix(n);
        group.bench_with_input(BenchmarkId::new("posterior", n), &a, |bencher, a| {
            bencher.iter(|| Cholesky::decompose(black_box(a).clone()));
        });
        group.bench_with_input(BenchmarkId::new("nalgebra", n), &a, |bencher, a| {
            bencher.iter(|| nalgebra::Cholesky::new(black_box(a).clone()));
        });
        group.bench_with_input(BenchmarkId::new("faer", n), &a, |bencher, a| {
            bencher.iter(|| faer_factor(black_box(a).clone()));
        });
    }
    group.finish();
}

/// One right-hand side, and eight.
pub(super) fn solve(criterion: &mut Criterion) {
    for columns in [1, 8] {
        let mut group = criterion.benchmark_group(format!("cholesky_solve_{columns}"));
        for n in SIZES {
            let a = matrix(n);
            let b = DMatrix::from_fn(n, columns, |i, j| (i + j) as f64);
            let ours = Cholesky::new(&a).expect("the matrix is positive definite");
            let peer = nalgebra::Cholesky::new(a).expect("the matrix is positive definite");
            group.bench_function(BenchmarkId::new("posterior", n), |bencher| {
                bencher.iter(|| ours.solve(black_box(&b)));
            });
            group.bench_function(BenchmarkId::new("nalgebra", n), |bencher| {
                bencher.iter(|| peer.solve(black_box(&b)));
            });
            group.bench_function(BenchmarkId::new("faer", n), |bencher| {
                bencher.iter(|| faer_solve(ours.factor(), black_box(&b).clone()));
            });
        }
        group.finish();
    }
}

pub(super) fn product(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("multiply");
    for n in SIZES {
        let a = matrix(n);
        group.bench_function(BenchmarkId::new("posterior", n), |bencher| {
            bencher.iter(|| multiply(black_box(&a), &a));
        });
        group.bench_function(BenchmarkId::new("nalgebra", n), |bencher| bencher.iter(|| black_box(&a) * &a));
        group.bench_function(BenchmarkId::new("faer", n), |bencher| {
            bencher.iter(|| {
                let mut product = DMatrix::zeros(n, n);
                let target = view_mut(&mut product);
                matmul(target, Accum::Replace, view(black_box(&a)), view(&a), 1.0, Par::Seq);
                product
            });
        });
    }
    group.finish();
}

/// What has no peer in faer with the same result, against nalgebra.
pub(super) fn others(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("linalg_others");
    for n in [4, 16, 64, 256] {
        let a = matrix(n);
        let v = DVector::from_fn(n, |i, _| (i % 5) as f64);
        let ours = Cholesky::new(&a).expect("the matrix is positive definite");
        let peer = nalgebra::Cholesky::new(a.clone()).expect("the matrix is positive definite");
        group.bench_function(BenchmarkId::new("inverse", n), |bencher| {
            bencher.iter(|| black_box(&ours).inverse());
        });
        group.bench_function(BenchmarkId::new("inverse, nalgebra", n), |bencher| {
            bencher.iter(|| black_box(&peer).inverse());
        });
        group.bench_function(BenchmarkId::new("rank-one update", n), |bencher| {
            bencher.iter(|| {
                let mut factor = black_box(&ours).clone();
                factor.rank_one_update(&v).map(|()| factor)
            });
        });
        group.bench_function(BenchmarkId::new("rank-one update, nalgebra", n), |bencher| {
            bencher.iter(|| {
                let mut factor = black_box(&peer).clone();
                factor.rank_one_update(&v, 1.0);
                factor
            });
        });
        group.bench_function(BenchmarkId::new("triangularize", n), |bencher| {
            bencher.iter(|| triangularize(black_box(&a).clone()));
        });
        group.bench_function(BenchmarkId::new("triangularize, nalgebra", n), |bencher| {
            bencher.iter(|| black_box(&a).clone().qr().unpack_r());
        });
        group.bench_function(BenchmarkId::new("eigen", n), |bencher| {
            bencher.iter(|| SymmetricEigen::new(black_box(&a)));
        });
        group.bench_function(BenchmarkId::new("eigen, nalgebra", n), |bencher| {
            bencher.iter(|| nalgebra::SymmetricEigen::new(black_box(&a).clone()));
        });
    }
    group.finish();
}
