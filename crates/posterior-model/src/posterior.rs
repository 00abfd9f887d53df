//! A program with its data: a log density, and values by name.

mod gaussian;
mod modes;
mod quantities;

pub use modes::{Optimum, StanDensity};
pub use quantities::ParameterSizes;

use std::sync::Arc;

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_stan::{BlockKind, Declaration, SizedType, StatementKind};

use crate::code::Code;
use crate::data::{StanData, read};
use crate::fault::{Fault, ModelError};
use crate::graph::{Courses, Graph, Workspace, compile};
use crate::op::{Bin, Op};
use crate::run::Run;
use crate::summaries::summarised;
use crate::trace::Trace;
use crate::transform::free_numbers;
use crate::value::{Num, Value};

/// One parameter block's variable.
#[derive(Debug, Clone)]
struct Parameter {
    name: String,
    sized: SizedType,
    /// A value of its sizes.
    like: Value,
    free: usize,
}

/// A posterior density on unconstrained coordinates: a program with its data.
///
/// The density is that of Stan with all constants and, as [`Target`], with the Jacobian of the constraints;
/// coordinates are those of Stan.
#[derive(Debug)]
pub struct StanPosterior {
    code: Arc<Code>,
    /// Data and transformed data.
    frame: Vec<Option<Value>>,
    parameters: Vec<Parameter>,
    dim: usize,
    courses: Courses,
}

pub(crate) fn declarations(code: &Code, kind: BlockKind) -> Vec<Declaration> {
    let statements = code.typed.tree().block(kind).map_or(&[][..], |block| &block.statements);
    statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Declare(declaration) => Some((**declaration).clone()),
            _ => None,
        })
        .collect()
}

impl StanPosterior {
    pub(crate) fn new(code: &Arc<Code>, data: &StanData, seed: u64) -> Result<Self, Fault> {
        let mut run = Run::new(code, Trace::default(), Some(stream(seed, &[0])));
        for declaration in declarations(code, BlockKind::Data) {
            let like = run.blank(&declaration.sized)?;
            for (name, _) in &declaration.variables {
                let value = read(data, &name.text, &like).map_err(|fault| fault.at(name.span.start))?;
                run.set(&name.text, value);
            }
            run.check(&declaration)?;
        }
        checks_hold(&mut run, EXACT)?;
        if let Some(block) = code.typed.tree().block(BlockKind::TransformedData) {
            run.statements(&block.statements)?;
            for declaration in declarations(code, BlockKind::TransformedData) {
                run.check(&declaration)?;
            }
            checks_hold(&mut run, EXACT)?;
        }
        let mut posterior = Self {
            code: Arc::clone(code),
            frame: run.frame,
            parameters: vec![],
            dim: 0,
            courses: Courses::default(),
        };
        posterior.measure()?;
        let point = vec![0.0; posterior.dim];
        let (mut run, fault) = posterior.record(&point, false);
        match fault {
            Some(fault) if fault.fatal => return Err(fault),
            // What is refused at every point is an error of the program or its data.
            Some(fault) if !run.machine.trace.branches() => return Err(fault),
            Some(_) => {}
            None => posterior.courses = Courses::new(finish(&mut run, posterior.dim)),
        }
        Ok(posterior)
    }

    /// Sizes of the parameters: they depend on data only.
    fn measure(&mut self) -> Result<(), Fault> {
        let code = Arc::clone(&self.code);
        let mut run = Run::new(&code, Trace::default(), None);
        run.frame.clone_from(&self.frame);
        for declaration in declarations(&self.code, BlockKind::Parameters) {
            let like = run.blank(&declaration.sized)?;
            let free = free_numbers(&declaration.sized, &like);
            for (name, _) in &declaration.variables {
                self.dim += free;
                let (name, sized) = (name.text.clone(), declaration.sized.clone());
                self.parameters.push(Parameter { name, sized, like: like.clone(), free });
            }
        }
        Ok(())
    }

    /// Puts the parameters into a run whose free numbers these are.
    fn put_parameters(&self, run: &mut Run<'_>, numbers: &[Num]) -> Result<(), Fault> {
        let mut rest = numbers;
        for parameter in &self.parameters {
            run.machine.trace.place = parameter.sized.span.start;
            let value = run.constrained(&parameter.sized, &parameter.like, &mut rest)?;
            run.set(&parameter.name, value);
        }
        Ok(())
    }

    /// Records the log density at a point.
    fn record(&self, point: &[f64], known: bool) -> (Run<'_>, Option<Fault>) {
        let mut run = Run::new(&self.code, Trace::new(if known { &[] } else { point }), None);
        run.frame.clone_from(&self.frame);
        let numbers: Vec<Num> = if known {
            point.iter().map(|&x| Num::C(x)).collect()
        } else {
            (0..point.len()).map(|at| Num::N(at as u32)).collect()
        };
        let fault = self.blocks(&mut run, &numbers).err();
        (run, fault)
    }

    fn blocks(&self, run: &mut Run<'_>, numbers: &[Num]) -> Result<(), Fault> {
        self.put_parameters(run, numbers)?;
        self.transformed(run)?;
        if let Some(block) = self.code.typed.tree().block(BlockKind::Model) {
            run.statements(&block.statements)?;
        }
        Ok(())
    }

