import type { ReactNode } from 'react'
import { renderToString as reactRenderToString } from 'react-dom/server.node'

/**
 * Renders a React tree and keeps it for `renderCapturedTree`. Replaces `react-dom/server` in the bundle of
 * bare-tree.ts.
 */
export function renderToString(tree: ReactNode): string {
  captured = tree
  return reactRenderToString(tree)
}

let captured: ReactNode = null

export function renderCapturedTree(): string {
  return reactRenderToString(captured)
}
