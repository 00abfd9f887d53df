//! Where the nodes of an acyclic graph are drawn: in layers, with arrows that point down (Sugiyama, Tagawa
//! and Toda 1981).

mod crossings;
mod layers;
mod spread;

use layers::Layers;

/// The least space between two boxes of a layer.
const GAP: f64 = 22.0;
/// The space between two layers, where arrows bend.
const LAYER_GAP: f64 = 46.0;
/// What an arrow that passes a layer takes of its width.
const PASSAGE: f64 = 8.0;

/// The size of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The place of a box: its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Laid {
    pub(super) places: Vec<Place>,
    /// The points that each arrow passes, from the foot of one box to the head of the other.
    pub(super) routes: Vec<Vec<(f64, f64)>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Lays out boxes and arrows between them, which form no cycle.
pub(super) fn lay_out(sizes: &[Size], arrows: &[(usize, usize)]) -> Laid {
    let mut layers = Layers::new(sizes.len(), arrows);
    crossings::reduce(&mut layers);
    let widths: Vec<f64> =
        (0..layers.len()).map(|i| sizes.get(i).map_or(PASSAGE, |size| size.width)).collect();
    let centres = spread::centres(&layers, &widths, GAP);
    let mut tops = Vec::new();
    let mut top = 0.0;
    for row in &layers.rows {
        let height = row.iter().filter_map(|&i| sizes.get(i)).map(|size| size.height).fold(0.0, f64::max);
        tops.push((top, height));
        top += height + LAYER_GAP;
    }
    let place = |i: usize| Place {
        x: centres[i] - sizes[i].width / 2.0,
        y: tops[layers.layer[i]].0 + (tops[layers.layer[i]].1 - sizes[i].height) / 2.0,
    };
    let places: Vec<Place> = (0..sizes.len()).map(place).collect();
    let route = |chain: &Vec<usize>| {
        let mut points = Vec::new();
        for (step, &i) in chain.iter().enumerate() {
            let (top, height) = tops[layers.layer[i]];
            match places.get(i) {
                Some(place) if step == 0 => points.push((centres[i], place.y + sizes[i].height)),
                Some(place) => points.push((centres[i], place.y)),
                None => points.extend([(centres[i], top), (centres[i], top + height)]),
            }
        }
        points
    };
    let routes = layers.chains.iter().map(route).collect();
    let right = (0..layers.len()).map(|i| centres[i] + widths[i] / 2.0).fold(0.0, f64::max);
    Laid { places, routes, width: right, height: (top - LAYER_GAP).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Size = Size { width: 100.0, height: 40.0 };

    #[test]
    fn arrows_point_down_and_boxes_do_not_overlap() {
        let arrows = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (4, 3), (5, 6), (0, 6)];
        let laid = lay_out(&[BOX; 8], &arrows);
        for (&(a, b), route) in arrows.iter().zip(&laid.routes) {
            assert!(laid.places[a].y + BOX.height < laid.places[b].y);
            assert!(route.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        }
        for i in 0..8 {
            for j in 0..i {
                let (a, b) = (laid.places[i], laid.places[j]);
                let apart = (a.x - b.x).abs() >= BOX.width + GAP - 1e-6 || (a.y - b.y).abs() >= BOX.height;
                assert!(apart, "{i} and {j}");
            }
            assert!(laid.places[i].x >= -1e-9 && laid.places[i].x + BOX.width <= laid.width + 1e-9);
        }
    }

    #[test]
    fn a_tree_has_no_crossings_and_its_root_is_in_the_middle() {
        let laid = lay_out(&[BOX; 7], &[(0, 1), (0, 2), (1, 3), (2, 4), (1, 5), (2, 6)]);
        let centre = |i: usize| laid.places[i].x + 50.0;
        assert!((centre(0) - f64::midpoint(centre(1), centre(2))).abs() < 1.0);
        assert!((centre(1) - f64::midpoint(centre(3), centre(5))).abs() < 1.0);
    }

    #[test]
    fn nothing_is_nowhere() {
        let laid = lay_out(&[], &[]);
        assert_eq!((laid.width, laid.height), (0.0, 0.0));
    }
}
