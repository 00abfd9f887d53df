//! Types and declarations.

use super::{Parsed, Parser};
use crate::ast::{
    Declaration, Element, Expr, SizedType, Statement, StatementKind, TypeBounds, UnsizedElement, UnsizedType,
};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::Token;

/// Where a declaration stands: what it may say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the blocks of data and of parameters: bounds, no values.
    Given,
    /// At the top of another block: bounds and values.
    Top,
    /// In a function, in the model or inside braces: values, no bounds.
    Local,
}

impl Parser<'_> {
    /// Whether a type begins here.
    pub(super) fn is_type(&self) -> bool {
        match self.peek() {
            Token::Word("array" | "tuple") => true,
            Token::Word(word) => Element::of_word(word).is_some(),
            _ => false,
        }
    }

    pub(super) fn sized_type(&mut self, place: Place) -> Parsed<SizedType> {
        self.deeper(|parser| parser.sized_type_here(place))
    }

    fn sized_type_here(&mut self, place: Place) -> Parsed<SizedType> {
        let start = self.span();
        let mut array = Vec::new();
        if self.is_word("array") {
            self.next();
            self.expect("[")?;
            array = self.list("]", Self::expression)?;
        }
        if self.is_word("tuple") {
            self.next();
            let members = self.tuple_members(|parser| parser.sized_type(place))?;
            let span = self.since(start);
            let element = Element::Tuple(members);
            return Ok(SizedType { array, element, sizes: Vec::new(), bounds: TypeBounds::default(), span });
        }
        let element = self.element(place != Place::Local)?;
        let mut bounds = TypeBounds::default();
        if element.takes_bounds() && place != Place::Local && self.is("<") {
            bounds = self.bounds(&element)?;
        }
        let mut sizes = Vec::new();
        if element.sizes() > 0 {
            self.expect("[")?;
            sizes.push(self.expression()?);
            let square = element == Element::CholeskyFactorCov && self.is("]");
            if element.sizes() == 2 && !square {
                self.expect(",")?;
                sizes.push(self.expression()?);
            }
            self.expect("]")?;
        }
        Ok(SizedType { array, element, sizes, bounds, span: self.since(start) })
    }

    fn element(&mut self, constrained: bool) -> Parsed<Element> {
        let found = match self.peek() {
            Token::Word(word) => Element::of_word(word),
            _ => None,
        };
        match found {
            Some(element) if constrained || !element.is_constrained() => {
                self.next();
                Ok(element)
            }
            Some(element) => Err(self.unexpected("an unconstrained type").with_help(format!(
                "`{}` is a constraint: it stands at the top of the data and parameters blocks and of those that follow them",
                element.word()
            ))),
            None => Err(self.unexpected("a type")),
        }
    }

    /// `(a, b)` of a tuple; one member needs a comma after it.
    fn tuple_members<T>(&mut self, mut member: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("(")?;
        let mut members = vec![member(self)?];
        self.expect(",")?;
        if !self.take(")") {
            members.extend(self.list(")", member)?);
        }
        Ok(members)
    }

    fn bounds(&mut self, element: &Element) -> Parsed<TypeBounds> {
        self.next();
        let mut bounds = TypeBounds::default();
        let names = match self.peek() {
            Token::Word("lower" | "upper") => ["lower", "upper"],
            Token::Word("offset" | "multiplier") if *element != Element::Int => ["offset", "multiplier"],
            _ if *element == Element::Int => return Err(self.unexpected("`lower` or `upper`")),
            _ => return Err(self.unexpected("`lower`, `upper`, `offset` or `multiplier`")),
        };
        for round in 0..2 {
            let name = names
                .into_iter()
                .find(|name| self.is_word(name))
                .filter(|name| slot(&mut bounds, name).is_none());
            let Some(name) = name else {
                let open = names.iter().filter(|name| slot(&mut bounds, name).is_none());
                let open = open.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
                return Err(self.unexpected(&open));
            };
            self.next();
            self.expect("=")?;
            *slot(&mut bounds, name) = Some(self.bound()?);
            if round == 1 || !self.take(",") {
                break;
            }
        }
        if self.take(">") { Ok(bounds) } else { Err(self.unexpected("`,` or `>`")) }
    }

    /// A declaration; several if old array sizes differ between its names.
    pub(super) fn declaration(&mut self, place: Place, out: &mut Vec<Statement>) -> Parsed<()> {
        let start = self.span();
        let sized = self.sized_type(place)?;
        let mut groups: Vec<(Vec<Expr>, Declaration)> = Vec::new();
        loop {
            let name = self.name("the name of the variable")?;
            let old = self.old_sizes(&sized)?;
            let value = if place != Place::Given && self.take("=") { Some(self.expression()?) } else { None };
            match groups.last_mut() {
                Some((sizes, declaration)) if old.is_empty() && sizes.is_empty() => {
                    declaration.variables.push((name, value));
                }
                _ => {
                    let mut sized = sized.clone();
                    self.renumber(&mut sized, groups.is_empty());
                    let inner = std::mem::replace(&mut sized.array, old.clone());
                    sized.array.extend(inner);
                    groups.push((old, Declaration { sized, variables: vec![(name, value)] }));
                }
            }
            if !self.take(",") {
                break;
            }
        }
        if !self.is(";") {
            let more = if place == Place::Given { "`,` or `;`" } else { "`=`, `,` or `;`" };
            let error = self.unexpected(more);
            let given = place == Place::Given && self.is("=");
            return Err(if given { error.with_help("what is given has no value here") } else { error });
        }
        self.next();
        let span = self.since(start);
        out.extend(
            groups.into_iter().map(|(_, declaration)| Statement {
                kind: StatementKind::Declare(Box::new(declaration)),
                span,
            }),
        );
        Ok(())
    }

    /// Sizes after the name, as arrays were declared before 2.33.
    fn old_sizes(&mut self, sized: &SizedType) -> Parsed<Vec<Expr>> {
        if !self.is("[") {
            return Ok(Vec::new());
        }
        let start = self.next();
        let sizes = self.list("]", Self::expression)?;
        let span = self.since(start);
        let today = format!("today: array{} {} name", span.of(self.text), sized.span.of(self.text));
        self.note(span, "sizes of an array after its name".to_owned(), &today);
        Ok(sizes)
    }

    /// Gives the copy of a type its own ids.
    fn renumber(&mut self, sized: &mut SizedType, first: bool) {
        if !first {
            crate::ast_walk::for_each_size(sized, &mut |expr| {
                expr.id = self.next_id;
                self.next_id += 1;
            });
        }
    }

    pub(super) fn unsized_type(&mut self) -> Parsed<UnsizedType> {
        self.deeper(Self::unsized_type_here)
    }

    fn unsized_type_here(&mut self) -> Parsed<UnsizedType> {
        let start = self.span();
        let mut dims = 0;
        if self.is_word("array") {
            self.next();
            dims = self.commas()?;
        }
        let element = if self.is_word("tuple") {
            self.next();
            UnsizedElement::Tuple(self.tuple_members(Self::unsized_type)?)
        } else {
            UnsizedElement::Plain(self.element(false)?)
        };
        if dims == 0 && self.is("[") && matches!(self.peek_after(), Token::Sign("]" | ",")) {
            let kind = self.since(start);
            let sign = self.span();
            dims = self.commas()?;
            let span = self.since(sign);
            let today = format!("today: array{} {}", span.of(self.text), kind.of(self.text));
            self.note(span, "dimensions of an array after its type".to_owned(), &today);
        }
        Ok(UnsizedType { dims, element, span: self.since(start) })
    }

    /// `[,,]`: how many dimensions.
    fn commas(&mut self) -> Parsed<usize> {
        let start: Span = self.expect("[")?;
        let mut dims = 1;
        while self.take(",") {
            dims += 1;
        }
        if !self.take("]") {
            return Err(self.unexpected("`,` or `]`"));
        }
        if dims > 100 {
            return Err(Diagnostic::error(start, format!("an array of {dims} dimensions; at most 100")));
        }
        Ok(dims)
    }
}

fn slot<'b>(bounds: &'b mut TypeBounds, name: &str) -> &'b mut Option<Expr> {
    match name {
        "lower" => &mut bounds.lower,
        "upper" => &mut bounds.upper,
        "offset" => &mut bounds.offset,
        _ => &mut bounds.multiplier,
    }
}
