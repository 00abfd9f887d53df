//! Maximum likelihood by other programs: survival, MASS and glmmTMB of R.

use posterior_hierarchical::{
    BetaResponse, FieldEffect, HierarchicalFit, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    OrdinalResponse, PlaceEffect as _, Response, SurvivalResponse, ZeroInflatedResponse,
};

fn fit(model: &HierarchicalModel) -> HierarchicalFit<'_> {
    let estimate = HyperEstimate::Likelihood;
    model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} is not {expected}");
}

fn hyper(fit: &HierarchicalFit<'_>, place: usize) -> f64 {
    fit.mode()[place].1
}

/// Days of 26 women with ovarian cancer, whether they died then, state of health and treatment (`ovarian` of
/// R's survival; J. H. Edmunson et al., Cancer Treat. Rep. 63, 1979).
const OVARIAN: [(f64, bool, f64, f64); 26] = [
    (59.0, true, 1.0, 1.0),
    (115.0, true, 1.0, 1.0),
    (156.0, true, 2.0, 1.0),
    (421.0, false, 1.0, 2.0),
    (431.0, true, 1.0, 1.0),
    (448.0, false, 2.0, 1.0),
    (464.0, true, 2.0, 2.0),
    (475.0, true, 2.0, 2.0),
    (477.0, false, 1.0, 1.0),
    (563.0, true, 2.0, 2.0),
    (638.0, true, 2.0, 1.0),
    (744.0, false, 1.0, 2.0),
    (769.0, false, 2.0, 2.0),
    (770.0, false, 1.0, 2.0),
    (803.0, false, 1.0, 1.0),
    (855.0, false, 2.0, 1.0),
    (1040.0, false, 2.0, 1.0),
    (1106.0, false, 1.0, 1.0),
    (1129.0, false, 1.0, 2.0),
    (1206.0, false, 1.0, 2.0),
    (1227.0, false, 2.0, 2.0),
    (268.0, true, 2.0, 1.0),
    (329.0, true, 1.0, 1.0),
    (353.0, true, 2.0, 2.0),
    (365.0, true, 1.0, 2.0),
    (377.0, false, 1.0, 2.0),
];

