//! Processes made of processes.

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use super::block::Block;
use super::leaf::Leaf;
use super::resonators::Periodic;

/// A process as an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// A process of its own with the values of its parameters.
    Leaf(Leaf, Vec<f64>),
    /// √variance times a process.
    Scaled(f64, Box<Self>),
    /// A process whose parameters are not to be moved.
    Fixed(Box<Self>),
    /// Independent processes, added up.
    Sum(Vec<Self>),
    /// Independent processes, multiplied.
    Product(Box<Self>, Box<Self>),
}

impl Expression {
    pub(super) fn states(&self) -> usize {
        match self {
            Self::Leaf(leaf, _) => leaf.states(),
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.states(),
            Self::Sum(terms) => terms.iter().map(Self::states).sum(),
            Self::Product(left, right) => left.states() * right.states(),
        }
    }

    pub(super) fn observation(&self) -> Vec<f64> {
        match self {
            Self::Leaf(leaf, _) => leaf.observation(),
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.observation(),
            Self::Sum(terms) => terms.iter().flat_map(Self::observation).collect(),
            Self::Product(left, right) => {
                let right = right.observation();
                left.observation().iter().flat_map(|l| right.iter().map(move |r| l * r)).collect()
            }
        }
    }

    /// The first time at which there is such a process.
    pub(super) fn origin(&self) -> f64 {
        match self {
            Self::Leaf(leaf, _) => leaf.origin(),
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.origin(),
            Self::Sum(terms) => terms.iter().map(Self::origin).fold(f64::NEG_INFINITY, f64::max),
            Self::Product(left, right) => left.origin().max(right.origin()),
        }
    }

    pub(super) fn is_stationary(&self) -> bool {
        match self {
            Self::Leaf(leaf, _) => leaf.is_stationary(),
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.is_stationary(),
            Self::Sum(terms) => terms.iter().all(Self::is_stationary),
            Self::Product(left, right) => left.is_stationary() && right.is_stationary(),
        }
    }

    /// Whether the noise of a step depends on its length only.
    pub(super) fn has_even_steps(&self) -> bool {
        match self {
            Self::Leaf(..) => true,
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.has_even_steps(),
            Self::Sum(terms) => terms.iter().all(Self::has_even_steps),
            Self::Product(..) => self.is_stationary(),
        }
    }

    /// Names and values of all that a fit may move.
    pub(super) fn collect_parameters(&self, prefix: &str, found: &mut Vec<(String, f64)>) {
        match self {
            Self::Leaf(leaf, values) => {
                let (leaf, names) = leaf.names();
                found.extend(
                    names.iter().zip(values).map(|(name, &value)| (format!("{prefix}{leaf}.{name}"), value)),
                );
            }
            Self::Scaled(variance, inner) => {
                found.push((format!("{prefix}variance"), *variance));
                inner.collect_parameters(prefix, found);
            }
            Self::Fixed(_) => {}
            Self::Sum(terms) => {
                for (number, term) in (1..).zip(terms) {
                    term.collect_parameters(&format!("{prefix}{number}."), found);
                }
            }
            Self::Product(left, right) => {
                left.collect_parameters(&format!("{prefix}1."), found);
                right.collect_parameters(&format!("{prefix}2."), found);
            }
        }
    }

    /// The same with the next of these values; there are enough of them.
    pub(super) fn with_parameters(&self, values: &mut impl Iterator<Item = f64>) -> Self {
        match self {
            Self::Leaf(leaf, old) => Self::Leaf(leaf.clone(), values.take(old.len()).collect()),
            Self::Scaled(old, inner) => {
                let variance = values.next().unwrap_or(*old);
                Self::Scaled(variance, Box::new(inner.with_parameters(values)))
            }
            Self::Fixed(_) => self.clone(),
            Self::Sum(terms) => {
                Self::Sum(terms.iter().map(|term| term.with_parameters(&mut *values)).collect())
            }
            Self::Product(left, right) => {
                let left = Box::new(left.with_parameters(&mut *values));
                Self::Product(left, Box::new(right.with_parameters(values)))
            }
        }
    }

