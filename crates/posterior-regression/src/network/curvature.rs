//! Second derivatives of -ln p(y | w), exact or by Gauss and Newton, whole or in a structure that is cheap.

use std::ops::Range;

use posterior_dist::target::GradTarget;
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, MatrixError, SymmetricEigen, gram_of_columns, symmetrize,
};

use super::forward::Trace;
use super::precision::{Block, Precision};
use super::{Joint, Network};
use crate::Error;

/// What is taken for the second derivatives of -ln p(y | w) at the mode. P parameters, n observations, k
/// outputs.
///
/// With two hidden layers of 50 units (2,751 parameters) and 1,000 observations, on one core: half a second
/// for Gauss and Newton's matrix and its factor, 4 ms for Kronecker factors, the diagonal and the last layer;
/// training takes a second or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum HessianKind {
    /// All of them: P passes through the network and back, P² numbers and P³/3 operations. Where the
    /// posterior has no strict maximum it is refused, as not positive definite: at a saddle, and on a ridge
    /// of modes, as units of a ReLU network have that all work on all inputs.
    Hessian,
    /// Gauss and Newton's: Σ Jᵢᵀ Hᵢ Jᵢ with the Jacobian J of the outputs and the Hessian H of -ln p(y | f).
    /// Positive semidefinite everywhere, and the Hessian of the network that is linearised at the mode. n k
    /// P² operations, P² numbers.
    GaussNewton,
    /// Gauss and Newton's without what links two layers, and of each layer the Kronecker product of two small
    /// matrices: the mean of the products of what goes in, and the sum of the curvatures of what comes out.
    /// The precision of the prior is added to the eigenvalues, without a further approximation. Exact for one
    /// observation and one layer.
    Kronecker,
    /// The diagonal of Gauss and Newton's: P numbers.
    Diagonal,
    /// Gauss and Newton's for the last layer alone, which is then exactly that of a generalised linear model
    /// in what the layers before have fitted; these are held at the mode.
    LastLayer,
}

impl HessianKind {
    /// The parameters that are uncertain.
    pub(super) fn range(self, network: &Network) -> Range<usize> {
        match self {
            Self::LastLayer => network.last().range(),
            _ => 0..network.parameters(),
        }
    }
}

/// The curvature of -ln p(y | w) at a mode.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum OfLikelihood {
    Dense(#[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))] DMatrix<f64>),
    Diagonal(#[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))] DVector<f64>),
    Kronecker(Vec<Factors>),
}

/// left ⊗ right, of the parameters of one layer.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Factors {
    left: SymmetricEigen,
    right: SymmetricEigen,
}

impl OfLikelihood {
    pub(super) fn of(joint: &Joint, w: &[f64], kind: HessianKind) -> Result<Self, Error> {
        joint.ln_density_grad(w, &mut vec![0.0; w.len()])?;
        match kind {
            HessianKind::Hessian => {
                let mut hessian = DMatrix::zeros(w.len(), w.len());
                joint.add_negative_hessian(w, &mut hessian);
                symmetrize(&mut hessian);
                Ok(Self::Dense(hessian))
            }
            HessianKind::GaussNewton | HessianKind::LastLayer => {
                Ok(Self::Dense(gauss_newton(joint, w, &kind.range(joint.network()))))
            }
            HessianKind::Diagonal => Ok(Self::Diagonal(diagonal(joint, w))),
            HessianKind::Kronecker => Ok(Self::Kronecker(kronecker(joint, w)?)),
        }
    }

    /// Whether it is the curvature of this kind of a network of this shape.
    #[cfg(feature = "serde")]
    pub(super) fn is_of(&self, network: &Network, kind: HessianKind) -> bool {
        let size = kind.range(network).len();
        match (self, kind) {
            (
                Self::Dense(matrix),
                HessianKind::Hessian | HessianKind::GaussNewton | HessianKind::LastLayer,
            ) => matrix.shape() == (size, size),
            (Self::Diagonal(diagonal), HessianKind::Diagonal) => diagonal.len() == size,
            (Self::Kronecker(layers), HessianKind::Kronecker) => {
                let own = layers.iter().map(|own| (own.left.values().len(), own.right.values().len()));
                own.eq(network.layers().iter().map(|layer| (layer.inputs() + 1, layer.units())))
            }
            _ => false,
        }
    }

