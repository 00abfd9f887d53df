//! Which variables a Gibbs chain moves together, and whether its moves reach every possible joint state.

use posterior_inference::Error;
use posterior_pgm::{GraphicalModel, MarkovRandomField, Table, VarId};

use super::support::{Domains, Support, advance, count};

/// Joint states up to which connectedness is decided by going through all of them.
const EXACT: usize = 1 << 18;

/// The logarithm of an odds ratio above which a chain would be slow to move two variables one after another.
const STRONG: f64 = 4.605_170_185_988_091;

/// A block of more joint states than this is refused.
const LARGEST: usize = 1 << 22;

/// Which variables a chain draws together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocking {
    /// The variables that zeros or strong couplings tie together, the strongest first, are joined to blocks
    /// of up to so many joint states: two variables are strongly coupled if a factor gives them an odds ratio
    /// above 100. All others by themselves.
    Auto {
        /// The most joint states of a block.
        states: usize,
    },
    /// Every variable by itself.
    Single,
    /// These blocks, which share no variable; all others by themselves.
    These(Vec<Vec<VarId>>),
}

impl Default for Blocking {
    /// Blocks of up to 256 joint states where zeros or strong couplings ask for them.
    fn default() -> Self {
        Self::Auto { states: 256 }
    }
}

/// Whether the moves of a chain join all possible joint states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    /// They do: proven.
    All,
    /// They don't: the possible states of these variables fall into so many classes that no move joins.
    Classes { variables: Vec<usize>, classes: usize },
    /// The states of these variables are too many to tell.
    Unknown { variables: Vec<usize> },
}

/// A partition of the variables 0..n into blocks, each sorted, in the order of their least variables.
pub(super) type Blocks = Vec<Vec<usize>>;

/// The blocks of a chain, and for each group of variables that zeros tie together whether every state is
/// reached.
pub(super) fn blocks(
    support: &Support<'_>,
    field: &MarkovRandomField,
    choice: &BlocksWanted,
) -> (Blocks, Vec<Reach>) {
    let cards = field.variables().cards();
    let partition = match choice {
        BlocksWanted::Single => (0..cards.len()).map(|v| vec![v]).collect(),
        BlocksWanted::Partition(partition) => partition.clone(),
        BlocksWanted::Auto { states } => join(field, *states),
    };
    let reach = reach(support, cards, &partition);
    (partition, reach)
}

/// A choice of blocks in the ids of the part of the model that is sampled.
#[derive(Debug)]
pub(super) enum BlocksWanted {
    Auto { states: usize },
    Single,
    Partition(Blocks),
}

impl BlocksWanted {
    /// The choice for the part of the model whose variables have these places; observed and unneeded
    /// variables leave their blocks.
    ///
    /// # Errors
    /// A variable that does not exist, or is in two blocks.
    pub(super) fn new(
        choice: &Blocking,
        variables: &posterior_pgm::Variables,
        len: usize,
        place: impl Fn(VarId) -> Option<VarId>,
    ) -> Result<Self, Error> {
        let given = match choice {
            Blocking::Auto { states } => return Ok(Self::Auto { states: *states }),
            Blocking::Single => return Ok(Self::Single),
            Blocking::These(given) => given,
        };
        variables.check_distinct(&given.concat(), "the blocks of a chain")?;
        let mut free = vec![true; len];
        let mut partition: Blocks = Vec::new();
        for block in given {
            let mut own = Vec::new();
            for &v in block {
                if let Some(place) = place(v) {
                    free[place.index()] = false;
                    own.push(place.index());
                }
            }
            own.sort_unstable();
            let size = block.iter().try_fold(1_usize, |size, &v| size.checked_mul(variables.card(v)));
            if size.is_none_or(|size| size > LARGEST) {
                return Err(posterior_pgm::Error::TooLarge { variables: block.len() }.into());
            }
            partition.extend((!own.is_empty()).then_some(own));
        }
        partition.extend((0..len).filter(|&v| free[v]).map(|v| vec![v]));
        partition.sort_unstable();
        Ok(Self::Partition(partition))
    }
}

