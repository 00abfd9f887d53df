//! A Rust file as the rules see it: its path, its text, its syntax tree, and its tokens marked by what they
//! are for.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::modules::requires_test;

/// A parsed file.
pub(super) struct Source<'a> {
    /// From the root of the workspace, with slashes.
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) tree: syn::File,
    /// The tokens outside of all brackets, then those inside of each pair of brackets.
    pub(super) levels: Vec<Level>,
}

/// The tokens between one pair of brackets, and the role of each.
pub(super) struct Level {
    pub(super) trees: Vec<TokenTree>,
    pub(super) roles: Vec<Role>,
}

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of every build.
    Code,
    /// Part of test builds only.
    Test,
    /// Part of a documentation comment.
    Doc,
}

impl<'a> Source<'a> {
    /// Parses a file; the error is a line and what is wrong there.
    pub(super) fn parse(path: &'a str, text: &'a str) -> Result<Self, (usize, String)> {
        let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
            let line = error.span().start().line;
            (line, error.to_string())
        })?;
        let tree = syn::parse2(tokens.clone())
            .map_err(|error: syn::Error| (error.span().start().line, error.to_string()))?;
        let mut levels = Vec::new();
        push_levels(tokens, Role::Code, &mut levels);
        Ok(Self { path, text, tree, levels })
    }

    /// Whether the file is a test from its first line to its last, by its name or its folder.
    pub(super) fn is_test_file(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.split('/').any(|part| part == "tests")
    }

    /// Every token with those that follow it between the same brackets, and its role.
    pub(super) fn windows(&self) -> impl Iterator<Item = (&[TokenTree], Role)> {
        self.levels
            .iter()
            .flat_map(|level| level.roles.iter().enumerate().map(|(i, &role)| (&level.trees[i..], role)))
    }

    /// The lines on which there is code that is part of test builds only.
    pub(super) fn is_test_line(&self, line: usize) -> bool {
        self.windows().any(|(window, role)| role == Role::Test && lines(&window[0]).contains(&line))
    }
}

/// The lines that a token is on; of brackets, the first and the last.
pub(super) fn lines(tree: &TokenTree) -> Vec<usize> {
    if let TokenTree::Group(group) = tree {
        return vec![group.span_open().start().line, group.span_close().end().line];
    }
    let span = tree.span();
    (span.start().line..=span.end().line).collect()
}

fn push_levels(tokens: TokenStream, role: Role, levels: &mut Vec<Level>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let roles = roles(&trees, role);
    let inner: Vec<(TokenStream, Role)> = trees
        .iter()
        .zip(&roles)
        .filter_map(|(tree, &role)| match tree {
            TokenTree::Group(group) if role != Role::Doc => Some((group.stream(), role)),
            _ => None,
        })
        .collect();
    levels.push(Level { trees, roles });
    for (tokens, role) in inner {
        push_levels(tokens, role, levels);
    }
}

/// The roles of tokens between brackets that have the role `outer`.
fn roles(trees: &[TokenTree], outer: Role) -> Vec<Role> {
    let mut roles = vec![outer; trees.len()];
    for i in 0..trees.len() {
        let Some(attribute) = Attribute::at(&trees[i..]) else { continue };
        if attribute.name() == "doc" {
            roles[i..i + attribute.length].fill(Role::Doc);
        } else if attribute.is_for_tests() {
            let end = if attribute.inner { trees.len() } else { item_end(trees, i) };
            roles[i..end].iter_mut().filter(|role| **role == Role::Code).for_each(|role| *role = Role::Test);
        }
    }
    roles
}

/// An attribute: `#[..]` or `#![..]`.
pub(super) struct Attribute<'a> {
    group: &'a Group,
    inner: bool,
    /// In tokens.
    length: usize,
}

impl<'a> Attribute<'a> {
    /// The attribute that begins with the first of these tokens.
    pub(super) fn at(trees: &'a [TokenTree]) -> Option<Self> {
        let (group, inner) = match trees {
            [TokenTree::Punct(hash), TokenTree::Group(group), ..] if hash.as_char() == '#' => (group, false),
            [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group), ..]
                if hash.as_char() == '#' && bang.as_char() == '!' =>
            {
                (group, true)
            }
            _ => return None,
        };
        let length = if inner { 3 } else { 2 };
        (group.delimiter() == Delimiter::Bracket).then_some(Self { group, inner, length })
    }

    /// The tokens between the brackets.
    pub(super) fn tokens(&self) -> Vec<TokenTree> {
        self.group.stream().into_iter().collect()
    }

    fn name(&self) -> String {
        self.group.stream().into_iter().next().map(|first| first.to_string()).unwrap_or_default()
    }

    /// `#[test]`, `#[cfg(test)]`, `#[cfg(all(test, ..))]`.
    fn is_for_tests(&self) -> bool {
        match self.tokens().as_slice() {
            [TokenTree::Ident(name)] => name == "test",
            [TokenTree::Ident(name), TokenTree::Group(condition)] if name == "cfg" => {
                requires_test(condition.stream())
            }
            _ => false,
        }
    }
}

/// The index after the item whose attributes begin at `start`.
fn item_end(trees: &[TokenTree], start: usize) -> usize {
    let mut first = start;
    while let Some(attribute) = Attribute::at(&trees[first..]) {
        first += attribute.length;
    }
    let item = &trees[first..];
    let stop = item.iter().position(|tree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == if is_field(item) { ',' } else { ';' },
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_at_semicolon(item),
        _ => false,
    });
    stop.map_or(trees.len(), |stop| first + stop + 1)
}

/// `name: Type`, perhaps with a visibility before it.
fn is_field(item: &[TokenTree]) -> bool {
    match item {
        [TokenTree::Ident(vis), TokenTree::Group(_), rest @ ..] | [TokenTree::Ident(vis), rest @ ..]
            if vis == "pub" =>
        {
            is_field(rest)
        }
        [TokenTree::Ident(_), TokenTree::Punct(colon), ..] => colon.as_char() == ':',
        _ => false,
    }
}

/// Items in which braces are not the end: `use a::{b, c};`, `const X: T = T { .. };`.
fn ends_at_semicolon(item: &[TokenTree]) -> bool {
    let words = item.iter().filter_map(|tree| match tree {
        TokenTree::Ident(word) if word != "pub" => Some(word.to_string()),
        _ => None,
    });
    let words: Vec<String> = words.take(2).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["use" | "static" | "type" | "let", ..] => true,
        ["const", second] => !matches!(*second, "fn" | "async" | "unsafe" | "extern"),
        _ => false,
    }
}
