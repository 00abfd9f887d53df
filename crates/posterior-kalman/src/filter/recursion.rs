//! One step of the recursion of covariances, in one of the two forms.

use crate::{Matrices, TransitionEquation};
use crate::{ObservationEquation, StateSpace};

/// How the distribution of the state is stored and updated: by a root of its covariance, or by the
/// covariance.
///
/// The first matrix is n x n. All matrices are stored column by column.
pub(crate) trait Recursion {
    /// The covariances or the roots of the noise of the states.
    fn transition_noise(equation: &TransitionEquation) -> &Matrices;

    /// The same of the observations.
    fn observation_noise(equation: &ObservationEquation) -> &Matrices;

    /// The distribution before the first observation.
    fn initial(model: &StateSpace) -> Result<Vec<f64>, crate::Error>;

    /// A P Aᵀ + Q.
    fn predict(
        n: usize,
        transition: &[f64],
        noise: &[f64],
        distribution: &mut [f64],
        scratch: &mut Scratch<'_>,
    );

    /// The distribution after an observation. Leaves the lower root S of the covariance of the innovation v,
    /// and the gain G by which S⁻¹ v is added to the mean. Whether S is regular.
    fn update(
        sizes: (usize, usize),
        equation: (&[f64], &[f64]),
        distribution: &mut [f64],
        found: (&mut [f64], &mut [f64]),
        scratch: &mut Scratch<'_>,
    ) -> bool;

    /// The noise of some of the components, from that of all.
    fn select(m: usize, noise: &[f64], which: &[usize], scratch: &mut Scratch<'_>, out: &mut [f64]);

    /// The square of the largest change between two distributions, each state in units of its standard
    /// deviation.
    fn change(n: usize, before: &[f64], after: &[f64]) -> f64;
}

/// Room for the numbers of one step.
#[derive(Debug)]
pub(crate) struct Scratch<'a> {
    /// n x n.
    pub(crate) square: &'a mut [f64],
    /// n x n.
    pub(crate) other: &'a mut [f64],
    /// m x n.
    pub(crate) wide: &'a mut [f64],
    /// n x m.
    pub(crate) tall: &'a mut [f64],
    /// n.
    pub(crate) states: &'a mut [f64],
    /// m.
    pub(crate) components: &'a mut [f64],
    /// n.
    pub(crate) sizes: &'a mut [f64],
}

/// Memory for a [`Scratch`].
#[derive(Debug, Clone)]
pub(crate) struct ScratchMemory {
    entries: Vec<f64>,
    n: usize,
    m: usize,
}

impl ScratchMemory {
    /// For n states and m components.
    pub(crate) fn new(n: usize, m: usize) -> Self {
        // A selection of components needs m x m, where a step needs m x n.
        let wide = m * n.max(m);
        Self { entries: vec![0.0; 2 * n * n + 2 * wide + 2 * n + m], n, m }
    }

    /// Its parts.
    pub(crate) fn parts(&mut self) -> Scratch<'_> {
        let (n, m) = (self.n, self.m);
        let (square, rest) = self.entries.split_at_mut(n * n);
        let (other, rest) = rest.split_at_mut(n * n);
        let (wide, rest) = rest.split_at_mut(m * n.max(m));
        let (tall, rest) = rest.split_at_mut(m * n.max(m));
        let (states, rest) = rest.split_at_mut(n);
        let (components, sizes) = rest.split_at_mut(m);
        Scratch { square, other, wide, tall, states, components, sizes }
    }
}
