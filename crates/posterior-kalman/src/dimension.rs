//! Sizes that the compiler knows, so that loops over small matrices have no loop left.

/// A number of rows or columns.
pub(crate) trait Dimension: Copy {
    /// The number.
    fn get(self) -> usize;
}

/// A size known to the compiler.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed<const N: usize>;

/// Any other size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dynamic(pub(crate) usize);

impl<const N: usize> Dimension for Fixed<N> {
    fn get(self) -> usize {
        N
    }
}

impl Dimension for Dynamic {
    fn get(self) -> usize {
        self.0
    }
}

/// Work that is compiled for each pair of sizes.
pub(crate) trait SizedWork {
    /// What it gives.
    type Output;

    /// Does it for `n` states and `m` observed components.
    fn run<N: Dimension, M: Dimension>(self, n: N, m: M) -> Self::Output;
}

/// Does the work with the sizes that the compiler knows, if these are among them.
pub(crate) fn with_sizes<W: SizedWork>(n: usize, m: usize, work: W) -> W::Output {
    match (n, m) {
        (1, 1) => work.run(Fixed::<1>, Fixed::<1>),
        (2, 1) => work.run(Fixed::<2>, Fixed::<1>),
        (3, 1) => work.run(Fixed::<3>, Fixed::<1>),
        (4, 1) => work.run(Fixed::<4>, Fixed::<1>),
        (1, 2) => work.run(Fixed::<1>, Fixed::<2>),
        (2, 2) => work.run(Fixed::<2>, Fixed::<2>),
        (3, 2) => work.run(Fixed::<3>, Fixed::<2>),
        (4, 2) => work.run(Fixed::<4>, Fixed::<2>),
        (1, 3) => work.run(Fixed::<1>, Fixed::<3>),
        (2, 3) => work.run(Fixed::<2>, Fixed::<3>),
        (3, 3) => work.run(Fixed::<3>, Fixed::<3>),
        (4, 3) => work.run(Fixed::<4>, Fixed::<3>),
        (_, 1) => work.run(Dynamic(n), Fixed::<1>),
        _ => work.run(Dynamic(n), Dynamic(m)),
    }
}
