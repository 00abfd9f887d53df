//! The k best joint states, one after the other.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use posterior_pgm::{Evidence, GraphicalModel, VarId};

use crate::best_state::{Maxima, observed};
use crate::elimination::check;
use crate::sliced::ln_score;
use crate::{Error, Explanation, Need, VariableElimination, relevant};

/// A table of the bucket tree and one of its cells: the best ways to complete it are asked for one by one.
type Vertex = (usize, usize);

/// A way to reach a value: a state of the variable that a step eliminates, and which of the ways of each
/// table below it.
#[derive(Debug, Clone, PartialEq)]
struct Way {
    value: f64,
    state: usize,
    ranks: Vec<usize>,
}

impl Eq for Way {}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The better one is greater; of equals, the one with the lesser state and ranks.
impl Ord for Way {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |way: &Self| (way.state, way.ranks.clone());
        self.value.total_cmp(&other.value).then_with(|| key(other).cmp(&key(self)))
    }
}

/// The ways of one vertex that were found, best first, and the candidates for the next.
#[derive(Debug, Default)]
struct Ways {
    found: Vec<Way>,
    candidates: BinaryHeap<Way>,
    seen: BTreeSet<(usize, Vec<usize>)>,
    /// How many of `found` have put their successors among the candidates.
    expanded: usize,
}

impl Ways {
    fn offer(&mut self, way: Way) {
        if way.value > f64::NEG_INFINITY && self.seen.insert((way.state, way.ranks.clone())) {
            self.candidates.push(way);
        }
    }
}

/// A vertex is complete up to the way with this rank, or has no more.
type Request = (Vertex, usize);

impl VariableElimination {
    /// The `k` most probable joint states that agree with the evidence, best first; fewer if fewer are
    /// possible.
    ///
    /// One max-sum elimination, then O(variables × log) for each state: completions of each cell of the
    /// bucket tree are worked out when they are asked for (Huang and Chiang 2005, algorithm 3).
    ///
    /// # Errors
    /// Evidence that does not fit, [`Error::ImpossibleEvidence`], [`Error::TooLarge`].
    pub fn k_best(
        &self,
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        k: usize,
    ) -> Result<Vec<Explanation>, Error> {
        let part = relevant(model, &[], evidence, Need::BestState)?;
        let program = self.order.program(&part, &[])?;
        check(program.cost_of_keeping(), self.budget)?;
        let maxima = Maxima::new(&program, &part.tables(model, evidence)?)?;
        if maxima.best() == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        let mut search = Search::new(&maxima, model.variables().cards());
        let root = search.root();
        let mut best: Vec<Explanation> = Vec::new();
        while best.len() < k && search.ensure(root, best.len()) {
            let mut states = observed(model, evidence);
            search.write(best.len(), &mut states);
            let ln_value = ln_score(model, evidence, &states);
            best.push(Explanation::new(states, ln_value, true));
        }
        // Sums in another order: equals can differ in the last digit.
        best.sort_by(|a, b| b.ln_value.total_cmp(&a.ln_value));
        Ok(best)
    }
}

struct Search<'a> {
    maxima: &'a Maxima<'a>,
    cards: &'a [usize],
    /// The steps whose results each step reads; at the end those that are left for the root.
    below: Vec<Vec<usize>>,
    ways: BTreeMap<Vertex, Ways>,
}

impl<'a> Search<'a> {
    fn new(maxima: &'a Maxima<'a>, cards: &'a [usize]) -> Self {
        let program = maxima.program;
        let results = |tables: &[usize]| -> Vec<usize> {
            tables.iter().filter_map(|t| t.checked_sub(program.inputs())).collect()
        };
        let mut below: Vec<Vec<usize>> = program.steps().iter().map(|step| results(&step.tables)).collect();
        below.push(results(program.rest()));
        Self { maxima, cards, below, ways: BTreeMap::new() }
    }

    /// What is left when all variables are gone.
    fn root(&self) -> Vertex {
        (self.below.len() - 1, 0)
    }

    /// Makes the way with this rank known, if there is one. No recursion: trees can be deep.
    fn ensure(&mut self, vertex: Vertex, rank: usize) -> bool {
        let mut requests: Vec<Request> = vec![(vertex, rank)];
        while let Some(&(vertex, rank)) = requests.last() {
            self.begin(vertex);
            if self.ways[&vertex].found.len() > rank || !self.advance(vertex, &mut requests) {
                requests.pop();
            }
        }
        self.ways[&vertex].found.len() > rank
    }

