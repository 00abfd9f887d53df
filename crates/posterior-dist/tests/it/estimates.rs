//! Fitted distributions: maxima to 9 digits of a computation with 40, closed forms, and intervals that hold.

use posterior_dist::fit::{
    Estimable, EstimableFamily, FAMILIES, FitError, FitOptions, Observation, ParameterFit, Sample, fit,
};
use posterior_dist::rand::distr::Distribution;
use posterior_dist::stream::stream;
use posterior_dist::text::Coordinate;
use posterior_dist::{
    Beta, BetaBinomial, BetaPrime, Binomial, Cauchy, ChiSquared, Density, Exponential, FisherF, Frechet,
    Gamma, GeneralizedExtremeValue, GeneralizedGamma, GeneralizedPareto, Geometric, Gumbel, HalfCauchy,
    HalfNormal, HalfStudentT, InverseGamma, InverseGaussian, Kumaraswamy, Laplace, LogLogistic, LogNormal,
    Logistic, LogitNormal, Lomax, NegativeBinomial, Normal, Parametric, Pareto, Poisson, Rayleigh, Skellam,
    SkewNormal, StudentT, Triangular, Uniform, VonMises, Weibull, Zeta, Zipf,
};
use posterior_testkit::accuracy::assert_within;

use Observation::{Above, At, AtMost, Within};

/// Millions of turns until 23 ball bearings failed (J. Lieblein, M. Zelen, 1956).
const BEARINGS: [f64; 23] = [
    17.88, 28.92, 33.0, 41.52, 42.12, 45.6, 48.48, 51.84, 51.96, 54.12, 55.56, 67.8, 68.64, 68.64, 68.88,
    84.12, 93.12, 98.64, 105.12, 105.84, 127.92, 128.04, 173.4,
];

/// Weeks of remission with 6-MP (E. Freireich and others, 1963), and the weeks after which nothing more was
/// seen.
const REMISSIONS: [f64; 9] = [6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0];
const STILL: [f64; 12] = [6.0, 9.0, 10.0, 11.0, 17.0, 19.0, 20.0, 25.0, 32.0, 32.0, 34.0, 35.0];

/// Differences of heights of crossed and self-fertilised maize, eighths of an inch (C. Darwin, 1876).
const MAIZE: [f64; 15] =
    [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];

fn remissions() -> Sample {
    Sample::new(REMISSIONS.map(At).into_iter().chain(STILL.map(Above)).collect()).expect("finite")
}

fn counted(counts: &[(f64, f64)]) -> Sample {
    let (values, weights): (Vec<f64>, Vec<f64>) = counts.iter().copied().unzip();
    Sample::of(&values).and_then(|own| own.with_weights(&weights)).expect("counts")
}

/// Values, standard errors and the log-likelihood of a fit.
#[track_caller]
fn found<D: Estimable>(sample: &Sample, options: &FitOptions, expected: &[(f64, f64)], ln_likelihood: f64) {
    let fitted = fit::<D>(sample, options).expect("a maximum");
    let estimated: Vec<ParameterFit> =
        fitted.parameters(0.95).expect("a level").into_iter().filter(|own| own.interval.is_some()).collect();
    assert_eq!(estimated.len(), expected.len());
    for (own, &(value, standard_error)) in estimated.iter().zip(expected) {
        assert_within(own.value, value, 1e-9 * value.abs());
        assert_within(own.standard_error.expect("estimated"), standard_error, 1e-7 * standard_error);
        let (low, high) = own.interval.expect("estimated");
        assert!(low < value && value < high, "{low} {value} {high}");
    }
    assert_within(fitted.ln_likelihood, ln_likelihood, 1e-12 * ln_likelihood.abs());
}

