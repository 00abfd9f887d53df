//! Bayesian networks from records with missing states and hidden variables, by EM over any engine.

use posterior_math::iteration::{Fitted, Observer};
use posterior_pgm::{BayesianNetwork, Evidence, FamilyCounts, GraphicalModel, Records, Table};

use crate::em::{EmOptions, Expected, Problem, expectation_maximization};
use crate::{Error, FactorEngine, Targets};

/// Records with missing states as a problem for EM: the E step asks an engine for the expected counts of
/// every family.
///
/// A variable that is missing in every record is hidden. The prior adds α to each count, which is the most
/// probable table with a Dirichlet(α) distribution of the table's row in natural parameters: θ = (N + α) /
/// (N(u) + α₀), for any α ≥ 0, and the objective gains α ∑ ln θ. Without it (α = 0) a row that no record
/// reaches keeps its table.
#[derive(Debug, Clone)]
pub struct MissingData<'a, E: FactorEngine> {
    engine: &'a E,
    plan: E::Plan,
    /// What was seen in the records that differ, with the number of the first, and how many there are.
    seen: Vec<(usize, Evidence, f64)>,
    alpha: f64,
}

impl<'a, E: FactorEngine> MissingData<'a, E> {
    /// These records, for networks with the structure of `network`.
    ///
    /// # Errors
    /// Records of other variables, α that is negative or not finite, or what the plan of the engine refuses.
    pub fn new(
        engine: &'a E,
        network: &BayesianNetwork,
        records: &Records,
        alpha: f64,
    ) -> Result<Self, Error> {
        if records.variables() != network.variables() {
            return Err(Error::OtherModel { reason: "the records have other variables" });
        }
        posterior_math::check::non_negative("MissingData", "alpha", alpha)
            .map_err(|error| Error::Model(error.into()))?;
        let seen = records.distinct().into_iter();
        let seen = seen.map(|(record, count)| (record, records.evidence(record), count)).collect();
        Ok(Self { engine, plan: engine.plan(network, &Targets::All)?, seen, alpha })
    }
}

impl<E: FactorEngine> MissingData<'_, E> {
    /// One step of EM.
    fn step(&self, model: &BayesianNetwork) -> Result<BayesianNetwork, Error> {
        self.m_step(&self.e_step(model)?.statistics, model)
    }
}

impl<E: FactorEngine> Problem for MissingData<'_, E> {
    type Model = BayesianNetwork;
    type Statistics = FamilyCounts;
    type Error = Error;

    fn e_step(&self, model: &BayesianNetwork) -> Result<Expected<FamilyCounts>, Error> {
        let mut counts = FamilyCounts::zeros_like(model)?;
        let mut ln_likelihood = 0.0;
        for (record, evidence, count) in &self.seen {
            let (families, ln_z) =
                self.engine.factor_marginals(model, &self.plan, evidence).map_err(|error| match error {
                    Error::ImpossibleEvidence => Error::Model(posterior_pgm::Error::Record {
                        record: *record,
                        reason: "the network says that it is impossible".to_owned(),
                    }),
                    other => other,
                })?;
            for family in &families {
                counts.add_expected(family, *count)?;
            }
            ln_likelihood += count * ln_z.value();
        }
        Ok(Expected::new(counts, ln_likelihood))
    }

    fn m_step(&self, counts: &FamilyCounts, previous: &BayesianNetwork) -> Result<BayesianNetwork, Error> {
        let tables = counts.families().iter().zip(previous.factors()).map(|(counts, before)| {
            let card = counts.cards().last().copied().unwrap_or(1);
            let rows = counts.values().chunks_exact(card).zip(before.values().chunks_exact(card));
            let values = rows.flat_map(|(counts, before)| row(counts, before, self.alpha)).collect();
            Table::new(counts.scope().to_vec(), counts.cards().to_vec(), values)
        });
        let tables = tables.collect::<Result<_, _>>()?;
        Ok(BayesianNetwork::normalized(previous.variables().clone(), tables)?.0)
    }

    /// α ∑ ln θ.
    fn ln_prior(&self, model: &BayesianNetwork) -> f64 {
        if self.alpha == 0.0 {
            return 0.0;
        }
        model.factors().iter().flat_map(Table::values).map(|theta| self.alpha * theta.ln()).sum()
    }
}

/// (N + α) / (N(u) + α₀); the row as it was where nothing is known.
fn row(counts: &[f64], before: &[f64], alpha: f64) -> Vec<f64> {
    let total: f64 = counts.iter().map(|count| count + alpha).sum();
    if total > 0.0 { counts.iter().map(|count| (count + alpha) / total).collect() } else { before.to_vec() }
}

/// The network with the structure of `start` that fits records with missing states best, by EM from its
/// tables.
///
/// Zeros in `start` are impossible under a prior, which takes them away in a first step before the report
/// begins.
///
/// The log-likelihood never falls; which maximum is reached depends on the start. Tables drawn with
/// [`CptPosterior::draw`](posterior_pgm::CptPosterior::draw) are good starts for hidden variables: equal rows
/// stay equal.
///
/// # Errors
/// As [`MissingData::new`]; a record that is impossible for the network, which is named.
///
/// # References
/// S. Lauritzen, The EM algorithm for graphical association models with missing data, CSDA 19, 1995.
pub fn fit_network<E: FactorEngine>(
    engine: &E,
    start: BayesianNetwork,
    records: &Records,
    alpha: f64,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<BayesianNetwork>, Error> {
    let problem = MissingData::new(engine, &start, records, alpha)?;
    let start = if problem.ln_prior(&start).is_finite() { start } else { problem.step(&start)? };
    expectation_maximization(&problem, start, options, observer)
}
