//! A walk through two coordinates.

use crate::Picture;
use crate::axes::{Axes, range};

/// Points as dots, and the first steps of a walk through them as a line with larger dots.
pub fn path(name: &str, (x_name, y_name): (&str, &str), dots: &[(f64, f64)], walk: &[(f64, f64)]) -> Picture {
    let points = || dots.iter().chain(walk);
    let mut axes = Axes::new((480.0, 420.0), range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    axes.grid(&format!("{x_name}; upwards {y_name}"));
    for &dot in dots {
        axes.dot(dot, 1.3, "var(--soft)");
    }
    axes.line(walk, "var(--accent)");
    for &step in walk {
        axes.dot(step, 2.6, "var(--accent)");
    }
    let description =
        format!("{} points of {x_name} and {y_name}, and a walk of {}.", dots.len(), walk.len());
    axes.picture(name, &description)
}