    /// One way more of this vertex, or requests for what must be known before. False if there is no more.
    fn advance(&mut self, vertex: Vertex, requests: &mut Vec<Request>) -> bool {
        let own = &self.ways[&vertex];
        if let Some(last) = own.found.get(own.expanded) {
            let last = last.clone();
            let tails = self.tails(vertex, last.state);
            let before = requests.len();
            for (&tail, &rank) in tails.iter().zip(&last.ranks) {
                if !self.is_settled(tail, rank + 1) {
                    requests.push((tail, rank + 1));
                }
            }
            if requests.len() > before {
                return true;
            }
            self.expand(vertex, &last, &tails);
        }
        let own = self.ways.entry(vertex).or_default();
        match own.candidates.pop() {
            Some(next) => {
                own.found.push(next);
                true
            }
            None => false,
        }
    }

    /// Whether the way with this rank is known, or known not to exist.
    fn is_settled(&self, vertex: Vertex, rank: usize) -> bool {
        self.ways.get(&vertex).is_some_and(|own| {
            own.found.len() > rank || (own.candidates.is_empty() && own.expanded == own.found.len())
        })
    }

    /// Offers the successors of a way: one of the tables below takes its next way.
    fn expand(&mut self, vertex: Vertex, last: &Way, tails: &[Vertex]) {
        let mut next = Vec::new();
        for (place, tail) in tails.iter().enumerate() {
            let rank = last.ranks[place];
            let found = &self.ways[tail].found;
            if let Some(way) = found.get(rank + 1) {
                let mut ranks = last.ranks.clone();
                ranks[place] += 1;
                let value = last.value - found[rank].value + way.value;
                next.push(Way { value, state: last.state, ranks });
            }
        }
        let own = self.ways.entry(vertex).or_default();
        own.expanded += 1;
        for way in next {
            own.offer(way);
        }
    }

    /// The first candidates of a vertex: for each state, the best ways of all tables below.
    fn begin(&mut self, vertex: Vertex) {
        if self.ways.contains_key(&vertex) {
            return;
        }
        let mut own = Ways::default();
        let ranks = vec![0; self.below[vertex.0].len()];
        match self.maxima.program.steps().get(vertex.0) {
            None => own.offer(Way { value: self.maxima.best(), state: 0, ranks }),
            Some(step) => {
                let mut states = self.states(vertex);
                for state in 0..self.cards[step.variable.index()] {
                    states[step.variable.index()] = state;
                    let value = step.tables.iter().map(|&t| self.maxima.at(t, &states)).sum();
                    own.offer(Way { value, state, ranks: ranks.clone() });
                }
            }
        }
        self.ways.insert(vertex, own);
    }

    /// The states of the variables of a vertex; 0 of all others.
    fn states(&self, (step, mut cell): Vertex) -> Vec<usize> {
        let mut states = vec![0; self.cards.len()];
        if let Some(step) = self.maxima.program.steps().get(step) {
            for v in step.scope.iter().rev() {
                states[v.index()] = cell % self.cards[v.index()];
                cell /= self.cards[v.index()];
            }
        }
        states
    }

    /// The vertices below, if the variable of this vertex is in this state.
    fn tails(&self, vertex: Vertex, state: usize) -> Vec<Vertex> {
        let mut states = self.states(vertex);
        let steps = self.maxima.program.steps();
        if let Some(step) = steps.get(vertex.0) {
            states[step.variable.index()] = state;
        }
        let cell = |scope: &[VarId]| {
            scope.iter().fold(0, |cell, v| cell * self.cards[v.index()] + states[v.index()])
        };
        self.below[vertex.0].iter().map(|&tail| (tail, cell(&steps[tail].scope))).collect()
    }

    /// Writes the states of the best joint state with this rank.
    fn write(&mut self, rank: usize, states: &mut [usize]) {
        let mut waiting = vec![(self.root(), rank)];
        while let Some((vertex, rank)) = waiting.pop() {
            self.ensure(vertex, rank);
            let way = &self.ways[&vertex].found[rank];
            if let Some(step) = self.maxima.program.steps().get(vertex.0) {
                states[step.variable.index()] = way.state;
            }
            waiting.extend(self.tails(vertex, way.state).into_iter().zip(way.ranks.iter().copied()));
        }
    }
}
