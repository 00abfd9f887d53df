//! The packages of the real workspace, from `cargo metadata`.

use cargo_metadata::DependencyKind;
use cargo_metadata::semver::VersionReq;

use super::{Dependency, Package, Purpose};
use crate::cargo;

/// All members of the workspace, in the order of their names.
pub(super) fn packages() -> Result<Vec<Package>, String> {
    let metadata = cargo::metadata()?;
    let root = &metadata.workspace_root;
    let mut packages = Vec::new();
    for package in metadata.workspace_packages() {
        let manifest = &package.manifest_path;
        let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root).ok());
        let folder = folder.ok_or_else(|| format!("{manifest} lies outside the workspace"))?;
        packages.push(Package {
            name: package.name.to_string(),
            folder: folder.as_str().replace('\\', "/"),
            layer: layer(&package.metadata).map_err(|message| format!("{manifest}: {message}"))?,
            publish: package.publish.as_ref().is_none_or(|registries| !registries.is_empty()),
            dependencies: package.dependencies.iter().map(dependency).collect(),
        });
    }
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

fn layer(metadata: &serde_json::Value) -> Result<Option<u64>, String> {
    let Some(layer) = metadata.get("posterior").and_then(|table| table.get("layer")) else {
        return Ok(None);
    };
    let message = || format!("layer = {layer}, expected a whole number from 0");
    layer.as_u64().map(Some).ok_or_else(message)
}

fn dependency(from: &cargo_metadata::Dependency) -> Dependency {
    Dependency {
        name: from.name.clone(),
        purpose: match from.kind {
            DependencyKind::Development => Purpose::Dev,
            DependencyKind::Build => Purpose::Build,
            _ => Purpose::Normal,
        },
        by_path: from.path.is_some(),
        has_version: from.req != VersionReq::STAR,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_layer_is_read_and_anything_but_a_number_is_refused() {
        assert_eq!(layer(&json!({"posterior": {"layer": 3}})), Ok(Some(3)));
        assert_eq!(layer(&json!({"other": {"layer": 3}})), Ok(None));
        assert_eq!(layer(&json!(null)), Ok(None));
        assert!(layer(&json!({"posterior": {"layer": "3"}})).is_err());
        assert!(layer(&json!({"posterior": {"layer": -1}})).is_err());
    }
}
