//! What the search checks of distributions of vectors and matrices.

use std::fmt::Write as _;

use std::borrow::Borrow;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use posterior_dist::{
    Density, Dirichlet, DirichletMultinomial, Moments, Multinomial, NormalGamma, NormalInverseGamma,
};
use posterior_gaussian::{Gaussian, InverseWishart, Lkj, MatrixNormal, MultivariateT, Wishart};
use posterior_math::linalg::DMatrix;
use rand::distr::Distribution;

use super::numbers::Numbers;
use super::subjects::{Subject, accepted, categorical};
use super::trial::{POINTS, Trial, watched};

/// The kinds.
pub(super) const SUBJECTS: &[Subject] = &[
    Subject { name: "dirichlet", run: dirichlet },
    Subject { name: "dirichlet_multinomial", run: dirichlet_multinomial },
    Subject { name: "inverse_wishart", run: inverse_wishart },
    Subject { name: "lkj", run: lkj },
    Subject { name: "matrix_normal", run: matrix_normal },
    Subject { name: "multinomial", run: multinomial },
    Subject { name: "multivariate_normal", run: gaussian },
    Subject { name: "multivariate_t", run: multivariate_t },
    Subject { name: "normal_gamma", run: normal_gamma },
    Subject { name: "normal_inverse_gamma", run: normal_inverse_gamma },
    Subject { name: "wishart", run: wishart },
];

/// What a point has to do with the support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Every coordinate inside: the density is finite.
    Inside,
    /// At an end, by underflow, overflow or as a whole: the density may be infinite or zero.
    Edge,
    /// Where no draw may be.
    Outside,
}

/// Text, moments, draws and densities of one distribution. `place` is where a point is, `other` makes a point
/// that need not be in the support.
fn look<L, P>(
    trial: &mut Trial,
    distribution: &L,
    moments: &[f64],
    place: impl Fn(&P) -> Place,
    other: impl Fn(&mut Numbers) -> P,
) where
    L: Density + Distribution<P> + Display + FromStr<Err: Debug> + PartialEq + Debug,
    P: Borrow<L::Point> + Debug,
{
    let long = distribution.to_string();
    trial.text = short_numbers(&long);
    // A text is the parameters; what was made of them may have had more digits, such as logarithms of
    // weights.
    for text in [&long, &trial.text.clone()] {
        let read = text.parse::<L>();
        let same = read.as_ref().is_ok_and(|read| read.to_string() == long);
        trial.expect("text", same, || format!("its text is read as {read:?}"));
    }
    trial.expect("summaries", moments.iter().all(|moment| !moment.is_nan()), || {
        format!("means and variances {moments:?}")
    });
    for index in 0..POINTS {
        let drawn = index % 2 == 0;
        let x = if drawn { distribution.sample(&mut trial.numbers.rng()) } else { other(&mut trial.numbers) };
        if place(&x) == Place::Outside && !drawn {
            continue;
        }
        let ln_density = distribution.ln_pdf(x.borrow());
        if place(&x) == Place::Outside {
            trial.expect("draw in the support", false, || format!("drew {x:?}"));
            continue;
        }
        let number = !ln_density.is_nan() && (ln_density < f64::INFINITY || place(&x) == Place::Edge);
        trial.expect("density is a number", number, || format!("ln_pdf({x:?}) = {ln_density:e}"));
        if drawn {
            let dense = place(&x) != Place::Inside || ln_density > f64::NEG_INFINITY;
            trial.expect("density at a draw", dense, || format!("ln_pdf({x:?}) = {ln_density:e}"));
        }
        if trial.clock {
            let (_, seconds) = watched(|| distribution.ln_pdf(x.borrow()));
            trial.expect("no call over a millisecond", seconds.is_none(), || {
                format!("ln_pdf({x:?}) takes {:.1} ms", 1e3 * seconds.unwrap_or(0.0))
            });
        }
    }
}

/// A text with an exponent in each number that is long.
fn short_numbers(text: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let mut rest = text;
    let mut short = String::new();
    while let Some(start) = rest.find(number) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !number(c)).unwrap_or(from.len()));
        short.push_str(before);
        match word.parse::<f64>() {
            // Writing to a string cannot fail.
            Ok(value) if word.len() > 24 => {
                let _ = write!(short, "{value:e}");
            }
            _ => short.push_str(word),
        }
        rest = after;
    }
    short + rest
}

/// A vector of numbers, some of which may be infinite by overflow.
fn numbers_place(x: &[f64]) -> Place {
    if x.iter().any(|x| x.is_nan()) {
        Place::Outside
    } else if x.iter().all(|x| x.is_finite()) {
        Place::Inside
    } else {
        Place::Edge
    }
}

