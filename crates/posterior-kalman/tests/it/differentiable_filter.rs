//! A filter over any real numbers: slow, and differentiated by the tape.

use posterior_kalman::{Series, StateSpace};
use posterior_math::autodiff::Real;

/// Rows of numbers.
type Table<R> = Vec<Vec<R>>;

/// A, b, Q, or nothing after the last time; and H, d, R.
type Time<R> = (Vec<Table<R>>, Vec<Table<R>>);

/// The numbers of a model, time after time, in one vector: for each time A, b, Q, H, d, R (row by row), then
/// mean and covariance of the start.
pub(crate) fn numbers(model: &StateSpace, length: usize) -> Vec<f64> {
    let mut numbers = Vec::new();
    for t in 0..length {
        let (transition, observation) = (model.transition(), model.observation());
        let of_transition = [transition.matrix(), transition.offset(), transition.noise()];
        let of_observation = [observation.matrix(), observation.offset(), observation.noise()];
        if t + 1 < length {
            for matrices in of_transition {
                numbers.extend(matrices.matrix(t).transpose().iter());
            }
        }
        for matrices in of_observation {
            numbers.extend(matrices.matrix(t).transpose().iter());
        }
    }
    numbers.extend(model.initial().distribution().mean().iter());
    numbers.extend(model.initial().distribution().covariance().iter());
    numbers
}

/// ln p(y) of a model with n states given by its [`numbers`]; covariances are made symmetric first.
pub(crate) fn ln_likelihood<R: Real>(numbers: &[R], n: usize, series: &Series) -> R {
    let (m, length) = (series.width(), series.len());
    let mut rest = numbers;
    let mut take = |rows: usize, columns: usize| -> Table<R> {
        let (block, after) = rest.split_at(rows * columns);
        rest = after;
        block.chunks(columns).map(<[R]>::to_vec).collect()
    };
    let times: Vec<Time<R>> = (0..length)
        .map(|t| {
            let transition =
                if t + 1 < length { vec![take(n, n), take(n, 1), take(n, n)] } else { Vec::new() };
            (transition, vec![take(m, n), take(m, 1), take(m, m)])
        })
        .collect();
    let (mut mean, mut covariance) = (take(n, 1), symmetric(&take(n, n)));
    let mut sum = R::constant(0.0);
    for (t, (transition, observation)) in times.iter().enumerate() {
        let there: Vec<usize> = (0..m).filter(|&i| !series.at(t)[i].is_nan()).collect();
        let h: Table<R> = there.iter().map(|&i| observation[0][i].clone()).collect();
        let noise = symmetric(&observation[2]);
        let cross = product(&h, &covariance);
        let mut spread = product(&cross, &transposed(&h, n));
        let mut residual = Vec::new();
        for (row, &i) in there.iter().enumerate() {
            for (column, &j) in there.iter().enumerate() {
                spread[row][column] += noise[i][j];
            }
            let expected = product(&[h[row].clone()], &mean)[0][0] + observation[1][i][0];
            residual.push(-expected + series.at(t)[i]);
        }
        // Elimination without pivots: S⁻¹ [residual, H P], and ln |S| by the pivots.
        let mut right: Table<R> = (0..there.len())
            .map(|row| std::iter::once(residual[row]).chain(cross[row].iter().copied()).collect())
            .collect();
        for p in 0..there.len() {
            sum = sum - (spread[p][p].ln() + std::f64::consts::TAU.ln()) * 0.5;
            for q in (0..there.len()).filter(|&q| q != p) {
                let factor = spread[q][p] / spread[p][p];
                for table in [&mut spread, &mut right] {
                    let pivot = table[p].clone();
                    for (entry, &above) in table[q].iter_mut().zip(&pivot) {
                        *entry = *entry - factor * above;
                    }
                }
            }
        }
        for p in 0..there.len() {
            right[p] = right[p].iter().map(|&entry| entry / spread[p][p]).collect();
            sum = sum - residual[p] * right[p][0] * 0.5;
        }
        for a in 0..n {
            for p in 0..there.len() {
                let gained = cross[p][a] * right[p][0];
                mean[a][0] += gained;
                for b in 0..n {
                    let lost = cross[p][a] * right[p][1 + b];
                    covariance[a][b] = covariance[a][b] - lost;
                }
            }
        }
        if let [matrix, offset, noise] = transition.as_slice() {
            mean = plus(&product(matrix, &mean), offset);
            covariance =
                plus(&product(&product(matrix, &covariance), &transposed(matrix, n)), &symmetric(noise));
        }
    }
    sum
}

fn product<R: Real>(a: &[Vec<R>], b: &[Vec<R>]) -> Table<R> {
    let columns = b[0].len();
    let entry = |row: &Vec<R>, j: usize| row.iter().zip(b).map(|(&x, y)| x * y[j]).sum();
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

fn plus<R: Real>(a: &[Vec<R>], b: &[Vec<R>]) -> Table<R> {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(&x, &y)| x + y).collect()).collect()
}

fn transposed<R: Real>(a: &[Vec<R>], columns: usize) -> Table<R> {
    (0..columns).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn symmetric<R: Real>(a: &[Vec<R>]) -> Table<R> {
    let size = a.len();
    (0..size).map(|i| (0..size).map(|j| (a[i][j] + a[j][i]) * 0.5).collect()).collect()
}
