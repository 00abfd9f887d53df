//! The numbers of the textbook examples, from every exact engine.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Engine, Enumeration, JointEngine, JunctionTree, MapEngine, Targets, VariableElimination,
};
use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

use crate::corpus::assert_close;
use crate::examples::{alarm, binary_student, john_and_mary, smoothed_student, student, voting};

/// p of a state given states, "grade=g2" and so on, for each line.
#[track_caller]
fn probabilities<E: Engine>(
    engine: &E,
    model: &dyn GraphicalModel,
    tolerance: f64,
    lines: &[(&str, &[&str], f64)],
) {
    let variables = model.variables();
    let parse = |text: &str| {
        let (name, state) = text.split_once('=').unwrap();
        let v = variables.require(name).unwrap();
        (v, variables.require_state(v, state).unwrap())
    };
    let plan = engine.plan(model, &Targets::All).unwrap();
    for &(of, given, expected) in lines {
        let (v, state) = parse(of);
        let evidence = Evidence::of(given.iter().map(|text| parse(text)));
        let p = engine.infer(model, &plan, &evidence).unwrap().marginal(v).unwrap()[state];
        assert!((p - expected).abs() <= tolerance, "p({of} | {given:?}) = {p} instead of {expected}");
    }
}

#[track_caller]
fn joint<E: JointEngine>(
    engine: &E,
    model: &dyn GraphicalModel,
    names: &[&str],
    given: &[(&str, &str)],
) -> Table {
    let variables = model.variables();
    let set: Vec<VarId> = names.iter().map(|name| variables.require(name).unwrap()).collect();
    let evidence = Evidence::named(variables, given.iter().copied()).unwrap();
    let plan = engine.plan(model, &Targets::These(set.clone())).unwrap();
    engine.joint(model, &plan, &evidence, &set).unwrap()
}

/// ln p of states of some variables.
fn probability_of<E: Engine>(engine: &E, model: &dyn GraphicalModel, states: &[(&str, &str)]) -> f64 {
    let evidence = Evidence::named(model.variables(), states.iter().copied()).unwrap();
    engine.query(model, &Targets::These(Vec::new()), &evidence).unwrap().ln_z().exact().unwrap().exp()
}

/// Koller and Friedman 2009, section 3.2 and figure 3.4.
fn the_students_of_the_book<E: JointEngine + MapEngine>(engine: &E) {
    let model = student();
    probabilities(
        engine,
        &model,
        1e-15,
        &[
            ("letter=l1", &[], 7849.0 / 15625.0),
            ("letter=l1", &["intelligence=i0"], 0.3886),
            ("letter=l1", &["intelligence=i0", "difficulty=d0"], 0.513),
            ("intelligence=i1", &["grade=g3"], 3.0 / 38.0),
            ("difficulty=d1", &["grade=g3"], 275.0 / 437.0),
            ("intelligence=i1", &["letter=l0"], 5807.0 / 41472.0),
            ("intelligence=i1", &["grade=g3", "sat=s1"], 48.0 / 83.0),
            ("difficulty=d1", &["grade=g3", "sat=s1"], 1450.0 / 1909.0),
            ("intelligence=i1", &["grade=g3", "difficulty=d1"], 6.0 / 55.0),
            ("difficulty=d1", &["grade=g3", "intelligence=i1"], 20.0 / 23.0),
            ("intelligence=i1", &["grade=g2"], 18.0 / 103.0),
            ("intelligence=i1", &["grade=g2", "difficulty=d1"], 18.0 / 53.0),
            ("grade=g1", &[], 0.362),
            ("grade=g2", &[], 0.2884),
            ("grade=g3", &[], 0.3496),
        ],
    );
    let best = engine.most_probable(&model, &Evidence::none()).unwrap();
    assert_eq!(best.states, [1, 0, 2, 0, 0]);
    assert!((best.ln_value.exp() - 0.184338).abs() < 1e-15);
}

fn students_who_pass_or_fail<E: JointEngine>(engine: &E) {
    let model = binary_student();
    probabilities(
        engine,
        &model,
        1e-15,
        &[
            ("G=1", &[], 0.5),
            ("S=1", &[], 0.5),
            ("D=1", &["G=1"], 0.3),
            ("D=1", &["G=0"], 0.7),
            ("D=1", &["G=1", "I=1"], 5.0 / 14.0),
            ("D=1", &["G=1", "I=0"], 1.0 / 6.0),
            ("D=1", &["G=1", "S=1"], 21.0 / 62.0),
            ("D=1", &["G=1", "S=0"], 9.0 / 38.0),
            ("D=1", &["G=0", "S=1"], 29.0 / 38.0),
            ("D=1", &["G=0", "I=1"], 5.0 / 6.0),
        ],
    );
    // Grade and SAT are dependent, although nothing leads from one to the other.
    assert!((joint(engine, &model, &["G", "S"], &[]).at(&[1, 1]) - 0.31).abs() < 1e-15);
    // Three students, each count with one more of each kind: by hand.
    probabilities(
        engine,
        &smoothed_student(),
        1e-15,
        &[
            ("D=1", &[], 3.0 / 5.0),
            ("D=1", &["G=1"], 63.0 / 131.0),
            ("D=1", &["G=1", "I=1"], 9.0 / 17.0),
            ("D=1", &["G=1", "S=1"], 153.0 / 325.0),
        ],
    );
}

