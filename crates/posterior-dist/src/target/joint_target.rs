//! The target of a model that is written by names.

use std::cell::RefCell;
use std::collections::BTreeSet;

use posterior_math::autodiff::Real;
use posterior_math::check;
#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;

#[cfg(feature = "linalg")]
use super::HessianTarget;
use super::differentiated::{Differentiated, Formula};
use super::joint::{Entry, Joint, JointModel, Record};
use super::joint_error::JointError;
use super::{EvalError, GradTarget, Target};

/// The posterior of a [`JointModel`], on the free coordinates of its unknowns.
///
/// The density has the Jacobians of the constraints. The gradient costs a few times the value, the Hessian n
/// times that.
///
/// ```
/// use posterior_dist::formula::{beta, binomial};
/// use posterior_dist::target::{Joint, JointModel, JointTarget, Target};
/// use posterior_math::autodiff::Real;
///
/// /// Seven heads in twelve throws.
/// struct Coin;
///
/// impl JointModel for Coin {
///     fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
///         let p = joint.probability("p");
///         joint.add(beta(p, 1.0, 1.0));
///         joint.add(binomial(7, 12, p));
///         joint.derive("odds", p / (-p + 1.0));
///     }
/// }
///
/// let posterior = JointTarget::new(Coin)?;
/// assert_eq!((posterior.dim(), posterior.names()), (1, &["p".to_owned(), "odds".to_owned()][..]));
/// let free = posterior.free(&[0.6, 1.5])?;
/// let mut values = [0.0; 2];
/// posterior.values(&free, &mut values)?;
/// assert!((values[1] - 1.5).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Draws of a sampler get their names by `draws.map(posterior.names(), ..)` with [`values`](Self::values).
#[derive(Debug)]
pub struct JointTarget<M> {
    model: M,
    entries: Vec<Entry>,
    names: Vec<String>,
    dim: usize,
}

impl<M: JointModel> JointTarget<M> {
    /// The posterior of a model, which is run once to know its unknowns.
    ///
    /// # Errors
    /// If a name is used twice, or no point satisfies a constraint.
    pub fn new(model: M) -> Result<Self, JointError> {
        let mut entries = Vec::new();
        let mut joint = Joint::<f64>::at_origin(&mut entries);
        model.write(&mut joint);
        joint.finish()?;
        let mut seen = BTreeSet::new();
        if let Some(entry) = entries.iter().find(|entry| !seen.insert(entry.name.as_str())) {
            return Err(JointError::RepeatedName { name: entry.name.clone() });
        }
        let names = entries.iter().flat_map(Entry::names).collect();
        let dim = entries.iter().filter_map(|entry| entry.map.as_ref()).map(|map| map.free_dim()).sum();
        Ok(Self { model, entries, names, dim })
    }

    /// The model.
    pub const fn model(&self) -> &M {
        &self.model
    }

    /// The names of all numbers: unknowns and derived quantities, in the order of the model.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the unknowns and the derived quantities at a point, as many as there are [`names`](Self::names).
    ///
    /// # Errors
    /// Fatal if `free` does not have n coordinates, or `out` another length than the names, or the model asks for
    /// other unknowns than in its first run.
    pub fn values(&self, free: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        of_length("free coordinates", self.dim, free.len())?;
        of_length("numbers with names", self.names.len(), out.len())?;
        let mut values = Vec::with_capacity(out.len());
        self.run(free, Record::Values(&mut values))?;
        if values.len() != out.len() {
            return Err(EvalError::fatal(JointError::Changed));
        }
        out.copy_from_slice(&values);
        Ok(())
    }

    /// The free coordinates of such values, in the order of [`names`](Self::names); derived ones are not read.
    ///
    /// # Errors
    /// To be refused if a value is outside of its constraint or on its boundary; fatal if there are not as many
    /// values as names.
    pub fn free(&self, values: &[f64]) -> Result<Vec<f64>, EvalError> {
        of_length("numbers with names", self.names.len(), values.len())?;
        let (mut free, mut rest) = (Vec::with_capacity(self.dim), values);
        for entry in &self.entries {
            let (values, others) = rest.split_at(entry.len);
            rest = others;
            let Some(map) = &entry.map else { continue };
            let start = free.len();
            free.resize(start + map.free_dim(), 0.0);
            map.inverse(values, &mut free[start..]);
            if free[start..].iter().any(|x| !x.is_finite()) {
                let why =
                    format!("`{}` is {values:?}, outside of its constraint or on its boundary", entry.name);
                return Err(EvalError::reject(why));
            }
        }
        Ok(free)
    }

    fn run<R: Real>(&self, free: &[R], record: Record<'_>) -> Result<R, EvalError> {
        let mut joint = Joint::at(free, record);
        self.model.write(&mut joint);
        joint.finish().map_err(EvalError::fatal)
    }

    /// What `evaluate` finds out about the model as a formula.
    fn differentiated(
        &self,
        evaluate: impl FnOnce(&Differentiated<Noted<'_, M>>) -> Result<f64, EvalError>,
    ) -> Result<f64, EvalError> {
        let formula = Differentiated(Noted { target: self, error: RefCell::new(None) });
        let value = evaluate(&formula);
        formula.0.error.into_inner().map_or(value, Err)
    }
}

/// Refuses another number of numbers.
fn of_length(what: &'static str, expected: usize, found: usize) -> Result<(), EvalError> {
    check::dimension(what, expected, found).map_err(EvalError::fatal)
}

/// The model as a formula, and the error of its run.
struct Noted<'a, M> {
    target: &'a JointTarget<M>,
    error: RefCell<Option<EvalError>>,
}

impl<M: JointModel> Formula for Noted<'_, M> {
    fn dim(&self) -> usize {
        self.target.dim
    }

    fn ln_density<R: Real>(&self, free: &[R]) -> R {
        self.target.run(free, Record::Nothing).unwrap_or_else(|error| {
            *self.error.borrow_mut() = Some(error);
            R::from(f64::NAN)
        })
    }
}

impl Entry {
    /// The names of its numbers.
    fn names(&self) -> Vec<String> {
        if self.scalar {
            return vec![self.name.clone()];
        }
        (1..=self.len).map(|index| format!("{}[{index}]", self.name)).collect()
    }
}

impl<M: JointModel> Target for JointTarget<M> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.differentiated(|formula| formula.ln_density(x))
    }
}

impl<M: JointModel> GradTarget for JointTarget<M> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.differentiated(|formula| formula.ln_density_grad(x, gradient))
    }
}

#[cfg(feature = "linalg")]
impl<M: JointModel> HessianTarget for JointTarget<M> {
    fn ln_density_hessian(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        self.differentiated(|formula| formula.ln_density_hessian(x, gradient, hessian))
    }
}
