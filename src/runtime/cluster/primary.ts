/**
 * The primary process of a server with `--workers`: it accepts connections, which it gives to its
 * workers in turn, has their shared state, and replaces a worker that ends.
 */
import cluster, { type Worker } from "node:cluster";
import type { ApiDefinition } from "../api-definition.js";
import type { Log } from "../server/telemetry.js";
import type { Settings } from "../server/settings.js";
import type { Env } from "../request/types.js";
import { isResultKey } from "../response/result-store.js";
import { createMemoryStore } from "../store/memory.js";
import type { Store } from "../store/types.js";
import { listenForMetrics } from "../transport/http/serve-metrics.js";
import { combineMetrics } from "./combine-metrics.js";
import { dividedLimits } from "./divided-limits.js";
import type { PrimaryMessage, WorkerMessage } from "./messages.js";

/** Milliseconds before a worker that ended is replaced. */
const RESTART_MS = 1000;

/** Milliseconds in which a worker must return its metrics. */
const METRICS_MS = 2000;

interface PrimaryOptions {
  readonly api: ApiDefinition;
  readonly env: Env;
  readonly settings: Settings;
  readonly log: Log;
  readonly workers: number;
}

/**
 * Starts the workers and watches them until the process receives a signal. The first one starts
 * alone, so that a problem at the start is reported once.
 * @returns a sentence if the settings do not allow so many workers
 */
export function runPrimary(options: PrimaryOptions): string | undefined {
  const limits = dividedLimits(options.api, options.env, options.workers);
  if (typeof limits === "string") return limits;
  cluster.setupPrimary({ serialization: "advanced" });
  const primary = new Primary(options, limits);
  primary.start(1);
  return undefined;
}

class Primary {
  readonly #workers = new Map<number, Worker>();
  readonly #state = createMemoryStore();
  readonly #results: Store;
  readonly #metrics = new Map<number, (text: string) => void>();
  #hasStarted = false;
  #isStopping = false;
  #lastRequest = 0;

  constructor(
    private readonly options: PrimaryOptions,
    private readonly env: Env,
  ) {
    this.#results = createMemoryStore(Date.now, options.settings.resultStoreBytes / 2);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#stop());
  }

  /** @param number number of the worker, from 1 */
  start(number: number): void {
    const worker = cluster.fork(this.env);
    this.#workers.set(number, worker);
    worker.on("message", (message: WorkerMessage) => void this.#receive(worker, message));
    worker.on("listening", () => void this.#startOthers());
    // A message to a worker that has just ended.
    worker.on("error", (error) => this.options.log.debug("worker", error));
    worker.on("exit", (code: number | null, signal) => this.#ended(number, code, signal));
  }

  async #startOthers(): Promise<void> {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const { workers, settings, log } = this.options;
    for (let number = 2; number <= workers; number++) this.start(number);
    if (settings.metricsPort === undefined) return;
    const problem = await listenForMetrics({ settings, log }, () => this.#readMetrics());
    if (problem !== undefined) log.error("metrics", new Error(problem));
  }

  #ended(number: number, code: number | null, signal: string | null): void {
    this.#workers.delete(number);
    if (this.#isStopping || !this.#hasStarted) {
      if (code !== 0 && !this.#isStopping) process.exitCode = code ?? 1;
      if (this.#workers.size === 0) process.exit();
      return;
    }
    this.options.log.warn(`Worker ${number} ended (${signal ?? code}) and is replaced.`);
    setTimeout(() => this.#isStopping || this.start(number), RESTART_MS);
  }

  /** The second signal ends all processes at once. */
  #stop(): void {
    if (this.#isStopping)
      for (const worker of this.#workers.values()) worker.process.kill("SIGKILL");
    this.#isStopping = true;
    for (const worker of this.#workers.values()) this.#send(worker, { kind: "stop" });
    if (this.#workers.size === 0) process.exit();
  }

  #send(worker: Worker, message: PrimaryMessage): void {
    if (worker.isConnected()) worker.send(message);
  }

  async #receive(worker: Worker, message: WorkerMessage): Promise<void> {
    if (message.kind === "metrics") return this.#metrics.get(message.id)?.(message.text);
    const { id, operation, values } = message;
    const store = isResultKey(String(values[0])) ? this.#results : this.#state;
    const run = store[operation] as (...values: readonly unknown[]) => Promise<unknown>;
    this.#send(worker, { kind: "stored", id, value: await run(...values) });
  }

  async #readMetrics(): Promise<string> {
    const texts = [...this.#workers].map(
      async ([number, worker]) => [number, await this.#metricsOf(worker)] as const,
    );
    return combineMetrics(new Map(await Promise.all(texts)));
  }

  #metricsOf(worker: Worker): Promise<string> {
    const id = ++this.#lastRequest;
    return new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(""), METRICS_MS);
      this.#metrics.set(id, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      this.#send(worker, { kind: "metrics", id });
    }).finally(() => this.#metrics.delete(id));
  }
}
