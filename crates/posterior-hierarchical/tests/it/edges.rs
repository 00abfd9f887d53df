//! Data at the edge: an answer, or an error that says what to do.

use posterior_dist::stream::stream;
use posterior_hierarchical::{
    Error, FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    LatentMarginal, PlaceEffect as _,
};

fn poisson(y: &[f64]) -> HierarchicalModel {
    HierarchicalModel::new(FamilyResponse::poisson(), y).unwrap()
}

#[test]
fn one_group() {
    let group = FieldEffect::groups("group", 1).unwrap().at(&[0; 4]).unwrap();
    let model = poisson(&[1.0, 2.0, 3.0, 2.0]).intercept().unwrap().effect(group).unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    // Nothing is learned about the spread of groups: its prior P(σ > 1) = 0.01 stays, but for what the flat
    // intercept takes.
    let sd = fit.hyperparameter("sd(group)").unwrap();
    assert!((sd.mean() - 1.0 / 100_f64.ln()).abs() < 0.02, "{}", sd.mean());
    assert!(fit.effect("group").unwrap()[0].mean().abs() < 0.01);
}

#[test]
fn one_row_for_each_group() {
    let groups: Vec<usize> = (0..6).collect();
    let effect = FieldEffect::groups("group", 6).unwrap().at(&groups).unwrap();
    let model = poisson(&[0.0, 9.0, 1.0, 4.0, 14.0, 2.0]).intercept().unwrap().effect(effect).unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    assert!(fit.hyperparameter("sd(group)").unwrap().quantile(0.05) > 0.3);
}

#[test]
fn an_empty_group_has_the_prior_of_its_spread() {
    let effect = FieldEffect::groups("group", 5).unwrap().at(&[0, 0, 1, 1, 2, 2, 3, 3]).unwrap();
    let y = [0.0, 1.0, 6.0, 9.0, 2.0, 3.0, 1.0, 1.0];
    let model = poisson(&y).intercept().unwrap().effect(effect).unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let empty = &fit.effect("group").unwrap()[4];
    assert!(empty.mean().abs() < 1e-12);
    // Its variance is the mean of σ² over the points of the integral.
    let square: f64 = fit.points().iter().map(|(weight, natural)| weight * natural[0] * natural[0]).sum();
    assert!((empty.sd() - square.sqrt()).abs() < 1e-10, "{} {}", empty.sd(), square.sqrt());
}

#[test]
fn a_map_in_parts_adds_up_to_zero_in_each() {
    let map = vec![vec![1], vec![0, 2], vec![1], vec![4], vec![3], vec![]];
    let effect = FieldEffect::besag("area", &map).unwrap().at(&[0, 1, 2, 3, 4, 5]).unwrap();
    let model = poisson(&[3.0, 8.0, 11.0, 2.0, 5.0, 9.0]).intercept().unwrap().effect(effect).unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let draws = fit.draws(50, &mut stream(1, &[])).unwrap();
    let first = draws.names().iter().position(|name| name == "area[1]").unwrap();
    for draw in 0..50 {
        let areas = &draws.draw(0, draw)[first..first + 6];
        let (one, two): (f64, f64) = (areas[..3].iter().sum(), areas[3..5].iter().sum());
        assert!(one.abs() < 1e-10 && two.abs() < 1e-10, "{one} {two}");
    }
}

