// Drives a server with the clients that generators make of its description with their defaults.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import * as hey from "./gen/hey/index.js";
import { client as heyClient } from "./gen/hey/client.gen.js";
import * as orval from "./gen/orval.js";
import type { paths } from "./gen/schema.js";
import * as zod from "./gen/zod.js";

const { DIALWRIGHT_URL: url, DIALWRIGHT_KEY: key } = process.env;
assert.ok(url && key, "DIALWRIGHT_URL and DIALWRIGHT_KEY name a server");
const headers = { Authorization: `Bearer ${key}` };
const missing = "019aa5f3-2f0d-7c55-8a3e-9d2b1a6c4e10";

// openapi-typescript with openapi-fetch
const client = createClient<paths>({ baseUrl: `${url}/api/v1`, headers });
const projects = await client.GET("/projects");
const agents = await client.GET("/agents");
const numbers = await client.GET("/phone-numbers");
const [project, agent, number] = [projects.data?.data[0], agents.data?.data[0], numbers.data?.data[0]];
assert.ok(project && agent && number);
const order = (name: string) => ({
  name,
  draft: true,
  project_id: project.id,
  agent_id: agent.id,
  phone_number_id: number.id,
  recipients: [{ phone_number: "+15005000091" }],
});
const made = await client.POST("/campaigns", { body: order("By openapi-fetch") });
assert.equal(made.data?.status, "draft", made.error?.error);
const gone = await client.GET("/campaigns/{id}", { params: { path: { id: missing } } });
assert.equal(gone.error?.error, "Campaign not found");

// @hey-api/openapi-ts
heyClient.setConfig({ baseUrl: `${url}/api/v1`, headers });
const heyMade = await hey.createCampaign({ body: order("By @hey-api/openapi-ts") });
assert.equal(heyMade.data?.status, "draft");
const heyList = await hey.listCalls({ query: { status: ["completed", "failed"], limit: 2 } });
assert.equal(heyList.data?.data.length, 2);
const heyGone = await hey.getCampaign({ path: { id: missing } });
assert.equal(heyGone.error?.error, "Campaign not found");
assert.equal((await hey.deleteCampaign({ path: { id: heyMade.data!.id } })).response?.status, 204);
assert.match(String((await hey.exportCalls({ query: { campaign_id: "none" } })).data), /^id,/);

// orval, fetch: its addresses are relative to the server
const send = globalThis.fetch;
globalThis.fetch = (input, init) => send(typeof input === "string" && input.startsWith("/") ? `${url}/api/v1${input}` : input, init);
const orvalMade = await orval.createCampaign(order("By orval"), { headers });
assert.equal(orvalMade.status, 201);
const orvalGone = await orval.getCampaign(missing, { headers });
assert.ok(orvalGone.status === 404 && orvalGone.data.error === "Campaign not found");

// orval, zod
const read = async (path: string) => (await send(`${url}/api/v1${path}`, { headers })).json();
zod.ListCampaignsResponse.parse(await read("/campaigns"));
zod.ListCallsResponse.parse(await read("/calls"));
zod.ListEventTypesResponse.parse(await read("/event-types"));
const call = (await read("/calls?status=completed&limit=1")).data[0];
zod.GetCallResponse.parse(await read(`/calls/${call.id}`));
zod.GetCallResponse.parse({ ...(await read(`/calls/${call.id}`)), ended_reason: "a_later_reason", added_later: 1 });
console.log("openapi-fetch, hey-api, orval and zod: all work");
