//! The cells of a column, in little more memory than their text has bytes; and the lines of rows.

/// Cells of one column: the length of each as a character, then its text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    text: String,
}

/// The largest length that one character says: longer texts have several, which add up. The next code points
/// are no characters.
const MOST: usize = 0xd7ff;

impl Cells {
    pub(crate) fn push(&mut self, cell: &str) {
        let mut rest = cell.len();
        while rest >= MOST {
            self.text.push(char::from_u32(MOST as u32).unwrap_or_default());
            rest -= MOST;
        }
        self.text.push(char::from_u32(rest as u32).unwrap_or_default());
        self.text.push_str(cell);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut length = 0;
            loop {
                let mut characters = rest.chars();
                let more = characters.next().map_or(0, |own| own as usize);
                rest = characters.as_str();
                length += more;
                if more < MOST {
                    break;
                }
            }
            let (cell, after) = rest.split_at(length);
            rest = after;
            Some(cell)
        })
    }

    /// The memory that it holds, in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.capacity()
    }

    /// Gives back what no cell came for.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
    }
}

/// The line of each row in its file.
#[derive(Debug, Clone, Default)]
pub struct LineNumbers {
    /// Rows whose line is not the one after that of the row before, with their lines.
    breaks: Vec<(usize, u64)>,
    rows: usize,
}

impl LineNumbers {
    pub(crate) fn push(&mut self, line: u64) {
        if self.rows == 0 || self.of(self.rows) != line {
            self.breaks.push((self.rows, line));
        }
        self.rows += 1;
    }

    /// The line of a row, the first row being 0.
    pub fn of(&self, row: usize) -> u64 {
        let at = self.breaks.partition_point(|&(first, _)| first <= row);
        let (first, line) = at.checked_sub(1).map_or((0, 2), |at| self.breaks[at]);
        line + (row - first) as u64
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.breaks.capacity() * size_of::<(usize, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_whatever_their_length() {
        let all: Vec<String> = [0, 1, 127, 128, 300, MOST - 1, MOST, MOST + 1, 2 * MOST, 200_000, 3]
            .into_iter()
            .map(|length| "ä".repeat(length / 2) + &"x".repeat(length % 2))
            .collect();
        let mut cells = Cells::default();
        for cell in &all {
            cells.push(cell);
        }
        assert!(cells.iter().eq(all.iter().map(String::as_str)));
        assert_eq!(Cells::default().iter().count(), 0);
    }

    #[test]
    fn lines_come_back_with_gaps_and_without() {
        let all = [2, 3, 4, 9, 10, 30, 31, 40];
        let mut lines = LineNumbers::default();
        for line in all {
            lines.push(line);
        }
        assert!((0..all.len()).all(|row| lines.of(row) == all[row]), "{lines:?}");
        assert_eq!((lines.rows(), lines.breaks.len()), (8, 4));
    }
}
