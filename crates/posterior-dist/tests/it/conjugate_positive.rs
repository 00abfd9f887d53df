//! Beta and gamma priors: the identities of conjugacy, the coin of the book, and evidences by other
//! routes.

use posterior_dist::{
    Bernoulli, Beta, Binomial, Conjugate, Density, Exponential, ExponentialFamily, Gamma, GammaKnownShape,
    Moments, Stats, Univariate, stream::stream,
};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;

fn beta(alpha: f64, beta: f64) -> Beta {
    Beta::new(alpha, beta).expect("positive")
}

fn gamma(shape: f64, rate: f64) -> Gamma {
    Gamma::shape_rate(shape, rate).expect("positive")
}

fn tosses(heads: usize, tails: usize) -> Stats<Bernoulli> {
    Stats::of((), std::iter::repeat_n(&true, heads).chain(std::iter::repeat_n(&false, tails)))
        .expect("outcomes")
}

#[test]
fn beta_priors_are_conjugate_to_bernoulli() {
    let data = [true, false, true, true, false, true];
    for prior in [beta(1.0, 1.0), beta(0.01, 1e-4), beta(1e6, 3.0), beta(1e-200, 1e-200)] {
        consistency::conjugate::<Bernoulli, _, bool>(&(), &prior, &data);
    }
}

#[test]
fn beta_priors_are_conjugate_to_binomial() {
    for prior in [beta(1.0, 1.0), beta(0.01, 1e-4), beta(1e6, 3.0)] {
        consistency::conjugate::<Binomial, _, u64>(&7, &prior, &[3, 0, 7, 5]);
    }
    // Under a uniform prior every number of heads is as probable.
    let six = Stats::<Binomial>::of(10, &[6]).expect("successes");
    assert_close(Binomial::ln_evidence(&beta(1.0, 1.0), &six).expect("fits"), -11_f64.ln(), 1e-14);
    let posterior = Binomial::posterior(&beta(1.0, 1.0), &six).expect("fits");
    assert_eq!((posterior.alpha(), posterior.beta()), (7.0, 5.0));
    let best = Binomial::most_probable(&posterior, &4).expect("fits").expect("exists");
    assert_eq!((best.trials(), best.probability()), (4, 0.6));
    // One trial is Bernoulli's.
    let expected = Binomial::expected_density(&posterior, &1).expect("fits");
    assert_close(expected.ln_pdf(&1), posterior.expected_ln(), 1e-14);
    let mut rng = stream(6, &[]);
    let extreme = Binomial::draw(&beta(1e-3, 1e-3), &9, &mut rng).expect("a distribution");
    assert!((0.0..=1.0).contains(&extreme.probability()));
}

#[test]
fn gamma_priors_are_conjugate_to_waiting_times() {
    let data = [0.3, 2.0, 1e-3, 7.0];
    for prior in [gamma(2.0, 1.0), gamma(1e-3, 1e-3), gamma(1e5, 1e4)] {
        consistency::conjugate::<Exponential, _, f64>(&(), &prior, &data);
        for shape in [0.3, 1.0, 12.0] {
            consistency::conjugate::<GammaKnownShape, _, f64>(&shape, &prior, &data);
        }
    }
}

#[test]
fn the_coin_of_the_book_has_its_evidence() {
    let uniform = beta(1.0, 1.0);
    for (heads, tails, ln_evidence, bayes_factor) in
        [(6, 4, -7.745002803515839, 0.44329004329004), (60, 40, -69.40568293397577, 0.9130497784875761)]
    {
        let data = tosses(heads, tails);
        let evidence = Bernoulli::ln_evidence(&uniform, &data).expect("fits");
        assert_close(evidence, ln_evidence, 1e-14);
        let fair = -(data.weight()) * 2_f64.ln();
        assert_close((evidence - fair).exp(), bayes_factor, 1e-13);
        let posterior = Bernoulli::posterior(&uniform, &data).expect("fits");
        assert_eq!((posterior.alpha(), posterior.beta()), (heads as f64 + 1.0, tails as f64 + 1.0));
        let best = Bernoulli::maximum_likelihood(&data).expect("data");
        assert_close(best.probability(), 0.6, 1e-15);
        let mode = Bernoulli::most_probable(&posterior, &()).expect("fits").expect("exists");
        assert_close(mode.probability(), 0.6, 1e-15);
    }
    assert_close(Bernoulli::ln_evidence(&uniform, &tosses(6, 4)).expect("fits"), -2310_f64.ln(), 1e-15);
}

