//! A page says what it was given, as text.

use posterior_report::{Body, Card, Column, Figure, Page, Section, Table, trace};

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
        section(Body::Table(Table {
            columns: vec![Column::Text(text()), Column::Number(text())],
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
