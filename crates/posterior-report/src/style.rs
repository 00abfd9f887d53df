//! The look of pages and charts, in light and in dark.

/// The style of a page.
pub const PAGE_STYLE: &str = include_str!("style.css");
/// The style of the charts in it.
pub const CHART_STYLE: &str = include_str!("chart.css");

const THEME: &str = "svg { background: var(--paper); font-family: Helvetica, Arial, sans-serif; --paper: #fffdf9; --ink: #1d1d1f; \
                     --soft: #66635d; --rule: #e2ddd3; --band: #f3eee4; --accent: #a3341f; }\n\
                     @media (prefers-color-scheme: dark) { svg { --paper: #15171b; --ink: #ece9e2; --soft: #a09c93; \
                     --rule: #33363d; --band: #1c1f25; --accent: #f08a6c; } }\n";

/// A chart as a picture of its own, with its style inside.
pub fn standalone(svg: &str) -> String {
    svg.replacen(">\n", &format!(">\n<style>\n{THEME}{CHART_STYLE}</style>\n"), 1)
}
