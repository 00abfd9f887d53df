//! Texts of features, structural series, policies of bandits and templates of attributes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_decision::bandit::parse_policy;
use posterior_fuzz::rereads;
use posterior_kalman::structural::Structural;
use posterior_math::linalg::DMatrix;
use posterior_regression::features::FeaturePlan;
use posterior_text::columns::TableReader;
use posterior_text::templates::Templates;
use rand::RngExt as _;

fuzz_target!(|text: &str| {
    if text.len() > 300 {
        return;
    }
    if let Ok(plan) = text.parse::<FeaturePlan>() {
        rereads(&plan);
        let inputs = DMatrix::from_row_slice(4, 2, &[1.0, 0.5, 2.0, 0.25, 3.0, 0.125, 4.0, 0.0]);
        if let Ok(map) = plan.learn(&inputs, &["a", "b"]) {
            let design = map.design(&inputs).expect("the inputs it was learned from");
            assert_eq!(design.ncols(), map.columns().len());
        }
    }
    if let Ok(model) = text.parse::<Structural>() {
        rereads(&model);
        let _ = model.state_space();
    }
    if let Ok(policy) = parse_policy(text) {
        policy.name();
        let mut rng = posterior_dist::stream::stream(1, &[]);
        if let Ok(mut agent) = policy.start(3) {
            for _ in 0..12 {
                let arm = agent.choose(&mut rng);
                assert!(arm < 3, "{text}: arm {arm}");
                let _ = agent.observe(arm, f64::from(u8::from(rng.random::<bool>())));
            }
        }
    }
    if let Ok(templates) = text.parse::<Templates>() {
        let table = TableReader::new(&b"a b c\nd e f\n"[..]).next().expect("a table").expect("a good one");
        for token in 0..2 {
            let _ = (templates.attributes(&table, token), templates.step_attributes(&table, token));
        }
    }
});
