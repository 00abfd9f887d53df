//! Where the incomplete beta function is asked for: parameters, x and 1 - x, and how far x is from the mean.

/// a, b, x, y = 1 - x, and the excess a y - b x = a - (a + b) x.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) excess: f64,
}

impl Point {
    /// Of x and y the smaller one is taken as exact.
    pub(super) fn new(a: f64, b: f64, x: f64, y: f64) -> Self {
        let (x, y) = if x <= y { (x, 1.0 - x) } else { (1.0 - y, y) };
        let excess = if x <= y { remainder(a, b, x) } else { -remainder(b, a, y) };
        Self { a, b, x, y, excess }
    }

    /// The same question about 1 - x.
    pub(super) fn mirrored(&self) -> Self {
        Self { a: self.b, b: self.a, x: self.y, y: self.x, excess: -self.excess }
    }
}

/// a - (a + b) x, with the rounding errors of the sum and of the product made good.
fn remainder(a: f64, b: f64, x: f64) -> f64 {
    let n = a + b;
    let plain = a - n * x;
    if !(n < 1e150) {
        return plain;
    }
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    let rest = small - (n - large);
    let product = n * x;
    let ((n_high, n_low), (x_high, x_low)) = (halves(n), halves(x));
    let product_rest = ((n_high * x_high - product) + n_high * x_low + n_low * x_high) + n_low * x_low;
    (a - product) - product_rest - rest * x
}

/// Veltkamp's split of a number into two of half the digits.
fn halves(x: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * x;
    let high = scaled - (scaled - x);
    (high, x - high)
}
