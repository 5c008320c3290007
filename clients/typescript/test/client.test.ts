import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { APIError, createClient, parseWebhook, type Schemas } from "../src/index.js";

type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; broken?: boolean };

/** A client of a server that gives these answers in turn, and the requests that it got. */
function against(replies: Reply[]) {
  const got: { method: string; url: URL; key: string | null; type: string | null; body: string }[] = [];
  const client = createClient({
    url: "https://dial.example.com/",
    key: "secret",
    retries: replies.length - 1,
    maxWait: 0.001,
    fetch: async (request) => {
      assert.equal(request.headers.get("Authorization"), "Bearer secret");
      got.push({
        method: request.method,
        url: new URL(request.url),
        key: request.headers.get("Idempotency-Key"),
        type: request.headers.get("Content-Type"),
        body: await request.text(),
      });
      const { status = 200, headers = {}, body, broken } = replies[got.length - 1] ?? { status: 500 };
      if (broken) throw new TypeError("the connection was lost");
      return new Response(body === undefined ? null : JSON.stringify(body), {
        status,
        headers: { "Content-Type": "application/json", ...headers },
      });
    },
  });
  return { client, got };
}

const call = { agent_id: "a", phone_number_id: "n", to: "+15005000091" } as Schemas["NewCall"];

test("what creates something is repeated with the same key", async () => {
  const { client, got } = against([
    { broken: true },
    { status: 503 },
    { status: 429, headers: { "Retry-After": "0" } },
    { status: 409, headers: { "Retry-After": "0" } },
    { status: 201, body: { id: "c" } },
  ]);
  const { data } = await client.POST("/calls", { body: call });
  assert.equal(data?.id, "c");
  assert.equal(got.length, 5);
  assert.ok(got[0]?.key);
  assert.equal(new Set(got.map((r) => r.key)).size, 1);
  assert.deepEqual(new Set(got.map((r) => r.body)), new Set([JSON.stringify(call)]));
});

test("a file is sent as it is", async () => {
  const { client, got } = against([{ status: 201, body: {} }]);
  const file = "phone_number\n+15005000091\n";
  await client.POST("/campaigns/{id}/recipients", {
    params: { path: { id: "c" } },
    headers: { "Content-Type": "text/csv" },
    body: file,
  });
  assert.equal(got[0]?.body, file);
  assert.equal(got[0]?.type, "text/csv");
  assert.ok(got[0]?.key);
});

test("your own key stays", async () => {
  const { client, got } = against([{ status: 201, body: {} }]);
  await client.POST("/calls", { body: call, headers: { "Idempotency-Key": "order 7" } });
  assert.equal(got[0]?.key, "order 7");
});

test("what would happen twice is not repeated", async () => {
  for (const reply of [{ status: 503 }, { broken: true }]) {
    const { client, got } = against([reply, { body: {} }]);
    const sent = client.POST("/calls/{id}/hang-up", { params: { path: { id: "c" } } });
    if (reply.broken) await assert.rejects(sent, TypeError);
    else assert.equal((await sent).response.status, 503);
    assert.equal(got.length, 1);
  }
});

test("a wait beyond maxWait and the last try end in the answer", async () => {
  const long = against([{ status: 429, headers: { "Retry-After": "30" }, body: { error: "Later" } }, {}]);
  const refused = await long.client.GET("/me");
  assert.deepEqual([refused.response.status, refused.error?.error, long.got.length], [429, "Later", 1]);
  const down = against([{ status: 500 }, { status: 502 }, { status: 500 }]);
  assert.equal((await down.client.GET("/me")).response.status, 500);
  assert.equal(down.got.length, 3);
});

test("lists are read to their end", async () => {
  const { client, got } = against([
    { body: { data: [{ id: 1 }, { id: 2 }], has_more: true, next_cursor: "next" } },
    { body: { data: [{ id: 3 }], has_more: false, next_cursor: null } },
  ]);
  const ids: unknown[] = [];
  const query = { status: ["completed" as const], metadata: { source: "crm" } };
  for await (const call of client.all("/calls", { params: { query } })) ids.push(call.id);
  assert.deepEqual(ids, [1, 2, 3]);
  assert.equal(got[1]?.url.searchParams.get("cursor"), "next");
  assert.equal(got[1]?.url.searchParams.get("status"), "completed");
  assert.equal(got[1]?.url.searchParams.get("metadata[source]"), "crm");
});

test("a refused page throws what the server said", async () => {
  const { client } = against([{ status: 400, headers: { "X-Request-Id": "r" }, body: { error: "limit: too many" } }]);
  await assert.rejects(async () => {
    for await (const _ of client.all("/campaigns")) assert.fail();
  }, (error: unknown) => error instanceof APIError && error.status === 400 && error.requestId === "r" && error.message === "limit: too many");
});

test("events go on from their cursor", async () => {
  const { client, got } = against([
    { body: { data: [], has_more: false, next_cursor: "1" } },
    { body: { data: [{ id: "e" }], has_more: false, next_cursor: "2" } },
  ]);
  for await (const page of client.events({ start: "now" })) {
    assert.equal(page.next_cursor, "2");
    break;
  }
  assert.deepEqual(got.map((r) => r.url.search), ["?wait=20&start=now", "?wait=20&cursor=1"]);
});

test("only a webhook's own secret verifies its event", () => {
  const secret = "whsec_" + Buffer.from("0123456789abcdef0123456789abcdef").toString("base64");
  const body = JSON.stringify({ id: "e", type: "call.completed", timestamp: new Date().toISOString(), data: { id: "c" } });
  const at = new Date();
  const headers = {
    "webhook-id": "e",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("e", at, body),
  };
  const event = parseWebhook(secret, headers, body);
  assert.equal(event.type === "call.completed" && event.data.id, "c");
  assert.equal(parseWebhook(secret, new Headers(headers), body).id, "e");
  assert.throws(() => parseWebhook(secret, headers, body.replace("e", "f")));
  assert.throws(() => parseWebhook("whsec_" + Buffer.from("another secret, of another hook").toString("base64"), headers, body));
});
