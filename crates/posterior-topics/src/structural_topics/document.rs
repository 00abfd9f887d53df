//! The log-ratios of a document given its words: their mode, and the Gaussian around it.

use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::log_space::softmax_in_place;

/// Newton steps at most, halvings of one, and the gain in nats below which they end.
const MOST_STEPS: usize = 200;
const HALVINGS: i32 = 40;
const TOLERANCE: f64 = 1e-10;

/// Words of a document, with the Gaussian that its log-ratios have beforehand.
#[derive(Debug)]
pub(super) struct DocumentWords<'a> {
    /// The count of each word, and its probabilities by topic.
    pub(super) words: Vec<(f64, &'a [f64])>,
    pub(super) mean: &'a [f64],
    pub(super) precision: &'a DMatrix<f64>,
}

/// The highest point of ln p(words, log-ratios), up to a constant, and minus its Hessian there.
#[derive(Debug)]
pub(super) struct Mode {
    pub(super) point: DVector<f64>,
    pub(super) height: f64,
    pub(super) curvature: Cholesky,
}

/// The proportions of log-ratios to the last topic.
pub(super) fn proportions(eta: &[f64]) -> Vec<f64> {
    let mut theta = eta.to_vec();
    theta.push(0.0);
    softmax_in_place(&mut theta);
    theta
}

/// What each topic is expected to have of a word, all of it 1; the probability of the word.
pub(super) fn responsibilities(theta: &[f64], phi: &[f64], shares: &mut [f64]) -> f64 {
    let mut p = 0.0;
    for ((share, theta), phi) in shares.iter_mut().zip(theta).zip(phi) {
        *share = theta * phi;
        p += *share;
    }
    for share in shares {
        *share /= p;
    }
    p
}

impl<'a> DocumentWords<'a> {
    /// Words that no topic has are passed over.
    pub(super) fn new(
        words: impl Iterator<Item = (f64, &'a [f64])>,
        mean: &'a [f64],
        precision: &'a DMatrix<f64>,
    ) -> Self {
        let words = words.filter(|(_, phi)| phi.iter().any(|&p| p > 0.0)).collect();
        Self { words, mean, precision }
    }

    /// The mode that is reached uphill from `start`, by Newton's method.
    ///
    /// The logarithm is not concave. Where its curvature is not that of a maximum, a step goes by the
    /// curvature of what EM over the topics of tokens would climb.
    ///
    /// Cost of a step: distinct words x topics² + topics³.
    pub(super) fn mode(&self, start: &[f64]) -> Mode {
        let mut point = DVector::from_column_slice(start);
        let mut height = self.height(point.as_slice());
        let mut steps = 0;
        loop {
            let (slopes, curvature) = self.slopes(point.as_slice());
            let step = curvature.solve_vector(&slopes);
            steps += 1;
            if slopes.dot(&step) <= TOLERANCE || steps > MOST_STEPS {
                return Mode { point, height, curvature };
            }
            let candidates = (0..HALVINGS).map(|halvings| &point + &step * 0.5_f64.powi(halvings));
            let mut next = candidates.map(|x| (self.height(x.as_slice()), x));
            let Some((higher, moved)) = next.find(|(next, _)| *next >= height) else {
                return Mode { point, height, curvature };
            };
            (height, point) = (higher, moved);
        }
    }

    fn height(&self, eta: &[f64]) -> f64 {
        let theta = proportions(eta);
        let ln = |(count, phi): &(f64, &[f64])| {
            let p: f64 = theta.iter().zip(*phi).map(|(theta, phi)| theta * phi).sum();
            count * p.max(f64::MIN_POSITIVE).ln()
        };
        let away = self.away(eta);
        self.words.iter().map(ln).sum::<f64>() - 0.5 * away.dot(&(self.precision * &away))
    }

    fn away(&self, eta: &[f64]) -> DVector<f64> {
        DVector::from_iterator(eta.len(), eta.iter().zip(self.mean).map(|(x, mean)| x - mean))
    }

    /// The gradient, and minus the Hessian.
    fn slopes(&self, eta: &[f64]) -> (DVector<f64>, Cholesky) {
        let (theta, size) = (proportions(eta), eta.len());
        let mut shares = vec![0.0; theta.len()];
        // What topics have of the words, and the spread of it that is hidden.
        let (mut tokens, mut expected) = (0.0, vec![0.0; theta.len()]);
        let mut products = DMatrix::zeros(size, size);
        for (count, phi) in &self.words {
            responsibilities(&theta, phi, &mut shares);
            tokens += count;
            expected.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += count * share);
            for (j, &share) in shares[..size].iter().enumerate() {
                let scaled = count * share;
                let column = &mut products.as_mut_slice()[j * size..][j..size];
                column.iter_mut().zip(&shares[j..]).for_each(|(entry, share)| *entry += scaled * share);
            }
        }
        let mut slopes = -(self.precision * self.away(eta));
        slopes.iter_mut().enumerate().for_each(|(k, own)| *own += expected[k] - tokens * theta[k]);
        let curvature = |of_words: bool| {
            let mut curvature = self.precision.clone();
            for j in 0..size {
                for i in j..size {
                    let hidden = if of_words { products[(i, j)] } else { 0.0 };
                    curvature[(i, j)] += hidden - tokens * theta[i] * theta[j];
                }
                let hidden = if of_words { expected[j] } else { 0.0 };
                curvature[(j, j)] += tokens * theta[j] - hidden;
            }
            curvature.fill_upper_triangle_with_lower_triangle();
            Cholesky::decompose(curvature)
        };
        // The second is that of a concave function; rounding may spoil it where tokens are many beyond
        // reason.
        let found = curvature(true).or_else(|_| curvature(false)).or_else(|_| Cholesky::new(self.precision));
        (slopes, found.expect("invariant: the Gaussian has a precision"))
    }
}

#[cfg(test)]
mod tests;