    /// Whether the values can be, beyond being positive.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        match self {
            Self::Leaf(Leaf::Periodic(_), values) => Periodic::check(values),
            Self::Leaf(..) => Ok(()),
            Self::Scaled(_, inner) | Self::Fixed(inner) => inner.check(),
            Self::Sum(terms) => terms.iter().try_for_each(Self::check),
            Self::Product(left, right) => left.check().and_then(|()| right.check()),
        }
    }

    /// A and Q of the step of length `dt` that starts at `from`. Takes its parameters from the front of
    /// `parameters`.
    pub(super) fn step<R: Real>(
        &self,
        parameters: &mut &[R],
        (from, dt): (f64, f64),
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        match self {
            Self::Leaf(leaf, values) => {
                leaf.step(take(parameters, values.len()), dt, transition, noise);
            }
            Self::Scaled(_, inner) => {
                let variance = take(parameters, 1)[0];
                inner.step(parameters, (from, dt), transition, noise);
                noise.map(inner.states(), |entry| entry * variance);
            }
            Self::Fixed(inner) => {
                inner.step(&mut &inner.constants::<R>()[..], (from, dt), transition, noise);
            }
            Self::Sum(terms) => {
                let mut first = 0;
                for term in terms {
                    term.step(parameters, (from, dt), &mut transition.from(first), &mut noise.from(first));
                    first += term.states();
                }
            }
            Self::Product(left, right) => {
                Self::write_product_step((left, right), parameters, (from, dt), transition, noise);
            }
        }
    }

    /// The covariance of the state at a time. Takes its parameters from the front of `parameters`.
    pub(super) fn covariance<R: Real>(
        &self,
        parameters: &mut &[R],
        time: f64,
        covariance: &mut Block<'_, R>,
    ) {
        match self {
            Self::Leaf(leaf, values) => leaf.covariance(take(parameters, values.len()), time, covariance),
            Self::Scaled(_, inner) => {
                let variance = take(parameters, 1)[0];
                inner.covariance(parameters, time, covariance);
                covariance.map(inner.states(), |entry| entry * variance);
            }
            Self::Fixed(inner) => inner.covariance(&mut &inner.constants::<R>()[..], time, covariance),
            Self::Sum(terms) => {
                let mut first = 0;
                for term in terms {
                    term.covariance(parameters, time, &mut covariance.from(first));
                    first += term.states();
                }
            }
            Self::Product(left, right) => {
                Self::write_product_covariance((left, right), parameters, time, covariance);
            }
        }
    }

    /// How far the covariance function is from that which is approximated, at times up to `horizon`.
    pub(super) fn error(&self, horizon: f64) -> f64 {
        match self {
            Self::Leaf(leaf, values) => leaf.error(values),
            Self::Scaled(variance, inner) => variance * inner.error(horizon),
            Self::Fixed(inner) => inner.error(horizon),
            Self::Sum(terms) => terms.iter().map(|term| term.error(horizon)).sum(),
            Self::Product(left, right) => {
                let (l, r) = (left.error(horizon), right.error(horizon));
                let bound = |one: &Self| if l + r > 0.0 { one.variance(horizon) } else { 0.0 };
                l * (bound(right) + r) + r * bound(left)
            }
        }
    }

    /// k(t, t).
    fn variance(&self, time: f64) -> f64 {
        let n = self.states();
        let mut entries = vec![0.0; n * n];
        self.covariance(&mut &self.constants::<f64>()[..], time, &mut Block::whole(&mut entries, n));
        let row = self.observation();
        let columns = entries.chunks_exact(n).zip(&row);
        columns.map(|(column, h)| h * column.iter().zip(&row).map(|(c, h)| c * h).sum::<f64>()).sum()
    }

    /// The values of the parameters, as numbers that do not move.
    pub(super) fn constants<R: Real>(&self) -> Vec<R> {
        let mut found = Vec::new();
        self.collect_parameters("", &mut found);
        found.into_iter().map(|(_, value)| R::constant(value)).collect()
    }
}

/// The first `count`, which leave the rest behind.
fn take<'p, R>(parameters: &mut &'p [R], count: usize) -> &'p [R] {
    let (first, rest) = parameters.split_at(count);
    *parameters = rest;
    first
}
