//! The average over the scale of the coefficients.

mod draw;

use std::f64::consts::{LN_2, PI};

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, ln_beta, ln_gamma};

pub use self::draw::LinearDraw;

use super::condensed;
use super::grid::Grid;
use super::spectrum::Spectrum;
use crate::Error;
use crate::coefficients::Coefficient;
use crate::linear::data::{LinearData, finite};
use crate::student_mixture::StudentMixture;

/// The proportion of the outcome's variance that the columns explain is Beta(1, ¼) before the data.
const EXPLAINED: [f64; 2] = [1.0, 0.25];

/// Where ln λ is looked for: λ is the standard deviation of a coefficient per standard deviation of the
/// noise.
const LN_RATIOS: [f64; 2] = [-14.0, 25.0];

/// Components of less weight are left out of predictions; they count where an observation is left out.
const NEGLIGIBLE: f64 = 1e-8;

/// Nodes of rules that may stand for all components, and the moments that they have to have, to this
/// proportion.
const NODES: [usize; 4] = [4, 6, 9, 13];
const DEGREES: [i32; 3] = [1, 2, 6];
const SAME: f64 = 1e-11;

/// The prior standard deviation of the coefficients, the same for all, per standard deviation of their
/// columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CoefficientScale {
    /// Averaged over. With λ for the ratio of a coefficient's standard deviation to that of the noise and p
    /// columns, pλ²/(1 + pλ²) is the proportion of variance that p uncorrelated columns explain: it has the
    /// distribution Beta(1, ¼).
    Averaged,
    /// This many standard deviations of the responses.
    Given(f64),
}

/// The posterior of y = α + x β + noise (α = 0 without an intercept), averaged over the scale of β and the
/// variance of the noise.
///
/// Given the ratio λ, coefficients and new responses have Student t distributions with n - 1 degrees of
/// freedom (n without an intercept; normal ones, if the scale is given: then the ratio says what the noise
/// is). The posterior is a mixture of them over a grid of ratios.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::{CoefficientScale, averaged};
///
/// let x = DMatrix::from_fn(20, 1, |i, _| i as f64);
/// let y: Vec<f64> = (0..20).map(|i| 3.0 + 2.0 * i as f64 + 0.001 * (7.0 * i as f64).sin()).collect();
/// let posterior = averaged(&x, &y, CoefficientScale::Averaged)?;
/// let slope = &posterior.coefficients(&["x".to_owned()])?[1];
/// assert!(slope.q05 < 2.0 && 2.0 < slope.q95 && slope.sd < 1e-4);
/// assert!(posterior.noise_sd() > 5e-4 && posterior.noise_sd() < 1e-3);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct AveragedPosterior {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "Spectrum::read"))]
    spectrum: Spectrum,
    points: Vec<Point>,
    /// Whether the scale was given: then components are normal, and else they are Student's.
    scale_given: bool,
    ln_evidence: Option<f64>,
    noise_sd: f64,
    prior_sd: f64,
}

/// A component.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Point {
    weight: f64,
    /// λ².
    ratio: f64,
    /// yᵀ (I + λ² X Xᵀ)⁻¹ y.
    rest: f64,
    /// The square of the scale of the noise.
    noise: f64,
}

/// The posterior under flat priors of α and of the logarithm of the noise's variance, and β ~ N(0, s²) per
/// standard deviation of each column.
///
/// Nothing has a unit: responses, or a column, times any number give the same answer in the new unit. A
/// column that is constant says nothing.
///
/// # Errors
/// Other numbers of rows than of responses; a number that is not finite, or beyond range when it is squared;
/// a scale that is not positive; [`Error::NoFit`] for fewer than two rows, or responses that are all the
/// same: nothing says how large the noise is.
///
/// # Cost
/// 2 n p min(n, p) operations, and the memory of two copies of the design.
pub fn averaged(
    design: &DMatrix<f64>,
    y: &[f64],
    scale: CoefficientScale,
) -> Result<AveragedPosterior, Error> {
    averaged_with(&LinearData::new(design, y)?, true, scale)
}

