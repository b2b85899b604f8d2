import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { BoughtNumber, Ending } from '#server/core/suppliers/supplier.ts'
import type { Answer, FromProcess, PushedSms, Question, ToProcess } from './scripted-wire.ts'

const PROGRAM = new URL('./scripted-process.ts', import.meta.url).pathname
const LINES_KEPT = 20_000

/** A supplier that outlives the service. It sells once per reference, and never after it has answered `none`. */
export type ScriptedPeer = {
  readonly sold: Map<string, BoughtNumber>
  readonly ended: Map<string, Ending[]>
  /** References for which the service bought twice, or bought after the answer `none`. Tests expect none. */
  readonly complaints: string[]
  readonly acknowledged: Set<string>
  /** Called before the supplier carries out a request. A promise delays it, and a rejection is a failure. */
  onAsked: (question: Question) => Promise<void> | undefined
  /** Called after the supplier has carried out a request and before it answers. */
  onDone: (question: Question) => Promise<void> | undefined
  /** Pushes a message until it is acknowledged, also after a restart of the service, as real suppliers do. */
  push(sms: PushedSms): Promise<void>
  attach(child: ChildProcess): void
}

export function createScriptedPeer(): ScriptedPeer {
  let serial = 0
  let child: ChildProcess | undefined
  const never = new Set<string>()
  const unacknowledged = new Map<string, { sms: PushedSms; resolve: () => void }>()
  const say = (to: ChildProcess, message: ToProcess): void => {
    if (to.connected) to.send(message, () => undefined)
  }
  const act = (question: Question): Answer => {
    switch (question.method) {
      case 'buy': {
        const { reference, maxCostMicros } = question.order
        if (never.has(reference)) peer.complaints.push(`bought ${reference} after it was told that it never was`)
        if (peer.sold.has(reference)) peer.complaints.push(`bought ${reference} twice`)
        serial += 1
        const phone = `77050${String(serial).padStart(6, '0')}`
        const number = { outcome: 'bought', supplierReference: `s${serial}`, phone, operator: 'altel' } as const
        peer.sold.set(reference, { ...number, costMicros: maxCostMicros })
        return peer.sold.get(reference) ?? null
      }
      case 'find': {
        const found = peer.sold.get(question.reference)
        if (found === undefined) never.add(question.reference)
        return found ?? { outcome: 'none' }
      }
      case 'askAgain':
        return true
      case 'end':
        peer.ended.set(question.number.reference, [
          ...(peer.ended.get(question.number.reference) ?? []),
          question.ending,
        ])
        return null
      default:
        return question satisfies never
    }
  }
  const answer = async (question: Question): Promise<Answer> => {
    await peer.onAsked(question)
    const done = act(question)
    await peer.onDone(question)
    return done
  }
  const peer: ScriptedPeer = {
    sold: new Map(),
    ended: new Map(),
    complaints: [],
    acknowledged: new Set(),
    onAsked: () => undefined,
    onDone: () => undefined,
    push: (sms) =>
      new Promise((resolve) => {
        unacknowledged.set(sms.messageId, { sms, resolve })
        if (child !== undefined) say(child, { kind: 'sms', sms })
      }),
    attach(attached) {
      child = attached
      attached.on('message', (message: FromProcess) => {
        if (message.kind === 'connected') {
          for (const { sms } of unacknowledged.values()) say(attached, { kind: 'sms', sms })
        } else if (message.kind === 'ask') {
          const { call } = message
          answer(message.question).then(
            (done) => say(attached, { kind: 'answer', call, answer: done }),
            (error: unknown) => say(attached, { kind: 'failed', call, reason: String(error) }),
          )
        } else if (message.kind === 'acknowledged') {
          peer.acknowledged.add(message.messageId)
          unacknowledged.get(message.messageId)?.resolve()
          unacknowledged.delete(message.messageId)
        } else if (message.kind === 'refused') {
          const waiting = unacknowledged.get(message.messageId)
          if (waiting !== undefined) say(attached, { kind: 'sms', sms: waiting.sms })
        }
      })
    },
  }
  return peer
}

export type ScriptedProcess = AsyncDisposable & {
  url: string
  said(): string
  /** The exit code or the signal, or null while the process runs. */
  exitCode(): number | NodeJS.Signals | null
  kill(): Promise<void>
}

/** Starts the service as a process with this fake supplier only. Rejects if the process ends before it serves. */
export async function startScriptedProcess(
  peer: ScriptedPeer,
  input: { databaseUrl: string; environment?: Record<string, string> },
): Promise<ScriptedProcess> {
  const environment = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    REALTIME_PORT: '0',
    PUBLIC_URL: 'http://localhost',
    SECRET_KEY: 'a secret of scripted processes, long',
    SMTP_URL: 'smtp://127.0.0.1:1',
    API_REQUESTS_PER_SECOND: '100000',
    DATABASE_URL: input.databaseUrl,
    ...input.environment,
  }
  const child = fork(PROGRAM, [], {
    env: environment,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      lines.push(...part.toString('utf8').split('\n'))
      lines.splice(0, Math.max(0, lines.length - LINES_KEPT))
    })
  }
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  peer.attach(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromProcess) => {
      if (message.kind === 'ready') resolve(message.url)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${lines.join('\n')}`)))
  })
  return {
    url,
    said: () => lines.join('\n'),
    exitCode: () => child.exitCode ?? child.signalCode,
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
