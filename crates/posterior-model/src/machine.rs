//! What functions of the library work with.

use rand_pcg::Pcg64;

use crate::trace::Trace;

/// The record and the generator of random numbers.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) trace: Trace,
    pub(crate) rng: Option<Pcg64>,
}