/// The same of rows with weights and offsets, with an intercept or without one: α = 0, and a column is
/// measured by its root mean square.
///
/// The noise of a row of weight w has variance σ²/w. Weights times any number give the same coefficients.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::{CoefficientScale, LinearData, averaged_with};
///
/// let x = DMatrix::from_column_slice(4, 1, &[1.0, 2.0, 3.0, 4.0]);
/// let data = LinearData::new(&x, &[2.0, 4.1, 5.9, 0.0])?.with_weights(&[1.0, 1.0, 1.0, 0.0])?;
/// let posterior = averaged_with(&data, false, CoefficientScale::Given(1e4))?;
/// let [slope] = &posterior.coefficients(&["x".to_owned()])?[..] else { unreachable!() };
/// // (1·2 + 2·4.1 + 3·5.9)/(1 + 4 + 9): the last row says nothing.
/// assert!((slope.mean - 27.9 / 14.0).abs() < 1e-6);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # Errors
/// As [`averaged`]; several outputs.
pub fn averaged_with(
    data: &LinearData<'_>,
    intercept: bool,
    scale: CoefficientScale,
) -> Result<AveragedPosterior, Error> {
    check::dimension("outputs", 1, data.outputs)?;
    let kept: Vec<usize> = (0..data.rows()).filter(|&row| data.weight(row) > 0.0).collect();
    let y: Vec<f64> = kept.iter().map(|&row| data.response[row] - data.offset_of(row)).collect();
    let weights: Option<Vec<f64>> = data.weights.map(|_| kept.iter().map(|&row| data.weight(row)).collect());
    if y.len() < 2 {
        return Err(Error::NoFit { why: "one row says nothing of the noise" });
    }
    if y.iter().all(|own| *own == y[0]) && (intercept || y[0] == 0.0) {
        return Err(Error::NoFit { why: "all responses are the same: nothing says how large the noise is" });
    }
    let design = if kept.len() == data.rows() { data.design.clone() } else { data.design.select_rows(&kept) };
    let spectrum = Spectrum::new(design, &y, weights.as_deref(), intercept)?;
    let degrees_of_freedom = spectrum.degrees_of_freedom();
    // ln of √(1/Σw) ∏ √w, where the first part is that of the intercept.
    let ln_of_rows = 0.5 * (if intercept { -spectrum.total.ln() } else { 0.0 } + data.ln_weights());
    // ln of this, Γ(ν/2) π^(-ν/2) rest^(-ν/2) and |I + λ² X Xᵀ|^(-1/2).
    let constant = ln_gamma(0.5 * degrees_of_freedom) - 0.5 * degrees_of_freedom * PI.ln() + ln_of_rows;
    let parts = |ln_ratio: f64| {
        let ratio = (2.0 * ln_ratio).exp();
        let ln_determinant: f64 = spectrum.values.iter().map(|value| (ratio * value * value).ln_1p()).sum();
        (ratio, spectrum.rest(ratio), ln_determinant)
    };
    // Per weight of a row, so that the unit of the weights says nothing.
    let columns = data.features() as f64 * (spectrum.total / spectrum.rows as f64);
    let (grid, sd) = match scale {
        // Without columns there is no scale to average over.
        CoefficientScale::Averaged if data.features() == 0 => {
            let ln_integral = constant - 0.5 * degrees_of_freedom * spectrum.beyond.ln();
            (Grid { points: vec![(f64::NEG_INFINITY, 1.0)], ln_integral }, None)
        }
        CoefficientScale::Averaged => {
            let ln_density = |ln_ratio: f64| {
                let (ratio, rest, ln_determinant) = parts(ln_ratio);
                constant - 0.5 * (degrees_of_freedom * rest.ln() + ln_determinant) + ln_prior(columns * ratio)
            };
            (Grid::new(ln_density, LN_RATIOS[0], LN_RATIOS[1]), None)
        }
        CoefficientScale::Given(sd) => {
            let sd = check::positive("averaged", "scale", sd)? * spectrum.sd;
            let sd = check::positive("averaged", "scale", sd)?;
            // Where the columns can have any responses, a flat prior of ln σ is no distribution: σ^½ makes it
            // one.
            let tail = if spectrum.is_saturated() { 2.0 * EXPLAINED[1] } else { 0.0 };
            let ln_density = |ln_ratio: f64| {
                let (_, rest, ln_determinant) = parts(ln_ratio);
                let variance = (2.0 * (sd.ln() - ln_ratio)).exp();
                let ln_normal = -0.5
                    * (degrees_of_freedom * (2.0 * PI * variance).ln() + rest / variance + ln_determinant);
                LN_2 + ln_of_rows + ln_normal - tail * ln_ratio
            };
            let centre = sd.ln() - spectrum.sd.ln();
            let range = [centre - 24.0, centre + 40.0];
            (Grid::new(ln_density, range[0], range[1]), Some(sd))
        }
    };
    let proper = sd.is_none() || !spectrum.is_saturated();
    let points: Vec<Point> = grid
        .points
        .iter()
        .map(|&(ln_ratio, weight)| {
            let (ratio, rest, _) = parts(ln_ratio);
            let noise = sd.map_or(rest / degrees_of_freedom, |sd| sd * sd / ratio);
            Point { weight, ratio, rest, noise }
        })
        .collect();
    // E ln σ: of an inverse gamma distribution of σ², or of the point.
    let shift =
        if sd.is_none() { (0.5 * degrees_of_freedom).ln() - digamma(0.5 * degrees_of_freedom) } else { 0.0 };
    let ln_noise: f64 = points.iter().map(|own| 0.5 * own.weight * (own.noise.ln() + shift)).sum();
    let ln_ratio: f64 = points.iter().map(|own| 0.5 * own.weight * own.ratio.ln()).sum();
    let prior_sd = sd.map_or_else(|| (ln_noise + ln_ratio).exp() / spectrum.sd, |sd| sd / spectrum.sd);
    Ok(AveragedPosterior {
        points,
        scale_given: sd.is_some(),
        ln_evidence: proper.then_some(grid.ln_integral),
        noise_sd: ln_noise.exp(),
        prior_sd,
        spectrum,
    })
}

