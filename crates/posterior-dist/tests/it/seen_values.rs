//! Distributions of values that were seen: empirical, and smooth.

use posterior_dist::stream::stream;
use posterior_dist::{
    Bandwidth, Beta, Density, Empirical, Entropy, KernelDensity, Mode, Moments, QuantileType, Shape,
    Univariate,
};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;
use rand::distr::Distribution;

const VALUES: [f64; 8] = [8.0, 3.0, 42.0, 1.0, 15.0, 4.0, 16.0, 23.0];

#[test]
fn an_empirical_distribution_is_one() {
    let own = Empirical::weighted(&[2.0, -1.0, 2.0, 7.0, 9.0], &[1.0, 0.5, 2.0, 0.5, 0.0]).expect("weights");
    let points: Vec<(f64, f64)> = own.points().iter().map(|&x| (x, x)).collect();
    consistency::masses(&own, &points);
    consistency::univariate(&own, &[-3.0, -1.0, 0.0, 2.0, 3.0, 7.0, 9.0]);
    assert_eq!(own.points(), [-1.0, 2.0, 7.0]);
    assert_eq!(own.probabilities().collect::<Vec<_>>(), [0.125, 0.75, 0.125]);
    assert_eq!((own.mean(), own.mode()), (Some(2.25), Some(2.0)));
    assert_close(
        own.variance().expect("finite"),
        0.125 * (3.25_f64.powi(2) + 4.75_f64.powi(2)) + 0.75 / 16.0,
        1e-15,
    );
    assert_close(own.entropy(), 0.25 * 8_f64.ln() - 0.75 * 0.75_f64.ln(), 1e-15);
    assert!(own.skewness().is_some_and(|own| own > 0.0) && own.excess_kurtosis().is_some());
    assert_eq!(own.ln_pdf(&3.0), f64::NEG_INFINITY);
    assert_eq!(Empirical::new(&[-0.0, 0.0]).map(|own| own.ln_pdf(&-0.0)), Ok(0.0));
    let mut rng = stream(8, &[]);
    let draws = 40_000;
    let twos = (0..draws).filter(|_| own.sample(&mut rng) == 2.0).count() as f64 / f64::from(draws);
    assert_within(twos, 0.75, 4.9 * (0.75 * 0.25 / f64::from(draws)).sqrt());
}

/// NumPy 2.4, whose methods are these.
#[test]
fn quantiles_are_those_of_all_nine_definitions() {
    use QuantileType::{
        AveragedInverse, Hazen, InterpolatedInverse, Inverse, Linear, MedianUnbiased, Nearest,
        NormalUnbiased, Weibull,
    };
    let all = [
        Inverse,
        AveragedInverse,
        Nearest,
        InterpolatedInverse,
        Hazen,
        Weibull,
        Linear,
        MedianUnbiased,
        NormalUnbiased,
    ];
    let table = [
        (0.37, [4.0, 4.0, 4.0, 3.96, 5.84, 5.32, 6.36, 5.666_666_666_666_667, 5.71]),
        (0.25, [3.0, 3.5, 3.0, 3.0, 3.5, 3.25, 3.75, 3.416_666_666_666_667, 3.4375]),
        (0.9375, [42.0, 42.0, 42.0, 32.5, 42.0, 42.0, 33.6875, 42.0, 42.0]),
    ];
    let own = Empirical::new(&VALUES).expect("finite");
    for (p, quantiles) in table {
        for (definition, quantile) in all.into_iter().zip(quantiles) {
            assert_close(own.quantile_of_type(p, definition).expect("a probability"), quantile, 1e-14);
        }
    }
    for definition in all {
        let ends = [0.0, 1.0].map(|p| own.quantile_of_type(p, definition).expect("a probability"));
        assert_eq!(ends, [1.0, 42.0], "{definition:?}");
    }
    let weighted = Empirical::weighted(&[1.0, 2.0], &[1.0, 1.0]).expect("weights");
    assert_eq!(weighted.quantile_of_type(0.5, AveragedInverse), Ok(1.5));
    assert_eq!(weighted.quantile_of_type(0.5, Inverse), Ok(1.0));
    assert!(weighted.quantile_of_type(0.5, Linear).is_err() && weighted.band(0.9).is_err());
    assert!(own.quantile_of_type(1.5, Linear).is_err());
}

/// At least the level, and with Massart's constant not much more.
#[test]
fn the_band_holds_the_whole_distribution_function_as_often_as_it_says() {
    let beta = Beta::new(0.5, 3.0).expect("positive");
    let mut rng = stream(31, &[]);
    for (n, level) in [(5, 0.8), (40, 0.5), (40, 0.95)] {
        let repetitions = 4000;
        let holds = (0..repetitions).filter(|_| {
            let values: Vec<f64> = (0..n).map(|_| beta.sample(&mut rng)).collect();
            let own = Empirical::new(&values).expect("finite");
            let epsilon = own.band(level).expect("a level");
            own.points().iter().all(|&x| {
                let below = own.cdf(x.next_down());
                (own.cdf(x) - beta.cdf(x)).abs() <= epsilon && (beta.cdf(x) - below).abs() <= epsilon
            })
        });
        let held = holds.count() as f64 / f64::from(repetitions);
        let error = 4.9 * (level * (1.0 - level) / f64::from(repetitions)).sqrt();
        assert!(held > level - error && held < level + 0.12 + error, "{held} of {level} with {n}");
    }
}

