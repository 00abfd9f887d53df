//! Writing.

use crate::format::number;
use crate::{Error, Format, GraphicalModel, NetworkFile};

/// The network as a file: the numbers in the fewest digits that read back as the same.
///
/// What [`read`](super::read) makes of it is the same network, to the last bit. O(numbers).
///
/// # Errors
/// A name or property that XML cannot hold: one with a control character.
pub fn write(file: &NetworkFile) -> Result<String, Error> {
    let network = &file.network;
    let variables = network.variables();
    let properties = |of: &[Vec<String>], i: usize| of.get(i).cloned().unwrap_or_default();
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n");
    push(&mut out, "NAME", &file.name)?;
    push_all(&mut out, "PROPERTY", &file.properties.network)?;
    for v in variables.ids() {
        out.push_str("<VARIABLE TYPE=\"nature\">\n");
        push(&mut out, "NAME", variables.name(v))?;
        push_all(&mut out, "OUTCOME", variables.states(v))?;
        push_all(&mut out, "PROPERTY", &properties(&file.properties.variables, v.index()))?;
        out.push_str("</VARIABLE>\n");
    }
    for v in variables.ids() {
        let table = network.cpt(v);
        let parents = &table.scope()[..table.scope().len() - 1];
        out.push_str("<DEFINITION>\n");
        push(&mut out, "FOR", variables.name(v))?;
        for &parent in parents {
            push(&mut out, "GIVEN", variables.name(parent))?;
        }
        out.push_str("  <TABLE>\n");
        for row in table.values().chunks(variables.card(v)) {
            out.push_str("   ");
            for &value in row {
                out.push(' ');
                number::push(&mut out, value);
            }
            out.push('\n');
        }
        out.push_str("  </TABLE>\n");
        push_all(&mut out, "PROPERTY", &properties(&file.properties.tables, v.index()))?;
        out.push_str("</DEFINITION>\n");
    }
    out.push_str("</NETWORK>\n</BIF>\n");
    Ok(out)
}

fn push_all(out: &mut String, tag: &str, texts: &[String]) -> Result<(), Error> {
    texts.iter().try_for_each(|text| push(out, tag, text))
}

/// An element with text; blanks that a reader would drop or change are written as entities.
fn push(out: &mut String, tag: &str, text: &str) -> Result<(), Error> {
    out.extend(["  <", tag, ">"]);
    let inner = text.trim_matches(' ');
    let first = text.len() - text.trim_start_matches(' ').len();
    for (i, c) in text.char_indices() {
        let outer = i < first || i >= first + inner.len();
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.extend(["&#", &u32::from(c).to_string(), ";"]),
            ' ' if outer => out.push_str("&#32;"),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => {
                return Err(Error::Unwritable { name: text.to_owned(), format: Format::XmlBif });
            }
            _ => out.push(c),
        }
    }
    out.extend(["</", tag, ">\n"]);
    Ok(())
}
