//! Mixtures of any conjugate family, fitted by EM in its styles: soft, hard, sampled, with a prior.
