//! A square block on the diagonal of a larger matrix, to be written by one part of a process.

/// A square block on the diagonal of a matrix whose entries stand column by column.
#[derive(Debug)]
pub(crate) struct Block<'a, R> {
    entries: &'a mut [R],
    stride: usize,
    first: usize,
}

impl<'a, R: Copy> Block<'a, R> {
    /// The whole of an n x n matrix.
    pub(crate) const fn whole(entries: &'a mut [R], n: usize) -> Self {
        Self { entries, stride: n, first: 0 }
    }

    /// The block that starts `offset` rows and columns from the first of an n x n matrix.
    pub(crate) const fn at(entries: &'a mut [R], n: usize, offset: usize) -> Self {
        Self { entries, stride: n, first: offset * (n + 1) }
    }

    /// The block that starts `offset` rows and columns further.
    pub(crate) const fn from(&mut self, offset: usize) -> Block<'_, R> {
        Block { first: self.first + offset * (self.stride + 1), stride: self.stride, entries: self.entries }
    }

    /// Writes an entry.
    pub(crate) const fn set(&mut self, i: usize, j: usize, value: R) {
        self.entries[self.first + j * self.stride + i] = value;
    }

    /// Writes an entry and its mirror image.
    pub(crate) const fn set_both(&mut self, i: usize, j: usize, value: R) {
        self.set(i, j, value);
        self.set(j, i, value);
    }

    /// Changes each of the first n x n entries.
    pub(crate) fn map(&mut self, n: usize, change: impl Fn(R) -> R) {
        for j in 0..n {
            let start = self.first + j * self.stride;
            for entry in &mut self.entries[start..start + n] {
                *entry = change(*entry);
            }
        }
    }
}
