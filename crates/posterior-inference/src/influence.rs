//! Which finding moved the answer: the posterior without each of them.

use posterior_pgm::{Evidence, GraphicalModel, VarId};

use crate::{Engine, Error, Targets};

/// What the posterior of a target would be without one of the findings.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Influence {
    /// The variable whose finding is left out.
    pub variable: VarId,
    /// p(target | all other findings).
    pub without: Vec<f64>,
    /// How far the finding moves the target, the total variation from `without` to p(target | all findings):
    /// 0 to 1.
    pub change: f64,
}

/// The posterior of `target` without each finding, the most important finding first, equals in the order of
/// their ids. A query for each finding.
///
/// Findings that say the same thing twice have little influence each, though together they have much.
///
/// ```
/// use posterior_inference::{VariableElimination, influence};
/// use posterior_pgm::{BayesianNetwork, Evidence, Table, Variables};
///
/// let yes_no = ["no", "yes"];
/// let variables = Variables::new([("ill", yes_no), ("test", yes_no), ("mood", yes_no)])?;
/// let [ill, test, mood] = ["ill", "test", "mood"].map(|name| variables.require(name));
/// let (ill, test, mood) = (ill?, test?, mood?);
/// let network = BayesianNetwork::new(
///     variables,
///     vec![
///         Table::new(vec![ill], vec![2], vec![0.5, 0.5])?,
///         Table::new(vec![ill, test], vec![2, 2], vec![0.9, 0.1, 0.1, 0.9])?,
///         Table::new(vec![ill, mood], vec![2, 2], vec![0.5, 0.5, 0.5, 0.5])?,
///     ],
/// )?;
/// let seen = Evidence::of([(test, 1), (mood, 1)]);
/// let findings = influence(&VariableElimination::default(), &network, &seen, ill)?;
/// assert_eq!(findings[0].variable, test);
/// assert!((findings[0].without[1] - 0.5).abs() < 1e-15 && (findings[0].change - 0.4).abs() < 1e-15);
/// assert!(findings[1].change.abs() < 1e-15);
/// # Ok::<(), posterior_inference::Error>(())
/// ```
///
/// # Errors
/// A target that does not exist, evidence that does not fit, and what the engine says.
pub fn influence<E: Engine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    target: VarId,
) -> Result<Vec<Influence>, Error> {
    let targets = Targets::These(vec![target]);
    let all = engine.query(model, &targets, evidence)?;
    let mut influences = Vec::with_capacity(evidence.len());
    for (variable, _) in evidence.iter() {
        let mut fewer = evidence.clone();
        fewer.remove(variable);
        let without = engine.query(model, &targets, &fewer)?;
        influences.push(Influence {
            variable,
            change: all.change_since(&without, target).unwrap_or(0.0),
            without: without.marginal(target).unwrap_or_default().to_vec(),
        });
    }
    influences.sort_by(|a, b| b.change.total_cmp(&a.change));
    Ok(influences)
}
