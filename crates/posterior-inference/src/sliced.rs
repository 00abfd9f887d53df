//! A model with what was seen put in: the factors that are left over the variables that were not seen.

use std::collections::BTreeMap;

use posterior_pgm::{Evidence, Finding, GraphicalModel, Table, VarId};

use crate::{BeliefsBuilder, Error};

/// Below this a product of positive numbers of about 1 may have lost digits, or have become 0.
pub(crate) const SMALLEST_PRODUCT: f64 = 1e-290;

/// Factors over the variables whose states were not seen. The greatest value of each factor and each local
/// vector is 1.
///
/// Where the numbers of a factor or local vector are too far apart for that, all are kept as logarithms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sliced {
    /// The state of each variable that was seen.
    pub(crate) observed: Vec<Option<usize>>,
    /// Factors over two variables and more.
    pub(crate) factors: Vec<Table>,
    /// The number of the model's factor that each came from.
    pub(crate) sources: Vec<usize>,
    /// For each variable the product of all factors over it alone; empty if it was seen.
    pub(crate) locals: Vec<Vec<f64>>,
    /// The logarithm of all that was divided out.
    pub(crate) ln_constant: f64,
    /// Whether the numbers of factors and local vectors are logarithms.
    pub(crate) logarithms: bool,
}

impl Sliced {
    /// Puts the evidence in. O(cells of all factors).
    pub(crate) fn new(model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Self, Error> {
        let variables = model.variables();
        evidence.check(variables)?;
        let observed: Vec<Option<usize>> = variables.ids().map(|v| evidence.state(v)).collect();
        let (mut factors, mut sources) = (Vec::new(), Vec::new());
        let mut unary: BTreeMap<VarId, Vec<Vec<f64>>> = BTreeMap::new();
        let mut ln_constant = 0.0;
        for (source, factor) in model.factors().iter().enumerate() {
            let table = reduced(factor, &observed)?;
            match table.scope() {
                [] => ln_constant += ln_greatest(table.values())?,
                &[v] => unary.entry(v).or_default().push(table.values().to_vec()),
                _ => {
                    factors.push(table);
                    sources.push(source);
                }
            }
        }
        for (v, finding) in evidence.iter() {
            if let Finding::Likelihood(likelihood) = finding {
                unary.entry(v).or_default().push(likelihood.clone());
            }
        }
        let mut locals: Vec<Vec<f64>> = variables
            .ids()
            .map(|v| if observed[v.index()].is_some() { Vec::new() } else { vec![1.0; variables.card(v)] })
            .collect();
        let is_narrow =
            |table: &Table| least_positive(table.values()) >= SMALLEST_PRODUCT * greatest(table.values());
        let logarithms = !(factors.iter().all(is_narrow) && unary.values().all(|own| has_product(own)));
        if logarithms {
            for own in &mut locals {
                own.fill(0.0);
            }
        }
        for (v, vectors) in unary {
            let own = if logarithms { ln_product(&vectors) } else { product(&vectors) };
            let (local, ln_scale) = own.ok_or(Error::ImpossibleEvidence)?;
            locals[v.index()] = local;
            ln_constant += ln_scale;
        }
        for table in &mut factors {
            let ln_scale = ln_greatest(table.values())?;
            ln_constant += ln_scale;
            *table = if logarithms { table.map(|x| x.ln() - ln_scale) } else { scaled(table) };
        }
        Ok(Self { observed, factors, sources, locals, ln_constant, logarithms })
    }

    /// Beliefs about the targets: what was seen for certain, and the marginals of the others.
    pub(crate) fn beliefs<'a>(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        mut marginal: impl FnMut(VarId) -> &'a [f64],
    ) -> BeliefsBuilder {
        let mut beliefs = BeliefsBuilder::new(model.variables());
        for &v in targets {
            match self.observed[v.index()] {
                Some(state) => beliefs.set_state(v, state),
                None => beliefs.marginal_mut(v).copy_from_slice(marginal(v)),
            }
        }
        beliefs
    }

    /// The logarithm of a number of a factor or local vector.
    pub(crate) fn ln(&self, x: f64) -> f64 {
        if self.logarithms { x } else { x.ln() }
    }
}

