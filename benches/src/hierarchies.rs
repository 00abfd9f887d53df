//! Data for latent Gaussian models, and the models of them.

use std::fs;
use std::path::Path;

use posterior_dist::stream::stream;
use posterior_dist::{Bernoulli, Poisson};
use posterior_gaussian::{FiniteElements, GaussianMarkovField, MaternSpde};
use posterior_hierarchical::{
    Bym2, CorrelatedGroups, Error, FamilyResponse, FieldEffect, HierarchicalModel, HyperparameterPrior,
    MaternField, PlaceEffect as _, SmoothCurve,
};
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

/// Responses with what explains them: a table of numbers by columns, whose first one is the response.
#[derive(Debug, Clone)]
pub struct Table {
    /// Names and values of the columns.
    pub columns: Vec<(&'static str, Vec<f64>)>,
}

impl Table {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |own| own.1.len())
    }

    fn column(&self, name: &str) -> &[f64] {
        self.columns.iter().find(|own| own.0 == name).map_or(&[], |own| &own.1)
    }

    fn places(&self, name: &str) -> Vec<usize> {
        self.column(name).iter().map(|&place| place as usize).collect()
    }

    /// Writes each column as a file of 64-bit floating-point numbers of this machine: `FOLDER/NAME.COLUMN`.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn write(&self, folder: &Path, name: &str) -> std::io::Result<()> {
        for (column, values) in &self.columns {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
            fs::write(folder.join(format!("{name}.{column}")), bytes)?;
        }
        Ok(())
    }
}

/// What the responses of crossed groups are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Responses {
    /// Normal around the predictor.
    Gaussian,
    /// Counts.
    Poisson,
    /// Zeros and ones.
    Bernoulli,
}

fn normals(rng: &mut impl rand::Rng, count: usize, sd: f64) -> Vec<f64> {
    (0..count)
        .map(|_| {
            let z: f64 = StandardNormal.sample(rng);
            sd * z
        })
        .collect()
}

fn draw(response: Responses, predictor: f64, noise: f64, rng: &mut impl rand::Rng) -> f64 {
    match response {
        Responses::Gaussian => predictor + noise,
        Responses::Poisson => Poisson::new(predictor.exp()).map_or(f64::NAN, |own| own.sample(rng) as f64),
        Responses::Bernoulli => Bernoulli::new(1.0 / (1.0 + (-predictor).exp()))
            .map_or(f64::NAN, |own| f64::from(u8::from(own.sample(rng)))),
    }
}

/// Rows with a column x, in so many groups of two kinds, crossed.
pub fn crossed(response: Responses, rows: usize, groups: [usize; 2]) -> Table {
    let mut rng = stream(1, &[]);
    let [a, b] = [normals(&mut rng, groups[0], 0.8), normals(&mut rng, groups[1], 0.4)];
    let (noise, x) = (normals(&mut rng, rows, 1.5), normals(&mut rng, rows, 1.0));
    let of = |count: usize, rng: &mut _| -> Vec<usize> {
        (0..rows).map(|_| rand::RngExt::random_range(rng, 0..count)).collect()
    };
    let of_a = of(groups[0], &mut rng);
    let of_b = of(groups[1], &mut rng);
    let y = (0..rows)
        .map(|i| draw(response, 0.5 + 0.5 * x[i] + a[of_a[i]] + b[of_b[i]], noise[i], &mut rng))
        .collect();
    let numbers = |own: Vec<usize>| own.into_iter().map(|place| place as f64).collect();
    Table { columns: vec![("y", y), ("x", x), ("a", numbers(of_a)), ("b", numbers(of_b))] }
}

/// `y ~ 1 + x + (1 | a) + (1 | b)`.
///
/// # Errors
/// None for the tables of [`crossed`].
pub fn crossed_model(
    response: Responses,
    table: &Table,
    groups: [usize; 2],
) -> Result<HierarchicalModel, Error> {
    let family = match response {
        Responses::Gaussian => FamilyResponse::gaussian(1.0)?,
        Responses::Poisson => FamilyResponse::poisson(),
        Responses::Bernoulli => FamilyResponse::binomial(),
    };
    HierarchicalModel::new(family, table.column("y"))?
        .intercept()?
        .column("x", table.column("x"))?
        .effect(FieldEffect::groups("a", groups[0])?.at(&table.places("a"))?)?
        .effect(FieldEffect::groups("b", groups[1])?.at(&table.places("b"))?)
}

/// Points of a wave with noise.
pub fn wave(rows: usize) -> Table {
    let mut rng = stream(3, &[]);
    let x: Vec<f64> = (0..rows).map(|_| 10.0 * rng.random::<f64>()).collect();
    let noise = normals(&mut rng, rows, 0.5);
    let y = x.iter().zip(noise).map(|(x, noise)| x.sin() + 0.1 * x + noise).collect();
    Table { columns: vec![("y", y), ("x", x)] }
}

/// `y ~ 1 + x + smooth(x)`.
///
/// # Errors
/// None for the tables of [`wave`].
pub fn wave_model(table: &Table, knots: usize) -> Result<HierarchicalModel, Error> {
    let x = table.column("x");
    HierarchicalModel::new(FamilyResponse::gaussian(0.5)?, table.column("y"))?
        .intercept()?
        .column("x", x)?
        .effect(SmoothCurve::at_quantiles("wave", x, knots)?.through_points(x)?)
}

