//! Which treatment? First with probabilities that are known, then with patients from whom they must be
//! fitted.
//!
//! Two treatments end in death, recovery, or recovery with severe side effects. Prints expected losses for
//! several ways to weigh these, and why A is right for everybody for whom recovery is best; then lets
//! policies learn from patients which of three treatments cures most often, and counts who was lost by each
//! policy, beside what theory says.

mod known;
mod learned;

use std::io::Write;

use posterior::report::Page;

use crate::{Ending, Outcome, Sources};

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let mut page = Page::new("Decisions", "Treatment A, unless recovery is not the best that can happen");
    known::known(out, &mut page)?;
    learned::learned(out, &mut page)?;
    learned::stopping(out, &mut page)?;
    "Simulated with seed 0.".clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}