    fn transformed(&self, run: &mut Run<'_>) -> Result<(), Fault> {
        if let Some(block) = self.code.typed.tree().block(BlockKind::TransformedParameters) {
            run.statements(&block.statements)?;
            for declaration in declarations(&self.code, BlockKind::TransformedParameters) {
                run.check(&declaration)?;
            }
        }
        Ok(())
    }

    /// Whether the density has one graph for all points; else it has one for each path of its control flow.
    pub fn is_static(&self) -> bool {
        self.courses.first().is_some_and(Graph::is_static)
    }

    /// Instructions of the graph, and their lanes together, if it is one for all points.
    pub fn graph_size(&self) -> Option<(usize, usize)> {
        self.courses.first().filter(|graph| graph.is_static()).map(Graph::size)
    }

    /// The log density, with the Jacobian of the constraints or without; its gradient is written if wanted.
    ///
    /// # Errors
    /// A point that the program refuses, with the line; a fault that ends the run, and a point of another
    /// dimension.
    ///
    /// # Panics
    /// If the gradient has not as many numbers as the density has coordinates.
    pub fn ln_density_of(
        &self,
        x: &[f64],
        jacobian: bool,
        gradient: Option<&mut [f64]>,
    ) -> Result<f64, EvalError> {
        if x.len() != self.dim {
            let message = format!("a point of {} coordinates, where there are {}", x.len(), self.dim);
            return Err(EvalError::fatal(ModelError::plain(message)));
        }
        self.courses.with(|kept| {
            let (graph, workspace) = kept.at(x, |x| {
                let (mut run, fault) = self.record(x, false);
                let Some(fault) = fault else { return Ok(finish(&mut run, self.dim)) };
                let fatal = fault.fatal;
                let error = fault.error(self.code.text());
                Err(if fatal { EvalError::fatal(error) } else { EvalError::reject(error) })
            })?;
            self.evaluate(graph, workspace, jacobian, gradient)
        })
    }

    /// The density at the point whose values the workspace has.
    fn evaluate(
        &self,
        graph: &Graph,
        workspace: &mut Workspace,
        jacobian: bool,
        gradient: Option<&mut [f64]>,
    ) -> Result<f64, EvalError> {
        let mut value = graph.output(0, workspace);
        if jacobian {
            value += graph.output(1, workspace);
        }
        let reject = |message: &str, place: Option<u32>| {
            let mut fault = Fault::reject(message);
            fault.place = place;
            Err(EvalError::reject(fault.error(self.code.text())))
        };
        if value.is_nan() {
            return reject("the density has no value here", graph.first_nan(workspace));
        }
        if let Some((name, place)) = graph.broken(workspace) {
            return reject(&format!("`{name}` does not fulfil its declaration"), Some(place));
        }
        if value == f64::INFINITY {
            return reject("the density is infinite here", None);
        }
        if let Some(gradient) = gradient {
            graph.backward(&[1.0, f64::from(jacobian)], workspace);
            gradient.copy_from_slice(&workspace.adjoints[..self.dim]);
        }
        Ok(value)
    }
}

/// Sums the terms and puts the record in order; what makes the graph fast is left where it is for one point.
fn finish(run: &mut Run<'_>, dim: usize) -> Graph {
    let terms = std::mem::take(&mut run.terms);
    let trace = &mut run.machine.trace;
    let mut node_of = vec![u32::MAX; trace.values.len()];
    for (at, node) in trace.nodes.iter().enumerate() {
        node_of[node.out as usize] = at as u32;
    }
    // Sums of sums are one sum.
    let mut flat = vec![];
    let mut stack: Vec<Num> = terms.into_iter().rev().collect();
    let mut constant = 0.0;
    while let Some(term) = stack.pop() {
        match term {
            Num::C(x) => constant += x,
            Num::N(wire) => {
                let node = node_of[wire as usize];
                let node = (node != u32::MAX).then(|| trace.nodes[node as usize]);
                match node {
                    Some(node) if matches!(node.op, Op::Sum | Op::Bin(Bin::Add)) => {
                        let inputs = &trace.inputs[node.inputs.0 as usize..node.inputs.1 as usize];
                        stack.extend(inputs.iter().rev().copied());
                    }
                    _ => flat.push(term),
                }
            }
        }
    }
    let mut flat = if trace.once { flat } else { summarised(trace, &flat) };
    flat.push(Num::C(constant));
    let value = if flat.len() == 1 { flat[0] } else { trace.one(Op::Sum, &flat) };
    let jacobian = run.machine.trace.sum(&run.jacobian);
    compile(&run.machine.trace, dim, &[value, jacobian])
}

/// How far numbers that must add up may be off.
const EXACT: f64 = 1e-8;

/// Checks data at once.
fn checks_hold(run: &mut Run<'_>, slack: f64) -> Result<(), Fault> {
    for check in std::mem::take(&mut run.machine.trace.checks) {
        let numbers: Vec<f64> = check.numbers.iter().map(|x| run.machine.trace.value(*x)).collect();
        if !check.what.holds_within(&numbers, slack) {
            let message = format!("`{}` does not fulfil its declaration", check.name);
            return Err(Fault::new(message).at(check.place));
        }
    }
    Ok(())
}

impl Target for StanPosterior {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_of(x, true, None)
    }
}

impl GradTarget for StanPosterior {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.ln_density_of(x, true, Some(gradient))
    }
}
