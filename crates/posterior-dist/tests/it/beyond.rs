//! Distributions of which a product, a quotient or an exponential is beyond f64 on the way to a number that
//! is in it. Reference values by mpmath 1.3 with 60 digits and more, from the leading terms where the rest is
//! below 1e-300.

use posterior_dist::stream::stream;
use posterior_dist::{
    Affine, Beta, BetaPrime, Cauchy, ChiSquared, Density, Entropy, FisherF, Frechet, Gamma, Gumbel,
    InverseGamma, InverseGaussian, Laplace, LogLogistic, Lomax, Mixture, Mode, NegativeBinomial, Normal,
    Pareto, Shape, StudentT, Truncated, Univariate, VonMises, Weibull,
};
use posterior_testkit::accuracy::assert_close;
use rand::distr::Distribution;

#[test]
fn small_shapes_put_probability_beyond_f64() {
    let gamma = Gamma::shape_rate(3.17e-7, 7.4e-7).expect("positive");
    assert_close(gamma.cdf(1e-323), 0.999_759_969_047_018_8, 1e-14);
    assert_close(gamma.sf(1e-323), 0.000_240_030_952_981_194_94, 1e-12);
    assert_close(gamma.ln_sf(1e-323), 0.000_240_030_952_981_194_94_f64.ln(), 1e-13);
    assert_eq!(gamma.quantile(0.5), 0.0);
    let inverse = InverseGamma::new(1e-5, 1e-200).expect("positive");
    assert_close(inverse.sf(1e300), 0.988_558_800_675_42, 1e-13);
    assert_close(inverse.cdf(1e300), 0.011_441_199_324_580_003, 1e-12);
    let f = FisherF::new(1e-4, 2e-4).expect("positive");
    assert_close(f.cdf(5e-324), 0.642_285_891_315_373_1, 1e-12);
    assert_close(f.sf(f64::MAX), 0.310_515_569_044_437_7, 1e-12);
    let prime = BetaPrime::new(0.01, 3.0, 1e200).expect("positive");
    assert_close(prime.cdf(1e-200), 0.000_101_505, 1e-12);
    assert_close(prime.quantile(1e-3), 2.245_207_302_496_674_3e-101, 1e-11);
    // Of the smallest number there is.
    let least = BetaPrime::new(5e-324, 2.0, 1.0).expect("positive");
    assert_close(least.ln_sf(1.0), -746.084_374_708_510_4, 1e-13);
    let chi_squared = ChiSquared::new(2.554_008_356_763_567_8e-92).expect("positive");
    assert_close(chi_squared.ln_sf(6.143_995_234_786_692e233), -3.071_997_617_393_346e233, 1e-15);
}

#[test]
fn draws_are_where_the_probability_is() {
    let mut rng = stream(1, &[]);
    let large = BetaPrime::new(3.6e9, 4.4e-296, 2.2e-214).expect("positive");
    assert_close(large.sf(f64::MAX), 1.0, 1e-15);
    assert_eq!(large.sample(&mut rng), f64::INFINITY);
    let inverse = InverseGamma::new(4.1e111, 4.1e-198).expect("positive");
    assert_close(inverse.sample(&mut rng), 1e-309, 1e-13);
    // A relative width of 1e-41.
    let beta = Beta::new(2e82, 8e286).expect("positive");
    assert_close(beta.sample(&mut rng), 2.5e-205, 1e-15);
    let waiting = InverseGaussian::new(3.6e205, 1.3e-208).expect("positive");
    assert_close(waiting.mode().expect("exists"), 1.3e-208 / 3.0, 1e-15);
    assert!((0..100).all(|_| Distribution::<f64>::sample(&waiting, &mut rng) > 0.0));
}

#[test]
fn scales_of_any_size_leave_their_digits_to_the_quantiles() {
    let frechet = Frechet::new(3.6e9, 4.39e-296).expect("positive");
    assert_close(frechet.quantile(0.15), 4.389_999_999_219_144_4e-296, 1e-15);
    assert_close(frechet.cdf(frechet.quantile(0.15)), 0.15, 1e-6);
    let log_logistic = LogLogistic::new(3.6e9, 4.39e-296).expect("positive");
    assert_close(log_logistic.quantile(0.15), 4.389_999_997_884_750_1e-296, 1e-15);
    let lomax = Lomax::new(1e17, 4.846_643_686_896_794_5e196).expect("positive");
    assert_close(lomax.quantile(2.569_428_353_051_016_3e-305), 1.245_310_370_624_833_6e-125, 1e-13);
    let weibull = Weibull::new(0.005_968_741_326_061_669_5, 1.371_995_178_901_512e-189).expect("positive");
    assert_close(weibull.upper_quantile(6.577_439_406_923_241e-62), 1.421_605_813_081_427_7e171, 1e-12);
    let pareto = Pareto::new(0.004_608_007_690_885_933_4, 1.896_038_172_955_237e-278).expect("positive");
    assert_close(pareto.quantile(0.985_405_001_319_920_9), 4.681_642_892_730_136_4e120, 1e-12);
    let waiting = InverseGaussian::new(1.567_737_464_119_798e290, 2.0).expect("positive");
    assert_close(waiting.upper_quantile(1.412_214_403_239_627e-141), 6.384_234_716_676_555e281, 1e-11);
    let student = StudentT::standard(5.672_338_601_372_126).expect("positive");
    assert_close(student.upper_quantile(6.431_826_573_246_43e-276), 5.641_566_802_416_632e48, 1e-13);
}

