//! A page says what it was given, as text.

use posterior_report::{Body, Card, Figure, Page, PageTable, Section, TableColumn, trace};

#[test]
fn markup_is_shown_and_not_obeyed() {
    let evil = "<script>alert(1)</script>&\"";
    let text = || evil.to_owned();
    let picture = || trace(evil, &[[1.0, 2.0]]);
    let section = |body| Section { title: text(), text: text(), body };
    let mut page = Page::new(evil, evil);
    page.standfirst.push(text());
    page.lead = Some(Figure::new(picture(), evil));
    page.facts.push((text(), text()));
    page.sections = vec![
        section(Body::List(vec![text()])),
        section(Body::Figure(Figure::new(picture(), evil))),
        section(Body::Figures(vec![Figure::new(picture(), evil), Figure::new(picture(), evil)])),
        section(Body::Table(PageTable {
            columns: vec![TableColumn::Text(text()), TableColumn::Number(text())],
            rows: vec![vec![text(), text()]],
        })),
        section(Body::Cards(vec![Card { title: text(), meta: text(), pictures: vec![picture()] }])),
    ];
    page.command = text();
    page.settings.push((text(), text()));
    page.source = text();
    let html = page.html();
    assert!(!html.contains("<script"), "{html}");
    // 2 in title and kicker, 1 heading, standfirst, 2 facts; 10 of sections; list, caption four times, table
    // 4, card 2; 4 of the foot; 4 in each of 5 pictures (label, title, description) and their axes.
    assert!(html.matches("&lt;script&gt;").count() >= 36, "{}", html.matches("&lt;script&gt;").count());
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org/2000/svg").count());
}

#[test]
fn an_empty_page_is_a_page() {
    let html = Page::new("Report", "Nothing").html();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(!html.contains("To reproduce") && !html.contains("<dl"));
}

#[test]
fn a_table_is_read_as_text_too() {
    let mut table = PageTable::new(
        ["name", "n", "note"],
        [["ä", "7", "so"], ["long", "1,000", ""]].map(|row| row.map(str::to_owned).to_vec()),
    );
    table.columns[2] = TableColumn::text("note");
    assert_eq!(table.text(), "name      n  note\nä         7  so\nlong  1,000\n");
    assert_eq!(PageTable::with_columns(&["a", "b"]).text(), "a  b\n");
}

#[test]
fn headings_have_ids_and_only_markup_is_obeyed() {
    let mut page = Page::new("Report", "Title");
    page.style = ".own { color: red; }".to_owned();
    page.head = "<nav>head</nav>".to_owned();
    page.section("What <is> there?", "", vec!["one".to_owned()]);
    page.section("", "", Body::Markup("<b>bold</b>".to_owned()));
    page.cautions(&[]);
    page.cautions(&["careful".to_owned()]);
    page.figure("Drawn", "as it is", &trace("x", &[[1.0, 2.0]]), "A line.");
    page.command = "posterior".to_owned();
    let html = page.html();
    for part in [
        ".own { color: red; }</style>",
        "<nav>head</nav>",
        "<h2 id=\"what-is-there\">What &lt;is&gt; there?</h2>",
        "<b>bold</b>",
        "<h2 id=\"to-be-aware-of\">",
        "<h2 id=\"drawn\">",
        "<h2 id=\"to-reproduce\">",
    ] {
        assert_eq!(html.matches(part).count(), 1, "{part}: {html}");
    }
    assert_eq!(html.matches("<h2").count(), 4);
}
