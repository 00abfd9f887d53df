//! What a term learned of tables, and the effects that it makes.

use posterior_dist::text::TextError;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::Error as RegressionError;
use posterior_regression::formula::{EffectKind, EffectTerm, FormulaData, FormulaMap};

use super::reading::{given, knots_of, map, places, plain};
use super::space::Space;
use super::steps::Steps;
use super::{FormulaEffect, FormulaSettings, deviation, one_each};
use crate::Error;
use crate::effect::{
    Autoregression, Bym2, CorrelatedGroups, FieldEffect, LatentEffect, MaternField, PlacedEffect,
    SmoothCurve, SmoothSurface,
};
use crate::prior::HyperparameterPrior;

/// Knots of a smooth curve, as of mgcv; no more than there are different numbers.
const KNOTS: f64 = 10.0;
/// Knots along each side of a surface, as of mgcv.
const SIDE: f64 = 5.0;

/// A term with what it learned.
#[derive(Debug)]
pub(super) struct Layout {
    term: EffectTerm,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Groups {
        levels: Vec<String>,
        columns: FormulaMap,
        spreads: Vec<f64>,
        correlated: bool,
    },
    Walk {
        steps: Steps,
        order: u8,
    },
    Autoregression(Steps),
    Season {
        steps: Steps,
        period: usize,
    },
    Curve(SmoothCurve),
    Surface(Box<SmoothSurface>),
    /// A column with errors, of this size unless they are in a column.
    Measured(Option<f64>),
    Areas {
        names: Vec<String>,
        mixed: bool,
    },
    Space(Box<Space>),
}

/// Name, values and errors of a column.
type MeasuredValues = (String, Vec<f64>, Vec<f64>);

impl Layout {
    pub(super) fn learn(
        term: &EffectTerm,
        data: &FormulaData,
        also: &[&FormulaData],
        settings: &FormulaSettings,
    ) -> Result<Self, Error> {
        let tables = || std::iter::once(data).chain(also.iter().copied());
        let steps = |step: Option<f64>| {
            let mut times = Vec::new();
            for table in tables() {
                times.extend(term.numbers(0, table)?);
            }
            Steps::learn(term, &times, step)
        };
        let kind = match term.kind() {
            EffectKind::Groups { correlated } => {
                let missing = || TextError::new(term.place(), format!("`{term}` has no column"));
                let columns = term.columns()?.ok_or_else(missing)?.learn(data)?;
                let mut levels: Vec<String> = Vec::new();
                for table in tables() {
                    let known: std::collections::BTreeSet<String> = levels.iter().cloned().collect();
                    levels.extend(term.groups(table)?.0.into_iter().filter(|level| !known.contains(level)));
                }
                if columns.columns().is_empty() {
                    return Err(missing().into());
                }
                let spreads =
                    columns.design(data)?.column_iter().map(|own| deviation(own.as_slice())).collect();
                Kind::Groups { levels, columns, spreads, correlated }
            }
            EffectKind::Function { name, options } => match name {
                "rw1" | "rw2" => {
                    let [step] = given(term, options, ["step"])?;
                    Kind::Walk { steps: steps(step)?, order: if name == "rw1" { 1 } else { 2 } }
                }
                "ar1" => {
                    let [step] = given(term, options, ["step"])?;
                    Kind::Autoregression(steps(step)?)
                }
                "seasonal" => {
                    let [period, step] = given(term, options, ["period", "step"])?;
                    let period = period.filter(|own| own.fract() == 0.0 && (3.0..=10_000.0).contains(own));
                    let why = "it needs `period`, a whole number of steps from 3, as in seasonal(month, period = 12)";
                    let period =
                        period.ok_or_else(|| TextError::new(term.place(), format!("`{term}`: {why}")))?;
                    Kind::Season { steps: steps(step)?, period: period as usize }
                }
                "smooth" => {
                    let [knots] = given(term, options, ["k"])?;
                    let x = term.numbers(0, data)?;
                    let count = knots_of(term, knots.unwrap_or(KNOTS), 1000.0, &x)?;
                    Kind::Curve(SmoothCurve::at_quantiles(plain(term), &x, count)?)
                }
                "te" => {
                    let [knots] = given(term, options, ["k"])?;
                    let axes = term.arguments();
                    let points = [term.numbers(0, data)?, term.numbers(1, data)?];
                    let counts = [
                        knots_of(term, knots.unwrap_or(SIDE), 30.0, &points[0])?,
                        knots_of(term, knots.unwrap_or(SIDE), 30.0, &points[1])?,
                    ];
                    let surface = SmoothSurface::at_quantiles(
                        plain(term),
                        [&axes[0], &axes[1]],
                        [&points[0], &points[1]],
                        counts,
                    )?;
                    Kind::Surface(Box::new(surface))
                }
                "measured" => {
                    let [sd] = given(term, options, ["sd"])?;
                    if sd.is_some() == (term.width() == 2) {
                        let why = "it needs the errors, as in measured(x, error) or measured(x, sd = 0.3)";
                        return Err(TextError::new(term.place(), format!("`{term}`: {why}")).into());
                    }
                    Kind::Measured(sd)
                }
                "car" | "bym2" => {
                    let [] = given(term, options, [])?;
                    let names = map(term, settings)?.names().to_vec();
                    Kind::Areas { names, mixed: name == "bym2" }
                }
                _ => {
                    let [nodes] = given(term, options, ["k"])?;
                    Kind::Space(Box::new(Space::learn(term, tables(), nodes)?))
                }
            },
        };
        let own = Self { term: term.clone(), kind };
        // What is wrong with a row is wrong now.
        tables().try_for_each(|table| own.rows(table).map(|_| ()))?;
        Ok(own)
    }

