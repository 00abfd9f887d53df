//! Fields on a map of areas: each area is like those beside it.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_math::sparse::{Ordering, SparseSymmetric};

use super::NAME;
use super::base::Base;
use super::field::{GaussianMarkovField, built};

impl GaussianMarkovField {
    /// The intrinsic field of Besag: xᵢ - xⱼ of neighbours i, j have precision τ, with Σ x = 0 in each
    /// connected part of the map.
    ///
    /// Scaled so that τ means the same on every map: in each part the geometric mean of the variances is
    /// 1 / τ, as in R-INLA with `scale.model`. An area without neighbours has the variance 1 / τ.
    ///
    /// One row of memory with n numbers for each part of the map.
    ///
    /// # Errors
    /// A list that names an area that is not there, or that of itself, or without being named in turn; or a
    /// precision that is not positive and finite.
    ///
    /// # References
    /// S. H. Sørbye, H. Rue, Scaling intrinsic Gaussian Markov random field priors, Spatial Statistics 8
    /// (2014); A. Freni-Sterrantino, M. Ventrucci, H. Rue, A note on intrinsic conditional autoregressive
    /// models for disconnected graphs, Spat. Spatiotemporal Epidemiol. 26 (2018).
    ///
    /// ```
    /// use posterior_gaussian::GaussianMarkovField;
    ///
    /// let map = [vec![1, 2], vec![0, 2], vec![0, 1, 3], vec![2]];
    /// let field = GaussianMarkovField::besag(&map, 1.0)?;
    /// let logarithms: f64 = field.marginal_variances().iter().map(|variance| variance.ln()).sum();
    /// assert!(logarithms.abs() < 1e-12);
    /// # Ok::<(), posterior_gaussian::math::ParamError>(())
    /// ```
    pub fn besag(neighbours: &[Vec<usize>], precision: f64) -> Result<Self, ParamError> {
        check::positive(NAME, "precision", precision)?;
        let (structure, null) = scaled_structure(neighbours)?;
        let matrix = built(structure.scaled(precision))?;
        let base = Base::new(matrix, null.clone(), null.transpose(), &Ordering::MinimumDegree)?;
        Self::centred(&vec![0.0; neighbours.len()], base)
    }

    /// The model BYM2 of n areas, as a field of 2 n coordinates: the effects x = (√(1 - φ) v + √φ u) / √τ,
    /// and after them u, a scaled field of [`besag`](Self::besag) with precision 1; v are independent and
    /// standard normal.
    ///
    /// The precision τ is that of the whole effect, and φ the part of its variance that neighbours share.
    ///
    /// # Errors
    /// Those of `besag`, or a φ that is not strictly between 0 and 1.
    ///
    /// # References
    /// A. Riebler, S. H. Sørbye, D. Simpson, H. Rue, An intuitive Bayesian spatial model for disease mapping
    /// that accounts for scaling, Stat. Methods Med. Res. 25 (2016).
    pub fn bym2(neighbours: &[Vec<usize>], precision: f64, phi: f64) -> Result<Self, ParamError> {
        check::positive(NAME, "precision", precision)?;
        check::open_probability(NAME, "phi", phi)?;
        let n = neighbours.len();
        let (structure, parts) = scaled_structure(neighbours)?;
        let (noise, mixed, shared) =
            (precision / (1.0 - phi), -(phi * precision).sqrt() / (1.0 - phi), phi / (1.0 - phi));
        let both = (0..n).flat_map(|i| [(i, i, noise), (n + i, i, mixed), (n + i, n + i, shared)]);
        let spatial = structure.triplets().map(|(i, j, value)| (n + i, n + j, value));
        let matrix = built(SparseSymmetric::from_triplets(2 * n, both.chain(spatial)))?;
        // A constant c in u moves x by √(φ / τ) c.
        let ratio = (phi / precision).sqrt();
        let null = DMatrix::from_fn(2 * n, parts.ncols(), |i, k| {
            if i < n { ratio * parts[(i, k)] } else { parts[(i - n, k)] }
        });
        let identify =
            DMatrix::from_fn(parts.ncols(), 2 * n, |k, i| if i < n { 0.0 } else { parts[(i - n, k)] });
        let base = Base::new(matrix, null, identify, &Ordering::MinimumDegree)?;
        Self::centred(&vec![0.0; 2 * n], base)
    }
}

/// The scaled precision of a map, and the indicators of its connected parts with more than one area.
fn scaled_structure(neighbours: &[Vec<usize>]) -> Result<(SparseSymmetric, DMatrix<f64>), ParamError> {
    let n = neighbours.len();
    let pairs = pairs(neighbours)?;
    let part = parts(neighbours);
    let mut sizes = vec![0_usize; n];
    for &own in &part {
        sizes[own] += 1;
    }
    let connected: Vec<usize> = (0..n).filter(|&own| sizes[own] > 1).collect();
    let null = DMatrix::from_fn(n, connected.len(), |i, k| if part[i] == connected[k] { 1.0 } else { 0.0 });
    let alone = (0..n).filter(|&i| sizes[part[i]] == 1).map(|i| (i, i, 1.0));
    let laplacian = |weight: &dyn Fn(usize) -> f64| {
        let entries = pairs.iter().flat_map(|&(i, j)| {
            let own = weight(part[i]);
            [(i, i, own), (j, j, own), (i, j, -own)]
        });
        built(SparseSymmetric::from_triplets(n, entries.chain(alone.clone())))
    };
    let plain = Base::new(laplacian(&|_| 1.0)?, null.clone(), null.transpose(), &Ordering::MinimumDegree)?;
    let mut logarithms = vec![0.0; n];
    for (i, variance) in plain.variances().into_iter().enumerate() {
        logarithms[part[i]] += variance.ln();
    }
    let scaled = laplacian(&|own| (logarithms[own] / sizes[own] as f64).exp())?;
    Ok((scaled, null))
}

/// Pairs of neighbours, each once.
fn pairs(neighbours: &[Vec<usize>]) -> Result<Vec<(usize, usize)>, ParamError> {
    let sorted: Vec<Vec<usize>> = neighbours
        .iter()
        .map(|list| {
            let mut list = list.clone();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    let mut pairs = Vec::new();
    for (i, list) in sorted.iter().enumerate() {
        for &j in list {
            let mutual = j != i && sorted.get(j).is_some_and(|other| other.binary_search(&i).is_ok());
            let requirement = "the index of another area that names this one in turn";
            check::require(mutual, NAME, "neighbours", j as f64, requirement).map_err(|error| error.at(i))?;
            if j < i {
                pairs.push((i, j));
            }
        }
    }
    Ok(pairs)
}

/// The first area of the connected part of each area.
fn parts(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut part = vec![usize::MAX; neighbours.len()];
    for first in 0..neighbours.len() {
        let mut waiting = vec![first];
        while let Some(area) = waiting.pop() {
            if part[area] == usize::MAX {
                part[area] = first;
                waiting.extend(neighbours[area].iter().copied());
            }
        }
    }
    part
}
