//! All numbers of tables of small data, by the definition of the process.

use std::collections::BTreeMap;

use posterior_dist::{PitmanYor, PitmanYorPrior};
use posterior_text::ngram::NgramVocabulary;

/// The weight of all ways in which `customers` sit at `tables` tables, each way the product over its tables
/// of (1 - d)(2 - d)…(size - 1 - d).
fn ways(customers: usize, tables: usize, discount: f64) -> f64 {
    // The last customer opens a table, or joins one: a customer at tables of together c - 1 has the weight
    // c - 1 - d t.
    match (customers, tables) {
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.0,
        (c, t) => {
            ways(c - 1, t - 1, discount) + ((c - 1) as f64 - discount * t as f64) * ways(c - 1, t, discount)
        }
    }
}

/// θ (θ + d)…(θ + (t - 1) d)/(θ (θ + 1)…(θ + c - 1)).
fn restaurant(customers: usize, tables: usize, level: PitmanYor) -> f64 {
    let opened: f64 = (1..tables).map(|i| level.concentration() + level.discount() * i as f64).product();
    let seated: f64 = (1..customers).map(|i| level.concentration() + i as f64).product();
    opened / seated
}

/// A model of bigrams with known parameters.
pub(super) struct Bigrams {
    /// The exact distribution after each symbol.
    predictive: Vec<Vec<f64>>,
}

impl Bigrams {
    pub(super) fn of(text: &[usize], vocabulary: NgramVocabulary, levels: [PitmanYor; 2]) -> Self {
        let outcomes = vocabulary.outcomes();
        let marked: Vec<usize> =
            vocabulary.begin().into_iter().chain(text.iter().copied()).chain(vocabulary.end()).collect();
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for pair in marked.windows(2) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
        let mut direct = vec![0; outcomes];
        if vocabulary.begin().is_none() {
            direct[text[0]] = 1;
        }
        let mut sums = Sums { total: 0.0, predictive: vec![vec![0.0; outcomes]; vocabulary.symbols()] };
        let dishes: Vec<((usize, usize), usize)> = counts.into_iter().collect();
        let all = All { dishes, direct, outcomes, levels };
        all.over_bigrams(&mut Vec::new(), &mut sums);
        for distribution in &mut sums.predictive {
            for probability in distribution {
                *probability /= sums.total;
            }
        }
        Self { predictive: sums.predictive }
    }

    pub(super) fn predictive(&self, context: usize, symbol: usize) -> f64 {
        self.predictive[context][symbol]
    }
}

struct Sums {
    total: f64,
    predictive: Vec<Vec<f64>>,
}

struct All {
    dishes: Vec<((usize, usize), usize)>,
    direct: Vec<usize>,
    outcomes: usize,
    levels: [PitmanYor; 2],
}

impl All {
    /// All numbers of tables of the bigrams from that of `tables` on.
    fn over_bigrams(&self, tables: &mut Vec<usize>, sums: &mut Sums) {
        match self.dishes.get(tables.len()) {
            None => {
                let mut customers = self.direct.clone();
                for (((_, symbol), _), tables) in self.dishes.iter().zip(tables.iter()) {
                    customers[*symbol] += tables;
                }
                self.over_symbols(tables, &customers, &mut Vec::new(), sums);
            }
            Some(&(_, count)) => {
                for number in 1..=count {
                    tables.push(number);
                    self.over_bigrams(tables, sums);
                    tables.pop();
                }
            }
        }
    }

    /// All numbers of tables of the single symbols.
    fn over_symbols(&self, tables: &[usize], customers: &[usize], root: &mut Vec<usize>, sums: &mut Sums) {
        match customers.get(root.len()) {
            None => self.add(tables, customers, root, sums),
            Some(&number) => {
                for opened in usize::from(number > 0)..=number {
                    root.push(opened);
                    self.over_symbols(tables, customers, root, sums);
                    root.pop();
                }
            }
        }
    }

    fn add(&self, tables: &[usize], customers: &[usize], root: &[usize], sums: &mut Sums) {
        let [first, second] = self.levels;
        let uniform = 1.0 / self.outcomes as f64;
        let all = (customers.iter().sum::<usize>(), root.iter().sum::<usize>());
        let mut weight = restaurant(all.0, all.1, first) * uniform.powf(all.1 as f64);
        for (&customers, &tables) in customers.iter().zip(root) {
            weight *= ways(customers, tables, first.discount());
        }
        let mut of_context: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (&((context, _), count), &tables) in self.dishes.iter().zip(tables) {
            let sum = of_context.entry(context).or_default();
            *sum = (sum.0 + count, sum.1 + tables);
            weight *= ways(count, tables, second.discount());
        }
        for &(customers, tables) in of_context.values() {
            weight *= restaurant(customers, tables, second);
        }
        sums.total += weight;
        let proportion = |kept: f64, all: (usize, usize), level: PitmanYor, lower: f64| {
            let new = level.concentration() + level.discount() * all.1 as f64;
            (kept + new * lower) / (all.0 as f64 + level.concentration())
        };
        for (context, distribution) in sums.predictive.iter_mut().enumerate() {
            for (symbol, sum) in distribution.iter_mut().enumerate() {
                let kept = customers[symbol] as f64 - first.discount() * root[symbol] as f64;
                let single = proportion(kept, all, first, uniform);
                let dish = self.dishes.iter().position(|(pair, _)| *pair == (context, symbol));
                let kept = dish
                    .map_or(0.0, |dish| self.dishes[dish].1 as f64 - second.discount() * tables[dish] as f64);
                *sum += weight
                    * match of_context.get(&context) {
                        Some(&all) => proportion(kept, all, second, single),
                        None => single,
                    };
            }
        }
    }
}

/// The posterior means of discount and concentration of one restaurant whose dishes have these counts.
pub(super) fn posterior_means(counts: &[usize], outcomes: usize, prior: &PitmanYorPrior) -> (f64, f64) {
    let customers: usize = counts.iter().sum();
    let uniform = 1.0 / outcomes as f64;
    let (mut total, mut discounts, mut concentrations) = (0.0, 0.0, 0.0);
    let steps = 120;
    for i in 0..steps {
        let discount = (f64::from(i) + 0.5) / f64::from(steps);
        // The polynomial in the number of tables: the product of those of the dishes.
        let mut by_tables = vec![1.0];
        for &count in counts {
            let mut product = vec![0.0; by_tables.len() + count];
            for (tables, weight) in by_tables.iter().enumerate() {
                for more in 1..=count {
                    product[tables + more] += weight * ways(count, more, discount);
                }
            }
            by_tables = product;
        }
        for j in 0..2000 {
            let concentration = (f64::from(j) + 0.5) * 0.01;
            let level = PitmanYor::new(discount, concentration).unwrap();
            let mut likelihood = 0.0;
            for (tables, weight) in by_tables.iter().enumerate().skip(1) {
                likelihood += weight * restaurant(customers, tables, level) * uniform.powf(tables as f64);
            }
            let [a, b] = prior.discount;
            let [shape, rate] = prior.concentration;
            let density = discount.powf(a - 1.0) * (1.0 - discount).powf(b - 1.0);
            let weight =
                likelihood * density * concentration.powf(shape - 1.0) * (-rate * concentration).exp();
            total += weight;
            discounts += weight * discount;
            concentrations += weight * concentration;
        }
    }
    (discounts / total, concentrations / total)
}
