//! What a checked program says of its expressions.

use posterior_stan::{ExprKind, Program, StatementKind, Type};

#[test]
fn expressions_calls_and_distributions_are_resolved() {
    let text = "functions { real f(real x) { return x; } real f(int x) { return x; } }\n\
                data { int N; vector[N] y; }\nparameters { real mu; }\n\
                model { y ~ normal(f(mu), f(2)); target += mu * 2; }";
    let typed = Program::parse(text).unwrap().check().unwrap();
    let model = typed.tree().block(posterior_stan::BlockKind::Model).unwrap();
    let StatementKind::Distribution(what) = &model.statements[0].kind else { panic!("a distribution") };
    let density = typed.density(what).unwrap();
    assert_eq!((density.function.as_str(), density.user), ("normal_lpdf", None));
    assert_eq!(density.args, [Type::Vector, Type::Real, Type::Real]);
    let users: Vec<_> = what.args.iter().map(|arg| typed.resolved(arg).unwrap().user).collect();
    assert_eq!(users, [Some(0), Some(1)]);
    assert!(typed.type_of(&what.left).unwrap().data);
    assert!(!typed.type_of(&what.args[0]).unwrap().data);
    let StatementKind::TargetPlus(value) = &model.statements[1].kind else { panic!("an increment") };
    assert_eq!(typed.type_of(value).unwrap().of, Type::Real);
    let product = typed.resolved(value).unwrap();
    assert_eq!(
        (product.function.as_str(), product.args.as_slice()),
        ("multiply", &[Type::Real, Type::Real][..])
    );
    assert!(matches!(&value.kind, ExprKind::Binary(..)));
    assert_eq!(value.to_string(), "mu * 2");
}

#[test]
fn integers_become_real_and_real_numbers_complex() {
    assert_eq!(Type::Int.promotion(&Type::Complex), Some(2));
    assert_eq!(Type::Int.array(2).promotion(&Type::Real.array(2)), Some(1));
    assert_eq!(Type::Int.array(2).promotion(&Type::Real.array(1)), None);
    assert_eq!(Type::Real.promotion(&Type::Int), None);
    assert_eq!(Type::Vector.promotion(&Type::ComplexVector), Some(1));
    assert_eq!(Type::Vector.promotion(&Type::RowVector), None);
    let tuple = |one, other| Type::Tuple(vec![one, other]);
    assert_eq!(tuple(Type::Int, Type::Int).promotion(&tuple(Type::Real, Type::Complex)), Some(3));
    assert_eq!(Type::Int.array(2).common(&Type::Complex.array(2)), Some(Type::Complex.array(2)));
    assert_eq!(
        tuple(Type::Int, Type::Real).common(&tuple(Type::Real, Type::Int)),
        Some(tuple(Type::Real, Type::Real))
    );
    assert_eq!(Type::Vector.array(2).to_string(), "array[,] vector");
}
