//! Warnings that say what to do.

use std::fmt;

use super::Undefined;

/// Above it, the chains have not met (Vehtari et al. 2021), unless their effective draws are so few that
/// chance explains it ([`rhat_limit`](super::rhat_limit)).
pub const LARGEST_RHAT: f64 = 1.01;
/// Effective draws that make diagnostics and standard errors reliable (Vehtari et al. 2021); 100 for each of
/// more than four chains. With a tenth of them and more, the draws can be used with the standard errors that
/// are stated.
pub const FEWEST_EFFECTIVE: f64 = 400.0;
/// Below it, the sampler moves slowly between energies (Betancourt 2016).
pub const SMALLEST_E_BFMI: f64 = 0.3;

/// Parameters listed by name.
const LISTED: usize = 5;

/// What to look at before the figures are used.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// R̂ is above [`LARGEST_RHAT`], and above what chance explains: parameters with theirs, the worst first.
    Rhat(Vec<(String, f64)>),
    /// Effective draws for the middle are fewer than `needed`: parameters with theirs, the worst first.
    EssBulk {
        /// How many are needed.
        needed: f64,
        /// Who has fewer.
        few: Vec<(String, f64)>,
    },
    /// Effective draws for the tails are fewer than `needed`: parameters with theirs, the worst first.
    EssTail {
        /// How many are needed.
        needed: f64,
        /// Who has fewer.
        few: Vec<(String, f64)>,
    },
    /// A figure has no value: parameters with the reason, in their order.
    Undefined(Vec<(String, Undefined)>),
    /// Trajectories diverged.
    Divergences {
        /// How many.
        count: usize,
        /// Of how many draws.
        draws: usize,
    },
    /// Trajectories were as long as allowed.
    LongestPaths {
        /// How many.
        count: usize,
        /// Of how many draws.
        draws: usize,
    },
    /// E-BFMI is below [`SMALLEST_E_BFMI`]: chains, counted from 0, with theirs.
    Energy(Vec<(usize, f64)>),
    /// There is one chain: R̂ compares its halves only.
    OneChain,
}

impl Warning {
    /// A word for programs: `rhat`, `ess_bulk`, `ess_tail`, `undefined`, `divergences`, `max_treedepth`,
    /// `e_bfmi`, `one_chain`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rhat(_) => "rhat",
            Self::EssBulk { .. } => "ess_bulk",
            Self::EssTail { .. } => "ess_tail",
            Self::Undefined(_) => "undefined",
            Self::Divergences { .. } => "divergences",
            Self::LongestPaths { .. } => "max_treedepth",
            Self::Energy(_) => "e_bfmi",
            Self::OneChain => "one_chain",
        }
    }

    /// What to do.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Rhat(_) => {
                "the chains have not met: do not use the draws; run longer, look at the trace plots, or write the model with other parameters"
            }
            Self::EssBulk { needed, few } if is_hopeless(*needed, few) => {
                "not even the standard errors are reliable: do not use the draws; draw more, or make the sampler mix better"
            }
            Self::EssBulk { .. } => "means are as exact as their standard errors (mcse) say",
            Self::EssTail { needed, few } if is_hopeless(*needed, few) => {
                "do not use the 5 % and 95 % quantiles; draw more, or make the sampler mix better in the tails"
            }
            Self::EssTail { .. } => "the 5 % and 95 % quantiles are rough",
            Self::Undefined(all) => match all.first() {
                Some((_, Undefined::TooFew { .. })) => "draw more",
                Some((_, Undefined::NotFinite { .. })) => {
                    "find out where the number comes from: the other figures leave such parameters out"
                }
                _ => "if the parameter is fixed, all is well; if it should move, the chains are stuck",
            },
            Self::Divergences { .. } => {
                "the draws may miss a region: raise the target acceptance (0.95, 0.99), or write the model with other parameters"
            }
            Self::LongestPaths { .. } => {
                "the sampler is slow, not wrong: allow deeper trees, or rescale the parameters"
            }
            Self::Energy(_) => {
                "the tails may be missed: write the model with other parameters (heavy tails, funnels)"
            }
            Self::OneChain => {
                "run four, from different starts: halves of one chain can't show what other chains find"
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rhat(large) => {
                write!(f, "R̂ is above {LARGEST_RHAT}: {}", listed(large, |r| format!("{r:.3}")))?;
            }
            Self::EssBulk { needed, few } => {
                write!(f, "fewer than {needed} effective draws: {}", listed(few, |ess| format!("{ess:.0}")))?;
                longer(f, *needed, few)?;
            }
            Self::EssTail { needed, few } => {
                write!(
                    f,
                    "fewer than {needed} effective draws in the tails: {}",
                    listed(few, |ess| format!("{ess:.0}"))
                )?;
                longer(f, *needed, few)?;
            }
            Self::Undefined(all) => write!(f, "no diagnostics: {}", listed(all, |why| format!("{why}")))?,
            Self::Divergences { count, draws } => write!(f, "{count} of {draws} trajectories diverged")?,
            Self::LongestPaths { count, draws } => {
                write!(f, "{count} of {draws} trajectories were as long as allowed")?;
            }
            Self::Energy(low) => {
                let named: Vec<(String, f64)> =
                    low.iter().map(|&(chain, value)| (format!("chain {}", chain + 1), value)).collect();
                write!(
                    f,
                    "E-BFMI is below {SMALLEST_E_BFMI}: {}",
                    listed(&named, |value| format!("{value:.2}"))
                )?;
            }
            Self::OneChain => f.write_str("there is one chain")?,
        }
        write!(f, "; {}", self.advice())
    }
}

/// Whether the worst has so few effective draws that their number itself is not known.
fn is_hopeless(needed: f64, few: &[(String, f64)]) -> bool {
    few.first().is_some_and(|&(_, ess)| ess < 0.1 * needed)
}

/// How much longer the chains would have to be: effective draws grow in proportion.
fn longer(f: &mut fmt::Formatter<'_>, needed: f64, few: &[(String, f64)]) -> fmt::Result {
    match few.first() {
        Some(&(_, ess)) if ess > 0.0 => {
            // Two digits: effective draws are not known better.
            let times = needed / ess;
            let times = if times < 10.0 { (times * 10.0).ceil() / 10.0 } else { times.ceil() };
            write!(f, "; chains {times} times as long would have {needed}")
        }
        _ => Ok(()),
    }
}

/// `tau 1.34, mu 1.02 and 7 more`
fn listed<V>(all: &[(String, V)], text: impl Fn(&V) -> String) -> String {
    let mut words: Vec<String> =
        all.iter().take(LISTED).map(|(name, value)| format!("{name} ({})", text(value))).collect();
    if all.len() > LISTED {
        words.push(format!("and {} more", all.len() - LISTED));
    }
    words.join(", ")
}
