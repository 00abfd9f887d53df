//! What a term learned of tables, and the effects that it makes.

use posterior_dist::text::TextError;
use posterior_gaussian::FiniteElements;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::Error as RegressionError;
use posterior_regression::formula::{EffectKind, EffectTerm, FormulaData, FormulaMap};

use super::steps::Steps;
use super::{AreaMap, FormulaEffect, FormulaSettings, deviation, one_each};
use crate::Error;
use crate::effect::{
    Autoregression, Bym2, CorrelatedGroups, FieldEffect, LatentEffect, MaternField, PlacedEffect,
};
use crate::prior::HyperPrior;

/// Nodes of a field along the longest side, on a line and in a plane.
const NODES: [f64; 2] = [100.0, 30.0];
/// How far a grid goes beyond the data, as a part of the longest side: there the edge doubles variances.
const MARGIN: f64 = 0.2;

/// A term with what it learned.
#[derive(Debug)]
pub(super) struct Layout {
    term: EffectTerm,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Groups { levels: Vec<String>, columns: FormulaMap, spreads: Vec<f64>, correlated: bool },
    Walk { steps: Steps, order: u8 },
    Autoregression(Steps),
    Season { steps: Steps, period: usize },
    Areas { names: Vec<String>, mixed: bool },
    Space(Box<Space>),
}

