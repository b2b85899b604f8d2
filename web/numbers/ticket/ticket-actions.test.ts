import { expect, it } from 'vitest'
import { ACTIVATION_STATES, type ActivationRecord, type ActivationState } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { ticketActions } from './ticket-actions.ts'

const createdMs = Date.parse('2026-05-01T12:00:00.000Z')

function record(state: ActivationState): ActivationRecord {
  return activationRecord({ state, final: ['finished', 'cancelled', 'expired', 'used', 'failed'].includes(state) })
}

it.each<[ActivationState, string]>([
  ['reserving', ''],
  ['waiting', 'cancel+48 replace+48 used+0'],
  ['received', 'again+0 finish+0'],
  ['waiting_again', 'finish+0'],
  ['finished', 'more+0 dismiss+0'],
  ['cancelled', 'more+0 dismiss+0'],
  ['expired', 'more+0 dismiss+0'],
  ['used', 'more+0 dismiss+0'],
  ['failed', 'more+0 dismiss+0'],
])('%s, 72 seconds old, offers: %s', (state, expected) => {
  const offered = ticketActions(record(state), createdMs + 72_000)
  expect(offered.map(({ verb, opensInSeconds }) => `${verb}+${opensInSeconds}`).join(' ')).toBe(expected)
})

it('opens cancelling and replacing when their time has come', () => {
  const [cancel, replace] = ticketActions(record('waiting'), createdMs + 120_000)
  expect([cancel, replace]).toEqual([
    { verb: 'cancel', opensInSeconds: 0 },
    { verb: 'replace', opensInSeconds: 0 },
  ])
})

it('offers the same number once more only where that can be done, and otherwise another one of its pair', () => {
  const verbs = (canRepeat: boolean) =>
    ticketActions({ ...record('finished'), can_repeat: canRepeat }, createdMs + 72_000).map(({ verb }) => verb)
  expect(verbs(true)).toEqual(['repeat', 'dismiss'])
  expect(verbs(false)).toEqual(['more', 'dismiss'])
})

it('offers nothing for an open number whose time is over', () => {
  for (const state of ACTIVATION_STATES) {
    const verbs = ticketActions(record(state), createdMs + 1_200_000).map(({ verb }) => verb)
    expect(verbs).toEqual(record(state).final ? ['more', 'dismiss'] : [])
  }
})
