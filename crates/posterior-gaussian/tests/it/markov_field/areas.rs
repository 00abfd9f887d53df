//! Maps of areas.

use posterior_dist::{Density, stream::stream};
use posterior_gaussian::GaussianMarkovField;
use posterior_math::linalg::{DMatrix, DVector};
use rand::distr::Distribution;

use super::{close, covariance, pseudo_inverse, singular_ln_pdf};

/// A lattice of 4 x 5 areas, a triangle, and an area alone.
fn map() -> Vec<Vec<usize>> {
    let mut map: Vec<Vec<usize>> = (0..20)
        .map(|i| {
            let (row, column) = (i / 5, i % 5);
            let mut list = Vec::new();
            if column > 0 {
                list.push(i - 1);
            }
            if column < 4 {
                list.push(i + 1);
            }
            if row > 0 {
                list.push(i - 5);
            }
            if row < 3 {
                list.push(i + 5);
            }
            list
        })
        .collect();
    map.extend([vec![21, 22], vec![20, 22], vec![20, 21], vec![]]);
    map
}

/// The covariance of Besag's field with τ = 1, scaled part by part, and 1 for the area alone.
fn scaled_covariance() -> DMatrix<f64> {
    let map = map();
    let laplacian = DMatrix::from_fn(24, 24, |i, j| match i == j {
        true => map[i].len() as f64,
        false if map[i].contains(&j) => -1.0,
        false => 0.0,
    });
    let (mut inverse, _, rank) = pseudo_inverse(&laplacian);
    assert_eq!(rank, 21);
    for part in [0..20, 20..23] {
        let mean = part.clone().map(|i| inverse[(i, i)].ln()).sum::<f64>() / part.len() as f64;
        let block = (part.start, part.start);
        let mut view = inverse.view_mut(block, (part.len(), part.len()));
        view /= mean.exp();
    }
    inverse[(23, 23)] = 1.0;
    inverse
}

#[test]
fn besag_is_scaled_part_by_part() {
    let field = GaussianMarkovField::besag(&map(), 2.0).expect("a map");
    let exact = scaled_covariance() / 2.0;
    close(&covariance(&field), &exact, 1e-11);
    assert_eq!(field.rank(), 22);
    for (own, exact) in field.marginal_variances().iter().zip(exact.diagonal().iter()) {
        assert!((own - exact).abs() < 1e-11);
    }
    let mut rng = stream(3, &[]);
    for _ in 0..20 {
        let x = field.sample(&mut rng);
        assert!(x[..20].iter().sum::<f64>().abs() < 1e-10);
        assert!(x[20..23].iter().sum::<f64>().abs() < 1e-10);
        let exact = singular_ln_pdf(&DVector::zeros(24), &exact, &DVector::from_vec(x.clone()));
        assert!((field.ln_pdf(&x) - exact).abs() < 1e-8);
    }
    // All areas alone: nothing but noise.
    let alone = GaussianMarkovField::besag(&[vec![], vec![]], 4.0).expect("a map");
    close(&covariance(&alone), &(DMatrix::identity(2, 2) / 4.0), 1e-15);
}

#[test]
fn bym2_mixes_noise_and_besag() {
    let (tau, phi) = (3.0, 0.7);
    let field = GaussianMarkovField::bym2(&map(), tau, phi).expect("a map");
    let spatial = scaled_covariance();
    let own = covariance(&field);
    let effects = (&spatial * phi + DMatrix::identity(24, 24) * (1.0 - phi)) / tau;
    close(&own.view((0, 0), (24, 24)).into_owned(), &effects, 1e-11);
    close(&own.view((24, 24), (24, 24)).into_owned(), &spatial, 1e-11);
    close(&own.view((0, 24), (24, 24)).into_owned(), &(&spatial * (phi / tau).sqrt()), 1e-11);
    let exact = own.diagonal();
    for (own, exact) in field.marginal_variances().iter().zip(exact.iter()) {
        assert!((own - exact).abs() < 1e-11);
    }
    let mut rng = stream(4, &[]);
    for _ in 0..20 {
        let x = field.sample(&mut rng);
        assert!(x[24..44].iter().sum::<f64>().abs() < 1e-10);
        let exact = singular_ln_pdf(&DVector::zeros(48), &own, &DVector::from_vec(x.clone()));
        assert!((field.ln_pdf(&x) - exact).abs() < 1e-7, "{} {exact}", field.ln_pdf(&x));
    }
}

#[test]
fn what_is_no_map_is_refused() {
    for wrong in [vec![vec![0]], vec![vec![1], vec![]], vec![vec![2], vec![]]] {
        let refused = GaussianMarkovField::besag(&wrong, 1.0).expect_err("no map");
        assert!(refused.to_string().contains("neighbours[0]"), "{refused}");
    }
    assert!(GaussianMarkovField::besag(&map(), 0.0).is_err());
    assert!(GaussianMarkovField::bym2(&map(), 1.0, 1.0).is_err());
    // An area named twice is one neighbour.
    let twice = GaussianMarkovField::besag(&[vec![1, 1], vec![0]], 1.0).expect("a map");
    assert_eq!(twice, GaussianMarkovField::besag(&[vec![1], vec![0]], 1.0).expect("a map"));
}
