//! Colours along the spectrum, in the order in which rows are drawn.

/// Hand-picked hues of like lightness that read on white and on black.
const ANCHORS: [[f64; 3]; 9] = [
    [59.0, 91.0, 165.0],
    [47.0, 127.0, 179.0],
    [42.0, 157.0, 143.0],
    [106.0, 168.0, 79.0],
    [176.0, 168.0, 56.0],
    [224.0, 159.0, 62.0],
    [221.0, 110.0, 66.0],
    [200.0, 70.0, 88.0],
    [138.0, 79.0, 160.0],
];

/// The colour of row `i` of `n`, as `#rrggbb`.
pub fn colour(i: usize, n: usize) -> String {
    let position = i as f64 / (n.max(2) - 1) as f64 * (ANCHORS.len() - 1) as f64;
    let left = (position.floor() as usize).min(ANCHORS.len() - 2);
    let proportion = position - left as f64;
    let [r, g, b] = std::array::from_fn(|channel| {
        (ANCHORS[left][channel] * (1.0 - proportion) + ANCHORS[left + 1][channel] * proportion).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colour of a chain: hues far apart from each other, for the few chains one has. The style has lighter
/// ones for the dark.
pub(crate) fn chain_colour(chain: usize, chains: usize) -> String {
    const FAR: [usize; 4] = [0, 5, 2, 8];
    if chains > FAR.len() {
        return colour(chain, chains);
    }
    let [r, g, b] = ANCHORS[FAR[chain % FAR.len()]].map(|channel| channel as u8);
    format!("var(--chain-{chain}, #{r:02x}{g:02x}{b:02x})")
}

#[cfg(test)]
mod tests {
    use super::colour;

    #[test]
    fn the_ends_are_the_anchors_and_one_row_is_allowed() {
        assert_eq!(colour(0, 20), "#3b5ba5");
        assert_eq!(colour(19, 20), "#8a4fa0");
        assert_eq!(colour(0, 1), "#3b5ba5");
    }
}
