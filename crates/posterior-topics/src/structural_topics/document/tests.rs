//! Slopes, modes and evidence of a document against differences and sums.

use posterior_dist::stream::stream;
use posterior_math::log_space::ln_sum_exp;
use posterior_testkit::accuracy::assert_within;
use rand::RngExt;

use super::*;

/// Words of four topics that share some, and a Gaussian.
struct Example {
    phi: Vec<[f64; 4]>,
    mean: Vec<f64>,
    precision: DMatrix<f64>,
}

fn example(seed: u64) -> Example {
    let mut rng = stream(seed, &[]);
    let phi = (0..9).map(|_| std::array::from_fn(|_| rng.random::<f64>().powi(4))).collect();
    let mean = (0..3).map(|_| rng.random::<f64>() - 0.5).collect();
    let root = DMatrix::from_fn(3, 3, |_, _| rng.random::<f64>());
    Example { phi, mean, precision: &root * root.transpose() + DMatrix::identity(3, 3) * 0.2 }
}

impl Example {
    fn words(&self, count: f64) -> DocumentWords<'_> {
        let words = self.phi.iter().enumerate().map(|(v, phi)| (count * (v % 4 + 1) as f64, &phi[..]));
        DocumentWords::new(words, &self.mean, &self.precision)
    }
}

/// Gradient and Hessian against differences of the height and of the gradient.
#[test]
fn slopes_and_curvature_are_those_of_the_height() {
    for seed in 0..5 {
        let example = example(seed);
        let document = example.words(3.0);
        let eta = document.mode(&example.mean).point;
        let slopes = |eta: &DVector<f64>| document.slopes(eta.as_slice()).0;
        let curvature = document.slopes(eta.as_slice()).1.reconstruct();
        for j in 0..3 {
            let moved = |by: f64| {
                let mut eta = eta.clone();
                eta[j] += by;
                eta
            };
            let step = 1e-4;
            // Next to the mode, where the slope is not zero.
            let place = moved(0.3);
            let [low, high] = [-step, step].map(|by| {
                let mut eta = place.clone();
                eta[j] += by;
                document.height(eta.as_slice())
            });
            assert_within((high - low) / (2.0 * step), slopes(&place)[j], 1e-5);
            let second = (slopes(&moved(-step)) - slopes(&moved(step))) / (2.0 * step);
            for i in 0..3 {
                assert_within(second[i], curvature[(i, j)], 1e-5);
            }
        }
    }
}

/// Any start climbs to a point where the gradient is zero, no lower than it was.
#[test]
fn steps_climb_from_anywhere() {
    for seed in 0..20 {
        let example = example(seed);
        let document = example.words(10.0);
        for start in [[0.0; 3], [8.0, -8.0, 0.0], [-30.0, 40.0, 5.0]] {
            let mode = document.mode(&start);
            assert!(mode.height >= document.height(&start));
            let slopes = document.slopes(mode.point.as_slice()).0;
            assert!(slopes.amax() < 1e-3, "{slopes}");
        }
    }
}

/// Two topics, 0.8 of the first: Laplace's approximation against a sum over a fine grid. The error falls like
/// one over the number of tokens.
#[test]
fn the_approximation_is_close_where_a_document_has_words() {
    let phi = [[0.5, 0.1], [0.3, 0.3], [0.2, 0.6]];
    let (mean, precision) = ([0.4], DMatrix::from_element(1, 1, 0.8));
    let error = |scale: f64| {
        let words = phi.iter().zip([3.0, 2.0, 2.0]).map(|(phi, n)| (scale * n, &phi[..]));
        let document = DocumentWords::new(words, &mean, &precision);
        let mode = document.mode(&mean);
        let found = mode.height - 0.5 * mode.curvature.ln_determinant();
        let step: f64 = 1e-3;
        let grid: Vec<f64> = (-20_000..20_000).map(|i| document.height(&[f64::from(i) * step])).collect();
        (found - (ln_sum_exp(&grid) + step.ln() - 0.5 * std::f64::consts::TAU.ln())).abs()
    };
    let [some, many, most] = [20.0, 200.0, 2000.0].map(error);
    assert!(some < 0.06 && many < 0.3 * some && most < 0.15 * many, "{some} {many} {most}");
}

/// A document without words, or of words that no topic has, is where the Gaussian is.
#[test]
fn without_words_the_mode_is_the_mean() {
    let example = example(1);
    let unknown = [0.0; 4];
    for words in [Vec::new(), vec![(7.0, &unknown[..])]] {
        let document = DocumentWords::new(words.into_iter(), &example.mean, &example.precision);
        let mode = document.mode(&[1.0, 2.0, 3.0]);
        for (found, expected) in mode.point.iter().zip(&example.mean) {
            assert_within(*found, *expected, 1e-9);
        }
        assert!((mode.curvature.reconstruct() - &example.precision).amax() < 1e-12);
    }
}
