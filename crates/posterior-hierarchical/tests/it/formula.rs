//! Models by formulas: the same as by hand, and what is refused.

use posterior_dist::target::Target as _;
use posterior_hierarchical::{
    AreaMap, Autoregression, Component, CorrelatedGroups, EmbeddedLaplace, Error, FamilyResponse,
    FieldEffect, FormulaSettings, HierarchicalFormula, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    HyperparameterPrior, PlaceEffect as _, SmoothSurface,
};
use posterior_math::special::normal_cdf;
use posterior_regression::formula::{FormulaData, ModelFormula};

const Y: [f64; 12] = [3.1, 2.5, 4.0, 5.2, 4.4, 6.1, 2.2, 2.9, 3.3, 7.0, 6.4, 7.7];
const X: [f64; 12] = [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0];
const GROUPS: [&str; 12] = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"];

fn table() -> FormulaData {
    let labels =
        |name: &str| -> Vec<String> { GROUPS.iter().map(|group| format!("{name}{group}")).collect() };
    FormulaData::new(12)
        .with_numbers("x", X.to_vec())
        .unwrap()
        .with_labels("g", &labels(""))
        .unwrap()
        .with_numbers("t", (0..12).map(|row| 1990.0 + 0.25 * f64::from(row % 6)).collect())
        .unwrap()
        .with_numbers("number", (0..12).map(|row| f64::from(10 - row / 3)).collect())
        .unwrap()
}

fn learned(formula: &str, settings: &FormulaSettings) -> Result<HierarchicalFormula, Error> {
    let formula: ModelFormula =
        formula.parse().map_err(|error| Error::Formula(posterior_regression::Error::Formula(error)))?;
    HierarchicalFormula::learn(&formula, &table(), &[], settings)
}

fn ln_likelihood(model: &HierarchicalModel) -> f64 {
    let estimate = HyperEstimate::RestrictedLikelihood;
    let fit = model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap();
    fit.ln_marginal_likelihood()
}

fn by_formula(formula: &str) -> f64 {
    let learned = learned(formula, &FormulaSettings::default()).unwrap();
    ln_likelihood(&learned.model(FamilyResponse::gaussian(1.0).unwrap(), &Y, &table()).unwrap())
}

fn by_hand(effects: impl Fn(HierarchicalModel) -> HierarchicalModel) -> f64 {
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &Y).unwrap();
    ln_likelihood(&effects(model.intercept().unwrap().column("x", &X).unwrap()))
}

fn indices() -> Vec<usize> {
    (0..12).map(|row| row / 3).collect()
}

#[test]
fn formulas_are_the_models_that_they_say() {
    let groups = || FieldEffect::groups("g", 4).unwrap().at(&indices()).unwrap();
    let intercepts = by_hand(|model| model.effect(groups()).unwrap());
    for same in ["y ~ x + (1 | g)", "y ~ x + (1|number)", "y ~ (1 | g) + x", "y ~ . - t - number + (1 | g)"] {
        assert!((by_formula(same) - intercepts).abs() < 1e-7, "{same}");
    }
    let slopes = || FieldEffect::groups("s", 4).unwrap().times(&indices(), &X).unwrap();
    let both = by_hand(|model| model.effect(groups()).unwrap().effect(slopes()).unwrap());
    assert!((by_formula("y ~ x + (x || g)") - both).abs() < 1e-7);
    assert!((by_formula("y ~ x + (1 | g) + (0 + x | g)") - both).abs() < 1e-7);
    let correlated = by_hand(|model| {
        let effect = CorrelatedGroups::new("g", 4, ["1", "x"]).unwrap();
        model.effect(effect.with_columns(&indices(), &[&[1.0; 12], &X]).unwrap()).unwrap()
    });
    // The correlation is -1: to the largest one that there is.
    assert!((by_formula("y ~ x + (1 + x | g)") - correlated).abs() < 1e-5);
    let times: Vec<usize> = (0..12).map(|row| row % 6).collect();
    let walk =
        by_hand(|model| model.effect(FieldEffect::random_walk("t", 6).unwrap().at(&times).unwrap()).unwrap());
    assert!((by_formula("y ~ x + rw1(t)") - walk).abs() < 1e-7);
    let autoregression =
        by_hand(|model| model.effect(Autoregression::new("t", 6).unwrap().at(&times).unwrap()).unwrap());
    assert!((by_formula("y ~ x + ar1(t)") - autoregression).abs() < 1e-6);
}

