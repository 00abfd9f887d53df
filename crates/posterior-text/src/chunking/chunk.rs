//! Chunks out of the labels of their tokens.

/// A stretch of tokens of one type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chunk {
    /// The first token, from 0.
    pub start: usize,
    /// The token after the last.
    pub end: usize,
    /// The type, such as `NP`; empty where labels name none.
    pub kind: String,
}

/// What a label says of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Outside,
    /// B: starts a chunk.
    Begin,
    /// I: continues one if it can.
    Inside,
    /// E: continues one if it can, and ends it.
    End,
    /// S: is a chunk.
    Single,
}

impl Place {
    /// `B-NP` as its place and `NP`; `None` for what is no label of chunks.
    pub(super) fn of(label: &str) -> Option<(Self, &str)> {
        let (place, kind) = label.split_once('-').unwrap_or((label, ""));
        let place = match place {
            "O" => Self::Outside,
            "B" => Self::Begin,
            "I" | "M" => Self::Inside,
            "E" | "L" => Self::End,
            "S" | "U" | "W" => Self::Single,
            _ => return None,
        };
        Some((place, kind))
    }
}

/// The chunks that the labels of a sequence tell; `None` if a label is not of the form `O`, `B-TYPE`,
/// `I-TYPE` and so on.
///
/// The rules are those of the program `conlleval` of the CoNLL tasks, which make sense of any sequence of
/// labels, consistent or not. A chunk starts with every B, and with an I or E (also M, L) after O, after the
/// end of a chunk (E, S), after another type, and at the start of the sequence. S (U, W) is a chunk of its
/// own. It ends where the next starts, at O and at the end of the sequence. So the same function reads IOB1,
/// IOB2 (BIO), IOE, IOBES and BILOU.
///
/// ```
/// use posterior_text::chunking::chunks;
///
/// let found = chunks(&["B-NP", "I-NP", "I-VP", "O", "I-NP", "B-NP"]).unwrap();
/// let spans: Vec<_> = found.iter().map(|own| (own.start, own.end, own.kind.as_str())).collect();
/// assert_eq!(spans, [(0, 2, "NP"), (2, 3, "VP"), (4, 5, "NP"), (5, 6, "NP")]);
/// assert_eq!(chunks(&["NOUN", "VERB"]), None);
/// ```
pub fn chunks<L: AsRef<str>>(labels: &[L]) -> Option<Vec<Chunk>> {
    let mut found: Vec<Chunk> = Vec::new();
    // The type of the chunk that the next token may continue.
    let mut open: Option<&str> = None;
    for (token, label) in labels.iter().enumerate() {
        let (place, kind) = Place::of(label.as_ref())?;
        match (place, found.last_mut()) {
            (Place::Outside, _) => {}
            (Place::Inside | Place::End, Some(last)) if open == Some(kind) => last.end = token + 1,
            _ => found.push(Chunk { start: token, end: token + 1, kind: kind.to_owned() }),
        }
        open = matches!(place, Place::Begin | Place::Inside).then_some(kind);
    }
    Some(found)
}
