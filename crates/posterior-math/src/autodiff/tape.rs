//! Reverse differentiation: what was computed is written on a tape, and read backwards.

#![expect(clippy::type_complexity, reason = "the type is written once")]

use std::cell::RefCell;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

use super::dual::Dual;
use super::elementary::Elementary;
use super::real::Real;

/// The number of operations that a tape holds unless stated otherwise: 500 MB for f64.
const DEFAULT_LIMIT: usize = 1 << 24;

/// No operation.
const NONE: u32 = u32::MAX;

/// An operation: its arguments, and its derivatives in them.
#[derive(Debug, Clone, Copy)]
struct Node<T> {
    arguments: [u32; 2],
    slopes: [T; 2],
}

/// An operation of many arguments and results, with an adjoint of its own.
#[derive(Clone)]
struct Block<T> {
    arguments: Vec<u32>,
    /// The results are the nodes from here on.
    first: usize,
    results: usize,
    adjoint: Arc<dyn Fn(&[T], &mut [T]) + Send + Sync>,
}

impl<T> fmt::Debug for Block<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Block");
        shown.field("arguments", &self.arguments).field("first", &self.first).field("results", &self.results);
        shown.finish_non_exhaustive()
    }
}

impl<T: Real> Block<T> {
    /// Adds to the adjoints of the arguments what those of the results say.
    fn pull_back(&self, adjoints: &mut [T]) {
        let mut own = vec![T::constant(0.0); self.arguments.len()];
        (self.adjoint)(&adjoints[self.first..self.first + self.results], &mut own);
        for (&argument, own) in self.arguments.iter().zip(own) {
            if argument != NONE {
                adjoints[argument as usize] += own;
            }
        }
    }
}

/// The operations of a function, in order.
///
/// An operation takes 32 bytes; a tape that is used again keeps its memory. Beyond the limit nothing is
/// written, and value and gradient are NaN.
///
/// ```
/// use posterior_math::autodiff::{Real, Tape};
///
/// let mut tape = Tape::new();
/// let mut slope = [0.0; 3];
/// for shift in [0.0, 1.0] {
///     let value = tape.gradient(|x| x.iter().map(|&x| (x + shift).exp()).sum(), &[0.0, 1.0, 2.0], &mut slope);
///     assert!((value - slope.iter().sum::<f64>()).abs() < 1e-14);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Tape<T = f64> {
    nodes: RefCell<Vec<Node<T>>>,
    blocks: RefCell<Vec<Block<T>>>,
    /// Scratch of the way back.
    adjoints: Vec<T>,
    limit: usize,
}

impl<T: Real> Tape<T> {
    /// An empty tape for up to 2²⁴ operations.
    pub const fn new() -> Self {
        Self {
            nodes: RefCell::new(Vec::new()),
            blocks: RefCell::new(Vec::new()),
            adjoints: Vec::new(),
            limit: DEFAULT_LIMIT,
        }
    }

    /// An empty tape for up to `limit` operations (at most 2³² - 1), the variables included.
    pub fn with_limit(limit: usize) -> Self {
        Self { limit: limit.min(NONE as usize), ..Self::new() }
    }

    /// The number of operations of the last function.
    pub fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// Whether nothing is on the tape.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the gradient of `f` at `x`, and returns f(x).
    ///
    /// # Panics
    /// If the lengths differ.
    #[track_caller]
    pub fn gradient(
        &mut self,
        f: impl for<'t> FnOnce(&[Var<'t, T>]) -> Var<'t, T>,
        x: &[T],
        gradient: &mut [T],
    ) -> T {
        assert_eq!(x.len(), gradient.len(), "a gradient of another length");
        self.nodes.get_mut().clear();
        self.blocks.get_mut().clear();
        let (value, output) = {
            let variables: Vec<Var<'_, T>> = x.iter().map(|&x| self.write(x, [NONE; 2], [x; 2])).collect();
            let result = f(&variables);
            (result.value, result.tape.map(|_| result.index))
        };
        let nodes = self.nodes.get_mut();
        if nodes.len() >= self.limit || output == Some(NONE) {
            gradient.fill(T::constant(f64::NAN));
            return T::constant(f64::NAN);
        }
        let adjoints = &mut self.adjoints;
        adjoints.clear();
        adjoints.resize(nodes.len(), T::constant(0.0));
        if let Some(output) = output {
            adjoints[output as usize] = T::constant(1.0);
        }
        let mut blocks = self.blocks.get_mut().drain(..).rev().peekable();
        for at in (x.len()..nodes.len()).rev() {
            if let Some(block) = blocks.next_if(|block| block.first == at) {
                block.pull_back(adjoints);
                continue;
            }
            let adjoint = adjoints[at];
            for (&argument, &slope) in nodes[at].arguments.iter().zip(&nodes[at].slopes) {
                if argument != NONE {
                    adjoints[argument as usize] += adjoint * slope;
                }
            }
        }
        gradient.copy_from_slice(&adjoints[..x.len()]);
        value
    }

    /// Writes an operation with this value.
    fn write(&self, value: T, arguments: [u32; 2], slopes: [T; 2]) -> Var<'_, T> {
        let mut nodes = self.nodes.borrow_mut();
        if nodes.len() >= self.limit {
            return Var { tape: Some(self), index: NONE, value: T::constant(f64::NAN) };
        }
        let index = nodes.len() as u32;
        nodes.push(Node { arguments, slopes });
        Var { tape: Some(self), index, value }
    }
}

impl<T: Real> Default for Tape<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A number whose origin is on a [`Tape`]; constants have none.
#[derive(Debug, Clone, Copy)]
pub struct Var<'t, T = f64> {
    tape: Option<&'t Tape<T>>,
    index: u32,
    value: T,
}

