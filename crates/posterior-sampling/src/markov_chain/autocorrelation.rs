//! What dependent draws are worth, exactly.

use posterior_math::check;

use super::TransitionMatrix;
use crate::Error;

impl TransitionMatrix {
    /// lim n Var(mean of f over n steps): the variance of the central limit theorem, σ² = Σ π f̄ (2 g - f̄)
    /// with f̄ = f - π f and g - T g = f̄.
    ///
    /// A period does not matter: the mean of an alternating chain has less variance than that of independent
    /// draws. O(n³).
    ///
    /// # Errors
    /// f of another length or not finite; a reducible chain.
    pub fn asymptotic_variance(&self, f: &[f64]) -> Result<f64, Error> {
        self.check_function(f)?;
        self.check_irreducible()?;
        let distribution = self.stationary()?;
        let centred = centred(&distribution, f);
        // Poisson's equation with g = 0 at the most probable state, which is an exit for the others.
        let anchor = (0..distribution.len())
            .fold(0, |best, i| if distribution[i] > distribution[best] { i } else { best });
        let others: Vec<usize> = (0..distribution.len()).filter(|&state| state != anchor).collect();
        let exits = others.iter().map(|&state| self.probability(state, anchor)).collect();
        let solved = self.solve(&others, exits, others.iter().map(|&state| centred[state]).collect())?;
        let mut g = vec![0.0; distribution.len()];
        for (&state, value) in others.iter().zip(solved) {
            g[state] = value;
        }
        let terms = distribution.iter().zip(&centred).zip(&g).map(|((p, f), g)| p * f * (2.0 * g - f));
        Ok(terms.sum::<f64>().max(0.0))
    }

    /// 1 + 2 Σ ρₜ, the asymptotic variance over the variance: n draws of the chain are worth n over this of
    /// independent ones. O(n³).
    ///
    /// # Errors
    /// As [`asymptotic_variance`](Self::asymptotic_variance); an f that is constant.
    pub fn integrated_autocorrelation_time(&self, f: &[f64]) -> Result<f64, Error> {
        let asymptotic = self.asymptotic_variance(f)?;
        Ok(asymptotic / self.variance(f)?)
    }

    /// The correlation of f now and `lag` steps later, for lags from 0 to `lags`. O(n² lags).
    ///
    /// # Errors
    /// f of another length, not finite, or constant; a chain with more than one stationary distribution.
    pub fn autocorrelation(&self, f: &[f64], lags: usize) -> Result<Vec<f64>, Error> {
        self.check_function(f)?;
        let variance = self.variance(f)?;
        let distribution = self.stationary()?;
        let centred = centred(&distribution, f);
        let mut later = centred.clone();
        let mut correlations = Vec::with_capacity(lags.saturating_add(1).min(1 << 20));
        correlations.push(1.0);
        for _ in 0..lags {
            later = self.expectation(&later)?;
            let covariance: f64 =
                distribution.iter().zip(&centred).zip(&later).map(|((p, a), b)| p * a * b).sum();
            correlations.push(covariance / variance);
        }
        Ok(correlations)
    }

    fn variance(&self, f: &[f64]) -> Result<f64, Error> {
        let distribution = self.stationary()?;
        let variance = distribution.iter().zip(centred(&distribution, f)).map(|(p, f)| p * f * f).sum();
        Ok(check::positive("function of a state", "stationary variance", variance)?)
    }
}

fn centred(distribution: &[f64], f: &[f64]) -> Vec<f64> {
    let mean: f64 = distribution.iter().zip(f).map(|(p, f)| p * f).sum();
    f.iter().map(|f| f - mean).collect()
}
