//! Random distributions: draws, and the forms of Bayes' rule against each other.

use posterior_dist::{Density, Entropy, ExponentialFamily, KlDivergence, PointGradient, stream::stream};
use posterior_gaussian::{BayesForm, Gaussian, InformationGaussian, LinearGaussian, MomentGaussian};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, PivotedCholesky};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use proptest::prelude::*;
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::{FORMS, example, random_distribution};

fn random_channel<R: Rng>(m: usize, n: usize, rng: &mut R) -> LinearGaussian {
    let noise = random_distribution(m, rng);
    let map = DMatrix::from_fn(m, n, |_, _| rng.random_range(-1.0..1.0));
    LinearGaussian::new(&map, noise.mean().as_slice(), noise.covariance()).expect("sizes agree")
}

/// Both agree to `tolerance` of the largest entry.
#[track_caller]
fn same(left: &MomentGaussian, right: &MomentGaussian, tolerance: f64) {
    let scale = right.covariance().amax().max(right.mean().amax()).max(1.0);
    assert!((left.mean() - right.mean()).amax() <= tolerance * scale, "{left:?} {right:?}");
    assert!((left.covariance() - right.covariance()).amax() <= tolerance * scale, "{left:?} {right:?}");
}

#[test]
fn draws_follow_the_distribution() {
    // The whitened distance of every fixed direction is standard normal; one false alarm in a million seeds
    // per test.
    let distribution = random_distribution(3, &mut stream(8, &[]));
    let direction = DVector::from_vec(vec![0.3, -1.0, 0.6]);
    let deviation = direction.dot(&(distribution.covariance() * &direction)).sqrt();
    let cdf = |t: f64| posterior_math::special::normal_cdf(t);
    let check = |sampler: &dyn Fn(&mut rand_pcg::Pcg64) -> Vec<f64>| {
        let mut rng = stream(9, &[]);
        let draws: Vec<f64> = (0..20_000)
            .map(|_| direction.dot(&(DVector::from_vec(sampler(&mut rng)) - distribution.mean())) / deviation)
            .collect();
        let p_value = kolmogorov_smirnov_p_value(&draws, cdf);
        assert!(p_value >= LEVEL, "{p_value:e}");
    };
    check(&|rng| distribution.sample(rng));
    let by_root = distribution.moments().sampler().expect("semidefinite");
    check(&|rng| by_root.sample(rng));
    let by_precision = InformationGaussian::from(&distribution).sampler().expect("proper");
    check(&|rng| by_precision.sample(rng));
}

