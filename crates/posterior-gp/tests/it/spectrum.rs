//! Spectra of kernels.

use posterior_dist::stream::stream;
use posterior_gp::Kernel;
use posterior_gp::spectrum::{
    GaussianMeasure, Nystrom, RandomFeatures, Representer, SpectralDistribution, kernel_ridge,
    worst_case_squared_error,
};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use rand_distr::{Distribution, StandardNormal};

fn normals(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[rows as u64]);
    DMatrix::from_fn(rows, columns, |_, _| StandardNormal.sample(&mut rng))
}

#[test]
fn hermite_eigenfunctions_solve_the_integral_equation() {
    let (length_scale, deviation) = (0.7, 1.3);
    let mercer = GaussianMeasure::new(length_scale, deviation).unwrap();
    let kernel = Kernel::rbf(length_scale).unwrap();
    // ∫ g(x) N(x; 0, s²) dx on 4,000 equal steps of ±10 s: exact for such functions.
    let integral = |g: &dyn Fn(f64) -> f64| {
        let step = 20.0 * deviation / 4000.0;
        (0..=4000)
            .map(|i| {
                let x = -10.0 * deviation + f64::from(i) * step;
                g(x) * (-0.5 * (x / deviation).powi(2)).exp() * step
            })
            .sum::<f64>()
            / (std::f64::consts::TAU.sqrt() * deviation)
    };
    for k in [0, 1, 2, 5, 9] {
        for x in [-1.7, 0.0, 0.4, 2.2] {
            let image = integral(&|other| kernel.value(&[x], &[other]) * mercer.eigenfunction(k, other));
            let expected = mercer.eigenvalue(k) * mercer.eigenfunction(k, x);
            assert!((image - expected).abs() < 1e-13, "{k} {x}: {image} {expected}");
        }
        for j in [0, 2, 5, 9] {
            let product = integral(&|x| mercer.eigenfunction(k, x) * mercer.eigenfunction(j, x));
            assert!((product - f64::from(u8::from(j == k))).abs() < 1e-12, "{j} {k}: {product}");
        }
    }
    // The expansion is the kernel.
    let (x, y) = (0.3, 1.1);
    let sum: f64 =
        (0..80).map(|k| mercer.eigenvalue(k) * mercer.eigenfunction(k, x) * mercer.eigenfunction(k, y)).sum();
    assert!((sum - kernel.value(&[x], &[y])).abs() < 1e-14);
}

#[test]
fn sample_eigenvalues_approach_those_of_the_measure() {
    let mercer = GaussianMeasure::new(1.0, 1.0).unwrap();
    let nystrom = Nystrom::new(&Kernel::rbf(1.0).unwrap(), &normals(1000, 1, 3)).unwrap();
    for k in 0..6 {
        let (sample, exact) = (nystrom.eigenvalues()[k as usize], mercer.eigenvalue(k));
        assert!((sample / exact - 1.0).abs() < 0.15, "{k}: {sample} {exact}");
    }
    // Trace of K over n = mean of k(x, x) = 1.
    assert!((nystrom.remainder(0) - 1.0).abs() < 1e-12);
    // φ₁ = c x exp(-..) is odd, and continues the sample.
    let places = DMatrix::from_column_slice(3, 1, &[-0.9, 0.9, 0.4]);
    let functions = nystrom.eigenfunctions(&places);
    let ratio = functions[(1, 1)] / mercer.eigenfunction(1, 0.9);
    assert!((ratio.abs() - 1.0).abs() < 0.1);
    assert!((functions[(0, 1)] / functions[(1, 1)] + 1.0).abs() < 0.2);
}

#[test]
fn nystrom_of_full_rank_is_the_kernel_on_the_sample() {
    let kernel = 2.0 * Kernel::rbf(0.5).unwrap();
    let sample = normals(30, 2, 4);
    let nystrom = Nystrom::new(&kernel, &sample).unwrap();
    let features = nystrom.features(&sample, 30);
    assert!((&features * features.transpose() - kernel.gram(&sample)).amax() < 1e-10);
    // Fewer leave a mean variance, which is the sum of the other eigenvalues.
    let features = nystrom.features(&sample, 10);
    let left = (kernel.gram(&sample) - &features * features.transpose()).trace() / 30.0;
    assert!((left - nystrom.remainder(10)).abs() < 1e-12);
    // Orthonormal on the sample.
    let functions = nystrom.eigenfunctions(&sample).columns(0, 8).into_owned();
    assert!((functions.tr_mul(&functions) / 30.0 - DMatrix::identity(8, 8)).amax() < 1e-9);
}

