//! The first observations after a start of which part is diffuse, exactly.
//!
//! The state is m + F z + D β with z standard normal and β of infinite variance. An observation that D β
//! reaches fixes one coordinate of β, in terms of itself, of z and of its noise; all others are taken as
//! usual. In the limit of large variances this is the filter of S. J. Koopman (1997), Exact initial Kalman
//! filtering and smoothing for nonstationary time series models, JASA 92; see J. Durbin, S. J. Koopman, Time
//! Series Analysis by State Space Methods, 2nd ed. (2012), chapter 5, with F Fᵀ = P* and D Dᵀ = P∞.

use posterior_math::linalg::{DMatrix, DVector, triangularize};
use posterior_math::special::HALF_LN_TAU;

use super::recursion::Recursion;
use super::{SquareRoot, Steps, exact};
use crate::reflection::Array;
use crate::{Error, Series, StateSpace};

/// What is smaller than this part of the terms it was summed from is rounding.
const NEGLIGIBLE: f64 = 1e-11;

/// Coordinates of the state at one time in terms of those at a later time, of what was observed, and of
/// independent noise: c = B c' + Z e + E ε.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    /// B.
    pub(crate) response: DMatrix<f64>,
    /// Z; e are the innovations as the means have them.
    pub(crate) innovations: DMatrix<f64>,
    /// E.
    pub(crate) spread: DMatrix<f64>,
}

impl Link {
    fn then(&self, next: &Self) -> Self {
        let (own, theirs) = (self.spread.ncols(), next.spread.ncols());
        let mut spread = self.spread.clone().resize_horizontally(own + theirs, 0.0);
        spread.columns_mut(own, theirs).copy_from(&(&self.response * &next.spread));
        Self {
            response: &self.response * &next.response,
            innovations: &self.innovations + &self.response * &next.innovations,
            spread: compressed(spread),
        }
    }
}

/// A root of the same covariance with no more columns than rows.
pub(crate) fn compressed(root: DMatrix<f64>) -> DMatrix<f64> {
    if root.ncols() > root.nrows() { triangularize(root.transpose()).transpose() } else { root }
}

/// A time at which something was diffuse before the observation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DiffuseStep {
    /// D after the observation.
    pub(crate) directions: DMatrix<f64>,
    /// From the coordinates (z, β) after the observation before to those after this one.
    pub(crate) link: Option<Link>,
    /// Whether a direction has gone, of which no later observation can tell.
    pub(crate) lost: bool,
}

/// The times until nothing is diffuse.
#[derive(Debug)]
pub(crate) struct DiffusePhase {
    /// F after the last of them.
    pub(crate) root: Vec<f64>,
    pub(crate) steps: Steps,
    pub(crate) diffuse: Vec<DiffuseStep>,
}

/// The distribution of a state of which part is diffuse.
struct DiffuseGaussian<'a> {
    model: &'a StateSpace,
    root: DMatrix<f64>,
    directions: DMatrix<f64>,
}

/// One observed number: h x + noise with variance r.
struct Scalar {
    h: DVector<f64>,
    r: f64,
}

/// What one number gave.
struct Taken {
    gain: DVector<f64>,
    scale: f64,
    ln_scale: f64,
    /// Whether it fixed a diffuse coordinate.
    spent: bool,
    link: Link,
}

impl DiffusePhase {
    /// `None` if the start is not diffuse, or nothing follows.
    pub(crate) fn new(model: &StateSpace, series: &Series) -> Result<Option<Self>, Error> {
        let (directions, _) = independent(model.initial().diffuse_directions());
        if directions.ncols() == 0 || series.is_empty() {
            return Ok(None);
        }
        let n = model.states();
        let root = DMatrix::from_vec(n, n, SquareRoot::initial(model)?);
        let mut distribution = DiffuseGaussian { model, root, directions };
        let (mut steps, mut diffuse) = (Steps::new(n, model.width()), Vec::new());
        for t in 0..series.len() {
            let (link, lost) = if t == 0 { (None, false) } else { distribution.predict(t) };
            if !distribution.is_finite() {
                return Err(Error::Overflow { time: t });
            }
            if distribution.directions.ncols() == 0 && !lost {
                break;
            }
            steps.push_predicted(distribution.root.as_slice());
            let link = distribution.observe(series.at(t), t, link, &mut steps)?;
            let directions = distribution.directions.clone();
            let over = directions.ncols() == 0;
            diffuse.push(DiffuseStep { directions, link, lost });
            if over {
                break;
            }
        }
        Ok(Some(Self { root: distribution.root.as_slice().to_vec(), steps, diffuse }))
    }
}

