//! A report as one self-contained page: the answer, the picture, the numbers, the settings.

use std::fmt::Write as _;

use crate::picture::Picture;
use crate::style::{CHART_STYLE, PAGE_STYLE};
use crate::svg::escape;

/// A picture with its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The picture.
    pub picture: Picture,
    /// What it shows.
    pub caption: String,
}

impl Figure {
    /// A picture with its caption.
    pub fn new(picture: Picture, caption: impl Into<String>) -> Self {
        Self { picture, caption: caption.into() }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableColumn {
    /// Text, to the left.
    Text(String),
    /// Numbers, to the right.
    Number(String),
}

impl TableColumn {
    /// Its name.
    pub fn name(&self) -> &str {
        let (Self::Text(name) | Self::Number(name)) = self;
        name
    }

    /// A column of text.
    pub fn text(name: impl Into<String>) -> Self {
        Self::Text(name.into())
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self::Number(name.into())
    }
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageTable {
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// A cell for each column.
    pub rows: Vec<Vec<String>>,
}

impl PageTable {
    /// A table whose first column has text, and the others numbers.
    pub fn new<S: AsRef<str>>(
        names: impl IntoIterator<Item = S>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let mut names = names.into_iter().map(|name| name.as_ref().to_owned());
        let first = names.next().map(TableColumn::Text);
        let columns = first.into_iter().chain(names.map(TableColumn::Number)).collect();
        Self { columns, rows: rows.into_iter().collect() }
    }

    /// The same, as yet without rows.
    pub fn with_columns(names: &[&str]) -> Self {
        Self::new(names, [])
    }

    /// The table as lines of text: columns of text to the left, those of numbers to the right.
    pub fn text(&self) -> String {
        let header: Vec<String> = self.columns.iter().map(|column| column.name().to_owned()).collect();
        let lines = || std::iter::once(&header).chain(&self.rows);
        let width = |place: usize| lines().map(|row| row[place].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cell = |((column, cell), &width): ((&TableColumn, &String), &usize)| match column {
                TableColumn::Text(_) => format!("{cell:<width$}"),
                TableColumn::Number(_) => format!("{cell:>width$}"),
            };
            let cells: Vec<String> = self.columns.iter().zip(row).zip(&widths).map(cell).collect();
            cells.join("  ").trim_end().to_owned() + "\n"
        };
        lines().map(line).collect()
    }
}

/// A card: pictures of one thing, side by side where there is room.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// What it is about.
    pub title: String,
    /// A line of numbers below.
    pub meta: String,
    /// The pictures.
    pub pictures: Vec<Picture>,
}

/// What a section holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// A table.
    Table(PageTable),
    /// A picture with its caption.
    Figure(Figure),
    /// Pictures of one size with their captions, side by side where there is room.
    Figures(Vec<Figure>),
    /// Cards.
    Cards(Vec<Card>),
    /// A list of sentences.
    List(Vec<String>),
    /// Markup, which is obeyed: nobody else's text may be in it but by [`escape`].
    Markup(String),
}

impl From<PageTable> for Body {
    fn from(table: PageTable) -> Self {
        Self::Table(table)
    }
}

impl From<Figure> for Body {
    fn from(figure: Figure) -> Self {
        Self::Figure(figure)
    }
}

impl From<Vec<Figure>> for Body {
    fn from(figures: Vec<Figure>) -> Self {
        Self::Figures(figures)
    }
}

impl From<Vec<Card>> for Body {
    fn from(cards: Vec<Card>) -> Self {
        Self::Cards(cards)
    }
}

impl From<Vec<String>> for Body {
    fn from(sentences: Vec<String>) -> Self {
        Self::List(sentences)
    }
}

/// A heading, a sentence, and what is below.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading; may be empty. Its words, in small letters and with `-` between them, are its id.
    pub title: String,
    /// The sentence; may be empty.
    pub text: String,
    /// What is below.
    pub body: Body,
}

impl Section {
    /// A heading, a sentence (may be empty), and what is below.
    pub fn new(title: impl Into<String>, text: impl Into<String>, body: impl Into<Body>) -> Self {
        Self { title: title.into(), text: text.into(), body: body.into() }
    }
}

/// All that a page says, as plain text: markup in it is shown, and not obeyed, but for `style`, `head` and
/// [`Body::Markup`].
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Page {
    /// What kind of report it is.
    pub kicker: String,
    /// The answer.
    pub title: String,
    /// The answer at more length, a paragraph each.
    pub standfirst: Vec<String>,
    /// Rules of style beside those of all pages.
    pub style: String,
    /// Markup that comes before the picture.
    pub head: String,
    /// The picture.
    pub lead: Option<Figure>,
    /// Numbers with their names.
    pub facts: Vec<(String, String)>,
    /// The rest.
    pub sections: Vec<Section>,
    /// The command that makes the page again; may be empty.
    pub command: String,
    /// Settings with their names.
    pub settings: Vec<(String, String)>,
    /// Where the data are from, and who made the page.
    pub source: String,
}

// Writing to a string cannot fail, hence the results that are dropped.
impl Page {
    /// A page with this answer.
    pub fn new(kicker: impl Into<String>, title: impl Into<String>) -> Self {
        Self { kicker: kicker.into(), title: title.into(), ..Self::default() }
    }

