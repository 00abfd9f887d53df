//! What happened to components during a fit that a user should know.

use posterior_math::check::ParamError;

/// What happened to which components in one step.
pub type Happened = Vec<(usize, IncidentKind)>;

/// A mixture, and what happened to its components while it was fitted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedMixture<M> {
    /// The mixture.
    pub mixture: M,
    /// What happened on the way; empty, if all went well.
    pub incidents: Vec<Incident>,
    /// The M steps so far.
    pub(crate) steps: usize,
}

impl<M> FittedMixture<M> {
    /// A mixture that no step was taken from yet.
    pub(crate) const fn start(mixture: M) -> Self {
        Self { mixture, incidents: Vec::new(), steps: 0 }
    }

    /// The next mixture, with what happened to its components.
    pub(crate) fn step<N>(&self, mixture: N, happened: Happened) -> FittedMixture<N> {
        let (mut incidents, steps) = (self.incidents.clone(), self.steps + 1);
        Incident::note(&mut incidents, steps, happened);
        FittedMixture { mixture, incidents, steps }
    }
}

/// What happened to a component in consecutive M steps.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Incident {
    /// The component, counted from 0.
    pub component: usize,
    /// The first of the M steps, counted from 1.
    pub first: usize,
    /// The last of them.
    pub last: usize,
    /// What happened.
    pub kind: IncidentKind,
}

impl Incident {
    /// Adds what happened in an M step to the incidents of the steps before: what goes on is one incident.
    pub fn note(incidents: &mut Vec<Self>, step: usize, happened: Happened) {
        for (component, kind) in happened {
            let same = |old: &&mut Self| {
                old.component == component
                    && old.last + 1 == step
                    && std::mem::discriminant(&old.kind) == std::mem::discriminant(&kind)
            };
            match incidents.iter_mut().rev().find(same) {
                Some(old) => (old.last, old.kind) = (step, kind),
                None => incidents.push(Self { component, first: step, last: step, kind }),
            }
        }
    }
}

/// What may happen to a component.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum IncidentKind {
    /// No observation was left to it: its weight is 0, and its distribution stays as it was.
    Died,
    /// No distribution fits its observations best: it kept the distribution it had. The error says why; a
    /// component on a single point is the usual one.
    Kept(ParamError),
    /// Its covariance was held at the floor.
    Floored,
}
