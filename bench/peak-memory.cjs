// Preload: at exit, writes the peak resident memory of the process (kB) and its processor time
// (microseconds) to BENCH_PEAK_FILE. CommonJS, so that the measured program does not load Node's ES
// module loader for it.
const { writeFileSync } = process.getBuiltinModule("node:fs");

const file = process.env.BENCH_PEAK_FILE;
if (file)
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(file, `${maxRSS} ${userCPUTime + systemCPUTime}`);
  });