/// MacKay 2003, section 21.1.
fn the_alarm_and_the_radio<E: JointEngine>(engine: &E) {
    let model = alarm();
    probabilities(
        engine,
        &model,
        1e-15,
        &[
            ("alarm=yes", &[], 0.0019989901099),
            ("burglary=yes", &["alarm=yes"], 0.495255126574651),
            ("earthquake=yes", &["alarm=yes"], 0.005987583350574335),
            ("burglary=yes", &["alarm=yes", "radio=yes"], 9901099.0 / 119691199.0),
            ("burglary=yes", &["alarm=yes", "radio=no"], 0.4977400817492119),
        ],
    );
    let both = joint(engine, &model, &["burglary", "earthquake"], &[("alarm", "yes")]);
    let expected = [0.49925259512660886, 0.005492278298740171, 0.49475982152281683, 0.0004953050518341636];
    assert_close(both.values(), &expected, 1e-15, "burglary and earthquake");
}

/// Pearl 1988; Russell and Norvig.
fn john_and_mary_call<E: JointEngine>(engine: &E) {
    let model = john_and_mary();
    probabilities(
        engine,
        &model,
        1e-15,
        &[
            ("burglary=yes", &["john=yes", "mary=yes"], 0.28417183536439294),
            ("john=yes", &[], 0.0521389757),
            ("mary=yes", &[], 0.01173634498),
        ],
    );
    let call = [("john", "yes"), ("mary", "yes")];
    assert!((probability_of(engine, &model, &call) - 0.002084100239).abs() < 1e-17);
    let quiet = [("burglary", "no"), ("earthquake", "no"), ("alarm", "yes")];
    let all = [call.as_slice(), &quiet].concat();
    assert!((probability_of(engine, &model, &all) - 0.00062811126).abs() < 1e-17);
}

fn four_voters<E: JointEngine + MapEngine>(engine: &E) {
    const Z: f64 = 11327.0;
    let model = voting();
    let beliefs = engine.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!((beliefs.ln_z().exact().unwrap() - 9.334944535200714).abs() < 1e-14);
    probabilities(
        engine,
        &model,
        1e-15,
        &[
            ("A=1", &[], 0.9204555486889733),
            ("A=1", &["C=1"], 10201.0 / 10426.0),
            ("A=1", &["C=0"], 225.0 / 901.0),
            ("A=1", &["B=0", "D=0"], 1.0 / 26.0),
            ("A=1", &["B=0", "D=1"], 2.0 / 3.0),
            ("A=1", &["B=1", "D=1"], 100.0 / 101.0),
            ("A=1", &["B=1", "D=1", "C=0"], 100.0 / 101.0),
        ],
    );
    let near = joint(engine, &model, &["A", "B"], &[]);
    assert_close(near.values(), &[725.0, 176.0, 176.0, 10250.0].map(|score| score / Z), 1e-15, "A, B");
    let far = joint(engine, &model, &["A", "C"], &[]);
    assert_close(far.values(), &[676.0, 225.0, 225.0, 10201.0].map(|score| score / Z), 1e-15, "A, C");
    let all = joint(engine, &model, &["A", "B", "C", "D"], &[]);
    assert!((all.at(&[0, 1, 1, 1]) - 100.0 / Z).abs() < 1e-16);
    let mut counts = [0.0; 5];
    for (place, p) in all.values().iter().enumerate() {
        counts[place.count_ones() as usize] += p;
    }
    assert_close(&counts, &[625.0, 100.0, 202.0, 400.0, 10000.0].map(|score| score / Z), 1e-15, "ones");
    let mean: f64 = counts.iter().enumerate().map(|(ones, p)| ones as f64 * p).sum();
    assert!((mean - 3.681822194755893).abs() < 1e-14);
    let entropy: f64 = all.values().iter().map(|p| -p * p.ln()).sum();
    assert!((entropy - 0.5882897493955785).abs() < 1e-14);
    let best = engine.most_probable(&model, &Evidence::none()).unwrap();
    assert_eq!(best.states, [1; 4]);
    assert!((best.ln_value - 4.0 * 10_f64.ln()).abs() < 1e-14);
}

fn all_examples<E: JointEngine + MapEngine>(engine: &E) {
    the_students_of_the_book(engine);
    students_who_pass_or_fail(engine);
    the_alarm_and_the_radio(engine);
    john_and_mary_call(engine);
    four_voters(engine);
}

#[test]
fn enumeration_knows_the_examples() {
    all_examples(&Enumeration::default());
}

#[test]
fn the_junction_tree_knows_the_examples() {
    all_examples(&JunctionTree::default());
}

#[test]
fn elimination_knows_the_examples() {
    all_examples(&VariableElimination::default());
}
