//! The factor of a precision on the subspace of constraints.

use std::collections::BTreeMap;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, gram_of_columns, gram_of_rows};
use posterior_math::sparse::SparseCholesky;

use crate::Error;
use crate::assembly::Assembly;
use crate::rows::Combination;

/// Constraints C x = 0, with a coordinate of each that is held while the matrix is factored.
#[derive(Debug, Clone)]
pub(crate) struct Constraints {
    rows: Vec<Combination>,
    pins: Vec<usize>,
    /// ln |C Cᵀ|.
    ln_gram: f64,
}

impl Constraints {
    pub(crate) fn new(rows: Vec<Combination>, size: usize) -> Result<Self, Error> {
        let pins = pins(&rows);
        let mut gram = DMatrix::zeros(rows.len(), rows.len());
        let mut dense = vec![0.0; size];
        for (k, row) in rows.iter().enumerate() {
            for &(column, value) in row {
                dense[column] = value;
            }
            for (l, other) in rows.iter().enumerate() {
                gram[(k, l)] = dot(other, &dense);
            }
            for &(column, _) in row {
                dense[column] = 0.0;
            }
        }
        let ln_gram = if rows.is_empty() { 0.0 } else { Cholesky::decompose(gram)?.ln_determinant() };
        Ok(Self { rows, pins, ln_gram })
    }

    pub(crate) const fn count(&self) -> usize {
        self.rows.len()
    }

    /// The rows of C.
    pub(crate) fn rows(&self) -> &[Combination] {
        &self.rows
    }

    /// A coordinate for each row.
    pub(crate) fn pins(&self) -> &[usize] {
        &self.pins
    }

    /// C.
    fn dense(&self, size: usize) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.rows.len(), size);
        for (k, row) in self.rows.iter().enumerate() {
            for &(column, value) in row {
                dense[(k, column)] = value;
            }
        }
        dense
    }

    /// C x.
    fn times(&self, x: &[f64]) -> DVector<f64> {
        DVector::from_iterator(self.rows.len(), self.rows.iter().map(|row| dot(row, x)))
    }
}

/// A coordinate for each row, so that the columns of C at these have an inverse: by elimination, with the
/// largest entry that is left of each row.
fn pins(rows: &[Combination]) -> Vec<usize> {
    let mut left: Vec<(usize, BTreeMap<usize, f64>)> = Vec::with_capacity(rows.len());
    for row in rows {
        let mut own: BTreeMap<usize, f64> = row.iter().copied().collect();
        for (pin, other) in &left {
            let Some(&at_pin) = own.get(pin) else { continue };
            for (place, value) in other {
                *own.entry(*place).or_default() -= at_pin / other[pin] * value;
            }
            own.remove(pin);
        }
        if let Some((&pin, _)) = own.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
            left.push((pin, own));
        }
    }
    left.into_iter().map(|(pin, _)| pin).collect()
}

fn dot(row: &[(usize, f64)], x: &[f64]) -> f64 {
    row.iter().map(|&(column, value)| value * x[column]).sum()
}

/// H on the subspace C x = 0, where it is positive definite; beside it H may be singular.
///
/// With one coordinate of each constraint held by a spring κ, H̃ = H + E κ Eᵀ has a factor. Constraints take
/// V G⁻¹ Vᵀ from its inverse, V = H̃⁻¹ Cᵀ and G = C V; without the springs it gains F K⁻¹ Fᵀ, F the columns E
/// of what is left and K = κ⁻¹ - Eᵀ F. Both are exact, whatever κ is.
///
/// Where rows have negative curvatures, H may be positive definite on the subspace, and H̃ not. Then few
/// latent values are taken as a dense matrix.
#[derive(Debug)]
pub(crate) struct Factor {
    form: Form,
    pub(crate) ln_determinant: f64,
}

#[derive(Debug)]
enum Form {
    Free(SparseCholesky),
    Constrained(SparseCholesky, Box<Constrained>),
    /// R with Σ = R Rᵀ, a column for each dimension of the subspace.
    Dense(DMatrix<f64>),
}

/// The largest dense matrix.
const DENSE: usize = 1000;

#[derive(Debug)]
struct Constrained {
    constraints: Constraints,
    v: DMatrix<f64>,
    g: Cholesky,
    f: DMatrix<f64>,
    k: Cholesky,
}

