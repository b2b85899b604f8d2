import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { fold, toPlain } from '#server/core/numbers/messages/codes/plain-text.ts'
import { isGenericSender } from '#server/core/numbers/messages/sender-name.ts'
import type { SignKind, Strength } from '#server/core/numbers/messages/sign.ts'
import type { Db } from '#server/house/db/pool.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { nameScope } from '#server/programs/cli/queries/prices.ts'
import { removeSign, setSenderIgnored, upsertSign } from '#server/programs/cli/queries/senders.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'

const STRENGTHS: readonly Strength[] = ['proven', 'common', 'weak']
/** The form that an entry's value must have, by the kind of entry. Values are first converted by `toPlain`. */
const SHAPES: Record<SignKind, RegExp> = {
  sender: /^.{1,64}$/,
  word: /^.{2,60}$/,
  domain: /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}(?:\/[^\s/?#]{1,64})?$/i,
  hash: /^[A-Za-z0-9+/]{11}$/,
  prefix: /^[A-Za-z]{1,6}-$/,
}
const KINDS = ['sender', 'word', 'domain', 'hash', 'prefix'] as const satisfies readonly SignKind[]

export const setSender: Command = {
  name: 'sender:set',
  summary: `say what a service's messages are known by; KIND is ${KINDS.join(', ')}. A word is "common" unless said: it counts only where the text gives a code for it`,
  values: ['SERVICE', 'KIND', 'VALUE'],
  options: { strength: { shows: STRENGTHS.join('|') } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [serviceCode = '', kindGiven = '', valueGiven = ''] = given.values
    const { kind, value } = readSign(kindGiven, valueGiven)
    const strength = readStrength(kind, given.options.strength)
    return makeChange(cli, { name: 'sender:set', given }, async (tx, now) => {
      const name = await requireService(tx, serviceCode)
      const changed = await upsertSign(tx, { serviceCode, kind, value, strength })
      if (changed) await raiseCatalogVersion(tx, now)
      return {
        subject: `service:${serviceCode}`,
        detail: { kind, value, strength },
        says: `${name} is known by the ${strength} ${kind} ${value} ${changed ? 'now' : 'already'}.`,
        unchanged: !changed,
      }
    })
  },
}

export const removeSender: Command = {
  name: 'sender:remove',
  summary: 'take away what a service is known by: no later release or learning brings it back',
  values: ['SERVICE', 'KIND', 'VALUE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [serviceCode = '', kindGiven = '', valueGiven = ''] = given.values
    const { kind, value } = readSign(kindGiven, valueGiven)
    return makeChange(cli, { name: 'sender:remove', given }, async (tx, now) => {
      const name = await requireService(tx, serviceCode)
      const removed = await removeSign(tx, { serviceCode, kind, value })
      if (removed === 0) throw new CommandRefused(`${name} is not known by the ${kind} ${value}`)
      await raiseCatalogVersion(tx, now)
      const subject = `service:${serviceCode}`
      return { subject, detail: { kind, value }, says: `${name} is not known by the ${kind} ${value} any more.` }
    })
  },
}

export const [ignoreSender, heedSender] = switchCommands({
  values: ['SENDER'],
  on: {
    name: 'sender:ignore',
    summary:
      'messages of this sender belong to nobody, as those of mobile operators: they are kept for staff; with * for any letters (AD*) it is a pattern',
    state: 'ignored',
  },
  off: { name: 'sender:heed', summary: 'messages of an ignored sender count again', state: 'heeded' },
  async turn(tx, { value, on, now }) {
    const sender = fold(toPlain(value)).trim()
    if (sender === '' || sender.length > 64) throw new WrongUsage('SENDER is a name of 1 to 64 letters')
    const stars = sender.split('*').length - 1
    if (stars > 2 || (stars > 0 && sender.length - stars < MIN_PATTERN)) {
      throw new WrongUsage(`A pattern has one or two *, and ${MIN_PATTERN} letters or more`)
    }
    const changed = await setSenderIgnored(tx, { sender, ignored: on })
    if (changed) await raiseCatalogVersion(tx, now)
    return { subject: `sender:${sender}`, detail: {}, what: sender, changed }
  },
})

/** The minimum length of a sender pattern. A shorter one would match the senders of other services. */
const MIN_PATTERN = 2

function readSign(kindGiven: string, valueGiven: string): { kind: SignKind; value: string } {
  const kind = KINDS.find((one) => one === kindGiven)
  if (kind === undefined) throw new WrongUsage(`KIND is one of ${KINDS.join(', ')}`)
  const value = toPlain(valueGiven).trim()
  if (!SHAPES[kind].test(value)) throw new WrongUsage(`"${valueGiven}" is not a ${kind}`)
  if (kind === 'sender' && isGenericSender(fold(value))) {
    throw new CommandRefused(`${value} is a name that gateways give to anybody's messages: it can name no service`)
  }
  return { kind, value }
}

function readStrength(kind: SignKind, given: string | undefined): Strength {
  if (given === undefined) return kind === 'word' ? 'common' : 'proven'
  const strength = STRENGTHS.find((one) => one === given)
  if (strength === undefined || (strength === 'common' && kind !== 'word')) {
    throw new WrongUsage('--strength is proven or weak, and for a word also common')
  }
  return strength
}

async function requireService(tx: Db, serviceCode: string): Promise<string> {
  const { service } = await nameScope(tx, { serviceCode, countryId: null })
  if (service === null) throw new CommandRefused(`There is no service ${serviceCode}`)
  return service
}
