//! What paths lead to: the module that they name, and the one in which the item is defined.

use std::collections::{BTreeMap, BTreeSet};

use super::super::references::{self, Names};
use crate::modules::Module;

/// Re-exports of re-exports that are followed.
const DEPTH: usize = 16;

/// The modules of a crate by their paths.
pub(super) struct Tree<'a> {
    entries: BTreeMap<&'a [String], Entry<'a>>,
}

struct Entry<'a> {
    module: &'a Module,
    names: Names,
    /// Names of the items that stand here.
    defined: BTreeSet<String>,
}

/// Where a path leads.
enum Target {
    Module(Vec<String>),
    /// An item, and the module that defines it.
    Item(Vec<String>),
}

impl<'a> Tree<'a> {
    pub(super) fn new(modules: &'a [Module]) -> Self {
        let entry = |module: &'a Module| Entry {
            module,
            names: references::of(module),
            defined: module.items.iter().filter_map(name).collect(),
        };
        Self { entries: modules.iter().map(|module| (module.path.as_slice(), entry(module))).collect() }
    }

    /// Every use of one module by another: the module that uses, the one that is used, file and line.
    pub(super) fn uses(&self) -> impl Iterator<Item = (&'a [String], &'a [String], &'a str, usize)> + '_ {
        self.entries.iter().flat_map(move |(&from, entry)| {
            let imports = entry.names.imports.iter().map(|import| &import.of);
            imports.chain(&entry.names.paths).flat_map(move |reference| {
                let file = entry.module.file.as_str();
                self.reached(from, &reference.segments)
                    .into_iter()
                    .map(move |to| (from, to, file, reference.line))
            })
        })
    }

    /// The modules that a path beginning with `crate` or `super` leads through and to.
    fn reached(&self, from: &[String], segments: &[String]) -> Vec<&'a [String]> {
        let Some((start, rest)) = start(from, segments) else { return Vec::new() };
        let named = self.walk(start.clone(), rest);
        let defined = match self.follow(start, rest, DEPTH) {
            Some(Target::Module(path) | Target::Item(path)) => path,
            None => named.clone(),
        };
        let mut paths = vec![named, defined];
        paths.dedup();
        paths.iter().filter_map(|path| self.entries.get_key_value(path.as_slice()).map(|(&k, _)| k)).collect()
    }

    /// The longest module that the path names without any re-export.
    fn walk(&self, start: Vec<String>, segments: &[String]) -> Vec<String> {
        let mut path = start;
        for segment in segments {
            path.push(segment.clone());
            if !self.entries.contains_key(path.as_slice()) {
                path.pop();
                break;
            }
        }
        path
    }

    fn follow(&self, start: Vec<String>, segments: &[String], depth: usize) -> Option<Target> {
        let mut path = start;
        for segment in segments {
            match self.lookup(&path, segment, depth)? {
                Target::Module(next) => path = next,
                item @ Target::Item(_) => return Some(item),
            }
        }
        Some(Target::Module(path))
    }

    /// What a name is in a module: a child, an import, an item, or something behind a glob.
    fn lookup(&self, path: &[String], name: &str, depth: usize) -> Option<Target> {
        let depth = depth.checked_sub(1)?;
        let child = [path, &[name.to_owned()]].concat();
        if self.entries.contains_key(child.as_slice()) {
            return Some(Target::Module(child));
        }
        let entry = self.entries.get(path)?;
        if entry.defined.contains(name) {
            return Some(Target::Item(path.to_vec()));
        }
        let named = entry.names.imports.iter().find(|import| import.name.as_deref() == Some(name));
        if let Some(import) = named {
            let here = Target::Item(path.to_vec());
            return Some(self.imported(path, &import.of.segments, depth).unwrap_or(here));
        }
        let mut globs = entry.names.imports.iter().filter(|import| import.name.is_none());
        globs.find_map(|glob| match self.imported(path, &glob.of.segments, depth)? {
            Target::Module(module) => self.lookup(&module, name, depth),
            Target::Item(_) => None,
        })
    }

    /// Where an import of the module `path` leads; `None` out of the crate.
    fn imported(&self, path: &[String], segments: &[String], depth: usize) -> Option<Target> {
        match start(path, segments) {
            Some((start, rest)) => self.follow(start, rest, depth),
            None => self.follow(path.to_vec(), segments, depth),
        }
    }
}

/// The module that `crate`, `self` and `super` at the beginning of a path stand for, and the rest of the
/// path.
fn start<'s>(from: &[String], segments: &'s [String]) -> Option<(Vec<String>, &'s [String])> {
    let (first, mut rest) = segments.split_first()?;
    let mut path = from.to_vec();
    match first.as_str() {
        "crate" => path.clear(),
        "self" => {}
        "super" => {
            path.pop();
        }
        _ => return None,
    }
    while let Some(others) =
        rest.split_first().filter(|(first, _)| *first == "super").map(|(_, others)| others)
    {
        path.pop();
        rest = others;
    }
    Some((path, rest))
}

/// The name that an item has in its module.
fn name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