/// By Newton's method with 40 digits (mpmath); the first two as in J. Lawless, Statistical Models and Methods
/// for Lifetime Data.
#[test]
fn maxima_are_those_of_forty_digits() {
    let none = FitOptions::default();
    let bearings = Sample::of(&BEARINGS).unwrap();
    let weibull =
        [(2.102_058_875_194_62, 0.328_687_012_966_712), (81.878_334_051_631_5, 8.600_445_730_496_5)];
    found::<Weibull>(&bearings, &none, &weibull, -113.691_290_932_32);
    let gamma =
        [(4.025_414_617_929_49, 1.141_255_382_668_56), (0.055_734_869_737_038_1, 0.016_829_741_758_665_9)];
    found::<Gamma>(&bearings, &none, &gamma, -113.029_281_372_169);
    let censored =
        [(1.353_734_523_826_22, 0.376_876_826_903_775), (33.765_150_967_635, 9.230_342_926_145_68)];
    found::<Weibull>(&remissions(), &none, &censored, -41.658_678_476_881_5);
    let student = [
        (2.500_909_733_913_23, 2.186_529_074_581_96),
        (26.839_778_721_206_2, 7.251_786_706_849_24),
        (22.695_079_642_541_8, 9.020_584_529_247_74),
    ];
    found::<StudentT>(&Sample::of(&MAIZE).unwrap(), &none, &student, -74.546_180_502_923_4);
    // Groups of people by size: a group of none is not seen (J. James, 1953).
    let groups = [(1.0, 1486.0), (2.0, 694.0), (3.0, 195.0), (4.0, 37.0), (5.0, 10.0), (6.0, 1.0)];
    let groups = counted(&groups).seen_within(1.0, f64::INFINITY).unwrap();
    found::<Poisson>(
        &groups,
        &none,
        &[(0.892_496_055_280_425, 0.023_898_857_640_227_2)],
        -2_304.658_642_078_67,
    );
    // Mites on apple leaves (C. Bliss, R. Fisher, 1953).
    let mites =
        [(0.0, 70.0), (1.0, 38.0), (2.0, 17.0), (3.0, 10.0), (4.0, 9.0), (5.0, 3.0), (6.0, 2.0), (7.0, 1.0)];
    let expected =
        [(1.024_592_386_792_13, 0.275_907_292_384_423), (0.471_888_596_231_74, 0.072_585_941_081_322_5)];
    found::<NegativeBinomial>(&counted(&mites), &none, &expected, -222.437_153_598_435);
    let bins = vec![AtMost(60.0), Within(60.0, 63.0), Within(63.0, 66.0), Within(66.0, 69.0), Above(69.0)];
    let bins = Sample::new(bins).and_then(|own| own.with_weights(&[5.0, 18.0, 42.0, 27.0, 8.0])).unwrap();
    let expected =
        [(64.961_768_492_539_3, 0.301_929_678_376_767), (2.874_735_562_953_69, 0.238_279_979_745_069)];
    found::<Normal>(&bins, &none, &expected, -138.170_889_378_51);
    let tens = [
        (0.0, 5.0),
        (1.0, 4.0),
        (2.0, 6.0),
        (3.0, 3.0),
        (4.0, 5.0),
        (5.0, 2.0),
        (6.0, 3.0),
        (7.0, 1.0),
        (8.0, 2.0),
        (10.0, 1.0),
    ];
    let expected =
        [(1.088_695_031_328_67, 0.389_998_727_385_398), (2.174_542_191_543_21, 0.820_165_180_185_333)];
    let ten = FitOptions::default().with_known("trials", 10.0);
    found::<BetaBinomial>(&counted(&tens), &ten, &expected, -71.693_253_289_118_4);
    let positive = [0.1, 0.3, 0.4, 0.9, 1.2, 1.6, 1.7, 2.0, 2.3, 2.4, 3.1, 3.3, 4.0];
    let positive = Sample::of(&positive).and_then(|own| own.seen_within(0.0, f64::INFINITY)).unwrap();
    let expected =
        [(1.197_552_195_966_86, 0.954_040_843_276_512), (1.559_265_947_464_04, 0.594_040_079_103_881)];
    found::<Normal>(&positive, &none, &expected, -19.066_200_910_987_4);
}

