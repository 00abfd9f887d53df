//! Columns: types, missing values, dates.

use posterior_table::{ColumnContent, ColumnKind, DataFrame, TableFile, TableReadOptions, TimeStep};

/// A table of one column `x`.
fn column(cells: &[&str], missing: &[&str]) -> DataFrame {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = folder.path().join("t.csv");
    let lines: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\",1\n")).collect();
    std::fs::write(&path, "x,y\n".to_owned() + &lines.concat()).expect("it is ours");
    let missing = missing.iter().map(|&mark| mark.to_owned()).collect();
    let options = TableReadOptions { missing, ..TableReadOptions::default() };
    TableFile::open(&path, &options).and_then(|file| file.read(&["x"], |_| 0)).expect("it is a table")
}

#[test]
fn missing_cells_do_not_change_a_type() {
    for (cells, kind) in [
        (&["1", "NA", "-", "", "2"][..], ColumnKind::Count),
        (&["1.5", "?", "2"], ColumnKind::Number),
        (&["-", "-"], ColumnKind::Category),
        (&["NA", ""], ColumnKind::Missing),
        (&["2024-01-01", "NA"], ColumnKind::Date),
        (&["yes", "n/a", "no"], ColumnKind::Boolean),
    ] {
        assert_eq!(column(cells, &[]).kind("x").unwrap(), kind, "{cells:?}");
    }
    assert_eq!(column(&["1", "-9"], &["-9"]).kind("x").unwrap(), ColumnKind::Count);
    assert!(column(&["1", "-9"], &["-9"]).numbers("x").unwrap()[1].is_nan());
}

#[test]
fn a_column_of_numbers_with_a_word_is_refused_with_its_place() {
    let error = column(&["1", "2", "many"], &[]).kind("x").unwrap_err();
    assert!(error.message().contains("line 4, column x: expected a number, as in most rows, found \"many\""));
    assert_eq!(
        error.hint(),
        Some("if \"many\" marks a missing value, name the marks that there are: `missing` \"many\",NA")
    );
    let error = column(&["1", "2,000"], &[]).numbers("x").unwrap_err();
    assert!(error.message().contains("a number without commas"), "{error}");
    let error = column(&["1", "1e200"], &[]).numbers("x").unwrap_err();
    assert!(error.message().contains("at most 1e150"), "{error}");
}

#[test]
fn dates_are_read_or_refused_with_their_place() {
    let dates = column(&["31/1/2024", "", "1/2/2024"], &[]).dates("x", None).unwrap();
    let text: Vec<String> = dates.values.iter().flatten().map(|&own| dates.precision.text(own)).collect();
    assert_eq!(text, ["2024-01-31", "2024-02-01"]);
    let ambiguous = column(&["3/1/2024", "1/2/2024"], &[]);
    let error = ambiguous.dates("x", None).unwrap_err();
    assert!(
        error.message().contains("line 2, column x: expected a date that is either %m/%d/%Y or %d/%m/%Y"),
        "{error}"
    );
    assert!(ambiguous.dates("x", Some("%d/%m/%Y")).is_ok());
    let error = column(&["2024-01-31", "2024-02-30"], &[]).dates("x", None).unwrap_err();
    assert!(error.message().contains("line 3, column x"), "{error}");
    let stamps = column(&["31.01.2024 23:59 +0100"], &[]).dates("x", Some("%d.%m.%Y %H:%M %z")).unwrap();
    assert_eq!(stamps.values[0].unwrap().to_string(), "2024-01-31T22:59:00");
}

#[test]
fn notes_say_which_cells_are_taken_as_missing() {
    let table = column(&["a", "?", "null", "NA"], &[]);
    let note = table.note_of_marks("x").unwrap().unwrap();
    assert_eq!(
        note,
        "column x: taken as missing: 2 cells with \"?\", \"null\"; `missing` NA takes such cells as they are"
    );
    assert_eq!(column(&["a", "NA"], &[]).note_of_marks("x").unwrap(), None);
    assert!(table.labels("x").unwrap_err().message().contains("3 of 4 cells are missing, in lines 3, 4, 5"));
    assert!(table.classes("x").is_err());
}

#[test]
fn a_summary_has_the_range_the_levels_and_the_gaps() {
    let own = column(&["4", "1", "NA", "2", "3", "5"], &[]).summary("x").unwrap();
    assert_eq!((own.kind, own.missing, own.distinct), (ColumnKind::Count, 1, 5));
    let ColumnContent::Numbers { quartiles, histogram } = own.content else { panic!("numbers") };
    assert_eq!((quartiles, histogram.iter().sum::<usize>()), ([1.0, 2.0, 3.0, 4.0, 5.0], 5));

    let own = column(&["1", "1.0", "-", "."], &[]).summary("x").unwrap();
    assert_eq!((own.kind, own.missing, own.distinct), (ColumnKind::Count, 2, 1));

    let own = column(&["b", "a", "b", "c", ""], &[]).summary("x").unwrap();
    let counts = [("b", 2), ("a", 1), ("c", 1)].map(|(label, count)| (label.to_owned(), count));
    assert_eq!((own.missing, own.content), (1, ColumnContent::Labels(counts.to_vec())));

    let own = column(&["2024-01", "2024-03", "2024-03", "2024-02", "2024-06"], &[]).summary("x").unwrap();
    let ColumnContent::Dates { step, .. } = own.content else { panic!("dates") };
    assert_eq!((step, own.distinct), (Some((TimeStep::Months(1), 2)), 4));

    let own = column(&["", "NA"], &[]).summary("x").unwrap();
    assert_eq!((own.kind, own.content, own.missing), (ColumnKind::Missing, ColumnContent::Nothing, 2));
    let own = column(&["1e150", "-1e150"], &[]).summary("x").unwrap();
    let ColumnContent::Numbers { histogram, .. } = own.content else { panic!("numbers") };
    assert_eq!((histogram[0], histogram[15]), (1, 1));
}
