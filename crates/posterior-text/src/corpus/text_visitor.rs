//! What texts are handed to.

use crate::Error;

/// What sees the name and the text of each document in turn.
pub(super) type VisitText<'a> = dyn FnMut(&str, &str) -> Result<(), Error> + 'a;
