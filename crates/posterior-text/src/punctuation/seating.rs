//! The hierarchical Pitman-Yor process over contexts, by Gibbs sampling.

use posterior_dist::PitmanYor;
use posterior_dist::stream::stream;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::CLASSES;
use super::context_tree::{ClassProbabilities, ContextTree, Level, UNIFORM, continuations, discount};

/// Options of the sampler of the process: with a restaurant for each context, a Chinese restaurant franchise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FranchiseOptions {
    /// θ, the concentration of each restaurant.
    pub concentration: f64,
    /// d of each length of context: the same for all, or none for n₁ / (n₁ + 2 n₂) of the length as in
    /// Kneser-Ney.
    pub discount: Option<f64>,
    /// Sweeps over all customers before distributions are averaged.
    pub warm_up: usize,
    /// Sweeps of which distributions are averaged, at least 1.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for FranchiseOptions {
    /// Concentration 1, discounts from counts, 5 sweeps and then 10.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl FranchiseOptions {
    /// The default as a constant.
    pub const DEFAULT: Self = Self { concentration: 1.0, discount: None, warm_up: 5, draws: 10, seed: 0 };

    /// The same with this concentration and discount.
    #[must_use]
    pub const fn with_process(self, concentration: f64, discount: Option<f64>) -> Self {
        Self { concentration, discount, ..self }
    }

    /// The same with this many sweeps.
    #[must_use]
    pub const fn with_sweeps(self, warm_up: usize, draws: usize) -> Self {
        Self { warm_up, draws, ..self }
    }
}

/// Averages of the predictive distributions over draws.
pub(super) fn pitman_yor(
    tree: &ContextTree,
    options: &FranchiseOptions,
) -> Result<Vec<Vec<ClassProbabilities>>, ParamError> {
    let concentration = check::positive("FranchiseOptions", "concentration", options.concentration)?;
    check::at_least_one("FranchiseOptions", "draws", options.draws)?;
    let discounts = match options.discount {
        Some(discount) => vec![discount; tree.levels().len()],
        None => continuations(tree).iter().map(|counts| discount(counts)).collect(),
    };
    let processes = discounts.into_iter().map(|discount| PitmanYor::new(discount, concentration));
    let processes = processes.collect::<Result<_, _>>()?;
    let mut rng = stream(options.seed, &[0]);
    let mut franchise = Franchise::open(tree, processes, &mut rng);
    let mut sums: Vec<Vec<ClassProbabilities>> =
        tree.levels().iter().map(|level| vec![[0.0; CLASSES]; level.counts.len()]).collect();
    for sweep in 0..options.warm_up.saturating_add(options.draws) {
        franchise.sweep(&mut rng);
        if sweep >= options.warm_up {
            let distributions = tree.distributions(|length, node, below| {
                std::array::from_fn(|class| franchise.around(length, node, class, below[class]))
            });
            for (sums, distributions) in sums.iter_mut().flatten().zip(distributions.iter().flatten()) {
                sums.iter_mut().zip(distributions).for_each(|(sum, p)| *sum += p / options.draws as f64);
            }
        }
    }
    Ok(sums)
}

/// The tables of one dish in one restaurant: pairs of a size and how many tables have it.
#[derive(Debug, Clone, Default)]
struct Dish {
    customers: u32,
    tables: u32,
    sizes: Vec<(u32, u32)>,
}

impl Dish {
    fn change(&mut self, from: u32, to: u32) {
        if from > 0 {
            let place = self.sizes.iter().position(|&(size, _)| size == from);
            let place = place.expect("invariant: a table of this size was chosen");
            self.sizes[place].1 -= 1;
            if self.sizes[place].1 == 0 {
                self.sizes.swap_remove(place);
            }
        }
        if to > 0 {
            match self.sizes.iter_mut().find(|(size, _)| *size == to) {
                Some((_, number)) => *number += 1,
                None => self.sizes.push((to, 1)),
            }
        }
        self.customers = self.customers + to - from;
        self.tables = self.tables + u32::from(from == 0) - u32::from(to == 0);
    }

