//! Functions whose course depends on their arguments: a graph for each course that was taken lately.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Graph, Workspace};

/// How many courses are kept for each thread.
const KEPT: usize = 8;

/// What threads evaluate a function with.
#[derive(Debug, Default)]
pub(crate) struct Courses {
    first: Option<Arc<Graph>>,
    free: Mutex<Vec<Kept>>,
}

/// Graphs of one thread with their arrays, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Kept(Vec<(Arc<Graph>, Workspace)>);

impl Courses {
    /// Those of a function that was recorded at a point.
    pub(crate) fn new(first: Graph) -> Self {
        Self { first: Some(Arc::new(first)), free: Mutex::default() }
    }

    /// The graph that was recorded first.
    pub(crate) fn first(&self) -> Option<&Graph> {
        self.first.as_deref()
    }

    /// Lends graphs and arrays that no other thread has.
    pub(crate) fn with<T>(&self, evaluate: impl FnOnce(&mut Kept) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let own = || Kept(self.first.iter().map(|graph| (Arc::clone(graph), graph.workspace())).collect());
        let mut kept = free().pop().unwrap_or_else(own);
        let outcome = evaluate(&mut kept);
        free().push(kept);
        outcome
    }
}

impl Kept {
    /// The graph of the course that is taken at a point, and its values there. `record` makes one where none
    /// that is kept holds.
    pub(crate) fn at<E>(
        &mut self,
        x: &[f64],
        record: impl FnOnce(&[f64]) -> Result<Graph, E>,
    ) -> Result<(&Graph, &mut Workspace), E> {
        let found = self.0.iter_mut().position(|(graph, workspace)| {
            !graph.once && {
                graph.forward(x, workspace);
                graph.holds(workspace)
            }
        });
        if let Some(at) = found {
            self.0[..=at].rotate_right(1);
        } else {
            let graph = Arc::new(record(x)?);
            let mut workspace = graph.workspace();
            graph.forward(x, &mut workspace);
            self.0.retain(|(graph, _)| !graph.once);
            self.0.truncate(KEPT - 1);
            self.0.insert(0, (graph, workspace));
        }
        let (graph, workspace) = &mut self.0[0];
        Ok((graph, workspace))
    }
}