/// The largest error of the features over some differences, against k.
fn error(
    distribution: &SpectralDistribution,
    dimension: usize,
    count: usize,
    k: &dyn Fn(&[f64]) -> f64,
) -> f64 {
    let mut rng = stream(11, &[count as u64]);
    let waves = RandomFeatures::new(distribution, dimension, count, &mut rng);
    let places = normals(25, dimension, 5);
    let features = waves.features(&places);
    let products = &features * features.transpose();
    let mut largest = 0.0_f64;
    for i in 0..25 {
        for j in 0..25 {
            let difference: Vec<f64> = (places.row(i) - places.row(j)).iter().copied().collect();
            largest = largest.max((products[(i, j)] - k(&difference)).abs());
        }
    }
    largest
}

#[test]
fn waves_are_the_kernel_in_the_mean() {
    let norm = |t: &[f64]| t.iter().map(|t| t * t).sum::<f64>().sqrt();
    let rbf = |t: &[f64]| (-0.5 * ((t[0] / 0.8).powi(2) + (t[1] / 1.7).powi(2))).exp();
    let matern = |t: &[f64]| (1.0 + 3_f64.sqrt() * norm(t)) * (-3_f64.sqrt() * norm(t)).exp();
    let rational = |t: &[f64]| (1.0 + norm(t).powi(2) / 1.4).powf(-0.7);
    let periodic = |t: &[f64]| (-2.0 * (std::f64::consts::PI * t[0] / 1.3).sin().powi(2) / 0.49).exp();
    let cosine = |t: &[f64]| (2.0 * t[0]).cos();
    let distribution_rbf = SpectralDistribution::rbf(&[0.8, 1.7]).unwrap();
    let distribution_matern = SpectralDistribution::matern(1.5, &[1.0]).unwrap();
    let distribution_rational = SpectralDistribution::rational_quadratic(0.7, &[1.0]).unwrap();
    let distribution_periodic = SpectralDistribution::periodic(0.7, 1.3).unwrap();
    let distribution_cosine = SpectralDistribution::cosine(&[2.0]).unwrap();
    // A standard deviation is at most 1/√F of the mass; 625 pairs.
    let bound = 4.0 / 200.0;
    assert!(error(&distribution_rbf, 2, 40_000, &rbf) < bound);
    assert!(error(&distribution_matern, 2, 40_000, &matern) < bound);
    assert!(error(&distribution_rational, 3, 40_000, &rational) < bound);
    assert!(error(&distribution_periodic, 1, 40_000, &periodic) < bound);
    assert!(error(&distribution_cosine, 1, 10, &cosine) < 1e-13);
    let sum = SpectralDistribution::sum(vec![
        distribution_rbf.clone().scaled(0.5).unwrap(),
        distribution_matern.clone(),
    ]);
    assert!((sum.mass() - 1.5).abs() < 1e-15);
    assert!(error(&sum, 2, 40_000, &|t| 0.5 * rbf(t) + matern(t)) < 1.5 * bound);
    let product =
        SpectralDistribution::product(vec![distribution_rbf, distribution_matern.scaled(2.0).unwrap()]);
    assert!(error(&product, 2, 40_000, &|t| 2.0 * rbf(t) * matern(t)) < 2.0 * bound);
}

