//! Log-quadratic functions of a state by their roots, and how they move through the equations of a model.

use posterior_gaussian::{Gaussian, InformationGaussian};
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, MatrixError, solve_upper_in_place, symmetrize, triangularize,
};
use posterior_math::special::{HALF_LN_TAU, LN_TAU};

use crate::{Error, StateSpace};

/// Less than this proportion of a column, for each of n columns, is rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// f(x) = exp(c - ½ |R x - z|²), with R upper triangular.
///
/// The precision is Λ = Rᵀ R. A root loses half as many digits as Λ would where a transition nearly forgets a
/// direction, of which its inverse makes a precision as large as the square of its condition.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Root {
    /// R and z, n x (n + 1).
    array: DMatrix<f64>,
    /// c.
    ln_scale: f64,
}

impl Root {
    /// Of rows (R, z) in any number.
    pub(super) fn new(rows: DMatrix<f64>, ln_scale: f64) -> Self {
        Self::eliminated(0, rows, ln_scale)
    }

    /// The integral over the first `count` variables of rows (R, z), up to √2π for each of them.
    fn eliminated(count: usize, rows: DMatrix<f64>, ln_scale: f64) -> Self {
        let n = rows.ncols() - 1 - count;
        let triangle = triangularize(rows);
        let volume: f64 = (0..count).map(|i| triangle[(i, i)].ln()).sum();
        let rest = triangle[(count + n, count + n)];
        Self {
            array: triangle.view((count, count), (n, n + 1)).into_owned(),
            ln_scale: ln_scale - volume - 0.5 * rest * rest,
        }
    }

    /// One everywhere, of n numbers.
    pub(super) fn flat(n: usize) -> Self {
        Self { array: DMatrix::zeros(n, n + 1), ln_scale: 0.0 }
    }

    fn size(&self) -> usize {
        self.array.nrows()
    }

    fn triangle(&self) -> DMatrix<f64> {
        self.array.columns(0, self.size()).into_owned()
    }

    fn z(&self) -> DVector<f64> {
        self.array.column(self.size()).into_owned()
    }

    /// η, Λ and the logarithm of the scale.
    pub(super) fn information(&self) -> Result<InformationGaussian, Error> {
        let (r, z) = (self.triangle(), self.z());
        let mut precision = r.tr_mul(&r);
        symmetrize(&mut precision);
        let ln_scale = self.ln_scale - 0.5 * z.norm_squared();
        Ok(InformationGaussian::new(r.tr_mul(&z).as_slice(), &precision, ln_scale)?)
    }

    pub(super) fn product(&self, other: &Self) -> Self {
        let n = self.size();
        let mut rows = self.array.clone().resize_vertically(2 * n, 0.0);
        rows.rows_mut(n, n).copy_from(&other.array);
        Self::new(rows, self.ln_scale + other.ln_scale)
    }

    /// Whether it is of a distribution: no direction is open.
    fn check(&self) -> Result<(), Error> {
        let n = self.size();
        let open = |i: usize| {
            let column = self.array.view((0, i), (i + 1, 1)).norm();
            !(self.array[(i, i)] > ROUNDING * n as f64 * column)
        };
        if (0..n).any(open) { Err(Error::Undetermined) } else { Ok(()) }
    }

    /// The normalised distribution.
    pub(super) fn distribution(&self) -> Result<Gaussian, Error> {
        self.check()?;
        let n = self.size();
        let mut solved = DMatrix::identity(n, n + 1);
        solved.set_column(n, &self.z());
        solve_upper_in_place(&self.triangle(), &mut solved);
        let inverse = solved.columns(0, n).into_owned();
        let mut covariance = &inverse * inverse.transpose();
        symmetrize(&mut covariance);
        Ok(Gaussian::new(solved.column(n).into_owned().as_slice(), &covariance)?)
    }

    /// ln ∫ f.
    pub(super) fn ln_integral(&self) -> Result<f64, Error> {
        self.check()?;
        let n = self.size();
        let volume: f64 = (0..n).map(|i| self.array[(i, i)].ln()).sum();
        Ok(self.ln_scale + n as f64 * HALF_LN_TAU - volume)
    }

    /// x ↦ ∫ f(A x + b + F e) N(e; 0, I) de, by A, F and b: what is known by the next state of x.
    pub(super) fn pulled_back(
        &self,
        matrix: &DMatrix<f64>,
        root: &DMatrix<f64>,
        offset: &DVector<f64>,
    ) -> Self {
        let r = self.triangle();
        self.blurred(&(&r * root), &(&r * matrix), &(self.z() - &r * offset), self.ln_scale)
    }

    /// z ↦ ∫ f(A⁻¹ (z - b - F e)) N(e; 0, I) de / |det A|: what is known of the next state.
    pub(super) fn pushed_forward(
        &self,
        matrix: &DMatrix<f64>,
        root: &DMatrix<f64>,
        offset: &DVector<f64>,
    ) -> Result<Self, Error> {
        let factors = matrix.transpose().lu();
        let volume = factors.determinant().abs();
        let solved = factors.solve(&self.triangle().transpose()).ok_or(MatrixError::Singular)?;
        if !(volume > 0.0 && volume.is_finite() && solved.iter().all(|entry| entry.is_finite())) {
            return Err(MatrixError::Singular.into());
        }
        let r = solved.transpose();
        Ok(self.blurred(&-(&r * root), &r, &(self.z() + &r * offset), self.ln_scale - volume.ln()))
    }

    /// The integral over e of exp(c - ½ |e|² - ½ |G e + R x - z|²), up to √2π for each number of e.
    fn blurred(&self, gain: &DMatrix<f64>, r: &DMatrix<f64>, z: &DVector<f64>, ln_scale: f64) -> Self {
        let (n, k) = (self.size(), gain.ncols());
        let mut rows = DMatrix::zeros(k + n, k + n + 1);
        rows.view_mut((0, 0), (k, k)).fill_with_identity();
        rows.view_mut((k, 0), (n, k)).copy_from(gain);
        rows.view_mut((k, k), (n, n)).copy_from(r);
        rows.view_mut((k, k + n), (n, 1)).copy_from(z);
        Self::eliminated(k, rows, ln_scale)
    }
}

/// What the observations at time `t` say of the state; one where all are missing.
pub(super) fn seen(model: &StateSpace, values: &[f64], t: usize) -> Result<Root, Error> {
    let there: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    let n = model.states();
    if there.is_empty() {
        return Ok(Root::flat(n));
    }
    let observation = model.observation();
    let noise = observation.noise().matrix(t).select_rows(&there).select_columns(&there);
    let factor = Cholesky::new(&noise)?;
    let mut rows = observation.matrix().matrix(t).select_rows(&there).resize_horizontally(n + 1, 0.0);
    for (row, &i) in there.iter().enumerate() {
        rows[(row, n)] = values[i] - observation.offset().at(t)[i];
    }
    let ln_scale = -0.5 * (there.len() as f64 * LN_TAU + factor.ln_determinant());
    Ok(Root::new(factor.half_solve(&rows), ln_scale))
}