#[test]
fn surfaces_and_columns_with_errors_are_the_models_that_they_say() {
    let times: Vec<f64> = (0..12).map(|row| 1990.0 + 0.25 * f64::from(row % 6)).collect();
    let number: Vec<f64> = (0..12).map(|row| f64::from(10 - row / 3)).collect();
    let product: Vec<f64> = times.iter().zip(&number).map(|(t, number)| t * number).collect();
    let surface =
        SmoothSurface::at_quantiles("te(t, number)", ["t", "number"], [&times, &number], [3, 3]).unwrap();
    let by_hand = by_hand(|model| {
        let model = model.column("t", &times).unwrap().column("number", &number).unwrap();
        let model = model.column("t:number", &product).unwrap();
        model.effect(surface.clone().through_points([&times, &number]).unwrap()).unwrap()
    });
    assert!((by_formula("y ~ x + te(t, number, k = 3)") - by_hand).abs() < 1e-6);
    let learned_surface = learned("y ~ number + te(t, number, k = 3)", &FormulaSettings::default()).unwrap();
    assert_eq!(learned_surface.columns(), ["(Intercept)", "number", "t", "t:number"]);

    let settings = FormulaSettings::of_numbers(&Y);
    let learned = learned("y ~ measured(x, sd = 0.3) + (1 | g)", &settings).unwrap();
    assert_eq!((learned.measured(), learned.effects().len()), (vec!["x".to_owned()], 1));
    let prior = HyperparameterPrior::deviation_above(2.0, 0.1).unwrap();
    let model = learned.model(FamilyResponse::gaussian(1.0).unwrap(), &Y, &table()).unwrap();
    let model = model.with_prior("sd", prior.clone()).unwrap();
    let by_formula = EmbeddedLaplace::new(&model).unwrap();
    assert_eq!(by_formula.names(), ["sd", "sd(g)", "sd(x)", "coefficient(x)"]);
    let slope = settings.scale * 10.0 / (8.0_f64 / 12.0).sqrt();
    let by_hand = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap().with_prior(prior), &Y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("g", 4).unwrap().at(&indices()).unwrap())
        .unwrap()
        .with_prior("sd(g)", HyperparameterPrior::deviation_above(settings.scale, (-1.0_f64).exp()).unwrap())
        .unwrap()
        .measured_column("x", &X, &[0.3; 12], slope)
        .unwrap();
    let by_hand = EmbeddedLaplace::new(&by_hand).unwrap();
    let point = [-0.3, 0.4, 0.2, 0.6];
    let off = by_formula.ln_density(&point).unwrap() - by_hand.ln_density(&point).unwrap();
    assert!(off.abs() < 1e-9, "{off}");
    let error = learned.new_rows(&table()).unwrap_err().to_string();
    assert!(error.contains("rows to predict go into the model"), "{error}");
}

/// A line that two effects leave to the fixed effects is one column.
#[test]
fn effects_share_their_lines() {
    let own = learned("y ~ smooth(x) + te(x, t)", &FormulaSettings::default()).unwrap();
    assert_eq!(own.columns(), ["(Intercept)", "x", "t", "x:t"]);
}

#[test]
fn nested_groups_are_two_effects() {
    let formula: ModelFormula = "y ~ x + (1 | g/t)".parse().unwrap();
    let [outer, inner] = formula.effects() else { panic!("two effects") };
    assert_eq!((outer.subject(), inner.subject()), ("g".to_owned(), "g:t".to_owned()));
    let (names, of_row) = inner.groups(&table()).unwrap();
    assert_eq!(names.len(), 12);
    assert_eq!((names[0].as_str(), of_row[0], of_row[11]), ("a:1990", 0, 11));
}

#[test]
fn the_line_of_a_smooth_walk_is_a_fixed_effect() {
    let own = learned("y ~ x + rw2(t)", &FormulaSettings::default()).unwrap();
    assert_eq!(own.columns(), ["(Intercept)", "x", "t"]);
    let curve = learned("y ~ smooth(t, k = 4)", &FormulaSettings::default()).unwrap();
    assert_eq!(curve.columns(), ["(Intercept)", "t"]);
    assert_eq!(curve.effects()[0].labels, ["1990", "1990.4166666666667", "1990.8333333333333", "1991.25"]);
    let named = learned("y ~ x + t + rw2(t)", &FormulaSettings::default()).unwrap();
    assert_eq!(named.columns(), ["(Intercept)", "x", "t"]);
    let [effect] = &own.effects()[..] else { panic!("one effect") };
    assert_eq!(effect.labels[1], "1990.25");
    assert_eq!(effect.places.as_ref().unwrap()[5], [1991.25]);
}

