//! The most probable latent values at given hyperparameters, by Newton's method.

use std::sync::Arc;

use posterior_math::linalg::MatrixError;

use crate::Error;
use crate::effect::EffectPrecision;
use crate::engine::Engine;
use crate::factor::Factor;
use crate::response::{Ascent, ResponseTerm};
use crate::rows::Rows;

/// Steps before the search is given up.
const MAX_STEPS: usize = 200;
/// Separation is looked for after this many steps: modes that exist are found by then, or nearly.
const PATIENCE: usize = 10;
/// Half a step is tried this often.
const HALVINGS: usize = 60;
/// The part of what the slope promises that a step must gain.
const ARMIJO: f64 = 1e-4;
/// How often a saddle is left to one side, and the turn between the numbers that say to which.
const NUDGES: usize = 3;
const GOLDEN: f64 = 0.618_033_988_749_895;
/// The mode is found when the next step is as short as this, squared and in standard deviations.
const SHORT: f64 = 1e-20;
/// The factor of a step serves for the next steps too, while each square is this part of the one before and
/// so many more are enough: of few and of many latent values, whose factor costs about as much.
const CHORDS: [f64; 2] = [4.0, 12.0];
const MANY: usize = 2000;
const SHORTER: f64 = 0.1;
/// Steps of this square that do not get shorter are rounding. Where a precision is all but singular, as that
/// of a field with a range of many sides, so are longer ones, if that happens several times on end.
const ROUNDING: f64 = 1e-12;
const NEARLY_SINGULAR: f64 = 1e-6;
const STALLS: usize = 3;
/// A row lies on a plane of separation if its predictor changes by less than this part of the largest change.
const ON_THE_PLANE: f64 = 1e-6;

/// The mode, with what was seen there.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) x: Vec<f64>,
    pub(crate) predictor: Vec<f64>,
    pub(crate) terms: Vec<ResponseTerm>,
    pub(crate) factor: Factor,
    /// xᵀ Q x.
    pub(crate) square: f64,
}

/// The term of a row that says nothing.
pub(crate) const NOTHING: ResponseTerm =
    ResponseTerm { ln_likelihood: 0.0, slope: 0.0, curvature: 0.0, third: 0.0 };

/// The problem at some hyperparameters.
#[derive(Debug)]
pub(crate) struct Problem<'e, 'm> {
    pub(crate) engine: &'e Engine<'m>,
    /// All coordinates of the search, on their natural scale.
    pub(crate) natural: Vec<f64>,
    pub(crate) precisions: Vec<EffectPrecision>,
    /// The entries of Q.
    pub(crate) prior: Vec<f64>,
    pub(crate) offset: Vec<f64>,
    /// A: what rows see.
    pub(crate) rows: Arc<Rows>,
}

/// A point of the climb.
struct Place {
    x: Vec<f64>,
    predictor: Vec<f64>,
    terms: Vec<ResponseTerm>,
    /// Q x.
    pull: Vec<f64>,
    value: f64,
}

impl<'m> Engine<'m> {
    /// What is given at a point of the search.
    ///
    /// # Errors
    /// Where a precision has no value.
    pub(crate) fn problem(&self, theta: &[f64]) -> Result<Problem<'_, 'm>, Error> {
        let natural = self.natural(theta);
        let precisions = self.precisions(&natural)?;
        Ok(Problem {
            engine: self,
            prior: self.prior_values(&precisions),
            offset: self.offset(theta),
            rows: self.rows.times_factors(&natural[self.of_copies.clone()]),
            precisions,
            natural,
        })
    }
}

impl Problem<'_, '_> {
    /// The terms of all rows; nothing where no response counts.
    pub(crate) fn terms(&self, predictor: &[f64]) -> Vec<ResponseTerm> {
        let model = self.engine.model;
        let term = |(row, &predictor): (usize, &f64)| {
            if model.is_seen(row) { model.term(row, predictor, &self.natural) } else { NOTHING }
        };
        predictor.iter().enumerate().map(term).collect()
    }

    /// The predictors of all rows.
    pub(crate) fn predictor(&self, x: &[f64]) -> Vec<f64> {
        let seen = self.rows.times(x).into_iter().zip(&self.offset);
        seen.map(|(seen, offset)| seen + offset).collect()
    }

    fn place(&self, x: Vec<f64>) -> Place {
        let predictor = self.predictor(&x);
        let terms = self.terms(&predictor);
        let pull = self.engine.assembly.times(&self.prior, &x);
        let square: f64 = pull.iter().zip(&x).map(|(pull, x)| pull * x).sum();
        let value = terms.iter().map(|term| term.ln_likelihood).sum::<f64>() - 0.5 * square;
        Place { x, predictor, terms, pull, value }
    }

