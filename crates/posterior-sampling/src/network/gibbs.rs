//! Gibbs sampling in a discrete model.

use posterior_dist::stream::stream;
use posterior_inference::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, FactorEngine, JointEngine, LnZ, Need, QueryPlan,
    Relevant, RunReport, Sampling, Targets, relevant,
};
use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use super::blocking::{Blocking, BlocksWanted, Reach, blocks};
use super::each;
use super::error_bars::{Estimate, standard_error};
use super::scope::{Scope, check_budget, check_joint, tables};
use super::sites::{Position, ROWS, Sites};
use super::support::Support;

/// Chains that disagree more than this have not forgotten their starts (Vehtari et al. 2021).
const WORST_RHAT: f64 = 1.01;
/// Fewer effective draws than this of each chain say little of how good they are (ibid.).
const LEAST_EFFECTIVE: f64 = 100.0;

/// Fewer draws of a chain have no effective number.
const LEAST_DRAWS: usize = 12;

/// In which order blocks are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockOrder {
    /// One after another.
    #[default]
    Systematic,
    /// As many as there are blocks, each picked uniformly: reversible, and slower.
    Random,
}

/// Gibbs sampling: each variable, or block of them, drawn from its posterior given all others, again and
/// again.
///
/// The conditionals need the Markov blanket alone, and are worked out beforehand where that is small; of
/// Bayesian networks what the query does not need is left out. Chains start at random joint states of
/// positive probability, which are searched for. Where zeros of the model may keep a chain from some joint
/// states, variables are drawn in [blocks](Blocking); where that does not help, the report warns, as it does
/// of chains that disagree or are worth few independent draws. Standard errors allow for the dependence of
/// draws.
///
/// ln Z is [`LnZ::Unknown`]: draws of the posterior alone don't tell it. One sweep is O(blocks + what their
/// changes move); the tables take 8 bytes for each number, the draws 4 for each target.
///
/// # References
/// S. Geman and D. Geman, Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images,
/// IEEE PAMI 6, 1984; J. Pearl, Evidential reasoning using stochastic simulation of causal models, Artificial
/// Intelligence 32, 1987.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkGibbs {
    /// Chains, at least 1; of a single one the halves are compared.
    pub chains: usize,
    /// Sweeps of each chain that are thrown away.
    pub warm_up: usize,
    /// Sweeps of each chain that are kept, at least 12.
    pub draws: usize,
    /// In which order blocks are drawn.
    pub scan: BlockOrder,
    /// Which variables are drawn together.
    pub blocking: Blocking,
    /// The seed.
    pub seed: u64,
    /// The memory that draws may take.
    pub budget: Budget,
}

impl Default for NetworkGibbs {
    fn default() -> Self {
        Self {
            chains: 4,
            warm_up: 1000,
            draws: 5000,
            scan: BlockOrder::default(),
            blocking: Blocking::default(),
            seed: 0,
            budget: Budget::available(),
        }
    }
}

impl NetworkGibbs {
    fn check(&self) -> Result<(), ParamError> {
        check::require(self.chains > 0, "NetworkGibbs", "chains", self.chains as f64, "positive")?;
        check::require(self.draws >= LEAST_DRAWS, "NetworkGibbs", "draws", self.draws as f64, "at least 12")?;
        if let Blocking::Auto { states } = self.blocking {
            check::require(states > 0, "NetworkGibbs", "blocking states", states as f64, "positive")?;
        }
        Ok(())
    }

    fn start<'a>(
        &self,
        model: &'a dyn GraphicalModel,
        targets: &[VarId],
        evidence: &'a Evidence,
    ) -> Result<Run<'a>, Error> {
        self.check()?;
        let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
        let field = part.field(model, evidence)?;
        Run::new(self, model, evidence, part, &field)
    }
}

/// All draws of all chains, of the variables that were asked for.
struct Run<'a> {
    model: &'a dyn GraphicalModel,
    evidence: &'a Evidence,
    part: Relevant,
    sites: Sites,
    reach: Vec<Reach>,
    starts: Vec<(Position, Pcg64)>,
}

impl<'a> Run<'a> {
    fn new(
        options: &NetworkGibbs,
        model: &'a dyn GraphicalModel,
        evidence: &'a Evidence,
        part: Relevant,
        field: &MarkovRandomField,
    ) -> Result<Self, Error> {
        let support = Support::new(field)?;
        let cards = field.variables().cards();
        let wanted = BlocksWanted::new(&options.blocking, model.variables(), cards.len(), |v| part.place(v))?;
        let (blocks, reach) = blocks(&support, field, &wanted);
        let sites = Sites::new(field, &blocks, ROWS);
        let start = |chain: usize| {
            let mut rng = stream(options.seed, &[chain as u64]);
            let states = support.random_state(&mut rng)?;
            Ok((sites.position(&states), rng))
        };
        // Two numbers of four bytes for each variable of each chain, at least.
        let numbers = options.chains.saturating_mul(cards.len()) as u64;
        check_budget(Cost::new(numbers, 0, 0), options.budget)?;
        let starts = (0..options.chains).map(start).collect::<Result<_, Error>>()?;
        Ok(Self { model, evidence, part, sites, reach, starts })
    }

