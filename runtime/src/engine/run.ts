import { decodeRecord, decodeValue, encodeOutput, encodeRecord } from "./codec.js";
import { Alarms } from "./clock.js";
import { contextOf, type WorkflowContext } from "./context.js";
import { CorruptRecordError, FatalError } from "./errors.js";
import { errorData, placesBehind, sourceOf } from "./failure.js";
import { callHost } from "./host-call.js";
import { loadHistory, Place } from "./history.js";
import type { Journal } from "./journal.js";
import type { Mailbox } from "./mailbox.js";
import { Pass, type PassRun } from "./pass.js";
import type { Clock, StoredRecord } from "./ports.js";
import { runHandlers, type RollbackAction } from "./rollback.js";
import { Scope } from "./scope.js";
import type {
  ErrorData,
  RecordedHistory,
  RunSettings,
  WorkflowErrorEvent,
  WorkflowHost,
  WorkflowRun,
  WorkflowStatus,
} from "./seam.js";
import { INPUT_KEY, readStatus, StatusRecord, type StoredStatus } from "./status.js";

/** The workflow function, seen from the engine. */
export type WorkflowFunction = (context: WorkflowContext<never>, input: never) => unknown;

export interface RunOptions {
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  /** All records of the instance; the run picks its own. */
  readonly records: readonly StoredRecord[];
  readonly run: WorkflowFunction;
  /** Kept when the workflow starts for the first time; later runs get the kept one. */
  readonly input?: unknown;
  readonly host?: WorkflowHost;
  readonly settings?: RunSettings;
}

const DEFAULT_MAX_ENTRY_SIZE = 1024 * 1024;

const ENDED: ReadonlySet<WorkflowStatus> = new Set<WorkflowStatus>([
  "completed",
  "failed",
  "cancelled",
  "parked",
]);

/**
 * The workflow of an instance. A history that can't be read makes a run that is parked, writes nothing and
 * holds the CorruptRecordError as its `error`.
 * @throws SerializationError when the input can't be kept.
 */
export function createRun(options: RunOptions): WorkflowRun {
  return new Run(options);
}

/**
 * 1. `pass` is the execution under way; there is at most one, and only it writes history.
 * 2. The stored status says `running` with due time 0 whenever there is work that no stored due time and no
 *    waiting message would start again. It is written together with the first commit of that work.
 * 3. The stored status of a suspended run may still say so for a second (see `StatusRecord`): if the process is killed
 *    in it, the next one runs it once in vain.
 */
class Run implements WorkflowRun, PassRun {
  readonly instance: string;
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  readonly host: WorkflowHost;
  readonly settings: RunSettings;
  readonly maxEntrySize: number;
  root = new Place();
  status: WorkflowStatus = "pending";
  error: ErrorData | undefined;

  private readonly fn: WorkflowFunction;
  private record: StatusRecord;
  private input: unknown;
  private sequence = 0;
  private pass: Pass | undefined;
  private passes = 0;
  private actions: RollbackAction[] = [];
  private corrupt = false;
  private gone = false;
  private ending = false;
  private historyNoted = false;
  private readonly wakeUp: Alarms;
  private onEnded: ((status: WorkflowStatus) => void)[] = [];
  private onSettled: (() => void)[] = [];

  constructor({ journal, mailbox, clock, records, run, input, host = {}, settings = {} }: RunOptions) {
    this.journal = journal;
    this.instance = journal.instance;
    this.mailbox = mailbox;
    this.clock = clock;
    this.host = host;
    this.settings = settings;
    this.maxEntrySize = settings.maxEntrySize ?? DEFAULT_MAX_ENTRY_SIZE;
    this.fn = run;
    this.wakeUp = new Alarms(clock);
    this.record = new StatusRecord(journal, clock, undefined);
    try {
      this.load(records, input);
    } catch (error) {
      if (!(error instanceof CorruptRecordError)) throw error;
      this.giveUp(error);
    }
    mailbox.onArrival(() => {
      if (mailbox.fault !== undefined && !this.corrupt) this.giveUp(mailbox.fault);
      const { pass } = this;
      if (pass !== undefined) pass.poke();
      else if (this.status === "sleeping") this.begin();
      // It has looked at what was read on, and waits after all.
      if (pass?.active === 0 && this.status === "running") this.passIdle(pass, pass.due);
      else if (!this.busy) this.settle();
    });
  }

