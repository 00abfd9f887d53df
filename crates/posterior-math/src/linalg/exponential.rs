//! The exponential of a matrix.

use nalgebra::DMatrix;

use super::error::MatrixError;
use super::lu::Lu;
use super::product::multiply;

/// The coefficients of the Padé approximants of degree 3, 5, 7, 9 and 13, and the largest norm for which the
/// error of each one is below the rounding of f64 (Higham, table 2.3). The last norm is half of his: for
/// decaying exponentials the sums of the approximant cancel, and one squaring more is three times as
/// accurate.
const PADE: [(f64, &[f64]); 5] = [
    (1.495585217958292e-2, &[120.0, 60.0, 12.0, 1.0]),
    (2.539398330063230e-1, &[30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0]),
    (9.504178996162932e-1, &[17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0]),
    (
        2.097847961257068,
        &[
            17643225600.0,
            8821612800.0,
            2075673600.0,
            302702400.0,
            30270240.0,
            2162160.0,
            110880.0,
            3960.0,
            90.0,
            1.0,
        ],
    ),
    (
        2.685960175574076,
        &[
            64764752532480000.0,
            32382376266240000.0,
            7771770303897600.0,
            1187353796428800.0,
            129060195264000.0,
            10559470521600.0,
            670442572800.0,
            33522128640.0,
            1323241920.0,
            40840800.0,
            960960.0,
            16380.0,
            182.0,
            1.0,
        ],
    ),
];

/// e^A, by the Padé approximant of A/2^s, squared s times.
///
/// Not a number where the norm of A or of e^A is beyond the range of f64.
///
/// # Numerics
/// For a symmetric A, or one that commutes with its transpose, the error is at most 6 ε max(1, |A|) |e^A|;
/// for others it grows by as much as the powers on the way are larger than the result. Small entries beside
/// large ones have absolute accuracy only.
///
/// # Cost
/// Up to 6 + s products and one solution, 2 n³ operations each.
///
/// # Errors
/// Not square.
///
/// # References
/// N. J. Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal.
/// Appl. 26 (2005), algorithm 2.3.
///
/// ```
/// use posterior_math::linalg::{DMatrix, exponential};
///
/// let rotation = exponential(&DMatrix::from_row_slice(2, 2, &[0.0, -1.0, 1.0, 0.0]))?;
/// assert!((rotation[(0, 0)] - 1_f64.cos()).abs() < 1e-15 && (rotation[(1, 0)] - 1_f64.sin()).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn exponential(a: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let (rows, columns) = a.shape();
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    let norm = one_norm(a);
    if !(norm < f64::INFINITY) {
        return Ok(DMatrix::from_element(rows, rows, f64::NAN));
    }
    if rows == 1 {
        return Ok(a.map(f64::exp));
    }
    let (largest, coefficients) =
        PADE.iter().find(|(largest, _)| norm <= *largest).copied().unwrap_or(PADE[PADE.len() - 1]);
    let squarings = halvings(norm, largest);
    let mut power = pade(&(a * (-f64::from(squarings)).exp2()), coefficients);
    for _ in 0..squarings {
        power = multiply(&power, &power);
    }
    Ok(power)
}

/// The largest sum of absolute values in a column.
pub(super) fn one_norm(a: &DMatrix<f64>) -> f64 {
    // `f64::max` would lose a NaN.
    a.column_iter()
        .map(|column| column.lp_norm(1))
        .fold(0.0, |most, sum| if sum <= most { most } else { sum })
}

/// How often to halve `norm` until it is at most `largest`; at most 1100 times for finite norms.
pub(super) fn halvings(norm: f64, largest: f64) -> u32 {
    if norm > largest { (norm.log2() - largest.log2()).ceil().max(0.0) as u32 } else { 0 }
}

/// (V - U)⁻¹ (V + U), where V and U are the even and the odd part of Σ cᵢ Aⁱ.
fn pade(a: &DMatrix<f64>, coefficients: &[f64]) -> DMatrix<f64> {
    let n = a.nrows();
    let square = multiply(a, a);
    // Degree 13 stops at A⁶ and takes Horner's rule from there: 6 products instead of 8.
    let count = if coefficients.len() == 14 { 4 } else { coefficients.len() / 2 };
    let mut powers = vec![DMatrix::identity(n, n), square];
    while powers.len() < count {
        powers.push(multiply(&powers[powers.len() - 1], &powers[1]));
    }
    let odd = multiply(a, &even_polynomial(&powers, coefficients, 1));
    let even = even_polynomial(&powers, coefficients, 0);
    let mut quotient = &even + &odd;
    // The denominator is regular for the norms of the table; a NaN stays one.
    match Lu::new(even - odd) {
        Some(denominator) => denominator.solve_in_place(&mut quotient),
        None => quotient.fill(f64::NAN),
    }
    quotient
}

/// Σ c₂ᵢ₊ₒ A²ⁱ for the offset o, from the even powers of A.
fn even_polynomial(powers: &[DMatrix<f64>], coefficients: &[f64], offset: usize) -> DMatrix<f64> {
    let terms: Vec<f64> = coefficients.iter().skip(offset).step_by(2).copied().collect();
    let combine = |terms: &[f64], first: usize| {
        let mut sum = &powers[first] * terms[0];
        for (term, power) in terms[1..].iter().zip(&powers[first + 1..]) {
            sum += power * *term;
        }
        sum
    };
    let (low, high) = terms.split_at(powers.len().min(terms.len()));
    let mut sum = combine(low, 0);
    if !high.is_empty() {
        sum += multiply(&powers[powers.len() - 1], &combine(high, 1));
    }
    sum
}
