//! The rule by which the next point is chosen, as a text: `knowledge-gradient`, `gp-ucb:2`.

use posterior::decision::Error;
use posterior::decision::optimization::{
    Acquisition, BetaSchedule, GpUcb, KnowledgeGradient, LnExpectedImprovement, MaxValueEntropy,
    ProbabilityOfImprovement, ThompsonAcquisition,
};

use crate::failure::Failure;

/// What may be written, for messages.
const EXPECTED: &str = "expected-improvement, probability-of-improvement[:MARGIN], gp-ucb[:SDS], thompson[:FREQUENCIES], \
                        entropy-search[:DRAWS] or knowledge-gradient[:POINTS]";

/// The rules that weigh a gain by the probability that outcomes keep their bounds.
const KNOW_BOUNDS: &str = "expected-improvement and probability-of-improvement do";

/// A margin of improvement, in standard deviations of the outcomes, where none is given.
const MARGIN: f64 = 0.01;
/// The half width of the band of `gp-ucb`, in standard deviations, where none is given.
const SDS: f64 = 2.0;

/// The rule of a text, for a study with bounds of outcomes or without.
pub(super) fn parse(text: &str, bounded: bool) -> Result<Box<dyn Acquisition>, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::Usage(format!("--acquisition {text}: {why}"));
    let unknown = || wrong(&format!("expected {EXPECTED}"));
    let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
    let real = || number.map(str::parse::<f64>).transpose().map_err(|_| unknown());
    let count = || number.map(str::parse::<usize>).transpose().map_err(|_| unknown());
    let refused = |error: Error| wrong(&error);
    let rule: Box<dyn Acquisition> = match name {
        "expected-improvement" if number.is_none() => Box::new(LnExpectedImprovement),
        "probability-of-improvement" => {
            Box::new(ProbabilityOfImprovement::new(real()?.unwrap_or(MARGIN)).map_err(refused)?)
        }
        "gp-ucb" => {
            let sds = real()?.unwrap_or(SDS);
            if !(sds >= 0.0) {
                return Err(wrong(&"expected a number of standard deviations from 0"));
            }
            Box::new(GpUcb::new(BetaSchedule::Constant(sds * sds)).map_err(refused)?)
        }
        "thompson" => match count()? {
            None => Box::new(ThompsonAcquisition::default()),
            Some(frequencies) => Box::new(ThompsonAcquisition::new(frequencies).map_err(refused)?),
        },
        "entropy-search" => match count()? {
            None => Box::new(MaxValueEntropy::default()),
            Some(draws) => Box::new(MaxValueEntropy::new(draws).map_err(refused)?),
        },
        "knowledge-gradient" => match count()? {
            None => Box::new(KnowledgeGradient::default()),
            Some(points) => Box::new(KnowledgeGradient::new(points).map_err(refused)?),
        },
        _ => return Err(unknown()),
    };
    if bounded && !rule.knows_constraints() {
        let why = format!("knows nothing of the outcome constraints of the study: {KNOW_BOUNDS}");
        return Err(wrong(&why));
    }
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_and_others_are_refused() {
        for text in [
            "expected-improvement",
            "probability-of-improvement",
            "probability-of-improvement:0.1",
            "gp-ucb",
            "gp-ucb:0",
            "thompson",
            "thompson:64",
            "entropy-search",
            "entropy-search:4",
            "knowledge-gradient",
            "knowledge-gradient:16",
        ] {
            assert!(parse(text, false).is_ok(), "{text}");
        }
        let two_and_a_half = GpUcb::new(BetaSchedule::Constant(6.25)).unwrap();
        let read = parse("gp-ucb:2.5", false).unwrap();
        assert_eq!(format!("{read:?}"), format!("{two_and_a_half:?}"));
        for (text, why) in [
            ("ei", "expected expected-improvement"),
            ("expected-improvement:1", "expected expected-improvement"),
            ("gp-ucb:-1", "standard deviations from 0"),
            ("thompson:1.5", "thompson[:FREQUENCIES]"),
            ("thompson:0", "from 1 to 100,000"),
            ("knowledge-gradient:0", "from 1 to 10,000"),
            ("probability-of-improvement:-1", "margin"),
        ] {
            let Err(Failure::Usage(message)) = parse(text, false) else { panic!("{text}") };
            assert!(message.contains(why), "{text}: {message}");
        }
        assert!(parse("expected-improvement", true).is_ok() && parse("thompson", true).is_err());
    }
}