#[test]
fn differences_beyond_the_largest_number() {
    let normal = Normal::mean_sd(-f64::MAX, f64::MAX).expect("finite");
    assert_close(normal.sf(f64::MAX), Normal::STANDARD.sf(2.0), 1e-15);
    assert_close(normal.quantile(Normal::STANDARD.cdf(1.5)), 0.5 * f64::MAX, 1e-14);
    let mirrored = Affine::new(Normal::STANDARD, f64::MAX, -f64::MAX).expect("finite");
    assert_close(mirrored.cdf(-f64::MAX), Normal::STANDARD.sf(2.0), 1e-15);
    let cauchy = Cauchy::new(-5_046_048.930_520_853, 8.004_477_129_403_858e-147).expect("finite");
    assert_close(cauchy.ln_cdf(-1.519_940_726_415_410_3e188), -770.849_406_350_858_6, 1e-15);
    let angle = VonMises::new(0.0, 5.334_512_140_652_349e46).expect("finite");
    assert_close(angle.ln_cdf(-0.1), -2.665_034_097_706_410_7e44, 1e-15);
    // z² is 1e600: the normal distribution that a t distribution with so many degrees of freedom is.
    let many = StudentT::new(f64::MAX, 0.0, 1e16).expect("positive");
    assert_close(many.cdf(-1e6), Normal::mean_sd(0.0, 1e16).expect("positive").cdf(-1e6), 1e-15);
}

#[test]
fn digits_of_large_parameters() {
    let beta = Beta::new(3.943_565_907_670_521_8e31, 1.488_425_884_202_327e38).expect("positive");
    assert_close(beta.ln_pdf(&2.649_486_887_243_529e-7), -224.104_206_607_515_44, 1e-13);
    let counts = NegativeBinomial::new(0.026, 5e-324).expect("valid");
    assert_close(counts.entropy(), 710.118_408_662_825_5, 1e-14);
    // Of a variance whose square f64 cannot hold: for weight w at a distance d, the kurtosis is 1/w.
    let far = Normal::mean_sd(300.0, 1.0).expect("positive");
    let near = Normal::mean_sd(0.0, 1e-97).expect("positive");
    let mixture = Mixture::from_weights(&[1e-167, 1.0], vec![far, near]).expect("positive");
    let (d, w) = (300.0_f64, 1e-167_f64);
    let (second, third, fourth) = (d * d + 1.0, d * (d * d + 3.0), d.powi(4) + 6.0 * d * d + 3.0);
    assert_close(mixture.skewness().expect("exists"), third / second.powf(1.5) / w.sqrt(), 1e-13);
    assert_close(mixture.excess_kurtosis().expect("exists"), fourth / second.powi(2) / w, 1e-13);
}

#[test]
fn small_probabilities_next_to_an_end_of_a_truncation_keep_their_digits() {
    let gumbel = Gumbel::new(-7.498_754_365_668_17e-12, 1.795_741_355_823_008_9).expect("positive");
    let distribution =
        Truncated::new(gumbel, -2.838_403_096_963_759_5e-142, 0.267_699_738_796_795_76).expect("possible");
    assert_close(distribution.quantile(5.745_906_914_749_953_5e-8), 1.532_704_158_886_689e-8, 1e-13);
    assert_close(distribution.cdf(1.532_704_158_886_689e-8), 5.745_906_914_749_953_5e-8, 1e-13);
    // Across the kink of a density.
    let laplace = Laplace::new(7.768_254_343_852_633e-8, 1.0).expect("positive");
    let narrow =
        Truncated::new(laplace, -8.745_004_029_164_548e-14, 0.000_042_211_738_944_811_054).expect("possible");
    assert_close(narrow.cdf(7.026_270_005_452_033e-6), 0.166_455_916_312_426_9, 1e-13);
    assert_close(narrow.sf(7.026_270_005_452_033e-6), 0.833_544_083_687_573_1, 1e-13);
    // Where the target of the quantile is beyond f64: chi-squared, far out.
    let tail =
        Truncated::new(ChiSquared::new(5.0).expect("positive"), 965.0, f64::INFINITY).expect("possible");
    let x = tail.upper_quantile(1e-223);
    assert_close(tail.ln_sf(x), 1e-223_f64.ln(), 1e-12);
    assert!((1990.0..2000.0).contains(&x), "{x}");
}
