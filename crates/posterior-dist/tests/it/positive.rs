//! Laws of positive numbers and of directions: their tables and laws, one test each.

use posterior_dist::{
    Beta, Density, Entropy, Gamma, InverseGamma, KlDivergence, Moments, Parametric, Univariate,
};
use posterior_testkit::accuracy::{Worst, assert_close, assert_within};
use posterior_testkit::reference::{list, load, number, numbers};
use posterior_testkit::{distribution_table, law};

fn gamma(shape: f64, rate: f64) -> Gamma {
    Gamma::shape_rate(shape, rate).expect("positive")
}

fn beta(alpha: f64, beta: f64) -> Beta {
    Beta::new(alpha, beta).expect("positive")
}

/// The cases of a family in the table of divergences.
fn divergences<D: Parametric + KlDivergence>(family: &str, bound: f64) {
    let mut worst = Worst::of(family);
    for case in list(&load("distributions/kl_divergence")["families"][family]) {
        let [p, q] = ["p", "q"].map(|side| numbers(&case[side]));
        let [of_p, of_q] = [&p, &q].map(|side| D::from_parameters(side).expect("parameters of the table"));
        worst.see(of_p.kl_divergence(&of_q), number(&case["kl"]), &(p, q));
    }
    worst.assert_at_most(bound);
}

#[test]
fn gamma_obeys_the_laws() {
    distribution_table::continuous::<Gamma>("gamma").assert(1e-14);
    divergences::<Gamma>("gamma (shape, rate)", 1e-14);
    let points = [1e-9, 0.3, 1.0, 4.0, 50.0];
    for (shape, rate) in [(1.0, 1.0), (0.3, 2.0), (7.5, 0.5), (40.0, 8.0)] {
        let law = gamma(shape, rate);
        law::univariate(&law, &points);
        law::exponential_family(&law, &points, 1e-11);
        law::kl_divergence::<_, f64>(&law, &gamma(2.0, 3.0), None);
        law::bregman(&law, &gamma(2.0, 3.0), 1e-12);
    }
    law::stats::<Gamma, f64>(&(), &points);
    assert_close(gamma(3.0, 2.0).kl_divergence(&gamma(2.0, 1.0)), 0.1159315156584124, 1e-15);
    assert_close(gamma(3.0, 2.0).ln_pdf(&1.0), -0.6137056388801093, 1e-15);
}

#[test]
fn inverse_gamma_obeys_the_laws() {
    distribution_table::continuous::<InverseGamma>("inverse_gamma").assert(1e-14);
    divergences::<InverseGamma>("inverse_gamma (shape, scale)", 1e-14);
    let of = |shape, scale| InverseGamma::new(shape, scale).expect("positive");
    let points = [0.01, 0.3, 1.0, 4.0, 50.0];
    for (shape, scale) in [(1.0, 1.0), (0.3, 2.0), (7.5, 0.5), (40.0, 8.0)] {
        let law = of(shape, scale);
        law::univariate(&law, &points);
        law::exponential_family(&law, &points, 1e-11);
        law::kl_divergence::<_, f64>(&law, &of(2.0, 3.0), None);
        law::bregman(&law, &of(2.0, 3.0), 1e-12);
    }
    law::stats::<InverseGamma, f64>(&(), &points);
}

#[test]
fn beta_obeys_the_laws() {
    distribution_table::continuous::<Beta>("beta").assert(1e-14);
    divergences::<Beta>("beta (alpha, beta)", 1e-14);
    let points = [1e-9, 0.2, 0.5, 0.9, 0.999];
    for (a, b) in [(1.0, 1.0), (0.3, 0.7), (7.0, 5.0), (40.0, 25.0), (3.0, 0.1)] {
        let law = beta(a, b);
        law::univariate(&law, &points);
        law::exponential_family(&law, &points, 1e-10);
        law::kl_divergence::<_, f64>(&law, &beta(2.0, 3.0), None);
        law::bregman(&law, &beta(2.0, 3.0), 1e-12);
    }
    law::stats::<Beta, f64>(&(), &points);
}

#[test]
fn the_coin_of_the_book() {
    for (heads, tosses, variance, upper, entropy, interval) in [
        (6.0, 10.0, 35.0 / 1872.0, 0.7255859375, Some(-0.5795626880757183), [0.30790472, 0.83251191]),
        (60.0, 100.0, 0.002333867108617671, 0.9769779665353, None, [0.50174408, 0.69069148]),
    ] {
        let law = beta(1.0 + heads, 1.0 + tosses - heads);
        assert_close(law.variance().expect("exists"), variance, 1e-14);
        assert_close(law.sf(0.5), upper, 1e-12);
        if let Some(entropy) = entropy {
            assert_close(law.entropy(), entropy, 1e-14);
            assert_close(law.expected_ln(), -0.5698773448773453, 1e-14);
        }
        assert_within(law.quantile(0.025), interval[0], 5e-9);
        assert_within(law.upper_quantile(0.025), interval[1], 5e-9);
    }
}
