//! Stronger and stronger friendships.

use std::io::Write;

use posterior::inference::{BeliefPropagation, Enumeration, MeanField, TreeReweighted};
use posterior::pgm::{Evidence, VarId};
use posterior::report::{Figure, Page, Ribbon, ribbons};
use posterior::sampling::network::NetworkGibbs;

use super::{ann, ask, error_of_ann, friends, plus_minus};
use crate::Outcome;

/// Agreement counts b for both votes, and Ann leans to 1 by a tenth: nobody knows better, but some are too
/// sure.
pub(super) fn stronger_friendships(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    writeln!(
        out,
        "\nFriends who agree count b, and Ann leans to 1 as 1.1 : 1. p(Ann votes 1), and the error of ln Z\n"
    )?;
    writeln!(
        out,
        "{:>6} {:>9} {:>9} {:>9} {:>9} {:>9}{:9}   {:>10} {:>10} {:>10}",
        "b", "exact", "bp", "trw", "field", "Gibbs", "", "bp", "trw", "field"
    )?;
    let mut lines = ["exact", "belief propagation", "tree-reweighted", "mean field"]
        .map(|name| Ribbon { name: name.to_owned(), ..Ribbon::default() });
    let mut of_z = ["belief propagation", "tree-reweighted", "mean field"]
        .map(|name| Ribbon { name: name.to_owned(), ..Ribbon::default() });
    for b in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0] {
        let model = friends(b, b)?;
        let lean = Evidence::none().with_likelihood(VarId::new(0), vec![1.0, 1.1]);
        let exact = ask(&Enumeration::default(), &model, &lean)?;
        let drawn = ask(&NetworkGibbs::default(), &model, &lean)?;
        let others = [
            ask(&BeliefPropagation::default(), &model, &lean)?,
            ask(&TreeReweighted::default(), &model, &lean)?,
            ask(&MeanField::default(), &model, &lean)?,
        ];
        let p = others.each_ref().map(ann);
        for (line, p) in lines.iter_mut().zip([ann(&exact)].into_iter().chain(p)) {
            line.line.push((f64::ln(b), p));
        }
        let error = others.each_ref().map(|other| other.ln_z().value() - exact.ln_z().value());
        writeln!(
            out,
            "{b:6.1} {:9.6} {:9.6} {:9.6} {:9.6} {:9.6}{}   {:10.6} {:10.6} {:10.6}",
            ann(&exact),
            p[0],
            p[1],
            p[2],
            ann(&drawn),
            plus_minus(error_of_ann(&drawn)),
            error[0],
            error[1],
            error[2]
        )?;
        for (line, error) in of_z.iter_mut().zip(error) {
            line.line.push((f64::ln(b), error));
        }
    }
    page.standfirst.push(
        "Neighbours in a ring of four vote alike if they can. Sixteen scores say everything, and nine engines are asked for the same numbers. The more \
         friendship counts, the surer some of them become of a side that nothing but a hair speaks for."
            .to_owned(),
    );
    page.lead = Some(Figure::new(
        ribbons(("ln b, how much friendship counts", "p(Ann votes 1)"), &lines, &[], Some(1.0)),
        "Friends who agree count b, and Ann leans to 1 as 1.1 : 1. Mean field breaks the symmetry beyond b = e, the dashed line, and is nearly sure of \
         one side.",
    ));
    page.section(
        "Bounds",
        "The error of ln Z: mean field is below it, tree-reweighting above, belief propagation close by.",
        Figure::new(
            ribbons(("ln b", "error of ln Z"), &of_z, &[], None),
            "The error of ln Z of each engine.",
        ),
    );
    writeln!(
        out,
        "\nMean field breaks the symmetry: beyond b = e it takes one side, and is nearly sure of it."
    )?;
    Ok(())
}
