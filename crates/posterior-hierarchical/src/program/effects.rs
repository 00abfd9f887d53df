//! Effects: groups by their places, correlated coefficients by a Cholesky factor, fields by a basis.

use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::sparse::SparseMatrix;

use super::sections::{DataValue, Sections};
use crate::Error;
use crate::effect::{LatentEffect, PlacedEffect};
use crate::hyperparameter::Hyperparameter;
use crate::written::WrittenEffect;

/// The most values of a field that is written by a basis.
const MOST: usize = 2000;

/// Writes an effect whose names end so.
pub(super) fn write(
    own: &mut Sections,
    placed: &PlacedEffect,
    parameters: &[Hyperparameter],
    name: &str,
) -> Result<(), Error> {
    let effect = placed.effect.as_ref();
    if !placed.copies.is_empty() {
        return Err(Error::unwritten("a copy of the effect", effect.name()));
    }
    match effect.written() {
        WrittenEffect::Unwritten => Err(Error::unwritten("the effect", effect.name())),
        WrittenEffect::Correlated(width) => correlated(own, placed, parameters, width, name),
        WrittenEffect::Scaled => {
            own.parameter(format!("real<lower=0> sd_{name};"), &parameters[0].name);
            own.prior(&format!("sd_{name}"), &parameters[0])?;
            match (is_independent(effect)?, one_each(&placed.rows)) {
                (true, Some(seen)) => groups(own, placed, &seen, name),
                _ => field(own, placed, name)?,
            }
            own.statement(format!("z_{name} ~ std_normal();"), "");
            Ok(())
        }
    }
}

/// Whether values are independent with the variance 1 at a standard deviation of 1.
fn is_independent(effect: &dyn LatentEffect) -> Result<bool, Error> {
    let values = effect.precision(&[1.0])?.values;
    let pattern = effect.pattern();
    Ok(effect.constraints().is_empty()
        && pattern.iter().zip(&values).all(|((i, j), value)| *value == f64::from(u8::from(i == j))))
}

/// The value that each row sees and the factor, if it sees one at most.
fn one_each(rows: &SparseMatrix) -> Option<Vec<(usize, f64)>> {
    let mut seen: Vec<Option<(usize, f64)>> = vec![None; rows.rows()];
    for (row, place, value) in rows.triplets() {
        if seen[row].replace((place, value)).is_some() {
            return None;
        }
    }
    Some(seen.into_iter().map(|own| own.unwrap_or((0, 0.0))).collect())
}

/// Names of groups that a comment shows.
const SHOWN: usize = 10;

fn named(labels: &[String]) -> String {
    let more = if labels.len() > SHOWN { ", ..." } else { "" };
    labels.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ") + more
}

fn places(own: &mut Sections, count: usize, labels: &str, seen: impl Iterator<Item = usize>, name: &str) {
    own.data(format!("int<lower=1> J_{name};"), labels, &format!("J_{name}"), DataValue::Count(count));
    own.data(
        format!("array[N] int<lower=1, upper=J_{name}> group_{name};"),
        "the group of each row",
        &format!("group_{name}"),
        DataValue::Places(seen.map(|place| place + 1).collect()),
    );
}

fn groups(own: &mut Sections, placed: &PlacedEffect, seen: &[(usize, f64)], name: &str) {
    let labels = named(&placed.labels);
    places(own, placed.labels.len(), &labels, seen.iter().map(|own| own.0), name);
    own.parameter(format!("vector[J_{name}] z_{name};"), "effects over their standard deviation");
    own.transformed(format!("vector[J_{name}] u_{name} = sd_{name} * z_{name};"), placed.effect.name());
    if seen.iter().all(|(_, factor)| *factor == 1.0) {
        own.predictor(&format!("u_{name}[group_{name}]"));
    } else {
        let factors = seen.iter().map(|own| own.1).collect();
        let what = "what the effect is multiplied by";
        own.data(format!("vector[N] x_{name};"), what, &format!("x_{name}"), DataValue::Numbers(factors));
        own.predictor(&format!("u_{name}[group_{name}] .* x_{name}"));
    }
}

/// A field u = σ B z with independent z: B Bᵀ is its covariance at σ = 1, on the subspace of its constraints.
fn field(own: &mut Sections, placed: &PlacedEffect, name: &str) -> Result<(), Error> {
    let effect = placed.effect.as_ref();
    if effect.size() > MOST {
        return Err(Error::unwritten("more than 2000 values: the effect", effect.name()));
    }
    let basis = placed.rows.to_dense() * basis(effect)?;
    let columns: Vec<Vec<f64>> = basis.column_iter().map(|column| column.iter().copied().collect()).collect();
    let (count, matrix) = (format!("R_{name}"), format!("B_{name}"));
    own.data(
        format!("int<lower=1> {count};"),
        "independent parts of the effect",
        &count,
        DataValue::Count(columns.len()),
    );
    own.data(
        format!("matrix[N, {count}] {matrix};"),
        "what each row sees of them",
        &matrix,
        DataValue::Columns(columns),
    );
    own.parameter(format!("vector[{count}] z_{name};"), "parts over the standard deviation");
    own.transformed(format!("vector[N] f_{name} = {matrix} * (sd_{name} * z_{name});"), effect.name());
    own.predictor(&format!("f_{name}"));
    Ok(())
}

