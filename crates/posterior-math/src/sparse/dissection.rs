//! Nested dissection by coordinates: both halves first, what separates them last.
//!
//! A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10 (1973).

use super::graph::Graph;
use super::minimum_degree::minimum_degree;

/// Parts of this size are left to the minimum degree.
const LEAF: usize = 120;

/// An order of nodes that lie at these points; nodes that are not near to their neighbours cost fill only.
pub(super) fn dissection(graph: &Graph, points: &[Vec<f64>]) -> Vec<u32> {
    let mut nodes: Vec<u32> = (0..graph.size() as u32).collect();
    let mut place = vec![u32::MAX; graph.size()];
    let mut side = vec![false; graph.size()];
    let mut order = Vec::with_capacity(graph.size());
    dissect(graph, points, &mut nodes, &mut place, &mut side, &mut order);
    order
}

fn dissect(
    graph: &Graph,
    points: &[Vec<f64>],
    nodes: &mut [u32],
    place: &mut [u32],
    side: &mut [bool],
    order: &mut Vec<u32>,
) {
    let Some(axis) = longest_axis(points, nodes).filter(|_| nodes.len() > LEAF) else {
        let part = graph.induced(nodes, place);
        order.extend(minimum_degree(&part).into_iter().map(|i| nodes[i as usize]));
        return;
    };
    let at = |i: &u32| points[*i as usize][axis];
    let middle = nodes.len() / 2;
    nodes.select_nth_unstable_by(middle, |i, j| at(i).total_cmp(&at(j)).then(i.cmp(j)));
    // Planes are not cut through: nodes level with the middle go to one side.
    let level = at(&nodes[middle]);
    let below = partition(nodes, |i| at(i) < level);
    let upto = partition(nodes, |i| at(i) <= level);
    let split =
        if middle - below <= upto - middle && below > 0 || upto == nodes.len() { below } else { upto };
    partition(nodes, |i| if split == below { at(i) < level } else { at(i) <= level });
    for &i in &nodes[split..] {
        side[i as usize] = true;
    }
    let (first, second) = nodes.split_at_mut(split);
    let inner = partition(first, |&i| !graph.neighbours(i as usize).iter().any(|&j| side[j as usize]));
    for &i in &*second {
        side[i as usize] = false;
    }
    let (inside, separator) = first.split_at_mut(inner);
    dissect(graph, points, inside, place, side, order);
    dissect(graph, points, second, place, side, order);
    separator.sort_unstable();
    order.extend_from_slice(separator);
}

/// The axis along which points are spread most; none if all points are one.
fn longest_axis(points: &[Vec<f64>], nodes: &[u32]) -> Option<usize> {
    let first = points.get(*nodes.first()? as usize)?;
    let spread = |axis: usize| {
        let values = nodes.iter().map(|&i| points[i as usize][axis]);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let longest = (0..first.len()).max_by(|&a, &b| spread(a).total_cmp(&spread(b)))?;
    (spread(longest) > 0.0).then_some(longest)
}

/// Moves those that pass to the front and returns how many there are.
fn partition(nodes: &mut [u32], passes: impl Fn(&u32) -> bool) -> usize {
    let mut front = 0;
    for k in 0..nodes.len() {
        if passes(&nodes[k]) {
            nodes.swap(front, k);
            front += 1;
        }
    }
    front
}