proptest! {
    #[test]
    fn all_forms_agree(n in 1_usize..7, m in 1_usize..7, seed in 0_u64..u64::MAX) {
        let mut rng = stream(seed, &[]);
        let (prior, likelihood) = (random_distribution(n, &mut rng), random_channel(m, n, &mut rng));
        let y: Vec<f64> = (0..m).map(|_| rng.random_range(-3.0..3.0)).collect();
        let gain = prior.moments().bayes_by(BayesForm::Gain, &likelihood, &y).expect("regular");
        for form in FORMS {
            let other = prior.moments().bayes_by(form, &likelihood, &y).expect("regular");
            same(&other.posterior, &gain.posterior, 1e-13);
            prop_assert!((other.ln_evidence - gain.ln_evidence).abs() < 1e-13 * (1.0 + gain.ln_evidence.abs()));
        }
        let chosen = prior.bayes(&likelihood, &y).expect("regular");
        same(&chosen.posterior.moments(), &gain.posterior, 1e-13);
        same(&prior.moments().bayes(&likelihood, &y).expect("regular").posterior, &gain.posterior, 1e-13);
        // Conditioning the joint distribution on y is the same.
        let joint = likelihood.joint(&prior.moments()).expect("sizes agree");
        let indices: Vec<usize> = (n..n + m).collect();
        same(&joint.condition(&indices, &y).expect("regular"), &gain.posterior, 1e-13);
        // Observing shrinks the covariance.
        let mut shrunk = prior.covariance() - gain.posterior.covariance();
        for i in 0..n {
            shrunk[(i, i)] += 1e-12;
        }
        prop_assert!(PivotedCholesky::new(&shrunk).is_ok());
    }

    #[test]
    fn steps_compose_and_turn_around(seed in 0_u64..u64::MAX) {
        let mut rng = stream(seed, &[]);
        let prior = random_distribution(3, &mut rng).moments();
        let (first, second) = (random_channel(2, 3, &mut rng), random_channel(4, 2, &mut rng));
        let stepwise = second.predictive(&first.predictive(&prior).expect("fits")).expect("fits");
        same(&first.then(&second).expect("fits").predictive(&prior).expect("fits"), &stepwise, 1e-14);
        let (y, x) = ([0.3, -1.0], [0.1, 0.2, 0.3]);
        let reversed = first.reversed(&prior).expect("regular");
        let posterior = prior.bayes(&first, &y).expect("regular");
        same(&reversed.at(&y).expect("finite"), &posterior.posterior, 1e-13);
        let prediction = first.predictive(&prior).expect("fits");
        same(&reversed.predictive(&prediction).expect("fits"), &prior, 1e-13);
        // Bayes' rule itself: p(x) p(y | x) = p(y) p(x | y).
        let ln_pdf = |distribution: &MomentGaussian, x: &[f64]| distribution.ln_pdf(x).expect("regular");
        let joint = ln_pdf(&prior, &x) + ln_pdf(&first.at(&x).expect("finite"), &y);
        prop_assert!((joint - posterior.ln_evidence - ln_pdf(&posterior.posterior, &x)).abs() < 1e-12);
        // Independent noise is a diagonal matrix.
        let variances = [0.5, 2.0];
        let diagonal = DMatrix::from_diagonal(&DVector::from_column_slice(&variances));
        let dense = LinearGaussian::new(first.matrix(), first.offset().as_slice(), &diagonal).expect("fits");
        let sparse = LinearGaussian::independent(first.matrix(), first.offset().as_slice(), &variances).expect("fits");
        for form in FORMS {
            let (a, b) = (prior.bayes_by(form, &dense, &y), prior.bayes_by(form, &sparse, &y));
            same(&a.expect("regular").posterior, &b.expect("regular").posterior, 1e-13);
        }
        let (a, b) = (dense.likelihood(&y).expect("regular"), sparse.likelihood(&y).expect("regular"));
        prop_assert!((a.ln_value(&x) - b.ln_value(&x)).abs() < 1e-12);
        same(&dense.then(&second).expect("fits").predictive(&prior).expect("fits"),
            &sparse.then(&second).expect("fits").predictive(&prior).expect("fits"), 1e-14);
    }

    #[test]
    fn sequential_is_batch_in_any_order(n in 1_usize..6, seed in 0_u64..u64::MAX) {
        let mut rng = stream(seed, &[]);
        let prior = random_distribution(n, &mut rng);
        let (first, second) = (random_channel(2, n, &mut rng), random_channel(3, n, &mut rng));
        let y: Vec<f64> = (0..5).map(|_| rng.random_range(-3.0..3.0)).collect();
        let mut map = DMatrix::zeros(5, n);
        map.view_mut((0, 0), (2, n)).copy_from(first.matrix());
        map.view_mut((2, 0), (3, n)).copy_from(second.matrix());
        let stacked = first.at(&vec![0.0; n]).expect("finite").stack(&second.at(&vec![0.0; n]).expect("finite"));
        let both = LinearGaussian::new(&map, stacked.mean().as_slice(), stacked.covariance()).expect("fits");
        let batch = prior.moments().bayes(&both, &y).expect("regular");
        let one_two = prior.moments().bayes(&first, &y[..2]).expect("regular");
        let then = one_two.posterior.bayes(&second, &y[2..]).expect("regular");
        same(&then.posterior, &batch.posterior, 1e-13);
        prop_assert!((one_two.ln_evidence + then.ln_evidence - batch.ln_evidence).abs() < 1e-12);
        let two_one = prior.moments().bayes(&second, &y[2..]).expect("regular");
        let then = two_one.posterior.bayes(&first, &y[..2]).expect("regular");
        same(&then.posterior, &batch.posterior, 1e-13);
    }

    #[test]
    fn marginals_and_conditionals_commute(seed in 0_u64..u64::MAX) {
        let distribution = random_distribution(5, &mut stream(seed, &[]));
        let values = [0.7, -0.4];
        // Of the conditional given coordinates 1 and 4, those that were 0 and 3; and the other way round.
        let conditional = distribution.condition(&[1, 4], &values).expect("regular").marginal(&[0, 2]).expect("there");
        let marginal = distribution.marginal(&[0, 1, 3, 4]).expect("there").condition(&[1, 3], &values).expect("regular");
        same(&conditional.moments(), &marginal.moments(), 1e-13);
        // In information form too, where marginals and conditionals change roles.
        let information = InformationGaussian::from(&distribution);
        let back = information.marginal(&[0, 1, 3, 4]).expect("proper");
        prop_assert!(back.ln_integral().expect("proper").abs() < 1e-12);
        let given = back.condition(&[1, 3], &values).expect("finite");
        same(&given.distribution().expect("proper").moments(), &marginal.moments(), 1e-12);
        let evidence = distribution.marginal(&[1, 4]).expect("there").ln_pdf(&values);
        prop_assert!((given.ln_integral().expect("proper") - evidence).abs() < 1e-12);
        prop_assert!((information.ln_value(&[0.1; 5]) - distribution.ln_pdf(&[0.1; 5])).abs() < 1e-12);
    }

    #[test]
    fn products_and_quotients(seed in 0_u64..u64::MAX) {
        let mut rng = stream(seed, &[]);
        let (p, q) = (random_distribution(3, &mut rng), random_distribution(3, &mut rng));
        let product = p.product(&q).expect("proper");
        let x = [0.2, -0.5, 1.0];
        let formula = p.ln_pdf(&x) + q.ln_pdf(&x);
        prop_assert!((product.posterior.ln_pdf(&x) + product.ln_evidence - formula).abs() < 1e-12);
        let (p, q) = (InformationGaussian::from(&p), InformationGaussian::from(&q));
        let both = p.product(&q).expect("finite");
        prop_assert!((both.ln_integral().expect("proper") - product.ln_evidence).abs() < 1e-12);
        let back = both.quotient(&q).expect("finite");
        same(&back.distribution().expect("proper").moments(), &p.distribution().expect("proper").moments(), 1e-12);
    }

    #[test]
    fn two_priors_of_a_sum_convolve(seed in 0_u64..u64::MAX) {
        let mut rng = stream(seed, &[]);
        let (p, q) = (random_distribution(3, &mut rng).moments(), random_distribution(3, &mut rng).moments());
        let mut adding = DMatrix::zeros(3, 6);
        adding.view_mut((0, 0), (3, 3)).fill_with_identity();
        adding.view_mut((0, 3), (3, 3)).fill_with_identity();
        let sum = p.stack(&q).affine(&adding, &[0.0; 3]).expect("sizes agree");
        same(&sum, &p.plus_independent(&q).expect("sizes agree"), 1e-14);
    }

    #[test]
    fn numbers_of_any_bits_do_no_harm(bits in prop::collection::vec(any::<u64>(), 9)) {
        let x: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        let covariance = DMatrix::from_row_slice(2, 2, &[x[2], x[3], x[3], x[4]]);
        // Of all sizes, and positive definite by a dominant diagonal.
        let size = |x: f64| f64::from_bits(x.to_bits() & 0x7fff_ffff_ffff_ffff);
        let dominant = [size(x[2]), 0.5 * size(x[2]).sqrt() * size(x[4]).sqrt(), size(x[4])];
        let dominant = DMatrix::from_row_slice(2, 2, &[dominant[0], dominant[1], dominant[1], dominant[2]]);
        harmless(&x, &covariance)?;
        harmless(&x, &dominant)?;
    }
}