    /// The size of a table, drawn in proportion to `weight` of its size.
    fn draw(&self, total: f64, weight: impl Fn(f64) -> f64, rng: &mut (impl Rng + ?Sized)) -> u32 {
        let mut left = rng.random::<f64>() * total;
        let mut chosen = 0;
        for &(size, number) in &self.sizes {
            chosen = size;
            left -= f64::from(number) * weight(f64::from(size));
            if left < 0.0 {
                break;
            }
        }
        chosen
    }
}

/// A restaurant for each context; each table of one is a customer of the restaurant of the shorter context.
struct Franchise<'a> {
    levels: &'a [Level],
    restaurants: Vec<Vec<[Dish; CLASSES]>>,
    /// By length of context.
    processes: Vec<PitmanYor>,
}

impl<'a> Franchise<'a> {
    /// Seats all observations, one after the other.
    fn open(tree: &'a ContextTree, processes: Vec<PitmanYor>, rng: &mut impl Rng) -> Self {
        let levels = tree.levels();
        let restaurants =
            levels.iter().map(|level| vec![std::array::from_fn(|_| Dish::default()); level.counts.len()]);
        let mut franchise = Self { levels, restaurants: restaurants.collect(), processes };
        let longest = levels.len() - 1;
        for (node, counts) in levels[longest].counts.iter().enumerate() {
            for (class, &count) in counts.iter().enumerate() {
                for _ in 0..count {
                    franchise.seat(longest, node, class, rng);
                }
            }
        }
        franchise
    }

    /// Takes each observation out and seats it again.
    fn sweep(&mut self, rng: &mut impl Rng) {
        let longest = self.levels.len() - 1;
        for (node, counts) in self.levels[longest].counts.iter().enumerate() {
            for (class, &count) in counts.iter().enumerate() {
                for _ in 0..count {
                    self.unseat(longest, node, class, rng);
                    self.seat(longest, node, class, rng);
                }
            }
        }
    }

    /// p(class) after a context of this length.
    fn probability(&self, length: usize, node: usize, class: usize) -> f64 {
        self.around(length, node, class, self.below(length, node, class))
    }

    /// p(class) after the context without its oldest character.
    fn below(&self, length: usize, node: usize, class: usize) -> f64 {
        match length.checked_sub(1) {
            Some(shorter) => self.probability(shorter, self.levels[length].parents[node], class),
            None => UNIFORM[class],
        }
    }

    /// p(class) after a context of this length, given that after the shorter one.
    fn around(&self, length: usize, node: usize, class: usize, below: f64) -> f64 {
        let (process, restaurant) = (self.processes[length], &self.restaurants[length][node]);
        let (mut customers, mut tables) = (0, 0);
        for dish in restaurant {
            customers += dish.customers;
            tables += dish.tables;
        }
        if customers == 0 {
            return below;
        }
        let dish = &restaurant[class];
        let kept = process.kept(dish.customers, dish.tables);
        (kept + process.new_table(tables) * below) / (process.concentration() + f64::from(customers))
    }

    fn seat(&mut self, mut length: usize, mut node: usize, class: usize, rng: &mut impl Rng) {
        loop {
            let (below, process) = (self.below(length, node, class), self.processes[length]);
            let tables: u32 = self.restaurants[length][node].iter().map(|dish| dish.tables).sum();
            let dish = &mut self.restaurants[length][node][class];
            let at_old = process.kept(dish.customers, dish.tables);
            let at_new = process.new_table(tables) * below;
            if dish.tables > 0 && rng.random::<f64>() * (at_old + at_new) < at_old {
                let size = dish.draw(at_old, |size| size - process.discount(), rng);
                dish.change(size, size + 1);
                return;
            }
            dish.change(0, 1);
            let Some(shorter) = length.checked_sub(1) else { return };
            (length, node) = (shorter, self.levels[length].parents[node]);
        }
    }

    fn unseat(&mut self, mut length: usize, mut node: usize, class: usize, rng: &mut impl Rng) {
        loop {
            let dish = &mut self.restaurants[length][node][class];
            let size = dish.draw(f64::from(dish.customers), |size| size, rng);
            dish.change(size, size - 1);
            if size > 1 {
                return;
            }
            let Some(shorter) = length.checked_sub(1) else { return };
            (length, node) = (shorter, self.levels[length].parents[node]);
        }
    }
}
