// Drives a server that DIALWRIGHT_URL and DIALWRIGHT_KEY name: one with the sandbox, such as the demo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../src/index.js";

const { DIALWRIGHT_URL: url, DIALWRIGHT_KEY: key } = process.env;

test("a campaign runs", { skip: url === undefined || key === undefined }, async () => {
  const client = createClient({ url: url!, key: key! });
  const me = await client.GET("/me");
  assert.ok(me.data, me.error?.error);

  const first = async <T>(list: AsyncGenerator<T, void>): Promise<T> => {
    for await (const item of list) return item;
    throw new Error("the list is empty");
  };
  const project = await first(client.all("/projects"));
  const agent = await first(client.all("/agents"));
  const number = await first(client.all("/phone-numbers"));
  const created = await client.POST("/campaigns", {
    body: {
      name: "By the TypeScript client",
      project_id: project.id,
      agent_id: agent.id,
      phone_number_id: number.id,
      calling_hours: { timezone: "UTC", windows: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], start: "00:00", end: "24:00" }] },
      recipients: [{ phone_number: "+15005000091" }, { phone_number: "+15005010092" }],
    },
  });
  assert.ok(created.data, created.error?.error);
  const { id } = created.data;
  for await (const page of client.events({ type: ["campaign.completed"] }, AbortSignal.timeout(120_000))) {
    if (page.data.some((event) => event.type === "campaign.completed" && event.data.id === id)) break;
  }
  const outcomes: (string | null)[] = [];
  for await (const recipient of client.all("/campaigns/{id}/recipients", { params: { path: { id }, query: { limit: 1 } } })) {
    outcomes.push(recipient.outcome);
  }
  assert.equal(outcomes.length, 2);

  const gone = await client.GET("/campaigns/{id}", { params: { path: { id: "019aa5f3-2f0d-7c55-8a3e-9d2b1a6c4e10" } } });
  assert.equal(gone.response.status, 404);
});
