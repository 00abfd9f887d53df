//! Networks, evidence and answers by names, against fractions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Beliefs, Engine, Error, JunctionTree, Targets};
use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, NetworkBuilder, Variables};

/// States of variables, by names.
type Seen<'a> = &'a [(&'a str, &'a str)];

fn network(names: &[&str], rows: &[(&str, f64)]) -> BayesianNetwork {
    let variables = Variables::new(names.iter().map(|&name| (name, ["no", "yes"]))).unwrap();
    let add = |own: NetworkBuilder, &(what, yes): &(&str, f64)| own.p(what, [1.0 - yes, yes]).unwrap();
    rows.iter().fold(NetworkBuilder::new(variables), add).build().unwrap()
}

fn ask(network: &BayesianNetwork, targets: &Targets, seen: Seen<'_>) -> Beliefs {
    let evidence = Evidence::named(network.variables(), seen.iter().copied()).unwrap();
    JunctionTree::default().query(network, targets, &evidence).unwrap()
}

/// Russell and Norvig's lawn; the sums over four states by hand: p(wet) = 0.6471.
#[test]
fn the_lawn_is_wet() {
    let lawn = network(
        &["cloudy", "sprinkler", "rain", "wet"],
        &[
            ("cloudy", 0.5),
            ("sprinkler | cloudy = no", 0.5),
            ("sprinkler | cloudy = yes", 0.1),
            ("rain | cloudy = no", 0.2),
            ("rain | cloudy = yes", 0.8),
            ("wet | sprinkler = no, rain = no", 0.0),
            ("wet | sprinkler = yes, rain = no", 0.9),
            ("wet | sprinkler = no, rain = yes", 0.9),
            ("wet | sprinkler = yes, rain = yes", 0.99),
        ],
    );
    let causes = Targets::named(lawn.variables(), ["sprinkler", "rain"]).unwrap();
    let wet = ask(&lawn, &causes, &[("wet", "yes")]);
    assert!((wet.ln_z().value() - 0.6471_f64.ln()).abs() < 1e-14);
    assert!((wet.probability("sprinkler", "yes").unwrap() - 0.2781 / 0.6471).abs() < 1e-14);
    assert!((wet.marginal_of("rain").unwrap()[1] - 0.4581 / 0.6471).abs() < 1e-14);

    assert_eq!(wet.probability("cloudy", "yes"), Err(Error::NotATarget { name: "cloudy".into() }));
    assert!(matches!(wet.marginal_of("snow"), Err(Error::Model(_))));
    assert!(wet.probability("rain", "much").unwrap_err().to_string().contains("no, yes"));
    assert!(matches!(Targets::named(lawn.variables(), ["rain", "snow"]), Err(Error::Model(_))));
}

/// The chest clinic of Lauritzen and Spiegelhalter (1988): fractions by enumeration of all 256 states.
#[test]
fn a_patient_is_short_of_breath() {
    let clinic = network(
        &["asia", "tuberculosis", "smoker", "cancer", "bronchitis", "either", "x-ray", "dyspnoea"],
        &[
            ("asia", 0.01),
            ("tuberculosis | asia = no", 0.01),
            ("tuberculosis | asia = yes", 0.05),
            ("smoker", 0.5),
            ("cancer | smoker = no", 0.01),
            ("cancer | smoker = yes", 0.1),
            ("bronchitis | smoker = no", 0.3),
            ("bronchitis | smoker = yes", 0.6),
            ("either | tuberculosis = no, cancer = no", 0.0),
            ("either | tuberculosis = no, cancer = yes", 1.0),
            ("either | tuberculosis = yes, cancer = no", 1.0),
            ("either | tuberculosis = yes, cancer = yes", 1.0),
            ("x-ray | either = no", 0.05),
            ("x-ray | either = yes", 0.98),
            ("dyspnoea | either = no, bronchitis = no", 0.1),
            ("dyspnoea | either = no, bronchitis = yes", 0.8),
            ("dyspnoea | either = yes, bronchitis = no", 0.7),
            ("dyspnoea | either = yes, bronchitis = yes", 0.9),
        ],
    );
    let known: [(Seen<'_>, [f64; 4]); 3] = [
        (&[], [13.0 / 1250.0, 11.0 / 200.0, 9.0 / 20.0, 1.0]),
        (
            &[("asia", "yes"), ("dyspnoea", "yes")],
            [3160.0 / 36011.0, 3584.0 / 36011.0, 146_097.0 / 180_055.0, 36011.0 / 8e6],
        ),
        (
            &[("asia", "yes"), ("dyspnoea", "yes"), ("x-ray", "no")],
            [31600.0, 35840.0, 12_124_026.0, 14_052_593.0 * (14_052_593.0 / 4e9)].map(|x| x / 14_052_593.0),
        ),
    ];
    for (seen, [tuberculosis, cancer, bronchitis, evidence]) in known {
        let beliefs = ask(&clinic, &Targets::All, seen);
        let diseases = [("tuberculosis", tuberculosis), ("cancer", cancer), ("bronchitis", bronchitis)];
        for (disease, known) in diseases {
            let own = beliefs.probability(disease, "yes").unwrap();
            assert!((own - known).abs() < 1e-14, "{disease} {seen:?}: {own} {known}");
        }
        assert!((beliefs.ln_z().value() - evidence.ln()).abs() < 1e-13);
    }
}
