//! Public items of a crate: what `pub` says, where it stands, and how it is documented.
//!
//! The compiler warns of a `pub` that nobody can reach, so that the word is enough.

use proc_macro2::Ident;

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
    let mut push = |kind, name: &Ident, visibility: &syn::Visibility, attributes: &[syn::Attribute]| {
        if is_public(visibility) {
            found.push(made(kind, name, None, attributes));
        }
    };
    match item {
        syn::Item::Const(item) => push(Kind::Constant, &item.ident, &item.vis, &item.attrs),
        syn::Item::Static(item) => push(Kind::Constant, &item.ident, &item.vis, &item.attrs),
        syn::Item::Fn(item) => push(Kind::Function, &item.sig.ident, &item.vis, &item.attrs),
        syn::Item::Type(item) => push(Kind::Type, &item.ident, &item.vis, &item.attrs),
        syn::Item::Struct(item) => {
            push(Kind::Type, &item.ident, &item.vis, &item.attrs);
            fields(&item.ident, &item.vis, &item.fields, found);
        }
        syn::Item::Enum(item) => {
            push(Kind::Type, &item.ident, &item.vis, &item.attrs);
            if is_public(&item.vis) {
                found.extend(
                    item.variants
                        .iter()
                        .map(|own| made(Kind::Variant, &own.ident, Some(item.ident.to_string()), &own.attrs)),
                );
            }
        }
        syn::Item::Trait(item) => {
            push(Kind::Trait, &item.ident, &item.vis, &item.attrs);
            if is_public(&item.vis) {
                trait_items(item, found);
            }
        }
        syn::Item::Impl(item) if item.trait_.is_none() => methods(item, found),
        syn::Item::Macro(item) if item.attrs.iter().any(|own| own.path().is_ident("macro_export")) => {
            found.extend(item.ident.as_ref().map(|name| made(Kind::Macro, name, None, &item.attrs)));
        }
        _ => {}
    }
}

fn fields(owner: &Ident, visibility: &syn::Visibility, fields: &syn::Fields, found: &mut Vec<Item>) {
    let public = fields.iter().filter(|own| is_public(visibility) && is_public(&own.vis));
    found.extend(
        public.filter_map(|own| {
            Some(made(Kind::Field, own.ident.as_ref()?, Some(owner.to_string()), &own.attrs))
        }),
    );
}

fn trait_items(item: &syn::ItemTrait, found: &mut Vec<Item>) {
    let owner = Some(item.ident.to_string());
    found.extend(item.items.iter().filter_map(|own| match own {
        syn::TraitItem::Fn(own) => Some(made(Kind::Method, &own.sig.ident, owner.clone(), &own.attrs)),
        syn::TraitItem::Const(own) => Some(made(Kind::Constant, &own.ident, owner.clone(), &own.attrs)),
        syn::TraitItem::Type(own) => Some(made(Kind::Type, &own.ident, owner.clone(), &own.attrs)),
        _ => None,
    }));
}

fn methods(item: &syn::ItemImpl, found: &mut Vec<Item>) {
    let owner = match &*item.self_ty {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    found.extend(item.items.iter().filter_map(|own| match own {
        syn::ImplItem::Fn(own) if is_public(&own.vis) && !modules::is_for_tests(&own.attrs) => {
            Some(made(Kind::Method, &own.sig.ident, owner.clone(), &own.attrs))
        }
        syn::ImplItem::Const(own) if is_public(&own.vis) => {
            Some(made(Kind::Constant, &own.ident, owner.clone(), &own.attrs))
        }
        _ => None,
    }));
}

fn made(kind: Kind, name: &Ident, owner: Option<String>, attributes: &[syn::Attribute]) -> Item {
    let docs = attributes.iter().filter_map(doc).collect();
    Item { kind, name: name.to_string(), owner, line: modules::line(name.span()), docs }
}

/// The text of a line of documentation.
fn doc(attribute: &syn::Attribute) -> Option<String> {
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
    }
}