impl DiffuseGaussian<'_> {
    fn is_finite(&self) -> bool {
        self.root.iter().chain(&self.directions).all(|entry| entry.is_finite())
    }

    /// Moves from time `t` - 1 to `t`. The link, and whether a direction was lost.
    fn predict(&mut self, t: usize) -> (Option<Link>, bool) {
        let transition = self.model.transition();
        let (n, k) = (self.root.nrows(), self.directions.ncols());
        let matrix = transition.matrix().matrix(t - 1);
        let noise = transition.noise_root().matrix(t - 1);
        let reduced = reduce(noise, &matrix * &self.root, DMatrix::identity(n, n));
        let mut moved = &matrix * &self.directions;
        for i in 0..n {
            let reached: f64 = (0..n).map(|j| matrix[(i, j)].abs() * self.directions.row(j).norm()).sum();
            if moved.row(i).norm() <= NEGLIGIBLE * reached {
                moved.row_mut(i).fill(0.0);
            }
        }
        let (directions, rotation) = independent(&moved);
        let left = directions.ncols();
        let mut response = DMatrix::zeros(n + k, n + left);
        response.view_mut((0, 0), (n, n)).copy_from(&reduced.below);
        response.view_mut((n, n), (k, left)).copy_from(&rotation.columns(0, left));
        let mut spread = DMatrix::zeros(n + k, n);
        spread.view_mut((0, 0), (n, n)).copy_from(&reduced.rest);
        self.root = reduced.root;
        self.directions = directions;
        let innovations = DMatrix::zeros(n + k, 0);
        (Some(Link { response, innovations, spread }), left < k)
    }

    /// Takes the observation at time `t`, number after number, and adds the step. The link, continued.
    fn observe(
        &mut self,
        row: &[f64],
        t: usize,
        link: Option<Link>,
        steps: &mut Steps,
    ) -> Result<Option<Link>, Error> {
        let n = self.root.nrows();
        let which: Vec<usize> = (0..row.len()).filter(|&i| !row[i].is_nan()).collect();
        let (unit, scalars) = self.scalars(&which, t);
        let count = which.len();
        let mut link =
            link.map(|link| Link { innovations: link.innovations.resize_horizontally(count, 0.0), ..link });
        let mut root = DMatrix::zeros(count, count);
        let mut gain = DMatrix::zeros(n, count);
        let (mut spent, mut ln_scale) = (Vec::new(), 0.0);
        for (i, scalar) in scalars.iter().enumerate() {
            let taken = self.take(scalar, (i, count)).ok_or(Error::Singular { time: t })?;
            for j in 0..i {
                root[(i, j)] = scalar.h.dot(&gain.column(j));
            }
            root[(i, i)] = taken.scale;
            gain.set_column(i, &taken.gain);
            ln_scale += taken.ln_scale;
            if taken.spent {
                spent.push(i);
            }
            link = link.map(|link| link.then(&taken.link));
        }
        if !ln_scale.is_finite() || !self.is_finite() {
            return Err(Error::Overflow { time: t });
        }
        steps.push_filtered(self.root.as_slice(), count, (unit * root).as_slice(), gain.as_slice());
        steps.spend(spent, ln_scale);
        Ok(link)
    }

    /// The observed components as numbers whose noise is independent: y = L y' with R = L diag(r) Lᵀ and a
    /// unit diagonal.
    fn scalars(&self, which: &[usize], t: usize) -> (DMatrix<f64>, Vec<Scalar>) {
        let equation = self.model.observation();
        let noise = equation.noise().matrix(t).select_rows(which).select_columns(which);
        let mut h = equation.matrix().matrix(t).select_rows(which);
        let count = which.len();
        let (mut unit, mut left) = (DMatrix::identity(count, count), noise.clone());
        let mut variances = vec![0.0; count];
        for j in 0..count {
            let pivot = left[(j, j)];
            if pivot <= 8.0 * count as f64 * f64::EPSILON * noise[(j, j)] {
                continue;
            }
            variances[j] = pivot;
            for i in j + 1..count {
                unit[(i, j)] = left[(i, j)] / pivot;
            }
            for i in j + 1..count {
                for k in j + 1..count {
                    left[(i, k)] -= unit[(i, j)] * pivot * unit[(k, j)];
                }
            }
        }
        if count > 0 {
            unit.solve_lower_triangular_with_diag_mut(&mut h, 1.0);
        }
        let scalars = variances.iter().enumerate().map(|(i, &r)| Scalar { h: h.row(i).transpose(), r });
        (unit.clone(), scalars.collect())
    }

    /// Takes one number, the `place.0`-th of `place.1`; `None` if it is known beforehand.
    fn take(&mut self, scalar: &Scalar, place: (usize, usize)) -> Option<Taken> {
        let along = self.directions.tr_mul(&scalar.h);
        let reached: f64 =
            scalar.h.iter().zip(self.directions.row_iter()).map(|(h, row)| h.abs() * row.norm()).sum();
        if along.norm() > NEGLIGIBLE * reached {
            Some(self.take_diffuse(scalar, &along, place))
        } else {
            self.take_regular(scalar, place)
        }
    }

    /// β₁ = (e - f z - √r ε) / γ, where γ is what the first direction, after a rotation, contributes.
    fn take_diffuse(&mut self, scalar: &Scalar, along: &DVector<f64>, place: (usize, usize)) -> Taken {
        let (n, k) = (self.root.nrows(), self.directions.ncols());
        let (rotation, gamma) = to_first(along);
        let rotated = &self.directions * &rotation;
        let gain: DVector<f64> = rotated.column(0) / gamma;
        let (f, deviation) = (self.root.tr_mul(&scalar.h), scalar.r.sqrt());
        let mut block = (&self.root - &gain * f.transpose()).resize_horizontally(n + 1, 0.0);
        block.set_column(n, &(&gain * -deviation));
        let mut below = DMatrix::identity(n + 1, n + 1);
        below.view_mut((n, 0), (1, n)).copy_from(&(f.transpose() / -gamma));
        below[(n, n)] = -deviation / gamma;
        let mut sizes = vec![0.0; n];
        exact::sizes(n, self.root.as_slice(), &mut sizes);
        for (i, size) in sizes.iter_mut().enumerate() {
            *size += gain[i].abs() * f.amax();
        }
        let reduced = reduce(DMatrix::zeros(n, n), block, below);
        self.root = reduced.root;
        if scalar.r == 0.0 {
            exact::settle(n, self.root.as_mut_slice(), &sizes);
        }
        let first = rotation.column(0);
        let mut response = DMatrix::zeros(n + k, n + k - 1);
        response.view_mut((0, 0), (n, n)).copy_from(&reduced.below.rows(0, n));
        response.view_mut((n, 0), (k, n)).copy_from(&(first * reduced.below.row(n)));
        response.view_mut((n, n), (k, k - 1)).copy_from(&rotation.columns(1, k - 1));
        let mut spread = DMatrix::zeros(n + k, n + 1);
        spread.view_mut((0, 0), (n, n + 1)).copy_from(&reduced.rest.rows(0, n));
        spread.view_mut((n, 0), (k, n + 1)).copy_from(&(first * reduced.rest.row(n)));
        let mut innovations = DMatrix::zeros(n + k, place.1);
        innovations.view_mut((n, place.0), (k, 1)).copy_from(&(first / gamma));
        let mut directions = rotated.columns(1, k - 1).into_owned();
        for i in 0..n {
            if directions.row(i).norm() <= NEGLIGIBLE * self.directions.row(i).norm() {
                directions.row_mut(i).fill(0.0);
            }
        }
        self.directions = directions;
        let ln_scale = gamma.abs().ln() + HALF_LN_TAU;
        Taken { gain, scale: 1.0, ln_scale, spent: true, link: Link { response, innovations, spread } }
    }

    fn take_regular(&mut self, scalar: &Scalar, place: (usize, usize)) -> Option<Taken> {
        let (n, k) = (self.root.nrows(), self.directions.ncols());
        let f = self.root.tr_mul(&scalar.h);
        let mut below = DMatrix::zeros(2 * n, n);
        below.view_mut((0, 0), (n, n)).copy_from(&self.root);
        below.view_mut((n, 0), (n, n)).fill_with_identity();
        let noise = DMatrix::from_element(1, 1, scalar.r.sqrt());
        let reduced = reduce(noise, f.transpose().into_owned().resize_vertically(1, 0.0), below);
        let scale = reduced.root[(0, 0)];
        let mut sizes = vec![0.0; n];
        exact::sizes(n, self.root.as_slice(), &mut sizes);
        let reach = exact::reach(1, 0, scalar.h.as_slice(), &sizes);
        if scale == 0.0 || scalar.r == 0.0 && scale <= exact::rounding(n) * reach {
            return None;
        }
        self.root = reduced.rest.rows(0, n).into_owned();
        if scalar.r == 0.0 {
            exact::settle(n, self.root.as_mut_slice(), &sizes);
        }
        let mut response = DMatrix::identity(n + k, n + k);
        response.view_mut((0, 0), (n, n)).copy_from(&reduced.rest.rows(n, n));
        let mut innovations = DMatrix::zeros(n + k, place.1);
        innovations.view_mut((0, place.0), (n, 1)).copy_from(&reduced.below.rows(n, n));
        Some(Taken {
            gain: reduced.below.column(0).rows(0, n).into_owned(),
            scale,
            ln_scale: scale.ln() + HALF_LN_TAU,
            spent: false,
            link: Link { response, innovations, spread: DMatrix::zeros(n + k, 0) },
        })
    }
}

