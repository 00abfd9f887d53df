//! Smooth curves: cubic regression splines of R's mgcv by REML, invariance, and what rows see.

use posterior_hierarchical::{
    FamilyResponse, HierarchicalFit, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    LatentEffect as _, NewRows, SmoothCurve,
};

/// Times in ms after an impact, and accelerations of a head in g (B. W. Silverman, J. R. Stat. Soc. B 47,
/// 1985; `mcycle` of R's MASS).
const IMPACT: [(f64, f64); 133] = [
    (2.4, 0.0),
    (2.6, -1.3),
    (3.2, -2.7),
    (3.6, 0.0),
    (4.0, -2.7),
    (6.2, -2.7),
    (6.6, -2.7),
    (6.8, -1.3),
    (7.8, -2.7),
    (8.2, -2.7),
    (8.8, -1.3),
    (8.8, -2.7),
    (9.6, -2.7),
    (10.0, -2.7),
    (10.2, -5.4),
    (10.6, -2.7),
    (11.0, -5.4),
    (11.4, 0.0),
    (13.2, -2.7),
    (13.6, -2.7),
    (13.8, 0.0),
    (14.6, -13.3),
    (14.6, -5.4),
    (14.6, -5.4),
    (14.6, -9.3),
    (14.6, -16.0),
    (14.6, -22.8),
    (14.8, -2.7),
    (15.4, -22.8),
    (15.4, -32.1),
    (15.4, -53.5),
    (15.4, -54.9),
    (15.6, -40.2),
    (15.6, -21.5),
    (15.8, -21.5),
    (15.8, -50.8),
    (16.0, -42.9),
    (16.0, -26.8),
    (16.2, -21.5),
    (16.2, -50.8),
    (16.2, -61.7),
    (16.4, -5.4),
    (16.4, -80.4),
    (16.6, -59.0),
    (16.8, -71.0),
    (16.8, -91.1),
    (16.8, -77.7),
    (17.6, -37.5),
    (17.6, -85.6),
    (17.6, -123.1),
    (17.6, -101.9),
    (17.8, -99.1),
    (17.8, -104.4),
    (18.6, -112.5),
    (18.6, -50.8),
    (19.2, -123.1),
    (19.4, -85.6),
    (19.4, -72.3),
    (19.6, -127.2),
    (20.2, -123.1),
    (20.4, -117.9),
    (21.2, -134.0),
    (21.4, -101.9),
    (21.8, -108.4),
    (22.0, -123.1),
    (23.2, -123.1),
    (23.4, -128.5),
    (24.0, -112.5),
    (24.2, -95.1),
    (24.2, -81.8),
    (24.6, -53.5),
    (25.0, -64.4),
    (25.0, -57.6),
    (25.4, -72.3),
    (25.4, -44.3),
    (25.6, -26.8),
    (26.0, -5.4),
    (26.2, -107.1),
    (26.2, -21.5),
    (26.4, -65.6),
    (27.0, -16.0),
    (27.2, -45.6),
    (27.2, -24.2),
    (27.2, 9.5),
    (27.6, 4.0),
    (28.2, 12.0),
    (28.4, -21.5),
    (28.4, 37.5),
    (28.6, 46.9),
    (29.4, -17.4),
    (30.2, 36.2),
    (31.0, 75.0),
    (31.2, 8.1),
    (32.0, 54.9),
    (32.0, 48.2),
    (32.8, 46.9),
    (33.4, 16.0),
    (33.8, 45.6),
    (34.4, 1.3),
    (34.8, 75.0),
    (35.2, -16.0),
    (35.2, -54.9),
    (35.4, 69.6),
    (35.6, 34.8),
    (35.6, 32.1),
    (36.2, -37.5),
    (36.2, 22.8),
    (38.0, 46.9),
    (38.0, 10.7),
    (39.2, 5.4),
    (39.4, -1.3),
    (40.0, -21.5),
    (40.4, -13.3),
    (41.6, 30.8),
    (41.6, -10.7),
    (42.4, 29.4),
    (42.8, 0.0),
    (42.8, -10.7),
    (43.0, 14.7),
    (44.0, -1.3),
    (44.4, 0.0),
    (45.0, 10.7),
    (46.6, 10.7),
    (47.8, -26.8),
    (47.8, -14.7),
    (48.8, -13.3),
    (50.6, 0.0),
    (52.0, 10.7),
    (53.2, -14.7),
    (55.0, -2.7),
    (55.0, 10.7),
    (55.4, -2.7),
    (57.6, 10.7),
];

