/** What Vite bundles for bare-render.ts: the page renderer of the site, with React's own rendering of its tree beside. */
export { render } from '#web/entry-server.tsx'
export { renderCapturedTree } from './capture-tree.ts'