    /// The factor of Q + Aᵀ W A; if that is not positive definite, with what stands for the negative
    /// curvatures, and false.
    fn factor(&self, terms: &[ResponseTerm]) -> Result<(Factor, bool), Error> {
        match self.factor_by(terms, |term| term.curvature) {
            Err(Error::Matrix(MatrixError::NotPositiveDefinite { .. }))
                if terms.iter().any(|term| term.curvature < 0.0) =>
            {
                Ok((self.factor_by(terms, ResponseTerm::upward)?, false))
            }
            other => other.map(|factor| (factor, true)),
        }
    }

    /// The factor of Q + Aᵀ W A with these curvatures as W.
    pub(crate) fn factor_by(
        &self,
        terms: &[ResponseTerm],
        curvature: impl Fn(&ResponseTerm) -> f64,
    ) -> Result<Factor, Error> {
        let weights: Vec<f64> = terms.iter().map(curvature).collect();
        let mut values = self.prior.clone();
        self.engine.assembly.add_rows(&self.rows, &weights, &mut values);
        Factor::new(&self.engine.assembly, &self.engine.constraints, &values)
    }

    /// The solution of the weighted least-squares problem at the responses themselves.
    fn first(&self) -> Option<Vec<f64>> {
        let model = self.engine.model;
        let start =
            |row: usize| if model.is_seen(row) { model.part(row).response.start(model.y[row]) } else { 0.0 };
        let predictor: Vec<f64> = (0..model.rows()).map(start).collect();
        let terms = self.terms(&predictor);
        let (factor, whole) = self.factor(&terms).ok()?;
        let weight = |term: &ResponseTerm| if whole { term.curvature } else { term.upward() };
        let working: Vec<f64> = terms
            .iter()
            .zip(predictor.iter().zip(&self.offset))
            .map(|(term, (predictor, offset))| weight(term) * (predictor - offset) + term.slope)
            .collect();
        Some(factor.solve(&self.rows.transpose_times(&working)))
    }

    /// Climbs, from `start` or from what the responses suggest.
    pub(crate) fn mode(&self, start: Option<&[f64]>) -> Result<Mode, Error> {
        let origin = || self.place(vec![0.0; self.rows.width()]);
        let begun = start.map(<[f64]>::to_vec).or_else(|| self.first()).map(|x| self.place(x));
        let mut here = begun.filter(|place| place.value.is_finite()).unwrap_or_else(origin);
        let (mut last, mut stalls, mut nudges) = (f64::INFINITY, 0, 0);
        let mut held: Option<(Vec<f64>, Factor)> = None;
        for step in 0..MAX_STEPS {
            // Curvatures of Gaussian responses are the same everywhere.
            let curvatures: Vec<f64> = here.terms.iter().map(|term| term.curvature).collect();
            let (factor, whole) = match held.take().filter(|(of, _)| *of == curvatures) {
                Some((_, factor)) => (factor, true),
                None => self.factor(&here.terms)?,
            };
            let (direction, squared) = self.step(&factor, &here);
            if !squared.is_finite() {
                return Err(self.without_mode("the density has no value"));
            }
            stalls = if squared > 0.25 * last { stalls + 1 } else { 0 };
            let rounding = if stalls < STALLS { ROUNDING } else { NEARLY_SINGULAR };
            // Short steps get longer only where the precision is singular but for rounding.
            let grown = squared > last && last <= NEARLY_SINGULAR;
            if squared <= SHORT || grown || (squared <= rounding && stalls > 0) {
                if !whole {
                    nudges += 1;
                    if nudges > NUDGES {
                        let why = "the curvature is not positive definite at the best point";
                        return Err(self.without_mode(why));
                    }
                    here = self.beside(&factor, &here, nudges);
                    (last, stalls) = (f64::INFINITY, 0);
                    continue;
                }
                let square = here.pull.iter().zip(&here.x).map(|(pull, x)| pull * x).sum();
                let Place { x, predictor, terms, .. } = here;
                return Ok(Mode { x, predictor, terms, factor, square });
            }
            if step >= PATIENCE {
                self.separated(&direction)?;
            }
            here = self.along(&here, &direction, squared)?;
            (here, last) = self.chords(&factor, here, squared);
            held = whole.then_some((curvatures, factor));
        }
        Err(self.without_mode("Newton's method does not converge"))
    }

