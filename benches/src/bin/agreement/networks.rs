//! Engines on networks: exact ones against each other, bounds against what they bound.

mod models;
mod repository;

use posterior::inference::graph_cut::GraphCut;
use posterior::inference::{
    BeliefPropagation, Conditioning, DependentBlocks, Engine, Enumeration, Error, JointEngine, JunctionTree,
    MapEngine, MeanField, Targets, TreeReweighted, VariableElimination,
};
use posterior::pgm::{Evidence, GraphicalModel};

use crate::row::{Comparison, Gaps, Measure, Row, Rows};

/// Random models of each kind.
const MODELS: u64 = 300;

pub(crate) fn rows() -> Rows {
    let mut rows = exact()?;
    rows.push(trees()?);
    rows.push(cuts()?);
    rows.extend(bounds()?);
    rows.extend(repository::rows()?);
    Ok(rows)
}

/// ln Z and all marginals by two engines; both must call the evidence impossible, or neither.
fn see<A: Engine, B: Engine>(
    seen: &mut Comparison,
    (one, other): (&A, &B),
    model: &dyn GraphicalModel,
    evidence: &Evidence,
) -> Result<(), Error> {
    let answers = (one.query(model, &Targets::All, evidence), other.query(model, &Targets::All, evidence));
    match answers {
        (Ok(one), Ok(other)) => {
            seen.see(one.ln_z().value(), other.ln_z().value());
            for v in model.variables().ids() {
                let marginals = [&one, &other].map(|beliefs| beliefs.marginal(v).unwrap_or_default());
                seen.see_all(marginals[0], marginals[1]);
            }
        }
        (Err(Error::ImpossibleEvidence), Err(Error::ImpossibleEvidence)) => seen.see(0.0, 0.0),
        (one, other) => {
            one?;
            other?;
            seen.see(f64::INFINITY, 0.0); // impossible for one of them only
        }
    }
    Ok(())
}

fn exact() -> Rows {
    let [mut elimination, mut tree, mut small, mut states, mut joints] = [Comparison::default(); 5];
    let oracle = Enumeration::default();
    for seed in 0..MODELS {
        let (model, evidence) = models::any(seed)?;
        let model = &*model;
        see(&mut elimination, (&VariableElimination::default(), &oracle), model, &evidence)?;
        see(&mut tree, (&JunctionTree::default(), &oracle), model, &evidence)?;
        see(
            &mut small,
            (&Conditioning { largest: Some(2), ..Conditioning::default() }, &oracle),
            model,
            &evidence,
        )?;
        let Ok(best) = oracle.most_probable(model, &evidence) else { continue };
        states.see(JunctionTree::default().most_probable(model, &evidence)?.ln_value, best.ln_value);
        states.see(VariableElimination::default().most_probable(model, &evidence)?.ln_value, best.ln_value);
        let asked: Vec<_> = model.variables().ids().rev().take(3).collect();
        let (engine, known) = (VariableElimination::default(), oracle.plan(model, &Targets::All)?);
        let plan = engine.plan(model, &Targets::These(asked.clone()))?;
        let joint = engine.joint(model, &plan, &evidence, &asked)?;
        joints.see_all(joint.values(), oracle.joint(model, &known, &evidence, &asked)?.values());
    }
    let on = "300 random networks and fields of up to 7 variables, a quarter of the numbers zero, hard and soft evidence";
    Ok(vec![
        elimination.exact(
            "ln Z and marginals",
            ["variable elimination", "enumeration"],
            on,
            "1e-12 (`posterior-inference/variable_elimination.rs`)",
        ),
        tree.exact(
            "ln Z and marginals",
            ["junction tree", "enumeration"],
            on,
            "1e-12 (`posterior-inference/junction_tree.rs`)",
        ),
        small.exact(
            "ln Z and marginals",
            ["conditioning, tables of 2 cells", "enumeration"],
            on,
            "1e-12 (`posterior-inference/conditioning.rs`)",
        ),
        joints.exact(
            "joint distributions of three variables",
            ["variable elimination", "enumeration"],
            on,
            "1e-13 (`posterior-inference/corpus.rs`)",
        ),
        states.exact(
            "ln p of the best states",
            ["junction tree; elimination", "enumeration"],
            on,
            "1e-12 (`posterior-inference/best_states.rs`)",
        ),
    ])
}

fn trees() -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
    let mut seen = Comparison::default();
    for seed in 0..MODELS {
        let model = models::forest(seed)?;
        let evidence = models::evidence(model.variables(), seed);
        see(&mut seen, (&BeliefPropagation::default(), &Enumeration::default()), &model, &evidence)?;
    }
    Ok(seen.exact(
        "ln Z and marginals on forests",
        ["belief propagation", "enumeration"],
        "300 random forests of 2 to 9 variables, factors of up to 4",
        "1e-12 (`posterior-inference/belief_propagation.rs`)",
    ))
}

fn cuts() -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
    let mut seen = Comparison::default();
    for seed in 0..40 {
        let model = models::agreeing_grid(7, seed)?;
        let cut = GraphCut.most_probable(&model, &Evidence::none())?;
        let best = VariableElimination::default().most_probable(&model, &Evidence::none())?;
        seen.see(cut.ln_value, best.ln_value);
    }
    Ok(seen.exact(
        "ln p of the best states",
        ["minimum cut", "max-product elimination"],
        "40 random fields of 7 x 7 binary variables whose neighbours rather agree",
        "1e-10 (`posterior-inference/graph_cut/engine.rs`)",
    ))
}

fn bounds() -> Rows {
    let [mut above, mut fields, mut trees] = [Gaps::default(); 3];
    let mut loopy = 0.0_f64;
    for seed in 0..60 {
        let model = models::loopy(seed)?;
        let none = Evidence::none();
        let exact = JunctionTree::default().query(&model, &Targets::All, &none)?;
        let ln_z = exact.ln_z().value();
        let value =
            |answer: Result<posterior::inference::Beliefs, Error>| answer.map(|own| own.ln_z().value());
        above.see(ln_z, value(TreeReweighted::default().query(&model, &Targets::All, &none))?);
        fields.see(value(MeanField::default().query(&model, &Targets::All, &none))?, ln_z);
        let by_trees = MeanField { blocks: DependentBlocks::Trees, ..MeanField::default() };
        trees.see(value(by_trees.query(&model, &Targets::All, &none))?, ln_z);
        let beliefs = BeliefPropagation::default().query(&model, &Targets::All, &none)?;
        for v in model.variables().ids() {
            let pairs =
                beliefs.marginal(v).unwrap_or_default().iter().zip(exact.marginal(v).unwrap_or_default());
            loopy = pairs.map(|(a, b)| (a - b).abs()).fold(loopy, f64::max);
        }
    }
    let on = "60 random fields of 5 variables and 7 pairs, normal scores of deviation 1";
    Ok(vec![
        above.row(
            "ln Z from above",
            ["tree-reweighted propagation", "junction tree"],
            on,
            "bound (`posterior-inference/tree_reweighted.rs`)",
        ),
        fields.row(
            "ln Z from below",
            ["mean field, variables", "junction tree"],
            on,
            "bound (`posterior-inference/mean_field.rs`)",
        ),
        trees.row(
            "ln Z from below",
            ["mean field, trees", "junction tree"],
            on,
            "bound (`posterior-inference/mean_field.rs`)",
        ),
        Row::new(
            "marginals on loops",
            ["belief propagation", "junction tree"],
            on,
            Measure::Approximate(loopy),
            "fixed points consistent to 1e-11 (`posterior-inference/belief_propagation.rs`)",
        )
        .of(60 * 5),
    ])
}
