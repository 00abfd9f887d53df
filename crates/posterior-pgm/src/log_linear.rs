//! Log-linear Markov random fields: p(x) ∝ exp(∑ₖ wₖ fₖ(x)).

use std::collections::BTreeMap;

use posterior_graph::VarId;

use crate::{Error, MarkovRandomField, Records, SumProduct, Table, Variables};

/// A Markov random field by features of a few variables each, and their weights: p(x) ∝ exp(∑ₖ wₖ fₖ(x)).
///
/// Features over the same variables share one factor of the [field](Self::field). Its ln Z is convex in w,
/// with the gradient E f.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLinear {
    variables: Variables,
    features: Vec<Table>,
    weights: Vec<f64>,
    /// The factor that each feature is a part of.
    factor_of: Vec<usize>,
    /// The scope of each factor: that of its first feature.
    scopes: Vec<Vec<VarId>>,
}

impl LogLinear {
    /// The field with these features, tables of any finite numbers, and their weights.
    ///
    /// # Errors
    /// Features that do not fit the variables or are not finite; another number of weights than of features,
    /// or weights that are not finite.
    pub fn new(variables: Variables, features: Vec<Table>, weights: Vec<f64>) -> Result<Self, Error> {
        for (k, feature) in features.iter().enumerate() {
            check_feature(&variables, k, feature)?;
        }
        let mut factors: BTreeMap<Vec<VarId>, usize> = BTreeMap::new();
        let (mut factor_of, mut scopes) = (Vec::new(), Vec::new());
        let mut aligned = Vec::with_capacity(features.len());
        for feature in features {
            let mut key = feature.scope().to_vec();
            key.sort_unstable();
            let factor = *factors.entry(key).or_insert_with(|| {
                scopes.push(feature.scope().to_vec());
                scopes.len() - 1
            });
            factor_of.push(factor);
            aligned.push(feature.marginal::<SumProduct>(&scopes[factor])?);
        }
        let model = Self { variables, features: aligned, weights: Vec::new(), factor_of, scopes };
        model.with_weights(weights)
    }

    /// A feature for each joint state of each of these scopes but the first, which is 1 there and 0
    /// elsewhere: every field over these scopes with positive factors is one of these, with some weights.
    ///
    /// # Errors
    /// Variables that do not exist or come twice in a scope, or more joint states than fit in memory.
    pub fn indicators(variables: Variables, scopes: &[Vec<VarId>]) -> Result<Self, Error> {
        let mut features = Vec::new();
        for scope in scopes {
            scope.iter().try_for_each(|&v| variables.check(v))?;
            let cards: Vec<usize> = scope.iter().map(|&v| variables.card(v)).collect();
            let cells = crate::table::cells(&cards).ok_or(Error::TooLarge { variables: scope.len() })?;
            for cell in 1..cells {
                let mut values = vec![0.0; cells];
                values[cell] = 1.0;
                features.push(Table::new(scope.clone(), cards.clone(), values)?);
            }
        }
        let weights = vec![0.0; features.len()];
        Self::new(variables, features, weights)
    }

    /// The same features with other weights.
    ///
    /// # Errors
    /// The wrong number of weights, or one that is not finite.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        if weights.len() != self.features.len() {
            let reason = format!("{} weights for {} features", weights.len(), self.features.len());
            return Err(Error::Shape { scope: "the log-linear model".to_owned(), reason });
        }
        if let Some(index) = weights.iter().position(|weight| !weight.is_finite()) {
            let (table, value) = ("the weights".to_owned(), weights[index]);
            return Err(Error::Value { table, index, value, requirement: "finite" });
        }
        self.weights = weights;
        Ok(self)
    }

    /// The variables.
    pub const fn variables(&self) -> &Variables {
        &self.variables
    }

    /// fₖ, as tables; features of one factor have the same order of variables.
    pub fn features(&self) -> &[Table] {
        &self.features
    }

    /// The weights w of the features.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The factor of the [field](Self::field) that feature `k` is a part of.
    ///
    /// # Panics
    /// If there is no such feature.
    #[track_caller]
    pub fn factor_of(&self, k: usize) -> usize {
        self.factor_of[k]
    }

    /// The field with a factor for each set of variables, and the logarithm of what its factors were divided
    /// by: each is scaled to have the maximum 1, so that no weight overflows. ln Z of the model is that of
    /// the field plus this number.
    ///
    /// # Errors
    /// None in practice.
    pub fn field(&self) -> Result<(MarkovRandomField, f64), Error> {
        let mut energies: Vec<Vec<f64>> = self.scopes.iter().map(|_| Vec::new()).collect();
        for ((feature, &weight), &factor) in self.features.iter().zip(&self.weights).zip(&self.factor_of) {
            energies[factor].resize(feature.values().len(), 0.0);
            for (energy, value) in energies[factor].iter_mut().zip(feature.values()) {
                *energy += weight * value;
            }
        }
        let mut ln_scale = 0.0;
        let mut factors = Vec::with_capacity(energies.len());
        for (scope, energy) in self.scopes.iter().zip(energies) {
            let largest = energy.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            ln_scale += largest;
            let cards = scope.iter().map(|&v| self.variables.card(v)).collect();
            let values = energy.iter().map(|energy| (energy - largest).exp()).collect();
            factors.push(Table::new(scope.clone(), cards, values)?);
        }
        Ok((MarkovRandomField::new(self.variables.clone(), factors)?, ln_scale))
    }

    /// ∑ₖ wₖ fₖ(x).
    ///
    /// # Panics
    /// If there is not one state for each variable, or a state does not exist.
    #[track_caller]
    pub fn score(&self, states: &[usize]) -> f64 {
        self.features.iter().zip(&self.weights).map(|(f, weight)| weight * value_at(f, states)).sum()
    }

    /// The mean of each feature over complete records: all that maximum likelihood needs of them.
    ///
    /// # Errors
    /// Other variables, no record, or a record with a missing state.
    pub fn feature_means(&self, records: &Records) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; self.features.len()];
        self.check_records(records)?;
        for (states, count) in records.distinct_states()? {
            for (sum, feature) in sums.iter_mut().zip(&self.features) {
                *sum += count * value_at(feature, &states);
            }
        }
        Ok(sums.iter().map(|sum| sum / records.len() as f64).collect())
    }

    /// That records are of these variables, and that there is one.
    ///
    /// # Errors
    /// If not.
    pub fn check_records(&self, records: &Records) -> Result<(), Error> {
        if *records.variables() != self.variables {
            let reason = "the records have other variables".to_owned();
            return Err(Error::Shape { scope: "the log-linear model".to_owned(), reason });
        }
        if records.is_empty() {
            return Err(Error::Record { record: 0, reason: "there is none".to_owned() });
        }
        Ok(())
    }
}

#[track_caller]
fn value_at(feature: &Table, states: &[usize]) -> f64 {
    let place = |at: usize, (v, &card): (&VarId, &usize)| at * card + states[v.index()];
    feature.values()[feature.scope().iter().zip(feature.cards()).fold(0, place)]
}

fn check_feature(variables: &Variables, k: usize, feature: &Table) -> Result<(), Error> {
    let table = || format!("feature {k}");
    for (&v, &card) in feature.scope().iter().zip(feature.cards()) {
        variables.check(v)?;
        if variables.card(v) != card {
            let reason = format!("{card} states of {}, which has {}", variables.name(v), variables.card(v));
            return Err(Error::Shape { scope: table(), reason });
        }
    }
    match feature.values().iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let value = feature.values()[index];
            Err(Error::Value { table: table(), index, value, requirement: "finite" })
        }
    }
}
