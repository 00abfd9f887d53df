//! Values by name: parameters, transformed parameters, generated quantities, and back.

use std::ops::Range;

use posterior_dist::stream::stream;
use posterior_stan::{BlockKind, Declaration};
use rand::RngExt;

use super::{Parameter, StanPosterior, checks_hold, declarations};
use crate::data::{StanData, read};
use crate::fault::{Fault, ModelError};
use crate::run::Run;
use crate::trace::Trace;
use crate::transform::{Limits, constrain, free};
use crate::value::{Num, Shape, Value};

/// Digits that files of draws may have lost: how far numbers that must add up may be off.
const OF_FILES: f64 = 1e-4;

/// A parameter's name and sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterSizes {
    /// Its name.
    pub name: String,
    /// Sizes of its axes, those of vector and matrix last; none of a single number.
    pub sizes: Vec<usize>,
    /// How many unconstrained coordinates it has.
    pub free: usize,
    /// The first of its unconstrained coordinates.
    pub first: usize,
}

impl ParameterSizes {
    /// Its unconstrained coordinates.
    pub const fn coordinates(&self) -> Range<usize> {
        self.first..self.first + self.free
    }
}

impl StanPosterior {
    /// Names and sizes of the parameters, in the order of their coordinates.
    pub fn parameters(&self) -> Vec<ParameterSizes> {
        let own = |first: &mut usize, one: &Parameter| {
            let place = *first;
            *first += one.free;
            let (name, sizes) = (one.name.clone(), one.shape.sizes());
            Some(ParameterSizes { name, sizes, free: one.free, first: place })
        };
        self.parameters.iter().scan(0, own).collect()
    }

    /// Names of the constrained parameters, then of the transformed ones, then of generated quantities, as
    /// they are wanted: `theta.1`, `Sigma.2.1`, in the order of CmdStan.
    ///
    /// # Errors
    /// Sizes that cannot be evaluated.
    pub fn names(&self, transformed: bool, generated: bool) -> Result<Vec<String>, ModelError> {
        self.names_of(&self.outputs(transformed, generated))
    }

    /// Names of the generated quantities alone, in the order of [`generate`](Self::generate).
    ///
    /// # Errors
    /// As [`names`](Self::names).
    pub fn generated_names(&self) -> Result<Vec<String>, ModelError> {
        self.names_of(&declarations(&self.code, BlockKind::GeneratedQuantities))
    }

    fn names_of(&self, all: &[Declaration]) -> Result<Vec<String>, ModelError> {
        let mut run = self.started(None);
        let mut names = vec![];
        for declaration in all {
            let shape = run.shape(&declaration.sized).map_err(|fault| fault.error(self.code.text()))?;
            for (name, _) in &declaration.variables {
                for at in first_fastest(&shape) {
                    let parts =
                        std::iter::once(name.text.clone()).chain(at.0.iter().map(|i| (i + 1).to_string()));
                    names.push(parts.collect::<Vec<_>>().join("."));
                }
            }
        }
        Ok(names)
    }

    pub(super) fn outputs(&self, transformed: bool, generated: bool) -> Vec<Declaration> {
        let blocks = [
            (BlockKind::Parameters, true),
            (BlockKind::TransformedParameters, transformed),
            (BlockKind::GeneratedQuantities, generated),
        ];
        let wanted = blocks.into_iter().filter(|(_, wanted)| *wanted);
        wanted.flat_map(|(kind, _)| declarations(&self.code, kind)).collect()
    }

