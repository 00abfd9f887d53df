//! An example of the documentation as a program that can be pasted into `main.rs`.

use std::fmt::Write as _;

/// The example inside of `main`, with what the documentation hides, and with the error type of its hidden
/// last line.
pub(super) fn whole(code: &[&str]) -> String {
    let error = code.iter().find_map(|line| error_type(line));
    let mut out = match error {
        Some(error) => format!("fn main() -> Result<(), {error}> {{\n"),
        None => "fn main() {\n".to_owned(),
    };
    for line in code.iter().filter(|line| error_type(line).is_none()).map(shown) {
        match line {
            "" => out.push('\n'),
            _ => {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    if error.is_some() {
        out.push_str("    Ok(())\n");
    }
    out.push_str("}\n");
    out
}

/// The error type of the hidden line that ends an example with `?`.
fn error_type<'a>(line: &&'a str) -> Option<&'a str> {
    line.strip_prefix("# Ok::<(), ")?.strip_suffix(">(())")
}

/// A line as the compiler sees it: hidden lines of the documentation begin with `# `.
fn shown<'a>(line: &&'a str) -> &'a str {
    match *line {
        "#" => "",
        line => line.strip_prefix("# ").unwrap_or(line),
    }
}
