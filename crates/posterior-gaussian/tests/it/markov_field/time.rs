//! Random walks and autoregressions.

use posterior_dist::{Density, stream::stream};
use posterior_gaussian::GaussianMarkovField;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::sparse::SparseMatrix;
use rand::distr::Distribution;

use super::{close, covariance, pseudo_inverse, singular_ln_pdf};

#[test]
fn pseudo_determinants_of_random_walks_are_known_products() {
    // The eigenvalues of the first are 2 - 2 cos(πk / n), whose product is n; of the second D Dᵀ has the
    // determinant n² (n² - 1) / 12.
    for n in [2, 3, 4, 10, 57, 1000] {
        for tau in [1.0, 0.01, 250.0_f64] {
            let size = n as f64;
            let walk = GaussianMarkovField::random_walk(n, tau).expect("two points");
            let exact = size.ln() + (size - 1.0) * tau.ln();
            let own = walk.ln_pseudo_determinant();
            assert!((own - exact).abs() < 1e-12 * size * (1.0 + tau.ln().abs()), "{n}: {own} {exact}");
            let product: f64 =
                (1..n).map(|k| (2.0 - 2.0 * (std::f64::consts::PI * k as f64 / size).cos()).ln()).sum();
            assert!((product - size.ln()).abs() < 1e-9);
            if n > 2 {
                let walk = GaussianMarkovField::second_order_random_walk(n, tau).expect("three points");
                let exact = 2.0 * size.ln() + ((size * size - 1.0) / 12.0).ln() + (size - 2.0) * tau.ln();
                // Pinned at both ends, the condition of the rest grows like n⁴: 1e-16 n⁴ = 1e-4 at the most.
                let own = walk.ln_pseudo_determinant();
                let tolerance = 1e-12 * size * (1.0 + tau.ln().abs()) + 1e-17 * size.powi(4);
                assert!((own - exact).abs() < tolerance, "{n}: {own} {exact}");
            }
        }
    }
}

#[test]
fn random_walks_are_the_pseudo_inverses_of_their_precisions() {
    for n in [3, 4, 11, 30] {
        for walk in [
            GaussianMarkovField::random_walk(n, 2.5).expect("enough points"),
            GaussianMarkovField::second_order_random_walk(n, 2.5).expect("enough points"),
        ] {
            let (inverse, ln, rank) = pseudo_inverse(&walk.precision().to_dense());
            assert_eq!(walk.rank(), rank);
            assert!((walk.ln_pseudo_determinant() - ln).abs() < 1e-8);
            close(&covariance(&walk), &inverse, 1e-8);
            for (own, exact) in walk.marginal_variances().iter().zip(inverse.diagonal().iter()) {
                assert!((own - exact).abs() < 1e-8 * inverse.amax());
            }
            let mut rng = stream(1, &[n as u64]);
            for _ in 0..20 {
                let x = walk.sample(&mut rng);
                assert!(x.iter().sum::<f64>().abs() < 1e-10);
                if rank == n - 2 {
                    let slope: f64 = x.iter().enumerate().map(|(t, x)| t as f64 * x).sum();
                    assert!(slope.abs() < 1e-10 * n as f64, "{slope}");
                }
                let exact = singular_ln_pdf(&DVector::zeros(n), &inverse, &DVector::from_vec(x.clone()));
                assert!((walk.ln_pdf(&x) - exact).abs() < 1e-6, "{} {exact}", walk.ln_pdf(&x));
            }
        }
    }
}

#[test]
fn a_random_walk_given_its_ends_is_a_bridge() {
    // Without its constraint, and with both ends known: variances t (T - t) / (T τ), a straight line as mean.
    let bridge = GaussianMarkovField::random_walk(11, 4.0)
        .expect("enough points")
        .without_constraints()
        .condition(&[0, 10], &[0.0, 5.0])
        .expect("proper");
    for (t, (mean, variance)) in bridge.mean().iter().zip(bridge.marginal_variances()).enumerate() {
        let t = t as f64 + 1.0;
        assert!((mean - 0.5 * t).abs() < 1e-12);
        assert!((variance - t * (10.0 - t) / 40.0).abs() < 1e-12);
    }
    // One value decides along the constants, but not along straight lines.
    let smooth = GaussianMarkovField::second_order_random_walk(9, 1.0).expect("enough points");
    assert!(smooth.without_constraints().condition(&[3], &[1.0]).is_err());
    let map = SparseMatrix::from_triplets(1, 9, [(0, 3, 1.0)]).expect("fits");
    assert!(smooth.without_constraints().observe(&map, &[1.0], &[1.0]).is_err());
}

#[test]
fn autoregressions_have_the_autocovariances_of_yule_and_walker() {
    let cases: [&[f64]; 5] = [&[], &[0.7], &[1.2, -0.5], &[0.3, 0.2, -0.4], &[0.5, -0.3, 0.2, 0.1, -0.6]];
    for phi in cases {
        let p = phi.len();
        // γ by the linear equations γₖ = Σ φⱼ γ|ₖ₋ⱼ| + [k = 0] / τ.
        let mut system = DMatrix::<f64>::identity(p + 1, p + 1);
        for k in 0..=p {
            for (j, phi) in phi.iter().enumerate() {
                system[(k, k.abs_diff(j + 1))] -= phi;
            }
        }
        let mut right = DVector::zeros(p + 1);
        right[0] = 1.0 / 3.0;
        let mut gamma: Vec<f64> = system.lu().solve(&right).expect("regular").as_slice().to_vec();
        for n in [0, 1, 2, 4, 6, 9, 40] {
            while gamma.len() < n {
                let next = phi.iter().enumerate().map(|(j, phi)| phi * gamma[gamma.len() - 1 - j]).sum();
                gamma.push(next);
            }
            let series = GaussianMarkovField::autoregression(phi, 3.0, n).expect("stationary");
            if n > 0 {
                let exact = DMatrix::from_fn(n, n, |i, j| gamma[i.abs_diff(j)]);
                close(&covariance(&series), &exact, 1e-12);
                let inverse = Cholesky::new(&exact).expect("positive definite").inverse();
                close(&series.precision().to_dense(), &inverse, 1e-11);
            }
        }
    }
}

#[test]
fn what_is_not_stationary_is_refused() {
    for phi in [vec![1.0], vec![-1.0], vec![1.5], vec![0.5, 0.5], vec![2.0, -1.0], vec![0.0, -1.1]] {
        let refused = GaussianMarkovField::autoregression(&phi, 1.0, 10).expect_err("not stationary");
        assert!(refused.to_string().contains("stationary"), "{refused}");
    }
    assert!(GaussianMarkovField::autoregression(&[f64::NAN], 1.0, 10).is_err());
    assert!(GaussianMarkovField::autoregression(&[0.1], 0.0, 10).is_err());
    assert!(GaussianMarkovField::random_walk(1, 1.0).is_err());
    assert!(GaussianMarkovField::second_order_random_walk(2, 1.0).is_err());
    assert!(GaussianMarkovField::random_walk(5, -1.0).is_err());
}
