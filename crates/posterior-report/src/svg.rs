//! Pieces of SVG and HTML text that more than one picture uses.

use std::fmt::Write as _;

/// Text with the characters escaped that HTML and SVG would read as markup.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to say the other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A name of so many letters at most, for a body.
pub(crate) fn shortened(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return escape(name);
    }
    escape(&(name.chars().take(letters - 1).collect::<String>() + "…"))
}

/// Appends points to the data of a path, the first with `first` (`M` or `L`).
pub fn line_to(path: &mut String, first: char, points: impl IntoIterator<Item = (f64, f64)>) {
    let mut command = first;
    for (x, y) in points {
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{x:.1} {y:.1}");
        command = 'L';
    }
}

/// A straight map from a range of data to a range of pixels.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The range of the data, the smaller end first.
    pub data: (f64, f64),
    /// Where its ends are drawn.
    pub pixels: (f64, f64),
}

impl Scale {
    /// The place of a value.
    pub fn at(&self, value: f64) -> f64 {
        // In half units: the ends may lie further apart than the largest number.
        let width = 0.5 * self.data.1 - 0.5 * self.data.0;
        let proportion = if width > 0.0 { (0.5 * value - 0.5 * self.data.0) / width } else { 0.5 };
        self.pixels.0 + proportion * (self.pixels.1 - self.pixels.0)
    }

    /// Round numbers inside the data range, at most `most` of them.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let (low, high) = self.data;
        let rough = (high - low) / most as f64;
        if !(rough > 0.0) {
            return vec![low];
        }
        if !rough.is_finite() {
            return vec![low, 0.0, high];
        }
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power).into_iter().find(|&s| s >= rough * 0.999);
        let step = step.unwrap_or(10.0 * power);
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        let count = (last - first).clamp(0.0, most as f64) as u32;
        (0..=count).map(|i| (first + f64::from(i)) * step).filter(|tick| *tick <= high).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale { data: (1790.0, 2022.0), pixels: (0.0, 100.0) };
        assert_eq!(scale.ticks(12), (0..12).map(|i| 1800.0 + 20.0 * f64::from(i)).collect::<Vec<_>>());
        let point = Scale { data: (3.0, 3.0), pixels: (0.0, 100.0) };
        assert_eq!((point.ticks(5), point.at(3.0)), (vec![3.0], 50.0));
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("<a & \"b\">\u{1}"), "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}");
    }
}
