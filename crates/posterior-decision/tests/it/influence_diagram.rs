//! Influence diagrams against every strategy there is.

use posterior_decision::Error;
use posterior_decision::influence_diagram::{Decision, InfluenceDiagram, Utility};
use posterior_inference::Budget;
use posterior_pgm::{Evidence, Table, VarId, Variables};
use proptest::prelude::*;

const BUDGET: Budget = Budget::bytes(1 << 20);

/// a and b are chances, d is decided, c depends on them, e is decided knowing c (and perhaps a), f depends on
/// all; two utilities.
#[derive(Debug)]
struct Sketch {
    numbers: Vec<f64>,
    seen: [bool; 3],
}

impl Sketch {
    fn row(&self, place: usize) -> [f64; 2] {
        let p = self.numbers[place];
        [p, 1.0 - p]
    }

    fn chance(&self, first: usize, rows: usize) -> Vec<f64> {
        (0..rows).flat_map(|row| self.row(first + row)).collect()
    }

    fn diagram(&self) -> InfluenceDiagram {
        let [a, b, d, c, e, f] = [0, 1, 2, 3, 4, 5].map(VarId::new);
        let variables = Variables::numbered(&[2; 6]).unwrap();
        let table = |scope: &[VarId], values: Vec<f64>| {
            Table::new(scope.to_vec(), vec![2; scope.len()], values).unwrap()
        };
        let chances = vec![
            table(&[a], self.chance(0, 1)),
            table(&[a, b], self.chance(1, 2)),
            table(&[b, d, c], self.chance(3, 4)),
            table(&[a, c, e, f], self.chance(7, 8)),
        ];
        let [first, second, third] = self.seen;
        let before_d: Vec<VarId> = [a].into_iter().filter(|_| first).collect();
        let mut before_e: Vec<VarId> = [c].into_iter().filter(|_| second).collect();
        before_e.extend([b].into_iter().filter(|_| third));
        let utility = |first: usize, count: usize| {
            self.numbers[first..first + count].iter().map(|x| 10.0 * x - 5.0).collect()
        };
        let utilities = vec![
            Utility::new("early", table(&[d, c], utility(15, 4))),
            Utility::new("late", table(&[b, e, f], utility(19, 8))),
        ];
        let decisions = vec![Decision::new(d, &before_d), Decision::new(e, &before_e)];
        InfluenceDiagram::new(variables, chances, decisions, utilities).unwrap()
    }

    /// The best of all strategies, each evaluated state by state.
    fn by_enumeration(&self) -> f64 {
        let bits = |n: usize, count: usize| (0..count).map(move |i| n >> i & 1).collect::<Vec<_>>();
        let mut best = f64::NEG_INFINITY;
        // d knows a at most; e knows a (if d did), d, c and b at most.
        for early in 0..4 {
            for late in 0..1 << 16 {
                let (early, late) = (bits(early, 2), bits(late, 16));
                let mut sum = 0.0;
                for state in 0..16 {
                    let [a, b, c, f] = [0, 1, 2, 3].map(|i| state >> i & 1);
                    let d = early[if self.seen[0] { a } else { 0 }];
                    let known = [(self.seen[0], a), (true, d), (self.seen[1], c), (self.seen[2], b)];
                    let place =
                        known.iter().fold(0, |place, &(seen, bit)| 2 * place + if seen { bit } else { 0 });
                    let e = late[place];
                    let p = self.row(0)[a]
                        * self.row(1 + a)[b]
                        * self.row(3 + 2 * b + d)[c]
                        * self.row(7 + 4 * a + 2 * c + e)[f];
                    let u =
                        10.0 * (self.numbers[15 + 2 * d + c] + self.numbers[19 + 4 * b + 2 * e + f]) - 10.0;
                    sum += p * u;
                }
                best = best.max(sum);
            }
        }
        best
    }
}