#[test]
fn closed_forms_are_met() {
    let none = FitOptions::default();
    let total: f64 = REMISSIONS.iter().chain(&STILL).sum();
    let rate = 9.0 / total;
    found::<Exponential>(&remissions(), &none, &[(rate, rate / 3.0)], 9.0 * rate.ln() - 9.0);
    // A prior of a rate: the mode of its posterior distribution.
    let prior = FitOptions::default().with_prior("rate", Gamma::shape_rate(2.0, 30.0).unwrap());
    let sample = remissions();
    let most = fit::<Exponential>(&sample, &prior).unwrap();
    assert_within(most.distribution.rate(), 10.0 / (total + 30.0), 1e-12);
    // Large and far numbers: the scale of the data is that of the search.
    for (at, unit) in [(0.0, 1.0), (1e6, 1e-3), (-3e9, 1e3), (0.0, 1e-200), (0.0, 1e200)] {
        let values = MAIZE.map(|x| at + unit * x);
        let n = 15.0;
        let mean = values.iter().sum::<f64>() / n;
        let sd = unit * (values.iter().map(|x| ((x - mean) / unit).powi(2)).sum::<f64>() / n).sqrt();
        let sample = Sample::of(&values).unwrap();
        let fitted = fit::<Normal>(&sample, &none).unwrap();
        let [own_mean, own_sd] = fitted.parameters(0.95).unwrap()[..] else { unreachable!("two") };
        assert_within(own_mean.value, mean, 1e-9 * sd);
        assert_within(own_sd.value, sd, 1e-9 * sd);
        assert_within(own_mean.standard_error.unwrap(), sd / n.sqrt(), 1e-7 * sd);
        assert_within(own_sd.standard_error.unwrap(), sd / (2.0 * n).sqrt(), 1e-7 * sd);
        // Student's interval: 14 degrees of freedom, 2.1448.
        let (low, high) = own_mean.interval.unwrap();
        let half = 2.144_786_687_916_927_7 * sd / 14_f64.sqrt();
        assert_within(low, mean - half, 1e-7 * sd);
        assert_within(high, mean + half, 1e-7 * sd);
        if at == 0.0 && unit == 1.0 {
            assert_within(fitted.aic(), 4.0 - 2.0 * fitted.ln_likelihood, 1e-12);
            assert_within(fitted.bic(), 2.0 * 15_f64.ln() - 2.0 * fitted.ln_likelihood, 1e-12);
        }
    }
    // The smallest value is the scale.
    let sample = Sample::of(&BEARINGS).unwrap();
    let pareto = fit::<Pareto>(&sample, &none).unwrap().distribution.parameters();
    let shape = 23.0 / BEARINGS.iter().map(|x| (x / 17.88).ln()).sum::<f64>();
    assert_within(pareto[0], shape, 1e-9);
    assert_eq!(pareto[1], 17.88);
}