/// Rows that a model predicts as missing ones are those that it predicts by new rows: to many digits with two
/// hyperparameters, whose lattice is fine; with five the axes of the design turn with the last digits.
#[test]
fn new_groups_times_and_places_are_predicted() {
    let new = FormulaData::new(2)
        .with_numbers("x", vec![0.5, 1.0])
        .unwrap()
        .with_labels("g", &["d", "e"])
        .unwrap()
        .with_numbers("t", vec![1990.5, 1992.0])
        .unwrap()
        .with_numbers("number", vec![7.0, 8.0])
        .unwrap();
    let both = table().followed_by(&new).unwrap();
    for (formula, within) in
        [("y ~ x + (1 | g)", 1e-7), ("y ~ x + (1 | g) + rw1(t) + matern(t, k = 20)", 2e-3)]
    {
        let formula = formula.parse().unwrap();
        let settings = FormulaSettings { coefficient_sd: Some(2.0), ..FormulaSettings::default() };
        let learned = HierarchicalFormula::learn(&formula, &table(), &[&new], &settings).unwrap();
        let (response, options) = (FamilyResponse::gaussian(1.0).unwrap(), HierarchicalOptions::default());
        let model = learned.model(response.clone(), &Y, &table()).unwrap();
        let fit = model.fit(&options).unwrap();
        let rows = fit.predict(&learned.new_rows(&new).unwrap()).unwrap();
        let missing: Vec<f64> = Y.iter().copied().chain([f64::NAN; 2]).collect();
        let model = learned.model(response, &missing, &both).unwrap();
        let joint = model.fit(&options).unwrap().predictors();
        for (one, other) in rows.iter().zip(&joint[12..]) {
            let off = (one.mean() - other.mean()) / one.sd();
            assert!(off.abs() < within, "{formula}: {} {}", one.mean(), other.mean());
            assert!((one.sd() / other.sd() - 1.0).abs() < within, "{formula}: {} {}", one.sd(), other.sd());
        }
        assert!(rows[1].sd() > rows[0].sd());
        let other = HierarchicalFormula::learn(&formula, &table(), &[], &settings).unwrap();
        let error = other.new_rows(&new).unwrap_err().to_string();
        assert!(error.contains("g of row 1 is \"e\""), "{error}");
    }
}

