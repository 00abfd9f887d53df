//! Policies as texts: `ucb1`, `ucb-sd:2`, `epsilon-greedy:0.1`.

use super::{
    BayesUcb, DiscountedUcb, EpsilonGreedy, Exp3, Exp3Ix, Exploration, ExploreThenCommit, Gittins, KlUcb,
    MeanPlusSd, Moss, Policy, SlidingWindowUcb, SuccessiveElimination, Thompson, Ucb1, Ucb1Tuned, UcbV,
    Width,
};
use crate::Error;

/// What may be written, for messages.
const EXPECTED: &str = "ucb1[:C], ucb1-tuned, ucb-v[:ZETA:C], kl-ucb[:C], moss[:N], ucb-sd:C, ucb-sd-ln:C, ucb-sd-power:C:P, bayes-ucb[:C:N], \
                        thompson, gittins:DISCOUNT, epsilon-greedy:E, epsilon-decreasing:C:D, explore-then-commit:M, \
                        successive-elimination:DELTA, exp3:GAMMA, exp3-ix:ETA, discounted-ucb:G or sliding-window-ucb:W";

/// The policy that [`Policy::name`] writes so, with the default model of the rewards; parameters that are
/// left out have their defaults.
///
/// ```
/// use posterior_decision::bandit::parse_policy;
///
/// assert_eq!(parse_policy("ucb-sd:2")?.name(), "ucb-sd:2");
/// assert!(parse_policy("ucb9").is_err());
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If no policy is written so, or a parameter is not a number or none that the policy can have.
pub fn parse_policy(text: &str) -> Result<Box<dyn Policy>, Error> {
    let unknown = || Error::Policy { text: text.to_owned(), expected: EXPECTED };
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or_default();
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let policy = policy(name, &numbers.ok_or_else(unknown)?).ok_or_else(unknown)?;
    policy.start(1)?;
    Ok(policy)
}

fn policy(name: &str, numbers: &[f64]) -> Option<Box<dyn Policy>> {
    Some(match (name, numbers) {
        ("ucb1", []) => Box::new(Ucb1::default()),
        ("ucb1", &[c]) => Box::new(Ucb1 { width: c, ..Ucb1::default() }),
        ("ucb1-tuned", []) => Box::new(Ucb1Tuned),
        ("ucb-v", []) => Box::new(UcbV::default()),
        ("ucb-v", &[zeta, c]) => Box::new(UcbV { zeta, range_weight: c, ..UcbV::default() }),
        ("kl-ucb", []) => Box::new(KlUcb::default()),
        ("kl-ucb", &[c]) => Box::new(KlUcb { c, ..KlUcb::default() }),
        ("moss", []) => Box::new(Moss::default()),
        ("moss", &[horizon]) => Box::new(Moss { horizon: Some(count(horizon)?), ..Moss::default() }),
        ("ucb-sd", []) => Box::new(MeanPlusSd::default()),
        ("ucb-sd", &[c]) => Box::new(MeanPlusSd { width: Width::Constant(c), ..MeanPlusSd::default() }),
        ("ucb-sd-ln", &[c]) => Box::new(MeanPlusSd { width: Width::RootLn(c), ..MeanPlusSd::default() }),
        ("ucb-sd-power", &[factor, exponent]) => {
            Box::new(MeanPlusSd { width: Width::Power { factor, exponent }, ..MeanPlusSd::default() })
        }
        ("bayes-ucb", []) => Box::new(BayesUcb::default()),
        ("bayes-ucb", &[c, horizon]) => {
            Box::new(BayesUcb { horizon: Some((c, count(horizon)?)), ..BayesUcb::default() })
        }
        ("thompson", []) => Box::new(Thompson::default()),
        ("gittins", []) => Box::new(Gittins::default()),
        ("gittins", &[discount]) => Box::new(Gittins { discount, ..Gittins::default() }),
        ("epsilon-greedy", []) => Box::new(EpsilonGreedy::default()),
        ("epsilon-greedy", &[epsilon]) => Box::new(EpsilonGreedy {
            exploration: Exploration::Constant(epsilon),
            ..EpsilonGreedy::default()
        }),
        ("epsilon-decreasing", &[c, gap]) => Box::new(EpsilonGreedy {
            exploration: Exploration::Decreasing { c, gap },
            ..EpsilonGreedy::default()
        }),
        ("explore-then-commit", []) => Box::new(ExploreThenCommit::default()),
        ("explore-then-commit", &[plays]) => {
            Box::new(ExploreThenCommit { plays_each: count(plays)?, ..ExploreThenCommit::default() })
        }
        ("successive-elimination", []) => Box::new(SuccessiveElimination::default()),
        ("successive-elimination", &[delta]) => {
            Box::new(SuccessiveElimination { delta, ..SuccessiveElimination::default() })
        }
        ("exp3", []) => Box::new(Exp3::default()),
        ("exp3", &[gamma]) => Box::new(Exp3 { gamma, ..Exp3::default() }),
        ("exp3-ix", []) => Box::new(Exp3Ix::default()),
        ("exp3-ix", &[rate]) => Box::new(Exp3Ix { rate, ..Exp3Ix::default() }),
        ("discounted-ucb", []) => Box::new(DiscountedUcb::default()),
        ("discounted-ucb", &[discount]) => Box::new(DiscountedUcb { discount, ..DiscountedUcb::default() }),
        ("sliding-window-ucb", []) => Box::new(SlidingWindowUcb::default()),
        ("sliding-window-ucb", &[window]) => Box::new(SlidingWindowUcb {
            window: usize::try_from(count(window)?).ok()?,
            ..SlidingWindowUcb::default()
        }),
        _ => return None,
    })
}

/// A whole number that f64 holds exactly.
fn count(number: f64) -> Option<u64> {
    ((0.0..9e15).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}