/// A draw of each has a maximum where the mean score of each parameter is 0, and parameters near the truth.
#[test]
fn every_distribution_is_found_again() {
    fn again<D>(truth: &[f64], known: Option<(&str, f64)>)
    where
        D: Estimable + Distribution<<D as Density>::Point>,
        D::Point: Coordinate + Copy,
    {
        let distribution = D::from_parameters(truth).expect("valid");
        let points: Vec<D::Point> = distribution.sample_iter(stream(5, &[1])).take(4000).collect();
        let values: Vec<f64> = points.iter().map(|own| own.coordinate()).collect();
        let sample = Sample::of(&values).expect("finite");
        let options = known
            .map_or_else(FitOptions::default, |(name, value)| FitOptions::default().with_known(name, value));
        let fitted = fit::<D>(&sample, &options).unwrap_or_else(|error| panic!("{}: {error}", D::NAME));
        for (place, (own, truth)) in
            fitted.parameters(0.99).expect("a level").into_iter().zip(truth).enumerate()
        {
            let Some(sd) = own.standard_error else { continue };
            assert!((own.value - truth).abs() < 4.0 * sd, "{} {}: {} {sd}", D::NAME, own.name, own.value);
            let scores = points.iter().map(|x| fitted.distribution.parameter_gradient(x).as_ref()[place]);
            assert!((scores.sum::<f64>() * sd).abs() < 1e-6, "{} {}", D::NAME, own.name);
            let (low, high) = own.interval.expect("estimated");
            // With so many the interval is that of the standard errors, nearly.
            assert!(((high - low) / (2.0 * 2.5758 * sd) - 1.0).abs() < 0.1, "{} {low} {high} {sd}", D::NAME);
        }
    }
    again::<Beta>(&[0.7, 2.5], None);
    again::<BetaPrime>(&[2.0, 3.0, 0.4], None);
    again::<Cauchy>(&[40.0, 0.3], None);
    again::<ChiSquared>(&[3.5], None);
    again::<Exponential>(&[1e5], None);
    again::<FisherF>(&[6.0, 9.0], None);
    again::<Frechet>(&[2.5, 7.0], None);
    again::<Gamma>(&[0.2, 30.0], None);
    again::<Gumbel>(&[-3.0, 0.8], None);
    again::<HalfCauchy>(&[12.0], None);
    again::<HalfNormal>(&[0.01], None);
    again::<InverseGamma>(&[3.0, 5.0], None);
    again::<InverseGaussian>(&[2.0, 0.7], None);
    again::<LogLogistic>(&[3.0, 20.0], None);
    again::<LogNormal>(&[5.0, 1.8], None);
    again::<Logistic>(&[100.0, 2.0], None);
    again::<Lomax>(&[2.5, 4.0], None);
    again::<Normal>(&[1e4, 3.0], None);
    again::<Rayleigh>(&[0.6], None);
    again::<StudentT>(&[3.0, -10.0, 2.0], None);
    again::<VonMises>(&[2.9, 4.0], None);
    again::<Weibull>(&[0.6, 1e-3], None);
    again::<BetaBinomial>(&[12.0, 0.8, 2.0], Some(("trials", 12.0)));
    again::<Binomial>(&[20.0, 0.03], Some(("trials", 20.0)));
    again::<Geometric>(&[0.15], None);
    again::<NegativeBinomial>(&[0.5, 0.1], None);
    again::<Poisson>(&[0.3], None);
    again::<SkewNormal>(&[-4.0, 2.0, 5.0], None);
    again::<SkewNormal>(&[1.0, 0.1, -3.0], None);
    again::<GeneralizedExtremeValue>(&[30.0, 8.0, 0.15], None);
    again::<GeneralizedExtremeValue>(&[0.0, 1.0, -0.2], None);
    again::<GeneralizedPareto>(&[0.0, 3.0, 0.4], None);
    again::<GeneralizedGamma>(&[2.0, 1.5, 4.0], None);
    again::<HalfStudentT>(&[3.0, 0.2], None);
    again::<Kumaraswamy>(&[2.0, 4.0], None);
    again::<LogitNormal>(&[-1.0, 0.7], None);
    again::<Skellam>(&[2.5, 1.0], None);
    again::<Zeta>(&[2.3], None);
    again::<Zipf>(&[1.2, 50.0], Some(("elements", 50.0)));
}

/// Of 95 % intervals of each parameter, how many hold, over small samples.
#[test]
fn intervals_hold_what_they_say() {
    fn holds<D>(truth: &[f64], n: usize, above: f64, known: &[(&str, f64)])
    where
        D: Estimable + Distribution<<D as Density>::Point>,
        D::Point: Coordinate,
    {
        const SETS: u64 = 1000;
        let distribution = D::from_parameters(truth).expect("valid");
        let options =
            known.iter().fold(FitOptions::default(), |own, (name, value)| own.with_known(name, *value));
        let (mut held, mut fitted) = (vec![0.0; truth.len()], 0.0);
        for set in 0..SETS {
            let seen = (&distribution).sample_iter(stream(11, &[set])).take(n).map(Coordinate::coordinate);
            let seen: Vec<Observation> = seen.map(|x| if x > above { Above(above) } else { At(x) }).collect();
            let sample = Sample::new(seen).expect("finite");
            let Ok(found) = fit::<D>(&sample, &options) else { continue };
            fitted += 1.0;
            for ((held, own), truth) in
                held.iter_mut().zip(found.parameters(0.95).expect("a level")).zip(truth)
            {
                let (low, high) = own.interval.unwrap_or((*truth, *truth));
                *held += f64::from(u8::from(low <= *truth && *truth <= high));
            }
        }
        for (place, held) in held.into_iter().enumerate() {
            let rate: f64 = held / fitted;
            if known.iter().any(|own| own.0 == D::PARAMETERS[place]) {
                continue;
            }
            assert!(
                fitted > 0.9 * SETS as f64 && (rate - 0.95).abs() < 0.02,
                "{} n {n} {place}: {rate}",
                D::NAME
            );
        }
    }
    let all = f64::INFINITY;
    holds::<Normal>(&[3.0, 2.0], 8, all, &[]);
    holds::<Exponential>(&[0.5], 8, all, &[]);
    holds::<Gamma>(&[2.0, 0.5], 12, all, &[]);
    holds::<Gamma>(&[0.3, 1.0], 15, all, &[]);
    holds::<Weibull>(&[1.5, 10.0], 12, all, &[]);
    holds::<Weibull>(&[1.5, 10.0], 25, 12.0, &[]);
    holds::<Exponential>(&[0.5], 20, 1.5, &[]);
    holds::<LogNormal>(&[1.0, 0.8], 10, all, &[]);
    holds::<LogLogistic>(&[2.0, 5.0], 15, all, &[]);
    holds::<Beta>(&[0.8, 2.0], 15, all, &[]);
    holds::<Poisson>(&[0.9], 20, all, &[]);
    holds::<Binomial>(&[10.0, 0.2], 10, all, &[("trials", 10.0)]);
    holds::<NegativeBinomial>(&[1.2, 0.3], 40, all, &[]);
    holds::<VonMises>(&[1.0, 3.0], 15, all, &[]);
    holds::<GeneralizedPareto>(&[0.0, 2.0, 0.2], 40, all, &[("location", 0.0)]);
    holds::<Kumaraswamy>(&[1.5, 3.0], 15, all, &[]);
    holds::<LogitNormal>(&[-1.0, 1.2], 10, all, &[]);
    holds::<Zeta>(&[2.2], 25, all, &[]);
}

