import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** The time within which two signals count as one: Ctrl-C comes from the terminal and again from npm. */
const SAME_SIGNAL_MS = 500
const FIRST_PAUSE_MS = 250
/** A server that ran for this time resets the back-off. */
const STEADY_MS = 60_000
const MAX_QUICK_DEATHS = 5
const PARENT_CHECK_MS = 500

/**
 * Runs a server. Restarts it at once after a crash, and later with exponential back-off. A server that never served,
 * or was replaced by a second process, is not restarted.
 * @param {{ command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv }} program
 * @returns {{ ended: Promise<number>, stop(signal: NodeJS.Signals): void }}
 */
export function keepServing(program, { pause = (ms) => wait(ms), say = console.error } = {}) {
  let server
  let stopping = false
  let endPause
  // Node 20 has no `Promise.withResolvers`.
  const stopped = new Promise((resolve) => {
    endPause = resolve
  })
  const stop = (signal) => {
    stopping = true
    server?.kill(signal)
    endPause()
  }
  const run = async () => {
    let hasServed = false
    let quickDeaths = 0
    for (;;) {
      const startedAt = performance.now()
      const life = startServer(program)
      server = life.child
      const { code, news } = await life.ended
      server = undefined
      hasServed ||= news.includes('serving')
      if (stopping || code === 0 || !hasServed || news.includes('displaced')) return code
      quickDeaths = performance.now() - startedAt > STEADY_MS ? 1 : quickDeaths + 1
      if (quickDeaths >= MAX_QUICK_DEATHS) {
        say(`Ringpost ended ${quickDeaths} times in a row soon after its start: it is not started again.`)
        return code
      }
      const pauseMs = quickDeaths === 1 ? 0 : FIRST_PAUSE_MS * 4 ** (quickDeaths - 2)
      say(`Ringpost ended with code ${code} and is started again ${pauseMs === 0 ? 'now' : `in ${pauseMs / 1000} s`}.`)
      await Promise.race([pause(pauseMs), stopped])
      if (stopping) return code
    }
  }
  passSignals(stop)
  watchParent(() => stop('SIGTERM'))
  return { ended: run(), stop }
}

function startServer({ command, args, cwd, env }) {
  // A process group of its own keeps the server from getting signals twice; this process passes them on.
  const detached = process.platform !== 'win32'
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached })
  const news = []
  child.on('message', (message) => news.push(message))
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal], news }))
  })
  return { child, ended }
}

function passSignals(stop) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let lastAt = Number.NEGATIVE_INFINITY
    process.on(signal, () => {
      const now = performance.now()
      if (now - lastAt > SAME_SIGNAL_MS) stop(signal)
      lastAt = now
    })
  }
}

/**
 * Calls `whenGone` when the parent process ends. npm sends SIGTERM to a shell that dies without passing it on, so the
 * lost parent is the only sign of the signal.
 */
function watchParent(whenGone) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    whenGone()
  }, PARENT_CHECK_MS)
  timer.unref()
}
