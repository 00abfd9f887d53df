//! Filters for observations that come one at a time: all numbers in arrays, no memory from the heap.
//!
//! ```
//! use posterior_kalman::online::{Motion, Sensor, Tracker};
//!
//! // A level that wanders, seen through noise.
//! let motion = Motion::new([[1.0]], [[1.0]])?;
//! let sensor = Sensor::new([[1.0]], [[0.25]])?;
//! let mut level = Tracker::new([0.0], [[1.0]])?;
//! let ln_likelihood = level.update(&sensor, [Some(0.5)])?;
//! assert!((level.mean()[0] - 0.4).abs() < 1e-15);
//! level.predict(&motion)?;
//! level.update(&sensor, [None])?;
//! assert!((level.covariance()[0][0] - 1.2).abs() < 1e-15);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```

use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::{DMatrix, MatrixError};
use posterior_math::special::HALF_LN_TAU;

use crate::Error;
use crate::equation::lower_root;
use crate::filter::{Recursion, Scratch, SquareRoot};

/// x := A x + b + noise with covariance Q. Matrices are given as their rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion<const N: usize> {
    /// Columns, as all that is stored.
    matrix: [[f64; N]; N],
    offset: [f64; N],
    root: [[f64; N]; N],
}

/// y = H x + d + noise with covariance R. Matrices are given as their rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensor<const N: usize, const M: usize> {
    matrix: [[f64; M]; N],
    offset: [f64; M],
    root: [[f64; M]; M],
}

/// The distribution of N states that move, updated by whichever sensors report, in square-root form.
///
/// The recursions are those of [`filter`](crate::filter()).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tracker<const N: usize> {
    mean: [f64; N],
    root: [[f64; N]; N],
    time: usize,
}

impl<const N: usize> Motion<N> {
    /// A and Q, with b = 0.
    ///
    /// # Errors
    /// If a number is not finite, or Q is not symmetric and positive semidefinite.
    pub fn new(matrix: [[f64; N]; N], noise: [[f64; N]; N]) -> Result<Self, Error> {
        finite(matrix.as_flattened())?;
        Ok(Self { matrix: transposed(matrix), offset: [0.0; N], root: root(noise)? })
    }

    /// The same with b.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn with_offset(self, offset: [f64; N]) -> Result<Self, Error> {
        finite(&offset)?;
        Ok(Self { offset, ..self })
    }
}

impl<const N: usize, const M: usize> Sensor<N, M> {
    /// H and R, with d = 0.
    ///
    /// # Errors
    /// If a number is not finite, or R is not symmetric and positive semidefinite.
    pub fn new(matrix: [[f64; N]; M], noise: [[f64; M]; M]) -> Result<Self, Error> {
        finite(matrix.as_flattened())?;
        Ok(Self { matrix: transposed(matrix), offset: [0.0; M], root: root(noise)? })
    }

    /// The same with d.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn with_offset(self, offset: [f64; M]) -> Result<Self, Error> {
        finite(&offset)?;
        Ok(Self { offset, ..self })
    }
}

impl<const N: usize> Tracker<N> {
    /// Starts with this mean and covariance, which may be singular.
    ///
    /// # Errors
    /// If a number is not finite, or the covariance is not symmetric and positive semidefinite.
    pub fn new(mean: [f64; N], covariance: [[f64; N]; N]) -> Result<Self, Error> {
        finite(&mean)?;
        Ok(Self { mean, root: root(covariance)?, time: 0 })
    }

    /// The mean of the state.
    pub const fn mean(&self) -> &[f64; N] {
        &self.mean
    }

    /// The covariance of the state.
    pub fn covariance(&self) -> [[f64; N]; N] {
        let mut covariance = [[0.0; N]; N];
        for column in &self.root {
            for (row, left) in covariance.iter_mut().zip(column) {
                for (entry, right) in row.iter_mut().zip(column) {
                    *entry += left * right;
                }
            }
        }
        covariance
    }

    /// How often it has moved.
    pub const fn time(&self) -> usize {
        self.time
    }

    /// Moves on.
    ///
    /// # Errors
    /// If the distribution grows beyond the range of f64; it is then left as it was.
    pub fn predict(&mut self, motion: &Motion<N>) -> Result<(), Error> {
        let mut next = Self { mean: motion.offset, time: self.time + 1, ..*self };
        let (mut square, mut states) = ([[0.0; N]; N], [0.0; N]);
        let mut scratch = Scratch {
            square: square.as_flattened_mut(),
            other: &mut [],
            wide: &mut [],
            tall: &mut [],
            states: &mut states,
            components: &mut [],
            sizes: &mut [],
        };
        let (matrix, noise) = (motion.matrix.as_flattened(), motion.root.as_flattened());
        SquareRoot::predict(N, matrix, noise, next.root.as_flattened_mut(), &mut scratch);
        for (column, factor) in motion.matrix.iter().zip(&self.mean) {
            for (entry, coefficient) in next.mean.iter_mut().zip(column) {
                *entry += coefficient * factor;
            }
        }
        self.accept(next)
    }

