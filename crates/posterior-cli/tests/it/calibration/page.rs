//! The page of the documentation.

use std::fmt::Write as _;

use super::TOLERANCE;
use super::measured::Scenario;

const HEAD: &str = "# Calibration\n\n\
Do intervals of 90 % hold the truth in 90 of 100 cases, and do events of a stated probability happen as often? Data are drawn from models whose truth\n\
is known, the program is run on them as a user runs it, and what it states is held against the truth. `cargo xtask calibration` runs this and writes\n\
this page; the tests run a few data sets of each scenario (`crates/posterior-cli/tests/it/calibration`).\n\n\
*stated* is the level of the intervals, or the mean of the stated probabilities (of *predicted over happened*: 1); *found* is the proportion that held,\n\
or that happened; *s.e.* is the standard error of their difference, by the differences between data sets. The last column says where the difference is\n\
more than 2 % of what is stated and three standard errors together. A scenario is marked *known* where the program takes parameters as known that it\n\
has estimated from the same data, and says so: there small data sets show what that costs. It is marked *approximated* where the program says that its\n\
intervals are those of an approximation, and too short.\n";

pub(super) fn page(scenarios: &[Scenario], sets: u64) -> String {
    let mut page = HEAD.to_owned();
    let mut area = "";
    let mut beyond = 0;
    let mut table = String::new();
    // Writing to a string cannot fail.
    for scenario in scenarios {
        if scenario.area != area {
            area = scenario.area;
            let _ = write!(
                table,
                "\n## {area}\n\n| what | on | data sets | stated | found | s.e. | |\n|---|---|--:|--:|--:|--:|---|\n"
            );
        }
        let own = scenario.measure(sets);
        let off = own.excess(TOLERANCE) > 3.0;
        let mark = match (off, scenario.admitted) {
            (true, None) => "**off**".to_owned(),
            (true, Some(why)) => format!("off, {why}"),
            (false, why) => why.unwrap_or_default().to_owned(),
        };
        beyond += u32::from(off && scenario.admitted.is_none());
        let _ = writeln!(
            table,
            "| {} | {} | {} | {:.3} | {:.3} | {:.3} | {mark} |",
            scenario.what, scenario.on, own.sets, own.stated, own.found, own.error
        );
        eprintln!("{}: {}, {}: {own:?}", scenario.area, scenario.what, scenario.on);
    }
    let _ = write!(
        page,
        "\n**{} scenarios; {beyond} of those that take nothing as known and approximate nothing are off.**\n{table}",
        scenarios.len()
    );
    page
}
