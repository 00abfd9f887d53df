//! Public items of a crate: what `pub` says, where it stands, and how it is documented.
//!
//! The compiler warns of a `pub` that nobody can reach, so that the word is enough.

use proc_macro2::{Ident, Span};
use syn::Attribute;
use syn::spanned::Spanned as _;

use crate::modules::{self, Module};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Constant,
    Field,
    Function,
    Macro,
    Method,
    Trait,
    Type,
    Variant,
}

/// A public item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// The type or trait that it belongs to.
    pub(crate) owner: Option<String>,
    pub(crate) line: usize,
    /// How it is declared, on one line, without its body.
    pub(crate) signature: String,
    /// Lines of its documentation.
    pub(crate) docs: Vec<String>,
}

impl Item {
    /// `Type::method`, or the name alone.
    pub(crate) fn shown(&self) -> String {
        self.owner.as_ref().map_or_else(|| self.name.clone(), |owner| format!("{owner}::{}", self.name))
    }
}

/// The public items of the library in a folder, with their files.
pub(crate) fn of_library(folder: &str) -> Result<Vec<(String, Item)>, String> {
    let modules = modules::modules(&modules::from_disk, &format!("{folder}/src/lib.rs"))?;
    let items = modules.iter().flat_map(|module| {
        public(module).into_iter().map(|item| (module.file.clone(), item)).collect::<Vec<_>>()
    });
    Ok(items.collect())
}

/// The public items of a module, without those of its children.
pub(crate) fn public(module: &Module) -> Vec<Item> {
    let mut found = Vec::new();
    for item in &module.items {
        add(item, &mut found);
    }
    found
}

fn add(item: &syn::Item, found: &mut Vec<Item>) {
    let mut push = |kind, name: &Ident, end: Span, visibility: &syn::Visibility, attributes: &[Attribute]| {
        if is_public(visibility) {
            found.push(made(kind, name, None, attributes, to(name, end)));
        }
    };
    match item {
        syn::Item::Const(item) => push(Kind::Constant, &item.ident, item.ty.span(), &item.vis, &item.attrs),
        syn::Item::Static(item) => push(Kind::Constant, &item.ident, item.ty.span(), &item.vis, &item.attrs),
        syn::Item::Fn(item) if is_public(&item.vis) => {
            found.push(made(Kind::Function, &item.sig.ident, None, &item.attrs, item.sig.span()));
        }
        syn::Item::Type(item) => push(Kind::Type, &item.ident, item.ty.span(), &item.vis, &item.attrs),
        syn::Item::Struct(item) => {
            push(Kind::Type, &item.ident, item.generics.span(), &item.vis, &item.attrs);
            fields(&item.ident, &item.vis, &item.fields, found);
        }
        syn::Item::Enum(item) => {
            push(Kind::Type, &item.ident, item.generics.span(), &item.vis, &item.attrs);
            if is_public(&item.vis) {
                let owner = Some(item.ident.to_string());
                found.extend(item.variants.iter().map(|own| {
                    let span = to(&own.ident, own.fields.span());
                    made(Kind::Variant, &own.ident, owner.clone(), &own.attrs, span)
                }));
            }
        }
        syn::Item::Trait(item) => {
            let end =
                if item.supertraits.is_empty() { item.generics.span() } else { item.supertraits.span() };
            push(Kind::Trait, &item.ident, end, &item.vis, &item.attrs);
            if is_public(&item.vis) {
                trait_items(item, found);
            }
        }
        syn::Item::Impl(item) if item.trait_.is_none() => methods(item, found),
        syn::Item::Macro(item) if item.attrs.iter().any(|own| own.path().is_ident("macro_export")) => {
            let made = |name: &Ident| made(Kind::Macro, name, None, &item.attrs, name.span());
            found.extend(item.ident.as_ref().map(made));
        }
        _ => {}
    }
}

