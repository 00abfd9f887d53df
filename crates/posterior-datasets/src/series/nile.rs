//! The flow of the Nile at Aswan, yearly, 1871-1970.

use super::TimeSeries;

/// The flow of the Nile at Aswan, yearly, 1871-1970.
pub static NILE: TimeSeries = TimeSeries {
    title: "The flow of the Nile at Aswan, yearly, 1871-1970",
    unit: "10^8 m^3",
    start: 1871.0,
    per_year: 1.0,
    values: &VALUES,
};

/// Where the numbers are from, and under which terms.
pub(crate) const PROVENANCE: &str = "\
What: the volume of water that passed Aswan in each year from 1871 to 1970, in 10^8 cubic metres.
Source: J. Durbin and S. J. Koopman, Time Series Analysis by State Space Methods, as in the data set Nile of R.
Terms: measurements; only the numbers are embedded.
";

const VALUES: [f64; 100] = [
    1120.0, 1160.0, 963.0, 1210.0, 1160.0, 1160.0, 813.0, 1230.0, 1370.0, 1140.0, 995.0, 935.0, 1110.0,
    994.0, 1020.0, 960.0, 1180.0, 799.0, 958.0, 1140.0, 1100.0, 1210.0, 1150.0, 1250.0, 1260.0, 1220.0,
    1030.0, 1100.0, 774.0, 840.0, 874.0, 694.0, 940.0, 833.0, 701.0, 916.0, 692.0, 1020.0, 1050.0, 969.0,
    831.0, 726.0, 456.0, 824.0, 702.0, 1120.0, 1100.0, 832.0, 764.0, 821.0, 768.0, 845.0, 864.0, 862.0,
    698.0, 845.0, 744.0, 796.0, 1040.0, 759.0, 781.0, 865.0, 845.0, 944.0, 984.0, 897.0, 822.0, 1010.0,
    771.0, 676.0, 649.0, 846.0, 812.0, 742.0, 801.0, 1040.0, 860.0, 874.0, 848.0, 890.0, 744.0, 749.0, 838.0,
    1050.0, 918.0, 986.0, 797.0, 923.0, 975.0, 815.0, 1020.0, 906.0, 901.0, 1170.0, 912.0, 746.0, 919.0,
    718.0, 714.0, 740.0,
];
