//! The elements of the format: which may stand in which.

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Bif,
    Network,
    Variable,
    Definition,
    Name,
    Outcome,
    For,
    Given,
    Table,
    Property,
}

impl Element {
    const ALL: [(&'static str, Self); 10] = [
        ("BIF", Self::Bif),
        ("NETWORK", Self::Network),
        ("VARIABLE", Self::Variable),
        ("DEFINITION", Self::Definition),
        ("NAME", Self::Name),
        ("OUTCOME", Self::Outcome),
        ("FOR", Self::For),
        ("GIVEN", Self::Given),
        ("TABLE", Self::Table),
        ("PROPERTY", Self::Property),
    ];

    /// The element with this tag.
    pub(super) fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(tag)).map(|(_, element)| element)
    }

    pub(super) fn tag(self) -> &'static str {
        Self::ALL.into_iter().find(|&(_, element)| element == self).map_or("", |(name, _)| name)
    }

    /// The elements that may stand in this one, or at the top.
    pub(super) fn children(parent: Option<Self>) -> &'static [Self] {
        match parent {
            None => &[Self::Bif],
            Some(Self::Bif) => &[Self::Network],
            Some(Self::Network) => &[Self::Name, Self::Property, Self::Variable, Self::Definition],
            Some(Self::Variable) => &[Self::Name, Self::Outcome, Self::Property],
            Some(Self::Definition) => &[Self::For, Self::Given, Self::Table, Self::Property],
            Some(_) => &[],
        }
    }

    /// Whether it holds text.
    pub(super) fn holds_text(self) -> bool {
        Self::children(Some(self)).is_empty()
    }
}