/// ln of the prior density of ln λ, by g = pλ².
fn ln_prior(g: f64) -> f64 {
    let [a, b] = EXPLAINED;
    LN_2 + a * g.ln() - (a + b) * g.ln_1p() - ln_beta(a, b)
}

impl AveragedPosterior {
    /// ln p(y) with a density of 1 for α and for ln σ²: the constant is the same for all models of the same
    /// responses that leave both open, so that differences compare them. None where columns of a given scale
    /// can have any responses: there is no such density then.
    pub const fn ln_evidence(&self) -> Option<f64> {
        self.ln_evidence
    }

    /// The standard deviation of the noise: the exponential of the posterior mean of its logarithm.
    pub const fn noise_sd(&self) -> f64 {
        self.noise_sd
    }

    /// The prior standard deviation of a coefficient per standard deviation of its column, in standard
    /// deviations of the responses: the one given, or the exponential of the posterior mean of its logarithm;
    /// zero where there are no columns to have one.
    pub const fn prior_sd(&self) -> f64 {
        self.prior_sd
    }

    /// Whether the columns can have any responses (as many independent ones as rows, less one): then all that
    /// is known of the noise is the prior.
    pub fn is_saturated(&self) -> bool {
        self.spectrum.is_saturated()
    }

    /// Of every component.
    fn degrees_of_freedom(&self) -> f64 {
        if self.scale_given { f64::INFINITY } else { self.spectrum.degrees_of_freedom() }
    }

