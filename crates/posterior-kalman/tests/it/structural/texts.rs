//! Structural models as texts.

use posterior_kalman::structural::{SeriesComponent, Structural};

#[test]
fn texts_are_read_and_written() {
    for text in [
        "local-level(0.1) + noise(0.5)",
        "local-linear-trend(0.1, 0.2) + seasonal:12(0.3) + noise(0.5)",
        "smooth-trend(0.1) + trigonometric:365.25,3(0.3) + cycle(11, 0.9, 0.4) + noise(0.25)",
        "damped-trend(0.1, 0.2, 0.75) + noise(0.5)",
        "arma:2,1(0.5, -0.3, 0.2, 1.5) + noise(0)",
        "arima:2,1,1(0.5, -0.3, 0.2, 1.5) + noise(0)",
        "arima-constant:0,1,1,1,1,0,12(0.5, -0.3, 1.5) + noise(0)",
        "constant-velocity(0.1) + noise(1)",
        "constant-acceleration(0.1) + matern32(1.5, 2) + matern12(1, 0.3) + matern52(1, 1e300) + noise(1)",
        "wiener(0.3) + integrated-wiener(0.1) + noise(3)",
    ] {
        let model: Structural = text.parse().unwrap();
        let again: Structural = model.to_string().parse().unwrap();
        assert_eq!(model, again, "{text}");
        if !text.contains('e') || !text.contains("1e300") {
            assert_eq!(model.to_string(), text);
        }
    }
    let short: Structural = "local-linear-trend+seasonal:4".parse().unwrap();
    let long = vec![
        SeriesComponent::local_linear_trend(1.0, 1.0).unwrap(),
        SeriesComponent::seasonal(4, 1.0).unwrap(),
    ];
    assert_eq!(short, Structural::new(long, 1.0).unwrap());
    let whole: Structural = "trigonometric:12".parse().unwrap();
    assert_eq!(whole.to_string(), "trigonometric:12,6(1) + noise(1)");
    let airline: Structural = "arima:0,1,1,0,1,1,12".parse().unwrap();
    assert_eq!(airline.to_string(), "arima:0,1,1,0,1,1,12(0, 0, 1) + noise(0)");
    let tiny: Structural = "local-level(1e-3) + noise(2.5e+2)".parse().unwrap();
    assert_eq!(tiny.to_string(), "local-level(0.001) + noise(250)");
}

#[test]
fn what_is_wrong_is_reported_with_its_column() {
    for (text, column, word) in [
        ("", 1, "expected a component"),
        ("local-level +", 14, "expected a component"),
        ("local-level + seasonnal:12", 15, "seasonal"),
        ("local-level + seasonal", 15, "PERIOD"),
        ("local-level + seasonal:1", 15, "from 2"),
        ("local-level + seasonal:4.5", 15, "whole number"),
        ("local-level + seasonal:x", 24, "expected a number"),
        ("local-level(1, 2)", 1, "1 parameters, found 2"),
        ("local-level(1, y)", 15, "expected a number"),
        ("local-level(1", 14, "expected )"),
        ("local-level(-1)", 1, "level.variance"),
        ("local-level:3", 1, "takes 0 numbers"),
        ("ar:1(1.5, 1)", 1, "between -1 and 1"),
        ("arma:0,0", 1, "arma order"),
        ("local-level + noise + noise", 23, "there already"),
        ("noise(1)", 0, "expected a component"),
        ("trigonometric", 1, "period"),
    ] {
        let error = text.parse::<Structural>().unwrap_err();
        assert!(error.to_string().contains(word), "{text}: {error}");
        assert_eq!(error.column(), column, "{text}: {error}");
    }
    let error = "local-levl".parse::<Structural>().unwrap_err();
    assert_eq!(error.suggestion(), Some("local-level"));
}
