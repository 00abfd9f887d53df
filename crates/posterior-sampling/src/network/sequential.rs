//! Independent joint states of a model, one variable after another, each with a weight.

use posterior_inference::Error;
use posterior_pgm::{GraphicalModel, MarkovRandomField, SumProduct, Table};
use rand::{Rng, RngExt};

use super::sites::{accumulate, exponentiate};
use super::support::advance;

/// Numbers of a table of conditionals, up to which it is worked out beforehand.
const ROWS: usize = 1 << 16;

/// How to draw a joint state of a field: the variables in an order, each from the product of the factors that
/// it completes, given those before it. The weight of a joint state is the product of what these products add
/// up to, so that weighted draws have the distribution of the field.
#[derive(Debug)]
pub(super) struct Sequence {
    steps: Vec<Step>,
    /// ln of the factors over no variable.
    ln_constant: f64,
    /// Rows of all steps that have them, cumulative, and the logarithm of what each adds up to.
    rows: Vec<f64>,
    ln_totals: Vec<f64>,
}

#[derive(Debug)]
struct Step {
    v: usize,
    card: usize,
    /// Variables drawn before, with their strides in the row number.
    given: Vec<(usize, usize)>,
    conditional: Conditional,
}

#[derive(Debug)]
enum Conditional {
    /// Row number `r` begins at `start + r · card`, its total is at `total + r`, where it is not always 1.
    Rows {
        start: usize,
        total: Option<usize>,
    },
    Product(Vec<Factor>),
}

/// A factor by its logarithms, with the strides of its variables.
#[derive(Debug)]
struct Factor {
    logarithms: Vec<f64>,
    strides: Vec<(usize, usize)>,
}

impl Sequence {
    /// Of a field in an order of its own. Each factor is taken apart by the chain rule into the distribution
    /// of its first variable, of the second one given the first, and so on, as if it were all there is: so
    /// that a variable is drawn with regard to all its factors.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`] if a factor is zero.
    pub(super) fn of_field(field: &MarkovRandomField) -> Result<Self, Error> {
        let order = greedy_order(field);
        let rank = ranks(&order);
        let (mut parts, mut ln_constant) = (Vec::new(), 0.0);
        for table in field.factors() {
            let greatest = table.values().iter().copied().fold(0.0, f64::max);
            let scaled = table.map(|x| x / greatest);
            let distribution = scaled.normalized().ok_or(Error::ImpossibleEvidence)?;
            ln_constant += greatest.ln() + scaled.total().ln();
            let mut scope = distribution.scope().to_vec();
            scope.sort_unstable_by_key(|v| rank[v.index()]);
            let marginals = (0..=scope.len()).map(|k| distribution.marginal::<SumProduct>(&scope[..k]));
            let marginals: Vec<Table> = marginals.collect::<Result<_, _>>()?;
            for pair in marginals.windows(2) {
                parts.push(pair[1].quotient(&pair[0])?);
            }
        }
        let sequence = Self::new(field.variables().cards(), &parts, &order)?;
        Ok(Self { ln_constant: sequence.ln_constant + ln_constant, ..sequence })
    }

    /// # Errors
    /// [`Error::ImpossibleEvidence`] if a factor over no variable is zero.
    pub(super) fn new(cards: &[usize], factors: &[Table], order: &[usize]) -> Result<Self, Error> {
        let rank = ranks(order);
        let mut completed: Vec<Vec<&Table>> = vec![Vec::new(); cards.len()];
        let mut sequence =
            Self { steps: Vec::new(), ln_constant: 0.0, rows: Vec::new(), ln_totals: Vec::new() };
        for table in factors {
            match table.scope().iter().map(|v| rank[v.index()]).max() {
                Some(last) => completed[last].push(table),
                None => sequence.ln_constant += table.values()[0].ln(),
            }
        }
        if sequence.ln_constant == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        for (&v, tables) in order.iter().zip(&completed) {
            sequence.add(v, cards, tables);
        }
        Ok(sequence)
    }

    fn add(&mut self, v: usize, cards: &[usize], tables: &[&Table]) {
        let mut before: Vec<usize> =
            tables.iter().flat_map(|t| t.scope()).map(|w| w.index()).filter(|&w| w != v).collect();
        before.sort_unstable();
        before.dedup();
        let size = before.iter().try_fold(cards[v], |size, &w| size.checked_mul(cards[w]));
        let given = strides(&before, cards);
        let conditional = if size.is_some_and(|size| size <= ROWS) {
            self.rows(v, &before, cards, tables)
        } else {
            let factor = |t: &&Table| Factor {
                logarithms: t.values().iter().map(|x| x.ln()).collect(),
                strides: strides_in(t),
            };
            Conditional::Product(tables.iter().map(factor).collect())
        };
        self.steps.push(Step { v, card: cards[v], given, conditional });
    }

