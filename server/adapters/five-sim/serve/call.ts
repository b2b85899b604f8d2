import type { KeyScope } from '#contract/api-key.ts'
import type { Currency } from '#contract/money.ts'
import type { Parameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { Answer } from './answer.ts'

/** The parameters of path, query and body. A path parameter wins. Values are trimmed, and empty values are left out. */
export type Given = Parameters

/** A caller without an API key. Prices have the currency of the requested host. */
export type Guest = { currency: Currency }

export type Buyer = Member & { idempotencyKey: string | undefined }

type Address = { method: 'GET' | 'POST' | 'DELETE'; path: string }
export type FiveSimCall = Address & { name: string } & (GuestAccess | KeyAccess)

type KeyAccess = {
  access: 'key'
  scope: KeyScope
  run(ctx: Context, given: Given, buyer: Buyer): Answer | Promise<Answer>
  /** True if the call reads thousands of rows, so it gets a stricter rate limit. */
  isDear?: boolean
}

type GuestAccess = {
  access: 'guest'
  run(ctx: Context, given: Given, guest: Guest): Answer | Promise<Answer>
  /** Returns true if the reply has megabytes, so the request gets a stricter rate limit. */
  isWhole(given: Given): boolean
}

type Keyed = KeyAccess['run']

export function readCall(path: string, run: Keyed, { isDear = false } = {}): FiveSimCall {
  return { method: 'GET', path, name: nameOf('GET', path), access: 'key', scope: 'read', run, isDear }
}

export function buyCall(path: string, run: Keyed, method: FiveSimCall['method'] = 'GET'): FiveSimCall {
  return { method, path, name: nameOf(method, path), access: 'key', scope: 'buy', run }
}

export function guestCall(
  path: string,
  run: GuestAccess['run'],
  isWhole: GuestAccess['isWhole'] = () => false,
): FiveSimCall {
  return { method: 'GET', path, name: nameOf('GET', path), access: 'guest', run, isWhole }
}

function nameOf(method: string, path: string): string {
  return `${method} /v1${path.replaceAll(/:(\w+)/g, '{$1}')}`
}
