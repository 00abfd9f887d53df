//! Messages along the forest of a join graph, and the shifts that make the clusters of a bucket agree.

use std::ops::Range;

use posterior_math::log_space::ln_sum_exp;
use posterior_pgm::{LogSumProduct, Table, VarId};

use super::mini_buckets::{Bucket, Link, MiniBuckets};
use crate::sliced::Sliced;

/// Why a pass ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// No state of a variable is possible.
    Impossible,
    /// A bound is no longer a number.
    NoBound,
}

/// The logarithms of the tables of all clusters: their factors, and the local vectors of the variables.
pub(super) fn bases(graph: &MiniBuckets, sliced: &Sliced) -> Result<Vec<Table>, crate::Error> {
    let mut bases = Vec::with_capacity(graph.clusters.len());
    for bucket in &graph.buckets {
        for k in bucket.clusters.clone() {
            let cluster = &graph.clusters[k];
            let cells = cluster.cards.iter().product::<usize>();
            let mut base = Table::new(cluster.scope.clone(), cluster.cards.clone(), vec![0.0; cells])?;
            for &factor in &cluster.factors {
                base = base.product::<LogSumProduct>(&sliced.factors[factor].map(|x| sliced.ln(x)))?;
            }
            if k == bucket.clusters.start {
                let local = &sliced.locals[bucket.variable.index()];
                let local = Table::new(vec![bucket.variable], vec![local.len()], local.clone())?;
                base = product(&base, &local.map(|x| sliced.ln(x)));
            }
            bases.push(base);
        }
    }
    Ok(bases)
}

/// Weighted elimination along a join graph (Liu and Ihler 2011), in logarithms.
///
/// A cluster with weight w sends ln (∑ᵥ t^(1/w))^w, where t is the product of all that it holds. Two linked
/// clusters have a shift each, over the variables that both have; the two add up to what is required of the
/// link.
pub(super) struct Passing<'a> {
    graph: &'a MiniBuckets,
    bases: &'a [Table],
    weights: Vec<f64>,
    /// For each link, those of its two ends.
    shifts: Vec<[Table; 2]>,
    /// For each link, what its shifts have to add up to.
    required: Vec<Table>,
    /// For each link, the logarithm of the belief that its ends agreed on at the last visit, normalised.
    common: Vec<Table>,
    totals: Vec<Table>,
    ups: Vec<Table>,
    downs: Vec<Option<Table>>,
    /// For each bucket, ln p(v), normalised, at the last visit.
    pub(super) beliefs: Vec<Vec<f64>>,
}

impl<'a> Passing<'a> {
    pub(super) fn new(graph: &'a MiniBuckets, bases: &'a [Table], weights: Vec<f64>) -> Self {
        let zeros = |link: &Link| marginal(&bases[link.ends[0]], &link.scope).map(|_| 0.0);
        let links: Vec<Table> = graph.links.iter().map(zeros).collect();
        Self {
            graph,
            bases,
            weights,
            shifts: links.iter().map(|zero| [zero.clone(), zero.clone()]).collect(),
            required: links.clone(),
            common: links,
            totals: vec![Table::scalar(0.0); bases.len()],
            ups: vec![Table::scalar(0.0); bases.len()],
            downs: vec![None; bases.len()],
            beliefs: vec![Vec::new(); graph.buckets.len()],
        }
    }

    /// From the first bucket to the last: the logarithm of the weighted sum. Shifts move by `step` where it
    /// is above 0.
    pub(super) fn forward(&mut self, step: f64) -> Result<f64, Stop> {
        let mut ln_z = 0.0;
        for bucket in &self.graph.buckets {
            let own = bucket.clusters.clone();
            for k in own.clone() {
                self.totals[k] = self.total(k, bucket.links.clone());
            }
            if step > 0.0 && !bucket.links.is_empty() && own.clone().all(|k| self.knows_the_rest(k)) {
                let mut beliefs: Vec<Table> = own.clone().map(|k| self.belief(k)).collect();
                self.agree(bucket, &mut beliefs, step)?;
                for k in own.clone() {
                    self.totals[k] = self.total(k, bucket.links.clone());
                }
            }
            for k in own {
                self.ups[k] = self.up(k);
                if self.graph.clusters[k].separator().is_empty() {
                    ln_z += self.ups[k].values()[0];
                }
            }
        }
        if ln_z == f64::NEG_INFINITY { Err(Stop::Impossible) } else { Ok(ln_z) }
    }

