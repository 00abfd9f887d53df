//! The approximation as JSON and the like: the factor of its precision is computed again.

use posterior_math::check;
use serde::{Deserialize, Serialize};

use super::{Fit, NetworkLaplace};
use crate::Error;
use crate::network::curvature::OfLikelihood;
use crate::network::{Head, HessianKind, Network, NetworkHyperparameters};

/// A mode and the curvature there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AtMode {
    network: Network,
    head: Head,
    kind: HessianKind,
    hyperparameters: NetworkHyperparameters,
    mode: Vec<f64>,
    fit: Fit,
    curvature: OfLikelihood,
}

impl From<NetworkLaplace> for AtMode {
    fn from(own: NetworkLaplace) -> Self {
        let NetworkLaplace { network, head, kind, hyperparameters, mode, fit, curvature, .. } = own;
        Self { network, head, kind, hyperparameters, mode, fit, curvature }
    }
}

impl TryFrom<AtMode> for NetworkLaplace {
    type Error = Error;

    fn try_from(written: AtMode) -> Result<Self, Error> {
        let AtMode { network, head, kind, hyperparameters, mode, fit, curvature } = written;
        check::dimension("parameters", network.parameters(), mode.len())?;
        hyperparameters.check(&network)?;
        if !curvature.is_of(&network, kind) {
            return Err(Error::NoFit { why: "the curvature is not that of the network" });
        }
        let precision = super::precision(&network, head, kind, &hyperparameters, &fit, &curvature)?;
        Ok(Self { network, head, kind, hyperparameters, mode, fit, curvature, precision })
    }
}
