//! Paths that a module names: in `use` lines, in code and inside of macros.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::modules::{self, Module};

/// A path as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

/// A name that a `use` line brings into a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// `None` of `use path::*`.
    pub(super) name: Option<String>,
    pub(super) of: Reference,
}

/// All imports of a module's own `use` lines, and all other paths of more than one segment.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) imports: Vec<Import>,
    pub(super) paths: Vec<Reference>,
}

/// Reads a module.
pub(super) fn of(module: &Module) -> Names {
    let mut names = Names::default();
    for item in &module.items {
        if let syn::Item::Use(item) = item {
            import(&item.tree, &mut Vec::new(), &mut names.imports);
        } else {
            names.visit_item(item);
        }
    }
    names
}

/// Adds the leaves of a `use` tree below `prefix`.
fn import(tree: &syn::UseTree, prefix: &mut Vec<String>, found: &mut Vec<Import>) {
    let mut add = |last: Option<&syn::Ident>, name: Option<&syn::Ident>, line| {
        let mut segments = prefix.clone();
        segments.extend(last.filter(|last| *last != "self").map(ToString::to_string));
        let name = match name {
            Some(name) if name == "self" => segments.last().cloned(),
            name => name.map(ToString::to_string),
        };
        found.push(Import { name, of: Reference { segments, line } });
    };
    match tree {
        syn::UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            import(&path.tree, prefix, found);
            prefix.pop();
        }
        syn::UseTree::Name(own) => add(Some(&own.ident), Some(&own.ident), modules::line(own.ident.span())),
        syn::UseTree::Rename(own) => {
            add(Some(&own.ident), Some(&own.rename), modules::line(own.ident.span()));
        }
        syn::UseTree::Glob(own) => add(None, None, modules::line(own.star_token.spans[0])),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| import(tree, prefix, found));
        }
    }
}

impl Visit<'_> for Names {
    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        // Inside of a function: no other module sees the name.
        let mut imports = Vec::new();
        import(&item.tree, &mut Vec::new(), &mut imports);
        self.paths.extend(imports.into_iter().map(|import| import.of));
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.paths.push(Reference { segments, line: modules::line(path.segments[0].ident.span()) });
        }
        visit::visit_path(self, path);
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        if !modules::is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_macro(&mut self, invocation: &syn::Macro) {
        self.visit_path(&invocation.path);
        tokens(invocation.tokens.clone(), &mut self.paths);
    }

    fn visit_attribute(&mut self, _: &syn::Attribute) {}

    fn visit_visibility(&mut self, _: &syn::Visibility) {}
}

/// Adds the paths in the tokens of a macro.
fn tokens(stream: TokenStream, found: &mut Vec<Reference>) {
    let mut segments: Vec<String> = Vec::new();
    let mut line = 0;
    let mut colons = 0;
    let mut finish = |segments: &mut Vec<String>, line| {
        let segments = std::mem::take(segments);
        if segments.len() > 1 {
            found.push(Reference { segments, line });
        }
    };
    let mut groups = Vec::new();
    for tree in stream {
        match tree {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    finish(&mut segments, line);
                    line = modules::line(name.span());
                }
                segments.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' && !segments.is_empty() => colons += 1,
            other => {
                finish(&mut segments, line);
                colons = 0;
                if let TokenTree::Group(group) = other {
                    groups.push(group.stream());
                }
            }
        }
    }
    finish(&mut segments, line);
    for group in groups {
        tokens(group, found);
    }
}