    /// Takes an observation, of which components may be missing. Returns its ln p given all before; zero if
    /// all is missing.
    ///
    /// # Errors
    /// A number that is not finite, or of which the distribution has no doubt (as [`Error::Singular`]); the
    /// distribution is then left as it was.
    pub fn update<const M: usize>(
        &mut self,
        sensor: &Sensor<N, M>,
        observation: [Option<f64>; M],
    ) -> Result<f64, Error> {
        let (mut which, mut observed) = ([0; M], 0);
        let mut innovation = [0.0; M];
        for (component, value) in observation.iter().enumerate() {
            let Some(value) = *value else { continue };
            if !value.is_finite() {
                return Err(Error::Observation { time: self.time, component, value });
            }
            innovation[observed] = value - sensor.offset[component];
            for (column, mean) in sensor.matrix.iter().zip(&self.mean) {
                innovation[observed] -= column[component] * mean;
            }
            which[observed] = component;
            observed += 1;
        }
        if observed == M {
            return self.absorb::<M>(
                M,
                (sensor.matrix.as_flattened(), sensor.root.as_flattened()),
                &mut innovation,
            );
        }
        if observed == 0 {
            return Ok(0.0);
        }
        let (mut matrix, mut noise) = ([[0.0; M]; N], [[0.0; M]; M]);
        let (matrix, noise) = (matrix.as_flattened_mut(), noise.as_flattened_mut());
        for (place, entry) in matrix[..N * observed].iter_mut().enumerate() {
            *entry = sensor.matrix[place / observed][which[place % observed]];
        }
        let (mut wide, mut components) = ([[0.0; M]; M], [0.0; M]);
        let mut scratch = Scratch {
            square: &mut [],
            other: &mut [],
            wide: wide.as_flattened_mut(),
            tall: &mut [],
            states: &mut [],
            components: &mut components,
            sizes: &mut [],
        };
        let some = &mut noise[..observed * observed];
        SquareRoot::select(M, sensor.root.as_flattened(), &which[..observed], &mut scratch, some);
        self.absorb::<M>(observed, (&matrix[..N * observed], some), &mut innovation)
    }

    /// Takes `m` components at most M.
    fn absorb<const M: usize>(
        &mut self,
        m: usize,
        equation: (&[f64], &[f64]),
        innovation: &mut [f64; M],
    ) -> Result<f64, Error> {
        let mut next = *self;
        let (mut wide, mut gain, mut root) = ([[0.0; M]; N], [[0.0; N]; M], [[0.0; M]; M]);
        let (mut states, mut components, mut sizes) = ([0.0; N], [0.0; M], [0.0; N]);
        let mut scratch = Scratch {
            square: &mut [],
            other: &mut [],
            wide: &mut wide.as_flattened_mut()[..m * N],
            tall: &mut [],
            states: &mut states,
            components: &mut components,
            sizes: &mut sizes,
        };
        let (root, gain) = (&mut root.as_flattened_mut()[..m * m], &mut gain.as_flattened_mut()[..m * N]);
        let distribution = next.root.as_flattened_mut();
        if !SquareRoot::update((N, m), equation, distribution, (&mut *root, &mut *gain), &mut scratch) {
            return Err(Error::Singular { time: self.time });
        }
        let mut ln_likelihood = 0.0;
        for i in 0..m {
            for j in 0..i {
                innovation[i] -= root[j * m + i] * innovation[j];
            }
            let scale = root[i * m + i];
            innovation[i] /= scale;
            ln_likelihood -= 0.5 * innovation[i] * innovation[i] + scale.ln() + HALF_LN_TAU;
            for (entry, gain) in next.mean.iter_mut().zip(&gain[i * N..]) {
                *entry += gain * innovation[i];
            }
        }
        if !ln_likelihood.is_finite() {
            return Err(Error::Overflow { time: self.time });
        }
        self.accept(next)?;
        Ok(ln_likelihood)
    }

    /// Takes the place of a distribution, if that is finite.
    fn accept(&mut self, next: Self) -> Result<(), Error> {
        let size: f64 = next.mean.iter().chain(next.root.as_flattened()).sum();
        if !size.is_finite() {
            return Err(Error::Overflow { time: next.time });
        }
        *self = next;
        Ok(())
    }
}

fn finite(entries: &[f64]) -> Result<(), Error> {
    if entries.iter().all(|entry| entry.is_finite()) { Ok(()) } else { Err(MatrixError::NotFinite.into()) }
}

fn transposed<const R: usize, const C: usize>(rows: [[f64; C]; R]) -> [[f64; R]; C] {
    let mut columns = [[0.0; R]; C];
    for (i, row) in rows.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            columns[j][i] = entry;
        }
    }
    columns
}

/// The lower root of a covariance, as columns.
fn root<const N: usize>(covariance: [[f64; N]; N]) -> Result<[[f64; N]; N], Error> {
    let covariance = DMatrix::from_row_slice(N, N, covariance.as_flattened());
    let lower = lower_root(&MomentGaussian::new(&[0.0; N], &covariance)?)?;
    let mut root = [[0.0; N]; N];
    root.as_flattened_mut().copy_from_slice(lower.as_slice());
    Ok(root)
}
