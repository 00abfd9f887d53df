//! The deviance of a Poisson count, the well-conditioned half of the saddle-point form of discrete densities.

/// D(x; m) = x ln(x / m) + m - x ≥ 0 for x, m ≥ 0: how far the count x is from the mean m.
///
/// ln Poisson(x; m) = -½ ln 2πx - Δ(x) - D(x; m) with the remainder Δ of Stirling's formula, and the binomial
/// and multinomial densities are sums of the same terms. Written out, x ln x and x ln m cancel and leave an
/// error that grows with x; here the relative error of D is below 1e-15.
///
/// D(0; m) = m; +∞ for m = 0 < x and where one of the two is infinite; NaN for negative numbers, for two
/// infinities and for NaN.
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000 (`bd0`).
///
/// ```
/// let value = posterior_math::special::poisson_deviance(1e15, 1e15 + 1.0);
/// assert!((value / 5e-16 - 1.0).abs() < 1e-14);
/// ```
pub fn poisson_deviance(x: f64, m: f64) -> f64 {
    if x.is_nan() || m.is_nan() || x < 0.0 || m < 0.0 || (x == f64::INFINITY && m == f64::INFINITY) {
        return f64::NAN;
    }
    if x == f64::INFINITY || m == f64::INFINITY || (m == 0.0 && x > 0.0) {
        return f64::INFINITY;
    }
    if x == 0.0 {
        return m;
    }
    let difference = x - m;
    let v =
        if x + m < f64::INFINITY { difference / (x + m) } else { (0.5 * difference) / (0.5 * x + 0.5 * m) };
    if v.abs() >= 0.4 {
        let ratio = x / m;
        let ln_ratio = if ratio > 0.0 && ratio < f64::INFINITY { ratio.ln() } else { x.ln() - m.ln() };
        return x * ln_ratio + m - x;
    }
    // The formula would lose a digit at v = 0.1 and more below. With v = (x - m) / (x + m), ln(x / m) = 2
    // artanh v, and D = (x - m) v + 2 x (v³/3 + v⁵/5 + …).
    let square = v * v;
    let mut power = 2.0 * (x * v);
    let mut sum = difference * v;
    let mut order = 3.0;
    loop {
        power *= square;
        let next = sum + power / order;
        if next == sum {
            return sum;
        }
        sum = next;
        order += 2.0;
    }
}
