"""Log densities and gradients of Stan's own programs, compiled with Stan's headers: tables/stan/densities.json.gz.

Usage: python stan_densities.py POSTERIORDB WORK

POSTERIORDB is the folder with programs, data and posteriors.json; WORK is for what is compiled. Needs g++ and the
package httpstan (4.13.0, which ships the headers and the compiler of Stan 2.35) in the same Python.

For each program with data: the dimension, and ten points. A point is that of a seed: coordinates are
scale (2u - 1), u from SplitMix64 begun at the seed, scale 2 for seeds up to 100 and 0.2 beyond. Points at which the
density or its gradient is not finite are left out. Of each: `lp` (all constants, with the Jacobian), `plain` (without
it), `gradient` (components 0, step, 2 step, ...), `sum` (all components, each times the cosine of its index) and
`values` (the same sum of the finite constrained and transformed parameters, in the order of CmdStan).
"""

import gzip
import json
import math
import pathlib
import subprocess
import sys

DRIVER = r"""
#include <stan/io/json/json_data.hpp>
#include <stan/model/log_prob_grad.hpp>
#include <stan/services/util/create_rng.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
static uint64_t state;
static double unit() {
  state += 0x9E3779B97F4A7C15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z ^= z >> 31;
  return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}
static stan::model::model_base& make(const std::string& name, stan::io::var_context& data) {
MAKE
  throw std::runtime_error("no such model");
}
int main(int argc, char** argv) {
  std::ifstream in(argv[1]);
  stan::json::json_data data(in);
  auto& m = make(argv[2], data);
  size_t d = m.num_params_r();
  std::vector<double> x(d), g, h;
  std::vector<int> ints;
  std::vector<std::string> names;
  m.constrained_param_names(names, true, false);
  std::printf("{\"dim\": %zu, \"names\": [", d);
  for (size_t i = 0; i < names.size(); i++) std::printf("%s\"%s\"", i ? ", " : "", names[i].c_str());
  std::printf("], \"points\": [");
  int found = 0;
  for (uint64_t seed = 1; seed <= 200 && found < 10; seed++) {
    state = seed;
    for (auto& v : x) v = (seed <= 100 ? 2.0 : 0.2) * (2.0 * unit() - 1.0);
    try {
      double lp = stan::model::log_prob_grad<false, true>(m, x, ints, g, &std::cerr);
      bool finite = std::isfinite(lp);
      for (double v : g) finite = finite && std::isfinite(v);
      if (!finite) continue;
      double plain = stan::model::log_prob_grad<false, false>(m, x, ints, h, &std::cerr);
      auto rng = stan::services::util::create_rng(1, 1);
      std::vector<double> values;
      m.write_array(rng, x, ints, values, true, false, &std::cerr);
      std::printf("%s{\"seed\": %d, \"lp\": %.17g, \"lp_no_jacobian\": %.17g, \"grad\": [", found ? ", " : "",
                  (int)seed, lp, plain);
      for (size_t i = 0; i < d; i++) std::printf("%s%.17g", i ? ", " : "", g[i]);
      std::printf("], \"values\": [");
      for (size_t i = 0; i < values.size(); i++)
        if (std::isfinite(values[i])) std::printf("%s%.17g", i ? ", " : "", values[i]);
        else std::printf("%snull", i ? ", " : "");
      std::printf("]}");
      found++;
    } catch (const std::exception& e) {
      std::cerr << "seed " << seed << ": " << e.what() << "\n";
    }
  }
  std::printf("]}\n");
}
"""


def compile_and_run(base, work):
    """Six programs in one file each: the templates that they share are compiled once."""
    import httpstan

    package = pathlib.Path(httpstan.__file__).parent
    smallest = {}
    for pair in json.loads((base / "posteriors.json").read_text()):
        for suffix in (".json", ".json.gz"):
            file = base / "data" / (pair["data"] + suffix)
            if file.exists():
                text = gzip.open(file, "rt").read() if suffix.endswith("gz") else file.read_text()
                if len(text) < len(smallest.get(pair["program"], (None, text + " "))[1]):
                    smallest[pair["program"]] = (pair["data"], text)
    names = sorted(smallest)
    flags = ["-std=c++17", "-O0", "-w", "-DBOOST_DISABLE_ASSERTS", "-DBOOST_PHOENIX_NO_VARIADIC_EXPRESSION"]
    flags += ["-DSTAN_THREADS", "-D_REENTRANT", "-D_GLIBCXX_USE_CXX11_ABI=0", f"-I{package / 'include'}"]
    link = [f"-L{package / 'lib'}", f"-Wl,-rpath,{package / 'lib'}", "-lsundials_cvodes", "-lsundials_idas"]
    link += ["-lsundials_kinsol", "-lsundials_nvecserial", "-ltbb"]
    for first in range(0, len(names), 6):
        group = names[first : first + 6]
        source, make = "#include <stan/model/model_header.hpp>\n", ""
        for name in group:
            header = work / f"{name}.hpp"
            subprocess.run([package / "stanc", f"--o={header}", base / "programs" / f"{name}.stan"], check=True)
            renamed = ("new_model", "stan_model", "get_stan_profile_data")
            source += "".join(f"#define {one} {one}_{name}\n" for one in renamed)
            source += f'#include "{header}"\n' + "".join(f"#undef {one}\n" for one in renamed)
            make += f'  if (name == "{name}") return new_model_{name}(data, 1, &std::cerr);\n'
        file, program = work / f"group{first}.cpp", work / f"group{first}"
        file.write_text(source + DRIVER.replace("MAKE\n", make))
        subprocess.run(["g++", *flags, file, "-o", program, *link], check=True)
        for name in group:
            (work / f"{name}.data").write_text(smallest[name][1])
            with open(work / f"{name}.json", "w") as out:
                subprocess.run([program, work / f"{name}.data", name], stdout=out, check=True)
    return {name: smallest[name][0] for name in names}


def pack(data, work, out):
    table = {}
    for name in sorted(data):
        record = json.loads((work / f"{name}.json").read_text())
        step = max(1, math.ceil(record["dim"] / 100))
        total = lambda all: sum(x * math.cos(i) for i, x in enumerate(all) if x is not None)
        points = [
            {
                "seed": point["seed"],
                "lp": point["lp"],
                "plain": point["lp_no_jacobian"],
                "gradient": point["grad"][::step],
                "sum": total(point["grad"]),
                "size": max(map(abs, point["grad"])),
                "values": total(point["values"]),
            }
            for point in record["points"]
        ]
        sample = [record["names"][0], record["names"][-1]]
        table[name] = {"data": data[name], "dim": record["dim"], "step": step, "names": len(record["names"])}
        table[name] |= {"ends": sample, "points": points}
    out.parent.mkdir(exist_ok=True)
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(json.dumps(table, separators=(",", ":")).encode())


if __name__ == "__main__":
    base, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(exist_ok=True)
    pack(compile_and_run(base, work), work, pathlib.Path(__file__).parent / "stan" / "densities.json.gz")