    /// From the last bucket to the first: beliefs, and how far apart linked clusters are at most.
    pub(super) fn backward(&mut self, step: f64) -> Result<f64, Stop> {
        let mut residual = 0.0_f64;
        for (number, bucket) in self.graph.buckets.iter().enumerate().rev() {
            let mut beliefs: Vec<Table> = bucket.clusters.clone().map(|k| self.belief(k)).collect();
            residual = residual.max(self.agree(bucket, &mut beliefs, step)?);
            self.beliefs[number] = normalized(marginal(&beliefs[0], &[bucket.variable]).values())?;
            for (k, belief) in bucket.clusters.clone().zip(&beliefs) {
                self.send_down(k, belief)?;
            }
        }
        Ok(residual)
    }

    /// What lies behind the messages that came into a cluster, given its belief.
    fn send_down(&mut self, k: usize, belief: &Table) -> Result<(), Stop> {
        for &child in &self.graph.clusters[k].children {
            let own = marginal(belief, self.graph.clusters[child].separator());
            let values = normalized(own.values())?;
            let up = self.ups[child].values().iter();
            let values = values.iter().zip(up).map(|(&a, &b)| minus(a, b / self.weights[child])).collect();
            self.downs[child] = Some(like(&own, values));
        }
        Ok(())
    }

    fn knows_the_rest(&self, k: usize) -> bool {
        self.downs[k].is_some() || self.graph.clusters[k].separator().is_empty()
    }

    /// The product of all that a cluster holds.
    fn total(&self, k: usize, links: Range<usize>) -> Table {
        let mut own = self.bases[k].clone();
        for &child in &self.graph.clusters[k].children {
            own = product(&own, &self.ups[child]);
        }
        for link in links {
            if let Some(end) = self.graph.links[link].ends.iter().position(|&end| end == k) {
                own = product(&own, &self.shifts[link][end]);
            }
        }
        own
    }

    /// The message of a cluster to the later bucket.
    fn up(&self, k: usize) -> Table {
        let (weight, separator) = (self.weights[k], self.graph.clusters[k].separator());
        if weight == 1.0 {
            return marginal(&self.totals[k], separator);
        }
        marginal(&self.totals[k].map(|x| x / weight), separator).map(|x| x * weight)
    }

    /// The logarithms of the belief of a cluster, up to a constant.
    fn belief(&self, k: usize) -> Table {
        let own = self.totals[k].map(|x| x / self.weights[k]);
        self.downs[k].iter().fold(own, |own, down| product(&own, down))
    }

    /// Moves the shifts of a bucket so that its clusters agree if nothing else changes, link by link; the
    /// beliefs follow. How far apart they were.
    fn agree(&mut self, bucket: &Bucket, beliefs: &mut [Table], step: f64) -> Result<f64, Stop> {
        let mut residual = 0.0_f64;
        for number in bucket.links.clone() {
            let Link { ends, scope } = &self.graph.links[number];
            let places = ends.map(|k| k - bucket.clusters.start);
            let [a, b] = places.map(|place| normalized(marginal(&beliefs[place], scope).values()));
            let own = [a?, b?];
            let weights = ends.map(|k| self.weights[k]);
            let common = self.meeting(number, &own, weights);
            for (end, own) in own.iter().enumerate() {
                let moves = own.iter().zip(&common).map(|(&own, &common)| {
                    if common == f64::NEG_INFINITY { common } else { step * (common - own) }
                });
                let moves = moves.collect();
                let moves = like(&self.required[number], moves);
                beliefs[places[end]] = product(&beliefs[places[end]], &moves);
                let shift = &mut self.shifts[number][end];
                *shift = product(shift, &moves.map(|x| x * weights[end]));
            }
            let common = normalized(&common)?;
            for own in &own {
                let apart = own.iter().zip(&common).map(|(a, b)| (a.exp() - b.exp()).abs());
                residual = apart.fold(residual, f64::max);
            }
            self.common[number] = like(&self.required[number], common);
        }
        Ok(residual)
    }

