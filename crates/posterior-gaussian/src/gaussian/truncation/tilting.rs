//! The means that make independent truncated normal variables a proposal for a Gaussian in a box, whose
//! weights are bounded as tightly as can be.

use posterior_dist::{Normal, Truncated};
use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, Ldlt};

use super::interval::{densities_at_ends, interval};
use super::ordering::OrderedBox;

/// A gradient below it is zero.
const TOLERANCE: f64 = 1e-9;

const MOST_STEPS: usize = 200;

/// A box with the means μ, of which the last is 0, and the bound of the logarithm of the weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tilted {
    pub(super) ordered: OrderedBox,
    pub(super) means: Vec<f64>,
    pub(super) ln_bound: f64,
}

/// ψ and what Newton's method wants of it, at points x and means μ.
struct Slopes {
    psi: f64,
    /// ∂ψ/∂x and ∂ψ/∂μ, one after the other, without the last coordinates.
    gradient: Vec<f64>,
    curvature: DMatrix<f64>,
}

impl Tilted {
    /// The saddle point of ψ(x, μ) = Σ ½ μ² - x μ + ln P(low - L x - μ < Z < high - L x - μ), of which ψ(·,
    /// μ) is concave and ψ(x, ·) is convex: by Newton's method with halved steps.
    ///
    /// # Errors
    /// If the search does not end, or the box has no probability in f64.
    ///
    /// # References
    /// Z. I. Botev, Simulation and estimation via minimax tilting,
    /// Journal of the Royal Statistical Society B 79 (2017).
    pub(super) fn new(ordered: OrderedBox) -> Result<Self, ParamError> {
        let inner = ordered.low.len() - 1;
        let failed = |norm: f64| {
            ParamError::new("box of a Gaussian", "slope at the end of the search for means", norm, "0")
        };
        let mut at = vec![0.0; 2 * inner];
        let mut slopes = slopes(&ordered, &at)?;
        let norm = |own: &Slopes| own.gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        for _ in 0..MOST_STEPS {
            let size = norm(&slopes);
            if size < TOLERANCE {
                at.resize(2 * inner, 0.0);
                let mut means = at[inner..].to_vec();
                means.push(0.0);
                return Ok(Self { ordered, means, ln_bound: slopes.psi });
            }
            let mut step = slopes.gradient.clone();
            Ldlt::new(&slopes.curvature).map_err(|_| failed(size))?.solve_slice_in_place(&mut step);
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(x, step)| x - length * step).collect();
                // Beyond f64 there is no probability left.
                match self::slopes(&ordered, &next) {
                    Ok(found) if norm(&found) < size => {
                        (at, slopes) = (next, found);
                        break;
                    }
                    _ if length > 1e-12 => length *= 0.5,
                    _ if size < 1e-6 => {
                        // Rounding: any means are right, and these nearly the best.
                        slopes.gradient.fill(0.0);
                        break;
                    }
                    _ => return Err(failed(size)),
                }
            }
        }
        Err(failed(norm(&slopes)))
    }

    /// The number of coordinates.
    pub(super) fn dimension(&self) -> usize {
        self.means.len()
    }

    /// The interval of a coordinate, less its mean, given those before; `None` if it has no probability.
    fn interval(&self, place: usize, z: &[f64]) -> Option<Truncated<Normal>> {
        let shift: f64 =
            (0..place).map(|k| self.ordered.factor[(place, k)] * z[k]).sum::<f64>() + self.means[place];
        interval(self.ordered.low[place] - shift, self.ordered.high[place] - shift)
    }

    /// A point of the proposal, whose coordinates `draw` takes from their intervals, and the logarithm of its
    /// weight. The last coordinate is drawn if `z` has a place for it.
    pub(super) fn propose(
        &self,
        z: &mut [f64],
        mut draw: impl FnMut(usize, &Truncated<Normal>) -> f64,
    ) -> f64 {
        let mut ln_weight = 0.0;
        for place in 0..self.dimension() {
            let Some(within) = self.interval(place, z) else { return f64::NEG_INFINITY };
            let mean = self.means[place];
            ln_weight += within.ln_mass();
            if place < z.len() {
                z[place] = mean + draw(place, &within);
                ln_weight += mean * (0.5 * mean - z[place]);
            }
        }
        ln_weight
    }

    /// The coordinates of the Gaussian at a point of white noise, less its mean.
    pub(super) fn of_noise(&self, z: &[f64], x: &mut [f64]) {
        let OrderedBox { factor, scales, order, .. } = &self.ordered;
        for (place, &variable) in order.iter().enumerate() {
            let before: f64 = (0..place).map(|k| factor[(place, k)] * z[k]).sum();
            x[variable] = scales[place] * (z[place] + before);
        }
    }
}

/// ψ, its gradient and its curvature.
fn slopes(ordered: &OrderedBox, at: &[f64]) -> Result<Slopes, ParamError> {
    let n = ordered.low.len();
    let inner = n - 1;
    let (x, means) = at.split_at(inner);
    let mean = |place: usize| means.get(place).copied().unwrap_or(0.0);
    let (mut psi, mut pulls, mut bends) = (0.0, vec![0.0; n], vec![0.0; n]);
    for place in 0..n {
        let shift: f64 = (0..place).map(|k| ordered.factor[(place, k)] * x[k]).sum::<f64>() + mean(place);
        let (low, high) = (ordered.low[place] - shift, ordered.high[place] - shift);
        let within = Truncated::new(Normal::STANDARD, low, high)?;
        psi += within.ln_mass() + 0.5 * mean(place).powi(2)
            - if place < inner { x[place] * mean(place) } else { 0.0 };
        let [at_low, at_high] = densities_at_ends(low, high)?;
        pulls[place] = at_low - at_high;
        let moment = |end: f64, density: f64| if density > 0.0 { end * density } else { 0.0 };
        bends[place] = moment(low, at_low) - moment(high, at_high) - pulls[place].powi(2);
    }
    let mut gradient = vec![0.0; 2 * inner];
    let mut curvature = DMatrix::zeros(2 * inner, 2 * inner);
    for j in 0..inner {
        gradient[j] = (j + 1..n).map(|k| pulls[k] * ordered.factor[(k, j)]).sum::<f64>() - mean(j);
        gradient[inner + j] = mean(j) - x[j] + pulls[j];
        curvature[(inner + j, inner + j)] = 1.0 + bends[j];
        for i in 0..inner {
            let both: f64 =
                (i.max(j) + 1..n).map(|k| bends[k] * ordered.factor[(k, i)] * ordered.factor[(k, j)]).sum();
            curvature[(i, j)] = both;
            // ∂²ψ / ∂μᵢ ∂xⱼ
            let mixed = bends[i] * ordered.factor[(i, j)] - if i == j { 1.0 } else { 0.0 };
            curvature[(inner + i, j)] = mixed;
            curvature[(j, inner + i)] = mixed;
        }
    }
    Ok(Slopes { psi, gradient, curvature })
}
