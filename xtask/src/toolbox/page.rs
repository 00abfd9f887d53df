//! The rows of `docs/toolbox.md` and the notes below its tables.

/// One row of a table: what it is called, what it names, and how far it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) line: usize,
    /// Headings above it.
    pub(super) section: usize,
    pub(super) id: String,
    /// `math::special::ln_gamma`.
    pub(super) items: Vec<String>,
    /// A crate without `posterior-`, and `golden_numbers` or `special_values::golden_numbers`.
    pub(super) tests: Vec<(String, String)>,
    pub(super) state: String,
}

/// A line of a list that begins with the identifier of a row: what that row lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) line: usize,
    pub(super) section: usize,
    pub(super) id: String,
}

/// The rows and notes of a page, and the lines of rows that have other than five cells.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) rows: Vec<Row>,
    pub(super) notes: Vec<Note>,
    pub(super) misshapen: Vec<usize>,
}

/// Reads a page.
pub(super) fn parse(text: &str) -> Page {
    let (mut page, mut section) = (Page::default(), 0);
    for (number, line) in text.lines().enumerate() {
        let line_number = number + 1;
        section += usize::from(line.starts_with('#'));
        if let Some(id) = line.strip_prefix("- ").and_then(leading_id) {
            page.notes.push(Note { line: line_number, section, id: id.to_owned() });
        }
        let Some(id) = line.strip_prefix("| ").and_then(leading_id) else { continue };
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let &[_, _, items, tests, state] = &*cells else {
            page.misshapen.push(line_number);
            continue;
        };
        page.rows.push(Row {
            line: line_number,
            section,
            id: id.to_owned(),
            items: code(items),
            tests: tests.split(';').flat_map(of_one_crate).collect(),
            state: state.to_owned(),
        });
    }
    page
}

/// The identifier at the start of a text: capitals, a hyphen, digits.
fn leading_id(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    let (name, digits) = text.get(..end)?.split_once('-')?;
    let capitals = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let numbered = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (capitals && numbered).then(|| &text[..end])
}

/// The tests of `math: `a`, `b``.
fn of_one_crate(part: &str) -> Vec<(String, String)> {
    let (home, names) = part.split_once(": ").unwrap_or(("", part));
    code(names).into_iter().map(|name| (home.trim().to_owned(), name)).collect()
}

/// What stands between backticks.
fn code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_notes_are_read() {
        let text = "# A\n\n| id | what | items | tests | state |\n|---|---|---|---|---|\n\
                    | AB-01 | sums | `m::a`, `m::B::c` | m: `x`, `y::z`; n: `w` | whole |\n\
                    | AB-02 | four cells | | whole |\n\n- AB-03: nothing.\n- Other-1: text\n- ab-1\n";
        let page = parse(text);
        let own = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect::<Vec<_>>()
        };
        let row = Row {
            line: 5,
            section: 1,
            id: "AB-01".to_owned(),
            items: vec!["m::a".to_owned(), "m::B::c".to_owned()],
            tests: own(&[("m", "x"), ("m", "y::z"), ("n", "w")]),
            state: "whole".to_owned(),
        };
        assert_eq!(page.rows, [row]);
        assert_eq!(page.misshapen, [6]);
        assert_eq!(page.notes, [Note { line: 8, section: 1, id: "AB-03".to_owned() }]);
    }
}
