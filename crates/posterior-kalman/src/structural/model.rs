//! A series as the sum of components and noise.

use std::ops::Range;

use posterior_dist::text::TextError;
use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::SeriesComponent;
use super::part::{Blocks, Start, Timing};
use crate::continuous::block::Block;
use crate::continuous::schedule::{Even, Schedule};
use crate::learning::{Parameter, ParameterScale};
use crate::{Error, Initial, Matrices, ObservationEquation, StateSpace, TransitionEquation};

/// A series as the sum of components and noise.
///
/// Of several columns each is such a series of its own, with the same parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Structural {
    pub(super) components: Vec<SeriesComponent>,
    pub(super) noise: f64,
    noise_is_fixed: bool,
    width: usize,
    timing: Timing,
    pub(super) schedule: Schedule,
    start: f64,
}

/// A parameter, whether a fit moves it or not.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) scale: ParameterScale,
    pub(super) value: f64,
    pub(super) is_free: bool,
}

/// The numbers of a model, column by column; transition and its noise of one stored step after the other.
pub(super) struct Assembled<R> {
    pub(super) transitions: Vec<R>,
    pub(super) noises: Vec<R>,
    pub(super) start: Vec<R>,
    pub(super) observation_noise: R,
    diffuse: Vec<usize>,
}

impl Structural {
    /// The sum of these components and of noise of this variance, in steps of one.
    ///
    /// # Errors
    /// If there is no component, the variance is negative or not finite, or a component needs the times.
    pub fn new(components: Vec<SeriesComponent>, noise: f64) -> Result<Self, Error> {
        check::enough("components of the series", 1, components.len())?;
        check::non_negative("Structural", "noise.variance", noise)?;
        let timing = Timing::Regular;
        let schedule = Schedule::regular();
        let model = Self { components, noise, noise_is_fixed: false, width: 1, timing, schedule, start: 0.0 };
        model.check()?;
        Ok(model)
    }

    /// The same at these times, which must not decrease.
    ///
    /// # Errors
    /// If a time is not finite, before the origin of a component or before its predecessor, or a component
    /// needs regular steps.
    pub fn at_times(self, times: &[f64]) -> Result<Self, Error> {
        let even = self.components.iter().all(|component| component.kind.has_even_steps());
        let even = if even { Even::Yes } else { Even::No };
        let origins = self.components.iter().map(|component| component.kind.origin());
        let schedule = Schedule::new(times, origins.fold(f64::NEG_INFINITY, f64::max), even)?;
        let start = times.first().copied().unwrap_or(0.0);
        let model = Self { timing: Timing::Irregular, schedule, start, ..self };
        model.check()?;
        Ok(model)
    }

    /// The same for `width` columns: each has states of its own, the parameters are shared.
    ///
    /// # Errors
    /// If there is no column.
    pub fn with_width(self, width: usize) -> Result<Self, ParamError> {
        check::at_least_one("Structural", "width", width)?;
        Ok(Self { width, ..self })
    }

    /// The same with a variance of the noise that no fit moves.
    #[must_use]
    pub fn with_fixed_noise(self) -> Self {
        Self { noise_is_fixed: true, ..self }
    }

    fn check(&self) -> Result<(), Error> {
        self.components.iter().try_for_each(|component| Ok(component.kind.check(self.timing)?))
    }

    /// The components, in the order of their states.
    pub fn components(&self) -> &[SeriesComponent] {
        &self.components
    }

    /// The variance of the noise.
    pub const fn noise(&self) -> f64 {
        self.noise
    }

    /// How many columns are observed.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The places of the states of each component among those of one column, in the order of the
    /// [`components`](Self::components).
    pub fn places(&self) -> Vec<Range<usize>> {
        let ends = self.components.iter().scan(0, |end, component| {
            let start = *end;
            *end += component.kind.states(self.timing);
            Some(start..*end)
        });
        ends.collect()
    }

    /// How many states a column has.
    pub(super) fn states_of_column(&self) -> usize {
        self.places().last().map_or(0, |place| place.end)
    }