#[test]
fn missing_responses_are_predicted() {
    let y = [1.0, f64::NAN, 3.0, 2.0];
    assert!(matches!(
        HierarchicalModel::new(FamilyResponse::poisson(), &y),
        Err(Error::Observation { row: 1, .. })
    ));
    let walk = FieldEffect::random_walk("time", 4).unwrap().at(&[0, 1, 2, 3]).unwrap();
    let model = HierarchicalModel::with_missing(FamilyResponse::poisson(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(walk)
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let predictors = fit.predictors();
    assert!(predictors[1].sd() > predictors[0].sd() * 0.9);
    // The mean of a lognormal variable, for each part.
    let own = predictors[1].expectation(|eta| model.mean(eta, &[]));
    assert_eq!(own, fit.response_mean(&predictors[1]).unwrap());
    let parts = predictors[1].components().iter();
    let exact: f64 = parts.map(|part| part.weight * (part.mean + 0.5 * part.sd * part.sd).exp()).sum();
    assert!((own / exact - 1.0).abs() < 1e-9, "{own} {exact}");
    assert!(fit.criteria().unwrap().rows[1].is_none());
}

#[test]
fn refusals_name_what_is_wrong() {
    let column = poisson(&[1.0, 2.0]).intercept().unwrap().column("same", &[3.0, 3.0]).unwrap();
    let error = column.fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::Collinear { column } if column == "same"), "{error}");
    let zeros = poisson(&[0.0; 5]).intercept().unwrap().fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&zeros, Error::Separated { column, rows: 5 } if column == "intercept"), "{zeros}");
    let y = [0.0, 0.0, 1.0, 1.0];
    let separated = HierarchicalModel::new(FamilyResponse::binomial(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &[1.0, 2.0, 3.0, 4.0])
        .unwrap();
    let error = separated.fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::Separated { column, .. } if column == "x"), "{error}");
    assert!(matches!(
        HierarchicalModel::new(FamilyResponse::poisson(), &[0.5]),
        Err(Error::Observation { .. })
    ));
    assert!(matches!(poisson(&[1.0]).offset(&[f64::INFINITY]), Err(Error::Observation { .. })));
    assert!(poisson(&[1.0]).weights(&[-1.0]).is_err());
    let nothing = HierarchicalModel::with_missing(FamilyResponse::poisson(), &[f64::NAN]).unwrap();
    assert!(matches!(nothing.fit(&HierarchicalOptions::default()), Err(Error::NoRows)));
    assert!(FieldEffect::groups("group", 2).unwrap().at(&[2]).is_err());
    let twice = || FieldEffect::groups("group", 1).unwrap().at(&[0]).unwrap();
    let repeated = poisson(&[1.0]).effect(twice()).unwrap().effect(twice());
    assert!(matches!(repeated, Err(Error::RepeatedName { .. })));
    assert!(poisson(&[1.0, 1.0]).effect(twice()).is_err());
}

#[test]
fn zero_counts_with_a_proper_prior() {
    let effect = FieldEffect::groups("group", 5).unwrap().at(&[0, 1, 2, 3, 4]).unwrap();
    let model =
        poisson(&[0.0; 5]).column_with_sd("intercept", &[1.0; 5], 3.0).unwrap().effect(effect).unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let intercept = fit.fixed("intercept").unwrap();
    assert!(intercept.mean() < -1.5 && intercept.quantile(0.01) > -12.0);
}

/// Dyestuff2 of lme4: the likelihood has its maximum where the batches do not differ.
#[test]
fn a_spread_of_zero() {
    let y = [
        7.298, 3.846, 2.434, 9.566, 7.99, 5.22, 6.556, 0.608, 11.788, -0.892, 0.11, 10.386, 13.434, 5.51,
        8.166, 2.212, 4.852, 7.092, 9.288, 4.98, 0.282, 9.014, 4.458, 9.446, 7.198, 1.722, 4.782, 8.106,
        0.758, 3.758,
    ];
    let batches: Vec<usize> = (0..30).map(|row| row / 5).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(3.0).unwrap(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("batch", 6).unwrap().at(&batches).unwrap())
        .unwrap();
    let options = HierarchicalOptions {
        estimate: HyperEstimate::RestrictedLikelihood,
        ..HierarchicalOptions::default()
    };
    let fit = model.fit(&options).unwrap();
    let [(_, sd), (_, spread)] = &fit.mode()[..] else { panic!("two hyperparameters") };
    assert!(*spread < 0.01, "{spread}");
    assert!((sd / 3.71568427448 - 1.0).abs() < 1e-5, "{sd}");
    assert!((-2.0 * fit.ln_marginal_likelihood() / 161.82827781229 - 1.0).abs() < 1e-6);
    assert!((fit.fixed("intercept").unwrap().sd() / 0.678388031233 - 1.0).abs() < 1e-4);
}

#[test]
fn a_column_without_variance() {
    let y = [2.0, 0.0, 3.0, 1.0];
    // Beside an intercept it is one; by itself it is an intercept in other units; zeros are nothing.
    let twice = poisson(&y).intercept().unwrap().column("same", &[2.0; 4]).unwrap();
    let error = twice.fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::Collinear { column } if column == "same"), "{error}");
    let alone = poisson(&y).column("same", &[2.0; 4]).unwrap();
    let fit = alone.fit(&HierarchicalOptions::default()).unwrap();
    let usual = poisson(&y).intercept().unwrap();
    let usual = usual.fit(&HierarchicalOptions::default()).unwrap();
    let (own, other) = (fit.fixed("same").unwrap(), usual.fixed("intercept").unwrap());
    assert!((2.0 * own.mean() - other.mean()).abs() < 1e-10);
    let zeros = poisson(&y).intercept().unwrap().column("zeros", &[0.0; 4]).unwrap();
    let error = zeros.fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::Collinear { column } if column == "zeros"), "{error}");
}

