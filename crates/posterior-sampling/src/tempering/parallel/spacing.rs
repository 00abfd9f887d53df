//! Inverse temperatures at which all neighbours exchange at the same rate.

use super::Spacing;

/// No exchange is taken for surer than this.
const SUREST: f64 = 1.0 - 1e-3;

/// What the warm-up of a ladder has learned: about its kernels, and how often neighbours exchange.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LadderProgress<P> {
    kernels: Vec<P>,
    /// Of each pair the sum of its rates, and how often it tried, since the betas moved.
    rates: Vec<(f64, f64)>,
    spacing: Spacing,
    warm_up: usize,
    steps: usize,
    next: usize,
}

impl<P> LadderProgress<P> {
    pub(super) fn new(kernels: Vec<P>, spacing: Spacing, warm_up: usize) -> Self {
        const FIRST: usize = 25;
        let rates = vec![(0.0, 0.0); kernels.len() - 1];
        Self { kernels, rates, spacing, warm_up, steps: 0, next: FIRST }
    }

    pub(super) fn kernel_mut(&mut self, k: usize) -> &mut P {
        &mut self.kernels[k]
    }

    pub(super) fn count(&mut self, exchange_rates: &[f64]) {
        self.steps += 1;
        for ((sum, tried), rate) in self.rates.iter_mut().zip(exchange_rates) {
            if !rate.is_nan() {
                *sum += rate;
                *tried += 1.0;
            }
        }
    }

    pub(super) const fn is_done(&self) -> bool {
        self.steps == self.warm_up
    }

    /// The mean rates since the betas moved.
    pub(super) fn exchange_rates(&self) -> Vec<f64> {
        self.rates.iter().map(|(sum, tried)| sum / tried).collect()
    }

    /// Other betas, if it is time for them: after 25 steps, after 50 more, and so on, to the middle of the
    /// warm-up.
    pub(super) fn moved(&mut self, betas: &[f64]) -> Option<Vec<f64>> {
        let due = self.steps == self.next && 2 * self.steps <= self.warm_up;
        if self.spacing == Spacing::Given || !due {
            return None;
        }
        self.next = 2 * self.next + 25;
        let rates = self.exchange_rates();
        self.rates.fill((0.0, 0.0));
        Some(equal_rates(betas, &rates))
    }
}

/// Betas between the same ends that part the sum of refusals into equal proportions (Syed et al. 2022,
/// section 5): in each interval refusals are spread evenly over ln β, or over β where it reaches 0.
fn equal_rates(betas: &[f64], rates: &[f64]) -> Vec<f64> {
    let refusals: Vec<f64> = rates.iter().map(|rate| 1.0 - rate.clamp(0.0, SUREST)).collect();
    let total: f64 = refusals.iter().sum();
    let pairs = refusals.len();
    if !total.is_finite() {
        return betas.to_vec();
    }
    let (mut k, mut before) = (0, 0.0);
    let mut moved = betas.to_vec();
    for (j, beta) in moved.iter_mut().enumerate().take(pairs).skip(1) {
        let wanted = total * j as f64 / pairs as f64;
        while k + 1 < pairs && before + refusals[k] < wanted {
            before += refusals[k];
            k += 1;
        }
        let proportion = ((wanted - before) / refusals[k]).clamp(0.0, 1.0);
        let (high, low) = (betas[k], betas[k + 1]);
        *beta =
            if low > 0.0 { high * (low / high).powf(proportion) } else { high + proportion * (low - high) };
    }
    let falls = moved.windows(2).all(|pair| pair[1] < pair[0]);
    if falls { moved } else { betas.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::equal_rates;

    #[test]
    fn refusals_are_parted_into_equal_proportions() {
        // Refusals 0.6 and 0.2, on ln β from 0 to -2 to -4: half of them are at 2/3 of the first interval.
        let betas = [0.0_f64, -2.0, -4.0].map(f64::exp);
        let moved = equal_rates(&betas, &[0.4, 0.8]);
        assert_eq!((moved[0], moved[2]), (betas[0], betas[2]));
        assert!((moved[1].ln() + 4.0 / 3.0).abs() < 1e-12, "{moved:?}");
        // Down to 0, on β: refusals 0.2 and 0.6, half of them at 1/3 of the second interval.
        let moved = equal_rates(&[1.0, 0.6, 0.0], &[0.8, 0.4]);
        assert!((moved[1] - 0.4).abs() < 1e-12, "{moved:?}");
        // Equal ones stay, and so do those about which nothing is known.
        let betas = [1.0, 0.5, 0.25, 0.125];
        let stay = equal_rates(&betas, &[0.3; 3]);
        assert!(stay.iter().zip(betas).all(|(a, b)| (a - b).abs() < 1e-15), "{stay:?}");
        assert_eq!(equal_rates(&betas, &[0.3, f64::NAN, 0.3]), betas);
    }
}