    fn scopes(&self, scopes: &[&[VarId]]) -> Result<Vec<Scope>, Error> {
        Scope::all(self.model, &self.part, self.evidence, scopes)
    }

    /// For each chain the cell of each scope in each draw.
    fn draw(&self, options: &NetworkGibbs, scopes: &[Scope]) -> Result<Vec<Vec<u32>>, Error> {
        let numbers = options.chains.saturating_mul(options.draws).saturating_mul(scopes.len()) as u64;
        // Four bytes each, and one chain at a time as floating-point numbers.
        check_budget(Cost::new(numbers.div_ceil(2), 0, 0), options.budget)?;
        let sites = &self.sites;
        Ok(each(&self.starts, |(position, rng)| {
            let (mut position, mut rng) = (position.clone(), rng.clone());
            let mut scratch = Vec::new();
            let mut cells = Vec::with_capacity(options.draws * scopes.len());
            for sweep in 0..options.warm_up.saturating_add(options.draws) {
                sites.sweep(&mut position, options.scan, &mut scratch, &mut rng);
                if sweep >= options.warm_up {
                    let state = |v| sites.state(&position, v) as usize;
                    cells.extend(scopes.iter().map(|scope| scope.cell(state) as u32));
                }
            }
            cells
        }))
    }
}

impl Sites {
    /// One sweep.
    pub(super) fn sweep<R: Rng + ?Sized>(
        &self,
        position: &mut Position,
        scan: BlockOrder,
        scratch: &mut Vec<f64>,
        rng: &mut R,
    ) {
        for site in 0..self.len() {
            let site = match scan {
                BlockOrder::Systematic => site,
                BlockOrder::Random => rng.random_range(0..self.len()),
            };
            self.draw(position, site, scratch, rng);
        }
    }
}

/// What the draws say of the joint states of a scope.
struct Answer {
    cells: Vec<Estimate>,
}

/// The estimates of all cells of scope number `which` of `scopes`.
fn answer(chains: &[Vec<u32>], scopes: usize, which: usize, cells: usize) -> Answer {
    let of = |chain: &Vec<u32>| chain.iter().skip(which).step_by(scopes).copied().collect::<Vec<u32>>();
    let chains: Vec<Vec<u32>> = chains.iter().map(of).collect();
    let indicator = |cell: u32| -> Vec<Vec<f64>> {
        chains.iter().map(|chain| chain.iter().map(|&own| f64::from(own == cell)).collect()).collect()
    };
    let mut met = vec![false; cells];
    chains.iter().flatten().for_each(|&cell| met[cell as usize] = true);
    let own = |cell: usize| {
        if met[cell] { Estimate::new(&indicator(cell as u32)) } else { Estimate::NEVER }
    };
    let estimates = match cells {
        2 => {
            let first = own(0);
            vec![first, first.complement()]
        }
        _ => (0..cells).map(own).collect(),
    };
    Answer { cells: estimates }
}

impl Answer {
    /// The smallest effective size of a cell that was seen to change.
    fn effective_size(&self) -> Option<f64> {
        self.cells.iter().filter_map(|own| own.effective_size).reduce(f64::min)
    }

    fn rhat(&self) -> f64 {
        self.cells.iter().map(|own| own.rhat).fold(1.0, f64::max)
    }
}

