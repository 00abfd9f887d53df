//! The language of templates.

use std::collections::BTreeSet;

use super::{Piece, Template, Templates};
use crate::error::Error;

pub(super) fn templates(text: &str) -> Result<Templates, Error> {
    let mut templates = Templates::default();
    let mut seen = BTreeSet::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let refuse = |message| Error::Line { line: index + 1, message };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if !seen.insert(line) {
            return Err(refuse(format!("the template {line:?} stands twice")));
        }
        match line.as_bytes()[0] {
            b'U' => templates.nodes.push(template(line, &mut templates.columns).map_err(refuse)?),
            b'B' => {
                let template = template(line, &mut templates.columns).map_err(refuse)?;
                if template.0.iter().any(|piece| matches!(piece, Piece::Cell { .. })) {
                    templates.edges.push(template);
                } else {
                    templates.transitions = true;
                }
            }
            _ => return Err(refuse(format!("{line:?} starts with neither U nor B nor #"))),
        }
    }
    Ok(templates)
}

fn template(line: &str, columns: &mut usize) -> Result<Template, String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(percent) = rest.find('%') {
        if percent > 0 {
            pieces.push(Piece::Text(rest[..percent].to_owned()));
        }
        let after = &rest[percent + 1..];
        let wrong = || format!("%x[row,column] is expected at {:?}", &rest[percent..]);
        let inside = after.strip_prefix("x[").ok_or_else(wrong)?;
        let close = inside.find(']').ok_or_else(wrong)?;
        let (row, column) = inside[..close].split_once(',').ok_or_else(wrong)?;
        let row = row.trim().parse().map_err(|_| wrong())?;
        let column: usize = column.trim().parse().map_err(|_| wrong())?;
        *columns = (*columns).max(column.checked_add(1).ok_or_else(wrong)?);
        pieces.push(Piece::Cell { row, column });
        rest = &inside[close + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(Template(pieces))
}