    /// The precision of the posterior: this, `scale` times, and the prior's precision of each range of
    /// parameters.
    pub(super) fn with_prior(
        &self,
        scale: f64,
        prior: &[(Range<usize>, f64)],
    ) -> Result<Precision, MatrixError> {
        let precision = self.sum(scale, prior)?;
        if precision.ln_determinant().is_finite() { Ok(precision) } else { Err(MatrixError::NotFinite) }
    }

    fn sum(&self, scale: f64, prior: &[(Range<usize>, f64)]) -> Result<Precision, MatrixError> {
        match self {
            Self::Dense(matrix) => {
                let mut sum = matrix * scale;
                for (range, precision) in prior {
                    for at in range.clone() {
                        sum[(at, at)] += precision;
                    }
                }
                Ok(Precision::Dense(Cholesky::decompose(sum)?))
            }
            Self::Diagonal(diagonal) => {
                let mut sum = diagonal * scale;
                for (range, precision) in prior {
                    sum.rows_range_mut(range.clone()).add_scalar_mut(*precision);
                }
                Ok(Precision::Diagonal(sum))
            }
            Self::Kronecker(layers) => {
                let with = |(factors, (range, precision)): (&Factors, &(Range<usize>, f64))| {
                    // Rounding may leave an eigenvalue of a semidefinite matrix just below zero.
                    let of = |eigen: &SymmetricEigen| eigen.values().map(|value| value.max(0.0));
                    let values =
                        (of(&factors.left) * of(&factors.right).transpose() * scale).add_scalar(*precision);
                    let (left, right) = (factors.left.vectors().clone(), factors.right.vectors().clone());
                    Block { range: range.clone(), left, right, values }
                };
                Ok(Precision::Kronecker(layers.iter().zip(prior).map(with).collect()))
            }
        }
    }
}

/// Each batch's trace, and the seeds whose squared pull-backs add up to Gauss and Newton's matrix.
fn for_each_batch(joint: &Joint, w: &[f64], mut visit: impl FnMut(&Trace<'_>, Vec<DMatrix<f64>>)) {
    let matrices = joint.network().matrices(w);
    let (head, noise_variance) = (joint.observations().head(), joint.hyperparameters().noise_variance());
    for batch in joint.batches() {
        let trace = Trace::new(joint.network(), &matrices, &batch.inputs);
        let roots = head.curvature_roots(&trace.outputs, noise_variance);
        visit(&trace, roots);
    }
}

fn gauss_newton(joint: &Joint, w: &[f64], range: &Range<usize>) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(range.len(), range.len());
    for_each_batch(joint, w, |trace, roots| {
        for root in roots {
            sum += gram_of_columns(&trace.jacobian(root, range));
        }
    });
    sum
}

/// Σ (Σ a ∘ a) (δ ∘ δ): each layer's squared Jacobian, without the Jacobian.
fn diagonal(joint: &Joint, w: &[f64]) -> DVector<f64> {
    let mut sum = DVector::zeros(w.len());
    for_each_batch(joint, w, |trace, roots| {
        for root in roots {
            trace.pull_back(root, |layer, delta| {
                let squares = |matrix: &DMatrix<f64>| matrix.map(|entry| entry * entry);
                let product = squares(trace.layer_inputs(layer)).tr_mul(&squares(delta));
                let mut part = sum.rows_range_mut(joint.network().layers()[layer].range());
                for (sum, term) in part.iter_mut().zip(product.as_slice()) {
                    *sum += term;
                }
            });
        }
    });
    sum
}

/// The mean of a aᵀ, and the sum of δ δᵀ, for each layer.
///
/// Source: H. Ritter, A. Botev, D. Barber, A scalable Laplace approximation for neural networks, ICLR 2018.
fn kronecker(joint: &Joint, w: &[f64]) -> Result<Vec<Factors>, Error> {
    let square = |size: usize| DMatrix::<f64>::zeros(size, size);
    let mut sums: Vec<_> = joint
        .network()
        .layers()
        .iter()
        .map(|layer| (square(layer.inputs() + 1), square(layer.units())))
        .collect();
    let proportion = (joint.observations().len().max(1) as f64).recip();
    for_each_batch(joint, w, |trace, roots| {
        for (layer, (left, _)) in sums.iter_mut().enumerate() {
            *left += gram_of_columns(trace.layer_inputs(layer)) * proportion;
        }
        for root in roots {
            trace.pull_back(root, |layer, delta| sums[layer].1 += gram_of_columns(delta));
        }
    });
    sums.iter()
        .map(|(left, right)| {
            Ok(Factors { left: SymmetricEigen::new(left)?, right: SymmetricEigen::new(right)? })
        })
        .collect()
}