    /// A run that knows the data, with a generator of the random numbers of a draw.
    fn started(&self, draw: Option<(u64, u64)>) -> Run<'_> {
        let rng = draw.map(|(seed, draw)| stream(seed, &[1, draw]));
        let mut run = Run::new(&self.code, Trace::default(), rng);
        run.frame.clone_from(&self.frame);
        run
    }

    /// Constrained values at a point, in the order of [`names`](Self::names).
    ///
    /// `generated` is the seed and number of the draw: the random numbers of generated quantities depend on
    /// them only.
    ///
    /// # Errors
    /// What goes wrong in the program, with its line.
    pub fn values(
        &self,
        x: &[f64],
        transformed: bool,
        generated: Option<(u64, u64)>,
    ) -> Result<Vec<f64>, ModelError> {
        let inner = || -> Result<Vec<f64>, Fault> {
            let mut run = self.started(generated);
            let numbers: Vec<Num> = x.iter().map(|&x| Num::C(x)).collect();
            self.put_parameters(&mut run, &numbers)?;
            if transformed || generated.is_some() {
                self.transformed(&mut run)?;
            }
            if generated.is_some() {
                self.generated(&mut run)?;
            }
            let values = numbers_of(&run, &self.outputs(transformed, generated.is_some()));
            Ok(known(&run, &values))
        };
        inner().map_err(|fault| fault.error(self.code.text()))
    }

    /// Generated quantities alone, in the order of [`generated_names`](Self::generated_names), of parameters
    /// that are given by their constrained values, in the order of [`names`](Self::names): of draws that
    /// another run, or CmdStan, wrote to a file.
    ///
    /// The values are taken as they are, not transformed there and back. `draw` is as in
    /// [`values`](Self::values).
    ///
    /// # Errors
    /// A value that does not fulfil its declaration, by more than the digits that files lose (10^-4 of what
    /// must add up); what goes wrong in the program, with its line.
    pub fn generate(&self, parameters: &[f64], draw: (u64, u64)) -> Result<Vec<f64>, ModelError> {
        let inner = || -> Result<Vec<f64>, Fault> {
            let mut run = self.started(Some(draw));
            let mut rest = parameters;
            for parameter in &self.parameters {
                let n = parameter.shape.len();
                let Some((own, others)) = rest.split_at_checked(n) else {
                    return Err(Fault::new(format!("{} values are too few", parameters.len())));
                };
                rest = others;
                let numbers = by_places(&parameter.shape, own).into_iter().map(Num::C).collect();
                run.set(&parameter.name, Value::tensor(parameter.shape.clone(), numbers));
            }
            if !rest.is_empty() {
                return Err(Fault::new(format!("{} values are too many", parameters.len())));
            }
            for declaration in declarations(&self.code, BlockKind::Parameters) {
                run.check(&declaration)?;
            }
            checks_hold(&mut run, OF_FILES)?;
            self.transformed(&mut run)?;
            self.generated(&mut run)?;
            let values = numbers_of(&run, &declarations(&self.code, BlockKind::GeneratedQuantities));
            Ok(known(&run, &values))
        };
        inner().map_err(|fault| fault.error(self.code.text()))
    }

    fn generated(&self, run: &mut Run<'_>) -> Result<(), Fault> {
        match self.code.typed.tree().block(BlockKind::GeneratedQuantities) {
            Some(block) => run.statements(&block.statements),
            None => Ok(()),
        }
    }

    /// Unconstrained coordinates of constrained parameters, given in the order of [`names`](Self::names).
    ///
    /// # Errors
    /// A value outside its constraint.
    pub fn unconstrain(&self, values: &[f64]) -> Result<Vec<f64>, ModelError> {
        let mut rest = values;
        let mut x = vec![0.0; self.dim];
        self.free_each(&mut x, |parameter, _| {
            let Some((own, others)) = rest.split_at_checked(parameter.shape.len()) else {
                return Err(Fault::new(format!("{} values are too few", values.len())));
            };
            rest = others;
            Ok(Some(by_places(&parameter.shape, own)))
        })?;
        Ok(x)
    }

    /// Puts constrained values of some parameters, by their names, into a point: where chains or searches
    /// start. Coordinates of the others stay.
    ///
    /// # Errors
    /// A name that no variable of the program has; values of another size, or outside their constraint, with
    /// the line of the declaration.
    pub fn put_values(&self, values: &StanData, x: &mut [f64]) -> Result<(), ModelError> {
        if let Some(other) = values.names().find(|name| self.code.name_of(name) == u32::MAX) {
            return Err(ModelError::plain(format!("the program has no variable `{other}`")));
        }
        self.free_each(x, |parameter, place| {
            if !values.contains(&parameter.name) {
                return Ok(None);
            }
            let value =
                read(values, &parameter.name, &parameter.shape, false).map_err(|fault| fault.at(place))?;
            let numbers = value.nums().into_iter().map(|x| match x {
                Num::C(x) => x,
                Num::N(_) => f64::NAN,
            });
            Ok(Some(numbers.collect()))
        })
    }

    /// So many starts: coordinates uniform in [-radius, radius], but those of parameters that have values
    /// here by their names ([`put_values`](Self::put_values)). Of points that the program refuses another is
    /// tried, a hundred times.
    ///
    /// # Errors
    /// As [`put_values`](Self::put_values); starts that are all refused, with the reason of the last.
    pub fn starts(
        &self,
        values: &StanData,
        count: usize,
        radius: f64,
        seed: u64,
    ) -> Result<Vec<Vec<f64>>, ModelError> {
        const ATTEMPTS: usize = 100;
        let start = |number: usize| {
            let mut rng = stream(seed, &[2, number as u64]);
            let mut why = String::new();
            for _ in 0..ATTEMPTS {
                let mut x: Vec<f64> = (0..self.dim).map(|_| radius * rng.random_range(-1.0..=1.0)).collect();
                self.put_values(values, &mut x)?;
                match self.ln_density_of(&x, true, None) {
                    Ok(value) if value.is_finite() => return Ok(x),
                    Ok(value) => why = format!("the log density is {value}"),
                    Err(error) if error.is_fatal() => return Err(ModelError::plain(error.to_string())),
                    Err(error) => why = error.to_string(),
                }
            }
            Err(ModelError::plain(format!("no start of {ATTEMPTS} has a density; of the last: {why}")))
        };
        (0..count).map(start).collect()
    }

    /// Writes the coordinates of those parameters that have constrained values; the others keep theirs.
    fn free_each(
        &self,
        x: &mut [f64],
        mut value: impl FnMut(&Parameter, u32) -> Result<Option<Vec<f64>>, Fault>,
    ) -> Result<(), ModelError> {
        let mut inner = || -> Result<(), Fault> {
            let mut run = self.started(None);
            let mut at = 0;
            for parameter in &self.parameters {
                let sized = &parameter.declaration.sized;
                let place = sized.span.start;
                let limits: Limits = run.limits(sized, &parameter.shape)?;
                let Some(own) = x.get_mut(at..at + parameter.free) else {
                    return Err(Fault::new(format!(
                        "a point of too few coordinates: there are {}",
                        self.dim
                    )));
                };
                at += parameter.free;
                let constrained = if let Some(numbers) = value(parameter, place)? {
                    let free = free(&sized.element, &parameter.shape, &limits, &numbers);
                    let free = free.map_err(|fault| {
                        Fault { message: format!("`{}`: {}", parameter.name, fault.message), ..fault }
                            .at(place)
                    })?;
                    own.copy_from_slice(&free);
                    let data = numbers.into_iter().map(Num::C).collect();
                    Value::tensor(parameter.shape.clone(), data)
                } else {
                    let numbers: Vec<Num> = own.iter().map(|&x| Num::C(x)).collect();
                    let trace = &mut run.machine.trace;
                    constrain(trace, &sized.element, &parameter.shape, &limits, &numbers, &mut vec![])
                };
                run.set(&parameter.name, constrained);
            }
            Ok(())
        };
        inner().map_err(|fault| fault.error(self.code.text()))
    }
}

