//! Times of minimum cuts of images, beside PyMaxflow when a Python program is named.

use std::fs;
use std::path::Path;

use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::grids::{GridProblem, grid_problems};
use posterior_benches::peers::Conversation;
use posterior_benches::timing::cpu_seconds;
use posterior_inference::graph_cut::{FlowNetwork, GridEnergy};

/// Runs of each; the fastest counts, because only disturbances make a run slower.
const RUNS: usize = 7;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let problems = grid_problems(settings.size(&[512, 1024], &[64]));
    let folder = tempfile::tempdir()?;
    let mut peer = start(settings, folder.path(), &problems)?;
    println!("ms of CPU time to build and cut, one thread, the fastest of {RUNS} runs that take turns\n");
    let figures = [
        "energy",
        "grid",
        "any network",
        "PyMaxflow: build",
        "flow",
        "grid / PyMaxflow",
        "any network / PyMaxflow",
    ];
    print_head(&["image"], &figures);
    for (number, problem) in problems.iter().enumerate() {
        let mut least = [f64::INFINITY; 4];
        let mut energy = 0.0;
        for _ in 0..RUNS {
            let (grid, found) = on_grid(problem)?;
            let (general, flow) = on_network(problem)?;
            let [build, cut, theirs] = match &mut peer {
                Some(peer) => peer.ask(&format!("{number} {}", problem.side))?,
                None => [f64::NAN, f64::NAN, found],
            };
            if found != flow || found != theirs {
                return Err(format!("{}: energies {found}, {flow}, {theirs}", problem.name).into());
            }
            energy = found;
            for (least, time) in least.iter_mut().zip([grid, general, build, cut]) {
                *least = least.min(time);
            }
        }
        let [grid, general, build, cut] = least.map(|seconds| seconds * 1e3);
        let theirs = build + cut;
        print_row(&[
            problem.name.clone(),
            figure(energy, 0),
            figure(grid, 1),
            figure(general, 1),
            figure(build, 1),
            figure(cut, 1),
            ratio(grid, theirs),
            ratio(general, theirs),
        ]);
    }
    Ok(())
}

/// Seconds and energy of [`GridEnergy`].
fn on_grid(problem: &GridProblem) -> Outcome<(f64, f64)> {
    let (data, right, below) = (problem.data.clone(), problem.right.clone(), problem.below.clone());
    let start = cpu_seconds();
    let energy = GridEnergy::new(problem.side, problem.side, data)?.with_weights(right, below)?;
    let minimum = energy.minimize()?;
    let time = cpu_seconds() - start;
    if minimum.energy != minimum.bound() {
        return Err("a minimum without its proof".into());
    }
    Ok((time, minimum.energy))
}

/// Seconds and value of [`FlowNetwork`], built edge by edge.
fn on_network(problem: &GridProblem) -> Outcome<(f64, f64)> {
    let side = problem.side;
    let start = cpu_seconds();
    let mut network = FlowNetwork::new(side * side)?;
    for (pixel, &[zero, one]) in problem.data.iter().enumerate() {
        network.add_terminal(pixel, one, zero)?;
    }
    for pixel in 0..side * side {
        let (row, column) = (pixel / side, pixel % side);
        if column + 1 < side {
            let weight = problem.right[pixel - row];
            network.add_edge(pixel, pixel + 1, weight, weight)?;
        }
        if row + 1 < side {
            let weight = problem.below[pixel];
            network.add_edge(pixel, pixel + side, weight, weight)?;
        }
    }
    let cut = network.min_cut()?;
    Ok((cpu_seconds() - start, cut.value))
}

/// The Python program with the problems in this folder: it waits for their numbers and sides, and answers
/// with CPU seconds of building and of the flow, and the energy.
fn start(settings: &Settings, folder: &Path, problems: &[GridProblem]) -> Outcome<Option<Conversation>> {
    let Some(script) = settings.script("graph_cut.py", folder, 1) else { return Ok(None) };
    for (number, problem) in problems.iter().enumerate() {
        let side = problem.side;
        let mut right = vec![0.0; side * side];
        for (padded, row) in right.chunks_exact_mut(side).zip(problem.right.chunks_exact(side - 1)) {
            padded[..side - 1].copy_from_slice(row);
        }
        let mut below = problem.below.clone();
        below.resize(side * side, 0.0);
        let label = |k: usize| problem.data.iter().map(|pixel| pixel[k]).collect();
        for (part, numbers) in [("zero", label(0)), ("one", label(1)), ("right", right), ("below", below)] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|&x: &f64| (x as i64).to_ne_bytes()).collect();
            fs::write(folder.join(format!("{number}.{part}")), bytes)?;
        }
    }
    Conversation::start(script).map(Some)
}
