//! Networks by the names of variables and states: the same tables as by numbers, and errors that name what is
//! wrong.

use posterior_pgm::{
    BayesianNetwork, Error, Evidence, GraphicalModel, NetworkBuilder, Records, Table, Variables,
};

fn variables() -> Variables {
    Variables::new([
        ("cloudy", vec!["no", "yes"]),
        ("grass", vec!["dry", "damp", "wet"]),
        ("rain", vec!["no", "yes"]),
        ("time", vec!["day", "dusk", "night"]),
    ])
    .unwrap()
}

/// The rows in any order, the conditions too: a table is what it is.
#[test]
fn rows_make_the_tables_that_numbers_make() {
    let variables = variables();
    let mut builder = NetworkBuilder::new(variables.clone())
        .p("rain | cloudy = yes", [0.2, 0.8])
        .and_then(|own| own.p("cloudy", [0.5, 0.5]))
        .and_then(|own| own.p("rain|cloudy=no", [0.8, 0.2]))
        .and_then(|own| own.row("time", &[], vec![0.5, 0.125, 0.375]))
        .unwrap();
    let mut values = vec![0.0; 18];
    for (rain, rain_name) in ["yes", "no"].into_iter().enumerate() {
        for (time, time_name) in ["dusk", "night", "day"].into_iter().enumerate() {
            let row = [0.5, 0.25 / (1.0 + rain as f64), 0.5 - 0.25 / (1.0 + rain as f64)];
            let row = if time == 0 { row } else { [row[2], row[0], row[1]] };
            let [a, b] = [("rain", rain_name), ("time", time_name)];
            builder = builder.row("grass", &if time == 1 { [b, a] } else { [a, b] }, row).unwrap();
            // The parents are those of the first row, in its order: rain, time.
            let place = 3 * ([1, 0][rain] * 3 + [1, 2, 0][time]);
            values[place..place + 3].copy_from_slice(&row);
        }
    }
    let id = |name| variables.require(name).unwrap();
    let [cloudy, grass, rain, time] = ["cloudy", "grass", "rain", "time"].map(id);
    let tables = vec![
        Table::new(vec![cloudy], vec![2], vec![0.5, 0.5]),
        Table::new(vec![rain, time, grass], vec![2, 3, 3], values),
        Table::new(vec![cloudy, rain], vec![2, 2], vec![0.8, 0.2, 0.2, 0.8]),
        Table::new(vec![time], vec![3], vec![0.5, 0.125, 0.375]),
    ];
    let tables = tables.into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(builder.build().unwrap(), BayesianNetwork::new(variables, tables).unwrap());
}

#[track_caller]
fn says(result: Result<NetworkBuilder, Error>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[test]
fn errors_name_the_row() {
    let new = || NetworkBuilder::new(variables());
    assert!(new().p("snow", [0.5, 0.5]).unwrap_err().to_string().contains("snow"));
    assert!(new().p("rain | snow = yes", [0.5, 0.5]).unwrap_err().to_string().contains("snow"));
    says(
        new().p("rain | cloudy = perhaps", [0.5, 0.5]),
        "\"cloudy\" has no state \"perhaps\"; its states are no, yes",
    );
    says(
        new().p("rain | cloudy", [0.5, 0.5]),
        "a table over rain | cloudy: \"cloudy\" is not of the form \"variable = state\"",
    );
    says(new().p("rain | cloudy = no", [0.8, 0.3]), "p(rain | cloudy = no): the row adds up to 1.1");
    says(new().p("cloudy", [0.8, 0.3]), "p(cloudy | no parents): the row adds up to 1.1");
    says(
        new().p("grass | rain = yes", [0.5, 0.5]),
        "a table over p(grass | rain = yes): 2 numbers for 3 states",
    );
    says(new().p("rain", [1.5, -0.5]), "p(rain): entry 1 is -0.5, and must be finite and not negative");
    assert!(matches!(new().p("rain", [f64::NAN, 1.0]), Err(Error::Value { index: 0, .. })));
    assert!(matches!(new().p("rain | cloudy = no, cloudy = yes", [0.5, 0.5]), Err(Error::Graph(_))));
    let one = || new().p("rain | cloudy = no", [0.8, 0.2]).unwrap();
    says(
        one().p("rain | cloudy = no", [0.8, 0.2]),
        "a table over p(rain | cloudy = no): the row is given twice",
    );
    says(
        one().p("rain | time = day", [0.8, 0.2]),
        "a table over p(rain | time = day): given time, but an earlier row is given cloudy",
    );
    says(
        one().p("rain", [0.8, 0.2]),
        "a table over p(rain): given nothing, but an earlier row is given cloudy",
    );
    says(
        one().p("rain | cloudy = yes, time = day", [0.8, 0.2]),
        "a table over p(rain | cloudy = yes, time = day): given cloudy, time, but an earlier row is given cloudy",
    );
}

#[test]
fn networks_have_all_rows_and_no_cycle() {
    let new = || NetworkBuilder::new(variables());
    let missing = new().p("rain | cloudy = no", [0.8, 0.2]).unwrap().build().unwrap_err();
    assert_eq!(missing, Error::MissingRow { name: "rain".into(), parents: "cloudy = yes".into() });
    assert_eq!(missing.to_string(), "p(rain | cloudy = yes): the row is missing");
    let table = new().p("cloudy", [0.5, 0.5]).unwrap().build().unwrap_err();
    assert_eq!(table, Error::Tables { name: "grass".into(), count: 0 });
    let two = Variables::new(["a", "b"].map(|name| (name, ["x"]))).unwrap();
    let cycle = NetworkBuilder::new(two).p("a | b = x", [1.0]).and_then(|own| own.p("b | a = x", [1.0]));
    assert!(matches!(cycle.unwrap().build(), Err(Error::Graph(_))));
    let none = NetworkBuilder::new(Variables::numbered(&[]).unwrap()).build().unwrap();
    assert_eq!(none.variables().len(), 0);
}

#[test]
fn records_by_name_are_those_by_number() {
    let variables = variables();
    let mut named = Records::new(variables.clone());
    named.push_named([("rain", "yes"), ("grass", "wet")]).unwrap();
    assert_eq!(named.push_named([("rain", "perhaps")]).unwrap_err(), {
        Evidence::named(&variables, [("rain", "perhaps")]).unwrap_err()
    });
    assert!(named.push_named([("rain", "yes"), ("rain", "no")]).is_err());
    let mut numbered = Records::new(variables);
    numbered.push(&[None, Some(2), Some(1), None]).unwrap();
    assert_eq!(named, numbered);
}
