//! Univariate distributions with a density: their tables and identities, one test each.

use posterior_dist::{Exponential, Stats};
use posterior_testkit::{consistency, distribution_table};

#[test]
fn exponential() {
    distribution_table::continuous::<Exponential>("exponential").assert(1e-15);
    let (p, q) = (Exponential::new(0.7).expect("positive"), Exponential::new(3.0).expect("positive"));
    let points = [0.0, 1e-9, 0.3, 1.0, 4.0, 50.0];
    consistency::univariate(&p, &points);
    consistency::continuous(&p, &points, 1);
    consistency::exponential_family(&p, &points, 1e-12);
    consistency::stats::<Exponential, f64>(&(), &points);
    consistency::kl_divergence::<_, f64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);
    assert!(Stats::<Exponential>::of((), &[1.0, -1.0]).is_err());
}
