import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** Names of Chromium programs. The headless shell comes first, because it takes half the processor time. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const MAC_PATHS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/ringpost/', import.meta.url))

/** These flags keep Chromium from talking to anything but the pages under test. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a Chromium for browser tests. `await using` closes it at the end. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findChromium()
  const env: Record<string, string | undefined> = { ...process.env }
  // A machine without a browser may lack fonts too, so the fonts of the npm package are used.
  if (executablePath.startsWith(CACHE) && !(await exists('/etc/fonts/fonts.conf'))) {
    env.FONTCONFIG_FILE = join(dirname(executablePath), 'fonts.conf')
  }
  return chromium.launch({ executablePath, args: FLAGS, env })
}

/** Returns the path of a Chromium: from CHROMIUM_PATH, this machine or the npm package, in this order. */
export async function findChromium(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const chosen = environment.CHROMIUM_PATH
  if (chosen !== undefined && chosen !== '') {
    if (await isExecutable(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${chosen}, which cannot be executed.`)
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name)))
  if (process.platform === 'darwin') candidates.push(...MAC_PATHS)
  for (const path of candidates) if (await isExecutable(path)) return path
  return unpackChromium()
}

/**
 * Unpacks the browser of `@sparticuz/chromium` beside the packages. The package would unpack into the common temporary
 * folder, where a concurrent test or a different user could give us a wrong file.
 */
async function unpackChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const described = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(CACHE, `chromium-${described.version}`)
  if (await isExecutable(join(folder, 'chromium'))) return join(folder, 'chromium')
  await mkdir(CACHE, { recursive: true })
  const staging = await mkdtemp(`${folder}.new-`)
  try {
    const unpack = `import('@sparticuz/chromium').then((found) => found.default.executablePath())`
    await promisify(execFile)(process.execPath, ['-e', unpack], {
      cwd: dirname(entry),
      env: { ...process.env, TMPDIR: staging },
    })
    // The package's own font configuration names folders of a cloud function, so it is replaced.
    const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`
    await writeFile(
      join(staging, 'fonts.conf'),
      `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n${fonts}`,
    )
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // A concurrent test may have unpacked the browser first.
    if (!(await isExecutable(join(folder, 'chromium')))) throw error
  }
  return join(folder, 'chromium')
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
