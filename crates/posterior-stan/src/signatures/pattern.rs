//! Patterns of the table into forms.

use super::Signature;
use crate::types::{FunctionType, Type};

/// An argument of a pattern: its alternatives, and whether it has the dimensions of the form.
struct Arg {
    kinds: Vec<Type>,
    starred: bool,
    data: bool,
}

/// All forms of one pattern; the table's test covers each.
pub(super) fn expand(pattern: &str) -> Vec<Signature> {
    let Some(rest) = pattern.strip_prefix('[') else {
        return expand_one(pattern);
    };
    let Some((kinds, rest)) = rest.split_once("] ") else {
        return Vec::new();
    };
    kinds.split(' ').flat_map(|kind| expand_one(&replace_variable(rest, kind))).collect()
}

/// The pattern with a type for its variable `T`.
fn replace_variable(pattern: &str, kind: &str) -> String {
    pattern.chars().map(|c| if c == 'T' { kind.to_owned() } else { c.to_string() }).collect()
}

fn expand_one(pattern: &str) -> Vec<Signature> {
    let Some((args, returns)) = pattern.rsplit_once("-> ") else {
        return Vec::new();
    };
    let mut dims = 0..=0;
    let mut list = Vec::new();
    for text in split(args.trim_end()) {
        let (text, data) = text.strip_prefix("data ").map_or((text, false), |text| (text, true));
        let (text, range) = star(text);
        if let Some(range) = &range {
            dims = range.clone();
        }
        list.push(Arg { kinds: alternatives(text), starred: range.is_some(), data });
    }
    let (returns, lifted) = star(returns);
    let (returns, random) = returns.strip_suffix('?').map_or((returns, false), |text| (text, true));
    let Some(returns) = kind(returns) else {
        return Vec::new();
    };
    let data_only: Vec<usize> = (0..list.len()).filter(|&at| list[at].data).collect();
    let mut forms = Vec::new();
    for d in dims {
        let mut tuples: Vec<Vec<Type>> = vec![Vec::new()];
        for arg in &list {
            let extra = if arg.starred { d } else { 0 };
            let longer = tuples.iter().flat_map(|tuple| {
                arg.kinds.iter().map(move |kind| {
                    let mut tuple = tuple.clone();
                    tuple.push(kind.clone().array(extra));
                    tuple
                })
            });
            tuples = longer.collect();
        }
        forms.extend(tuples.into_iter().map(|args| {
            let container = args.iter().any(|arg| !matches!(arg, Type::Int | Type::Real));
            let extra = if lifted.is_some() { d } else { usize::from(random && container) };
            Signature { args, data_only: data_only.clone(), returns: returns.clone().array(extra) }
        }));
    }
    forms
}

/// `real*8` is `real` with 0 to 8 dimensions, `real+7` with 1 to 7.
fn star(text: &str) -> (&str, Option<std::ops::RangeInclusive<usize>>) {
    let Some(at) = text.rfind(['*', '+']) else {
        return (text, None);
    };
    let least = usize::from(text.as_bytes()[at] == b'+');
    let most = text[at + 1..].parse().unwrap_or(0);
    (&text[..at], Some(least..=most))
}

fn alternatives(text: &str) -> Vec<Type> {
    let scalars = [Type::Int, Type::Int.array(1)];
    let reals = [Type::Real, Type::Vector, Type::RowVector, Type::Real.array(1)];
    match text {
        "ints" => scalars.to_vec(),
        "reals" => reals.to_vec(),
        "numbers" => scalars.into_iter().chain(reals).collect(),
        "vectors" => {
            vec![Type::Vector, Type::RowVector, Type::Vector.array(1), Type::RowVector.array(1)]
        }
        _ => text.split('|').filter_map(kind).collect(),
    }
}

/// The type that a text names.
fn kind(text: &str) -> Option<Type> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("array[") {
        let (commas, element) = rest.split_once(']')?;
        return Some(kind(element)?.array(commas.len() + 1));
    }
    if let Some(members) = text.strip_prefix("tuple(").and_then(|rest| rest.strip_suffix(')')) {
        return split(members).into_iter().map(kind).collect::<Option<_>>().map(Type::Tuple);
    }
    if let Some((args, returns)) = text.strip_prefix('(').and_then(|rest| rest.split_once(") => ")) {
        let arg = |text: &str| match text.strip_prefix("data ") {
            Some(text) => kind(text).map(|kind| (true, kind)),
            None => kind(text).map(|kind| (false, kind)),
        };
        let args = split(args).into_iter().map(arg).collect::<Option<_>>()?;
        return Some(Type::Function(Box::new(FunctionType { args, returns: Some(kind(returns)?) })));
    }
    Type::of_word(text)
}

/// Splits at the commas that are in no bracket.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
