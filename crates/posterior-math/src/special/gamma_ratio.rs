//! Ratios of gamma functions of moderate arguments, several times faster than gamma functions one by one.

use super::polynomial::polynomial;

/// The Taylor coefficients of 1 / Γ(1 + s) at s = 0 (mpmath 1.4 at 40 digits).
pub(super) const RECIPROCAL_GAMMA_1P: [f64; 20] = [
    1.0,
    0.5772156649015328606065,
    -0.655878071520253881077,
    -0.042002635034095235529,
    0.1665386113822914895017,
    -0.04219773455554433674821,
    -0.009621971527876973562115,
    0.007218943246663099542395,
    -0.001165167591859065112114,
    -0.0002152416741149509728157,
    0.0001280502823881161861532,
    -0.00002013485478078823865569,
    -0.000001250493482142670657345,
    0.000001133027231981695882374,
    -2.05633841697760710345e-7,
    6.116095104481415817862e-9,
    5.002007644469222930056e-9,
    -1.181274570487020144588e-9,
    1.043426711691100510492e-10,
    7.78226343990507125405e-12,
];

/// (r, p) with Γ(x) = p / r, for 0 < x < 30.
fn parts(x: f64) -> (f64, f64) {
    let nearest = x.round();
    let s = x - nearest;
    let reciprocal = polynomial(&RECIPROCAL_GAMMA_1P, s);
    if nearest == 0.0 {
        return (s * reciprocal, 1.0);
    }
    let steps = nearest as u32;
    (reciprocal, (1..steps).map(|j| x - f64::from(j)).product())
}

/// 1 / Γ(x) for 0 < x < 30.
pub(super) fn reciprocal_gamma(x: f64) -> f64 {
    let (reciprocal, product) = parts(x);
    reciprocal / product
}

/// 1 / B(a, b) = Γ(a + b) / (Γ(a) Γ(b)) for 0 < a, b < 15.
pub(super) fn reciprocal_beta(a: f64, b: f64) -> f64 {
    let ((ra, pa), (rb, pb), (rn, pn)) = (parts(a), parts(b), parts(a + b));
    (ra / rn) * rb * pn / (pa * pb)
}
