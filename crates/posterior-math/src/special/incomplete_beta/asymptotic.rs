//! The uniform asymptotic expansion of the incomplete beta function for two large parameters, next to the
//! mean.

use crate::special::error_function::erfcx;

use super::point::Point;

/// The orders that are kept, in pairs.
const ORDERS: usize = 20;
/// 2^(-3/2).
const EIGHTH_ROOT: f64 = 0.353_553_390_593_273_762_2;
/// √π / 4.
const QUARTER_ROOT_PI: f64 = 0.443_113_462_726_379_009_9;

/// I_x(a, b) B(a, b) / (x^a y^b) for x at or below the mean, from the error function and a series in 1 /
/// √min(a, b).
///
/// The coefficients come from inverting the power series of the exponent; see `BASYM` of Algorithm 708.
pub(super) fn expansion(point: &Point, deviance: f64) -> f64 {
    let Point { a, b, .. } = *point;
    let root = deviance.sqrt();
    let z = root / (2.0 * EIGHTH_ROOT);
    let twice = 2.0 * deviance;
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let h = small / large;
    let (mixed, skew) = ((h + 1.0).recip(), (b - a) / large);
    let w0 = (small * (h + 1.0)).sqrt().recip();

    let mut series = Coefficients::new(skew);
    let (mut even, mut odd) = (QUARTER_ROOT_PI * erfcx(root), EIGHTH_ROOT);
    let mut sum = even + series.d[0] * w0 * odd;
    let (mut geometric, mut power, mut w) = (1.0, 1.0, w0);
    let (mut z_even, mut z_odd) = (z, twice);
    for n in (2..ORDERS).step_by(2) {
        let order = n as f64;
        power *= h * h;
        series.a[n - 1] = 2.0 * mixed * (1.0 + h * power) / (order + 2.0);
        geometric += power;
        series.a[n] = 2.0 * skew * geometric / (order + 3.0);
        series.extend(n);
        series.extend(n + 1);
        even = EIGHTH_ROOT * z_even + (order - 1.0) * even;
        odd = EIGHTH_ROOT * z_odd + order * odd;
        z_even *= twice;
        z_odd *= twice;
        w *= w0;
        let first = series.d[n - 1] * w * even;
        w *= w0;
        let second = series.d[n] * w * odd;
        sum += first + second;
        if first.abs() + second.abs() <= 1e-17 * sum {
            break;
        }
    }
    // The prefactor √(a b / (2π n)) e^(-deviance) takes the place of 2 / √π e^(-deviance).
    sum * 2.0 * std::f64::consts::SQRT_2 / ((a / (a + b)) * b).sqrt()
}

/// The series of the exponent and its inverse, as far as they are known.
struct Coefficients {
    a: [f64; ORDERS + 1],
    b: [f64; ORDERS + 1],
    c: [f64; ORDERS + 1],
    d: [f64; ORDERS + 1],
}

impl Coefficients {
    fn new(skew: f64) -> Self {
        let zero = [0.0; ORDERS + 1];
        let mut series = Self { a: zero, b: zero, c: zero, d: zero };
        series.a[0] = skew * 2.0 / 3.0;
        series.c[0] = -0.5 * series.a[0];
        series.d[0] = -series.c[0];
        series
    }

    /// Order `i`, from the orders below it and a₁, …, aᵢ.
    fn extend(&mut self, i: usize) {
        let r = -0.5 * (i as f64 + 1.0);
        self.b[0] = r * self.a[0];
        for m in 2..=i {
            let sum: f64 =
                (1..m).map(|j| (j as f64 * r - (m - j) as f64) * self.a[j - 1] * self.b[m - j - 1]).sum();
            self.b[m - 1] = r * self.a[m - 1] + sum / m as f64;
        }
        self.c[i - 1] = self.b[i - 1] / (i as f64 + 1.0);
        let sum: f64 = (1..i).map(|j| self.d[i - j - 1] * self.c[j - 1]).sum();
        self.d[i - 1] = -(sum + self.c[i - 1]);
    }
}