impl Factor {
    pub(crate) fn new(assembly: &Assembly, constraints: &Constraints, values: &[f64]) -> Result<Self, Error> {
        if constraints.count() == 0 {
            let cholesky = SparseCholesky::with_symbolic(&assembly.symbolic, &assembly.matrix(values)?)?;
            let ln_determinant = cholesky.ln_determinant();
            return Ok(Self { form: Form::Free(cholesky), ln_determinant });
        }
        match Self::constrained(assembly, constraints, values.to_vec()) {
            Err(Error::Matrix(MatrixError::NotPositiveDefinite { .. }))
                if assembly.diagonal.len() <= DENSE =>
            {
                Self::dense(&assembly.matrix(values)?.to_dense(), constraints)
            }
            other => other,
        }
    }

    /// By one coordinate of each constraint, which follows from the others: x = B f.
    fn dense(matrix: &DMatrix<f64>, constraints: &Constraints) -> Result<Self, Error> {
        let (size, pins) = (matrix.nrows(), &constraints.pins);
        let rows = constraints.dense(size);
        let free: Vec<usize> = (0..size).filter(|place| !pins.contains(place)).collect();
        let inverse = rows.select_columns(pins).try_inverse().ok_or(MatrixError::Singular)?;
        let held = -inverse * rows.select_columns(&free);
        let mut basis = DMatrix::zeros(size, free.len());
        for (k, &place) in free.iter().enumerate() {
            basis[(place, k)] = 1.0;
            for (l, &pin) in pins.iter().enumerate() {
                basis[(pin, k)] = held[(l, k)];
            }
        }
        let factor = Cholesky::decompose(basis.tr_mul(&(matrix * &basis)))?;
        let volume = Cholesky::decompose(basis.tr_mul(&basis))?.ln_determinant();
        let ln_determinant = factor.ln_determinant() - volume;
        let root = factor.half_solve(&basis.transpose()).transpose();
        Ok(Self { form: Form::Dense(root), ln_determinant })
    }

    fn constrained(
        assembly: &Assembly,
        constraints: &Constraints,
        mut values: Vec<f64>,
    ) -> Result<Self, Error> {
        let place = |pin: usize| assembly.diagonal[pin] as usize;
        let springs: Vec<f64> =
            constraints.pins.iter().map(|&pin| values[place(pin)].max(f64::MIN_POSITIVE)).collect();
        for (&pin, spring) in constraints.pins.iter().zip(&springs) {
            values[place(pin)] += spring;
        }
        let cholesky = SparseCholesky::with_symbolic(&assembly.symbolic, &assembly.matrix(&values)?)?;
        let (size, count) = (cholesky.size(), constraints.count());
        let v = cholesky.solve(&constraints.dense(size).transpose());
        let g = Cholesky::decompose(DMatrix::from_fn(count, count, |k, l| {
            constraints.rows[k].iter().map(|&(column, value)| value * v[(column, l)]).sum()
        }))?;
        let mut f = DMatrix::zeros(size, constraints.pins.len());
        for (k, &pin) in constraints.pins.iter().enumerate() {
            f[(pin, k)] = 1.0;
        }
        f = cholesky.solve(&f);
        let across = g.solve(&DMatrix::from_fn(count, f.ncols(), |k, l| v[(constraints.pins[l], k)]));
        f -= &v * across;
        let k = Cholesky::decompose(DMatrix::from_fn(f.ncols(), f.ncols(), |k, l| {
            let held = if k == l { springs[k].recip() } else { 0.0 };
            held - f[(constraints.pins[k], l)]
        }))?;
        let ln_springs: f64 = springs.iter().map(|spring| spring.ln()).sum();
        let ln_determinant = cholesky.ln_determinant() + g.ln_determinant() - constraints.ln_gram
            + ln_springs
            + k.ln_determinant();
        let constrained = Box::new(Constrained { constraints: constraints.clone(), v, g, f, k });
        Ok(Self { form: Form::Constrained(cholesky, constrained), ln_determinant })
    }

