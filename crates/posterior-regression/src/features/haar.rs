//! Haar's wavelets on an interval.

use posterior_math::check::{self, ParamError};

/// 2^(j/2) ψ(2^j t - k) for j below `levels`, with t from 0 to 1 over the interval.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Haar {
    levels: usize,
    low: f64,
    high: f64,
}

impl Haar {
    pub(super) fn new(levels: usize, low: f64, high: f64) -> Result<Self, ParamError> {
        let few = (1..=16).contains(&levels);
        check::require(few, "Basis::haar", "levels", levels as f64, "from 1 to 16")?;
        let (low, high) = interval("Basis::haar", low, high)?;
        Ok(Self { levels, low, high })
    }

    pub(super) const fn width(&self) -> usize {
        (1 << self.levels) - 1
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        (0..self.levels)
            .flat_map(|level| (0..1_usize << level).map(move |place| format!("haar{level}.{place}({input})")))
            .collect()
    }

    /// Each x is in the support of one wavelet of each level. The columns hold zeros before.
    pub(super) fn fill(&self, x: &[f64], columns: &mut [f64]) {
        let rows = x.len();
        for (row, &x) in x.iter().enumerate() {
            let t = (x - self.low) / (self.high - self.low);
            if !(0.0..=1.0).contains(&t) {
                continue;
            }
            for level in 0..self.levels {
                let count = 1_usize << level;
                let scaled = t * count as f64;
                let place = (scaled as usize).min(count - 1);
                let half = if scaled - (place as f64) < 0.5 { 1.0 } else { -1.0 };
                columns[(count - 1 + place) * rows + row] = half * (count as f64).sqrt();
            }
        }
    }
}

/// Two ends in this order, at a finite distance.
pub(super) fn interval(name: &'static str, low: f64, high: f64) -> Result<(f64, f64), ParamError> {
    let low = check::finite(name, "low", low)?;
    let wide = high > low && (high - low).is_finite();
    let high = check::require(wide, name, "high", high, "above the low end, and at a finite distance")?;
    Ok((low, high))
}

#[cfg(feature = "serde")]
impl Haar {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        Self::new(self.levels, self.low, self.high)
    }
}
