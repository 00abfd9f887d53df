//! Centres, and what they say of rows.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::assignment::{Skip, Sums, assign};
use super::frame::{Frame, MISSING, Rows, largest};
use super::kernel::squared_distance;
use crate::error::Error;
use crate::observations::Observations;

/// Centres of clusters: a row belongs to the nearest one, to the first of equally near ones.
///
/// ```
/// use posterior_latent::Observations;
/// use posterior_latent::k_means::KMeans;
/// use posterior_math::linalg::DMatrix;
///
/// let model = KMeans::new(&DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 4.0, 0.0]))?;
/// let rows = Observations::new(&DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 2.0, 0.0, 4.0, 3.0]))?;
/// assert_eq!(model.assign(&rows)?, [0, 0, 1]);
/// assert_eq!(model.distances(&rows)?[(2, 0)], 5.0);
/// assert_eq!(model.inertia(&rows)?, 1.0 + 4.0 + 9.0);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct KMeans {
    /// What the centres are relative to: a point amid the data, so that a common offset takes no digits.
    origin: Vec<f64>,
    /// Centres less origin, one after the other.
    relative: Vec<f64>,
}

impl KMeans {
    /// The model with these centres, one a row.
    ///
    /// # Errors
    /// If there are none, if they have no coordinates, or if a coordinate is not finite.
    pub fn new(centres: &DMatrix<f64>) -> Result<Self, Error> {
        for (what, found) in [("centres", centres.nrows()), ("coordinates of a centre", centres.ncols())] {
            check::enough(what, 1, found)?;
        }
        for (index, &value) in centres.iter().enumerate() {
            check::finite("KMeans", "centre", value).map_err(|error| error.at(index % centres.nrows()))?;
        }
        let frame = Frame::about_mean(centres);
        let inside = frame.rows_inside(centres);
        Ok(Self::from_frame(&frame, &inside))
    }

    /// The model of centres that were found in a frame.
    pub(super) fn from_frame(frame: &Frame, centres: &[f64]) -> Self {
        Self { origin: frame.origin.clone(), relative: centres.iter().map(|c| c / frame.scale).collect() }
    }

    /// How many centres there are.
    pub fn clusters(&self) -> usize {
        self.relative.len() / self.dimension()
    }

    /// How many coordinates a centre has.
    pub fn dimension(&self) -> usize {
        self.origin.len()
    }

    /// The centres, one a row.
    pub fn centres(&self) -> DMatrix<f64> {
        let d = self.dimension();
        DMatrix::from_fn(self.clusters(), d, |j, t| self.origin[t] + self.relative[j * d + t])
    }

    /// The nearest centre of each row, the first of equally near ones.
    ///
    /// # Errors
    /// If rows have another length than centres, or a value is missing.
    pub fn assign(&self, data: &Observations) -> Result<Vec<usize>, Error> {
        let (rows, centres) = self.inside(data)?;
        let (labels, _) = nearest(&rows, &centres);
        Ok(labels)
    }

    /// The distance of each row to each centre: rows by centres.
    ///
    /// # Errors
    /// As for [`assign`](Self::assign).
    pub fn distances(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        let (rows, centres) = self.inside(data)?;
        let d = self.dimension();
        Ok(DMatrix::from_fn(data.len(), self.clusters(), |i, j| {
            squared_distance(rows.row(i), &centres[j * d..][..d]).sqrt() / rows.frame.scale
        }))
    }

    /// Σ wᵢ |xᵢ - c(i)|² over the rows, each with its nearest centre.
    ///
    /// Infinite where squares of the data are beyond f64.
    ///
    /// # Errors
    /// As for [`assign`](Self::assign).
    pub fn inertia(&self, data: &Observations) -> Result<f64, Error> {
        let (rows, centres) = self.inside(data)?;
        let (_, sums) = nearest(&rows, &centres);
        Ok(rows.frame.squares_outside(sums.inertia))
    }

    /// Data and centres in one frame.
    fn inside(&self, data: &Observations) -> Result<(Rows, Vec<f64>), Error> {
        data.require_complete(MISSING)?;
        check::dimension("coordinates of an observation", self.dimension(), data.dimension())?;
        let numbers = data.values().iter().chain(&self.origin).chain(&self.relative);
        let frame = Frame::new(self.origin.clone(), largest(numbers));
        let centres = self.relative.iter().map(|c| c * frame.scale).collect();
        Ok((Rows::within(frame, data), centres))
    }
}

/// The nearest centre of each row, and the sums.
pub(super) fn nearest(rows: &Rows, centres: &[f64]) -> (Vec<usize>, Sums) {
    let mut labels = vec![0; rows.len()];
    let sums = assign(rows, centres, &mut labels, &mut [], &Skip::Nobody);
    (labels.into_iter().map(|label| label as usize).collect(), sums)
}

/// Centres as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    origin: Vec<f64>,
    relative: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for KMeans {
    type Error = Error;

    fn try_from(Unchecked { origin, relative }: Unchecked) -> Result<Self, Error> {
        let expected = origin.len().max(1) * (relative.len() / origin.len().max(1)).max(1);
        if origin.is_empty() || relative.len() != expected {
            return Err(check::DimensionError::new("coordinates of centres", expected, relative.len()).into());
        }
        for &value in origin.iter().chain(&relative) {
            check::finite("KMeans", "centre", value)?;
        }
        Ok(Self { origin, relative })
    }
}