#[test]
fn stationary_kernels_know_their_distributions() {
    let kernels = [
        1.4 * Kernel::rbf_ard(&[0.8, 1.7]).unwrap(),
        Kernel::matern32(0.9).unwrap(),
        Kernel::matern(2.2, 1.3).unwrap() + Kernel::constant(0.5).unwrap(),
        Kernel::rational_quadratic(1.1, 0.8).unwrap() * Kernel::matern12(2.0).unwrap(),
    ];
    for kernel in kernels {
        let distribution = kernel.spectral_distribution().unwrap();
        assert!((distribution.mass() - kernel.value(&[0.0; 2], &[0.0; 2])).abs() < 1e-14);
        let largest = error(&distribution, 2, 40_000, &|t| kernel.value(t, &[0.0; 2]));
        assert!(largest < 0.02 * distribution.mass(), "{kernel}: {largest}");
    }
    let mixture = Kernel::spectral_mixture(&[2.0, 0.5], &[0.25, 0.0], &[0.01, 0.2]).unwrap();
    let distribution = mixture.spectral_distribution().unwrap();
    assert!(error(&distribution, 1, 40_000, &|t| mixture.value(t, &[0.0])) < 0.05);
    assert!((Kernel::rbf(1.0).unwrap() + Kernel::linear()).spectral_distribution().is_none());
}

#[test]
fn errors_of_waves_fall_like_the_root_of_their_number() {
    let distribution = SpectralDistribution::rbf(&[1.0]).unwrap();
    let kernel = |t: &[f64]| (-0.5 * t[0] * t[0]).exp();
    let root = |count: usize| error(&distribution, 1, count, &kernel) * (count as f64).sqrt();
    for count in [100, 1600, 25_600] {
        assert!((0.3..4.0).contains(&root(count)), "{count}: {}", root(count));
    }
}

#[test]
fn values_are_inner_products() {
    let kernel = Kernel::rbf(0.9).unwrap() + 0.3 * Kernel::rbf(3.0).unwrap();
    let (centres, others) = (normals(6, 2, 7), normals(4, 2, 8));
    let a = normals(6, 1, 9).column(0).into_owned();
    let b = normals(4, 1, 10).column(0).into_owned();
    let f = Representer::new(&kernel, &centres, &a).unwrap();
    let g = Representer::new(&kernel, &others, &b).unwrap();
    assert!((f.inner_product(&g) - b.dot(&f.values(&others))).abs() < 1e-13);
    assert!((f.inner_product(&g) - g.inner_product(&f)).abs() < 1e-13);
    assert!((f.inner_product(&f) - f.norm_squared()).abs() < 1e-13);
    // The interpolant of f's own values is the shortest function through them, here f itself.
    let again = Representer::interpolate(&kernel, &centres, &f.values(&centres)).unwrap();
    assert!((again.weights() - &a).amax() < 1e-8);
}

#[test]
fn ridge_is_the_minimum_and_the_posterior_mean() {
    let kernel = Kernel::rbf(1.0).unwrap();
    let inputs = DMatrix::from_column_slice(3, 1, &[-1.0, 0.0, 2.0]);
    let outputs = DVector::from_vec(vec![0.5, 1.0, -0.3]);
    let noise = DVector::from_element(3, 0.1);
    let ridge = kernel_ridge(&kernel, &inputs, &outputs, &noise).unwrap();
    // The worked example of regression.
    let places = DMatrix::from_column_slice(3, 1, &[-0.5, 1.0, 3.0]);
    let golden = [0.788295246465, 0.360482788475, -0.229177795464];
    for (value, golden) in ridge.values(&places).iter().zip(golden) {
        assert!((value - golden).abs() < 1e-12);
    }
    let cost = |weights: &DVector<f64>| {
        let f = Representer::new(&kernel, &inputs, weights).unwrap();
        5.0 * (&outputs - f.values(&inputs)).norm_squared() + 0.5 * f.norm_squared()
    };
    let least = cost(ridge.weights());
    for step in 0..20 {
        let away = ridge.weights() + normals(3, 1, step).column(0) * 0.01;
        assert!(cost(&away) > least);
    }
    let golden = [0.086332467143, 0.367395293389, 0.660683520959];
    for (i, golden) in golden.into_iter().enumerate() {
        let place = places.rows(i, 1).into_owned();
        let worst = worst_case_squared_error(&kernel, &inputs, &noise, &place).unwrap();
        assert!((worst - golden).abs() < 1e-12);
    }
}

