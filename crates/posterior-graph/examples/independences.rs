//! What a graph says before any number: who depends on whom, along which path, and what a query needs.
//!
//! `cargo run -p posterior-graph --example independences`

use posterior_graph::Dag;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let student = Dag::named(
        ["Difficulty", "Intelligence", "Grade", "SAT", "Letter"],
        [("Difficulty", "Grade"), ("Intelligence", "Grade"), ("Intelligence", "SAT"), ("Grade", "Letter")],
    )?;
    let id = |name| student.names().require(name);
    let (difficulty, intelligence, grade) = ([id("Difficulty")?], [id("Intelligence")?], id("Grade")?);

    println!("independent: {}", student.separation(&difficulty, &intelligence, &[])?.is_separated());
    if let Some(path) = student.separation(&difficulty, &intelligence, &[grade])?.path() {
        println!("given the grade they depend on each other: {path}");
    }
    for independence in student.local_independencies() {
        println!("{}", independence.display(student.names()));
    }
    Ok(())
}
