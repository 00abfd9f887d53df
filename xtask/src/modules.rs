//! The module tree of a crate: its files along the `mod` lines from the root, without the parts that only
//! test builds have.

use proc_macro2::{Span, TokenStream, TokenTree};

/// One module, with the items that stand in it directly.
pub(crate) struct Module {
    /// Names from the root of the crate; none for the root itself.
    pub(crate) path: Vec<String>,
    /// Of its path, the names from the root that other crates can say.
    pub(crate) said: Vec<String>,
    /// From the root of the workspace, with slashes.
    pub(crate) file: String,
    /// Without child modules and without tests.
    pub(crate) items: Vec<syn::Item>,
}

/// Text of a file by its path from the root of the workspace; `None` where there is no such file.
pub(crate) type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// All modules below the file `root` (`crates/NAME/src/lib.rs`), parents before their children.
pub(crate) fn modules(read: Read<'_>, root: &str) -> Result<Vec<Module>, String> {
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    file(read, root, folder, &Place::default(), &mut found)?;
    Ok(found)
}

/// The root files that a package in this folder has: a library, a program or both.
pub(crate) fn roots(read: Read<'_>, folder: &str) -> Vec<String> {
    let files = ["lib.rs", "main.rs"].map(|name| format!("{folder}/src/{name}"));
    files.into_iter().filter(|path| read(path).is_some()).collect()
}

/// Reads files below the root of the workspace.
pub(crate) fn from_disk(path: &str) -> Option<String> {
    std::fs::read_to_string(crate::cargo::root().join(path)).ok()
}

/// Where a module stands in its crate.
#[derive(Clone, Default)]
struct Place {
    path: Vec<String>,
    said: Vec<String>,
    hidden: bool,
}

impl Place {
    fn child(&self, child: &syn::ItemMod) -> Self {
        let name = child.ident.to_string();
        let mut place = self.clone();
        place.hidden |= !matches!(child.vis, syn::Visibility::Public(_));
        if !place.hidden {
            place.said.push(name.clone());
        }
        place.path.push(name);
        place
    }
}

fn file(
    read: Read<'_>,
    name: &str,
    folder: &str,
    place: &Place,
    found: &mut Vec<Module>,
) -> Result<(), String> {
    let text = read(name).ok_or_else(|| format!("{name}: no such file, and a `mod` line asks for it"))?;
    let tree = syn::parse_file(&text).map_err(|error| format!("{name}:{}: {error}", line(error.span())))?;
    module(read, name, folder, place, tree.items, found)
}

/// Adds one module, and then its children, whose files are in `folder`.
fn module(
    read: Read<'_>,
    name: &str,
    folder: &str,
    place: &Place,
    items: Vec<syn::Item>,
    found: &mut Vec<Module>,
) -> Result<(), String> {
    let (mut own, mut children) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            item if is_for_tests(attributes(&item)) => {}
            syn::Item::Mod(child) => children.push(child),
            other => own.push(other),
        }
    }
    let (path, said) = (place.path.clone(), place.said.clone());
    found.push(Module { path, said, file: name.to_owned(), items: own });
    for child in children {
        let place = place.child(&child);
        let folder = format!("{folder}/{}", child.ident);
        match child.content {
            Some((_, items)) => module(read, name, &folder, &place, items, found)?,
            None => file(read, &format!("{folder}.rs"), &folder, &place, found)?,
        }
    }
    Ok(())
}

/// Whether one of these attributes keeps its item out of every build but that of the tests.
pub(crate) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && requires_test(list.tokens.clone()),
        syn::Meta::NameValue(_) => false,
    })
}

/// Whether a condition of `cfg` holds in test builds only: `test`, `all(test, ..)`.
pub(crate) fn requires_test(condition: TokenStream) -> bool {
    let trees: Vec<TokenTree> = condition.into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(parts)] if name == "all" => {
            parts.stream().into_iter().any(|part| matches!(&part, TokenTree::Ident(name) if name == "test"))
        }
        _ => false,
    }
}

/// The attributes of an item; none of those that have none.
pub(crate) fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The line on which a span begins.
pub(crate) fn line(span: Span) -> usize {
    span.start().line
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A reader of files in memory.
    pub(crate) fn files<'a>(files: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    }

    #[test]
    fn files_and_inline_modules_are_followed_and_tests_are_not() {
        let read = files(&[
            ("c/src/lib.rs", "mod a; pub mod b { mod c; } #[cfg(test)] mod tests; fn f() {}"),
            ("c/src/a.rs", "#[cfg(all(test, unix))] use x::y; struct A;"),
            ("c/src/b/c.rs", ""),
        ]);
        let found = modules(&read, "c/src/lib.rs").expect("the files are there");
        let paths: Vec<String> = found.iter().map(|own| own.path.join("::")).collect();
        assert_eq!(paths, ["", "a", "b", "b::c"]);
        assert_eq!(found[1].items.len(), 1);
        assert_eq!(found[3].file, "c/src/b/c.rs");
        assert_eq!(roots(&read, "c"), ["c/src/lib.rs"]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let read = files(&[("c/src/lib.rs", "mod a;")]);
        let message = modules(&read, "c/src/lib.rs").err().unwrap_or_default();
        assert!(message.starts_with("c/src/a.rs: "), "{message}");
    }
}