/// A field on a grid.
#[derive(Debug)]
struct Space {
    elements: FiniteElements,
    origin: Vec<f64>,
}

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
            EffectKind::Groups { columns, correlated } => {
                let columns = columns.learn(data)?;
                let mut levels: Vec<String> = Vec::new();
                for table in tables() {
                    let known: std::collections::BTreeSet<String> = levels.iter().cloned().collect();
                    levels.extend(term.groups(table)?.0.into_iter().filter(|level| !known.contains(level)));
                }
                if columns.columns().is_empty() {
                    return Err(TextError::new(term.place(), format!("`{term}` has no column")).into());
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
            _ => vec![plain(&self.term)],
        }
    }

    /// The name of the line that the effect leaves to the fixed effects.
    pub(super) fn line(&self) -> Option<String> {
        matches!(self.kind, Kind::Walk { order: 2, .. }).then(|| self.term.subject())
    }

    /// The number of each row on the line.
    pub(super) fn positions(&self, data: &FormulaData) -> Result<Vec<f64>, Error> {
        Ok(self.term.numbers(0, data)?)
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
            Kind::Walk { steps, .. } | Kind::Autoregression(steps) => {
                vec![one_each(&steps.places(term, &times()?)?, steps.count)?]
            }
            Kind::Season { steps, period } => {
                let phases: Vec<usize> =
                    steps.places(term, &times()?)?.into_iter().map(|place| place % period).collect();
                vec![one_each(&phases, *period)?]
            }
            Kind::Areas { names, mixed } => {
                let size = if *mixed { 2 * names.len() } else { names.len() };
                vec![one_each(&places(term, names, data)?, size)?]
            }
            Kind::Space(space) => vec![space.rows(term, data)?],
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
        for (at, ((effect, rows), FormulaEffect { labels, .. })) in effects.enumerate() {
            let mut placed = PlacedEffect::new(effect, rows)?.with_labels(labels)?;
            for (place, own) in placed.hyperparameters.iter_mut().enumerate() {
                if own.name.starts_with("sd(") {
                    let spread = self.spread(at.max(place));
                    let mean = if spread > 0.0 { settings.scale / spread } else { settings.scale };
                    own.prior = HyperPrior::deviation_above(mean, (-1.0_f64).exp())?;
                    own.start = 0.5 * mean;
                }
                if let Some((_, prior)) = settings.priors.iter().find(|(name, _)| *name == own.name) {
                    own.prior = prior.clone();
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
            Kind::Groups { levels, columns, correlated, .. }
                if *correlated && columns.columns().len() > 1 =>
            {
                let of = |level: &String| {
                    columns.columns().iter().map(|column| format!("{level}: {column}")).collect::<Vec<_>>()
                };
                (levels.iter().flat_map(of).collect(), None)
            }
            Kind::Groups { levels, .. } => (levels.clone(), None),
            Kind::Walk { steps, .. } | Kind::Autoregression(steps) => line(steps),
            Kind::Season { steps, period } => line(&Steps { count: *period, ..*steps }),
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
        let own =
            |name| FormulaEffect { name, term: term.clone(), labels: labels.clone(), places: places.clone() };
        self.names().into_iter().map(own).collect()
    }
}

impl Space {
    fn learn<'a>(
        term: &EffectTerm,
        tables: impl Iterator<Item = &'a FormulaData>,
        nodes: Option<f64>,
    ) -> Result<Self, Error> {
        let axes = term.width();
        let mut ends = vec![[f64::INFINITY, f64::NEG_INFINITY]; axes];
        for table in tables {
            for (axis, [low, high]) in ends.iter_mut().enumerate() {
                for x in term.numbers(axis, table)? {
                    (*low, *high) = (low.min(x), high.max(x));
                }
            }
        }
        let longest = ends.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
        if !(longest > 0.0) {
            return Err(TextError::new(term.place(), format!("`{term}`: all places are the same")).into());
        }
        let most = if axes == 1 { 100_000.0 } else { 1000.0 };
        let nodes = nodes.unwrap_or(NODES[axes - 1]);
        if !(nodes.fract() == 0.0 && (5.0..=most).contains(&nodes)) {
            let message = format!("`{term}`: k must be a whole number from 5 to {most}");
            return Err(TextError::new(term.place(), message).into());
        }
        let spacing = longest / (nodes - 1.0);
        let margin = (MARGIN * longest / spacing).ceil();
        let shape: Vec<usize> = ends
            .iter()
            .map(|[low, high]| ((high - low) / spacing).ceil() as usize + 2 * margin as usize + 1)
            .collect();
        let origin = ends.iter().map(|[low, _]| low - margin * spacing).collect();
        Ok(Self { elements: FiniteElements::on_grid(&shape, spacing)?, origin })
    }

    fn rows(&self, term: &EffectTerm, data: &FormulaData) -> Result<SparseMatrix, Error> {
        let mut places = vec![Vec::with_capacity(self.origin.len()); data.rows()];
        for (axis, origin) in self.origin.iter().enumerate() {
            for (place, x) in places.iter_mut().zip(term.numbers(axis, data)?) {
                place.push(x - origin);
            }
        }
        Ok(self.elements.interpolation(&places)?)
    }
}

/// The name of a function with its columns, without its options.
fn plain(term: &EffectTerm) -> String {
    match term.kind() {
        EffectKind::Function { name, .. } => format!("{name}({})", term.subject()),
        EffectKind::Groups { .. } => term.subject(),
    }
}

/// The numbers of these options; others are refused.
fn given<const N: usize>(
    term: &EffectTerm,
    options: &[(String, f64)],
    names: [&str; N],
) -> Result<[Option<f64>; N], Error> {
    if let Some((name, _)) = options.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        let message = format!("`{term}` has no option {name:?}");
        return Err(TextError::unknown(term.place(), message, name, &names).into());
    }
    let positive = |(name, value): &(String, f64)| {
        (!(*value > 0.0)).then(|| TextError::new(term.place(), format!("`{term}`: {name} must be positive")))
    };
    match options.iter().find_map(positive) {
        Some(error) => Err(error.into()),
        None => Ok(names.map(|name| options.iter().find(|(own, _)| own == name).map(|(_, value)| *value))),
    }
}

fn map<'s>(term: &EffectTerm, settings: &'s FormulaSettings) -> Result<&'s AreaMap, Error> {
    let missing = || TextError::new(term.place(), format!("`{term}` needs a map: who is whose neighbour"));
    Ok(settings.areas.as_ref().ok_or_else(missing)?)
}

/// The place of each row's group among those that were learned.
fn places(term: &EffectTerm, levels: &[String], data: &FormulaData) -> Result<Vec<usize>, Error> {
    let (own, of_row) = term.groups(data)?;
    let known: std::collections::BTreeMap<&str, usize> =
        levels.iter().enumerate().map(|(place, level)| (level.as_str(), place)).collect();
    let place = |(row, level): (usize, &usize)| {
        known.get(own[*level].as_str()).copied().ok_or_else(|| RegressionError::Term {
            column: term.place(),
            term: term.subject(),
            row,
            found: format!("{:?}", own[*level]),
            expected: "one of those that were learned, or on the map".to_owned(),
        })
    };
    Ok(of_row.iter().enumerate().map(place).collect::<Result<_, _>>()?)
}
