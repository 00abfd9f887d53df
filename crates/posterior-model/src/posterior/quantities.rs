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
            let (name, sizes) = (one.name.clone(), one.like.shape().sizes());
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
            let like = run.blank(&declaration.sized).map_err(|fault| fault.error(self.code.text()))?;
            for (name, _) in &declaration.variables {
                push_names(&name.text, &like, &mut names);
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
                let Some(value) = filled(&parameter.like, &mut rest) else {
                    return Err(Fault::new(format!("{} values are too few", parameters.len())));
                };
                run.set(&parameter.name, value);
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
        self.free_each(&mut x, |parameter, _| match filled(&parameter.like, &mut rest) {
            Some(value) => Ok(Some(value)),
            None => Err(Fault::new(format!("{} values are too few", values.len()))),
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
            read(values, &parameter.name, &parameter.like).map(Some).map_err(|fault| fault.at(place))
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
        mut value: impl FnMut(&Parameter, u32) -> Result<Option<Value>, Fault>,
    ) -> Result<(), ModelError> {
        let mut inner = || -> Result<(), Fault> {
            let mut run = self.started(None);
            let mut at = 0;
            for parameter in &self.parameters {
                let sized = &parameter.sized;
                let place = sized.span.start;
                let Some(own) = x.get_mut(at..at + parameter.free) else {
                    return Err(Fault::new(format!(
                        "a point of too few coordinates: there are {}",
                        self.dim
                    )));
                };
                at += parameter.free;
                let constrained = if let Some(value) = value(parameter, place)? {
                    let mut free = Vec::with_capacity(parameter.free);
                    run.freed(sized, &value, &mut free).map_err(|fault| {
                        Fault { message: format!("`{}`: {}", parameter.name, fault.message), ..fault }
                            .at(place)
                    })?;
                    own.copy_from_slice(&free);
                    value
                } else {
                    let numbers: Vec<Num> = own.iter().map(|&x| Num::C(x)).collect();
                    run.constrained(sized, &parameter.like, &mut numbers.as_slice())?
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
        if let Some(value) = run.get(&name.text) {
            push_numbers(value, &mut out);
        }
    }
    out
}

/// Names of the numbers of a variable: `x.2.1`, `tuple:1`, `z.real`.
fn push_names(stem: &str, like: &Value, out: &mut Vec<String>) {
    match like {
        Value::Tuple(members) => {
            for (at, one) in members.iter().enumerate() {
                push_names(&format!("{stem}:{}", at + 1), one, out);
            }
        }
        Value::List(all) => {
            for (at, one) in all.iter().enumerate() {
                push_names(&format!("{stem}.{}", at + 1), one, out);
            }
        }
        _ => {
            for (indices, _) in first_fastest(&like.shape()) {
                let name = indices.iter().fold(stem.to_owned(), |name, i| format!("{name}.{}", i + 1));
                if like.is_complex() {
                    out.extend(["real", "imag"].map(|part| format!("{name}.{part}")));
                } else {
                    out.push(name);
                }
            }
        }
    }
}

/// The numbers of a value, in the order of their names.
fn push_numbers(value: &Value, out: &mut Vec<Num>) {
    match value {
        Value::Tuple(all) | Value::List(all) => all.iter().for_each(|one| push_numbers(one, out)),
        _ => {
            let (numbers, each) = (value.nums(), if value.is_complex() { 2 } else { 1 });
            for (_, at) in first_fastest(&value.shape()) {
                out.extend_from_slice(&numbers[each * at..each * (at + 1)]);
            }
        }
    }
}

/// A value like this one of the first of these numbers, which are in the order of their names; none of too
/// few.
fn filled(like: &Value, rest: &mut &[f64]) -> Option<Value> {
    match like {
        Value::Tuple(all) => all.iter().map(|one| filled(one, rest)).collect::<Option<_>>().map(Value::Tuple),
        Value::List(all) => all.iter().map(|one| filled(one, rest)).collect::<Option<_>>().map(Value::List),
        _ => {
            let (shape, each) = (like.shape(), if like.is_complex() { 2 } else { 1 });
            let (own, others) = rest.split_at_checked(each * shape.len())?;
            *rest = others;
            let mut numbers = vec![Num::C(0.0); own.len()];
            for ((_, at), own) in first_fastest(&shape).into_iter().zip(own.chunks_exact(each)) {
                for (number, x) in numbers[each * at..].iter_mut().zip(own) {
                    *number = Num::C(*x);
                }
            }
            Some(if like.is_complex() {
                Value::of_pairs(&shape, &numbers)
            } else {
                Value::tensor(shape, numbers)
            })
        }
    }
}

/// Numbers that are known: of a run without parameters.
fn known(run: &Run<'_>, numbers: &[Num]) -> Vec<f64> {
    numbers.iter().map(|x| run.machine.trace.value(*x)).collect()
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
