//! First draws per seed, for every sampler. A difference here is a change of value for users.

use posterior_dist::stream::stream;
use posterior_gaussian::{
    Gaussian, GaussianMarkovField, InformationGaussian, InverseWishart, Lkj, MatrixNormal, MultivariateT,
    NormalInverseWishart, Wishart,
};
use posterior_math::linalg::DMatrix;
use rand::distr::Distribution;

/// One draw with seed 42, to 12 digits, as libraries differ in ln and exp.
#[track_caller]
fn pinned(name: &str, draw: &[f64], expected: &[f64]) {
    let close = |(x, e): (&f64, &f64)| (x - e).abs() <= 1e-12 * e.abs();
    let same = draw.len() == expected.len() && draw.iter().zip(expected).all(close);
    assert!(same, "{name}: {draw:?}");
}

#[test]
fn vectors_and_matrices_are_pinned() {
    let covariance = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let rng = || stream(42, &[]);
    let gaussian = Gaussian::new(&[1.0, -1.0], &covariance).expect("valid");
    pinned("gaussian", &gaussian.sample(&mut rng()), &[-1.2828949804527352, -2.605888079809119]);
    let by_root = gaussian.moments().sampler().expect("semidefinite");
    pinned("by root", &by_root.sample(&mut rng()), &[-1.2828949804527352, -2.605888079809119]);
    let by_precision = InformationGaussian::from(&gaussian).sampler().expect("proper");
    pinned("by precision", &by_precision.sample(&mut rng()), &[-1.6887713280586016, -2.1066372226971373]);
    let series = GaussianMarkovField::autoregression(&[0.8], 1.0, 3).expect("stationary");
    pinned(
        "markov field",
        &series.sample(&mut rng()),
        &[-3.433372005249259, -2.2739018547929994, -1.4590807901198282],
    );
    let t = MultivariateT::new(3.5, &[1.0, -1.0], &covariance).expect("valid");
    pinned("multivariate t", &t.sample(&mut rng()), &[-2.8690235391992056, -3.721640213545308]);
    let wishart = Wishart::new(1.5, &covariance).expect("valid");
    pinned(
        "wishart",
        wishart.sample(&mut rng()).as_slice(),
        &[0.06965099042004755, 0.3150421313059623, 0.3150421313059623, 2.313955637825739],
    );
    let inverse = InverseWishart::new(3.5, &covariance).expect("valid");
    pinned(
        "inverse wishart",
        inverse.sample(&mut rng()).as_slice(),
        &[4.3108210623510015, 0.9109064346812623, 0.9109064346812623, 1.606465298148964],
    );
    let matrices = MatrixNormal::new(&DMatrix::zeros(2, 2), &covariance, &covariance).expect("valid");
    pinned(
        "matrix normal",
        matrices.sample(&mut rng()).as_slice(),
        &[-3.22850104282972, -2.2710687021193436, -1.9652347347300378, -0.3633832350422748],
    );
    let correlations = Lkj::new(3, 0.3).expect("valid").sample_cholesky(&mut rng());
    pinned(
        "lkj",
        correlations.as_slice(),
        &[
            1.0,
            0.9356840673100919,
            0.8794347136086024,
            0.0,
            0.3528389521893003,
            0.35727229419580653,
            0.0,
            0.0,
            0.3145649254132134,
        ],
    );
    let prior = NormalInverseWishart::new(&[1.0, -1.0], 2.0, &covariance, 3.5).expect("valid");
    let drawn = prior.draw(&mut rng()).expect("regular");
    pinned(
        "normal-inverse-wishart",
        &[drawn.mean().as_slice(), drawn.covariance().as_slice()].concat(),
        &[
            2.458112984213109,
            0.3218234101514694,
            4.310821062351001,
            0.9109064346812624,
            0.9109064346812624,
            1.6064652981489644,
        ],
    );
}