#[test]
fn the_worst_function_attains_the_posterior_variance() {
    let kernel = Kernel::rbf(1.0).unwrap();
    let (inputs, place) = (normals(5, 1, 1), DMatrix::from_element(1, 1, 0.2));
    // Without noise: f ∝ k(x, ·) - Σ wᵢ k(xᵢ, ·) vanishes on the data, and f(x)² = |f|² var.
    let cross = kernel.cross(&inputs, &place).column(0).into_owned();
    let weights = -Cholesky::new(&kernel.gram(&inputs)).unwrap().solve_vector(&cross);
    let centres = inputs.clone().insert_row(5, 0.2);
    let f = Representer::new(&kernel, &centres, &weights.push(1.0)).unwrap();
    assert!(f.values(&inputs).amax() < 1e-12);
    let worst = worst_case_squared_error(&kernel, &inputs, &DVector::zeros(5), &place).unwrap();
    assert!((f.values(&place)[0].powi(2) / f.norm_squared() - worst).abs() < 1e-10 * worst.max(1e-3));
}

#[test]
fn sample_paths_are_longer_the_more_one_sees_of_them() {
    let kernel = Kernel::rbf(0.1).unwrap();
    for n in [5, 20, 40] {
        let inputs = DMatrix::from_fn(n, 1, |i, _| i as f64 / 10.0);
        let root = Cholesky::new(&kernel.gram(&inputs)).unwrap();
        let draws = 400;
        let mut sum = 0.0;
        for draw in 0..draws {
            let path = root.factor() * normals(n, 1, 100 + draw).column(0);
            sum += Representer::interpolate(&kernel, &inputs, &path).unwrap().norm_squared();
        }
        let mean = sum / draws as f64;
        // χ² with n degrees of freedom: five standard errors.
        assert!((mean - n as f64).abs() < 5.0 * (2.0 * n as f64 / draws as f64).sqrt(), "{n}: {mean}");
    }
}

#[test]
fn eigenfunctions_far_out_are_not_lost() {
    // φ of order 4000 where the exponential alone is below 10⁻³⁰⁰: against Σ λₖ φₖ(x)² = k(x, x).
    let mercer = GaussianMeasure::new(0.02, 1.0).unwrap();
    for x in [0.0, 3.0, 6.0, 7.0] {
        let sum: f64 = (0..6000).map(|k| mercer.eigenvalue(k) * mercer.eigenfunction(k, x).powi(2)).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{x}: {sum}");
    }
}

#[test]
fn periodic_distributions_of_extreme_lengths() {
    let mut rng = stream(3, &[]);
    let mut draw = |length_scale: f64| {
        let mut frequency = [0.0];
        SpectralDistribution::periodic(length_scale, 1.0).unwrap().add_draw(&mut frequency, &mut rng);
        frequency[0]
    };
    assert_eq!([1e150, 1e160, 1e30].map(&mut draw), [0.0; 3]);
    // Of variance (2π/l)².
    let squares: f64 = (0..40).map(|_| (draw(1e-4) * 1e-4 / std::f64::consts::TAU).powi(2)).sum();
    assert!((squares / 40.0 - 1.0).abs() < 5.0 * (2.0_f64 / 40.0).sqrt(), "{squares}");
    assert!(SpectralDistribution::periodic(1e-7, 1.0).is_err());
}

#[test]
fn bad_numbers_are_refused() {
    assert!(GaussianMeasure::new(1e-200, 1.0).is_err());
    assert!(GaussianMeasure::new(0.0, 1.0).is_err());
    assert!(GaussianMeasure::new(1.0, f64::NAN).is_err());
    assert!(SpectralDistribution::rbf(&[1.0, -1.0]).is_err());
    assert!(SpectralDistribution::matern(f64::INFINITY, &[1.0]).is_err());
    let (kernel, one) = (Kernel::rbf(1.0).unwrap(), DVector::from_element(1, 1.0));
    let (line, plane) = (DMatrix::zeros(1, 1), DMatrix::zeros(1, 2));
    assert!(Representer::interpolate(&kernel, &line, &(f64::NAN * &one)).is_err());
    assert!(Representer::new(&kernel, &line, &(f64::INFINITY * &one)).is_err());
    assert!(worst_case_squared_error(&kernel, &line, &one, &plane).is_err());
    let sample = DMatrix::from_element(1, 1, f64::NAN);
    assert!(Nystrom::new(&Kernel::rbf(1.0).unwrap(), &sample).is_err());
}
