//! The distribution around which the words of topics are drawn.

use rand::Rng;

use super::level::Level;
use super::options::Base;
use super::tables::Tables;

/// Uniform, or a restaurant whose customers are the tables of all topics.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BaseRestaurant {
    pub(super) base: Base,
    pub(super) level: Level,
    /// By word.
    pub(super) dishes: Vec<Tables>,
    /// Customers by word.
    pub(super) customers: Vec<u32>,
    pub(super) all_customers: u32,
    pub(super) all_tables: u32,
}

impl BaseRestaurant {
    pub(super) fn new(base: Base, level: Level, words: usize) -> Self {
        Self {
            base,
            level,
            dishes: vec![Tables::default(); words],
            customers: vec![0; words],
            all_customers: 0,
            all_tables: 0,
        }
    }

    fn uniform(&self) -> f64 {
        1.0 / self.dishes.len() as f64
    }

    /// What a new table is worth, not yet divided.
    fn new_table(&self) -> f64 {
        (self.level.strength + self.level.discount * f64::from(self.all_tables)) * self.uniform()
    }

    fn kept(&self, word: usize) -> f64 {
        f64::from(self.customers[word]) - self.level.discount * self.dishes[word].0.len() as f64
    }

    /// The probability of a word.
    pub(super) fn probability(&self, word: usize) -> f64 {
        match self.base {
            Base::Uniform => self.uniform(),
            Base::Shared => {
                (self.kept(word) + self.new_table()) / (f64::from(self.all_customers) + self.level.strength)
            }
        }
    }

    /// A topic has opened a table for a word.
    pub(super) fn add<R: Rng + ?Sized>(&mut self, word: usize, rng: &mut R) {
        if self.base == Base::Shared {
            let (kept, new) = (self.kept(word), self.new_table());
            let opened = self.dishes[word].seat(self.level.discount, kept, new, rng);
            self.customers[word] += 1;
            self.all_customers += 1;
            self.all_tables += u32::from(opened);
        } else {
            self.all_customers += 1;
        }
    }

    /// A topic has lost a table of a word.
    pub(super) fn remove<R: Rng + ?Sized>(&mut self, word: usize, rng: &mut R) {
        if self.base == Base::Shared {
            let gone = self.dishes[word].unseat(self.customers[word], rng);
            self.customers[word] -= 1;
            self.all_tables -= u32::from(gone);
        }
        self.all_customers -= 1;
    }
}