fn sketches() -> impl Strategy<Value = Sketch> {
    (prop::collection::vec(0.0..1.0_f64, 27), any::<[bool; 3]>())
        .prop_map(|(numbers, seen)| Sketch { numbers, seen })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_solution_is_the_best_of_all_strategies(sketch in sketches()) {
        let diagram = sketch.diagram();
        let solution = diagram.solve(BUDGET).unwrap();
        let best = sketch.by_enumeration();
        prop_assert!((solution.expected_utility() - best).abs() < 1e-12, "{} {best}", solution.expected_utility());
        prop_assert!((solution.probability() - 1.0).abs() < 1e-14);
        let again = diagram.utility_of(solution.policies(), BUDGET).unwrap();
        prop_assert!((again - best).abs() < 1e-12, "{again} {best}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn knowing_more_is_never_worth_less_than_nothing(sketch in sketches()) {
        let diagram = sketch.diagram();
        let [b, e] = [1, 4].map(VarId::new);
        prop_assert!(diagram.value_of_information(b, e, BUDGET).unwrap() > -1e-12);
    }

    #[test]
    fn evidence_averages_to_what_is_known_before_the_first_decision(sketch in sketches()) {
        // What a strategy gets with a known at the first decision is the average over the states of a.
        let [a, d] = [0, 2].map(VarId::new);
        let diagram = sketch.diagram();
        let informed = diagram.observing(a, d).unwrap().solve(BUDGET).unwrap().expected_utility();
        let parts = [0, 1].map(|state| diagram.given(&Evidence::none().with(a, state)).unwrap().solve(BUDGET));
        let average: f64 = parts.iter().flatten().map(|own| own.probability() * own.expected_utility()).sum();
        prop_assert!((average - informed).abs() < 1e-12, "{average} {informed}");
    }
}

/// A decision without information, and one outcome with losses.
fn treatments(death: f64, side_effect: f64) -> InfluenceDiagram {
    let [treatment, outcome] = [0, 1].map(VarId::new);
    let variables = Variables::new([
        ("treatment", vec!["A", "B"]),
        ("outcome", vec!["death", "recovery", "side effect"]),
    ])
    .unwrap();
    let chances =
        Table::new(vec![treatment, outcome], vec![2, 3], vec![0.1, 0.2, 0.7, 0.2, 0.01, 0.79]).unwrap();
    let losses = Table::new(vec![outcome], vec![3], vec![-death, 0.0, -side_effect]).unwrap();
    InfluenceDiagram::new(
        variables,
        vec![chances],
        vec![Decision::new(treatment, &[])],
        vec![Utility::new("loss", losses)],
    )
    .unwrap()
}

#[test]
fn treatment_a_is_best_and_says_by_how_much() {
    let solution = treatments(100.0, 10.0).solve(BUDGET).unwrap();
    assert!((solution.expected_utility() - -17.0).abs() < 1e-13);
    let policy = &solution.policies()[0];
    assert_eq!((policy.choice(&[]), policy.information()), (Some(0), &[][..]));
    assert!((policy.losses(&[])[1] - 10.9).abs() < 1e-13);
}

#[test]
fn equal_options_are_both_without_loss_and_the_first_is_taken() {
    let solution = treatments(0.0, 0.0).solve(BUDGET).unwrap();
    assert_eq!(solution.policies()[0].losses(&[]), [0.0, 0.0]);
    assert_eq!(solution.policies()[0].choice(&[]), Some(0));
}

#[test]
fn what_is_observed_must_not_depend_on_what_is_decided_with_it() {
    let diagram = treatments(1.0, 1.0);
    let [treatment, outcome] = [0, 1].map(VarId::new);
    let refused = diagram.observing(outcome, treatment);
    assert!(matches!(refused, Err(Error::Model(posterior_pgm::Error::Graph(_)))), "{refused:?}");
    let refused = diagram.given(&Evidence::none().with(outcome, 1));
    assert!(refused.unwrap_err().to_string().contains("outcome"));
    assert!(diagram.observing(treatment, outcome).unwrap_err().to_string().contains("no decision"));
}

#[test]
fn diagrams_that_are_none_are_refused() {
    let v = VarId::new(0);
    let variables = || Variables::new([("x", ["no", "yes"])]).unwrap();
    let fair = || Table::new(vec![v], vec![2], vec![0.5, 0.5]).unwrap();
    let refused = |chances, decisions, utilities| {
        InfluenceDiagram::new(variables(), chances, decisions, utilities).unwrap_err().to_string()
    };
    assert!(
        refused(vec![fair()], vec![Decision::new(v, &[])], vec![]).contains("\"x\" is a decision, and has")
    );
    let twice = vec![Decision::new(v, &[]), Decision::new(v, &[])];
    assert!(!refused(vec![], twice, vec![]).is_empty());
    let infinite = Table::new(vec![v], vec![2], vec![0.0, f64::INFINITY]).unwrap();
    let message = refused(vec![fair()], vec![], vec![Utility::new("gain", infinite)]);
    assert!(message.contains("utility \"gain\": entry 1 is inf"), "{message}");
    let wide = Table::new(vec![v], vec![3], vec![0.0; 3]).unwrap();
    assert!(refused(vec![fair()], vec![], vec![Utility::new("gain", wide)]).contains("expected 2, found 3"));
    assert!(!refused(vec![], vec![], vec![]).is_empty());
}

#[test]
fn a_sign_that_nothing_causes_has_no_choice_and_impossible_evidence_is_named() {
    let [cause, sign, d] = [0, 1, 2].map(VarId::new);
    let variables =
        Variables::new([("cause", ["no", "yes"]), ("sign", ["no", "yes"]), ("d", ["left", "right"])])
            .unwrap();
    let fair = Table::new(vec![cause], vec![2], vec![0.5, 0.5]).unwrap();
    let never = Table::new(vec![cause, sign], vec![2, 2], vec![1.0, 0.0, 1.0, 0.0]).unwrap();
    let gain = Table::new(vec![cause, d], vec![2, 2], vec![1.0, 2.0, 3.0, 0.0]).unwrap();
    let decisions = vec![Decision::new(d, &[sign])];
    let diagram =
        InfluenceDiagram::new(variables, vec![fair, never], decisions, vec![Utility::new("gain", gain)])
            .unwrap();
    let solution = diagram.solve(BUDGET).unwrap();
    let policy = &solution.policies()[0];
    assert_eq!((policy.choice(&[0]), policy.choice(&[1])), (Some(0), None));
    assert!(policy.losses(&[1]).iter().all(|loss| loss.is_nan()));
    let refused = diagram.given(&Evidence::none().with(sign, 1)).unwrap().solve(BUDGET);
    assert!(matches!(refused, Err(Error::Impossible)));
}

#[test]
fn what_is_too_large_is_refused_before_memory_is_taken() {
    let count = 40;
    let variables = Variables::numbered(&[4; 40]).unwrap();
    let ids: Vec<VarId> = variables.ids().collect();
    let (last, others) = ids.split_last().unwrap();
    let chances = others.iter().map(|&v| Table::new(vec![v], vec![4], vec![0.25; 4]).unwrap()).collect();
    // Every chance is seen, and each has a say together with the one before it and with the decision.
    let pair = |w: &[VarId]| Table::new(vec![w[0], w[1], *last], vec![4; 3], vec![0.0; 64]).unwrap();
    let utilities = others.windows(2).map(|w| Utility::new("u", pair(w))).collect();
    let decisions = vec![Decision::new(*last, others)];
    let diagram = InfluenceDiagram::new(variables, chances, decisions, utilities).unwrap();
    let refused = diagram.solve(Budget::bytes(1 << 30)).unwrap_err();
    assert!(
        matches!(refused, Error::Network(posterior_inference::Error::TooLarge { .. })),
        "{refused} {count}"
    );
}
