//! Groups left out, against fits without them.

use posterior_dist::Normal;
use posterior_hierarchical::{
    Error, FamilyResponse, FieldEffect, HierarchicalFit, HierarchicalModel, HierarchicalOptions,
    HyperparameterPrior, LeftOutGroup, PlaceEffect as _, Response,
};

/// p(y) and P(Y ≤ y) by y, the predictor and the hyperparameters of the response.
type Term<'a> = dyn Fn(f64, f64, &[f64]) -> [f64; 2] + 'a;

const GROUPS: usize = 12;
const EACH: usize = 5;
const ROWS: usize = GROUPS * EACH;

fn column() -> Vec<f64> {
    (0..ROWS).map(|row| (row as f64).cos()).collect()
}

fn groups() -> Vec<usize> {
    (0..ROWS).map(|row| row / EACH).collect()
}

/// y of each row from a number between 0 and 1 and the predictor.
fn responses(draw: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let of_row = |row: usize| {
        let u = (0.5 + row as f64 * 0.618_033_988_749_895).fract();
        draw(u, 0.4 + 0.5 * (row as f64).cos() + 0.8 * (1.0 + 3.0 * (row / EACH) as f64).sin())
    };
    (0..ROWS).map(of_row).collect()
}

fn poisson() -> Vec<f64> {
    responses(|u, eta| {
        let (mut count, mut term) = (0.0, (-eta.exp()).exp());
        let mut below = term;
        while below < u {
            count += 1.0;
            term *= eta.exp() / count;
            below += term;
        }
        count
    })
}

fn model(response: impl Response + 'static, y: &[f64]) -> HierarchicalModel {
    let effect = FieldEffect::groups("group", GROUPS).unwrap().at(&groups()).unwrap();
    HierarchicalModel::with_missing(response, y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &column())
        .unwrap()
        .effect(effect)
        .unwrap()
}

/// What a group is without itself by a fit without it.
struct Refit {
    ln_density: f64,
    each: Vec<(f64, f64)>,
}

