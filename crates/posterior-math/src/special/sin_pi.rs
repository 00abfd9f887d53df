//! sin πx and cot πx without the rounding of πx: the periods are removed from x, where that is exact.

use std::f64::consts::PI;

/// sin πx, exactly zero at the integers.
pub(super) fn sin_pi(x: f64) -> f64 {
    let mut reduced = x % 2.0;
    if reduced > 1.0 {
        reduced -= 2.0;
    } else if reduced < -1.0 {
        reduced += 2.0;
    }
    if reduced.abs() > 0.5 {
        reduced = (1.0 - reduced.abs()).copysign(reduced);
    }
    (PI * reduced).sin()
}

/// cot πx, infinite at the integers and exactly zero half way between them.
pub(super) fn cot_pi(x: f64) -> f64 {
    let reduced = x - x.round();
    if reduced.abs() <= 0.25 {
        (PI * reduced).tan().recip()
    } else {
        (PI * (0.5 - reduced.abs())).tan().copysign(reduced)
    }
}