/// Reaction times of subjects who sleep little.
pub fn sleepers() -> Table {
    let rows = || posterior_datasets::tables::SLEEP_STUDY.rows();
    let subject = (0..180).map(|row| f64::from(row / 10)).collect();
    let columns = vec![
        ("y", rows().map(|row| row[0]).collect()),
        ("x", rows().map(|row| row[1]).collect()),
        ("a", subject),
    ];
    Table { columns }
}

/// `y ~ 1 + x + (1 + x | a)`.
///
/// # Errors
/// None for the table of [`sleepers`].
pub fn sleepers_model(table: &Table) -> Result<HierarchicalModel, Error> {
    let (x, ones) = (table.column("x"), vec![1.0; 180]);
    let groups = CorrelatedGroups::new("a", 18, ["intercept", "x"])?;
    let own = |what| HyperparameterPrior::deviation_above(what, 0.05);
    let placed = groups
        .with_columns(&table.places("a"), &[&ones, x])?
        .with_prior("sd(a: intercept)", own(100.0)?)?
        .with_prior("sd(a: x)", own(20.0)?)?
        .starting_at("sd(a: intercept)", 20.0)?
        .starting_at("sd(a: x)", 5.0)?;
    HierarchicalModel::new(FamilyResponse::gaussian(50.0)?, table.column("y"))?
        .intercept()?
        .column("x", x)?
        .effect(placed)
}

/// Cases in the areas of a map of rectangles, with a covariate and expected numbers.
pub fn cases(sides: [usize; 2]) -> Table {
    let mut rng = stream(4, &[]);
    let n = sides[0] * sides[1];
    let z = normals(&mut rng, n, 0.4);
    let neighbours = map(sides);
    // A field that is smooth: averages over neighbours, twice.
    let average = |own: &[f64]| -> Vec<f64> {
        let around = |i: usize| neighbours[i].iter().map(|&j| own[j]).sum::<f64>() + own[i];
        (0..n).map(|i| around(i) / (1.0 + neighbours[i].len() as f64)).collect()
    };
    let field = average(&average(&normals(&mut rng, n, 1.5)));
    let expected: Vec<f64> = (0..n).map(|_| 1.0 + 20.0 * rng.random::<f64>().powi(2)).collect();
    let x = normals(&mut rng, n, 1.0);
    let y = (0..n)
        .map(|i| {
            draw(
                Responses::Poisson,
                expected[i].ln() + 0.2 + 0.3 * x[i] + field[i] + 0.3 * z[i],
                0.0,
                &mut rng,
            )
        })
        .collect();
    Table {
        columns: vec![("y", y), ("x", x), ("expected", expected), ("a", (0..n).map(|i| i as f64).collect())],
    }
}

/// The neighbours of each rectangle.
pub fn map(sides: [usize; 2]) -> Vec<Vec<usize>> {
    let [w, h] = sides;
    let beside = |i: usize| {
        let (x, y) = (i % w, i / w);
        let all =
            [(x > 0, i.wrapping_sub(1)), (x + 1 < w, i + 1), (y > 0, i.wrapping_sub(w)), (y + 1 < h, i + w)];
        all.into_iter().filter(|own| own.0).map(|own| own.1).collect()
    };
    (0..w * h).map(beside).collect()
}

/// `y ~ offset(ln expected) + 1 + x + bym2(a)`.
///
/// # Errors
/// None for the tables of [`cases`].
pub fn cases_model(table: &Table, sides: [usize; 2]) -> Result<HierarchicalModel, Error> {
    let ln_expected: Vec<f64> = table.column("expected").iter().map(|own| own.ln()).collect();
    HierarchicalModel::new(FamilyResponse::poisson(), table.column("y"))?
        .offset(&ln_expected)?
        .intercept()?
        .column("x", table.column("x"))?
        .effect(Bym2::new("a", &map(sides))?.at(&table.places("a"))?)
}

/// Counts at the nodes of a square grid.
///
/// # Errors
/// None for a side of at least two.
pub fn counts(side: usize) -> Result<Table, Box<dyn std::error::Error + Send + Sync>> {
    let mut rng = stream(2, &[]);
    let equation = MaternSpde::with_range(0.2 * side as f64, 0.8, 2, 2)?;
    let field = GaussianMarkovField::matern_on_grid(&[side, side], 1.0, &equation)?;
    let u: Vec<f64> = field.sample(&mut rng);
    let y = u.iter().map(|u| draw(Responses::Poisson, 1.0 + u, 0.0, &mut rng)).collect();
    Ok(Table { columns: vec![("y", y)] })
}

/// `y ~ 1 + matern(place)`.
///
/// # Errors
/// None for the tables of [`counts`].
pub fn counts_model(
    table: &Table,
    side: usize,
) -> Result<HierarchicalModel, Box<dyn std::error::Error + Send + Sync>> {
    let places: Vec<usize> = (0..side * side).collect();
    let elements = FiniteElements::on_grid(&[side, side], 1.0)?;
    let effect = MaternField::new("space", &elements)?
        .at(&places)?
        .with_prior("sd(space)", HyperparameterPrior::deviation_above(1.0, 0.05)?)?
        .with_prior("range(space)", HyperparameterPrior::range_below(0.05 * side as f64, 0.05, 2)?)?;
    Ok(HierarchicalModel::new(FamilyResponse::poisson(), table.column("y"))?.intercept()?.effect(effect)?)
}
