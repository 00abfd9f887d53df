//! When, and where, does the chain arrive?

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::{Class, NotErgodic, TransitionMatrix, elimination};
use crate::Error;

/// Where a chain ends.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Absorption {
    /// The closed classes, in the order of their least states.
    pub classes: Vec<Class>,
    /// For each state the probability to end in each of them.
    pub probabilities: Vec<Vec<f64>>,
    /// For each state the mean number of steps until the chain is in one of them.
    pub times: Vec<f64>,
}

impl TransitionMatrix {
    /// For each state the probability that the chain ever visits one of these; one at them.
    ///
    /// # Errors
    /// No state, or one that is not there; underflow.
    pub fn hitting_probabilities(&self, states: &[usize]) -> Result<Vec<f64>, Error> {
        let aim = self.flags(states)?;
        let reaches = self.reaching(&aim);
        let open: Vec<usize> = (0..self.size()).filter(|&state| reaches[state] && !aim[state]).collect();
        let sum = |from: usize, to: &dyn Fn(usize) -> bool| -> f64 {
            self.successors(from).filter(|&state| to(state)).map(|state| self.probability(from, state)).sum()
        };
        let hits: Vec<f64> = open.iter().map(|&from| sum(from, &|to| aim[to])).collect();
        let exits = open.iter().zip(&hits).map(|(&from, hit)| hit + sum(from, &|to| !reaches[to])).collect();
        let solved = self.solve(&open, exits, hits)?;
        let mut probabilities: Vec<f64> = aim.iter().map(|&aim| f64::from(u8::from(aim))).collect();
        for (&state, probability) in open.iter().zip(solved) {
            probabilities[state] = probability.min(1.0);
        }
        Ok(probabilities)
    }

    /// For each state the mean number of steps until the chain first visits one of these: zero at them,
    /// infinite where it may never.
    ///
    /// # Errors
    /// No state, or one that is not there; underflow.
    pub fn hitting_times(&self, states: &[usize]) -> Result<Vec<f64>, Error> {
        let aim = self.flags(states)?;
        let reaches = self.reaching(&aim);
        let lost: Vec<bool> = reaches.iter().map(|reaches| !reaches).collect();
        // Ways into the lost states that do not pass the aim.
        let may_miss = self.reaching_around(&lost, &aim);
        let open: Vec<usize> = (0..self.size()).filter(|&state| !may_miss[state] && !aim[state]).collect();
        let exit = |&from: &usize| -> f64 {
            self.successors(from).filter(|&to| aim[to]).map(|to| self.probability(from, to)).sum()
        };
        let exits = open.iter().map(exit).collect();
        let solved = self.solve(&open, exits, vec![1.0; open.len()])?;
        let mut times: Vec<f64> = aim.iter().map(|&aim| if aim { 0.0 } else { f64::INFINITY }).collect();
        for (&state, time) in open.iter().zip(solved) {
            times[state] = time;
        }
        Ok(times)
    }

    /// The closed classes, how probable they are from each state, and how long it takes.
    ///
    /// # Errors
    /// Underflow.
    pub fn absorption(&self) -> Result<Absorption, Error> {
        let classes: Vec<Class> = self.classes().into_iter().filter(|class| class.closed).collect();
        let mut probabilities = vec![Vec::with_capacity(classes.len()); self.size()];
        for class in &classes {
            for (row, probability) in probabilities.iter_mut().zip(self.hitting_probabilities(&class.states)?)
            {
                row.push(probability);
            }
        }
        let all: Vec<usize> = classes.iter().flat_map(|class| class.states.iter().copied()).collect();
        Ok(Absorption { classes, probabilities, times: self.hitting_times(&all)? })
    }

    /// x = b + T x on these states; `exits` is the probability to go anywhere else.
    pub(super) fn solve(
        &self,
        states: &[usize],
        exits: Vec<f64>,
        b: Vec<f64>,
    ) -> Result<Vec<f64>, NotErgodic> {
        let n = states.len();
        let moves = DMatrix::from_fn(n, n, |i, j| self.probability(states[i], states[j]));
        elimination::solve(moves, exits, b).ok_or(NotErgodic::Underflow)
    }

    fn flags(&self, states: &[usize]) -> Result<Vec<bool>, Error> {
        check::require(!states.is_empty(), "hitting", "number of states", 0.0, "positive")?;
        let mut flags = vec![false; self.size()];
        for (i, &state) in states.iter().enumerate() {
            check::require(
                state < self.size(),
                "hitting",
                "state",
                state as f64,
                "below the number of states",
            )
            .map_err(|why| why.at(i))?;
            flags[state] = true;
        }
        Ok(flags)
    }

    /// The states from which a way leads to those flagged, themselves included.
    fn reaching(&self, aim: &[bool]) -> Vec<bool> {
        self.reaching_around(aim, &vec![false; self.size()])
    }

    /// The states from which a way leads to those flagged that does not pass a wall.
    fn reaching_around(&self, aim: &[bool], wall: &[bool]) -> Vec<bool> {
        let mut reaches = aim.to_vec();
        let mut queue: Vec<usize> = (0..self.size()).filter(|&state| aim[state]).collect();
        while let Some(to) = queue.pop() {
            for from in 0..self.size() {
                if !reaches[from] && !wall[from] && self.probability(from, to) > 0.0 {
                    reaches[from] = true;
                    queue.push(from);
                }
            }
        }
        reaches
    }
}
