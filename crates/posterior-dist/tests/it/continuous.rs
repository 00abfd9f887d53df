//! Laws on the real line with a density: their tables and laws, one test each.

use posterior_dist::{Exponential, Stats};
use posterior_testkit::{distribution_table, law};

#[test]
fn exponential() {
    distribution_table::continuous::<Exponential>("exponential").assert(1e-15);
    let (p, q) = (Exponential::new(0.7).expect("positive"), Exponential::new(3.0).expect("positive"));
    let points = [0.0, 1e-9, 0.3, 1.0, 4.0, 50.0];
    law::univariate(&p, &points);
    law::continuous(&p, &points, 1);
    law::exponential_family(&p, &points, 1e-12);
    law::stats::<Exponential, f64>(&(), &points);
    law::kl_divergence::<_, f64>(&p, &q, None);
    law::bregman(&p, &q, 1e-12);
    assert!(Stats::<Exponential>::of((), &[1.0, -1.0]).is_err());
}
