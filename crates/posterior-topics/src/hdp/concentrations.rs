//! The two concentrations of the process, drawn given the numbers of tables.

use posterior_dist::{Beta, Gamma, PitmanYor};
use posterior_latent::dirichlet_process::HyperPrior;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::options::{HdpOptions, LARGEST_CONCENTRATION, LEAST_CONCENTRATION};

/// The concentration `alpha` of the documents' processes around the corpus', and `gamma` of the corpus'
/// around the words' prior.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Concentrations {
    /// α₀: how freely documents take up topics.
    pub alpha: f64,
    /// γ: how freely the corpus opens topics.
    pub gamma: f64,
}

impl Concentrations {
    pub(super) fn of(options: &HdpOptions) -> Self {
        Self { alpha: options.alpha, gamma: options.gamma }
    }

    /// Whether both are such as [`draw`](Self::draw) leaves them.
    pub(super) fn are_bounded(&self) -> bool {
        [self.alpha, self.gamma].iter().all(|x| (LEAST_CONCENTRATION..=LARGEST_CONCENTRATION).contains(x))
    }

    /// Draws those that have a prior, given the documents' lengths and how many tables each topic has in all
    /// documents.
    pub(super) fn draw<R: Rng + ?Sized>(
        &mut self,
        options: &HdpOptions,
        lengths: impl Iterator<Item = u64>,
        tables: &[u32],
        rng: &mut R,
    ) {
        if let Some(prior) = options.gamma_prior {
            self.gamma = bounded(draw_gamma(self.gamma, gamma_distribution(prior), tables, rng));
        }
        if let Some(prior) = options.alpha_prior {
            let all = tables.iter().map(|&m| u64::from(m)).sum();
            self.alpha = bounded(draw_alpha(self.alpha, prior, lengths, all, rng));
        }
    }
}

fn bounded(concentration: f64) -> f64 {
    concentration.clamp(LEAST_CONCENTRATION, LARGEST_CONCENTRATION)
}

fn gamma_distribution([shape, rate]: [f64; 2]) -> Gamma {
    Gamma::shape_rate(shape, rate).expect("invariant: the options are checked")
}

/// The tables of all documents are the customers of one process, and topics its tables (Escobar and West
/// 1995).
fn draw_gamma<R: Rng + ?Sized>(gamma: f64, prior: Gamma, tables: &[u32], rng: &mut R) -> f64 {
    let sizes: Vec<u32> = tables.iter().copied().filter(|&m| m > 0).collect();
    let process = PitmanYor::chinese_restaurant(gamma).expect("invariant: bounded and positive");
    let drawn = HyperPrior::concentration(prior).update(&process, &sizes, rng);
    drawn.expect("invariant: a bounded concentration and a positive number of tables").concentration()
}

/// A beta variable and a coin for each document make the distribution of α₀ a gamma distribution (Teh et al.
/// 2006, appendix A).
fn draw_alpha<R: Rng + ?Sized>(
    alpha: f64,
    [mut shape, mut rate]: [f64; 2],
    lengths: impl Iterator<Item = u64>,
    tables: u64,
    rng: &mut R,
) -> f64 {
    shape += tables as f64;
    for length in lengths.filter(|&n| n > 0).map(|n| n as f64) {
        let distribution = Beta::new(alpha + 1.0, length).expect("invariant: bounded and positive");
        rate -= distribution.sample_ln(rng).0;
        shape -= f64::from(u8::from(rng.random::<f64>() * (alpha + length) < length));
    }
    gamma_distribution([shape, rate]).sample_ln(rng).exp()
}