fn basis(effect: &dyn LatentEffect) -> Result<DMatrix<f64>, Error> {
    let n = effect.size();
    let mut precision = DMatrix::zeros(n, n);
    for ((i, j), value) in effect.pattern().into_iter().zip(effect.precision(&[1.0])?.values) {
        (precision[(i, j)], precision[(j, i)]) = (value, value);
    }
    let rows = effect.constraints();
    let mut constraints = DMatrix::zeros(rows.len(), n);
    for (k, row) in rows.iter().enumerate() {
        for (place, value) in row {
            constraints[(k, *place)] = *value;
        }
    }
    let free = null_space(&constraints);
    let inner = free.transpose() * precision * &free;
    let lower = Cholesky::decompose(inner)?.into_factor();
    // (Zᵀ Q Z)⁻¹ = L⁻ᵀ L⁻¹.
    let inverse = lower
        .lower_triangle()
        .transpose()
        .solve_upper_triangular(&DMatrix::identity(free.ncols(), free.ncols()));
    let inverse = inverse.ok_or(posterior_math::linalg::MatrixError::Singular)?;
    Ok(free * inverse)
}

/// An orthonormal basis of the vectors on which independent rows are zero.
fn null_space(rows: &DMatrix<f64>) -> DMatrix<f64> {
    let n = rows.ncols();
    let mut known: Vec<Vec<f64>> = vec![];
    let fixed = rows.nrows();
    let units = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect());
    for mut vector in rows.row_iter().map(|row| row.iter().copied().collect::<Vec<f64>>()).chain(units) {
        let size = norm(&vector);
        // Twice is enough.
        for _ in 0..2 {
            for other in &known {
                let along: f64 = vector.iter().zip(other).map(|(a, b)| a * b).sum();
                vector.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
            }
        }
        let left = norm(&vector);
        if left > 1e-8 * size && known.len() < n {
            for own in &mut vector {
                *own /= left;
            }
            known.push(vector);
        }
    }
    DMatrix::from_fn(n, known.len() - fixed, |i, j| known[fixed + j][i])
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|own| own * own).sum::<f64>().sqrt()
}

/// Several coefficients for each group: u = diag(σ) L z, with the factor L of their correlations.
fn correlated(
    own: &mut Sections,
    placed: &PlacedEffect,
    parameters: &[Hyperparameter],
    width: usize,
    name: &str,
) -> Result<(), Error> {
    let groups = placed.effect.size() / width;
    let mut seen = vec![(0, vec![0.0; width]); placed.rows.rows()];
    for (row, place, value) in placed.rows.triplets() {
        if seen[row].0 != place / width && seen[row].1.iter().any(|own| *own != 0.0) {
            return Err(Error::unwritten("several groups in a row: the effect", placed.effect.name()));
        }
        seen[row].0 = place / width;
        seen[row].1[place % width] = value;
    }
    let (deviations, correlations) = parameters.split_at(width);
    let labels: Vec<String> = placed.labels.iter().step_by(width).cloned().collect();
    places(own, groups, &named(&labels), seen.iter().map(|own| own.0), name);
    let columns = (0..width).map(|j| seen.iter().map(|own| own.1[j]).collect()).collect();
    let matrix = format!("X_{name}");
    let what = deviations.iter().map(|own| own.name.as_str()).collect::<Vec<_>>().join(", ");
    own.data(
        format!("matrix[N, {width}] {matrix};"),
        "columns of the coefficients",
        &matrix,
        DataValue::Columns(columns),
    );
    own.parameter(format!("vector<lower=0>[{width}] sd_{name};"), &what);
    own.parameter(format!("cholesky_factor_corr[{width}] L_{name};"), "factor of the correlations");
    own.parameter(
        format!("matrix[{width}, J_{name}] z_{name};"),
        "effects over their deviations, without correlation",
    );
    own.transformed(
        format!("matrix[J_{name}, {width}] u_{name} = (diag_pre_multiply(sd_{name}, L_{name}) * z_{name})';"),
        placed.effect.name(),
    );
    own.predictor(&format!("rows_dot_product(u_{name}[group_{name}], {matrix})"));
    for (place, deviation) in deviations.iter().enumerate() {
        own.prior(&format!("sd_{name}[{}]", place + 1), deviation)?;
    }
    let shapes = (1..width).flat_map(|i| (0..i).map(move |j| (width - 2 - j) as f64 * 0.5));
    let shapes: Vec<Option<f64>> =
        shapes.zip(correlations).map(|(more, own)| own.prior.symmetric_beta().map(|b| b - more)).collect();
    match (shapes.as_slice(), correlations) {
        ([Some(shape), others @ ..], _)
            if others.iter().flatten().filter(|own| (*own - shape).abs() < 1e-12).count() == others.len() =>
        {
            own.statement(format!("L_{name} ~ lkj_corr_cholesky({shape});"), "the correlations");
        }
        (_, [one]) => own.prior(&format!("L_{name}[2, 1]"), one)?,
        (_, all) => {
            let other = all.iter().find(|own| own.prior.symmetric_beta().is_none()).unwrap_or(&all[0]);
            return Err(Error::unwritten(&format!("the prior {} of", other.prior), &other.name));
        }
    }
    own.statement(format!("to_vector(z_{name}) ~ std_normal();"), "");
    Ok(())
}
