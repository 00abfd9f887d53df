//! Densities, constraints, conditionals and marginals against dense matrices.

use posterior_dist::{Density, Entropy, Mode, stream::stream};
use posterior_gaussian::{Gaussian, GaussianMarkovField, LinearGaussian};
use posterior_math::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::sparse::{SparseMatrix, SparseSymmetric};
use rand::RngExt;
use rand::distr::Distribution;

use super::{ORDER, close, covariance, random_precision, singular_ln_pdf};

/// A random field and the same distribution, dense.
fn both(n: usize, seed: u64) -> (GaussianMarkovField, Gaussian) {
    let mut rng = stream(seed, &[]);
    let precision = random_precision(n, &mut rng);
    let mean: Vec<f64> = (0..n).map(|_| rng.random_range(-2.0..2.0)).collect();
    let dense = Gaussian::from_precision(&mean, &precision.to_dense()).expect("positive definite");
    (GaussianMarkovField::new(&mean, precision, &ORDER).expect("positive definite"), dense)
}

fn constraint(n: usize, seed: u64) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = stream(seed, &[1]);
    (DMatrix::from_fn(3, n, |_, _| rng.random_range(-1.0..1.0)), vec![1.0, -0.5, 2.0])
}

#[test]
fn a_field_is_the_gaussian_with_its_precision() {
    for seed in 0..20 {
        let n = 1 + 2 * seed as usize;
        let (field, dense) = both(n, seed);
        let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        assert!((field.ln_pdf(&x) - dense.ln_pdf(&x)).abs() < 1e-9 * dense.ln_pdf(&x).abs());
        assert!((field.entropy() - dense.entropy()).abs() < 1e-11 * n as f64);
        assert_eq!(field.mode().as_deref(), Some(dense.mean().as_slice()));
        close(&covariance(&field), dense.covariance(), 1e-12);
        for (variance, exact) in field.marginal_variances().iter().zip(dense.covariance().diagonal().iter()) {
            assert!((variance - exact).abs() < 1e-11 * exact);
        }
        let marginal = field.marginal(&[n - 1]).expect("there");
        assert_eq!(marginal.mean()[0], dense.mean()[n - 1]);
    }
}

