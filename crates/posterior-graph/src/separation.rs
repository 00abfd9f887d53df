//! The answer to "does this set separate those two?": yes, or a path that says why not.

mod directed;
mod requisite;
mod undirected;

use std::fmt;

pub use self::requisite::Requisite;
use crate::{Names, VarId};

/// Whether two sets of variables are separated by a third.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Separation {
    /// They are: whatever distribution factorises over the graph, the two sets are independent given the
    /// third.
    Separated,
    /// They are not: influence can flow along this path, one of the shortest.
    Active(ActivePath),
}

impl Separation {
    /// Whether they are separated.
    pub const fn is_separated(&self) -> bool {
        matches!(self, Self::Separated)
    }

    /// The path that connects them, if one does.
    pub const fn path(&self) -> Option<&ActivePath> {
        match self {
            Self::Separated => None,
            Self::Active(path) => Some(path),
        }
    }
}

/// A path along which influence flows: `D -> G <- I (G is observed)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePath {
    names: Names,
    nodes: Vec<VarId>,
    links: Vec<Link>,
    colliders: Vec<Collider>,
}

impl ActivePath {
    /// The variables along the path, from one of the first set to one of the second; no variable comes twice.
    pub fn nodes(&self) -> &[VarId] {
        &self.nodes
    }

    /// How each variable is joined to the next: one less than there are variables.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The variables in which two arrows of the path meet, in its order, and why each lets influence through.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }
}

/// How a variable of a path is joined to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// An arrow to the next variable, `->`.
    Forward,
    /// An arrow from the next variable, `<-`.
    Backward,
    /// An edge without direction, `-`.
    Undirected,
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Forward => "->",
            Self::Backward => "<-",
            Self::Undirected => "-",
        })
    }
}

/// A variable in which two arrows of a path meet: it blocks, unless it or a descendant is observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collider {
    /// The variable.
    pub node: VarId,
    /// What is observed: the variable itself, or the nearest of its observed descendants.
    pub opened_by: VarId,
}

impl fmt::Display for ActivePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |v: VarId| self.names.get(v);
        if let Some(&first) = self.nodes.first() {
            f.write_str(name(first))?;
        }
        for (link, &node) in self.links.iter().zip(self.nodes.iter().skip(1)) {
            write!(f, " {link} {}", name(node))?;
        }
        for (i, collider) in self.colliders.iter().enumerate() {
            f.write_str(if i == 0 { " (" } else { "; " })?;
            if collider.node == collider.opened_by {
                write!(f, "{} is observed", name(collider.node))?;
            } else {
                write!(f, "{} below {} is observed", name(collider.opened_by), name(collider.node))?;
            }
        }
        f.write_str(if self.colliders.is_empty() { "" } else { ")" })
    }
}
