//! Who sits where: one state of the Gibbs sampler.

use posterior_dist::{PitmanYor, PitmanYorPrior, Seats};
use posterior_math::check;
use posterior_math::special::{ln_gamma, ln_rising_factorial};
use rand::Rng;

use crate::error::Error;
use crate::ngram::{NGramCounts, ROOT, Table, TableBase};

/// An arrangement of customers at tables in the restaurants of all contexts.
///
/// Every n-gram is a dish (its last symbol) in a restaurant (the symbols before). The customers of the
/// longest contexts are the symbols counted; those of shorter ones are the tables of longer ones, and the
/// symbols counted at the beginnings of sequences.
#[derive(Debug, Clone)]
pub struct Seating<'a> {
    pub(super) counts: &'a NGramCounts,
    pub(super) levels: Vec<PitmanYor>,
    /// For each dish, the symbols counted that sit there.
    direct: Vec<u32>,
    /// For each dish, the numbers of customers of its tables.
    pub(super) tables: Vec<Vec<u32>>,
    /// For each dish, its customers.
    customers: Vec<u32>,
    /// For each dish, its restaurant.
    restaurant: Vec<u32>,
    /// For each restaurant, the place of its level's parameters.
    level: Vec<u8>,
    /// For each restaurant, all customers and all tables.
    pub(super) totals: Vec<(u32, u32)>,
    uniform: f64,
}

impl<'a> Seating<'a> {
    /// One table for each dish, of the contexts of 0, 1, … symbols with these parameters.
    ///
    /// # Errors
    /// Another number of levels than the order of the counts; a concentration below zero.
    pub fn one_table_each(counts: &'a NGramCounts, levels: &[PitmanYor]) -> Result<Self, Error> {
        let mut seating = Self::without_customers(counts, levels)?;
        for length in (1..=counts.order()).rev() {
            for dish in counts.trie.level(length) {
                let customers = seating.customers[dish] + seating.direct[dish];
                if customers > 0 {
                    seating.customers[dish] = customers;
                    seating.tables[dish] = vec![customers];
                    let totals = &mut seating.totals[seating.restaurant[dish] as usize];
                    *totals = (totals.0 + customers, totals.1 + 1);
                    if length > 1 {
                        seating.customers[counts.trie.suffix(dish)] += 1;
                    }
                }
            }
        }
        Ok(seating)
    }

    /// Customers seated one after the other by chance.
    ///
    /// # Errors
    /// As [`one_table_each`](Self::one_table_each).
    pub fn drawn<R: Rng + ?Sized>(
        counts: &'a NGramCounts,
        levels: &[PitmanYor],
        rng: &mut R,
    ) -> Result<Self, Error> {
        let mut seating = Self::without_customers(counts, levels)?;
        for dish in 1..counts.trie.nodes() {
            for _ in 0..seating.direct[dish] {
                seating.seat(dish, rng);
            }
        }
        Ok(seating)
    }

    fn without_customers(counts: &'a NGramCounts, levels: &[PitmanYor]) -> Result<Self, Error> {
        let (trie, order) = (&counts.trie, counts.order());
        check::dimension("levels", order, levels.len())?;
        for level in levels {
            check::non_negative("PitmanYor", "concentration", level.concentration())?;
        }
        let nodes = trie.nodes();
        let mut direct = counts.direct_counts(order);
        if let Some(begin) = counts.vocabulary().begin() {
            direct[1 + begin] = 0;
        }
        let (mut restaurant, mut level) = (vec![ROOT as u32; nodes], vec![0; nodes]);
        for length in 0..order {
            for context in trie.level(length) {
                level[context] = length as u8;
                restaurant[trie.children(context)].fill(context as u32);
            }
        }
        Ok(Self {
            counts,
            levels: levels.to_vec(),
            direct,
            tables: vec![Vec::new(); nodes],
            customers: vec![0; nodes],
            restaurant,
            level,
            totals: vec![(0, 0); nodes],
            uniform: 1.0 / counts.vocabulary().outcomes() as f64,
        })
    }

    /// The parameters of the contexts of 0, 1, … symbols.
    pub fn levels(&self) -> &[PitmanYor] {
        &self.levels
    }

    /// The customers of the tables at which `ngram`'s last symbol is served after the others.
    pub fn tables(&self, ngram: &[usize]) -> &[u32] {
        let dish = self.counts.trie.find(ngram).filter(|&dish| dish != ROOT);
        dish.map_or(&[], |dish| &self.tables[dish])
    }

