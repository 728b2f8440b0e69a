// Preload: at exit, writes the peak resident memory of the process (kB) to BENCH_PEAK_FILE.
import { writeFileSync } from "node:fs";

const file = process.env.BENCH_PEAK_FILE;
if (file) process.on("exit", () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
