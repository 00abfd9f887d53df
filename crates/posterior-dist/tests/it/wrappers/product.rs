//! Independent distributions side by side.

use posterior_dist::{
    Bernoulli, Density, Entropy, Iid, KlDivergence, Mode, Moments, PointGradient, Product, stream::stream,
};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;
use rand::distr::Distribution;

use super::{exponential, gamma};

fn coin(success: f64) -> Bernoulli {
    Bernoulli::new(success).expect("a probability")
}

/// All sequences of three bits.
fn bits() -> Vec<Vec<bool>> {
    (0..8).map(|word| (0..3).map(|bit| word >> bit & 1 == 1).collect()).collect()
}

#[test]
fn products_of_coins_are_consistent() {
    let distribution = Product::new([0.5, 0.1, 0.8].map(coin).to_vec());
    consistency::finite_support(&distribution, &bits());
    consistency::sampler(&distribution, &bits(), 20_000, &mut stream(1, &[]));
    consistency::kl_divergence(
        &distribution,
        &Product::new([0.4, 0.1, 0.3].map(coin).to_vec()),
        Some(&bits()),
    );
    let distribution = Iid::new(coin(0.3), 3);
    consistency::finite_support(&distribution, &bits());
    consistency::sampler(&distribution, &bits(), 20_000, &mut stream(2, &[]));
    consistency::kl_divergence(&distribution, &Iid::new(coin(0.6), 3), Some(&bits()));
}

#[test]
fn a_sample_is_a_product_of_equals() {
    let (iid, product) = (Iid::new(gamma(3.0, 1.5), 4), Product::new(vec![gamma(3.0, 1.5); 4]));
    let x = iid.sample(&mut stream(3, &[]));
    assert_eq!(x, product.sample(&mut stream(3, &[])));
    assert_eq!(iid.ln_pdf(&x), product.ln_pdf(&x));
    assert_eq!(iid.point_gradient(&x), product.point_gradient(&x));
    assert_eq!(
        (iid.mean(), iid.variance(), iid.mode()),
        (product.mean(), product.variance(), product.mode())
    );
    assert_close(iid.entropy(), product.entropy(), 1e-15);
    let other = (Iid::new(gamma(2.0, 1.0), 4), Product::new(vec![gamma(2.0, 1.0); 4]));
    assert_close(iid.kl_divergence(&other.0), product.kl_divergence(&other.1), 1e-15);
    let sum: f64 = x.iter().map(|x| gamma(3.0, 1.5).ln_pdf(x)).sum();
    assert_within(iid.ln_pdf(&x), sum, 1e-15);
    assert_eq!(iid.distribution(), &product.distributions()[2]);
}

#[test]
fn the_covariance_is_diagonal() {
    let distribution = Product::new(vec![exponential(1.0), exponential(2.0)]);
    let variance = distribution.variance().expect("finite");
    assert_eq!(variance.as_slice(), [1.0, 0.0, 0.0, 0.25]);
    assert_eq!(distribution.mode(), Some(vec![0.0, 0.0]));
}

#[test]
fn vectors_of_another_length_have_no_density() {
    let distribution = Product::new(vec![exponential(1.0), exponential(2.0)]);
    for x in [&[][..], &[1.0], &[1.0, 1.0, 1.0], &[-1.0, 1.0]] {
        assert_eq!(distribution.ln_pdf(x), f64::NEG_INFINITY);
        assert!(distribution.point_gradient(x).iter().all(|slope| slope.is_nan()));
    }
    assert!(distribution.ln_pdf(&[f64::NAN, -1.0]).is_nan());
    assert_eq!(distribution.kl_divergence(&Product::new(vec![exponential(1.0)])), f64::INFINITY);
    // A pole in one place, impossible in another.
    let distribution = Iid::new(gamma(0.5, 1.0), 2);
    assert_eq!(distribution.ln_pdf(&[0.0, 1.0]), f64::INFINITY);
    assert_eq!(distribution.ln_pdf(&[0.0, -1.0]), f64::NEG_INFINITY);
    // Of nothing at all there is one vector.
    let none = Iid::new(coin(0.5), 0);
    assert_eq!((none.ln_pdf(&[]), none.entropy(), none.mode()), (0.0, 0.0, Some(vec![])));
    assert_eq!(none.kl_divergence(&Iid::new(coin(0.0), 0)), 0.0);
}