/// A matrix whose density may be zero or infinite by underflow and overflow: never NaN.
fn matrix_place(x: &DMatrix<f64>) -> Place {
    if x.iter().any(|x| x.is_nan()) { Place::Outside } else { Place::Edge }
}

/// Means and diagonals of covariance matrices.
fn moments<L: Moments<Vec<f64>, DMatrix<f64>>>(distribution: &L) -> Vec<f64> {
    let mut moments = distribution.mean().unwrap_or_default();
    moments.extend(
        distribution
            .variance()
            .iter()
            .flat_map(|variance| variance.diagonal().iter().copied().collect::<Vec<_>>()),
    );
    moments
}

fn vector(numbers: &mut Numbers, length: usize) -> Vec<f64> {
    (0..length).map(|_| numbers.real()).collect()
}

/// A positive definite matrix, by a factor; its size is up to three.
fn positive_definite(numbers: &mut Numbers, n: usize) -> DMatrix<f64> {
    if numbers.below(2) == 0 {
        // Of one scale, nearly singular or not.
        let (scale, correlation) = (numbers.positive(), numbers.probability());
        return DMatrix::from_fn(n, n, |i, j| if i == j { scale } else { scale * correlation });
    }
    let scales: Vec<f64> = (0..n).map(|_| numbers.positive().sqrt()).collect();
    let correlation = if numbers.below(2) == 0 { 0.0 } else { numbers.probability() };
    DMatrix::from_fn(n, n, |i, j| scales[i] * scales[j] * if i == j { 1.0 } else { correlation })
}

fn dirichlet(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let length = 1 + numbers.below(4);
        Dirichlet::new(&(0..length).map(|_| numbers.positive()).collect::<Vec<_>>()).ok()
    });
    let Some(distribution) = made else { return };
    let length = distribution.concentration().len();
    let place = |x: &Vec<f64>| {
        let sum: f64 = x.iter().sum();
        if !((sum - 1.0).abs() < 1e-12 && x.iter().all(|&x| x >= 0.0)) {
            Place::Outside
        } else if x.iter().all(|&x| x > 0.0 && (x < 1.0 || length == 1)) {
            Place::Inside
        } else {
            Place::Edge
        }
    };
    let other = |numbers: &mut Numbers| {
        let p = numbers.probability();
        let mut x = vec![0.0; length];
        (x[0], x[length - 1]) = (p, if length == 1 { p } else { 1.0 - p });
        x
    };
    look(trial, &distribution, &moments(&distribution), place, other);
}

/// A vector of counts with a sum.
fn counts_place(trials: u64) -> impl Fn(&Vec<u64>) -> Place {
    move |x| if x.iter().sum::<u64>() == trials { Place::Inside } else { Place::Outside }
}

/// A number of trials that a text may have.
fn trials(numbers: &mut Numbers) -> u64 {
    numbers.count().min(9_007_199_254_740_992.0) as u64
}

fn some_counts(numbers: &mut Numbers, length: usize, trials: u64) -> Vec<u64> {
    let mut left = trials;
    let mut x: Vec<u64> = Vec::with_capacity(length);
    for _ in 1..length {
        let part = (left as f64 * numbers.probability()) as u64;
        x.push(part.min(left));
        left -= part.min(left);
    }
    x.push(left);
    x
}

fn multinomial(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        Some(Multinomial::new(trials(numbers), categorical(numbers)?))
    });
    let Some(distribution) = made else { return };
    let (trials, length) = (distribution.trials(), distribution.categories().categories());
    let other = |numbers: &mut Numbers| some_counts(numbers, length, trials);
    look(trial, &distribution, &moments(&distribution), counts_place(trials), other);
}

fn dirichlet_multinomial(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let length = 1 + numbers.below(4);
        let alpha: Vec<f64> = (0..length).map(|_| numbers.positive()).collect();
        Some(DirichletMultinomial::new(trials(numbers), Dirichlet::new(&alpha).ok()?))
    });
    let Some(distribution) = made else { return };
    let (trials, length) = (distribution.trials(), distribution.prior().concentration().len());
    let other = |numbers: &mut Numbers| some_counts(numbers, length, trials);
    look(trial, &distribution, &moments(&distribution), counts_place(trials), other);
}

