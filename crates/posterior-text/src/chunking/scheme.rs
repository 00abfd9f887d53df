//! Which labels can come first, after which others, and last.

use super::chunk::Place;

/// A scheme of labels: which sequences of them tell chunks without a contradiction.
///
/// [`chunks`](super::chunks) makes sense of any labels; a scheme says which ones are consistent.
///
/// ```
/// use posterior_text::chunking::ChunkScheme;
///
/// let scheme = ChunkScheme::Bio;
/// assert!(scheme.follows("B-NP", "I-NP") && !scheme.follows("B-NP", "I-VP"));
/// assert!(!scheme.starts("I-NP") && scheme.ends("B-NP"));
/// assert!(!ChunkScheme::Bioes.ends("B-NP"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChunkScheme {
    /// BIO, also called IOB2: a chunk of a type is one B and any number of I, all of its type; O is outside.
    Bio,
    /// BIOES, also called IOBES, and BILOU by other letters: a chunk is S (U, W), or B, any number of I (M),
    /// and E (L), all of its type; O is outside.
    Bioes,
}

impl ChunkScheme {
    /// Whether a label is one of the scheme: a letter, and after a hyphen its type.
    pub fn has(self, label: &str) -> bool {
        self.place(label).is_some()
    }

    /// Whether a label can be that of the first token; `false` of one that the scheme does not have.
    pub fn starts(self, label: &str) -> bool {
        self.place(label).is_some_and(|(place, _)| !continues(place))
    }

    /// Whether a label can come after another; `false` if the scheme does not have one of them.
    pub fn follows(self, before: &str, label: &str) -> bool {
        let (Some((before, of)), Some((place, kind))) = (self.place(before), self.place(label)) else {
            return false;
        };
        if continues(place) { is_open(before) && of == kind } else { !self.goes_on(before) }
    }

    /// Whether a label can be that of the last token; `false` of one that the scheme does not have.
    pub fn ends(self, label: &str) -> bool {
        self.place(label).is_some_and(|(place, _)| !self.goes_on(place))
    }

    fn place(self, label: &str) -> Option<(Place, &str)> {
        let (place, kind) = Place::of(label)?;
        let has = self == Self::Bioes || !matches!(place, Place::End | Place::Single);
        has.then_some((place, kind))
    }

    /// Whether the chunk of a token does not end with it.
    fn goes_on(self, place: Place) -> bool {
        self == Self::Bioes && is_open(place)
    }
}

/// Whether a token is of the same chunk as the one before.
const fn continues(place: Place) -> bool {
    matches!(place, Place::Inside | Place::End)
}

/// Whether the next token can be of the same chunk.
const fn is_open(place: Place) -> bool {
    matches!(place, Place::Begin | Place::Inside)
}
