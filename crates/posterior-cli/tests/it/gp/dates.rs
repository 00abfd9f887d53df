//! Dates as the one input.

use super::{json, place};
use serde_json::Value;

/// Four years of months with a season.
fn months() -> String {
    (0..48).fold("month,sold\n".to_owned(), |text, i| {
        let season = (std::f64::consts::TAU * f64::from(i) / 12.0).sin();
        let noise = [0.1, -0.2, 0.15, -0.05, 0.0][i as usize % 5];
        text + &format!("{}-{:02},{}\n", 2020 + i / 12, i % 12 + 1, 10.0 + 3.0 * season + noise)
    })
}

#[test]
fn dates_are_the_input_and_predictions_have_dates() {
    let place = place("sales.csv", &months());
    let kernel = ["--kernel", "fix(9*rbf(100)*periodic(1, 12))", "--noise", "0.02"];
    let fit = ["sales.csv", "--time", "month", "--y", "sold", "--grid", "2024-01:2024-12:12", "--out", "fit"];
    let output = json(&place, &[&fit[..], &kernel].concat());
    assert_eq!(output["time"], "months since 2020-01");
    let rows = output["predictions"].as_array().unwrap();
    for (i, own) in rows.iter().enumerate() {
        assert_eq!(own["date"], format!("2024-{:02}", i + 1));
        assert_eq!(own["x"], serde_json::json!([48.0 + i as f64]));
        let season = (std::f64::consts::TAU * i as f64 / 12.0).sin();
        assert!((own["mean"].as_f64().unwrap() - 10.0 - 3.0 * season).abs() < 0.4, "{own}");
    }
    let table = std::fs::read_to_string(place.path("fit/predictions.csv")).unwrap();
    assert!(table.starts_with("row,month,mean,") && table.contains("\n12,2024-12,"), "{table}");
    assert!(
        place.succeed(&["gp", "predict", "fit", "--grid", "2024-01:2024-12:12"]).stdout.contains("2024-07")
    );
    // From the file, at a table of dates, one of them seen.
    place.write("new.csv", "month,sold\n2024-03,13\n2020-01,10\n");
    let ended = place.succeed(&["gp", "predict", "fit", "new.csv", "--format", "json"]);
    let later: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(later["predictions"][0]["mean"], rows[2]["mean"]);
    assert_eq!((&later["predictions"][1]["date"], &later["scores"]["rows"]), (&"2020-01".into(), &2.into()));
    let page = std::fs::read_to_string(place.path("fit/report.html")).unwrap();
    assert!(page.contains("in months since 2020-01") && page.contains(">2022-01<") | page.contains(">2022<"));
}

/// The same function whatever the unit, where the kernel is in that unit.
#[test]
fn units_of_time_are_chosen() {
    let place = place("sales.csv", &months());
    let fit = |unit: &str, kernel: &str| {
        let all = ["sales.csv", "--time", "month", "--time-unit", unit, "--kernel", kernel, "--noise", "0.1"];
        json(&place, &[&all[..], &["--grid", "2021-06:2021-07:2"]].concat())
    };
    let (months, years, days) =
        (fit("months", "9*rbf(3)"), fit("years", "9*rbf(0.25)"), fit("days", "9*rbf(91.3)"));
    assert_eq!(
        (&years["time"], &days["time"]),
        (&"years since 2020-01".into(), &"days since 2020-01".into())
    );
    for (own, other) in [(&months, &years), (&months, &days)] {
        let mean = |own: &Value| own["predictions"][1]["mean"].as_f64().unwrap();
        assert!((mean(own) - mean(other)).abs() < 0.1, "{} {}", mean(own), mean(other));
    }
}

#[test]
fn wrong_dates_are_reported() {
    let place = place("sales.csv", "month,n,sold\n2020-01,1,10\n,2,11\n");
    place.write("good.csv", "month,sold\n2020-01,10\n2020-03,11\n");
    let kernel = ["--kernel", "1*rbf(3)", "--noise", "1"];
    for (arguments, code, says) in [
        (
            &["sales.csv", "--time", "month", "--na", "error"][..],
            1,
            "sales.csv: line 3, column month: expected a date",
        ),
        (&["sales.csv", "--time", "n"], 1, "column n: expected"),
        (&["good.csv", "--time", "month", "--grid", "0:1:3"], 2, "A and B are dates"),
        (&["good.csv", "--time", "month", "--grid", "2020-01:2020-05"], 2, "expected A:B:N"),
        (&["good.csv", "--time", "month", "--x", "month"], 2, "cannot be used with"),
        (&["good.csv", "--time-unit", "days"], 2, "--time"),
        (&["good.csv", "--time", "month", "--time-unit", "weeks"], 2, "expected days, months or years"),
    ] {
        let ended = place.run(&[&["gp", "fit"], arguments, &kernel].concat());
        assert!(ended.code == Some(code) && ended.stderr.contains(says), "{arguments:?}: {}", ended.stderr);
    }
}