    /// The intercept, if there is one, and the coefficients in the units of the table.
    ///
    /// # Errors
    /// Other numbers of names than of columns; a distribution that has degenerated by overflow.
    pub fn coefficients(&self, names: &[String]) -> Result<Vec<Coefficient>, Error> {
        let spectrum = &self.spectrum;
        check::dimension("names of columns", spectrum.means.len(), names.len())?;
        let zero = spectrum.standard(std::iter::repeat_n(0.0, names.len()));
        let (along, left) = spectrum.project(&zero);
        let mut all = Vec::with_capacity(names.len() + 1);
        let points: Vec<Point> = self.counted().cloned().collect();
        if spectrum.intercept {
            let at_zero = self.mixture(&points, (&along, left), spectrum.mean, spectrum.of_intercept())?;
            all.push(Coefficient::of_students("intercept", at_zero));
        }
        for (j, name) in names.iter().enumerate() {
            let unit = spectrum.sds[j];
            let along: Vec<f64> = spectrum.right.row(j).iter().map(|v| v / unit).collect();
            let full = spectrum.values.len() == names.len();
            let within: f64 = along.iter().map(|v| v * v).sum();
            let left = if full { 0.0 } else { (unit.powi(-2) - within).max(0.0) };
            all.push(Coefficient::of_students(name, self.mixture(&points, (&along, left), 0.0, 0.0)?));
        }
        Ok(all)
    }

    /// The mean response at each row of a design.
    ///
    /// # Errors
    /// Another number of columns; a number that is not finite.
    pub fn latent(&self, design: &DMatrix<f64>) -> Result<Vec<StudentMixture>, Error> {
        self.at(design, 0.0)
    }

    /// The mean of [`latent`](Self::latent) at each row: the response at the mean coefficients.
    ///
    /// # Errors
    /// As [`latent`](Self::latent).
    ///
    /// # Cost
    /// The number of columns times that of singular values, for each row.
    pub fn means(&self, design: &DMatrix<f64>) -> Result<Vec<f64>, Error> {
        let spectrum = &self.spectrum;
        check::dimension("features", spectrum.means.len(), design.ncols())?;
        finite("feature", design.nrows(), design.as_slice())?;
        let total: f64 = self.counted().map(|point| point.weight).sum();
        let along = spectrum.values.iter().zip(&spectrum.along).map(|(value, y)| {
            let shrunk = |point: &Point| point.weight * point.ratio / (1.0 + point.ratio * value * value);
            value * y * self.counted().map(shrunk).sum::<f64>() / total
        });
        let along: Vec<f64> = along.collect();
        let row = |row: usize| {
            let (own, _) = spectrum.project(&spectrum.standard(design.row(row).iter().copied()));
            spectrum.mean + own.iter().zip(&along).map(|(a, b)| a * b).sum::<f64>()
        };
        Ok((0..design.nrows()).map(row).collect())
    }

