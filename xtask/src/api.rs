//! `cargo xtask api [--check]`: what is public, as one text file for each crate, so that a change of it is
//! seen in review.
//!
//! A file has a heading for each public module; below it its functions and constants, then its types and
//! traits with their fields, variants and methods. The traits of a type stand behind its name; what it
//! implements by a macro is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::spanned::Spanned as _;

use crate::items::{self, Kind};
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

/// The text of a crate's file.
fn listing(modules: &[Module]) -> String {
    let traits = traits(modules);
    // By public module, then by the type that an item belongs to (none first), then by kind and name.
    let mut lines: BTreeMap<&[String], BTreeSet<(String, bool, Kind, String)>> = BTreeMap::new();
    // Methods are written where their type is, wherever the `impl` stands.
    let mut homes: BTreeMap<String, &[String]> = BTreeMap::new();
    for module in modules {
        for item in items::public(module) {
            if item.owner.is_none() && matches!(item.kind, Kind::Trait | Kind::Type) {
                homes.insert(item.name, &module.said);
            }
        }
    }
    for module in modules {
        for item in items::public(module) {
            let (owner, own) = match item.owner {
                Some(owner) => (owner, true),
                None if matches!(item.kind, Kind::Trait | Kind::Type) => (item.name.clone(), false),
                None => (String::new(), false),
            };
            // What belongs to a private type is not public.
            let home = if owner.is_empty() { Some(&*module.said) } else { homes.get(&owner).copied() };
            let Some(home) = home else { continue };
            let line = match item.kind {
                Kind::Type if !own => {
                    let of = traits.get(&owner).into_iter().flatten().map(String::as_str).collect::<Vec<_>>();
                    let colon = if of.is_empty() { "" } else { ": " };
                    format!("type {}{colon}{}", item.signature, of.join(", "))
                }
                Kind::Trait => format!("trait {}", item.signature),
                Kind::Constant => format!("const {}", item.signature),
                Kind::Macro => format!("macro {}", item.signature),
                Kind::Type => format!("type {}", item.signature),
                Kind::Field | Kind::Function | Kind::Method | Kind::Variant => item.signature,
            };
            lines.entry(home).or_default().insert((owner, own, item.kind, line));
        }
    }
    let mut text = String::new();
    for (path, items) in lines {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("# {}\n", if path.is_empty() { "crate".to_owned() } else { path.join("::") }));
        for (_, own, _, line) in items {
            text.push_str(if own { "    " } else { "" });
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// The traits of each type of a crate, by `derive` and by `impl`.
fn traits(modules: &[Module]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in modules.iter().flat_map(|module| &module.items) {
        match item {
            syn::Item::Impl(own) => {
                let path = own.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                if let (Some(of), Some(name)) = (items::named(&own.self_ty), path) {
                    found.entry(of).or_default().insert(name.ident.to_string());
                }
            }
            syn::Item::Struct(own) => {
                found.entry(own.ident.to_string()).or_default().extend(derived(&own.attrs))
            }
            syn::Item::Enum(own) => {
                found.entry(own.ident.to_string()).or_default().extend(derived(&own.attrs))
            }
            _ => {}
        }
    }
    found
}

/// The names in `derive(..)`, also behind a feature.
fn derived(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes {
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
                    pub fn hidden() {} } } pub fn free() -> B {} }\npub enum E { /// Docs.\n V { y: f64, } }";
        let sources = [("c/src/lib.rs", text)];
        let modules = modules::modules(&files(&sources), "c/src/lib.rs").expect("it parses");
        let expected = "# crate\ntype E\n    V { y: f64 }\n\n# a\nfn free() -> B\n\
                        type B: Clone, Copy, Density\n    x: u8\n    fn new(x: u8) -> Self\n";
        assert_eq!(listing(&modules), expected);
    }
}