/// Nothing panics, and densities are NaN only for NaN.
fn harmless(x: &[f64], covariance: &DMatrix<f64>) -> Result<(), TestCaseError> {
    let point = [x[5], x[6]];
    if let Ok(distribution) = Gaussian::new(&x[..2], covariance) {
        let density = distribution.ln_pdf(&point);
        prop_assert!(!density.is_nan() || point.iter().any(|x| x.is_nan()));
        let _ = (
            distribution.entropy(),
            distribution.kl_divergence(&example()),
            distribution.wasserstein_distance(&example()),
        );
        let _ = (
            distribution.point_gradient(&point),
            distribution.condition(&[0], &point[..1]),
            distribution.natural(),
        );
    }
    if let Ok(prior) = MomentGaussian::new(&x[..2], covariance) {
        let scalar = |x: f64| DMatrix::from_element(1, 1, x);
        let map = DMatrix::from_row_slice(1, 2, &point);
        if let Ok(likelihood) = LinearGaussian::new(&map, &x[7..8], &scalar(x[8].abs())) {
            for form in FORMS {
                let _ = prior.bayes_by(form, &likelihood, &x[..1]);
            }
        }
        let _ = prior.sampler();
    }
    // Large and small on the diagonal: valid, whatever the exponents.
    let spread = DMatrix::from_diagonal(&DVector::from_vec(vec![x[2].abs(), x[3].abs()]));
    if Cholesky::new(&spread).is_ok() {
        prop_assert!(Gaussian::new(&[0.0, 0.0], &spread).is_ok());
    }
    Ok(())
}
