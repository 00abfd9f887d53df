//! The grammar of XMLBIF.

use posterior_pgm::{Format, GraphicalModel, Model, read_model, read_model_from, xmlbif};

use super::XMLBIF;

#[test]
fn reads_entities_comments_and_cdata() {
    let file = xmlbif::read(XMLBIF.as_bytes()).unwrap();
    let variables = file.network.variables();
    assert_eq!(file.name, "dog & <family>");
    assert_eq!(variables.names().iter().collect::<Vec<_>>(), ["family-out", "dog-out", "bowel-problem"]);
    let [family, dog, bowel] = [0, 1, 2].map(posterior_pgm::VarId::new);
    assert_eq!(variables.states(dog), ["true", "false"]);
    assert_eq!(file.network.cpt(dog).scope(), [bowel, family, dog]);
    assert_eq!(file.network.cpt(dog).values(), [0.99, 0.01, 0.97, 0.03, 0.9, 0.1, 0.3, 0.7]);
    assert_eq!(file.properties.network, [""]);
    assert_eq!(file.properties.variables[0], ["position = (112, 69)"]);
}

#[test]
fn a_file_says_which_format_it_has() {
    let file = read_model_from(XMLBIF.as_bytes()).unwrap();
    assert_eq!(file.format, Format::XmlBif);
    assert_eq!(file.name, "dog & <family>");
    let Model::Bayesian(network) = file.model else { panic!("a field") };
    assert_eq!(network, xmlbif::read(XMLBIF.as_bytes()).unwrap().network);
    assert_eq!(read_model(super::good_bif().as_bytes()).unwrap().format, Format::Bif);
    assert!(matches!(read_model(super::MARKOV.as_bytes()).unwrap().model, Model::Markov(_)));
    let bayes = read_model(super::BAYES.as_bytes()).unwrap();
    assert_eq!((bayes.format, bayes.model.dag().is_some()), (Format::Uai, true));
    let error = read_model_from(&b"\x89PNG\r\n"[..]).unwrap_err();
    assert!(error.to_string().starts_with("BIF, line 1, column 1: expected `network`"), "{error}");
}

/// More numbers than the default limits of XML libraries allow in one text.
#[test]
fn a_table_of_more_than_a_million_numbers_is_read() {
    let states = |n: usize| (0..n).map(|i| format!("<OUTCOME>{i}</OUTCOME>")).collect::<Vec<_>>().concat();
    let variable = |name: &str, n| format!("<VARIABLE><NAME>{name}</NAME>{}</VARIABLE>", states(n));
    let mut text = format!("<BIF><NETWORK>{}{}", variable("A", 1200), variable("B", 1000));
    text.extend([format!("<DEFINITION><FOR>A</FOR><TABLE>{}</TABLE></DEFINITION>", "1 ".repeat(1200))]);
    text.push_str("<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN><TABLE>");
    for i in 0..1_200_000 {
        text.push_str(if i % 7 == 3 { "0.0005 " } else { "0.0010\n" });
    }
    text.push_str("</TABLE></DEFINITION></NETWORK></BIF>");
    let file = xmlbif::read(text.as_bytes()).unwrap();
    let values = file.network.factors()[1].values();
    assert_eq!(values.len(), 1_200_000);
    // Row 999 begins with number 999000, whose remainder by seven is two.
    let sum: f64 = (999_000..1_000_000).map(|i| if i % 7 == 3 { 0.0005 } else { 0.001 }).sum();
    assert!((values[999_000] - 0.001 / sum).abs() < 1e-15);
    assert!((values[999_001] - 0.0005 / sum).abs() < 1e-15);
}