    /// Where the beliefs of the ends of a link meet: ln b = (required − shifts + w₀ ln b₀ + w₁ ln b₁) / (w₀ +
    /// w₁). What is impossible at one end is impossible.
    fn meeting(&self, link: usize, own: &[Vec<f64>; 2], weights: [f64; 2]) -> Vec<f64> {
        let required = self.required[link].values().iter();
        let [a, b] = [0, 1].map(|end| self.shifts[link][end].values().iter().zip(&own[end]));
        let cells = required.zip(a).zip(b).map(|((required, (shift_a, a)), (shift_b, b))| {
            if a.min(*b) == f64::NEG_INFINITY {
                return f64::NEG_INFINITY;
            }
            (required - shift_a - shift_b + weights[0] * a + weights[1] * b) / (weights[0] + weights[1])
        });
        cells.collect()
    }

    /// Requires ln b(v | what else is shared) of each link, with its belief of now: the tangent of the part
    /// of the free energy that is not convex. How far the beliefs moved since the last time.
    pub(super) fn linearize(&mut self) -> f64 {
        let mut moved = 0.0_f64;
        for (required, common) in self.required.iter_mut().zip(&self.common) {
            let new = conditional(common);
            for ((old, new), belief) in required.values().iter().zip(new.values()).zip(common.values()) {
                moved = moved.max(belief.exp() * (old.exp() - new.exp()).abs());
            }
            *required = new;
        }
        moved
    }

    /// What the approximation of ln Z has beside the sum over the forest: −∑ b (shifts − ln b(v | what else
    /// is shared)), which is zero where the messages have settled.
    pub(super) fn correction(&self) -> f64 {
        let of_link = |(common, [a, b]): (&Table, &[Table; 2])| {
            let conditional = conditional(common);
            let terms = common.values().iter().zip(conditional.values());
            let terms = terms.zip(a.values().iter().zip(b.values()));
            let possible = terms.filter(|((belief, _), _)| **belief > f64::NEG_INFINITY);
            possible.map(|((belief, own), (a, b))| belief.exp() * (own - a - b)).sum::<f64>()
        };
        self.common.iter().zip(&self.shifts).map(of_link).sum()
    }
}

/// ln p(last variable | the others), -∞ where the others are impossible.
fn conditional(joint: &Table) -> Table {
    let card = joint.cards().last().copied().unwrap_or(1);
    let rows = joint.values().chunks_exact(card).flat_map(|row| {
        let all = ln_sum_exp(row);
        row.iter().map(move |&x| minus(x, all))
    });
    like(joint, rows.collect())
}

/// The difference of logarithms, with 0 / 0 = 0.
fn minus(a: f64, b: f64) -> f64 {
    if a == f64::NEG_INFINITY { a } else { a - b }
}

/// Logarithms that add up to one.
fn normalized(values: &[f64]) -> Result<Vec<f64>, Stop> {
    let all = ln_sum_exp(values);
    if all.is_finite() {
        return Ok(values.iter().map(|value| value - all).collect());
    }
    Err(if all == f64::NEG_INFINITY { Stop::Impossible } else { Stop::NoBound })
}

fn like(table: &Table, values: Vec<f64>) -> Table {
    Table::new(table.scope().to_vec(), table.cards().to_vec(), values).expect("invariant: the same shape")
}

fn marginal(table: &Table, keep: &[VarId]) -> Table {
    table.marginal::<LogSumProduct>(keep).expect("invariant: separators are parts of clusters")
}

fn product(a: &Table, b: &Table) -> Table {
    a.product::<LogSumProduct>(b).expect("invariant: variables have one number of states")
}