    /// All parameters, those of the components first, and that of the noise last.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        for (index, component) in self.components.iter().enumerate() {
            let alike =
                |others: &[SeriesComponent]| others.iter().filter(|c| c.name == component.name).count();
            let number = alike(&self.components[..=index]);
            let prefix = match alike(&self.components) {
                1 => component.name.clone(),
                _ => format!("{}[{number}]", component.name),
            };
            for ((name, scale), &value) in component.kind.parameters().into_iter().zip(&component.values) {
                let is_free = !component.is_fixed && scale.free(value).is_finite();
                settings.push(Setting { name: format!("{prefix}.{name}"), scale, value, is_free });
            }
        }
        let is_free = !self.noise_is_fixed && self.noise > 0.0;
        let name = "noise.variance".to_owned();
        settings.push(Setting { name, scale: ParameterScale::Positive, value: self.noise, is_free });
        settings
    }

    /// The parameters that a fit may move: all that are not fixed, and no variance that is zero.
    pub fn parameters(&self) -> Vec<Parameter> {
        let free = self.settings().into_iter().filter(|setting| setting.is_free);
        free.filter_map(|setting| Parameter::new(setting.name, setting.scale, setting.value).ok()).collect()
    }

    /// The same with other values of the [`parameters`](Self::parameters), in their natural units.
    ///
    /// # Errors
    /// If there is not one value for each, or one is not inside of its scale.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        let settings = self.settings();
        let free = settings.iter().filter(|setting| setting.is_free).count();
        let requirement = "as many as the model has parameters";
        check::require(values.len() == free, "Structural", "values", values.len() as f64, requirement)?;
        let mut next = values.iter().enumerate();
        let mut all = Vec::with_capacity(settings.len());
        for setting in &settings {
            let value = if setting.is_free { next.next() } else { None };
            let Some((index, &value)) = value else {
                all.push(setting.value);
                continue;
            };
            let inside = setting.scale.free(value).is_finite();
            check::require(inside, "Structural", "parameter", value, "inside of what its scale allows")
                .map_err(|error| error.at(index))?;
            all.push(value);
        }
        Ok(self.with_values(&all))
    }

    /// The same with another value of one parameter, which may be fixed, or a variance that was zero or
    /// becomes zero.
    ///
    /// # Errors
    /// If no parameter has this name, or the value can't be.
    pub fn with_parameter(&self, name: &str, value: f64) -> Result<Self, TextError> {
        let settings = self.settings();
        let Some(index) = settings.iter().position(|setting| setting.name == name) else {
            let names: Vec<&str> = settings.iter().map(|setting| setting.name.as_str()).collect();
            let message = format!("no parameter {name:?}; there are {}", names.join(", "));
            return Err(TextError::unknown(0, message, name, &names));
        };
        let setting = &settings[index];
        let vanishes = value == 0.0 && setting.name.ends_with("variance");
        let inside = vanishes || setting.scale.free(value).is_finite();
        check::require(inside, "Structural", "parameter", value, "inside of what its scale allows")
            .map_err(|error| TextError::of_parameter(0, error))?;
        let mut values: Vec<f64> = settings.iter().map(|setting| setting.value).collect();
        values[index] = value;
        Ok(self.with_values(&values))
    }

    /// The same with these values of all parameters; there is one for each.
    fn with_values(&self, values: &[f64]) -> Self {
        let mut model = self.clone();
        let mut rest = values;
        for component in &mut model.components {
            let (own, others) = rest.split_at(component.values.len());
            component.values.copy_from_slice(own);
            rest = others;
        }
        model.noise = rest.first().copied().unwrap_or(self.noise);
        model
    }

    /// The model with the present values of its parameters.
    ///
    /// # Errors
    /// If a matrix is beyond the range of f64, or a regression has fewer rows than there are times.
    pub fn state_space(&self) -> Result<StateSpace, Error> {
        let values: Vec<f64> = self.settings().iter().map(|setting| setting.value).collect();
        self.state_space_of(&values)
    }

    /// The model with these values of all parameters.
    pub(super) fn state_space_of(&self, values: &[f64]) -> Result<StateSpace, Error> {
        let n = self.width * self.states_of_column();
        let numbers = self.assemble(values);
        let transition = TransitionEquation::varying(
            self.schedule.matrices(n, numbers.transitions)?,
            self.schedule.matrices(n, numbers.noises)?,
        )?;
        let noise = DMatrix::from_diagonal_element(self.width, self.width, numbers.observation_noise);
        let observation = ObservationEquation::varying(self.rows()?, Matrices::constant(&noise))?;
        let mut directions = DMatrix::zeros(n, numbers.diffuse.len());
        for (column, &state) in numbers.diffuse.iter().enumerate() {
            directions[(state, column)] = 1.0;
        }
        let known = Initial::known(&vec![0.0; n], &DMatrix::from_vec(n, n, numbers.start))?;
        StateSpace::new(transition, observation, known.with_diffuse(&directions)?)
    }

    /// All numbers of the model that depend on the parameters.
    pub(super) fn assemble<R: Real>(&self, values: &[R]) -> Assembled<R> {
        let places = self.places();
        let column = self.states_of_column();
        let n = self.width * column;
        let zero = R::constant(0.0);
        let count = n * n * self.schedule.steps().len();
        let (mut transitions, mut noises) = (vec![zero; count], vec![zero; count]);
        let mut start = vec![zero; n * n];
        let mut diffuse = Vec::new();
        for copy in 0..self.width {
            let mut rest = values;
            for (component, place) in self.components.iter().zip(&places) {
                let (own, others) = rest.split_at(component.values.len());
                rest = others;
                let first = copy * column + place.start;
                let blocks = transitions.chunks_exact_mut(n * n).zip(noises.chunks_exact_mut(n * n));
                for (&step, (transition, noise)) in self.schedule.steps().iter().zip(blocks) {
                    let (transition, noise) = (Block::at(transition, n, first), Block::at(noise, n, first));
                    component.kind.step(own, self.timing, step, Blocks { transition, noise });
                }
                let distribution = Block::at(&mut start, n, first);
                let known = match component.kind.start(own, self.start, distribution) {
                    Start::Known => place.len(),
                    Start::Diffuse => 0,
                    Start::DiffuseFrom(state) => state,
                };
                diffuse.extend(first + known..first + place.len());
            }
        }
        let observation_noise = values.last().copied().unwrap_or(zero);
        Assembled { transitions, noises, start, observation_noise, diffuse }
    }

    /// H at each time.
    fn rows(&self) -> Result<Matrices, Error> {
        let places = self.places();
        let column = self.states_of_column();
        let matrix = |t: usize| {
            let mut row = vec![0.0; column];
            for (component, place) in self.components.iter().zip(&places) {
                component.kind.write_row(t, &mut row[place.clone()]);
            }
            let row = DMatrix::from_vec(1, column, row);
            DMatrix::identity(self.width, self.width).kronecker(&row)
        };
        let lengths = self.components.iter().filter_map(|component| component.kind.times());
        match lengths.clone().min() {
            None => Ok(Matrices::constant(&matrix(0))),
            Some(times) => {
                for length in lengths {
                    check::dimension("rows of inputs of the regressions", times, length)?;
                }
                Matrices::each(&(0..times).map(matrix).collect::<Vec<_>>())
            }
        }
    }
}
