export { render } from '#web/entry-server.tsx'
export { renderCapturedTree } from './capture-tree.ts'