    /// The names of its effects.
    pub(super) fn names(&self) -> Vec<String> {
        let subject = self.term.subject();
        match &self.kind {
            Kind::Groups { columns, correlated, .. } => match columns.columns() {
                [one] if columns.has_intercept() || one == "(Intercept)" => vec![subject],
                [_, _, ..] if *correlated => vec![subject],
                several => several.iter().map(|column| format!("{subject}: {column}")).collect(),
            },
            Kind::Measured(_) => Vec::new(),
            _ => vec![plain(&self.term)],
        }
    }

    /// The names of the lines that the effect leaves to the fixed effects.
    pub(super) fn lines(&self) -> Vec<String> {
        match &self.kind {
            Kind::Walk { order: 2, .. } | Kind::Curve(_) => vec![self.term.subject()],
            Kind::Surface(_) => {
                let axes = self.term.arguments();
                vec![axes[0].clone(), axes[1].clone(), axes.join(":")]
            }
            _ => Vec::new(),
        }
    }

    /// The number on each of the lines of points that are given by their numbers.
    pub(super) fn positions(&self, points: &[Vec<f64>]) -> Vec<Vec<f64>> {
        match (&self.kind, points) {
            (Kind::Surface(_), [x, z, ..]) => {
                vec![x.clone(), z.clone(), x.iter().zip(z).map(|(x, z)| x * z).collect()]
            }
            (Kind::Walk { order: 2, .. } | Kind::Curve(_), [x, ..]) => vec![x.clone()],
            _ => Vec::new(),
        }
    }

    /// The columns of a function, as they are written.
    pub(super) fn arguments(&self) -> Vec<String> {
        self.term.arguments()
    }

    /// The numbers of a table that the effect is a function of, if it has a value at any of them or leaves a
    /// line.
    pub(super) fn inputs(&self, data: &FormulaData) -> Result<Option<Vec<Vec<f64>>>, Error> {
        match &self.kind {
            Kind::Walk { order: 2, .. } | Kind::Curve(_) | Kind::Surface(_) | Kind::Space(_) => {
                let all = (0..self.term.width()).map(|axis| self.term.numbers(axis, data));
                Ok(Some(all.collect::<Result<_, RegressionError>>()?))
            }
            _ => Ok(None),
        }
    }

    /// At most so many of the times of a walk, equal steps apart.
    pub(super) fn times(&self, most: usize) -> Option<Vec<f64>> {
        let Kind::Walk { steps, .. } = &self.kind else { return None };
        let stride = steps.count.div_ceil(most.max(1));
        Some((0..steps.count).step_by(stride).map(|at| steps.time(at)).collect())
    }

    /// What is seen of the one effect of numbers at these points.
    pub(super) fn seen_at(&self, points: &[Vec<f64>]) -> Result<SparseMatrix, Error> {
        match (&self.kind, points) {
            (Kind::Walk { steps, .. }, [times]) => one_each(&steps.places(&self.term, times)?, steps.count),
            (Kind::Curve(curve), [x]) => curve.rows(x),
            (Kind::Surface(surface), [x, z]) => surface.rows([x, z]),
            (Kind::Space(space), _) => space.rows(points),
            _ => Err(TextError::new(self.term.place(), format!("`{}` has no places", self.term)).into()),
        }
    }

