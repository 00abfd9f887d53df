//! The tiles against densities row by row.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Mixture};
use posterior_gaussian::Gaussian;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::special::LN_TAU;
use rand::RngExt;

use super::{BLOCK, Component, Expectations, Scatter, Sharing, TILE, Whitening, expectations, proportions};
use crate::observations::Observations;

fn random(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(rows, columns, |_, _| 6.0 * rng.random::<f64>() - 3.0)
}

/// K Gaussians with a weight, as distributions and as the kernel takes them.
fn components(d: usize, k: usize, diagonal: bool) -> (Mixture<Gaussian>, Vec<Component>) {
    let (mut distributions, mut weights, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let total: f64 = (1..=k).map(|k| k as f64).sum();
    for k in 0..k {
        let noise = random(d, d, 100 + k as u64);
        let mut covariance = &noise * noise.transpose() * 0.2 + DMatrix::identity(d, d);
        if diagonal {
            covariance = DMatrix::from_diagonal(&covariance.diagonal());
        }
        let mean = random(1, d, 200 + k as u64);
        let weight = (k + 1) as f64 / total;
        let cholesky = Cholesky::new(&covariance).unwrap();
        parts.push(Component {
            centre: mean.as_slice().to_vec(),
            ln_offset: weight.ln() - 0.5 * (d as f64 * LN_TAU + cholesky.ln_determinant()),
            whitening: if diagonal {
                Whitening::of_variances(covariance.diagonal().as_slice())
            } else {
                Whitening::of_cholesky(&cholesky)
            },
        });
        distributions.push(Gaussian::new(mean.as_slice(), &covariance).unwrap());
        weights.push(weight);
    }
    (Mixture::from_weights(&weights, distributions).unwrap(), parts)
}

/// The same sums observation by observation, from the densities of the distributions.
fn by_rows(
    data: &Observations,
    distribution: &Mixture<Gaussian>,
    sharing: Sharing<'_>,
    scatter: Scatter,
) -> Expectations {
    let (d, distributions) = (data.dimension(), distribution.components());
    let mut total = expectations(
        &Observations::new(&DMatrix::zeros(1, d)).unwrap().weighted(&[1.0]).unwrap(),
        &distributions.iter().map(|_| nothing(d)).collect::<Vec<_>>(),
        Sharing::Given(&DMatrix::zeros(1, distributions.len())),
        scatter,
    );
    for i in 0..data.len() {
        let x: Vec<f64> = data.values().row(i).iter().copied().collect();
        let w = data.weight(i);
        let mut r = distribution.responsibilities(&x).unwrap().probabilities().to_vec();
        let best = (0..r.len()).max_by(|&a, &b| r[a].total_cmp(&r[b])).unwrap();
        match sharing {
            Sharing::Proportional => {
                total.ln_likelihood += w * distribution.ln_pdf(&x);
                total.entropy -= w * r.iter().filter(|&&r| r > 0.0).map(|r| r * r.ln()).sum::<f64>();
            }
            Sharing::Largest => {
                r = (0..r.len()).map(|k| f64::from(u8::from(k == best))).collect();
                total.ln_likelihood +=
                    w * (distribution.weights().ln_probabilities()[best] + distributions[best].ln_pdf(&x));
            }
            Sharing::Given(given) => r = given.row(i).iter().copied().collect(),
        }
        for ((sums, distribution), r) in total.components.iter_mut().zip(distributions).zip(r) {
            let u: Vec<f64> = x.iter().zip(distribution.mean().iter()).map(|(x, m)| x - m).collect();
            sums.weight += w * r;
            let mut place = 0;
            for a in 0..d {
                sums.first[a] += w * r * u[a];
                for b in 0..=a {
                    if scatter == Scatter::Full || a == b {
                        sums.second[place] += w * r * u[a] * u[b];
                        place += 1;
                    }
                }
            }
        }
    }
    total
}

fn nothing(d: usize) -> Component {
    Component { centre: vec![0.0; d], whitening: Whitening::of_variances(&vec![1.0; d]), ln_offset: 0.0 }
}

#[track_caller]
fn assert_same(left: &Expectations, right: &Expectations, n: usize) {
    let close = |a: f64, b: f64| {
        assert!((a - b).abs() <= 1e-13 * (n as f64 + b.abs()), "{a} is not {b}");
    };
    close(left.ln_likelihood, right.ln_likelihood);
    close(left.entropy, right.entropy);
    assert_eq!(left.components.len(), right.components.len());
    for (a, b) in left.components.iter().zip(&right.components) {
        close(a.weight, b.weight);
        assert_eq!((a.first.len(), a.second.len()), (b.first.len(), b.second.len()));
        a.first.iter().zip(&b.first).for_each(|(&a, &b)| close(a, b));
        a.second.iter().zip(&b.second).for_each(|(&a, &b)| close(a, b));
    }
}

#[test]
fn tiles_are_rows_one_by_one() {
    for (n, d, k) in [(1, 1, 1), (TILE - 1, 2, 3), (TILE + 1, 5, 2), (3 * TILE, 10, 4), (BLOCK + 77, 3, 3)] {
        let data = Observations::new(&random(n, d, 7)).unwrap();
        let mut rng = stream(9, &[]);
        let weights: Vec<f64> =
            (0..n).map(|i| if i % 5 == 1 { 0.0 } else { 2.0 * rng.random::<f64>() }).collect();
        let weighted = data.clone().weighted(&weights).unwrap();
        let given = random(n, k, 11).abs();
        for diagonal in [false, true] {
            let (distribution, parts) = components(d, k, diagonal);
            for scatter in [Scatter::Full, Scatter::Diagonal] {
                for sharing in [Sharing::Proportional, Sharing::Largest, Sharing::Given(&given)] {
                    for data in [&data, &weighted] {
                        let found = expectations(data, &parts, sharing, scatter);
                        assert_same(&found, &by_rows(data, &distribution, sharing, scatter), n);
                    }
                }
            }
        }
    }
}

#[test]
fn proportions_are_responsibilities() {
    let (distribution, parts) = components(3, 4, false);
    let data = Observations::new(&random(BLOCK + 5, 3, 3)).unwrap();
    let (found, ln_pdf) = proportions(&data, &parts);
    for i in [0, 1, TILE, BLOCK - 1, BLOCK, BLOCK + 4] {
        let x: Vec<f64> = data.values().row(i).iter().copied().collect();
        assert!((ln_pdf[i] - distribution.ln_pdf(&x)).abs() < 1e-12);
        let exact = distribution.responsibilities(&x).unwrap();
        for (k, r) in exact.probabilities().iter().enumerate() {
            assert!((found[(i, k)] - r).abs() < 1e-14);
        }
    }
}

#[test]
fn what_is_far_from_everything_is_reported() {
    let (_, mut parts) = components(2, 2, false);
    let mut rows = random(5, 2, 3);
    rows[(3, 1)] = 1e200;
    let data = Observations::new(&rows).unwrap();
    let found = expectations(&data, &parts, Sharing::Proportional, Scatter::Full);
    assert_eq!((found.impossible, found.ln_likelihood), (Some(3), f64::NEG_INFINITY));
    assert!(found.components.iter().all(|moments| moments.weight.is_finite()));
    // Not so if it does not count.
    let unseen = data.weighted(&[1.0, 1.0, 1.0, 0.0, 1.0]).unwrap();
    let found = expectations(&unseen, &parts, Sharing::Proportional, Scatter::Full);
    assert!(found.impossible.is_none() && found.ln_likelihood.is_finite());
    // A component without weight has no proportion.
    parts[1].ln_offset = f64::NEG_INFINITY;
    for sharing in [Sharing::Proportional, Sharing::Largest] {
        let found = expectations(&unseen, &parts, sharing, Scatter::Full);
        assert_eq!((found.components[0].weight, found.components[1].weight), (4.0, 0.0));
        assert_eq!(found.entropy, 0.0);
    }
}
