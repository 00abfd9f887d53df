//! The topics of all tokens of a document, or of a word, side by side: a random one of them is a draw by the
//! counts.

/// The topics of the tokens of each document of a group, or of each word, in the order in which a sweep comes
/// by.
#[derive(Debug, Clone, Default)]
pub(super) struct TokenTopics {
    /// The first token of each row, and the end of the last.
    first: Vec<u32>,
    /// The token of each row that the sweep comes to next.
    next: Vec<u32>,
    topics: Vec<u16>,
}

impl TokenTopics {
    /// Room for rows with these counts.
    pub(super) fn with_counts(counts: &[u32], stride: usize) -> Self {
        let mut first = vec![0];
        let mut end = 0;
        for row in counts.chunks_exact(stride) {
            end += row.iter().sum::<u32>();
            first.push(end);
        }
        Self { next: first.clone(), first, topics: vec![0; end as usize] }
    }

    /// Whether there is no room yet.
    pub(super) fn is_new(&self) -> bool {
        self.first.is_empty()
    }

    /// Sets the topic of the next token of a row, and goes on.
    pub(super) fn push(&mut self, row: usize, topic: u16) {
        self.topics[self.next[row] as usize] = topic;
        self.next[row] += 1;
    }

    /// Goes back to the first tokens.
    pub(super) fn restart(&mut self) {
        self.next.copy_from_slice(&self.first);
    }

    /// The topics of a row, and which of them are the next `tokens` to be visited, which counts as a visit.
    #[inline]
    pub(super) fn visit(&mut self, row: usize, tokens: u32) -> (&mut [u16], usize) {
        let (first, end) = (self.first[row], self.first[row + 1]);
        let next = self.next[row];
        self.next[row] = next + tokens;
        (&mut self.topics[first as usize..end as usize], (next - first) as usize)
    }
}
