//! The columns of tables at a glance, and columns that name rows.

use serde_json::Value;

use crate::program::Place;
use crate::tables::refused;

/// A table as it is exported: an index, names, a scale, dates with a gap, marks of missing values.
const LAKES: &str = ",lake,depth,day,trophy,open\n\
    0,Ammer,81.1,01.03.2024,low,yes\n\
    1,Chiem,NA,01.04.2024,high,no\n\
    2,Ammer,73.4,01.06.2024,medium,yes\n";

#[test]
fn a_table_is_shown_at_a_glance() {
    let place = Place::new();
    place.write("lakes.csv", LAKES);
    let text = place.succeed(&["data", "show", "lakes.csv"]).stdout;
    for part in [
        "lakes.csv: 3 rows, 6 columns",
        "row number",
        "Ammer 2, Chiem 1",
        "73.40 to 81.10, median 77.25",
        "2024-03-01 to 2024-06-01, step one month, 1 without a row",
        "ordered category",
        "boolean",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let answer: Value =
        serde_json::from_str(&place.succeed(&["data", "show", "lakes.csv", "--format", "json"]).stdout)
            .unwrap();
    assert_eq!(answer["columns"][2]["type"], "number");
    assert_eq!(
        (&answer["columns"][2]["missing"], &answer["columns"][2]["median"]),
        (&1.into(), &77.25.into())
    );
    assert_eq!(answer["columns"][3]["step"], "one month");
    let one = place.succeed(&["data", "show", "lakes.csv", "--columns", "lake"]).stdout;
    assert!(one.contains("1 columns") && !one.contains("depth"), "{one}");
}

#[test]
fn a_column_without_a_type_is_said_and_the_others_are_shown() {
    let place = Place::new();
    place.write("t.csv", "a,b,c\n1,2/3/2024,x\n2,1/4/2024,y\nmany,5/6/2024,x\n");
    let ran = place.succeed(&["data", "show", "t.csv"]);
    assert!(ran.stdout.contains("unclear") && ran.stdout.contains("x 2, y 1"), "{ran:?}");
    for part in [
        "line 4, column a: expected a number",
        "line 2, column b: expected a date that is either %m/%d/%Y or",
    ] {
        assert!(ran.stderr.contains(part), "{ran:?}");
    }
    refused(&place.run(&["data", "show", "nowhere.csv"]), "nowhere.csv", "");
    refused(
        &place.run(&["data", "show", "t.csv", "--columns", "d"]),
        "no column is called \"d\"",
        "there are: a, b, c",
    );
}

/// Numbers that name rows are left out where columns are not named, and this is said.
#[test]
fn columns_that_name_rows_are_left_out() {
    let place = Place::new();
    let rows: Vec<String> = (0..30).map(|i| format!("{i},{},{}\n", i * 7 % 11, i * 5 % 13)).collect();
    place.write("t.csv", "id,x,y\n".to_owned() + &rows.concat());
    let ran = place.succeed(&["regress", "fit", "t.csv", "--format", "json"]);
    assert!(ran.stderr.contains("left out, as they name rows: id; --x takes them in"), "{ran:?}");
    assert!(!ran.stdout.contains("\"id\""), "{ran:?}");
    let ran = place.succeed(&["regress", "fit", "t.csv", "--x", "id,x", "--format", "json"]);
    assert!(ran.stdout.contains("\"id\""), "{ran:?}");
    let ran = place.succeed(&["cluster", "fit", "t.csv", "--k", "2", "--restarts", "1"]);
    assert!(
        ran.stderr.contains("left out, as they name rows: id")
            || ran.stdout.contains("left out, as they name rows: id"),
        "{ran:?}"
    );
}