/// ∑ₛ ln fₛ, with the likelihoods of virtual evidence.
pub(crate) fn ln_score(model: &dyn GraphicalModel, evidence: &Evidence, states: &[usize]) -> f64 {
    let of_finding = |(v, finding): (VarId, &Finding)| match finding {
        Finding::Likelihood(likelihood) => likelihood[states[v.index()]].ln(),
        _ => 0.0,
    };
    model.ln_score(states) + evidence.iter().map(of_finding).sum::<f64>()
}

/// The part of a factor that agrees with the evidence.
fn reduced(factor: &Table, observed: &[Option<usize>]) -> Result<Table, Error> {
    let seen: Vec<(VarId, usize)> =
        factor.scope().iter().filter_map(|&v| observed[v.index()].map(|state| (v, state))).collect();
    if seen.is_empty() { Ok(factor.clone()) } else { Ok(factor.reduce(&seen)?) }
}

/// The logarithm of the greatest value.
fn ln_greatest(values: &[f64]) -> Result<f64, Error> {
    let greatest = greatest(values);
    if greatest > 0.0 { Ok(greatest.ln()) } else { Err(Error::ImpossibleEvidence) }
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// The table divided by its greatest value.
fn scaled(table: &Table) -> Table {
    let greatest = greatest(table.values());
    if greatest == 1.0 { table.clone() } else { table.map(|x| x / greatest) }
}

/// Whether the product of these vectors, divided by its greatest value, can be held without logarithms.
fn has_product(vectors: &[Vec<f64>]) -> bool {
    let floor = vectors.iter().fold(1.0, |floor, own| floor * (least_positive(own) / greatest(own)));
    floor >= SMALLEST_PRODUCT
        || ln_product(vectors).is_some_and(|(own, _)| {
            own.iter().all(|&ln| ln == f64::NEG_INFINITY || ln >= SMALLEST_PRODUCT.ln())
        })
}

/// The logarithms of the product of nonnegative vectors, divided by its greatest value, and the logarithm of
/// that; `None` if all is zero.
fn ln_product(vectors: &[Vec<f64>]) -> Option<(Vec<f64>, f64)> {
    let mut values: Vec<f64> =
        (0..vectors[0].len()).map(|state| vectors.iter().map(|vector| vector[state].ln()).sum()).collect();
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return None;
    }
    for value in &mut values {
        *value -= greatest;
    }
    Some((values, greatest))
}

/// The product of nonnegative vectors, divided by its greatest value, and the logarithm of that; `None` if
/// all is zero.
fn product(vectors: &[Vec<f64>]) -> Option<(Vec<f64>, f64)> {
    let mut values = vec![1.0; vectors[0].len()];
    let (mut floor, mut ln_scale) = (1.0, 0.0);
    for vector in vectors {
        let greatest = greatest(vector);
        ln_scale += greatest.ln();
        for (value, x) in values.iter_mut().zip(vector) {
            *value *= x / greatest;
        }
        floor *= least_positive(vector) / greatest;
    }
    if floor < SMALLEST_PRODUCT {
        let (logarithms, greatest) = ln_product(vectors)?;
        return Some((logarithms.iter().map(|ln| ln.exp()).collect(), greatest));
    }
    let greatest = greatest(&values);
    for value in &mut *values {
        *value /= greatest;
    }
    (greatest > 0.0).then_some((values, ln_scale + greatest.ln()))
}

/// The least number above zero; infinity if there is none.
pub(crate) fn least_positive(values: &[f64]) -> f64 {
    values.iter().copied().filter(|&x| x > 0.0).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn products_of_many_tiny_numbers_keep_their_ratio() {
        let strong = [vec![1.0, 1e-200], vec![1.0, 1e-200]];
        let against = [vec![1e-200, 1.0], vec![1e-200, 0.5]];
        let (values, ln_scale) = product(&[strong, against].concat()).unwrap();
        assert!((values[0] - 1.0).abs() < 1e-12 && (values[1] - 0.5).abs() < 1e-12);
        assert!((ln_scale / (400.0 * 0.1_f64.ln()) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_contradiction_has_no_product() {
        assert!(product(&[vec![1.0, 0.0], vec![0.0, 1.0]]).is_none());
    }
}
