//! Distributions of positive numbers and of directions: their tables and identities, one test each.

use posterior_dist::stream::stream;
use posterior_dist::{
    Beta, BetaPrime, ChiSquared, Density, Entropy, ExponentialFamily, FisherF, Gamma, GammaKnownShape,
    InverseGamma, InverseGaussian, KlDivergence, Lomax, Mode, Moments, Parametric, Pareto, Shape, Univariate,
    VonMises, Weibull,
};
use posterior_testkit::accuracy::{Worst, assert_close, assert_within};
use posterior_testkit::consistency::Continuous;
use posterior_testkit::reference::{distribution_cases, list, load, number, numbers, optional_number};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use posterior_testkit::{consistency, distribution_table};
use rand::distr::Distribution;

fn gamma(shape: f64, rate: f64) -> Gamma {
    Gamma::shape_rate(shape, rate).expect("positive")
}

fn beta(alpha: f64, beta: f64) -> Beta {
    Beta::new(alpha, beta).expect("positive")
}

fn make<D: Parametric>(parameters: &[f64]) -> D {
    D::from_parameters(parameters).expect("valid parameters")
}

/// The cases of a family in the table of divergences.
fn divergences<D: Parametric + KlDivergence>(family: &str, bound: f64) {
    let mut worst = Worst::of(family);
    for case in list(&load("distributions/kl_divergence")["families"][family]) {
        let [p, q] = ["p", "q"].map(|side| numbers(&case[side]));
        let divergence = make::<D>(&p).kl_divergence(&make(&q));
        worst.see(divergence, number(&case["kl"]), &(p, q));
    }
    worst.assert_at_most(bound);
}

/// Quantiles all over a distribution, where f64 can hold them apart.
fn spread(distribution: &impl Univariate) -> Vec<f64> {
    let mut points: Vec<f64> = [1e-3, 0.1, 0.4]
        .iter()
        .flat_map(|&p| [distribution.quantile(p), distribution.upper_quantile(p)])
        .collect();
    points.sort_by(f64::total_cmp);
    points
}

/// What every univariate distribution obeys, for one with these parameters.
fn obeys<D: Continuous>(parameters: &[f64]) -> D {
    let distribution: D = make(parameters);
    consistency::univariate(&distribution, &spread(&distribution));
    consistency::continuous(&distribution, &spread(&distribution), 11);
    distribution
}

/// What an exponential family obeys too.
fn family<D: Continuous + ExponentialFamily + KlDivergence>(
    parameters: &[f64],
    other: &[f64],
    tolerance: f64,
) {
    obeys::<D>(parameters);
    member::<D>(parameters, other, tolerance);
}

/// The same without integrals of the density, which leaves the range of f64 before a heavy tail does.
fn member<D: ExponentialFamily + Univariate + Parametric + KlDivergence + Density<Point = f64>>(
    parameters: &[f64],
    other: &[f64],
    tolerance: f64,
) {
    let (distribution, other) = (make::<D>(parameters), make::<D>(other));
    consistency::univariate(&distribution, &spread(&distribution));
    consistency::exponential_family(&distribution, &spread(&distribution), tolerance);
    consistency::kl_divergence::<_, f64>(&distribution, &other, None);
    consistency::bregman(&distribution, &other, 1e-12);
    consistency::stats::<D, f64>(&distribution.fixed(), &spread(&distribution));
}

#[test]
fn gamma_is_consistent() {
    distribution_table::continuous::<Gamma>("gamma").assert(1e-15);
    divergences::<Gamma>("gamma (shape, rate)", 2e-15);
    for parameters in [[1.0, 1.0], [0.3, 2.0], [7.5, 0.5], [40.0, 8.0]] {
        family::<Gamma>(&parameters, &[2.0, 3.0], 1e-10);
    }
    obeys::<Gamma>(&[1e4, 1e-5]);
    assert_close(gamma(3.0, 2.0).kl_divergence(&gamma(2.0, 1.0)), 0.1159315156584124, 1e-15);
    assert_close(gamma(3.0, 2.0).ln_pdf(&1.0), -0.6137056388801093, 1e-15);
    assert_eq!(gamma(3.0, 2.0).to_string(), "gamma(3, 2)");
}