impl<T: Real> Var<'_, T> {
    /// The number as the inner kind.
    pub const fn inner(self) -> T {
        self.value
    }

    /// The numbers `values`, which an operation of yours has made of `arguments`.
    ///
    /// `adjoint` gets the derivatives of the function in the values, and writes those in the arguments, which
    /// begin with zeros. So an operation of many numbers (the solution of an equation, an integral, a product
    /// of matrices) takes a place on the tape for each of its results, and none for its steps.
    ///
    /// ```
    /// use posterior_math::autodiff::{Var, gradient};
    ///
    /// // The root of x^5 + x = a, of which nothing is known but its equation: dx/da = 1 / (5 x^4 + 1).
    /// fn root(a: Var<'_>) -> Var<'_> {
    ///     let x = (0..50).fold(1.0_f64, |x, _| x - (x.powi(5) + x - a.inner()) / (5.0 * x.powi(4) + 1.0));
    ///     let slope = 1.0 / (5.0 * x.powi(4) + 1.0);
    ///     Var::custom(&[a], &[x], move |results, arguments| arguments[0] = results[0] * slope)[0]
    /// }
    /// let mut slope = [0.0];
    /// assert_eq!(gradient(|a| root(a[0]), &[2.0], &mut slope), 1.0);
    /// assert_eq!(slope, [1.0 / 6.0]);
    /// ```
    pub fn custom(
        arguments: &[Self],
        values: &[T],
        adjoint: impl Fn(&[T], &mut [T]) + Send + Sync + 'static,
    ) -> Vec<Self> {
        let Some(tape) = arguments.iter().find_map(|argument| argument.tape) else {
            return values.iter().map(|&value| Self { tape: None, index: NONE, value }).collect();
        };
        let first = tape.len();
        let results = values.iter().map(|&value| tape.write(value, [NONE; 2], [value; 2])).collect();
        if !values.is_empty() {
            let arguments = arguments.iter().map(|argument| argument.index).collect();
            let adjoint = Arc::new(adjoint);
            tape.blocks.borrow_mut().push(Block { arguments, first, results: values.len(), adjoint });
        }
        results
    }

    /// The result of an operation on two numbers.
    fn combine(self, other: Self, value: T, slopes: [T; 2]) -> Self {
        match self.tape.or(other.tape) {
            None => Self { tape: None, index: NONE, value },
            Some(tape) => tape.write(value, [self.index, other.index], slopes),
        }
    }
}

impl<T: Real> From<f64> for Var<'_, T> {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

impl<T: Real> Real for Var<'_, T> {
    fn constant(value: f64) -> Self {
        Self { tape: None, index: NONE, value: T::constant(value) }
    }

    fn value(self) -> f64 {
        self.value.value()
    }

    fn apply(self, f: Elementary) -> Self {
        let value = self.value.apply(f);
        match self.tape {
            None => Self { value, ..self },
            Some(tape) => {
                let slope = f.slope(self.value, value);
                tape.write(value, [self.index, NONE], [slope; 2])
            }
        }
    }
}

impl<T: Real> Add for Var<'_, T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.combine(other, self.value + other.value, [T::constant(1.0); 2])
    }
}

impl<T: Real> Sub for Var<'_, T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.combine(other, self.value - other.value, [T::constant(1.0), T::constant(-1.0)])
    }
}

impl<T: Real> Mul for Var<'_, T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.combine(other, self.value * other.value, [other.value, self.value])
    }
}

impl<T: Real> Div for Var<'_, T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let ratio = self.value / other.value;
        let slope = other.value.recip();
        self.combine(other, ratio, [slope, -ratio * slope])
    }
}

impl<T: Real> Neg for Var<'_, T> {
    type Output = Self;

    fn neg(self) -> Self {
        self.combine(self, -self.value, [T::constant(-1.0), T::constant(0.0)])
    }
}

/// Writes the gradient of `f` at `x` by a fresh [`Tape`], and returns f(x).
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn gradient(f: impl for<'t> FnOnce(&[Var<'t>]) -> Var<'t>, x: &[f64], gradient: &mut [f64]) -> f64 {
    Tape::new().gradient(f, x, gradient)
}

/// Writes the product of the Hessian of `f` at `x` with `vector`, and the gradient; returns f(x).
///
/// Reverse over forward: about three times the cost of a gradient, whatever the dimension.
///
/// # Panics
/// If the lengths differ.
///
/// ```
/// use posterior_math::autodiff::{Real, hessian_vector};
///
/// let (mut slope, mut product) = ([0.0; 2], [0.0; 2]);
/// hessian_vector(|x| x[0] * x[0] * x[1], &[1.0, 3.0], &[1.0, 0.0], &mut slope, &mut product);
/// assert_eq!((slope, product), ([6.0, 1.0], [6.0, 2.0]));
/// ```
#[track_caller]
pub fn hessian_vector(
    f: impl for<'t> FnOnce(&[Var<'t, Dual<1>>]) -> Var<'t, Dual<1>>,
    x: &[f64],
    vector: &[f64],
    gradient: &mut [f64],
    product: &mut [f64],
) -> f64 {
    assert_eq!(x.len(), vector.len(), "a vector of another length");
    assert_eq!(x.len(), gradient.len(), "a gradient of another length");
    assert_eq!(x.len(), product.len(), "a product of another length");
    let point: Vec<Dual<1>> = x.iter().zip(vector).map(|(&x, &v)| Dual::new(x, [v])).collect();
    let mut slopes = point.clone();
    let value = Tape::new().gradient(f, &point, &mut slopes);
    for (i, slope) in slopes.iter().enumerate() {
        gradient[i] = slope.inner();
        product[i] = slope.derivatives()[0];
    }
    value.inner()
}
