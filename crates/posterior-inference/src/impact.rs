//! What to find out next: how much seeing a variable would tell about another.

use posterior_pgm::{Evidence, Finding, GraphicalModel, VarId};

use crate::{Engine, Error, Targets};

/// What seeing a variable would tell about the target.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Impact {
    /// The variable that could be seen.
    pub variable: VarId,
    /// I(target; variable | evidence) in nats: by how much seeing the variable lowers the entropy of the
    /// target, on average.
    pub information: f64,
    /// For each state of the variable, its probability, and what the target's posterior would be.
    pub outcomes: Vec<ImpactOutcome>,
}

/// What would follow from seeing a variable in one of its states.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ImpactOutcome {
    /// p(variable = this state | evidence).
    pub probability: f64,
    /// p(target | evidence, variable = this state); what it is now where the state is impossible.
    pub posterior: Vec<f64>,
}

/// For each of `candidates` that was not seen, how much seeing it would tell about `target`; the most telling
/// one first, equals in the order of their ids. Engines need one query for all candidates, and one for each
/// possible state of the target.
///
/// ```
/// use posterior_inference::{Targets, VariableElimination, impact};
/// use posterior_pgm::{BayesianNetwork, Evidence, Table, Variables};
///
/// let yes_no = ["no", "yes"];
/// let variables = Variables::new([("ill", yes_no), ("test", yes_no), ("mood", yes_no)])?;
/// let [ill, test, mood] = ["ill", "test", "mood"].map(|name| variables.require(name));
/// let (ill, test, mood) = (ill?, test?, mood?);
/// let network = BayesianNetwork::new(
///     variables,
///     vec![
///         Table::new(vec![ill], vec![2], vec![0.99, 0.01])?,
///         Table::new(vec![ill, test], vec![2, 2], vec![0.95, 0.05, 0.1, 0.9])?,
///         Table::new(vec![ill, mood], vec![2, 2], vec![0.5, 0.5, 0.6, 0.4])?,
///     ],
/// )?;
/// let engine = VariableElimination::default();
/// let impacts = impact(&engine, &network, &Evidence::none(), ill, &Targets::All)?;
/// assert_eq!(impacts.iter().map(|own| own.variable).collect::<Vec<_>>(), [test, mood]);
/// // Of those whose test is positive, one in 6.5 is ill.
/// assert!((impacts[0].outcomes[1].posterior[1] - 2.0 / 13.0).abs() < 1e-12);
/// # Ok::<(), posterior_inference::Error>(())
/// ```
///
/// # Errors
/// Variables that do not exist, a target that was seen, and what the engine says.
pub fn impact<E: Engine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    target: VarId,
    candidates: &Targets,
) -> Result<Vec<Impact>, Error> {
    let variables = model.variables();
    variables.check(target)?;
    if evidence.state(target).is_some() {
        let name = variables.name(target).to_owned();
        let reason = "its state was seen, so there is nothing to find out".to_owned();
        return Err(posterior_pgm::Error::Evidence { name, reason }.into());
    }
    let mut candidates = candidates.resolve(variables)?;
    candidates.retain(|&v| v != target && evidence.state(v).is_none());
    let mut asked = candidates.clone();
    asked.push(target);
    let plan = engine.plan(model, &Targets::These(asked))?;
    let now = engine.infer(model, &plan, evidence)?;
    let prior = now.marginal(target).unwrap_or_default();
    let mut within = evidence.clone();
    let mut given = Vec::with_capacity(prior.len());
    for (state, &p) in prior.iter().enumerate() {
        within.insert(target, Finding::State(state));
        given.push(if p > 0.0 { Some(engine.infer(model, &plan, &within)?) } else { None });
    }
    let mut impacts: Vec<Impact> = candidates
        .into_iter()
        .map(|v| {
            let rows: Vec<Option<&[f64]>> = given.iter().map(|own| own.as_ref()?.marginal(v)).collect();
            of_variable(v, prior, &rows, now.marginal(v).unwrap_or_default())
        })
        .collect();
    impacts.sort_by(|a, b| b.information.total_cmp(&a.information));
    Ok(impacts)
}

/// From p(target), p(v | target) and p(v). Of ∑ p(t) p(v|t) ln(p(v|t) / p(v)), terms of probability 0 are 0.
fn of_variable(v: VarId, prior: &[f64], rows: &[Option<&[f64]>], own: &[f64]) -> Impact {
    let mut information = 0.0;
    let mut outcomes = Vec::with_capacity(own.len());
    for (state, &probability) in own.iter().enumerate() {
        let joint: Vec<f64> =
            prior.iter().zip(rows).map(|(p, row)| row.map_or(0.0, |row| p * row[state])).collect();
        let total: f64 = joint.iter().sum();
        if total > 0.0 {
            for (joint, &p) in joint.iter().zip(prior) {
                if *joint > 0.0 {
                    information += joint * (joint / (p * total)).ln();
                }
            }
        }
        let posterior =
            if total > 0.0 { joint.iter().map(|joint| joint / total).collect() } else { prior.to_vec() };
        outcomes.push(ImpactOutcome { probability, posterior });
    }
    Impact { variable: v, information: information.max(0.0), outcomes }
}