    /// The name of a column with errors.
    pub(super) fn measured_name(&self) -> Option<String> {
        matches!(self.kind, Kind::Measured(_)).then(|| self.term.arguments().swap_remove(0))
    }

    /// A column with errors: its name, its values and its errors.
    pub(super) fn measured(&self, data: &FormulaData) -> Result<Option<MeasuredValues>, Error> {
        let (Kind::Measured(sd), Some(name)) = (&self.kind, self.measured_name()) else { return Ok(None) };
        let values = self.term.numbers(0, data)?;
        let errors = match sd {
            Some(sd) => vec![*sd; values.len()],
            None => self.term.numbers(1, data)?,
        };
        match errors.iter().position(|error| !(*error > 0.0)) {
            None => Ok(Some((name, values, errors))),
            Some(row) => Err(RegressionError::Term {
                column: self.term.place(),
                term: self.term.to_string(),
                row,
                found: format!("an error of {}", errors[row]),
                expected: "a positive one".to_owned(),
            }
            .into()),
        }
    }

    /// What each row sees, of each effect.
    pub(super) fn rows(&self, data: &FormulaData) -> Result<Vec<SparseMatrix>, Error> {
        let (term, count) = (&self.term, data.rows());
        let times = || Ok::<_, Error>(term.numbers(0, data)?);
        Ok(match &self.kind {
            Kind::Groups { levels, columns, correlated, .. } => {
                let (design, groups) = (columns.design(data)?, places(term, levels, data)?);
                let width = design.ncols();
                if *correlated && width > 1 {
                    let entries = groups.iter().enumerate().flat_map(|(row, group)| {
                        let design = &design;
                        (0..width).map(move |j| (row, group * width + j, design[(row, j)]))
                    });
                    vec![SparseMatrix::from_triplets(count, levels.len() * width, entries)?]
                } else {
                    let one = |j: usize| {
                        let entries =
                            groups.iter().enumerate().map(|(row, &group)| (row, group, design[(row, j)]));
                        SparseMatrix::from_triplets(count, levels.len(), entries)
                    };
                    (0..width).map(one).collect::<Result<_, _>>()?
                }
            }
            Kind::Autoregression(steps) | Kind::Walk { steps, order: 1 } => {
                vec![one_each(&steps.places(term, &times()?)?, steps.count)?]
            }
            Kind::Season { steps, period } => {
                let phases: Vec<usize> =
                    steps.places(term, &times()?)?.into_iter().map(|place| place % period).collect();
                vec![one_each(&phases, *period)?]
            }
            Kind::Walk { .. } | Kind::Curve(_) | Kind::Surface(_) | Kind::Space(_) => {
                vec![self.seen_at(&self.inputs(data)?.unwrap_or_default())?]
            }
            Kind::Measured(_) => {
                self.measured(data)?;
                Vec::new()
            }
            Kind::Areas { names, mixed } => {
                let size = if *mixed { 2 * names.len() } else { names.len() };
                vec![one_each(&places(term, names, data)?, size)?]
            }
        })
    }

    /// The effects with what the rows see of them.
    pub(super) fn placed(
        &self,
        data: &FormulaData,
        settings: &FormulaSettings,
    ) -> Result<Vec<PlacedEffect>, Error> {
        let effects = self.effects(settings)?.into_iter().zip(self.rows(data)?).zip(self.described());
        let mut all = Vec::new();
        for (at, ((effect, rows), described)) in effects.enumerate() {
            let mut placed = PlacedEffect::new(effect, rows)?.with_labels(described.value_names())?;
            for (place, own) in placed.hyperparameters.iter_mut().enumerate() {
                if own.name.starts_with("sd(") {
                    let spread = self.spread(at.max(place));
                    let mean = if spread > 0.0 { settings.scale / spread } else { settings.scale };
                    own.prior = HyperparameterPrior::deviation_with_mean(mean)?;
                    own.start = 0.5 * mean;
                }
            }
            all.push(placed);
        }
        Ok(all)
    }

    /// The standard deviation of the column that slopes of this place are of.
    fn spread(&self, place: usize) -> f64 {
        match &self.kind {
            Kind::Groups { spreads, .. } => spreads[place],
            _ => 0.0,
        }
    }

