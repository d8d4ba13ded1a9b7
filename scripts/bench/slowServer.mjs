// An MCP server with one tool that reads, and takes 200 ms.
import { setTimeout } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'

const server = new McpServer({ name: 'slow', version: '1.0.0' })
const inputSchema = { number: z.number() }
const annotations = { readOnlyHint: true }
server.registerTool('wait', { description: 'Waits.', inputSchema, annotations }, async ({ number }) => {
  await setTimeout(200)
  return { content: [{ type: 'text', text: `waited ${number * 7}` }] }
})
await server.connect(new StdioServerTransport())
