//! Messages inwards and outwards again, of any valuation.

use posterior_pgm::VarId;

use super::{FactorTree, Valuation};
use crate::Error;

/// What every variable and factor of a forest says when it has heard all others of its component. Nothing is
/// normalised.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeMarginals<V> {
    variables: Vec<Option<V>>,
    factors: Vec<V>,
    totals: Vec<V>,
}

impl<V> TreeMarginals<V> {
    /// What is said of `v`; nothing if no factor reads it.
    #[track_caller]
    pub fn variable(&self, v: VarId) -> Option<&V> {
        self.variables[v.index()].as_ref()
    }

    /// What is said of the variables of factor `s`, in its order.
    #[track_caller]
    pub fn factor(&self, s: usize) -> &V {
        &self.factors[s]
    }

    /// What is left of every component when all its variables are summed out. The product is Z.
    pub fn totals(&self) -> &[V] {
        &self.totals
    }
}

/// Passes messages along a forest: exact marginals of all variables and factors in two passes (Kschischang,
/// Frey and Loeliger 2001). Factor s has the scope of factor s of the tree, in any order. O(edges) products
/// and marginals no larger than a factor.
///
/// # Errors
/// Factors that are not those of the tree, or whatever a product or a marginal refuses.
pub fn pass_messages<V: Valuation>(tree: &FactorTree, factors: &[V]) -> Result<TreeMarginals<V>, Error> {
    let same = |(s, factor): (usize, &V)| {
        let own = factor.scope();
        own.len() == tree.scope(s).len() && own.iter().all(|v| tree.scope(s).contains(v))
    };
    if factors.len() != tree.factor_count() || !factors.iter().enumerate().all(same) {
        return Err(Error::OtherModel { reason: "its factors are not those of the tree" });
    }
    let n = tree.order().len();
    // From each factor to its parent, and from each variable to its parent: what lies beyond.
    let mut up: Vec<Option<V>> = vec![None; factors.len()];
    let mut beyond: Vec<Option<V>> = vec![None; n];
    for &v in tree.order().iter().rev() {
        for &s in tree.child_factors(v) {
            let children: Vec<VarId> = tree.child_variables(s).collect();
            up[s] = Some(without(&factors[s], &children, &beyond)?);
        }
        let messages = tree.child_factors(v).iter().filter_map(|&s| up[s].as_ref());
        beyond[v.index()] = product_of(messages)?;
    }
    let mut down: Vec<Option<V>> = vec![None; n];
    let mut marginals =
        TreeMarginals { variables: vec![None; n], factors: factors.to_vec(), totals: Vec::new() };
    for &v in tree.order() {
        let own = join(down[v.index()].clone(), beyond[v.index()].as_ref())?;
        if tree.parent_factor(v).is_none() {
            marginals.totals.extend(own.as_ref().map(|own| own.marginal(&[])).transpose()?);
        }
        marginals.variables[v.index()] = own;
        let children = tree.child_factors(v);
        let others = all_but_one(down[v.index()].as_ref(), children.iter().map(|&s| up[s].as_ref()))?;
        for (&s, other) in children.iter().zip(others) {
            let heard = join(Some(factors[s].clone()), other.as_ref())?.unwrap_or_else(|| factors[s].clone());
            marginals.factors[s] = factor_marginal(tree, s, &heard, &beyond)?.marginal(factors[s].scope())?;
            let children: Vec<VarId> = tree.child_variables(s).collect();
            let parent_gone = heard.marginal(&children)?;
            tell(&parent_gone, &children, &beyond, &mut down)?;
        }
    }
    let constants = factors.iter().filter(|factor| factor.scope().is_empty()).cloned();
    marginals.totals.extend(constants);
    Ok(marginals)
}

/// `base` with the variables of `gone` summed out, each together with what lies beyond it.
fn without<V: Valuation>(base: &V, gone: &[VarId], beyond: &[Option<V>]) -> Result<V, Error> {
    let mut now = base.clone();
    for &v in gone {
        now = join(Some(now), beyond[v.index()].as_ref())?.unwrap_or_else(|| base.clone());
        let keep: Vec<VarId> = now.scope().iter().copied().filter(|&u| u != v).collect();
        now = now.marginal(&keep)?;
    }
    Ok(now)
}

/// Tells every variable of `children` what `base`, which reads just them, says of it with all that lies
/// beyond the others.
fn tell<V: Valuation>(
    base: &V,
    children: &[VarId],
    beyond: &[Option<V>],
    down: &mut [Option<V>],
) -> Result<(), Error> {
    match *children {
        [] => {}
        [v] => down[v.index()] = Some(base.clone()),
        _ => {
            let (left, right) = children.split_at(children.len() / 2);
            tell(&without(base, right, beyond)?, left, beyond, down)?;
            tell(&without(base, left, beyond)?, right, beyond, down)?;
        }
    }
    Ok(())
}

fn factor_marginal<V: Valuation>(
    tree: &FactorTree,
    s: usize,
    heard: &V,
    beyond: &[Option<V>],
) -> Result<V, Error> {
    tree.child_variables(s).try_fold(heard.clone(), |now, v| match &beyond[v.index()] {
        None => Ok(now),
        Some(message) => now.product(message),
    })
}

/// For each message the product of `first` and all others, by products of those before and those after it.
fn all_but_one<'a, V: Valuation + 'a>(
    first: Option<&V>,
    messages: impl DoubleEndedIterator<Item = Option<&'a V>> + Clone,
) -> Result<Vec<Option<V>>, Error> {
    let mut before = first.cloned();
    let mut products = Vec::new();
    for message in messages.clone() {
        products.push(before.clone());
        before = join(before, message)?;
    }
    let mut after: Option<V> = None;
    for (product, message) in products.iter_mut().rev().zip(messages.rev()) {
        *product = join(product.take(), after.as_ref())?;
        after = join(after, message)?;
    }
    Ok(products)
}

fn product_of<'a, V: Valuation + 'a>(messages: impl Iterator<Item = &'a V>) -> Result<Option<V>, Error> {
    let mut product = None;
    for message in messages {
        product = join(product, Some(message))?;
    }
    Ok(product)
}

/// The product, where nothing says nothing.
fn join<V: Valuation>(left: Option<V>, right: Option<&V>) -> Result<Option<V>, Error> {
    match (left, right) {
        (Some(left), Some(right)) => Ok(Some(left.product(right)?)),
        (None, right) => Ok(right.cloned()),
        (left, None) => Ok(left),
    }
}
