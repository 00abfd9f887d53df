//! The netCDF of ArviZ.

use std::collections::BTreeMap;
use std::io::{self, Write};

use netcdf_writer::{
    DimensionId, Error, NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions, VariableId,
};

use super::arviz::{Array, ArvizGroups, Group, OBSERVED};

impl ArvizGroups<'_> {
    /// Writes netCDF-4 (HDF5), which ArviZ reads with `az.from_netcdf` and xarray with `open_datatree`: a
    /// group of the file for each group, with the dimensions `chain`, `draw` and `NAME_dim_0`, ...
    ///
    /// The file is made in memory: about 24 bytes a number.
    ///
    /// # Errors
    /// Of `out`; names that netCDF does not take (empty, or with a slash).
    pub fn write_netcdf(&self, mut out: impl Write) -> io::Result<()> {
        let mut file = NcFileBuilder::new();
        let attribute = NcAttrValue::Chars("posterior".to_owned());
        file.add_attribute("inference_library", attribute).map_err(io::Error::other)?;
        for group in self.groups() {
            group.arrays.iter().try_for_each(|array| check_name(array.name))?;
            self.add(&mut file, &group).map_err(io::Error::other)?;
        }
        self.observed.iter().try_for_each(|(name, _)| check_name(name))?;
        self.add_observed(&mut file).map_err(io::Error::other)?;
        file.write(&mut out, NcWriteOptions { format: NcWriteFormat::Nc4 }).map_err(io::Error::other)?;
        out.flush()
    }

    fn add(&self, file: &mut NcFileBuilder, group: &Group<'_>) -> Result<(), Error> {
        let mut dimensions = Dimensions { group: group.name, known: BTreeMap::new() };
        let all = [
            dimensions.add(file, "chain", self.draws.chains())?,
            dimensions.add(file, "draw", self.draws.len())?,
        ];
        for array in &group.arrays {
            let mut own = all.to_vec();
            for (axis, &len) in array.shape.iter().enumerate() {
                own.push(dimensions.add(file, &format!("{}_dim_{axis}", array.name), len)?);
            }
            let path = format!("/{}/{}", group.name, array.name);
            let numbers = || self.numbers(group, array);
            if group.is_flag(array) {
                let variable: VariableId = file.add_variable_path::<i8>(path, &own)?;
                // As xarray marks what is true or false.
                file.add_variable_attribute(variable, "dtype", NcAttrValue::Chars("bool".to_owned()))?;
                let flags: Vec<i8> = numbers().map(|number| i8::from(number != 0.0)).collect();
                file.write_variable(variable, &flags)?;
            } else {
                let variable = file.add_variable_path::<f64>(path, &own)?;
                let numbers: Vec<f64> = numbers().collect();
                file.write_variable(variable, &numbers)?;
            }
        }
        Ok(())
    }

    fn add_observed(&self, file: &mut NcFileBuilder) -> Result<(), Error> {
        let mut dimensions = Dimensions { group: OBSERVED, known: BTreeMap::new() };
        for (name, values) in &self.observed {
            let own = [dimensions.add(file, &format!("{name}_dim_0"), values.len())?];
            let variable = file.add_variable_path::<f64>(format!("/{OBSERVED}/{name}"), &own)?;
            file.write_variable(variable, values)?;
        }
        Ok(())
    }

    /// The numbers of an array by chain, draw and index.
    fn numbers(&self, group: &Group<'_>, array: &Array<'_>) -> impl Iterator<Item = f64> {
        let draws = self.draws;
        let rows = (0..draws.chains()).flat_map(move |chain| (0..draws.len()).map(move |draw| (chain, draw)));
        rows.flat_map(move |(chain, draw)| {
            let row = self.row(group, chain, draw);
            array.columns.iter().map(move |&column| row[column])
        })
    }
}

fn check_name(name: &str) -> io::Result<()> {
    if name.contains('/') {
        let message = format!("{name:?}: names of netCDF have no slash");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

/// The dimensions of a group.
struct Dimensions {
    group: &'static str,
    known: BTreeMap<String, DimensionId>,
}

impl Dimensions {
    /// A dimension and its coordinates 0, 1, ...
    fn add(&mut self, file: &mut NcFileBuilder, name: &str, len: usize) -> Result<DimensionId, Error> {
        if let Some(&known) = self.known.get(name) {
            return Ok(known);
        }
        let path = format!("/{}/{name}", self.group);
        let dimension = file.add_dimension_path(path.clone(), len as u64)?;
        let coordinates = file.add_variable_path::<i64>(path, &[dimension])?;
        file.write_variable(coordinates, &(0_i64..).take(len).collect::<Vec<_>>())?;
        self.known.insert(name.to_owned(), dimension);
        Ok(dimension)
    }
}
