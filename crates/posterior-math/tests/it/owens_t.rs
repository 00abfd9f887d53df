//! Owen's T function and the bivariate normal distribution function.

use posterior_math::special::{bivariate_normal_cdf, normal_cdf, owens_t};
use posterior_testkit::accuracy::{Worst, assert_close, assert_within};
use posterior_testkit::reference::special_cases;

#[test]
fn owens_t_meets_its_table() {
    let mut worst = Worst::of("owens_t");
    for case in special_cases("owens_t") {
        worst.see(owens_t(case.number(0), case.number(1)), case.value, &case.arguments);
    }
    worst.assert_at_most(1e-14);
}