/// The same, by name, of distributions whose likelihood has edges.
#[test]
fn intervals_at_edges_hold_what_they_say() {
    fn holds<D: Parametric + Distribution<f64>>(truth: &[f64], n: usize, known: &[usize], slack: f64) {
        const SETS: u64 = 4000;
        let distribution = D::from_parameters(truth).expect("valid");
        let family = EstimableFamily::named(D::NAME).expect("there");
        let options = known
            .iter()
            .fold(FitOptions::default(), |own, &place| own.with_known(D::PARAMETERS[place], truth[place]));
        let mut held = vec![0.0; truth.len()];
        for set in 0..SETS {
            let seen: Vec<f64> = (&distribution).sample_iter(stream(12, &[set])).take(n).collect();
            let sample = Sample::of(&seen).expect("finite");
            let found = family.fit(&sample, &options, 0.9).expect("a maximum");
            for ((held, own), truth) in held.iter_mut().zip(&found.parameters).zip(truth) {
                assert_eq!(own.interval.is_some(), own.standard_error.is_some(), "{}", own.name);
                let (low, high) = own.interval.unwrap_or((*truth, *truth));
                assert!(low <= own.value && own.value <= high, "{} {own:?}", D::NAME);
                *held += f64::from(u8::from(low <= *truth && *truth <= high)) / SETS as f64;
            }
        }
        for (place, rate) in held.into_iter().enumerate().filter(|own| !known.contains(&own.0)) {
            assert!((rate - 0.9).abs() < slack, "{} n {n} {}: {rate}", D::NAME, D::PARAMETERS[place]);
        }
    }
    // Exact: three standard deviations of the rate.
    holds::<Uniform>(&[-3.0, 5.0], 2, &[], 0.015);
    holds::<Uniform>(&[-3.0, 5.0], 12, &[], 0.015);
    holds::<Uniform>(&[0.0, 5.0], 3, &[0], 0.015);
    holds::<Laplace>(&[2.0, 3.0], 10, &[], 0.03);
    holds::<Laplace>(&[2.0, 3.0], 41, &[], 0.02);
    holds::<Laplace>(&[2.0, 3.0], 12, &[0], 0.02);
    holds::<Laplace>(&[2.0, 3.0], 30, &[1], 0.02);
    holds::<Triangular>(&[1.0, 2.0, 6.0], 15, &[0, 2], 0.03);
    holds::<Triangular>(&[1.0, 4.0, 6.0], 60, &[0, 2], 0.02);
}