/// The numbers of the variables of these declarations, the first index fastest.
pub(super) fn numbers_of(run: &Run<'_>, all: &[Declaration]) -> Vec<Num> {
    let mut out = vec![];
    for (name, _) in all.iter().flat_map(|declaration| &declaration.variables) {
        let Some(value) = run.get(&name.text) else { continue };
        let numbers = value.nums();
        let order = first_fastest(&value.shape());
        out.extend(order.into_iter().map(|(_, at)| numbers[at]));
    }
    out
}

/// Numbers that are known: of a run without parameters.
fn known(run: &Run<'_>, numbers: &[Num]) -> Vec<f64> {
    numbers.iter().map(|x| run.machine.trace.value(*x)).collect()
}

/// Numbers that are given with the first index fastest, in the places of a value.
fn by_places(shape: &Shape, given: &[f64]) -> Vec<f64> {
    let mut numbers = vec![0.0; given.len()];
    for ((_, at), x) in first_fastest(shape).into_iter().zip(given) {
        numbers[at] = *x;
    }
    numbers
}

/// Indices and places of all numbers, the first index fastest.
fn first_fastest(shape: &Shape) -> Vec<(Vec<usize>, usize)> {
    let sizes = shape.sizes();
    let rank = shape.dims.len();
    let mut strides = vec![1; sizes.len()];
    let mut block = shape.elem.len();
    for axis in (0..rank).rev() {
        strides[axis] = block;
        block *= sizes[axis];
    }
    if let crate::value::Elem::Matrix(r, _) = shape.elem {
        strides[rank + 1] = r;
    }
    let mut all = Vec::with_capacity(shape.len());
    let mut at = vec![0; sizes.len()];
    for _ in 0..shape.len() {
        all.push((at.clone(), at.iter().zip(&strides).map(|(i, stride)| i * stride).sum()));
        for (i, size) in at.iter_mut().zip(&sizes) {
            *i += 1;
            if *i < *size {
                break;
            }
            *i = 0;
        }
    }
    all
}
