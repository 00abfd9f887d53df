//! Events: sets of outcomes with a name.

/// A set of outcomes of a finite space, with the name by which errors speak of it.
///
/// An outcome that the event does not know (of a larger space) is not in it.
///
/// ```
/// use posterior_dist::finite::FiniteSpace;
///
/// let die = FiniteSpace::uniform(6)?;
/// let even = die.event("even", |face| face % 2 == 1);
/// let large = die.event("more than 4", |face| face >= 4);
/// assert_eq!(even.and(&large).name(), "even and more than 4");
/// assert!(even.or(&large).contains(4) && !even.not().contains(5));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    name: String,
    members: Vec<bool>,
}

impl Event {
    pub(super) fn of(name: &str, outcomes: usize, contains: impl Fn(usize) -> bool) -> Self {
        Self { name: name.to_owned(), members: (0..outcomes).map(contains).collect() }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the outcome is in the event.
    pub fn contains(&self, outcome: usize) -> bool {
        self.members.get(outcome).copied().unwrap_or(false)
    }

    /// The event that both happen, A ∩ B.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.combined("and", other, |a, b| a && b)
    }

    /// The event that one of the two happens or both, A ∪ B.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.combined("or", other, |a, b| a || b)
    }

    /// The complement of A.
    #[must_use]
    pub fn not(&self) -> Self {
        let name = format!("not {}", self.name);
        Self { name, members: self.members.iter().map(|member| !member).collect() }
    }

    fn combined(&self, word: &str, other: &Self, holds: impl Fn(bool, bool) -> bool) -> Self {
        let outcomes = self.members.len().max(other.members.len());
        let name = format!("{} {word} {}", self.name, other.name);
        Self::of(&name, outcomes, |outcome| holds(self.contains(outcome), other.contains(outcome)))
    }
}