fn ovarian(response: SurvivalResponse) -> HierarchicalModel {
    let [times, health, treatment] = [
        OVARIAN.map(|row| row.0).to_vec(),
        OVARIAN.map(|row| row.2).to_vec(),
        OVARIAN.map(|row| row.3).to_vec(),
    ];
    let y = SurvivalResponse::responses(&times, &OVARIAN.map(|row| row.1)).unwrap();
    HierarchicalModel::new(response, &y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("health", &health)
        .unwrap()
        .column("treatment", &treatment)
        .unwrap()
}

/// `survreg(Surv(futime, fustat) ~ ecog.ps + rx, ovarian)` of survival 3.5-3.
#[test]
fn times_with_censoring_as_by_survreg() {
    let weibull = ovarian(SurvivalResponse::weibull());
    let own = fit(&weibull);
    assert_close(own.ln_marginal_likelihood(), -97.0844931684, 1e-10);
    assert_close(hyper(&own, 0), 0.883873071703_f64.recip(), 1e-7);
    let expected = [
        ("intercept", 6.896693128583, 1.177547215555),
        ("health", -0.385042549350, 0.527001781436),
        ("treatment", 0.528645496261, 0.529201901038),
    ];
    for (name, coefficient, error) in expected {
        let found = own.fixed(name).unwrap();
        assert_close(found.mean(), coefficient, 1e-6);
        assert_close(found.sd(), error, 1e-5);
    }
    let exponential = ovarian(SurvivalResponse::exponential());
    let own = fit(&exponential);
    assert_close(own.ln_marginal_likelihood(), -97.1980392796, 1e-10);
    assert_close(own.fixed("treatment").unwrap().mean(), 0.581502727661, 1e-6);
    assert_close(own.fixed("treatment").unwrap().sd(), 0.586993624741, 1e-5);
}

/// Households by satisfaction (low, medium, high), for each influence (low, medium, high) of each type of
/// house (tower, apartment, atrium, terrace) and contact (low, high): `housing` of R's MASS (J. Madsen,
/// Biometrics 32, 1976).
const HOUSEHOLDS: [[f64; 9]; 8] = [
    [21.0, 21.0, 28.0, 34.0, 22.0, 36.0, 10.0, 11.0, 36.0],
    [61.0, 23.0, 17.0, 43.0, 35.0, 40.0, 26.0, 18.0, 54.0],
    [13.0, 9.0, 10.0, 8.0, 8.0, 12.0, 6.0, 7.0, 9.0],
    [18.0, 6.0, 7.0, 15.0, 13.0, 13.0, 7.0, 5.0, 11.0],
    [14.0, 19.0, 37.0, 17.0, 23.0, 40.0, 3.0, 5.0, 23.0],
    [78.0, 46.0, 43.0, 48.0, 45.0, 86.0, 15.0, 25.0, 62.0],
    [20.0, 23.0, 20.0, 10.0, 22.0, 24.0, 7.0, 10.0, 21.0],
    [57.0, 23.0, 13.0, 31.0, 21.0, 13.0, 5.0, 6.0, 13.0],
];

/// `polr(Sat ~ Infl + Type + Cont, weights = Freq, data = housing)` of MASS 7.3-58.2.
#[test]
fn levels_as_by_polr() {
    let weights = HOUSEHOLDS.concat();
    let column =
        |f: &dyn Fn(usize) -> bool| -> Vec<f64> { (0..72).map(|row| f64::from(u8::from(f(row)))).collect() };
    let y: Vec<f64> = (0..72).map(|row| f64::from(row % 3)).collect();
    let expected = [
        ("medium influence", column(&|row| row / 3 % 3 == 1), 0.5663937379697, 0.1046527843930),
        ("high influence", column(&|row| row / 3 % 3 == 2), 1.2888191109949, 0.1271561476939),
        ("apartment", column(&|row| row / 9 % 4 == 1), -0.5723500018799, 0.1192380119102),
        ("atrium", column(&|row| row / 9 % 4 == 2), -0.3661863703581, 0.1551733364102),
        ("terrace", column(&|row| row / 9 % 4 == 3), -1.0910146587281, 0.1514860225314),
        ("high contact", column(&|row| row / 36 == 1), 0.3602840043292, 0.0955357977487),
    ];
    let mut model =
        HierarchicalModel::new(OrdinalResponse::new(3).unwrap(), &y).unwrap().weights(&weights).unwrap();
    for (name, values, ..) in &expected {
        model = model.column(*name, values).unwrap();
    }
    let own = fit(&model);
    assert_close(own.ln_marginal_likelihood(), -1739.574649529, 1e-11);
    assert_close(hyper(&own, 0), -0.4961351384487, 1e-6);
    assert_close(hyper(&own, 0) + hyper(&own, 1), 0.6907082600914, 1e-6);
    for (name, _, coefficient, error) in expected {
        let found = own.fixed(name).unwrap();
        assert_close(found.mean(), coefficient, 1e-6);
        assert_close(found.sd(), error, 1e-5);
    }
}

/// Sixty rows in ten groups.
fn groups(response: impl Response + 'static, y: &[f64]) -> HierarchicalModel {
    let x: Vec<f64> = (0..60).map(|row| f64::from(row).cos()).collect();
    let groups: Vec<usize> = (0..60).map(|row| row / 6).collect();
    HierarchicalModel::new(response, y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &x)
        .unwrap()
        .effect(FieldEffect::groups("group", 10).unwrap().at(&groups).unwrap())
        .unwrap()
}

/// Counts by the formula `floor(qpois(u(i), exp(0.9 + 0.5 * cos(i) + 0.8 * sin(1 + 3 * (i %/% 6)))) * (u(3 *
/// i + 7) > 0.25))` with `u = function(i) (0.5 + i * 0.618033988749895) %% 1` and i from 0 to 59.
pub(crate) const ZERO_INFLATED: [f64; 60] = [
    8.0, 3.0, 5.0, 2.0, 0.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 7.0, 2.0, 4.0, 2.0, 0.0, 0.0, 0.0, 3.0,
    1.0, 0.0, 2.0, 3.0, 0.0, 0.0, 1.0, 3.0, 2.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0, 4.0, 3.0, 10.0, 0.0, 1.0, 3.0,
    2.0, 1.0, 5.0, 2.0, 0.0, 1.0, 0.0, 4.0, 3.0, 0.0, 0.0, 0.0, 4.0, 3.0, 2.0, 6.0, 2.0, 0.0,
];

/// As the counts, `qbeta(u(i), 6 * m, 6 * (1 - m))` with `m = plogis(0.3 + 0.5 * cos(i) + 0.8 * sin(1 + 3 *
/// (i %/% 6)))`, rounded.
pub(crate) const PROPORTIONS: [f64; 60] = [
    0.849, 0.5716, 0.8142, 0.5526, 0.9393, 0.82, 0.3779, 0.7098, 0.3667, 0.0775, 0.4018, 0.3093, 0.9605,
    0.8284, 0.5216, 0.7634, 0.5361, 0.198, 0.6205, 0.4512, 0.7351, 0.3762, 0.1192, 0.5095, 0.6373, 0.9664,
    0.7798, 0.4459, 0.7156, 0.5317, 0.2048, 0.7237, 0.5085, 0.763, 0.4088, 0.1894, 0.7303, 0.6451, 0.9742,
    0.7023, 0.3636, 0.6835, 0.5032, 0.3542, 0.8001, 0.5485, 0.8007, 0.4687, 0.2711, 0.7476, 0.6317, 0.2398,
    0.6054, 0.2948, 0.7535, 0.64, 0.4902, 0.8488, 0.5744, 0.8561,
];

/// `glmmTMB(y ~ x + (1 | g), ziformula = ~ 1, family = poisson)` of glmmTMB 1.1.5, by Laplace's approximation
/// too.
#[test]
fn zeros_as_by_glmm_tmb() {
    let model = groups(ZeroInflatedResponse::poisson(), &ZERO_INFLATED);
    let own = fit(&model);
    assert_close(own.ln_marginal_likelihood(), -105.8277378875, 1e-9);
    assert_close(hyper(&own, 0), 0.2918233987956, 1e-5);
    assert_close(hyper(&own, 1), 0.2703552583965, 1e-5);
    for (name, coefficient, error) in
        [("intercept", 0.8947607011, 0.1511219567995), ("x", 0.5445072580, 0.1481498698017)]
    {
        assert_close(own.fixed(name).unwrap().mean(), coefficient, 1e-5);
        assert_close(own.fixed(name).unwrap().sd(), error, 1e-4);
    }
}

/// `glmmTMB(y ~ x + (1 | g), family = beta_family())` of glmmTMB 1.1.5.
#[test]
fn proportions_as_by_glmm_tmb() {
    let model = groups(BetaResponse::new(), &PROPORTIONS);
    let own = fit(&model);
    assert_close(own.ln_marginal_likelihood(), 14.76827058629, 1e-9);
    assert_close(hyper(&own, 0), 5.582403375066, 1e-5);
    assert_close(hyper(&own, 1), 0.4064391186099, 1e-5);
    for (name, coefficient, error) in
        [("intercept", 0.3445809161, 0.1650871121313), ("x", 0.5022352000, 0.1438010301431)]
    {
        assert_close(own.fixed(name).unwrap().mean(), coefficient, 1e-5);
        assert_close(own.fixed(name).unwrap().sd(), error, 1e-4);
    }
}