    /// Takes every customer that is a symbol counted from its table and seats it anew: one sweep of Gibbs
    /// sampling.
    pub fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        for dish in 1..self.tables.len() {
            for _ in 0..self.direct[dish] {
                self.unseat(dish, rng);
                self.seat(dish, rng);
            }
        }
    }

    /// Draws the parameters of every level given the seating.
    ///
    /// # Errors
    /// A parameter of the prior that is not positive and finite.
    pub fn draw_parameters<R: Rng + ?Sized>(
        &mut self,
        prior: &PitmanYorPrior,
        rng: &mut R,
    ) -> Result<(), Error> {
        let trie = &self.counts.trie;
        for (length, level) in self.levels.iter_mut().enumerate() {
            let restaurants = trie.level(length).map(|restaurant| {
                let (customers, tables) = self.totals[restaurant];
                Seats { customers, tables, sizes: self.tables[trie.children(restaurant)].iter().flatten() }
            });
            *level = prior.draw(*level, restaurants, rng)?;
        }
        Ok(())
    }

    /// ln p(data and seating | parameters), the uniform distribution of the tables of single symbols
    /// included.
    pub fn ln_probability(&self) -> f64 {
        let mut sum = 0.0;
        for (restaurant, &(customers, tables)) in self.totals.iter().enumerate() {
            if customers > 0 {
                let level = self.levels[usize::from(self.level[restaurant])];
                let (discount, concentration) = (level.discount(), level.concentration());
                // (θ + d)(θ + 2d)…(θ + (t - 1) d) over (θ + 1)(θ + 2)…(θ + c - 1).
                let later = u64::from(tables - 1);
                sum += if discount > 0.0 {
                    later as f64 * discount.ln() + ln_rising_factorial(concentration / discount + 1.0, later)
                } else {
                    later as f64 * concentration.ln()
                };
                sum -= ln_rising_factorial(concentration + 1.0, u64::from(customers - 1));
            }
        }
        for dish in 1..self.tables.len() {
            let discount = self.level_of(dish).discount();
            let large = self.tables[dish].iter().filter(|&&size| size > 1);
            let ln_first = ln_gamma(1.0 - discount);
            sum += large.map(|&size| ln_gamma(f64::from(size) - discount) - ln_first).sum::<f64>();
        }
        sum + f64::from(self.totals[ROOT].1) * self.uniform.ln()
    }

    /// The probabilities of the next symbol given this seating.
    pub(crate) fn table(&self) -> Table {
        let trie = &self.counts.trie;
        let nodes = trie.nodes();
        let base = TableBase::Shorter;
        let mut table = Table { probability: vec![0.0; nodes], remainder: vec![1.0; nodes], base };
        for restaurant in 0..nodes {
            let (customers, tables) = self.totals[restaurant];
            let level = self.levels[usize::from(self.level[restaurant])];
            let total = f64::from(customers) + level.concentration();
            if customers > 0 {
                table.remainder[restaurant] = level.new_table(tables) / total;
            }
            for dish in trie.children(restaurant) {
                if self.counts.is_begin(dish) {
                    continue;
                }
                let lower =
                    if restaurant == ROOT { self.uniform } else { table.probability[trie.suffix(dish)] };
                let proportion = match customers {
                    0 => 0.0,
                    _ => self.kept(dish) / total,
                };
                table.probability[dish] = proportion + table.remainder[restaurant] * lower;
            }
        }
        table
    }

    /// c - d t of a dish.
    fn kept(&self, dish: usize) -> f64 {
        self.level_of(dish).kept(self.customers[dish], self.tables[dish].len() as u32)
    }

    fn level_of(&self, dish: usize) -> PitmanYor {
        self.levels[usize::from(self.level[self.restaurant[dish] as usize])]
    }

    /// The probability of a dish in its restaurant.
    fn probability(&self, dish: usize) -> f64 {
        let (mut dish, mut factor, mut sum) = (dish, 1.0, 0.0);
        loop {
            let restaurant = self.restaurant[dish] as usize;
            let (customers, tables) = self.totals[restaurant];
            if customers > 0 {
                let level = self.level_of(dish);
                let total = f64::from(customers) + level.concentration();
                sum += factor * self.kept(dish) / total;
                factor *= level.new_table(tables) / total;
            }
            if restaurant == ROOT {
                return sum + factor * self.uniform;
            }
            dish = self.counts.trie.suffix(dish);
        }
    }

    /// Seats a customer; a new table is a customer of the shorter context.
    fn seat<R: Rng + ?Sized>(&mut self, dish: usize, rng: &mut R) {
        let mut dish = dish;
        loop {
            let restaurant = self.restaurant[dish] as usize;
            // The first customer of a dish opens a table whatever the weights are.
            let empty = self.tables[dish].is_empty();
            let (kept, new) = if empty { (0.0, 1.0) } else { (self.kept(dish), self.new_table(dish)) };
            let opened = self.level_of(dish).seat(&mut self.tables[dish], kept, new, rng);
            self.customers[dish] += 1;
            self.totals[restaurant].0 += 1;
            self.totals[restaurant].1 += u32::from(opened);
            if !opened || restaurant == ROOT {
                return;
            }
            dish = self.counts.trie.suffix(dish);
        }
    }

    /// The weight of a new table for a dish.
    fn new_table(&self, dish: usize) -> f64 {
        let restaurant = self.restaurant[dish] as usize;
        let lower =
            if restaurant == ROOT { self.uniform } else { self.probability(self.counts.trie.suffix(dish)) };
        self.level_of(dish).new_table(self.totals[restaurant].1) * lower
    }

    /// Takes a customer from its table; an empty table leaves the shorter context.
    fn unseat<R: Rng + ?Sized>(&mut self, dish: usize, rng: &mut R) {
        let mut dish = dish;
        loop {
            let restaurant = self.restaurant[dish] as usize;
            let gone = PitmanYor::unseat(&mut self.tables[dish], self.customers[dish], rng);
            self.customers[dish] -= 1;
            self.totals[restaurant].0 -= 1;
            self.totals[restaurant].1 -= u32::from(gone);
            if !gone || restaurant == ROOT {
                return;
            }
            dish = self.counts.trie.suffix(dish);
        }
    }
}