fn fields(owner: &Ident, visibility: &syn::Visibility, fields: &syn::Fields, found: &mut Vec<Item>) {
    let public = fields.iter().filter(|own| is_public(visibility) && is_public(&own.vis));
    found.extend(public.filter_map(|own| {
        let name = own.ident.as_ref()?;
        Some(made(Kind::Field, name, Some(owner.to_string()), &own.attrs, to(name, own.ty.span())))
    }));
}

fn trait_items(item: &syn::ItemTrait, found: &mut Vec<Item>) {
    let owner = || Some(item.ident.to_string());
    found.extend(item.items.iter().filter_map(|own| match own {
        syn::TraitItem::Fn(own) => {
            Some(made(Kind::Method, &own.sig.ident, owner(), &own.attrs, own.sig.span()))
        }
        syn::TraitItem::Const(own) => {
            Some(made(Kind::Constant, &own.ident, owner(), &own.attrs, to(&own.ident, own.ty.span())))
        }
        syn::TraitItem::Type(own) => {
            Some(made(Kind::Type, &own.ident, owner(), &own.attrs, to(&own.ident, own.bounds.span())))
        }
        _ => None,
    }));
}

fn methods(item: &syn::ItemImpl, found: &mut Vec<Item>) {
    let owner = || named(&item.self_ty);
    found.extend(item.items.iter().filter_map(|own| match own {
        syn::ImplItem::Fn(own) if is_public(&own.vis) && !modules::is_for_tests(&own.attrs) => {
            Some(made(Kind::Method, &own.sig.ident, owner(), &own.attrs, own.sig.span()))
        }
        syn::ImplItem::Const(own) if is_public(&own.vis) => {
            Some(made(Kind::Constant, &own.ident, owner(), &own.attrs, to(&own.ident, own.ty.span())))
        }
        _ => None,
    }));
}

/// The last name of the path of a type.
pub(crate) fn named(of: &syn::Type) -> Option<String> {
    match of {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

fn made(kind: Kind, name: &Ident, owner: Option<String>, attributes: &[Attribute], declared: Span) -> Item {
    let docs = attributes.iter().filter_map(doc).collect();
    let signature = one_line(&declared.source_text().unwrap_or_default());
    Item { kind, name: name.to_string(), owner, line: modules::line(name.span()), signature, docs }
}

/// From a name to the end of its declaration, or the name alone where nothing follows it.
fn to(name: &Ident, end: Span) -> Span {
    let after = (end.start().line, end.start().column) >= (name.span().end().line, name.span().end().column);
    if after { name.span().join(end).unwrap_or_else(|| name.span()) } else { name.span() }
}

/// Code without comments and line breaks.
fn one_line(code: &str) -> String {
    let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    [("( ", "("), (", )", ")"), ("< ", "<"), (", >", ">"), (", }", " }"), ("#[from] ", "")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// The text of a line of documentation.
fn doc(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else { return None };
    pair.path.is_ident("doc").then(|| text.value().trim().to_owned())
}

const fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::tests::files;

    #[test]
    fn public_items_are_listed_with_their_owners() {
        let text = "/// A.\npub struct A { pub x: u8, y: u8 }\nimpl A { pub fn f() {} fn g() {} }\n\
                    impl Clone for A { fn clone(&self) -> A {} }\npub(crate) fn h() {}\n\
                    pub trait T { const C: u8; fn i(); }\npub enum E { V }\n\
                    #[cfg(test)] pub fn j() {}\nenum F { W }";
        let sources = [("c/src/lib.rs", text)];
        let read = files(&sources);
        let modules = modules::modules(&read, "c/src/lib.rs").expect("it parses");
        let found = public(&modules[0]);
        let names: Vec<String> = found.iter().map(Item::shown).collect();
        assert_eq!(names, ["A", "A::x", "A::f", "T", "T::C", "T::i", "E", "E::V"]);
        assert_eq!((found[0].kind, found[0].line), (Kind::Type, 2));
        assert_eq!(found[0].docs, ["A."]);
        let signatures: Vec<&str> = found.iter().map(|item| item.signature.as_str()).collect();
        assert_eq!(signatures, ["A", "x: u8", "fn f()", "T", "C: u8", "fn i()", "E", "V"]);
    }
}
