//! `cargo xtask api [--check]`: what is public, as one text file for each crate, so that a change of it is
//! seen in review.
//!
//! A file has a heading for each public module; below it its functions and constants, then its types and
//! traits with their fields, variants and methods. The traits of a type stand behind its name; what it
//! implements by a macro is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::spanned::Spanned as _;

use crate::items::{self, Item, Kind};
use crate::modules::{self, Module};
use crate::{Outcome, cargo};

/// The folder of the files, from the root of the workspace.
const FOLDER: &str = "docs/api";

/// Writes `docs/api/CRATE.txt`, or compares the files with what is public now.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask api [--check]".to_owned()),
    };
    let folder = cargo::root().join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    let mut changed = Vec::new();
    for (home, name) in cargo::published()? {
        if !home.join("src/lib.rs").is_file() {
            continue;
        }
        let now = listing(&modules::modules(&modules::from_disk, &format!("crates/{name}/src/lib.rs"))?);
        let path = folder.join(format!("{name}.txt"));
        if fs::read_to_string(&path).unwrap_or_default() != now {
            if !check {
                fs::write(&path, now).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            changed.push(name);
        }
    }
    let names = changed.join(", ");
    match changed.as_slice() {
        [] => println!("api: {FOLDER} is up to date"),
        _ if check => {
            return Err(format!("{FOLDER} is not what is public in {names}; run `cargo xtask api`"));
        }
        _ => println!("api: wrote {names}"),
    }
    Ok(())
}

/// A line of a listing in its order: its type (none first), whether it belongs to the type, kind and text.
type Line = (String, bool, Kind, String);

/// The text of a crate's file.
fn listing(modules: &[Module]) -> String {
    let traits = traits(modules);
    let all = || {
        modules.iter().flat_map(|module| items::public(module).into_iter().map(move |item| (module, item)))
    };
    let is_type = |item: &Item| item.owner.is_none() && matches!(item.kind, Kind::Trait | Kind::Type);
    // A method is written where its type is, wherever the `impl` stands; a private type has none.
    let homes: BTreeMap<String, &[String]> =
        all().filter(|(_, item)| is_type(item)).map(|(module, item)| (item.name, &*module.said)).collect();
    let mut lines: BTreeMap<&[String], BTreeSet<Line>> = BTreeMap::new();
    for (module, item) in all() {
        let owner = item.owner.clone().or_else(|| is_type(&item).then(|| item.name.clone()));
        let home = owner.as_ref().map_or(Some(&*module.said), |owner| homes.get(owner).copied());
        if let Some(home) = home {
            let line = (owner.unwrap_or_default(), item.owner.is_some(), item.kind, shown(&item, &traits));
            lines.entry(home).or_default().insert(line);
        }
    }
    let sections = lines.iter().map(|(path, lines)| {
        let head = if path.is_empty() { "crate".to_owned() } else { path.join("::") };
        let indented = |(_, own, _, line): &Line| format!("{}{line}\n", if *own { "    " } else { "" });
        format!("# {head}\n{}", lines.iter().map(indented).collect::<String>())
    });
    sections.collect::<Vec<_>>().join("\n")
}

/// The line of an item.
fn shown(item: &Item, traits: &BTreeMap<String, BTreeSet<String>>) -> String {
    let signature = &item.signature;
    match item.kind {
        Kind::Type if item.owner.is_none() => {
            let of: Vec<&str> = traits.get(&item.name).into_iter().flatten().map(String::as_str).collect();
            format!("type {signature}{}{}", if of.is_empty() { "" } else { ": " }, of.join(", "))
        }
        Kind::Trait => format!("trait {signature}"),
        Kind::Constant => format!("const {signature}"),
        Kind::Macro => format!("macro {signature}"),
        Kind::Type => format!("type {signature}"),
        Kind::Field | Kind::Function | Kind::Method | Kind::Variant => signature.clone(),
    }
}

/// The traits of each type of a crate, by `derive` and by `impl`.
fn traits(modules: &[Module]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in modules.iter().flat_map(|module| &module.items) {
        let (of, names) = match item {
            syn::Item::Impl(own) => {
                let path = own.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                (items::named(&own.self_ty), path.map(|name| name.ident.to_string()).into_iter().collect())
            }
            syn::Item::Struct(own) => (Some(own.ident.to_string()), derived(&own.attrs)),
            syn::Item::Enum(own) => (Some(own.ident.to_string()), derived(&own.attrs)),
            _ => (None, Vec::new()),
        };
        if let Some(of) = of {
            found.entry(of).or_default().extend(names);
        }
    }
    found
}

/// The names in `derive(..)`, also behind a feature.
fn derived(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
        // Of `cfg_attr(feature = "serde", derive(..), ..)` the part in the brackets of `derive`.
        let text = attribute.span().source_text().unwrap_or_default();
        let Some((_, rest)) = text.split_once("derive(") else { continue };
        let inside = rest.split(')').next().unwrap_or_default();
        names.extend(
            inside.split(',').filter_map(|path| path.rsplit("::").next()).map(|own| own.trim().to_owned()),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::tests::files;

    #[test]
    fn items_stand_with_their_types_below_the_module_that_shows_them() {
        let text = "pub mod a { #[derive(Clone, Copy)] pub struct B { pub x: u8 } mod c { impl super::B { \
                    pub fn new(\n x: u8,\n) -> Self {} } impl Density for super::B {} struct D; impl D { \
                    pub fn hidden() {} } } pub fn free() -> B {} }\n/// derive(\"x\", y)\npub enum E { \
                    /// Docs.\n V { y: f64, } }";
        let sources = [("c/src/lib.rs", text)];
        let modules = modules::modules(&files(&sources), "c/src/lib.rs").expect("it parses");
        let expected = "# crate\ntype E\n    V { y: f64 }\n\n# a\nfn free() -> B\n\
                        type B: Clone, Copy, Density\n    x: u8\n    fn new(x: u8) -> Self\n";
        assert_eq!(listing(&modules), expected);
    }
}
