import { CallError } from '#contract/calls/calls.ts'

const fetched = new Map<string, Promise<void>>()

/**
 * Imports a script of the build after its files have been fetched; the build calls it for each `import()`. Chromium
 * remembers a script that failed to load until the page is reloaded, so a lost network would break a dialog for good.
 * @param files paths below the site's root, of scripts and style sheets
 * @throws CallError NO_REPLY if no reply came, and TypeError for a refused file. The next call tries again.
 */
export async function loadModule<Module>(load: () => Promise<Module>, files: readonly string[]): Promise<Module> {
  await Promise.all(files.map(fetchOnce))
  return load()
}

function fetchOnce(file: string): Promise<void> {
  const path = `/${file}`
  const known = fetched.get(path)
  if (known !== undefined) return known
  const fetching = isOfDocument(path) ? Promise.resolve() : fetchFile(path)
  fetched.set(path, fetching)
  fetching.catch(() => fetched.delete(path))
  return fetching
}

function isOfDocument(path: string): boolean {
  return document.querySelector(`link[href="${path}"], script[src="${path}"]`) !== null
}

async function fetchFile(path: string): Promise<void> {
  const response = await fetch(path).catch(failWithoutReply)
  if (!response.ok) throw new TypeError(`${path} answered ${response.status}`)
  // A response is in the browser's cache only when it has been read to its end.
  await response.arrayBuffer().catch(failWithoutReply)
  if (path.endsWith('.css')) await addStyles(path)
}

// The network may be back before the error is shown, so the error itself says that no reply came.
function failWithoutReply(): never {
  throw new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
}

function addStyles(path: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: path })
  document.head.append(link)
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new TypeError(`${path} could not be loaded`))
    }
  })
}
