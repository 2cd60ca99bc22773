/** What a law has looked at: programs, schedules, verdicts, inconclusive cases … by what was counted. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** @throws when something that the law speaks of was met too seldom. */
  meets(law: string, demands: Readonly<Record<string, number>>): void {
    for (const [what, least] of Object.entries(demands)) {
      if (this.of(what) >= least) continue;
      throw new Error(
        `${law}: "${what}" was met ${this.of(what)} times, ${least} are wanted: the law tests too little.\n${String(this)}`,
      );
    }
  }

  /** `programs 60, schedules 120 …`; the features, whose names begin with `· `, apart. */
  toString(): string {
    const all = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const line = (some: typeof all): string => some.map(([what, count]) => `${what} ${count}`).join(", ");
    const features = all.filter(([what]) => what.startsWith("· "));
    return `${line(all.filter(([what]) => !what.startsWith("· ")))}${features.length === 0 ? "" : `\n  seen: ${line(features).replaceAll("· ", "")}`}`;
  }
}
