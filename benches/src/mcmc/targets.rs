//! The five targets.

use std::fmt::{self, Debug};

use posterior_dist::target::GradTarget;
use posterior_testkit::posteriors::EightSchools;

use super::{Autoregression, Funnel, Logistic, LogisticData, StandardNormal};

/// A target with a name.
pub struct Named {
    /// What it is called in tables.
    pub name: &'static str,
    /// The density.
    pub target: Box<dyn GradTarget + Send + Sync>,
}

impl Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The five targets, the logistic regression on these data.
pub fn five_targets(data: &LogisticData) -> Vec<Named> {
    let named = |name, target| Named { name, target };
    vec![
        named("standard normal, 100", Box::new(StandardNormal { dim: 100 })),
        named("AR(1), 100", Box::new(Autoregression { dim: 100, correlation: 0.95 })),
        named("eight schools, 10", Box::new(EightSchools::rubin())),
        named("funnel, 10", Box::new(Funnel { dim: 10 })),
        named("logistic, 25", Box::new(Logistic::new(data))),
    ]
}