/// An array after its reduction: [T B; 0 C] to [root 0; below rest].
struct Reduced {
    root: DMatrix<f64>,
    below: DMatrix<f64>,
    rest: DMatrix<f64>,
}

fn reduce(mut triangle: DMatrix<f64>, mut block: DMatrix<f64>, mut rest: DMatrix<f64>) -> Reduced {
    let (pivots, width) = block.shape();
    let height = rest.nrows();
    let mut below = DMatrix::zeros(height, pivots);
    Array {
        pivots,
        block: width,
        below: height,
        t: triangle.as_mut_slice(),
        b: block.as_mut_slice(),
        u: below.as_mut_slice(),
        c: rest.as_mut_slice(),
        products: &mut vec![0.0; pivots],
        products_below: &mut vec![0.0; height],
    }
    .reduce();
    Reduced { root: triangle, below, rest }
}

/// An orthogonal matrix O with gᵀ O = (γ, 0, …, 0), and γ.
fn to_first(g: &DVector<f64>) -> (DMatrix<f64>, f64) {
    let (k, norm) = (g.len(), g.norm());
    let gamma = if g[0] > 0.0 { -norm } else { norm };
    let mut v = g.clone();
    v[0] -= gamma;
    let square = v.norm_squared();
    let identity = DMatrix::identity(k, k);
    if square == 0.0 { (identity, gamma) } else { (identity - &v * v.transpose() * (2.0 / square), gamma) }
}