#[test]
fn what_is_no_sample_is_refused() {
    assert!(Empirical::new(&[]).is_err());
    assert_eq!(Empirical::new(&[0.0, f64::INFINITY]).map_err(|own| own.index()), Err(Some(1)));
    for weights in [&[1.0][..], &[1.0, -1.0], &[0.0, 0.0], &[1.0, f64::NAN]] {
        assert!(Empirical::weighted(&[1.0, 2.0], weights).is_err());
    }
    for bandwidth in [Bandwidth::Width(0.0), Bandwidth::Width(f64::NAN)] {
        assert!(KernelDensity::new(&VALUES, bandwidth).is_err());
    }
    for bandwidth in [Bandwidth::Silverman, Bandwidth::SheatherJones] {
        assert!(KernelDensity::new(&[2.0; 5], bandwidth).is_err(), "{bandwidth:?}");
        assert!(KernelDensity::new(&[2.0], bandwidth).is_err());
    }
    let density = KernelDensity::new(&VALUES, Bandwidth::Silverman).expect("values");
    assert!(density.reflected(0.0, 30.0).is_err() && density.reflected(50.0, 1.0).is_err());
    assert!(density.reflected(f64::NEG_INFINITY, f64::INFINITY).is_err());
}

#[test]
fn a_kernel_density_is_a_distribution() {
    let values = [1.0, 1.5, 2.5, 4.0];
    let own = KernelDensity::new(&values, Bandwidth::Width(0.5)).expect("positive");
    // SciPy's gaussian_kde.
    assert_close(own.ln_pdf(&2.0).exp(), 0.269_033_122_888_619_82, 1e-14);
    consistency::line(&own, &[-1.0, 0.5, 1.2, 2.0, 3.3, 6.0], 5);
    consistency::mean_and_variance(&own, &[1.0, 2.5, 4.0]);
    // Reflected at 0: all of it is there, and the slope at the end is 0.
    let positive = own.reflected(0.0, f64::INFINITY).expect("values above 0");
    let mass = |from: f64, to: f64| {
        let density = |x: f64| positive.ln_pdf(&x).exp();
        gauss_kronrod_pieces(density, &[from, 2.0, to], &QuadratureOptions::default()).value
    };
    assert_close(mass(0.0, 20.0), 1.0, 1e-12);
    assert_close(mass(0.0, 3.0), positive.cdf(3.0), 1e-11);
    let height = |x: f64| own.ln_pdf(&x).exp() + own.ln_pdf(&-x).exp();
    assert_close(positive.ln_pdf(&0.3).exp(), height(0.3), 1e-13);
    let both = own.reflected(0.5, 4.2).expect("values between");
    let inside = |x: f64| both.ln_pdf(&x).exp();
    let all = gauss_kronrod_pieces(inside, &[0.5, 2.0, 4.2], &QuadratureOptions::default()).value;
    assert_close(all, 1.0, 1e-11);
}

/// The formulas with all pairs in NumPy and SciPy's `brentq`.
#[test]
fn widths_are_those_of_the_rules() {
    let two_heaps: Vec<f64> = (0..60)
        .map(f64::from)
        .map(|i| if i % 2.0 == 0.0 { i.sin() } else { 6.0 + 0.5 * (2.0 * i).cos() })
        .collect();
    let width =
        |values: &[f64], rule: Bandwidth| KernelDensity::new(values, rule).expect("values").bandwidth();
    assert_close(width(&two_heaps, Bandwidth::SheatherJones), 0.377_838_697_223_936_3, 1e-10);
    assert_close(width(&two_heaps, Bandwidth::Silverman), 1.217_073_950_419_84, 1e-12);
    // Minutes of 40 eruptions of Old Faithful.
    let eruptions = [
        3.6, 1.8, 3.333, 2.283, 4.533, 2.883, 4.7, 3.6, 1.95, 4.35, 1.833, 3.917, 4.2, 1.75, 4.7, 2.167,
        1.75, 4.8, 1.6, 4.25, 1.8, 1.75, 3.45, 3.067, 4.533, 3.6, 1.967, 4.083, 3.85, 4.433, 4.3, 4.467,
        3.367, 4.033, 3.833, 2.017, 1.867, 4.833, 1.833, 4.783,
    ];
    assert_close(width(&eruptions, Bandwidth::SheatherJones), 0.246_528_138_523_754_13, 1e-10);
    assert_close(width(&eruptions, Bandwidth::Silverman), 0.493_976_515_439_766, 1e-12);
    // With units, and where values are counted in bins.
    let scaled = eruptions.map(|x| 1e-9 * x);
    assert_close(width(&scaled, Bandwidth::SheatherJones), 0.246_528_138_523_754_13e-9, 1e-9);
    let many: Vec<f64> = (0..2500).map(|i| two_heaps[i % 60] + 0.3 * (i as f64).sqrt().sin()).collect();
    let (all, binned) =
        (width(&many[..2000], Bandwidth::SheatherJones), width(&many, Bandwidth::SheatherJones));
    let shrunk = (2500.0_f64 / 2000.0).powf(-0.2);
    assert!((binned / (all * shrunk) - 1.0).abs() < 0.03, "{binned} {all}");
}
