//! Softmax: two classes are the binary case, shifts, relabelling, gradients, averaged probabilities.

use posterior_gp::classification::{
    ModeOptions, ObservationModel, SoftmaxLaplace, SoftmaxObservations, softmax,
};
use posterior_gp::likelihood::LogisticLikelihood;
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::optimize::gradient_check;
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

use super::{all_close, close, converged, line};

const PLACES: [f64; 6] = [-2.0, -1.2, -0.3, 0.4, 0.5, 1.7];
const CLASSES: [usize; 6] = [0, 2, 0, 1, 1, 2];

fn fit(labels: &[usize], classes: usize, kernels: &[Kernel]) -> SoftmaxLaplace {
    fit_at(&PLACES, labels, classes, kernels)
}

fn fit_at(places: &[f64], labels: &[usize], classes: usize, kernels: &[Kernel]) -> SoftmaxLaplace {
    let observations = SoftmaxObservations::new(line(places), labels, classes).unwrap();
    let fitted = softmax(&observations, kernels, &ModeOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    fitted.model
}

fn kernels() -> [Kernel; 3] {
    [(2.0, 1.0), (0.7, 0.4), (5.0, 2.5)].map(|(variance, length)| variance * Kernel::rbf(length).unwrap())
}

#[test]
fn two_classes_are_binary() {
    let [first, second, _] = kernels();
    let labels = [0, 1, 0, 1, 1, 1];
    let several = fit(&labels, 2, &[first.clone(), second.clone()]);
    let signs = labels.map(|class| if class == 0 { 1.0 } else { -1.0 });
    let binary = converged(
        &ObservationModel::new(line(&PLACES), &signs, LogisticLikelihood).unwrap(),
        &GaussianProcess::new(first + second),
    );
    close(several.ln_evidence(), binary.ln_evidence(), 1e-13);
    let difference = several.mode().column(0) - several.mode().column(1);
    all_close(difference.iter(), binary.mode().iter(), 1e-12);
    all_close(several.gradient().concat().iter(), &binary.gradient().kernel, 1e-12);

    let at = line(&[-0.7, 4.0]);
    let (latent, one) = (several.latent(&at).unwrap(), binary.latent(&at).unwrap());
    for place in 0..2 {
        let covariance = &latent.covariance[place];
        let variance = covariance[(0, 0)] + covariance[(1, 1)] - 2.0 * covariance[(0, 1)];
        close(latent.mean[(place, 0)] - latent.mean[(place, 1)], one.mean[place], 1e-12);
        close(variance, one.variance[place], 1e-12);
    }
    let p = latent.mean_response(40_000, &mut Pcg64::new(3, 3)).unwrap();
    // Five standard errors.
    all_close(p.column(0).iter(), one.mean_response(&LogisticLikelihood).iter(), 5.0 * 0.5 / 200.0);
}

#[test]
fn relabelling_turns_everything() {
    let order = [2, 0, 1];
    let plain = fit(&CLASSES, 3, &kernels());
    let [a, b, c] = kernels();
    let turned = fit(&CLASSES.map(|class| order[class]), 3, &[b, c, a]);
    close(plain.ln_evidence(), turned.ln_evidence(), 1e-13);
    let at = line(&[0.0, 9.0]);
    let (plain, turned) = (plain.latent(&at).unwrap(), turned.latent(&at).unwrap());
    for (class, other) in order.into_iter().enumerate() {
        all_close(plain.mean.column(class).iter(), turned.mean.column(other).iter(), 1e-12);
        close(plain.covariance[0][(class, class)], turned.covariance[0][(other, other)], 1e-12);
    }
}

/// A constant added to all functions changes nothing: the evidence does not know a shared constant kernel.
#[test]
fn weights_of_all_classes_sum_to_zero() {
    let posterior = fit(&CLASSES, 3, &kernels());
    for row in posterior.weights().row_iter() {
        close(row.sum(), 0.0, 1e-12);
    }
    for row in posterior.probabilities_at_mode().row_iter() {
        close(row.sum(), 1.0, 1e-14);
    }
    let residual = posterior.weights() + posterior.probabilities_at_mode();
    for (i, &class) in CLASSES.iter().enumerate() {
        for other in 0..3 {
            close(residual[(i, other)], f64::from(u8::from(class == other)), 1e-10);
        }
    }
}

#[test]
fn averaged_probabilities_are_probabilities_and_repeat() {
    let latent = fit(&CLASSES, 3, &kernels()).latent(&line(&[-0.5, 0.0, 100.0])).unwrap();
    let draw = || latent.mean_response(2000, &mut Pcg64::new(1, 2)).unwrap();
    let p = draw();
    assert_eq!(p, draw());
    for row in p.row_iter() {
        close(row.sum(), 1.0, 1e-13);
        assert!(row.iter().all(|p| (0.0..1.0).contains(p)));
    }
    // Far away the means are zero, and the averages of different variances near a third, not at it.
    all_close(latent.plug_in_response().row(2).iter(), &[1.0 / 3.0; 3], 1e-12);
}

#[test]
fn gradients() {
    let observations = SoftmaxObservations::new(line(&PLACES), &CLASSES, 3).unwrap();
    let evidence = |free: &[f64], gradient: &mut [f64], shapes: &[Kernel]| {
        let moved: Vec<Kernel> = shapes
            .iter()
            .zip(free.chunks(2))
            .map(|(k, free)| k.with_free_parameters(free).unwrap())
            .collect();
        let fitted = softmax(&observations, &moved, &ModeOptions::default(), &mut Silent).unwrap();
        gradient.copy_from_slice(&fitted.model.gradient().concat());
        fitted.model.ln_evidence()
    };
    for shapes in [kernels().to_vec(), vec![kernels()[0].clone()]] {
        let start: Vec<f64> = shapes.iter().flat_map(Kernel::free_parameters).collect();
        let worst = gradient_check(|x: &[f64], g: &mut [f64]| evidence(x, g, &shapes), &start);
        assert!(worst.error < 1e-9, "{worst:?}");
    }
}

#[test]
fn refuses_what_cannot_be() {
    let x = || line(&[0.0, 1.0]);
    assert!(SoftmaxObservations::new(x(), &[0, 3], 3).unwrap_err().to_string().contains("class[1]"));
    assert!(SoftmaxObservations::new(x(), &[0], 3).is_err());
    assert!(SoftmaxObservations::new(x(), &[0, 0], 1).is_err());
    assert!(SoftmaxObservations::new(line(&[f64::NAN, 1.0]), &[0, 0], 2).is_err());
    let observations = SoftmaxObservations::new(x(), &[0, 1], 3).unwrap();
    let two = &kernels()[..2];
    assert!(softmax(&observations, two, &ModeOptions::default(), &mut Silent).is_err());
}

/// The averaged probabilities by another way: the covariance of all functions by dense algebra in the
/// coordinates that the likelihood sees, the differences to the last class, and draws of these. With K
/// over-parameterised functions a common shift keeps the variance of the prior whatever is observed, and must
/// not flatten what is known of the differences.
fn by_differences(model: &SoftmaxLaplace, kernel: &Kernel, places: &[f64], at: f64) -> Vec<f64> {
    let (n, classes) = model.probabilities_at_mode().shape();
    let free = classes - 1;
    let inputs = line(places);
    let gram = kernel.gram(&inputs);
    let cross = kernel.cross(&inputs, &line(&[at]));
    // Functions gₖ = fₖ - f_last have the prior covariance K (δ + 1), and the likelihood the precision
    // diag(π) - π πᵀ in them.
    let with = |a: usize, b: usize| 1.0 + f64::from(u8::from(a == b));
    let p = model.probabilities_at_mode();
    let prior = DMatrix::from_fn(n * free, n * free, |a, b| gram[(a % n, b % n)] * with(a / n, b / n));
    let precision = DMatrix::from_fn(n * free, n * free, |a, b| {
        let (k, l, i) = (a / n, b / n, a % n);
        if i == b % n { p[(i, k)] * (f64::from(u8::from(k == l)) - p[(i, l)]) } else { 0.0 }
    });
    // Cov(g*) = c (δ + 1) - Cᵀ W (I + K W)⁻¹ C.
    let reach = DMatrix::from_fn(n * free, free, |a, b| cross[a % n] * with(a / n, b));
    let solved = (DMatrix::identity(n * free, n * free) + &prior * &precision).lu().solve(&reach).unwrap();
    let own = kernel.value(&[at], &[at]);
    let covariance =
        DMatrix::from_fn(free, free, |a, b| own * with(a, b)) - reach.tr_mul(&precision) * solved;
    let weights = model.weights();
    let mean: Vec<f64> = (0..classes).map(|k| cross.column(0).dot(&weights.column(k))).collect();
    let root =
        posterior_math::linalg::Cholesky::decompose(0.5 * (&covariance + covariance.transpose())).unwrap();
    let mut rng = Pcg64::new(8, 1);
    let mut sum = vec![0.0; classes];
    let draws = 40_000;
    for _ in 0..draws {
        let normals = DVector::from_fn(free, |_, _| rng.sample::<f64, _>(StandardNormal));
        let drawn = root.factor() * normals;
        let mut g: Vec<f64> =
            (0..free).map(|k| mean[k] - mean[free] + drawn[k]).chain(std::iter::once(0.0)).collect();
        posterior_math::log_space::softmax_in_place(&mut g);
        for (sum, p) in sum.iter_mut().zip(g) {
            *sum += p / f64::from(draws);
        }
    }
    sum
}

#[test]
fn probabilities_are_averaged_over_what_the_data_identify() {
    let mut rng = Pcg64::new(5, 2);
    for variance in [1e-1, 1.0, 10.0, 1e2, 1e3, 1e4] {
        for classes in [2, 3, 5] {
            let places: Vec<f64> = (0..12).map(|_| rng.random_range(-3.0..3.0)).collect();
            let labels: Vec<usize> = (0..12).map(|_| rng.random_range(0..classes)).collect();
            let kernel = variance * Kernel::rbf(rng.random_range(0.5..2.0)).unwrap();
            let model = fit_at(&places, &labels, classes, std::slice::from_ref(&kernel));
            for at in [places[0], rng.random_range(-3.0..3.0), 20.0] {
                let latent = model.latent(&line(&[at])).unwrap();
                let p = latent.mean_response(40_000, &mut Pcg64::new(1, 2)).unwrap();
                let expected = by_differences(&model, &kernel, &places, at);
                for (p, expected) in p.iter().zip(&expected) {
                    // Five standard errors of the difference, each of at most ½ / √draws.
                    let error = (p - expected).abs();
                    assert!(
                        error < 5.0 * 0.5 * (2.0 / 4e4_f64).sqrt(),
                        "{variance} {classes} {at}: {p} {expected}"
                    );
                }
            }
        }
    }
}
