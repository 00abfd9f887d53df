//! What a joint table says about independence, by conditional mutual information.

use posterior_dist::finite::information::kl_divergence;
use posterior_graph::{Independence, Names, VarId};

use crate::{Error, SumProduct, Table};

/// The most variables whose independencies are listed: there are n² 2ⁿ questions.
const LARGEST: usize = 10;

impl Table {
    /// I(a; b | given) = ∑ p(a, b, given) ln p(a, b | given) / (p(a | given) p(b | given)) in nats, for the
    /// distribution proportional to this table: zero where a and b are independent given the rest. O(joint
    /// states).
    ///
    /// # Errors
    /// Sets that overlap, a variable that the table does not have, a table that adds up to zero or has
    /// negative values.
    pub fn conditional_mutual_information(
        &self,
        a: &[VarId],
        b: &[VarId],
        given: &[VarId],
    ) -> Result<f64, Error> {
        let distribution = self.distribution()?;
        let all = distribution.marginal::<SumProduct>(&[a, b, given].concat())?;
        let a_given = all.marginal::<SumProduct>(&[a, given].concat())?;
        let b_given = all.marginal::<SumProduct>(&[b, given].concat())?;
        let alone = all.marginal::<SumProduct>(given)?;
        let product = a_given.product::<SumProduct>(&b_given)?.quotient(&alone)?;
        let expected = product.marginal::<SumProduct>(all.scope())?;
        Ok(kl_divergence(all.values(), expected.values()))
    }

    /// All independencies of two variables of this table given sets of others: those whose conditional mutual
    /// information is at most `tolerance`, sorted. What follows from zeros is in the list, too: it is about
    /// this distribution, not about its graph.
    ///
    /// Compare it with what a graph claims by [`MapCheck`](posterior_graph::MapCheck). O(n² 2ⁿ joint states).
    ///
    /// # Errors
    /// More than ten variables; a table that adds up to zero or has negative values.
    pub fn independencies(&self, tolerance: f64) -> Result<Vec<Independence>, Error> {
        let mut scope = self.scope().to_vec();
        scope.sort_unstable();
        if scope.len() > LARGEST {
            let reason = format!("independencies are listed for at most {LARGEST} variables");
            return Err(Error::Shape { scope: format!("{} variables", scope.len()), reason });
        }
        let names = Names::numbered(scope.last().map_or(0, |v| v.index() + 1));
        let mut found = Vec::new();
        for code in 0..1_usize << scope.len() {
            let (given, rest): (Vec<_>, Vec<_>) = (0..scope.len()).partition(|&i| code >> i & 1 == 1);
            let given: Vec<VarId> = given.iter().map(|&i| scope[i]).collect();
            for (place, &a) in rest.iter().enumerate() {
                for &b in &rest[place + 1..] {
                    let (a, b) = ([scope[a]], [scope[b]]);
                    if self.conditional_mutual_information(&a, &b, &given)? <= tolerance {
                        found.push(Independence::new(&names, &a, &b, &given)?);
                    }
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The distribution that is proportional to this table.
    fn distribution(&self) -> Result<Self, Error> {
        let refuse = |reason: &str| {
            Err(Error::Shape { scope: format!("{:?}", self.scope()), reason: reason.to_owned() })
        };
        if self.values().iter().any(|value| !(*value >= 0.0)) {
            return refuse("it has negative values");
        }
        self.normalized().map_or_else(|| refuse("it adds up to zero, or to infinity"), Ok)
    }
}
