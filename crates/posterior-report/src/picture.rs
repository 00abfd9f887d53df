//! A chart as text.

use crate::style::standalone;
use crate::svg::escape;

/// A chart as SVG, with a title and a description for those who do not see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    svg: String,
    /// In pixels, in which text has the size of a page's small print.
    width: u32,
}

impl Picture {
    /// A chart of this size in pixels, from the elements in `body`. Title and description are escaped here.
    pub fn new(size: (f64, f64), title: &str, description: &str, body: &str) -> Self {
        Self::with_head(0.0, size, title, description, body)
    }

    /// As [`new`](Self::new), and `head` pixels above the size have negative coordinates.
    pub(crate) fn with_head(
        head: f64,
        (width, height): (f64, f64),
        title: &str,
        description: &str,
        body: &str,
    ) -> Self {
        let (title, description) = (escape(title), escape(description));
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {} {width} {}\" role=\"img\" aria-label=\"{title}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n{body}</svg>\n",
            0.0 - head,
            height + head
        );
        Self { svg, width: width as u32 }
    }

    /// The chart inside of a page that has the style.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    pub(crate) const fn width(&self) -> u32 {
        self.width
    }

    /// The chart as a file of its own.
    pub fn standalone(&self) -> String {
        standalone(&self.svg)
    }
}