/// Normal responses that are all the same have no most probable standard deviation but 0.
#[test]
fn a_response_without_variance_is_refused() {
    let groups: Vec<usize> = (0..12).map(|row| row / 3).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &[1.5; 12])
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("group", 4).unwrap().at(&groups).unwrap())
        .unwrap();
    let error = model.fit(&HierarchicalOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::NoHyperparameters { .. } | Error::NoMode { .. }), "{error}");
    println!("{error}");
}

/// A response that is all missing says nothing; one that is missing but for a row says what that row says.
#[test]
fn responses_that_are_missing() {
    let effect = || FieldEffect::groups("group", 3).unwrap().at(&[0, 0, 1, 1, 2, 2]).unwrap();
    let model = |y: &[f64]| {
        HierarchicalModel::with_missing(FamilyResponse::poisson(), y).unwrap().effect(effect()).unwrap()
    };
    let none = model(&[f64::NAN; 6]);
    assert!(matches!(none.fit(&HierarchicalOptions::default()), Err(Error::NoRows)));
    let mut y = [f64::NAN; 6];
    y[2] = 4.0;
    let one = model(&y).fit(&HierarchicalOptions::default()).map(|fit| fit.predictors());
    let one = one.unwrap();
    assert!(one[2].mean() > 0.0 && (one[2].mean() - one[3].mean()).abs() < 1e-12);
    assert!(one[0].mean().abs() < 1e-12 && one[0].sd() > 0.1);
}

/// Groups of which one has successes only, and one none, are not separated: they have a prior.
#[test]
fn separation_by_groups_and_by_columns() {
    let y = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    let groups: Vec<usize> = (0..9).map(|row| row / 3).collect();
    let effect = || FieldEffect::groups("group", 3).unwrap().at(&groups).unwrap();
    let model = |y: &[f64]| {
        HierarchicalModel::new(FamilyResponse::binomial(), y)
            .unwrap()
            .intercept()
            .unwrap()
            .effect(effect())
            .unwrap()
    };
    let own = model(&y);
    let fit = own.fit(&HierarchicalOptions::default()).unwrap();
    let values = fit.effect("group").unwrap();
    assert!(values[0].mean() > 0.0 && values[1].mean() < 0.0 && values[0].quantile(0.99) < 20.0);
    // All successes: the intercept has no finite best value, whichever way hyperparameters are found.
    for estimate in [HyperEstimate::Posterior, HyperEstimate::RestrictedLikelihood, HyperEstimate::Likelihood]
    {
        let options = HierarchicalOptions { estimate, ..HierarchicalOptions::default() };
        let all = model(&[1.0; 9]);
        let error = all.fit(&options).unwrap_err();
        assert!(matches!(&error, Error::Separated { column, .. } if column == "intercept"), "{error}");
    }
}

/// Means and draws of walks add up to zero, with what they must not hold beside it.
#[test]
fn walks_add_up_to_zero() {
    let y: Vec<f64> = (0..30).map(|t| f64::from(t % 7) + 2.0 * f64::from(t) / 30.0).collect();
    let times: Vec<usize> = (0..30).collect();
    for (order, effect) in [
        (1, FieldEffect::random_walk("time", 30).unwrap()),
        (2, FieldEffect::second_order_random_walk("time", 30).unwrap()),
    ] {
        let x: Vec<f64> = times.iter().map(|&t| t as f64).collect();
        let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &y)
            .unwrap()
            .intercept()
            .unwrap()
            .column("x", &x)
            .unwrap()
            .effect(effect.at(&times).unwrap())
            .unwrap();
        let fit = model.fit(&HierarchicalOptions::default()).unwrap();
        let means: Vec<f64> = fit.effect("time").unwrap().iter().map(LatentMarginal::mean).collect();
        let draws = fit.draws(20, &mut stream(2, &[])).unwrap();
        let first = draws.names().iter().position(|name| name == "time[1]").unwrap();
        let all = (0..20).map(|draw| draws.draw(0, draw)[first..first + 30].to_vec()).chain([means]);
        for values in all {
            let sum: f64 = values.iter().sum();
            let along: f64 = values.iter().zip(&x).map(|(value, x)| value * x).sum();
            assert!(sum.abs() < 1e-10, "{sum}");
            assert!(order == 1 || along.abs() < 1e-9, "{along}");
        }
    }
}
