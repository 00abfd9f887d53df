//! Sequences in groups, each of which is worked on by one thread.

use std::ops::Range;

use crate::parallel::map;

/// Positions from which on a group is full.
const POSITIONS: usize = 8192;

/// Groups whose results exist at the same time.
const WAVE: usize = 32;

/// Neighbouring sequences with about as many positions; the groups depend on nothing else.
pub(super) fn groups(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let (mut all, mut start, mut end, mut positions) = (Vec::new(), 0, 0, 0);
    for length in lengths {
        positions += length;
        end += 1;
        if positions >= POSITIONS {
            all.push(start..end);
            (start, positions) = (end, 0);
        }
    }
    if start < end {
        all.push(start..end);
    }
    all
}

/// The results of `task` in the order of the groups, handed to `merge` one by one; on the threads of the pool
/// with the feature `rayon`. `room` makes what a thread works with.
pub(super) fn each<W, T: Send, E: Send>(
    groups: &[Range<usize>],
    room: impl Fn() -> W + Sync + Send,
    task: impl Fn(&mut W, Range<usize>) -> Result<T, E> + Sync + Send,
    mut merge: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    for wave in groups.chunks(WAVE) {
        for result in map(wave.to_vec(), &room, &task) {
            merge(result?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn groups_are_neighbours_and_cover_all() {
        assert!(groups(std::iter::empty()).is_empty());
        assert_eq!(groups([0, 0].into_iter()), std::iter::once(0..2).collect::<Vec<_>>());
        assert_eq!(groups([5000, 5000, 1, 9000, 3].into_iter()), [0..2, 2..4, 4..5]);
    }
}
