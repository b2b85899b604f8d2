import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type SmscEvent = { event: string; status?: number; seq?: number; [field: string]: unknown }

export type Delivery = { seq: number; from: string; to: string; esm_class: number; data_coding: number; hex: string }

/** A carrier's SMSC played by Net::SMPP, which shares no code with the service. */
export type NetSmppSmsc = AsyncDisposable & {
  port: number
  deliver(delivery: Delivery): void
  ask(): void
  answerEnquireLink(answers: boolean): void
  drop(): void
  seen(event: string, count?: number): Promise<SmscEvent[]>
}

export async function startNetSmppSmsc(perl: string): Promise<NetSmppSmsc> {
  const script = fileURLToPath(new URL('smpp-smsc.pl', import.meta.url))
  const child: ChildProcessWithoutNullStreams = spawn(perl, [script])
  const exited = once(child, 'exit')
  const events = new EventEmitter().setMaxListeners(0)
  const log: SmscEvent[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(JSON.parse(line))
    events.emit('event')
  })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const seen = async (event: string, count = 1) => {
    for (;;) {
      const matching = log.filter((line) => line.event === event)
      if (matching.length >= count) return matching
      const gone = exited.then(() => Promise.reject(new Error(`the SMSC of Net::SMPP ended: ${complaints}`)))
      await Promise.race([once(events, 'event'), gone])
    }
  }
  const tell = (command: Record<string, unknown>) => {
    child.stdin.write(`${JSON.stringify(command)}\n`)
  }
  const [listening] = await seen('listening')
  return {
    port: Number(listening?.port),
    deliver: (delivery) => tell({ do: 'deliver', ...delivery }),
    ask: () => tell({ do: 'ask' }),
    answerEnquireLink: (answers) => tell({ do: 'enquire_link', answers: answers ? 1 : 0 }),
    drop: () => tell({ do: 'drop' }),
    seen,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
