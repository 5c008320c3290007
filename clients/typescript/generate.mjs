// Writes src/schema.ts, the types of the API, from the description on the standard input: `make generate` runs it.
// A caller reads of an answer only its body, and all errors have the same one. The rest is left out, as are examples.
import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

const description = JSON.parse(await text(process.stdin));
const keyed = [];

const withoutExamples = (value, isProperties = false) => {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (!isProperties && (name === "example" || name === "examples")) delete value[name];
    else withoutExamples(item, name === "properties");
  }
};
withoutExamples(description);

for (const [path, item] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (!operation.responses) continue;
    delete operation.operationId; // so that its types stand at its path
    const parameter = (p) => (p.$ref ? description.components.parameters[p.$ref.split("/").at(-1)] : p);
    const parameters = (operation.parameters ?? []).map(parameter);
    if (method === "post" && parameters.some((p) => p.name === "Idempotency-Key")) keyed.push(path);
    operation.parameters = parameters.filter((p) => p.in !== "header" || p.name === "Range");
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (status.startsWith("2")) delete answer.headers;
      else delete operation.responses[status];
    }
    operation.responses.default = {
      description: "A refusal.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
}
// An event is told by its type, here as in a webhook.
description.components.schemas.Event = {
  description: "What happened. Its `data` follows from its `type`.",
  oneOf: Object.values(description.webhooks).map((hook) => hook.post.requestBody.content["application/json"].schema),
};
delete description.webhooks;

const { schemas, parameters } = description.components;
description.components = { schemas, parameters };

const types = astToString(await openapiTS(description));
writeFileSync(
  new URL("src/schema.ts", import.meta.url),
  `// Generated from the description of the API by generate.mjs. Do not edit.

/** The paths whose POST takes an Idempotency-Key. */
export const keyedPaths: ReadonlySet<string> = new Set(${JSON.stringify(keyed, null, 2)});

${types}`,
);