/// A fit without some rows, and what it says of them.
fn refit(
    build: &dyn Fn(&[f64]) -> HierarchicalModel,
    y: &[f64],
    rows: &[usize],
    full: f64,
    term: &Term<'_>,
) -> Refit {
    let mut less = y.to_vec();
    for &row in rows {
        less[row] = f64::NAN;
    }
    let model = build(&less);
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let (points, predictors) = (fit.points(), fit.predictors());
    let each = rows.iter().map(|&row| {
        let parts = predictors[row].components().iter().zip(&points);
        let mut sums = [0.0; 2];
        for (part, (_, natural)) in parts {
            for k in -400..=400 {
                let z = 8.0 * f64::from(k) / 400.0;
                let weight = part.weight * (-0.5 * z * z).exp() * 0.02 / std::f64::consts::TAU.sqrt();
                let values = term(y[row], part.mean + part.sd * z, natural);
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        (sums[0].ln(), sums[1])
    });
    Refit { ln_density: full - fit.ln_marginal_likelihood(), each: each.collect() }
}

/// The largest differences of ln p of groups, of ln p of rows, and of probabilities of rows.
fn differences(build: &dyn Fn(&[f64]) -> HierarchicalModel, y: &[f64], term: &Term<'_>) -> [f64; 3] {
    let model = build(y);
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let mut worst = [0.0_f64; 3];
    for left in fit.leave_out(&fit.groups_by("group").unwrap()).unwrap() {
        let refit = refit(build, y, &left.rows, fit.ln_marginal_likelihood(), term);
        worst[0] = worst[0].max((left.ln_density - refit.ln_density).abs());
        for (own, (ln_density, below)) in left.each.iter().zip(&refit.each) {
            let own = own.unwrap();
            worst[1] = worst[1].max((own.ln_density - ln_density).abs());
            worst[2] = worst[2].max((own.probability[1] - below).abs());
        }
    }
    println!("{worst:?}");
    worst
}

#[test]
fn normal_responses_as_by_refits() {
    let y = responses(|u, eta| eta + 0.5 * (u / (1.0 - u)).ln());
    let build = |y: &[f64]| model(FamilyResponse::gaussian(0.8).unwrap(), y);
    let term = |y: f64, eta: f64, natural: &[f64]| {
        let z = (y - eta) / natural[0];
        let density = (-0.5 * z * z).exp() / (natural[0] * std::f64::consts::TAU.sqrt());
        [density, posterior_math::special::normal_cdf(z)]
    };
    // What is left is the lattice of the hyperparameters.
    let [joint, row, below] = differences(&build, &y, &term);
    assert!(joint < 0.005 && row < 0.005 && below < 0.001, "{joint} {row} {below}");
}

#[test]
fn counts_as_by_refits() {
    let build = |y: &[f64]| model(FamilyResponse::poisson(), y);
    let term = |y: f64, eta: f64, _: &[f64]| {
        let (mut term, mut below) = ((-eta.exp()).exp(), 0.0);
        below += term;
        for k in 1..=(y as u32) {
            term *= eta.exp() / f64::from(k);
            below += term;
        }
        [term, below]
    };
    let [joint, row, below] = differences(&build, &poisson(), &term);
    assert!(joint < 0.03 && row < 0.02 && below < 0.003, "{joint} {row} {below}");
}

#[test]
fn successes_as_by_refits() {
    let y = responses(|u, eta| f64::from(u8::from(u < 1.0 / (1.0 + (-eta).exp()))));
    let build = |y: &[f64]| model(FamilyResponse::binomial(), y);
    let term = |y: f64, eta: f64, _: &[f64]| {
        let p = 1.0 / (1.0 + (-eta).exp());
        if y > 0.0 { [p, 1.0] } else { [1.0 - p, 1.0 - p] }
    };
    let [joint, row, below] = differences(&build, &y, &term);
    assert!(joint < 0.01 && row < 0.003 && below < 0.001, "{joint} {row} {below}");
}

fn single(fit: &HierarchicalFit<'_>) -> Vec<LeftOutGroup> {
    fit.leave_out(&(0..ROWS).map(|row| vec![row]).collect::<Vec<_>>()).unwrap()
}

#[test]
fn groups_of_one_row_are_leave_one_out() {
    let mut y = poisson();
    y[7] = f64::NAN;
    for model in [model(FamilyResponse::poisson(), &y), model(FamilyResponse::negative_binomial(), &y)] {
        let fit = model.fit(&HierarchicalOptions::default()).unwrap();
        let criteria = fit.criteria().unwrap();
        for (row, (left, own)) in single(&fit).iter().zip(&criteria.rows).enumerate() {
            assert_eq!(left.rows, [row]);
            let (Some(own), Some(each)) = (own, left.each[0]) else {
                assert!(row == 7 && left.each[0].is_none() && left.ln_density.abs() < 1e-12);
                let (out, predictor) = (&left.predictors[0], &fit.predictors()[7]);
                assert!((out.sd() / predictor.sd() - 1.0).abs() < 0.02, "{} {}", out.sd(), predictor.sd());
                continue;
            };
            assert!((left.ln_density - own.ln_density).abs() < 1e-9, "{row}: {left:?} {own:?}");
            assert!((each.ln_density - own.ln_density).abs() < 1e-9, "{row}: {each:?} {own:?}");
            for (a, b) in each.probability.iter().zip(own.probability) {
                assert!((a - b).abs() < 1e-9, "{row}: {each:?} {own:?}");
            }
        }
    }
}

/// All rows left out: what the priors say, known in closed form for normal responses.
#[test]
fn all_rows_with_proper_priors_leave_the_prior() {
    let y = [1.0, 2.0, 0.5];
    let known = HyperparameterPrior::density(Normal::mean_sd(0.7, 1e-3).unwrap());
    let model = HierarchicalModel::new(FamilyResponse::gaussian(0.7).unwrap().with_prior(known), &y)
        .unwrap()
        .column_with_sd("intercept", &[1.0; 3], 2.0)
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let all = &fit.leave_out(&[vec![0, 1, 2]]).unwrap()[0];
    assert!((all.ln_density - fit.ln_marginal_likelihood()).abs() < 1e-4);
    for predictor in &all.predictors {
        assert!(predictor.mean().abs() < 1e-7 && (predictor.sd() - 2.0).abs() < 1e-7);
    }
}

#[test]
fn refusals_of_groups() {
    let y = poisson();
    let model = model(FamilyResponse::poisson(), &y);
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    assert!(matches!(fit.groups_by("ward"), Err(Error::Unknown { .. })));
    assert_eq!(fit.groups_by("group").unwrap()[3], [15, 16, 17, 18, 19]);
    assert!(fit.leave_out(&[vec![]]).is_err());
    assert!(fit.leave_out(&[vec![ROWS]]).is_err());
    assert!(fit.leave_out(&[vec![3, 4, 3]]).is_err());
    // Groups may overlap.
    assert!(fit.leave_out(&[vec![3, 4], vec![4, 5]]).is_ok());
    let all = fit.leave_out(&[(0..ROWS).collect()]);
    assert!(matches!(all, Err(Error::Undetermined { row: 0, others: 59 })), "{all:?}");
}
