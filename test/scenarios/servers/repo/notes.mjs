// An MCP server over stdio with one note. It writes down what it was asked.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const uri = 'notes://cache'
const tool = (name) => ({ name, description: `${name} the notes`, inputSchema: { type: 'object', properties: { word: { type: 'string' } } } })
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'notes', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('search'), tool('erase')] }),
  'resources/list': () => ({ resources: [{ uri, name: 'cache', mimeType: 'text/plain' }] }),
  'resources/read': () => ({ contents: [{ uri, text: 'Keep it for one hour.' }] }),
  'tools/call': ({ name, arguments: { word } }) => {
    appendFileSync('asked.log', `${name} ${word}\n`)
    return { content: [{ type: 'text', text: `${word}: see ${uri}` }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = ANSWERS[method]?.(params)
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} })}\n`)
})
