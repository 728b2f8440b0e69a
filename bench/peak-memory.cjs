// Preload: at exit, writes the peak resident memory of the process (kB) to BENCH_PEAK_FILE. CommonJS, so that what is
// measured does not load Node's ES module loader for our sake.
const { writeFileSync } = process.getBuiltinModule("node:fs");

const file = process.env.BENCH_PEAK_FILE;
if (file) process.on("exit", () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