    fn rows(&mut self, v: usize, before: &[usize], cards: &[usize], tables: &[&Table]) -> Conditional {
        let all: Vec<usize> = before.iter().copied().chain([v]).collect();
        let own: Vec<usize> = all.iter().map(|&w| cards[w]).collect();
        let mut rows = vec![0.0; own.iter().product()];
        for table in tables {
            let known = strides_in(table);
            let stride = |w: usize| known.iter().find(|own| own.0 == w).map_or(0, |own| own.1);
            let strides: Vec<usize> = all.iter().map(|&w| stride(w)).collect();
            let mut states = vec![0; all.len()];
            for sum in &mut rows {
                let cell: usize = states.iter().zip(&strides).map(|(state, stride)| state * stride).sum();
                *sum += table.values()[cell].ln();
                advance(&mut states, &own);
            }
        }
        let totals: Vec<f64> = rows.chunks_exact_mut(cards[v]).map(prepare).collect();
        let start = self.rows.len();
        self.rows.extend(rows);
        let first = self.ln_totals.len();
        let rounding = f64::EPSILON * 4.0 * cards[v] as f64;
        let is_weighted = totals.iter().any(|ln| ln.abs() > rounding);
        if is_weighted {
            self.ln_totals.extend(totals);
        }
        Conditional::Rows { start, total: is_weighted.then_some(first) }
    }

    /// Draws the states of all variables, and returns the logarithm of the weight; −∞ from where no state was
    /// possible, and the states after that are as they were. Ends early where `refuse` says so of a variable
    /// and its state, with −∞.
    pub(super) fn draw<R: Rng + ?Sized>(
        &self,
        states: &mut [u32],
        scratch: &mut Vec<f64>,
        rng: &mut R,
        refuse: impl Fn(usize, usize) -> bool,
    ) -> f64 {
        let mut ln_weight = self.ln_constant;
        for step in &self.steps {
            let u: f64 = rng.random();
            let drawn = match &step.conditional {
                &Conditional::Rows { start, total } => {
                    let row = place(&step.given, states);
                    if let Some(total) = total {
                        ln_weight += self.ln_totals[total + row];
                    }
                    let begin = start + row * step.card;
                    self.rows[begin..begin + step.card].iter().position(|&c| u < c)
                }
                Conditional::Product(factors) => {
                    scratch.clear();
                    scratch.resize(step.card, 0.0);
                    for Factor { logarithms, strides } in factors {
                        states[step.v] = 0;
                        let base = place(strides, states);
                        let stride = strides.iter().find(|own| own.0 == step.v).map_or(0, |own| own.1);
                        let line = logarithms.iter().skip(base).step_by(stride);
                        scratch.iter_mut().zip(line).for_each(|(sum, ln)| *sum += ln);
                    }
                    ln_weight += prepare(scratch);
                    scratch.iter().position(|&c| u < c)
                }
            };
            match drawn {
                Some(state) if !refuse(step.v, state) => states[step.v] = state as u32,
                _ => return f64::NEG_INFINITY,
            }
        }
        ln_weight
    }
}

/// The place of each variable in an order of all.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, &v)| rank[v] = i);
    rank
}

/// From logarithms to the distribution function; the logarithm of their total.
fn prepare(row: &mut [f64]) -> f64 {
    let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    exponentiate(row);
    let total: f64 = row.iter().sum();
    accumulate(row);
    if greatest == f64::NEG_INFINITY { greatest } else { greatest + total.ln() }
}

fn place(strides: &[(usize, usize)], states: &[u32]) -> usize {
    strides.iter().map(|&(v, stride)| states[v] as usize * stride).sum()
}

/// Variables as digits, the last fastest.
fn strides(variables: &[usize], cards: &[usize]) -> Vec<(usize, usize)> {
    let mut stride = 1_usize;
    let mut strides = Vec::new();
    for &v in variables.iter().rev() {
        strides.push((v, stride));
        stride = stride.saturating_mul(cards[v]);
    }
    strides
}

fn strides_in(table: &Table) -> Vec<(usize, usize)> {
    let mut stride = 1;
    let mut strides = Vec::new();
    for (v, card) in table.scope().iter().zip(table.cards()).rev() {
        strides.push((v.index(), stride));
        stride *= card;
    }
    strides
}

/// An order of the variables of a field in which each completes as many factors as it can: of several, the
/// one with most neighbours before it, then the least. O(variables²).
pub(super) fn greedy_order(field: &MarkovRandomField) -> Vec<usize> {
    let n = field.variables().len();
    let mut left: Vec<usize> = field.factors().iter().map(|table| table.scope().len()).collect();
    let mut factors_of = vec![Vec::new(); n];
    for (f, table) in field.factors().iter().enumerate() {
        table.scope().iter().for_each(|v| factors_of[v.index()].push(f));
    }
    let mut order = Vec::with_capacity(n);
    let mut remaining: Vec<usize> = (0..n).collect();
    while !remaining.is_empty() {
        let merit = |&v: &usize| {
            let own = &factors_of[v];
            let touched = |&&f: &&usize| left[f] < field.factors()[f].scope().len();
            (own.iter().filter(|&&f| left[f] == 1).count(), own.iter().filter(touched).count())
        };
        let best = (0..remaining.len())
            .reduce(|a, b| if merit(&remaining[b]) > merit(&remaining[a]) { b } else { a })
            .unwrap_or(0);
        let v = remaining.remove(best);
        factors_of[v].iter().for_each(|&f| left[f] -= 1);
        order.push(v);
    }
    order
}
