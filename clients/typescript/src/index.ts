// The client of the Dialwright API. The paths and types are generated from its description; openapi-fetch sends the
// requests. This file adds what every integration needs: the key, retries, lists as iterators, and webhooks.
import createOpenAPIClient, { type Client, type FetchOptions } from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import { type components, keyedPaths, type paths } from "./schema.js";

export type { components, paths };

/** The API's objects by name: `Schemas["Call"]`. */
export type Schemas = components["schemas"];

/** What a webhook sends and `events` yields. `type` tells what `data` is. */
export type Event = Schemas["Event"];

export interface ClientOptions {
  /** The server's URL, such as `https://dial.example.com`. */
  url: string;
  /** An API key of the organization. Keep it on your server. */
  key: string;
  /** How often a request is sent again. Default: 4. */
  retries?: number;
  /** The longest wait before a retry, in seconds. Default: 60, in which a rate limit passes. */
  maxWait?: number;
  /** The function that sends a request. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** An answer that refuses a request. */
export class APIError extends Error {
  /** The status of HTTP. */
  readonly status: number;
  /** `X-Request-Id`, by which the server's log has the request. */
  readonly requestId: string | null;

  constructor(message: string, response: Response) {
    super(message);
    this.name = "APIError";
    this.status = response.status;
    this.requestId = response.headers.get("X-Request-Id");
  }
}

type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };
type Answer<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The paths of lists with pages. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends { get: { parameters: { query?: { cursor?: string } } } }
    ? Answer<paths[P]["get"]> extends Page<unknown>
      ? P
      : never
    : never;
}[keyof paths];

type Get<P extends ListPath> = paths[P] extends { get: infer Operation } ? Operation : never;

/** An item of a list. */
export type ItemOf<P extends ListPath> = Answer<Get<P>> extends Page<infer Item> ? Item : never;

export interface DialwrightClient extends Client<paths> {
  /** Yields the items of all pages of a list. Throws an `APIError` when a page is refused. */
  all<P extends ListPath>(path: P, options?: FetchOptions<Get<P>>): AsyncGenerator<ItemOf<P>, void, undefined>;

  /**
   * Waits for events and yields a list when there are some, without end. To go on after a restart, store `next_cursor`
   * when you have handled the list, and pass it as the cursor.
   */
  events(
    query?: NonNullable<paths["/events"]["get"]["parameters"]["query"]>,
    signal?: AbortSignal,
  ): AsyncGenerator<Schemas["EventList"], void, undefined>;
}

/**
 * Returns a client. A request that fails is sent again, if the API cannot carry it out twice: after a lost connection,
 * a 5xx, a 429 and the 409 of a request that is still being processed. Requests that create something get an
 * `Idempotency-Key` for it; set the header yourself to repeat one from another process.
 */
export function createClient(options: ClientOptions): DialwrightClient {
  const client = createOpenAPIClient<paths>({
    baseUrl: `${options.url.replace(/\/+$/, "")}/api/v1`,
    headers: { Authorization: `Bearer ${options.key}` },
    fetch: (request) => sendAgain(request, options),
    // A text is the content of a file. Its Content-Type is the caller's.
    bodySerializer: (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body)),
  });
  client.use({
    onRequest({ request, schemaPath }) {
      if (request.method === "POST" && keyedPaths.has(schemaPath) && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      }
    },
  });
  return Object.assign(client, {
    async *all(path: ListPath, init: { params?: { query?: object } } = {}) {
      let query: object = { ...init.params?.query };
      for (;;) {
        const page = await read(client, path, { ...init, params: { ...init.params, query } });
        yield* page.data;
        if (!page.has_more || page.next_cursor === null) return;
        query = { ...query, cursor: page.next_cursor };
      }
    },
    async *events(query: object = {}, signal?: AbortSignal) {
      for (let next: object = { wait: 20, ...query }; ; ) {
        const page = await read(client, "/events", { params: { query: next }, signal });
        if (page.data.length > 0) yield page;
        next = { ...next, start: undefined, cursor: page.next_cursor };
      }
    },
  }) as DialwrightClient;
}

async function read(client: Client<paths>, path: string, init: object): Promise<Page<unknown>> {
  const get = client.GET as (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  const { data, error, response } = await get(path, init);
  if (data === undefined) {
    throw new APIError((error as Partial<Schemas["Error"]> | undefined)?.error ?? response.statusText, response);
  }
  return data as Page<unknown>;
}

async function sendAgain(request: Request, options: ClientOptions): Promise<Response> {
  const { retries = 4, maxWait = 60, fetch = globalThis.fetch } = options;
  const once = request.method === "POST" && !request.headers.has("Idempotency-Key");
  for (let tries = 0; ; tries++) {
    const last = tries >= retries;
    let wait = Math.min(0.5 * 2 ** tries * (0.75 + Math.random() / 2), maxWait); // seconds
    try {
      const response = await fetch(last ? request : request.clone());
      const retryAfter = response.headers.get("Retry-After");
      const passes =
        response.status === 429 || // it was not carried out
        (response.status === 409 && retryAfter !== null) || // the first is still being processed
        (response.status >= 500 && !once);
      if (retryAfter !== null) wait = Number(retryAfter);
      if (last || !passes || !(wait <= maxWait)) return response;
      await response.body?.cancel();
    } catch (error) {
      if (last || once || request.signal.aborted) throw error;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, wait * 1000);
      request.signal.addEventListener(
        "abort",
        () => {
          clearTimeout(timer);
          reject(request.signal.reason);
        },
        { once: true },
      );
    });
  }
}

/**
 * Verifies the signature of a webhook's request and returns its event. `body` is the request's, as it arrived. Throws
 * if the signature is not the secret's. Handle each `id` once: an event may arrive again.
 */
export function parseWebhook(secret: string, headers: Headers | Record<string, string | string[] | undefined>, body: string): Event {
  const plain: Record<string, string> = {};
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value === "string") plain[name] = value;
  }
  return new Webhook(secret).verify(body, plain) as Event;
}