fn gaussian(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let n = 1 + numbers.below(3);
        Gaussian::new(&vector(numbers, n), &positive_definite(numbers, n)).ok()
    });
    let Some(distribution) = made else { return };
    let n = distribution.dimension();
    let mut moments = distribution.mean().as_slice().to_vec();
    moments.extend(distribution.covariance().diagonal().iter());
    // A singular covariance has a density nowhere, or on a subspace that rounding leaves.
    let place = |x: &Vec<f64>| if numbers_place(x) == Place::Outside { Place::Outside } else { Place::Edge };
    look(trial, &distribution, &moments, place, |numbers: &mut Numbers| vector(numbers, n));
}

fn multivariate_t(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let n = 1 + numbers.below(3);
        let degrees_of_freedom = numbers.positive();
        MultivariateT::new(degrees_of_freedom, &vector(numbers, n), &positive_definite(numbers, n)).ok()
    });
    let Some(distribution) = made else { return };
    let n = distribution.dimension();
    let place = |x: &Vec<f64>| numbers_place(x);
    look(trial, &distribution, &moments(&distribution), place, |numbers: &mut Numbers| vector(numbers, n));
}

fn matrix_normal(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let (n, m) = (1 + numbers.below(2), 1 + numbers.below(2));
        let mean = DMatrix::from_vec(n, m, vector(numbers, n * m));
        MatrixNormal::new(&mean, &positive_definite(numbers, n), &positive_definite(numbers, m)).ok()
    });
    let Some(distribution) = made else { return };
    let (n, m) = distribution.mean().shape();
    look(trial, &distribution, &[], matrix_place, |numbers: &mut Numbers| {
        DMatrix::from_vec(n, m, vector(numbers, n * m))
    });
}

fn wishart(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let n = 1 + numbers.below(3);
        Wishart::new(numbers.positive() + numbers.below(3) as f64, &positive_definite(numbers, n)).ok()
    });
    let Some(distribution) = made else { return };
    let n = distribution.scale().nrows();
    look(trial, &distribution, &[], matrix_place, |numbers: &mut Numbers| positive_definite(numbers, n));
}

fn inverse_wishart(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let n = 1 + numbers.below(3);
        InverseWishart::new(numbers.positive() + numbers.below(3) as f64, &positive_definite(numbers, n)).ok()
    });
    let Some(distribution) = made else { return };
    let n = distribution.scale().nrows();
    look(trial, &distribution, &[], matrix_place, |numbers: &mut Numbers| positive_definite(numbers, n));
}

fn lkj(trial: &mut Trial) {
    let made =
        accepted(&mut trial.numbers, |numbers| Lkj::new(2 + numbers.below(3), numbers.positive()).ok());
    let Some(distribution) = made else { return };
    let n = distribution.dimension();
    look(trial, &distribution, &[], matrix_place, |numbers: &mut Numbers| {
        let correlation = numbers.probability();
        DMatrix::from_fn(n, n, |i, j| if i == j { 1.0 } else { correlation })
    });
}

/// A number and a positive one. With a shape beyond 1e290 the logarithm of the density leaves f64 within the
/// rounding of a draw.
fn pair_place(shape: f64, &(x, y): &(f64, f64)) -> Place {
    if x.is_nan() || !(y >= 0.0) {
        Place::Outside
    } else if x.is_finite() && y >= f64::MIN_POSITIVE && y.is_finite() && shape < 1e290 {
        Place::Inside
    } else {
        Place::Edge
    }
}

fn four(numbers: &mut Numbers) -> [f64; 4] {
    [numbers.real(), numbers.positive(), numbers.positive(), numbers.positive()]
}

fn normal_gamma(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let [mu, kappa, alpha, beta] = four(numbers);
        NormalGamma::new(mu, kappa, alpha, beta).ok()
    });
    let Some(distribution) = made else { return };
    let moments: Vec<f64> =
        [distribution.mean(), distribution.variance()].iter().flatten().flat_map(|&(a, b)| [a, b]).collect();
    let shape = distribution.shape();
    look(
        trial,
        &distribution,
        &moments,
        |x: &(f64, f64)| pair_place(shape, x),
        |numbers: &mut Numbers| (numbers.real(), numbers.positive()),
    );
}

fn normal_inverse_gamma(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let [mu, kappa, alpha, beta] = four(numbers);
        NormalInverseGamma::new(mu, kappa, alpha, beta).ok()
    });
    let Some(distribution) = made else { return };
    let moments: Vec<f64> =
        [distribution.mean(), distribution.variance()].iter().flatten().flat_map(|&(a, b)| [a, b]).collect();
    let shape = distribution.shape();
    look(
        trial,
        &distribution,
        &moments,
        |x: &(f64, f64)| pair_place(shape, x),
        |numbers: &mut Numbers| (numbers.real(), numbers.positive()),
    );
}
