//! Calls that were written in another way before version 2.33.

use super::Parser;
use crate::ast::{Expr, ExprKind, Name};

/// Suffixes of functions that take what is distributed before a bar.
const CONDITIONAL: [&str; 5] = ["_lpdf", "_lpmf", "_lcdf", "_lccdf", "_cdf"];

impl Parser<'_> {
    /// What an old call is today, with a note; a missing bar is set.
    pub(super) fn old_call(
        &mut self,
        function: &Name,
        args: &mut Vec<Expr>,
        bar: &mut bool,
    ) -> Option<ExprKind> {
        let name = function.text.as_str();
        if self.defined.contains(name) && !CONDITIONAL.iter().any(|suffix| name.ends_with(suffix)) {
            return None;
        }
        if !*bar && args.len() > 1 && CONDITIONAL.iter().any(|suffix| name.ends_with(suffix)) {
            let message = format!("`{name}` without a bar after its first argument");
            self.note(function.span, message, &format!("today: {name}(y | ...)"));
            *bar = true;
        } else if name == "get_lp" && args.is_empty() {
            self.note(function.span, "`get_lp()`".to_owned(), "today: `target()`");
            return Some(ExprKind::Target);
        } else if name == "if_else" && args.len() == 3 {
            self.note(function.span, "`if_else`".to_owned(), "today: `condition ? a : b`");
            let three: Result<[Expr; 3], _> = std::mem::take(args).try_into();
            return three.ok().map(|three| self.conditional_in_parens(three, function));
        }
        None
    }

    /// `(condition ? a : b)`, as it can stand wherever the call stood.
    fn conditional_in_parens(&mut self, three: [Expr; 3], function: &Name) -> ExprKind {
        let span = self.since(function.span);
        let depth = 1 + three.iter().map(|one| one.depth).max().unwrap_or(0);
        let id = self.next_id;
        self.next_id += 1;
        ExprKind::Paren(Box::new(Expr { id, kind: ExprKind::Conditional(Box::new(three)), span, depth }))
    }
}
