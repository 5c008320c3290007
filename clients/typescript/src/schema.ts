// Generated from the description of the API by generate.mjs. Do not edit.

/** The paths whose POST takes an Idempotency-Key. */
export const keyedPaths: ReadonlySet<string> = new Set([
  "/campaigns",
  "/campaigns/{id}/retry",
  "/campaigns/{id}/recipients",
  "/calls",
  "/calls/batch",
  "/calls/{id}/notes",
  "/follow-ups",
  "/messages",
  "/messages/batch"
]);

export interface paths {
    "/campaigns/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the messaging quota of each number
         * @description Returns how many new conversations each connected chat-messaging number of the organization may still start in the
         *     next 24 hours. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The numbers, in no particular order. Empty if no number is connected. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Quota"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the API key that you use
         * @description Returns the API key of the request, its organization, and the limits of both. Needs no scope. Use it to test a connection.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The key, its organization and the limits. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description Newest first. Scope: `campaigns:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Only items that started after this time. */
                    started_after?: string;
                    /** @description Only items that started before this time. */
                    started_before?: string;
                    /** @description Only items that ended after this time. */
                    ended_after?: string;
                    /** @description Only items that ended before this time. */
                    ended_before?: string;
                    /**
                     * @description Only items that changed after this time. [Keep a copy up to date](/docs/keep-a-copy-up-to-date) tells which time to
                     *     send, so that no change is missed.
                     */
                    updated_after?: string;
                    /** @description Only items that last changed before this time. */
                    updated_before?: string;
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["CampaignStatus"][];
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of campaigns. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CampaignList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a campaign
         * @description Creates a campaign of automatic calls that starts at `scheduled_at` or at once. If anything in the body is wrong,
         *     down to one recipient of 100,000, the error names it and nothing is created.
         *
         *     A phone number that appears twice is accepted, and its second entry is skipped. A number on the do-not-call list is
         *     skipped too. Both count in `counters.total`, and the recipient's `skip_reason` says why.
         *
         *     With `messaging`, each recipient gets a WhatsApp template before or after the call. A list longer than the
         *     `available` quota of the chosen number is refused with a 422. The chosen number is `messaging.external_id` or,
         *     without it, the phone number's own `messaging_external_id`. So a list is checked even without `messaging` if the
         *     phone number has one. A campaign with `"messaging": {"trigger": "never"}` or a voice-only phone number is not
         *     checked. Messages over the quota at send time wait until there is quota again.
         *
         *     The connection of the phone number or the number pool must be ready for real calls, which the server checks. If
         *     it is not, the campaign is refused with a 409 that names what is missing, unless `not_ready_reason` says why it
         *     starts anyway. Sandbox connections are always ready.
         *
         *     The body can be up to 64 MiB. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCampaign"];
                };
            };
            responses: {
                /** @description The campaign was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        /**
         * Get a campaign
         * @description One campaign with its figures, all from the same moment. Scope: `campaigns:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a draft or a canceled campaign
         * @description Deletes a draft, or a campaign that was canceled and whose calls have ended, with its log and the recipients who
         *     were neither called nor written to. Calls and messages stay, with their recipients, for the history and as evidence.
         *     Their `campaign_id` is that of the deleted campaign. To remove a person from them, create an erasure.
         *     Scope: `campaigns:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign was deleted. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Changes the fields that you send, of a campaign that has not ended. `name`, `metadata`, `expires_at`,
         *     `calling_hours`, `max_concurrency`, `calls_per_second`, `retry`, `intents` and `budget` change at any time. The
         *     start time changes until the campaign starts. The agent, the phone number or pool, the messages and what else
         *     decides how calls are made change until the first call or message of the campaign, also after its start. After
         *     that, a change of them is a 409 that names them. A list or an object replaces the whole value, and what you
         *     leave out of it gets its default. The change applies from the next call on. Calls in progress and attempts that
         *     are already planned stay, but recipients who wait for calling hours follow the new ones. If you lower
         *     `retry.max_attempts`, recipients who have had that many attempts are not called again, unless they asked to be
         *     called back. They get the status and the outcome of their last attempt, with the usual events, and a campaign
         *     that has nobody left to call completes.
         *
         *     You can send back the campaign as you read it: read-only fields are accepted if unchanged. The campaign's log
         *     names the changed fields. Scope: `campaigns:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignChange"];
                };
            };
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/campaigns/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a draft
         * @description Starts a campaign that was created with `draft`, at its `scheduled_at`, or now if that is past. The connection must
         *     be ready for real calls, unless you give a `not_ready_reason`. The body is optional. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Resumption"];
                };
            };
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the unreached recipients again
         * @description Creates a campaign with the settings of one that has ended, and with its recipients who were not reached: those who
         *     are `failed`, `expired` or `canceled`. The campaign itself stays as it is. `retry_of_campaign_id` of the new one
         *     names it. The project, agent, number, calling hours, retries, messaging, variables and metadata are the same, and
         *     `outcomes` chooses among the recipients.
         *
         *     Left out are recipients who were reached (a message on their voicemail counts), asked not to be called again, were
         *     canceled by themselves, were skipped or were erased, and numbers that are not in service. As in every new campaign,
         *     recipients who are on the do-not-call list now, or without a consent that your organization requires, are skipped,
         *     and a list longer than the quota of the WhatsApp number is a 422. The body is optional. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["CampaignRetry"];
                };
            };
            responses: {
                /** @description The new campaign. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description Stops placing calls until you resume the campaign. Calls in progress continue to their end. You can also pause
         *     a scheduled campaign. The request needs no body. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused campaign
         * @description Runs the campaign again, or schedules it again if its time has not come. A campaign that was paused before its
         *     start needs a connection that is ready for real calls, or a `not_ready_reason`, as a new one. A campaign that has
         *     reached its budget, or the organization's monthly budget, is not resumed. The body is optional.
         *     Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Resumption"];
                };
            };
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Final. Recipients who have not been called become `canceled`, and nothing is retried. Calls in progress are
         *     not cut off and still count. The request needs no body. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the budget of a campaign
         * @description Sets the most that the campaign's calls may cost, or changes it. It applies to the next call. A paused campaign
         *     is not resumed. Scope: `campaigns:write`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewBudget"];
                };
            };
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove the budget of a campaign
         * @description Its calls may cost any amount from now on. Scope: `campaigns:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign has no budget. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        /**
         * Get the answers of a campaign
         * @description What the settled calls of the campaign answered to each question of its agent: how many calls asked it, how many
         *     answered, and how often each answer was given. With outcomes, intents and attempts. Scope: `campaigns:read`.
         *
         *     Without `answers`, it reads sums, so it is as fast for a million calls as for a hundred. Calls in which a recipient called back and
         *     answered what was left open count with their answers. An erased person is taken out of the sums. After
         *     the retention period of the project, the answers of single calls are gone and the sums stay.
         *
         *     Pass a `value` to `GET /calls` as `answers[key]`, with this `campaign_id`, to list the calls that gave the answer.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The first day, in the organization's time zone, by when calls were queued. */
                    from?: string;
                    /** @description The last day. */
                    to?: string;
                    /** @description Only calls that followed this version of the agent. Use it twice to compare two versions. */
                    agent_version?: number;
                    /**
                     * @description Only calls with an answer: `answers[confirmed]=true` sums what the calls with this answer came to, and what
                     *     they answered to the other questions. Values are written as in `GET /calls`. The filter looks at the latest
                     *     5,000 calls with the answer. `limited` says that there are more.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                };
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallResults"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        /**
         * List a campaign's log
         * @description What the dialer and people decided, and when, newest first. What blocks the campaign gets an entry whenever it
         *     changes. What happens to many recipients or calls is added up in one entry per hour. The log is kept as long
         *     as the campaign. Scope: `campaigns:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of entries. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CampaignLog"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        /**
         * List a campaign's recipients
         * @description Newest first, so the end of your list comes first. Scope: `campaigns:read`.
         *
         *     Filters by `metadata` that few recipients match stop after half a second per page. Such a page may be shorter than
         *     its limit, even empty, while `has_more` is true. Continue with `next_cursor` until `has_more` is false.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Filter by `external_id`, which must match exactly. */
                    external_id?: string;
                    /** @description Filter by phone number. Write the `+` as `%2B`. */
                    phone_number?: components["schemas"]["PhoneNumberText"];
                    /**
                     * @description Filter by your metadata: `metadata[source]=crm` finds the items with this value. Write numbers and booleans as in
                     *     JSON. Several keys must all match. No index helps, so a filter that few items match may take several pages. To find
                     *     an item by your own ID, use `external_id`.
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Filter by an answer in a call with the recipient: `answers[confirmed]=true`. Values are written as in
                     *     `GET /calls`. Several must all match in one call.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["RecipientStatus"][];
                    /** @description Filter by the outcome of the recipient's last call. Takes several values, repeated or separated by commas. */
                    outcome?: components["schemas"]["Outcome"][];
                    /** @description Filter by the intent of the recipient's last call. Takes several values, repeated or separated by commas. */
                    intent?: components["schemas"]["Intent"][];
                };
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of recipients. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecipientList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add recipients to a campaign
         * @description Adds recipients to a campaign that has not ended. If anything in the list is wrong, nothing is added. A phone
         *     number that is already in the campaign or on the do-not-call list is accepted and skipped. If the list is
         *     longer than the `available` quota of the campaign's WhatsApp number, the request is refused with a 422, as at
         *     creation.
         *
         *     The body can be up to 64 MiB. It may also be a CSV file, or the address of one in `recipients_url`:
         *     [Lists from files](/docs/lists-from-files). Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRecipients"];
                    "text/csv": string;
                };
            };
            responses: {
                /** @description The recipients were added. Returns the campaign. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change many recipients of a campaign
         * @description Changes up to 1,000 recipients who wait for a call, as `PATCH /campaigns/{id}/recipients/{recipient_id}` changes
         *     one. A value that is invalid is a 400 that names it, and changes nobody. Otherwise every recipient who can be
         *     changed is, and the answer says what became of each. Scope: `campaigns:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RecipientChanges"];
                };
            };
            responses: {
                /** @description What became of each recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedRecipients"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/campaigns/{id}/recipients/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel many recipients of a campaign
         * @description Cancels up to 1,000 recipients in one step, for example everybody who has paid since the import, as
         *     `POST /campaigns/{id}/recipients/{recipient_id}/cancel` cancels one. The answer says what became of each. You can
         *     repeat the request: a recipient who was canceled is then `already_ended`. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChosenRecipients"];
                };
            };
            responses: {
                /** @description What became of each recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CanceledRecipients"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients/prioritize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call many recipients of a campaign first
         * @description Has up to 1,000 recipients called before the others of the campaign, as
         *     `POST /campaigns/{id}/recipients/{recipient_id}/prioritize` does with one. The answer says what became of each.
         *     Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChosenRecipients"];
                };
            };
            responses: {
                /** @description What became of each recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PrioritizedRecipients"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients/{recipient_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
                /** @description The recipient's `id`. */
                recipient_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a recipient
         * @description One recipient of a campaign. Scope: `campaigns:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                    /** @description The recipient's `id`. */
                    recipient_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a recipient
         * @description Changes the fields that you send, of a recipient who waits for a call: one who is `pending`. `variables` and
         *     `metadata` replace the whole object. The phone number changes until the first attempt, and until the campaign's
         *     message before the call is queued. A new phone number or time zone decides anew when the calling hours are
         *     open. The next call and what follows it use the new values. A message that was queued before the call keeps the
         *     old ones.
         *
         *     You can send back the recipient as you read it: read-only fields are accepted if unchanged.
         *     Scope: `campaigns:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                    /** @description The recipient's `id`. */
                    recipient_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RecipientChange"];
                };
            };
            responses: {
                /** @description The recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/campaigns/{id}/recipients/{recipient_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
                /** @description The recipient's `id`. */
                recipient_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a recipient
         * @description Nobody calls the recipient any more in this campaign, for example because they have paid. It applies at any time:
         *     before the first call, and while they wait for another attempt. A call that is being placed or in progress
         *     continues, and none follows it: the recipient then ends with the result of that call. The campaign's message
         *     before the call is withdrawn if it has not been sent, and nobody is told in a message that they were not reached.
         *     The message after a conversation is sent. A campaign without recipients left completes.
         *
         *     Other campaigns still call the number. To stop all of them, add it to the do-not-call list.
         *     Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                    /** @description The recipient's `id`. */
                    recipient_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients/{recipient_id}/prioritize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
                /** @description The recipient's `id`. */
                recipient_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a recipient first
         * @description Has the recipient called before the others of the campaign who are due, at the first attempt and at retries. Calling
         *     hours, limits and the delay before a retry still apply. Recipients who were prioritized are called in the order in
         *     which they are due. Scope: `campaigns:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                    /** @description The recipient's `id`. */
                    recipient_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: components["parameters"]["campaign_id"];
            };
            cookie?: never;
        };
        /**
         * Export a campaign's recipients as CSV
         * @description Streams every recipient that matches the filters as a CSV file, in the order they were added.
         *     Scope: `campaigns:read`.
         *
         *     The first columns are those that an import in the dashboard recognizes. The last ones are the recipient's answers,
         *     such as `answers.confirmed`, from all calls with the recipient. The notes of `GET /calls/export` apply here too.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Filter by `external_id`, which must match exactly. */
                    external_id?: string;
                    /** @description Filter by phone number. Write the `+` as `%2B`. */
                    phone_number?: components["schemas"]["PhoneNumberText"];
                    /**
                     * @description Filter by your metadata: `metadata[source]=crm` finds the items with this value. Write numbers and booleans as in
                     *     JSON. Several keys must all match. No index helps, so a filter that few items match may take several pages. To find
                     *     an item by your own ID, use `external_id`.
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Filter by an answer in a call with the recipient: `answers[confirmed]=true`. Values are written as in
                     *     `GET /calls`. Several must all match in one call.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["RecipientStatus"][];
                    /** @description Filter by the outcome of the recipient's last call. Takes several values, repeated or separated by commas. */
                    outcome?: components["schemas"]["Outcome"][];
                    /** @description Filter by the intent of the recipient's last call. Takes several values, repeated or separated by commas. */
                    intent?: components["schemas"]["Intent"][];
                };
                header?: never;
                path: {
                    /** @description The campaign's `id`. */
                    id: components["parameters"]["campaign_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipients. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description The history of calls, newest first, with transcripts as text. With `status=scheduled` alone,
         *     these are the calls that are still to come, sorted by `due_at`, the earliest first. Scope: `calls:read`.
         *
         *     With `q`, this searches transcripts, and every call has a `snippet`: the best matching part.
         *
         *     Searches and filters that match few calls stop after half a second per page. Such a page may be shorter than
         *     its limit, even empty, while `has_more` is true. Continue with `next_cursor` until `has_more` is false.
         *
         *     To keep another system up to date, [ask for the calls that changed](/docs/keep-a-copy-up-to-date) with `updated_after`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Only items that started after this time. */
                    started_after?: string;
                    /** @description Only items that started before this time. */
                    started_before?: string;
                    /** @description Only items that ended after this time. */
                    ended_after?: string;
                    /** @description Only items that ended before this time. */
                    ended_before?: string;
                    /**
                     * @description Only items that changed after this time. [Keep a copy up to date](/docs/keep-a-copy-up-to-date) tells which time to
                     *     send, so that no change is missed.
                     */
                    updated_after?: string;
                    /** @description Only items that last changed before this time. */
                    updated_before?: string;
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                    /** @description Filter by campaign. `none` selects the calls without a campaign. */
                    campaign_id?: string;
                    /** @description Filter by agent. */
                    agent_id?: components["schemas"]["Id"];
                    /** @description Filter by the number of the agent's version. Needs `agent_id`. */
                    agent_version?: number;
                    /** @description Filter by your phone number that placed the call. */
                    phone_number_id?: components["schemas"]["Id"];
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["CallStatus"][];
                    /**
                     * @description With `true`, only calls that have not ended: those with the status `queued` (being placed), `ringing` or
                     *     `in_progress`.
                     */
                    live?: true;
                    /**
                     * @description With `true`, only inbound calls and calls that were placed. Calls of which it is certain that no phone rang are
                     *     left out, as in the figures of campaigns and agents.
                     */
                    placed?: true;
                    /** @description Filter by outcome. Takes several values, repeated or separated by commas. */
                    outcome?: components["schemas"]["Outcome"][];
                    /** @description Filter by intent. Takes several values, repeated or separated by commas. */
                    intent?: components["schemas"]["Intent"][];
                    /** @description Filter by who answered. Takes several values, repeated or separated by commas. */
                    answered_by?: ("human" | "machine" | "unknown")[];
                    /** @description Filter by direction. Takes several values, repeated or separated by commas. */
                    direction?: components["schemas"]["CallDirection"][];
                    /** @description Filter by the person's number, in both directions. Write the `+` as `%2B`. */
                    phone_number?: components["schemas"]["PhoneNumberText"];
                    /** @description The same as `phone_number`. */
                    number?: components["schemas"]["PhoneNumberText"];
                    /** @description Filter outbound calls by the number called. Write the `+` as `%2B`. */
                    to_number?: components["schemas"]["PhoneNumberText"];
                    /** @description Filter by the recipient's `external_id`, which must match exactly. */
                    external_id?: string;
                    /** @description Filter by the recipient's `id`. Finds the calls to the recipient, and those that resume with the recipient. */
                    recipient_id?: components["schemas"]["Id"];
                    /**
                     * @description Filter by your metadata: `metadata[source]=crm` finds the items with this value. Write numbers and booleans as in
                     *     JSON. Several keys must all match. No index helps, so a filter that few items match may take several pages. To find
                     *     an item by your own ID, use `external_id`.
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Filter by an answer: `answers[confirmed]=true` finds the calls whose `analysis.answers` have this value.
                     *     `answers[pain]=7..10` finds numbers, dates and times in a range, and `7..<10` leaves out its end. Several
                     *     must all match. `yes` and `no` find `true` and `false`. With a `campaign_id`, calls in which a recipient
                     *     called back and answered what was left open match too. Fast with a `campaign_id` or an `agent_id`, which also
                     *     tells the kind of the question: an option is found in any case, `7 to 10` is a range, and a value that no
                     *     answer can have is an error.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                    /** @description Only calls with at least this many seconds of talk time (`duration_seconds`). */
                    min_duration?: number;
                    /**
                     * @description Search transcripts as in a search engine: all words in any order and form (`refund` finds `refunded`, by
                     *     the rules of the agent's language), `"words in a row"`, `or`, and `-without`. A call can be found after it
                     *     has ended. A page has at most 100 of the calls that match.
                     */
                    q?: string;
                    /**
                     * @description Whose words `q` searches: those of the recipient, of the agent, or all. Agents say the same words in most calls, so
                     *     `recipient` finds what a call was about. A search with `-without` then finds the calls in which that side did not
                     *     say it.
                     */
                    said_by?: "anyone" | "recipient" | "agent";
                    /** @description Order of the search results. `relevance` ranks the newest 1,000 matches and has no further pages. */
                    sort?: "newest" | "relevance";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of calls. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Schedule a call
         * @description Schedules one call that belongs to no campaign. The call is placed at `scheduled_at` or at once, when its calling
         *     hours are open and every limit allows it: those of the organization, the connection and the phone number, the
         *     limits on calls to one number, budgets, the pre-dial check and the rules of the number's place. Until then its
         *     `status` is `scheduled` and `waiting` says why. Calls of their own go before campaigns, but take at most half of
         *     what a connection may start while campaigns wait.
         *
         *     The answer's `id` is the call's for good. With `retry`, each further attempt is a call of its own: `next_call_id`
         *     of an ended call leads to it, and its `first_call_id` is the call that you requested. A call that the connection
         *     could not place is tried again for about 15 minutes.
         *
         *     Events: `call.scheduled`, then as every call. A scheduled call that is never placed ends with `call.completed`.
         *
         *     Scope: `calls:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCall"];
                };
            };
            responses: {
                /** @description The call was scheduled. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule many calls
         * @description Schedules up to 1,000 calls as `POST /calls` does, or none if one is wrong. Errors name the index of the call and
         *     the field. The calls can differ in everything. Scope: `calls:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCalls"];
                };
            };
            responses: {
                /** @description The calls were scheduled. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduledCalls"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export calls as CSV
         * @description Streams every call that matches the filters, in the order of `GET /calls`, as a CSV file (RFC 4180, UTF-8).
         *     Scope: `calls:read`. An export counts as one request.
         *
         *     Columns have the names of the API's fields. `pre_dial_result` and `pre_dial_reason` are the `result` and `reason`
         *     of `pre_dial_check`. `consent_source` and `consent_at` are the `source` and `at` of `consent`.
         *     `transfer_destination`, `transfer_state`, `transfer_taken_at` and `transfer_ended_at` are the fields of `transfer`.
         *     `resumes_campaign_id`, `resumes_recipient_id` and `resumes_completed` are those of `resumes`.
         *
         *     With a `campaign_id` or an `agent_id`, each question has a column of its own after the others, such as
         *     `answers.confirmed`.
         *
         *     `variables`, `metadata` and `answers` are JSON. Text that a spreadsheet would run as a formula starts with an
         *     apostrophe. Phone numbers and other plain numbers do not: `+14155550100` stays as it is. If the export fails,
         *     the connection is closed before the last chunk, which HTTP clients report as an error.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Only items that started after this time. */
                    started_after?: string;
                    /** @description Only items that started before this time. */
                    started_before?: string;
                    /** @description Only items that ended after this time. */
                    ended_after?: string;
                    /** @description Only items that ended before this time. */
                    ended_before?: string;
                    /**
                     * @description Only items that changed after this time. [Keep a copy up to date](/docs/keep-a-copy-up-to-date) tells which time to
                     *     send, so that no change is missed.
                     */
                    updated_after?: string;
                    /** @description Only items that last changed before this time. */
                    updated_before?: string;
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                    /** @description Filter by campaign. `none` selects the calls without a campaign. */
                    campaign_id?: string;
                    /** @description Filter by agent. */
                    agent_id?: components["schemas"]["Id"];
                    /** @description Filter by the number of the agent's version. Needs `agent_id`. */
                    agent_version?: number;
                    /** @description Filter by your phone number that placed the call. */
                    phone_number_id?: components["schemas"]["Id"];
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["CallStatus"][];
                    /**
                     * @description With `true`, only calls that have not ended: those with the status `queued` (being placed), `ringing` or
                     *     `in_progress`.
                     */
                    live?: true;
                    /**
                     * @description With `true`, only inbound calls and calls that were placed. Calls of which it is certain that no phone rang are
                     *     left out, as in the figures of campaigns and agents.
                     */
                    placed?: true;
                    /** @description Filter by outcome. Takes several values, repeated or separated by commas. */
                    outcome?: components["schemas"]["Outcome"][];
                    /** @description Filter by intent. Takes several values, repeated or separated by commas. */
                    intent?: components["schemas"]["Intent"][];
                    /** @description Filter by who answered. Takes several values, repeated or separated by commas. */
                    answered_by?: ("human" | "machine" | "unknown")[];
                    /** @description Filter by direction. Takes several values, repeated or separated by commas. */
                    direction?: components["schemas"]["CallDirection"][];
                    /** @description Filter by the person's number, in both directions. Write the `+` as `%2B`. */
                    phone_number?: components["schemas"]["PhoneNumberText"];
                    /** @description The same as `phone_number`. */
                    number?: components["schemas"]["PhoneNumberText"];
                    /** @description Filter outbound calls by the number called. Write the `+` as `%2B`. */
                    to_number?: components["schemas"]["PhoneNumberText"];
                    /** @description Filter by the recipient's `external_id`, which must match exactly. */
                    external_id?: string;
                    /** @description Filter by the recipient's `id`. Finds the calls to the recipient, and those that resume with the recipient. */
                    recipient_id?: components["schemas"]["Id"];
                    /**
                     * @description Filter by your metadata: `metadata[source]=crm` finds the items with this value. Write numbers and booleans as in
                     *     JSON. Several keys must all match. No index helps, so a filter that few items match may take several pages. To find
                     *     an item by your own ID, use `external_id`.
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Filter by an answer: `answers[confirmed]=true` finds the calls whose `analysis.answers` have this value.
                     *     `answers[pain]=7..10` finds numbers, dates and times in a range, and `7..<10` leaves out its end. Several
                     *     must all match. `yes` and `no` find `true` and `false`. With a `campaign_id`, calls in which a recipient
                     *     called back and answered what was left open match too. Fast with a `campaign_id` or an `agent_id`, which also
                     *     tells the kind of the question: an option is found in any case, `7 to 10` is a range, and a value that no
                     *     answer can have is an error.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                    /** @description Only calls with at least this many seconds of talk time (`duration_seconds`). */
                    min_duration?: number;
                    /**
                     * @description Search transcripts as in a search engine: all words in any order and form (`refund` finds `refunded`, by
                     *     the rules of the agent's language), `"words in a row"`, `or`, and `-without`. A call can be found after it
                     *     has ended.
                     */
                    q?: string;
                    /**
                     * @description Whose words `q` searches: those of the recipient, of the agent, or all. Agents say the same words in most calls, so
                     *     `recipient` finds what a call was about. A search with `-without` then finds the calls in which that side did not
                     *     say it.
                     */
                    said_by?: "anyone" | "recipient" | "agent";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The calls. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a call
         * @description One call with its transcript, turn by turn. Scope: `calls:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a scheduled call
         * @description Changes the fields that you send, of a call with the status `scheduled` that belongs to no campaign. A list or an
         *     object replaces the whole value, and what you leave out of it gets its default. To change the number, the agent,
         *     the consent or the number to call from, cancel the call and schedule a new one.
         *
         *     After new calling hours, the call is due when they are open first, at or after its `scheduled_at`. So it may be
         *     placed earlier than before. The call keeps its `id`.
         *
         *     If the call is a further attempt, only `name`, `external_id`, `timezone`, `variables`, `metadata`,
         *     `scheduled_at` and `expires_at` change. You can send back the settings that `GET /calls/{id}/settings` returned,
         *     with your changes. Scope: `calls:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CallChange"];
                };
            };
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/calls/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel many scheduled calls
         * @description Cancels those of up to 1,000 calls that are scheduled, in one step, for example all calls of a batch. The answer
         *     says what became of each. You can repeat the request: a call that was canceled is then `already_ended`.
         *     Scope: `calls:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CallsToCancel"];
                };
            };
            responses: {
                /** @description What became of each call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CanceledCalls"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled call
         * @description The call is never placed, and no attempt follows. It ends with `ended_reason: canceled_by_user`. Cancel the next
         *     attempt of a call by its own id, `next_call_id`. Scope: `calls:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/hang-up": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hang up a call
         * @description Ends a call that is being placed or in progress. The call ends when the carrier reports it, a moment later, with
         *     `ended_reason: ended_by_user`. The transcript of an answered call says who ended it. Its recipient may be called
         *     again, as `retry` says. Scope: `calls:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get the settings of a call
         * @description The settings with which the call is placed: those of its request or of its campaign, with the defaults. The call
         *     itself has the rest of its request, such as `variables`, `consent` and `due_at`. Scope: `calls:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settings. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallSettings"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * List the notes for the agent
         * @description Newest first. A note of a call that has ended was not used if its `used_at` is null. The call ended before the
         *     agent spoke again. Scope: `calls:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of notes. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallNoteList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a note for the agent
         * @description Tells the agent of a live call something, such as "Tell her the nurse comes at four". The agent does not break
         *     off for it. It uses the note the next time it speaks: after the person's next words, or when the person stays
         *     silent. It puts the note in its own words, and its rules and the topics that it avoids stay in
         *     force. Scope: `calls:write`.
         *
         *     The transcript has a note as a `system` turn, "Note by" its author, once the agent knows it. A note that comes
         *     before a person is on the line waits for one. It is never used if the call ends first. `used_at` says whether it
         *     was.
         *
         *     Refused for an agent without a language model, for a call that ends or has ended, and after 20 notes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCallNote"];
                };
            };
            responses: {
                /** @description The note is stored for the agent. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallNote"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer a live call
         * @description Makes the agent of a live call transfer it to a destination of its project, whichever destinations the agent has
         *     itself. The agent breaks off, says one sentence and transfers the call, with or without a briefing as the
         *     destination's `mode` says. The hours of the destination do not matter. If nobody takes the call there, its
         *     fallback is next, and then the agent offers that somebody calls back. The call's `transfer` says how far it is.
         *     Scope: `calls:write`.
         *
         *     Refused while nobody talks with the agent, while the call is being transferred, and for a call that ends or has
         *     ended. `Idempotency-Key` is not supported, because a second request is refused while the first one is carried
         *     out.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCallTransfer"];
                };
            };
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallWithTranscript"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a call's recording
         * @description The recording of a call whose agent had `record_calls` enabled at the time: a WAV file with the agent and the
         *     recipient on separate channels. It is streamed from the carrier and not stored here. Scope: `calls:read`.
         *
         *     Recordings become available seconds to minutes after the call ends, usually after `call.completed` and
         *     `call.analyzed` are sent with `recording_url: null`. The event `call.recorded` tells when the recording is available,
         *     so you need not ask again. There is no recording, and no event, if nobody answered, if the carrier found it too short, or after the
         *     project's `recording_days`. If the file cannot be sent completely, the connection is closed early, which HTTP
         *     clients report as an error.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description One part of the file, such as `bytes=0-65535`. If the carrier does not serve parts, the whole file is
                     *     sent.
                     */
                    Range?: string;
                };
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recording. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "audio/*": string;
                    };
                };
                /** @description The requested part, with `Content-Range`. */
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "audio/*": string;
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List phone numbers
         * @description Active numbers that can place calls, for use as `phone_number_id` and in number pools. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of phone numbers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PhoneNumberList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a phone number
         * @description Adds a number of an account at a carrier, so that campaigns and single calls can call from it. The account must have
         *     the number: the checks of its connection run again within a minute. Your organization has a number once, so
         *     `Idempotency-Key` is not needed. To answer calls to the number, see `PUT /phone-numbers/{id}/inbound`.
         *     Scope: `numbers:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPhoneNumber"];
                };
            };
            responses: {
                /** @description The number was added. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PhoneNumber"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * List the analyses of a call
         * @description Newest first. The call's `analysis` has the values of the newest one that is ready. Scope: `calls:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of analyses. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallAnalysisList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Analyze a call again
         * @description A language model reads the transcript in the background. The analysis follows the agent's published version, with
         *     its questions and its description of a success. It ends with the event `call.analyzed`. Scope: `calls:write`.
         *
         *     Refused for a call that has not ended, in which nobody said anything, whose transcript was removed, or that is
         *     being analyzed. Analyses use the streams of a connection that calls leave free. `Idempotency-Key` is not
         *     supported, because a second request is refused while the first analysis is pending.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The call's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NewAnalysis"];
                };
            };
            responses: {
                /** @description The pending analysis. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallAnalysis"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone-numbers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a phone number
         * @description One active number that can place calls. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The phone number. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PhoneNumber"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a phone number
         * @description No new call is placed from the number. Its calls stay, and it can be added again. Nothing changes at the carrier.
         *     Refused while a campaign that has not ended uses the number, and for the only number of a pool.
         *     Scope: `numbers:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The number was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a phone number
         * @description Fields that you leave out stay as they are. Limits apply to the next calls. Number pools choose their numbers, and
         *     `PUT /phone-numbers/{id}/inbound` says what happens to calls to the number. Scope: `numbers:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PhoneNumberChange"];
                };
            };
            responses: {
                /** @description The changed phone number. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PhoneNumber"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/phone-numbers/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get the figures of a phone number
         * @description How many people answer calls from the number, and how many calls are short. A falling answer rate can mean that
         *     phones label the number as spam. Days follow the organization's time zone. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The figures. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PhoneNumberStats"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone-numbers/{id}/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get what happens to calls to a phone number
         * @description What happens when people call the number, or call back. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settings. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Inbound"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /**
         * Set what happens to calls to a phone number
         * @description Replaces all settings, from the next call on. `action` is required. Scope: `numbers:write`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboundChange"];
                };
            };
            responses: {
                /** @description The settings. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Inbound"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone-numbers/{id}/inbound/set-up": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Compare the set-up of a phone number at its carrier
         * @description Asks the carrier what the number does now when somebody calls it. `after` is what it must do so that the calls
         *     arrive here. Nothing is changed. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What the number does now, and what it must do. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboundSetUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Set up a phone number at its carrier
         * @description Sets the number's addresses at the carrier, so that calls to it arrive here. `revision` is that of the comparison
         *     that you have seen. If the number does something else by now, nothing is changed. Scope: `numbers:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The phone number's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewInboundSetUp"];
                };
            };
            responses: {
                /** @description What the number does now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboundSetUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/number-pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List number pools
         * @description Newest first. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of number pools. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NumberPoolList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a number pool
         * @description A campaign with `number_pool_id` calls from the numbers of the pool. A number that can't call now, because it rests or
         *     has reached a limit, gives its calls to the others. If no number can call, the campaign waits with the reason
         *     `number_pool`. Scope: `numbers:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NumberPoolSettings"];
                };
            };
            responses: {
                /** @description The pool was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NumberPool"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/number-pools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pool's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a number pool
         * @description One pool. Scope: `numbers:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The pool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The pool. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NumberPool"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /**
         * Change a number pool
         * @description Replaces all settings: a setting that is left out gets its default. Running campaigns follow at once.
         *     Scope: `numbers:write`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The pool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NumberPoolChange"];
                };
            };
            responses: {
                /** @description The changed pool. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NumberPool"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove a number pool
         * @description Its numbers stay. Refused while campaigns use the pool. Scope: `numbers:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The pool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The pool was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Projects, for use as `project_id`. Scope: `projects:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of projects. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProjectList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a project
         * @description A project says when recipients may be called and how long data about calls is kept. `time_zone` and `region` default
         *     to those of your organization, and `calling_hours` to every day from 08:00 to 21:00 in each recipient's time zone.
         *     A name is unique, so `Idempotency-Key` is not needed. Scope: `projects:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewProject"];
                };
            };
            responses: {
                /** @description The project was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a project
         * @description One active project. Scope: `projects:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The project's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The project. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a project
         * @description New campaigns can no longer use it. Its campaigns and calls stay. Refused while campaigns that have not ended, or
         *     calls to your numbers, use the project. Scope: `projects:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The project's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The project was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Fields that you leave out stay as they are. `calling_hours` are replaced as a whole. Existing campaigns keep the
         *     calling hours that they were created with. A shorter time to keep data also applies to past calls.
         *     Scope: `projects:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The project's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProjectChange"];
                };
            };
            responses: {
                /** @description The changed project. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List destinations
         * @description The people to whom agents can transfer calls. Newest first. Scope: `projects:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of destinations. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DestinationList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a destination
         * @description A phone number or a SIP address of people. An agent transfers calls to it if its `transfer` settings name it. A model
         *     never sees the address. Scope: `projects:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDestination"];
                };
            };
            responses: {
                /** @description The destination was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Destination"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/destinations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The destination's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a destination
         * @description One destination. Scope: `projects:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The destination's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The destination. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Destination"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /**
         * Change a destination
         * @description Replaces all settings: a setting that is left out gets its default. Transfers that are dialed later follow them.
         *     Scope: `projects:write`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The destination's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DestinationChange"];
                };
            };
            responses: {
                /** @description The changed destination. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Destination"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove a destination
         * @description Refused while an agent or the fallback of another destination names it. A call that is being transferred to it goes on.
         *     Scope: `projects:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The destination's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The destination was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Agents, for use as `agent_id`. Scope: `projects:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of agents. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create an agent
         * @description Creates an agent and publishes its version 1. `Idempotency-Key` is not supported. Scope: `agents:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAgent"];
                };
            };
            responses: {
                /** @description The agent was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get an agent
         * @description One agent with its draft. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The agent. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove an agent
         * @description Its calls and transcripts stay. Refused while campaigns use the agent. Scope: `agents:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The agent was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change the draft of an agent
         * @description Fields that you leave out stay as they are. `speech`, `questions`, `languages` and `model` are replaced as a whole:
         *     what you leave out of them gets its default. An agent with the kind `scripted` keeps its model, languages and
         *     translations in the draft, and the kind `model` gives them back. The change of the `name` applies at once. Calls follow the other changes after you publish them. Scope: `agents:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentChange"];
                };
            };
            responses: {
                /** @description The changed agent. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/agents/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an agent
         * @description Makes a new version of the draft and publishes it. With `version`, publishes an earlier version again and leaves
         *     the draft as it is. Calls that start later follow the version, except those of campaigns that chose another one.
         *     Scope: `agents:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["AgentPublication"];
                };
            };
            responses: {
                /** @description The agent with its new published version. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get the answers of an agent
         * @description The same as `GET /campaigns/{id}/answers` for all calls of the agent, also those outside of campaigns.
         *     Give a period, because an agent may have calls of years. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The first day, in the organization's time zone, by when calls were queued. */
                    from?: string;
                    /** @description The last day. */
                    to?: string;
                    /** @description Only calls that followed this version of the agent. Use it twice to compare two versions. */
                    agent_version?: number;
                    /**
                     * @description Only calls with an answer: `answers[confirmed]=true` sums what the calls with this answer came to, and what
                     *     they answered to the other questions. Values are written as in `GET /calls`. The filter looks at the latest
                     *     5,000 calls with the answer. `limited` says that there are more.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                };
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CallResults"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get the figures of an agent
         * @description The settled calls of each version in the last 30 days, with the tokens of a language model, their cost and how fast
         *     it answers. Days follow the organization's time zone. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The figures. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentStats"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description Newest first. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of versions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentVersionList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
                /** @description The number of the version. */
                number: string;
            };
            cookie?: never;
        };
        /**
         * Get a version of an agent
         * @description One version with its content, and how it differs from the version before. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The number of the version. */
                    number: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The version. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentVersionDetail"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-cases": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * List test cases
         * @description The test cases of an agent, newest first. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of test cases. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestCaseList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a test case
         * @description A test case is a recipient, variables and checks. The recipient follows fixed steps, one after each turn of the
         *     agent, or is played by a language model. `Idempotency-Key` is not supported: names are unique.
         *     Scope: `agents:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTestCase"];
                };
            };
            responses: {
                /** @description The test case. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestCase"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-cases/{case_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
                /** @description The test case's `id`. */
                case_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a test case
         * @description One test case. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The test case's `id`. */
                    case_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The test case. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestCase"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /**
         * Replace a test case
         * @description Replaces the whole test case. Runs keep what they tested. Scope: `agents:write`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The test case's `id`. */
                    case_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTestCase"];
                };
            };
            responses: {
                /** @description The changed test case. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestCase"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a test case
         * @description Runs keep what they tested. Scope: `agents:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The test case's `id`. */
                    case_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The test case was deleted. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * List test runs
         * @description The test runs of an agent, newest first. Runs are deleted 90 days after they ended. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of test runs. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestRunList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Start a test run
         * @description Runs test cases through the code of real calls, by text. Nobody is called. `difficult_callees` adds a fixed set of
         *     recipients in the agent's language: hostile, silent, wrong person, "stop calling", attempts to change the agent's
         *     instructions, voicemail and others. Models that answer use tokens. Calls come before tests at a connection with few
         *     streams. `Idempotency-Key` is not supported. Scope: `agents:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTestRun"];
                };
            };
            responses: {
                /** @description The run, which has started. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestRun"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
                /** @description The run's `id`. */
                run_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a test run
         * @description One run with its cases and attempts. It has ended when `finished_at` is set. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The run's `id`. */
                    run_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The run. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestRunDetail"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
                /** @description The run's `id`. */
                run_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a test run
         * @description Attempts that have ended keep their results. Scope: `agents:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The run's `id`. */
                    run_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The canceled run. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestRun"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/test-runs/{run_id}/attempts/{attempt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's `id`. */
                id: string;
                /** @description The run's `id`. */
                run_id: string;
                /** @description The attempt's `id`. */
                attempt_id: string;
            };
            cookie?: never;
        };
        /**
         * Get an attempt
         * @description One conversation of a run, with its transcript and the verdict of each check. Scope: `agents:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The agent's `id`. */
                    id: string;
                    /** @description The run's `id`. */
                    run_id: string;
                    /** @description The attempt's `id`. */
                    attempt_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attempt. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestAttempt"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/carrier-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List carrier connections
         * @description Active connections, newest first. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of carrier connections. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CarrierConnectionList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a carrier connection
         * @description Connects an account of Twilio, or the sandbox, a simulated phone network. Twilio is asked whether it accepts the
         *     credentials before anything is stored. They are encrypted and never shown again. For the sandbox, only `name` and the
         *     rates are used. Add the account's phone numbers next. An account is connected once. `Idempotency-Key` is not supported.
         *     Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCarrierConnection"];
                };
            };
            responses: {
                /** @description The connection was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CarrierConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/carrier-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a carrier connection
         * @description One active connection. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CarrierConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a carrier connection
         * @description No call is placed through it any more. Its calls and recordings stay, and so do its credentials, encrypted, because
         *     recordings need them. Refused while phone numbers belong to it. Scope: `connections:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The connection was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a carrier connection
         * @description Fields that you leave out stay as they are. An empty `token` keeps the stored one. Another `api_key` needs its
         *     `api_secret`, and `null` removes the API key, so that the Auth Token authenticates requests again. New credentials are
         *     checked at Twilio first, and clear the health. A replaced Auth Token may sign callbacks for one more day, until
         *     `previous_token_until`. Scope: `connections:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CarrierConnectionChange"];
                };
            };
            responses: {
                /** @description The changed connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CarrierConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/model-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model connections
         * @description Newest first. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of model connections. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelConnectionList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a model connection
         * @description A connection to a language model. The key is encrypted and never shown again. Nothing is sent to the server yet:
         *     check the connection next. `Idempotency-Key` is not supported. Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewModelConnection"];
                };
            };
            responses: {
                /** @description The connection was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a model connection
         * @description One connection with its health. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a model connection
         * @description Its key is deleted. Refused while agents use the connection. Scope: `connections:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The connection was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a model connection
         * @description Fields that you leave out stay as they are. An empty `key` keeps the stored key. An empty price removes it.
         *     A `url` on another server needs the `key` again, because the stored key is not sent there. Another `url`, `model`
         *     or `key` clears the health. Scope: `connections:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ModelConnectionChange"];
                };
            };
            responses: {
                /** @description The changed connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/model-connections/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a model connection
         * @description Asks the model for a short answer and for a call of a tool, within 15 seconds. A model that does not answer is no
         *     error of this request: `works` is then false, and `error` says why. The result counts for the health of the connection.
         *     Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The result. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelCheck"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools
         * @description Newest first. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of tools. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a tool
         * @description The response contains the `secret` that verifies requests. It is shown only once, so `Idempotency-Key` is not
         *     supported. Give the tool to an agent with `model.http_tools`. Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTool"];
                };
            };
            responses: {
                /** @description The tool was created. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolWithSecret"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tool's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a tool
         * @description One tool, without its secrets. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tool. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tool"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a tool
         * @description Takes the tool out of use and forgets its secrets. Scope: `connections:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tool is out of use. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a tool
         * @description Fields that you leave out stay as they are. `headers`, `parameters` and `values` are replaced as a whole. A `url` on
         *     another server needs the `headers` again, because the stored ones are not sent there. A call that is under way keeps
         *     the name, the description and the schema that it began with. Scope: `connections:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolChange"];
                };
            };
            responses: {
                /** @description The changed tool. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tool"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/tools/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tool's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a tool's secret
         * @description The response contains the new `secret`, the only time it is shown. For 24 hours each request also carries a
         *     signature by the previous secret. Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tool with its new secret. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolWithSecret"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tool's `id`. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a tool
         * @description Makes the request of the tool, with `"test": true` and without a call. A tool that does not answer is no error of
         *     this request: `response.error` says why. Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tool's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ToolTrial"];
                };
            };
            responses: {
                /** @description The request and the answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolTrialResult"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of webhooks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a webhook
         * @description Sends future events to `url`, all of them or those that pass `filters`. An event without a project, campaign or agent,
         *     such as `number.quota_low`, `webhook.disabled` or a message that was sent for no campaign, does not pass a filter of
         *     that kind. A removed project, campaign or agent stays in the filter and matches no new events. The response contains the `secret` that verifies them. It is shown only once, so
         *     `Idempotency-Key` is not supported. An organization can have at most 10 webhooks. Scope: `webhooks:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            responses: {
                /** @description The webhook was created and is active. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookWithSecret"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum the costs of calls
         * @description Sums the known costs of calls, by currency and by `group_by`. The newest month is first, then the highest amount.
         *     Months follow the organization's time zone. Scope: `calls:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The first month. Without it, the first month with calls. */
                    from?: string;
                    /** @description The last month, not before `from`. Without it, the current month. */
                    to?: string;
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                    /** @description Filter by campaign. */
                    campaign_id?: components["schemas"]["Id"];
                    /** @description Filter by agent. */
                    agent_id?: components["schemas"]["Id"];
                    /** @description Filter by your phone number. */
                    phone_number_id?: components["schemas"]["Id"];
                    group_by?: "month" | "project" | "campaign";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sums. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CostList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/costs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the costs of calls as CSV
         * @description Sums the known costs of calls in a CSV file (RFC 4180, UTF-8), with a row for each month, project, campaign and
         *     currency. The newest month is first, then the highest amount. `campaign_id` is empty for calls outside of
         *     campaigns. Columns have the names of the fields of `GET /costs`, and there are `project_name` and
         *     `campaign_name`.
         *     Scope: `calls:read`. An export counts as one request.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The first month. Without it, the first month with calls. */
                    from?: string;
                    /** @description The last month, not before `from`. Without it, the current month. */
                    to?: string;
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                    /** @description Filter by campaign. */
                    campaign_id?: components["schemas"]["Id"];
                    /** @description Filter by agent. */
                    agent_id?: components["schemas"]["Id"];
                    /** @description Filter by your phone number. */
                    phone_number_id?: components["schemas"]["Id"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sums. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description The members of your organization, those who joined last first. Use an `id` as the `assignee_id` of a follow-up.
         *     Scope: `follow_ups:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of members. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List follow-ups
         * @description Newest first. Scope: `follow_ups:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["FollowUpStatus"][];
                    /** @description Filter by kind. Takes several values, repeated or separated by commas. */
                    kind?: components["schemas"]["FollowUpKind"][];
                    /** @description Filter by assignee. `none` selects the follow-ups that nobody has. */
                    assignee_id?: string;
                    /** @description Filter by project. */
                    project_id?: components["schemas"]["Id"];
                    /** @description Filter by campaign. */
                    campaign_id?: components["schemas"]["Id"];
                    /** @description Filter by call. */
                    call_id?: components["schemas"]["Id"];
                    /**
                     * @description Filter by an answer in the call: `answers[confirmed]=true`. Values are written as in `GET /calls`. A
                     *     `campaign_id` tells the kind of the question: `7 to 10` is a range, and a value that no answer can have is an
                     *     error.
                     */
                    answers?: {
                        [key: string]: string;
                    };
                    /** @description Only follow-ups that are due after this time. */
                    due_after?: string;
                    /** @description Only follow-ups that are due before this time. */
                    due_before?: string;
                    /** @description Only follow-ups that were done after this time. */
                    done_after?: string;
                    /** @description Only follow-ups that were done before this time. */
                    done_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of follow-ups. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUpList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a follow-up
         * @description Creates a follow-up of a call, with the kind `manual`. Calls create their own ones. Scope: `follow_ups:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewFollowUp"];
                };
            };
            responses: {
                /** @description The follow-up is open. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark many follow-ups as done
         * @description Marks those of up to 1,000 follow-ups that are open as done, in one step. Their notes stay. The answer says what
         *     became of each. You can repeat the request: a follow-up that was marked as done is then `already_done`.
         *     Scope: `follow_ups:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FollowUpsToFinish"];
                };
            };
            responses: {
                /** @description What became of each follow-up. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FinishedFollowUps"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The follow-up's ID. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a follow-up
         * @description One follow-up. Scope: `follow_ups:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The follow-up's ID. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The follow-up. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Assign or change a follow-up
         * @description Changes only the fields in the body, also of a follow-up that is done. Null removes the assignee or the time.
         *     Scope: `follow_ups:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The follow-up's ID. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FollowUpChange"];
                };
            };
            responses: {
                /** @description The follow-up. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/follow-ups/{id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The follow-up's ID. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a follow-up as done
         * @description `note` replaces the note. The body is optional. Scope: `follow_ups:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The follow-up's ID. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["FollowUpFinish"];
                };
            };
            responses: {
                /** @description The follow-up is done. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The follow-up's ID. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a follow-up
         * @description Opens a follow-up again that is done. Scope: `follow_ups:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The follow-up's ID. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The follow-up. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowUp"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description Newest first. Scope: `messages:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Only messages sent after this time. */
                    sent_after?: string;
                    /** @description Only messages sent before this time. */
                    sent_before?: string;
                    /** @description Filter by campaign. */
                    campaign_id?: components["schemas"]["Id"];
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["MessageStatus"][];
                    /** @description Filter by recipient. Write the `+` as `%2B`. */
                    to_number?: components["schemas"]["PhoneNumberText"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of messages. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MessageList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Send a template
         * @description Queues one WhatsApp template for one recipient. It is sent as soon as the number may start another
         *     conversation. Until then, `wait_reason` is `quota`, and the message stays queued. Scope: `messages:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewMessage"];
                };
            };
            responses: {
                /** @description The message is queued. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Message"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many templates
         * @description Queues up to 1,000 WhatsApp templates as `POST /messages` does, or none if one is wrong. Errors name the index of
         *     the message and the field. The messages can differ in everything. Scope: `messages:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewMessages"];
                };
            };
            responses: {
                /** @description The messages are queued. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QueuedMessages"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's ID. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a message
         * @description One message. Scope: `messages:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The message's ID. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The message. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Message"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whatsapp/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List WhatsApp connections
         * @description The connected WhatsApp Business Accounts, newest first. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of WhatsApp connections. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppConnectionList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Connect a WhatsApp account
         * @description Reads the account's numbers and templates with the credentials, and stores them if WhatsApp accepts them. They are
         *     encrypted and never shown again. Then WhatsApp is asked to send its webhooks here: `subscribed` says whether it has
         *     agreed. It is asked again later if not. An account and its numbers are connected once. `Idempotency-Key` is not
         *     supported. Scope: `connections:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWhatsAppConnection"];
                };
            };
            responses: {
                /** @description The account was connected. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whatsapp/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a WhatsApp connection
         * @description One connected account. Scope: `connections:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Disconnect a WhatsApp account
         * @description Deletes its credentials and disconnects its numbers. Queued messages fail. Sent messages stay, and count toward the
         *     quota. The account can be connected again. Scope: `connections:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The account was disconnected. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a WhatsApp connection
         * @description Fields that you leave out, and empty secrets, stay as they are. New secrets are tried before they are stored. They end
         *     a pause, and WhatsApp is asked for its webhooks again. Scope: `connections:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The connection's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhatsAppConnectionChange"];
                };
            };
            responses: {
                /** @description The changed connection. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppConnection"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/whatsapp/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List WhatsApp templates
         * @description The templates of your connected WhatsApp accounts, those found last first. Use them for `template` of a message or a
         *     campaign. `external_ids` are the numbers that can send a template, and `variables` are what a message must
         *     provide. Scope: `messages:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of templates. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppTemplateList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whatsapp/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a WhatsApp template
         * @description One template of a connected WhatsApp account. Scope: `messages:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The template's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhatsAppTemplate"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description One webhook, without its secret. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhook. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Stops all deliveries and deletes the log of this webhook. Scope: `webhooks:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is deleted. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes only the fields in the body. `is_active: false` pauses the webhook: new events get no delivery
         *     (`recover` sends them later), and pending deliveries are kept. `is_active: true` resumes a paused or disabled
         *     webhook. Pending deliveries go to the new `url`. New `events` and `filters` apply to future events, and to those that
         *     `recover` adds. Scope: `webhooks:write`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookChange"];
                };
            };
            responses: {
                /** @description The webhook. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's secret
         * @description The response contains the new secret, only once. During the overlap, every delivery has two signatures, made
         *     with the new and the previous secret, so your receivers can switch without losing any. An earlier overlap ends
         *     now. The body is optional. Scope: `webhooks:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SecretRotation"];
                };
            };
            responses: {
                /** @description Deliveries are now signed with the new secret. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookWithSecret"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends one event to this webhook only, whatever it subscribes to, even while it is inactive. Without a body it is
         *     a `webhook.test` event with the webhook as `data`. With `event_type`, `data` is the example of that event in this
         *     reference. There is one attempt. Get the delivery to see the result. Scope: `webhooks:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            responses: {
                /** @description The new delivery. Its attempt is made at once. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
            };
            cookie?: never;
        };
        /**
         * Get the latest recovery
         * @description Progress of the most recent recovery. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recovery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recovery"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Redeliver missed and failed events
         * @description Delivers what happened since a time and was not delivered. Failed deliveries are tried again with all retries.
         *     Events that happened while the webhook was inactive are sent if it subscribes to them now. This runs in the
         *     background, one recovery per webhook at a time. `GET` shows its progress. Scope: `webhooks:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRecovery"];
                };
            };
            responses: {
                /** @description The recovery has started. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recovery"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
            };
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * @description The deliveries of the last 30 days, newest first. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Filter by status. Takes several values, repeated or separated by commas. */
                    status?: components["schemas"]["DeliveryStatus"][];
                    /** @description Filter by event type. Takes several values, repeated or separated by commas. */
                    event_type?: components["schemas"]["EventType"][];
                };
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of deliveries. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
                /** @description The delivery's `id`. */
                delivery_id: components["parameters"]["delivery_id"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description One delivery with its body and every attempt: URL, headers, response and timings. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                    /** @description The delivery's `id`. */
                    delivery_id: components["parameters"]["delivery_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryWithHistory"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's `id`. */
                id: components["parameters"]["webhook_id"];
                /** @description The delivery's `id`. */
                delivery_id: components["parameters"]["delivery_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery
         * @description Makes one more attempt at once, whatever the results of earlier ones, even while the webhook is inactive. It
         *     has the same `webhook-id` and body and is signed with the current secret. Planned retries continue unless it
         *     succeeds. The request needs no body. Scope: `webhooks:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook's `id`. */
                    id: components["parameters"]["webhook_id"];
                    /** @description The delivery's `id`. */
                    delivery_id: components["parameters"]["delivery_id"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery, with the new attempt pending. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/do-not-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List do-not-call entries
         * @description Newest first. Scope: `suppressions:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                    /** @description Filter by channel. Takes several values, repeated or separated by commas. */
                    channel?: components["schemas"]["DoNotCallChannel"][];
                    /** @description Filter by source. Takes several values, repeated or separated by commas. */
                    source?: components["schemas"]["DoNotCallSource"][];
                    /** @description Filter by number. Also finds the number of an erased person. Write the `+` as `%2B`. */
                    phone_number?: components["schemas"]["PhoneNumberText"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of entries. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoNotCallList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a number to the do-not-call list
         * @description Takes effect at once, also for running campaigns and queued messages: recipients on the list are skipped when
         *     their call or message is due. Scheduled calls without a campaign are canceled at once, with the reason
         *     `do_not_call`. If the number is already on the list, its entry stays unchanged and is returned
         *     with 200, so you can repeat the request. Scope: `suppressions:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDoNotCall"];
                };
            };
            responses: {
                /** @description The number was already on the list. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoNotCall"];
                    };
                };
                /** @description The number was added. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoNotCall"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/do-not-call/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add many numbers to the do-not-call list
         * @description Adds up to 10,000 entries, or none if one is invalid. Entries already on the list stay unchanged, so you can
         *     repeat the request.
         *
         *     The body may also be a CSV file with up to 100,000 rows, or the address of one in `entries_url`:
         *     [Lists from files](/docs/lists-from-files). Its entries have the `source` `import`. Scope: `suppressions:write`.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description The channels of the entries of a CSV file. Default `voice`. Takes several values, repeated or separated by
                     *     commas. Not with `entries`, each of which has its own.
                     */
                    channel?: components["schemas"]["DoNotCallChannel"][];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDoNotCallBatch"];
                    "text/csv": string;
                };
            };
            responses: {
                /** @description The number of entries added. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoNotCallAdded"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/do-not-call/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The entry's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a do-not-call entry
         * @description One entry. Scope: `suppressions:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The entry's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The entry. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoNotCall"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a do-not-call entry
         * @description The number can be called or messaged again on that channel. Recipients already skipped because of the entry
         *     stay skipped. The body is optional. Its `reason` is kept as evidence. Scope: `suppressions:write`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The entry's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["DoNotCallRemoval"];
                };
            };
            responses: {
                /** @description The entry was removed. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description Newest first. Erasures don't reveal the phone number. Scope: `suppressions:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /** @description Only items created after this time. */
                    created_after?: string;
                    /** @description Only items created before this time. */
                    created_before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of erasures. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErasureList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Erase a person
         * @description Removes a person from all data, by phone number: recipients (number, name, variables, metadata, `external_id`,
         *     consent), calls (number, transcript, analysis, variables, metadata, recording), messages, payloads and
         *     responses in the delivery log, saved responses of an `Idempotency-Key`, and the audit log. The fact, time and
         *     outcome of each call are kept, without the person's number. From this response on, the number is on the
         *     do-not-call list of every channel, as a keyed hash. It can be called or messaged again only if its entry is
         *     removed from the list. A call in progress is ended and then erased. The rest runs in the background.
         *     `GET /erasures/{id}` shows its progress.
         *
         *     Recordings are also deleted at the carrier. `recordings_pending` counts those the carrier has not confirmed
         *     yet. Logs at your carrier, at WhatsApp and at your endpoints are not reached. A list uploaded in the dashboard
         *     but not yet used is encrypted and deleted within hours.
         *
         *     This cannot be undone. Scope: `suppressions:write`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewErasure"];
                };
            };
            responses: {
                /** @description The erasure has started. Until it completes, the same number returns the same erasure. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erasure"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The erasure's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get an erasure
         * @description One erasure. Scope: `suppressions:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The erasure's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The erasure. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erasure"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect the evidence about a number
         * @description Returns everything stored about a phone number, for a complaint or a lawsuit: all calls with times, number,
         *     outcome, who answered, consent, calling hours decision, pre-dial check and transcript, the notes for the agents
         *     of these calls, all entries of lists with the reason why they were skipped, the entries of the do-not-call list,
         *     also removed ones, with what the audit log says about them, all messages, and the names of the campaigns. Each
         *     list is complete, with the newest first. The response is not paginated.
         *
         *     Entries that were removed from the do-not-call list before removals were stored are included only if a call led
         *     to them, and without their note. For an erased person, every list is empty. The audit log records each request.
         *     Scope: `evidence:read`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEvidence"];
                };
            };
            responses: {
                /** @description The evidence. If the connection breaks off, the response is not valid JSON. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Evidence"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description All events of the organization, oldest first, for receivers that no webhook can reach. An event is the body that a
         *     webhook gets, without a signature. Events are kept for 30 days. A page of large events can be
         *     shorter than its limit.
         *
         *     `next_cursor` is never null: store it, and pass it later to get the events that followed. No event is skipped and
         *     none is listed twice. With `wait`, a request that finds nothing waits for the next event, so a loop of requests
         *     gets events within a second and stays within the rate limit. An event is listed when every change that began
         *     before it is stored, usually in milliseconds. The order is that of storing, which can differ from `timestamp`.
         *
         *     From the first request on, every event is stored. Before it, and after 30 days without a request, only the events
         *     that a webhook subscribes to are. Tests of webhooks are left out. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items per page. */
                    limit?: number;
                    /** @description The `next_cursor` of the previous page. Treat it as opaque. */
                    cursor?: string;
                    /**
                     * @description Filter by event type. Takes several values, repeated or separated by commas. A page may be empty while `has_more`
                     *     is true.
                     */
                    type?: components["schemas"]["EventType"][];
                    /** @description Filter by project. */
                    project_id?: string;
                    /** @description Filter by campaign. */
                    campaign_id?: string;
                    /** @description Filter by agent, of the call or the campaign. */
                    agent_id?: string;
                    /** @description Where a list without `cursor` starts: at the `oldest` event, or after the events until `now`. */
                    start?: "oldest" | "now";
                    /** @description How many seconds to wait for an event if there is none. */
                    wait?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's `id`. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get an event
         * @description One event of the last 30 days, as webhooks get it. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The event's `id`. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description The events a webhook can subscribe to. Subscribe to a family with `call.*`, or to all events with `*`. This
         *     list has a single page. Scope: `webhooks:read`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All event types. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventTypeList"];
                    };
                };
                /** @description A refusal. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description What is wrong, in English. */
            error: string;
        };
        /** Format: uuid */
        Id: string;
        /**
         * Format: date-time
         * @description RFC 3339, in UTC, with milliseconds.
         */
        Time: string;
        /** @description A phone number in E.164, such as `+15005550006`. */
        PhoneNumberText: string;
        /** @description A phone number in E.164. Empty if the person was erased. */
        ErasableNumber: string;
        /** @description The event ID, identical on every attempt and in `webhook-id`. Process each ID once. */
        EventId: components["schemas"]["Id"];
        /** @description When the event happened. */
        EventTime: components["schemas"]["Time"];
        /** @description The organization of the event, so that one receiver can serve several. */
        EventOrganization: components["schemas"]["Id"];
        /**
         * Format: uuid
         * @description The project of the campaign, recipient, call, follow-up or message. `null` for an event without a project, such as
         *     `number.quota_low` or a message that was sent for no campaign.
         */
        EventProject: string | null;
        /** @description Whether there is another page. */
        HasMore: boolean;
        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
        NextCursor: string | null;
        Quota: {
            numbers: components["schemas"]["QuotaEntry"][];
        };
        QuotaEntry: {
            /** @description The number's identifier at the messaging platform operator. */
            external_id: string;
            /** @description The number's registered name. */
            name: string | null;
            /** @description Conversations per 24 hours granted by the operator: 250, 1000, 10000 or 100000. */
            tier: number;
            /** @description Unique recipients who received a template in the last 24 hours, from campaigns and standalone sends. */
            used_24h: number;
            /** @description `tier` minus `used_24h`, never below 0. */
            available: number;
        };
        /** @description When recipients may be called. */
        CallingHours: {
            /** @description `recipient` for each recipient's own time zone, or an IANA time zone. */
            timezone: string;
            /** @description Times of the week when calls may start. They may overlap. */
            windows: {
                days: string[];
                /** @description HH:MM, inclusive. */
                start: string;
                /** @description HH:MM, exclusive. `24:00` is midnight at the end of the day. */
                end: string;
            }[];
        };
        /** @description Texts for the `{{placeholders}}` of the agent's script. The recipient's values win over the campaign's. */
        Variables: {
            [key: string]: string;
        };
        /** @description Your own data, stored and returned unchanged. */
        Metadata: {
            [key: string]: string | number | boolean;
        };
        /** @description What to do when voicemail answers. */
        VoicemailAction: string;
        /** @description How the carrier detects voicemail. Null numbers are the carrier's defaults. */
        Detection: {
            mode: string;
            timeout_seconds: number | null;
            speech_threshold_ms: number | null;
            speech_end_threshold_ms: number | null;
            silence_timeout_ms: number | null;
        };
        /** @enum {string} */
        RetryOutcome: "busy" | "no_answer" | "voicemail" | "failed";
        NewCampaign: {
            name: string;
            project_id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            /**
             * @description The version of the agent to use. Null or absent: each call uses the version that is published when the call
             *     starts.
             */
            agent_version?: components["schemas"]["NewCampaignAgentVersion"] | null;
            /** @description The phone number to call from. Required, unless `number_pool_id` is set. */
            phone_number_id?: string | null;
            /** @description The number pool to call from, instead of `phone_number_id`. */
            number_pool_id?: string | null;
            /** @description At least one, except for a draft or with `recipients_url`. */
            recipients?: components["schemas"]["NewRecipient"][];
            recipients_url?: components["schemas"]["RecipientsUrl"];
            /**
             * @description Creates a draft, which calls nobody until `POST /campaigns/{id}/start`. You can change it and add recipients until
             *     then. Default: `false`.
             */
            draft?: boolean;
            /**
             * @description Why you call. Phones that support branded calling show it when your numbers are registered for it at Twilio.
             *     Only ASCII letters, digits, punctuation and spaces, without links. Twilio also prohibits personal
             *     information.
             */
            call_reason?: string | null;
            /**
             * Format: date-time
             * @description Start time. Absent or null starts now. At most 5 minutes in the past.
             */
            scheduled_at?: string | null;
            /**
             * Format: date-time
             * @description When calling stops. Absent or null means never.
             */
            expires_at?: string | null;
            /** @description If absent, the project's calling hours are used. */
            calling_hours?: components["schemas"]["CallingHours"];
            /** @description Maximum number of simultaneous calls. Default: `10`. */
            max_concurrency?: number;
            /** @description Maximum calls started per second. Default: `1`. */
            calls_per_second?: number;
            /** @description When to retry recipients who weren't reached. If absent, there is one attempt. */
            retry?: components["schemas"]["NewRetry"];
            /** @description What each intent of a call leads to. An absent intent leads to its default. */
            intents?: components["schemas"]["NewIntents"];
            /**
             * @description What to do when voicemail answers. Default: `hang_up`.
             * @enum {string}
             */
            voicemail_action?: "hang_up" | "leave_message";
            detection?: components["schemas"]["NewDetection"];
            /** @description Ring time in seconds. Default: `30`. */
            ring_timeout_seconds?: number;
            /** @description Maximum call length in seconds. Default: `600`. */
            max_duration_seconds?: number;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
            /** @description The template for each recipient. Absent or null sends none. */
            messaging?: components["schemas"]["NewCampaignMessaging"] | null;
            /** @description The most that the calls may cost. The campaign is paused when it is reached. Absent or null sets no budget. */
            budget?: components["schemas"]["NewBudget"] | null;
            progress_shares?: components["schemas"]["NewProgressShares"];
            not_ready_reason?: components["schemas"]["NotReadyReason"];
        };
        /**
         * @description The percentages of settled recipients at which `campaign.progress` is sent. Default: 25, 50 and 75. Empty: the event
         *     is never sent.
         */
        NewProgressShares: number[];
        CampaignRetry: {
            /** @description Null or absent: the name of the campaign, with "(retry)". */
            name?: string | null;
            /**
             * @description Which recipients are called: by the outcome of their last call, and `not_called` for those whose campaign ended
             *     before their first call. Default: all of these.
             */
            outcomes?: ("no_answer" | "busy" | "voicemail" | "failed" | "not_called")[];
            /**
             * Format: date-time
             * @description The start. Null or absent means now.
             */
            scheduled_at?: string | null;
            /**
             * Format: date-time
             * @description When the campaign ends at the latest. Null or absent means never.
             */
            expires_at?: string | null;
            /** @description If true, the campaign calls nobody until `POST /campaigns/{id}/start`. */
            draft?: boolean;
            /** @description Why the campaign starts although its connection is not ready for real calls. */
            not_ready_reason?: string | null;
        };
        /**
         * @description Any of the fields of a new campaign that change. The read-only fields of a campaign are accepted if unchanged, and
         *     its figures whatever they are.
         */
        CampaignChange: {
            name?: string;
            /** @description Null: each call uses the version that is published when the call starts. Until the first call. */
            agent_version?: components["schemas"]["NewCampaignAgentVersion"] | null;
            /** @description Until the first call. */
            call_reason?: string | null;
            /**
             * Format: date-time
             * @description Null starts it now. Until the start.
             */
            scheduled_at?: string | null;
            /**
             * Format: date-time
             * @description When calling stops. Null means never.
             */
            expires_at?: string | null;
            calling_hours?: components["schemas"]["CallingHours"];
            max_concurrency?: number;
            calls_per_second?: number;
            retry?: components["schemas"]["NewRetry"];
            intents?: components["schemas"]["NewIntents"];
            /**
             * @description Until the first call. The detection follows it if it was the default.
             * @enum {string}
             */
            voicemail_action?: "hang_up" | "leave_message";
            detection?: components["schemas"]["NewDetection"];
            /** @description Until the first call. */
            ring_timeout_seconds?: number;
            /** @description Until the first call. */
            max_duration_seconds?: number;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
            /** @description Null removes it. */
            budget?: components["schemas"]["NewBudget"] | null;
            progress_shares?: components["schemas"]["NewProgressShares"];
            /** @description Read-only. */
            id?: string;
            /** @description Read-only. */
            project_id?: string;
            /** @description Until the first call. Another agent is followed as it is published, unless you send `agent_version`. */
            agent_id?: string;
            /** @description Until the first call. It takes the place of the number pool. */
            phone_number_id?: string | null;
            /** @description Until the first call. It takes the place of the phone number. */
            number_pool_id?: string | null;
            /** @description Until the first call or message. Null: no messages are sent. */
            messaging?: components["schemas"]["NewCampaignMessaging"] | null;
            /** @description Read-only. Pause, resume or cancel the campaign instead. */
            status?: string;
            /** @description Read-only. */
            retry_of_campaign_id?: string | null;
            /**
             * Format: date-time
             * @description Read-only.
             */
            created_at?: string;
            /** @description Ignored. */
            ended_reason?: string | null;
            /** @description Ignored. */
            pause_reason?: string | null;
            /** @description Ignored. */
            waiting?: components["schemas"]["Waiting"][];
            /** @description Ignored. */
            counters?: components["schemas"]["CampaignCounters"];
            /** @description Ignored. */
            calls?: {
                placed?: number;
                answered?: number;
            };
            /** @description Ignored. */
            compliance?: components["schemas"]["CampaignCompliance"];
            /**
             * Format: date-time
             * @description Ignored.
             */
            started_at?: string | null;
            /**
             * Format: date-time
             * @description Ignored.
             */
            ended_at?: string | null;
            /**
             * Format: date-time
             * @description Ignored.
             */
            updated_at?: string;
        };
        /**
         * @description The known cost of the campaign's calls counts. Each answered call whose price is not known, and each call in
         *     progress, counts at the average of the campaign's answered calls with a known price, or of the organization's while
         *     the campaign has none. While no price is known, nothing counts. If that reaches the amount, the campaign is paused before its
         *     next call. Carriers tell prices minutes or hours after a call and
         *     correct them, so the calls may cost more than the budget in the end, and a pause may come too early. Only prices
         *     in the budget's currency count. Messages do not.
         */
        NewBudget: {
            /** @description An exact decimal, more than 0. */
            amount: string;
            /** @description The currency of the carrier's prices, as an ISO 4217 code. */
            currency: string;
        };
        Me: {
            organization: {
                id: components["schemas"]["Id"];
                name: string;
                /** @description IANA time zone. Days and months of limits follow it. */
                time_zone: string;
                /** @description Two-letter country code (ISO 3166-1). */
                region: string;
                created_at: components["schemas"]["Time"];
                /** @description When somebody stopped all calling. Null while calls can be placed. */
                calling_stopped_at: components["schemas"]["Time"] | null;
            };
            key: {
                id: components["schemas"]["Id"];
                name: string;
                /** @description The last four characters of the key. */
                last_four: string;
                /** @description Whether the key also gets the scopes that later versions add. */
                all_scopes: boolean;
                /** @description The scopes of the key, one by one. */
                scopes: string[];
                created_at: components["schemas"]["Time"];
                /** @description When the key stops working. Null if it does not expire. */
                expires_at: components["schemas"]["Time"] | null;
            };
            /**
             * @description The limits of the key and of its organization. Null means no limit. Connections, phone numbers and campaigns
             *     have limits of their own. The WhatsApp quota is at `GET /campaigns/quota`.
             */
            limits: {
                /** @description Requests of this key. */
                requests_per_minute: number;
                /** @description Webhooks of the organization. */
                webhooks: number;
                /** @description Simultaneous calls of all campaigns. */
                max_concurrency: number | null;
                /** @description Call starts of all campaigns. */
                calls_per_second: number | null;
                /** @description Calls to one number in any 24 hours. */
                max_daily_attempts: number | null;
                /** @description What calls may cost in a calendar month. */
                monthly_budget: components["schemas"]["Budget"] | null;
                /** @description Tokens of language models on one day. */
                model_tokens_per_day: number | null;
                /** @description What language models may cost on one day. */
                model_budget_per_day: components["schemas"]["Budget"] | null;
            };
        };
        WhatsAppTemplate: {
            id: components["schemas"]["Id"];
            /** @description The `external_id` of each number that can send the template. */
            external_ids: string[];
            name: string;
            /** @description The operator's language code, such as `en_US`. */
            language: string;
            /** @description The operator's category, such as `MARKETING` or `UTILITY`. */
            category: string;
            /** @description The operator's status, such as `APPROVED`. */
            status: string;
            /** @description Why the template cannot be sent. Null if it can. */
            problem: string | null;
            /** @description The values that a message must provide, from top to bottom. */
            variables: {
                /** @description The name of the value in `variables` of a message, such as `1` or `header.1`. */
                key: string;
                /** @description `link` is the https address of a file, and `code` the text that a button copies. */
                kind: string;
            }[];
            /** @description The part above the body. */
            header: {
                /** @description The operator's format, such as `TEXT` or `IMAGE`. */
                format: string;
                /** @description The text of a `TEXT` header. */
                text: string | null;
            } | null;
            body: string;
            footer: string | null;
            buttons: {
                /** @description The operator's type, such as `QUICK_REPLY` or `URL`. */
                type: string;
                text: string;
                /** @description The address of a `URL` button. It may end in a variable. */
                url: string | null;
            }[];
            created_at: components["schemas"]["Time"];
        };
        WhatsAppTemplateList: {
            data: components["schemas"]["WhatsAppTemplate"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Budget: {
            /** @description An exact decimal. */
            amount: string;
            /** @description An ISO 4217 code. */
            currency: string;
        };
        Resumption: {
            not_ready_reason?: components["schemas"]["NotReadyReason"];
        };
        /**
         * @description Why the campaign starts, or the call is placed, although its connection is not ready for real calls. The audit log
         *     keeps it, and the campaign's log. It has no effect if the connection is ready.
         */
        NotReadyReason: string | null;
        NewCampaignMessaging: {
            /** @description The chat-messaging number that sends, as in the quota. Absent or null uses the phone number's own. */
            external_id?: string | null;
            /** @description What to send. Required unless the trigger is `never`. */
            template?: components["schemas"]["NewCampaignTemplate"] | null;
            trigger: components["schemas"]["MessagingTrigger"];
            /**
             * @description With `after_call`: the intents after which the message is sent too, right after the call. Default: none, so
             *     a call that ended with an intent gets no message.
             */
            follow_up?: components["schemas"]["FollowUpIntent"][];
        };
        NewCampaignTemplate: {
            name: string;
            /** @description WhatsApp's language code, such as `en_US`. */
            language: string;
            /**
             * @description A value for each variable of the template: `1` or `first_name` in its body, `header.1` or `header.image`
             *     in its header, `button.0.1` or `button.0.code` on a button. A value can contain placeholders, as in an
             *     agent's script: `{{clinic}}` is a variable of the recipient or the campaign. `{{name}}`,
             *     `{{phone_number}}` and `{{agent}}` are always available. `{{first_name}}` and `{{last_name}}` are parts of
             *     the name unless a variable has them. `{{answers.key}}` is the recipient's answer to
             *     the question with that key (`after_call` only, yes or no for a yes-or-no question). `{{name|there}}` sets
             *     a fallback. If no recipient has a value for a placeholder, the request is a 400. If only some lack it,
             *     only their messages fail.
             */
            variables?: components["schemas"]["Variables"];
        };
        /**
         * @description When each recipient gets the message, once per campaign. `before_call`: before the first call, which waits up
         *     to 60 seconds for WhatsApp to accept, refuse or defer the message. `no_answer`: after the last call, if nobody
         *     answered any of them (busy, no answer, voicemail without a message left, unreachable). `after_call`: after a
         *     call that a person answered, unless they opted out or the call has an `intent` that `follow_up` does not list.
         *     `never`: no message.
         */
        MessagingTrigger: string;
        /** @description The campaign's message settings. */
        CampaignMessaging: {
            /** @description The chat-messaging number that sends. Null uses the phone number's own. */
            external_id: string | null;
            /** @description Null if nothing is sent. */
            template: components["schemas"]["CampaignTemplate"] | null;
            trigger: components["schemas"]["MessagingTrigger"];
            /** @description The intents after which the message is sent too. */
            follow_up: components["schemas"]["FollowUpIntent"][];
        };
        FollowUpIntent: string;
        CampaignTemplate: {
            name: string;
            language: string;
            variables: components["schemas"]["Variables"];
        };
        NewRetry: {
            /** @description Maximum calls per recipient, including the first. Default: `1`. */
            max_attempts?: number;
            /** @description Minutes before the 2nd, 3rd, … attempt. The last delay repeats. 0 retries at once. Default: 30. */
            delays_minutes?: number[];
            /**
             * @description Different delays after some outcomes, such as 5 minutes after busy. Other outcomes use `delays_minutes`.
             *     Each outcome must also be in `on`.
             */
            outcome_delays_minutes?: components["schemas"]["NewOutcomeDelays"];
            /** @description Outcomes to retry. Default: all, except `voicemail` if a message is left. */
            on?: components["schemas"]["RetryOutcome"][];
        };
        /**
         * @description How the carrier detects voicemail. `mode` `fast`: as soon as it knows. `wait_for_beep`: a person at once, a
         *     voicemail when its greeting is over, only with `leave_message`. `off`: not at all, and only what is said
         *     decides. The words decide in every mode, too, and until they or the carrier recognize a voicemail, the
         *     agent talks as to a person. Then it is silent. It leaves its message at the end of the greeting that the
         *     carrier reports, or after eight seconds of silence. The default is `wait_for_beep` with `leave_message`, and
         *     otherwise `fast`. Absent or null numbers are the carrier's defaults, and no number may be set if `mode` is
         *     `off`.
         */
        NewDetection: {
            /** @enum {string} */
            mode?: "off" | "fast" | "wait_for_beep";
            /** @description Longest detection. After it, `answered_by` is `unknown` if words do not tell. The carrier's default is 30. */
            timeout_seconds?: number | null;
            /** @description Longest greeting of a person. The carrier's default is 2400. */
            speech_threshold_ms?: number | null;
            /** @description Silence that ends a greeting. The carrier's default is 1200. */
            speech_end_threshold_ms?: number | null;
            /** @description Silence after the answer that ends detection with `unknown`. The carrier's default is 5000. */
            silence_timeout_ms?: number | null;
        };
        /**
         * @description What happens to the recipient after a call with each intent. `retry`: another attempt, by the retry schedule.
         *     `stop`: no more calls in this campaign. `do_not_call`: no more calls, and the number goes on the do-not-call
         *     list for calls. After `deceased` and `wrong_person`, both also put the number on the list for messages.
         *     `call_back`: another attempt at the time the recipient asked for, moved into their calling hours. It
         *     takes place even if `max_attempts` is reached, at most twice per recipient, never after `expires_at`. If they
         *     named no time, it is a `retry`.
         */
        NewIntents: {
            /**
             * @description Default: `stop`.
             * @enum {string}
             */
            wrong_person?: "retry" | "stop" | "do_not_call";
            /**
             * @description Default: `do_not_call`.
             * @enum {string}
             */
            deceased?: "retry" | "stop" | "do_not_call";
            /**
             * @description Default: `retry`.
             * @enum {string}
             */
            minor?: "retry" | "stop" | "do_not_call";
            /**
             * @description Default: `retry`.
             * @enum {string}
             */
            busy?: "retry" | "stop" | "do_not_call";
            /**
             * @description Default: `call_back`.
             * @enum {string}
             */
            call_back?: "call_back" | "retry" | "stop" | "do_not_call";
            /**
             * @description Default: `stop`.
             * @enum {string}
             */
            wants_human?: "retry" | "stop" | "do_not_call";
        };
        /** @description Minutes before the 2nd, 3rd, … attempt after each outcome. The last delay repeats. */
        NewOutcomeDelays: {
            busy?: components["schemas"]["NewOutcomeDelay"];
            no_answer?: components["schemas"]["NewOutcomeDelay"];
            voicemail?: components["schemas"]["NewOutcomeDelay"];
            failed?: components["schemas"]["NewOutcomeDelay"];
        };
        NewOutcomeDelay: number[] | null;
        NewRecipients: {
            /** @description Required, unless `recipients_url` is set. */
            recipients?: components["schemas"]["NewRecipient"][];
            recipients_url?: components["schemas"]["RecipientsUrl"];
        };
        /**
         * @description The https address of a CSV file of recipients, instead of `recipients`. The request waits until the server has
         *     fetched the file, for a minute at most. [Lists from files](/docs/lists-from-files) tells what the address must
         *     answer.
         */
        RecipientsUrl: string | null;
        NewRecipient: {
            phone_number: components["schemas"]["PhoneNumberText"];
            name?: string | null;
            /** @description Your own identifier of the recipient, unique in the campaign. */
            external_id?: string | null;
            /** @description The recipient's IANA time zone. If absent, it is derived from the number or, failing that, the project's is used. */
            timezone?: string | null;
            consent?: components["schemas"]["NewConsent"] | null;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
        };
        NewCall: {
            to: components["schemas"]["PhoneNumberText"];
            /** @description The name of the person. */
            name?: string | null;
            /** @description Your own identifier of the person or the call. It need not be unique. */
            external_id?: string | null;
            /** @description The person's IANA time zone. If absent, it is derived from the number or, failing that, the project's is used. */
            timezone?: string | null;
            consent?: components["schemas"]["NewConsent"] | null;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
            project_id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            /** @description The version of the agent to use. Null or absent: the version that is published when the call starts. */
            agent_version?: components["schemas"]["NewCampaignAgentVersion"] | null;
            /** @description The phone number to call from. Required, unless `number_pool_id` is set. */
            phone_number_id?: string | null;
            /** @description The number pool to call from, instead of `phone_number_id`. Until the call is placed, it shows the number of the pool whose turn it is. */
            number_pool_id?: string | null;
            /** @description Why you call, as of a campaign. */
            call_reason?: string | null;
            /**
             * Format: date-time
             * @description The earliest time. Absent or null means now. At most 5 minutes in the past.
             */
            scheduled_at?: string | null;
            /**
             * Format: date-time
             * @description When the call and its further attempts expire. Absent or null means never.
             */
            expires_at?: string | null;
            /** @description If absent, the project's calling hours are used. */
            calling_hours?: components["schemas"]["CallingHours"];
            /** @description When to call again if nobody was reached. If absent, there is one attempt. */
            retry?: components["schemas"]["NewRetry"];
            /** @description What each intent of the call leads to. An absent intent leads to its default. */
            intents?: components["schemas"]["NewIntents"];
            /**
             * @description What to do when voicemail answers. Default: `hang_up`.
             * @enum {string}
             */
            voicemail_action?: "hang_up" | "leave_message";
            detection?: components["schemas"]["NewDetection"];
            /** @description Ring time in seconds. Default: `30`. */
            ring_timeout_seconds?: number;
            /** @description Maximum call length in seconds. Default: `600`. */
            max_duration_seconds?: number;
            not_ready_reason?: components["schemas"]["NotReadyReason"];
        };
        NewMessages: {
            messages: components["schemas"]["NewMessage"][];
        };
        QueuedMessages: {
            /** @description The messages, in the order of the request. */
            data: components["schemas"]["Message"][];
        };
        NewCalls: {
            calls: components["schemas"]["NewCall"][];
        };
        CallSettings: {
            /** @description Null: the version of the agent that is published when the call starts. */
            agent_version: components["schemas"]["CampaignAgentVersion"] | null;
            /** @description Null if the call is placed from a pool. */
            phone_number_id: components["schemas"]["Id"] | null;
            /** @description Null if the call is placed from one phone number. */
            number_pool_id: components["schemas"]["Id"] | null;
            /** @description What phones that support branded calling show as the reason of the call. Null if nothing is sent. */
            call_reason: string | null;
            /** @description The recipient's IANA time zone as it was given. Null if none was. */
            timezone: string | null;
            /**
             * @description The start that was requested, before calling hours. Of a scheduled further attempt, when it is due. Null if the
             *     call is placed as soon as possible, and for older calls.
             */
            scheduled_at: components["schemas"]["Time"] | null;
            /** @description When calls to the recipient stop. Null if they do not expire. */
            expires_at: components["schemas"]["Time"] | null;
            calling_hours: components["schemas"]["CallingHours"];
            retry: components["schemas"]["Retry"];
            intents: components["schemas"]["Intents"];
            voicemail_action: components["schemas"]["VoicemailAction"];
            detection: components["schemas"]["Detection"];
            ring_timeout_seconds: number;
            max_duration_seconds: number;
        };
        /** @description Any of the fields of a new call that change. The read-only fields are accepted if unchanged. */
        CallChange: {
            /** @description The name of the person. */
            name?: string | null;
            /** @description Your own identifier of the person or the call. */
            external_id?: string | null;
            /** @description The person's IANA time zone. Null: it is derived as for a new call. */
            timezone?: string | null;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
            /** @description Null: the version that is published when the call starts. */
            agent_version?: components["schemas"]["NewCampaignAgentVersion"] | null;
            /** @description Why you call. Null: no reason. */
            call_reason?: string | null;
            /**
             * Format: date-time
             * @description The earliest time. Null means now.
             */
            scheduled_at?: string | null;
            /**
             * Format: date-time
             * @description When the call and its further attempts expire. Null means never.
             */
            expires_at?: string | null;
            calling_hours?: components["schemas"]["CallingHours"];
            retry?: components["schemas"]["NewRetry"];
            intents?: components["schemas"]["NewIntents"];
            /**
             * @description The detection follows it if it was the default.
             * @enum {string}
             */
            voicemail_action?: "hang_up" | "leave_message";
            detection?: components["schemas"]["NewDetection"];
            ring_timeout_seconds?: number;
            max_duration_seconds?: number;
            /** @description Read-only. */
            to?: string;
            /** @description Read-only. */
            project_id?: string;
            /** @description Read-only. */
            agent_id?: string;
            /** @description Read-only. */
            phone_number_id?: string | null;
            /** @description Read-only. */
            number_pool_id?: string | null;
        };
        /** @description The fields that change. The read-only fields are accepted if unchanged. */
        RecipientChange: {
            /** @description E.164. It changes until the first attempt. */
            phone_number?: string;
            /** @description The name of the person. */
            name?: string | null;
            /** @description Your own identifier, unique in the campaign. */
            external_id?: string | null;
            /** @description The person's IANA time zone. Null: it is derived as for a new recipient. */
            timezone?: string | null;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
            /** @description Read-only. */
            id?: string;
            /** @description Read-only. */
            campaign_id?: string;
            /** @description Read-only. */
            consent?: Record<string, never> | null;
            /** @description Read-only. */
            created_at?: string;
            /** @description Ignored. */
            status?: string;
            /** @description Ignored. */
            attempts?: number;
            /** @description Ignored. */
            next_attempt_at?: string | null;
            /** @description Ignored. */
            last_call_id?: string | null;
            /** @description Ignored. */
            outcome?: string | null;
            /** @description Ignored. */
            intent?: string | null;
            /** @description Ignored. */
            skip_reason?: string | null;
            /** @description Ignored. */
            skip_detail?: string | null;
            /** @description Ignored. */
            prioritized_at?: string | null;
            /** @description Ignored. */
            canceled_at?: string | null;
        };
        RecipientChanges: {
            /**
             * @description The recipients that change. Each is named by its `id`, or, without one, by its `external_id`, which then
             *     does not change.
             */
            recipients: components["schemas"]["RecipientEdit"][];
        };
        RecipientEdit: {
            /** @description The recipient's `id`. */
            id?: string;
            /** @description Without an `id`, names the recipient. Otherwise, the new one. */
            external_id?: string | null;
            /** @description E.164. It changes until the first attempt. */
            phone_number?: string;
            /** @description The name of the person. */
            name?: string | null;
            /** @description The person's IANA time zone. Null: it is derived as for a new recipient. */
            timezone?: string | null;
            variables?: components["schemas"]["Variables"];
            metadata?: components["schemas"]["Metadata"];
        };
        ChangedRecipients: {
            /** @description What became of each recipient, in the order of the request. */
            data: {
                /** @description The recipient's `id`. Null if the request names an unknown `external_id`. */
                id: string | null;
                /** @description The recipient's `external_id` before the change. */
                external_id: string | null;
                /**
                 * @description `unchanged`: the recipient had these values. `in_progress`: the recipient is being called, so nothing
                 *     changed. `already_ended`: no call follows, so nothing changed. `refused`: `error` says why. `unknown`:
                 *     the campaign has no such recipient.
                 */
                result: string;
                /** @description Why the change was refused. It names the field. Otherwise null. */
                error: string | null;
            }[];
        };
        /** @description Up to 1,000 recipients of the campaign, by `id`, by `external_id`, or by both. */
        ChosenRecipients: {
            /** @description The `id` of each recipient. */
            ids?: string[];
            /** @description The `external_id` of each recipient. */
            external_ids?: string[];
        };
        CanceledRecipients: {
            /** @description What became of each recipient, in the order of the request, `ids` first. */
            data: {
                /** @description The recipient's `id`. Null if the request names an unknown `external_id`. */
                id: string | null;
                /** @description The recipient's `external_id`. */
                external_id: string | null;
                /**
                 * @description `canceled`: the recipient is not called. `in_progress`: the recipient is being called. The call
                 *     continues, and none follows it. `already_ended`: the recipient was canceled or has another last status.
                 *     `unknown`: the campaign has no such recipient.
                 */
                result: string;
            }[];
        };
        PrioritizedRecipients: {
            /** @description What became of each recipient, in the order of the request, `ids` first. */
            data: {
                /** @description The recipient's `id`. Null if the request names an unknown `external_id`. */
                id: string | null;
                /** @description The recipient's `external_id`. */
                external_id: string | null;
                /**
                 * @description `prioritized`: the recipient is called before the others who are due. `in_progress`: the recipient is
                 *     being called. `already_ended`: no call follows. `unknown`: the campaign has no such recipient.
                 */
                result: string;
            }[];
        };
        CallsToCancel: {
            /** @description The `id` of each call. */
            ids: string[];
        };
        CanceledCalls: {
            /** @description What became of each call, in the order of the request. */
            data: {
                /** @description The `id` of the call, as in the request. */
                id: string;
                /**
                 * @description `canceled`: the call is never placed. `already_ended`: it had ended or was canceled before.
                 *     `in_progress`: it is being placed or in progress, so hang it up instead. `unknown`: you have no such
                 *     call.
                 */
                result: string;
            }[];
        };
        ScheduledCalls: {
            /** @description The calls, in the order of the request. */
            data: components["schemas"]["Call"][];
        };
        /** @description The recipient's consent to be called. */
        NewConsent: {
            basis: string;
            /**
             * Format: date-time
             * @description When consent was given.
             */
            at?: string | null;
            /** @description Where the consent comes from, such as a form. */
            source?: string | null;
            /**
             * Format: date-time
             * @description When the consent ends.
             */
            expires_at?: string | null;
        };
        /**
         * @description `draft` until you start it. `scheduled` until its start, then `running`. `paused` until resumed. `completed`,
         *     `canceled` and `failed` are final.
         * @enum {string}
         */
        CampaignStatus: "draft" | "scheduled" | "running" | "paused" | "completed" | "canceled" | "failed";
        /** @description A published version of the agent, for all recipients or all but a share of them. */
        NewCampaignAgentVersion: {
            /** @description The number of a version of the campaign's agent. */
            version: number;
            /** @description Another version for some of the recipients. A recipient has the same version at every attempt. */
            split?: components["schemas"]["AgentVersionSplit"] | null;
        };
        CampaignAgentVersion: {
            version: number;
            split: components["schemas"]["AgentVersionSplit"] | null;
        };
        AgentVersionSplit: {
            /** @description The number of the other version. */
            version: number;
            /** @description The share of the recipients who get it. */
            percent: number;
        };
        Campaign: {
            id: components["schemas"]["Id"];
            name: string;
            /** @description What phones that support branded calling show as the reason of the call. Null if nothing is sent. */
            call_reason: string | null;
            project_id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            /** @description Null: each call uses the version of the agent that is published when the call starts. */
            agent_version: components["schemas"]["CampaignAgentVersion"] | null;
            /** @description Null if the campaign calls from a pool. */
            phone_number_id: components["schemas"]["Id"] | null;
            /** @description Null if the campaign calls from one phone number. */
            number_pool_id: components["schemas"]["Id"] | null;
            status: components["schemas"]["CampaignStatus"];
            /** @description Why it ended. Null until it ends. */
            ended_reason: string | null;
            /** @description Why it is paused. Null unless paused. */
            pause_reason: string | null;
            scheduled_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"] | null;
            calling_hours: components["schemas"]["CallingHours"];
            max_concurrency: number;
            calls_per_second: number;
            retry: components["schemas"]["Retry"];
            intents: components["schemas"]["Intents"];
            voicemail_action: components["schemas"]["VoicemailAction"];
            detection: components["schemas"]["Detection"];
            ring_timeout_seconds: number;
            max_duration_seconds: number;
            variables: components["schemas"]["Variables"];
            metadata: components["schemas"]["Metadata"];
            /** @description The template for each recipient. Null if nothing is sent. */
            messaging: components["schemas"]["CampaignMessaging"] | null;
            /** @description The most that its calls may cost. Null if there is no budget. */
            budget: components["schemas"]["Budget"] | null;
            /** @description The percentages of settled recipients at which `campaign.progress` is sent, ascending. */
            progress_shares: number[];
            /** @description Why nobody is being called right now. Empty if nothing waits. */
            waiting: components["schemas"]["Waiting"][];
            counters: components["schemas"]["CampaignCounters"];
            /** @description Results of the campaign's calls. */
            calls: {
                placed: number;
                answered: number;
            };
            compliance: components["schemas"]["CampaignCompliance"];
            /**
             * @description The campaign whose unreached recipients this one calls again. It may have been deleted since. Null for other
             *     campaigns.
             */
            retry_of_campaign_id: components["schemas"]["Id"] | null;
            created_at: components["schemas"]["Time"];
            /** @description When it first ran. Null until then. */
            started_at: components["schemas"]["Time"] | null;
            /** @description When it ended. Null until then. */
            ended_at: components["schemas"]["Time"] | null;
            /**
             * @description When its settings, its status or the counters of its ended calls last changed. Calls in progress change
             *     `dialing` and `in_progress` without it, and so does `waiting`.
             */
            updated_at: components["schemas"]["Time"];
        };
        /** @description When recipients who weren't reached are retried. */
        Retry: {
            max_attempts: number;
            /** @description Minutes before the 2nd, 3rd, … attempt. The last delay repeats. */
            delays_minutes: number[];
            /** @description Delays after outcomes with their own delays. Null for the others. */
            outcome_delays_minutes: {
                busy: components["schemas"]["OutcomeDelay"];
                no_answer: components["schemas"]["OutcomeDelay"];
                voicemail: components["schemas"]["OutcomeDelay"];
                failed: components["schemas"]["OutcomeDelay"];
            };
            on: components["schemas"]["RetryOutcome"][];
        };
        /** @description What each intent of a call leads to, as when you create a campaign. */
        Intents: {
            wrong_person: components["schemas"]["IntentAction"];
            deceased: components["schemas"]["IntentAction"];
            minor: components["schemas"]["IntentAction"];
            busy: components["schemas"]["IntentAction"];
            call_back: components["schemas"]["IntentAction"];
            wants_human: components["schemas"]["IntentAction"];
        };
        IntentAction: string;
        OutcomeDelay: number[] | null;
        Waiting: {
            /**
             * @description What the recipients wait for: the campaign's start (`scheduled`); their calling hours in their own time
             *     zone (`calling_hours`) or, if it is unknown, the project's (`calling_hours_project_time`); the retry delay
             *     (`retry`); the time at which they asked to be called back (`call_back`); another call to the same number
             *     (`in_call`); a limit on calls to one number, of the organization or of the number's place (`attempt_limit`);
             *     the hours and days on which the number's place allows calls, or a day without calls (`calling_rules`); a carrier that
             *     could not place the last call (`carrier`); a pre-dial check that failed (`pre_dial_check`); the message before the
             *     call (`message`); a country that the
             *     carrier account may not call, until the campaign is paused and resumed (`country`); a call that works, because
             *     calls are placed one at a time after failures (`probing`); a limit on simultaneous
             *     calls (`…_concurrency`) or calls per second (`…_pace`); a free stream of the agent's language model
             *     (`model_streams`); the organization's daily limit of language models (`model_budget`); a number of the pool, because all of them rest or
             *     have reached their daily limit (`number_pool`); the next month or a larger budget, for a call of its own
             *     (`budget`); a paused campaign (`paused`); or stopped calling
             *     (`calling_stopped`).
             */
            reason: string;
            /** @description Number of recipients waiting for this reason. */
            recipients: number;
            /** @description When the first of them may be called. Null if unknown. */
            until: components["schemas"]["Time"] | null;
            /** @description Details for people, such as who paused the campaign or what the carrier said. */
            detail: string | null;
            /**
             * @description Recipients waiting for calling hours by time zone, with the time the hours open. At most the twelve
             *     largest. Empty for other reasons, and when one time zone applies to all.
             */
            by_time_zone: {
                /**
                 * @description IANA names. A number that may be in several zones is called only while the hours are open in all of
                 *     them.
                 */
                time_zones: string[];
                recipients: number;
                until: components["schemas"]["Time"];
            }[];
        };
        /** @description Number of recipients by status. `total` is the sum. */
        CampaignCounters: {
            total: number;
            pending: number;
            dialing: number;
            in_progress: number;
            completed: number;
            failed: number;
            skipped: number;
            canceled: number;
            expired: number;
        };
        /**
         * @description Figures that regulators and carriers look at. Each call is counted once, shortly after it ends. Rates are
         *     relative to `answered_by_person`. The rate of short calls is relative to all answered calls.
         */
        CampaignCompliance: {
            /** @description Answered calls, without those answered by a machine. */
            answered_by_person: number;
            /** @description Calls in which the recipient opted out. */
            opted_out: number;
            /**
             * @description Calls that a person answered and that failed them: a fault of the server ended the conversation, or the
             *     agent was not heard at all, unless the person hung up within two seconds.
             */
            abandoned: number;
            /** @description Answered calls of at most six seconds, by people and by voicemail. */
            short_calls: number;
        };
        CampaignLogEntry: {
            id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"];
            /**
             * @description The type of entry. `waiting` is written when no call can be placed for a while or a limit is reached, and
             *     `dialing` when that ends. `do_not_call_added` says how many recipients were put on the do-not-call list,
             *     because they opted out or because of an intent. `recipients_canceled`, `recipients_prioritized`,
             *     `recipients_unprioritized` and `recipients_updated` count the recipients of an hour who were canceled, called
             *     first, no longer called first, or changed one by one. Expect more types.
             */
            type: string;
            actor: components["schemas"]["CampaignLogActor"];
            /** @description The entry as a sentence in English. */
            message: string;
            /**
             * @description For `created` and `resumed`: the `not_ready_reason`, if the connection was not ready. For `paused`: why the
             *     campaign was paused automatically, in words. For `completed` and `failed`: the `ended_reason`.
             *     For `calls_not_placed`: the calls' `ended_reason`. For `country_refused`: the carrier's words. For `dialing`:
             *     the limit that was reached before.
             */
            reason: string | null;
            /**
             * @description For `country_refused`: the country that the carrier account may not call, as an ISO 3166-1 alpha-2 code, or a
             *     calling code such as `+870` that belongs to no country.
             */
            country: string | null;
            /** @description Number added, skipped, put on the do-not-call list, waiting, expired, canceled, called first or changed. */
            recipients: number | null;
            /** @description For `created` and `recipients_added`: how many recipients are skipped, and why. */
            skipped: components["schemas"]["CampaignLogSkipped"] | null;
            /** @description For `calls_not_placed`: the number of calls. */
            calls: number | null;
            /** @description For `waiting`: how many recipients waited, and why. Empty otherwise. */
            waiting: components["schemas"]["Waiting"][];
            /** @description For `created`: the start time. For `waiting`: when the next call was expected. Null if unknown. */
            until: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        /** @description Who decided. */
        CampaignLogActor: {
            /** @description A person, an API key, or the dialer. */
            kind: string;
            name: string;
        };
        CampaignLogSkipped: {
            duplicate: number;
            no_consent: number;
            do_not_call: number;
        };
        CampaignLog: {
            data: components["schemas"]["CampaignLogEntry"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        CampaignList: {
            data: components["schemas"]["Campaign"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description `pending` until called. `dialing` and `in_progress` during a call. `completed` if reached, `failed` if they
         *     were not reached and are not called again: after all attempts, or after an outcome that is not retried.
         *     `skipped` if they must not be called. `canceled` and `expired` with the campaign. A `failed` recipient who
         *     calls back within 14 days and answers the questions becomes `completed`.
         * @enum {string}
         */
        RecipientStatus: "pending" | "dialing" | "in_progress" | "completed" | "failed" | "skipped" | "canceled" | "expired";
        Recipient: {
            id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"];
            phone_number: components["schemas"]["ErasableNumber"];
            name: string | null;
            external_id: string | null;
            /** @description As given. */
            timezone: string | null;
            consent: components["schemas"]["Consent"] | null;
            variables: components["schemas"]["Variables"];
            metadata: components["schemas"]["Metadata"];
            status: components["schemas"]["RecipientStatus"];
            /** @description Calls made to the recipient. */
            attempts: number;
            /** @description Earliest time of the next call. Null unless `pending`. */
            next_attempt_at: components["schemas"]["Time"] | null;
            /**
             * @description The last call to the recipient, or the inbound call that completed the recipient (its `resumes.completed` is
             *     true). Null before the first call.
             */
            last_call_id: components["schemas"]["Id"] | null;
            /** @description Outcome of the last call. */
            outcome: components["schemas"]["Outcome"] | null;
            /** @description Intent of the last call. Null if it had none. */
            intent: components["schemas"]["Intent"] | null;
            /**
             * @description Why the recipient is never called: `duplicate`, `do_not_call`, `no_consent` if the organization requires a
             *     consent with its date and the recipient's is missing or has ended, or `pre_dial_check` if the pre-dial check
             *     refused the call.
             */
            skip_reason: string | null;
            /** @description With `pre_dial_check`, the reason that the check gave. Otherwise null. */
            skip_detail: string | null;
            /** @description Since when the recipient is called before the others of the campaign who are due. Null if they are not. */
            prioritized_at: components["schemas"]["Time"] | null;
            /**
             * @description When the recipient was canceled by itself. Null if they were not, or were canceled with their campaign. A
             *     recipient who was being called then has the status of that call, and no call follows it.
             */
            canceled_at: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
        };
        PreDialCheck: {
            /**
             * @description `allowed` or `refused` as answered. Without an answer, `failed_open` if the call was placed anyway, and
             *     `failed` if the recipient waits.
             */
            result: string;
            asked_at: components["schemas"]["Time"];
            /** @description Milliseconds until the answer. 0 if no request was sent. */
            took_ms: number;
            /** @description The reason in the answer, or why the check failed. */
            reason: string | null;
        };
        /**
         * @description Why the calling hours and the rules of the number's place allowed a call, when it was queued. The call was
         *     allowed by every clock.
         */
        CallingHoursDecision: {
            /** @description One clock for each time zone that the recipient may be in, or that the calling hours name. */
            clocks: {
                /** @description IANA time zone. */
                timezone: string;
                /**
                 * @description How the time zone was found. `recipient`: the recipient's own `timezone`. `number`: the digits of the
                 *     number. `project`: the project's, because neither gives a time zone. `campaign`: the calling hours
                 *     name it.
                 */
                source: string;
                /**
                 * Format: date-time
                 * @description What the clock showed, with its offset from UTC.
                 */
                local_time: string;
                /** @description Start of the hours of that day, such as `08:00`. */
                start: string;
                /**
                 * @description End of the hours of that day, up to `24:00`. The hours are the part of the day that the calling hours
                 *     and all rules have in common.
                 */
                end: string;
            }[];
            /**
             * @description IDs of the rules that applied, as under Settings, Compliance: of the country and state of the number, such
             *     as `us-tx-hours`, the organization's own rules, such as `own-de-3f2a9c1e`, and `public_holidays` and
             *     `closed_days` if days without calls were kept free.
             */
            rules: string[];
            /** @description Earlier calls to the number in the 24 hours before. Calls for which no phone rang do not count. */
            calls_in_24_hours: number;
        };
        /** @description The recipient's consent to be called, as given with the list. */
        Consent: {
            basis: string;
            /** @description Where the consent comes from. */
            source: string | null;
            /** @description When the consent ends. Null if it does not. */
            expires_at: components["schemas"]["Time"] | null;
            /** @description When consent was given. Null if unknown. */
            at: components["schemas"]["Time"] | null;
        };
        RecipientList: {
            data: components["schemas"]["Recipient"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description `scheduled` until a call of its own is placed, `queued`, `ringing`, `in_progress`, then one of the final ones. The
         *     calls of campaigns begin with `queued`.
         * @enum {string}
         */
        CallStatus: "scheduled" | "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled";
        /**
         * @description How a call ended. `voicemail` means a machine answered, whether or not a message was left.
         * @enum {string}
         */
        Outcome: "completed" | "no_answer" | "voicemail" | "busy" | "failed" | "canceled";
        /**
         * @description What a person wanted instead of answering. `wrong_person`: the number is somebody else's. `deceased`: the
         *     recipient has died. `minor`: a child answered. `busy`: they had no time. `call_back`: they asked for a call at
         *     another time. `wants_human`: they asked to talk to a person.
         */
        Intent: string;
        /** @description `outbound`: the organization called the person. `inbound`: the person called one of its numbers. */
        CallDirection: string;
        /**
         * @description A phone number, E.164. The person's number is `to_number` of an outbound and `from_number` of an inbound call. It is
         *     null if it is not known, and `missing_number` says why.
         */
        CallNumber: string | null;
        /**
         * @description Why the person's number is null. `withheld`: the caller withheld it. `erased`: the person was erased. Null if the
         *     number is known.
         */
        MissingNumber: string | null;
        CalledRecipient: {
            /** @description The recipient of the campaign. Null for a call of its own. */
            id: components["schemas"]["Id"] | null;
            /** @description Your own identifier. Null also for calls from before calls had it. */
            external_id: string | null;
            name: string | null;
        };
        ResumedRecipient: {
            campaign_id: components["schemas"]["Id"];
            recipient_id: components["schemas"]["Id"];
            /**
             * @description The caller answered the questions, so the recipient is completed and not called again, even if they were
             *     `failed`. The call is the recipient's `last_call_id`.
             */
            completed: boolean;
        };
        CallWaiting: {
            /**
             * @description What the call waits for, as the reasons of a campaign's `waiting`, except `paused` and `country`.
             *     `campaign_concurrency` and `campaign_pace` are limits on calls with the same settings. Expect further reasons.
             */
            reason: string;
            /** @description When the call may be placed. Null if unknown. */
            until: components["schemas"]["Time"] | null;
            /** @description Details for people, such as who stopped all calling. */
            detail: string | null;
        };
        Call: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"] | null;
            recipient_id: components["schemas"]["Id"] | null;
            direction: components["schemas"]["CallDirection"];
            /** @description Who was called. Null if neither a recipient of a campaign nor a name or `external_id` is known. */
            recipient: components["schemas"]["CalledRecipient"] | null;
            /** @description Number of this attempt at the recipient. */
            attempt: number;
            /**
             * @description Of a call that `POST /calls` requested: the call that was requested, of which this call is an attempt. The
             *     first attempt has its own `id` here. Null for the calls of campaigns.
             */
            first_call_id: components["schemas"]["Id"] | null;
            /**
             * @description Of a call that `POST /calls` requested and that has ended: the next attempt, which is scheduled. Null if no
             *     attempt follows.
             */
            next_call_id: components["schemas"]["Id"] | null;
            /** @description Of an inbound call: the call with the person before it, whose recipient and campaign it belongs to. */
            last_call_id: components["schemas"]["Id"] | null;
            /** @description Null: an inbound call for which a message was played, or which no agent held. */
            agent_id: components["schemas"]["Id"] | null;
            /**
             * @description The number of the agent's version that the call follows. Null for a test call, which follows the draft, and
             *     for a call from before agents had versions.
             */
            agent_version: number | null;
            /**
             * @description The name with which the agent speaks. A later rename does not change it. Null without an agent. A call from
             *     before names were stored has the name that its agent had at the update which began to store them.
             */
            agent_name: string | null;
            phone_number_id: components["schemas"]["Id"];
            from_number: components["schemas"]["CallNumber"];
            to_number: components["schemas"]["CallNumber"];
            missing_number: components["schemas"]["MissingNumber"];
            status: components["schemas"]["CallStatus"];
            /** @description Why a scheduled call is not placed now. Null for other calls, and if it is about to be placed. */
            waiting: components["schemas"]["CallWaiting"] | null;
            /**
             * @description When a scheduled call is due. It is placed then, unless a limit or stopped calling makes it wait longer. A
             *     scheduled call that ends without being placed keeps it. Null for other calls.
             */
            due_at: components["schemas"]["Time"] | null;
            /** @description When a scheduled call expires. Null for other calls, and if it does not expire. */
            expires_at: components["schemas"]["Time"] | null;
            /** @description Null until the call ends. */
            outcome: components["schemas"]["Outcome"] | null;
            /**
             * @description Why the call ended. Null until it ends. With `carrier_unavailable`, `account_refused`, `country_refused`,
             *     `caller_refused`, `carrier_busy` and `not_placed`, no phone rang and the call is no attempt: the carrier
             *     failed, refused the account, does not permit calls to the country, refused the calling number, had too many
             *     calls, or was not asked. A call also ends with `said_goodbye` if the caller asked not to be called again, but
             *     withheld the number, so that it could not be listed. With `not_allowed` and `check_failed`, no phone rang either: the pre-dial check
             *     refused the call, or failed. With `refused`, the carrier does not call this number, so the call is not
             *     retried. With `line_failed`, the call was answered, but the line to the agent never opened, or failed and
             *     could not be opened again. If nothing was said, the outcome is `failed`. With `model_failed`, the agent's
             *     language model did not answer or refused to, and the agent had no question to ask without it. With
             *     `model_budget`, the model used all that one call may use. An inbound call ends with `no_capacity` if the
             *     caller heard that nobody can talk now, with `forwarded` if the caller was connected to another number, with
             *     `not_accepted` if the number took no calls, with `unreachable` if the phone network did not get the answer of
             *     this server, and with `too_many_calls` if it was rejected as busy because too many came. The next ones of such
             *     a burst are not stored. A scheduled call that was never placed ends with
             *     `canceled_by_user`, `do_not_call` (the number was put on the do-not-call list, by a request or by
             *     an opt-out), `no_consent` (the consent does not hold, and the organization requires one), `expired`,
             *     `removed` (the agent, the phone number or the connection) or `called_back` (the person called you and answered). With `transferred`, the recipient was
             *     connected with a person, and `ended_by` is `agent` if that person hung up first.
             */
            ended_reason: string | null;
            /**
             * @description Who ended the call. `system` if one of your users or API keys did: see `ended_by_name`. `recipient` is the
             *     person, also if they called. Null until the call ends.
             */
            ended_by: string | null;
            /**
             * @description The name of the user or API key that ended or canceled the call, as it was then. Null unless `ended_reason` is
             *     `ended_by_user` or `canceled_by_user`, and for calls before names were stored.
             */
            ended_by_name: string | null;
            /**
             * @description Why the call ended, in the words of the carrier or of the pre-dial check, or what is known if the carrier said
             *     nothing. Null until the call ends, and if there is nothing to add.
             */
            ended_detail: string | null;
            /**
             * @description The carrier's code for the end of the call, such as Twilio's `21215`. Otherwise `sip_` and the SIP status of
             *     the recipient's phone network, `http_` and the status of the carrier's answer, or a word such as `network`.
             *     Null if there is none. Expect any text.
             */
            carrier_code: string | null;
            /** @description The `call_reason` of the campaign or of the request, sent to the carrier with the call. Null if none is sent. */
            call_reason: string | null;
            /**
             * @description How far the carrier attests to the recipient's network that the call may come from its number (STIR/SHAKEN).
             *     `A`: full. `B`: partial. `C`: gateway. Null until it rings, and if the carrier reports none.
             */
            stir_attestation: string | null;
            /** @description Who answered, as far as known. Null if nobody did. */
            answered_by: string | null;
            /** @description Why a person ended the conversation before its questions. Null if nobody did. */
            intent: components["schemas"]["Intent"] | null;
            /**
             * @description When the recipient asked to be called back. Null if they named no time. If they named only a day, the time of
             *     day is that of the call, or 08:00 after a call between 21:00 and 08:00, and a language model chooses one itself.
             *     Calling hours may move it.
             */
            call_back_at: components["schemas"]["Time"] | null;
            /** @description When the call was queued to be placed. Of a scheduled call, when it was scheduled. */
            queued_at: components["schemas"]["Time"];
            /** @description When the carrier started dialing. */
            started_at: components["schemas"]["Time"] | null;
            answered_at: components["schemas"]["Time"] | null;
            ended_at: components["schemas"]["Time"] | null;
            /**
             * @description When the call last changed, also after its end: its transcript, its analysis, its cost or its recording. What a
             *     scheduled call waits for changes without it.
             */
            updated_at: components["schemas"]["Time"];
            /** @description Ring time in seconds. */
            ring_seconds: number;
            /** @description Talk time in seconds, by our own clock. 0 if not answered. */
            duration_seconds: number;
            /**
             * Format: uri
             * @description URL of the recording, for a key with `calls:read`. Null until it is available, seconds to minutes after
             *     the call ends. Then `call.recorded` is sent.
             */
            recording_url: string | null;
            /** @description The last attempt to connect the recipient with a person. Null without one. */
            transfer: components["schemas"]["CallTransfer"] | null;
            /**
             * @description The number at which an inbound call was to ring, E.164. `ended_reason` is `forwarded` if somebody answered
             *     there. Null for other calls.
             */
            forwarded_to: string | null;
            /**
             * @description Of an inbound call: the recipient of a campaign whose open questions the agent asked. The call is not an attempt
             *     of the campaign, so its `campaign_id` is null, and the figures of the campaign leave it out. Null for other
             *     calls.
             */
            resumes: components["schemas"]["ResumedRecipient"] | null;
            /** @description What the call used of a language model. Null for a scripted agent, and until a model answered. */
            model: components["schemas"]["ModelUse"] | null;
            /**
             * @description What the call cost: what the carrier charged, and what the tokens of a language model cost in the same
             *     currency. Carriers know it minutes to hours after the call, and may correct it within a day. The event
             *     `call.priced` announces both. Null while the carrier's price is not known. If the carrier never tells it, the
             *     tokens alone are the cost after a day, or the cost stays null.
             */
            cost: components["schemas"]["Cost"] | null;
            /** @description The recipient's consent at the time of the call. Null if none was given. */
            consent: components["schemas"]["Consent"] | null;
            /** @description How the organization's pre-dial check ended. Null if it was not asked about this call. */
            pre_dial_check: components["schemas"]["PreDialCheck"] | null;
            /** @description Why the calling hours allowed this call. Null for calls made before this was stored. */
            calling_hours_decision: components["schemas"]["CallingHoursDecision"] | null;
            /** @description The language in which the conversation ended, as a BCP 47 tag. Null if there was none. */
            language: string | null;
            /** @description Results of the conversation. Null if there was none. */
            analysis: components["schemas"]["Analysis"] | null;
            variables: components["schemas"]["Variables"];
            metadata: components["schemas"]["Metadata"];
            /** @description The carrier of the call. */
            carrier: string;
            /** @description The carrier's identifier of the call. */
            carrier_call_id: string | null;
            /** @description The transcript, one line per turn. Empty until the call has ended, and if nothing was said. */
            transcript_text: string;
        };
        Cost: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            /** @description What the amount is made of. */
            parts: {
                /** @description `transfer` is the phone of the person who answered a transfer or a forwarded call, `detection` the detection of voicemail, `relay` the line to the agent, and `model` the tokens of a language model. */
                kind: string;
                amount: components["schemas"]["Amount"];
                /** @description `carrier`: the carrier told the price. `rate`: computed with the rate of the carrier connection, or the prices of the model connection. `estimate`: computed with such prices, and some of the tokens were estimated. */
                source: string;
            }[];
        };
        /** @description An exact decimal. */
        Amount: string;
        /** @description ISO 4217. */
        Currency: string;
        CostList: {
            data: components["schemas"]["CostTotal"][];
            /**
             * @description The answer has all sums.
             * @constant
             */
            has_more: false;
            next_cursor: null;
        };
        CostTotal: {
            /** @description The month in which the calls were queued. Null unless `group_by` is `month`. */
            month: string | null;
            /** @description Null unless `group_by` is `project`. */
            project_id: components["schemas"]["Id"] | null;
            /** @description Null unless `group_by` is `campaign`, and for calls outside of campaigns. */
            campaign_id: components["schemas"]["Id"] | null;
            currency: components["schemas"]["Currency"];
            amount: components["schemas"]["Amount"];
            /** @description Calls with a known cost. */
            calls: number;
            /** @description Of these, calls with the outcome `completed`. */
            completed_calls: number;
            /** @description `amount` divided by `completed_calls`, rounded to 6 decimals. Null without a completed call. */
            per_completed_call: components["schemas"]["Amount"] | null;
            /** @description Of `amount`, what the tokens of language models cost. */
            model_amount: components["schemas"]["Amount"];
        };
        ListedCall: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"] | null;
            recipient_id: components["schemas"]["Id"] | null;
            /** @description Who was called. Null if neither a recipient of a campaign nor a name or `external_id` is known. */
            recipient: components["schemas"]["CalledRecipient"] | null;
            direction: components["schemas"]["CallDirection"];
            /** @description Number of this attempt at the recipient. */
            attempt: number;
            /** @description Of an inbound call: the call with the person before it, whose recipient and campaign it belongs to. */
            last_call_id: components["schemas"]["Id"] | null;
            /**
             * @description Of a call that `POST /calls` requested: the call that was requested, of which this call is an attempt. The
             *     first attempt has its own `id` here. Null for the calls of campaigns.
             */
            first_call_id: components["schemas"]["Id"] | null;
            /**
             * @description Of a call that `POST /calls` requested and that has ended: the next attempt, which is scheduled. Null if no
             *     attempt follows.
             */
            next_call_id: components["schemas"]["Id"] | null;
            /** @description Null: an inbound call for which a message was played, or which no agent held. */
            agent_id: components["schemas"]["Id"] | null;
            /**
             * @description The number of the agent's version that the call follows. Null for a test call, which follows the draft, and
             *     for a call from before agents had versions.
             */
            agent_version: number | null;
            /**
             * @description The name with which the agent speaks. A later rename does not change it. Null without an agent. A call from
             *     before names were stored has the name that its agent had at the update which began to store them.
             */
            agent_name: string | null;
            phone_number_id: components["schemas"]["Id"];
            from_number: components["schemas"]["CallNumber"];
            to_number: components["schemas"]["CallNumber"];
            missing_number: components["schemas"]["MissingNumber"];
            status: components["schemas"]["CallStatus"];
            /** @description Why a scheduled call is not placed now. Null for other calls, and if it is about to be placed. */
            waiting: components["schemas"]["CallWaiting"] | null;
            /**
             * @description When a scheduled call is due. It is placed then, unless a limit or stopped calling makes it wait longer. A
             *     scheduled call that ends without being placed keeps it. Null for other calls.
             */
            due_at: components["schemas"]["Time"] | null;
            /** @description When a scheduled call expires. Null for other calls, and if it does not expire. */
            expires_at: components["schemas"]["Time"] | null;
            /** @description Null until the call ends. */
            outcome: components["schemas"]["Outcome"] | null;
            /**
             * @description Why the call ended. Null until it ends. With `carrier_unavailable`, `account_refused`, `country_refused`,
             *     `caller_refused`, `carrier_busy` and `not_placed`, no phone rang and the call is no attempt: the carrier
             *     failed, refused the account, does not permit calls to the country, refused the calling number, had too many
             *     calls, or was not asked. A call also ends with `said_goodbye` if the caller asked not to be called again, but
             *     withheld the number, so that it could not be listed. With `not_allowed` and `check_failed`, no phone rang either: the pre-dial check
             *     refused the call, or failed. With `refused`, the carrier does not call this number, so the call is not
             *     retried. With `line_failed`, the call was answered, but the line to the agent never opened, or failed and
             *     could not be opened again. If nothing was said, the outcome is `failed`. With `model_failed`, the agent's
             *     language model did not answer or refused to, and the agent had no question to ask without it. With
             *     `model_budget`, the model used all that one call may use. An inbound call ends with `no_capacity` if the
             *     caller heard that nobody can talk now, with `forwarded` if the caller was connected to another number, with
             *     `not_accepted` if the number took no calls, with `unreachable` if the phone network did not get the answer of
             *     this server, and with `too_many_calls` if it was rejected as busy because too many came. The next ones of such
             *     a burst are not stored. A scheduled call that was never placed ends with
             *     `canceled_by_user`, `do_not_call` (the number was put on the do-not-call list, by a request or by
             *     an opt-out), `no_consent` (the consent does not hold, and the organization requires one), `expired`,
             *     `removed` (the agent, the phone number or the connection) or `called_back` (the person called you and answered). With `transferred`, the recipient was
             *     connected with a person, and `ended_by` is `agent` if that person hung up first.
             */
            ended_reason: string | null;
            /**
             * @description Who ended the call. `system` if one of your users or API keys did: see `ended_by_name`. `recipient` is the
             *     person, also if they called. Null until the call ends.
             */
            ended_by: string | null;
            /**
             * @description The name of the user or API key that ended or canceled the call, as it was then. Null unless `ended_reason` is
             *     `ended_by_user` or `canceled_by_user`, and for calls before names were stored.
             */
            ended_by_name: string | null;
            /**
             * @description Why the call ended, in the words of the carrier or of the pre-dial check, or what is known if the carrier said
             *     nothing. Null until the call ends, and if there is nothing to add.
             */
            ended_detail: string | null;
            /**
             * @description The carrier's code for the end of the call, such as Twilio's `21215`. Otherwise `sip_` and the SIP status of
             *     the recipient's phone network, `http_` and the status of the carrier's answer, or a word such as `network`.
             *     Null if there is none. Expect any text.
             */
            carrier_code: string | null;
            /** @description The `call_reason` of the campaign or of the request, sent to the carrier with the call. Null if none is sent. */
            call_reason: string | null;
            /**
             * @description How far the carrier attests to the recipient's network that the call may come from its number (STIR/SHAKEN).
             *     `A`: full. `B`: partial. `C`: gateway. Null until it rings, and if the carrier reports none.
             */
            stir_attestation: string | null;
            /** @description Who answered, as far as known. Null if nobody did. */
            answered_by: string | null;
            /** @description Why a person ended the conversation before its questions. Null if nobody did. */
            intent: components["schemas"]["Intent"] | null;
            /**
             * @description When the recipient asked to be called back. Null if they named no time. If they named only a day, the time of
             *     day is that of the call, or 08:00 after a call between 21:00 and 08:00, and a language model chooses one itself.
             *     Calling hours may move it.
             */
            call_back_at: components["schemas"]["Time"] | null;
            /** @description When the call was queued to be placed. Of a scheduled call, when it was scheduled. */
            queued_at: components["schemas"]["Time"];
            /** @description When the carrier started dialing. */
            started_at: components["schemas"]["Time"] | null;
            answered_at: components["schemas"]["Time"] | null;
            ended_at: components["schemas"]["Time"] | null;
            /**
             * @description When the call last changed, also after its end: its transcript, its analysis, its cost or its recording. What a
             *     scheduled call waits for changes without it.
             */
            updated_at: components["schemas"]["Time"];
            /** @description Ring time in seconds. */
            ring_seconds: number;
            /** @description Talk time in seconds, by our own clock. 0 if not answered. */
            duration_seconds: number;
            /**
             * Format: uri
             * @description URL of the recording, for a key with `calls:read`. Null until it is available, seconds to minutes after
             *     the call ends. Then `call.recorded` is sent.
             */
            recording_url: string | null;
            /** @description What the call used of a language model. Null for a scripted agent, and until a model answered. */
            model: components["schemas"]["ModelUse"] | null;
            /** @description The last attempt to connect the recipient with a person. Null without one. */
            transfer: components["schemas"]["CallTransfer"] | null;
            /**
             * @description The number at which an inbound call was to ring, E.164. `ended_reason` is `forwarded` if somebody answered
             *     there. Null for other calls.
             */
            forwarded_to: string | null;
            /**
             * @description Of an inbound call: the recipient of a campaign whose open questions the agent asked. The call is not an attempt
             *     of the campaign, so its `campaign_id` is null, and the figures of the campaign leave it out. Null for other
             *     calls.
             */
            resumes: components["schemas"]["ResumedRecipient"] | null;
            /**
             * @description What the call cost: what the carrier charged, and what the tokens of a language model cost in the same
             *     currency. Carriers know it minutes to hours after the call, and may correct it within a day. The event
             *     `call.priced` announces both. Null while the carrier's price is not known. If the carrier never tells it, the
             *     tokens alone are the cost after a day, or the cost stays null.
             */
            cost: components["schemas"]["Cost"] | null;
            /** @description The recipient's consent at the time of the call. Null if none was given. */
            consent: components["schemas"]["Consent"] | null;
            /** @description The language in which the conversation ended, as a BCP 47 tag. Null if there was none. */
            language: string | null;
            /** @description Results of the conversation. Null if there was none. */
            analysis: components["schemas"]["Analysis"] | null;
            /** @description How the organization's pre-dial check ended. Null if it was not asked about this call. */
            pre_dial_check: components["schemas"]["PreDialCheck"] | null;
            /** @description Why the calling hours allowed this call. Null for calls made before this was stored. */
            calling_hours_decision: components["schemas"]["CallingHoursDecision"] | null;
            variables: components["schemas"]["Variables"];
            metadata: components["schemas"]["Metadata"];
            /** @description The carrier of the call. */
            carrier: string;
            /** @description The carrier's identifier of the call. */
            carrier_call_id: string | null;
            /** @description The transcript, one line per turn. Empty until the call has ended, and if nothing was said. */
            transcript_text: string;
            /**
             * @description The best matching part of the transcript, in pieces. Joined, they are plain text, not HTML. Pieces with
             *     `match` are the matches. Null without `q`.
             */
            snippet: components["schemas"]["SnippetPiece"][] | null;
        };
        SnippetPiece: {
            text: string;
            match: boolean;
        };
        CallWithTranscript: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"] | null;
            recipient_id: components["schemas"]["Id"] | null;
            /** @description Who was called. Null if neither a recipient of a campaign nor a name or `external_id` is known. */
            recipient: components["schemas"]["CalledRecipient"] | null;
            direction: components["schemas"]["CallDirection"];
            /** @description Number of this attempt at the recipient. */
            attempt: number;
            /** @description Of an inbound call: the call with the person before it, whose recipient and campaign it belongs to. */
            last_call_id: components["schemas"]["Id"] | null;
            /**
             * @description Of a call that `POST /calls` requested: the call that was requested, of which this call is an attempt. The
             *     first attempt has its own `id` here. Null for the calls of campaigns.
             */
            first_call_id: components["schemas"]["Id"] | null;
            /**
             * @description Of a call that `POST /calls` requested and that has ended: the next attempt, which is scheduled. Null if no
             *     attempt follows.
             */
            next_call_id: components["schemas"]["Id"] | null;
            /** @description Null: an inbound call for which a message was played, or which no agent held. */
            agent_id: components["schemas"]["Id"] | null;
            /**
             * @description The number of the agent's version that the call follows. Null for a test call, which follows the draft, and
             *     for a call from before agents had versions.
             */
            agent_version: number | null;
            /**
             * @description The name with which the agent speaks. A later rename does not change it. Null without an agent. A call from
             *     before names were stored has the name that its agent had at the update which began to store them.
             */
            agent_name: string | null;
            phone_number_id: components["schemas"]["Id"];
            from_number: components["schemas"]["CallNumber"];
            to_number: components["schemas"]["CallNumber"];
            missing_number: components["schemas"]["MissingNumber"];
            status: components["schemas"]["CallStatus"];
            /** @description Why a scheduled call is not placed now. Null for other calls, and if it is about to be placed. */
            waiting: components["schemas"]["CallWaiting"] | null;
            /**
             * @description When a scheduled call is due. It is placed then, unless a limit or stopped calling makes it wait longer. A
             *     scheduled call that ends without being placed keeps it. Null for other calls.
             */
            due_at: components["schemas"]["Time"] | null;
            /** @description When a scheduled call expires. Null for other calls, and if it does not expire. */
            expires_at: components["schemas"]["Time"] | null;
            /** @description Null until the call ends. */
            outcome: components["schemas"]["Outcome"] | null;
            /**
             * @description Why the call ended. Null until it ends. With `carrier_unavailable`, `account_refused`, `country_refused`,
             *     `caller_refused`, `carrier_busy` and `not_placed`, no phone rang and the call is no attempt: the carrier
             *     failed, refused the account, does not permit calls to the country, refused the calling number, had too many
             *     calls, or was not asked. A call also ends with `said_goodbye` if the caller asked not to be called again, but
             *     withheld the number, so that it could not be listed. With `not_allowed` and `check_failed`, no phone rang either: the pre-dial check
             *     refused the call, or failed. With `refused`, the carrier does not call this number, so the call is not
             *     retried. With `line_failed`, the call was answered, but the line to the agent never opened, or failed and
             *     could not be opened again. If nothing was said, the outcome is `failed`. With `model_failed`, the agent's
             *     language model did not answer or refused to, and the agent had no question to ask without it. With
             *     `model_budget`, the model used all that one call may use. An inbound call ends with `no_capacity` if the
             *     caller heard that nobody can talk now, with `forwarded` if the caller was connected to another number, with
             *     `not_accepted` if the number took no calls, with `unreachable` if the phone network did not get the answer of
             *     this server, and with `too_many_calls` if it was rejected as busy because too many came. The next ones of such
             *     a burst are not stored. A scheduled call that was never placed ends with
             *     `canceled_by_user`, `do_not_call` (the number was put on the do-not-call list, by a request or by
             *     an opt-out), `no_consent` (the consent does not hold, and the organization requires one), `expired`,
             *     `removed` (the agent, the phone number or the connection) or `called_back` (the person called you and answered). With `transferred`, the recipient was
             *     connected with a person, and `ended_by` is `agent` if that person hung up first.
             */
            ended_reason: string | null;
            /**
             * @description Who ended the call. `system` if one of your users or API keys did: see `ended_by_name`. `recipient` is the
             *     person, also if they called. Null until the call ends.
             */
            ended_by: string | null;
            /**
             * @description The name of the user or API key that ended or canceled the call, as it was then. Null unless `ended_reason` is
             *     `ended_by_user` or `canceled_by_user`, and for calls before names were stored.
             */
            ended_by_name: string | null;
            /**
             * @description Why the call ended, in the words of the carrier or of the pre-dial check, or what is known if the carrier said
             *     nothing. Null until the call ends, and if there is nothing to add.
             */
            ended_detail: string | null;
            /**
             * @description The carrier's code for the end of the call, such as Twilio's `21215`. Otherwise `sip_` and the SIP status of
             *     the recipient's phone network, `http_` and the status of the carrier's answer, or a word such as `network`.
             *     Null if there is none. Expect any text.
             */
            carrier_code: string | null;
            /** @description The `call_reason` of the campaign or of the request, sent to the carrier with the call. Null if none is sent. */
            call_reason: string | null;
            /**
             * @description How far the carrier attests to the recipient's network that the call may come from its number (STIR/SHAKEN).
             *     `A`: full. `B`: partial. `C`: gateway. Null until it rings, and if the carrier reports none.
             */
            stir_attestation: string | null;
            /** @description Who answered, as far as known. Null if nobody did. */
            answered_by: string | null;
            /** @description Why a person ended the conversation before its questions. Null if nobody did. */
            intent: components["schemas"]["Intent"] | null;
            /**
             * @description When the recipient asked to be called back. Null if they named no time. If they named only a day, the time of
             *     day is that of the call, or 08:00 after a call between 21:00 and 08:00, and a language model chooses one itself.
             *     Calling hours may move it.
             */
            call_back_at: components["schemas"]["Time"] | null;
            /** @description When the call was queued to be placed. Of a scheduled call, when it was scheduled. */
            queued_at: components["schemas"]["Time"];
            /** @description When the carrier started dialing. */
            started_at: components["schemas"]["Time"] | null;
            answered_at: components["schemas"]["Time"] | null;
            ended_at: components["schemas"]["Time"] | null;
            /**
             * @description When the call last changed, also after its end: its transcript, its analysis, its cost or its recording. What a
             *     scheduled call waits for changes without it.
             */
            updated_at: components["schemas"]["Time"];
            /** @description Ring time in seconds. */
            ring_seconds: number;
            /** @description Talk time in seconds, by our own clock. 0 if not answered. */
            duration_seconds: number;
            /**
             * Format: uri
             * @description URL of the recording, for a key with `calls:read`. Null until it is available, seconds to minutes after
             *     the call ends. Then `call.recorded` is sent.
             */
            recording_url: string | null;
            /** @description What the call used of a language model. Null for a scripted agent, and until a model answered. */
            model: components["schemas"]["ModelUse"] | null;
            /** @description The last attempt to connect the recipient with a person. Null without one. */
            transfer: components["schemas"]["CallTransfer"] | null;
            /**
             * @description The number at which an inbound call was to ring, E.164. `ended_reason` is `forwarded` if somebody answered
             *     there. Null for other calls.
             */
            forwarded_to: string | null;
            /**
             * @description Of an inbound call: the recipient of a campaign whose open questions the agent asked. The call is not an attempt
             *     of the campaign, so its `campaign_id` is null, and the figures of the campaign leave it out. Null for other
             *     calls.
             */
            resumes: components["schemas"]["ResumedRecipient"] | null;
            /**
             * @description What the call cost: what the carrier charged, and what the tokens of a language model cost in the same
             *     currency. Carriers know it minutes to hours after the call, and may correct it within a day. The event
             *     `call.priced` announces both. Null while the carrier's price is not known. If the carrier never tells it, the
             *     tokens alone are the cost after a day, or the cost stays null.
             */
            cost: components["schemas"]["Cost"] | null;
            /** @description The recipient's consent at the time of the call. Null if none was given. */
            consent: components["schemas"]["Consent"] | null;
            /** @description The language in which the conversation ended, as a BCP 47 tag. Null if there was none. */
            language: string | null;
            /** @description Results of the conversation. Null if there was none. */
            analysis: components["schemas"]["Analysis"] | null;
            /** @description How the organization's pre-dial check ended. Null if it was not asked about this call. */
            pre_dial_check: components["schemas"]["PreDialCheck"] | null;
            /** @description Why the calling hours allowed this call. Null for calls made before this was stored. */
            calling_hours_decision: components["schemas"]["CallingHoursDecision"] | null;
            variables: components["schemas"]["Variables"];
            metadata: components["schemas"]["Metadata"];
            /** @description The carrier of the call. */
            carrier: string;
            /** @description The carrier's identifier of the call. */
            carrier_call_id: string | null;
            /** @description The transcript, one line per turn. Empty until the call has ended, and if nothing was said. */
            transcript_text: string;
            /** @description The transcript, turn by turn. */
            transcript: components["schemas"]["Turn"][];
        };
        Turn: {
            index: number;
            /** @description Who spoke. `system` is not speech, such as a key press. */
            role: string;
            text: string;
            /** @description Start in milliseconds since the call was answered. Of a note for the agent, when it was added. Null for other turns that are not speech, and if the carrier does not report it. */
            start_ms: number | null;
            /** @description End in milliseconds since the call was answered. Null if the carrier does not report it. */
            end_ms: number | null;
            /** @description The recipient interrupted it. */
            interrupted: boolean;
            /**
             * @description How long the answer of a language model took, in milliseconds since the recipient's words arrived. Null for
             *     other turns.
             */
            timing: {
                /** @description The request was sent. */
                request_ms: number;
                /** @description The first part of the answer arrived. */
                first_token_ms: number;
                /** @description The first words were sent to the carrier. */
                first_sent_ms: number;
                /** @description The carrier reported that they are spoken. Null if it did not. */
                speaking_ms: number | null;
                /** @description The part of `request_ms` that earlier requests took, with the tools that the model called in them. */
                tool_ms: number;
                /** @description The share of Dialwright in `first_sent_ms`: until requests are sent, and from the first words that can be spoken until they are sent. */
                own_ms: number;
                /**
                 * Format: uuid
                 * @description The model connection that answered.
                 */
                connection_id: string;
                /** @description Whether another connection was asked too. */
                hedged: boolean;
            } | null;
        };
        CallResults: {
            /** @description Settled calls. Of a campaign only outbound ones. */
            calls: number;
            /** @description Calls by outcome. */
            outcomes: {
                completed: number;
                no_answer: number;
                voicemail: number;
                busy: number;
                failed: number;
                canceled: number;
            };
            /** @description Calls by intent. */
            intents: {
                wrong_person: number;
                deceased: number;
                minor: number;
                busy: number;
                call_back: number;
                wants_human: number;
            };
            /** @description Outbound calls by attempt. */
            attempts: {
                /** @description 1 for the first call to a recipient. */
                attempt: number;
                placed: number;
                answered_by_person: number;
            }[];
            /** @description Calls that asked at least one question. */
            asked: number;
            /** @description Calls in which every required question was answered. */
            completed: number;
            /** @description The versions of the agent that calls followed, the newest first. */
            agent_versions: number[];
            /** @description Whether more than 5,000 calls have the answer of the filter `answers`. The figures are of the latest 5,000. */
            limited: boolean;
            questions: components["schemas"]["QuestionAnswers"][];
        };
        QuestionAnswers: {
            /** @description Name of the answer in a call's `analysis.answers`. */
            key: string;
            /** @description As the newest version asks it. Null if no recent version does. */
            ask: string | null;
            /** @description The kind of answer, such as `yes_no`. */
            expect: string;
            /** @description Calls that asked it. A field that a language model fills counts as asked once the person has spoken. */
            asked: number;
            /** @description Of them, calls with an answer. */
            answered: number;
            /** @description The mean of numbers. Null for other answers. */
            mean: number | null;
            /**
             * @description The answers in order, also those between others that nobody gave. Many numbers, dates and times are in ranges.
             *     Empty for text, phone numbers and emails.
             */
            values: {
                /** @description As the filter `answers[key]` of `GET /calls` takes it. */
                value: string;
                /** @description The beginning of a range. Null for one answer. */
                from: string | null;
                /** @description The end of a range. A range of numbers ends before it, others with it. */
                to: string | null;
                calls: number;
            }[];
            /** @description The latest five answers in words, if `values` is empty. */
            latest: {
                call_id: components["schemas"]["Id"];
                queued_at: components["schemas"]["Time"];
                text: string;
            }[];
        };
        AgentStats: {
            /** @description How many days the figures cover. Today is one of them. */
            days: number;
            /** @description All calls of the agent. Its `version` is null. */
            total: components["schemas"]["VersionStats"];
            /** @description Newest version first, and the draft last. Versions without a call are left out. */
            versions: components["schemas"]["VersionStats"][];
        };
        VersionStats: {
            /** @description Null for calls of the draft. */
            version: number | null;
            /** @description Calls that were placed. */
            calls: number;
            answered: number;
            /** @description Calls with the outcome `completed`. */
            completed: number;
            /** @description Calls with the `ended_reason` `opted_out`. */
            opted_out: number;
            /** @description Average talk time of the outbound calls that a person answered. Null without one. */
            average_seconds: number | null;
            /** @description Calls that used a language model. */
            model_calls: number;
            /** @description Input and output tokens of these calls. */
            tokens: number;
            tokens_per_call: number | null;
            /** @description What the tokens cost, by currency. Empty if the model connections had no prices. */
            costs: {
                currency: components["schemas"]["Currency"];
                amount: components["schemas"]["Amount"];
                /** @description Calls with a known cost in this currency. */
                calls: number;
                per_call: components["schemas"]["Amount"];
            }[];
            /** @description From the recipient's words to the first words that were sent to the carrier. Null without an answer of a model. */
            answer: components["schemas"]["Percentiles"] | null;
            /** @description Of this, from the request to the first part of the model's answer. */
            first_token: components["schemas"]["Percentiles"] | null;
            /** @description Of this, the share of Dialwright. */
            own: components["schemas"]["Percentiles"] | null;
        };
        /** @description Percentiles, interpolated within buckets of 15 percent. */
        Percentiles: {
            answers: number;
            p50_ms: number;
            p95_ms: number;
        };
        ModelUse: {
            /**
             * Format: uuid
             * @description The model connection that answered last.
             */
            connection_id: string;
            /** @description The model as its server named it. */
            name: string;
            /** @description Answers of the model. */
            turns: number;
            tool_calls: number;
            input_tokens: number;
            /** @description Those of `input_tokens` that the server read from its cache. */
            cached_input_tokens: number;
            output_tokens: number;
            /** @description Whether some tokens were estimated, because a server did not count them or an answer was interrupted. */
            estimated: boolean;
            /** @description Whether no model answered in time, so that the agent asked its open questions in order. */
            fell_back: boolean;
            /** @description The tokens by model connection. Empty for calls from before this was kept. */
            connections: {
                connection_id: components["schemas"]["Id"];
                input_tokens: number;
                cached_input_tokens: number;
                output_tokens: number;
                /** @description Whether some tokens were estimated. */
                estimated: boolean;
                /**
                 * @description What the tokens cost by the connection's prices at the beginning of the call. Null if it had no price of
                 *     input or output then. In the carrier's currency, it is the part `model` of the call's `cost`.
                 */
                cost: {
                    amount: components["schemas"]["Amount"];
                    currency: components["schemas"]["Currency"];
                } | null;
            }[];
        };
        /**
         * @description What is known about the call after its end. `answers`, `opt_out`, `intent` and `call_back_at` are those of the
         *     conversation itself. The rest is by rule, from the answers alone, or from a language model that read the
         *     transcript. While a newer analysis is pending, and after it failed, the values are those of the one before.
         */
        Analysis: {
            /**
             * @description Of the newest analysis of the call.
             * @enum {string}
             */
            status: "pending" | "ready" | "failed";
            /** @description A short summary of the conversation. */
            summary: string;
            /**
             * @description Answers to the agent's questions, by `key`, in the format that the question's `expect` describes. Null if the
             *     question was asked and has no answer.
             */
            answers: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Keys of the questions that did not apply, because a branch led past them. A successful call needs no answer to them. */
            skipped: string[];
            /** @description How the recipient sounded. */
            sentiment: string;
            /** @description By rule: every required question that applies was answered. By a model: what the agent's `analysis.success` says. Null if the model could not tell. */
            successful: boolean | null;
            /** @description The recipient opted out. */
            opt_out: boolean;
            /** @description Why a person ended the conversation before its questions. Null if nobody did. */
            intent: components["schemas"]["Intent"] | null;
            /** @description When the recipient wants to be called back. Null if no time was understood. */
            call_back_at: components["schemas"]["Time"] | null;
            /** @description Variables that the answers of your tools set during the call. */
            variables: {
                [key: string]: string;
            };
            /** @description The number of the newest analysis of the call, from 1. */
            number: number;
            /** @description What the values are from. */
            method: string;
            /**
             * @description What the model found for the agent's questions, by `key`, with the recipient's words. They stand beside
             *     `answers` and never replace them. A value that is no answer to its question, or whose quote the recipient
             *     did not say, is left out. Empty by rule.
             */
            fields: {
                [key: string]: components["schemas"]["FoundField"];
            };
            /** @description The recipient expects to hear more. Null by rule. */
            follow_up_wanted: boolean | null;
            /** @description The recipient wants to be called at another time. Null by rule. */
            callback_requested: boolean | null;
            /** @description The recipient does not want to be called again, as the model sees it. Null by rule. It adds nobody to the do-not-call list: see the issue `opt_out_missed`. */
            opt_out_requested: boolean | null;
            /**
             * @description What went wrong in the conversation. `opt_out_missed`: the model found an opt-out that the call did not
             *     notice. Listen to the call and add the number to the do-not-call list if it is one. `manipulated`: the
             *     recipient's words address the analysis, so `successful` is only true if every required question was
             *     answered.
             */
            issues: string[];
            /** @description How well the agent held the conversation, 1 to 10. Null by rule. */
            quality: number | null;
            /** @description What the model used. Null by rule. */
            usage: components["schemas"]["AnalysisUsage"] | null;
            /** @description Why the analysis failed. */
            error: string | null;
        };
        FoundField: {
            /** @description In the format that the question's `expect` describes. */
            value: string | number | boolean;
            /** @description How sure the model is, 0 to 1. */
            confidence: number;
            /** @description The recipient's words. */
            quote: string;
            /** @description The `index` of the turn with the quote. */
            turn: number;
        };
        AnalysisUsage: {
            connection_id: components["schemas"]["Id"];
            /** @description The model as its server named it. */
            model: string | null;
            /** @description Of all tries. */
            input_tokens: number;
            /** @description Of `input_tokens`. */
            cached_input_tokens: number;
            /** @description Of all tries. */
            output_tokens: number;
            /** @description Whether the server did not count tokens. */
            estimated: boolean;
            /** @description At the prices of the connection, as an exact decimal. Null if they are not known. It is not part of the call's `cost`. */
            cost: string | null;
            /** @description The currency of `cost`. */
            currency: string | null;
        };
        NewAnalysis: {
            /** @description The model connection. Null for that of the agent. */
            connection_id?: string | null;
        };
        /** @description One analysis of a call. One without a result has the sentiment `unknown` and an empty summary. */
        CallAnalysis: {
            id: components["schemas"]["Id"];
            call_id: components["schemas"]["Id"];
            /** @description From 1, for each call. */
            number: number;
            /** @description What the values are from. */
            method: string;
            /** @enum {string} */
            status: "pending" | "ready" | "failed";
            /** @description The version of the agent whose questions and settings it follows. Null for the draft. */
            agent_version: number | null;
            /** @description A short summary of the conversation. */
            summary: string;
            /** @description How the recipient sounded. */
            sentiment: string;
            /** @description By rule: every required question that applies was answered. By a model: what the agent's `analysis.success` says. Null if the model could not tell. */
            successful: boolean | null;
            /**
             * @description What the model found for the agent's questions, by `key`, with the recipient's words. They stand beside
             *     `answers` and never replace them. A value that is no answer to its question, or whose quote the recipient
             *     did not say, is left out. Empty by rule.
             */
            fields: {
                [key: string]: components["schemas"]["FoundField"];
            };
            /** @description The recipient expects to hear more. Null by rule. */
            follow_up_wanted: boolean | null;
            /** @description The recipient wants to be called at another time. Null by rule. */
            callback_requested: boolean | null;
            /** @description The recipient does not want to be called again, as the model sees it. Null by rule. It adds nobody to the do-not-call list: see the issue `opt_out_missed`. */
            opt_out_requested: boolean | null;
            /**
             * @description What went wrong in the conversation. `opt_out_missed`: the model found an opt-out that the call did not
             *     notice. Listen to the call and add the number to the do-not-call list if it is one. `manipulated`: the
             *     recipient's words address the analysis, so `successful` is only true if every required question was
             *     answered.
             */
            issues: string[];
            /** @description How well the agent held the conversation, 1 to 10. Null by rule. */
            quality: number | null;
            /** @description What the model used. Null by rule. */
            usage: components["schemas"]["AnalysisUsage"] | null;
            /** @description Why the analysis failed. */
            error: string | null;
            /** @description Who requested it. Null for the analysis that follows the end of the call. */
            requested_by: string | null;
            created_at: components["schemas"]["Time"];
            /** @description Null while it is pending. */
            finished_at: components["schemas"]["Time"] | null;
        };
        CallAnalysisList: {
            data: components["schemas"]["CallAnalysis"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        CallList: {
            data: components["schemas"]["ListedCall"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        PhoneNumber: {
            id: components["schemas"]["Id"];
            phone_number: components["schemas"]["PhoneNumberText"];
            name: string;
            /** @description The number's carrier. */
            carrier: string;
            /** @description The connection to the account that has the number. */
            connection_id: components["schemas"]["Id"];
            /** @description How many calls the number has at the same time. Null means no limit. */
            max_concurrency: number | null;
            /** @description How many calls start in a second. Null means no limit. */
            calls_per_second: number | null;
            /** @description Its `external_id` as a chat-messaging number. Null for a voice-only number. */
            messaging_external_id: string | null;
            /** @description The pool that the number is in. */
            number_pool_id: components["schemas"]["Id"] | null;
            created_at: components["schemas"]["Time"];
        };
        NewPhoneNumber: {
            /** @description The connection to the account that has the number. */
            connection_id: string;
            /** @description In E.164, or as people of your organization's region write it. */
            phone_number: string;
            /** @description A name for people. It may be empty. */
            name?: string;
            /** @description How many calls the number may have at the same time. Null means no limit. */
            max_concurrency?: number | null;
            /** @description How many calls may start in a second. Null means no limit. */
            calls_per_second?: number | null;
            /** @description The `external_id` of your WhatsApp number that belongs to this number. Null for a voice-only number. */
            messaging_external_id?: string | null;
        };
        PhoneNumberChange: {
            /** @description A name for people. It may be empty. */
            name?: string;
            /** @description How many calls the number may have at the same time. Null means no limit. */
            max_concurrency?: number | null;
            /** @description How many calls may start in a second. Null means no limit. */
            calls_per_second?: number | null;
            /** @description The `external_id` of your WhatsApp number that belongs to this number. Null for a voice-only number. */
            messaging_external_id?: string | null;
            id?: components["schemas"]["Id"];
            /** @description Read-only. It may be sent back unchanged. */
            phone_number?: string;
            /** @description Read-only. It may be sent back unchanged. */
            carrier?: string;
            /** @description Read-only. It may be sent back unchanged. */
            connection_id?: string;
            /** @description Read-only: the pool chooses its numbers. It may be sent back unchanged. */
            number_pool_id?: string | null;
            created_at?: components["schemas"]["Time"];
        };
        PhoneNumberList: {
            data: components["schemas"]["PhoneNumber"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        PhoneNumberStats: {
            /** @description Calls on the organization's day. Calls in progress count only for a number in a pool. */
            calls_today: number;
            /** @description The limit of the number's pool. */
            max_daily_calls: number | null;
            /**
             * @description When the rest ends that the pool's rule or five refusals in a row by the carrier began. Null if the number
             *     does not rest.
             */
            rests_until: components["schemas"]["Time"] | null;
            last_7_days: components["schemas"]["PhoneNumberFigures"];
            last_30_days: components["schemas"]["PhoneNumberFigures"];
        };
        PhoneNumberFigures: {
            /** @description Calls to the number, which are not in the other figures. */
            received: number;
            /** @description Calls that the carrier accepted and that have ended. */
            placed: number;
            answered_by_person: number;
            /** @description Share of the placed calls that a person answered. */
            answer_rate: number | null;
            /** @description Answered calls, also by machines, that ended within six seconds. */
            short_calls: number;
            /** @description Share of the answered calls that were short. */
            short_call_rate: number | null;
        };
        /**
         * @description `message`: a message is played. `agent`: an agent talks with the caller. If the caller's last call left questions
         *     open, its agent asks them. `forward`: the caller is connected to `forward_to`. `reject`: the call is not answered.
         */
        InboundAction: string;
        InboundOutsideAction: string;
        InboundMessage: {
            /** @description Spoken text. Its variables are `{{organization}}`, `{{name}}`, `{{phone_number}}` and those of the last call to the caller, such as `{{last_call.name}}`. Another variable needs a fallback: `{{title|you}}`. How to opt out is always added. */
            text: string;
            /** @description A language of agents, such as `en-US`. */
            language: string;
            speech: components["schemas"]["Engines"];
        };
        NewInboundMessage: {
            /** @description Spoken text. Its variables are `{{organization}}`, `{{name}}`, `{{phone_number}}` and those of the last call to the caller, such as `{{last_call.name}}`. Another variable needs a fallback: `{{title|you}}`. How to opt out is always added. */
            text: string;
            /** @description A language of agents, such as `en-US`. */
            language: string;
            speech?: components["schemas"]["NewEngines"];
        };
        InboundOutside: {
            action: components["schemas"]["InboundOutsideAction"];
            message: components["schemas"]["InboundMessage"] | null;
        };
        NewInboundOutside: {
            action: components["schemas"]["InboundOutsideAction"];
            message?: components["schemas"]["NewInboundMessage"] | null;
        };
        Inbound: {
            phone_number_id: components["schemas"]["Id"];
            action: components["schemas"]["InboundAction"];
            /**
             * Format: uuid
             * @description The agent with `agent`.
             */
            agent_id: string | null;
            /**
             * Format: uuid
             * @description The project of the calls. Null: that of the last call to the caller, else the oldest.
             */
            project_id: string | null;
            /** @description The message with `message`. Null: the standard message. */
            message: components["schemas"]["InboundMessage"] | null;
            /** @description The number with `forward`. */
            forward_to: string | null;
            /** @description When `action` applies. Null: always. */
            hours: components["schemas"]["CallingHours"] | null;
            /** @description What happens outside of `hours`. Null: the standard message. */
            outside: components["schemas"]["InboundOutside"] | null;
            /** @description Null: never set. */
            updated_at: components["schemas"]["Time"] | null;
        };
        InboundSetUp: {
            phone_number_id: components["schemas"]["Id"];
            /** @description Whether `now` is `after`. */
            set_up: boolean;
            /** @description Identifies what the number does now. */
            revision: string;
            now: components["schemas"]["NumberSetUp"];
            after: components["schemas"]["NumberSetUp"];
        };
        /** @description What a number does at its carrier when somebody calls it, in Twilio's terms. Passwords and parameters of addresses are left out. */
        NumberSetUp: {
            voice_url: string;
            voice_method: string;
            /** @description Asked after `voice_url` has failed. */
            voice_fallback_url: string;
            voice_fallback_method: string;
            /** @description Receives the end of the call. */
            status_callback: string;
            status_callback_method: string;
            /** @description Replaces all addresses, unless it is empty. */
            voice_application_sid: string;
            /** @description Replaces all addresses and the application, unless it is empty. */
            trunk_sid: string;
        };
        NewInboundSetUp: {
            /** @description The `revision` of the comparison that you have seen. */
            revision: string;
        };
        InboundChange: {
            action: components["schemas"]["InboundAction"];
            /** @description A published agent. Required with `agent`. */
            agent_id?: string | null;
            project_id?: string | null;
            /** @description Null or left out for a standard message with the organization's name that lets the caller opt out. */
            message?: components["schemas"]["NewInboundMessage"] | null;
            /** @description A phone number, E.164. Required with `forward`. */
            forward_to?: string | null;
            /** @description In an IANA time zone. */
            hours?: components["schemas"]["CallingHours"] | null;
            outside?: components["schemas"]["NewInboundOutside"] | null;
            /** @description Read-only: refused unless it is the number's. */
            readonly phone_number_id?: string;
            /**
             * Format: date-time
             * @description Read-only: refused if the settings have changed since.
             */
            readonly updated_at?: string | null;
        };
        /**
         * @description The number of the next call. `rotation`: the number that has not called for the longest time. `nearest`: a number
         *     with the recipient's area code in North America, else of their state in the United States, else of their country,
         *     else by rotation. A retry comes from the number of the recipient's first call, unless that number can't call now.
         */
        NumberPoolStrategy: string;
        /**
         * @description A number rests for `hours` if people answered less than `below_percent` of its last `calls`. The calls before a
         *     rest do not lead to another.
         */
        NumberPoolRest: {
            below_percent: number;
            calls: number;
            hours: number;
        };
        NumberPoolSettings: {
            name: string;
            /** @description Default: `rotation`. */
            strategy?: components["schemas"]["NumberPoolStrategy"];
            /** @description The pool's numbers. All belong to one carrier connection. A number is in one pool only. */
            phone_number_ids: components["schemas"]["Id"][];
            /**
             * @description The most calls from each number on a day of the organization. Counts every call that was placed, also by
             *     other campaigns. Test calls count, but are not stopped. Null means no limit.
             */
            max_daily_calls?: number | null;
            /** @description When a number rests. Null means never. */
            rest?: components["schemas"]["NumberPoolRest"] | null;
        };
        NumberPoolChange: {
            name: string;
            /** @description Default: `rotation`. */
            strategy?: components["schemas"]["NumberPoolStrategy"];
            /** @description The pool's numbers. All belong to one carrier connection. A number is in one pool only. */
            phone_number_ids: components["schemas"]["Id"][];
            /**
             * @description The most calls from each number on a day of the organization. Counts every call that was placed, also by
             *     other campaigns. Test calls count, but are not stopped. Null means no limit.
             */
            max_daily_calls?: number | null;
            /** @description When a number rests. Null means never. */
            rest?: components["schemas"]["NumberPoolRest"] | null;
            /** @description Read-only: refused unless it is the pool's. */
            readonly id?: string;
            /**
             * Format: date-time
             * @description Read-only: refused unless it is the pool's.
             */
            readonly created_at?: string;
        };
        NumberPool: {
            id: components["schemas"]["Id"];
            name: string;
            strategy: components["schemas"]["NumberPoolStrategy"];
            phone_number_ids: components["schemas"]["Id"][];
            /** @description The most calls from each number on a day of the organization. */
            max_daily_calls: number | null;
            rest: components["schemas"]["NumberPoolRest"] | null;
            created_at: components["schemas"]["Time"];
        };
        NumberPoolList: {
            data: components["schemas"]["NumberPool"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        CallTransfer: {
            destination_id: components["schemas"]["Id"];
            /** @description The destination's name, as the recipient heard it. */
            destination: string;
            mode: components["schemas"]["TransferMode"];
            /**
             * @description `requested`: the recipient is being told. `ringing`: the destination is dialed. `whisper`: the person there hears who
             *     is calling. `taken`: the two talk. `ended`: they have talked. The others are attempts that failed: `declined` with a
             *     key or by hanging up without taking the call, `busy`, `no_answer`, `failed` if the destination could not be reached, and `canceled` if the
             *     recipient hung up first.
             */
            state: string;
            /** @description Whether the conversation with the person is recorded. */
            recorded: boolean;
            requested_at: components["schemas"]["Time"];
            taken_at: components["schemas"]["Time"] | null;
            ended_at: components["schemas"]["Time"] | null;
        };
        /**
         * @description `cold`: the call is connected as soon as it is answered. `warm`: the person who answers first hears who is calling and
         *     why, and takes the call with a key or declines it.
         */
        TransferMode: string;
        NewDestination: {
            project_id: components["schemas"]["Id"];
            /** @description What the recipient hears, such as Front desk. Unique in the project. */
            name: string;
            /** @description E.164. Either this or `sip_address`. */
            phone_number?: string | null;
            /** @description `sip:name@host`, with an optional port and `;transport=`. Either this or `phone_number`. */
            sip_address?: string | null;
            /** @description When the people can be reached. The time zone is an IANA name. Left out for always. */
            hours?: components["schemas"]["CallingHours"];
            /** @description Another destination of the project, which is tried if nobody here takes the call. */
            fallback_id?: string | null;
            /** @description Default: `warm`. */
            mode?: components["schemas"]["TransferMode"];
            /** @description Whether the conversation after the transfer is recorded. The recipient is told. Default: `false`. */
            record?: boolean;
            /** @description Default: `25`. */
            ring_timeout_seconds?: number;
        };
        DestinationChange: {
            /** @description Refused unless it is the destination's. */
            project_id?: string;
            /** @description What the recipient hears, such as Front desk. Unique in the project. */
            name: string;
            /** @description E.164. Either this or `sip_address`. */
            phone_number?: string | null;
            /** @description `sip:name@host`, with an optional port and `;transport=`. Either this or `phone_number`. */
            sip_address?: string | null;
            /** @description When the people can be reached. The time zone is an IANA name. Left out for always. */
            hours?: components["schemas"]["CallingHours"];
            /** @description Another destination of the project, which is tried if nobody here takes the call. */
            fallback_id?: string | null;
            /** @description Default: `warm`. */
            mode?: components["schemas"]["TransferMode"];
            /** @description Whether the conversation after the transfer is recorded. The recipient is told. Default: `false`. */
            record?: boolean;
            /** @description Default: `25`. */
            ring_timeout_seconds?: number;
            /** @description Read-only: refused unless it is the destination's. */
            readonly id?: string;
            /**
             * Format: date-time
             * @description Read-only: refused unless it is the destination's.
             */
            readonly created_at?: string;
        };
        Destination: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            name: string;
            phone_number: string | null;
            sip_address: string | null;
            hours: components["schemas"]["CallingHours"];
            fallback_id: components["schemas"]["Id"] | null;
            mode: components["schemas"]["TransferMode"];
            record: boolean;
            ring_timeout_seconds: number;
            created_at: components["schemas"]["Time"];
        };
        DestinationList: {
            data: components["schemas"]["Destination"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The kind of server. `openai_compatible`: chat completions, as OpenAI, vLLM, Ollama and most others speak them.
         *     `anthropic`: Anthropic's Messages. `sandbox`: a rule-based stand-in of the sandbox, not a language model.
         */
        ModelProvider: string;
        /** @description The price of a million tokens as an exact decimal. */
        ModelPrice: string;
        ToolValue: {
            /** @description Where in the answer: a JSON pointer (RFC 6901). */
            pointer: string;
            /** @description The name of the variable. */
            variable: string;
        };
        NewTool: {
            /** @description How the model calls it: lowercase letters, digits and underscores. No other tool has it. */
            name: string;
            /** @description When the model should use it, and what it answers. */
            description: string;
            /**
             * @description The JSON schema of the arguments, an object, at most 8 kB. Left out for none. Arguments that it does not describe are
             *     refused, unless it has `additionalProperties`.
             */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description An https address. A private address and http are only for hosts in the operator's `DIALWRIGHT_WEBHOOK_ALLOW`. */
            url: string;
            /** @description Headers of each request, at most 10. They are encrypted and never shown again. */
            headers?: {
                [key: string]: string;
            };
            /** @description How long the answer may take. 3 by default. */
            timeout_seconds?: number;
            /** @description What the agent says while the tool runs, unless the model has spoken. May contain variables. */
            say_while_waiting?: string | null;
            /**
             * @description Texts, numbers and booleans of the answer that become variables of the call: for later requests of tools, for
             *     messages after the call, and as `analysis.variables`.
             */
            values?: components["schemas"]["ToolValue"][];
        };
        ToolChange: {
            /** @description How the model calls it: lowercase letters, digits and underscores. No other tool has it. */
            name?: string;
            /** @description When the model should use it, and what it answers. */
            description?: string;
            /**
             * @description The JSON schema of the arguments, an object, at most 8 kB. Left out for none. Arguments that it does not describe are
             *     refused, unless it has `additionalProperties`.
             */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description An https address. A private address and http are only for hosts in the operator's `DIALWRIGHT_WEBHOOK_ALLOW`. */
            url?: string;
            /** @description Headers of each request, at most 10. They are encrypted and never shown again. */
            headers?: {
                [key: string]: string;
            };
            /** @description How long the answer may take. 3 by default. */
            timeout_seconds?: number;
            /** @description What the agent says while the tool runs. Empty for nothing. */
            say_while_waiting?: string;
            /**
             * @description Texts, numbers and booleans of the answer that become variables of the call: for later requests of tools, for
             *     messages after the call, and as `analysis.variables`.
             */
            values?: components["schemas"]["ToolValue"][];
        };
        Tool: {
            id: components["schemas"]["Id"];
            name: string;
            description: string;
            /** @description The JSON schema of the arguments. */
            parameters: {
                [key: string]: unknown;
            };
            url: string;
            /** @description The names of the stored headers. */
            header_names: string[];
            timeout_seconds: number;
            say_while_waiting: string | null;
            values: components["schemas"]["ToolValue"][];
            /** @description Until when the previous secret signs too. Null if it does not. */
            previous_secret_until: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
        };
        ToolWithSecret: {
            id: components["schemas"]["Id"];
            name: string;
            description: string;
            /** @description The JSON schema of the arguments. */
            parameters: {
                [key: string]: unknown;
            };
            url: string;
            /** @description The names of the stored headers. */
            header_names: string[];
            timeout_seconds: number;
            say_while_waiting: string | null;
            values: components["schemas"]["ToolValue"][];
            /** @description Until when the previous secret signs too. Null if it does not. */
            previous_secret_until: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
            /** @description Verifies requests. Shown only once. */
            secret: string;
        };
        ToolList: {
            data: components["schemas"]["Tool"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ToolTrial: {
            /** @description Arguments that fit the schema. */
            arguments?: {
                [key: string]: unknown;
            };
            /** @description Variables of the call. */
            variables?: {
                [key: string]: string;
            };
        };
        ToolTrialResult: {
            request: components["schemas"]["ToolTrialRequest"];
            response: components["schemas"]["ToolTrialResponse"];
            /** @description What a model sees: JSON. */
            result: string;
            /** @description Variables that the answer sets. */
            variables: {
                [key: string]: string;
            };
        };
        ToolTrialRequest: {
            url: string;
            /** @description Without values that are secret. */
            headers: {
                [key: string]: string;
            };
            /** @description JSON. */
            body: string;
        };
        ToolTrialResponse: {
            /** @description Null if there was no answer. */
            status: number | null;
            took_ms: number;
            /** @description The first 16 kB. */
            body: string;
            /** @description Why the tool was unavailable. Null if it was not. */
            error: string | null;
        };
        NewCarrierConnection: {
            /** @enum {string} */
            carrier: "twilio" | "sandbox";
            /** @description The Account SID of Twilio: AC and 32 hexadecimal digits. Required for Twilio. */
            account?: string;
            /**
             * @description The data center of Twilio that keeps the calls and recordings. It never changes. Default: `us1`.
             * @enum {string}
             */
            region?: "us1" | "ie1" | "au1";
            name: string;
            /** @description The Auth Token of the account. It verifies callbacks. */
            token?: string;
            /** @description The SID of an API key of the account, which authenticates requests instead of the Auth Token. */
            api_key?: string | null;
            /** @description Of the API key. */
            api_secret?: string;
            /** @description How many calls may start in a second. Null means 1, the default of Twilio. The sandbox has no limit. */
            calls_per_second?: number | null;
            /** @description How many calls the account may have at the same time. Null means no limit. */
            max_concurrency?: number | null;
            /** @description What the detection of voicemail costs per call, in the currency of the account. Null: unknown, so it is not part of the costs. */
            detection_rate?: components["schemas"]["ModelPrice"] | null;
            /** @description What a started minute of the line to an agent costs, in the currency of the account. Null: unknown, so it is not part of the costs. */
            relay_rate?: components["schemas"]["ModelPrice"] | null;
        };
        CarrierConnectionChange: {
            name?: string;
            /** @description The new Auth Token of the account. Empty keeps the stored one. */
            token?: string;
            /** @description The SID of an API key of the account, which authenticates requests instead of the Auth Token. */
            api_key?: string | null;
            /** @description Of the API key. */
            api_secret?: string;
            /** @description How many calls may start in a second. Null means 1, the default of Twilio. The sandbox has no limit. */
            calls_per_second?: number | null;
            /** @description How many calls the account may have at the same time. Null means no limit. */
            max_concurrency?: number | null;
            /** @description What the detection of voicemail costs per call, in the currency of the account. Null: unknown, so it is not part of the costs. */
            detection_rate?: components["schemas"]["ModelPrice"] | null;
            /** @description What a started minute of the line to an agent costs, in the currency of the account. Null: unknown, so it is not part of the costs. */
            relay_rate?: components["schemas"]["ModelPrice"] | null;
            id?: components["schemas"]["Id"];
            /** @description Read-only. It may be sent back unchanged. */
            carrier?: string;
            /** @description Read-only. It may be sent back unchanged. */
            account?: string;
            /** @description Read-only. It may be sent back unchanged. */
            region?: string;
            /** @description Read-only. It may be sent back. */
            previous_token_until?: components["schemas"]["Time"] | null;
            health?: components["schemas"]["CarrierHealth"];
            created_at?: components["schemas"]["Time"];
        };
        CarrierConnection: {
            id: components["schemas"]["Id"];
            name: string;
            carrier: string;
            /** @description The ID of the account at the carrier. */
            account: string;
            /** @description The data center of Twilio that keeps the calls and recordings. */
            region: string;
            /** @description The SID of the API key that authenticates requests. Null: the Auth Token does. */
            api_key: string | null;
            /** @description How many calls may start in a second. Null means no limit. */
            calls_per_second: number | null;
            /** @description How many calls the account may have at the same time. Null means no limit. */
            max_concurrency: number | null;
            /** @description What the detection of voicemail costs per call, in the currency of the account. Null: unknown, so it is not part of the costs. */
            detection_rate: components["schemas"]["ModelPrice"] | null;
            /** @description What a started minute of the line to an agent costs, in the currency of the account. Null: unknown, so it is not part of the costs. */
            relay_rate: components["schemas"]["ModelPrice"] | null;
            /** @description Until when callbacks signed with the Auth Token before the last replacement are accepted. */
            previous_token_until: components["schemas"]["Time"] | null;
            health: components["schemas"]["CarrierHealth"];
            created_at: components["schemas"]["Time"];
        };
        /** @description Whether calls through a connection work. */
        CarrierHealth: {
            /** @description Whether so many calls in a row failed that campaigns are paused, or nothing has worked since somebody tried again. */
            failing: boolean;
            /** @description Which calls failed since the last one that worked. */
            problem: string | null;
            last_error: string | null;
            last_error_at: components["schemas"]["Time"] | null;
        };
        CarrierConnectionList: {
            data: components["schemas"]["CarrierConnection"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewWhatsAppConnection: {
            /** @description The ID of the WhatsApp Business Account. */
            account: string;
            name: string;
            /** @description The token of a system user with access to the account. */
            token: string;
            /** @description The secret of your app at Meta, which signs webhooks. */
            app_secret: string;
            /** @description With it, WhatsApp shows that it is asked for webhooks by you. Left out: a random one. */
            verify_token?: string;
        };
        WhatsAppConnectionChange: {
            name?: string;
            /** @description Empty keeps the stored token. */
            token?: string;
            /** @description The secret of your app at Meta, which signs webhooks. */
            app_secret?: string;
            /** @description With it, WhatsApp shows that it is asked for webhooks by you. Empty keeps the stored one. */
            verify_token?: string;
            id?: components["schemas"]["Id"];
            /** @description Read-only. It may be sent back unchanged. */
            account?: string;
            /** @description Read-only. It may be sent back. */
            subscribed?: boolean;
            /** @description Read-only. It may be sent back. */
            paused_reason?: string | null;
            /** @description Read-only. It may be sent back. */
            paused_until?: string | null;
            /** @description Read-only. It may be sent back. */
            read_at?: string | null;
            /** @description Read-only. It may be sent back. */
            last_error?: string | null;
            /** @description Read-only. It may be sent back. */
            last_error_at?: string | null;
            created_at?: components["schemas"]["Time"];
        };
        WhatsAppConnection: {
            id: components["schemas"]["Id"];
            name: string;
            /** @description The ID of the WhatsApp Business Account. */
            account: string;
            /** @description Whether WhatsApp has agreed to send its webhooks. */
            subscribed: boolean;
            /** @description Why nothing is sent over the connection. */
            paused_reason: string | null;
            /** @description When sending is tried again. */
            paused_until: components["schemas"]["Time"] | null;
            /** @description When the account's numbers were last read. */
            read_at: components["schemas"]["Time"] | null;
            /** @description Why the last read failed. Null if it succeeded. */
            last_error: string | null;
            last_error_at: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
        };
        WhatsAppConnectionList: {
            data: components["schemas"]["WhatsAppConnection"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewModelConnection: {
            /** @description Unique among the connections. */
            name: string;
            provider: components["schemas"]["ModelProvider"];
            /**
             * @description The https address of the server, up to `/v1`. Left out for the sandbox and for Anthropic's own server. A private
             *     address and http are only for servers in the operator's `DIALWRIGHT_MODEL_HOSTS`.
             */
            url?: string | null;
            /** @description The API key of the provider. A server of your own may need none. */
            key?: string;
            /** @description The model's name at the server. */
            model: string;
            /** @description How many answers the connection streams at the same time. Default: `20`. */
            streams?: number;
            input_price?: components["schemas"]["ModelPrice"] | null;
            cached_input_price?: components["schemas"]["ModelPrice"] | null;
            output_price?: components["schemas"]["ModelPrice"] | null;
            /** @description The currency of the prices (ISO 4217). Required with a price, as are the prices of input and output. */
            currency?: string | null;
        };
        ModelConnectionChange: {
            /** @description Unique among the connections. */
            name?: string;
            /** @description The https address of the server. */
            url?: string | null;
            /** @description The API key of the provider. Empty keeps the stored key. */
            key?: string;
            /** @description The model's name at the server. */
            model?: string;
            /** @description How many answers the connection streams at the same time. */
            streams?: number;
            input_price?: components["schemas"]["ModelPrice"] | null;
            cached_input_price?: components["schemas"]["ModelPrice"] | null;
            output_price?: components["schemas"]["ModelPrice"] | null;
            /** @description The currency of the prices (ISO 4217). */
            currency?: string | null;
            id?: components["schemas"]["Id"];
            provider?: components["schemas"]["ModelProvider"];
            /** @description Read-only. It may be sent back unchanged. */
            has_key?: boolean;
            health?: components["schemas"]["ModelHealth"];
            created_at?: components["schemas"]["Time"];
        };
        ModelConnection: {
            id: components["schemas"]["Id"];
            name: string;
            provider: components["schemas"]["ModelProvider"];
            /** @description Null: the sandbox. */
            url: string | null;
            model: string;
            /** @description Whether a key is stored. */
            has_key: boolean;
            streams: number;
            input_price: components["schemas"]["ModelPrice"] | null;
            cached_input_price: components["schemas"]["ModelPrice"] | null;
            output_price: components["schemas"]["ModelPrice"] | null;
            currency: string | null;
            health: components["schemas"]["ModelHealth"];
            created_at: components["schemas"]["Time"];
        };
        /** @description How the requests of a connection have ended since its settings last changed. */
        ModelHealth: {
            /** @description Whether 5 requests or more have failed in a row. */
            failing: boolean;
            /**
             * @description Failed requests in a row that the connection is to blame for: a refused key, an unknown model, no quota, no
             *     answer. Too many requests do not count.
             */
            failures: number;
            last_error: string | null;
            last_error_at: components["schemas"]["Time"] | null;
            /** @description Up to 10 minutes old while requests succeed. */
            last_success_at: components["schemas"]["Time"] | null;
            checked_at: components["schemas"]["Time"] | null;
            /** @description Why the last check failed. Null: it did not. */
            check_error: string | null;
            /** @description From the request of the last check to the first token, in milliseconds. */
            first_token_ms: number | null;
            /** @description Whether the model called a tool in the last check. */
            tool_calls: boolean | null;
        };
        ModelCheck: {
            works: boolean;
            /** @description Why the check failed. */
            error: string | null;
            /** @description From the request to the first token, in milliseconds. */
            first_token_ms: number | null;
            /** @description From the request to the end of the answer, in milliseconds. */
            total_ms: number | null;
            /** @description The model's name as the server gives it. */
            model: string | null;
            /** @description Whether the model can call tools. Agents need tools to record answers. */
            tool_calls: boolean | null;
        };
        ModelConnectionList: {
            data: components["schemas"]["ModelConnection"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Project: {
            id: components["schemas"]["Id"];
            name: string;
            /** @description IANA time zone. */
            time_zone: string;
            /** @description Two-letter country code (ISO 3166-1). */
            region: string;
            calling_hours: components["schemas"]["CallingHours"];
            /**
             * @description How many days transcripts are kept. `null` keeps them indefinitely. After that, the transcript and the
             *     analysis' summary and answers are emptied, also in webhook logs. The other facts of the call are kept.
             */
            transcript_days: number | null;
            /**
             * @description How many days recordings are kept. `null` keeps them indefinitely. After that, they are deleted, also at
             *     the carrier.
             */
            recording_days: number | null;
            created_at: components["schemas"]["Time"];
        };
        NewProject: {
            /** @description Unique among the active projects. */
            name: string;
            /** @description IANA time zone of recipients whose own is not known. */
            time_zone?: string;
            /** @description Two-letter country code (ISO 3166-1). Whose holidays and rules apply where a number does not tell. */
            region?: string;
            calling_hours?: components["schemas"]["CallingHours"];
            /** @description How many days transcripts are kept. `null` keeps them indefinitely. */
            transcript_days?: number | null;
            /** @description How many days recordings are kept. `null` keeps them indefinitely. */
            recording_days?: number | null;
        };
        ProjectChange: {
            /** @description Unique among the active projects. */
            name?: string;
            /** @description IANA time zone of recipients whose own is not known. */
            time_zone?: string;
            /** @description Two-letter country code (ISO 3166-1). Whose holidays and rules apply where a number does not tell. */
            region?: string;
            calling_hours?: components["schemas"]["CallingHours"];
            /** @description How many days transcripts are kept. `null` keeps them indefinitely. */
            transcript_days?: number | null;
            /** @description How many days recordings are kept. `null` keeps them indefinitely. */
            recording_days?: number | null;
            id?: components["schemas"]["Id"];
            created_at?: components["schemas"]["Time"];
        };
        ProjectList: {
            data: components["schemas"]["Project"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description A scripted agent asks its questions in order. An agent of the kind `model` leaves the conversation to a language
         *     model, which collects answers to the same questions. The fields are those of the draft. Calls follow the published
         *     version.
         */
        Agent: {
            id: components["schemas"]["Id"];
            name: string;
            kind: string;
            /** @description The language the agent speaks and understands, as a BCP 47 tag. Any region of cs, da, de, el, en, es, fr, it, nb, nl, pl, pt, ro, sv and tr. */
            language: string;
            /**
             * @description Further languages of an agent of the kind `model`. A call begins in the language that the recipient's variable
             *     `language` names, as a tag such as `es` or in words, and else in `language`. It changes when the recipient speaks
             *     or asks for another language of the agent.
             */
            languages: components["schemas"]["AgentLanguage"][];
            speech: components["schemas"]["Speech"];
            /** @description What the agent says first. */
            greeting: string;
            /** @description What the agent says first to people who call. `{{last_call.name}}`, `reason`, `campaign`, `agent` and `outcome`, and every variable of the last call, are known. Empty for a standard line. */
            inbound_greeting: string;
            /** @description Spoken with the greeting. Empty for a standard line. */
            disclosure: string;
            questions: components["schemas"]["Question"][];
            /** @description Said before a question is repeated. Empty for a standard line. */
            not_understood: string;
            /** @description What the agent says last. Empty for a standard line. */
            goodbye: string;
            /** @description Left on voicemail if the campaign is set to leave a message. Empty for a standard line. */
            voicemail_message: string;
            /** @description How long the recipient may be silent before the agent asks whether they are there. */
            silence_seconds: number;
            /** @description How often in a row the agent asks before it hangs up. */
            nudges: number;
            /** @description Whether calls are recorded. */
            record_calls: boolean;
            /** @description How a language model holds the conversation. Null for a scripted agent. */
            model: components["schemas"]["AgentModel"] | null;
            /** @description To whom the agent may transfer calls. Null for nobody. */
            transfer: components["schemas"]["AgentTransfer"] | null;
            /** @description How calls are analyzed after their end. */
            analysis: {
                /**
                 * Format: uuid
                 * @description The model connection that analyzes calls. Null: calls are analyzed by rule, from the answers alone.
                 */
                connection_id: string | null;
                /** @description What makes a call successful, for the model. At most 1,000 characters. Empty: every required question has an answer. */
                success: string;
            };
            /** @description Whether the draft must pass the agent's tests before it is published. Earlier versions can always be published again. */
            require_passing_tests: boolean;
            /** @description The number of the version that calls follow. Null if none was published: then calls follow the draft. */
            published_version: number | null;
            /** @description Whether the agent differs from its published version. */
            has_draft_changes: boolean;
            /** @description What the draft says in its own language only. A language without missing translations is left out. */
            untranslated: {
                /** @description The further language of the missing translations. */
                language: string;
                /** @description Keys of the questions without `asks`. The agent asks them in its own language if no model answers. */
                questions: string[];
                /** @description Keys of the questions without `translated_options`. Their choices are understood as they are written in `options`. */
                options: string[];
                /** @description Keys of the questions with a branch whose `say` has no translation. The agent says a standard line instead. */
                branches: string[];
                /** @description Fixed texts such as `greeting`, for which the agent says the standard line of the language. */
                texts: string[];
            }[];
            created_at: components["schemas"]["Time"];
        };
        NewAgent: {
            name: string;
            /** @description The language the agent speaks and understands, as a BCP 47 tag. Any region of cs, da, de, el, en, es, fr, it, nb, nl, pl, pt, ro, sv and tr. */
            language: string;
            /** @description Further languages of an agent with a `model`, at most 8. They are replaced as a whole. */
            languages?: components["schemas"]["NewAgentLanguage"][];
            speech?: components["schemas"]["NewSpeech"];
            /** @description What the agent says first. */
            greeting: string;
            /** @description What the agent says first to people who call. `{{last_call.name}}`, `reason`, `campaign`, `agent` and `outcome`, and every variable of the last call, are known. Empty for a standard line. */
            inbound_greeting?: string;
            /** @description Spoken with the greeting. Empty for a standard line. */
            disclosure?: string;
            /** @description At most 30. Asked in this order. */
            questions?: components["schemas"]["NewQuestion"][];
            /** @description Said before a question is repeated. Empty for a standard line. */
            not_understood?: string;
            /** @description What the agent says last. Empty for a standard line. */
            goodbye?: string;
            /** @description Left on voicemail if the campaign is set to leave a message. Empty for a standard line. */
            voicemail_message?: string;
            /** @description How long the recipient may be silent before the agent asks whether they are there. */
            silence_seconds?: number;
            /** @description How often in a row the agent asks before it hangs up. */
            nudges?: number;
            /** @description Whether calls are recorded. */
            record_calls?: boolean;
            /** @description Whether the draft must pass the agent's tests before it is published. Earlier versions can always be published again. */
            require_passing_tests?: boolean;
            /** @description `scripted` or `model`. Optional: an agent with a `model` is of the kind `model`. `scripted` takes the model away. */
            kind?: string;
            /** @description Makes a language model hold the conversation. It is replaced as a whole. */
            model?: components["schemas"]["NewAgentModel"] | null;
            /** @description To whom the agent may transfer calls. It is replaced as a whole. Null leaves it as it is. */
            transfer?: components["schemas"]["NewTransfer"] | null;
            analysis?: components["schemas"]["NewAgentAnalysis"];
        };
        /** @description Any of the fields of a new agent. The read-only fields of an agent are accepted if unchanged. */
        AgentChange: {
            name?: string;
            /** @description The language the agent speaks and understands, as a BCP 47 tag. Any region of cs, da, de, el, en, es, fr, it, nb, nl, pl, pt, ro, sv and tr. */
            language?: string;
            /** @description Further languages of an agent with a `model`, at most 8. They are replaced as a whole. */
            languages?: components["schemas"]["NewAgentLanguage"][];
            speech?: components["schemas"]["NewSpeech"];
            /** @description What the agent says first. */
            greeting?: string;
            /** @description What the agent says first to people who call. `{{last_call.name}}`, `reason`, `campaign`, `agent` and `outcome`, and every variable of the last call, are known. Empty for a standard line. */
            inbound_greeting?: string;
            /** @description Spoken with the greeting. Empty for a standard line. */
            disclosure?: string;
            /** @description At most 30. Asked in this order. */
            questions?: components["schemas"]["NewQuestion"][];
            /** @description Said before a question is repeated. Empty for a standard line. */
            not_understood?: string;
            /** @description What the agent says last. Empty for a standard line. */
            goodbye?: string;
            /** @description Left on voicemail if the campaign is set to leave a message. Empty for a standard line. */
            voicemail_message?: string;
            /** @description How long the recipient may be silent before the agent asks whether they are there. */
            silence_seconds?: number;
            /** @description How often in a row the agent asks before it hangs up. */
            nudges?: number;
            /** @description Whether calls are recorded. */
            record_calls?: boolean;
            /** @description Whether the draft must pass the agent's tests before it is published. Earlier versions can always be published again. */
            require_passing_tests?: boolean;
            /** @description Read-only. */
            id?: string;
            /** @description `scripted` or `model`. Optional: an agent with a `model` is of the kind `model`. `scripted` takes the model away. */
            kind?: string;
            /** @description Makes a language model hold the conversation. It is replaced as a whole. */
            model?: components["schemas"]["NewAgentModel"] | null;
            analysis?: components["schemas"]["NewAgentAnalysis"];
            /** @description To whom the agent may transfer calls. It is replaced as a whole. Null leaves it as it is. */
            transfer?: components["schemas"]["NewTransfer"] | null;
            /** @description Read-only. */
            published_version?: number | null;
            /** @description Read-only. */
            has_draft_changes?: boolean;
            /** @description What the draft says in its own language only. A language without missing translations is left out. */
            untranslated?: {
                /** @description The further language of the missing translations. */
                language: string;
                /** @description Keys of the questions without `asks`. The agent asks them in its own language if no model answers. */
                questions: string[];
                /** @description Keys of the questions without `translated_options`. Their choices are understood as they are written in `options`. */
                options: string[];
                /** @description Keys of the questions with a branch whose `say` has no translation. The agent says a standard line instead. */
                branches: string[];
                /** @description Fixed texts such as `greeting`, for which the agent says the standard line of the language. */
                texts: string[];
            }[];
            /**
             * Format: date-time
             * @description Read-only.
             */
            created_at?: string;
        };
        /** @description What an agent says in a further language, and how it sounds and hears. Empty texts are standard lines. */
        AgentLanguage: {
            /** @description A BCP 47 tag. It differs from the agent's other languages in more than the region. */
            language: string;
            speech: components["schemas"]["Engines"];
            /** @description Empty to say who is calling for whom. */
            greeting: string;
            /** @description What the agent says first to people who call. Empty for a standard line. */
            inbound_greeting: string;
            /** @description Spoken with the greeting, and when a call changes to this language. */
            disclosure: string;
            not_understood: string;
            goodbye: string;
            voicemail_message: string;
        };
        NewAgentLanguage: {
            /** @description A BCP 47 tag. It differs from the agent's other languages in more than the region. */
            language: string;
            speech?: components["schemas"]["NewEngines"];
            /** @description Empty to say who is calling for whom. */
            greeting?: string;
            /** @description What the agent says first to people who call. Empty for a standard line. */
            inbound_greeting?: string;
            /** @description Spoken with the greeting, and when a call changes to this language. */
            disclosure?: string;
            not_understood?: string;
            goodbye?: string;
            voicemail_message?: string;
        };
        /** @description The voice and the transcription of a language. Empty values leave the choice to the carrier. */
        Engines: {
            /** @description Provider of the voice: `amazon`, `google` or `elevenlabs`. */
            provider: string;
            /** @description The provider's ID of the voice, such as `Lupe-Neural`. */
            voice: string;
            /** @description Model of an ElevenLabs voice. */
            model: string;
            /** @description Provider of the transcription: `deepgram` or `google`. */
            transcription_provider: string;
            /** @description Speech model, such as `nova-3-general`. */
            transcription_model: string;
        };
        NewEngines: {
            /** @description Provider of the voice: `amazon`, `google` or `elevenlabs`. */
            provider?: string;
            /** @description The provider's ID of the voice, such as `Lupe-Neural`. */
            voice?: string;
            /** @description Model of an ElevenLabs voice. */
            model?: string;
            /** @description Provider of the transcription: `deepgram` or `google`. */
            transcription_provider?: string;
            /** @description Speech model, such as `nova-3-general`. */
            transcription_model?: string;
        };
        NewQuestion: {
            /** @description Translations of `ask`, by the tags of the agent's further languages. They are spoken if no model answers. Without one, the agent goes on in its own language. */
            asks?: {
                [key: string]: string;
            };
            /** @description Name of the answer in a call's `analysis.answers`: lowercase letters, digits and underscores. */
            key: string;
            ask: string;
            /** @description What the answer means. Never spoken. */
            description?: string;
            /** @description The kind of answer: `yes_no`, `choice`, `number`, `text`, `date`, `time`, `phone` or `email`. */
            expect: string;
            /** @description Whether a call must have an answer to be `successful`. True by default. */
            required?: boolean;
            /** @description The choices if `expect` is `choice`. */
            options?: string[];
            /** @description Translations of all `options` in their order, by the tags of the agent's further languages. An answer in such a language is stored as the choice in `options`. */
            translated_options?: {
                [key: string]: string[];
            };
            /** @description The smallest valid number. */
            min?: number | null;
            /** @description The largest valid number. */
            max?: number | null;
            /** @description What follows some answers, at most 10. The first branch applies whose conditions the answer meets. After any other answer, the next question follows. */
            branches?: components["schemas"]["NewBranch"][];
            /** @description Which answers create a follow-up. Null for none. */
            follow_up?: components["schemas"]["NewAnswerRule"] | null;
        };
        NewAnswerRule: {
            /** @description This answer, if `expect` is `yes_no`. */
            answer?: boolean | null;
            /** @description Any of these options, if `expect` is `choice`. */
            options?: string[] | null;
            /** @description Answers up to this one, if `expect` is `number`. */
            at_most?: number | null;
            /** @description Answers from this one on, if `expect` is `number`. */
            at_least?: number | null;
        };
        AnswerRule: {
            /** @description This answer, if `expect` is `yes_no`. */
            answer: boolean | null;
            /** @description Any of these options, if `expect` is `choice`. */
            options: string[];
            /** @description Answers up to this one, if `expect` is `number`. */
            at_most: number | null;
            /** @description Answers from this one on, if `expect` is `number`. */
            at_least: number | null;
        };
        AgentModel: {
            /** @description What the model should do, at most 8,000 characters. `{{name}}` stands for a variable of the call. `{{first_name}}` and `{{last_name}}` are parts of the recipient's name unless a variable has them. Rules about honesty, brevity and opting out are always added. */
            instructions: string;
            /**
             * Format: uuid
             * @description The model connection that answers.
             */
            connection_id: string;
            /**
             * Format: uuid
             * @description Answers when `connection_id` is late or fails.
             */
            fallback_connection_id: string | null;
            /** @description From 0 to 2. Null for the model's default. */
            temperature: number | null;
            /** @description Words and phrases that are never spoken, at most 50. */
            avoid_topics: string[];
            /** @description What the model may do besides recording answers, ending the call and opting the recipient out: `schedule_callback`, `report_person`, `request_follow_up`, `send_message`, `press_digits`. Expect more. */
            tools: string[];
            /** @description The `id`s of your tools that the model may use, at most 20. */
            http_tools: string[];
            /** @description The `id`s of the WhatsApp templates that `send_message` may send, at most 20. */
            message_templates: string[];
            /** @description Answers of the model in one call, 1 to 500. 0 for 60. */
            max_turns: number;
            /** @description Tokens of all requests and answers of one call, 1,000 to 5,000,000. 0 for 100,000. */
            max_tokens: number;
            /** @description Calls of tools in one call, 1 to 200. 0 for 20. */
            max_tool_calls: number;
            /** @description Seconds after the answer until the agent says goodbye and ends the call with `model_budget`, 30 to 14,400. 0 for no limit but the call's own. */
            max_seconds: number;
        };
        NewAgentModel: {
            /** @description What the model should do, at most 8,000 characters. `{{name}}` stands for a variable of the call. `{{first_name}}` and `{{last_name}}` are parts of the recipient's name unless a variable has them. Rules about honesty, brevity and opting out are always added. */
            instructions: string;
            /** @description The model connection that answers. */
            connection_id: string;
            /** @description Answers when `connection_id` is late or fails. */
            fallback_connection_id?: string | null;
            /** @description From 0 to 2. Null for the model's default. */
            temperature?: number | null;
            /** @description Words and phrases that are never spoken, at most 50. */
            avoid_topics?: string[];
            /** @description What the model may do besides recording answers, ending the call and opting the recipient out: `schedule_callback`, `report_person`, `request_follow_up`, `send_message`, `press_digits`. Expect more. */
            tools?: string[];
            /** @description The `id`s of your tools that the model may use, at most 20. */
            http_tools?: string[];
            /** @description The `id`s of the WhatsApp templates that `send_message` may send, at most 20. Required for this tool. */
            message_templates?: string[];
            /** @description Answers of the model in one call, 1 to 500. 0 for 60. */
            max_turns?: number;
            /** @description Tokens of all requests and answers of one call, 1,000 to 5,000,000. 0 for 100,000. */
            max_tokens?: number;
            /** @description Calls of tools in one call, 1 to 200. 0 for 20. */
            max_tool_calls?: number;
            /** @description Seconds after the answer until the agent says goodbye and ends the call with `model_budget`, 30 to 14,400. 0 for no limit but the call's own. */
            max_seconds?: number;
        };
        /** @description To whom the agent may transfer calls. */
        AgentTransfer: {
            /** @description The destinations. A model chooses among them by their names. */
            destinations: components["schemas"]["Id"][];
            /** @description One of `destinations`: who gets a person who asks for a human being, if no model decides. Null: the agent notes the wish and ends the call. */
            human_id: string | null;
        };
        /** @description To whom the agent may transfer calls. It is replaced as a whole. Without destinations, to nobody. */
        NewTransfer: {
            /** @description The `id`s of destinations. */
            destinations?: string[];
            /** @description One of `destinations`: who gets a person who asks for a human being, if no model decides. Null: the agent notes the wish and ends the call. */
            human_id?: string | null;
        };
        /** @description What follows some answers to a question. Without a condition, the branch is for every answer, and for a question without one. A language model is told which fields are left. */
        Branch: {
            /** @description This answer, if `expect` is `yes_no`. */
            answer: boolean | null;
            /** @description Any of these options, if `expect` is `choice`. */
            options: string[];
            /** @description Answers up to this one, if `expect` is `number`. */
            at_most: number | null;
            /** @description Answers from this one on, if `expect` is `number`. */
            at_least: number | null;
            /** @description The `key` of a later question, or `end` for the end of the call. The questions between do not apply. Null if the call is transferred. */
            go_to: string | null;
            /** @description To whom the call is transferred. If nobody takes it, the next question follows. Null if `go_to` is set. */
            destination_id: components["schemas"]["Id"] | null;
            /** @description Said instead of a standard acknowledgment, or before the end instead of the goodbye. At most 600 characters. */
            say: string;
            /** @description Translations of `say`, by the tags of the agent's further languages. */
            says: {
                [key: string]: string;
            };
        };
        /** @description What follows some answers to a question: either `go_to` or `destination_id`. A branch without a condition is for every answer, and must be the last one. */
        NewBranch: {
            /** @description This answer, if `expect` is `yes_no`. */
            answer?: boolean | null;
            /** @description Any of these options, if `expect` is `choice`. */
            options?: string[] | null;
            /** @description Answers up to this one, if `expect` is `number`. */
            at_most?: number | null;
            /** @description Answers from this one on, if `expect` is `number`. */
            at_least?: number | null;
            /** @description The `key` of a later question, or `end` for the end of the call. The questions between do not apply. Null if the call is transferred. */
            go_to?: string | null;
            /** @description One of the agent's destinations. */
            destination_id?: string | null;
            /** @description Said instead of a standard acknowledgment, or before the end instead of the goodbye. At most 600 characters. */
            say?: string;
            /** @description Translations of `say`, by the tags of the agent's further languages. */
            says?: {
                [key: string]: string;
            };
        };
        /** @description How calls are analyzed after their end. It is replaced as a whole. */
        NewAgentAnalysis: {
            /** @description The model connection that analyzes calls. Null: calls are analyzed by rule. */
            connection_id?: string | null;
            /** @description What makes a call successful, for the model. At most 1,000 characters. Empty: every required question has an answer. */
            success?: string;
        };
        AgentPublication: {
            /** @description What is different, for the people who read the versions. */
            note?: string;
            /** @description The number of an earlier version to publish again. */
            version?: number | null;
        };
        AgentVersion: {
            id: components["schemas"]["Id"];
            number: number;
            /** @description Whether calls follow this version. */
            published: boolean;
            note: string;
            /** @description A hash of the content. Versions with the same content have the same hash. */
            sha256: string;
            /** @description When the version was published, newest first. At most the last 20. */
            publications: components["schemas"]["Publication"][];
            /** @description The name of the person or key that made the version. */
            created_by: string;
            created_at: components["schemas"]["Time"];
        };
        Publication: {
            published_by: string;
            published_at: components["schemas"]["Time"];
            note: string;
        };
        AgentVersionDetail: {
            id: components["schemas"]["Id"];
            number: number;
            /** @description Whether calls follow this version. */
            published: boolean;
            note: string;
            /** @description A hash of the content. Versions with the same content have the same hash. */
            sha256: string;
            /** @description When the version was published, newest first. At most the last 20. */
            publications: components["schemas"]["Publication"][];
            /** @description The name of the person or key that made the version. */
            created_by: string;
            created_at: components["schemas"]["Time"];
            content: components["schemas"]["AgentContent"];
            /** @description How the content differs from that of the version before. Empty for version 1. */
            changes: components["schemas"]["AgentFieldChange"][];
        };
        AgentContent: {
            kind: string;
            /** @description The language the agent speaks and understands, as a BCP 47 tag. Any region of cs, da, de, el, en, es, fr, it, nb, nl, pl, pt, ro, sv and tr. */
            language: string;
            /**
             * @description Further languages of an agent of the kind `model`. A call begins in the language that the recipient's variable
             *     `language` names, as a tag such as `es` or in words, and else in `language`. It changes when the recipient speaks
             *     or asks for another language of the agent.
             */
            languages: components["schemas"]["AgentLanguage"][];
            speech: components["schemas"]["Speech"];
            /** @description What the agent says first. */
            greeting: string;
            /** @description What the agent says first to people who call. `{{last_call.name}}`, `reason`, `campaign`, `agent` and `outcome`, and every variable of the last call, are known. Empty for a standard line. */
            inbound_greeting: string;
            /** @description Spoken with the greeting. Empty for a standard line. */
            disclosure: string;
            questions: components["schemas"]["Question"][];
            /** @description Said before a question is repeated. Empty for a standard line. */
            not_understood: string;
            /** @description What the agent says last. Empty for a standard line. */
            goodbye: string;
            /** @description Left on voicemail if the campaign is set to leave a message. Empty for a standard line. */
            voicemail_message: string;
            /** @description How long the recipient may be silent before the agent asks whether they are there. */
            silence_seconds: number;
            /** @description How often in a row the agent asks before it hangs up. */
            nudges: number;
            /** @description Whether calls are recorded. */
            record_calls: boolean;
            /** @description How a language model holds the conversation. Null for a scripted agent. */
            model: components["schemas"]["AgentModel"] | null;
            /** @description How calls are analyzed after their end. */
            analysis: {
                /**
                 * Format: uuid
                 * @description The model connection that analyzes calls. Null: calls are analyzed by rule, from the answers alone.
                 */
                connection_id: string | null;
                /** @description What makes a call successful, for the model. At most 1,000 characters. Empty: every required question has an answer. */
                success: string;
            };
            /** @description To whom the agent may transfer calls. Null for nobody. */
            transfer: components["schemas"]["AgentTransfer"] | null;
        };
        AgentFieldChange: {
            /** @description The path of the field, such as `greeting` or `questions[confirmed].ask`. Questions are named by their keys. */
            field: string;
            /** @description The earlier value. Null if the field did not exist. */
            before: string | number | boolean | null | string[] | {
                word: string;
                spoken: string;
            }[] | components["schemas"]["Question"] | components["schemas"]["Branch"][] | components["schemas"]["AgentLanguage"];
            /** @description The later value. Null if the field no longer exists. */
            after: string | number | boolean | null | string[] | {
                word: string;
                spoken: string;
            }[] | components["schemas"]["Question"] | components["schemas"]["Branch"][] | components["schemas"]["AgentLanguage"];
        };
        /** @description How the agent speaks and listens. Empty or null values leave the choice to the carrier. */
        Speech: {
            /** @description Provider of the voice. */
            provider: string;
            /** @description The provider's ID of the voice, such as `Joanna-Neural` or `en-US-Chirp3-HD-Aoede`. */
            voice: string;
            /** @description Model of an ElevenLabs voice. */
            model: string;
            /** @description Provider of the transcription. */
            transcription_provider: string;
            /** @description Speech model, such as `nova-3-general`. */
            transcription_model: string;
            /** @description The pause that ends an answer. */
            end_of_turn_ms: number | null;
            /** @description How sure the model `flux` must be that an answer is over. */
            end_of_turn_threshold: number | null;
            /** @description What interrupts the agent. The opt-out works in every case. */
            interruptible: string;
            /** @description How easily speech interrupts the agent. */
            interrupt_sensitivity: string;
            /** @description Whether short acknowledgments are ignored. */
            ignore_backchannel: boolean;
            /** @description Words and phrases that the transcription expects. */
            hints: string[];
            /** @description How words are said. Transcripts contain the word. */
            pronunciations: {
                word: string;
                spoken: string;
            }[];
        };
        /** @description How the agent speaks and listens. Empty or null values leave the choice to the carrier. */
        NewSpeech: {
            /**
             * @description Provider of the voice.
             * @enum {string}
             */
            provider?: "amazon" | "google" | "elevenlabs" | "";
            /** @description The provider's ID of the voice, such as `Joanna-Neural` or `en-US-Chirp3-HD-Aoede`. */
            voice?: string;
            /** @description Model of an ElevenLabs voice. */
            model?: string;
            /**
             * @description Provider of the transcription.
             * @enum {string}
             */
            transcription_provider?: "deepgram" | "google" | "";
            /** @description Speech model, such as `nova-3-general`. */
            transcription_model?: string;
            /** @description The pause that ends an answer. */
            end_of_turn_ms?: number | null;
            /** @description How sure the model `flux` must be that an answer is over. */
            end_of_turn_threshold?: number | null;
            /**
             * @description What interrupts the agent. The opt-out works in every case.
             * @enum {string}
             */
            interruptible?: "any" | "speech" | "dtmf" | "none";
            /**
             * @description How easily speech interrupts the agent.
             * @enum {string}
             */
            interrupt_sensitivity?: "high" | "medium" | "low";
            /** @description Whether short acknowledgments are ignored. */
            ignore_backchannel?: boolean;
            /** @description Words and phrases that the transcription expects. */
            hints?: string[];
            /** @description How words are said. Transcripts contain the word. */
            pronunciations?: {
                word: string;
                spoken: string;
            }[];
        };
        /** @description Asked once, and once more if the answer is not understood. */
        Question: {
            /** @description Name of the answer in a call's `analysis.answers`. */
            key: string;
            ask: string;
            /** @description Translations of `ask`, by the tags of the agent's further languages. They are spoken if no model answers. Without one, the agent goes on in its own language. */
            asks: {
                [key: string]: string;
            };
            /** @description What the answer means. Never spoken. */
            description: string;
            /**
             * @description The kind of answer expected. A `yes_no` answer is a boolean and a `number` answer is a number. Every other
             *     answer is a string. A `choice` answer is one of `options`. A `date` answer has the format `2026-11-24`, a
             *     `time` answer `14:30`, and a `phone` answer is an E.164 number.
             */
            expect: string;
            /** @description Whether a call must have an answer to be `successful`. */
            required: boolean;
            /** @description The choices if `expect` is `choice`. Otherwise empty. */
            options: string[];
            /** @description Translations of all `options` in their order, by the tags of the agent's further languages. An answer in such a language is stored as the choice in `options`. */
            translated_options: {
                [key: string]: string[];
            };
            /** @description Smallest valid answer if `expect` is `number`. */
            min: number | null;
            /** @description Largest valid answer if `expect` is `number`. */
            max: number | null;
            /** @description What follows some answers. The first branch applies whose conditions the answer meets. After any other answer, the next question follows. */
            branches: components["schemas"]["Branch"][];
            /** @description Which answers create a follow-up. Null for none. */
            follow_up: components["schemas"]["AnswerRule"] | null;
        };
        AgentList: {
            data: components["schemas"]["Agent"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        AgentVersionList: {
            data: components["schemas"]["AgentVersion"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description What the recipient does in one turn. */
        TestStep: {
            /** @description `say`, `interrupt`, `press`, `silence`, `hang_up`, or the verdict of the carrier: `voicemail`, `beep` (a voicemail whose recording runs). */
            action: string;
            /** @description What is said, or the keys that are pressed. */
            text: string;
            /** @description Of `interrupt`: how many words of the agent are heard. */
            words: number;
        };
        NewTestStep: {
            /** @description `say`, `interrupt`, `press`, `silence`, `hang_up`, or the verdict of the carrier: `voicemail`, `beep` (a voicemail whose recording runs). */
            action: string;
            /** @description What is said, or the keys that are pressed. */
            text?: string;
            /** @description Of `interrupt`: how many words of the agent are heard. */
            words?: number;
        };
        /** @description A person that a language model plays. */
        TestPlayer: {
            /** @description Who the person is, what they know and what they want. At most 4000 characters. */
            prompt: string;
            /** @description The `id` of a model connection. */
            connection_id: string;
            /** @description After so many turns the person hangs up. 0: 20. */
            max_turns: number;
        };
        NewTestPlayer: {
            /** @description Who the person is, what they know and what they want. At most 4000 characters. */
            prompt: string;
            /** @description The `id` of a model connection. */
            connection_id: string;
            /** @description After so many turns the person hangs up. 0: 20. */
            max_turns?: number;
        };
        TestRecipient: {
            steps: components["schemas"]["TestStep"][];
            /** @description Null if the recipient follows the steps. */
            model: components["schemas"]["TestPlayer"] | null;
        };
        /** @description Either steps or a model. */
        NewTestRecipient: {
            /** @description At most 60. After the last one, the recipient is silent. */
            steps?: components["schemas"]["NewTestStep"][];
            model?: components["schemas"]["NewTestPlayer"] | null;
        };
        /**
         * @description What must be true of a conversation. `name` is the tool of `tool_called` and `tool_not_called`, and the key of
         *     `field_equals`, `field_present` and `field_absent`. `value` is: arguments that the tool must have, as a JSON object;
         *     the RE2 expression of `said` and `not_said`; the answer of `field_equals` as text; the `ended_reason`; the number of
         *     `max_turns` (of the agent) and `first_token_p95_ms`; the criterion of a `judge`. `opted_out` also means that the agent
         *     said nothing but the confirmation afterwards.
         */
        TestCheck: {
            /** @description `tool_called`, `tool_not_called`, `said`, `not_said`, `field_equals`, `field_present`, `field_absent`, `ended_reason`, `opted_out`, `not_opted_out`, `max_turns`, `first_token_p95_ms` or `judge`. */
            kind: string;
            name: string;
            /** @description At most 1000 characters. */
            value: string;
            /** @description The `id` of the model connection that judges. Null for other kinds. */
            connection_id: string | null;
        };
        NewTestCheck: {
            /** @description `tool_called`, `tool_not_called`, `said`, `not_said`, `field_equals`, `field_present`, `field_absent`, `ended_reason`, `opted_out`, `not_opted_out`, `max_turns`, `first_token_p95_ms` or `judge`. */
            kind: string;
            name?: string;
            /** @description At most 1000 characters. */
            value?: string;
            /** @description The `id` of the model connection that judges. Null for other kinds. */
            connection_id?: string | null;
        };
        TestCase: {
            id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            name: string;
            recipient: components["schemas"]["TestRecipient"];
            /** @description The recipient's values, as in a campaign's list. */
            variables: {
                [key: string]: unknown;
            };
            /** @description Whether a voicemail gets the agent's message. */
            leave_message: boolean;
            /**
             * @description What the organization's tools and `send_message` come to, by the name of the tool. Tests never run them.
             *     Tools without a result here come to `{"ok": true}`. Variables from results are not set.
             */
            tool_results: {
                [key: string]: unknown;
            };
            checks: components["schemas"]["TestCheck"][];
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        NewTestCase: {
            /** @description Unique among the test cases of the agent. */
            name: string;
            recipient: components["schemas"]["NewTestRecipient"];
            /** @description The recipient's values, as in a campaign's list. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Whether a voicemail gets the agent's message. */
            leave_message?: boolean;
            /**
             * @description What the organization's tools and `send_message` come to, by the name of the tool. Tests never run them.
             *     Tools without a result here come to `{"ok": true}`. Variables from results are not set.
             */
            tool_results?: {
                [key: string]: unknown;
            };
            /** @description 1 to 30. */
            checks: components["schemas"]["NewTestCheck"][];
        };
        TestCaseList: {
            data: components["schemas"]["TestCase"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        NewTestRun: {
            /** @description The version that is tested. Null or absent: the draft. */
            version?: number | null;
            /** @description Attempts of each case, 3 by default. A case passes if all of them pass. */
            repeats?: number;
            /** @description Adds the fixed set of difficult callees. */
            difficult_callees?: boolean;
            /** @description The test cases to run. Absent or empty for all of the agent. */
            case_ids?: string[];
        };
        /** @enum {string} */
        TestStatus: "queued" | "running" | "passed" | "failed" | "canceled";
        TestRun: {
            id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            /** @description Null: the draft. */
            version: number | null;
            /** @description A hash of the content that is tested, as in a version. */
            sha256: string;
            repeats: number;
            difficult_callees: boolean;
            status: components["schemas"]["TestStatus"];
            attempts: number;
            attempts_done: number;
            attempts_passed: number;
            /** @description Of the agent's model, the recipients and the judges. */
            input_tokens: number;
            output_tokens: number;
            created_by: string;
            created_at: components["schemas"]["Time"];
            /** Format: date-time */
            finished_at: string | null;
        };
        TestRunList: {
            data: components["schemas"]["TestRun"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        TestRunDetail: {
            id: components["schemas"]["Id"];
            agent_id: components["schemas"]["Id"];
            /** @description Null: the draft. */
            version: number | null;
            /** @description A hash of the content that is tested, as in a version. */
            sha256: string;
            repeats: number;
            difficult_callees: boolean;
            status: components["schemas"]["TestStatus"];
            attempts: number;
            attempts_done: number;
            attempts_passed: number;
            /** @description Of the agent's model, the recipients and the judges. */
            input_tokens: number;
            output_tokens: number;
            created_by: string;
            created_at: components["schemas"]["Time"];
            /** Format: date-time */
            finished_at: string | null;
            cases: components["schemas"]["TestedCase"][];
        };
        /** @description A case of a run. It has passed if every attempt has passed. */
        TestedCase: {
            /** @description Null: a difficult callee. */
            id: string | null;
            name: string;
            status: components["schemas"]["TestStatus"];
            attempts: components["schemas"]["TestAttemptSummary"][];
        };
        TestAttemptSummary: {
            id: components["schemas"]["Id"];
            repeat: number;
            status: components["schemas"]["TestStatus"];
            /** @description Why there is no result. */
            error: string | null;
        };
        /** @description An attempt without a result has null or nothing in its place. */
        TestAttempt: {
            id: components["schemas"]["Id"];
            repeat: number;
            status: components["schemas"]["TestStatus"];
            /** @description Why there is no result. */
            error: string | null;
            run_id: components["schemas"]["Id"];
            /** @description Null: a difficult callee. */
            case_id: string | null;
            case_name: string;
            /** @description As of calls. */
            ended_reason: string | null;
            opted_out: boolean | null;
            /** @description How often the agent spoke. */
            agent_turns: number | null;
            /** @description How long 95 % of the model's answers took to begin, at most. Null: no model answered. */
            first_token_p95_ms: number | null;
            input_tokens: number | null;
            output_tokens: number | null;
            /** @description The answers by the keys of the fields. */
            fields: {
                [key: string]: unknown;
            };
            tools: components["schemas"]["TestToolCall"][];
            transcript: components["schemas"]["TestTurn"][];
            checks: components["schemas"]["TestFinding"][];
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        TestToolCall: {
            name: string;
            arguments: {
                [key: string]: unknown;
            };
        };
        TestTurn: {
            role: string;
            text: string;
            /** @description Whether the recipient heard no more of the agent than this. */
            interrupted: boolean;
            /** @description How long the model took to begin. Null: these are no words of a model. */
            first_token_ms: number | null;
        };
        TestFinding: {
            /** @description `tool_called`, `tool_not_called`, `said`, `not_said`, `field_equals`, `field_present`, `field_absent`, `ended_reason`, `opted_out`, `not_opted_out`, `max_turns`, `first_token_p95_ms` or `judge`. */
            kind: string;
            name: string;
            /** @description At most 1000 characters. */
            value: string;
            /** @description The `id` of the model connection that judges. Null for other kinds. */
            connection_id: string | null;
            /** @description Only `pass` passes. */
            verdict: string;
            reason: string;
        };
        Webhook: {
            id: components["schemas"]["Id"];
            name: string;
            /** @description URL that receives notifications. */
            url: string;
            events: components["schemas"]["Subscriptions"];
            filters: components["schemas"]["WebhookFilters"];
            /** @description The names of the stored headers. */
            header_names: string[];
            /** @description Whether the webhook is active. It gets no deliveries while paused, or disabled because its endpoint keeps failing or answered 410. */
            is_active: boolean;
            created_at: components["schemas"]["Time"];
        };
        WebhookWithSecret: {
            id: components["schemas"]["Id"];
            name: string;
            /** @description URL that receives notifications. */
            url: string;
            /** @description Verifies the signatures of deliveries. Shown only in this response. */
            secret: string;
            events: components["schemas"]["Subscriptions"];
            filters: components["schemas"]["WebhookFilters"];
            /** @description The names of the stored headers. */
            header_names: string[];
            /** @description Whether the webhook is active. It gets no deliveries while paused, or disabled because its endpoint keeps failing or answered 410. */
            is_active: boolean;
            created_at: components["schemas"]["Time"];
        };
        /**
         * @description What an event must belong to: one of the projects, one of the campaigns, and one of the agents. An empty list asks for
         *     nothing. An event that has no project, campaign or agent does not pass a filter of that kind.
         */
        WebhookFilters: {
            /** @description Projects. Empty for all. */
            project_ids: components["schemas"]["Id"][];
            /** @description Campaigns. Empty for all. */
            campaign_ids: components["schemas"]["Id"][];
            /** @description Agents, of the call or the campaign. Empty for all. */
            agent_ids: components["schemas"]["Id"][];
        };
        /**
         * @description What an event must belong to: one of the projects, one of the campaigns, and one of the agents. A list that is empty
         *     or left out asks for nothing. An update replaces all three.
         */
        NewWebhookFilters: {
            /** @description Projects of the organization. */
            project_ids?: string[];
            /** @description Campaigns of the organization. */
            campaign_ids?: string[];
            /** @description Agents of the organization. */
            agent_ids?: string[];
        };
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        NewMessage: {
            /** @description The WhatsApp number that sends, as in `GET /campaigns/quota`. */
            external_id: string;
            to_number: components["schemas"]["PhoneNumberText"];
            template: {
                name: string;
                /** @description WhatsApp's language code, such as `en_US`. */
                language: string;
                /**
                 * @description Values of the template's variables: `1` or `first_name` in its body, `header.1` or `header.image` in
                 *     its header, `button.0.1` or `button.0.code` on the button with that index.
                 */
                variables?: {
                    [key: string]: string;
                };
            };
        };
        /** @enum {string} */
        MessageStatus: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "canceled";
        /**
         * @description Why it exists. `wants_human`: the person asked for a human being. `call_back`: the person asked for a call that no
         *     agent makes. `answer`: an answer matches the `follow_up` of its question. `transfer_failed`: nobody took the call.
         *     If the person then asked to be called back, this follow-up is due at that time, and there is no other one.
         *     `unsure`: the agent's model left something to you (`request_follow_up`), or the analysis found that the person
         *     waits for something. `unreached`: the recipient's calls are used up, and somebody chose to follow up. `manual`:
         *     somebody created it.
         */
        FollowUpKind: string;
        /** @enum {string} */
        FollowUpStatus: "open" | "done";
        CallNoteList: {
            data: components["schemas"]["CallNote"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description A note for the agent of a live call. */
        CallNote: {
            id: components["schemas"]["Id"];
            call_id: components["schemas"]["Id"];
            /** @description Empty when the transcript of the call was removed. */
            text: string;
            /** @description The name of the person or of the API key. */
            author: string;
            created_at: components["schemas"]["Time"];
            /** @description When the agent got the note. Null if it has not, which is final once the call has ended. */
            given_at: components["schemas"]["Time"] | null;
            /** @description When the agent first spoke with the note. Null if it has not, which is final once the call has ended. */
            used_at: components["schemas"]["Time"] | null;
        };
        NewCallTransfer: {
            /** @description A destination of the project of the call. */
            destination_id: string;
        };
        NewCallNote: {
            /** @description What the agent should know or say, in one line. */
            text: string;
        };
        /** @description Something that a person has to do after a call. It is no WhatsApp message. A call creates at most one of each kind. */
        FollowUp: {
            id: components["schemas"]["Id"];
            kind: components["schemas"]["FollowUpKind"];
            status: components["schemas"]["FollowUpStatus"];
            /** @description For people. Empty when the transcript of the call, or the person, was removed. */
            reason: string;
            note: string;
            /** @description The member who works on it. Null for nobody. */
            assignee: {
                id: components["schemas"]["Id"];
                name: string;
            } | null;
            /** @description When to do it. For `call_back`, the time that the person asked for. */
            due_at: components["schemas"]["Time"] | null;
            call_id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            campaign_id: components["schemas"]["Id"] | null;
            /** @description Null for a call without one. */
            recipient: {
                /** @description Null for a call without a campaign. */
                id: components["schemas"]["Id"] | null;
                external_id: string | null;
                name: string | null;
            } | null;
            /** @description E.164. Empty if the person was erased, or called and withheld the number. */
            phone_number: string;
            /** @description A later call in which the recipient was reached, which may have settled the matter. */
            later_call_id: components["schemas"]["Id"] | null;
            /** @description Null for the call itself. */
            created_by: string | null;
            created_at: components["schemas"]["Time"];
            done_by: string | null;
            done_at: components["schemas"]["Time"] | null;
        };
        /** @description A person who can sign in to the dashboard of your organization. */
        Member: {
            id: components["schemas"]["Id"];
            name: string;
            email: string;
            /** @description What the member may do in the dashboard. */
            role: string;
            /** @description When the member joined your organization. */
            created_at: components["schemas"]["Time"];
        };
        MemberList: {
            data: components["schemas"]["Member"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        FollowUpList: {
            data: components["schemas"]["FollowUp"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        NewFollowUp: {
            /** @description The call that it belongs to. */
            call_id: string;
            /** @description What to do, in one line. */
            reason: string;
            note?: string;
            /** @description The ID of a member, as in `assignee` and `GET /members`. Null for nobody. */
            assignee_id?: string | null;
            /**
             * Format: date-time
             * @description When to do it, at most 5 minutes in the past. Null for no particular time.
             */
            due_at?: string | null;
        };
        FollowUpChange: {
            /** @description The ID of a member, as in `assignee` and `GET /members`. Null for nobody. */
            assignee_id?: string | null;
            /**
             * Format: date-time
             * @description When to do it, at most 5 minutes in the past. Null for no particular time.
             */
            due_at?: string | null;
            note?: string;
        };
        FollowUpsToFinish: {
            /** @description The `id` of each follow-up. */
            ids: string[];
        };
        FinishedFollowUps: {
            /** @description What became of each follow-up, in the order of the request. */
            data: {
                /** @description The `id` of the follow-up, as in the request. */
                id: string;
                /**
                 * @description `done`: it was open. `already_done`: it had been marked as done before. `unknown`: you have no such
                 *     follow-up.
                 */
                result: string;
            }[];
        };
        FollowUpFinish: {
            note?: string;
        };
        /** @description A template sent to one recipient. */
        Message: {
            id: components["schemas"]["Id"];
            /** @description The WhatsApp number that sends. */
            external_id: string;
            to_number: components["schemas"]["ErasableNumber"];
            /** @description The campaign whose call it follows. Null if sent individually. */
            campaign_id: components["schemas"]["Id"] | null;
            /** @description Of the campaign. */
            recipient_id: components["schemas"]["Id"] | null;
            template: {
                name: string;
                language: string;
                variables: {
                    [key: string]: string;
                };
            };
            status: components["schemas"]["MessageStatus"];
            /**
             * @description Why a queued message is not sent yet: `quota` the number may not start another conversation now,
             *     `pair_rate` the recipient was messaged seconds ago, `template` the template is paused, `retry` WhatsApp
             *     could not accept it, `recipient_limit` WhatsApp does not allow messages to this recipient for now.
             */
            wait_reason: string | null;
            /** @description When a queued message can be sent. Null if unknown. */
            due_at: components["schemas"]["Time"] | null;
            /**
             * @description WhatsApp's response was lost. The message is not sent again and counts toward the limit until a status
             *     arrives.
             */
            outcome_unknown: boolean;
            /** @description WhatsApp's ID of the message. */
            message_id: string | null;
            /** @description WhatsApp's error code. */
            error_code: number | null;
            /** @description Why it failed or waits. */
            error: string | null;
            created_at: components["schemas"]["Time"];
            /** @description When WhatsApp took it. */
            sent_at: components["schemas"]["Time"] | null;
            delivered_at: components["schemas"]["Time"] | null;
            read_at: components["schemas"]["Time"] | null;
            /** @description When it failed or was canceled. */
            ended_at: components["schemas"]["Time"] | null;
        };
        MessageList: {
            data: components["schemas"]["Message"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        NewWebhook: {
            name: string;
            /** @description A public https URL. The operator of the installation can allow other hosts and plain http. */
            url: string;
            events: components["schemas"]["Subscriptions"];
            filters?: components["schemas"]["NewWebhookFilters"];
            /**
             * @description Headers of each delivery, at most 10, such as the key of a gateway in front of your receiver. They are encrypted
             *     and never shown again. Headers that the delivery sets itself are refused.
             */
            headers?: {
                [key: string]: string;
            };
        };
        /** @description Fields that are left out stay unchanged. */
        WebhookChange: {
            name?: string;
            url?: string;
            events?: components["schemas"]["Subscriptions"];
            filters?: components["schemas"]["NewWebhookFilters"];
            /** @description Replaces all headers. Required if the webhook has headers and `url` changes to another server. */
            headers?: {
                [key: string]: string;
            };
            /** @description Read-only. Accepted if it equals the current value. */
            header_names?: string[];
            is_active?: boolean;
            /** @description Read-only. Accepted if it equals the current value. */
            id?: string;
            /** @description Read-only. Rotate the secret instead. */
            secret?: string;
            /**
             * Format: date-time
             * @description Read-only. Accepted if it equals the current value.
             */
            created_at?: string;
        };
        WebhookTest: {
            event_type?: components["schemas"]["EventType"];
        };
        SecretRotation: {
            /** @description How long the previous secret keeps signing. 0 revokes it immediately. Default: `86400`. */
            overlap_seconds?: number;
        };
        /** @description Events to subscribe to. Duplicates are removed. */
        Subscriptions: components["schemas"]["Subscription"][];
        /** @description An event type, a family (`call.*`), or all events (`*`). */
        Subscription: string;
        EventType: string;
        /** @description What happened. Its `data` follows from its `type`. */
        Event: {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.scheduled";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.started";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.paused";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.resumed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.progress";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.completed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.canceled";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "campaign.failed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Campaign"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "recipient.completed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Recipient"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "recipient.failed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Recipient"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "recipient.skipped";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Recipient"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "recipient.canceled";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Recipient"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.scheduled";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.started";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.answered";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.transferred";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.completed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.analyzed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.recorded";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "call.priced";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["CallWithTranscript"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "message.sent";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Message"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "message.delivered";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Message"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "message.read";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Message"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "message.failed";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Message"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "follow_up.created";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["FollowUp"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "follow_up.updated";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["FollowUp"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "follow_up.done";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["FollowUp"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "number.quota_low";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["QuotaEntry"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "number.quota_exhausted";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["QuotaEntry"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "webhook.disabled";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Webhook"];
        } | {
            id: components["schemas"]["EventId"];
            /** @constant */
            type: "webhook.test";
            timestamp: components["schemas"]["EventTime"];
            organization_id: components["schemas"]["EventOrganization"];
            project_id: components["schemas"]["EventProject"];
            data: components["schemas"]["Webhook"];
        };
        EventList: {
            data: components["schemas"]["Event"][];
            /** @description Whether more events are there already. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the events that follow. Never null. */
            next_cursor: string;
        };
        EventTypeList: {
            data: {
                type: components["schemas"]["EventType"];
                /** @description When the event is sent. */
                description: string;
                /** @description The JSON schema of the payload: this description, and a JSON pointer into it after the `#`. */
                schema_url: string;
                /** @description The page that describes the event. */
                docs_url: string;
            }[];
            /** @constant */
            has_more: false;
            next_cursor: null;
        };
        /**
         * @description `pending`: an attempt is to come. It waits while the webhook is inactive. `failed`: no attempt is to come
         *     unless it is resent or recovered.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "succeeded" | "failed";
        /** @description The delivery of one event to one webhook. */
        Delivery: {
            id: components["schemas"]["Id"];
            /** @description The `webhook-id` of every attempt, and the `id` in the body. */
            event_id: components["schemas"]["Id"];
            event_type: components["schemas"]["EventType"];
            status: components["schemas"]["DeliveryStatus"];
            /** @description Attempts made so far. */
            attempts: number;
            /** @description Status of the last response. Null if there was none. */
            response_status: number | null;
            /** @description Error of the last attempt. Null if there was none. */
            error: string | null;
            /** @description Duration of the last attempt in milliseconds. Null before the first. */
            duration_ms: number | null;
            created_at: components["schemas"]["Time"];
            /** @description When the next attempt is due. Null if none is planned. */
            next_attempt_at: components["schemas"]["Time"] | null;
            /** @description When it first succeeded. */
            delivered_at: components["schemas"]["Time"] | null;
        };
        DeliveryWithHistory: {
            id: components["schemas"]["Id"];
            /** @description The `webhook-id` of every attempt, and the `id` in the body. */
            event_id: components["schemas"]["Id"];
            event_type: components["schemas"]["EventType"];
            status: components["schemas"]["DeliveryStatus"];
            /** @description Attempts made so far. */
            attempts: number;
            /** @description Status of the last response. Null if there was none. */
            response_status: number | null;
            /** @description Error of the last attempt. Null if there was none. */
            error: string | null;
            /** @description Duration of the last attempt in milliseconds. Null before the first. */
            duration_ms: number | null;
            created_at: components["schemas"]["Time"];
            /** @description When the next attempt is due. Null if none is planned. */
            next_attempt_at: components["schemas"]["Time"] | null;
            /** @description When it first succeeded. */
            delivered_at: components["schemas"]["Time"] | null;
            /** @description The exact body of every attempt. */
            body: string;
            /** @description The attempts, oldest first. The newest 100 if there are more. */
            history: components["schemas"]["Attempt"][];
        };
        /** @description One attempt to send a delivery. */
        Attempt: {
            number: number;
            /** @description Requested by a resend or a test, outside the retry schedule. */
            manual: boolean;
            started_at: components["schemas"]["Time"];
            duration_ms: number;
            /**
             * @description `status`: the response was not 2xx. `dns`, `connect`, `tls`: the step that failed. `blocked`: the address
             *     is not allowed. `protocol`: the response was not HTTP or was cut off.
             * @enum {string}
             */
            outcome: "succeeded" | "status" | "timeout" | "dns" | "connect" | "tls" | "blocked" | "protocol";
            /** @description The error. Null if there was none. */
            error: string | null;
            request: components["schemas"]["AttemptRequest"];
            /** @description The response. Null if there was none. */
            response: components["schemas"]["AttemptResponse"] | null;
            /** @description The IP address it was sent to. Null if it did not get that far. */
            remote_address: string | null;
            /**
             * @description Whether the request went over a second connection because the first one, kept open from an earlier attempt, was
             *     closed before any byte was written. An attempt never sends a request twice.
             */
            reconnected: boolean;
            timings: components["schemas"]["AttemptTimings"];
        };
        AttemptRequest: {
            url: string;
            /** @description Headers by name, without those that every HTTP client sends. */
            headers: {
                [key: string]: string;
            };
        };
        AttemptResponse: {
            status: number;
            /** @description Headers by name, the first 8 KiB. */
            headers: {
                [key: string]: string;
            };
            /** @description The first 16 KiB, as text. */
            body: string;
            /** @description The body was longer. */
            truncated: boolean;
        };
        /** @description Timings in milliseconds. Null for steps not reached or not needed on an open connection. */
        AttemptTimings: {
            dns_ms: number | null;
            connect_ms: number | null;
            tls_ms: number | null;
            /** @description From the request to the first byte of the response. */
            first_byte_ms: number | null;
        };
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description `voice` for calls, `message` for WhatsApp messages. */
        DoNotCallChannel: string;
        /**
         * @description Source of the entry: opted out during a `call` or in a `message`, a call found that the recipient is `deceased`
         *     or that the number is that of a `wrong_person`, a `campaign` has the action `do_not_call` for another intent,
         *     added by a `user` in the dashboard, by an `api` key or with a file as an `import`, or left by an `erasure`.
         */
        DoNotCallSource: string;
        NewDoNotCall: {
            phone_number: components["schemas"]["PhoneNumberText"];
            /** @description Absent means `voice`. */
            channel?: components["schemas"]["DoNotCallChannel"];
            note?: string;
        };
        NewDoNotCallBatch: {
            /** @description Required, unless `entries_url` is set. */
            entries?: components["schemas"]["NewDoNotCall"][];
            /**
             * @description The https address of a CSV file of numbers, instead of `entries`. The request waits until the server has fetched
             *     the file, for a minute at most. [Lists from files](/docs/lists-from-files) tells what the address must answer.
             */
            entries_url?: string | null;
        };
        /** @description A number that must not be called or messaged on one channel. */
        DoNotCall: {
            id: components["schemas"]["Id"];
            channel: components["schemas"]["DoNotCallChannel"];
            phone_number: components["schemas"]["ErasableNumber"];
            /** @description The person was erased, whatever the source of the entry. A keyed hash still blocks the number. */
            erased: boolean;
            source: components["schemas"]["DoNotCallSource"];
            note: string;
            /** @description The call in which the person opted out. */
            call_id: components["schemas"]["Id"] | null;
            /** @description Who added it. */
            created_by: string;
            created_at: components["schemas"]["Time"];
        };
        /** @description An entry that was removed from the do-not-call list. */
        RemovedDoNotCall: {
            id: components["schemas"]["Id"];
            channel: components["schemas"]["DoNotCallChannel"];
            phone_number: components["schemas"]["PhoneNumberText"];
            /** @description Always false. */
            erased: boolean;
            source: components["schemas"]["DoNotCallSource"];
            note: string;
            /** @description The call in which the person opted out. */
            call_id: components["schemas"]["Id"] | null;
            /** @description Who added it. */
            created_by: string;
            created_at: components["schemas"]["Time"];
            /** @description Who removed it. */
            removed_by: string;
            removed_at: components["schemas"]["Time"];
            /** @description Why it was removed. Empty if no reason was given. */
            reason: string;
        };
        DoNotCallRemoval: {
            /** @description Why the number may be called again. */
            reason?: string | null;
        };
        DoNotCallList: {
            data: components["schemas"]["DoNotCall"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        NewErasure: {
            phone_number: components["schemas"]["PhoneNumberText"];
        };
        /** @description An erasure of a person. It does not reveal whom. */
        Erasure: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "running" | "completed";
            /** @description Calls erased so far. */
            calls: number;
            recipients: number;
            messages: number;
            /** @description Events about the person erased so far. */
            events: number;
            /**
             * @description Recordings that the carrier has not deleted yet. They can no longer be played here. The carrier is asked
             *     again until it confirms, even after the erasure has completed here.
             */
            recordings_pending: number;
            created_at: components["schemas"]["Time"];
            completed_at: components["schemas"]["Time"] | null;
        };
        ErasureList: {
            data: components["schemas"]["Erasure"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        NewEvidence: {
            phone_number: components["schemas"]["PhoneNumberText"];
        };
        /** @description Everything stored about a phone number. */
        Evidence: {
            phone_number: components["schemas"]["PhoneNumberText"];
            created_at: components["schemas"]["Time"];
            calls: components["schemas"]["Call"][];
            /** @description Notes for the agents of the calls. */
            call_notes: components["schemas"]["CallNote"][];
            /** @description What members said about the calls. */
            call_reviews: components["schemas"]["EvidenceReview"][];
            /** @description Entries of lists. */
            recipients: components["schemas"]["Recipient"][];
            do_not_call: components["schemas"]["DoNotCall"][];
            do_not_call_removed: components["schemas"]["RemovedDoNotCall"][];
            do_not_call_log: components["schemas"]["EvidenceLogEntry"][];
            follow_ups: components["schemas"]["FollowUp"][];
            messages: components["schemas"]["Message"][];
            /** @description What members wrote about the person. */
            notes: components["schemas"]["PersonNote"][];
            campaigns: components["schemas"]["EvidenceCampaign"][];
        };
        /** @description What the audit log says about an entry of the do-not-call list. */
        EvidenceLogEntry: {
            id: components["schemas"]["Id"];
            action: string;
            do_not_call_id: components["schemas"]["Id"];
            actor_kind: string;
            actor_name: string;
            created_at: components["schemas"]["Time"];
        };
        /** @description What members said about a call that has ended. */
        EvidenceReview: {
            call_id: components["schemas"]["Id"];
            reviewed_at: components["schemas"]["Time"] | null;
            reviewed_by: string | null;
            tags: string[];
            note: string;
        };
        /** @description What a member wrote about a person on the person's page in the dashboard. */
        PersonNote: {
            id: components["schemas"]["Id"];
            text: string;
            created_by: string;
            created_at: components["schemas"]["Time"];
            /** @description Who changed it last. */
            updated_by: string | null;
            updated_at: components["schemas"]["Time"] | null;
        };
        EvidenceCampaign: {
            id: components["schemas"]["Id"];
            name: string;
        };
        DoNotCallAdded: {
            added: number;
            /** @description Already on the list, or given twice. */
            existing: number;
        };
        NewRecovery: {
            /**
             * Format: date-time
             * @description Not in the future and within the last 30 days.
             */
            since: string;
        };
        /** @description A redelivery of missed and failed events. */
        Recovery: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "running" | "finished";
            since: components["schemas"]["Time"];
            /** @description When it was requested. Later events are delivered anyway. */
            until: components["schemas"]["Time"];
            /** @description How far it has come. */
            recovered_to: components["schemas"]["Time"];
            /** @description Failed deliveries being retried. */
            retried: number;
            /** @description Missed events that now have a delivery. */
            added: number;
            created_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["Time"] | null;
        };
    };
    responses: never;
    parameters: {
        /** @description Maximum number of items per page. */
        limit: number;
        /** @description The `next_cursor` of the previous page. Treat it as opaque. */
        cursor: string;
        /** @description Only items created after this time. */
        created_after: string;
        /** @description Only items created before this time. */
        created_before: string;
        /** @description Only items that started after this time. */
        started_after: string;
        /** @description Only items that started before this time. */
        started_before: string;
        /** @description Only items that ended after this time. */
        ended_after: string;
        /** @description Only items that ended before this time. */
        ended_before: string;
        /**
         * @description Only items that changed after this time. [Keep a copy up to date](/docs/keep-a-copy-up-to-date) tells which time to
         *     send, so that no change is missed.
         */
        updated_after: string;
        /** @description Only items that last changed before this time. */
        updated_before: string;
        /**
         * @description Filter by your metadata: `metadata[source]=crm` finds the items with this value. Write numbers and booleans as in
         *     JSON. Several keys must all match. No index helps, so a filter that few items match may take several pages. To find
         *     an item by your own ID, use `external_id`.
         */
        metadata_filter: {
            [key: string]: string;
        };
        /** @description The campaign's `id`. */
        campaign_id: string;
        /** @description The webhook's `id`. */
        webhook_id: string;
        /** @description The delivery's `id`. */
        delivery_id: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
