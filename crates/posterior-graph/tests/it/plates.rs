//! Plates that unroll: nested, crossed, ragged, empty, too large; and their pictures.

use posterior_graph::{
    Dag, Drawing, Error, FactorGraph, Mark, Names, Plate, PlateVariable, Plates, UnGraph, VarId,
};

fn parents(dag: &Dag, child: &str) -> Vec<String> {
    let names = dag.names();
    dag.parents(names.require(child).unwrap()).iter().map(|&v| names.get(v).to_owned()).collect()
}

/// Ratings: users and films cross, and each user has some sessions.
fn ratings() -> Plates {
    Plates::new(
        [Plate::new("users", 2), Plate::new("films", 3), Plate::inside("sessions", "users", vec![0, 2])],
        [
            PlateVariable::new("scale").marked(Mark::Fixed),
            PlateVariable::new("taste").on(["users"]),
            PlateVariable::new("style").on(["films"]),
            PlateVariable::new("rating").on(["users", "films"]).marked(Mark::Observed),
            PlateVariable::new("mood").on(["films", "users", "sessions"]),
            PlateVariable::new("average"),
        ],
        [
            ("scale", "taste"),
            ("taste", "rating"),
            ("style", "rating"),
            ("rating", "mood"),
            ("rating", "average"),
        ],
    )
    .unwrap()
}

#[test]
fn copies_are_joined_where_shared_plates_agree() {
    assert_eq!(ratings().plates_of(VarId::new(4)).len(), 3);
    assert_eq!(ratings().plates_of(VarId::new(5)).len(), 0);
    let unrolled = ratings().unroll().unwrap();
    let dag = &unrolled.dag;
    let names: Vec<&str> = dag.names().iter().collect();
    assert_eq!(&names[..6], ["scale", "taste[0]", "taste[1]", "style[0]", "style[1]", "style[2]"]);
    assert_eq!(&names[6..9], ["rating[0,0]", "rating[0,1]", "rating[0,2]"]);
    // Three films for the two sessions of the second user; the first has none.
    assert_eq!(&names[12..15], ["mood[0,1,0]", "mood[0,1,1]", "mood[1,1,0]"]);
    assert_eq!(dag.len(), 1 + 2 + 3 + 6 + 6 + 1);
    assert_eq!(parents(dag, "taste[1]"), ["scale"]);
    assert_eq!(parents(dag, "rating[1,2]"), ["taste[1]", "style[2]"]);
    assert_eq!(parents(dag, "mood[2,1,0]"), ["rating[1,2]"]);
    assert_eq!(parents(dag, "average").len(), 6);
    assert_eq!(dag.arrow_count(), 2 + 6 + 6 + 6 + 6);
    let rating = unrolled.copies(VarId::new(3));
    assert_eq!(rating.collect::<Vec<_>>(), (6..12).map(VarId::new).collect::<Vec<_>>());
    assert_eq!(unrolled.marked(Mark::Observed), (6..12).map(VarId::new).collect::<Vec<_>>());
    assert_eq!(unrolled.marked(Mark::Fixed), [VarId::new(0)]);
    assert_eq!(unrolled.marked(Mark::Latent).len(), 19 - 7);
}