    /// The step by a factor, and its square in standard deviations.
    fn step(&self, factor: &Factor, here: &Place) -> (Vec<f64>, f64) {
        let slopes: Vec<f64> = here.terms.iter().map(|term| term.slope).collect();
        let mut gradient = self.rows.transpose_times(&slopes);
        gradient.iter_mut().zip(&here.pull).for_each(|(slope, pull)| *slope -= pull);
        let direction = factor.solve(&gradient);
        let squared = direction.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
        (direction, squared)
    }

    /// Goes on by the factor of an earlier point, which costs solutions only, while steps get shorter fast.
    /// With the square of the last step.
    fn chords(&self, factor: &Factor, mut here: Place, mut before: f64) -> (Place, f64) {
        let most = CHORDS[usize::from(self.rows.width() > MANY)];
        loop {
            let (direction, squared) = self.step(factor, &here);
            let ratio = squared / before;
            if !(squared > SHORT && ratio < SHORTER) {
                return (here, before);
            }
            // Whole steps only: half a step would be as good as none.
            let Some(next) = self.after(&here, &direction, squared, 1.0) else { return (here, before) };
            (here, before) = (next, squared);
            if (SHORT / squared).ln() / ratio.ln() > most {
                return (here, before);
            }
        }
    }

    /// A point off a saddle, by a tenth of a standard deviation in no direction of note.
    fn beside(&self, factor: &Factor, here: &Place, nudge: usize) -> Place {
        let turns = (0..factor.noise()).map(|k| (k + 1) as f64 * nudge as f64 * GOLDEN);
        let noise: Vec<f64> = turns.map(|turn| 0.2 * (turn.fract() - 0.5)).collect();
        self.place(here.x.iter().zip(factor.draw(&noise)).map(|(x, off)| x + off).collect())
    }

    /// The first of the points at the full step, half of it, … that is as much higher as a small part of the
    /// slope promises, but for rounding; `squared` is the slope along the direction.
    fn along(&self, here: &Place, direction: &[f64], squared: f64) -> Result<Place, Error> {
        let mut scale = 1.0;
        for _ in 0..HALVINGS {
            if let Some(there) = self.after(here, direction, squared, scale) {
                return Ok(there);
            }
            scale *= 0.5;
        }
        Err(self.without_mode("no step leads up"))
    }

    /// The point after a part of a step, if it is high enough.
    fn after(&self, here: &Place, direction: &[f64], squared: f64, scale: f64) -> Option<Place> {
        let rounding = 1e-12 * here.value.abs().max(1.0);
        let there = self.place(here.x.iter().zip(direction).map(|(x, step)| x + scale * step).collect());
        (there.value >= here.value + ARMIJO * scale * squared - rounding).then_some(there)
    }

    fn without_mode(&self, why: &str) -> Error {
        let names = self.engine.hyperparameters.iter().take(self.engine.of_response);
        let parts: Vec<String> =
            names.zip(&self.natural).map(|(own, value)| format!("{} = {value:.4}", own.name)).collect();
        Error::NoMode { at: parts.join(", "), why: why.to_owned() }
    }

    /// An error if the likelihood never falls along what a step changes in the fixed effects with flat
    /// priors.
    fn separated(&self, direction: &[f64]) -> Result<(), Error> {
        let model = self.engine.model;
        if self.engine.outer.is_some() {
            return Ok(());
        }
        let steps = &direction[self.engine.fixed.clone()];
        let free = || model.columns.iter().zip(steps).filter(|(column, _)| column.precision == 0.0);
        let change = |row: usize| free().map(|(column, step)| step * column.values[row]).sum::<f64>();
        let seen = || (0..model.rows()).filter(|&row| model.is_seen(row));
        let largest = seen().map(|row| change(row).abs()).fold(0.0, f64::max);
        if largest == 0.0 {
            return Ok(());
        }
        let mut rows = 0;
        for row in seen() {
            let change = change(row);
            if change.abs() <= ON_THE_PLANE * largest {
                continue;
            }
            match model.part(row).response.ascent(model.y[row]) {
                Ascent::Up if change > 0.0 => rows += 1,
                Ascent::Down if change < 0.0 => rows += 1,
                _ => return Ok(()),
            }
        }
        let spread = |column: &crate::model::Column, step: f64| {
            let ends = seen().map(|row| column.values[row]);
            let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            ((high - low) * step.abs(), step.abs())
        };
        let most = free().max_by(|a, b| {
            let ((a, a_step), (b, b_step)) = (spread(a.0, *a.1), spread(b.0, *b.1));
            a.total_cmp(&b).then(a_step.total_cmp(&b_step))
        });
        most.map_or(Ok(()), |(column, _)| Err(Error::Separated { column: column.name.clone(), rows }))
    }
}
