//! The names of the columns, and the place of each.

use crate::error::Error;

/// How many names a message lists.
const LISTED: usize = 20;

/// The names of the columns.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    names: Vec<String>,
    /// The places in the order of their names.
    order: Vec<usize>,
}

impl Header {
    pub(crate) fn new(names: Vec<String>) -> Self {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&place| &names[place]);
        Self { names, order }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of the column with this name.
    pub(crate) fn place(&self, source: &str, name: &str) -> Result<usize, Error> {
        let named = |place: &usize| self.names[*place].as_str();
        let at = self.order.partition_point(|place| named(place) < name);
        let mut places = self.order[at..].iter().take_while(|place| named(place) == name);
        match (places.next(), places.next()) {
            (Some(&place), None) => Ok(place),
            (Some(_), Some(_)) => {
                Err(Error::new(format!("{source}: line 1: several columns are called {name:?}")))
            }
            (None, _) => {
                let message = format!("{source}: line 1: no column is called {name:?}");
                Err(Error::new(message).with_hint(format!("there are: {}", listed(&self.names))))
            }
        }
    }
}

/// Names with commas between them, the first of many.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let some: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    match names.len() - some.len() {
        0 => some.join(", "),
        more => format!("{}, and {more} more", some.join(", ")),
    }
}
