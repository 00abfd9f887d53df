//! Bytes of the fuzzer as numbers and shapes.

use arbitrary::Unstructured;

/// Numbers that algorithms trip over.
const NOTABLE: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    10.0,
    1e-3,
    1e3,
    1e8,
    -1e8,
    1e16,
    1e-16,
    1e150,
    1e-150,
    1e300,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Reads numbers, sizes and choices until the bytes end; after that everything is zero.
#[derive(Debug)]
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    /// From the bytes of a run.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or_default()
    }

    /// A size between two bounds.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        low + usize::from(self.byte()) % (high - low + 1)
    }

    /// One of some values.
    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.byte()) % values.len()]
    }

    /// Any word.
    pub fn word(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or_default()
    }

    /// A number: plain as often as of any bits.
    pub fn number(&mut self) -> f64 {
        match self.byte() {
            first @ 0..24 => NOTABLE[usize::from(first)],
            24..128 => f64::from(i16::from_le_bytes([self.byte(), self.byte()])) / 256.0,
            128..224 => f64::from(self.byte()) / 64.0,
            _ => f64::from_bits(self.word()),
        }
    }

    /// So many numbers.
    pub fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.number()).collect()
    }

    /// A number that is finite.
    pub fn finite(&mut self) -> f64 {
        let number = self.number();
        if number.is_finite() { number } else { 0.0 }
    }

    /// Positive numbers that add up to one, or what the bytes say.
    pub fn proportions(&mut self, count: usize) -> Vec<f64> {
        let numbers = self.numbers(count);
        if self.byte() < 32 {
            return numbers;
        }
        let weights: Vec<f64> =
            numbers.iter().map(|x| if x.is_finite() { x.abs().min(1e6) } else { 0.0 }).collect();
        let total: f64 = weights.iter().sum();
        if total > 0.0 {
            weights.iter().map(|weight| weight / total).collect()
        } else {
            vec![1.0 / count as f64; count]
        }
    }

    /// The bytes that are left, as text.
    pub fn text(self) -> String {
        String::from_utf8_lossy(self.0.take_rest()).into_owned()
    }
}