    /// The components that count in predictions.
    fn counted(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.weight > NEGLIGIBLE)
    }

    /// A new response at each row of a design.
    ///
    /// # Errors
    /// As [`latent`](Self::latent).
    pub fn predict(&self, design: &DMatrix<f64>) -> Result<Vec<StudentMixture>, Error> {
        self.at(design, 1.0)
    }

    /// Few components that predict as all do: Gauss's rule for the logarithm of the ratio, if it has the
    /// moments of everything that predictions are made of; else all that count.
    fn condensed(&self) -> Vec<Point> {
        let all: Vec<Point> = self.counted().cloned().collect();
        let total: f64 = all.iter().map(|own| own.weight).sum();
        let points: Vec<(f64, f64)> =
            all.iter().map(|own| (0.5 * own.ratio.ln(), own.weight / total)).collect();
        let few = NODES.iter().filter(|&&nodes| 2 * nodes <= all.len()).find_map(|&nodes| {
            let rule = condensed::rule(&points, nodes)?;
            let few: Vec<Point> =
                rule.into_iter().map(|(ln_ratio, weight)| self.point(ln_ratio, weight)).collect();
            self.agree(&all, &few).then_some(few)
        });
        few.unwrap_or(all)
    }

    /// The component at a ratio.
    fn point(&self, ln_ratio: f64, weight: f64) -> Point {
        let ratio = (2.0 * ln_ratio).exp();
        let rest = self.spectrum.rest(ratio);
        // Where the scale is given, noise times ratio is its square.
        let given = || self.points.first().map_or(f64::NAN, |own| own.noise * own.ratio) / ratio;
        let noise = if self.scale_given { given() } else { rest / self.spectrum.degrees_of_freedom() };
        Point { weight, ratio, rest, noise }
    }

    /// Whether the moments of the shrinkage of each singular direction and of the noise are the same.
    fn agree(&self, all: &[Point], few: &[Point]) -> bool {
        let moments = |points: &[Point], number: &dyn Fn(&Point) -> f64| {
            let total: f64 = points.iter().map(|own| own.weight).sum();
            let mean = |degree: i32| {
                points.iter().map(|own| own.weight * number(own).powi(degree)).sum::<f64>() / total
            };
            DEGREES.map(mean)
        };
        let same = |number: &dyn Fn(&Point) -> f64| {
            let (own, other) = (moments(all, number), moments(few, number));
            own.iter().zip(other).all(|(own, other)| (own - other).abs() <= SAME * own.abs())
        };
        let shrunk = |value: f64| move |own: &Point| 1.0 - (1.0 + own.ratio * value * value).recip();
        let noise = all.first().map_or(1.0, |own| own.noise);
        self.spectrum.values.iter().all(|&value| same(&shrunk(value))) && same(&|own| own.noise / noise)
    }

    fn at(&self, design: &DMatrix<f64>, noise: f64) -> Result<Vec<StudentMixture>, Error> {
        check::dimension("features", self.spectrum.means.len(), design.ncols())?;
        finite("feature", design.nrows(), design.as_slice())?;
        let more = noise + self.spectrum.of_intercept();
        let points = self.condensed();
        let row = |row: usize| {
            let (along, left) =
                self.spectrum.project(&self.spectrum.standard(design.row(row).iter().copied()));
            self.mixture(&points, (&along, left), self.spectrum.mean, more)
        };
        (0..design.nrows()).map(row).collect()
    }

    /// The distribution of `offset` + aᵀβ with `more` of the noise's variance beside it, for Vᵀ a and the
    /// square of what is left of a.
    fn mixture(
        &self,
        points: &[Point],
        (along, left): (&[f64], f64),
        offset: f64,
        more: f64,
    ) -> Result<StudentMixture, Error> {
        let component = |point: &Point| {
            let (mut location, mut variance) = (offset, point.ratio * left + more);
            for ((a, value), y) in along.iter().zip(&self.spectrum.values).zip(&self.spectrum.along) {
                let shrunk = point.ratio / (1.0 + point.ratio * value * value);
                location += a * shrunk * value * y;
                variance += a * a * shrunk;
            }
            // A column that is constant, at its mean: known, but for rounding.
            let scale = (variance * point.noise).sqrt().max(f64::MIN_POSITIVE);
            (point.weight, location, scale)
        };
        Ok(StudentMixture::new(self.degrees_of_freedom(), points.iter().map(component).collect())?)
    }

    /// The prediction of each response of the data from all others, at the standardisation that all have:
    /// every component in closed form, with the weight that it has without that response.
    ///
    /// # Errors
    /// Other data than those of the fit, by their sizes; two rows only.
    pub fn leave_one_out(&self, design: &DMatrix<f64>, y: &[f64]) -> Result<Vec<StudentMixture>, Error> {
        self.leave_one_out_of(&LinearData::new(design, y)?)
    }

    /// The same of rows with weights and offsets; a row without weight is predicted from all others as it is.
    ///
    /// # Errors
    /// As [`leave_one_out`](Self::leave_one_out).
    pub fn leave_one_out_of(&self, data: &LinearData<'_>) -> Result<Vec<StudentMixture>, Error> {
        self.leave_one_out_at(data, &(0..data.rows()).collect::<Vec<_>>())
    }

    /// The same of some rows, each predicted from all others.
    ///
    /// # Errors
    /// As [`leave_one_out`](Self::leave_one_out); a row that the data do not have.
    pub fn leave_one_out_at(
        &self,
        data: &LinearData<'_>,
        rows: &[usize],
    ) -> Result<Vec<StudentMixture>, Error> {
        let spectrum = &self.spectrum;
        check::dimension("rows", spectrum.rows, data.informative())?;
        check::dimension("features", spectrum.means.len(), data.features())?;
        if spectrum.rows < 3 {
            return Err(Error::NoFit { why: "one row says nothing of the noise" });
        }
        // One row less; infinite ones stay.
        let degrees_of_freedom = self.degrees_of_freedom() - 1.0;
        let points = self.condensed();
        let own_row = |row: usize| {
            let (weight, offset) = (data.weight(row), data.offset_of(row));
            let y = data.response[row] - offset;
            let (along, left) = spectrum.project(&spectrum.standard(data.design.row(row).iter().copied()));
            if weight == 0.0 {
                let more = 1.0 + spectrum.of_intercept();
                let own = self.mixture(&points, (&along, left), spectrum.mean, more)?;
                return Ok(own.shifted(offset));
            }
            let left_out = |point: &Point| {
                let (mut fitted, mut leverage) = (spectrum.mean, weight * spectrum.of_intercept());
                for ((a, value), of_y) in along.iter().zip(&spectrum.values).zip(&spectrum.along) {
                    let shrunk = point.ratio / (1.0 + point.ratio * value * value);
                    fitted += a * shrunk * value * of_y;
                    leverage += weight * a * a * shrunk;
                }
                // A row that decides alone is predicted by nothing.
                let kept = (1.0 - leverage).max(f64::EPSILON);
                let residual = y - fitted;
                let noise = if self.scale_given {
                    point.noise
                } else {
                    let others = point.rest - weight * residual * residual / kept;
                    others.max(f64::EPSILON * point.rest) / degrees_of_freedom
                };
                (y - residual / kept, (noise / (weight * kept)).sqrt())
            };
            let mut components = Vec::with_capacity(self.points.len());
            for point in &self.points {
                let (location, scale) = left_out(point);
                let alone = StudentMixture::new(degrees_of_freedom, vec![(1.0, location, scale)])?;
                components.push((point.weight.ln() - alone.ln_pdf(y), location, scale));
            }
            let most = components.iter().fold(f64::NEG_INFINITY, |most, own| most.max(own.0));
            for own in &mut components {
                own.0 = (own.0 - most).exp();
            }
            Ok(StudentMixture::new(degrees_of_freedom, components)?.shifted(offset))
        };
        if let Some(&row) = rows.iter().find(|&&row| row >= data.rows()) {
            return Err(
                check::ParamError::new("AveragedPosterior", "row", row as f64, "a row of the data").into()
            );
        }
        rows.iter().copied().map(own_row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that look like noise.
    fn noise(k: usize) -> f64 {
        ((k as f64 * 12.9898).sin() * 43_758.545_3).fract()
    }

    #[test]
    fn few_components_predict_as_all_do() {
        for (rows, columns, size) in [
            (5, 1, 0.1),
            (8, 3, 1.0),
            (12, 1, 3.0),
            (40, 2, 1.0),
            (40, 10, 0.3),
            (400, 3, 1.0),
            (2000, 10, 0.2),
        ] {
            let x = DMatrix::from_fn(rows, columns, |i, j| noise(7 * i + 1000 * j + 1));
            let y: Vec<f64> = (0..rows).map(|i| 0.7 * x[(i, 0)] - 0.2 + size * noise(31 * i + 5)).collect();
            for scale in [CoefficientScale::Averaged, CoefficientScale::Given(1.0)] {
                let own = averaged(&x, &y, scale).unwrap();
                let (few, all) = (own.condensed(), own.counted().cloned().collect::<Vec<_>>());
                if rows >= 2000 {
                    assert!(few.len() <= 13, "{rows} {}", few.len());
                }
                for reach in [0.0, 1.0, 5.0] {
                    let row = own.spectrum.standard(std::iter::repeat_n(reach, columns));
                    let (along, left) = own.spectrum.project(&row);
                    for more in [0.0, 1.0] {
                        let [few, all] = [&few, &all]
                            .map(|points| own.mixture(points, (&along, left), 0.3, more).unwrap());
                        for p in [1e-4, 0.05, 0.5, 0.9, 0.999] {
                            let (few, full) = (few.quantile(p), all.quantile(p));
                            assert!(
                                (few - full).abs() < 1e-9 * all.sd().min(1e3),
                                "{rows} {columns} {scale:?} {reach} {p}: {few} {full}"
                            );
                        }
                    }
                }
            }
        }
    }
}
