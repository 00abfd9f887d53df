//! Linear equations of Markov chains, solved without subtraction.

use posterior_math::linalg::DMatrix;

/// Solves x = b + Q x for a chain that moves by Q between n states until it exits.
///
/// The diagonal of Q is not read: what a state keeps is what is neither moved nor exits, so that no digit is
/// lost where it keeps almost all. Eliminating a state adds the ways through it to the ways between the
/// others. None if a state that is left alone never exits.
pub(super) fn solve(mut moves: DMatrix<f64>, mut exits: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = exits.len();
    let mut leaves = vec![0.0; n];
    for k in 0..n {
        let leave = exits[k] + (k + 1..n).map(|j| moves[(k, j)]).sum::<f64>();
        if !(leave > 0.0) {
            return None;
        }
        leaves[k] = leave;
        for i in k + 1..n {
            let through = moves[(i, k)] / leave;
            if through > 0.0 {
                for j in k + 1..n {
                    moves[(i, j)] += through * moves[(k, j)];
                }
                moves[(i, i)] = 0.0;
                exits[i] += through * exits[k];
                b[i] += through * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let later: f64 = (k + 1..n).map(|j| moves[(k, j)] * b[j]).sum();
        b[k] = (b[k] + later) / leaves[k];
    }
    Some(b)
}
