//! Bayesian networks and Markov random fields: files, queries, learning, draws, separation.

use std::sync::Arc;

use posterior_graph::VarId;
use posterior_inference::em::EmOptions;
use posterior_inference::learning::fit_network;
use posterior_inference::{
    Auto, BeliefPropagation, Beliefs, Engine, Error, JointEngine as _, JunctionTree, MapEngine as _,
    MeanField, Targets, VariableElimination, best_of,
};
use posterior_pgm::{
    BayesianNetwork, CptPrior, Evidence, FamilyCounts, GraphicalModel, MarkovRandomField, Model, NetworkFile,
    Records, Table, Variables, bif, read_model, uai, xmlbif,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::arrays;
use crate::watched::{direct, invalid, left_behind, pool, watched};

/// Names of variables and their states.
type Named = Vec<(String, Vec<String>)>;

/// Tables: the names of their variables, and their values, the last variable fastest.
type Tables = Vec<(Vec<String>, Vec<f64>)>;

/// What was seen: states, and likelihoods of states.
#[derive(Debug, FromPyObject)]
pub(crate) struct Seen {
    states: Vec<(String, String)>,
    likelihoods: Vec<(String, Vec<f64>)>,
}

/// A discrete model on a graph.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GraphicalNetwork {
    model: Arc<Model>,
    /// What a file of it says: rows that did not sum to one.
    warnings: Vec<String>,
}

/// The most probable states, and ln p of them together with what was seen.
type Best = (Vec<(String, String)>, f64);

/// Probabilities of states by variable, ln p of what was seen, and whether the engine converged.
type Answer<'py> = (Vec<(String, Bound<'py, PyAny>)>, f64, bool);

impl GraphicalNetwork {
    fn variables(&self) -> &Variables {
        self.model.variables()
    }

    fn ids(&self, names: &[String]) -> PyResult<Vec<VarId>> {
        names.iter().map(|name| self.variables().require(name).map_err(invalid)).collect()
    }

    fn evidence(&self, seen: &Seen) -> PyResult<Evidence> {
        let states = seen.states.iter().map(|(name, state)| (name.as_str(), state.as_str()));
        let evidence = Evidence::named(self.variables(), states).map_err(invalid)?;
        seen.likelihoods.iter().try_fold(evidence, |evidence, (name, likelihood)| {
            let v = self.variables().require(name).map_err(invalid)?;
            Ok(evidence.with_likelihood(v, likelihood.clone()))
        })
    }

    fn network(&self) -> PyResult<&BayesianNetwork> {
        match &*self.model {
            Model::Bayesian(network) => Ok(network),
            _ => Err(PyValueError::new_err("expected a Bayesian network: this field has no arrows")),
        }
    }

    /// The records of codes of states, -1 where missing: a row each, a column for each variable.
    fn records(&self, codes: &[Vec<i64>]) -> PyResult<Records> {
        let mut records = Records::new(self.variables().clone());
        for row in codes {
            let row: Vec<Option<usize>> = row.iter().map(|&code| usize::try_from(code).ok()).collect();
            records.push(&row).map_err(invalid)?;
        }
        Ok(records)
    }
}

/// How an engine answers.
type Query = fn(&Model, &Targets, &Evidence) -> Result<Beliefs, Error>;

fn ask<E: Engine + Default>(model: &Model, targets: &Targets, evidence: &Evidence) -> Result<Beliefs, Error> {
    E::default().query(model, targets, evidence)
}

/// The engine of a name.
fn query(engine: &str) -> PyResult<Query> {
    match engine {
        "jt" => Ok(ask::<JunctionTree>),
        "ve" => Ok(ask::<VariableElimination>),
        "bp" => Ok(ask::<BeliefPropagation>),
        "mean-field" => Ok(ask::<MeanField>),
        "auto" => Ok(ask::<Auto>),
        _ => {
            let engines = "auto, jt, ve, bp or mean-field";
            Err(PyValueError::new_err(format!("engine: expected {engines}, found {engine:?}")))
        }
    }
}

#[pymethods]
impl GraphicalNetwork {
    /// From tables: of a Bayesian network one for each variable, the last of its scope.
    #[new]
    fn new(variables: Named, tables: Tables, is_directed: bool) -> PyResult<Self> {
        let variables = Variables::new(variables).map_err(invalid)?;
        let table = |(names, values): (Vec<String>, Vec<f64>)| {
            let scope: Vec<VarId> =
                names.iter().map(|name| variables.require(name)).collect::<Result<_, _>>()?;
            let cards = scope.iter().map(|&v| variables.card(v)).collect();
            Table::new(scope, cards, values)
        };
        let tables = tables.into_iter().map(table).collect::<Result<Vec<_>, _>>().map_err(invalid)?;
        let model = if is_directed {
            BayesianNetwork::new(variables, tables).map(Model::Bayesian)
        } else {
            MarkovRandomField::new(variables, tables).map(Model::Markov)
        };
        Ok(Self { model: Arc::new(model.map_err(invalid)?), warnings: Vec::new() })
    }

