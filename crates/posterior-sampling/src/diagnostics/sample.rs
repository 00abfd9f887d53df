//! The draws of one quantity, checked once.

use super::Undefined;

/// The bits of a number that say its power of two.
const EXPONENT: u64 = 0x7ff << 52;

/// Finite draws, the chains one after another, each as long as the others.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    values: Vec<f64>,
    len: usize,
}

/// Draws with the first at 0 and the largest distance from it in [1, 2), in units of a power of two:
/// `x = origin + scale * standard`.
pub(super) struct Standard {
    pub(super) sample: Sample,
    pub(super) origin: f64,
    pub(super) scale: f64,
}

impl Sample {
    /// Draws of chains of one length, `needed` at least.
    pub(super) fn new<C: AsRef<[f64]>>(chains: &[C], needed: usize) -> Result<Self, Undefined> {
        let Some(first) = chains.first() else {
            return Err(Undefined::FewChains { needed: 1, found: 0 });
        };
        let len = first.as_ref().len();
        let mut values = Vec::with_capacity(len * chains.len());
        for (chain, draws) in chains.iter().map(AsRef::as_ref).enumerate() {
            if draws.len() != len {
                return Err(Undefined::Unequal { chain, expected: len, found: draws.len() });
            }
            if let Some(draw) = draws.iter().position(|x| !x.is_finite()) {
                return Err(Undefined::NotFinite { chain, draw, value: draws[draw] });
            }
            values.extend_from_slice(draws);
        }
        if len < needed {
            return Err(Undefined::TooFew { needed, found: len });
        }
        Ok(Self { values, len })
    }

    pub(super) fn chains(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.len)
    }

    /// All draws, the chains one after another.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Draws of each chain.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Both halves of each chain as chains; a middle draw is dropped.
    pub(super) fn halves(&self) -> Self {
        let half = self.len / 2;
        let values = self.chains().flat_map(|chain| [&chain[..half], &chain[self.len - half..]]);
        Self { values: values.flatten().copied().collect(), len: half }
    }

    /// The same chains of other values.
    pub(super) fn with_values(&self, values: Vec<f64>) -> Self {
        debug_assert_eq!(values.len(), self.values.len(), "a value for each draw");
        Self { values, len: self.len }
    }

    pub(super) fn map(&self, function: impl FnMut(f64) -> f64) -> Self {
        self.with_values(self.values.iter().copied().map(function).collect())
    }

    pub(super) fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    }

    /// Why a figure of these draws has no value, where something made of them turned out constant.
    pub(super) fn reason(&self, why: Undefined) -> Undefined {
        match (why, self.standard()) {
            (Undefined::Constant { .. }, Err(constant)) => constant,
            (Undefined::Constant { .. }, Ok(_)) => Undefined::Alike,
            (other, _) => other,
        }
    }

    /// The same draws in units in which no sum of squares overflows or vanishes.
    ///
    /// # Errors
    /// All draws are the same.
    pub(super) fn standard(&self) -> Result<Standard, Undefined> {
        let origin = self.values[0];
        let largest = self.values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // The difference of two draws may be twice as large as the largest number.
        let unit = if largest > f64::MAX / 4.0 { 0.25 } else { 1.0 };
        let distance = |x: f64| x * unit - origin * unit;
        let scale = self.values.iter().fold(0.0_f64, |scale, &x| scale.max(distance(x).abs()));
        if scale == 0.0 {
            return Err(Undefined::Constant { value: origin });
        }
        let scale = f64::from_bits(scale.to_bits() & EXPONENT).max(f64::MIN_POSITIVE);
        Ok(Standard { sample: self.map(|x| distance(x) / scale), origin, scale: scale / unit })
    }
}

/// The mean of draws that [`Sample::standard`] made small.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Σ (x - mean)² / (n - 1); 0 for draws that are all the same.
pub(super) fn variance(values: &[f64]) -> f64 {
    let origin = values[0];
    let shift = values.iter().map(|x| x - origin).sum::<f64>() / values.len() as f64;
    values.iter().map(|x| (x - origin - shift).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}