/// As many columns as the matrix has rank, that span the same, and the orthogonal matrix of whose first
/// columns they are the images.
fn independent(matrix: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (n, k) = matrix.shape();
    let (mut rotated, mut rotation) = (matrix.clone(), DMatrix::identity(k, k));
    let norms: Vec<f64> = matrix.row_iter().map(|row| row.norm()).collect();
    let mut rank = 0;
    while rank < k {
        let left = |i: usize| rotated.view((i, rank), (1, k - rank)).norm();
        let proportion = |i: usize| if norms[i] > 0.0 { left(i) / norms[i] } else { 0.0 };
        let Some(row) = (0..n).max_by(|&i, &j| proportion(i).total_cmp(&proportion(j))) else { break };
        if !(proportion(row) > NEGLIGIBLE) {
            break;
        }
        let g = DVector::from_iterator(k - rank, rotated.view((row, rank), (1, k - rank)).iter().copied());
        let (some, _) = to_first(&g);
        let turned = rotated.columns(rank, k - rank) * &some;
        rotated.columns_mut(rank, k - rank).copy_from(&turned);
        let turned = rotation.columns(rank, k - rank) * &some;
        rotation.columns_mut(rank, k - rank).copy_from(&turned);
        rank += 1;
    }
    if rank == k {
        return (matrix.clone(), DMatrix::identity(k, k));
    }
    (rotated.columns(0, rank).into_owned(), rotation)
}