    /// Adds a number with its name.
    pub fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push((name.into(), value.into()));
    }

    /// Adds a heading, a sentence (may be empty), and what is below.
    pub fn section(&mut self, title: impl Into<String>, text: impl Into<String>, body: impl Into<Body>) {
        self.sections.push(Section::new(title, text, body));
    }

    /// Adds a picture with its caption under a heading, with a sentence (may be empty).
    pub fn figure(
        &mut self,
        title: impl Into<String>,
        text: impl Into<String>,
        picture: &Picture,
        caption: impl Into<String>,
    ) {
        self.section(title, text, Figure::new(picture.clone(), caption));
    }

    /// Adds a list of warnings, unless there are none.
    pub fn cautions(&mut self, warnings: &[String]) {
        if !warnings.is_empty() {
            self.section("To be aware of", "", warnings.to_vec());
        }
    }

    /// The page as HTML.
    pub fn html(&self) -> String {
        let (kicker, title, style) = (escape(&self.kicker), escape(&self.title), &self.style);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{PAGE_STYLE}{CHART_STYLE}{style}</style>\n</head>\n<body>\n<main>\n<header>\n\
             <p class=\"kicker\">{kicker}</p>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.standfirst {
            let _ = writeln!(html, "<p class=\"standfirst\">{}</p>", escape(paragraph));
        }
        html.push_str("</header>\n");
        html.push_str(&self.head);
        if let Some(figure) = &self.lead {
            write_figure(&mut html, figure);
        }
        if !self.facts.is_empty() {
            html.push_str("<dl class=\"facts\">\n");
            for (name, value) in &self.facts {
                let _ = writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
            }
            html.push_str("</dl>\n");
        }
        self.sections.iter().for_each(|section| write_section(&mut html, section));
        self.write_settings(&mut html);
        let _ = write!(html, "<footer>{}</footer>\n</main>\n</body>\n</html>\n", escape(&self.source));
        html
    }

    fn write_settings(&self, html: &mut String) {
        if self.command.is_empty() && self.settings.is_empty() {
            return;
        }
        write_heading(html, "To reproduce");
        if !self.command.is_empty() {
            let _ = writeln!(
                html,
                "<p>The same command on the same data gives the same numbers, on any number of threads.</p>\n<pre>{}</pre>",
                escape(&self.command)
            );
        }
        if !self.settings.is_empty() {
            html.push_str("<div class=\"scroll\"><table class=\"settings\">\n");
            for (name, value) in &self.settings {
                let (name, value) = (escape(name), escape(value));
                let _ = writeln!(html, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
            }
            html.push_str("</table></div>\n");
        }
    }
}

fn write_heading(html: &mut String, title: &str) {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let id = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    let _ = writeln!(html, "<h2 id=\"{id}\">{}</h2>", escape(title));
}

fn write_section(html: &mut String, section: &Section) {
    if !section.title.is_empty() {
        write_heading(html, &section.title);
    }
    if !section.text.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", escape(&section.text));
    }
    match &section.body {
        Body::Table(table) => write_table(html, &section.title, table),
        Body::Figure(figure) => write_figure(html, figure),
        Body::Figures(figures) => {
            html.push_str("<div class=\"figures\">\n");
            for figure in figures {
                let (svg, caption) = (figure.picture.svg(), escape(&figure.caption));
                let _ = writeln!(html, "<figure>\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>");
            }
            html.push_str("</div>\n");
        }
        Body::Cards(cards) => cards.iter().for_each(|card| write_card(html, card)),
        Body::List(items) => {
            html.push_str("<ul class=\"list\">\n");
            for item in items {
                let _ = writeln!(html, "<li>{}</li>", escape(item));
            }
            html.push_str("</ul>\n");
        }
        Body::Markup(markup) => html.push_str(markup),
    }
}

fn write_figure(html: &mut String, figure: &Figure) {
    let (svg, caption) = (figure.picture.svg(), escape(&figure.caption));
    let width = figure.picture.width();
    let _ = write!(
        html,
        "<figure>\n<div class=\"wider\" style=\"--width:{width}px\">{svg}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n"
    );
}

fn write_card(html: &mut String, card: &Card) {
    let _ = write!(
        html,
        "<section class=\"panel\">\n<h3>{}</h3>\n<p class=\"meta\">{}</p>\n<div class=\"pictures\">\n",
        escape(&card.title),
        escape(&card.meta)
    );
    for picture in &card.pictures {
        let _ = writeln!(html, "<div>{}</div>", picture.svg());
    }
    html.push_str("</div>\n</section>\n");
}

fn write_table(html: &mut String, title: &str, table: &PageTable) {
    let cell = |html: &mut String, tag: &str, name: &str, column: &TableColumn, text: &str| {
        let class = if matches!(column, TableColumn::Number(_)) { " class=\"n\"" } else { "" };
        let _ = write!(html, "<{tag}{class}>{}</{name}>", escape(text));
    };
    let title = escape(title);
    let _ = write!(
        html,
        "<div class=\"scroll\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\"><table>\n<thead><tr>"
    );
    for column in &table.columns {
        cell(html, "th scope=\"col\"", "th", column, column.name());
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        row.iter().zip(&table.columns).for_each(|(text, column)| cell(html, "td", "td", column, text));
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
}
