import type { KeyScope } from '#contract/api-key.ts'
import type { Currency } from '#contract/money.ts'
import type { Parameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { Answer } from './answer.ts'

/** The merged parameters of path, query and body; the path wins. Values are trimmed, and empty ones are left out. */
export type Given = Parameters

/** A caller without a key sees the prices of the host's zone. */
export type Guest = { currency: Currency }

export type Buyer = Member & { idempotencyKey: string | undefined }

type Address = { method: 'GET' | 'POST' | 'DELETE'; path: string }
/** `name` is the name of the call in the log of a key. */
export type FiveSimCall = Address & { name: string } & (GuestAccess | KeyAccess)

type KeyAccess = {
  access: 'key'
  scope: KeyScope
  run(ctx: Context, given: Given, buyer: Buyer): Answer | Promise<Answer>
  /** An expensive call (`isDear`) reads thousands of rows, so it has a stricter rate limit. */
  isDear?: boolean
}

type GuestAccess = {
  access: 'guest'
  run(ctx: Context, given: Given, guest: Guest): Answer | Promise<Answer>
  /** Returns true for a reply of megabytes, which has a stricter rate limit. */
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
