import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Activation, type createRingpost, RingpostError, waitForCode } from '../../typescript/src/ringpost.ts'

type Ringpost = ReturnType<typeof createRingpost>

const MOST_LISTED = 50
const LONGEST_WAIT_SECONDS = 120
const SECOND = 1_000

const id = z.number().int().min(1).describe('The id of the number that was bought')
const service = z.string().min(1).max(40).describe('The id of a service, such as "tg"; find_services has them')
const country = z.number().int().min(0).describe('The id of a country, such as 2; find_countries has them')
const readOnly = { readOnlyHint: true, openWorldHint: true }
const acts = { readOnlyHint: false, destructiveHint: false, openWorldHint: true }

/**
 * Adds the tools to the MCP server. Tools return amounts as decimal strings in the account's currency, shares from 0 to
 * 1, and times in ISO 8601, UTC.
 */
export function addTools(server: McpServer, ringpost: Ringpost): void {
  addCatalogTools(server, ringpost)
  addBuyingTools(server, ringpost)
  addPastTools(server, ringpost)
}

const inStock = <Item extends { count: number }>(items: Item[]) => items.filter(({ count }) => count > 0)

function addCatalogTools(server: McpServer, ringpost: Ringpost): void {
  server.registerTool(
    'find_services',
    {
      description:
        'Services whose codes can be received, with the lowest price and the share of purchases that got a code',
      inputSchema: { search: z.string().max(100).describe('A part of the name, such as "telegram"') },
      annotations: readOnly,
    },
    ({ search }) =>
      answer(async () => inStock((await ringpost.services.get({ search, per_page: MOST_LISTED })).services)),
  )
  server.registerTool(
    'find_countries',
    {
      description:
        'Countries that have numbers for a service, with price, stock and the share of purchases that got a code',
      inputSchema: {
        service,
        search: z.string().max(100).optional().describe('A part of the name'),
        sort: z.enum(['popular', 'price', 'stock', 'success', 'name']).optional(),
      },
      annotations: readOnly,
    },
    ({ service: service_id, search, sort }) =>
      answer(async () => {
        const filter = { service_id, per_page: MOST_LISTED, ...(search && { search }), ...(sort && { sort }) }
        return inStock((await ringpost.countries.get(filter)).countries)
      }),
  )
  server.registerTool(
    'get_price',
    {
      description: 'What a number of a service costs in a country: of any operator, and of each, cheapest first',
      inputSchema: { service, country },
      annotations: readOnly,
    },
    ({ service: service_id, country: country_id }) =>
      answer(async () => (await ringpost.price.get({ service_id, country_id })).data),
  )
}

function addBuyingTools(server: McpServer, ringpost: Ringpost): void {
  server.registerTool(
    'buy_number',
    {
      description:
        'Buys a number. The price is held, and charged when the first code comes; a number without a code is free. Use the number, then wait_for_code.',
      inputSchema: {
        service,
        country,
        max_price: z.string().max(20).describe('The most to pay, a decimal string in the currency of the account'),
        operator: z.string().min(1).max(60).optional().describe('An operator of get_price; without it any'),
        order: z
          .string()
          .regex(/^[\x21-\x7e]{8,100}$/)
          .optional()
          .describe('Your own reference of 8 characters and more: the same one never buys twice'),
      },
      annotations: acts,
    },
    ({ service: service_id, country: country_id, max_price, operator, order }) =>
      answer(async () => {
        const wanted = { service_id, country_id, max_price, ...(operator !== undefined && { operator_id: operator }) }
        const headers = order === undefined ? {} : { headers: { 'Idempotency-Key': order } }
        return shown((await ringpost.activations.create(wanted, headers)).data)
      }),
  )
  server.registerTool(
    'wait_for_code',
    {
      description: 'Waits until a code has come or the number has ended. Call it again while the state is waiting.',
      inputSchema: { id, seconds: z.number().int().min(0).max(LONGEST_WAIT_SECONDS).default(60) },
      annotations: readOnly,
    },
    ({ id: wanted, seconds }, { signal }) =>
      answer(async () => shown(await waitForCode(ringpost, { id: wanted, timeoutMs: seconds * SECOND, signal }))),
  )
  const verbs = [
    [
      'cancel',
      'Gives a number back that had no code, and frees the money. Too early it is refused, with the time from which it goes',
    ],
    ['finish', 'Ends a number that had its code'],
    [
      'open',
      'Reads a message of `messages` with `notice` and `withheld`: of the service, but without a code. Charges the price, also when it helps nothing. If the number is taken at the service, cancel_number is free',
    ],
    [
      'notMyCode',
      'Says that the message that was charged is no code of the service. The money comes back and the number ends. Refused to who says so often',
    ],
    ['again', 'Asks for another code to the same number, free of charge. Then wait_for_code'],
  ] as const
  for (const [verb, description] of verbs) {
    server.registerTool(TOOL_NAMES[verb], { description, inputSchema: { id }, annotations: acts }, (input) =>
      answer(async () => shown((await ringpost.activations[verb](input)).data)),
    )
  }
}

const TOOL_NAMES = {
  cancel: 'cancel_number',
  finish: 'finish_number',
  open: 'open_notice',
  notMyCode: 'report_not_my_code',
  again: 'ask_another_code',
}

function addPastTools(server: McpServer, ringpost: Ringpost): void {
  server.registerTool(
    'get_balance',
    { description: 'What can be spent and what is held for open numbers', annotations: readOnly },
    () =>
      answer(async () => {
        const { balance, held, currency } = await ringpost.user.get()
        return { balance, held, currency }
      }),
  )
  server.registerTool(
    'list_history',
    {
      description: 'Numbers that were bought, newest first, open ones included',
      inputSchema: { limit: z.number().int().min(1).max(MOST_LISTED).default(10) },
      annotations: readOnly,
    },
    ({ limit }) => answer(async () => (await ringpost.history.get({ per_page: limit })).history.data),
  )
}

function shown({ id, state, final, phone, price, currency, code, messages, expires_at, cancel_from }: Activation) {
  return { id, state, final, phone, price, currency, code, messages, expires_at, cancel_from }
}

/**
 * Returns the result of a tool. A refused call becomes a text for the model, so that the model can choose another call.
 * Internal errors come without details for developers.
 */
async function answer(ask: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await ask()) }] }
  } catch (error) {
    const told =
      error instanceof RingpostError
        ? { code: error.code, message: error.message, errors: error.errors, data: error.data }
        : { code: 'NO_REPLY', message: 'The server could not be reached' }
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] }
  }
}
