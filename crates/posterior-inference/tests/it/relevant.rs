//! What a query needs of a model.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, Enumeration, Error, Need, Targets, relevant};
use posterior_pgm::{Evidence, GraphicalModel, VarId};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::corpus::assert_close;
use crate::examples::{alarm, student, voting};

fn names(model: &dyn GraphicalModel, targets: &[&str], seen: &[(&str, &str)], need: Need) -> Vec<String> {
    let variables = model.variables();
    let targets: Vec<VarId> = targets.iter().map(|name| variables.require(name).unwrap()).collect();
    let evidence = Evidence::named(variables, seen.iter().copied()).unwrap();
    let part = relevant(model, &targets, &evidence, need).unwrap();
    part.variables().iter().map(|&v| variables.name(v).to_owned()).collect()
}

#[test]
fn what_nobody_asked_about_is_left_out() {
    let none: [&str; 0] = [];
    assert_eq!(names(&student(), &["sat"], &[], Need::Posterior), ["intelligence", "sat"]);
    let seen = [("intelligence", "i1")];
    assert_eq!(names(&student(), &["sat"], &seen, Need::Posterior), ["sat"]);
    assert_eq!(names(&student(), &["difficulty"], &seen, Need::Posterior), ["difficulty"]);
    let grade = [("grade", "g2")];
    assert_eq!(names(&student(), &["difficulty"], &grade, Need::Posterior), ["difficulty", "intelligence"]);
    // For the probability of the evidence, its ancestors are needed even if they are separated from the
    // target.
    let grade = [("grade", "g2"), ("intelligence", "i0")];
    assert_eq!(names(&student(), &["sat"], &grade, Need::Posterior), ["sat"]);
    assert_eq!(names(&student(), &["sat"], &grade, Need::PosteriorAndEvidence), ["difficulty", "sat"]);
    assert_eq!(names(&student(), &["sat"], &grade, Need::BestState), ["difficulty", "sat", "letter"]);
    assert_eq!(names(&alarm(), &[], &[], Need::PosteriorAndEvidence), none);
    assert_eq!(names(&voting(), &["A"], &[("B", "1"), ("D", "0")], Need::Posterior), ["A"]);
    assert_eq!(names(&voting(), &["A"], &[], Need::Posterior), ["A", "B", "C", "D"]);
}

#[test]
fn a_part_knows_the_model_that_it_is_of() {
    let part = relevant(&student(), &[VarId::new(3)], &Evidence::none(), Need::Posterior).unwrap();
    assert_eq!(part.cards(), [2, 2]);
    assert_eq!(part.place(VarId::new(3)), Some(VarId::new(1)));
    assert_eq!(part.place(VarId::new(0)), None);
    assert_eq!(part.place(VarId::new(99)), None);
    let voters = voting();
    let other = part.tables(&voters, &Evidence::none());
    assert!(matches!(other, Err(Error::OtherModel { .. })));
    let unknown = relevant(&student(), &[VarId::new(9)], &Evidence::none(), Need::Posterior);
    assert!(matches!(unknown, Err(Error::Model(_))));
    let unknown = relevant(&student(), &[], &Evidence::of([(VarId::new(0), 2)]), Need::Posterior);
    assert!(matches!(unknown, Err(Error::Model(_))));
}

proptest! {
    #[test]
    fn a_part_gives_the_answers_of_the_whole(seed: u64, target: prop::sample::Index) {
        let Random { model, evidence } = random(seed);
        let engine = Enumeration::default();
        let v = VarId::new(target.index(model.variables().len()));
        prop_assume!(evidence.state(v).is_none());
        let Ok(whole) = engine.query(&*model, &Targets::All, &evidence) else { return Ok(()) };
        for need in [Need::Posterior, Need::PosteriorAndEvidence, Need::BestState] {
            let part = relevant(&*model, &[v], &evidence, need).unwrap();
            let field = part.field(&*model, &evidence).unwrap();
            let beliefs = engine.query(&field, &Targets::All, &Evidence::none()).unwrap();
            let own = beliefs.marginal(part.place(v).unwrap()).unwrap();
            assert_close(own, whole.marginal(v).unwrap(), 1e-13, "target");
            if need != Need::Posterior {
                let [own, all] = [&beliefs, &whole].map(|beliefs| beliefs.ln_z().exact().unwrap());
                prop_assert!((own - all).abs() < 1e-12);
            }
        }
    }

    /// The moral graph of the ancestors and Bayes ball leave out the same.
    #[test]
    fn no_more_is_kept_than_bayes_ball_says(seed: u64, target: prop::sample::Index) {
        let Random { model, evidence } = random(seed & !1);
        let seen: Vec<VarId> = evidence.states().map(|(v, _)| v).collect();
        let hard = Evidence::of(evidence.states());
        let v = VarId::new(target.index(model.variables().len()));
        prop_assume!(hard.state(v).is_none());
        let part = relevant(&*model, &[v], &hard, Need::Posterior).unwrap();
        let mut needed = model.dag().unwrap().requisite(&[v], &seen).unwrap().probabilities;
        needed.retain(|w| hard.state(*w).is_none());
        prop_assert_eq!(part.variables(), needed);
    }
}