  /** A record can't be read: parked as it stands, no record is written any more and no time wakes it. */
  private giveUp(error: CorruptRecordError): void {
    this.corrupt = true;
    this.journal.setDue("workflow", null);
    this.pass?.kill();
    this.pass = undefined;
    this.error = errorData(error);
    this.reportError({ workflow: { workflowId: this.instance, error: this.error } });
    this.setStatus("parked");
  }

  private load(records: readonly StoredRecord[], input: unknown): void {
    if (this.mailbox.fault !== undefined) throw this.mailbox.fault;
    const stored = readStatus(this.instance, records);
    if (stored === undefined) {
      this.input = encodeOutput(input, "The workflow's input");
      return;
    }
    const { root, nextSeq } = loadHistory(this.instance, records);
    this.root = root;
    this.sequence = nextSeq;
    const kept = records.find(({ key }) => key === INPUT_KEY);
    if (kept !== undefined) this.input = decodeRecord("workflow", kept.value, this.instance, INPUT_KEY)[0];
    this.record = new StatusRecord(this.journal, this.clock, stored);
    this.status = stored.status === "running" ? "sleeping" : stored.status;
    this.error = stored.error;
  }

  get output(): unknown {
    return decodeValue(this.record.kept?.output);
  }

  get busy(): boolean {
    if (this.gone) return false;
    return this.ending || (this.pass !== undefined && (this.pass.active > 0 || this.mailbox.reading));
  }

  nextSeq(): number {
    return this.sequence++;
  }

  start(): void {
    if (this.gone || this.pass !== undefined || ENDED.has(this.status)) return;
    if (this.record.kept === undefined) {
      if (this.input !== undefined) this.journal.put(INPUT_KEY, encodeRecord("workflow", [this.input]));
      this.begin();
      return;
    }
    const { due } = this.record.kept;
    if ((due !== null && due <= this.clock.now()) || this.mailbox.size() > 0) this.begin();
    else if (due !== null)
      this.wakeUp.add(due, () => {
        this.start();
      });
  }

  private begin(): void {
    this.wakeUp.clear();
    const rollback = this.status === "rolling_back";
    this.actions = [];
    const isFirst = this.record.kept === undefined; // making a pass stores that it runs
    const pass = new Pass(this, ++this.passes, rollback ? "rollback" : "run");
    pass.beganNew = isFirst;
    this.pass = pass;
    void this.execute(pass);
  }

  private async execute(pass: Pass): Promise<void> {
    try {
      const scope = new Scope(pass, pass.strand, this.root);
      let output: unknown;
      try {
        output = await scope.run(
          () => this.fn(contextOf(scope) as WorkflowContext<never>, decodeValue(this.input) as never),
          () => "The workflow",
          (result) => (pass.mode === "run" ? encodeOutput(result, "The workflow's output") : undefined),
        );
        if (pass.stopping) return;
      } catch (error) {
        if (pass.stopping) return;
        if (pass.mode === "run") {
          await this.fail(pass, error);
          return;
        }
      }
      if (pass.mode === "rollback") void pass.strand.stop();
      else await this.end(pass, { status: "completed", due: null, output });
    } catch (error) {
      this.host.onInternalError?.(error);
    }
  }

  private async fail(pass: Pass, error: unknown): Promise<void> {
    const data = errorData(error);
    const failed = placesBehind(error).map(({ path }) => path);
    this.error = data;
    if (error instanceof FatalError || !this.hasCheckpoint) {
      if (sourceOf(error)?.source !== "step")
        this.reportError({ workflow: { workflowId: this.instance, error: data } });
      await this.end(pass, { status: "failed", due: null, error: data, failed });
      return;
    }
    pass.kill();
    this.pass = undefined;
    this.record.keep({ status: "rolling_back", due: 0, error: data, failed });
    this.setStatus("rolling_back");
    this.begin();
    if (sourceOf(error)?.source !== "step")
      this.reportError({ workflow: { workflowId: this.instance, error: data } });
  }

  /** Ends for good, durably. */
  private async end(pass: Pass | undefined, stored: StoredStatus): Promise<void> {
    this.ending = true;
    pass?.kill();
    this.wakeUp.clear();
    this.pass = undefined;
    this.record.keep(stored);
    try {
      await this.journal.commit();
    } catch {
      return; // the journal told the pool, which abandons the instance
    }
    this.ending = false;
    if (this.gone) return;
    this.setStatus(stored.status);
    for (const listener of this.onEnded.splice(0)) listener(stored.status);
    this.settle();
  }

  // What the pass tells