impl Engine for NetworkGibbs {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check()?;
        let targets = targets.resolve(model.variables())?;
        let draws = self.chains.saturating_mul(self.draws) as u64;
        let sweeps = (self.chains as u64).saturating_mul(self.warm_up as u64).saturating_add(draws);
        let operations = sweeps.saturating_mul(model.variables().len() as u64);
        let cells = draws.saturating_mul(targets.len() as u64).div_ceil(2);
        Ok(QueryPlan { targets, cost: Cost::new(cells, 0, operations) })
    }

    fn cost(&self, plan: &QueryPlan) -> Cost {
        plan.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        let free: Vec<VarId> =
            plan.targets.iter().copied().filter(|&v| evidence.state(v).is_none()).collect();
        let run = self.start(model, &plan.targets, evidence)?;
        let scopes = run.scopes(&free.iter().map(std::slice::from_ref).collect::<Vec<_>>())?;
        let chains = run.draw(self, &scopes)?;
        let answers: Vec<Answer> =
            (0..free.len()).map(|i| answer(&chains, scopes.len(), i, scopes[i].cells)).collect();
        let all = (self.chains * self.draws) as f64;
        let smallest = answers.iter().filter_map(Answer::effective_size).fold(all, f64::min);
        let mut beliefs = BeliefsBuilder::new(model.variables());
        for (v, state) in plan.targets.iter().filter_map(|&v| Some((v, evidence.state(v)?))) {
            beliefs.set_state(v, state);
        }
        for (&v, answer) in free.iter().zip(&answers) {
            let size = answer.effective_size().unwrap_or(smallest);
            for (state, own) in answer.cells.iter().enumerate() {
                beliefs.marginal_mut(v)[state] = own.p;
                beliefs.standard_errors_mut(v)[state] =
                    standard_error(own.p, own.effective_size.unwrap_or(size));
            }
        }
        let rhat = answers.iter().map(Answer::rhat).fold(1.0, f64::max);
        let mut sampling = Sampling::independent(self.chains * self.draws);
        (sampling.chains, sampling.effective_size, sampling.rhat) = (self.chains, smallest, Some(rhat));
        let warnings = self.warnings(&run, &free, &answers);
        Ok(beliefs.finish(LnZ::Unknown, RunReport::sampled("Gibbs sampling", plan.cost, sampling, warnings)))
    }
}

impl NetworkGibbs {
    fn warnings(&self, run: &Run<'_>, targets: &[VarId], answers: &[Answer]) -> Vec<String> {
        let names = |places: &[usize]| {
            const MOST: usize = 4;
            let name = |&place: &usize| run.model.variables().name(run.part.variables()[place]).to_owned();
            let mut names: Vec<String> = places.iter().take(MOST).map(name).collect();
            if places.len() > MOST {
                names.push(format!("{} more", places.len() - MOST));
            }
            names.join(", ")
        };
        let mut warnings: Vec<String> = run
            .reach
            .iter()
            .filter_map(|reach| match reach {
                Reach::All => None,
                Reach::Classes { variables, classes } => Some(format!(
                    "the possible states of {} fall into {classes} classes that no move joins: each chain stays in \
                     the class of its start, so that the numbers are worth nothing; draw larger blocks",
                    names(variables)
                )),
                Reach::Unknown { variables } => Some(format!(
                    "zeros in the tables of {} may keep chains from some of their states, which are too many to tell",
                    names(variables)
                )),
            })
            .collect();
        let name = |i: usize| run.model.variables().name(targets[i]);
        let worst = |value: &dyn Fn(&Answer) -> f64| {
            (0..answers.len()).map(|i| (i, value(&answers[i]))).reduce(|a, b| if b.1 > a.1 { b } else { a })
        };
        if let Some((i, rhat)) = worst(&Answer::rhat).filter(|own| own.1 > WORST_RHAT) {
            warnings.push(format!("the chains disagree about {} (R-hat {rhat:.2}): draw more", name(i)));
        }
        let least = worst(&|answer| -answer.effective_size().unwrap_or(f64::INFINITY));
        let needed = LEAST_EFFECTIVE * self.chains as f64;
        if let Some((i, size)) = least.filter(|own| -own.1 < needed) {
            warnings.push(format!(
                "the draws of {} are worth only {:.0} independent ones: draw more",
                name(i),
                -size
            ));
        }
        warnings
    }

    /// The proportion of draws in each cell of tables over these variables.
    fn tables(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<Vec<Table>, Error> {
        let run = self.start(model, targets, evidence)?;
        let counted = run.scopes(scopes)?;
        let chains = run.draw(self, &counted)?;
        let mut values: Vec<Vec<f64>> = counted.iter().map(|scope| vec![0.0; scope.cells]).collect();
        for chain in &chains {
            for draw in chain.chunks_exact(counted.len().max(1)) {
                values.iter_mut().zip(draw).for_each(|(own, &cell)| own[cell as usize] += 1.0);
            }
        }
        let all = (self.chains * self.draws) as f64;
        values.iter_mut().flatten().for_each(|value| *value /= all);
        tables(model, scopes, values)
    }
}

impl JointEngine for NetworkGibbs {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        check_joint(model, variables, self.budget)?;
        let targets = [&plan.targets, variables].concat();
        Ok(self.tables(model, &targets, evidence, &[variables])?.swap_remove(0))
    }
}

impl FactorEngine for NetworkGibbs {
    /// ln Z is unknown: learning that needs it can't use this engine.
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let scopes: Vec<&[VarId]> = model.factors().iter().map(Table::scope).collect();
        Ok((self.tables(model, &plan.targets, evidence, &scopes)?, LnZ::Unknown))
    }
}
