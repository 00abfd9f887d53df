//! Samplers of functions and programs, and diagnostics of draws: what `python/posterior_rs/sampling` calls.

mod diagnostics;
mod function;
mod run;
mod steps;

pub(crate) use diagnostics::{diagnose, draws_arviz, draws_summary, leave_one_out};
pub(crate) use function::sample_function;
pub(crate) use run::{Sampled, Settings, sampled};