#[test]
fn estimates_at_edges_are_order_statistics() {
    let sample = Sample::of(&MAIZE).unwrap();
    let none = FitOptions::default();
    let fit =
        |name: &str, options: &FitOptions| EstimableFamily::named(name).unwrap().fit(&sample, options, 0.95);
    let uniform = fit("uniform", &none).unwrap();
    assert_eq!(uniform.distribution.to_string(), "uniform(-67, 75)");
    assert_within(uniform.ln_likelihood, -15.0 * 142_f64.ln(), 1e-12);
    // 142 (0.05^(-1/14) - 1) beyond the largest.
    let (low, high) = uniform.parameters[1].interval.unwrap();
    assert_eq!(low, 75.0);
    assert_within(high - 75.0, 142.0 * (0.05_f64.powf(-1.0 / 14.0) - 1.0), 1e-10);
    let laplace = fit("laplace", &none).unwrap();
    assert_eq!(laplace.parameters[0].value, 24.0);
    let distances: f64 = MAIZE.iter().map(|x| (x - 24.0).abs()).sum();
    assert_within(laplace.parameters[1].value, distances / 15.0, 1e-13);
    assert_within(laplace.ln_likelihood, -15.0 * ((2.0 * distances / 15.0).ln() + 1.0), 1e-12);
    let ends = FitOptions::default().with_known("low", -80.0).with_known("high", 80.0);
    let triangular = fit("triangular", &ends).unwrap();
    let at = |mode: f64| {
        let distribution = Triangular::new(-80.0, mode, 80.0).unwrap();
        MAIZE.iter().map(|x| distribution.ln_pdf(x)).sum::<f64>()
    };
    let mode = triangular.parameters[1].value;
    assert_within(triangular.ln_likelihood, at(mode), 1e-12 * at(mode).abs());
    for step in -80..=80 {
        assert!(at(f64::from(step)) <= at(mode) + 1e-12, "{step} is better than {mode}");
    }
    // What they are not estimated from.
    assert_eq!(fit("triangular", &none).unwrap_err(), FitError::Wanted { parameter: "low" });
    let censored = EstimableFamily::named("uniform").unwrap().fit_alone(&remissions(), &none).unwrap_err();
    assert_eq!(
        censored.to_string(),
        "the likelihood has edges: it is not estimated with a value that is known by limits alone"
    );
    let prior = FitOptions::default().with_prior("location", Normal::STANDARD);
    assert_eq!(fit("laplace", &prior).unwrap_err(), FitError::Edges { refused: "a prior" });
    let outside = FitOptions::default().with_known("low", 0.0);
    assert!(matches!(fit("uniform", &outside), Err(FitError::Observation { .. })));
    let same = Sample::of(&[2.5; 6]).unwrap();
    for name in ["uniform", "laplace"] {
        assert_eq!(
            EstimableFamily::named(name).unwrap().fit_alone(&same, &none).unwrap_err(),
            FitError::OneValue
        );
    }
    // Weights count.
    let weighted = Sample::of(&[1.0, 2.0, 9.0]).and_then(|own| own.with_weights(&[1.0, 3.0, 1.0])).unwrap();
    let repeated = Sample::of(&[1.0, 2.0, 2.0, 2.0, 9.0]).unwrap();
    let of = |sample: &Sample| EstimableFamily::named("laplace").unwrap().fit(sample, &none, 0.9).unwrap();
    assert_eq!(of(&weighted).parameters, of(&repeated).parameters);
    // The end of the support next to the largest value.
    let flat: Vec<f64> = (1..=200).map(|k| f64::from(k) / 200.0).collect();
    let error = posterior_dist::fit::fit::<GeneralizedPareto>(&Sample::of(&flat).unwrap(), &none).err();
    assert!(
        matches!(
            error,
            Some(FitError::Irregular { .. } | FitError::NotConverged | FitError::NoMaximum { .. })
        ),
        "{error:?}"
    );
}

