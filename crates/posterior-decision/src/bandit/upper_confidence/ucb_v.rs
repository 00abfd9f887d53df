//! UCB-V: the empirical Bernstein bound.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};

/// Mean + √(2 V_k E/n_k) + 3 c E/n_k with E = ζ ln n; every arm once first.
///
/// For arms whose rewards vary little (Audibert, Munos, Szepesvári, Theoretical Computer Science 410, 2009;
/// ζ = 1.2 and c = 1 have the logarithmic bound of theorem 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UcbV {
    /// ζ: positive, 1.2 by default.
    pub zeta: f64,
    /// c: positive, 1 by default.
    pub range_weight: f64,
}

impl Default for UcbV {
    fn default() -> Self {
        Self { zeta: 1.2, range_weight: 1.0 }
    }
}

impl IndexRule for UcbV {
    type Summary = ();

    fn name(&self) -> String {
        if *self == Self::default() {
            "ucb-v".to_owned()
        } else {
            format!("ucb-v:{}:{}", self.zeta, self.range_weight)
        }
    }

    fn summarize(&self, _: &Arm) -> Result<(), ParamError> {
        check::positive("UcbV", "zeta", self.zeta)?;
        check::positive("UcbV", "range_weight", self.range_weight)?;
        Ok(())
    }

    fn index(&self, arm: &Arm, (): &(), round: &Round, _: &mut dyn Rng) -> f64 {
        if arm.plays() == 0 {
            return f64::INFINITY;
        }
        let budget = self.zeta * (round.plays as f64).ln() / arm.plays() as f64;
        arm.mean() + (2.0 * arm.variance() * budget).sqrt() + 3.0 * self.range_weight * budget
    }
}
