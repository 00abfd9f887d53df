//! The distribution of paths: draws and entropy, from messages forward.

use posterior_dist::choose;
use posterior_math::elementwise;
use posterior_math::log_space::softmax_in_place;
use rand::{Rng, RngExt};

use super::forward_backward::{Arithmetic, FilteredChain};

impl FilteredChain<'_> {
    /// A path drawn from its distribution: forward filtering, backward sampling. None if no path is possible.
    ///
    /// K exponentials for each position.
    ///
    /// ```
    /// use posterior_math::linalg::DMatrix;
    /// use posterior_sequence::chain::{LinearChain, Edges, ForwardBackward, Transitions};
    /// use rand_pcg::Pcg64;
    ///
    /// let transitions = Transitions::from_ln(&DMatrix::from_element(2, 2, 0.0))?;
    /// let never = f64::NEG_INFINITY;
    /// let nodes = [0.0, never, never, 0.0, 0.0, never];
    /// let chain = LinearChain::new(&[0.0, 0.0], Edges::Same(&transitions), &nodes)?;
    /// let path = ForwardBackward::new().filter(&chain).sample(&mut Pcg64::new(1, 1));
    /// assert_eq!(path, Some(vec![0, 1, 0]));
    /// # Ok::<(), posterior_sequence::Error>(())
    /// ```
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Vec<usize>> {
        if self.score.impossible.is_some() {
            return None;
        }
        let length = self.chain.length();
        let mut path = vec![0; length];
        let mut proportions = vec![0.0; self.chain.states()];
        for t in (0..length).rev() {
            if t + 1 == length {
                proportions.copy_from_slice(self.at(t));
            } else {
                self.ways_to(t, path[t + 1], &mut proportions);
            }
            path[t] = choose(&proportions, rng.random()).unwrap_or_default();
        }
        Some(path)
    }

    /// The entropy of the distribution of paths, -Σ p ln p; 0 if no path is possible.
    ///
    /// A sum of entropies of steps backwards, none of which is negative, so that no digits cancel. K²
    /// exponentials and logarithms for each position.
    pub fn entropy(&self) -> f64 {
        let (states, length) = (self.chain.states(), self.chain.length());
        if self.score.impossible.is_some() || length == 0 {
            return 0.0;
        }
        let surprise = |p: f64, before: f64| if p > 0.0 { p * (before - p.ln()) } else { 0.0 };
        let mut so_far = vec![0.0; states];
        let mut next = vec![0.0; states];
        let mut proportions = vec![0.0; states];
        for t in 0..length - 1 {
            for (j, entropy) in next.iter_mut().enumerate() {
                *entropy = 0.0;
                if self.is_possible(t + 1, j) {
                    self.ways_to(t, j, &mut proportions);
                    *entropy = proportions.iter().zip(&so_far).map(|(&p, &before)| surprise(p, before)).sum();
                }
            }
            std::mem::swap(&mut so_far, &mut next);
        }
        self.at(length - 1).iter().zip(&so_far).map(|(&p, &before)| surprise(p, before)).sum()
    }

    /// Whether state j can be come to, also with a probability that underflows.
    fn is_possible(&self, t: usize, j: usize) -> bool {
        match self.arithmetic {
            Arithmetic::Scaled => self.at(t)[j] > 0.0,
            Arithmetic::Logarithms => self.work.logs.forward[t * self.chain.states() + j] > f64::NEG_INFINITY,
        }
    }

    /// p(z_t = · | z_{t+1} = j, scores up to t), where j can be come to.
    fn ways_to(&self, t: usize, j: usize, proportions: &mut [f64]) {
        let states = self.chain.states();
        if self.arithmetic == Arithmetic::Logarithms {
            let ln = &self.work.logs.forward[t * states..][..states];
            for (i, (proportion, ln)) in proportions.iter_mut().zip(ln).enumerate() {
                *proportion = ln + self.chain.edge_row(t, i)[j];
            }
            softmax_in_place(proportions);
            return;
        }
        let before = self.at(t);
        let mut largest = f64::NEG_INFINITY;
        for (i, (proportion, &p)) in proportions.iter_mut().zip(before).enumerate() {
            *proportion = self.chain.edge_row(t, i)[j];
            if p > 0.0 && *proportion > largest {
                largest = *proportion;
            }
        }
        for (proportion, &p) in proportions.iter_mut().zip(before) {
            *proportion = if p > 0.0 { *proportion - largest } else { f64::NEG_INFINITY };
        }
        elementwise::exp(proportions);
        let mut total = 0.0;
        for (proportion, &p) in proportions.iter_mut().zip(before) {
            *proportion *= p;
            total += *proportion;
        }
        for proportion in proportions {
            *proportion /= total;
        }
    }
}
