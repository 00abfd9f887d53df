//! The network of neurons: trained, its precision tuned by the evidence, and a Gaussian at the mode.

use std::io::Write;

use posterior::math::iteration::Silent;
use posterior::regression::network::{
    Activation, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, TuneOptions, fit, tune,
};

use super::{Points, SEED};
use crate::Outcome;

/// Units of the hidden layer.
const UNITS: usize = 20;

pub(super) fn learn(out: &mut dyn Write, points: &Points) -> Outcome<NetworkLaplace> {
    let network = Network::new(2, &[UNITS], 1, Activation::Rectifier)?;
    let joint = Joint::new(network, observed(points)?, NetworkHyperparameters::new(1.0)?)?;
    let options = NetworkFitOptions { starts: 5, seed: SEED, ..NetworkFitOptions::default() };
    let mode = fit(&joint, &options, &mut Silent)?.model;
    let kind = HessianKind::GaussNewton;
    let tuned = tune(joint, &mode.weights, kind, &TuneOptions::default(), &mut Silent)?.model;
    writeln!(
        out,
        "A network of {UNITS} hidden units: the precision of its {} weights is {:.3}, and the points determine {:.1} of them.\n",
        tuned.network().parameters(),
        tuned.hyperparameters().precisions()[0],
        tuned.effective_parameters()[0],
    )?;
    Ok(tuned)
}

/// The points as a network reads them.
pub(super) fn observed(points: &Points) -> Outcome<NetworkData> {
    let labels: Vec<bool> = points.labels.iter().map(|&label| label > 0.0).collect();
    Ok(NetworkData::binary(points.x.clone(), &labels)?)
}