/// Joins strongly coupled pairs, the strongest first, while blocks stay small.
fn join(field: &MarkovRandomField, most: usize) -> Blocks {
    let cards = field.variables().cards();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for table in field.factors() {
        for (i, j) in (0..table.scope().len()).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let strength = ln_odds_ratio(table, i, j);
            if strength > STRONG {
                pairs.push((strength, table.scope()[i].index(), table.scope()[j].index()));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut blocks = Groups::new(cards.len());
    let mut sizes = cards.to_vec();
    for (_, v, w) in pairs {
        let (a, b) = (blocks.root(v), blocks.root(w));
        let size = sizes[a].saturating_mul(sizes[b]);
        if a != b && size <= most {
            blocks.join(a, b);
            sizes[a.min(b)] = size;
        }
    }
    blocks.all()
}

/// The largest ln odds ratio of the variables on two axes, whatever the states of the others; infinite where
/// a zero is against a positive number.
fn ln_odds_ratio(table: &Table, i: usize, j: usize) -> f64 {
    let stride = |axis: usize| table.cards()[axis + 1..].iter().product::<usize>();
    let (cards, strides) = ([table.cards()[i], table.cards()[j]], [stride(i), stride(j)]);
    let mut states = vec![0; table.cards().len()];
    let mut largest = 0.0_f64;
    for base in 0..table.values().len() {
        if states[i] == 0 && states[j] == 0 {
            let ln = |a: usize, b: usize| table.values()[base + a * strides[0] + b * strides[1]].ln();
            for (b, c) in (0..cards[1]).flat_map(|c| (0..c).map(move |b| (b, c))) {
                // Two zeros say nothing of b against c.
                let odds = (0..cards[0]).map(|a| ln(a, b) - ln(a, c)).filter(|odds| !odds.is_nan());
                let (low, high) =
                    odds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                largest = largest.max(if low == high { 0.0 } else { high - low });
            }
        }
        advance(&mut states, table.cards());
    }
    largest
}

/// For each group of variables that zeros or blocks tie together, whether moves of blocks reach all its
/// possible joint states.
fn reach(support: &Support<'_>, cards: &[usize], blocks: &Blocks) -> Vec<Reach> {
    let mut groups = Groups::new(cards.len());
    let open = |v: usize| count(&support.domains[v]) > 1;
    let scopes = support.factors.iter().map(|factor| factor.scope().iter().map(|v| v.index()).collect());
    for scope in scopes.chain(blocks.iter().cloned()) {
        let scope: Vec<usize> = scope.into_iter().filter(|&v| open(v)).collect();
        scope.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
    }
    groups
        .all()
        .iter()
        .filter(|group| group.len() > 1)
        .map(|group| of_group(support, group, blocks))
        .collect()
}

fn of_group(support: &Support<'_>, group: &[usize], blocks: &Blocks) -> Reach {
    if blocks.iter().any(|block| group.iter().all(|v| block.contains(v))) || has_refuge(support, group) {
        return Reach::All;
    }
    let sizes: Vec<usize> = group.iter().map(|&v| count(&support.domains[v])).collect();
    let size = sizes.iter().try_fold(1_usize, |size, &own| size.checked_mul(own));
    match size.filter(|&size| size <= EXACT) {
        None => Reach::Unknown { variables: group.to_vec() },
        Some(size) => match classes(support, group, blocks, &sizes, size) {
            0 | 1 => Reach::All,
            classes => Reach::Classes { variables: group.to_vec(), classes },
        },
    }
}

/// Whether there is a joint state to which every possible state can be led, one variable after another: a
/// variable that can always be put in the same state is put there, which may make others free to move, until
/// all are. Enough, not needed.
fn has_refuge(support: &Support<'_>, group: &[usize]) -> bool {
    let mut domains = support.domains.clone();
    let mut left: Vec<usize> = group.to_vec();
    loop {
        let found = left.iter().enumerate().find_map(|(i, &v)| {
            (0..domains[v].len())
                .find(|&s| domains[v][s] && is_safe(support, &domains, v, s))
                .map(|s| (i, v, s))
        });
        let Some((i, v, state)) = found else { return left.is_empty() };
        domains[v].iter_mut().enumerate().for_each(|(s, own)| *own = s == state);
        left.swap_remove(i);
    }
}

/// Whether v can be put in this state wherever its neighbours are: no positive cell of states that are left
/// becomes zero.
fn is_safe(support: &Support<'_>, domains: &Domains, v: usize, state: usize) -> bool {
    support.factors.iter().filter(|factor| factor.scope().iter().any(|own| own.index() == v)).all(|factor| {
        let mut states = vec![0; factor.cards().len()];
        let axis = factor.axis(VarId::new(v)).unwrap_or(0);
        let stride: usize = factor.cards()[axis + 1..].iter().product();
        factor.values().iter().enumerate().all(|(cell, &value)| {
            let moved = cell + stride * state - stride * states[axis];
            let possible =
                value > 0.0 && factor.scope().iter().zip(&states).all(|(w, &s)| domains[w.index()][s]);
            advance(&mut states, factor.cards());
            !possible || factor.values()[moved] > 0.0
        })
    })
}

/// Into how many classes the possible joint states of a group fall, that no move of a block joins.
fn classes(support: &Support<'_>, group: &[usize], blocks: &Blocks, sizes: &[usize], size: usize) -> usize {
    let left: Vec<Vec<usize>> = group
        .iter()
        .map(|&v| (0..support.domains[v].len()).filter(|&s| support.domains[v][s]).collect())
        .collect();
    let strides: Vec<usize> = (0..group.len()).map(|i| sizes[i + 1..].iter().product()).collect();
    let possible = possible(support, group, &left, sizes, size);
    let mut joined = Groups::new(size);
    for block in blocks {
        let own: Vec<usize> = (0..group.len()).filter(|&i| block.contains(&group[i])).collect();
        if own.is_empty() {
            continue;
        }
        // The first possible state of each line: of all states that differ in the block alone.
        let mut first = vec![usize::MAX; size];
        for state in (0..size).filter(|&state| possible[state]) {
            let here: usize = own.iter().map(|&i| state / strides[i] % sizes[i] * strides[i]).sum();
            let line = &mut first[state - here];
            if *line == usize::MAX { *line = state } else { joined.join(*line, state) }
        }
    }
    (0..size).filter(|&state| possible[state] && joined.root(state) == state).count()
}

/// Which joint states of a group have positive probability.
fn possible(
    support: &Support<'_>,
    group: &[usize],
    left: &[Vec<usize>],
    sizes: &[usize],
    size: usize,
) -> Vec<bool> {
    let mut possible = vec![true; size];
    for factor in &support.factors {
        // The place of each variable of the factor in the group; those outside have one state left.
        let places: Vec<Option<usize>> =
            factor.scope().iter().map(|v| group.iter().position(|&own| own == v.index())).collect();
        if places.iter().all(Option::is_none) {
            continue;
        }
        let fixed: Vec<usize> = factor
            .scope()
            .iter()
            .map(|v| support.domains[v.index()].iter().position(|&own| own).unwrap_or(0))
            .collect();
        let mut states = vec![0; group.len()];
        for own in &mut possible {
            let state = |i: usize| places[i].map_or(fixed[i], |place| left[place][states[place]]);
            let cell = (0..fixed.len()).fold(0, |cell, i| cell * factor.cards()[i] + state(i));
            *own = *own && factor.values()[cell] > 0.0;
            advance(&mut states, sizes);
        }
    }
    possible
}

/// A partition that grows coarser; the root of a set is its least element.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(len: usize) -> Self {
        Self { parents: (0..len).collect() }
    }

    fn root(&mut self, mut x: usize) -> usize {
        while self.parents[x] != x {
            self.parents[x] = self.parents[self.parents[x]];
            x = self.parents[x];
        }
        x
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// The sets, each sorted, in the order of their least elements.
    fn all(mut self) -> Vec<Vec<usize>> {
        let mut sets = vec![Vec::new(); self.parents.len()];
        for x in 0..self.parents.len() {
            let root = self.root(x);
            sets[root].push(x);
        }
        sets.retain(|set| !set.is_empty());
        sets
    }
}