    /// From the bytes of a file: BIF, XMLBIF, Hugin's net or UAI.
    #[staticmethod]
    fn read(bytes: &[u8]) -> PyResult<Self> {
        let file = read_model(bytes).map_err(invalid)?;
        let variables = file.model.variables();
        let warning = |own: &posterior_pgm::Renormalized| {
            let name = variables.name(own.variable);
            format!("{name}: row {} of its table sums to {}", own.row, own.sum)
        };
        Ok(Self { warnings: file.renormalized.iter().map(warning).collect(), model: Arc::new(file.model) })
    }

    /// As the text of a file.
    fn written(&self, format: &str) -> PyResult<String> {
        let file = || Ok::<_, PyErr>(NetworkFile::new(self.network()?.clone()));
        match format {
            "bif" => bif::write(&file()?).map_err(invalid),
            "xmlbif" => xmlbif::write(&file()?).map_err(invalid),
            "uai" => Ok(uai::write(&*self.model)),
            other => {
                Err(PyValueError::new_err(format!("format: expected bif, xmlbif or uai, found {other:?}")))
            }
        }
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn is_directed(&self) -> bool {
        matches!(*self.model, Model::Bayesian(_))
    }

    /// The variables with their states.
    #[getter]
    fn named(&self) -> Named {
        let all = self.variables();
        all.ids().map(|v| (all.name(v).to_owned(), all.states(v).to_vec())).collect()
    }

    /// The tables, with the names of their variables.
    #[getter]
    fn tables(&self) -> Tables {
        let all = self.variables();
        let table = |own: &Table| {
            let names = own.scope().iter().map(|&v| all.name(v).to_owned()).collect();
            (names, own.values().to_vec())
        };
        self.model.factors().iter().map(table).collect()
    }

    /// The arrows.
    #[getter]
    fn arrows(&self) -> Vec<(String, String)> {
        let all = self.variables();
        let name = |v| all.name(v).to_owned();
        let arrows = self.model.dag().into_iter().flat_map(posterior_graph::Dag::arrows);
        arrows.map(|(from, to)| (name(from), name(to))).collect()
    }

    /// Probabilities of the states of each target given what was seen, and ln p of that.
    fn query<'py>(
        &self,
        py: Python<'py>,
        targets: Option<Vec<String>>,
        seen: Seen,
        engine: &str,
    ) -> PyResult<Answer<'py>> {
        let evidence = self.evidence(&seen)?;
        let ids: Vec<VarId> = match &targets {
            None => self.variables().ids().collect(),
            Some(names) => self.ids(names)?,
        };
        let query = query(engine)?;
        let (model, targets) = (Arc::clone(&self.model), Targets::These(ids.clone()));
        let beliefs = left_behind(py, move |_| query(&model, &targets, &evidence))?;
        let marginals = ids.iter().filter_map(|&v| {
            Some((self.variables().name(v).to_owned(), arrays::array(py, beliefs.marginal(v)?)))
        });
        Ok((marginals.collect(), beliefs.ln_z().value(), beliefs.report().converged))
    }

    /// Joint probabilities of targets, an axis each.
    fn joint<'py>(&self, py: Python<'py>, targets: Vec<String>, seen: Seen) -> PyResult<Bound<'py, PyAny>> {
        let (evidence, ids) = (self.evidence(&seen)?, self.ids(&targets)?);
        let model = Arc::clone(&self.model);
        let table = left_behind::<_, Error>(py, move |_| {
            let engine = Auto::default();
            let plan = engine.plan(&*model, &Targets::These(ids.clone()))?;
            Ok(engine.joint(&*model, &plan, &evidence, &ids)?.reordered(&ids)?)
        })?;
        arrays::shaped(py, table.values().to_vec(), table.cards())
    }

    /// The most probable states of all variables together, or of some with the others summed over.
    fn most_probable(&self, py: Python<'_>, of: Option<Vec<String>>, seen: Seen) -> PyResult<Best> {
        let (evidence, of) = (self.evidence(&seen)?, of.map(|own| self.ids(&own)).transpose()?);
        let model = Arc::clone(&self.model);
        let (ids, states, ln_value) = left_behind::<_, Error>(py, move |_| match &of {
            None => {
                let found = Auto::default().most_probable(&*model, &evidence)?;
                Ok((model.variables().ids().collect(), found.states, found.ln_value))
            }
            Some(of) => {
                let engine = VariableElimination::default();
                let found = engine.most_probable_of(&*model, &evidence, of)?;
                Ok((found.variables, found.states, found.ln_value))
            }
        })?;
        let all = self.variables();
        let named = |(&v, &state): (&VarId, &usize)| (all.name(v).to_owned(), all.states(v)[state].clone());
        let ids: Vec<VarId> = ids;
        Ok((ids.iter().zip(&states).map(named).collect(), ln_value))
    }

    /// A path along which x and y depend on each other given some, as it is written; none if they do not.
    fn active_path(&self, x: Vec<String>, y: Vec<String>, given: Vec<String>) -> PyResult<Option<String>> {
        let dag = self.network()?.graph();
        let [x, y, given] = [self.ids(&x)?, self.ids(&y)?, self.ids(&given)?];
        let found = dag.separation(&x, &y, &given).map_err(invalid)?;
        Ok(found.path().map(ToString::to_string))
    }

    /// Parents, children and their other parents.
    fn markov_blanket(&self, name: &str) -> PyResult<Vec<String>> {
        let v = self.variables().require(name).map_err(invalid)?;
        let blanket = self.network()?.graph().markov_blanket(v);
        Ok(blanket.into_iter().map(|own| self.variables().name(own).to_owned()).collect())
    }

    /// Codes of states that are drawn, a row for each draw.
    fn sample<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        let network = self.network()?;
        let records = direct(py, || network.sample(count, seed))?;
        let variables = network.variables();
        let code = |record, v| records.state(record, v).unwrap_or_default();
        let codes: Vec<usize> =
            (0..count).flat_map(|record| variables.ids().map(move |v| code(record, v))).collect();
        arrays::shaped(py, codes, &[count, variables.len()])
    }

    /// Tables from records, with so much added to each count: posterior means or proportions; where values
    /// are missing by expectation maximisation, the best of so many starts. Also ln p of the records.
    fn learn(
        &self,
        py: Python<'_>,
        codes: Vec<Vec<i64>>,
        added: f64,
        starts: usize,
        seed: u64,
    ) -> PyResult<(Self, Vec<f64>)> {
        let (network, records) = (self.network()?, self.records(&codes)?);
        let (learned, trace) = watched::<_, Error>(py, |signals| {
            if records.is_complete() {
                let mut counts = FamilyCounts::zeros_like(network)?;
                counts.add_records(&records)?;
                let learned = if added > 0.0 {
                    counts.posterior(&CptPrior::Symmetric(added))?.mean()?
                } else {
                    counts.maximum_likelihood()?.0
                };
                let ln_likelihood = counts.ln_likelihood(&learned)?;
                return Ok((learned, vec![ln_likelihood]));
            }
            let (engine, options) = (JunctionTree::default(), EmOptions::default());
            let mut is_first = true;
            let found = best_of(starts, seed, |rng| {
                let first = std::mem::take(&mut is_first);
                let start = if first { network.clone() } else { network.with_random_tables(rng)? };
                fit_network(&engine, start, &records, added, &options, signals)
            })?;
            Ok((found.best.model, found.best.report.trace))
        })?;
        Ok((Self { model: Arc::new(Model::Bayesian(learned)), warnings: Vec::new() }, trace))
    }

    /// The probabilities of the states of a variable given the others of each record of codes, -1 where
    /// missing: a row each.
    fn classify<'py>(
        &self,
        py: Python<'py>,
        target: &str,
        codes: Vec<Vec<i64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let v = self.variables().require(target).map_err(invalid)?;
        let (records, states, pool) = (self.records(&codes)?, self.variables().card(v), pool()?);
        let model = Arc::clone(&self.model);
        let found = left_behind::<_, Error>(py, move |_| {
            let engine = JunctionTree::default();
            let plan = engine.plan(&*model, &Targets::These(vec![v]))?;
            let of_record = |record| -> Result<Vec<f64>, Error> {
                let mut evidence = records.evidence(record);
                evidence.remove(v);
                Ok(engine.infer(&*model, &plan, &evidence)?.marginal(v).unwrap_or_default().to_vec())
            };
            let all = || (0..records.len()).into_par_iter().map(of_record).collect::<Result<Vec<_>, _>>();
            Ok(pool.install(all)?.concat())
        })?;
        arrays::shaped(py, found, &[codes.len(), states])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Named, Tables, bool)) {
        (py.get_type::<Self>().into_any(), (self.named(), self.tables(), self.is_directed()))
    }
}