    fn effects(&self, settings: &FormulaSettings) -> Result<Vec<Box<dyn LatentEffect>>, Error> {
        let names = self.names();
        let name = names.first().map_or("", String::as_str);
        let one: Box<dyn LatentEffect> = match &self.kind {
            Kind::Groups { levels, columns, correlated, .. } => {
                let columns = columns.columns();
                if *correlated && columns.len() > 1 {
                    return Ok(vec![Box::new(CorrelatedGroups::new(name, levels.len(), columns)?)]);
                }
                let each = |name: &String| {
                    Ok::<Box<dyn LatentEffect>, Error>(Box::new(FieldEffect::groups(name, levels.len())?))
                };
                return names.iter().map(each).collect();
            }
            Kind::Walk { steps, order: 1 } => Box::new(FieldEffect::random_walk(name, steps.count)?),
            Kind::Walk { steps, .. } => Box::new(FieldEffect::second_order_random_walk(name, steps.count)?),
            Kind::Autoregression(steps) => Box::new(Autoregression::new(name, steps.count)?),
            Kind::Season { period, .. } => {
                let beside = |at: usize| vec![(at + period - 1) % period, (at + 1) % period];
                Box::new(FieldEffect::besag(name, &(0..*period).map(beside).collect::<Vec<_>>())?)
            }
            Kind::Curve(curve) => Box::new(curve.clone()),
            Kind::Surface(surface) => surface.clone(),
            Kind::Measured(_) => return Ok(Vec::new()),
            Kind::Areas { mixed, .. } => {
                let neighbours = map(&self.term, settings)?.neighbours();
                if *mixed {
                    Box::new(Bym2::new(name, neighbours)?)
                } else {
                    Box::new(FieldEffect::besag(name, neighbours)?)
                }
            }
            Kind::Space(space) => Box::new(MaternField::new(name, &space.elements)?),
        };
        Ok(vec![one])
    }

    /// Its effects for people.
    pub(super) fn described(&self) -> Vec<FormulaEffect> {
        let line = |steps: &Steps| {
            let times: Vec<f64> = (0..steps.count).map(|at| steps.time(at)).collect();
            (
                times.iter().map(ToString::to_string).collect::<Vec<_>>(),
                Some(times.into_iter().map(|time| vec![time]).collect()),
            )
        };
        let (labels, places): (Vec<String>, Option<Vec<Vec<f64>>>) = match &self.kind {
            Kind::Groups { levels, .. } => (levels.clone(), None),
            Kind::Walk { steps, .. } | Kind::Autoregression(steps) => line(steps),
            Kind::Season { steps, period } => line(&steps.first(*period)),
            Kind::Curve(curve) => {
                let knots = curve.knots();
                let places = knots.iter().map(|knot| vec![*knot]).collect();
                (knots.iter().map(ToString::to_string).collect(), Some(places))
            }
            Kind::Surface(surface) => {
                let [x, z] = surface.knots();
                let places: Vec<Vec<f64>> =
                    x.iter().flat_map(|x| z.iter().map(move |z| vec![*x, *z])).collect();
                (surface.labels(), Some(places))
            }
            Kind::Measured(_) => (Vec::new(), None),
            Kind::Areas { names, mixed } => {
                let structured = names.iter().filter(|_| *mixed).map(|name| format!("{name} structured"));
                (names.iter().cloned().chain(structured).collect(), None)
            }
            Kind::Space(space) => {
                let shifted = |point: &Vec<f64>| -> Vec<f64> {
                    point.iter().zip(&space.origin).map(|(x, origin)| x + origin).collect()
                };
                let points: Vec<Vec<f64>> = space.elements.points().iter().map(shifted).collect();
                let label =
                    |point: &Vec<f64>| point.iter().map(|x| format!("{x:.6}")).collect::<Vec<_>>().join(" ");
                (points.iter().map(label).collect(), Some(points))
            }
        };
        let term = self.term.to_string();
        let columns = match &self.kind {
            Kind::Groups { columns, correlated, .. } if *correlated && columns.columns().len() > 1 => {
                columns.columns().to_vec()
            }
            _ => Vec::new(),
        };
        let own = |name| FormulaEffect {
            name,
            term: term.clone(),
            columns: columns.clone(),
            labels: labels.clone(),
            places: places.clone(),
        };
        self.names().into_iter().map(own).collect()
    }
}

impl FormulaEffect {
    /// The names of the values.
    fn value_names(&self) -> Vec<String> {
        if self.columns.is_empty() {
            return self.labels.clone();
        }
        let of = |label: &String| {
            self.columns.iter().map(|column| format!("{label}: {column}")).collect::<Vec<_>>()
        };
        self.labels.iter().flat_map(of).collect()
    }
}
