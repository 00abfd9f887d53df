//! The distribution around which the words of topics are drawn.

use posterior_dist::PitmanYor;
use rand::Rng;

use super::options::Base;

/// Uniform, or a restaurant whose customers are the tables of all topics.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BaseRestaurant {
    pub(super) base: Base,
    pub(super) level: PitmanYor,
    /// By word.
    pub(super) dishes: Vec<Vec<u32>>,
    /// Customers by word.
    pub(super) customers: Vec<u32>,
    pub(super) all_customers: u32,
    pub(super) all_tables: u32,
}

impl BaseRestaurant {
    pub(super) fn new(base: Base, level: PitmanYor, words: usize) -> Self {
        Self {
            base,
            level,
            dishes: vec![Vec::new(); words],
            customers: vec![0; words],
            all_customers: 0,
            all_tables: 0,
        }
    }

    fn uniform(&self) -> f64 {
        1.0 / self.dishes.len() as f64
    }

    /// The weights of the tables of a word, and of a new one.
    fn weights(&self, word: usize) -> (f64, f64) {
        let kept = self.level.kept(self.customers[word], self.dishes[word].len() as u32);
        (kept, self.level.new_table(self.all_tables) * self.uniform())
    }

    /// The probability of a word.
    pub(super) fn probability(&self, word: usize) -> f64 {
        match self.base {
            Base::Uniform => self.uniform(),
            Base::Shared => {
                let (kept, new) = self.weights(word);
                (kept + new) / (f64::from(self.all_customers) + self.level.concentration())
            }
        }
    }

    /// A topic has opened a table for a word.
    pub(super) fn add<R: Rng + ?Sized>(&mut self, word: usize, rng: &mut R) {
        if self.base == Base::Shared {
            let (kept, new) = self.weights(word);
            let opened = self.level.seat(&mut self.dishes[word], kept, new, rng);
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
            let gone = PitmanYor::unseat(&mut self.dishes[word], self.customers[word], rng);
            self.customers[word] -= 1;
            self.all_tables -= u32::from(gone);
        }
        self.all_customers -= 1;
    }
}
