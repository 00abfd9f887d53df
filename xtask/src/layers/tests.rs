//! Good and broken workspaces, and the real one.

use super::*;

fn package(name: &str, layer: Option<u64>, dependencies: Vec<Dependency>) -> Package {
    Package { name: name.to_owned(), folder: format!("crates/{name}"), layer, publish: true, dependencies }
}

fn on(name: &str, purpose: Purpose) -> Dependency {
    Dependency { name: name.to_owned(), purpose, by_path: true, has_version: true }
}

fn test_kit_by_path(purpose: Purpose) -> Dependency {
    Dependency { name: TEST_KIT.to_owned(), purpose, by_path: true, has_version: false }
}

fn kit() -> Package {
    Package { publish: false, ..package(TEST_KIT, None, vec![on("dist", Purpose::Normal)]) }
}

/// A workspace of `math` on layer 0 and `dist` on layer 1, the test kit, and `subject`.
fn findings_with(subject: Package) -> Vec<String> {
    let dist = package("dist", Some(1), vec![on("math", Purpose::Normal), test_kit_by_path(Purpose::Dev)]);
    let benches = Package { folder: "benches".to_owned(), ..package("benches", None, vec![]) };
    check(&[package("math", Some(0), vec![]), dist, kit(), benches, subject])
}

#[test]
fn dependencies_on_lower_layers_and_on_foreign_crates_are_fine() {
    let foreign = Dependency { by_path: false, ..on("nalgebra", Purpose::Normal) };
    let dependencies =
        vec![on("math", Purpose::Build), on("dist", Purpose::Dev), test_kit_by_path(Purpose::Dev), foreign];
    assert_eq!(findings_with(package("pgm", Some(2), dependencies)), Vec::<String>::new());
}

#[test]
fn the_same_layer_is_refused() {
    let found = findings_with(package("graph", Some(1), vec![on("dist", Purpose::Normal)]));
    assert_eq!(found, ["graph: depends from layer 1 on dist, which is beside it, on the same layer (1)"]);
}

#[test]
fn a_higher_layer_is_refused_for_every_purpose() {
    for (purpose, verb) in
        [(Purpose::Normal, "depends"), (Purpose::Build, "build-depends"), (Purpose::Dev, "dev-depends")]
    {
        let found = findings_with(package("base", Some(0), vec![on("dist", purpose)]));
        assert_eq!(found, [format!("base: {verb} from layer 0 on dist, which is above it (1)")]);
    }
}

#[test]
fn a_missing_layer_is_refused() {
    let found = findings_with(package("graph", None, vec![on("math", Purpose::Normal)]));
    assert_eq!(found, ["graph: states no layer; add `[package.metadata.posterior] layer = N`"]);
}

#[test]
fn the_test_kit_is_refused_outside_of_tests() {
    for purpose in [Purpose::Normal, Purpose::Build] {
        let found = findings_with(package("graph", Some(1), vec![test_kit_by_path(purpose)]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("on the test kit, which is for tests only"), "{found:?}");
    }
}

#[test]
fn the_test_kit_with_a_version_is_refused() {
    let versioned = Dependency { has_version: true, ..test_kit_by_path(Purpose::Dev) };
    let found = findings_with(package("graph", Some(1), vec![versioned]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("without a version"), "{found:?}");
}

#[test]
fn the_test_kit_is_neither_published_nor_layered() {
    let found = check(&[package(TEST_KIT, Some(1), vec![])]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_folder_with_another_name_is_refused() {
    let moved = Package { folder: "crates/nets".to_owned(), ..package("graph", Some(1), vec![]) };
    assert_eq!(findings_with(moved), ["graph: lies in crates/nets; a crate's folder has its name"]);
}

#[test]
fn nothing_depends_on_a_package_outside_of_crates() {
    let found = findings_with(package("graph", Some(1), vec![on("benches", Purpose::Dev)]));
    assert_eq!(found, ["graph: dev-depends on benches, which is no library of the workspace"]);
}

#[test]
fn the_workspace_itself_is_in_order() {
    let packages = manifest::packages().expect("cargo metadata describes the workspace");
    assert!(packages.iter().any(|package| package.name == "posterior-math" && package.layer == Some(0)));
    assert_eq!(check(&packages), Vec::<String>::new());
}

#[test]
fn the_knots_of_modules_are_those_on_the_list() {
    let packages = manifest::packages().expect("cargo metadata describes the workspace");
    let knots = module_knots(&packages).expect("the workspace parses");
    assert_eq!(knots::judge(&knots).findings, Vec::<String>::new());
}
