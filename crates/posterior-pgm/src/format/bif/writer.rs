//! Writing.

use posterior_graph::VarId;

use crate::format::lexer::Lexer;
use crate::format::number;
use crate::format::source::Source;
use crate::{Error, Format, GraphicalModel, NetworkFile, Table, Variables};

/// The network as a file: the numbers in the fewest digits that read back as the same, names in quotes where
/// they need them.
///
/// What [`read`](super::read) makes of it is the same network, to the last bit. O(numbers).
///
/// # Errors
/// A name or property that the format cannot hold: one with a quote in it.
pub fn write(file: &NetworkFile) -> Result<String, Error> {
    let network = &file.network;
    let variables = network.variables();
    let mut out = String::from("network ");
    push_name(&mut out, &file.name)?;
    out.push_str(" {\n");
    push_properties(&mut out, &file.properties.network)?;
    out.push_str("}\n");
    for v in variables.ids() {
        out.push_str("variable ");
        push_name(&mut out, variables.name(v))?;
        let states = variables.states(v);
        out.extend([" {\n  type discrete [ ", &states.len().to_string(), " ] { "]);
        push_names(&mut out, states.iter())?;
        out.push_str(" };\n");
        push_properties(
            &mut out,
            file.properties.variables.get(v.index()).map(Vec::as_slice).unwrap_or_default(),
        )?;
        out.push_str("}\n");
    }
    for v in variables.ids() {
        let properties = file.properties.tables.get(v.index()).map(Vec::as_slice).unwrap_or_default();
        push_table(&mut out, variables, network.cpt(v), properties)?;
    }
    Ok(out)
}

fn push_table(
    out: &mut String,
    variables: &Variables,
    table: &Table,
    properties: &[String],
) -> Result<(), Error> {
    let Some((&child, parents)) = table.scope().split_last() else { return Ok(()) };
    out.push_str("probability ( ");
    push_name(out, variables.name(child))?;
    if !parents.is_empty() {
        out.push_str(" | ");
        push_names(out, parents.iter().map(|&v| variables.name(v)))?;
    }
    out.push_str(" ) {\n");
    push_properties(out, properties)?;
    let states: Vec<Vec<String>> =
        parents.iter().map(|&v| quoted_states(variables, v)).collect::<Result<_, _>>()?;
    let mut row = vec![0; parents.len()];
    for values in table.values().chunks_exact(variables.card(child)) {
        if parents.is_empty() {
            out.push_str("  table ");
        } else {
            let words: Vec<&str> =
                row.iter().zip(&states).map(|(&state, names)| names[state].as_str()).collect();
            out.extend(["  (", &words.join(", "), ") "]);
        }
        for (i, &value) in values.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            number::push(out, value);
        }
        out.push_str(";\n");
        for (state, names) in row.iter_mut().zip(&states).rev() {
            *state = (*state + 1) % names.len();
            if *state > 0 {
                break;
            }
        }
    }
    out.push_str("}\n");
    Ok(())
}

fn quoted_states(variables: &Variables, v: VarId) -> Result<Vec<String>, Error> {
    let quote = |name: &String| {
        let mut out = String::new();
        push_name(&mut out, name).map(|()| out)
    };
    variables.states(v).iter().map(quote).collect()
}

fn push_names(out: &mut String, names: impl Iterator<Item = impl AsRef<str>>) -> Result<(), Error> {
    for (i, name) in names.enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        push_name(out, name.as_ref())?;
    }
    Ok(())
}

/// A name, in quotes unless all readers take it for one word.
fn push_name(out: &mut String, name: &str) -> Result<(), Error> {
    if name.contains('"') {
        return Err(unwritable(name));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-+<>=/".contains(c);
    let bare = !name.is_empty() && name.chars().all(plain) && !name.contains("//");
    let quote = if bare { "" } else { "\"" };
    out.extend([quote, name, quote]);
    Ok(())
}

fn push_properties(out: &mut String, properties: &[String]) -> Result<(), Error> {
    for text in properties {
        let quoted = format!("\"{text}\"");
        let raw =
            [text, &quoted].into_iter().find(|raw| reads_back(raw, text)).ok_or_else(|| unwritable(text))?;
        out.extend(["  property ", raw, ";\n"]);
    }
    Ok(())
}

/// Whether a property that is written so is read as `text`.
fn reads_back(raw: &str, text: &str) -> bool {
    let bytes = format!("{raw};");
    let mut lexer = Lexer { source: Source::new(bytes.as_bytes(), Format::Bif), at: 0 };
    lexer.property().is_ok_and(|read| read == text) && lexer.at == bytes.len()
}

fn unwritable(name: &str) -> Error {
    Error::Unwritable { name: name.to_owned(), format: Format::Bif }
}
