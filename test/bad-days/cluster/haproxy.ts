import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { freePort } from '#test/harness/free-port.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

const PAGE = new URL('../../../docs/scale.md', import.meta.url)

/** Starts Debian's HAProxy on loopback before these ports, with the file of docs/scale.md. */
export async function startHaproxy(
  program: string,
  ports: readonly number[],
): Promise<AsyncDisposable & { url: string }> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const port = await freePort()
  const page = await readFile(PAGE, 'utf8')
  const text = /```haproxy\n(.*?)```/s.exec(page)?.[1] ?? ''
  const servers = ports.map((one, place) => `  server node${place} 127.0.0.1:${one}\n`).join('')
  const settings = text.replace(/( {2}server \S+ \S+\n)+/, servers).replace('8080', String(port))
  await writeFile(folder.path('haproxy.cfg'), settings)
  const child = spawn(program, ['-db', '-q', '-f', folder.path('haproxy.cfg')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  stack.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const running = stack.move()
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
