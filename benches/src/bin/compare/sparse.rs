//! Times of sparse Cholesky factors on grids, beside CHOLMOD (by cvxopt) when a Python program is named.

use std::path::Path;
use std::sync::Arc;

use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Conversation;
use posterior_benches::timing::cpu_seconds;
use posterior_math::sparse::{Ordering, SparseCholesky, SparseSymbolic, SparseSymmetric};

/// So many nodes are worked on in all, grid after grid, as clocks of processor time may tick slowly.
const NODES: usize = 200_000;

/// How far two logarithms of a determinant may be apart, for each node.
const TOLERANCE: f64 = 1e-9;

/// Prints the table.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let full: [&[usize]; 8] =
        [&[32; 2], &[100; 2], &[317; 2], &[1000; 2], &[10; 3], &[22; 3], &[32; 3], &[46; 3]];
    let quick: [&[usize]; 2] = [&[20; 2], &[6; 3]];
    let shapes = settings.size(&full[..], &quick[..]);
    let mut peer = match settings.script("sparse.py", Path::new("."), 1) {
        Some(script) => Some(Conversation::start(script)?),
        None => None,
    };
    println!("ms of CPU time, one thread; the selected inverse is the diagonal of the inverse and more\n");
    let figures = [
        "nodes",
        "order",
        "factor",
        "solution",
        "selected inverse",
        "by dissection: order",
        "factor",
        "selected inverse",
        "CHOLMOD: order",
        "factor",
        "solution",
        "factor / CHOLMOD",
        "best factor / CHOLMOD",
    ];
    print_head(&["grid"], &figures);
    for shape in shapes {
        let (matrix, points) = grid(shape)?;
        let runs = (NODES / matrix.size()).clamp(1, 200);
        let own = Times::of(&matrix, &Ordering::MinimumDegree, runs)?;
        let dissected = Times::of(&matrix, &Ordering::Dissection(points), runs)?;
        let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
        let theirs = match &mut peer {
            Some(peer) => peer.ask(&format!("{runs} {}", sides.join(" ")))?,
            None => [f64::NAN, f64::NAN, f64::NAN, own.ln_determinant],
        };
        for other in [dissected.ln_determinant, theirs[3]] {
            if !((own.ln_determinant - other).abs() <= TOLERANCE * matrix.size() as f64) {
                return Err(format!("ln |A| is {} and {other}", own.ln_determinant).into());
            }
        }
        let ms = |seconds: f64| figure(1e3 * seconds, 1);
        print_row(&[
            sides.join(" x "),
            matrix.size().to_string(),
            ms(own.analysis),
            ms(own.factor),
            ms(own.solution),
            ms(own.selected),
            ms(dissected.analysis),
            ms(dissected.factor),
            ms(dissected.selected),
            ms(theirs[0]),
            ms(theirs[1]),
            ms(theirs[2]),
            ratio(own.factor, theirs[1]),
            ratio(own.factor.min(dissected.factor), theirs[1]),
        ]);
    }
    Ok(())
}

/// CPU seconds.
struct Times {
    analysis: f64,
    factor: f64,
    solution: f64,
    selected: f64,
    ln_determinant: f64,
}

impl Times {
    fn of(matrix: &SparseSymmetric, ordering: &Ordering, runs: usize) -> Outcome<Self> {
        let (symbolic, analysis) = timed(runs, || SparseSymbolic::new(matrix, ordering));
        let symbolic = Arc::new(symbolic?);
        let (made, factor) = timed(runs, || SparseCholesky::with_symbolic(&symbolic, matrix));
        let made = made?;
        let (_, solution) = timed(runs, || {
            let mut right = vec![1.0; matrix.size()];
            made.solve_slice_in_place(&mut right);
            right
        });
        let (inverse, selected) = timed(runs, || made.selected_inverse());
        let trace = inverse.trace_of_product(matrix)?;
        if !((trace - matrix.size() as f64).abs() <= TOLERANCE * matrix.size() as f64) {
            return Err(format!("the trace of the inverse times the matrix is {trace}").into());
        }
        Ok(Self { analysis, factor, solution, selected, ln_determinant: made.ln_determinant() })
    }
}

/// The result, and the time of one of so many runs.
fn timed<T>(runs: usize, work: impl Fn() -> T) -> (T, f64) {
    let start = cpu_seconds();
    let mut result = work();
    for _ in 1..runs {
        result = work();
    }
    (result, (cpu_seconds() - start) / runs as f64)
}

/// The Laplacian of a grid plus a tenth of the identity, and where its nodes lie.
fn grid(shape: &[usize]) -> Outcome<(SparseSymmetric, Vec<Vec<f64>>)> {
    let nodes: usize = shape.iter().product();
    let (mut entries, mut points) = (Vec::new(), Vec::new());
    for index in 0..nodes {
        entries.push((index, index, 0.1));
        let (mut rest, mut stride, mut point) = (index, 1, Vec::new());
        for &length in shape {
            let at = rest % length;
            point.push(at as f64);
            if at + 1 < length {
                let next = index + stride;
                entries.extend([(index, index, 1.0), (next, next, 1.0), (next, index, -1.0)]);
            }
            rest /= length;
            stride *= length;
        }
        points.push(point);
    }
    Ok((SparseSymmetric::from_triplets(nodes, entries)?, points))
}
