//! Where the incomplete beta function is asked for: parameters, x and 1 - x, and how far x is from the mean.

use crate::special::exact::exact_product;

/// 2⁵⁰⁰: the parts of a product of larger numbers may be beyond f64.
const LARGE: f64 = 3.273_390_607_896_142e150;

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
    if n > LARGE {
        return remainder(a / LARGE, b / LARGE, x) * LARGE;
    }
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    let rest = small - (n - large);
    let (product, product_rest) = exact_product(n, x);
    (a - product) - product_rest - rest * x
}