#[test]
fn the_graph_and_the_conditionals_are_read_off_the_precision() {
    let (field, dense) = both(15, 3);
    assert_eq!(field.neighbours(), dense.conditional_independence_graph(1e-9));
    let partial = dense.partial_correlations();
    let x: Vec<f64> = (0..15).map(|i| 0.3 * f64::from(i) - 2.0).collect();
    for i in 0..15 {
        for j in 0..15 {
            assert!((field.partial_correlation(i, j) - partial[(i, j)]).abs() < 1e-10);
        }
        let others: Vec<usize> = (0..15).filter(|&j| j != i).collect();
        let values: Vec<f64> = others.iter().map(|&j| x[j]).collect();
        let exact = dense.condition(&others, &values).expect("fits");
        let (mean, variance) = field.full_conditional(i, &x);
        assert!((mean - exact.mean()[0]).abs() < 1e-9 * (1.0 + mean.abs()));
        assert!((variance / exact.covariance()[(0, 0)] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn constraints_are_conditioning_on_sums() {
    for seed in 0..10 {
        let n = 8 + seed as usize;
        let (field, dense) = both(n, seed);
        let (rows, values) = constraint(n, seed);
        let own = field.constrained(&rows, &values).expect("independent rows");
        // Σ - Σ Aᵀ (A Σ Aᵀ)⁻¹ A Σ.
        let cross = dense.covariance() * rows.transpose();
        let middle = Cholesky::new(&(&rows * &cross)).expect("independent rows");
        let gain = middle.solve(&cross.transpose()).transpose();
        let off = DVector::from_vec(values.clone()) - &rows * dense.mean();
        let mean = dense.mean() + &gain * off;
        let exact = dense.covariance() - &gain * cross.transpose();
        close(&covariance(&own), &exact, 1e-11);
        assert!((own.mean() - &mean).amax() < 1e-11 * mean.amax());
        for (variance, exact) in own.marginal_variances().iter().zip(exact.diagonal().iter()) {
            assert!((variance - exact).abs() < 1e-10 * exact.abs().max(1e-3));
        }
        assert_eq!(own.rank(), n - 3);
        // A point of the subspace, and its density there.
        let x = own.sample(&mut stream(seed, &[2]));
        let exact = singular_ln_pdf(&mean, &exact, &DVector::from_vec(x.clone()));
        assert!((own.ln_pdf(&x) - exact).abs() < 1e-7 * (1.0 + exact.abs()), "{} {exact}", own.ln_pdf(&x));
        assert_eq!(own.ln_pdf(&vec![0.7; n]), f64::NEG_INFINITY);
        let peak = own.ln_pdf(own.mean().as_slice());
        assert!((own.entropy() - (0.5 * (n - 3) as f64 - peak)).abs() < 1e-9);
    }
}

#[test]
fn draws_fulfil_their_constraints() {
    let (field, _) = both(60, 5);
    let (rows, values) = constraint(60, 5);
    let own = field.constrained(&rows, &values).expect("independent rows");
    let mut rng = stream(6, &[]);
    for _ in 0..100 {
        let x = DVector::from_vec(own.sample(&mut rng));
        let off = (&rows * x - DVector::from_vec(values.clone())).amax();
        assert!(off < 1e-10, "{off}");
    }
}

#[test]
fn draws_have_the_mean_and_covariance_of_the_field() {
    // 20,000 draws; 12 means and 78 covariances within 4.5 standard errors: one false alarm in 1600 seeds.
    let (field, _) = both(12, 9);
    let (rows, values) = constraint(12, 9);
    for own in [field.clone(), field.constrained(&rows, &values).expect("independent rows")] {
        let exact = covariance(&own);
        let draws = 20_000;
        let mut rng = stream(10, &[]);
        let mut sum = DVector::zeros(12);
        let mut squares = DMatrix::zeros(12, 12);
        for _ in 0..draws {
            let off = DVector::from_vec(own.sample(&mut rng)) - own.mean();
            squares += &off * off.transpose();
            sum += off;
        }
        let count = f64::from(draws);
        for i in 0..12 {
            assert!(sum[i].abs() / count < 4.5 * (exact[(i, i)] / count).sqrt());
            for j in 0..=i {
                let variance = exact[(i, i)] * exact[(j, j)] + exact[(i, j)].powi(2);
                let error = squares[(i, j)] / count - exact[(i, j)];
                assert!(error.abs() < 4.5 * (variance / count).sqrt(), "({i}, {j}): {error}");
            }
        }
    }
}

#[test]
fn conditioning_and_observations_are_those_of_dense_gaussians() {
    for seed in 0..10 {
        let n = 10 + seed as usize;
        let (field, dense) = both(n, seed);
        let given = field.condition(&[7, 2], &[1.0, -1.0]).expect("fits");
        let exact = dense.condition(&[7, 2], &[1.0, -1.0]).expect("fits");
        assert!((given.mean() - exact.mean()).amax() < 1e-10 * exact.mean().amax());
        close(&covariance(&given), exact.covariance(), 1e-10);

        let map = SparseMatrix::from_triplets(2, n, [(0, 1, 1.0), (0, 3, -0.5), (1, 6, 2.0)]).expect("fits");
        let posterior = field.observe(&map, &[0.4, 3.0], &[2.0, 10.0]).expect("proper");
        let noise = DMatrix::from_diagonal(&DVector::from_vec(vec![0.5, 0.1]));
        let channel = LinearGaussian::new(&map.to_dense(), &[0.0; 2], &noise).expect("fits");
        let exact = dense.bayes(&channel, &[0.4, 3.0]).expect("proper").posterior;
        assert!((posterior.mean() - exact.mean()).amax() < 1e-10 * exact.mean().amax());
        close(&covariance(&posterior), exact.covariance(), 1e-10);

        // Constraints stay: first one and then the other is both at once.
        let (rows, values) = constraint(n, seed);
        let constrained = field.constrained(&rows, &values).expect("independent rows");
        let one = constrained.condition(&[4], &[0.3]).expect("fits");
        let mut all = DMatrix::zeros(4, n);
        all.rows_mut(0, 3).copy_from(&rows);
        all[(3, 4)] = 1.0;
        let other = field.constrained(&all, &[1.0, -0.5, 2.0, 0.3]).expect("independent rows");
        let rest: Vec<usize> = (0..n).filter(|&i| i != 4).collect();
        let exact = covariance(&other).select_rows(&rest).select_columns(&rest);
        close(&covariance(&one), &exact, 1e-9);
        assert!((one.mean() - other.mean().select_rows(&rest)).amax() < 1e-9 * other.mean().amax());
        let exact = posterior.constrained(&rows, &values).expect("independent rows");
        let both = constrained.observe(&map, &[0.4, 3.0], &[2.0, 10.0]).expect("proper");
        close(&covariance(&both), &covariance(&exact), 1e-10);
        assert!((both.mean() - exact.mean()).amax() < 1e-9 * exact.mean().amax());
    }
}

#[test]
fn an_analysis_is_used_again() {
    let (field, _) = both(30, 4);
    let other = field.precision().scaled(3.0).expect("finite");
    let again = field.with_precision(other).expect("the same entries");
    close(&(covariance(&again) * 3.0), &covariance(&field), 1e-12);
    assert!(field.with_precision(SparseSymmetric::from_diagonal(&[1.0; 30]).expect("finite")).is_err());
}

#[test]
fn what_is_no_field_is_refused() {
    let identity = || SparseSymmetric::from_diagonal(&[1.0; 3]).expect("finite");
    let refused = |field: Result<GaussianMarkovField, ParamError>| field.expect_err("refused").to_string();
    let wrong = refused(GaussianMarkovField::new(&[0.0; 2], identity(), &ORDER));
    assert_eq!(wrong, "GaussianMarkovField: mean = 2 must be the length that the other parameters have");
    let indefinite = SparseSymmetric::from_diagonal(&[1.0, 1.0, -2.0]).expect("finite");
    let wrong = refused(GaussianMarkovField::new(&[0.0; 3], indefinite, &ORDER));
    assert_eq!(
        wrong,
        "GaussianMarkovField: precision[2] = -2 must be positive definite (the value is that of a pivot)"
    );
    let field = GaussianMarkovField::new(&[0.0; 3], identity(), &ORDER).expect("positive definite");
    let twice = DMatrix::from_element(2, 3, 1.0);
    assert!(field.constrained(&twice, &[0.0, 0.0]).is_err());
    assert!(field.constrained(&DMatrix::zeros(1, 2), &[0.0]).is_err());
    assert!(field.constrained(&DMatrix::from_element(1, 3, f64::NAN), &[0.0]).is_err());
    assert!(field.condition(&[3], &[0.0]).is_err());
    assert!(field.condition(&[1, 1], &[0.0, 0.0]).is_err());
    let map = SparseMatrix::from_triplets(1, 3, [(0, 0, 1.0)]).expect("fits");
    assert!(field.observe(&map, &[1.0], &[0.0]).is_err());
    assert!(field.observe(&map, &[f64::NAN], &[1.0]).is_err());
    assert!(field.observe(&map, &[1.0, 2.0], &[1.0]).is_err());
    // A null space that is none, or along which nothing decides.
    let ones = DMatrix::from_element(3, 1, 1.0);
    let row = ones.transpose();
    assert!(GaussianMarkovField::intrinsic(&[0.0; 3], identity(), &ones, &row, &ORDER).is_err());
    let chain = GaussianMarkovField::random_walk(3, 1.0).expect("three points").precision().clone();
    let across = DMatrix::from_row_slice(1, 3, &[1.0, 0.0, -1.0]);
    assert!(GaussianMarkovField::intrinsic(&[0.0; 3], chain, &ones, &across, &ORDER).is_err());
    assert_eq!(field.ln_pdf(&[0.0; 2]), f64::NEG_INFINITY);
    assert!(field.ln_pdf(&[f64::NAN, 0.0, 0.0]).is_nan());
    assert_eq!(field.ln_pdf(&[f64::INFINITY, 0.0, 0.0]), f64::NEG_INFINITY);
    let empty = SparseSymmetric::from_triplets(0, []).expect("nothing is wrong");
    let point = GaussianMarkovField::new(&[], empty, &ORDER).expect("the empty field is legal");
    assert_eq!(point.ln_pdf(&[]), 0.0);
}
