//! A sum of products of base kernels.

use posterior_math::check::ParamError;

use super::KernelBase;
use crate::Kernel;
use crate::kernel::Structure;

/// Σ variance · factor · factor …, each factor one of the bases.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    terms: Vec<Term>,
}

#[derive(Debug, Clone)]
struct Term {
    variance: f64,
    factors: Vec<Factor>,
}

#[derive(Debug, Clone)]
struct Factor {
    /// The place of the base.
    base: usize,
    /// The base with parameters of its own.
    kernel: Kernel,
}

impl Expression {
    /// A base by itself, whose functions have this variance.
    pub(super) fn one(bases: &[KernelBase], base: usize, variance: f64) -> Self {
        Self { terms: vec![Term::one(bases, base, variance)] }
    }

    /// How many bases there are.
    pub(super) fn size(&self) -> usize {
        self.terms.iter().map(|term| term.factors.len()).sum()
    }

    /// What it is made of, whatever the order.
    pub(super) fn key(&self) -> Vec<Vec<usize>> {
        let mut key: Vec<Vec<usize>> = self.terms.iter().map(Term::key).collect();
        key.sort();
        key
    }

    pub(super) fn kernel(&self) -> Result<Kernel, ParamError> {
        let term = |own: &Term| {
            let factors = own.factors.iter().map(|factor| factor.kernel.clone());
            let product = factors.reduce(|product, factor| product * factor);
            product.map_or_else(|| Kernel::constant(own.variance), |product| product.scaled(own.variance))
        };
        let mut terms = self.terms.iter().map(term);
        let first = terms.next().unwrap_or_else(|| Kernel::constant(1.0))?;
        terms.try_fold(first, |sum, next| Ok(sum + next?))
    }

    /// The same with the parameters of a kernel of its form.
    pub(super) fn with_parameters(&self, kernel: &Kernel) -> Self {
        let mut own = self.clone();
        for (term, fitted) in own.terms.iter_mut().zip(kernel.terms()) {
            if let Structure::Scaled(variance, product) = fitted.covariance().structure() {
                term.variance = variance;
                for (factor, fitted) in term.factors.iter_mut().zip(product.factors()) {
                    factor.kernel = fitted;
                }
            }
        }
        own
    }

    /// What one step makes of it: a base in the place of another one and, where it may grow, a base more.
    pub(super) fn neighbours(&self, bases: &[KernelBase], spread: f64, grow: bool) -> Vec<Self> {
        let mut all = Vec::new();
        for base in 0..bases.len() {
            if grow {
                let mut sum = self.clone();
                sum.terms.push(Term::one(bases, base, 0.1 * spread));
                all.push(sum);
            }
            for (place, term) in self.terms.iter().enumerate() {
                let product = grow.then(|| term.times(bases, base));
                let others = (0..term.factors.len()).map(|factor| term.replaced(bases, factor, base));
                for changed in product.into_iter().chain(others) {
                    let mut expression = self.clone();
                    expression.terms[place] = changed;
                    all.push(expression);
                }
            }
        }
        all.retain(|own| own.is_plain(bases));
        all
    }

    /// Whether no part could be left out without a change of what the kernel can be: a product of two local
    /// kernels of the same inputs is much like one, and two terms of lines are one.
    fn is_plain(&self, bases: &[KernelBase]) -> bool {
        let keys = self.key();
        let twice =
            keys.windows(2).any(|pair| pair[0] == pair[1] && !pair[0].iter().any(|&own| bases[own].local));
        let product = |term: &Term| {
            let kinds: Vec<_> = term.factors.iter().map(|own| bases[own.base].kind).collect();
            let alone = |(place, kind): (usize, &usize)| !kinds[..place].contains(kind);
            kinds.iter().enumerate().all(alone)
        };
        !twice && self.terms.iter().all(product)
    }
}

impl Term {
    fn one(bases: &[KernelBase], base: usize, variance: f64) -> Self {
        let KernelBase { kernel, size, .. } = &bases[base];
        Self { variance: variance / size, factors: vec![Factor { base, kernel: kernel.clone() }] }
    }

    fn key(&self) -> Vec<usize> {
        let mut key: Vec<usize> = self.factors.iter().map(|own| own.base).collect();
        key.sort_unstable();
        key
    }

    fn times(&self, bases: &[KernelBase], base: usize) -> Self {
        let KernelBase { kernel, size, .. } = &bases[base];
        let more = Factor { base, kernel: kernel.clone() };
        let factors = self.factors.iter().cloned().chain([more]).collect();
        Self { variance: self.variance / size, factors }
    }

    fn replaced(&self, bases: &[KernelBase], factor: usize, base: usize) -> Self {
        let before = bases[self.factors[factor].base].size;
        let mut own = self.clone();
        own.factors[factor] = Factor { base, kernel: bases[base].kernel.clone() };
        Self { variance: self.variance * before / bases[base].size, ..own }
    }
}