    /// Σ b, for the covariance Σ on the subspace.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        let own = match &self.form {
            Form::Free(cholesky) => {
                cholesky.solve_slice_in_place(&mut x);
                return x;
            }
            Form::Dense(root) => {
                return (root * root.tr_mul(&DVector::from_vec(x))).as_slice().to_vec();
            }
            Form::Constrained(cholesky, own) => {
                cholesky.solve_slice_in_place(&mut x);
                own
            }
        };
        own.project(&mut x);
        let along = own.f.tr_mul(&DVector::from_column_slice(b));
        let change = &own.f * own.k.solve_vector(&along);
        x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x += change);
        // What rounding leaves of C x.
        own.project(&mut x);
        x
    }

    /// Σ B for the covariance Σ on the subspace.
    pub(crate) fn solve_matrix(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let (cholesky, own) = match &self.form {
            Form::Free(cholesky) => return cholesky.solve(b),
            Form::Dense(root) => return root * root.tr_mul(b),
            Form::Constrained(cholesky, own) => (cholesky, own),
        };
        let mut x = cholesky.solve(b);
        own.project_columns(&mut x);
        x += &own.f * own.k.solve(&own.f.tr_mul(b));
        own.project_columns(&mut x);
        x
    }

    /// Noise of as many numbers as [`noise`](Self::noise) says, to a draw with mean zero and covariance Σ.
    pub(crate) fn draw(&self, noise: &[f64]) -> Vec<f64> {
        let (cholesky, own) = match &self.form {
            Form::Free(cholesky) => {
                let mut x = noise.to_vec();
                cholesky.half_solve_transpose_slice_in_place(&mut x);
                return x;
            }
            Form::Dense(root) => return (root * DVector::from_column_slice(noise)).as_slice().to_vec(),
            Form::Constrained(cholesky, own) => (cholesky, own),
        };
        let (own_noise, rest) = noise.split_at(cholesky.size());
        let mut x = own_noise.to_vec();
        cholesky.half_solve_transpose_slice_in_place(&mut x);
        own.project(&mut x);
        let mut rest = DVector::from_column_slice(rest);
        own.k.half_solve_transpose_slice_in_place(rest.as_mut_slice());
        let change = &own.f * rest;
        x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x += change);
        own.project(&mut x);
        x
    }

    /// How many numbers of noise make a draw.
    pub(crate) fn noise(&self) -> usize {
        match &self.form {
            Form::Free(cholesky) => cholesky.size(),
            Form::Constrained(cholesky, own) => cholesky.size() + own.f.ncols(),
            Form::Dense(root) => root.ncols(),
        }
    }

    /// Σ for these latent values, which are all different.
    pub(crate) fn covariances_among(&self, latent: &[usize]) -> DMatrix<f64> {
        let (cholesky, own) = match &self.form {
            Form::Free(cholesky) => (cholesky, None),
            Form::Constrained(cholesky, own) => (cholesky, Some(own)),
            Form::Dense(root) => {
                return gram_of_rows(&root.select_rows(latent));
            }
        };
        let mut units = DMatrix::zeros(cholesky.size(), latent.len());
        for (k, &place) in latent.iter().enumerate() {
            units[(place, k)] = 1.0;
        }
        let half = cholesky.half_solve(&units);
        let mut covariances = gram_of_columns(&half);
        if let Some(own) = own {
            let taken = own.g.half_solve(&own.v.select_rows(latent).transpose());
            let given = own.k.half_solve(&own.f.select_rows(latent).transpose());
            covariances += gram_of_columns(&given) - gram_of_columns(&taken);
        }
        covariances
    }

    /// Σ where the assembly has entries.
    pub(crate) fn covariances(&self, assembly: &Assembly) -> Vec<f64> {
        let (cholesky, own) = match &self.form {
            Form::Free(cholesky) => return cholesky.selected_inverse().stored_entries(),
            Form::Dense(root) => {
                let across = root.transpose();
                let product =
                    |&(i, j): &(u32, u32)| across.column(i as usize).dot(&across.column(j as usize));
                return assembly.entries.iter().map(product).collect();
            }
            Form::Constrained(cholesky, own) => (cholesky, own),
        };
        let mut values = cholesky.selected_inverse().stored_entries();
        let taken = own.g.half_solve(&own.v.transpose());
        let given = own.k.half_solve(&own.f.transpose());
        for (value, &(i, j)) in values.iter_mut().zip(&assembly.entries) {
            let (i, j) = (i as usize, j as usize);
            *value += given.column(i).dot(&given.column(j)) - taken.column(i).dot(&taken.column(j));
        }
        values
    }
}

impl Constrained {
    /// The same of each column.
    fn project_columns(&self, x: &mut DMatrix<f64>) {
        let mut off = DMatrix::zeros(self.constraints.count(), x.ncols());
        for (k, row) in self.constraints.rows.iter().enumerate() {
            for (column, own) in x.column_iter().enumerate() {
                off[(k, column)] = row.iter().map(|&(place, value)| value * own[place]).sum();
            }
        }
        *x -= &self.v * self.g.solve(&off);
    }

    /// Moves x to C x = 0 along V.
    fn project(&self, x: &mut [f64]) {
        let off = self.g.solve_vector(&self.constraints.times(x));
        let change = &self.v * off;
        x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x -= change);
    }
}
