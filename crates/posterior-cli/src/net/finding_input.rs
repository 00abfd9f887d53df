//! Names and findings as people type them: `V=state`, `V=0.9:0.1`, `V=yes:0.9,no:0.1`.

use posterior::graph::VarId;
use posterior::inference::Belief;
use posterior::pgm::{Evidence, Finding, GraphicalModel as _, Variables};

use super::network_input::{Input, unquoted};
use crate::args::Findings;
use crate::failure::Failure;

/// What was seen, and which posteriors are wanted.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) evidence: Evidence,
    pub(super) beliefs: Vec<Belief>,
}

/// Reads the options about what was seen.
pub(super) fn read(input: &Input, args: &Findings) -> Result<Seen, Failure> {
    let variables = input.model().variables();
    let wrong = |error: String| Failure::data(format!("{}: {error}", input.source));
    let mut seen = Seen::default();
    for text in &args.evidence {
        for (v, state) in states(variables, text).map_err(wrong)? {
            put(variables, &mut seen.evidence, v, Finding::State(state)).map_err(wrong)?;
        }
    }
    for text in &args.soft {
        let (v, likelihood) = weights(variables, "--soft", text).map_err(wrong)?;
        put(variables, &mut seen.evidence, v, Finding::Likelihood(likelihood)).map_err(wrong)?;
    }
    for text in &args.belief {
        seen.beliefs.push(weights(variables, "--belief", text).map_err(wrong)?);
    }
    seen.evidence.check(variables).map_err(|error| wrong(error.to_string()))?;
    Ok(seen)
}

fn put(variables: &Variables, evidence: &mut Evidence, v: VarId, finding: Finding) -> Result<(), String> {
    if evidence.get(v).is_some() {
        return Err(format!("evidence on {}: it is given twice", variables.name(v)));
    }
    evidence.insert(v, finding);
    Ok(())
}

/// `V=state`, or several with commas between them.
fn states(variables: &Variables, text: &str) -> Result<Vec<(VarId, usize)>, String> {
    let whole = state(variables, text);
    if whole.is_ok() || text.matches('=').count() < 2 || !text.contains(',') {
        return whole.map(|one| vec![one]);
    }
    text.split(',').map(|piece| state(variables, piece)).collect()
}

/// `V=state`: names may hold `=` themselves, so every place is tried.
fn state(variables: &Variables, text: &str) -> Result<(VarId, usize), String> {
    let mut refused = None;
    for (name, state) in splits(text) {
        match variables.require(name) {
            Err(error) => refused = refused.or_else(|| Some(error.to_string())),
            Ok(v) => match variables.require_state(v, state) {
                Ok(state) => return Ok((v, state)),
                Err(error) => {
                    return Err(similar_state(variables, v, state).unwrap_or_else(|| error.to_string()));
                }
            },
        }
    }
    Err(refused.unwrap_or_else(|| format!("--evidence {text:?}: expected VARIABLE=STATE")))
}

/// What to say about a state that differs in capitals only.
fn similar_state(variables: &Variables, v: VarId, state: &str) -> Option<String> {
    let known = variables.states(v).iter().find(|known| known.eq_ignore_ascii_case(state))?;
    Some(format!("{:?} has no state {state:?}; did you mean {known:?}?", variables.name(v)))
}

/// `V=0.9:0.1` in the order of the states, or `V=yes:0.9,no:0.1`.
fn weights(variables: &Variables, option: &str, text: &str) -> Result<(VarId, Vec<f64>), String> {
    let mut refused = None;
    for (name, rest) in splits(text) {
        match variables.require(name) {
            Err(error) => refused = refused.or_else(|| Some(error.to_string())),
            Ok(v) => return Ok((v, weights_of(variables, v, option, rest)?)),
        }
    }
    Err(refused.unwrap_or_else(|| format!("{option} {text:?}: expected VARIABLE=P1:P2..")))
}

fn weights_of(variables: &Variables, v: VarId, option: &str, text: &str) -> Result<Vec<f64>, String> {
    let (name, known) = (variables.name(v), variables.states(v));
    let plain: Option<Vec<f64>> = text.split(':').map(|word| word.trim().parse().ok()).collect();
    if let Some(weights) = plain {
        let (given, needed) = (weights.len(), known.len());
        let states = known.join(", ");
        return if given == needed {
            Ok(weights)
        } else {
            Err(format!("{option} {name}: expected {needed} numbers, of {states}; found {given}"))
        };
    }
    let mut weights = vec![None; known.len()];
    for piece in text.split(',') {
        let Some((state, number)) = piece.rsplit_once(':') else {
            return Err(format!("{option} {name}: expected STATE:NUMBER, found {piece:?}"));
        };
        let number = number.trim();
        let value: f64 =
            number.parse().map_err(|_| format!("{option} {name}: expected a number, found {number:?}"))?;
        let place = variables.require_state(v, unquoted(state)).map_err(|error| error.to_string())?;
        weights[place] = Some(value);
    }
    let missing = |at: usize| format!("{option} {name}: expected a number for the state {:?}", known[at]);
    weights.into_iter().enumerate().map(|(at, weight)| weight.ok_or_else(|| missing(at))).collect()
}

/// All ways to split at a `=`, without blanks and quotes around either side.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices('=').map(move |(at, _)| (unquoted(&text[..at]), unquoted(&text[at + 1..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> Variables {
        Variables::new([
            ("rain", vec!["no", "yes"]),
            ("a=b", vec!["=", "x,y"]),
            ("two words", vec!["low", "high"]),
        ])
        .unwrap()
    }

    #[test]
    fn odd_names_are_understood() {
        let all = variables();
        let ids: Vec<VarId> = all.ids().collect();
        assert_eq!(states(&all, "rain=yes"), Ok(vec![(ids[0], 1)]));
        assert_eq!(states(&all, "a=b=="), Ok(vec![(ids[1], 0)]));
        assert_eq!(states(&all, "a=b=x,y"), Ok(vec![(ids[1], 1)]));
        assert_eq!(states(&all, "\"two words\" = 'high'"), Ok(vec![(ids[2], 1)]));
        assert_eq!(states(&all, "rain=no, two words=low"), Ok(vec![(ids[0], 0), (ids[2], 0)]));
    }

    #[test]
    fn wrong_names_are_reported() {
        let all = variables();
        assert!(states(&all, "rian=yes").unwrap_err().contains("\"rain\""));
        assert!(states(&all, "rain=Yes").unwrap_err().ends_with("did you mean \"yes\"?"));
        assert!(states(&all, "rain=wet").unwrap_err().ends_with("its states are no, yes"));
        assert!(states(&all, "rain").unwrap_err().contains("expected VARIABLE=STATE"));
    }

    #[test]
    fn weights_come_in_order_or_by_name() {
        let all = variables();
        let rain = all.ids().next().unwrap();
        assert_eq!(weights(&all, "--soft", "rain=1:3"), Ok((rain, vec![1.0, 3.0])));
        assert_eq!(weights(&all, "--soft", "rain=yes:3, no:1"), Ok((rain, vec![1.0, 3.0])));
        assert!(weights(&all, "--soft", "rain=1:2:3").unwrap_err().contains("expected 2 numbers"));
        assert!(weights(&all, "--soft", "rain=yes:3").unwrap_err().contains("\"no\""));
        assert!(weights(&all, "--soft", "rain=yes:x").unwrap_err().contains("expected a number"));
    }
}