#[test]
fn families_by_name_are_the_same_fits() {
    let sample = Sample::of(&BEARINGS).unwrap();
    let none = FitOptions::default();
    let named = EstimableFamily::named("weibull").unwrap().fit(&sample, &none, 0.9).unwrap();
    let typed = fit::<Weibull>(&sample, &none).unwrap();
    assert_eq!(named.parameters, typed.parameters(0.9).unwrap());
    assert_eq!((named.aic, named.bic), (typed.aic(), typed.bic()));
    assert_eq!(named.distribution, typed.distribution.into());
    let error = EstimableFamily::named("weibul").unwrap_err().to_string();
    assert_eq!(error, "no distribution \"weibul\" can be fitted; did you mean \"weibull\"?");
    // Of the usual ones in reliability, as in the book of Lawless: nearly the same, the Weibull last.
    let mut all: Vec<(f64, &str)> = FAMILIES
        .iter()
        .filter(|own| !own.is_discrete())
        .filter_map(|own| own.fit_alone(&sample, &none).ok().map(|fitted| (fitted.aic, own.name())))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(all.len() > 15);
    let order: Vec<&str> =
        all.iter().map(|own| own.1).filter(|own| ["gamma", "lognormal", "weibull"].contains(own)).collect();
    assert_eq!(order, ["gamma", "lognormal", "weibull"]);
    let known = FitOptions::default()
        .with_known("shape", 2.0)
        .with_prior("shape", Gamma::shape_rate(2.0, 1.0).unwrap());
    let error = fit::<Weibull>(&sample, &known).unwrap_err();
    assert_eq!(error, FitError::PriorOfKnown { parameter: "shape" });
}

#[test]
fn what_has_no_maximum_or_is_not_possible_is_refused() {
    let none = FitOptions::default();
    let no_maximum = |error: FitError| match error {
        FitError::NoMaximum { parameter, .. } => parameter,
        other => panic!("{other}"),
    };
    // Lighter tails than any of Student's, less scattered than a Poisson distribution, nothing but zeros,
    // nothing but censored times.
    let uniform = Sample::of(&[-2.0, -1.0, 0.0, 1.0, 2.0]).unwrap();
    assert_eq!(no_maximum(fit::<StudentT>(&uniform, &none).unwrap_err()), "degrees_of_freedom");
    let even = Sample::of(&[3.0, 3.0, 4.0, 4.0, 3.0]).unwrap();
    assert_eq!(no_maximum(fit::<NegativeBinomial>(&even, &none).unwrap_err()), "successes");
    let nothing = Sample::of(&[0.0; 4]).unwrap();
    assert_eq!(no_maximum(fit::<Poisson>(&nothing, &none).unwrap_err()), "rate");
    let still = Sample::new(vec![Above(3.0), Above(5.0)]).unwrap();
    assert_eq!(no_maximum(fit::<Exponential>(&still, &none).unwrap_err()), "rate");
    let same = Sample::of(&[2.5; 6]).unwrap();
    assert_eq!(fit::<Gamma>(&same, &none).err(), Some(FitError::OneValue));
    assert_eq!(fit::<Normal>(&same, &none).err(), Some(FitError::OneValue));
    assert_within(fit::<Exponential>(&same, &none).unwrap().distribution.rate(), 0.4, 1e-12);
    let refused =
        |values: &[f64]| fit::<Weibull>(&Sample::of(values).unwrap(), &none).unwrap_err().to_string();
    assert_eq!(refused(&[1.0, -2.0]), "observation 1 must be a value that the distribution has");
    let part = Sample::of(&[1.0, 2.5]).unwrap();
    assert!(matches!(fit::<Poisson>(&part, &none), Err(FitError::Observation { index: 1, .. })));
    assert!(matches!(fit::<Binomial>(&part, &none), Err(FitError::Wanted { parameter: "trials" })));
    let wrong = FitOptions::default().with_known("lambda", 1.0);
    let message = fit::<Poisson>(&part, &wrong).unwrap_err().to_string();
    assert_eq!(message, "there is no parameter \"lambda\"; there are rate");
    assert_eq!(Sample::of(&[]), Err(FitError::Empty));
    assert!(Sample::of(&[f64::NAN]).is_err() && Sample::new(vec![Within(2.0, 2.0)]).is_err());
    assert!(part.clone().with_weights(&[1.0]).is_err() && part.clone().with_weights(&[0.0; 2]).is_err());
    assert!(part.clone().seen_within(2.0, 3.0).is_err() && part.clone().seen_within(3.0, 3.0).is_err());
    let fitted = fit::<Exponential>(&part, &none).unwrap();
    assert!(fitted.parameters(1.0).is_err() && fitted.parameters(f64::NAN).is_err());
    // What has no weight does not count, possible or not.
    let weighted = Sample::of(&[1.0, -2.0, 2.5]).unwrap().with_weights(&[1.0, 0.0, 1.0]).unwrap();
    assert_within(fit::<Exponential>(&weighted, &none).unwrap().distribution.rate(), 2.0 / 3.5, 1e-12);
}