/// What mgcv 1.8-41 says of `gam(y ~ s(x, bs = "cr", k = K), method = "REML", knots = ...)`.
struct Fitted {
    /// `gcv.ubre`, `sig2`, `sum(edf)`.
    reml: f64,
    variance: f64,
    parameters: f64,
    /// The fitted values of rows 1, 2, 50, 100 and the last.
    at_rows: [f64; 5],
    /// At 1 below the first knot, in the middle and 1.5 above the last knot: predictions with their errors.
    predicted: [(f64, f64); 3],
}

const KNOTS: [f64; 10] = [0.0, 1.0, 2.5, 3.0, 4.2, 5.0, 6.1, 7.3, 8.4, 10.0];
const OF_IMPACT: [f64; 12] = [2.0, 8.0, 13.0, 16.0, 19.0, 23.0, 27.0, 32.0, 37.0, 43.0, 50.0, 58.0];

const WAVE: Fitted = Fitted {
    reml: 73.1849792028888,
    variance: 0.101771390512363,
    parameters: 9.14545528154996,
    at_rows: [0.185928825820752, 1.743333061342559, 1.164619552183059, 1.491344953900424, 2.406200210771691],
    predicted: [
        (-0.838783862413287, 0.320018840900625),
        (0.558902521618904, 0.071229844078294),
        (0.9552964335485, 0.328646803550675),
    ],
};

const RIPPLE: Fitted = Fitted {
    reml: 109.68071775703,
    variance: 0.15055460465478,
    parameters: 8.66015764535015,
    at_rows: [
        0.2997961242949351,
        0.5621627422232245,
        0.1606807409848547,
        0.0524895801733369,
        1.1034450842321772,
    ],
    predicted: [
        (0.226007984766332, 0.3707096809258147),
        (0.364140359908921, 0.0827993984188316),
        (2.037415494974409, 0.3882603718686854),
    ],
};

const HEAD: Fitted = Fitted {
    reml: 615.359750432044,
    variance: 508.927525312134,
    parameters: 10.7737852920619,
    at_rows: [
        0.731891885206657,
        0.243795650844511,
        -77.863857600639989,
        25.276905399368665,
        11.057027603532337,
    ],
    predicted: [
        (4.19296238448898, 16.90232107607893),
        (28.05434174113399, 6.07105286108272),
        (18.85395040058622, 22.98369324164713),
    ],
};

fn places() -> Vec<f64> {
    (0..200).map(|i| 10.0 * (f64::from(i) * 0.618_033_988_749_894_9).fract()).collect()
}

/// A curve with noise by waves that have nothing to do with it.
fn responses(curve: impl Fn(f64) -> f64, waves: [f64; 2]) -> Vec<f64> {
    let noise = |i: f64| waves[0] * (37.0 * i).sin() + waves[1] * (91.0 * i).cos();
    places().iter().enumerate().map(|(i, &x)| curve(x) + noise(i as f64)).collect()
}

fn model(x: &[f64], y: &[f64], knots: &[f64], scale: f64) -> HierarchicalModel {
    let curve = SmoothCurve::new("curve", knots).unwrap();
    HierarchicalModel::new(FamilyResponse::gaussian(scale).unwrap(), y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", x)
        .unwrap()
        .effect(curve.through_points(x).unwrap().starting_at("sd(curve)", scale).unwrap())
        .unwrap()
}

fn reml(model: &HierarchicalModel) -> HierarchicalFit<'_> {
    let estimate = HyperEstimate::RestrictedLikelihood;
    model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap()
}

/// Compares with mgcv, and returns the REML score up to a constant of the knots and places.
fn compare(x: &[f64], y: &[f64], knots: &[f64], scale: f64, expected: &Fitted) -> f64 {
    let model = model(x, y, knots, scale);
    let fit = reml(&model);
    let (_, sd) = fit.mode()[0].clone();
    assert!((sd * sd / expected.variance - 1.0).abs() < 1e-6, "{} {}", sd * sd, expected.variance);
    let predictors = fit.predictors();
    let parameters: f64 = predictors.iter().map(|own| (own.sd() / sd).powi(2)).sum();
    assert!((parameters - expected.parameters).abs() < 1e-5, "{parameters} {}", expected.parameters);
    for (row, fitted) in [0, 1, 49, 99, y.len() - 1].into_iter().zip(expected.at_rows) {
        let own = predictors[row].mean();
        assert!((own - fitted).abs() < 1e-6 * scale, "{row}: {own} {fitted}");
    }
    let (first, last) = (knots[0], knots[knots.len() - 1]);
    let points = [first - 1.0, f64::midpoint(first, last), last + 1.5];
    let entries: Vec<_> =
        SmoothCurve::new("curve", knots).unwrap().rows(&points).unwrap().triplets().collect();
    let new = NewRows::new(3).column("intercept", &[1.0; 3]).column("x", &points).through("curve", &entries);
    for (own, (mean, error)) in fit.predict(&new).unwrap().iter().zip(expected.predicted) {
        assert!((own.mean() - mean).abs() < 1e-6 * scale, "{} {mean}", own.mean());
        assert!((own.sd() / error - 1.0).abs() < 1e-6, "{} {error}", own.sd());
    }
    -fit.ln_marginal_likelihood()
}

