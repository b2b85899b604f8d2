import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { z } from 'zod'
import { type Driver, waitFor } from './driver.ts'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const CALL_LIMIT_MS = 60_000
const SHOWN = `const { width, height } = arguments[0].getBoundingClientRect()
return width > 0 && height > 0 && arguments[0].checkVisibility({ visibilityProperty: true })`
const replySchema = z.object({ value: z.unknown() })
const elementSchema = z.object({ [ELEMENT]: z.string() })
const sessionSchema = z.object({ sessionId: z.string() })
const failureSchema = z.object({ error: z.string(), message: z.string() })

type Program = {
  command: string
  argsOf: (port: number) => string[]
  capabilities: object
  env: Record<string, string>
}

/**
 * Starts a program that speaks WebDriver (w3.org/TR/webdriver2), and a browser by it. `argsOf` returns the program's
 * arguments for a port. `given` is disposed after the browser.
 */
export async function openWebDriver(name: string, program: Program, given: AsyncDisposableStack): Promise<Driver> {
  await using stack = given
  const port = await freePort()
  const child = spawn(program.command, program.argsOf(port), {
    stdio: 'ignore',
    env: { ...process.env, ...program.env },
  })
  const ended = once(child, 'exit')
  stack.defer(async () => {
    child.kill()
    await ended
  })
  const base = `http://127.0.0.1:${port}`
  const begun = await waitFor('the session', async () => {
    const reply = await ask(`${base}/session`, 'POST', { capabilities: { alwaysMatch: program.capabilities } }).catch(
      () => null,
    )
    return reply === null ? null : sessionSchema.parse(reply)
  })
  const session = `${base}/session/${begun.sessionId}`
  stack.defer(async () => {
    await ask(session, 'DELETE')
  })
  const running = stack.move()
  return { ...driverOf(session), name, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function driverOf(session: string): Omit<Driver, 'name' | typeof Symbol.asyncDispose> {
  const run = async <Result>(script: string, ...args: unknown[]) =>
    (await ask(`${session}/execute/sync`, 'POST', { script, args })) as Result
  const find = (xpath: string) =>
    waitFor(xpath, async () => {
      const found = await ask(`${session}/element`, 'POST', { using: 'xpath', value: xpath }).catch(() => null)
      if (found === null) return null
      // The command `displayed` calls buttons in a box of `display: contents` hidden, so the page is asked.
      const isShown = await run<boolean>(SHOWN, found).catch(() => false)
      return isShown ? `${session}/element/${elementSchema.parse(found)[ELEMENT]}` : null
    })
  // An element may be replaced between the search and the press, so both are repeated.
  const act = (xpath: string, work: (element: string) => Promise<unknown>) =>
    waitFor(xpath, async () => {
      const element = await find(xpath)
      return work(element).then(
        () => true,
        () => null,
      )
    }).then(() => undefined)
  return {
    run,
    resize: async (width, height) => {
      await ask(`${session}/window/rect`, 'POST', { width, height })
    },
    open: async (url) => {
      await ask(`${session}/url`, 'POST', { url })
    },
    press: (xpath) => act(xpath, (element) => ask(`${element}/click`, 'POST', {})),
    type: (xpath, text) => act(xpath, (element) => ask(`${element}/value`, 'POST', { text })),
    takeComplaints: () => Promise.resolve([]),
    textOf: async (xpath) => String(await ask(`${await find(xpath)}/property/innerText`, 'GET')),
  }
}

async function ask(url: string, method: string, body?: object): Promise<unknown> {
  const reply = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  })
  const { value } = replySchema.parse(await reply.json())
  if (reply.ok) return value
  const { error, message } = failureSchema.parse(value)
  throw new Error(`${method} ${new URL(url).pathname}: ${error}: ${message}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
