#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createRingpost } from '../../typescript/src/ringpost.ts'
import { addTools } from './tools.ts'

const { RINGPOST_SITE: site, RINGPOST_KEY: key } = process.env
if (!site || !key) {
  process.stderr.write('Set RINGPOST_SITE, such as https://your.host, and RINGPOST_KEY, an API key of /settings/api\n')
  process.exit(1)
}
const server = new McpServer({ name: 'ringpost', version: '0.1.0' })
addTools(server, createRingpost({ site, key }))
await server.connect(new StdioServerTransport())
