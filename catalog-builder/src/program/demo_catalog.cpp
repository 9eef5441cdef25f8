#include "program/demo_catalog.h"

#include "system/child_process.h"

namespace tonearm::builder {

DemoOutcome build_demo(const std::string& folder, BuildOptions options, Hashing& hashing, native::Progress& progress) {
  const int status = native::run_program(native::sibling_program("tonearm-demo"), {"--output=" + folder});
  if (status != 0) return {status, {}};
  options.inputs = {{std::string(kFolderSource), folder + "/audio"}};
  options.media_output = folder + "/media";
  options.output = folder + "/catalog.sqlite";
  Report report;
  build_catalog(options, hashing, progress, report);
  return {status, options.output + ": version " + report.version + ", " + report.summary()};
}

}  // namespace tonearm::builder
