//! Burglar or earthquake? Explaining away, with the numbers before and after each piece of evidence, and what
//! can be learned from houses whose burglars were not seen.

mod drawing;
mod independence;
mod learning;
mod posteriors;
mod student;

use std::io::Write;

use posterior::pgm::{BayesianNetwork, Table, Variables};
use posterior::report::Page;

use crate::{Ending, Outcome, Sources};

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let network = burglary()?;
    let mut page = Page::new("Bayesian networks", "The radio explains the alarm away");
    independence::independence(out, network.graph(), &mut page)?;
    posteriors::posteriors(out, &network, &mut page)?;
    posteriors::neighbours(out, &mut page)?;
    student::student(out, &mut page)?;
    learning::learning(out, &network, &mut page)?;
    "MacKay (2003), section 21.1; Russell and Norvig, section 14.1; Koller and Friedman (2009), figure 3.4."
        .clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// MacKay (2003), section 21.1: an alarm that is a noisy or of burglar, earthquake and chance; the radio
/// tells of every earthquake.
fn burglary() -> Outcome<BayesianNetwork> {
    let names = ["burglar", "earthquake", "alarm", "radio"];
    let variables = Variables::new(names.map(|name| (name, ["no", "yes"])))?;
    let ids: Vec<_> = variables.ids().collect();
    let (b, e, a, r) = (ids[0], ids[1], ids[2], ids[3]);
    let alarm = [0.001, 0.01099, 0.99001, 0.9901099].iter().flat_map(|p| [1.0 - p, *p]).collect();
    let tables = vec![
        Table::new(vec![b], vec![2], vec![0.999, 0.001])?,
        Table::new(vec![e], vec![2], vec![0.999, 0.001])?,
        Table::new(vec![b, e, a], vec![2, 2, 2], alarm)?,
        Table::new(vec![e, r], vec![2, 2], vec![1.0, 0.0, 0.0, 1.0])?,
    ];
    Ok(BayesianNetwork::new(variables, tables)?)
}
