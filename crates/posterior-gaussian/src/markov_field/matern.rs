//! Matérn fields in space, as solutions of a stochastic partial differential equation.

use posterior_math::check::{self, ParamError};
use posterior_math::sparse::{SparseMatrix, SparseSymmetric};
use posterior_math::special::ln_gamma;

use super::base::refused;
use super::elements::FiniteElements;
use super::field::{GaussianMarkovField, built};

/// The equation (κ² - Δ)^(α/2) τ x = white noise, whose stationary solution in d dimensions has Matérn's
/// covariance with smoothness ν = α - d/2.
///
/// # References
/// F. Lindgren, H. Rue, J. Lindström, An explicit link between Gaussian fields and Gaussian Markov random
/// fields, J. R. Stat. Soc. B 73 (2011).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaternSpde {
    kappa: f64,
    tau: f64,
    alpha: u8,
}

impl MaternSpde {
    /// The equation with the coefficients κ, an inverse length, and τ, and α = 1 or 2.
    ///
    /// # Errors
    /// A coefficient that is not positive and finite, or another α.
    pub fn new(kappa: f64, tau: f64, alpha: u8) -> Result<Self, ParamError> {
        check::positive("MaternSpde", "kappa", kappa)?;
        check::positive("MaternSpde", "tau", tau)?;
        check::require(matches!(alpha, 1 | 2), "MaternSpde", "alpha", f64::from(alpha), "1 or 2")?;
        Ok(Self { kappa, tau, alpha })
    }

    /// The equation whose solution in `dimension` dimensions has this standard deviation, and a correlation
    /// of about 0.13 at the distance `range`: κ = √(8 ν) / range.
    ///
    /// # Errors
    /// A number that is not positive and finite, or a smoothness ν = α - d/2 that is not positive.
    pub fn with_range(range: f64, deviation: f64, alpha: u8, dimension: usize) -> Result<Self, ParamError> {
        check::positive("MaternSpde", "range", range)?;
        check::positive("MaternSpde", "deviation", deviation)?;
        let half = 0.5 * dimension as f64;
        let nu = f64::from(alpha) - half;
        check::require(nu > 0.0, "MaternSpde", "smoothness alpha - dimension / 2", nu, "positive")?;
        let kappa = (8.0 * nu).sqrt() / range;
        let ln_variance = ln_gamma(nu)
            - ln_gamma(f64::from(alpha))
            - half * (4.0 * std::f64::consts::PI).ln()
            - 2.0 * nu * kappa.ln();
        Self::new(kappa, (0.5 * ln_variance).exp() / deviation, alpha)
    }

    /// κ, an inverse length.
    pub const fn kappa(&self) -> f64 {
        self.kappa
    }

    /// τ, which divides the standard deviation.
    pub const fn tau(&self) -> f64 {
        self.tau
    }

    /// α, the order of the differential equation: 1 or 2.
    pub const fn alpha(&self) -> u8 {
        self.alpha
    }

    /// Q = τ² K for α = 1 and τ² K C⁻¹ K for α = 2, with K = κ² C + G and the diagonal C.
    ///
    /// # Errors
    /// If an entry is not finite.
    pub fn precision(&self, elements: &FiniteElements) -> Result<SparseSymmetric, ParamError> {
        let n = elements.masses().len();
        let squared = self.kappa * self.kappa;
        let masses = elements.masses().iter().enumerate().map(|(i, mass)| (i, i, squared * mass));
        let operator =
            built(SparseSymmetric::from_triplets(n, masses.chain(elements.stiffness().triplets())))?;
        let scale = self.tau * self.tau;
        if self.alpha == 1 {
            return built(operator.scaled(scale));
        }
        let both = operator.triplets().flat_map(|(i, j, value)| {
            [Some((i, j, value)), (i != j).then_some((j, i, value))].into_iter().flatten()
        });
        let weights: Vec<f64> = elements.masses().iter().map(|mass| scale / mass).collect();
        built(SparseMatrix::from_triplets(n, n, both).map_err(refused)?.gram(&weights))
    }
}

impl GaussianMarkovField {
    /// A Matérn field on a regular grid with `shape` nodes along each axis, `spacing` apart; the first index
    /// runs fastest. At the edges the normal derivative is zero, which doubles the variance there: what is of
    /// interest should be a range away from them.
    ///
    /// The covariance is that of the equation up to (κ spacing)².
    ///
    /// # Errors
    /// A spacing that is not positive and finite, or an empty axis.
    ///
    /// ```
    /// use posterior_gaussian::{GaussianMarkovField, MaternSpde};
    ///
    /// let equation = MaternSpde::with_range(8.0, 1.5, 2, 2)?;
    /// let field = GaussianMarkovField::matern_on_grid(&[41, 41], 1.0, &equation)?;
    /// let variance = field.marginal_variances()[20 * 41 + 20];
    /// assert!((variance.sqrt() - 1.5).abs() < 0.04);
    /// # Ok::<(), posterior_gaussian::math::ParamError>(())
    /// ```
    pub fn matern_on_grid(shape: &[usize], spacing: f64, equation: &MaternSpde) -> Result<Self, ParamError> {
        Self::matern(&FiniteElements::on_grid(shape, spacing)?, equation)
    }

    /// A Matérn field at the points of a mesh of triangles in the plane, each with the indices of its corners
    /// in any order: linear elements, with a diagonal mass matrix. Edges as on a grid.
    ///
    /// # Errors
    /// A point that is not finite, a triangle with a corner that is not there or without area, or a point
    /// that is in no triangle.
    pub fn matern_on_mesh(
        points: &[[f64; 2]],
        triangles: &[[usize; 3]],
        equation: &MaternSpde,
    ) -> Result<Self, ParamError> {
        Self::matern(&FiniteElements::on_mesh(points, triangles)?, equation)
    }

    fn matern(elements: &FiniteElements, equation: &MaternSpde) -> Result<Self, ParamError> {
        let centre = vec![0.0; elements.masses().len()];
        Self::new(&centre, equation.precision(elements)?, &elements.ordering())
    }
}
