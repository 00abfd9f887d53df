//! Markov chains of symbols.

mod chain;
mod learning;
mod order;

/// All sequences of this length.
fn all(symbols: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        let longer = |own: &Vec<usize>| {
            let own = own.clone();
            (0..symbols).map(move |symbol| [own.clone(), vec![symbol]].concat())
        };
        shorter.iter().flat_map(longer).collect()
    })
}
