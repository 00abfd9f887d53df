//! `posterior cluster`: groups of rows.

mod answer;
pub(crate) mod assign;
pub(crate) mod fit;
mod gaussian;
mod k_means;
mod model;
mod report;
mod sampled;
mod text;

use posterior::latent::mixture::{Incident, IncidentKind};

/// What happened to a component of a mixture during its fit; `died` and `kept` say it of this kind of
/// component.
pub(crate) fn incident(component: &str, own: &Incident, died: &str, kept: &str) -> String {
    let steps = if own.first == own.last {
        format!("step {}", own.first)
    } else {
        format!("steps {} to {}", own.first, own.last)
    };
    let what = match &own.kind {
        IncidentKind::Died => died.to_owned(),
        IncidentKind::Kept(why) => format!("kept {kept}: {why}"),
        IncidentKind::Floored => "is so narrow that its variance was held at the floor".to_owned(),
        _ => "had an incident".to_owned(),
    };
    format!("{component} {} {what} ({steps})", own.component)
}
