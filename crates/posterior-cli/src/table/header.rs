//! The names of the columns, and the place of each.

use crate::failure::Failure;

/// How many names a message lists.
const LISTED: usize = 20;

/// The names of the columns.
#[derive(Debug)]
pub(super) struct Header {
    names: Vec<String>,
    /// The places in the order of their names.
    order: Vec<usize>,
}

impl Header {
    pub(super) fn new(names: Vec<String>) -> Self {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&place| &names[place]);
        Self { names, order }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of the column with this name.
    pub(super) fn place(&self, source: &str, name: &str) -> Result<usize, Failure> {
        let named = |place: &usize| self.names[*place].as_str();
        let at = self.order.partition_point(|place| named(place) < name);
        let mut places = self.order[at..].iter().take_while(|place| named(place) == name);
        match (places.next(), places.next()) {
            (Some(&place), None) => Ok(place),
            (Some(_), Some(_)) => {
                Err(Failure::data(format!("{source}: line 1: several columns are called {name:?}")))
            }
            (None, _) => {
                let message = format!("{source}: line 1: no column is called {name:?}");
                Err(Failure::data(message).with_hint(format!("there are: {}", listed(&self.names))))
            }
        }
    }
}

/// Names with commas between them, the first of many.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let some: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    match names.len() - some.len() {
        0 => some.join(", "),
        more => format!("{}, and {more} more", some.join(", ")),
    }
}
