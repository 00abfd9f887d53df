//! The tree of the elimination, and how many entries each column of the factor has.

use super::graph::Graph;

pub(super) const NONE: u32 = u32::MAX;

/// The parent of each column: the row of the first entry below its diagonal. `order` holds old indices,
/// `place` the new ones.
///
/// J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990).
pub(super) fn elimination_tree(graph: &Graph, order: &[u32], place: &[u32]) -> Vec<u32> {
    let n = order.len();
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for (k, &own) in order.iter().enumerate() {
        for &old in graph.neighbours(own as usize) {
            let mut i = place[old as usize];
            while (i as usize) < k {
                let next = std::mem::replace(&mut ancestor[i as usize], k as u32);
                if next == NONE {
                    parent[i as usize] = k as u32;
                    break;
                }
                i = next;
            }
        }
    }
    parent
}

/// The nodes with children before parents and each subtree together, largest child last.
pub(super) fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let mut size = vec![1_u32; n];
    for i in 0..n {
        if parent[i] != NONE {
            size[parent[i] as usize] += size[i];
        }
    }
    let (mut child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut by_size: Vec<u32> = (0..n as u32).collect();
    by_size.sort_by_key(|&i| std::cmp::Reverse(size[i as usize]));
    let mut roots = Vec::new();
    for &i in &by_size {
        match parent[i as usize] {
            NONE => roots.push(i),
            p => {
                sibling[i as usize] = child[p as usize];
                child[p as usize] = i;
            }
        }
    }
    roots.sort_unstable();
    let mut order = Vec::with_capacity(n);
    for root in roots {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            let next = child[top as usize];
            if next == NONE {
                order.push(top);
                stack.pop();
            } else {
                child[top as usize] = sibling[next as usize];
                stack.push(next);
            }
        }
    }
    order
}

/// The number of entries of each column of the factor, the diagonal included, of a postordered matrix.
///
/// J. R. Gilbert, E. G. Ng, B. W. Peyton, An efficient algorithm to compute row and column counts for sparse
/// Cholesky factorization, SIAM J. Matrix Anal. Appl. 15 (1994).
pub(super) fn column_counts(graph: &Graph, order: &[u32], place: &[u32], parent: &[u32]) -> Vec<u32> {
    let n = order.len();
    let mut first: Vec<u32> = (0..n as u32).collect();
    let mut leaf = vec![true; n];
    for j in 0..n {
        if parent[j] != NONE {
            let p = parent[j] as usize;
            first[p] = first[p].min(first[j]);
            leaf[p] = false;
        }
    }
    let mut count: Vec<i64> = leaf.iter().map(|&leaf| i64::from(leaf)).collect();
    let mut ancestor: Vec<u32> = (0..n as u32).collect();
    // Of each row: the largest first descendant seen, and the last leaf of its subtree.
    let mut largest = vec![NONE; n];
    let mut last = vec![NONE; n];
    for j in 0..n {
        if parent[j] != NONE {
            count[parent[j] as usize] -= 1;
        }
        for &old in graph.neighbours(order[j] as usize) {
            let i = place[old as usize] as usize;
            if i <= j || (largest[i] != NONE && largest[i] >= first[j]) {
                continue;
            }
            largest[i] = first[j];
            count[j] += 1;
            let before = std::mem::replace(&mut last[i], j as u32);
            if before != NONE {
                count[root(&mut ancestor, before) as usize] -= 1;
            }
        }
        if parent[j] != NONE {
            ancestor[j] = parent[j];
        }
    }
    for j in 0..n {
        if parent[j] != NONE {
            count[parent[j] as usize] += count[j];
        }
    }
    count.into_iter().map(|count| count as u32).collect()
}

/// The end of a path, which is shortened.
fn root(ancestor: &mut [u32], from: u32) -> u32 {
    let mut end = from;
    while ancestor[end as usize] != end {
        end = ancestor[end as usize];
    }
    let mut at = from;
    while at != end {
        at = std::mem::replace(&mut ancestor[at as usize], end);
    }
    end
}
