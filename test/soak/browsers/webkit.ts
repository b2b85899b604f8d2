import { mkdir, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import type { Driver } from './driver.ts'
import { openWebDriver } from './web-driver.ts'

const PROGRAM = '/usr/bin/WebKitWebDriver'
const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
/** The browser's toolbar makes no window narrower than 447 px, so its parts shrink. */
const TOOLBAR_STYLE = '* { font-size: 1px; min-width: 0; padding: 0; margin: 0; border-spacing: 0; }'

/** Opens WebKitGTK, the engine of Safari, by WebDriver. It needs a display, for example of xvfb-run. */
export async function openWebKit(): Promise<Driver> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  await mkdir(folder.path('gtk-3.0'))
  await writeFile(folder.path('gtk-3.0/gtk.css'), TOOLBAR_STYLE)
  const program = {
    command: PROGRAM,
    argsOf: (port: number) => [`--port=${port}`],
    capabilities: { 'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] } },
    env: { XDG_CONFIG_HOME: folder.root },
  }
  return await openWebDriver('WebKit', program, stack.move())
}
