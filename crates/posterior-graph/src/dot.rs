//! Pictures of graphs, in the language of Graphviz.

use std::collections::BTreeMap;

use crate::marks::Marks;
use crate::{Dag, Error, FactorGraph, Mark, Names, Plates, UnGraph, VarId};

/// How a graph is drawn: a circle for each variable, shaded if it is observed, its bare name if it is fixed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawing {
    /// The title above the picture; empty for none.
    pub title: String,
    /// The variables that are observed.
    pub observed: Vec<VarId>,
    /// The variables that are fixed numbers.
    pub fixed: Vec<VarId>,
}

impl Dag {
    /// The picture in the language of Graphviz: `dot -Tsvg` draws it. Any name is quoted as it needs to be.
    ///
    /// ```
    /// use posterior_graph::{Dag, Drawing, VarId};
    ///
    /// let dag = Dag::named(["rain", "wet"], [("rain", "wet")])?;
    /// let dot = dag.to_dot(&Drawing { observed: [VarId::new(1)].into(), ..Drawing::default() })?;
    /// assert_eq!(
    ///     dot,
    ///     "digraph {\n  node [shape=circle];\n  v0 [label=\"rain\"];\n  \
    ///      v1 [label=\"wet\", style=filled, fillcolor=lightgrey];\n  v0 -> v1;\n}\n"
    /// );
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable of the drawing that does not exist, or is both observed and fixed.
    pub fn to_dot(&self, drawing: &Drawing) -> Result<String, Error> {
        let mut picture = Picture::begin("digraph", self.names(), drawing)?;
        self.variables().for_each(|v| picture.variable(v, "  "));
        self.arrows().for_each(|(a, b)| picture.line(&format!("v{} -> v{}", a.index(), b.index())));
        Ok(picture.end())
    }
}

impl UnGraph {
    /// The picture in the language of Graphviz, as [`Dag::to_dot`] with lines for arrows.
    ///
    /// # Errors
    /// As [`Dag::to_dot`].
    pub fn to_dot(&self, drawing: &Drawing) -> Result<String, Error> {
        let mut picture = Picture::begin("graph", self.names(), drawing)?;
        self.variables().for_each(|v| picture.variable(v, "  "));
        self.edges().for_each(|(a, b)| picture.line(&format!("v{} -- v{}", a.index(), b.index())));
        Ok(picture.end())
    }
}

impl FactorGraph {
    /// The picture in the language of Graphviz, as [`Dag::to_dot`], with a square `f0`, `f1`, … for each
    /// factor.
    ///
    /// # Errors
    /// As [`Dag::to_dot`].
    pub fn to_dot(&self, drawing: &Drawing) -> Result<String, Error> {
        let mut picture = Picture::begin("graph", self.names(), drawing)?;
        (0..self.variable_count()).for_each(|i| picture.variable(VarId::new(i), "  "));
        for factor in 0..self.factor_count() {
            picture.line(&format!("f{factor} [shape=square, label=\"f{factor}\"]"));
            for v in self.scope(factor) {
                picture.line(&format!("f{factor} -- v{}", v.index()));
            }
        }
        Ok(picture.end())
    }
}

impl Plates {
    /// The picture of the template in the language of Graphviz: a box around the variables of a plate. Boxes
    /// there lie inside of each other or apart, so that plates that cross are drawn more than once. O(V + E).
    pub fn to_dot(&self) -> String {
        let marks = [self.marked(Mark::Observed), self.marked(Mark::Fixed)];
        let mut picture = Picture::new("digraph", self.template().names(), "", marks);
        let mut root = Frame::default();
        for v in self.template().variables() {
            let inner = self
                .plates_of(v)
                .fold(&mut root, |outer, plate| outer.inner.entry(plate.name().to_owned()).or_default());
            inner.variables.push(v);
        }
        picture.frames(&root, &mut 0, 1);
        for (a, b) in self.template().arrows() {
            picture.line(&format!("v{} -> v{}", a.index(), b.index()));
        }
        picture.end()
    }
}

/// What is drawn inside of the same plates.
#[derive(Default)]
struct Frame {
    variables: Vec<VarId>,
    inner: BTreeMap<String, Self>,
}

/// A picture, as far as it is drawn.
struct Picture<'a> {
    text: String,
    names: &'a Names,
    observed: Marks,
    fixed: Marks,
}

impl<'a> Picture<'a> {
    fn begin(kind: &str, names: &'a Names, drawing: &Drawing) -> Result<Self, Error> {
        let marks = Marks::disjoint(names, [&drawing.observed, &drawing.fixed])?;
        Ok(Self::new(kind, names, &drawing.title, marks))
    }

    fn new(kind: &str, names: &'a Names, title: &str, [observed, fixed]: [Marks; 2]) -> Self {
        let mut picture = Self { text: format!("{kind} {{\n"), names, observed, fixed };
        if !title.is_empty() {
            picture.line(&format!("label={}; labelloc=t", quoted(title)));
        }
        picture.line("node [shape=circle]");
        picture
    }

    /// One statement.
    fn line(&mut self, statement: &str) {
        self.indented("  ", statement);
    }

    fn indented(&mut self, indent: &str, statement: &str) {
        self.text.extend([indent, statement, ";\n"]);
    }

    fn variable(&mut self, v: VarId, indent: &str) {
        let style = match (self.observed.contains(v), self.fixed.contains(v)) {
            (true, _) => ", style=filled, fillcolor=lightgrey",
            (false, true) => ", shape=plaintext",
            (false, false) => "",
        };
        let label = quoted(self.names.get(v));
        self.indented(indent, &format!("v{} [label={label}{style}]", v.index()));
    }

    /// A frame's variables and the frames inside of it, numbered on from `number`.
    fn frames(&mut self, content: &Frame, number: &mut usize, depth: usize) {
        let indent = "  ".repeat(depth);
        content.variables.iter().for_each(|&v| self.variable(v, &indent));
        for (name, inner) in &content.inner {
            let first = format!("subgraph cluster_{number} {{ label={}; labelloc=b", quoted(name));
            self.indented(&indent, &first);
            *number += 1;
            self.frames(inner, number, depth + 1);
            self.text.extend([&indent, "}\n"]);
        }
    }

    fn end(mut self) -> String {
        self.text.push_str("}\n");
        self.text
    }
}

/// A name as a label in quotes. In labels a backslash begins an escape and an ampersand an entity.
fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '&' => text.push_str("&amp;"),
            '\n' => text.push_str("\\n"),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
