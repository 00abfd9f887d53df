//! Variational inference factor by factor.

use std::borrow::Cow;

use posterior_math::iteration::{Fall, Fitted, Observer, Stop};

use crate::ascent::{Ascent, fall};

/// A model whose approximate posterior is a product of factors, each of which can be optimised given the
/// others.
///
/// # Distributions
/// An update puts its factor at the maximum of the bound given the others, or at least raises the bound; no
/// update ever lowers it. The bound is at most ln p(x).
pub trait CoordinateAscent {
    /// The approximate posterior: all factors.
    type State;

    /// Why an update may fail.
    type Error;

    /// The number of factors.
    fn factors(&self) -> usize;

    /// What a factor is called in reports: "factor 2" by default.
    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        Cow::Owned(format!("factor {factor}"))
    }

    /// Optimises a factor (from 0) given the others.
    ///
    /// # Errors
    /// If the data do not fit the model, or numbers leave the range of f64.
    fn update(&self, state: &mut Self::State, factor: usize) -> Result<(), Self::Error>;

    /// L(q) = E_q ln p(x, z) + H(q).
    ///
    /// Called after the last factor of a sweep, and after every update with [`Watch::Update`]: a shorter
    /// formula that holds only after the last factor is enough for the default [`Watch::Sweep`], but the
    /// first value of the trace is then without meaning.
    ///
    /// # Errors
    /// As for [`update`](Self::update).
    fn elbo(&self, state: &Self::State) -> Result<f64, Self::Error>;
}

/// How often the bound is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Watch {
    /// After each sweep over the factors.
    #[default]
    Sweep,
    /// After each update, so that a fall can be laid to its factor.
    Update,
}

/// How to run coordinate ascent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AscentOptions {
    /// The run converges when a sweep changes the bound by no more than this proportion of max(1, |bound|).
    /// 10^-9 by default.
    pub tolerance: f64,
    /// The largest number of sweeps. 1000 by default.
    pub max_iterations: usize,
    /// How often the bound is computed: after each sweep by default.
    pub watch: Watch,
}

impl Default for AscentOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 1000, watch: Watch::Sweep }
    }
}

/// Optimises the factors in turn from `start` until the bound stays.
///
/// A step of the report is a sweep over all factors. A bound that falls by more than rounding (10^-10 of it)
/// is no error: [`Report::falls`](posterior_math::iteration::Report::falls) says in which sweep, by how much,
/// and, with [`Watch::Update`], at which factor. A bound that is NaN or infinite ends the run as
/// [`Stop::Stalled`], with the factors as they are.
///
/// # Errors
/// Those of the model.
pub fn coordinate_ascent<M: CoordinateAscent + ?Sized>(
    model: &M,
    start: M::State,
    options: &AscentOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<M::State>, M::Error> {
    let mut state = start;
    let mut bound = model.elbo(&state)?;
    let mut ascent = Ascent::new(bound, options.max_iterations, observer);
    let stop = loop {
        if let Some(stop) = ascent.barred() {
            break stop;
        }
        for factor in 0..model.factors() {
            model.update(&mut state, factor)?;
            if options.watch == Watch::Update {
                let before = std::mem::replace(&mut bound, model.elbo(&state)?);
                let name = || model.factor_name(factor);
                let at = ascent.iterations() + 1;
                ascent.note(fall(before, bound).map(|drop| Fall::new(at, drop).in_part(name())));
            }
        }
        if options.watch == Watch::Sweep {
            bound = model.elbo(&state)?;
        }
        if !bound.is_finite() {
            break Stop::Stalled;
        }
        if let Some(stop) = ascent.reached(bound, options.tolerance) {
            break stop;
        }
    };
    Ok(Fitted { model: state, report: ascent.finish(stop) })
}
