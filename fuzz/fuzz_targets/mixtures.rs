//! Observations, mixtures and k-means of any numbers and shapes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::Input;
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_latent::k_means::{self, KMeans, KMeansOptions};
use posterior_latent::partition::Partition;
use posterior_latent::principal_components;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (rows, columns, groups) = (input.size(0, 8), input.size(1, 3), input.size(0, 4));
    let any = DMatrix::from_vec(rows, columns, input.numbers(rows * columns));
    let data = if input.byte() < 200 { Observations::new(&any) } else { Observations::with_missing(&any) };
    let Ok(mut data) = data else { return };
    if input.byte() < 60 {
        let weights = input.numbers(rows);
        let Ok(weighted) = data.weighted(&weights) else { return };
        data = weighted;
    }
    let means = DMatrix::from_vec(groups, columns, input.numbers(groups * columns));
    let covariances = match input.size(0, 3) {
        0 => Covariances::Spherical(input.numbers(groups)),
        1 => Covariances::Diagonal(DMatrix::from_vec(groups, columns, input.numbers(groups * columns))),
        2 => Covariances::Tied(DMatrix::from_vec(columns, columns, input.numbers(columns * columns))),
        _ => Covariances::Full(
            (0..groups)
                .map(|_| DMatrix::from_vec(columns, columns, input.numbers(columns * columns)))
                .collect(),
        ),
    };
    if let Ok(mixture) = GaussianMixture::new(&input.proportions(groups), &means, covariances) {
        if let Ok(proportions) = mixture.responsibilities(&data) {
            for row in proportions.row_iter() {
                assert!((row.sum() - 1.0).abs() < 1e-9, "{row:?}");
            }
        }
        let _ = (mixture.ln_pdf_rows(&data), mixture.labels(&data), mixture.marginal(&[0]));
    }
    if let Ok(model) = KMeans::new(&means) {
        let _ = (model.assign(&data), model.distances(&data), model.inertia(&data));
    }
    if groups > 0 {
        let _ = k_means::fit(&data, &KMeansOptions::new(groups), 1, &mut Silent);
        let em = EmOptions { max_iterations: 5, ..EmOptions::default() };
        let kind = input.one_of(&[
            CovarianceKind::Full,
            CovarianceKind::Tied,
            CovarianceKind::Diagonal,
            CovarianceKind::Spherical,
        ]);
        let options = GaussianMixtureOptions { covariance: kind, em, ..GaussianMixtureOptions::default() };
        if let Ok(problem) = GaussianMixtureProblem::new(&data, options) {
            let _ = problem.fit_best(groups, 1, 1);
        }
    }
    let labels: Vec<u8> = (0..rows).map(|_| input.byte()).collect();
    let partition = Partition::from_labels(&labels);
    assert_eq!(partition.sizes().iter().sum::<u32>() as usize, rows);
    let _ = principal_components::fit;
});
