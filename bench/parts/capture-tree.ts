import type { ReactNode } from 'react'
import { renderToString as reactRenderToString } from 'react-dom/server.node'

/** Stands in for `react-dom/server` in the bundle of bare-tree.ts: renders, and keeps what it was given. */
export function renderToString(tree: ReactNode): string {
  captured = tree
  return reactRenderToString(tree)
}

let captured: ReactNode = null

/** The tree of the last page, rendered by nothing but React. */
export function renderCapturedTree(): string {
  return reactRenderToString(captured)
}