#[test]
fn curves_are_those_of_mgcv() {
    let x = places();
    let wave = responses(|x| x.sin() + 0.3 * x, [0.4, 0.2]);
    let ripple = responses(|x| 0.1 * x + 0.3 * (2.0 * x).sin(), [0.5, 0.2]);
    let scores = [(wave, WAVE), (ripple, RIPPLE)]
        .map(|(y, expected)| (compare(&x, &y, &KNOTS, 0.4, &expected), expected.reml));
    let off = (scores[1].0 - scores[0].0) - (scores[1].1 - scores[0].1);
    assert!(off.abs() < 1e-7, "{off}");
    let (times, accelerations): (Vec<f64>, Vec<f64>) = IMPACT.into_iter().unzip();
    compare(&times, &accelerations, &OF_IMPACT, 40.0, &HEAD);
}

/// σ is a typical standard deviation of the curve whatever the unit of x is, and knots may lie far from zero.
#[test]
fn units_do_not_matter() {
    let curve = |unit: f64, from: f64| {
        SmoothCurve::new("curve", &KNOTS.map(|knot| from + unit * knot)).unwrap().precision(&[1.0]).unwrap()
    };
    let plain = curve(1.0, 0.0);
    for other in [curve(1e9, 0.0), curve(1e-6, 0.0), curve(0.25, 4096.0)] {
        for (own, expected) in other.values.iter().zip(&plain.values) {
            assert!((own - expected).abs() < 1e-9 * expected.abs().max(1.0), "{own} {expected}");
        }
        assert!((other.ln_determinant - plain.ln_determinant).abs() < 1e-10);
    }
}

/// The curve of a quadratic function's values at equal knots, against the integral of its second derivative.
#[test]
fn the_prior_is_the_integral_of_squared_second_derivatives() {
    let curve = SmoothCurve::new("curve", &KNOTS).unwrap();
    let precision = curve.precision(&[2.0]).unwrap();
    let quadratic = |values: &[f64]| -> f64 {
        let entries = curve.pattern().into_iter().zip(&precision.values);
        entries
            .map(
                |((i, j), q)| {
                    if i == j { q * values[i] * values[j] } else { 2.0 * q * values[i] * values[j] }
                },
            )
            .sum()
    };
    let values =
        |k: usize| -> Vec<f64> { (0..10).map(|i| ((1 + k) as f64 * 0.7 * f64::from(i)).sin()).collect() };
    // ∫ f″² by differences of the curve itself.
    let integral = |values: &[f64]| -> f64 {
        let step = 1e-3;
        let at =
            |x: f64| -> f64 { curve.rows(&[x]).unwrap().triplets().map(|(_, j, w)| w * values[j]).sum() };
        (0..10_000)
            .map(|k| {
                let x = step * (f64::from(k) + 0.5);
                ((at(x + step) - 2.0 * at(x) + at(x - step)) / (step * step)).powi(2) * step
            })
            .sum()
    };
    let ratios = [0, 1, 2].map(|k| quadratic(&values(k)) / integral(&values(k)));
    // Second differences across a knot err by a step of 1e-3 there.
    assert!(
        (ratios[1] / ratios[0] - 1.0).abs() < 1e-3 && (ratios[2] / ratios[0] - 1.0).abs() < 1e-3,
        "{ratios:?}"
    );
    assert!(quadratic(&KNOTS.map(|knot| 3.0 - 0.7 * knot)).abs() < 1e-12);
}

#[test]
fn curves_that_can_not_be_are_refused() {
    assert!(SmoothCurve::new("curve", &[0.0, 1.0]).is_err());
    assert!(SmoothCurve::new("curve", &[0.0, 1.0, 1.0]).is_err());
    assert!(SmoothCurve::new("curve", &[0.0, 1.0, f64::NAN]).is_err());
    assert!(SmoothCurve::at_quantiles("curve", &[1.0, 2.0, 2.0, 1.0], 3).is_err());
    assert!(SmoothCurve::at_quantiles("curve", &[1.0, f64::NAN, 2.0, 1.0], 3).is_err());
    let curve = SmoothCurve::at_quantiles("curve", &[4.0, 1.0, 2.0, 2.0, 1.0, 0.0], 3).unwrap();
    assert_eq!(curve.knots(), [0.0, 1.5, 4.0]);
    assert_eq!(curve.labels(), ["0", "1.5", "4"]);
    assert!(curve.rows(&[f64::INFINITY]).is_err());
}
