//! Restaurants of Pitman-Yor processes that sampling seats anew: dishes at tables, and the parameters given
//! the seating.

use posterior_math::check::{self, ParamError};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::PitmanYor;
use crate::continuous::{Beta, Gamma};

/// Discounts are kept this far from 0 and 1, where rounding would make them that.
const SMALLEST: f64 = 1e-12;

/// The range in which concentrations are kept: sums and reciprocals stay far from the ends of f64.
const CONCENTRATIONS: (f64, f64) = (1e-30, 1e30);

impl PitmanYor {
    /// c - d t: the weight of all tables of a dish, of so many customers at so many tables.
    #[inline]
    pub fn kept(&self, customers: u32, tables: u32) -> f64 {
        f64::from(customers) - self.discount * f64::from(tables)
    }

    /// θ + d t: the weight of a new table beside so many of the restaurant.
    #[inline]
    pub fn new_table(&self, tables: u32) -> f64 {
        self.concentration + self.discount * f64::from(tables)
    }

    /// Seats a customer of a dish and returns whether that opens a table.
    ///
    /// `tables` are the customers of each table of the dish. One of them is taken with weight size less
    /// discount, all together with weight `kept`; a new one with weight `new`. The first customer of a dish
    /// opens a table without a draw, whatever the weights. O(tables).
    pub fn seat<R: Rng + ?Sized>(&self, tables: &mut Vec<u32>, kept: f64, new: f64, rng: &mut R) -> bool {
        let mut target = if tables.is_empty() { f64::INFINITY } else { rng.random::<f64>() * (kept + new) };
        if target >= kept {
            tables.push(1);
            return true;
        }
        // Rounding may leave a little more than the last table's weight.
        let last = tables.len() - 1;
        let mut place = 0;
        while place < last && target >= f64::from(tables[place]) - self.discount {
            target -= f64::from(tables[place]) - self.discount;
            place += 1;
        }
        tables[place] += 1;
        false
    }

    /// Takes one of the `customers` of a dish from its table, each as likely as any other, and returns
    /// whether that leaves the table empty, so that it is gone. O(tables).
    ///
    /// # Panics
    /// When there are fewer customers at the tables, or none.
    #[track_caller]
    pub fn unseat<R: Rng + ?Sized>(tables: &mut Vec<u32>, customers: u32, rng: &mut R) -> bool {
        let mut left = rng.random_range(0..customers);
        let mut place = 0;
        while left >= tables[place] {
            left -= tables[place];
            place += 1;
        }
        tables[place] -= 1;
        let gone = tables[place] == 0;
        if gone {
            tables.swap_remove(place);
        }
        gone
    }
}

/// The seating of one restaurant.
#[derive(Debug, Clone)]
pub struct Seats<I> {
    /// All customers.
    pub customers: u32,
    /// All tables.
    pub tables: u32,
    /// The customers of each table.
    pub sizes: I,
}

/// The prior of the parameters of a process: d ~ Beta(a, b), θ ~ Gamma(shape, rate).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PitmanYorPrior {
    /// a and b of the discount's beta distribution.
    pub discount: [f64; 2],
    /// Shape and rate of the concentration's gamma distribution.
    pub concentration: [f64; 2],
}

impl PitmanYorPrior {
    /// Checks that all four parameters are positive.
    ///
    /// # Errors
    /// Names the first that is not positive and finite.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, pair) in [("discount", self.discount), ("concentration", self.concentration)] {
            for (place, value) in pair.into_iter().enumerate() {
                check::positive("PitmanYorPrior", name, value).map_err(|error| error.at(place))?;
            }
        }
        Ok(())
    }

    /// Draws the parameters that some restaurants share, given where they were and the seatings.
    ///
    /// The factors (θ + i d) of new tables are split into θ or i d, those of old tables, j - d, into j - 1 or
    /// 1 - d, and 1/(θ + 1)…(θ + c - 1) is a beta integral: given the choices d has a beta distribution and θ
    /// a gamma distribution (Teh 2006, appendix C). O(customers). θ must not be negative; it is kept within
    /// 1e-30 and 1e30, and d 1e-12 away from 0 and 1.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn draw<'a, I: Iterator<Item = &'a u32>, R: Rng + ?Sized>(
        &self,
        process: PitmanYor,
        restaurants: impl Iterator<Item = Seats<I>>,
        rng: &mut R,
    ) -> Result<PitmanYor, ParamError> {
        self.check()?;
        let PitmanYor { discount, concentration } = process;
        let ([mut a, mut b], [mut shape, mut rate]) = (self.discount, self.concentration);
        for restaurant in restaurants {
            if restaurant.customers >= 2 {
                let others = f64::from(restaurant.customers - 1);
                rate -= Beta::new(concentration + 1.0, others)?.sample_ln(rng).0;
            }
            for i in 1..restaurant.tables {
                let splits = rng.random::<f64>() * process.new_table(i) < concentration;
                if splits { shape += 1.0 } else { a += 1.0 }
            }
            for &size in restaurant.sizes {
                for j in (1..size).map(f64::from) {
                    if rng.random::<f64>() * (j - discount) >= j - 1.0 {
                        b += 1.0;
                    }
                }
            }
        }
        let (least, most) = CONCENTRATIONS;
        let concentration = Gamma::shape_rate(shape, rate)?.sample_ln(rng).exp().clamp(least, most);
        let discount = Beta::new(a, b)?.sample(rng).clamp(SMALLEST, 1.0 - SMALLEST);
        Ok(PitmanYor { discount, concentration })
    }
}
