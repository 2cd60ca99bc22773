import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { queue, setup, workflow } from "@stepproof/runtime";

/** The outside world of the demo: every effect is one line of a file, seen by whoever runs the demo. */
function tell(line: string): void {
  console.log(line);
}

async function act(effect: string): Promise<void> {
  tell(`started ${effect}`);
  await pause(400);
  appendFileSync(process.env["DEMO_EFFECTS"] ?? "effects.log", `${effect}\n`);
  tell(`done ${effect}`);
}

export const order = workflow({
  state: { status: "new" as "new" | "charged" | "approved" | "shipped" },
  queues: { approval: queue<{ by: string }>() },
  run: async (ctx) => {
    await ctx.step("reserve-stock", async () => {
      await act("stock reserved");
    });
    const receipt = await ctx.step("charge-card", async (step) => {
      await act("card charged");
      step.state.status = "charged";
      return "receipt-17";
    });
    const approval = await ctx.queue.next("wait-approval");
    await ctx.step("ship", async (step) => {
      await act(`parcel shipped, approved by ${approval.body.by}, ${receipt}`);
      step.state.status = "shipped";
    });
  },
  actions: { getStatus: (c) => c.state.status },
});

export const registry = setup({ use: { order } });

/** Serves the registry when the file is run; the demo reads the address from the first line. */
const file = process.env["DEMO_DATABASE"];
if (file !== undefined) {
  const running = await registry.start({ file, port: 0 });
  tell(`serving ${running.url}`);
}
