//! Where values are.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// Bars of a histogram between edges, and lines over it, such as the density that the values should have.
///
/// `edges` has one number more than `heights`.
pub fn histogram<C: AsRef<[(f64, f64)]>>(name: &str, edges: &[f64], heights: &[f64], lines: &[C]) -> Picture {
    drawn((720.0, 260.0), name, (edges, heights), lines)
}

/// The same for a place beside other pictures, as small as they.
pub fn small_histogram<C: AsRef<[(f64, f64)]>>(
    name: &str,
    edges: &[f64],
    heights: &[f64],
    lines: &[C],
) -> Picture {
    drawn((360.0, 230.0), name, (edges, heights), lines)
}

fn drawn<C: AsRef<[(f64, f64)]>>(
    size: (f64, f64),
    name: &str,
    (edges, heights): (&[f64], &[f64]),
    lines: &[C],
) -> Picture {
    let lines: Vec<&[(f64, f64)]> = lines.iter().map(AsRef::as_ref).collect();
    let points = || lines.iter().flat_map(|line| line.iter());
    let x = range(edges.iter().copied().chain(points().map(|p| p.0)));
    let (_, most) = range(heights.iter().copied().chain(points().map(|p| p.1)).chain([0.0]));
    let mut axes = Axes::new(size, x, (0.0, 1.05 * most));
    axes.grid(name);
    for (pair, &height) in edges.windows(2).zip(heights) {
        let (floor, roof) = ([(pair[0], 0.0), (pair[1], 0.0)], [(pair[0], height), (pair[1], height)]);
        if height.is_finite() && height > 0.0 {
            axes.area(&floor, &roof, "fill", "fill:#3b5ba5");
        }
    }
    axes.level(0.0);
    for line in &lines {
        axes.line(line, "var(--accent)");
    }
    axes.picture(&format!("Histogram of {name}"), &format!("{} bars", heights.len()))
}

/// Densities over each other, each with its points by rising x.
pub fn density<C: AsRef<[(f64, f64)]>>(name: &str, curves: &[C]) -> Picture {
    let curves: Vec<&[(f64, f64)]> = curves.iter().map(AsRef::as_ref).collect();
    let points = || curves.iter().flat_map(|curve| curve.iter());
    let (_, most) = range(points().map(|p| p.1).chain([0.0]));
    let mut axes = Axes::new((360.0, 230.0), range(points().map(|p| p.0)), (0.0, 1.05 * most));
    axes.grid(name);
    axes.level(0.0);
    for (place, curve) in curves.iter().enumerate() {
        axes.line(curve, &chain_colour(place, curves.len()));
    }
    axes.picture(&format!("Density of {name}"), &format!("{} curves", curves.len()))
}