  passResumed(pass: Pass): void {
    this.record.forgetLater();
    if (pass.mode === "rollback") return;
    this.record.keep({ status: "running", due: 0 });
    this.setStatus("running");
  }

  passIdle(pass: Pass, due: number | null): void {
    if (pass.evicting) return;
    if (pass.mode === "rollback") {
      void this.rollBack(pass);
      return;
    }
    if (this.mailbox.reading) return; // what it waits for may be stored already
    pass.alarms.rest();
    this.record.keepSoon({ status: "sleeping", due });
    this.setStatus("sleeping");
    if (this.journal.urgent) {
      const commit = this.journal.commit();
      pass.suspending = commit;
      const clear = (): void => {
        if (pass.suspending === commit) pass.suspending = undefined;
      };
      commit.then(clear, clear); // a failure reaches the pool through the journal
    }
    this.settle();
  }

  passFailed(pass: Pass, error: Error): void {
    void this.fail(pass, error);
  }

  noteRollback(action: RollbackAction): void {
    this.actions.push(action);
  }

  /** Only steps after a checkpoint can be undone. */
  private get hasCheckpoint(): boolean {
    return [...this.root.entries()].some(({ data }) => data?.kind === "rollback_checkpoint");
  }

  private async rollBack(pass: Pass): Promise<void> {
    const stored = this.record.kept ?? { status: "rolling_back", due: 0 };
    this.ending = true;
    const done = await runHandlers(pass, this.actions, (due) => {
      this.record.keep({ ...stored, due });
      this.ending = due === 0;
      if (due !== 0) this.settle();
    });
    if (done) await this.end(pass, { ...stored, status: "failed", due: null });
  }

  // Status

  private setStatus(status: WorkflowStatus): void {
    if (this.status === status) return;
    this.status = status;
    callHost(this.host, () => this.host.onStatus?.(status));
  }

  private settle(): void {
    for (const listener of this.onSettled.splice(0)) listener();
    callHost(this.host, () => this.host.onIdle?.());
  }

  reportError(event: WorkflowErrorEvent): void {
    callHost(this.host, () => this.host.onError?.(event));
  }

  noteHistory(): void {
    if (this.host.onHistory === undefined || this.historyNoted) return;
    this.historyNoted = true;
    this.journal.afterCommit(() => {
      this.historyNoted = false;
      callHost(this.host, () => this.host.onHistory?.());
    });
  }

  ended(): Promise<WorkflowStatus> {
    if (!this.ending && ENDED.has(this.status)) return Promise.resolve(this.status);
    return new Promise((resolve) => this.onEnded.push(resolve));
  }

  settled(): Promise<void> {
    if (!this.busy) return Promise.resolve();
    return new Promise((resolve) => this.onSettled.push(resolve));
  }

  // Control

  async evict(graceMs = 0): Promise<void> {
    const { pass } = this;
    if (pass !== undefined && !pass.dead) {
      pass.evicting = true;
      pass.strand.abort();
      if (pass.bodies > 0 && graceMs > 0) await pass.bodiesEnded(graceMs);
      pass.kill();
    }
    if (pass !== undefined && this.mailbox.reading) this.record.keep({ status: "running", due: 0 });
    else this.record.settle();
    this.leave();
  }

  abandon(): void {
    this.pass?.kill();
    this.leave();
  }

  private leave(): void {
    this.gone = true;
    this.record.close();
    this.wakeUp.clear();
    this.mailbox.close();
  }

  async cancel(): Promise<void> {
    if (
      this.corrupt ||
      this.status === "completed" ||
      this.status === "failed" ||
      this.status === "cancelled"
    )
      return;
    this.setStatus("cancelled");
    await this.end(this.pass, { status: "cancelled", due: null });
  }

  async park(reason: ErrorData): Promise<void> {
    if (this.corrupt || ENDED.has(this.status)) return;
    this.error = reason;
    await this.end(this.pass, { status: "parked", due: null, error: reason });
  }

  async revise(change: (history: RecordedHistory) => Place): Promise<void> {
    if (this.corrupt) return;
    const { root, journal, mailbox } = this;
    const failed = this.record.kept?.failed ?? [];
    const inFlight = (this.pass?.bodies ?? 0) > 0;
    this.root = change({ root, failed, journal, mailbox, inFlight });
    this.pass?.kill();
    this.pass = undefined;
    this.error = undefined;
    this.record.keep({ status: "sleeping", due: 0 });
    this.setStatus("sleeping");
    await journal.commit();
    if (!this.gone) this.begin();
  }
}
