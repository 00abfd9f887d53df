//! What is refused.

use super::{corpus, topics};
use posterior_math::check::DimensionError;
use posterior_math::iteration::Silent;
use posterior_sampling::tempering::TemperatureSchedule;
use posterior_topics::held_out::{
    Annealed, Chib, LeftToRight, annealed, chib, document_completion, exact, left_to_right,
};
use posterior_topics::lda::gibbs;
use posterior_topics::{Error, TopicModel as _};

#[test]
fn what_does_not_go_together_is_refused() {
    let phi = topics(&[&[0.5, 0.5], &[0.1, 0.9]]);
    let unseen = corpus(2, &[&[(0, 2), (1, 1)]]);
    let ask = |alpha: &[f64], options: LeftToRight| left_to_right(&phi, alpha, &unseen, &options);
    for alpha in [&[1.0][..], &[1.0, 1.0, 1.0], &[]] {
        assert!(ask(alpha, LeftToRight::default()).unwrap_err().is_dimension());
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = ask(&[1.0, bad], LeftToRight::default()).unwrap_err();
        assert!(error.is_parameter() && error.to_string().contains("alpha[1]"), "{error}");
    }
    assert!(ask(&[f64::MAX, f64::MAX], LeftToRight::default()).unwrap_err().is_parameter());
    assert!(
        ask(&[1.0, 1.0], LeftToRight { particles: 0, ..LeftToRight::default() }).unwrap_err().is_parameter()
    );
    assert!(ask(&[1.0, 1.0], LeftToRight { runs: 1, ..LeftToRight::default() }).unwrap_err().is_parameter());
    let lengthless = Chib { length: 0, ..Chib::default() };
    assert!(chib(&phi, &[1.0, 1.0], &unseen, &lengthless).unwrap_err().is_parameter());
    let single = Annealed { runs: 1, ..Annealed::new(TemperatureSchedule::power(3, 1.0).unwrap()) };
    assert!(annealed(&phi, &[1.0, 1.0], &unseen, &single).unwrap_err().is_parameter());

    let other = corpus(3, &[&[(0, 2), (1, 1)]]);
    let error = exact(&phi, &[1.0, 1.0], &other, 100).unwrap_err();
    assert!(error.is_corpus() && error.hint().is_some(), "{error}");
}

#[test]
fn too_many_states_are_refused_before_they_are_stored() {
    let phi = topics(&[&[1.0][..]; 60]);
    let unseen = corpus(1, &[&[(0, 1_000_000)]]);
    let error: Error = exact(&phi, &[1.0; 60], &unseen, usize::MAX).unwrap_err();
    assert!(error.to_string().contains("1000000 tokens and 60 topics"), "{error}");
}

#[test]
fn completion_adds_up_what_the_model_says() {
    let texts = corpus(3, &[&[(0, 5), (1, 2)], &[(1, 2), (2, 5)]]);
    let options = gibbs::LdaGibbsOptions { topics: 2, iterations: 20, ..gibbs::LdaGibbsOptions::default() };
    let fitted = gibbs::fit(&texts, &options, &mut Silent).unwrap();
    let (observed, scored) = (corpus(3, &[&[(0, 2)], &[(2, 2)]]), corpus(3, &[&[(0, 3)], &[(1, 1), (2, 1)]]));
    let completion = document_completion(&fitted.model, &observed, &scored).unwrap();
    let sum: f64 = (0..2)
        .map(|d| {
            let theta = fitted.model.proportions(observed.document(d));
            let words = scored.document(d);
            let pairs = words.words.iter().zip(words.counts);
            pairs
                .map(|(&w, &n)| {
                    let phi = fitted.model.topics().topic_word();
                    f64::from(n) * (0..2).map(|k| theta[k] * phi[(k, w as usize)]).sum::<f64>().ln()
                })
                .sum::<f64>()
        })
        .sum();
    assert!((completion.ln_likelihood - sum).abs() < 1e-12);
    assert_eq!(completion.tokens, 5);
    let (fewer, wider) = (corpus(3, &[&[(0, 3)]]), corpus(4, &[&[(0, 2)], &[(3, 2)]]));
    for (observed, scored, sizes) in
        [(&observed, &fewer, (2, 1)), (&wider, &scored, (3, 4)), (&observed, &wider, (3, 4))]
    {
        let error = document_completion(&fitted.model, observed, scored).unwrap_err();
        assert!(
            matches!(error, Error::Dimension(DimensionError { expected, found, .. }) if (expected, found) == sizes),
            "{error}"
        );
    }
}