#[test]
fn people_with_glasses() {
    // The posterior density with n with glasses and m without is pi^n (1 - pi)^m / B(n + 1, m + 1): printed
    // with n - 1 and m - 1 it integrates to B(7, 5) / B(5, 3) = 1/22.
    let posterior = Bernoulli::posterior(&beta(1.0, 1.0), &tosses(6, 4)).expect("fits");
    assert_close(posterior.ln_pdf(&0.5), (2310.0 / 1024.0_f64).ln(), 1e-14);
    assert_close((beta(7.0, 5.0).ln_pdf(&0.5) - beta(5.0, 3.0).ln_pdf(&0.5)).exp(), 22.0 / 16.0, 1e-13);
    assert_close(posterior.mean().expect("exists"), 7.0 / 12.0, 1e-15);
}

#[test]
fn predictives_are_mixtures_over_the_posterior() {
    // P(X > t) = E e^(-λ t) = (b / (b + t))^a.
    let predictive = Exponential::predictive(&gamma(3.0, 2.0), &()).expect("fits");
    assert_close(predictive.sf(2.0), 0.125, 1e-15);
    let of_one = GammaKnownShape::predictive(&gamma(3.0, 2.0), &1.0).expect("fits");
    assert_close(of_one.sf(2.0), 0.125, 1e-15);
    // By summing over draws from the prior: a mean of 40,000 with standard deviation below ½, so 6 of it are
    // 0.015.
    let prior = gamma(3.0, 2.0);
    let mut rng = stream(3, &[]);
    let mean = (0..40_000)
        .map(|_| GammaKnownShape::draw(&prior, &2.5, &mut rng).expect("a rate").gamma().cdf(1.7))
        .sum::<f64>()
        / 40_000.0;
    assert_within(mean, GammaKnownShape::predictive(&prior, &2.5).expect("fits").cdf(1.7), 0.015);
}

#[test]
fn expected_densities_average_the_prior() {
    let mut rng = stream(4, &[]);
    let prior = beta(3.0, 5.0);
    let expected = Bernoulli::expected_density(&prior, &()).expect("fits");
    let draws = 40_000;
    let mean =
        (0..draws).map(|_| Bernoulli::draw(&prior, &(), &mut rng).expect("p").ln_pdf(&true)).sum::<f64>()
            / 4e4;
    assert_within(mean, expected.ln_pdf(&true), 0.03);
    assert_close(expected.ln_pdf(&true), prior.expected_ln(), 1e-14);
    assert_close(expected.ln_pdf(&false), prior.expected_ln_complement(), 1e-14);
    let prior = gamma(4.0, 2.0);
    let expected = GammaKnownShape::expected_density(&prior, &1.5).expect("fits");
    let mean = (0..draws)
        .map(|_| GammaKnownShape::draw(&prior, &1.5, &mut rng).expect("a rate").ln_pdf(&0.7))
        .sum::<f64>()
        / 4e4;
    assert_within(mean, expected.ln_pdf(&0.7), 0.03);
    let as_exponential = Exponential::expected_density(&prior, &()).expect("fits").ln_pdf(&0.7);
    assert_close(
        GammaKnownShape::expected_density(&prior, &1.0).expect("fits").ln_pdf(&0.7),
        as_exponential,
        1e-14,
    );
}

#[test]
fn priors_without_a_mode_have_no_most_probable_distribution() {
    assert_eq!(Bernoulli::most_probable(&beta(0.5, 0.5), &()), Ok(None));
    assert_eq!(Exponential::most_probable(&gamma(1.0, 2.0), &()), Ok(None));
    assert_eq!(Exponential::most_probable(&gamma(3.0, 2.0), &()), Exponential::new(1.0).map(Some));
    let distribution = GammaKnownShape::most_probable(&gamma(3.0, 2.0), &4.0).expect("fits").expect("exists");
    assert_eq!((distribution.gamma().shape(), distribution.gamma().rate()), (4.0, 1.0));
}