#[test]
fn plates_nest_to_any_depth() {
    let model = Plates::new(
        [
            Plate::new("schools", 2),
            Plate::inside("classes", "schools", vec![2, 1]),
            Plate::inside("pupils", "classes", vec![2, 0, 3]),
        ],
        [
            PlateVariable::new("c").on(["schools", "classes"]),
            PlateVariable::new("p").on(["schools", "classes", "pupils"]),
        ],
        [("c", "p")],
    );
    let dag = model.unwrap().unroll().unwrap().dag;
    let names: Vec<&str> = dag.names().iter().collect();
    let pupils = ["p[0,0,0]", "p[0,0,1]", "p[1,0,0]", "p[1,0,1]", "p[1,0,2]"];
    assert_eq!(names, [&["c[0,0]", "c[0,1]", "c[1,0]"][..], &pupils].concat());
    assert_eq!(parents(&dag, "p[1,0,2]"), ["c[1,0]"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let none: [(&str, &str); 0] = [];
    let x = || PlateVariable::new("x");
    let text = |plates: Vec<Plate>, variables: Vec<PlateVariable>| {
        Plates::new(plates, variables, none).unwrap_err().to_string()
    };
    let (n, m) = (|| Plate::new("n", 2), || Plate::inside("m", "n", vec![1, 2]));
    assert_eq!(text(vec![n(), n()], vec![]), "plate \"n\": its name is empty or another plate's name");
    assert_eq!(text(vec![m(), n()], vec![]), "plate \"m\": the plate \"n\" around it must come before it");
    let wrong = Plate::inside("m", "n", vec![1, 2, 3]);
    assert_eq!(
        text(vec![n(), wrong], vec![]),
        "plate \"m\": it has 3 sizes, and there are 2 copies of \"n\""
    );
    assert_eq!(
        text(vec![n()], vec![x().on(["k"])]),
        "plate \"k\": it does not exist, but is among those of \"x\""
    );
    assert_eq!(text(vec![n()], vec![x().on(["n", "n"])]), "plate \"n\": it comes twice among those of \"x\"");
    assert_eq!(
        text(vec![n(), m()], vec![x().on(["m", "n"])]),
        "plate \"m\": the plate around it must come before it among those of \"x\""
    );
    assert_eq!(Plates::new([], [x()], [("x", "x")]), Err(Error::SelfLoop { name: "x".to_owned() }));
    let y = PlateVariable::new("y");
    let circle = Plates::new([], [x(), y.clone()], [("x", "y"), ("y", "x")]);
    assert!(matches!(circle, Err(Error::Cycle { .. })), "{circle:?}");
    let same = Plates::new([n()], [x().on(["n"]), PlateVariable::new("x[1]")], none).unwrap();
    assert_eq!(same.unroll(), Err(Error::DuplicateName { name: "x[1]".to_owned() }));
}

#[test]
fn too_many_copies_are_refused_before_they_are_made() {
    let none: [(&str, &str); 0] = [];
    let model =
        |plates: Vec<Plate>, variables: Vec<PlateVariable>| Plates::new(plates, variables, none).unwrap();
    let huge = model(vec![Plate::new("n", usize::MAX)], vec![PlateVariable::new("x").on(["n"])]);
    let limit = 1 << 24;
    let error = Error::TooLarge { what: "copies of variables", size: usize::MAX, limit };
    assert_eq!(huge.unroll(), Err(error));
    let ragged = Plate::inside("m", "n", vec![usize::MAX; 2]);
    let huge = model(vec![Plate::new("n", 2), ragged], vec![PlateVariable::new("x").on(["n", "m"])]);
    assert!(matches!(huge.unroll(), Err(Error::TooLarge { .. })));
    // The plates are not too large one by one, but together; or only their arrows are.
    let plates = || vec![Plate::new("n", 5000), Plate::new("m", 5000)];
    let crossed = model(plates(), vec![PlateVariable::new("x").on(["n", "m"])]);
    assert!(matches!(crossed.unroll(), Err(Error::TooLarge { size: 25_000_000, .. })));
    let pair = [PlateVariable::new("x").on(["n"]), PlateVariable::new("y").on(["m"])];
    let arrows = Plates::new(plates(), pair, [("x", "y")]).unwrap();
    assert_eq!(arrows.unroll(), Err(Error::TooLarge { what: "arrows", size: 25_000_000, limit }));
}

#[test]
fn empty_plates_leave_nothing() {
    let model = Plates::new(
        [Plate::new("n", 0)],
        [PlateVariable::new("mu"), PlateVariable::new("x").on(["n"])],
        [("mu", "x")],
    );
    let dag = model.unwrap().unroll().unwrap().dag;
    assert_eq!(dag.names().iter().collect::<Vec<_>>(), ["mu"]);
}

#[test]
fn pictures_of_plates_have_a_frame_for_each() {
    let expected = r#"digraph {
  node [shape=circle];
  v0 [label="scale", shape=plaintext];
  v5 [label="average"];
  subgraph cluster_0 { label="films"; labelloc=b;
    v2 [label="style"];
    subgraph cluster_1 { label="users"; labelloc=b;
      subgraph cluster_2 { label="sessions"; labelloc=b;
        v4 [label="mood"];
      }
    }
  }
  subgraph cluster_3 { label="users"; labelloc=b;
    v1 [label="taste"];
    subgraph cluster_4 { label="films"; labelloc=b;
      v3 [label="rating", style=filled, fillcolor=lightgrey];
    }
  }
  v0 -> v1;
  v1 -> v3;
  v2 -> v3;
  v3 -> v4;
  v3 -> v5;
}
"#;
    assert_eq!(ratings().to_dot(), expected);
}

#[test]
fn pictures_quote_any_name() {
    let names = Names::new(["a \"b\" \\N", "line\nbreak\t& more"]).unwrap();
    let [a, b] = [0, 1].map(VarId::new);
    let drawing = Drawing {
        title: "no \"title\"".into(),
        observed: [b].into(),
        fixed: [a].into(),
        ..Drawing::default()
    };
    let graph = UnGraph::new(names.clone(), [(a, b)]).unwrap();
    let expected = r#"graph {
  label="no \"title\""; labelloc=t;
  node [shape=circle];
  v0 [label="a \"b\" \\N", shape=plaintext];
  v1 [label="line\nbreak &amp; more", style=filled, fillcolor=lightgrey];
  v0 -- v1;
}
"#;
    assert_eq!(graph.to_dot(&drawing).unwrap(), expected);
    let factors = FactorGraph::new(names.clone(), [vec![b, a], vec![]]).unwrap();
    let dot = factors.to_dot(&Drawing::default()).unwrap();
    let lines = "  f0 [shape=square, label=\"f0\"];\n  f0 -- v1;\n  f0 -- v0;\n  f1 [shape=square, label=\"f1\"];\n}\n";
    assert!(dot.ends_with(lines), "{dot}");
    let both = Drawing { observed: [a].into(), fixed: [a].into(), ..Drawing::default() };
    let overlap = Err(Error::OverlappingSets { name: names.get(a).to_owned() });
    assert_eq!(graph.to_dot(&both), overlap);
    let unknown = Drawing { fixed: [VarId::new(2)].into(), ..Drawing::default() };
    assert_eq!(factors.to_dot(&unknown), Err(Error::UnknownVariable { index: 2, len: 2 }));
}