#[test]
fn gamma_with_a_known_shape_is_consistent() {
    for shape in [0.3, 1.0, 20.0] {
        let distribution = GammaKnownShape::new(shape, 2.5).expect("positive");
        let other = GammaKnownShape::new(shape, 0.1).expect("positive");
        let points = spread(&distribution.gamma());
        consistency::exponential_family(&distribution, &points, 1e-12);
        consistency::kl_divergence::<_, f64>(&distribution, &other, None);
        consistency::bregman(&distribution, &other, 1e-12);
        consistency::stats::<GammaKnownShape, f64>(&shape, &points);
        assert_close(
            distribution.kl_divergence(&other),
            distribution.gamma().kl_divergence(&other.gamma()),
            1e-15,
        );
    }
    let one = GammaKnownShape::new(1.0, 2.5).expect("positive");
    assert_eq!(one.kl_divergence(&GammaKnownShape::new(2.0, 2.5).expect("positive")), f64::INFINITY);
}

#[test]
fn inverse_gamma_is_consistent() {
    distribution_table::continuous::<InverseGamma>("inverse_gamma").assert(1e-14);
    divergences::<InverseGamma>("inverse_gamma (shape, scale)", 2e-15);
    for parameters in [[2.5, 1.0], [7.5, 0.5], [40.0, 8.0]] {
        family::<InverseGamma>(&parameters, &[2.0, 3.0], 1e-11);
    }
    for parameters in [[1.0, 1.0], [0.3, 2.0]] {
        member::<InverseGamma>(&parameters, &[2.0, 3.0], 1e-11);
    }
}

#[test]
fn chi_squared_is_consistent() {
    distribution_table::continuous::<ChiSquared>("chi_squared").assert(1e-15);
    for degrees_of_freedom in [0.7, 2.0, 5.0, 300.0] {
        family::<ChiSquared>(&[degrees_of_freedom], &[3.0], 1e-11);
    }
}

#[test]
fn beta_is_consistent() {
    distribution_table::continuous::<Beta>("beta").assert(2e-15);
    divergences::<Beta>("beta (alpha, beta)", 4e-15);
    for parameters in [[1.0, 1.0], [0.3, 0.7], [7.0, 5.0], [40.0, 25.0], [0.1, 3.0]] {
        family::<Beta>(&parameters, &[2.0, 3.0], 1e-10);
    }
    // The other way round, of which f64 holds the distance to one only.
    let (distribution, mirrored) = (beta(3.0, 0.1), beta(0.1, 3.0));
    for p in [1e-300, 1e-9, 0.1, 0.5, 0.9] {
        let (x, rest) = distribution.upper_quantile_pair(p);
        let (other_rest, other_x) = mirrored.quantile_pair(p);
        assert_close(rest, other_rest, 4e-15);
        assert_close(x, other_x, 4e-15);
        assert_close(distribution.ln_pdf_pair(x, rest), mirrored.ln_pdf(&rest), 1e-14);
    }
}

#[test]
fn weibull_is_consistent() {
    // The skewness at k = 3.6 is next to its root: it is 6e-4, and 4e-15 off.
    distribution_table::continuous::<Weibull>("weibull").assert(1e-11);
    for (shape, expected) in [
        (0.5, [20.0, 6.6187612133993775014, 84.72]),
        (5.0, [0.044229977983117331117, -0.25410960370674752112, -0.11970993621779815824]),
        (12.0, [0.0094078849725881503779, -0.71074270808481793498, 0.7669738481809036178]),
        (17.0, [0.0049397034002564054157, -0.82476839246501864698, 1.1189915419115643175]),
        (100.0, [0.00016030491620026112608, -1.0810737598072662751, 2.1254458865886571023]),
        (1e4, [1.6445038762822376407e-8, -1.1389505609250348749, 2.3971097566600894297]),
    ] {
        let distribution: Weibull = make(&[shape, 1.0]);
        assert_close(distribution.variance().expect("exists"), expected[0], 2e-14);
        assert_close(distribution.skewness().expect("exists"), expected[1], 2e-13);
        assert_close(distribution.excess_kurtosis().expect("exists"), expected[2], 1e-12);
    }
    for parameters in [[0.5, 2.0], [1.0, 0.1], [3.6, 10.0], [50.0, 1.0]] {
        let distribution = obeys::<Weibull>(&parameters);
        consistency::kl_divergence::<_, f64>(&distribution, &make(&[2.0, 1.5]), None);
    }
    // Two exponential distributions.
    let divergence = make::<Weibull>(&[1.0, 2.0]).kl_divergence(&make(&[1.0, 5.0]));
    assert_close(divergence, 0.4 - 1.0 - 0.4_f64.ln(), 1e-15);
    // Between two shapes, by quadrature with mpmath at 30 digits.
    let divergence = make::<Weibull>(&[1.5, 2.0]).kl_divergence(&make(&[4.0, 3.0]));
    assert_close(divergence, WEIBULL_KL, 1e-14);
}

