//! Conjugate updates against Bayes' rule on the line, by quadrature; expectations against averages of draws.

use posterior_dist::{
    Bernoulli, Beta, Binomial, Categorical, Conjugate, Density, Dirichlet, Exponential, Gamma, Geometric,
    InverseGamma, InverseGaussian, LogNormal, Normal, NormalKnownMean, NormalKnownVariance, Pareto, Poisson,
    Stats, Univariate, VonMises,
};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use posterior_testkit::accuracy::assert_close;
use posterior_testkit::consistency::expectation_is_the_average;

/// The posterior is prior times likelihood over their integral, and the evidence is the integral.
#[track_caller]
fn bayes<F, P>(prior: &P, data: &Stats<F>, ln_likelihood: impl Fn(f64) -> f64)
where
    F: Conjugate<P>,
    P: Density<Point = f64> + Univariate,
{
    let posterior = F::posterior(prior, data).expect("fits");
    let ln_evidence = F::ln_evidence(prior, data).expect("fits");
    let joint = |x: f64| (prior.ln_pdf(&x) + ln_likelihood(x) - ln_evidence).exp();
    let cuts = [0.0, 1e-9, 1e-3, 0.2, 0.5, 0.8, 0.999, 1.0 - 1e-9, 1.0].map(|p| posterior.quantile(p));
    let integral = gauss_kronrod_pieces(joint, &cuts, &QuadratureOptions::default());
    assert_close(integral.value, 1.0, 1e-9);
    for p in [0.01, 0.3, 0.5, 0.9] {
        let x = posterior.quantile(p);
        assert_close(posterior.ln_pdf(&x).exp(), joint(x), 1e-11);
    }
}

#[test]
fn conjugate_posteriors_are_bayes_rule() {
    let beta = Beta::new(1.5, 2.5).expect("positive");
    let tosses = [true, false, true, true];
    let data = Stats::<Bernoulli>::of((), &tosses).expect("trials");
    bayes(&beta, &data, |p| 3.0 * p.ln() + (-p).ln_1p());

    let data = Stats::<Binomial>::of(5, &[2, 4]).expect("counts");
    bayes(&beta, &data, |p| {
        let distribution = Binomial::new(5, p).expect("a probability");
        distribution.ln_pdf(&2) + distribution.ln_pdf(&4)
    });

    let data = Stats::<Geometric>::of((), &[3, 0, 7]).expect("counts");
    bayes(&beta, &data, |p| {
        let distribution = Geometric::new(p).expect("a probability");
        distribution.ln_pdf(&3) + distribution.ln_pdf(&0) + distribution.ln_pdf(&7)
    });

    let gamma = Gamma::shape_rate(2.0, 1.0).expect("positive");
    let data = Stats::<Poisson>::of((), &[3, 4, 2]).expect("counts");
    bayes(&gamma, &data, |rate| {
        let distribution = Poisson::new(rate).expect("positive");
        [3, 4, 2].iter().map(|k| distribution.ln_pdf(k)).sum()
    });

    let waits = [0.3, 2.0, 0.1];
    let data = Stats::<Exponential>::of((), &waits).expect("waits");
    bayes(&gamma, &data, |rate| {
        let distribution = Exponential::new(rate).expect("positive");
        waits.iter().map(|x| distribution.ln_pdf(x)).sum()
    });

    let points = [1.2, 0.7, 2.1, 1.6];
    let data = Stats::<NormalKnownVariance>::of(0.5, &points).expect("points");
    bayes(&Normal::mean_sd(0.0, 2.0).expect("positive"), &data, |mean| {
        let distribution = Normal::mean_variance(mean, 0.5).expect("positive");
        points.iter().map(|x| distribution.ln_pdf(x)).sum()
    });

    let data = Stats::<NormalKnownMean>::of(1.0, &points).expect("points");
    bayes(&InverseGamma::new(2.0, 1.0).expect("positive"), &data, |variance| {
        let distribution = Normal::mean_variance(1.0, variance).expect("positive");
        points.iter().map(|x| distribution.ln_pdf(x)).sum()
    });
    bayes(&gamma, &data, |precision| {
        let distribution = Normal::mean_precision(1.0, precision).expect("positive");
        points.iter().map(|x| distribution.ln_pdf(x)).sum()
    });
}

#[test]
fn expectations_are_averages_of_draws() {
    let valid = "valid parameters";
    expectation_is_the_average::<_, bool>(&Bernoulli::new(0.3).expect(valid), 1);
    expectation_is_the_average::<_, usize>(&Categorical::from_weights(&[1.0, 2.0, 0.5]).expect(valid), 2);
    expectation_is_the_average::<_, u64>(&Binomial::new(20, 0.7).expect(valid), 3);
    expectation_is_the_average::<_, u64>(&Poisson::new(4.2).expect(valid), 4);
    expectation_is_the_average::<_, u64>(&Geometric::new(0.2).expect(valid), 5);
    expectation_is_the_average::<_, f64>(&Exponential::new(0.7).expect(valid), 6);
    expectation_is_the_average::<_, f64>(&Normal::mean_sd(-1.0, 2.0).expect(valid), 7);
    expectation_is_the_average::<_, f64>(&LogNormal::new(0.3, 0.5).expect(valid), 8);
    expectation_is_the_average::<_, f64>(&Gamma::shape_rate(0.4, 2.0).expect(valid), 9);
    expectation_is_the_average::<_, f64>(&InverseGamma::new(3.0, 2.0).expect(valid), 10);
    expectation_is_the_average::<_, f64>(&Beta::new(0.5, 2.0).expect(valid), 11);
    expectation_is_the_average::<_, f64>(&Pareto::new(3.0, 2.0).expect(valid), 12);
    expectation_is_the_average::<_, f64>(&InverseGaussian::new(1.0, 3.0).expect(valid), 13);
    expectation_is_the_average::<_, f64>(&VonMises::new(0.5, 2.0).expect(valid), 14);
    expectation_is_the_average::<_, Vec<f64>>(&Dirichlet::new(&[0.5, 2.0, 1.0]).expect(valid), 15);
}
