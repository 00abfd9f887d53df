//! Blocks and functions, and how reading goes on after an error.

use super::declarations::Place;
use super::{MOST_ERRORS, Parsed, Parser};
use crate::ast::{
    BlockBody, BlockKind, FunctionArgument, FunctionDefinition, FunctionsBlock, Statement, Tree,
};
use crate::diagnostic::Diagnostic;
use crate::token::Token;

impl Parser<'_> {
    /// The whole program; its errors are in `errors`.
    pub(crate) fn program(&mut self) -> Tree {
        let mut tree = Tree::default();
        let mut earliest = 0;
        while self.errors.len() < MOST_ERRORS {
            let Some(kind) = self.block_kind() else {
                if self.peek() == Token::End && self.stopped.is_none() {
                    break;
                }
                let error = self.wrong_block(earliest);
                self.errors.push(error);
                if !self.skip_to_block() {
                    break;
                }
                continue;
            };
            if (kind as usize) < earliest {
                let error = self.wrong_block(earliest);
                self.errors.push(error);
            }
            earliest = earliest.max(kind as usize + 1);
            if let Err(error) = self.block(kind, &mut tree) {
                self.errors.push(error);
                if !self.skip_to_block() {
                    break;
                }
            }
        }
        tree.expressions = self.next_id;
        tree
    }

    fn block_kind(&self) -> Option<BlockKind> {
        match self.peek() {
            Token::Word(word) | Token::Block(word) => BlockKind::of_name(word),
            _ => None,
        }
    }

    fn wrong_block(&self, earliest: usize) -> Diagnostic {
        let known = BlockKind::ALL.map(BlockKind::name);
        let left = known[earliest..].iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
        let error = if left.is_empty() {
            self.unexpected("the end of the file")
        } else {
            self.unexpected(&format!("a block ({}) or the end of the file", left.join(", ")))
        };
        if self.block_kind().is_some() {
            return error.with_help(format!("blocks come in this order: {}", known.join(", ")));
        }
        let word = self.span().of(self.text);
        let near = crate::nearest::nearest(word, known).map(|near| format!("did you mean `{near}`?"));
        error.with_help_if(near)
    }

    /// Goes on at the next block; `false` if there is none.
    fn skip_to_block(&mut self) -> bool {
        if self.peek() != Token::End {
            self.next();
        }
        while self.peek() != Token::End {
            if self.block_kind().is_some() && self.peek_after() == Token::Sign("{") {
                return true;
            }
            self.next();
        }
        false
    }

    fn block(&mut self, kind: BlockKind, tree: &mut Tree) -> Parsed<()> {
        let start = self.next();
        self.expect("{")?;
        if kind == BlockKind::Functions {
            let mut definitions = Vec::new();
            while !self.take("}") {
                definitions.push(self.function()?);
            }
            tree.functions = Some(FunctionsBlock { definitions, span: self.since(start) });
            return Ok(());
        }
        let place = match kind {
            BlockKind::Data | BlockKind::Parameters => Place::Given,
            BlockKind::Model => Place::Local,
            _ => Place::Top,
        };
        let statements = self.statements(place)?;
        tree.blocks.push(BlockBody { kind, statements, span: self.since(start) });
        Ok(())
    }

    /// Statements up to a closing brace, which is taken. After an error it goes on behind the next `;`.
    pub(super) fn statements(&mut self, place: Place) -> Parsed<Vec<Statement>> {
        let mut out = Vec::new();
        let open = self.last();
        while !self.take("}") {
            let parsed = match place {
                Place::Given if self.is_type() => self.declaration(place, &mut out),
                Place::Given => Err(self.unexpected("a declaration or `}`")),
                _ if self.peek() == Token::End => Err(self.unexpected("a statement or `}`")),
                _ => self.statement(place, &mut out),
            };
            if let Err(error) = parsed {
                let deep = error.message.starts_with("nested");
                let error = if self.peek() == Token::End && error.help.is_empty() {
                    let line = crate::span::position(self.text, open.start).line;
                    error.with_help(format!("the brace that is opened in line {line} is not closed"))
                } else {
                    error
                };
                if deep || self.errors.len() + 1 >= MOST_ERRORS || !self.skip_statement() {
                    return Err(error);
                }
                self.errors.push(error);
            }
        }
        Ok(out)
    }

    /// Goes behind the next `;` of this block, or before its `}`; `false` if neither comes.
    fn skip_statement(&mut self) -> bool {
        let before = self.at;
        let mut open = 0;
        while self.peek() != Token::End {
            match self.peek() {
                Token::Sign("{") => open += 1,
                Token::Sign("}") if open == 0 => return true,
                Token::Sign("}") => open -= 1,
                Token::Sign(";") if open == 0 => {
                    self.next();
                    return true;
                }
                _ if self.block_kind().is_some() && self.peek_after() == Token::Sign("{") => break,
                _ => {}
            }
            self.next();
        }
        self.at = before;
        false
    }

    fn function(&mut self) -> Parsed<FunctionDefinition> {
        let start = self.span();
        let returns = if self.is_word("void") {
            self.next();
            None
        } else if self.is_type() {
            Some(self.unsized_type()?)
        } else {
            return Err(self.unexpected("`void`, a type or `}`"));
        };
        let name = self.name("the name of the function")?;
        self.expect("(")?;
        let args = if self.take(")") { Vec::new() } else { self.list(")", Self::argument)? };
        self.defined.insert(name.text.clone());
        let announced = self.take(";");
        let body = if announced { None } else { Some(self.function_body()?) };
        Ok(FunctionDefinition { returns, name, args, body, span: self.since(start) })
    }

    fn argument(&mut self) -> Parsed<FunctionArgument> {
        let data = self.is_word("data");
        if data {
            self.next();
        }
        if !self.is_type() {
            return Err(self.unexpected("the type of an argument"));
        }
        let of = self.unsized_type()?;
        let name = self.name("the name of the argument")?;
        Ok(FunctionArgument { data, of, name })
    }
}
