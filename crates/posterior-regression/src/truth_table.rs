//! Truth tables: what a linear function, a joint table and naive Bayes can say.
//!
//! Two inputs and an output, each 0 or 1. Tables of the joint or of the conditional distribution reproduce
//! every function; a line through the inputs does so for *and* and *or*, and not for *xor*; naive Bayes,
//! whose log-odds are linear in the inputs, does not either. The product of the inputs as a third feature
//! repairs it.
//!
//! ```
//! use posterior_regression::truth_table::{TruthTableBayes, TruthTable};
//!
//! assert_eq!(TruthTableBayes::of(TruthTable::XOR).probabilities(), [0.5; 4]);
//! assert_eq!(TruthTable::AND.separating_line().map(|line| TruthTable::of_line(line)), Some(TruthTable::AND));
//! assert_eq!(TruthTable::XOR.separating_line(), None);
//! ```

/// The four inputs, in the order of all arrays here.
pub const INPUTS: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];

/// A function of two bits: its values at 00, 01, 10, 11.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruthTable(pub [bool; 4]);

impl TruthTable {
    /// x₁ and x₂.
    pub const AND: Self = Self([false, false, false, true]);
    /// x₁ or x₂, or both.
    pub const OR: Self = Self([false, true, true, true]);
    /// Either x₁ or x₂.
    pub const XOR: Self = Self([false, true, true, false]);

    /// All sixteen.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..16_u8).map(|bits| Self([0, 1, 2, 3].map(|place| bits >> place & 1 == 1)))
    }

    /// What the strict rule w₀ + w₁ x₁ + w₂ x₂ > 0 computes.
    pub fn of_line([bias, first, second]: [f64; 3]) -> Self {
        Self(INPUTS.map(|[x1, x2]| bias + first * x1 + second * x2 > 0.0))
    }

    /// The responses as numbers.
    pub fn responses(self) -> [f64; 4] {
        self.0.map(|value| if value { 1.0 } else { 0.0 })
    }

    /// P(x₁, x₂, y) for inputs that are equally probable: for each input that of y = 0 and of y = 1.
    pub fn joint(self) -> [[f64; 2]; 4] {
        self.0.map(|value| if value { [0.0, 0.25] } else { [0.25, 0.0] })
    }

    /// A line w₀ + w₁ x₁ + w₂ x₂ that is positive where the function is true and negative where it is false,
    /// if there is one.
    pub fn separating_line(self) -> Option<[f64; 3]> {
        perceptron(&INPUTS.map(|[x1, x2]| [1.0, x1, x2]), self)
    }

    /// Weights of 1, x₁, x₂ and x₁ x₂ that do the same: there always are such.
    pub fn separating_line_with_product(self) -> Option<[f64; 4]> {
        perceptron(&INPUTS.map(|[x1, x2]| [1.0, x1, x2, x1 * x2]), self)
    }
}

/// Passes after which the perceptron has found weights for every function of four rows that has some: it
/// makes at most (R/γ)² mistakes, R² ≤ 4 and γ² ≥ 1/37 for four features and 1/11 for three.
const PASSES: usize = 200;

/// Rosenblatt's rule: each row on the wrong side, or on the line, is added to the weights with its sign. None
/// if that does not end.
fn perceptron<const N: usize>(rows: &[[f64; N]; 4], table: TruthTable) -> Option<[f64; N]> {
    let mut weights = [0.0; N];
    for _ in 0..PASSES {
        let mut mistakes = 0;
        for (row, &value) in rows.iter().zip(&table.0) {
            let sign = if value { 1.0 } else { -1.0 };
            let side: f64 = row.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
            if sign * side <= 0.0 {
                mistakes += 1;
                for (weight, x) in weights.iter_mut().zip(row) {
                    *weight += sign * x;
                }
            }
        }
        if mistakes == 0 {
            return Some(weights);
        }
    }
    None
}

/// Naive Bayes: inputs that are independent given the output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TruthTableBayes {
    /// P(y = 1).
    pub prior: f64,
    /// P(xⱼ = 1 | y) for y = 0 and 1; NaN for an output that never occurs.
    pub inputs: [[f64; 2]; 2],
}

impl TruthTableBayes {
    /// The most likely parameters for inputs that are equally probable.
    pub fn of(table: TruthTable) -> Self {
        let joint = table.joint();
        let of_output = |y: usize| joint.iter().map(|row| row[y]).sum::<f64>();
        let of_both = |j: usize, y: usize| {
            INPUTS.iter().zip(&joint).map(|(x, row)| x[j] * row[y]).sum::<f64>() / of_output(y)
        };
        Self { prior: of_output(1), inputs: [0, 1].map(|j| [0, 1].map(|y| of_both(j, y))) }
    }

    /// P(y = 1 | x₁, x₂) at the four inputs; NaN where an input is impossible under both outputs.
    pub fn probabilities(&self) -> [f64; 4] {
        let weight = |y: usize, x: [f64; 2]| {
            let prior = if y == 1 { self.prior } else { 1.0 - self.prior };
            if prior == 0.0 {
                return 0.0;
            }
            let factor = |j: usize| if x[j] == 1.0 { self.inputs[j][y] } else { 1.0 - self.inputs[j][y] };
            prior * factor(0) * factor(1)
        };
        INPUTS.map(|x| {
            let (no, yes) = (weight(0, x), weight(1, x));
            yes / (no + yes)
        })
    }
}
