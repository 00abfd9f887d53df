//! The customers of one dish, at tables.

use rand::{Rng, RngExt};

/// How many customers sit at each table that serves a dish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tables(pub(super) Vec<u32>);

impl Tables {
    /// Seats a customer at a table with weight size less discount, where `kept` is the sum of these, or at a
    /// new one with weight `new`; whether it is a new one.
    pub(super) fn seat<R: Rng + ?Sized>(&mut self, discount: f64, kept: f64, new: f64, rng: &mut R) -> bool {
        if self.0.is_empty() {
            self.0.push(1);
            return true;
        }
        let mut target = rng.random::<f64>() * (kept + new);
        if target >= kept {
            self.0.push(1);
            return true;
        }
        // Rounding may leave a little more than the last table's weight.
        let last = self.0.len() - 1;
        for size in &mut self.0[..last] {
            let weight = f64::from(*size) - discount;
            if target < weight {
                *size += 1;
                return false;
            }
            target -= weight;
        }
        self.0[last] += 1;
        false
    }

    /// Takes one of `customers` from its table, each as likely as any other; whether the table is gone.
    pub(super) fn unseat<R: Rng + ?Sized>(&mut self, customers: u32, rng: &mut R) -> bool {
        let mut left = rng.random_range(0..customers);
        let mut table = 0;
        while left >= self.0[table] {
            left -= self.0[table];
            table += 1;
        }
        self.0[table] -= 1;
        let gone = self.0[table] == 0;
        if gone {
            self.0.swap_remove(table);
        }
        gone
    }
}
