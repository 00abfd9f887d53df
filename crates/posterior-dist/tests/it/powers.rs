//! Moments of Weibull, Fréchet and log-logistic distributions from heavy tails to those narrow ones where raw
//! moments are equal to many digits. Numbers: mpmath 1.3 with 400 digits, by raw moments.

use posterior_dist::{Frechet, LogLogistic, Moments, Shape, Weibull};
use posterior_testkit::accuracy::assert_close;

/// The parameter `shape`, and of scale 1 the mean, the variance, the skewness and the excess kurtosis.
type Row = [f64; 5];

const WEIBULL: [Row; 10] = [
    [0.0625, 20922789888000.0, 2.6313083649593039e+35, 91971055.056185246, 1.8326241470403427e+18],
    [0.5, 2.0, 20.0, 6.6187612133993775, 84.72],
    [1.5, 0.90274529295093361, 0.375690284813932, 1.0719865728909563, 1.3904035615957883],
    [3.5, 0.89974717650283903, 0.081072751462297613, 0.025108163426913993, -0.28726810556178132],
    [4.75, 0.91544345018697383, 0.048281252517143932, -0.21790110386409307, -0.15675098162226845],
    [5.25, 0.92075284135981087, 0.040682310073435008, -0.28742745064322167, -0.08149514940024657],
    [20.0, 0.97350426556277564, 0.0036402147979539805, -0.8679650951745109, 1.2672007592554008],
    [1000.0, 0.99942377248459547, 1.6406426814849911e-6, -1.1335927306601352, 2.3712342641096822],
    [1e6, 0.99999942278532415, 1.6449297637827162e-12, -1.1395411328045157, 2.3999710824642746],
    [1e12, 0.99999999999942278, 1.6449340668439234e-24, -1.139547099398682, 2.3999999999710823],
];

const FRECHET: [Row; 7] = [
    [4.125, 1.2154656969069814, 0.24410126897312416, 5.1540294773054513, 417.96779055055427],
    [4.75, 1.1762670736358115, 0.15594497352931993, 3.8390825662753877, 61.627607866121366],
    [5.25, 1.1536983889928315, 0.11604469664563007, 3.2954983644780044, 35.465259441256897],
    [20.0, 1.0314533171290322, 0.0047327567028354924, 1.4738841312984271, 4.3334943151710873],
    [1000.0, 1.0005782056293586, 1.649248889005169e-6, 1.1455260279346362, 2.4290709737121831],
    [1e6, 1.000000577216654, 1.6449383699371734e-12, 1.1395530660293411, 2.4000289178409575],
    [1e12, 1.0000000000005772, 1.6449340668525295e-24, 1.1395470994106153, 2.4000000000289177],
];

const LOG_LOGISTIC: [Row; 7] = [
    [4.125, 1.1036391578065159, 0.3069042687381526, 3.8984902364875162, 266.62278389399234],
    [4.75, 1.0768059882305024, 0.20501897642069619, 2.7554313407058612, 37.110640328706195],
    [5.25, 1.062271069737386, 0.15725097896367668, 2.2698943622416289, 20.441467196431026],
    [20.0, 1.0041242039539872, 0.0083753214968234749, 0.44301532856117604, 1.6908338228279869],
    [1000.0, 1.0000016449359609, 3.2898919449235721e-6, 0.0087062972342216407, 1.2001867929627406],
    [1e6, 1.0000000000016449, 3.289868133720264e-12, 8.7062369483845311e-6, 1.2000000001867893],
    [1e12, 1.0, 3.2898681336964529e-24, 8.7062369483242457e-12, 1.2],
];

fn agrees<L: Moments + Shape>(table: &[Row], make: impl Fn(f64) -> L) {
    for &[shape, mean, variance, skewness, kurtosis] in table {
        let distribution = make(shape);
        assert_close(distribution.mean().expect("finite"), mean, 1e-14);
        assert_close(distribution.variance().expect("finite"), variance, 1e-13);
        assert_close(distribution.skewness().expect("finite"), skewness, 1e-12);
        // Of the kurtosis 3 is taken away.
        assert_close(distribution.excess_kurtosis().expect("finite") + 3.0, kurtosis + 3.0, 1e-12);
    }
}

fn weibull(shape: f64) -> Weibull {
    Weibull::new(shape, 1.0).expect("positive")
}

fn frechet(shape: f64) -> Frechet {
    Frechet::new(shape, 1.0).expect("positive")
}

fn log_logistic(shape: f64) -> LogLogistic {
    LogLogistic::new(shape, 1.0).expect("positive")
}

#[test]
fn moments_keep_their_digits() {
    agrees(&WEIBULL, weibull);
    agrees(&FRECHET, frechet);
    agrees(&LOG_LOGISTIC, log_logistic);
}

/// Mean and variance of the first are beyond the range of f64; those of the second are not numbers apart from
/// 1 and 0.
#[test]
fn moments_of_extreme_shapes_are_numbers() {
    let heavy = weibull(0.001953125);
    assert_eq!((heavy.mean(), heavy.variance()), (Some(f64::INFINITY), Some(f64::INFINITY)));
    assert_close(heavy.skewness().expect("finite"), 4.0932675290509709e+269, 1e-10);
    assert_eq!(heavy.excess_kurtosis(), Some(f64::INFINITY));
    assert_eq!(weibull(1e-308).skewness(), Some(f64::INFINITY));

    let gumbel = (1.1395470994046486, 2.4);
    for shape in [1e30, 1e239, f64::MAX] {
        let pairs = [
            (weibull(shape).skewness(), weibull(shape).excess_kurtosis(), -gumbel.0, gumbel.1),
            (frechet(shape).skewness(), frechet(shape).excess_kurtosis(), gumbel.0, gumbel.1),
            (log_logistic(shape).skewness(), log_logistic(shape).excess_kurtosis(), 0.0, 1.2),
        ];
        for (skewness, kurtosis, of_limit, kurtosis_of_limit) in pairs {
            assert!((skewness.expect("finite") - of_limit).abs() < 1e-14);
            assert_close(kurtosis.expect("finite"), kurtosis_of_limit, 1e-13);
        }
    }
    // The scale brings back what a small relative variance has lost.
    let wide = Frechet::new(1e200, 1e300).expect("positive").variance().expect("finite");
    assert_close(wide, 1.6449340668482264e200, 1e-13);
}
