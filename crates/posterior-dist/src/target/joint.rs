//! A model as it is written: named unknowns under constraints, and the terms of its log density.

use posterior_math::ParamError;
use posterior_math::autodiff::Real;
use posterior_math::bijection::{
    AffineMap, Bijector, Elementwise, Exp, Identity, IntervalMap, Ordered, RealBijector, StickBreaking,
};

use super::joint_error::JointError;

/// A model of your own: its unknowns by name and constraint, and its joint log density as a sum of terms.
///
/// [`JointTarget`](super::JointTarget) makes a target on ℝⁿ of it, with the logarithms of the Jacobians,
/// derivatives, and the names of all numbers.
///
/// ```
/// use posterior_dist::formula::{half_cauchy, normal};
/// use posterior_dist::target::{GradTarget, Joint, JointModel, JointTarget};
/// use posterior_math::autodiff::Real;
///
/// /// Effects of coaching in eight schools, with their standard errors (Rubin, 1981).
/// struct EightSchools([(f64, f64); 8]);
///
/// impl JointModel for EightSchools {
///     fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
///         let mu = joint.real("mu");
///         let tau = joint.positive("tau");
///         let z = joint.reals("z", 8);
///         joint.add(normal(mu, 0.0, 5.0));
///         joint.add(half_cauchy(tau, 5.0));
///         for (&z, &(effect, error)) in z.iter().zip(&self.0) {
///             joint.add(normal(z, 0.0, 1.0));
///             joint.add(normal(effect, mu + tau * z, error));
///         }
///         joint.derive_vector("theta", &z.iter().map(|&z| mu + tau * z).collect::<Vec<_>>());
///     }
/// }
///
/// let [effects, errors] =
///     [[28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0], [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0]];
/// let posterior = JointTarget::new(EightSchools(std::array::from_fn(|i| (effects[i], errors[i]))))?;
/// assert_eq!(posterior.names()[..3], ["mu", "tau", "z[1]"]);
/// let mut gradient = [0.0; 10];
/// posterior.ln_density_grad(&[0.0; 10], &mut gradient)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JointModel {
    /// Asks `joint` for the unknowns, always the same in the same order, and adds the terms.
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>);
}

impl<M: JointModel> JointModel for &M {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        (**self).write(joint);
    }
}

/// What a [`JointModel`] is written with: gives unknowns, takes terms.
#[derive(Debug)]
pub struct Joint<'a, R> {
    free: Free<'a, R>,
    sum: R,
    record: Record<'a>,
    error: Option<JointError>,
}

/// The free coordinates of the point.
#[derive(Debug)]
enum Free<'a, R> {
    /// 0, as many as are asked for.
    Origin,
    /// Those that are left; `None` once more were asked for than there are.
    Left(Option<&'a [R]>),
}

/// What is kept of a run beside its sum.
#[derive(Debug)]
pub(super) enum Record<'a> {
    Nothing,
    Layout(&'a mut Vec<Entry>),
    Values(&'a mut Vec<f64>),
}

/// The map of an unknown.
type Map = Box<dyn Bijector + Send + Sync>;

/// An unknown with its map, or a derived quantity with none.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    /// Whether it is one number, without an index.
    pub(super) scalar: bool,
    pub(super) len: usize,
    pub(super) map: Option<Map>,
}

impl<'a, R: Real> Joint<'a, R> {
    /// A run at the origin that lists what the model asks for.
    pub(super) fn at_origin(layout: &'a mut Vec<Entry>) -> Self {
        Self { free: Free::Origin, sum: R::from(0.0), record: Record::Layout(layout), error: None }
    }

    /// A run at a point.
    pub(super) fn at(free: &'a [R], record: Record<'a>) -> Self {
        Self { free: Free::Left(Some(free)), sum: R::from(0.0), record, error: None }
    }

    /// The sum of the terms.
    ///
    /// # Errors
    /// If a constraint cannot be, or not all coordinates of the point were asked for, or more.
    pub(super) fn finish(self) -> Result<R, JointError> {
        match (self.error, self.free) {
            (Some(error), _) => Err(error),
            (None, Free::Origin | Free::Left(Some(&[]))) => Ok(self.sum),
            (None, Free::Left(_)) => Err(JointError::Changed),
        }
    }

    /// Adds a term of the log density: of a prior, of an observation, or any other.
    pub fn add(&mut self, ln_density: R) {
        self.sum += ln_density;
    }

    /// The unknown `name`, any number.
    pub fn real(&mut self, name: &str) -> R {
        self.scalar(name, Elementwise::new(Identity, 1))
    }