const WEIBULL_KL: f64 = 1.3955908781094908752;

#[test]
fn pareto_is_consistent() {
    distribution_table::continuous::<Pareto>("pareto").assert(1e-14);
    for parameters in [[3.5, 1.0], [12.0, 2.0], [40.0, 1e-3]] {
        family::<Pareto>(&parameters, &[3.0, parameters[1]], 1e-12);
    }
    for parameters in [[1.0, 1.0], [0.5, 2.0]] {
        member::<Pareto>(&parameters, &[3.0, parameters[1]], 1e-12);
    }
    let (low, high): (Pareto, Pareto) = (make(&[2.0, 1.0]), make(&[2.0, 2.0]));
    assert_eq!(low.kl_divergence(&high), f64::INFINITY);
    assert_close(high.kl_divergence(&low), 2.0 * 2_f64.ln(), 1e-15);
}

#[test]
fn lomax_is_consistent() {
    let distribution = obeys::<Lomax>(&[5.5, 3.0]);
    obeys::<Lomax>(&[0.7, 1e-3]);
    assert_close(distribution.mean().expect("exists"), 2.0 / 3.0, 1e-15);
    assert_close(distribution.variance().expect("exists"), 0.6984126984126984127, 1e-15);
    assert_close(distribution.skewness().expect("exists"), 4.1481649831308213376, 1e-15);
    assert_close(distribution.excess_kurtosis().expect("exists"), 47.018181818181818182, 1e-15);
    // One of the beta prime distributions.
    let same: BetaPrime = make(&[1.0, 5.5, 3.0]);
    assert_close(distribution.entropy(), same.entropy(), 1e-14);
    for x in [1e-9, 0.5, 40.0] {
        assert_within(distribution.ln_pdf(&x), same.ln_pdf(&x), 1e-14);
        assert_close(distribution.sf(x), same.sf(x), 1e-14);
        assert_close(distribution.cdf(x), same.cdf(x), 1e-14);
    }
}

/// Parameters, a point, and there the logarithm of the density and both tails, by mpmath at 40 digits.
type Golden<'a> = (&'a [f64], f64, [f64; 3]);