#[test]
fn priors_go_by_names() {
    let map = AreaMap::from_pairs([("a", "b"), ("b", "c"), ("c", "d")]);
    let prior = HyperparameterPrior::deviation_above(1.0, 0.5).unwrap();
    let priors = vec![("sd(car(g))".to_owned(), prior.clone()), ("sd(t)".to_owned(), prior.clone())];
    let settings = FormulaSettings { areas: Some(map), priors, ..FormulaSettings::default() };
    let response = || FamilyResponse::gaussian(1.0).unwrap();
    let whole = learned("y ~ x + car(g) + (1 | t)", &settings).unwrap();
    assert!(whole.model(response(), &Y, &table()).is_ok());
    // A prior of the response's own is none that is taken and left.
    let sd = FormulaSettings { priors: vec![("sd".to_owned(), prior)], ..FormulaSettings::default() };
    let model = learned("y ~ x + (1 | g)", &sd).unwrap().model(response(), &Y, &table()).unwrap();
    let own = model.hyperparameters();
    assert_eq!(own[0].name, "sd");
    assert_eq!(format!("{:?}", own[0].prior), "exponential(0.6931471805599453)");
    let error = learned("y ~ x + car(g)", &settings).unwrap().model(response(), &Y, &table()).unwrap_err();
    let expected = "the model has no hyperparameter \"sd(t)\": it has sd, sd(car(g))";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_does_not_go_together_is_named() {
    let refused = |formula: &str| learned(formula, &FormulaSettings::default()).unwrap_err().to_string();
    let all = [
        ("y ~ x + (1 | h)", "column 14: there is no column \"h\""),
        ("y ~ x + 1 | g", "column 5: what varies between groups is a term of its own"),
        ("y ~ x + rw1(g)", "column 13: the column \"g\" holds labels"),
        ("y ~ x + rw1(t, k = 3)", "column 9: `rw1(t, k = 3)` has no option \"k\""),
        ("y ~ x + rw1(t, step = 0.2)", "column 9: rw1(t, step = 0.2) of row 1 is 1990.25"),
        ("y ~ x + car(g)", "column 9: `car(g)` needs a map"),
        ("y ~ x + seasonal(t)", "column 9: `seasonal(t)`: it needs `period`"),
        ("y ~ x + matern(x, t, g)", "column 9: `matern` is of one column, or two"),
        ("y ~ x + te(x)", "column 9: `te` is of two columns"),
        ("y ~ x + te(x, t, k = 2)", "column 9: `te(x, t, k = 2)`: k must be a whole number from 3 to 30"),
        ("y ~ measured(x)", "column 5: `measured(x)`: it needs the errors"),
        ("y ~ measured(x, number, sd = 1)", "column 5: `measured(x, number, sd = 1)`: it needs the errors"),
        ("y ~ measured(t, x)", "column 5: measured(t, x) of row 0 is an error of 0"),
        ("y ~ x + (1 | g) + (1 | g)", "column 19: `g` is there twice"),
        ("y ~ x + (1 | log(x))", "column 14: expected groups: a column, a:b or a/b, found `log(x)`"),
        ("y ~ x + ((1 | g) | t)", "column 9: groups within groups are written a/b"),
        ("y ~ x + log(rw1(t))", "column 13: `rw1` is a term of its own"),
        ("y ~ x:(1 | g)", "column 8: what varies between groups"),
    ];
    for (formula, message) in all {
        let found = refused(formula);
        assert!(found.starts_with(message), "{formula}: {found}");
    }
    let far = FormulaData::new(2)
        .with_numbers("t", vec![0.0, 1e9])
        .unwrap()
        .with_numbers("u", vec![0.0, 1.5])
        .unwrap();
    let learn = |formula: &str| {
        let formula = formula.parse().unwrap();
        HierarchicalFormula::learn(&formula, &far, &[&far], &FormulaSettings::default())
    };
    assert!(learn("y ~ rw1(t)").is_ok());
    assert!(learn("y ~ rw1(t, step = 1)").unwrap_err().to_string().contains("at most 200000"));
}

#[test]
fn few_parts_are_as_good_as_many() {
    let parts: Vec<Component> = (0..400)
        .map(|k| {
            let (a, b) = (f64::from(k % 20) / 10.0 - 1.0, f64::from(k / 20) / 10.0 - 1.0);
            let weight = (-a * a - b * b).exp();
            Component { weight, mean: 0.5 * a + 0.2 * b, sd: (0.4 * b).exp(), skewness: 0.1 * a }
        })
        .collect();
    let few = Component::condensed(&parts, 24);
    assert!(few.len() <= 24 && few.len() > 12, "{}", few.len());
    let moments = |parts: &[Component]| {
        let sum = |f: &dyn Fn(&Component) -> f64| parts.iter().map(|part| part.weight * f(part)).sum::<f64>();
        let third = |p: &Component| p.skewness * p.sd.powi(3) + 3.0 * p.mean * p.sd.powi(2) + p.mean.powi(3);
        [sum(&|_| 1.0), sum(&|p| p.mean), sum(&|p| p.sd * p.sd + p.mean * p.mean), sum(&third)]
    };
    for (one, other) in moments(&parts).into_iter().zip(moments(&few)) {
        assert!((one - other).abs() < 1e-10 * one.abs().max(1.0), "{one} {other}");
    }
    // Quantiles of the many, as a mixture of normal distributions.
    let plain = |parts: &[Component]| -> Vec<Component> {
        parts.iter().map(|part| Component { skewness: 0.0, ..*part }).collect()
    };
    let below = |parts: &[Component], x: f64| {
        let total: f64 = parts.iter().map(|part| part.weight).sum();
        parts.iter().map(|part| part.weight * normal_cdf((x - part.mean) / part.sd)).sum::<f64>() / total
    };
    let (many, few) = (plain(&parts), Component::condensed(&plain(&parts), 24));
    for x in [-3.0, -1.5, -0.5, 0.0, 0.7, 1.5, 3.0] {
        let (one, other) = (below(&many, x), below(&few, x));
        assert!((one - other).abs() < 3e-3 * (one * (1.0 - one)).sqrt().max(0.02), "{x}: {one} {other}");
    }
}
