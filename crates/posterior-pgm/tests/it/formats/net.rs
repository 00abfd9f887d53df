//! The grammar of NET.

use posterior_pgm::{Format, GraphicalModel, NetworkFile, VarId, net, read_model};

use super::{NET, networks};

#[test]
fn reads_all_that_a_file_may_have() {
    let file = net::read(NET.as_bytes()).unwrap();
    let variables = file.network.variables();
    assert_eq!(file.name, "voting");
    assert_eq!(variables.names().iter().collect::<Vec<_>>(), ["A", "B", "C"]);
    let [a, b, c] = [0, 1, 2].map(VarId::new);
    assert_eq!(variables.states(a), ["yes", "no; % really"]);
    assert_eq!(variables.states(b), ["low", "mid", "high"]);
    assert_eq!(file.network.cpt(a).values(), [0.25, 0.75]);
    // No data: all states are equally probable.
    assert_eq!(file.network.cpt(b).values(), [1.0 / 3.0; 3]);
    assert_eq!(file.network.cpt(c).scope(), [a, b, c]);
    assert_eq!(file.network.cpt(c).at(&[0, 1, 1]), 0.2);
    assert_eq!(file.network.cpt(c).at(&[1, 0, 0]), 0.4);
    assert_eq!(file.properties.network, ["node_size = (80 40)"]);
    assert_eq!(file.properties.variables[0], ["label = \"A; or not\"", "position = (10 20)"]);
    assert_eq!(file.properties.tables[2], ["note = 1"]);
    assert_eq!(read_model(NET.as_bytes()).unwrap().format, Format::Net);
}

#[test]
fn a_class_is_a_network() {
    let plain = net::read(NET.as_bytes()).unwrap();
    let text = NET.replace(
        "net { name = \"voting\"; node_size = (80 40); }",
        "class weather { node_size = (80 40); inputs = (); ",
    ) + "}";
    let class = net::read(text.as_bytes()).unwrap();
    assert_eq!(class.network, plain.network);
    assert_eq!(class.name, "weather");
    assert_eq!(class.properties.network, ["node_size = (80 40)", "inputs = ()"]);
}

/// A network as Hugin would write it.
fn written(file: &NetworkFile) -> String {
    let network = &file.network;
    let variables = network.variables();
    let quoted = |state: &String| format!("\"{state}\"");
    let mut out = String::from("net { }\n");
    for v in variables.ids() {
        let states = variables.states(v).iter().map(quoted).collect::<Vec<_>>().join(" ");
        out.extend([format!("node {} {{ states = ({states}); }}\n", variables.name(v))]);
    }
    for table in network.factors() {
        let (&child, parents) = table.scope().split_last().unwrap();
        let parents: Vec<&str> = parents.iter().map(|&v| variables.name(v)).collect();
        let rows = table.values().chunks(variables.card(child)).map(|row| {
            let numbers: Vec<String> = row.iter().map(|value| format!("{value:e}")).collect();
            format!("({})", numbers.join(" "))
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        let head = format!("potential ({} | {})", variables.name(child), parents.join(" "));
        out.extend([format!("{head} {{ data = ({rows}); }}\n")]);
    }
    out
}

#[test]
fn the_networks_of_the_repository_are_read() {
    for (name, _, file) in networks::all("net") {
        let read = net::read(written(&file).as_bytes()).unwrap();
        assert_eq!(read.network, file.network, "{name}");
    }
}