fn golden<D: Parametric + Univariate + Density<Point = f64>>(cases: &[Golden<'_>]) {
    for &(parameters, x, [ln_pdf, lower, upper]) in cases {
        let distribution: D = make(parameters);
        assert_within(distribution.ln_pdf(&x), ln_pdf, 1e-13);
        assert_close(distribution.cdf(x), lower, 1e-13);
        assert_close(distribution.sf(x), upper, 1e-13);
        assert_close(distribution.ln_cdf(x), lower.ln(), 1e-12_f64.max(1e-16 / upper));
        assert_close(distribution.ln_sf(x), upper.ln(), 1e-12_f64.max(1e-16 / lower));
        let back =
            if lower < upper { distribution.quantile(lower) } else { distribution.upper_quantile(upper) };
        assert_close(back, x, 1e-12);
    }
}

#[test]
fn beta_prime_is_consistent() {
    golden::<BetaPrime>(&[
        (&[2.0, 3.0, 1.5], 0.7, [-0.59765977164758973257, 0.38048545181340069957, 0.61951454818659930043]),
        (
            &[0.5, 4.0, 10.0],
            200.0,
            [-17.411190040836757532, 0.99999856640846382199, 1.4335915361780094415e-6],
        ),
        (&[30.0, 40.0, 2.0], 1.2, [-0.10559522105903878372, 0.18318765879527378574, 0.81681234120472621426]),
        (&[7.0, 0.3, 1.0], 1e5, [-15.494032787902226796, 0.93777997370327190371, 0.062220026296728096292]),
    ]);
    assert_close(make::<BetaPrime>(&[2.0, 3.0, 1.5]).entropy(), 1.3372251249868307, 1e-15);
    assert_close(make::<BetaPrime>(&[30.0, 40.0, 2.0]).entropy(), 0.40674639289275546, 1e-14);
    let distribution: BetaPrime = make(&[2.5, 6.0, 1.5]);
    let summaries = [
        distribution.mean(),
        distribution.variance(),
        distribution.skewness(),
        distribution.excess_kurtosis(),
        distribution.mode(),
    ];
    let expected = [0.75, 0.421875, 3.0792014356780040774, 24.333333333333333333, 2.25 / 7.0];
    for (summary, expected) in summaries.iter().zip(expected) {
        assert_close(summary.expect("exists"), expected, 1e-14);
    }
    for parameters in [[2.0, 3.0, 1.5], [0.4, 5.0, 1e-3], [30.0, 40.0, 2.0]] {
        obeys::<BetaPrime>(&parameters);
    }
}

#[test]
fn f_is_consistent() {
    golden::<FisherF>(&[
        (&[5.0, 2.0], 0.1, [-1.0278625075312598987, 0.017888543819998319557, 0.98211145618000168044]),
        (&[5.0, 2.0], 3.0, [-2.6352955776752404327, 0.73131729495238045996, 0.26868270504761954004]),
        (&[10.0, 30.0], 2.5, [-2.9800054131373721447, 0.97443799317544867454, 0.025562006824551325461]),
        (&[1.0, 1.0], 1000.0, [-11.507362304655689285, 0.97987502169635586918, 0.020124978303644130817]),
        (&[0.5, 7.0], 1e-6, [8.6996877697605230409, 0.02400415802021359787, 0.97599584197978640213]),
        (&[200.0, 300.0], 1.5, [-4.312165300006604422, 0.99925941693343587253, 0.00074058306656412747273]),
        (&[3.0, 80.0], 30.0, [-28.842653606627692896, 0.99999999999957371799, 4.2628201080722004428e-13]),
    ]);
    for parameters in [[5.0, 7.0], [1.0, 30.0], [200.0, 300.0]] {
        obeys::<FisherF>(&parameters);
    }
    assert_eq!(make::<FisherF>(&[3.0, 4.0]).mean(), Some(2.0));
}

#[test]
fn inverse_gaussian_is_consistent() {
    distribution_table::continuous::<InverseGaussian>("inverse_gaussian").assert(1e-14);
    for (parameters, x, upper, lower) in [
        ([1.0, 0.001], 50.0, 0.0026597318405936793706, 0.99734026815940632063),
        ([1.0, 1e-6], 0.5, 0.0011273802004439350565, 0.99887261979955606494),
        ([1.0, 1e-6], 100.0, 0.000078792524129369444702, 0.99992120747587063056),
        ([1e4, 1.0], 1000.0, 0.025129759699792499107, 0.97487024030020750089),
        ([1.0, 100.0], 9.0, 1.1446466085477600414e-157, 1.0),
        ([2.0, 1e4], 2.2, 7.4313312961983231161e-12, 0.9999999999925686687),
        ([1.0, 1e8], 1.0004, 0.000031771732326782405965, 0.99996822826767321759),
        ([1.0, 1e-12], 3.0, 4.6065786596290668839e-7, 0.99999953934213403709),
    ] {
        let distribution: InverseGaussian = make(&parameters);
        assert_close(distribution.sf(x), upper, 2e-13);
        assert_close(distribution.cdf(x), lower, 1e-15);
        assert_close(distribution.upper_quantile(upper), x, 1e-12);
    }
    for parameters in [[1.0, 1.0], [3.0, 0.2], [0.1, 50.0]] {
        family::<InverseGaussian>(&parameters, &[2.0, 3.0], 1e-11);
    }
}

#[test]
fn the_mean_resultant_length_is_a_continued_fraction() {
    // I₁(2) / I₀(2) = 1 / (1 + 1 / (2 + 1 / (3 + …))).
    let fraction = (1..=30_u32).rev().fold(0.0, |rest, k| (f64::from(k) + rest).recip());
    let distribution = VonMises::new(0.3, 2.0).expect("valid");
    assert_close(distribution.mean_resultant_length(), fraction, 1e-15);
}

#[test]
fn von_mises_agrees_with_its_table() {
    let names = ["ln_pdf", "tails", "quantiles", "summaries"];
    let mut worst = names.map(|name| Worst::of(&format!("von_mises, {name}")));
    for case in distribution_cases("von_mises") {
        let parameters = numbers(&case["params"]);
        let distribution: VonMises = make(&parameters);
        for (name, value) in [("entropy", Some(distribution.entropy())), ("mode", distribution.mode())]
            .into_iter()
            .chain([("circular_variance", Some(distribution.circular_variance()))])
        {
            if let Some(expected) = optional_number(&case[name]) {
                worst[3].see(value.unwrap_or(f64::NAN), expected, &(name, &parameters));
            }
        }
        for point in list(&case["points"]) {
            let x = number(&point["x"]);
            worst[0].see_conditioned(
                distribution.ln_pdf(&x),
                number(&point["logpdf"]),
                1.0,
                &(&parameters, x),
            );
            for (name, value) in [
                ("cdf", distribution.cdf(x)),
                ("sf", distribution.sf(x)),
                ("logcdf", distribution.ln_cdf(x)),
                ("logsf", distribution.ln_sf(x)),
            ] {
                worst[1].see(value, number(&point[name]), &(name, &parameters, x));
            }
        }
        for quantile in list(&case["quantiles"]) {
            let (p, x) = (number(&quantile["p"]), number(&quantile["x"]));
            // Relative to the arc, or where the quantile is next to zero to the mean direction.
            worst[2].see_conditioned(distribution.quantile(p), x, parameters[0].abs(), &(&parameters, p));
        }
    }
    for (worst, bound) in worst.iter().zip([1e-14, 1e-12, 1e-12, 1e-13]) {
        worst.assert_at_most(bound);
    }
}

#[test]
fn von_mises_is_consistent() {
    for (kappa, angle, tail) in [
        (0.01, -3.0, 0.022311129023594610851),
        (1.0, -1.5, 0.11897604848642194673),
        (5.0, -2.5, 0.000037037342467529905552),
        (50.0, -1.25, 7.9923910493952921833e-17),
        (500.0, -0.25, 1.2432247781203352754e-8),
        (1e4, -0.03125, 0.00088952779662505374192),
        (1e6, -0.001953125, 0.025402425495330788936),
        (20.0, -0.5, 0.013966253719102265937),
        (5.0, -0.001, 0.49913286419407084367),
    ] {
        let distribution: VonMises = make(&[0.0, kappa]);
        assert_close(distribution.cdf(angle), tail, 2e-14);
        assert_close(distribution.sf(-angle), tail, 2e-14);
        assert_close(distribution.quantile(tail), angle, 1e-12);
        assert_close(distribution.upper_quantile(tail), -angle, 1e-12);
    }
    for [mu, kappa] in [[0.3, 0.0], [0.5, 0.3], [-1.0, 4.0], [2.0, 300.0], [0.0, 1e7]] {
        let distribution: VonMises = make(&[mu, kappa]);
        assert_eq!(distribution.mean_direction(), mu);
        consistency::univariate(&distribution, &spread(&distribution));
        let mut rng = stream(5, &[]);
        let draws: Vec<f64> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
        let p_value = kolmogorov_smirnov_p_value(&draws, |x| distribution.cdf(x));
        assert!(p_value >= LEVEL, "{distribution}: p = {p_value:.1e}");
        for x in spread(&distribution) {
            let step = 1e-5 / kappa.max(1.0).sqrt();
            let slope = (distribution.ln_pdf(&(x + step)) - distribution.ln_pdf(&(x - step))) / (2.0 * step);
            let scale = kappa.max(1.0).sqrt();
            assert_within(distribution_gradient(&distribution, x) / scale, slope / scale, 1e-7);
        }
        if kappa > 0.0 && kappa < 1e6 {
            consistency::exponential_family(&distribution, &spread(&distribution), 1e-10);
            let other: VonMises = make(&[1.0, 2.0]);
            consistency::kl_divergence::<_, f64>(&distribution, &other, None);
            consistency::bregman(&distribution, &other, 1e-12);
            consistency::stats::<VonMises, f64>(&(), &spread(&distribution));
        }
    }
}

fn distribution_gradient(distribution: &VonMises, x: f64) -> f64 {
    use posterior_dist::PointGradient;
    distribution.point_gradient(&x)
}

#[test]
fn the_coin_of_the_book() {
    for (heads, tosses, variance, upper, interval) in [
        (6.0, 10.0, 35.0 / 1872.0, 0.7255859375, [0.30790472, 0.83251191]),
        (60.0, 100.0, 0.002333867108617671, 0.9769779665353, [0.50174408, 0.69069148]),
    ] {
        let distribution = beta(1.0 + heads, 1.0 + tosses - heads);
        assert_close(distribution.variance().expect("exists"), variance, 1e-14);
        assert_close(distribution.sf(0.5), upper, 1e-13);
        assert_within(distribution.quantile(0.025), interval[0], 5e-9);
        assert_within(distribution.upper_quantile(0.025), interval[1], 5e-9);
    }
    let distribution = beta(7.0, 5.0);
    assert_close(distribution.mean().expect("exists"), 7.0 / 12.0, 1e-15);
    assert_close(distribution.mode().expect("exists"), 0.6, 1e-15);
    assert_close(distribution.entropy(), -0.5795626880757183, 1e-14);
    assert_close(distribution.expected_ln(), -0.5698773448773453, 1e-15);
}

#[test]
fn tiny_shapes_are_drawn_through_logarithms() {
    let mut rng = stream(8, &[]);
    // P(X < 10⁻³⁰⁰) = 0.93 for a = 10⁻⁴: ln X is almost exponential with rate a.
    let distribution = gamma(1e-4, 1.0);
    let draws: Vec<f64> = (0..20_000).map(|_| distribution.sample_ln(&mut rng)).collect();
    let p_value = kolmogorov_smirnov_p_value(&draws, |ln_x| {
        if ln_x < -700.0 { (1e-4 * ln_x).exp() * (1.0 + 1e-4 * EULER) } else { distribution.cdf(ln_x.exp()) }
    });
    assert!(p_value >= LEVEL, "p = {p_value:.1e}");
    let small = (0..20_000).map(|_| distribution.sample(&mut rng)).filter(|&x| x > 0.0 && x < 1e-290).count();
    assert!(small > 50, "{small} draws between 0 and 1e-290");
    for parameters in
        [[1e-4, 1e-4], [5e-324, 5e-324], [1e-300, 1e-310], [1e-4, 50.0], [1e300, 1e300], [1e12, 1e12]]
    {
        let distribution = beta(parameters[0], parameters[1]);
        let draws: Vec<f64> = (0..2000).map(|_| distribution.sample(&mut rng)).collect();
        assert!(draws.iter().all(|x| (0.0..=1.0).contains(x)), "{distribution}");
        let (ln_x, ln_rest) = distribution.sample_ln(&mut rng);
        assert!(ln_x <= 0.0 && ln_rest <= 0.0, "{distribution}");
    }
    // At 10⁻⁴ half of the draws are next to each end.
    let distribution = beta(1e-4, 1e-4);
    let high = (0..20_000).filter(|_| distribution.sample(&mut rng) > 0.5).count();
    assert!((9_650..10_350).contains(&high), "{high} of 20000: five standard deviations are 354");
}

const EULER: f64 = 0.577_215_664_901_532_9;
