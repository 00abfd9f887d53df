//! Which findings contradict each other.

use posterior_pgm::{Evidence, GraphicalModel, VarId};

use crate::{Engine, Error, Targets};

/// Of impossible evidence, some findings that cannot be true together, and of which none can be left out:
/// without any one of them the others are possible. Empty if the evidence is possible.
///
/// There may be several such sets; this is the one that keeps findings with low ids. One query of the engine
/// for each finding.
///
/// ```
/// use posterior_inference::{VariableElimination, conflict};
/// use posterior_pgm::{BayesianNetwork, Evidence, Table, Variables};
///
/// let yes_no = ["no", "yes"];
/// let variables = Variables::new([("either", yes_no), ("test", yes_no), ("mood", yes_no)])?;
/// let [either, test, mood] = ["either", "test", "mood"].map(|name| variables.require(name));
/// let (either, test, mood) = (either?, test?, mood?);
/// let network = BayesianNetwork::new(
///     variables,
///     vec![
///         Table::new(vec![either], vec![2], vec![0.9, 0.1])?,
///         Table::new(vec![either, test], vec![2, 2], vec![1.0, 0.0, 0.2, 0.8])?,
///         Table::new(vec![mood], vec![2], vec![0.5, 0.5])?,
///     ],
/// )?;
/// let evidence = Evidence::of([(either, 0), (test, 1), (mood, 1)]);
/// assert_eq!(conflict(&VariableElimination::default(), &network, &evidence)?, [either, test]);
/// # Ok::<(), posterior_inference::Error>(())
/// ```
///
/// # Errors
/// Evidence that does not fit, and what the engine says.
pub fn conflict<E: Engine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
) -> Result<Vec<VarId>, Error> {
    evidence.check(model.variables())?;
    let impossible = |evidence: &Evidence| match engine.query(model, &Targets::These(Vec::new()), evidence) {
        Ok(_) => Ok(false),
        Err(Error::ImpossibleEvidence) => Ok(true),
        Err(other) => Err(other),
    };
    if !impossible(evidence)? {
        return Ok(Vec::new());
    }
    let mut kept = evidence.clone();
    let findings: Vec<VarId> = evidence.iter().map(|(v, _)| v).collect();
    for &v in findings.iter().rev() {
        let mut fewer = kept.clone();
        fewer.remove(v);
        if impossible(&fewer)? {
            kept = fewer;
        }
    }
    Ok(kept.iter().map(|(v, _)| v).collect())
}