    /// The unknown `name` > 0, by its logarithm.
    pub fn positive(&mut self, name: &str) -> R {
        self.scalar(name, Elementwise::new(Exp, 1))
    }

    /// The unknown `name` > `low`, by the logarithm of its distance.
    pub fn above(&mut self, name: &str, low: f64) -> R {
        self.limited(name, AffineMap::new(low, 1.0).map(|map| Elementwise::new((Exp, map), 1)))
    }

    /// The unknown `name` < `high`, by the logarithm of its distance.
    pub fn below(&mut self, name: &str, high: f64) -> R {
        self.limited(name, AffineMap::new(high, -1.0).map(|map| Elementwise::new((Exp, map), 1)))
    }

    /// The unknown `name` between `low` and `high`, by its logit.
    pub fn between(&mut self, name: &str, low: f64, high: f64) -> R {
        self.limited(name, IntervalMap::logit(low, high).map(|map| Elementwise::new(map, 1)))
    }

    /// The unknown `name` between 0 and 1, by its logit.
    pub fn probability(&mut self, name: &str) -> R {
        self.between(name, 0.0, 1.0)
    }

    /// The unknowns `name[1]`, …, any numbers.
    pub fn reals(&mut self, name: &str, count: usize) -> Vec<R> {
        self.vector(name, Elementwise::new(Identity, count))
    }

    /// The unknowns `name[1]`, … > 0.
    pub fn positives(&mut self, name: &str, count: usize) -> Vec<R> {
        self.vector(name, Elementwise::new(Exp, count))
    }

    /// The unknowns `name[1]`, … > 0 that add up to 1: `count` of them, at least one.
    pub fn proportions(&mut self, name: &str, count: usize) -> Vec<R> {
        match StickBreaking::new(count) {
            Ok(map) => self.vector(name, map),
            Err(error) => {
                self.refuse(name, error);
                Vec::new()
            }
        }
    }

    /// The unknowns `name[1]` < `name[2]` < ….
    pub fn ascending(&mut self, name: &str, count: usize) -> Vec<R> {
        self.vector(name, Ordered::new(count))
    }

    /// The unknowns `name[1]`, … under a constraint of any [`RealBijector`], such as the factor of a correlation
    /// matrix.
    pub fn vector(&mut self, name: &str, map: impl RealBijector + Send + Sync + 'static) -> Vec<R> {
        self.take(name, false, map)
    }

    /// The quantity `name` that follows from the unknowns; draws and summaries have it too.
    pub fn derive(&mut self, name: &str, value: R) {
        self.keep(name, true, &[value], || None);
    }

    /// The quantities `name[1]`, … that follow from the unknowns.
    pub fn derive_vector(&mut self, name: &str, values: &[R]) {
        self.keep(name, false, values, || None);
    }

    fn limited(
        &mut self,
        name: &str,
        map: Result<impl RealBijector + Send + Sync + 'static, ParamError>,
    ) -> R {
        match map {
            Ok(map) => self.scalar(name, map),
            Err(error) => {
                self.refuse(name, error);
                R::from(f64::NAN)
            }
        }
    }

    /// Keeps the first constraint that cannot be.
    fn refuse(&mut self, name: &str, error: ParamError) {
        self.error.get_or_insert(JointError::Constraint { name: name.to_owned(), error });
    }

    fn scalar(&mut self, name: &str, map: impl RealBijector + Send + Sync + 'static) -> R {
        self.take(name, true, map)[0]
    }

    fn take(&mut self, name: &str, scalar: bool, map: impl RealBijector + Send + Sync + 'static) -> Vec<R> {
        let (count, len) = (map.free_dim(), map.constrained_dim());
        let mut point = vec![R::from(0.0); len];
        let free = match &mut self.free {
            Free::Left(Some(left)) if left.len() >= count => {
                let (free, rest) = left.split_at(count);
                *left = rest;
                Some(free)
            }
            Free::Left(left) => {
                *left = None;
                None
            }
            Free::Origin => None,
        };
        let origin = vec![R::from(0.0); if free.is_some() { 0 } else { count }];
        self.sum += map.forward_real(free.unwrap_or(&origin), &mut point);
        self.keep(name, scalar, &point, || Some(Box::new(map)));
        point
    }

    /// Puts down what the run is asked to keep of a quantity.
    fn keep(&mut self, name: &str, scalar: bool, values: &[R], map: impl FnOnce() -> Option<Map>) {
        match &mut self.record {
            Record::Nothing => {}
            Record::Values(out) => out.extend(values.iter().map(|value| value.value())),
            Record::Layout(layout) => {
                let (name, len, map) = (name.to_owned(), values.len(), map());
                layout.push(Entry { name, scalar, len, map });
            }
        }
    }
}
